//! Droid (Factory): `settings.json` in `.factory` folders, where the higher level wins and the user's is the lowest.
//!
//! Sources: Factory's documentation pages on settings, own models and hierarchical settings: organisation, project, folder,
//! user; a lower level only adds what the higher ones leave open; `settings.local.json` lies over the `settings.json` beside
//! it. A model of `customModels` is chosen by an id of the form `custom:<Display-Name>-<index>` (BloopAI/vibe-kanban#1824);
//! `config.json` with `custom_models` is older and still merged, behind `settings.json` (automazeio/vibeproxy#472).

use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, SeenFile};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, duplicate, found, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const JSON: Language = Language::Json(JsonDialect::STRICT);
const MODEL: &[&str] = &["model"];
/// The files of one level, the stronger first.
const FILES: [&str; 2] = ["settings.local.json", "settings.json"];

pub(super) struct Droid;

/// The file that a system's administrator can set.
fn managed(world: &World<'_>) -> ToolPath {
    match world.platform {
        Platform::Linux => ToolPath::new("/etc/factory/settings.json"),
        Platform::Macos => ToolPath::new("/Library/Application Support/Factory/settings.json"),
        Platform::Windows => world.program_data().join("Factory/settings.json"),
    }
}

/// The folders of the project, the strongest first: its root, then the folders down to where the tool is started.
fn project_folders(at: &At<'_>) -> Vec<ToolPath> {
    let root = at.world.git_root();
    let mut folders = Vec::new();
    for folder in at.world.upward() {
        let is_last = root.as_ref().is_none_or(|root| folder == *root);
        let settings = folder.join(".factory");
        if settings != at.home.path {
            folders.push(settings);
        }
        if is_last {
            break;
        }
    }
    folders.reverse();
    folders
}

/// A model that the user has added, with what selects it.
struct Custom {
    id: String,
    name: String,
    model: String,
    /// What Factory calls the wire API.
    provider: String,
    base_url: Option<String>,
    credential: Credential,
}

/// Models of one list. Without an id of its own an entry has the one that Droid gives it by its name and place.
fn customs(list: &Node, snake_case: bool) -> Vec<Custom> {
    let [name_key, url_key, key_key] =
        if snake_case { ["model_display_name", "base_url", "api_key"] } else { ["displayName", "baseUrl", "apiKey"] };
    let entry = |(index, item): (usize, &Node)| {
        let text = |key: &str| item.child(key).and_then(Node::as_text).filter(|text| !text.is_empty());
        let model = text("model")?;
        let name = text(name_key).unwrap_or(model);
        let made = || format!("custom:{}-{index}", name.split_whitespace().collect::<Vec<_>>().join("-"));
        let credential = match text(key_key) {
            None => Credential::None,
            Some(key) => match key.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
                Some(variable) if !snake_case => Credential::Variable(variable.to_owned()),
                _ => Credential::InFile,
            },
        };
        Some(Custom {
            id: text("id").map_or_else(made, str::to_owned),
            name: name.to_owned(),
            model: model.to_owned(),
            provider: text("provider").unwrap_or_default().to_owned(),
            base_url: text(url_key).map(str::to_owned),
            credential,
        })
    };
    list.items().iter().enumerate().filter_map(entry).collect()
}

/// All models that the user has added, as Droid merges them.
fn all_customs(at: &At<'_>, files: &mut Vec<SeenFile>) -> Vec<Custom> {
    let mut all: Vec<Custom> = Vec::new();
    let own = FILES.map(|name| (at.home.path.join(name), "customModels", false));
    let old = (at.home.path.join("config.json"), "custom_models", true);
    for (path, key, snake_case) in own.into_iter().chain([old]) {
        let loaded = load(&at.world, files, &path, JSON);
        let Some(list) = loaded.document().and_then(|document| document.get(&[key])) else { continue };
        let is_new = |custom: &Custom, all: &[Custom]| !all.iter().any(|known| known.id == custom.id);
        for custom in customs(list, snake_case) {
            if is_new(&custom, &all) {
                all.push(custom);
            }
        }
    }
    all
}

impl Tool for Droid {
    fn id(&self) -> &'static str {
        "droid"
    }

    fn name(&self) -> &'static str {
        "Droid"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["droid"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        vec![Home { path: world.home.join(".factory"), moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        read_other(at, &managed(&at.world), LayerKind::Managed, &mut reading);
        for folder in project_folders(at) {
            for name in FILES {
                read_other(at, &folder.join(name), LayerKind::Project, &mut reading);
            }
        }
        let mut winner: Option<ToolPath> = None;
        for name in FILES {
            let path = at.home.path.join(name);
            match load(&at.world, &mut reading.files, &path, JSON) {
                Loaded::Missing => {}
                Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
                Loaded::Parsed(document, _) => {
                    if found(&document, MODEL) == Found::Other {
                        reading.obstacle = Some(wrong_type(&path, &document, MODEL));
                    }
                    let Some(model) = found(&document, MODEL).text() else { continue };
                    let place = Place::file(&path, "model");
                    if let Some(winner) = &winner {
                        reading.layers.push(Layer::new(LayerKind::OtherUser, place, Some(model.to_owned())));
                        let warning = Warning::new(Code::OtherFileMasked, "switch-droid-local");
                        reading.warnings.push(warning.with("file", &path).with("winner", winner).with("value", model));
                    } else {
                        reading.layers.push(Layer::new(LayerKind::User, place, Some(model.to_owned())));
                        winner = Some(path);
                    }
                }
            }
        }
        let customs = all_customs(at, &mut reading.files);
        for layer in &mut reading.layers {
            let custom = customs.iter().find(|custom| Some(&custom.id) == layer.model.as_ref());
            layer.provider = custom.map(|custom| custom.provider.clone()).filter(|provider| !provider.is_empty());
        }
        reading.aliases = customs.into_iter().map(|custom| (custom.id, custom.model)).collect();
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let names_model = |path: &ToolPath| {
            let loaded = load(&at.world, &mut Vec::new(), path, JSON);
            loaded.document().is_some_and(|document| found(document, MODEL).text().is_some())
        };
        let [local, main] = FILES.map(|name| at.home.path.join(name));
        let path = if names_model(&local) { local } else { main };
        let loaded = load(&at.world, &mut Vec::new(), &path, JSON);
        let customs = all_customs(at, &mut Vec::new());
        let fits = |custom: &&Custom| {
            let is_named = [&custom.id, &custom.model, &custom.name].contains(&&wanted.model);
            is_named && wanted.provider.as_ref().is_none_or(|provider| *provider == custom.provider)
        };
        let custom = customs.iter().find(fits);
        if custom.is_none() && wanted.model.starts_with("custom:") {
            let warning = Warning::new(Code::ModelUnverified, "switch-droid-no-custom");
            return Err(warning.with("file", &path).with("model", &wanted.model));
        }
        let value = custom.map_or(&wanted.model, |custom| &custom.id);
        let mut changes = Changes::default();
        changes.warnings.extend(loaded.document().and_then(|document| duplicate(&path, document, MODEL)));
        let now = loaded.document().and_then(|document| found(document, MODEL).text());
        if now != Some(value) {
            changes.changes.push(Change::text(&path, JSON, MODEL, value).or_new());
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let mut endpoints: Vec<ToolEndpoint> = Vec::new();
        for custom in all_customs(at, &mut Vec::new()) {
            let dialect = match custom.provider.as_str() {
                "anthropic" => Some(Dialect::AnthropicMessages),
                "openai" => Some(Dialect::OpenaiResponses),
                "generic-chat-completion-api" => Some(Dialect::OpenaiChat),
                _ => None,
            };
            let is_same = |endpoint: &&mut ToolEndpoint| {
                endpoint.provider == custom.provider
                    && endpoint.base_url == custom.base_url
                    && endpoint.credential == custom.credential
            };
            match endpoints.iter_mut().find(is_same) {
                Some(endpoint) => endpoint.models.extend([custom.model, custom.id]),
                None => endpoints.push(ToolEndpoint {
                    provider: custom.provider,
                    base_url: custom.base_url,
                    dialect,
                    credential: custom.credential,
                    models: vec![custom.model, custom.id],
                }),
            }
        }
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

/// A level above the user's. What it cannot read, Droid leaves out.
fn read_other(at: &At<'_>, path: &ToolPath, kind: LayerKind, reading: &mut Reading) {
    let loaded = load(&at.world, &mut reading.files, path, JSON);
    let Some(model) = loaded.document().and_then(|document: &Document| found(document, MODEL).text()) else { return };
    let layer = Layer::new(kind, Place::file(path, "model"), Some(model.to_owned()));
    let code = kind.masks_with().unwrap_or(Code::MaskedByManagedFile);
    let mask = Warning::new(code, "switch-droid-masked").with("file", path).with("value", model);
    reading.layers.push(layer.masks_as(mask));
}
