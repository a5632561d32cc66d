//! claude-code-router: `Router.default`, a provider and a model with a comma between them.
//!
//! Sources: musistudio/claude-code-router @1347c868 and the package of 2.0.0: it reads its file as JSON5, fills in `$NAME`
//! and `${NAME}` from its environment, and asks a script of the user's (`CUSTOM_ROUTER_PATH`) before it looks at the
//! routes. Version 3 keeps its settings in a database and looks at the file only once.

use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, bom, duplicate, found, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};

const JSON5: Language = Language::Json(JsonDialect::JSON5);
const FILE: &str = "config.json";
const DATABASE: &str = "config.sqlite";
const DEFAULT: &[&str] = &["Router", "default"];
/// Routes for other purposes; a switch leaves them alone unless one is named as the alias.
const OTHERS: &[&str] = &["background", "think", "longContext", "webSearch", "image"];
/// The first version whose settings are not in the file.
const IN_DATABASE: Version = Version(3, 0, 0);

pub(super) struct ClaudeCodeRouter;

impl Tool for ClaudeCodeRouter {
    fn id(&self) -> &'static str {
        "claude-code-router"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["ccr"]
    }

    fn name(&self) -> &'static str {
        "claude-code-router"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["ccr"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        vec![Home { path: world.home.join(".claude-code-router"), moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path.join(FILE)) || database(at).is_some()
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        if let Some(database) = database(at) {
            let warning = Warning::new(Code::StorageNotInFile, "switch-ccr-database");
            reading.obstacle = Some(warning.with("file", at.home.path.join(FILE)).with("database", database));
            return reading;
        }
        if at.world.versions.lowest.is_some_and(|version| version >= IN_DATABASE) {
            let warning = Warning::new(Code::StorageNotInFile, "switch-ccr-version");
            reading.obstacle = Some(warning.with("file", at.home.path.join(FILE)).with("gate", IN_DATABASE.0));
            return reading;
        }
        if at.world.versions.straddles(IN_DATABASE) {
            reading
                .warnings
                .push(Warning::new(Code::VersionsDiffer, "switch-ccr-versions").with("gate", IN_DATABASE.0));
        }
        let path = at.home.path.join(FILE);
        match load(&at.world, &mut reading.files, &path, JSON5) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => {
                reading.warnings.push(Warning::new(Code::FatalForTool, "switch-ccr-fatal").with("file", &path));
                reading.obstacle = Some(warning);
            }
            Loaded::Parsed(document, _) => route(at, &path, &document, &mut reading),
        }
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = at.home.path.join(FILE);
        let loaded = load(&at.world, &mut Vec::new(), &path, JSON5);
        let Some(document) = loaded.document() else {
            return Err(Warning::new(Code::StorageNotInFile, "switch-no-file").with("file", &path));
        };
        let key: &[&str] = match wanted.alias.as_deref() {
            None | Some("default") => DEFAULT,
            Some(role) if OTHERS.contains(&role) => &["Router", role],
            Some(role) => {
                let warning = Warning::new(Code::AmbiguousTarget, "switch-ccr-role").with("name", role);
                return Err(warning.with("names", [&["default"], OTHERS].concat().join(", ")));
            }
        };
        let endpoints = endpoints(at, document);
        let of = |name: &str| endpoints.iter().find(|endpoint| endpoint.provider == name);
        let written = wanted.model.split_once(',').filter(|(name, _)| wanted.provider.is_none() && of(name).is_some());
        let (provider, model) = match written {
            Some((provider, model)) => (provider.to_owned(), model.to_owned()),
            None => match wanted.provider.clone().or_else(|| reading.effective().provider) {
                Some(provider) => (provider, wanted.model.clone()),
                None => return Err(unknown(&path, "")),
            },
        };
        let Some(endpoint) = of(&provider) else { return Err(unknown(&path, &provider)) };
        let mut changes = Changes::default();
        if !endpoint.models.contains(&model) {
            let warning = Warning::new(Code::ModelUnverified, "switch-ccr-unlisted").with("provider", &provider);
            changes.warnings.push(warning.with("model", &model).with("file", &path));
        }
        changes.warnings.extend(duplicate(&path, document, key));
        if let Some(old) = document.text(key).filter(|old| old.contains('$')) {
            let warning = Warning::new(Code::ValueWasReference, "switch-ccr-reference").with("value", old);
            changes.warnings.push(warning.with("file", &path));
        }
        changes.changes.push(Change::text(&path, JSON5, key, format!("{provider},{model}")));
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let loaded = load(&at.world, &mut Vec::new(), &at.home.path.join(FILE), JSON5);
        loaded.document().map(|document| endpoints(at, document)).unwrap_or_default()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

fn unknown(path: &ToolPath, provider: &str) -> Warning {
    let warning = Warning::new(Code::ProviderUnknown, "switch-ccr-provider");
    warning.with("provider", provider).with("file", path)
}

/// The database of version 3, if there is one.
fn database(at: &At<'_>) -> Option<ToolPath> {
    let mut places = vec![at.home.path.join(DATABASE)];
    if at.world.platform == Platform::Windows {
        places.push(at.world.system_config().join("claude-code-router").join(DATABASE));
    }
    places.into_iter().find(|place| at.world.files.exists(place))
}

fn route(at: &At<'_>, path: &ToolPath, document: &Document, reading: &mut Reading) {
    reading.warnings.extend(bom(path, document));
    if !document.root().is_table() {
        reading.obstacle = Some(wrong_type(path, document, &[]));
        return;
    }
    for role in OTHERS {
        let key = ["Router", *role];
        if let Found::Text(text) = found(document, &key) {
            reading.layers.push(layer(at, path, &key, text).named(role));
        }
    }
    match found(document, DEFAULT) {
        Found::Nothing => {}
        Found::Other => reading.obstacle = Some(wrong_type(path, document, DEFAULT)),
        Found::Text(text) => reading.layers.push(layer(at, path, DEFAULT, text)),
    }
    if let Some(script) = document.text(&["CUSTOM_ROUTER_PATH"]).filter(|script| !script.is_empty()) {
        let warning = Warning::new(Code::MaskedByRoleOverride, "switch-ccr-script");
        reading.warnings.push(warning.with("script", script));
    }
}

fn layer(at: &At<'_>, path: &ToolPath, key: &[&str], text: &str) -> Layer {
    let route = filled(at, text);
    let provider = route.split_once(',').map(|(provider, _)| provider.trim().to_owned());
    let model = Some(route).filter(|route| !route.is_empty());
    Layer::new(LayerKind::User, Place::file(path, key.join(".")), model).provider(provider)
}

/// The providers that the file defines; both spellings of the key are read.
fn endpoints(at: &At<'_>, document: &Document) -> Vec<ToolEndpoint> {
    let list = document.get(&["Providers"]).or_else(|| document.get(&["providers"]));
    let endpoint = |node: &Node| {
        let text = |key: &str| node.child(key).and_then(Node::as_text);
        let url = text("api_base_url").map(|url| filled(at, url));
        let dialect = url.as_deref().and_then(|url| match () {
            () if url.ends_with("/chat/completions") => Some(Dialect::OpenaiChat),
            () if url.ends_with("/v1/messages") => Some(Dialect::AnthropicMessages),
            () if url.contains("generativelanguage") => Some(Dialect::Gemini),
            () => None,
        });
        let models = node.child("models").map(Node::items).unwrap_or_default();
        Some(ToolEndpoint {
            provider: text("name")?.to_owned(),
            base_url: url,
            dialect,
            credential: credential(text("api_key")),
            models: models.iter().filter_map(|model| Some(model.as_text()?.to_owned())).collect(),
        })
    };
    list.map(Node::items).unwrap_or_default().iter().filter_map(endpoint).collect()
}

fn credential(key: Option<&str>) -> Credential {
    let Some(key) = key.filter(|key| !key.is_empty()) else { return Credential::None };
    match key.strip_prefix('$').map(name) {
        Some((name, "")) if !name.is_empty() => Credential::Variable(name.to_owned()),
        _ => Credential::InFile,
    }
}

/// The variable's name behind a `$`, and what follows it.
fn name(text: &str) -> (&str, &str) {
    if let Some((name, rest)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        return (name, rest);
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// A text with its variables filled in; unknown ones stay as they are written.
fn filled(at: &At<'_>, text: &str) -> String {
    let Some((before, behind)) = text.split_once('$') else { return text.to_owned() };
    let (variable, rest) = name(behind);
    let written = &behind[..behind.len() - rest.len()];
    let value = at.world.vars.get(variable).map_or_else(|| format!("${written}"), str::to_owned);
    format!("{before}{value}{}", filled(at, rest))
}
