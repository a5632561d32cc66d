//! aider: `.aider.conf.yml`, outranked by every `AIDER_MODEL` that its environment and its `.env` files set.
//!
//! Sources: aider 0.86.2's `main.py`, `args.py` and `deprecated.py`, and the argument parser that it uses, which was run
//! on each form below. Seen there: a variable that is set to nothing still keeps the files' model from being read; a file
//! without any key stops the program, as does one that is broken, in whichever of the three folders it lies; `set-env`
//! comes too late for the model; the `.env` of the git root is read last, as the default of `--env-file`.

mod sources;

use crate::edit::{Kind, Language};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::aider::sources::{Setting, Sources, Yaml};
use crate::switch::tools::parts::{bom, duplicate, misleads, vendor, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const FILE: &str = ".aider.conf.yml";
const MODEL: &[&str] = &["model"];
const VARIABLE: &str = "AIDER_MODEL";

/// Switches that once named a model, in the order in which they are looked at; they count while no model is set.
const OLD_SWITCHES: &[(&str, &str)] = &[
    ("opus", "claude-3-opus-20240229"),
    ("sonnet", "anthropic/claude-3-7-sonnet-20250219"),
    ("haiku", "claude-3-5-haiku-20241022"),
    ("4", "gpt-4-0613"),
    ("4o", "gpt-4o"),
    ("mini", "gpt-4o-mini"),
    ("4-turbo", "gpt-4-1106-preview"),
    ("35turbo", "gpt-3.5-turbo"),
    ("deepseek", "deepseek/deepseek-chat"),
    ("o1-mini", "o1-mini"),
    ("o1-preview", "o1-preview"),
];

/// Names that aider itself gives to models: another meaning of one of them surprises.
const OWN_ALIASES: &[&str] = &[
    "sonnet",
    "haiku",
    "opus",
    "4",
    "4o",
    "4-turbo",
    "35turbo",
    "35-turbo",
    "3",
    "deepseek",
    "flash",
    "flash-lite",
    "quasar",
    "r1",
    "gemini",
    "gemini-exp",
    "grok3",
    "optimus",
];

/// Prefixes of model names, with our preset of the vendor. Others are possible; these have a key variable that we know.
const VENDORS: &[(&str, &str)] = &[
    ("openai", "openai"),
    ("anthropic", "anthropic"),
    ("gemini", "gemini"),
    ("deepseek", "deepseek"),
    ("openrouter", "openrouter"),
    ("mistral", "mistral"),
    ("groq", "groq"),
    ("xai", "xai"),
    ("together_ai", "together"),
    ("fireworks_ai", "fireworks"),
    ("cerebras", "cerebras"),
    ("deepinfra", "deepinfra"),
    ("perplexity", "perplexity"),
];

/// Usual names of vendors that are no prefix, with the prefix.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("google", "gemini"),
    ("x-ai", "xai"),
    ("together", "together_ai"),
    ("togetherai", "together_ai"),
    ("fireworks", "fireworks_ai"),
    ("fireworks-ai", "fireworks_ai"),
    ("mistralai", "mistral"),
    ("moonshotai", "moonshot"),
    ("azure-openai", "azure"),
    ("lmstudio", "lm_studio"),
    ("lm-studio", "lm_studio"),
];

pub(super) struct Aider;

impl Tool for Aider {
    fn id(&self) -> &'static str {
        "aider"
    }

    fn name(&self) -> &'static str {
        "aider"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["aider"]
    }

    fn takes_file(&self) -> bool {
        true
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        vec![Home { path: world.home.clone(), moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&users_file(at))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let sources = Sources::gather(at, &users_file(at), &mut reading.files);
        troubles(&sources, &mut reading);
        models(&sources, &mut reading);
        old_switches(&sources, &mut reading);
        too_late(&sources, &mut reading);
        reading.aliases = sources.aliases();
        remapped(&mut reading);
        provider(&mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let path = users_file(at);
        let sources = Sources::gather(at, &path, &mut Vec::new());
        let mut changes = Changes::default();
        if let Some(Yaml { document: Some(document), .. }) = sources.yamls.iter().find(|yaml| yaml.path == path) {
            changes.warnings.extend(duplicate(&path, document, MODEL));
        }
        changes.changes.push(Change::text(&path, Language::Yaml, MODEL, spelled(wanted)).or_new());
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let sources = Sources::gather(at, &users_file(at), &mut Vec::new());
        let endpoint = |&(prefix, preset): &(&str, &str)| {
            let mut endpoint = vendor(&at.world, prefix, preset);
            let variable = match &endpoint.credential {
                Credential::Variable(name) => name.clone(),
                _ => String::new(),
            };
            if sources.holds_key(prefix, &variable) {
                endpoint.credential = Credential::InFile;
            } else if prefix == "openrouter" && at.world.files.exists(&at.world.home.join(".aider/oauth-keys.env")) {
                endpoint.credential = Credential::OwnLogin;
            }
            if prefix == "openai" {
                endpoint.base_url = sources.openai_base();
            }
            endpoint
        };
        VENDORS.iter().map(endpoint).collect()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

/// The user's own file: the one it is started with, else the one in the home folder.
fn users_file(at: &At<'_>) -> ToolPath {
    if at.home.path == *at.world.home { at.home.path.join(FILE) } else { at.home.path.clone() }
}

/// The name as litellm reads it: the vendor's prefix, then the model, opaque as it is.
fn spelled(wanted: &Wanted) -> String {
    let Some(provider) = &wanted.provider else { return wanted.model.clone() };
    let prefix = OTHER_NAMES.iter().find(|(name, _)| name == provider).map_or(provider.as_str(), |(_, prefix)| prefix);
    format!("{prefix}/{}", wanted.model)
}

/// What keeps it from starting.
fn troubles(sources: &Sources, reading: &mut Reading) {
    for yaml in &sources.yamls {
        let fatal = || Warning::new(Code::FatalForTool, "switch-aider-fatal").with("file", &yaml.path);
        let Some(document) = &yaml.document else {
            let Some(trouble) = &yaml.trouble else { continue };
            reading.warnings.push(fatal());
            if yaml.is_users() {
                reading.obstacle = Some(trouble.clone());
            } else {
                reading.warnings.push(trouble.clone());
                reading.start = Start::Never;
            }
            continue;
        };
        reading.warnings.extend(bom(&yaml.path, document));
        match document.root().kind {
            Kind::Table(_) => {}
            Kind::Null => {
                let text = "switch-aider-no-keys";
                reading.warnings.push(Warning::new(Code::FatalForTool, text).with("file", &yaml.path));
                reading.start = Start::Never;
            }
            _ => {
                reading.warnings.push(fatal());
                let wrong = wrong_type(&yaml.path, document, &[]);
                if yaml.is_users() {
                    reading.obstacle = Some(wrong);
                } else {
                    reading.warnings.push(wrong);
                    reading.start = Start::Never;
                }
            }
        }
        if yaml.model() == Some(Setting::Wrong) {
            let wrong = wrong_type(&yaml.path, document, MODEL);
            reading.warnings.push(fatal());
            if yaml.is_users() {
                reading.obstacle = Some(wrong);
            } else {
                reading.warnings.push(wrong);
                reading.start = Start::Never;
            }
        }
    }
}

/// The places that set the model. The first that sets it at all decides, be it to nothing.
fn models(sources: &Sources, reading: &mut Reading) {
    let mut is_emptied = false;
    let exported = sources.exported(VARIABLE);
    for (path, value) in sources.dotenv(VARIABLE) {
        let key = Place::file(path, VARIABLE);
        let mut layer = layer(LayerKind::Dotenv, key, &value);
        let own = |text| Warning::new(Code::MaskedByDotenv, text).with("file", path).with("value", &value);
        layer = layer.masks_as(match exported {
            Some((exported, _)) => own("switch-aider-dotenv-over-shell").with("exported", exported),
            None => own("switch-aider-dotenv"),
        });
        push(reading, layer, &mut is_emptied, value.is_empty().then(|| own("switch-aider-dotenv-empty")));
    }
    if let Some((value, origin)) = exported {
        let layer = layer(LayerKind::Env, Place::Variable { name: VARIABLE.to_owned(), origin }, value);
        let empty = value.is_empty().then(|| Warning::new(Code::MaskedByEnv, "switch-aider-variable-empty"));
        push(reading, layer, &mut is_emptied, empty);
    }
    for yaml in &sources.yamls {
        let Some(Setting::Text(value)) = yaml.model() else { continue };
        let layer = layer(yaml.kind, Place::file(&yaml.path, "model"), &value);
        let text = "switch-aider-file-empty";
        let empty = (value.is_empty() && !yaml.is_users())
            .then(|| Warning::new(Code::MaskedByProjectFile, text).with("file", &yaml.path));
        push(reading, layer, &mut is_emptied, empty);
    }
}

fn layer(kind: LayerKind, place: Place, value: &str) -> Layer {
    Layer::new(kind, place, Some(value.to_owned()).filter(|value| !value.is_empty()))
}

/// Adds a layer. Below one that sets the model to nothing, none counts.
fn push(reading: &mut Reading, layer: Layer, is_emptied: &mut bool, empty: Option<Warning>) {
    let (sets_nothing, is_first) = (layer.model.is_none(), reading.layers.is_empty());
    reading.layers.push(if *is_emptied { layer.inert() } else { layer });
    if sets_nothing && !*is_emptied {
        *is_emptied = true;
        reading.warnings.extend(empty.filter(|_| is_first));
    }
}

/// `sonnet: true` and its like.
fn old_switches(sources: &Sources, reading: &mut Reading) {
    let is_model_set = reading.layers.iter().any(|layer| layer.is_active && layer.model.is_some());
    let mut is_first = true;
    for (name, model) in OLD_SWITCHES {
        let Some((kind, place)) = sources.switch(name) else { continue };
        let file = match &place {
            Place::File { path, .. } => path.to_string(),
            Place::Variable { name, .. } => name.clone(),
        };
        let layer = Layer::new(kind, place, Some((*model).to_owned()));
        let (code, text) = if is_model_set {
            (Code::InertKey, "switch-aider-switch-inert")
        } else {
            (Code::LegacyShape, "switch-aider-switch")
        };
        let warning = Warning::new(code, text).with("key", name).with("file", file).with("value", model);
        reading.warnings.push(warning);
        reading.layers.push(if is_model_set || !is_first { layer.inert() } else { layer });
        is_first = false;
    }
}

/// `set-env` is carried out after the model was chosen.
fn too_late(sources: &Sources, reading: &mut Reading) {
    for (yaml, value) in sources.set_env(VARIABLE) {
        let place = Place::file(&yaml.path, "set-env");
        reading.layers.push(Layer::new(yaml.kind, place, Some(value.to_owned())).inert());
        let warning = Warning::new(Code::InertKey, "switch-aider-set-env");
        reading.warnings.push(warning.with("file", &yaml.path).with("value", value));
    }
}

/// A model's name that stands for something else than one would think.
fn remapped(reading: &mut Reading) {
    let effective = reading.effective();
    let (Some(name), Some(target)) = (effective.model, effective.resolves_to) else { return };
    if misleads(&name, &target, OWN_ALIASES) {
        let warning = Warning::new(Code::AliasRemapped, "switch-aider-alias");
        reading.warnings.push(warning.with("name", name).with("value", target));
    }
}

/// The provider is a part of the deciding model's name, or of what the name stands for.
fn provider(reading: &mut Reading) {
    let effective = reading.effective();
    let (Some(layer), Some(model)) = (effective.decided_by, effective.resolves_to.or(effective.model)) else { return };
    reading.layers[layer].provider = model.split_once('/').map(|(prefix, _)| prefix.to_owned());
}
