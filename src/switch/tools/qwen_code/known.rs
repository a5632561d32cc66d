//! The settings files of Qwen Code that count, its `.env` file and the models that it lists.

use super::{FILE, FILE_FIRST, VARIABLES};
use crate::core::platform::Platform;
use crate::edit::{JsonDialect, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::{At, Credential};
use crate::switch::tools::gemini_family::{Dotenv, Settings, begins_with_bom, recorded_trust, variable};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::Version;

/// A byte order mark is read over. Seen on 0.24.4; 0.15.10 renames the file away, 0.12.0 does not start.
const READS_BOM: Version = Version(0, 24, 4);
/// A file that cannot be read stops it again, after a copy (seen on 0.24.4); before, it was renamed away.
const STOPS_AGAIN: Version = Version(0, 24, 0);

/// Where a variable of this tool comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Shell,
    Dotenv,
    /// The `env` block of the file at this index.
    Block(usize),
}

/// The files, the strongest first, and what the environment adds.
pub(super) struct Known<'a> {
    pub at: At<'a>,
    pub files: Vec<Settings>,
    pub language: Language,
    dotenv: Option<Dotenv>,
}

impl<'a> Known<'a> {
    /// Reads the files; those that the tool leaves out are noted.
    pub fn load(at: &At<'a>, reading: &mut Reading) -> Self {
        let world = &at.world;
        let reads_bom = world.versions.lowest.is_some_and(|version| version >= READS_BOM);
        let dialect = if reads_bom { JsonDialect::COMMENTS.with_bom() } else { JsonDialect::COMMENTS };
        let language = Language::Json(dialect);
        let system = match world.vars.get("QWEN_CODE_SYSTEM_SETTINGS_PATH") {
            Some(path) => ToolPath::new(path),
            None => ToolPath::new(match world.platform {
                Platform::Linux => "/etc/qwen-code/settings.json",
                Platform::Macos => "/Library/Application Support/QwenCode/settings.json",
                Platform::Windows => r"C:\ProgramData\qwen-code\settings.json",
            }),
        };
        let defaults = match world.vars.get("QWEN_CODE_SYSTEM_DEFAULTS_PATH") {
            Some(path) => ToolPath::new(path),
            None => system.parent().unwrap_or_else(|| system.clone()).join("system-defaults.json"),
        };
        let mut places = vec![(LayerKind::Managed, system)];
        let project = world.cwd.filter(|cwd| *cwd != world.home).map(|cwd| cwd.join(".qwen").join(FILE));
        places.extend(project.map(|path| (LayerKind::Project, path)));
        places.extend([(LayerKind::User, at.home.path.join(FILE)), (LayerKind::System, defaults)]);
        let mut files = Vec::new();
        for (kind, path) in places {
            match load(world, &mut reading.files, &path, language) {
                Loaded::Missing => {}
                Loaded::Parsed(document, _) if document.root().is_table() => {
                    files.push(Settings { kind, path, document, counts: true });
                }
                // Seen on 0.15.10: no object stops it, whatever the version does with a broken file.
                Loaded::Parsed(..) => {
                    let trouble = Warning::new(Code::InvalidForTool, "switch-gemini-no-object").with("file", &path);
                    leave_out(at, reading, kind, &path, trouble, true);
                }
                Loaded::Broken(trouble) | Loaded::Unreadable(trouble) => {
                    leave_out(at, reading, kind, &path, trouble, false);
                }
            }
        }
        let is_trusted = is_trusted(at, reading, &files);
        for file in files.iter_mut().filter(|file| file.kind == LayerKind::Project) {
            file.counts = is_trusted;
        }
        let dotenv = Dotenv::find(world, &mut reading.files, dotenv_places(at, is_trusted));
        Self { at: *at, files, language, dotenv }
    }

    /// The user's own file, if it can be read.
    pub fn user(&self) -> Option<&Settings> {
        self.files.iter().find(|file| file.kind == LayerKind::User)
    }

    fn text(&self, path: &[&str]) -> Option<String> {
        self.files.iter().find_map(|file| file.text(self.at.world.vars, path))
    }

    /// A variable as the tool has it: the shell's, else the `.env` file's, else an `env` block's.
    pub fn variable(&self, name: &str) -> Option<(String, From)> {
        if let Some(value) = self.at.world.vars.raw(name) {
            return Some((value.to_owned(), From::Shell));
        }
        if let Some(value) = self.dotenv.as_ref().and_then(|dotenv| dotenv.raw(name)) {
            return Some((value.to_owned(), From::Dotenv));
        }
        let in_block =
            |(at, file): (usize, &Settings)| Some((file.get(&["env", name])?.as_text()?.to_owned(), From::Block(at)));
        self.files.iter().enumerate().find_map(in_block)
    }

    /// The auth type: selected, else what the variables amount to.
    pub fn auth_type(&self) -> Option<String> {
        let is_set = |name: &&str| self.variable(name).is_some_and(|(value, _)| !value.is_empty());
        self.text(&["security", "auth", "selectedType"]).or_else(|| {
            let (found, ..) = VARIABLES.iter().find(|(auth_type, models, key)| {
                let needs_address = matches!(*auth_type, "openai" | "anthropic");
                let address = format!("{}_BASE_URL", auth_type.to_ascii_uppercase());
                is_set(key) && is_set(&models[0]) && (!needs_address || is_set(&address.as_str()))
            })?;
            Some((*found).to_owned())
        })
    }

    /// The type that is selected outside any project.
    pub fn own_type(&self) -> Option<String> {
        let own = self.files.iter().filter(|file| matches!(file.kind, LayerKind::User | LayerKind::System));
        own.filter_map(|file| file.text(self.at.world.vars, &["security", "auth", "selectedType"])).next()
    }

    /// The listed models with their type: of several files that have lists, one replaces the others.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Node)> {
        let lists = self.files.iter().find_map(|file| file.get(&["modelProviders"]));
        lists
            .map_or(&[][..], Node::entries)
            .iter()
            .flat_map(|entry| entry.value.items().iter().map(move |item| (entry.key.as_str(), item)))
    }

    /// Whether models are listed under this name.
    pub fn has_provider(&self, name: &str) -> bool {
        self.entries().any(|(auth_type, _)| auth_type == name)
    }

    /// The protocol of a provider of the user's own naming.
    pub fn protocol(&self, name: &str) -> Option<String> {
        self.text(&["providerProtocol", name])
    }

    /// Whether the present type lists a model; `None` when it lists none at all.
    pub fn lists(&self, model: &str) -> Option<bool> {
        let auth_type = self.auth_type()?;
        let mut listed = self.entries().filter(|(name, _)| *name == auth_type).peekable();
        listed.peek()?;
        Some(listed.any(|(_, entry)| entry.child("id").and_then(Node::as_text) == Some(model)))
    }

    /// A model that its type's list leaves out, though there is one.
    pub fn unlisted(&self, model: &str, auth_type: Option<String>) -> Option<Warning> {
        let auth_type = auth_type?;
        let is_it = |entry: &Node| entry.child("id").and_then(Node::as_text) == Some(model);
        let mut listed = self.entries().filter(|(name, _)| *name == auth_type).peekable();
        listed.peek()?;
        if listed.any(|(_, entry)| is_it(entry)) {
            return None;
        }
        let other = self.entries().find(|(_, entry)| is_it(entry)).map(|(name, _)| name);
        let warning = match other {
            Some(other) => Warning::new(Code::ModelUnverified, "switch-qwen-listed-elsewhere").with("other", other),
            None => Warning::new(Code::ModelUnverified, "switch-qwen-not-listed"),
        };
        Some(warning.with("model", model).with("type", auth_type))
    }

    /// The layers of the variables that name a model for the present type.
    pub fn variable_layers(&self) -> Vec<Layer> {
        let auth_type = self.auth_type();
        let names = VARIABLES
            .iter()
            .find(|(name, ..)| Some(*name) == auth_type.as_deref())
            .map_or(&[][..], |(_, names, _)| names);
        let mut layers = Vec::new();
        for name in names {
            let Some((value, from)) = self.variable(name) else { continue };
            let in_file =
                |kind, path: &ToolPath, key: String| Layer::new(kind, Place::file(path, key), Some(value.clone()));
            layers.extend(match from {
                _ if value.is_empty() => None,
                From::Shell => variable(self.at.world.vars, name),
                From::Dotenv => self.dotenv.as_ref().and_then(|dotenv| dotenv.layer(name)),
                From::Block(at) => self.files.get(at).map(|file| {
                    let kind = if file.kind == LayerKind::User { LayerKind::EnvBlock } else { file.kind };
                    in_file(kind, &file.path, format!("env.{name}"))
                }),
            });
        }
        layers
    }

    /// How a key's variable is set.
    pub fn credential(&self, variable: &str) -> Credential {
        match self.variable(variable) {
            Some((value, From::Dotenv | From::Block(_))) if !value.is_empty() => Credential::InFile,
            _ => Credential::Variable(variable.to_owned()),
        }
    }
}

/// Where the `.env` file is looked for: upward from the folder, then the user's own. Without trust only the user's own.
fn dotenv_places(at: &At<'_>, is_trusted: bool) -> Vec<ToolPath> {
    let home = at.world.home;
    let own = [at.home.path.join(".env"), home.join(".qwen/.env"), home.join(".env")];
    let mut places = Vec::new();
    for folder in at.world.upward() {
        if folder == *home {
            places.extend(own.clone());
        } else {
            places.extend([folder.join(".qwen/.env"), folder.join(".env")]);
        }
    }
    places.extend(own.clone());
    places.retain(|place| is_trusted || own.contains(place));
    places
}

/// Whether the folder is trusted: asked for only where the user has switched that on, and then a no must be recorded.
fn is_trusted(at: &At<'_>, reading: &mut Reading, files: &[Settings]) -> bool {
    let Some(cwd) = at.world.cwd else { return true };
    if let Some(trust) = at.world.trust {
        return trust;
    }
    let asked = files.iter().filter(|file| file.kind != LayerKind::Project);
    let asked = asked.filter_map(|file| file.document.get(&["security", "folderTrust", "enabled"])?.as_bool()).next();
    if asked != Some(true) {
        return true;
    }
    let record = match at.world.vars.get("QWEN_CODE_TRUSTED_FOLDERS_PATH") {
        Some(path) => ToolPath::new(path),
        None => at.home.path.join("trustedFolders.json"),
    };
    match recorded_trust(&at.world, &mut reading.files, &record, cwd) {
        Ok(known) => known.unwrap_or(true),
        Err(trouble) => {
            leave_out(at, reading, LayerKind::Project, &record, trouble, true);
            true
        }
    }
}

/// A file that the tool cannot read: it stops, or goes on without it after renaming it away.
fn leave_out(at: &At<'_>, reading: &mut Reading, kind: LayerKind, path: &ToolPath, mut trouble: Warning, stops: bool) {
    let versions = at.world.versions;
    let is_user = kind == LayerKind::User;
    if begins_with_bom(&at.world, path) {
        reading.warnings.push(Warning::new(Code::BomPresent, "switch-qwen-bom-fatal").with("file", path));
    }
    // A project's file is only left out since it was first renamed away, and so on to this day (seen).
    let stops = stops || !versions.is_since(FILE_FIRST) || (is_user && versions.is_since(STOPS_AGAIN));
    if stops {
        reading.warnings.push(Warning::new(Code::FatalForTool, "switch-qwen-stops").with("file", path));
        reading.start = Start::Never;
    } else {
        if trouble.code != Code::InvalidForTool {
            reading.warnings.push(Warning::new(Code::InvalidForTool, "switch-qwen-left-out").with("file", path));
        }
        if is_user && trouble.text != "switch-unreadable" {
            trouble.text = "switch-qwen-renames";
        }
        if is_user && reading.start == Start::Usual {
            reading.start = Start::Skipping;
        }
    }
    if is_user {
        reading.obstacle.get_or_insert(trouble);
    } else {
        reading.warnings.push(trouble);
    }
}
