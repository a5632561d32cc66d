//! Kimi: Kimi Code in `~/.kimi-code`, and the Kimi CLI before it in `~/.kimi`, each a home with rules of its own.
//!
//! Sources: MoonshotAI/kimi-code's documentation of config files, overrides and environment variables @0123315;
//! MoonshotAI/kimi-cli's documentation and src/kimi_cli/config.py @043197d. In both, `default_model` is an alias that must
//! stand under `models`. Kimi Code: `KIMI_MODEL_NAME` makes a model of its own and needs `KIMI_MODEL_API_KEY`, without which
//! nothing starts. Kimi CLI: `KIMI_MODEL_NAME` replaces the model of a provider of type `kimi`, and an old `config.json` is
//! taken over at the next start when there is no `config.toml`.

use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Language, Node};
use crate::switch::load::load;
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, bom, duplicate, found, variable, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const DEFAULT: &[&str] = &["default_model"];
const NAME: &str = "KIMI_MODEL_NAME";
const KEY: &str = "KIMI_MODEL_API_KEY";
const CODE_HOME: &str = "KIMI_CODE_HOME";
const CLI_HOME: &str = "KIMI_SHARE_DIR";

pub(super) struct Kimi;

fn is_cli(at: &At<'_>) -> bool {
    at.home.moved_by == Some(CLI_HOME) || (at.home.moved_by.is_none() && at.home.path.name() == ".kimi")
}

/// The file that the next start reads, with its language.
fn file(at: &At<'_>) -> (ToolPath, Language) {
    let path = at.home.path.join("config.toml");
    let old = at.home.path.join("config.json");
    if is_cli(at) && !at.world.files.exists(&path) && at.world.files.exists(&old) {
        (old, Language::Json(JsonDialect::STRICT))
    } else {
        (path, Language::Toml)
    }
}

/// An alias under `models`.
struct Alias<'a> {
    name: &'a str,
    provider: Option<&'a str>,
    model: Option<&'a str>,
}

fn aliases(document: &Document) -> impl Iterator<Item = Alias<'_>> {
    document.get(&["models"]).map(Node::entries).unwrap_or_default().iter().map(|entry| Alias {
        name: &entry.key,
        provider: entry.value.child("provider").and_then(Node::as_text),
        model: entry.value.child("model").and_then(Node::as_text),
    })
}

/// The alias that a fresh start uses, and whether there is such a one.
fn current(document: &Document) -> Option<(&str, Option<Alias<'_>>)> {
    let name = found(document, DEFAULT).text()?;
    Some((name, aliases(document).find(|alias| alias.name == name)))
}

impl Tool for Kimi {
    fn id(&self) -> &'static str {
        "kimi"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["kimi-code", "kimi-cli"]
    }

    fn name(&self) -> &'static str {
        "Kimi"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["kimi"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let home = |variable: &'static str, below: &str| {
            let moved_by = world.vars.get(variable).map(|_| variable);
            Home { path: world.folder(variable, below), moved_by }
        };
        let (code, cli) = (home(CODE_HOME, ".kimi-code"), home(CLI_HOME, ".kimi"));
        let has =
            |home: &Home| ["config.toml", "config.json"].iter().any(|name| world.files.exists(&home.path.join(name)));
        if has(&cli) && !has(&code) { vec![cli, code] } else { vec![code, cli] }
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let (path, language) = file(at);
        let loaded = load(&at.world, &mut reading.files, &path, language);
        if let Some(trouble) = loaded.trouble() {
            reading.obstacle = Some(trouble.clone());
            if is_cli(at) {
                reading.warnings.push(Warning::new(Code::FatalForTool, "switch-kimi-broken").with("file", &path));
            }
        }
        if let Some(document) = loaded.document() {
            read_document(&path, language, document, &mut reading);
        }
        read_environment(at, loaded.document(), &mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let (path, language) = file(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, language);
        let no_alias = || {
            let provider = wanted.provider.clone().unwrap_or_default();
            let text = if provider.is_empty() { "switch-kimi-no-alias" } else { "switch-kimi-no-alias-there" };
            let warning = Warning::new(Code::FatalForTool, text).with("file", &path);
            warning.with("model", &wanted.model).with("provider", provider)
        };
        let Some(document) = loaded.document() else { return Err(no_alias()) };
        let now = current(document).and_then(|(_, alias)| alias?.provider);
        let mut fitting: Vec<_> = aliases(document)
            .filter(|alias| wanted.provider.is_none() || alias.provider == wanted.provider.as_deref())
            .filter(|alias| alias.name == wanted.model || alias.model == Some(&wanted.model))
            .collect();
        // The name itself comes first, then a model of the present provider; the rest as they stand in the file.
        fitting.sort_by_key(|alias| (alias.name != wanted.model, alias.provider != now));
        let alias = fitting.first().ok_or_else(no_alias)?.name;
        let mut changes = Changes::default();
        changes.warnings.extend(duplicate(&path, document, DEFAULT));
        if found(document, DEFAULT) != Found::Text(alias) {
            changes.changes.push(Change::text(&path, language, DEFAULT, alias));
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let (path, language) = file(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, language);
        let Some(document) = loaded.document() else { return Vec::new() };
        let providers = document.get(&["providers"]).map(Node::entries).unwrap_or_default();
        providers.iter().map(|entry| endpoint(document, &entry.key, &entry.value, is_cli(at))).collect()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

fn read_document(path: &ToolPath, language: Language, document: &Document, reading: &mut Reading) {
    reading.warnings.extend(bom(path, document));
    if language != Language::Toml {
        reading.warnings.push(Warning::new(Code::LegacyShape, "switch-kimi-json").with("file", path));
    }
    if found(document, DEFAULT) == Found::Other {
        reading.obstacle = Some(wrong_type(path, document, DEFAULT));
    }
    let stands_for = |alias: Alias<'_>| Some((alias.name.to_owned(), alias.model?.to_owned()));
    reading.aliases = aliases(document).filter_map(stands_for).filter(|(name, model)| name != model).collect();
    let Some((name, alias)) = current(document) else { return };
    let layer = Layer::new(LayerKind::User, Place::file(path, "default_model"), Some(name.to_owned()));
    if let Some(alias) = alias {
        reading.layers.push(layer.provider(alias.provider.map(str::to_owned)));
    } else {
        let warning = Warning::new(Code::FatalForTool, "switch-kimi-undefined").with("file", path);
        reading.warnings.push(warning.with("model", name));
        reading.layers.push(layer.inert());
    }
}

/// What the variables make of it: they come before the file.
fn read_environment(at: &At<'_>, document: Option<&Document>, reading: &mut Reading) {
    let Some(layer) = variable(&at.world, NAME) else { return };
    let layer = if is_cli(at) {
        let alias = document.and_then(|document| current(document)?.1);
        let kind = alias.and_then(|alias| document?.get(&["providers", alias.provider?, "type"])?.as_text());
        if kind.is_none_or(|kind| kind == "kimi") { layer } else { layer.inert() }
    } else if at.world.vars.is_missing(KEY) {
        reading.start = Start::Never;
        let warning = Warning::new(Code::FatalForTool, "switch-kimi-no-key");
        reading.warnings.push(warning.with("variable", NAME).with("key", KEY));
        layer.inert()
    } else {
        let kind = at.world.vars.get("KIMI_MODEL_PROVIDER_TYPE").unwrap_or("kimi");
        layer.provider(Some(kind.to_owned()))
    };
    reading.layers.insert(0, layer);
}

fn endpoint(document: &Document, name: &str, block: &Node, is_cli: bool) -> ToolEndpoint {
    let text = |key: &str| block.child(key).and_then(Node::as_text).filter(|text| !text.is_empty());
    let kind = text("type").unwrap_or_default();
    let (dialect, address) = match kind {
        "kimi" => (Some(Dialect::OpenaiChat), Some("https://api.moonshot.ai/v1")),
        "openai" | "openai_legacy" => (Some(Dialect::OpenaiChat), Some("https://api.openai.com/v1")),
        "openai_responses" => (Some(Dialect::OpenaiResponses), Some("https://api.openai.com/v1")),
        "anthropic" => (Some(Dialect::AnthropicMessages), Some("https://api.anthropic.com")),
        "google-genai" | "google_genai" | "gemini" => {
            (Some(Dialect::Gemini), Some("https://generativelanguage.googleapis.com"))
        }
        _ => (None, None),
    };
    let table = |key: &str| block.child(key).map(Node::entries).unwrap_or_default();
    let has_own = table("env").iter().any(|entry| entry.key.ends_with("_API_KEY"));
    let credential = match (text("api_key"), text("api_key_env")) {
        (Some(_), _) => Credential::InFile,
        (None, Some(variable)) => Credential::Variable(variable.to_owned()),
        (None, None) if block.child("oauth").is_some() => Credential::OwnLogin,
        (None, None) if has_own => Credential::InFile,
        (None, None) if is_cli && kind == "kimi" => Credential::Variable("KIMI_API_KEY".to_owned()),
        (None, None) if is_cli && kind.starts_with("openai") => Credential::Variable("OPENAI_API_KEY".to_owned()),
        _ => Credential::Unknown,
    };
    let models = aliases(document).filter(|alias| alias.provider == Some(name)).filter_map(|alias| alias.model);
    ToolEndpoint {
        provider: name.to_owned(),
        base_url: text("base_url").or(address).map(str::to_owned),
        dialect,
        credential,
        models: models.map(str::to_owned).collect(),
    }
}
