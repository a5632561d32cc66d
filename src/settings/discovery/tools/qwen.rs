//! Qwen Code: `settings.json`.

use serde_json::Value;

use crate::core::target::Dialect;
use crate::edit::JsonDialect;
use crate::secrets::KeyRef;
use crate::settings::discovery::jsonc::{self, text_at};
use crate::settings::discovery::look::{Facts, Look, at_address, subscription};
use crate::settings::discovery::{Login, Reason};

const TOOL: &str = "qwen-code";
const NAME: &str = "Qwen Code";

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let folder = look.folder("QWEN_HOME", ".qwen");
    let Some(config) = look.read(&mut facts, &folder.join("settings.json"), parse) else { return facts };
    facts.tool.model.clone_from(&config.model);
    if config.auth.as_deref() == Some("qwen-oauth") && look.has(&folder.join("oauth_creds.json")) {
        facts.tool.login = Login::Subscription;
        if let Some(model) = &config.model {
            facts.add(subscription(TOOL, Dialect::OpenaiChat), model, Reason::Subscription { tool: NAME });
        }
    }
    for entry in &config.models {
        let is_active = config.model.as_ref() == Some(&entry.model) && config.auth.as_ref() == Some(&entry.auth);
        let dialect = match entry.auth.as_str() {
            "anthropic" => Dialect::AnthropicMessages,
            "gemini" => Dialect::Gemini,
            _ => Dialect::OpenaiChat,
        };
        let key = match &entry.variable {
            Some(name) => look.named_key(name).unwrap_or_default(),
            None => KeyRef::None,
        };
        let Some(provider) = entry.base_url.as_deref().and_then(|url| at_address(TOOL, url, dialect, key)) else {
            continue;
        };
        let reason = if is_active { Reason::Active { tool: NAME } } else { Reason::Named { tool: NAME } };
        facts.add(provider, &entry.model, reason);
    }
    facts
}

/// What matters of the settings file.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    auth: Option<String>,
    models: Vec<Model>,
}

#[derive(Debug, PartialEq)]
struct Model {
    auth: String,
    model: String,
    variable: Option<String>,
    base_url: Option<String>,
}

fn parse(text: &str) -> Option<Config> {
    let value = jsonc::parse(text, JsonDialect::COMMENTS)?;
    value.as_object()?;
    let mut models = Vec::new();
    for (auth, list) in value.get("modelProviders").and_then(Value::as_object).into_iter().flatten() {
        for entry in list.as_array().into_iter().flatten() {
            let own = |key: &str| text_at(entry, &[key]).map(str::to_owned);
            let Some(model) = own("id") else { continue };
            models.push(Model { auth: auth.clone(), model, variable: own("envKey"), base_url: own("baseUrl") });
        }
    }
    Some(Config {
        model: text_at(&value, &["model", "name"]).map(str::to_owned),
        auth: text_at(&value, &["security", "auth", "selectedType"]).map(str::to_owned),
        models,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_list_of_models() {
        let text = r#"{"$version": 4, "model": {"name": "m1"}, "security": {"auth": {"selectedType": "openai"}},
            "modelProviders": {"openai": [{"id": "m1", "envKey": "K", "baseUrl": "https://x.example/v1"}, {"name": "no id"}]}}"#;
        let config = parse(text).expect("it is JSON");
        assert_eq!(config.models.len(), 1);
        assert_eq!(config.models[0].variable.as_deref(), Some("K"));
    }
}
