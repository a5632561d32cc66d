//! Gemini CLI (google-gemini/gemini-cli): `settings.json` in `~/.gemini`, a variable before it, and a `.env` file that sets
//! that variable.
//!
//! Sources: packages/cli/src/config (config.ts, settings.ts, trustedFolders.ts), packages/core/src/utils/trust.ts,
//! docs/reference/configuration.md. Marked "seen": which model 0.61.0 asked a server on this machine for, on Linux.

use super::gemini_family::{
    Dotenv, JSON, Settings, begins_with_bom, expand, has_reference, is_no_text, open, recorded_trust, variable,
};
use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::edit::{Node, Value};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, Version, World};

const FILE: &str = "settings.json";
const MODEL: &str = "GEMINI_MODEL";
const MOVED_BY: &str = "GEMINI_CLI_HOME";
/// What is used when nothing names a model.
const AUTO: &str = "auto";
const PROVIDER: &str = "gemini";
/// `"model": "x"` is no longer the shape, but still migrated.
const NESTED: Version = Version(0, 3, 0);
/// It is no longer migrated: the text is reported and ignored (seen on 0.61).
const FLAT_IGNORED: Version = Version(0, 24, 0);
/// The machine's files are skipped when somebody else than the superuser could change them (seen on 0.61, with and without
/// a variable that names the file).
const GUARDED: Version = Version(0, 61, 0);

pub(super) struct GeminiCli;

/// The files, the strongest first, and what the environment adds.
struct Known {
    files: Vec<Settings>,
    dotenv: Option<Dotenv>,
    is_trusted: bool,
}

impl Tool for GeminiCli {
    fn id(&self) -> &'static str {
        "gemini-cli"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn name(&self) -> &'static str {
        "Gemini CLI"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = world.vars.get(MOVED_BY).map(|_| MOVED_BY);
        vec![Home { path: world.folder(MOVED_BY, "").join(".gemini"), moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        reading.fallback.model = Some(AUTO.to_owned());
        let known = load(at, &mut reading);
        let vars = at.world.vars;
        reading.layers.extend(variable(vars, MODEL));
        if let Some(layer) = known.dotenv.as_ref().and_then(|dotenv| dotenv.layer(MODEL)) {
            // A variable of the shell is left alone, even an empty one (seen).
            let counts = known.is_trusted && vars.raw(MODEL).is_none() && !known.excludes();
            reading.layers.push(if counts { layer } else { layer.inert() });
        }
        let versions = at.world.versions;
        for file in &known.files {
            let flat = file.document.text(&["model"]);
            let (key, value, is_read) = match flat {
                Some(flat) => ("model", Some(flat), !versions.is_since(FLAT_IGNORED)),
                None => ("model.name", file.document.text(&["model", "name"]), versions.is_since(NESTED)),
            };
            let value = value.map(|text| expand(vars, text)).filter(|text| !text.is_empty());
            if let Some(value) = value {
                let layer = Layer::new(file.kind, Place::file(&file.path, key), Some(value));
                reading.layers.push(if is_read && file.counts { layer } else { layer.inert() });
            }
            note_shape(at, file, &mut reading);
        }
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        if let Some(other) = wanted.provider.as_deref().filter(|other| *other != PROVIDER) {
            return Err(Warning::new(Code::ProviderUnknown, "switch-gemini-provider").with("wanted", other));
        }
        let known = load(at, &mut Reading::default());
        let file = at.home.path.join(FILE);
        let user = known.files.iter().find(|file| file.kind == LayerKind::User);
        let model = user.and_then(|user| user.document.get(&["model"]));
        let is_nested = at.world.versions.is_since(NESTED);
        let is_flat = model.is_some_and(|model| !model.is_table());
        let path: &[&str] = match (is_nested, is_flat) {
            (true, false) => &["model", "name"],
            _ => &["model"],
        };
        let must_be_made_a_table =
            is_flat && (at.world.versions.is_since(FLAT_IGNORED) || (is_nested && is_no_text(model)));
        let value = if must_be_made_a_table {
            Value::Table(vec![("name".to_owned(), Value::text(&wanted.model))])
        } else {
            Value::text(&wanted.model)
        };
        let mut warnings = Vec::new();
        if let Some(user) = user {
            warnings.extend(parts::duplicate(&file, &user.document, path));
            if let Some(old) = user.document.text(path).filter(|old| has_reference(old)) {
                let warning = Warning::new(Code::ValueWasReference, "switch-gemini-reference");
                warnings.push(warning.with("file", &file).with("reference", old));
            }
        }
        Ok(Changes { changes: vec![Change::value(&file, JSON, path, value).or_new()], warnings })
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let known = load(at, &mut Reading::default());
        let in_file = |name: &str| known.dotenv.as_ref().and_then(|dotenv| dotenv.raw(name));
        let base_url = at.world.vars.get("GOOGLE_GEMINI_BASE_URL").or_else(|| in_file("GOOGLE_GEMINI_BASE_URL"));
        let has_login = at.world.files.exists(&at.home.path.join("oauth_creds.json"));
        let credential = if at.world.vars.get("GEMINI_API_KEY").is_some() {
            Credential::Variable("GEMINI_API_KEY".to_owned())
        } else if in_file("GEMINI_API_KEY").is_some_and(|key| !key.is_empty()) {
            Credential::InFile
        } else if has_login {
            Credential::OwnLogin
        } else {
            // The key chain may hold it.
            Credential::Unknown
        };
        vec![ToolEndpoint {
            provider: PROVIDER.to_owned(),
            base_url: base_url.map(str::to_owned),
            dialect: Some(Dialect::Gemini),
            credential,
            models: Vec::new(),
        }]
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}

impl Known {
    /// Whether the settings keep the variable out of a `.env` file that is not one of the tool's own folders.
    fn excludes(&self) -> bool {
        let is_own = self.dotenv.as_ref().is_some_and(|dotenv| dotenv.path.as_str().contains(".gemini"));
        let list = self.files.iter().find_map(|file| file.get(&["advanced", "excludedEnvVars"]));
        !is_own && list.is_some_and(|list| list.items().iter().any(|item| item.as_text() == Some(MODEL)))
    }
}

fn load(at: &At<'_>, reading: &mut Reading) -> Known {
    let world = &at.world;
    let system = match world.vars.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") {
        Some(path) => ToolPath::new(path),
        None => ToolPath::new(match world.platform {
            Platform::Linux => "/etc/gemini-cli/settings.json",
            Platform::Macos => "/Library/Application Support/GeminiCli/settings.json",
            Platform::Windows => r"C:\ProgramData\gemini-cli\settings.json",
        }),
    };
    let defaults = match world.vars.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") {
        Some(path) => ToolPath::new(path),
        None => system.parent().unwrap_or_else(|| system.clone()).join("system-defaults.json"),
    };
    let user = at.home.path.join(FILE);
    let mut places = vec![(LayerKind::Managed, system)];
    places.extend(world.cwd.map(|cwd| (LayerKind::Project, cwd.join(".gemini").join(FILE))));
    places.retain(|(_, path)| *path != user);
    places.extend([(LayerKind::User, user), (LayerKind::System, defaults)]);
    let mut files = Vec::new();
    for (kind, path) in places {
        let is_skipped = kind != LayerKind::Project && kind != LayerKind::User && is_unguarded(world, &path);
        if is_skipped {
            reading.warnings.push(Warning::new(Code::InvalidForTool, "switch-gemini-unguarded").with("file", &path));
        }
        match open(world, &mut reading.files, kind, &path) {
            Ok(file) => files.extend(file.map(|file| Settings { counts: !is_skipped, ..file })),
            Err(_) if is_skipped => {}
            Err(trouble) => stop(at, reading, kind, &path, trouble),
        }
    }
    let is_trusted = is_trusted(at, reading, &files);
    for file in files.iter_mut().filter(|file| file.kind == LayerKind::Project) {
        file.counts = is_trusted;
    }
    let ignores_local = files
        .iter()
        .find_map(|file| file.get(&["advanced", "ignoreLocalEnv"]))
        .and_then(Node::as_bool)
        .unwrap_or(false);
    let home = at.home.path.parent().unwrap_or_else(|| world.home.clone());
    let mut envs = Vec::new();
    for folder in world.upward() {
        if is_trusted {
            envs.push(folder.join(".gemini/.env"));
        }
        if !ignores_local || folder == home {
            envs.push(folder.join(".env"));
        }
    }
    if is_trusted {
        envs.push(home.join(".gemini/.env"));
    }
    envs.push(home.join(".env"));
    let dotenv = Dotenv::find(world, &mut reading.files, envs);
    Known { files, dotenv, is_trusted }
}

fn is_unguarded(world: &World<'_>, path: &ToolPath) -> bool {
    world.versions.is_since(GUARDED) && matches!(world.files.read(path), FileState::File(file) if !file.is_guarded)
}

/// Whether the folder is trusted. Without any record the tool asks when it is opened there; a yes is expected, unless the
/// user has switched the question on for himself and not answered it.
fn is_trusted(at: &At<'_>, reading: &mut Reading, files: &[Settings]) -> bool {
    let world = &at.world;
    let Some(cwd) = world.cwd else { return true };
    let is = |name: &str, value: &str| world.vars.get(name) == Some(value);
    if is("GEMINI_RESTRICTED_MODE", "true") || is("GEMINI_CLI_TRUST_WORKSPACE", "false") {
        return false;
    }
    if let Some(trust) = world.trust {
        return trust;
    }
    if is("GEMINI_CLI_TRUST_WORKSPACE", "true") {
        return true;
    }
    let asked = files.iter().filter(|file| file.kind != LayerKind::Project);
    let asked = asked.filter_map(|file| file.document.get(&["security", "folderTrust", "enabled"])?.as_bool()).next();
    if asked == Some(false) {
        return true;
    }
    let record = match world.vars.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
        Some(path) => ToolPath::new(path),
        None => at.home.path.join("trustedFolders.json"),
    };
    match recorded_trust(world, &mut reading.files, &record, cwd) {
        Ok(known) => known.unwrap_or(asked.is_none()),
        Err(trouble) => {
            stop(at, reading, LayerKind::Project, &record, trouble);
            false
        }
    }
}

/// A file that cannot be read stops the tool (seen for each): everywhere, or in this folder alone.
fn stop(at: &At<'_>, reading: &mut Reading, kind: LayerKind, path: &ToolPath, trouble: Warning) {
    if begins_with_bom(&at.world, path) {
        reading.warnings.push(Warning::new(Code::BomPresent, "switch-gemini-bom").with("file", path));
    }
    let text = if kind == LayerKind::Project { "switch-gemini-stops-here" } else { "switch-gemini-stops" };
    reading.warnings.push(Warning::new(Code::FatalForTool, text).with("file", path));
    if kind == LayerKind::Project {
        reading.start = Start::Never;
        reading.warnings.push(trouble);
    } else {
        reading.obstacle.get_or_insert(trouble);
    }
}

/// Shapes of `model` that this version does not read as they are meant.
fn note_shape(at: &At<'_>, file: &Settings, reading: &mut Reading) {
    let versions = at.world.versions;
    let is_user = file.kind == LayerKind::User;
    if let Some(flat) = file.document.text(&["model"]) {
        let (code, text) = match (versions.is_since(FLAT_IGNORED), is_user) {
            (true, true) => (Code::LegacyShape, "switch-gemini-flat-ignored"),
            (true, false) if file.counts => (Code::InertKey, "switch-gemini-flat-inert"),
            (false, true) if versions.is_since(NESTED) => (Code::LegacyShape, "switch-gemini-flat-migrated"),
            _ => return,
        };
        reading.warnings.push(Warning::new(code, text).with("file", &file.path).with("model", flat));
        if is_user && (versions.straddles(NESTED) || versions.straddles(FLAT_IGNORED)) {
            reading
                .warnings
                .push(Warning::new(Code::VersionsDiffer, "switch-gemini-versions").with("file", &file.path));
        }
        return;
    }
    let model = file.document.get(&["model"]).filter(|model| !model.is_table());
    let path: &[&str] = if is_no_text(model) {
        &["model"]
    } else if is_no_text(file.document.get(&["model", "name"])) {
        &["model", "name"]
    } else {
        return;
    };
    if is_user {
        reading.warnings.push(parts::wrong_type(&file.path, &file.document, path));
    }
}
