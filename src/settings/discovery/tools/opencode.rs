//! opencode: its three global settings files and the kinds of login in `auth.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::core::target::Dialect;
use crate::edit::JsonDialect;
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::discovery::jsonc::{self, text_at};
use crate::settings::discovery::look::{Facts, Look, at_address, of_preset, preset_named, subscription};
use crate::settings::discovery::{Login, ProposedProvider, Reason};

const TOOL: &str = "opencode";
const NAME: &str = "opencode";

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let folder = look.xdg("XDG_CONFIG_HOME", ".config").join("opencode");
    let mut config = Config::default();
    // Later files win.
    for name in ["config.json", "opencode.json", "opencode.jsonc"] {
        if let Some(found) = look.read(&mut facts, &folder.join(name), parse) {
            config.overlay(found);
        }
    }
    if let Some(path) = look.env.get("OPENCODE_CONFIG")
        && let Some(found) = look.read(&mut facts, path.as_ref(), parse)
    {
        config.overlay(found);
    }
    let auth = look.xdg("XDG_DATA_HOME", ".local/share").join("opencode/auth.json");
    let logins: BTreeMap<String, Entry> =
        look.read(&mut facts, &auth, |text| serde_json::from_str(text).ok()).unwrap_or_default();
    facts.tool.login = match () {
        () if logins.values().any(|login| login.kind == "api") => Login::ApiKey,
        () if logins.values().any(|login| login.kind == "oauth") => Login::Subscription,
        () => Login::None,
    };
    facts.tool.model.clone_from(&config.model);
    let mut seen = Vec::new();
    let active = config.model.iter().map(|model| (model, true));
    let others = config.others.iter().map(|model| (model, false));
    let commented = config.commented.iter();
    let named = active.chain(others).map(|(model, is_active)| {
        let reason = if is_active { Reason::Active { tool: NAME } } else { Reason::Named { tool: NAME } };
        (model, reason)
    });
    for (full, reason) in named.chain(commented.map(|model| (model, Reason::CommentedOut { tool: NAME }))) {
        let Some((id, model)) = full.split_once('/') else { continue };
        if seen.contains(&full) {
            continue;
        }
        seen.push(full);
        if let Some(provider) = provider(look, &config, &logins, id) {
            let reason = if provider.is_subscription { Reason::Subscription { tool: NAME } } else { reason };
            facts.add(provider, model, reason);
        }
    }
    facts
}

/// The kind of a login; its secret is skipped over, not read.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type", default)]
    kind: String,
}

/// What matters of a settings file.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    others: Vec<String>,
    commented: Vec<String>,
    /// Address and key variable by provider.
    providers: BTreeMap<String, Options>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Options {
    base_url: Option<String>,
    /// From `{env:NAME}`.
    variable: Option<String>,
    has_literal_key: bool,
    adapter: Option<String>,
}

impl Config {
    fn overlay(&mut self, later: Self) {
        self.model = later.model.or_else(|| self.model.take());
        self.others.extend(later.others);
        self.commented.extend(later.commented);
        self.providers.extend(later.providers);
    }
}

fn parse(text: &str) -> Option<Config> {
    let value = jsonc::parse(text, JsonDialect::JSONC)?;
    value.as_object()?;
    let mut others: Vec<String> = text_at(&value, &["small_model"]).map(str::to_owned).into_iter().collect();
    for agent in value.get("agent").and_then(Value::as_object).into_iter().flat_map(|agents| agents.values()) {
        others.extend(text_at(agent, &["model"]).map(str::to_owned));
    }
    let mut providers = BTreeMap::new();
    for (id, provider) in value.get("provider").and_then(Value::as_object).into_iter().flatten() {
        let key = text_at(provider, &["options", "apiKey"]);
        let variable = key.and_then(|key| key.strip_prefix("{env:")?.strip_suffix('}')).map(str::to_owned);
        let options = Options {
            base_url: text_at(provider, &["options", "baseURL"]).map(str::to_owned),
            has_literal_key: key.is_some() && variable.is_none(),
            variable,
            adapter: text_at(provider, &["npm"]).map(str::to_owned),
        };
        providers.insert(id.clone(), options);
    }
    let commented = jsonc::comments(text, JsonDialect::JSONC).iter().filter_map(|comment| model_in(comment)).collect();
    Some(Config { model: text_at(&value, &["model"]).map(str::to_owned), others, commented, providers })
}

/// The model in a comment such as `"model": "openai/gpt-5.1",`.
fn model_in(comment: &str) -> Option<String> {
    let after = comment.split_once("\"model\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    after.strip_prefix('"')?.split_once('"').map(|(model, _)| model.to_owned())
}

fn provider(look: &Look<'_>, config: &Config, logins: &BTreeMap<String, Entry>, id: &str) -> Option<ProposedProvider> {
    let options = config.providers.get(id).cloned().unwrap_or_default();
    let preset = preset_named(id);
    let login = logins.get(id).map(|login| login.kind.as_str());
    let key = match (&options.variable, login) {
        (Some(name), _) => Some(look.named_key(name)?),
        // A key in the tool's settings file cannot be referred to.
        (None, _) if options.has_literal_key => return None,
        (None, Some("api")) => Some(KeyRef::Tool(ToolKey { tool: KeyTool::Opencode, entry: id.to_owned() })),
        (None, Some("oauth")) => return Some(subscription(TOOL, Dialect::Generic)),
        (None, _) => preset.and_then(|preset| look.preset_key(preset)).map(|(_, key)| key),
    };
    match (options.base_url, preset) {
        (Some(address), _) => {
            let dialect = match options.adapter.as_deref() {
                Some("@ai-sdk/anthropic") => Dialect::AnthropicMessages,
                Some("@ai-sdk/google") => Dialect::Gemini,
                Some("@ai-sdk/openai") => Dialect::OpenaiResponses,
                Some(_) => Dialect::OpenaiChat,
                None => preset.map_or(Dialect::OpenaiChat, |preset| preset.dialect),
            };
            at_address(id, &address, dialect, key.unwrap_or_default())
        }
        (None, Some(preset)) if key.is_some() || preset.key_vars.is_empty() => {
            Some(of_preset(preset, key.unwrap_or_default()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_models_of_all_places() {
        let text = r#"{
          // "model": "openai/gpt-5.1",
          "model": "openai/gpt-5.5",
          "small_model": "openai/gpt-5.5-mini",
          "agent": { "build": { "model": "openrouter/qwen/qwen3-coder", }, "plan": { "temperature": 0.1, }, },
          "provider": { "openrouter": { "options": { "apiKey": "{env:OPENROUTER_API_KEY}", }, },
                        "own": { "options": { "apiKey": "literal", "baseURL": "https://own.example/v1" } } },
        }"#;
        let config = parse(text).expect("comments and trailing commas are accepted");
        assert_eq!(config.model.as_deref(), Some("openai/gpt-5.5"));
        assert_eq!(config.others, ["openai/gpt-5.5-mini", "openrouter/qwen/qwen3-coder"]);
        assert_eq!(config.commented, ["openai/gpt-5.1"]);
        assert_eq!(config.providers["openrouter"].variable.as_deref(), Some("OPENROUTER_API_KEY"));
        assert!(config.providers["own"].has_literal_key);
    }
}
