//! Goose: `config.yaml`, in one of two shapes.
//!
//! Sources: goose's crates/goose/src/config/{base,providers,migrations}.rs and its page on the configuration files. Since
//! 1.43 the model stands in the entry of the active provider; the flat keys of before count only where there is no such
//! entry, and a file that has them alone is rewritten at the next start. Variables win, also those that are set to nothing.
//! A key that stands twice makes the file unreadable for goose's YAML reader.

use crate::core::platform::Platform;
use crate::edit::{Document, Language, Value};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, bom, found, vendor, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};

const FILE: &str = "config.yaml";
const FLAT_MODEL: &str = "GOOSE_MODEL";
const FLAT_PROVIDER: &str = "GOOSE_PROVIDER";
/// Turns the first turns of each session over to another model.
const LEAD_MODEL: &str = "GOOSE_LEAD_MODEL";
const ACTIVE: &str = "active_provider";
/// The first version that reads providers' entries.
const STRUCTURED: Version = Version(1, 43, 0);

/// Goose's names of vendors, with our preset.
const VENDORS: &[(&str, &str)] = &[
    ("openai", "openai"),
    ("anthropic", "anthropic"),
    ("google", "gemini"),
    ("openrouter", "openrouter"),
    ("groq", "groq"),
    ("xai", "xai"),
    ("mistral", "mistral"),
    ("deepseek", "deepseek"),
    ("ollama", "ollama"),
];

pub(super) struct Goose;

impl Tool for Goose {
    fn id(&self) -> &'static str {
        "goose"
    }

    fn name(&self) -> &'static str {
        "Goose"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["goose"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        // A relative root is left out of account, as goose does.
        let root = world.vars.get("GOOSE_PATH_ROOT").map(|root| (root, ToolPath::new(root)));
        if let Some((_, root)) = root.filter(|(text, root)| text.starts_with('/') || root.is_windows()) {
            return vec![Home { path: root.join("config"), moved_by: Some("GOOSE_PATH_ROOT") }];
        }
        let path = match world.platform {
            Platform::Windows => world.system_config().join("Block/goose/config"),
            Platform::Linux | Platform::Macos => world.xdg_config().join("goose"),
        };
        vec![Home { path, moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path.join(FILE))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let path = at.home.path.join(FILE);
        let document = match load(&at.world, &mut reading.files, &path, Language::Yaml) {
            Loaded::Missing => None,
            Loaded::Parsed(document, _) => Some(document),
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => {
                reading.warnings.push(Warning::new(Code::InvalidForTool, "switch-goose-broken").with("file", &path));
                reading.obstacle = Some(warning);
                None
            }
        };
        if let Some(document) = &document {
            reading.obstacle = unreadable(&path, document);
            reading.warnings.extend(bom(&path, document));
        }
        let file = File { path: &path, document: document.as_ref(), at };
        file.layers(&mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = at.home.path.join(FILE);
        let loaded = load(&at.world, &mut Vec::new(), &path, Language::Yaml);
        let file = File { path: &path, document: loaded.document(), at };
        let mut changes = Changes::default();
        if loaded.document().is_some_and(Document::has_comments) {
            changes.warnings.push(Warning::new(Code::ToolDropsComments, "switch-goose-comments").with("file", &path));
        }
        let set = |key: &[&str], value: Value| Change::value(&path, Language::Yaml, key, value).or_new();
        let text = |key: &[&str], value: &str| set(key, Value::text(value));
        if !file.is_structured() {
            changes.changes.push(text(&[FLAT_MODEL], &wanted.model));
            changes.changes.extend(wanted.provider.as_deref().map(|provider| text(&[FLAT_PROVIDER], provider)));
            if wanted.provider.is_none() && reading.effective().provider.is_none() {
                return Err(no_provider(wanted));
            }
            return Ok(changes);
        }
        let Some(provider) = wanted.provider.clone().or_else(|| reading.effective().provider) else {
            return Err(no_provider(wanted));
        };
        let is_new = file.entry(&provider).is_none();
        if wanted.provider.is_some() || file.text(&[ACTIVE]).text().is_none() {
            changes.changes.push(text(&[ACTIVE], &provider));
        }
        if is_new {
            changes.changes.push(set(&["providers", &provider, "enabled"], Value::Bool(true)));
        }
        changes.changes.push(text(&["providers", &provider, "model"], &wanted.model));
        if is_new {
            changes.changes.push(set(&["providers", &provider, "configured"], Value::Bool(true)));
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let path = at.home.path.join(FILE);
        let loaded = load(&at.world, &mut Vec::new(), &path, Language::Yaml);
        let host = |key: &str| {
            let in_file = loaded.document().and_then(|document| document.text(&[key]));
            at.world.vars.get(key).or(in_file).map(str::to_owned)
        };
        let endpoint = |&(name, preset): &(&str, &str)| {
            let mut endpoint = vendor(&at.world, name, preset);
            let is_set = |variable: &str| at.world.vars.get(variable).is_some();
            endpoint.credential = match endpoint.credential {
                _ if name == "ollama" => Credential::None,
                Credential::Variable(variable) if is_set(&variable) => Credential::Variable(variable),
                // The usual place is the system's key chain, which is not asked.
                _ => Credential::Unknown,
            };
            endpoint.base_url = host(&format!("{}_HOST", name.to_uppercase()));
            endpoint
        };
        VENDORS.iter().map(endpoint).collect()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

fn no_provider(wanted: &Wanted) -> Warning {
    Warning::new(Code::ProviderUnknown, "switch-goose-no-provider").with("model", &wanted.model)
}

/// What goose's reader refuses although it is YAML, and values that it could not use.
fn unreadable(path: &ToolPath, document: &Document) -> Option<Warning> {
    if let Some(key) = document.duplicates().into_iter().next() {
        let warning = Warning::new(Code::InvalidForTool, "switch-goose-twice");
        return Some(warning.with("file", path).with("key", key));
    }
    let is_empty = matches!(document.root().kind, crate::edit::Kind::Null);
    if !document.root().is_table() && !is_empty {
        return Some(wrong_type(path, document, &[]));
    }
    let texts: [&[&str]; 3] = [&[ACTIVE], &[FLAT_MODEL], &[FLAT_PROVIDER]];
    texts.into_iter().find(|key| found(document, key) == Found::Other).map(|key| wrong_type(path, document, key))
}

/// The file as the installed version reads it.
struct File<'a> {
    path: &'a ToolPath,
    document: Option<&'a Document>,
    at: &'a At<'a>,
}

impl File<'_> {
    fn text(&self, key: &[&str]) -> Found<'_> {
        self.document.map_or(Found::Nothing, |document| found(document, key))
    }

    fn entry(&self, provider: &str) -> Option<&crate::edit::Node> {
        self.document?.get(&["providers", provider]).filter(|node| node.is_table())
    }

    fn has(&self, key: &str) -> bool {
        self.document.is_some_and(|document| document.get(&[key]).is_some())
    }

    /// Whether the keys to set are those of the new shape: where the version reads it, and the file is not of old.
    fn is_structured(&self) -> bool {
        let is_old = self.has(FLAT_MODEL) || self.has(FLAT_PROVIDER);
        let is_new = self.has("providers") || self.has(ACTIVE);
        self.at.world.versions.is_since(STRUCTURED) && (is_new || !is_old)
    }

    /// A variable, empty ones too. Before 1.43 a value in JSON's quotes is read as JSON.
    fn variable(&self, name: &str) -> Option<(String, Place)> {
        let vars = self.at.world.vars;
        let (raw, origin) = (vars.raw(name)?, vars.origin(name)?);
        let quoted = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
        let is_json = !self.at.world.versions.is_since(STRUCTURED);
        let value = quoted.filter(|_| is_json).unwrap_or(raw);
        Some((value.to_owned(), Place::Variable { name: name.to_owned(), origin }))
    }

    fn user(&self, key: &str, model: Option<&str>) -> Layer {
        Layer::new(LayerKind::User, Place::file(self.path, key), model.map(str::to_owned))
    }

    fn layers(&self, reading: &mut Reading) {
        let reads_entries = self.at.world.versions.is_since(STRUCTURED);
        let lead = self
            .variable(LEAD_MODEL)
            .or_else(|| Some((self.text(&[LEAD_MODEL]).text()?.to_owned(), Place::file(self.path, LEAD_MODEL))));
        if let Some((model, place)) = lead.filter(|(model, _)| !model.is_empty()) {
            let warning = Warning::new(Code::MaskedByRoleOverride, "switch-goose-lead").with("value", &model);
            reading.layers.push(Layer::new(LayerKind::Role, place, Some(model)).masks_as(warning));
        }
        let mut is_emptied = false;
        if let Some((model, place)) = self.variable(FLAT_MODEL) {
            is_emptied = model.is_empty();
            if is_emptied {
                let warning = Warning::new(Code::MaskedByEnv, "switch-goose-empty").with("variable", FLAT_MODEL);
                reading.warnings.push(warning);
            }
            reading.layers.push(Layer::new(LayerKind::Env, place, Some(model).filter(|model| !model.is_empty())));
        }
        let names = if reads_entries { &[FLAT_PROVIDER, "ACTIVE_PROVIDER"][..] } else { &[FLAT_PROVIDER] };
        let exported = names.iter().find_map(|name| self.variable(name));
        let exported = exported.map(|(provider, place)| {
            reading.layers.push(Layer::new(LayerKind::Env, place, None).provider(Some(provider.clone())));
            provider
        });
        let active = self.text(&[ACTIVE]).text().filter(|_| reads_entries);
        let flat = (self.text(&[FLAT_MODEL]).text(), self.text(&[FLAT_PROVIDER]).text());
        let provider = exported.as_deref().or(active).or(flat.1);
        let keep = |layer: Layer| if is_emptied { layer.inert() } else { layer };
        let entry = provider
            .filter(|_| reads_entries)
            .and_then(|provider| Some((provider, self.text(&["providers", provider, "model"]).text()?)));
        if let Some((provider, model)) = entry {
            reading.layers.push(keep(self.user(&format!("providers.{provider}.model"), Some(model))));
        }
        if let Some(active) = active {
            reading.layers.push(self.user(ACTIVE, None).provider(Some(active.to_owned())));
        }
        self.flat(reading, flat, entry.is_some(), active.is_some(), is_emptied);
        if !reads_entries && (self.has(ACTIVE) || self.has("providers")) {
            let warning = Warning::new(Code::InertKey, "switch-goose-too-new").with("file", self.path);
            reading.warnings.push(warning.with("gate", STRUCTURED));
        }
        let has_new = self.has(ACTIVE) || self.has("providers");
        if has_new && self.at.world.versions.straddles(STRUCTURED) {
            reading.warnings.push(Warning::new(Code::VersionsDiffer, "switch-goose-versions").with("gate", STRUCTURED));
        }
    }

    /// The keys of the old shape.
    fn flat(
        &self,
        reading: &mut Reading,
        (model, provider): (Option<&str>, Option<&str>),
        has_entry: bool,
        has_active: bool,
        is_emptied: bool,
    ) {
        if model.is_none() && provider.is_none() {
            return;
        }
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let mut model_layer = self.user(FLAT_MODEL, model);
        if has_entry || is_emptied {
            model_layer = model_layer.inert();
        }
        let mut provider_layer = self.user(FLAT_PROVIDER, None).provider(owned(provider));
        if has_active {
            provider_layer = provider_layer.inert();
        }
        if has_active || has_entry {
            let names = [model.map(|_| FLAT_MODEL), provider.map(|_| FLAT_PROVIDER)];
            let unused = [has_entry, has_active];
            let names = names.into_iter().zip(unused).filter_map(|(name, is_unused)| name.filter(|_| is_unused));
            let names = names.collect::<Vec<_>>().join(", ");
            if !names.is_empty() {
                let warning = Warning::new(Code::InertKey, "switch-goose-inert").with("file", self.path);
                reading.warnings.push(warning.with("keys", names));
            }
        } else if self.at.world.versions.is_since(STRUCTURED) {
            reading.warnings.push(Warning::new(Code::LegacyShape, "switch-goose-old-shape").with("file", self.path));
        }
        if model.is_some() {
            reading.layers.push(model_layer);
        }
        if provider.is_some() {
            reading.layers.push(provider_layer);
        }
    }
}
