//! aider: `.aider.conf.yml` and `.env` of the home folder.

use crate::core::target::Dialect;
use crate::edit::DotenvDialect;
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::discovery::look::{Facts, Look, Variables, at_address, dotenv, of_preset, preset_named};
use crate::settings::discovery::{Login, ProposedProvider, Reason};
use crate::wire::presets::Preset;

const TOOL: &str = "aider";
const NAME: &str = "aider";

pub(super) fn find(look: &Look<'_>) -> Facts {
    let mut facts = Facts::new(TOOL, NAME);
    let config = look.read(&mut facts, &look.home(".aider.conf.yml"), |text| Some(parse(text)));
    let Some(config) = config else { return facts };
    let variables =
        look.read(&mut facts, &look.home(".env"), |text| Some(dotenv(text, DotenvDialect::Python))).unwrap_or_default();
    // A `.env` replaces the shell's variables, and both outrank the file.
    let model = variables.get("AIDER_MODEL").map(String::as_str).or_else(|| look.env.get("AIDER_MODEL"));
    let model = model.map(str::to_owned).or(config.model);
    for name in variables.keys().filter(|name| Preset::for_variable(name).is_some()) {
        facts.note_key(name);
        facts.tool.login = Login::ApiKey;
    }
    facts.tool.model.clone_from(&model);
    let base = config.base_url.as_deref();
    let named = config.others.iter().map(|other| (other, Reason::Named { tool: NAME }));
    let commented = config.commented.iter().map(|other| (other, Reason::CommentedOut { tool: NAME }));
    let others = commented.chain(named).filter(|(other, _)| Some(*other) != model.as_ref());
    for (full, reason) in model.iter().map(|model| (model, Reason::Active { tool: NAME })).chain(others) {
        if let Some((provider, model)) = provider(look, &variables, base, full) {
            facts.add(provider, &model, reason);
        }
    }
    facts
}

/// What matters of the settings file.
#[derive(Debug, Default, PartialEq)]
struct Config {
    model: Option<String>,
    others: Vec<String>,
    commented: Vec<String>,
    base_url: Option<String>,
}

/// Reads the plain `key: value` lines that stand at the left edge; nothing else matters here.
fn parse(text: &str) -> Config {
    let mut config = Config::default();
    for line in text.lines() {
        let (is_comment, line) = match line.strip_prefix('#') {
            Some(rest) => (true, rest.trim_start_matches('#').trim_start()),
            None => (false, line),
        };
        let Some((key, value)) = line.split_once(':') else { continue };
        let Some(value) = scalar(value) else { continue };
        match (key.trim_end(), is_comment) {
            ("model", false) => config.model = Some(value),
            ("model", true) => config.commented.push(value),
            ("weak-model" | "editor-model", false) => config.others.push(value),
            ("openai-api-base", false) => config.base_url = Some(value),
            _ => {}
        }
    }
    config
}

/// A value on one line: bare or quoted, without the comment behind it.
fn scalar(text: &str) -> Option<String> {
    let text = text.strip_prefix([' ', '\t'])?.trim();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let value = match quote {
        Some(quote) => text[1..].split(quote).next()?,
        None => text.split(" #").next()?.trim_end(),
    };
    let is_plain = !value.is_empty() && !value.starts_with(['[', '{', '&', '*', '|', '>', '#']);
    is_plain.then(|| value.to_owned())
}

/// The provider and the bare model of a name in litellm's form. The tool's own short names lead nowhere: what they
/// stand for changes with its version.
fn provider(
    look: &Look<'_>,
    variables: &Variables,
    base: Option<&str>,
    full: &str,
) -> Option<(ProposedProvider, String)> {
    let (preset, model) = match full.split_once('/') {
        Some((name, model)) => (preset_named(name)?, model),
        None if full.starts_with("gpt-") || full.starts_with("o3") || full.starts_with("o4") => {
            (preset_named("openai")?, full)
        }
        None if full.starts_with("claude-") => (preset_named("anthropic")?, full),
        None if full.starts_with("gemini-") => (preset_named("gemini")?, full),
        None => return None,
    };
    let in_file = preset.key_vars.iter().find(|name| variables.contains_key(**name));
    let key = match in_file {
        Some(name) => KeyRef::Tool(ToolKey { tool: KeyTool::Aider, entry: (*name).to_owned() }),
        None if preset.key_vars.is_empty() => KeyRef::None,
        None => look.preset_key(preset)?.1,
    };
    let provider = match base.filter(|_| preset.id == "openai") {
        Some(address) => at_address("openai-compatible", address, Dialect::OpenaiChat, key)?,
        None => of_preset(preset, key),
    };
    Some((provider, model.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plain_lines_alone() {
        let text = "# aider defaults\n#model: openai/gpt-5.1\nmodel: sonnet            # alias\nweak-model: 'haiku'\nalias:\n  - \"fast:openai/x\"\n  model: no\nread: [A.md]\nopenai-api-base: http://127.0.0.1:9/v1\neditor-model:\n";
        let config = parse(text);
        assert_eq!(config.model.as_deref(), Some("sonnet"));
        assert_eq!(config.others, ["haiku"]);
        assert_eq!(config.commented, ["openai/gpt-5.1"]);
        assert_eq!(config.base_url.as_deref(), Some("http://127.0.0.1:9/v1"));
    }
}
