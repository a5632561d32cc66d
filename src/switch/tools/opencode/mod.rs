//! opencode: `opencode.jsonc`, `opencode.json` or the old `config.json`, with many places above them.
//!
//! Sources: opencode's config documentation of V1 and 1.18.33 itself, run offline on every order below. Seen there: files
//! of a project lie below the `.opencode` folders, of which the outer one wins over the inner (anomalyco/opencode#21307),
//! and `~/.opencode` over all of them; agents' markdown files are read with their folder, so the user's own outrank a
//! project's JSON; an old `mode` outranks every `agent`; a model that is set to nothing still hides the ones below;
//! references are filled in before the JSON is read; a broken file in any place stops the program.

mod sources;

use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Language, Node};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::opencode::sources::{Owner, Sources};
use crate::switch::tools::parts::{bom, duplicate, in_doubt, vendor};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const JSONC: Language = Language::Json(JsonDialect::JSONC);
const MODEL: &[&str] = &["model"];
/// The user's files, the strongest first.
const NAMES: &[&str] = &["opencode.jsonc", "opencode.json", "config.json"];

/// Names of vendors that it knows without being told, with our preset.
const VENDORS: &[(&str, &str)] = &[
    ("openai", "openai-responses"),
    ("anthropic", "anthropic"),
    ("google", "gemini"),
    ("openrouter", "openrouter"),
    ("deepseek", "deepseek"),
    ("mistral", "mistral"),
    ("groq", "groq"),
    ("xai", "xai"),
    ("togetherai", "together"),
    ("fireworks-ai", "fireworks"),
    ("cerebras", "cerebras"),
    ("deepinfra", "deepinfra"),
    ("perplexity", "perplexity"),
    ("moonshotai", "moonshot"),
    ("zai", "zai"),
];

pub(super) struct Opencode;

impl Tool for Opencode {
    fn id(&self) -> &'static str {
        "opencode"
    }

    fn name(&self) -> &'static str {
        "opencode"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["opencode"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get("XDG_CONFIG_HOME").map(|_| "XDG_CONFIG_HOME");
        vec![Home { path: world.xdg_config().join("opencode"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        NAMES.iter().any(|name| at.world.files.exists(&at.home.path.join(name)))
            || at.world.files.exists(&at.world.home.join(".local/share/opencode"))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let sources = Sources::gather(at, &mut reading.files);
        troubles(at, &sources, &mut reading);
        let agent = sources.default_agent();
        for (place, model) in sources.agent_models(at, &agent) {
            let mut layer = Layer::new(LayerKind::Role, place.clone(), Some(model.clone())).provider(provider(&model));
            if let Place::File { path, key } = &place {
                let warning = Warning::new(Code::MaskedByRoleOverride, "switch-opencode-agent").with("agent", &agent);
                layer = layer.masks_as(warning.with("file", path).with("key", key).with("value", &model));
            }
            reading.layers.push(layer);
        }
        let mut is_emptied = false;
        for source in &sources.all {
            let Some(text) = source.document.as_ref().and_then(|document| document.text(MODEL)) else { continue };
            let value = sources.filled(at, &source.folder, text);
            let model = Some(value.clone()).filter(|value| !value.is_empty());
            let is_empty = model.is_none();
            let mut layer = Layer::new(source.kind, source.place("model"), model).provider(provider(&value));
            if let Owner::Named(variable) = source.owner {
                let warning = match &source.path {
                    Some(file) => Warning::new(Code::MaskedByEnv, "switch-opencode-variable").with("file", file),
                    None => Warning::new(Code::MaskedByEnv, "switch-opencode-inline"),
                };
                layer = layer.masks_as(warning.with("variable", variable).with("value", &value));
            }
            reading.layers.push(if is_emptied { layer.inert() } else { layer });
            if is_empty && !is_emptied {
                is_emptied = true;
                if let Some(code) = source.kind.masks_with() {
                    let warning = Warning::new(code, "switch-opencode-empty");
                    reading.warnings.push(warning.with("place", source.name()).with("value", text));
                }
            }
        }
        user_files(at, &sources, &mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let sources = Sources::gather(at, &mut Vec::new());
        let mut changes = Changes::default();
        let own = sources.all.iter().filter(|source| source.owner == Owner::User);
        let defining =
            own.clone().find(|source| source.document.as_ref().is_some_and(|document| document.get(MODEL).is_some()));
        let existing = own.clone().find(|source| source.folder == at.home.path);
        let path = defining.or(existing).and_then(|source| source.path.clone());
        let path = path.unwrap_or_else(|| at.home.path.join(NAMES[0]));
        if let Some((source, document)) = defining.and_then(|source| Some((source, source.document.as_ref()?))) {
            changes.warnings.extend(duplicate(&path, document, MODEL));
            if let Some(old) = document.text(MODEL).filter(|old| sources::is_reference(old)) {
                let warning = Warning::new(Code::ValueWasReference, "switch-opencode-reference");
                changes.warnings.push(warning.with("file", source.name()).with("value", old));
            }
        }
        let (vendor, model) = spelled(reading, wanted)?;
        let custom = custom(at, &sources);
        changes.warnings.extend(doubt(reading, &custom, wanted));
        if let Some((file, key)) = sources.forbids(&vendor) {
            let warning = Warning::new(Code::ModelUnverified, "switch-opencode-disabled").with("provider", &vendor);
            changes.warnings.push(warning.with("file", file).with("key", key));
        }
        if let Some(endpoint) = custom.into_iter().find(|endpoint| endpoint.provider == vendor)
            && !VENDORS.iter().any(|(name, _)| *name == vendor)
            && !endpoint.models.is_empty()
            && !endpoint.models.iter().any(|listed| model.strip_prefix(&format!("{vendor}/")) == Some(listed))
        {
            let warning = Warning::new(Code::ModelUnverified, "switch-opencode-unlisted");
            changes.warnings.push(warning.with("provider", &vendor).with("model", &model));
        }
        changes.changes.push(Change::text(&path, JSONC, MODEL, model).or_new());
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let sources = Sources::gather(at, &mut Vec::new());
        let has_login = at.world.files.exists(&data_folder(&at.world).join("auth.json"));
        let mut endpoints = custom(at, &sources);
        for &(name, preset) in VENDORS {
            let mut own = vendor(&at.world, name, preset);
            if name == "google" && at.world.vars.get("GOOGLE_GENERATIVE_AI_API_KEY").is_some() {
                own.credential = Credential::Variable("GOOGLE_GENERATIVE_AI_API_KEY".to_owned());
            }
            // A key may lie with the logins, which are not opened.
            let is_set = matches!(&own.credential, Credential::Variable(name) if at.world.vars.get(name).is_some());
            if has_login && !is_set {
                own.credential = Credential::Unknown;
            }
            match endpoints.iter_mut().find(|endpoint| endpoint.provider == name) {
                Some(endpoint) => {
                    endpoint.dialect = endpoint.dialect.or(own.dialect);
                    endpoint.models.clear();
                    if endpoint.credential == Credential::Unknown {
                        endpoint.credential = own.credential;
                    }
                }
                None => endpoints.push(own),
            }
        }
        endpoints.retain(|endpoint| sources.forbids(&endpoint.provider).is_none());
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

/// The part before the first slash.
fn provider(model: &str) -> Option<String> {
    model.split_once('/').map(|(provider, _)| provider.to_owned())
}

fn data_folder(world: &World<'_>) -> ToolPath {
    world.folder("XDG_DATA_HOME", ".local/share").join("opencode")
}

/// What is written, with the provider of it. A name with a slash is whole; before one without stands the provider that is
/// named, else the present one.
fn spelled(reading: &Reading, wanted: &Wanted) -> Result<(String, String), Warning> {
    if let (None, Some(name)) = (&wanted.provider, provider(&wanted.model)) {
        return Ok((name, wanted.model.clone()));
    }
    let present = || present(reading).and_then(|layer| layer.provider.clone());
    match wanted.provider.clone().or_else(present).or_else(|| reading.effective().provider) {
        Some(name) => Ok((name.clone(), format!("{name}/{}", wanted.model))),
        None => {
            let warning = Warning::new(Code::ProviderUnknown, "switch-opencode-no-provider");
            Err(warning.with("model", &wanted.model))
        }
    }
}

/// Where the provider that is kept stands: in the user's own files, else wherever decides.
fn present(reading: &Reading) -> Option<&Layer> {
    let own = |layer: &&Layer| matches!(layer.kind, LayerKind::User | LayerKind::OtherUser) && layer.provider.is_some();
    reading.layers.iter().find(own).or_else(|| reading.decider().filter(|layer| layer.provider.is_some()))
}

/// Whether a name that was given whole may have been meant as a model of the present provider.
fn doubt(reading: &Reading, custom: &[ToolEndpoint], wanted: &Wanted) -> Option<Warning> {
    let present = present(reading)?;
    let own = present.provider.as_deref()?;
    let model = present.model.as_deref()?.strip_prefix(own)?.strip_prefix('/')?;
    let listed = custom.iter().filter(|endpoint| endpoint.provider == own).flat_map(|endpoint| &endpoint.models);
    let models: Vec<&str> = listed.map(String::as_str).chain([model]).collect();
    let is_known = |name: &str| {
        VENDORS.iter().any(|(known, _)| *known == name) || custom.iter().any(|endpoint| endpoint.provider == name)
    };
    in_doubt("opencode", wanted, own, &models, is_known)
}

/// What keeps it from starting. A broken file in any place that is looked at does.
fn troubles(at: &At<'_>, sources: &Sources, reading: &mut Reading) {
    for source in &sources.all {
        let trouble = match &source.document {
            Some(document) => {
                if let Some(path) = &source.path {
                    reading.warnings.extend(bom(path, document));
                }
                sources::misshapen(source, document)
            }
            None => source.trouble.clone(),
        };
        let Some(trouble) = trouble else { continue };
        let fatal = Warning::new(Code::FatalForTool, "switch-opencode-fatal").with("place", source.name());
        reading.warnings.push(fatal);
        if source.owner == Owner::User && source.folder == at.home.path {
            reading.obstacle.get_or_insert(trouble);
        } else {
            reading.warnings.push(trouble);
            reading.start = Start::Never;
        }
    }
}

/// Several files of the user's own, and those whose model does not count.
fn user_files(at: &At<'_>, sources: &Sources, reading: &mut Reading) {
    let own: Vec<_> = sources.all.iter().filter(|source| source.owner == Owner::User).collect();
    let names: Vec<String> = own.iter().filter(|source| source.folder == at.home.path).map(|own| own.name()).collect();
    if names.len() > 1 {
        let warning = Warning::new(Code::MultipleConfigFiles, "switch-opencode-several");
        reading.warnings.push(warning.with("files", names.join(", ")).with("first", &names[0]));
    }
    let with_model = own.iter().filter(|source| source.document.as_ref().is_some_and(|own| own.get(MODEL).is_some()));
    let mut with_model = with_model.map(|source| source.name());
    let Some(first) = with_model.next() else { return };
    for other in with_model {
        let warning = Warning::new(Code::OtherFileMasked, "switch-opencode-other");
        reading.warnings.push(warning.with("file", other).with("first", &first));
    }
}

/// The providers that its files describe.
fn custom(at: &At<'_>, sources: &Sources) -> Vec<ToolEndpoint> {
    let mut names: Vec<String> = Vec::new();
    for document in sources.documents() {
        let table = document.get(&["provider"]).map(Node::entries).unwrap_or_default();
        for entry in table {
            if !names.contains(&entry.key) {
                names.push(entry.key.clone());
            }
        }
    }
    names.into_iter().map(|name| endpoint(at, sources, name)).collect()
}

fn endpoint(at: &At<'_>, sources: &Sources, name: String) -> ToolEndpoint {
    let text = |path: &[&str]| {
        let path = [&["provider", &name], path].concat();
        sources.documents().find_map(|document| Some(document.text(&path)?.to_owned()))
    };
    let dialect = text(&["npm"]).and_then(|npm| match npm.as_str() {
        "@ai-sdk/openai-compatible" => Some(Dialect::OpenaiChat),
        "@ai-sdk/openai" => Some(Dialect::OpenaiResponses),
        "@ai-sdk/anthropic" => Some(Dialect::AnthropicMessages),
        "@ai-sdk/google" => Some(Dialect::Gemini),
        _ => None,
    });
    let key = text(&["options", "apiKey"]);
    let variable = key.as_deref().and_then(|key| key.strip_prefix("{env:")?.strip_suffix('}'));
    let credential = match (&key, variable) {
        (Some(_), Some(variable)) => Credential::Variable(variable.to_owned()),
        (Some(_), None) => Credential::InFile,
        (None, _) => Credential::Unknown,
    };
    let listed = |document: &Document| -> Vec<String> {
        let models = document.get(&["provider", &name, "models"]).map(Node::entries).unwrap_or_default();
        models.iter().map(|entry| entry.key.clone()).collect()
    };
    let models = sources.documents().flat_map(listed).collect();
    let base_url = text(&["options", "baseURL"]).map(|base| sources.filled(at, &at.home.path, &base));
    ToolEndpoint { provider: name, base_url, dialect, credential, models }
}
