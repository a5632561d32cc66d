//! Targets: what is watched, where it lives, and its place in the user's chain.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Makes a cheap-to-clone id type over shared text.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps `text` unchanged.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::new(text)
            }
        }
    };
}

text_id! {
    /// Names one endpoint with one credential, as in `[[provider]] id`.
    ProviderId
}
text_id! {
    /// The model's name exactly as the provider expects it in a request.
    ModelId
}
text_id! {
    /// Names a provider + model pair, as in `[[target]] id`.
    TargetId
}

/// What people call a target: by its model; with its provider where another of `all` has the same model; by its id where its
/// provider has that model twice or nothing else is known of it. `all` are provider and model of each, this one included.
pub fn called<'a>(
    id: &TargetId,
    (provider, model): (&str, &str),
    all: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let same = all.into_iter().filter(|(_, other)| *other == model);
    let (of_provider, of_all) =
        same.fold((0, 0), |(own, all), (other, _)| (own + usize::from(other == provider), all + 1));
    match (of_provider, of_all) {
        _ if model.is_empty() => id.to_string(),
        (_, ..2) => model.to_owned(),
        // An import may know two targets of one model and provider.
        (..2, _) if !provider.is_empty() => format!("{model} ({provider})"),
        _ => id.to_string(),
    }
}

/// The wire API that a provider speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", from = "String", into = "String")]
pub enum Dialect {
    /// `POST {base}/chat/completions`, also of Azure and of most other vendors.
    #[default]
    OpenaiChat,
    /// `POST {base}/responses`.
    OpenaiResponses,
    /// `POST {base}/v1/messages`.
    AnthropicMessages,
    /// `POST {base}/v1beta/models/{model}:streamGenerateContent`.
    Gemini,
    /// `POST {base}/api/chat`, answered in NDJSON.
    OllamaChat,
    /// A wire API without rules of its own: read by the generic rules, never probed.
    Generic,
}

impl Dialect {
    /// Every dialect that can be probed.
    pub const PROBED: [Self; 5] =
        [Self::OpenaiChat, Self::OpenaiResponses, Self::AnthropicMessages, Self::Gemini, Self::OllamaChat];

    /// The name used in settings, exports and `explain --jsonl`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::Gemini => "gemini",
            Self::OllamaChat => "ollama-chat",
            Self::Generic => "generic",
        }
    }

    /// Reads a dialect's name; an unknown one is [`Dialect::Generic`].
    pub fn from_name(name: &str) -> Self {
        Self::PROBED.into_iter().find(|dialect| dialect.name() == name).unwrap_or(Self::Generic)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<String> for Dialect {
    fn from(name: String) -> Self {
        Self::from_name(&name)
    }
}

impl From<Dialect> for String {
    fn from(dialect: Dialect) -> Self {
        dialect.name().to_owned()
    }
}

/// A target's place in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The model the user wants.
    Primary,
    /// Good enough while the primary is not free.
    Backup,
    /// Better than nothing.
    Emergency,
}

impl Role {
    /// Where a role stands in a chain whose order nobody gave; what has none stands last.
    pub const fn rank(role: Option<Self>) -> u8 {
        match role {
            Some(Self::Primary) => 0,
            Some(Self::Backup) => 1,
            Some(Self::Emergency) => 2,
            None => 3,
        }
    }

    /// The name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Backup => "backup",
            Self::Emergency => "emergency",
        }
    }

    /// Reads a role's name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Primary, Self::Backup, Self::Emergency].into_iter().find(|role| role.name() == name)
    }
}

/// How a target may be probed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Probing {
    /// By the schedule.
    #[default]
    Scheduled,
    /// Only when the user asks: free tiers that count every request.
    OnDemand,
    /// Never by us: imported targets and tools' subscriptions, known from logs alone.
    Never,
}

/// Daily limits of probes of one target or provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DailyCap {
    /// Requests in one local day.
    pub requests: u32,
    /// Estimated tokens, in and out together, in one local day.
    pub tokens: u32,
}

/// A provider + model: the thing whose vacancy is tracked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Unique in the settings.
    pub id: TargetId,
    /// The endpoint and credential it is reached through.
    pub provider: ProviderId,
    /// The vendor's own spelling of its name, where the provider is known to be that vendor and goes by its usual id.
    #[serde(default)]
    pub vendor: Option<String>,
    /// The model's name on the wire.
    pub model: ModelId,
    /// The provider's wire API.
    pub dialect: Dialect,
    /// Its place in the chain; `None` is watched but never proposed.
    pub role: Option<Role>,
    /// Whether the schedule may probe it.
    pub probing: Probing,
    /// The target's own daily limit; the provider's comes on top.
    pub daily_cap: DailyCap,
    /// Estimated tokens, in and out together, of one probe.
    pub tokens_per_probe: u32,
    /// Runs on this machine: a refused connection says nothing about the network.
    pub is_local: bool,
}

impl Target {
    /// Provider and model, as [`called`] takes them.
    pub fn place(&self) -> (&str, &str) {
        (self.provider.as_str(), self.model.as_str())
    }

    /// What people call it among `all` targets, this one included.
    pub fn called<'a>(&'a self, all: impl IntoIterator<Item = &'a Arc<Self>>) -> String {
        called(&self.id, self.place(), all.into_iter().map(|target| target.place()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_called_by_what_tells_it_from_the_others() {
        let all = [
            ("a", "openai", "gpt"),
            ("b", "router", "gpt"),
            ("c", "router", "glm"),
            ("d", "me", "x"),
            ("e", "me", "x"),
            ("f", "", "gpt"),
            ("g", "me", ""),
        ];
        let names = all.map(|(id, provider, model)| {
            called(&id.into(), (provider, model), all.iter().map(|(_, provider, model)| (*provider, *model)))
        });
        assert_eq!(names, ["gpt (openai)", "gpt (router)", "glm", "d", "e", "f", "g"]);
    }
}
