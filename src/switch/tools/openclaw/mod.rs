//! OpenClaw: `agents.defaults.model` in `openclaw.json`, which is JSON5 and can include other files.
//!
//! Sources: OpenClaw's documentation pages on configuration, hot reload and models; src/agents/model-selection.ts. A model
//! is a reference `provider/model`, split at the first slash and read in lower case, or an alias. It stands as a text or as
//! `primary` beside its fallbacks. `agents.defaults.models` is an allow-list where it is present; in versions that have
//! `modelPolicy.allow`, that is the list instead. An agent's own model outranks the defaults. The gateway watches the file.

mod endpoints;
mod include;

use crate::edit::{JsonDialect, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{bom, duplicate, in_doubt};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Vars, World};
use include::{Finder, Spot};

const JSON5: Language = Language::Json(JsonDialect::JSON5);
const CONFIG_PATH: &str = "OPENCLAW_CONFIG_PATH";
const STATE_DIR: &str = "OPENCLAW_STATE_DIR";
/// The file's name, and the one that it had before.
const FILES: [&str; 2] = ["openclaw.json", "clawdbot.json"];
const MODEL: &[&str] = &["agents", "defaults", "model"];
const MODELS: &[&str] = &["agents", "defaults", "models"];
const POLICY: &[&str] = &["agents", "defaults", "modelPolicy", "allow"];
/// What a reference without a provider is read as.
const DEFAULT_PROVIDER: &str = "anthropic";

pub(super) struct OpenClaw;

fn file(at: &At<'_>) -> ToolPath {
    if at.home.moved_by == Some(CONFIG_PATH) {
        return at.home.path.clone();
    }
    let [now, old] = FILES.map(|name| at.home.path.join(name));
    if !at.world.files.exists(&now) && at.world.files.exists(&old) { old } else { now }
}

/// A model where it stands: the spot of the text itself.
enum Named {
    Text(Spot, String),
    Odd(Spot),
}

/// A model may be a text, or a table with the text under `primary`.
fn named(spot: Spot) -> Named {
    let below = match spot.node.child("primary") {
        Some(primary) if spot.node.is_table() => spot.below("primary", primary),
        _ => spot,
    };
    match below.node.as_text().map(str::to_owned) {
        Some(text) => Named::Text(below, text),
        None => Named::Odd(below),
    }
}

/// A reference as OpenClaw reads it: variables replaced, in lower case. `None` when a variable is not set.
fn reference(text: &str, vars: &Vars) -> Option<String> {
    let mut rest = text.trim();
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("${") {
        let (name, behind) = after.split_once('}')?;
        out.push_str(before);
        out.push_str(vars.get(name)?);
        rest = behind;
    }
    out.push_str(rest);
    Some(out.to_lowercase())
}

fn provider_of(reference: &str) -> &str {
    reference.split_once('/').map_or(DEFAULT_PROVIDER, |(provider, _)| provider)
}

/// The names that stand for references: alias, reference.
fn aliases(models: &[Spot]) -> Vec<(String, String)> {
    let entries = models.iter().flat_map(|spot| spot.node.entries());
    let alias = |node: &Node| Some(node.child("alias")?.as_text()?.trim().to_lowercase());
    entries.filter_map(|entry| Some((alias(&entry.value)?, entry.key.to_lowercase()))).collect()
}

/// The agent that is spoken to first: the one marked so, else the first; with the keys down to it.
fn first_agent(finder: &mut Finder<'_, '_>, root: &Spot) -> Option<Spot> {
    let is_default = |node: &Node| node.child("default").and_then(Node::as_bool) == Some(true);
    let list = finder.find(root, &["agents", "list"]).into_iter().next().and_then(|spot| {
        let items = spot.node.items();
        let index = items.iter().position(is_default).or((!items.is_empty()).then_some(0))?;
        Some(spot.below(&index.to_string(), &items[index]))
    });
    list.or_else(|| {
        let spot = finder.find(root, &["agents", "entries"]).into_iter().next()?;
        let entries = spot.node.entries();
        let entry = entries.iter().find(|entry| is_default(&entry.value)).or(entries.first())?;
        Some(spot.below(&entry.key, &entry.value))
    })
}

impl Tool for OpenClaw {
    fn id(&self) -> &'static str {
        "openclaw"
    }

    fn name(&self) -> &'static str {
        "OpenClaw"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["openclaw"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        for name in [CONFIG_PATH, STATE_DIR] {
            if let Some(path) = world.vars.get(name) {
                return vec![Home { path: world.home.join(path), moved_by: Some(name) }];
            }
        }
        let [now, old] = [".openclaw", ".clawdbot"].map(|name| world.home.join(name));
        let is_old = !world.files.exists(&now) && world.files.exists(&old);
        vec![Home { path: if is_old { old } else { now }, moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let path = file(at);
        match load(&at.world, &mut reading.files, &path, JSON5) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => {
                reading.warnings.extend(bom(&path, &document));
                read_file(at, &Spot::root(&path, &document), &mut reading);
            }
        }
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = file(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, JSON5);
        let Some(document) = loaded.document() else {
            return Err(Warning::new(Code::StorageNotInFile, "switch-openclaw-no-file").with("file", &path));
        };
        let root = Spot::root(&path, document);
        let mut seen = Vec::new();
        let mut finder = Finder::new(&at.world, &mut seen);
        let models = finder.find(&root, MODELS);
        let own = finder.find(&root, MODEL).into_iter().next().map(named);
        let now = match &own {
            Some(Named::Text(_, text)) => reference(text, at.world.vars),
            _ => None,
        };
        let present = now.as_deref().map(|now| standing_for(now, &reading.aliases));
        let value = spelled(wanted, present.map(provider_of), &reading.aliases)?;
        let mut changes = Changes::default();
        if let Some((provider, model)) = present.and_then(|present| present.split_once('/'))
            && !is_alias(&wanted.model, &reading.aliases)
        {
            let known = endpoints::names(&mut finder, &root, &models);
            let is_known = |name: &str| known.iter().any(|known| known.to_lowercase() == name.to_lowercase());
            changes.warnings.extend(in_doubt(self.name(), wanted, provider, &[model], is_known));
        }
        match own {
            Some(Named::Odd(spot)) => return Err(odd(&spot)),
            Some(Named::Text(spot, text)) => {
                if text.contains("${") {
                    let warning = Warning::new(Code::ValueWasReference, "switch-openclaw-reference");
                    changes.warnings.push(warning.with("file", &spot.file).with("value", &text));
                }
                let keys = spot.keys();
                let loaded = load(&at.world, &mut Vec::new(), &spot.file, JSON5);
                changes.warnings.extend(loaded.document().and_then(|document| duplicate(&spot.file, document, &keys)));
                if text != value {
                    changes.changes.push(Change::text(&spot.file, JSON5, &keys, &value));
                }
            }
            None => {
                let keys = ["agents", "defaults", "model", "primary"];
                changes.changes.push(Change::text(&path, JSON5, &keys, &value));
            }
        }
        let target = standing_for(&value.to_lowercase(), &reading.aliases).to_owned();
        if let Some(list) = unlisted(&mut finder, &root, &models, &target, &reading.aliases) {
            let warning = Warning::new(Code::ModelUnverified, "switch-openclaw-unlisted");
            changes.warnings.push(warning.with("model", &target).with("key", list.join(".")).with("file", &path));
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let path = file(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, JSON5);
        let root = loaded.document().map(|document| Spot::root(&path, document));
        let mut seen = Vec::new();
        endpoints::endpoints(&at.world, &mut Finder::new(&at.world, &mut seen), root.as_ref())
    }

    fn spell(&self, endpoint: &ToolEndpoint, model: &str) -> String {
        format!("{}/{model}", endpoint.provider)
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::AtOnce
    }
}

fn odd(spot: &Spot) -> Warning {
    Warning::new(Code::WrongType, "switch-wrong-type")
        .with("file", &spot.file)
        .with("key", spot.keys().join("."))
        .with("line", spot.line)
}

fn standing_for<'a>(name: &'a str, aliases: &'a [(String, String)]) -> &'a str {
    aliases.iter().find(|(alias, _)| alias == name).map_or(name, |(_, reference)| reference)
}

fn read_file(at: &At<'_>, root: &Spot, reading: &mut Reading) {
    let mut finder = Finder::new(&at.world, &mut reading.files);
    let models = finder.find(root, MODELS);
    let agent = first_agent(&mut finder, root);
    let role = agent.and_then(|agent| finder.find(&agent, &["model"]).into_iter().next());
    let own = finder.find(root, MODEL);
    reading.obstacle = finder.trouble.take();
    reading.aliases = aliases(&models);
    let spots = role.map(|spot| (LayerKind::Role, spot)).into_iter();
    let spots = spots.chain(own.into_iter().map(|spot| (LayerKind::User, spot)));
    for (kind, spot) in spots {
        match named(spot) {
            Named::Text(spot, text) => {
                let model = reference(&text, at.world.vars);
                if model.is_none() && at.world.vars.is_complete {
                    reading.start = Start::Never;
                    let warning = Warning::new(Code::FatalForTool, "switch-openclaw-unset");
                    reading.warnings.push(warning.with("file", &spot.file).with("value", &text));
                }
                let provider = model.as_deref().map(|model| standing_for(model, &reading.aliases));
                let provider = provider.map(|reference| provider_of(reference).to_owned());
                let place = Place::file(&spot.file, spot.keys().join("."));
                let layer = Layer::new(kind, place, model.filter(|model| !model.is_empty())).provider(provider);
                reading.layers.push(layer);
            }
            Named::Odd(spot) if kind == LayerKind::User && spot.node.is_table() => {}
            Named::Odd(spot) => reading.obstacle = reading.obstacle.take().or_else(|| Some(odd(&spot))),
        }
    }
}

fn is_alias(name: &str, aliases: &[(String, String)]) -> bool {
    aliases.iter().any(|(alias, _)| *alias == name.to_lowercase())
}

/// What is written for a wanted model: an alias and a name with a slash as they are, else `provider/model`.
fn spelled(wanted: &Wanted, present: Option<&str>, aliases: &[(String, String)]) -> Result<String, Warning> {
    let model = &wanted.model;
    let first = model.split_once('/').map(|(first, _)| first.to_lowercase());
    let is_at = |provider: &str| first.as_deref() == Some(&provider.to_lowercase());
    if let Some(provider) = &wanted.provider {
        return Ok(if is_at(provider) { model.clone() } else { format!("{provider}/{model}") });
    }
    if first.is_some() || is_alias(model, aliases) {
        return Ok(model.clone());
    }
    match present {
        Some(provider) => Ok(format!("{provider}/{model}")),
        None => Err(Warning::new(Code::ProviderUnknown, "switch-openclaw-provider").with("model", model)),
    }
}

/// The allow-list that a model is missing from.
fn unlisted(
    finder: &mut Finder<'_, '_>,
    root: &Spot,
    models: &[Spot],
    target: &str,
    aliases: &[(String, String)],
) -> Option<&'static [&'static str]> {
    let policy = finder.find(root, POLICY);
    let (list, key): (Vec<String>, _) = if policy.is_empty() {
        (models.iter().flat_map(|spot| spot.node.entries()).map(|entry| entry.key.to_lowercase()).collect(), MODELS)
    } else {
        let items = policy.iter().flat_map(|spot| spot.node.items());
        (items.filter_map(|item| Some(item.as_text()?.to_lowercase())).collect(), POLICY)
    };
    let fits = |entry: &String| match entry.strip_suffix('*') {
        Some(start) => target.starts_with(start),
        None => standing_for(entry, aliases) == target,
    };
    (!list.is_empty() && !list.iter().any(fits)).then_some(key)
}
