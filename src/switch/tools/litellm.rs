//! LiteLLM's proxy: a YAML file that it is started with, which gives public names to groups of models.
//!
//! Sources: LiteLLM's pages "Config.yaml" and "File Management"; the proxy's and router's source in 1.81.10. Names are
//! matched exactly. An alias of `router_settings.model_group_alias` is looked up once, before the groups. Included files
//! are read after the file: their lists are appended to its own, and any other key of theirs takes the place of its own.

use crate::edit::{Document, Kind, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, SeenFile, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{bom, vendor};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const ALIASES: &[&str] = &["router_settings", "model_group_alias"];
const REFERENCE: &str = "os.environ/";

pub(super) struct Litellm;

impl Tool for Litellm {
    fn id(&self) -> &'static str {
        "litellm"
    }

    fn name(&self) -> &'static str {
        "LiteLLM proxy"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["litellm"]
    }

    fn takes_file(&self) -> bool {
        true
    }

    fn homes(&self, _: &World<'_>) -> Vec<Home> {
        Vec::new()
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let config = match Config::gather(at, &mut reading.files) {
            Ok(config) => config,
            Err(trouble) => {
                let fatal = Warning::new(Code::FatalForTool, "switch-litellm-fatal").with("file", &at.home.path);
                reading.warnings.push(fatal);
                reading.obstacle = Some(trouble);
                return reading;
            }
        };
        reading.warnings.extend(config.texts.iter().filter_map(|(path, document)| bom(path, document)));
        for trouble in &config.missing {
            reading.warnings.push(trouble.clone());
            reading.start = Start::Never;
        }
        if config.uses_database(at) {
            reading.warnings.push(Warning::new(Code::ModelsMayComeFromDb, "switch-litellm-database"));
        }
        let groups = config.groups(at);
        for alias in config.aliases() {
            let target = groups.iter().find(|group| group.name == alias.group);
            let layer =
                Layer::new(LayerKind::User, Place::file(alias.path, alias.key.join(".")), Some(alias.group.clone()));
            let provider = target.and_then(|group| provider(&group.model));
            reading.layers.push(layer.provider(provider).named(&alias.name));
        }
        for group in &groups {
            let is_hidden = config.aliases().iter().any(|alias| alias.name == group.name);
            let place = Place::file(group.path, group.key.join("."));
            let layer = Layer::new(LayerKind::User, place, Some(group.model.clone()));
            let layer = layer.provider(provider(&group.model)).named(&group.name);
            reading.layers.push(if is_hidden { layer.inert() } else { layer });
            reading.aliases.push((group.name.clone(), group.model.clone()));
        }
        reading.asked = only_name(&config.aliases(), &groups).ok();
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let config = Config::gather(at, &mut Vec::new())?;
        let (aliases, groups) = (config.aliases(), config.groups(at));
        let name = match &wanted.alias {
            Some(alias) => alias.clone(),
            None => only_name(&aliases, &groups)?,
        };
        let spelled = match &wanted.provider {
            Some(provider) => format!("{provider}/{}", wanted.model),
            None => wanted.model.clone(),
        };
        if let Some(alias) = aliases.iter().find(|alias| alias.name == name) {
            let named = groups.iter().find(|group| wanted.provider.is_none() && group.name == wanted.model);
            let holding = groups.iter().find(|group| group.model == spelled || group.model == wanted.model);
            let Some(group) = named.or(holding) else {
                let warning = Warning::new(Code::ProviderUnknown, "switch-litellm-no-group").with("model", &spelled);
                return Err(warning.with("name", &name).with("file", alias.path));
            };
            let key: Vec<&str> = alias.key.iter().map(String::as_str).collect();
            let change = Change::text(alias.path, Language::Yaml, &key, &group.name);
            return Ok(Changes { changes: vec![change], warnings: Vec::new() });
        }
        let mut own = groups.iter().filter(|group| group.name == name);
        let Some(group) = own.next() else {
            let warning = Warning::new(Code::ProviderUnknown, "switch-litellm-no-name").with("name", &name);
            return Err(warning.with("names", names(&aliases, &groups)));
        };
        let others = own.count();
        if others > 0 {
            let warning = Warning::new(Code::AmbiguousTarget, "switch-litellm-balanced").with("name", &name);
            return Err(warning.with("count", others + 1).with("file", group.path));
        }
        let mut warnings = Vec::new();
        if group.written.starts_with(REFERENCE) {
            let warning = Warning::new(Code::ValueWasReference, "switch-litellm-reference");
            warnings.push(warning.with("value", &group.written).with("name", &name));
        }
        let own_base = group.has_base && wanted.provider.is_some() && provider(&group.model) != wanted.provider;
        if own_base {
            let warning = Warning::new(Code::ModelUnverified, "switch-litellm-base");
            warnings.push(warning.with("name", &name).with("provider", wanted.provider.as_deref().unwrap_or_default()));
        }
        let key: Vec<&str> = group.key.iter().map(String::as_str).collect();
        let changes = vec![Change::text(group.path, Language::Yaml, &key, spelled)];
        Ok(Changes { changes, warnings })
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let Ok(config) = Config::gather(at, &mut Vec::new()) else { return Vec::new() };
        let mut endpoints: Vec<ToolEndpoint> = Vec::new();
        for group in config.groups(at) {
            let Some((prefix, model)) = group.model.split_once('/') else { continue };
            if let Some(known) = endpoints.iter_mut().find(|endpoint| endpoint.provider == prefix) {
                known.models.push(model.to_owned());
                continue;
            }
            let mut endpoint = vendor(&at.world, prefix, prefix);
            endpoint.base_url = group.base.clone();
            if let Some(credential) = &group.credential {
                endpoint.credential = credential.clone();
            }
            endpoint.models = vec![model.to_owned()];
            endpoints.push(endpoint);
        }
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

/// The vendor's prefix of a name as LiteLLM writes it.
fn provider(model: &str) -> Option<String> {
    model.split_once('/').map(|(provider, _)| provider.to_owned())
}

/// The one public name that can be meant when none is named.
fn only_name(aliases: &[Alias<'_>], groups: &[Group<'_>]) -> Result<String, Warning> {
    let mut own: Vec<&str> = aliases.iter().map(|alias| alias.name.as_str()).collect();
    if own.is_empty() {
        own = groups.iter().map(|group| group.name.as_str()).collect();
        own.dedup();
    }
    match own[..] {
        [name] => Ok(name.to_owned()),
        _ => {
            let warning = Warning::new(Code::AmbiguousTarget, "switch-litellm-which");
            Err(warning.with("names", names(aliases, groups)))
        }
    }
}

fn names(aliases: &[Alias<'_>], groups: &[Group<'_>]) -> String {
    let all = aliases.iter().map(|alias| &alias.name).chain(groups.iter().map(|group| &group.name));
    let mut names: Vec<&str> = Vec::new();
    for name in all {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// A public name for a group.
struct Alias<'a> {
    name: String,
    group: String,
    path: &'a ToolPath,
    key: Vec<String>,
}

/// One entry of a list of models.
struct Group<'a> {
    name: String,
    /// The model, references filled in.
    model: String,
    written: String,
    path: &'a ToolPath,
    key: Vec<String>,
    base: Option<String>,
    has_base: bool,
    credential: Option<Credential>,
}

/// The file and those that it includes.
struct Config {
    texts: Vec<(ToolPath, Document)>,
    /// Included files that are not there or broken: the proxy does not start.
    missing: Vec<Warning>,
}

impl Config {
    fn gather(at: &At<'_>, files: &mut Vec<SeenFile>) -> Result<Self, Warning> {
        let path = at.home.path.clone();
        let document = match load(&at.world, files, &path, Language::Yaml) {
            Loaded::Missing => return Err(Warning::new(Code::StorageNotInFile, "switch-no-file").with("file", &path)),
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => return Err(warning),
            Loaded::Parsed(document, _) => document,
        };
        let includes: Vec<ToolPath> = document
            .get(&["include"])
            .map(Node::items)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| Some(path.parent()?.join(item.as_text()?)))
            .collect();
        let mut config = Self { texts: vec![(path, document)], missing: Vec::new() };
        for path in includes {
            match load(&at.world, files, &path, Language::Yaml) {
                Loaded::Parsed(document, _) => config.texts.push((path, document)),
                Loaded::Broken(warning) | Loaded::Unreadable(warning) => config.missing.push(warning),
                Loaded::Missing => {
                    let warning = Warning::new(Code::FatalForTool, "switch-litellm-include").with("file", path);
                    config.missing.push(warning);
                }
            }
        }
        Ok(config)
    }

    /// The last file that has a key which is no list, and its value.
    fn last(&self, key: &str) -> Option<(&ToolPath, &Node)> {
        self.texts.iter().rev().find_map(|(path, document)| Some((path, document.get(&[key])?)))
    }

    fn uses_database(&self, at: &At<'_>) -> bool {
        let node = self.last("general_settings").and_then(|(_, node)| node.child("store_model_in_db"));
        let exported = at.world.vars.get("STORE_MODEL_IN_DB").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        node.and_then(Node::as_bool).unwrap_or(false) || exported
    }

    fn aliases(&self) -> Vec<Alias<'_>> {
        let Some((path, node)) = self.last(ALIASES[0]) else { return Vec::new() };
        let entries = node.child(ALIASES[1]).map(Node::entries).unwrap_or_default();
        let alias = |entry: &crate::edit::Entry| {
            let mut key: Vec<String> = ALIASES.iter().map(|&key| key.to_owned()).collect();
            key.push(entry.key.clone());
            let group = match &entry.value.kind {
                Kind::Text(group) => group.clone(),
                _ => {
                    key.push("model".to_owned());
                    entry.value.child("model")?.as_text()?.to_owned()
                }
            };
            Some(Alias { name: entry.key.clone(), group, path, key })
        };
        entries.iter().filter_map(alias).collect()
    }

    fn groups(&self, at: &At<'_>) -> Vec<Group<'_>> {
        let mut groups = Vec::new();
        for (path, document) in &self.texts {
            for (number, node) in document.get(&["model_list"]).map(Node::items).unwrap_or_default().iter().enumerate()
            {
                let param = |key: &str| node.child("litellm_params")?.child(key)?.as_text();
                let (Some(name), Some(model)) = (node.child("model_name").and_then(Node::as_text), param("model"))
                else {
                    continue;
                };
                let variable = |text: &str| text.strip_prefix(REFERENCE).map(str::to_owned);
                let filled = |text: &str| match text.strip_prefix(REFERENCE) {
                    Some(variable) => self.variable(at, variable).unwrap_or_else(|| text.to_owned()),
                    None => text.to_owned(),
                };
                let credential = param("api_key").map(|key| match variable(key) {
                    Some(name) if self.variable(at, &name).is_some() && at.world.vars.get(&name).is_none() => {
                        Credential::InFile
                    }
                    Some(name) => Credential::Variable(name),
                    None => Credential::InFile,
                });
                let key = ["model_list", &number.to_string(), "litellm_params", "model"].map(str::to_owned).to_vec();
                groups.push(Group {
                    name: name.to_owned(),
                    model: filled(model),
                    written: model.to_owned(),
                    path,
                    key,
                    base: param("api_base").map(filled),
                    has_base: param("api_base").is_some(),
                    credential,
                });
            }
        }
        groups
    }

    /// A variable, which the file may set too.
    fn variable(&self, at: &At<'_>, name: &str) -> Option<String> {
        let in_file = self.last("environment_variables").and_then(|(_, node)| node.child(name)?.as_text());
        in_file.or_else(|| at.world.vars.get(name)).map(str::to_owned)
    }
}
