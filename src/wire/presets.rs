//! Known providers, as data: a starting point for a person's settings and for discovery.

use url::Url;

use crate::core::target::{DailyCap, Dialect, Probing};
use crate::wire::endpoint::{Auth, Endpoint};

/// A known provider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Stable name, used in settings and links.
    pub id: &'static str,
    /// The provider's own spelling of its name.
    pub name: &'static str,
    /// Its wire API.
    pub dialect: Dialect,
    /// What the dialect's path is appended to; capitals such as `YOUR-RESOURCE` are for the user to replace.
    pub base_url: &'static str,
    /// How the key is sent.
    pub auth: Auth,
    /// Names of the variables that usually hold the key, the most usual first; empty when none is needed.
    pub key_vars: &'static [&'static str],
    /// Message id of what a user should know before using it.
    pub note: Option<&'static str>,
    /// Probes of one target in a day.
    pub daily_cap: DailyCap,
    /// Whether the schedule may probe: free tiers that count every request are probed on demand.
    pub probing: Probing,
    /// Runs on this machine.
    pub is_local: bool,
    /// Typical model ids, as examples.
    pub models: &'static [&'static str],
    /// Headers it needs besides the dialect's.
    pub headers: &'static [(&'static str, &'static str)],
    /// Query parameters it needs.
    pub query: &'static [(&'static str, &'static str)],
}

impl Preset {
    /// Every preset.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        [].into_iter()
    }

    /// The preset with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::all().find(|preset| preset.id == id)
    }

    /// Whether the base URL has parts that the user must replace.
    pub fn is_template(&self) -> bool {
        self.base_url.contains("YOUR-")
    }

    /// The endpoint, with another base URL if one is given.
    pub fn endpoint(&self, base_url: Option<Url>) -> Option<Endpoint> {
        Some(Endpoint {
            base_url: base_url.or_else(|| Url::parse(self.base_url).ok())?,
            dialect: self.dialect,
            auth: self.auth,
            headers: self.headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            query: self.query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        })
    }
}
