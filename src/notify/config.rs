//! What the settings say of notices that go elsewhere.

use std::fmt;
use std::time::Duration;

use url::Url;

use crate::notify::form::Form;
use crate::secrets::KeyRef;

/// `[notices] hook = { command = [...], timeout = "10s" }`: a program that is run for each notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The program and its arguments; no shell reads them. Never empty.
    pub command: Vec<String>,
    /// How long a run may take before it is ended with all that it started.
    pub timeout: Duration,
}

impl Hook {
    /// The usual [`Hook::timeout`].
    pub const TIMEOUT: Duration = Duration::from_secs(10);
    /// The bounds of [`Hook::timeout`].
    pub const TIMEOUTS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(300));
}

/// `[notices] webhook = { url = ..., form = "json" }`: an address to which each notice is posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Where to.
    pub url: Address,
    /// In which shape.
    pub form: Form,
}

/// An address, which is often a secret: whoever knows it may write there.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// Written in the settings, and nothing in it looks like a secret.
    Open(Url),
    /// Kept elsewhere, as keys are: `url = { env = "NAME" }`.
    Kept(KeyRef),
}

impl Address {
    /// Hosts whose addresses always hold a secret, by their ends.
    const SECRET_HOSTS: &[&str] = &[
        "hooks.slack.com",
        "discord.com",
        "discordapp.com",
        "webhook.office.com",
        "logic.azure.com",
        "powerplatform.com",
        "api.telegram.org",
        "open.feishu.cn",
        "open.larksuite.com",
        "oapi.dingtalk.com",
        "qyapi.weixin.qq.com",
    ];

    /// Whether an address must not stand in the settings file.
    pub fn is_secret(url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let is_known = Self::SECRET_HOSTS
            .iter()
            .any(|known| host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.')));
        let looks = |text: &str| crate::core::secretive::looks_like_key(text);
        is_known
            || url.password().is_some()
            || url.path_segments().into_iter().flatten().any(looks)
            || url.query_pairs().any(|(_, value)| looks(&value))
    }
}

/// Names the host or the place alone.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(url) => f.debug_tuple("Open").field(&url.host_str().unwrap_or_default()).finish(),
            Self::Kept(key) => f.debug_tuple("Kept").field(&key.to_string()).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_secrets_are_known() {
        for (address, expected) in [
            ("https://hooks.slack.com/services/T/B/x", true),
            ("https://ptb.discord.com/api/webhooks/1/x", true),
            ("https://prod-1.westeurope.logic.azure.com/workflows/x", true),
            ("https://notdiscord.com/hook", false),
            ("https://example.com/in/0123456789abcdef0123456789abcdef", true),
            ("https://example.com/in?token=aB3dE6gH9jK2mN5pQ8sT", true),
            ("https://user:pass@example.com/in", true),
            ("https://ntfy.sh/my-topic", false),
            ("http://127.0.0.1:8080/notices", false),
        ] {
            assert_eq!(Address::is_secret(&Url::parse(address).unwrap()), expected, "{address}");
        }
        let shown = format!("{:?}", Address::Open(Url::parse("https://ntfy.sh/topic-of-mine").unwrap()));
        assert!(!shown.contains("topic"), "{shown}");
    }
}
