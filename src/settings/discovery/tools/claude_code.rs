//! Claude Code: `settings.json` and whether there is a login.

use serde_json::Value;

use crate::core::target::Dialect;
use crate::edit::JsonDialect;
use crate::secrets::KeyRef;
use crate::settings::discovery::jsonc::{self, text_at};
use crate::settings::discovery::look::{Facts, Look, at_address, of_preset, subscription};
use crate::settings::discovery::{Login, ProposedProvider, Reason};
use crate::wire::endpoint::KEY_MARK;
use crate::wire::presets::Preset;

const TOOL: &str = "claude-code";
const NAME: &str = "Claude Code";

/// Names that the tool resolves by itself; the API knows none of them.
const ALIASES: &[&str] = &["default", "best", "fable", "sonnet", "opus", "haiku", "sonnet[1m]", "opus[1m]", "opusplan"];

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let folder = look.folder("CLAUDE_CONFIG_DIR", ".claude");
    let config = look.read(&mut facts, &folder.join("settings.json"), parse).unwrap_or_default();
    // The file holds nothing but tokens: that it is there says enough, so it is never opened.
    let is_signed_in = look.has(&folder.join(".credentials.json"));
    if facts.is_empty() && !is_signed_in {
        return facts;
    }
    // A variable of the settings file replaces the shell's.
    let model = config.env_model.or_else(|| look.env.get("ANTHROPIC_MODEL").map(str::to_owned)).or(config.model);
    let base_url = config.base_url.or_else(|| look.env.get("ANTHROPIC_BASE_URL").map(str::to_owned));
    facts.tool.model.clone_from(&model);
    let environment = |name: &str| look.key(name);
    let provider = match &base_url {
        Some(address) => match (environment("ANTHROPIC_AUTH_TOKEN"), environment("ANTHROPIC_API_KEY")) {
            // The file's own token would replace these, and cannot be referred to.
            _ if config.has_own_key => None,
            (Some(key), _) => bearer(address, key),
            (None, Some(key)) => at_address("anthropic-relay", address, Dialect::AnthropicMessages, key),
            (None, None) => None,
        },
        None => match (is_signed_in, environment("ANTHROPIC_API_KEY")) {
            (false, Some(key)) if !config.has_own_key => Preset::find("anthropic").map(|preset| of_preset(preset, key)),
            (false, _) if config.has_own_key => None,
            // On macOS, and on others when it was moved, the login lies in the system's own store.
            _ => Some(subscription(TOOL, Dialect::AnthropicMessages)),
        },
    };
    facts.tool.login = match &provider {
        Some(provider) if provider.is_subscription && is_signed_in => Login::Subscription,
        Some(provider) if provider.is_subscription => Login::None,
        _ => Login::ApiKey,
    };
    let Some(provider) = provider else { return facts };
    facts.add_all(&provider, (model.as_ref(), &config.fallbacks), ALIASES, |tool| Reason::Named { tool });
    facts
}

/// A relay that wants `ANTHROPIC_AUTH_TOKEN` as a bearer, not in the vendor's own header.
fn bearer(address: &str, key: KeyRef) -> Option<ProposedProvider> {
    let found = at_address("anthropic-relay", address, Dialect::AnthropicMessages, key)?;
    Some(ProposedProvider { headers: vec![("authorization".to_owned(), format!("Bearer {KEY_MARK}"))], ..found })
}

/// What matters of `settings.json`.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    env_model: Option<String>,
    base_url: Option<String>,
    /// A key stands in the file, or a helper program gives one.
    has_own_key: bool,
    fallbacks: Vec<String>,
}

fn parse(text: &str) -> Option<Config> {
    let value = jsonc::parse(text, JsonDialect::STRICT.with_bom())?;
    value.as_object()?;
    let own = |path: &[&str]| text_at(&value, path).map(str::to_owned);
    let has_own_key = [&["env", "ANTHROPIC_AUTH_TOKEN"][..], &["env", "ANTHROPIC_API_KEY"], &["apiKeyHelper"]]
        .iter()
        .any(|path| text_at(&value, path).is_some());
    let fallbacks = match value.get("fallbackModel") {
        Some(Value::String(model)) => vec![model.clone()],
        Some(Value::Array(models)) => models.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Some(Config {
        model: own(&["model"]),
        env_model: own(&["env", "ANTHROPIC_MODEL"]),
        base_url: own(&["env", "ANTHROPIC_BASE_URL"]),
        has_own_key,
        fallbacks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_tool_reads() {
        let text = r#"{"model": "haiku", "env": {"ANTHROPIC_MODEL": "glm-5", "ANTHROPIC_AUTH_TOKEN": "x",
            "ANTHROPIC_BASE_URL": "https://relay.example/anthropic"}, "fallbackModel": ["a", "b"]}"#;
        let config = parse(text).expect("it is strict JSON");
        assert_eq!(config.env_model.as_deref(), Some("glm-5"));
        assert_eq!(config.model.as_deref(), Some("haiku"));
        assert!(config.has_own_key);
        assert_eq!(config.fallbacks, ["a", "b"]);
        assert_eq!(parse("{ // a comment\n \"model\": \"x\" }"), None, "the tool skips such a file as a whole");
        assert_eq!(parse("[]"), None);
    }
}
