//! GitHub Copilot CLI: `settings.json`, which names models hosted by GitHub and nothing else.
//!
//! Sources: GitHub's documentation pages on changing settings, on the configuration directory and on own models; that the
//! settings' model is not used with an own endpoint was seen on 1.0.102. Since 1.0.35 `config.json` is the program's own
//! state and a user's setting there is ignored (github/copilot-cli#2935). Whether a repository's settings may name a model
//! is not known: they are not read.

use crate::edit::{JsonDialect, Language};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{Found, bom, duplicate, found, variable, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{Version, World};

const JSONC: Language = Language::Json(JsonDialect::JSONC);
const MODEL: &[&str] = &["model"];
const VARIABLE: &str = "COPILOT_MODEL";
/// Set, it takes the program away from GitHub, and its model must come from the environment or the command line.
const ENDPOINT: &str = "COPILOT_PROVIDER_BASE_URL";
/// The first version whose users' settings have a file of their own.
const OWN_FILE: Version = Version(1, 0, 35);
const SETTINGS: &str = "settings.json";
const STATE: &str = "config.json";
/// Our name for the one provider that its settings can name models of.
const GITHUB: &str = "github";

pub(super) struct CopilotCli;

impl CopilotCli {
    /// The file that names the model in the installed version.
    fn file(at: &At<'_>) -> ToolPath {
        at.home.path.join(if at.world.versions.is_since(OWN_FILE) { SETTINGS } else { STATE })
    }
}

impl Tool for CopilotCli {
    fn id(&self) -> &'static str {
        "copilot-cli"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn name(&self) -> &'static str {
        "GitHub Copilot CLI"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get("COPILOT_HOME").map(|_| "COPILOT_HOME");
        vec![Home { path: world.folder("COPILOT_HOME", ".copilot"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        [SETTINGS, STATE].iter().any(|name| at.world.files.exists(&at.home.path.join(name)))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let has_endpoint = at.world.vars.get(ENDPOINT).is_some();
        reading.layers.extend(variable(&at.world, VARIABLE));
        let path = Self::file(at);
        match load(&at.world, &mut reading.files, &path, JSONC) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => {
                reading.warnings.extend(bom(&path, &document));
                let model = found(&document, MODEL);
                if model == Found::Other {
                    reading.obstacle = Some(wrong_type(&path, &document, MODEL));
                }
                let model = model.text().map(str::to_owned);
                if has_endpoint && model.is_some() {
                    reading.warnings.push(Warning::new(Code::InertKey, "switch-copilot-inert").with("file", &path));
                }
                let layer = Layer::new(LayerKind::User, Place::file(&path, "model"), model);
                reading.layers.push(if has_endpoint { layer.inert() } else { layer });
            }
        }
        if has_endpoint && at.world.vars.is_missing(VARIABLE) {
            let warning = Warning::new(Code::FatalForTool, "switch-copilot-no-model").with("variable", ENDPOINT);
            reading.warnings.push(warning);
        }
        if at.world.versions.is_since(OWN_FILE) {
            read_old_file(at, &mut reading);
        }
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        if at.world.vars.get(ENDPOINT).is_some() {
            let warning = Warning::new(Code::StorageNotInFile, "switch-copilot-own-endpoint");
            return Err(warning.with("endpoint", ENDPOINT).with("variable", VARIABLE));
        }
        if let Some(provider) = wanted.provider.as_deref().filter(|&provider| provider != GITHUB) {
            return Err(Warning::new(Code::ProviderUnknown, "switch-copilot-provider").with("provider", provider));
        }
        let path = Self::file(at);
        let mut warnings = Vec::new();
        if let Loaded::Parsed(document, _) = load(&at.world, &mut Vec::new(), &path, JSONC) {
            warnings.extend(duplicate(&path, &document, MODEL));
        }
        let change = Change::text(&path, JSONC, MODEL, &wanted.model).or_new();
        Ok(Changes { changes: vec![change], warnings })
    }

    fn endpoints(&self, _: &At<'_>) -> Vec<ToolEndpoint> {
        vec![ToolEndpoint {
            provider: GITHUB.to_owned(),
            base_url: Some("https://api.githubcopilot.com".to_owned()),
            dialect: None,
            credential: Credential::OwnLogin,
            models: Vec::new(),
        }]
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextSession
    }
}

/// A model in the file that once held the settings misleads whoever finds it.
fn read_old_file(at: &At<'_>, reading: &mut Reading) {
    let path = at.home.path.join(STATE);
    if !at.world.files.exists(&path) {
        return;
    }
    let Loaded::Parsed(document, _) = load(&at.world, &mut reading.files, &path, JSONC) else { return };
    let Some(model) = found(&document, MODEL).text() else { return };
    let place = Place::file(&path, "model");
    reading.layers.push(Layer::new(LayerKind::OtherUser, place, Some(model.to_owned())).inert());
    let text = "switch-copilot-old-file";
    reading.warnings.push(Warning::new(Code::InertKey, text).with("file", &path).with("value", model));
    if at.world.versions.straddles(OWN_FILE) {
        let warning = Warning::new(Code::VersionsDiffer, "switch-copilot-versions");
        reading.warnings.push(warning.with("file", &path).with("gate", OWN_FILE));
    }
}
