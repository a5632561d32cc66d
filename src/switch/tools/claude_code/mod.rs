//! Claude Code (anthropics/claude-code): `settings.json` in `~/.claude`, strict JSON, with an `env` block that goes before
//! the shell.
//!
//! Sources: documentation pages on settings, environment variables, model configuration and managed settings; the
//! project's CHANGELOG. Marked "seen": which model 2.1.332 asked a server on this machine for, in print mode on Linux.

mod settings;

use crate::core::target::Dialect;
use crate::edit::{JsonDialect, Language};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};
use settings::Known;

const FILE: &str = "settings.json";
/// `JSON.parse`, and a byte order mark is read over (seen; the desktop app ignores such a file: issue #81355).
const JSON: Language = Language::Json(JsonDialect::STRICT.with_bom());
const MODEL: &str = "ANTHROPIC_MODEL";
const DEFAULT_MODEL: &str = "ANTHROPIC_DEFAULT_MODEL";
/// `ANTHROPIC_DEFAULT_MODEL` is looked at: CHANGELOG.
const HAS_DEFAULT_MODEL: Version = Version(2, 1, 236);
/// Each family's alias with the variable that maps it.
const FAMILIES: [(&str, &str); 4] = [
    ("haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL"),
    ("sonnet", "ANTHROPIC_DEFAULT_SONNET_MODEL"),
    ("opus", "ANTHROPIC_DEFAULT_OPUS_MODEL"),
    ("fable", "ANTHROPIC_DEFAULT_FABLE_MODEL"),
];
/// The back ends other than Anthropic's own interface, with the switch of each.
const CLOUDS: [(&str, &str); 4] = [
    ("bedrock", "CLAUDE_CODE_USE_BEDROCK"),
    ("vertex", "CLAUDE_CODE_USE_VERTEX"),
    ("foundry", "CLAUDE_CODE_USE_FOUNDRY"),
    ("mantle", "CLAUDE_CODE_USE_MANTLE"),
];
const OWN: &str = "anthropic";

pub(super) struct ClaudeCode;

impl Tool for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get("CLAUDE_CONFIG_DIR").map(|_| "CLAUDE_CONFIG_DIR");
        vec![Home { path: world.folder("CLAUDE_CONFIG_DIR", ".claude"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        let state = at.world.home.join(".claude.json");
        at.world.files.exists(&at.home.path) || (at.home.moved_by.is_none() && at.world.files.exists(&state))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading { start: Start::Skipping, ..Reading::default() };
        let known = Known::load(at, &mut reading);
        reading.fallback.provider = Some(known.provider().to_owned());
        variable_layers(&known, MODEL, true, &mut reading);
        for file in &known.files {
            let model = file.document.text(&["model"]).map(str::trim).filter(|model| !model.is_empty());
            if let Some(model) = model {
                let place = Place::file(&file.path, "model");
                reading.layers.push(Layer::new(file.kind, place, Some(model.to_owned())));
            }
        }
        let decides_before = reading.decider().is_some();
        let is_known = at.world.versions.is_since(HAS_DEFAULT_MODEL);
        variable_layers(&known, DEFAULT_MODEL, is_known, &mut reading);
        let is_last = reading.layers.last().is_some_and(|layer| key_of(layer).ends_with(DEFAULT_MODEL));
        if !decides_before && is_last && at.world.versions.straddles(HAS_DEFAULT_MODEL) {
            let warning = Warning::new(Code::VersionsDiffer, "switch-claude-versions");
            reading.warnings.push(warning.with("gate", HAS_DEFAULT_MODEL));
        }
        note_inert(&known, is_known, &mut reading);
        known.note_lists(&mut reading);
        note_aliases(&known, &mut reading);
        known.note_credentials(&mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let known = Known::load(at, &mut Reading::default());
        let provider = known.provider();
        if let Some(other) = wanted.provider.as_deref().filter(|other| *other != provider) {
            let warning = Warning::new(Code::ProviderUnknown, "switch-claude-provider");
            return Err(warning.with("wanted", other).with("present", provider));
        }
        let file = user_file(at);
        let user = known.user();
        let own = |name: &str| user.filter(|_| !known.is_hosted).and_then(|user| user.variable(name));
        let is_set = |name: &str| own(name).is_some_and(|value| !value.is_empty());
        let has_model = user.is_some_and(|user| user.document.text(&["model"]).is_some_and(|model| !model.is_empty()));
        let mut warnings = Vec::new();
        let path: &[&str] = if is_set(MODEL) {
            let is_exported = at.world.vars.get(MODEL).is_some();
            let text = if is_exported { "switch-claude-env-block-exported" } else { "switch-claude-env-block" };
            warnings.push(Warning::new(Code::DecidedByEnvBlock, text).with("file", &file));
            &["env", MODEL]
        } else if !has_model && is_set(DEFAULT_MODEL) && at.world.versions.is_since(HAS_DEFAULT_MODEL) {
            warnings.push(Warning::new(Code::DecidedByEnvBlock, "switch-claude-env-default").with("file", &file));
            &["env", DEFAULT_MODEL]
        } else {
            &["model"]
        };
        if let Some(user) = user {
            warnings.extend(parts::duplicate(&file, &user.document, path));
        }
        warnings.extend(known.remapped(&wanted.model));
        warnings.extend(foreign_shape(&known, &wanted.model));
        let change = Change::text(&file, JSON, path, &wanted.model).or_new();
        Ok(Changes { changes: vec![change], warnings })
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let known = Known::load(at, &mut Reading::default());
        let provider = known.provider();
        if provider != OWN {
            let credential = Credential::Unknown;
            let provider = provider.to_owned();
            return vec![ToolEndpoint { provider, base_url: None, dialect: None, credential, models: Vec::new() }];
        }
        let set = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"].into_iter().find_map(|name| {
            let (value, file) = known.variable(name)?;
            let credential = match file {
                Some(_) => Credential::InFile,
                None => Credential::Variable(name.to_owned()),
            };
            (!value.is_empty()).then_some(credential)
        });
        let has_helper = known.files.iter().any(|file| file.document.get(&["apiKeyHelper"]).is_some());
        let has_login = at.world.files.exists(&at.home.path.join(".credentials.json"));
        let credential = match set {
            Some(credential) => credential,
            None if has_login && !has_helper => Credential::OwnLogin,
            // A helper command or the key chain, neither of which is asked.
            None => Credential::Unknown,
        };
        let base_url = known.variable("ANTHROPIC_BASE_URL").map(|(url, _)| url).filter(|url| !url.is_empty());
        let dialect = Some(Dialect::AnthropicMessages);
        vec![ToolEndpoint { provider: OWN.to_owned(), base_url, dialect, credential, models: Vec::new() }]
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

fn user_file(at: &At<'_>) -> ToolPath {
    at.home.path.join(FILE)
}

fn key_of(layer: &Layer) -> &str {
    match &layer.place {
        Place::File { key, .. } => key,
        Place::Variable { name, .. } => name,
    }
}

/// The layers of a variable: the strongest file that has it counts, even empty, and then not the shell (seen).
fn variable_layers(known: &Known<'_>, name: &str, is_known: bool, reading: &mut Reading) {
    let mut is_open = is_known;
    for file in &known.files {
        let Some(value) = file.variable(name) else { continue };
        let counts = is_open && !known.is_hosted;
        is_open &= known.is_hosted;
        if value.is_empty() {
            continue;
        }
        let kind = if file.kind == LayerKind::User { LayerKind::EnvBlock } else { file.kind };
        let layer = Layer::new(kind, Place::file(&file.path, format!("env.{name}")), Some(value));
        reading.layers.push(if counts { layer } else { layer.inert() });
    }
    if let Some(layer) = parts::variable(&known.at.world, name) {
        reading.layers.push(if is_open { layer } else { layer.inert() });
    }
}

/// Entries of the user's `env` block that look as if they named the model.
fn note_inert(known: &Known<'_>, has_default_model: bool, reading: &mut Reading) {
    let Some(user) = known.user() else { return };
    let is_set = |name: &str| user.variable(name).is_some_and(|value| !value.is_empty());
    for name in [MODEL, DEFAULT_MODEL].into_iter().filter(|name| is_set(name)) {
        let text = if known.is_hosted {
            "switch-claude-hosted"
        } else if name == DEFAULT_MODEL && !has_default_model {
            "switch-claude-no-default-model"
        } else {
            continue;
        };
        let warning = Warning::new(Code::InertKey, text).with("name", name).with("file", &user.path);
        reading.warnings.push(warning.with("gate", HAS_DEFAULT_MODEL));
    }
}

/// What the aliases among the named models stand for, and whether that is a surprise.
fn note_aliases(known: &Known<'_>, reading: &mut Reading) {
    for layer in &reading.layers {
        if let Some(model) = &layer.model
            && let Some((target, ..)) = known.resolve(model)
        {
            reading.aliases.push((model.clone(), target));
        }
    }
    let remapped = reading.effective().model.and_then(|model| known.remapped(&model));
    reading.warnings.extend(remapped);
}

/// A name in the form of another back end's.
fn foreign_shape(known: &Known<'_>, model: &str) -> Option<Warning> {
    let provider = known.provider();
    let is_own_gateway = known.variable("ANTHROPIC_BASE_URL").is_some_and(|(url, _)| !url.is_empty());
    let is_foreign = match provider {
        "bedrock" | "mantle" => model.starts_with("claude-"),
        "vertex" => model.contains("anthropic."),
        OWN => !is_own_gateway && (model.contains("anthropic.") || model.starts_with("arn:")),
        _ => false,
    };
    let warning = Warning::new(Code::ModelUnverified, "switch-claude-shape").with("model", model);
    is_foreign.then(|| warning.with("provider", provider))
}
