//! Where requests go and how they are signed.

use std::fmt;

use url::Url;

use crate::core::target::Dialect;

/// What stands for the key in a header or query value.
pub const KEY_MARK: &str = "{key}";

/// How the key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Auth {
    /// It is not sent.
    None,
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// The bare key in a header with this lower-case name.
    Header(&'static str),
}

impl Auth {
    /// What the dialect's own vendor asks for.
    pub const fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::OllamaChat | Dialect::Generic => Self::Bearer,
            Dialect::AnthropicMessages => Self::Header("x-api-key"),
            Dialect::Gemini => Self::Header("x-goog-api-key"),
        }
    }
}

/// One endpoint of a provider, without its key.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What the dialect's path is appended to; it may have a path and a query of its own.
    pub base_url: Url,
    /// The wire API.
    pub dialect: Dialect,
    /// How the key is sent, unless a header or query value holds [`KEY_MARK`]: then only there.
    pub auth: Auth,
    /// Additional headers, in their order; a value may hold [`KEY_MARK`]. They replace ours of the same name.
    pub headers: Vec<(String, String)>,
    /// Additional query parameters, in their order, not yet encoded; a value may hold [`KEY_MARK`].
    pub query: Vec<(String, String)>,
}

/// Shows no header or query value and no login in the URL: users may have put a key there.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        f.debug_struct("Endpoint")
            .field("host", &self.base_url.host_str())
            .field("path", &self.base_url.path())
            .field("dialect", &self.dialect)
            .field("auth", &self.auth)
            .field("headers", &names(&self.headers))
            .field("query", &names(&self.query))
            .finish()
    }
}

impl Endpoint {
    /// An endpoint that is signed as the dialect's vendor asks, with nothing additional.
    pub const fn new(base_url: Url, dialect: Dialect) -> Self {
        Self { base_url, dialect, auth: Auth::of(dialect), headers: Vec::new(), query: Vec::new() }
    }

    /// Whether a header or query value says where the key goes, so that the dialect's own header is left out. That is
    /// how Azure's `api-key` works.
    pub fn places_key(&self) -> bool {
        self.headers.iter().chain(&self.query).any(|(_, value)| value.contains(KEY_MARK))
    }
}

/// Whether a header or parameter of this name usually holds a credential, so that its value must not be shown.
pub fn is_credential_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_known =
        matches!(name.as_str(), "authorization" | "proxy-authorization" | "cookie" | "auth" | "sig" | "signature");
    is_known || ["key", "token", "secret", "password", "credential"].iter().any(|part| name.contains(part))
}
