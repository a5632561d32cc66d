//! Zed: `agent.default_model` in the user's `settings.json`, and all that the same file can put above it.
//!
//! Sources: Zed's documentation pages on agent settings, agent profiles and configuration; crates/settings_content and
//! crates/settings of its source: a block of the operating system is merged over one of the release channel, and that over
//! the rest; a model without its provider is dropped; settings of a project have no `agent`. An agent profile's model
//! outranks all of them while the profile is active. The release channel is taken to be the stable one.

mod endpoints;

use crate::core::platform::Platform;
use crate::edit::{Document, JsonDialect, Language, Value};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{bom, duplicate, found, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const JSONC: Language = Language::Json(JsonDialect::JSONC);
/// The profile that an agent starts with when the settings name none.
const FIRST_PROFILE: &str = "write";
/// Blocks of the user's file that count elsewhere.
const BLOCKS: [&str; 7] = ["linux", "macos", "windows", "stable", "preview", "nightly", "dev"];

pub(super) struct Zed;

/// What a `default_model` says.
enum Selection {
    Nothing,
    Full {
        provider: String,
        model: String,
    },
    /// Not both a provider and a model: Zed drops it.
    Odd,
}

fn selection(document: &Document, at: &[&str]) -> Selection {
    let Some(node) = document.get(at).filter(|node| node.kind != crate::edit::Kind::Null) else {
        return Selection::Nothing;
    };
    let text = |key: &str| node.child(key).and_then(|value| value.as_text()).map(str::to_owned);
    match (text("provider"), text("model")) {
        (Some(provider), Some(model)) => Selection::Full { provider, model },
        _ => Selection::Odd,
    }
}

/// The blocks that count on a system, the strongest first; the last is the file's root.
fn blocks(platform: Platform) -> [&'static [&'static str]; 3] {
    let system: &[&str] = match platform {
        Platform::Linux => &["linux"],
        Platform::Macos => &["macos"],
        Platform::Windows => &["windows"],
    };
    [system, &["stable"], &[]]
}

fn joined<'a>(block: &[&'a str], below: &[&'a str]) -> Vec<&'a str> {
    block.iter().chain(below).copied().collect()
}

/// Where the user's own model stands, the strongest first: under `agent`, and under the name that it had before.
fn places(platform: Platform) -> Vec<Vec<&'static str>> {
    let agent = blocks(platform).into_iter().map(|block| joined(block, &["agent", "default_model"]));
    agent.chain([joined(&[], &["assistant", "default_model"])]).collect()
}

/// Whether Zed still reads `assistant` as `agent`: it renames the one where there is no other.
fn reads_assistant(document: &Document) -> bool {
    document.get(&["agent"]).is_none() && found(document, &["assistant", "version"]).text().is_none_or(|v| v == "2")
}

fn settings(at: &At<'_>) -> ToolPath {
    at.home.path.join("settings.json")
}

fn layer(kind: LayerKind, path: &ToolPath, document: &Document, keys: &[&str]) -> Option<Layer> {
    let place = Place::file(path, format!("{}.model", keys.join(".")));
    match selection(document, keys) {
        Selection::Full { provider, model } => Some(Layer::new(kind, place, Some(model)).provider(Some(provider))),
        Selection::Odd => Some(Layer::new(kind, place, None).inert()),
        Selection::Nothing => None,
    }
}

impl Tool for Zed {
    fn id(&self) -> &'static str {
        "zed"
    }

    fn name(&self) -> &'static str {
        "Zed"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["zed", "zeditor"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let path = match world.platform {
            Platform::Linux => world.xdg_config().join("zed"),
            Platform::Macos => world.home.join(".config/zed"),
            Platform::Windows => world.system_config().join("Zed"),
        };
        let is_moved = world.platform == Platform::Linux && world.vars.get("XDG_CONFIG_HOME").is_some();
        vec![Home { path, moved_by: is_moved.then_some("XDG_CONFIG_HOME") }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let path = settings(at);
        match load(&at.world, &mut reading.files, &path, JSONC) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => read_user(at, &path, &document, &mut reading),
        }
        read_projects(at, &mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = settings(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, JSONC);
        let document = loaded.document();
        let mut changes = Changes::default();
        if let Some(document) = document {
            let is_read = |keys: &Vec<&str>| keys[0] != "assistant" || reads_assistant(document);
            for keys in places(at.world.platform).into_iter().filter(is_read) {
                let Selection::Full { provider, model } = selection(document, &keys) else { continue };
                changes.warnings.extend(duplicate(&path, document, &joined(&keys, &["model"])));
                if model != wanted.model {
                    changes.changes.push(Change::text(&path, JSONC, &joined(&keys, &["model"]), &wanted.model));
                }
                if let Some(other) = wanted.provider.as_ref().filter(|&other| *other != provider) {
                    changes.changes.push(Change::text(&path, JSONC, &joined(&keys, &["provider"]), other));
                }
                return Ok(changes);
            }
            let keys = ["agent", "default_model"];
            if matches!(selection(document, &keys), Selection::Odd) {
                return Err(wrong_type(&path, document, &keys));
            }
        }
        let Some(provider) = &wanted.provider else {
            return Err(Warning::new(Code::ProviderUnknown, "switch-zed-provider").with("file", &path));
        };
        let both =
            vec![("provider".to_owned(), Value::text(provider)), ("model".to_owned(), Value::text(&wanted.model))];
        let change = Change::value(&path, JSONC, &["agent", "default_model"], Value::Table(both));
        changes.changes.push(change.or_new());
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let loaded = load(&at.world, &mut Vec::new(), &settings(at), JSONC);
        endpoints::endpoints(&at.world, loaded.document())
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::AtOnce
    }
}

fn read_user(at: &At<'_>, path: &ToolPath, document: &Document, reading: &mut Reading) {
    reading.warnings.extend(bom(path, document));
    let counting = blocks(at.world.platform);
    let name = |block: &&[&str]| found(document, &joined(block, &["agent", "default_profile"])).text();
    let profile = counting.iter().find_map(name).unwrap_or(FIRST_PROFILE);
    for block in counting {
        let keys = joined(block, &["agent", "profiles", profile, "default_model"]);
        reading.layers.extend(layer(LayerKind::Role, path, document, &keys));
    }
    let first = reading.layers.len();
    for block in counting {
        let keys = joined(block, &["agent", "default_model"]);
        reading.layers.extend(layer(LayerKind::User, path, document, &keys));
    }
    let mut own = reading.layers[first..].iter().filter(|layer| layer.is_active);
    if let (Some(Place::File { key: winner, .. }), Some(Place::File { key, .. })) =
        (own.next().map(|layer| &layer.place), own.next().map(|layer| &layer.place))
    {
        let warning = Warning::new(Code::InertKey, "switch-zed-block").with("file", path);
        reading.warnings.push(warning.with("key", key).with("winner", winner));
    }
    if let Some(old) = layer(LayerKind::User, path, document, &["assistant", "default_model"]) {
        let is_read = reads_assistant(document);
        let (code, text) = if is_read {
            (Code::LegacyShape, "switch-zed-assistant")
        } else {
            (Code::InertKey, "switch-zed-assistant-inert")
        };
        reading.warnings.push(Warning::new(code, text).with("file", path));
        reading.layers.push(if is_read { old } else { old.inert() });
    }
    for block in BLOCKS.iter().filter(|&&block| counting.iter().all(|known| !known.contains(&block))) {
        let elsewhere = layer(LayerKind::User, path, document, &[block, "agent", "default_model"]);
        reading.layers.extend(elsewhere.map(Layer::inert));
    }
}

/// A project's settings may look as if they named a model. They are read as settings of languages and the like alone.
fn read_projects(at: &At<'_>, reading: &mut Reading) {
    let root = at.world.git_root();
    for folder in at.world.upward() {
        let path = folder.join(".zed/settings.json");
        let is_last = root.as_ref().is_none_or(|root| folder == *root);
        if let Loaded::Parsed(document, _) = load(&at.world, &mut reading.files, &path, JSONC)
            && let Some(layer) = layer(LayerKind::Project, &path, &document, &["agent", "default_model"])
        {
            reading.layers.push(layer.inert());
            reading.warnings.push(Warning::new(Code::InertKey, "switch-zed-project").with("file", &path));
        }
        if is_last {
            break;
        }
    }
}
