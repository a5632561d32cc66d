//! Gemini CLI: `settings.json`, `.env`, and the kind of login.

use crate::core::target::Dialect;
use crate::edit::{DotenvDialect, JsonDialect};
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::discovery::jsonc::{self, text_at};
use crate::settings::discovery::look::{Facts, Look, at_address, dotenv, of_preset, subscription};
use crate::settings::discovery::{Login, Reason};
use crate::wire::presets::Preset;

const TOOL: &str = "gemini-cli";
const NAME: &str = "Gemini CLI";
const ALIASES: &[&str] = &["auto", "pro", "flash", "flash-lite"];

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let home = look.folder("GEMINI_CLI_HOME", "");
    let folder = home.join(".gemini");
    let config = look.read(&mut facts, &folder.join("settings.json"), parse);
    // Only the first of the two is read by the tool. The one in the home folder is anybody's.
    let own_env = look.read(&mut facts, &folder.join(".env"), |text| Some(dotenv(text, DotenvDialect::Node)));
    let has_oauth = look.has(&folder.join("oauth_creds.json"));
    if facts.is_empty() && !has_oauth {
        return facts;
    }
    let variables = own_env
        .or_else(|| look.read(&mut facts, &home.join(".env"), |text| Some(dotenv(text, DotenvDialect::Node))))
        .unwrap_or_default();
    let config = config.unwrap_or_default();
    let variable = |name: &str| look.env.get(name).or_else(|| variables.get(name).map(String::as_str));
    let model = variable("GEMINI_MODEL").map(str::to_owned).or(config.model);
    let in_file = variables.contains_key("GEMINI_API_KEY");
    if in_file {
        facts.note_key("GEMINI_API_KEY");
    }
    let key = match look.key("GEMINI_API_KEY") {
        Some(key) => Some(key),
        None if in_file => Some(KeyRef::Tool(ToolKey { tool: KeyTool::Gemini, entry: "GEMINI_API_KEY".to_owned() })),
        None => None,
    };
    let wants_login = config.auth.as_deref().is_some_and(|auth| auth.contains("oauth")) || key.is_none();
    facts.tool.login = match (&key, wants_login && has_oauth) {
        (_, true) => Login::Subscription,
        (Some(_), false) => Login::ApiKey,
        (None, false) => Login::None,
    };
    facts.tool.model.clone_from(&model);
    let provider = match (facts.tool.login, key, variable("GOOGLE_GEMINI_BASE_URL")) {
        (Login::ApiKey, Some(key), Some(address)) => at_address("gemini-relay", address, Dialect::Gemini, key),
        (Login::ApiKey, Some(key), None) => Preset::find("gemini").map(|preset| of_preset(preset, key)),
        _ => Some(subscription(TOOL, Dialect::Gemini)),
    };
    let Some(provider) = provider else { return facts };
    facts.add_all(&provider, (model.as_ref(), &config.commented), ALIASES, |tool| Reason::CommentedOut { tool });
    facts
}

/// What matters of `settings.json`.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    auth: Option<String>,
    commented: Vec<String>,
}

fn parse(text: &str) -> Option<Config> {
    let value = jsonc::parse(text, JsonDialect::COMMENTS)?;
    value.as_object()?;
    let auth = text_at(&value, &["security", "auth", "selectedType"]).or(text_at(&value, &["selectedAuthType"]));
    Some(Config {
        model: text_at(&value, &["model", "name"]).or(text_at(&value, &["model"])).map(str::to_owned),
        auth: auth.map(str::to_owned),
        commented: jsonc::comments(text, JsonDialect::COMMENTS)
            .iter()
            .filter_map(|comment| model_in(comment))
            .collect(),
    })
}

/// The model in a comment such as `"model": { "name": "gemini-2.5-pro" },`.
fn model_in(comment: &str) -> Option<String> {
    let after = comment.split_once("\"model\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    let after = match after.strip_prefix('{') {
        Some(inner) => inner.split_once("\"name\"")?.1.trim_start().strip_prefix(':')?.trim_start(),
        None => after,
    };
    after.strip_prefix('"')?.split_once('"').map(|(model, _)| model.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_settings_and_comments() {
        let text = r#"{
          "model": { "name": "gemini-2.5-flash", "maxSessionTurns": 40 }, // quick answers
          /* "model": { "name": "gemini-2.5-pro" }, */
          // "model": "gemini-3-pro"
          "security": { "auth": { "selectedType": "gemini-api-key" } }
        }"#;
        let config = parse(text).expect("comments are accepted");
        assert_eq!(config.model.as_deref(), Some("gemini-2.5-flash"));
        assert_eq!(config.commented, ["gemini-2.5-pro", "gemini-3-pro"]);
        assert_eq!(config.auth.as_deref(), Some("gemini-api-key"));
        assert_eq!(parse(r#"{"model": "old"}"#).expect("it is JSON").model.as_deref(), Some("old"));
        assert_eq!(parse("{\"a\": 1,}"), None, "the tool refuses a trailing comma");
    }
}
