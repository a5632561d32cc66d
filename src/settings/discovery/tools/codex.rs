//! Codex: `config.toml` and the kind of login in `auth.json`.

use serde::Deserialize;
use toml_edit::{DocumentMut, Item};

use crate::core::secretive::looks_like_key;
use crate::core::target::Dialect;
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::discovery::jsonc::Present;
use crate::settings::discovery::look::{Facts, Look, at_address, of_preset, subscription};
use crate::settings::discovery::{Login, ProposedProvider, Reason};
use crate::wire::presets::Preset;

const TOOL: &str = "codex";
const NAME: &str = "Codex";

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let folder = look.folder("CODEX_HOME", ".codex");
    let config = look.read(&mut facts, &folder.join("config.toml"), parse);
    let login = look.read(&mut facts, &folder.join("auth.json"), |text| serde_json::from_str::<Auth>(text).ok());
    facts.tool.login = login.map(Auth::login).unwrap_or_default();
    if facts.tool.login == Login::ApiKey {
        facts.note_key("OPENAI_API_KEY");
    }
    let Some(config) = config else { return facts };
    let provider = provider(look, &config, facts.tool.login);
    facts.tool.model.clone_from(&config.model);
    let Some(provider) = provider else { return facts };
    if let Some(model) = &config.model {
        let reason =
            if provider.is_subscription { Reason::Subscription { tool: NAME } } else { Reason::Active { tool: NAME } };
        facts.add(provider.clone(), model, reason);
    }
    for model in &config.commented {
        facts.add(provider.clone(), model, Reason::CommentedOut { tool: NAME });
    }
    for model in &config.named {
        facts.add(provider.clone(), model, Reason::Named { tool: NAME });
    }
    facts
}

/// Which of the two logins the file holds, by the presence of its keys alone.
#[derive(Deserialize)]
struct Auth {
    #[serde(rename = "OPENAI_API_KEY", default)]
    api_key: Present,
    #[serde(default)]
    tokens: Present,
}

impl Auth {
    const fn login(self) -> Login {
        match (self.tokens.0, self.api_key.0) {
            (true, _) => Login::Subscription,
            (false, true) => Login::ApiKey,
            (false, false) => Login::None,
        }
    }
}

/// What matters of `config.toml`.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    /// Models of profiles and of reviews.
    named: Vec<String>,
    commented: Vec<String>,
    /// The active provider's table, unless it is the built-in one.
    custom: Option<Custom>,
    /// `openai_base_url`
    base_url: Option<String>,
    /// The active provider is neither built in nor defined.
    is_broken: bool,
}

#[derive(Debug, Default, PartialEq)]
struct Custom {
    id: String,
    base_url: String,
    env_key: Option<String>,
    has_literal_key: bool,
    is_chat: bool,
    query: Vec<(String, String)>,
}

fn parse(text: &str) -> Option<Config> {
    let document: DocumentMut = text.parse().ok()?;
    let string = |item: Option<&Item>| item.and_then(Item::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    // A table in the model's place is not valid for the tool, but the name is what the user wants.
    let model = document.get("model");
    let model = string(model).or_else(|| string(model.and_then(|model| model.get("name"))));
    let mut named = Vec::new();
    for profile in document.get("profiles").and_then(Item::as_table_like).into_iter().flat_map(|table| table.iter()) {
        named.extend(string(profile.1.get("model")));
    }
    named.extend(string(document.get("review_model")));
    let id = string(document.get("model_provider")).unwrap_or_else(|| "openai".to_owned());
    let table = document.get("model_providers").and_then(|providers| providers.get(&id));
    let custom = table.and_then(|table| {
        let query = table.get("query_params").and_then(Item::as_table_like);
        Some(Custom {
            base_url: string(table.get("base_url"))?,
            env_key: string(table.get("env_key")),
            has_literal_key: string(table.get("experimental_bearer_token")).is_some() || table.get("auth").is_some(),
            is_chat: table.get("wire_api").and_then(Item::as_str) == Some("chat"),
            query: query
                .into_iter()
                .flat_map(|table| table.iter())
                .filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned())))
                .filter(|(_, value)| !looks_like_key(value))
                .collect(),
            id: id.clone(),
        })
    });
    let is_broken = custom.is_none() && id != "openai";
    Some(Config {
        commented: commented(text, model.as_deref()),
        base_url: string(document.get("openai_base_url")),
        model,
        named,
        custom,
        is_broken,
    })
}

/// Models in comments above the first table: `# model = "gpt-5.1"`.
fn commented(text: &str, active: Option<&str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim_start).take_while(|line| !line.starts_with('[')) {
        let Some(comment) = line.strip_prefix('#') else { continue };
        let Some((key, value)) = comment.split_once('=') else { continue };
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        let Some((model, _)) = value[1..].split_once(quote) else { continue };
        let is_new = Some(model) != active && !out.iter().any(|known| known == model);
        if key.trim_start_matches('#').trim() == "model" && is_new {
            out.push(model.to_owned());
        }
    }
    out
}

fn provider(look: &Look<'_>, config: &Config, login: Login) -> Option<ProposedProvider> {
    if config.is_broken {
        return None;
    }
    if let Some(custom) = &config.custom {
        // A key that stands in the tool's file cannot be referred to, and a command of the tool's is not ours to run.
        let key = match &custom.env_key {
            Some(name) => look.named_key(name)?,
            None if custom.has_literal_key => return None,
            None => KeyRef::None,
        };
        let dialect = if custom.is_chat { Dialect::OpenaiChat } else { Dialect::OpenaiResponses };
        let found = at_address(&custom.id, &custom.base_url, dialect, key)?;
        return Some(ProposedProvider { query: custom.query.clone(), ..found });
    }
    let own_key = KeyRef::Tool(ToolKey { tool: KeyTool::Codex, entry: "OPENAI_API_KEY".to_owned() });
    match (login, &config.base_url) {
        (Login::ApiKey, Some(address)) => at_address("openai-base-url", address, Dialect::OpenaiResponses, own_key),
        (Login::ApiKey, None) => Preset::find("openai-responses").map(|preset| of_preset(preset, own_key)),
        // Without `auth.json` the login may lie in the keyring. Codex sends no OPENAI_API_KEY of the shell by itself.
        (Login::Subscription | Login::None, _) => Some(subscription(TOOL, Dialect::OpenaiResponses)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_in_comments_count_only_beside_the_active_one() {
        let text = r#"
# model = "gpt-5.2"        <- last quarter's default
#model='gpt-5.1'
## model = "gpt-5.2"
# model_provider = "azure"
# models = "no"
model = "gpt-5.5"  # model = "neither"
# model = "gpt-5.5"
[mcp_servers.index]
# model = "no"
"#;
        let config = parse(text).unwrap();
        assert_eq!(config.model.as_deref(), Some("gpt-5.5"));
        assert_eq!(config.commented, ["gpt-5.2", "gpt-5.1"]);
    }

    #[test]
    fn shapes_of_the_model_and_its_provider() {
        assert_eq!(parse("[model]\nname = \"x\"\n").unwrap().model.as_deref(), Some("x"));
        assert_eq!(parse("model = 3\n").unwrap().model, None);
        assert_eq!(parse("model = \"x\"\nmodel = \"y\"\n"), None);
        assert!(parse("model_provider = \"gone\"\n").unwrap().is_broken);
        let custom = parse(
            "model_provider = \"relay\"\n[model_providers.relay]\nbase_url = \"https://r.example/v1\"\nenv_key = \"RELAY_KEY\"\n\
             query_params = { api-version = \"1\", sig = \"sk-abcdefghijklmnop\" }\n",
        );
        let custom = custom.unwrap().custom.unwrap();
        assert_eq!(custom.env_key.as_deref(), Some("RELAY_KEY"));
        assert_eq!(custom.query, [("api-version".to_owned(), "1".to_owned())]);
    }

    #[test]
    fn the_login_is_told_by_the_names_of_keys() {
        let login = |text: &str| serde_json::from_str::<Auth>(text).unwrap().login();
        assert_eq!(login(r#"{"OPENAI_API_KEY": null, "tokens": {"id_token": "x"}}"#), Login::Subscription);
        assert_eq!(login(r#"{"OPENAI_API_KEY": "x", "tokens": null, "last_refresh": null}"#), Login::ApiKey);
        assert_eq!(login(r#"{"OPENAI_API_KEY": ""}"#), Login::None);
    }
}
