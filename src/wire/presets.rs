//! Known providers, as data: a starting point for a person's settings and for discovery.
//!
//! Addresses and variable names are from the providers' own pages; `tests/it/wire.rs` drives every one of them through a
//! loopback server.

use std::cmp::Reverse;

use url::Url;

use crate::core::target::{DailyCap, Dialect, Probing};
use crate::wire::endpoint::{Auth, Endpoint};

mod china;
mod local;
mod world;

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
    /// Whether the schedule may probe: free tiers and plans that count every request are probed on demand.
    pub probing: Probing,
    /// Runs on this machine.
    pub is_local: bool,
    /// Typical model ids, as examples; they change more often than this table.
    pub models: &'static [&'static str],
    /// Headers it needs besides the dialect's.
    pub headers: &'static [(&'static str, &'static str)],
    /// Query parameters it needs.
    pub query: &'static [(&'static str, &'static str)],
}

/// Enough for a probe every ten minutes and for an outage, also of a thinking model.
const STEADY: DailyCap = DailyCap { requests: 240, tokens: 60_000 };
/// A few looks a day.
const SPARING: DailyCap = DailyCap { requests: 10, tokens: 3_000 };

/// What most rows share: an OpenAI-compatible provider that is paid by use.
const CHAT: Preset = Preset {
    id: "",
    name: "",
    dialect: Dialect::OpenaiChat,
    base_url: "",
    auth: Auth::Bearer,
    key_vars: &[],
    note: None,
    daily_cap: STEADY,
    probing: Probing::Scheduled,
    is_local: false,
    models: &[],
    headers: &[],
    query: &[],
};

/// The same where each request is counted against a small allowance.
const COUNTED: Preset = Preset { daily_cap: SPARING, probing: Probing::OnDemand, ..CHAT };

impl Preset {
    /// Every preset: providers of the world, of China, and servers on this machine.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        world::PRESETS.iter().chain(china::PRESETS).chain(local::PRESETS)
    }

    /// The preset with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::all().find(|preset| preset.id == id)
    }

    /// The first preset whose key is usually kept in this variable.
    pub fn for_variable(name: &str) -> Option<&'static Self> {
        Self::all().find(|preset| preset.key_vars.contains(&name))
    }

    /// The preset with the host of this address: what a tool's settings point at.
    pub fn for_url(url: &Url, dialect: Dialect) -> Option<&'static Self> {
        let same_place = |preset: &&Self| {
            Url::parse(preset.base_url).is_ok_and(|own| {
                own.host_str() == url.host_str() && own.port_or_known_default() == url.port_or_known_default()
            })
        };
        // Among presets of one host the longest common path wins: a plan has its own path beside the metered API's.
        Self::all().filter(same_place).filter(|preset| preset.dialect == dialect).min_by_key(|preset| {
            let path = Url::parse(preset.base_url).map(|own| own.path().trim_end_matches('/').to_owned());
            Reverse(path.ok().filter(|path| url.path().starts_with(path.as_str())).map(|path| path.len()))
        })
    }

    /// Whether a provider of this id at this address's host is the preset's own vendor under its usual name: another address
    /// may be a relay's, and another id tells it from a second one of the vendor.
    pub fn is_vendor(&self, id: &str, base_url: &Url) -> bool {
        self.id == id
            && (self.is_template() || Url::parse(self.base_url).is_ok_and(|own| own.host() == base_url.host()))
    }

    /// Whether the base URL has parts that the user must replace.
    pub fn is_template(&self) -> bool {
        self.base_url.contains("YOUR-")
    }

    /// The endpoint, with another base URL if one is given.
    pub fn endpoint(&self, base_url: Option<Url>) -> Option<Endpoint> {
        let owned = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        Some(Endpoint {
            base_url: base_url.or_else(|| Url::parse(self.base_url).ok())?,
            dialect: self.dialect,
            auth: self.auth,
            headers: owned(self.headers),
            query: owned(self.query),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_are_complete() {
        let mut ids = BTreeSet::new();
        for preset in Preset::all() {
            let id = preset.id;
            assert!(ids.insert(id), "{id} twice");
            assert!(id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{id}");
            assert!(!preset.name.is_empty(), "{id}");
            let url = Url::parse(preset.base_url).unwrap();
            assert_eq!(url.scheme() == "http", preset.is_local, "{id}: keys must not travel in clear");
            assert!(!preset.base_url.ends_with('/'), "{id}");
            assert!(preset.is_local || !preset.key_vars.is_empty(), "{id} has no key variable");
            assert!(preset.is_local || !preset.models.is_empty(), "{id} has no example model");
            assert_ne!(preset.probing, Probing::Never, "{id}");
            assert!(preset.endpoint(None).is_some(), "{id}");
            // Budget and example agree: the first model can be probed at least once.
            if let Some(model) = preset.models.first() {
                let tokens = crate::wire::tuning::Tuning::guess(preset.dialect, &(*model).into()).estimated_tokens();
                assert!(tokens <= preset.daily_cap.tokens, "{id}");
            }
        }
        assert!(ids.len() >= 40, "{}", ids.len());
    }

    #[test]
    fn notes_are_in_the_catalogue() {
        for lang in crate::i18n::Lang::ALL {
            let (_, text) = lang.catalogue().iter().find(|(area, _)| *area == "probe").unwrap();
            for note in Preset::all().filter_map(|preset| preset.note) {
                assert!(text.lines().any(|line| line.starts_with(&format!("{note} ="))), "{note} in {}", lang.tag());
            }
        }
    }

    #[test]
    fn addresses_and_variables_lead_to_presets() {
        for (url, dialect, id) in [
            ("https://api.openai.com/v1", Dialect::OpenaiChat, "openai"),
            ("https://api.openai.com/v1/", Dialect::OpenaiResponses, "openai-responses"),
            ("https://api.z.ai/api/coding/paas/v4", Dialect::OpenaiChat, "zai-coding"),
            ("https://api.z.ai/api/paas/v4", Dialect::OpenaiChat, "zai"),
            ("https://openrouter.ai/api/v1", Dialect::OpenaiChat, "openrouter"),
            ("http://127.0.0.1:1234/v1", Dialect::OpenaiChat, "lm-studio"),
        ] {
            assert_eq!(Preset::for_url(&Url::parse(url).unwrap(), dialect).map(|preset| preset.id), Some(id));
        }
        assert_eq!(Preset::for_url(&Url::parse("https://example.com/v1").unwrap(), Dialect::OpenaiChat), None);
        assert_eq!(Preset::for_variable("DEEPSEEK_API_KEY").map(|preset| preset.id), Some("deepseek"));
        assert_eq!(Preset::for_variable("PATH"), None);
    }
}
