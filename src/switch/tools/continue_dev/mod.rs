//! Continue: models are defined in `config.yaml` and selected, by name, in the extension's own state file.
//!
//! Sources: continuedev/continue @d0a3c0b: core/util/paths.ts, core/config/selectedModels.ts, core/util/GlobalContext.ts,
//! core/config/profile/doLoadConfig.ts; the documentation's reference. `config.json` counts only where there is no
//! `config.yaml`. A selection that fits no model falls back to the first of the role, and the state is rewritten. The
//! definition is read again while Continue runs, the selection is raced over: so the model of the selected entry is changed,
//! and the selection only where another provider is wanted, whose entry has the right address and key.

mod entries;
mod profile;

use crate::edit::{Document, JsonDialect, Language};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, bom, duplicate, found, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;
use entries::{Entry, chat_entries};
use profile::Profile;

const YAML: Language = Language::Yaml;
/// `config.json` is read with the comments taken out.
const OLD_JSON: Language = Language::Json(JsonDialect::COMMENTS.with_bom());
const STATE: Language = Language::Json(JsonDialect::STRICT);
const SELECTED: &[&str] = &["selectedModelsByProfileId", "local", "chat"];

pub(super) struct Continue;

/// The file that defines the models, with its language.
fn definitions(at: &At<'_>) -> (ToolPath, Language) {
    let path = at.home.path.join("config.yaml");
    let old = at.home.path.join("config.json");
    if !at.world.files.exists(&path) && at.world.files.exists(&old) { (old, OLD_JSON) } else { (path, YAML) }
}

fn state_file(at: &At<'_>) -> ToolPath {
    at.home.path.join("index/globalContext.json")
}

/// The entry that a fresh start uses for chat: the selected one, else the first.
fn active<'e>(entries: &'e [Entry], state: Option<&Document>) -> Option<&'e Entry> {
    let selected = state.and_then(|state| found(state, SELECTED).text());
    let named = selected.and_then(|name| entries.iter().find(|entry| entry.name.as_deref() == Some(name)));
    named.or_else(|| entries.first())
}

impl Tool for Continue {
    fn id(&self) -> &'static str {
        "continue"
    }

    fn name(&self) -> &'static str {
        "Continue"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cn"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get("CONTINUE_GLOBAL_DIR").map(|_| "CONTINUE_GLOBAL_DIR");
        vec![Home { path: world.folder("CONTINUE_GLOBAL_DIR", ".continue"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let state = load(&at.world, &mut reading.files, &state_file(at), STATE);
        let is_known = profile::read(at, state.document(), &mut reading);
        let first = reading.layers.len();
        let (path, language) = definitions(at);
        match load(&at.world, &mut reading.files, &path, language) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => read_definitions(at, &path, &document, state.document(), &mut reading),
        }
        if !is_known {
            reading.layers[first..].iter_mut().for_each(|layer| layer.is_active = false);
        }
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let (path, language) = definitions(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, language);
        let Some(document) = loaded.document() else {
            return Err(Warning::new(Code::StorageNotInFile, "switch-continue-no-file").with("file", &path));
        };
        let state_path = state_file(at);
        let state = load(&at.world, &mut Vec::new(), &state_path, STATE);
        let entries = chat_entries(&path, document);
        let now = active(&entries, state.document());
        let is_wanted = |entry: &Entry| wanted.provider.is_none() || wanted.provider == entry.provider;
        let target = now.filter(|entry| is_wanted(entry) && entry.model_keys.is_some()).or_else(|| {
            let fitting = || entries.iter().filter(|entry| entry.model_keys.is_some() && is_wanted(entry));
            fitting().find(|entry| entry.model.as_deref() == Some(&wanted.model)).or_else(|| fitting().next())
        });
        let Some((target, keys)) = target.and_then(|entry| Some((entry, entry.model_keys.as_ref()?))) else {
            let provider = wanted.provider.clone().unwrap_or_default();
            let text = if provider.is_empty() { "switch-continue-no-entry" } else { "switch-continue-no-provider" };
            let warning = Warning::new(Code::ProviderUnknown, text).with("file", &path);
            return Err(warning.with("provider", provider));
        };
        let mut changes = Changes::default();
        let keys: Vec<_> = keys.iter().map(String::as_str).collect();
        if target.model.as_deref() != Some(&wanted.model) {
            if target.model.as_ref().is_some_and(|model| model.contains("${{")) {
                let warning = Warning::new(Code::ValueWasReference, "switch-continue-reference");
                changes.warnings.push(warning.with("file", &path));
            }
            changes.warnings.extend(duplicate(&path, document, &keys));
            changes.changes.push(Change::text(&path, language, &keys, &wanted.model));
        }
        if now.is_none_or(|now| now.index != target.index) {
            let name = target.name.clone().unwrap_or_default();
            changes.changes.push(Change::text(&state_path, STATE, SELECTED, name).or_new());
            let warning = Warning::new(Code::ToolMayWriteBack, "switch-continue-memory");
            changes.warnings.push(warning.with("file", &state_path));
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let (path, language) = definitions(at);
        let loaded = load(&at.world, &mut Vec::new(), &path, language);
        loaded.document().map(|document| entries::endpoints(&chat_entries(&path, document))).unwrap_or_default()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::AtOnce
    }
}

fn read_definitions(
    at: &At<'_>,
    path: &ToolPath,
    document: &Document,
    state: Option<&Document>,
    reading: &mut Reading,
) {
    reading.warnings.extend(bom(path, document));
    let entries = chat_entries(path, document);
    let now = active(&entries, state);
    let odd =
        now.and_then(|entry| entry.model_keys.as_ref()).map(|keys| keys.iter().map(String::as_str).collect::<Vec<_>>());
    if let Some(keys) = odd.filter(|keys| found(document, keys) == Found::Other) {
        reading.obstacle = Some(wrong_type(path, document, &keys));
    }
    // Another profile is in use in this folder: what is said of the local one would mislead.
    let is_local = matches!(profile::of(at, state), Profile::Local);
    let selected = state.and_then(|state| found(state, SELECTED).text());
    if let Some(selected) = selected.filter(|_| is_local)
        && let Some(first) = now.filter(|entry| entry.name.as_deref() != Some(selected))
    {
        let warning = Warning::new(Code::InertKey, "switch-continue-stale").with("file", state_file(at));
        let first = first.name.clone().or_else(|| first.model.clone()).unwrap_or_default();
        reading.warnings.push(warning.with("name", selected).with("first", first));
    }
    let program = state.and_then(|state| found(state, &["cliSelectedModel"]).text());
    for entry in &entries {
        let is_active = now.is_some_and(|now| now.index == entry.index);
        let key = entry.model_keys.as_ref().map(|keys| keys.join(".")).unwrap_or_default();
        let kind = if is_active { LayerKind::User } else { LayerKind::OtherUser };
        let layer = Layer::new(kind, Place::file(path, key), entry.model.clone()).provider(entry.provider.clone());
        if is_active {
            reading.layers.push(layer);
        } else if program.is_some() && entry.name.as_deref() == program {
            reading.layers.push(Layer { place: Place::file(&state_file(at), "cliSelectedModel"), ..layer }.inert());
        }
    }
}
