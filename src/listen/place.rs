//! From an observation to a sample: whose target it speaks of, and whom it concerns.

use std::borrow::Cow;
use std::collections::HashMap;

use super::observation::{Observation, Tool};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source, kept};
use crate::core::target::{Dialect, ModelId, ProviderId, Target, TargetId};

/// The target that an observation speaks of, named as discovery names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `<provider>/<model>`.
    pub target: TargetId,
    /// The tool itself for its own subscription, else the provider as the tool calls it.
    pub provider: ProviderId,
    /// The model.
    pub model: ModelId,
    /// What the provider speaks, as far as the tool tells.
    pub dialect: Dialect,
}

/// The target of an observation; `None` for context, and where the log names no model.
///
/// A subscription and a key are different targets. Codex calls its own login `openai`; any other name is a provider of the
/// user's settings, as all names that opencode, Cline and aider write are.
pub fn place(observation: &Observation) -> Option<Place> {
    if observation.tool.is_context() {
        return None;
    }
    let model = observation.model.as_ref()?.as_str();
    let named = observation.provider.as_ref().map(|provider| provider.as_str());
    let own = match observation.tool {
        Tool::Codex => matches!(named, None | Some("openai")),
        Tool::Opencode => matches!(named, None | Some("opencode")),
        _ => named.is_none(),
    };
    let tool = observation.tool.name();
    let provider = if own { Cow::Borrowed(tool) } else { clean(named.unwrap_or(tool)) };
    let dialect = match observation.tool {
        Tool::Codex if own => Dialect::OpenaiResponses,
        Tool::ClaudeCode => Dialect::AnthropicMessages,
        Tool::GeminiCli => Dialect::Gemini,
        _ => Dialect::Generic,
    };
    Some(Place {
        target: TargetId::new(format!("{provider}/{model}")),
        provider: ProviderId::new(&*provider),
        model: ModelId::new(model),
        dialect,
    })
}

/// The names that the user gave to targets, by provider and model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets(HashMap<(ProviderId, ModelId), TargetId>);

impl Targets {
    /// The names of these targets; the first of two for the same model counts.
    pub fn new<'a>(targets: impl IntoIterator<Item = &'a Target>) -> Self {
        let mut names = HashMap::new();
        for target in targets {
            names.entry((target.provider.clone(), target.model.clone())).or_insert_with(|| target.id.clone());
        }
        Self(names)
    }

    /// The target that the user called by an alias: Claude Code's settings say `sonnet` (or `sonnet[1m]`) where its
    /// transcripts say `claude-sonnet-5`.
    fn by_alias(&self, provider: &ProviderId, model: &ModelId) -> Option<&TargetId> {
        let mut words = model.as_str().strip_prefix("claude-")?.split('-');
        let family = words.find(|word| ["opus", "sonnet", "haiku"].contains(word))?;
        [family.to_owned(), format!("{family}[1m]")]
            .into_iter()
            .find_map(|alias| self.0.get(&(provider.clone(), ModelId::new(alias))))
    }

    /// The place with the user's own name for it, if there is one.
    pub fn named(&self, place: Place) -> Place {
        let key = (place.provider, place.model);
        let named = self.0.get(&key).or_else(|| self.by_alias(&key.0, &key.1));
        let target = named.cloned().unwrap_or(place.target);
        Place { target, provider: key.0, model: key.1, dialect: place.dialect }
    }
}

/// A name that can be an id in the settings.
fn clean(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect())
}

/// Whom a kind concerns when a log is all there is (errors.md, section 1).
pub const fn scope(kind: Kind) -> Scope {
    match kind {
        Kind::Available | Kind::AtCapacity | Kind::ModelNotFound => Scope::Model,
        Kind::RateLimited | Kind::UsageLimit | Kind::QuotaExhausted | Kind::Auth | Kind::Forbidden => Scope::Account,
        Kind::ServerError | Kind::Timeout | Kind::Unrecognized => Scope::Provider,
        Kind::BadRequest | Kind::ContentFiltered | Kind::Misconfigured | Kind::Network | Kind::Skipped => Scope::Local,
    }
}

/// The sample of an observation; `None` where there is no time or no target.
pub fn sample(observation: &Observation, target: TargetId) -> Option<Sample> {
    let at = observation.ts?;
    let wait = observation.resets_at.map(|resets| resets.as_second() - at.as_second());
    Some(Sample {
        target,
        source: Source::ToolLog,
        at: kept(at),
        kind: observation.kind,
        scope: scope(observation.kind),
        http_status: observation.http_status,
        connect_ms: None,
        first_token_ms: observation.latency_ms,
        total_ms: None,
        // A hint of more than 35 days is a mistake of the log.
        retry_after_s: wait.and_then(|wait| u32::try_from(wait).ok()).filter(|wait| *wait <= 35 * 86_400),
        rule: Cow::Borrowed(observation.rule),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_claude_code_name_the_models_of_its_logs() {
        let key = |model: &str| (ProviderId::from("claude-code"), ModelId::from(model));
        let targets = Targets(HashMap::from([
            (key("sonnet"), TargetId::from("s")),
            (key("opus[1m]"), TargetId::from("o")),
            (key("claude-opus-4-1"), TargetId::from("exact")),
        ]));
        let named = |model: &str| {
            let place = Place {
                target: TargetId::from("unnamed"),
                provider: ProviderId::from("claude-code"),
                model: ModelId::from(model),
                dialect: Dialect::AnthropicMessages,
            };
            targets.named(place).target.to_string()
        };
        for (model, target) in [
            ("claude-sonnet-5-2", "s"),
            ("claude-3-7-sonnet-20250219", "s"),
            ("claude-opus-5", "o"),
            ("claude-opus-4-1", "exact"),
            ("claude-haiku-5", "unnamed"),
            ("gpt-sonnet", "unnamed"),
        ] {
            assert_eq!(named(model), target, "{model}");
        }
    }
}
