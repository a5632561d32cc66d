//! The settings files of Claude Code that count in a folder, and what they say together.

use super::{CLOUDS, FAMILIES, FILE, JSON, OWN, user_file};
use crate::core::platform::Platform;
use crate::edit::{Document, Kind, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Reading, SeenFile, Start};
use crate::switch::tool::At;
use crate::switch::tools::parts;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, Version, World};

/// A broken policy file stops it. Seen on 2.1.332; earlier ones are taken to pass it over.
const STRICT_POLICY: Version = Version(2, 1, 300);

/// One file that counts.
pub(super) struct Settings {
    pub kind: LayerKind,
    pub path: ToolPath,
    pub document: Document,
}

impl Settings {
    /// A variable of its `env` block; numbers are taken as texts (seen).
    pub fn variable(&self, name: &str) -> Option<String> {
        match &self.document.get(&["env", name])?.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Number(number) => Some(number.clone()),
            Kind::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }

    fn list(&self, key: &str) -> Option<Vec<&str>> {
        Some(self.document.get(&[key])?.items().iter().filter_map(Node::as_text).collect())
    }
}

/// The files that count, the strongest first, with the world they were found in.
pub(super) struct Known<'a> {
    pub at: At<'a>,
    pub files: Vec<Settings>,
    /// Whether a desktop host keeps models and providers to itself: their variables in settings do not count then.
    pub is_hosted: bool,
}

impl<'a> Known<'a> {
    /// Reads the files; broken ones are left out as the tool leaves them out, and noted.
    pub fn load(at: &At<'a>, reading: &mut Reading) -> Self {
        let world = &at.world;
        let mut files = Vec::new();
        let folder = policy_folder(world);
        let parts = folder.join("managed-settings.d");
        let mut names = world.files.list(&parts);
        names.retain(|name| name.ends_with(".json") && !name.starts_with('.'));
        // The last name wins (seen), whatever the folder's order.
        names.sort_unstable();
        let policies = names.iter().rev().map(|name| parts.join(name)).chain([folder.join("managed-settings.json")]);
        let mut places: Vec<_> = policies.map(|path| (LayerKind::Managed, path)).collect();
        let user = user_file(at);
        if let Some(cwd) = world.cwd {
            let folder = cwd.join(".claude");
            places.push((LayerKind::Project, folder.join("settings.local.json")));
            places.push((LayerKind::Project, folder.join(FILE)));
            places.retain(|(_, path)| *path != user);
        }
        places.push((LayerKind::User, user));
        for (kind, path) in places {
            // Seen: an empty file is no mistake, and says nothing.
            if let FileState::File(file) = world.files.read(&path)
                && file.bytes.trim_ascii().is_empty()
            {
                reading.files.push(SeenFile { path, target: file.target, exists: true });
                continue;
            }
            match load(world, &mut reading.files, &path, JSON) {
                Loaded::Missing => {}
                Loaded::Parsed(document, _) => match fault(&path, &document) {
                    None => files.push(Settings { kind, path, document }),
                    Some(trouble) => leave_out(world, reading, kind, &path, trouble),
                },
                Loaded::Broken(mut trouble) => {
                    trouble.text = "switch-claude-invalid";
                    leave_out(world, reading, kind, &path, trouble);
                }
                Loaded::Unreadable(trouble) => leave_out(world, reading, kind, &path, trouble),
            }
        }
        if let Some(user) = files.iter().find(|file| file.kind == LayerKind::User)
            && user.document.has_bom()
        {
            reading.warnings.push(Warning::new(Code::BomPresent, "switch-claude-bom").with("file", &user.path));
        }
        let is_hosted = world.vars.get("CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST").is_some_and(is_true);
        Self { at: *at, files, is_hosted }
    }

    /// The user's own file, if it counts.
    pub fn user(&self) -> Option<&Settings> {
        self.files.iter().find(|file| file.kind == LayerKind::User)
    }

    /// A variable as the tool has it, with the file that sets it; none for the shell's.
    pub fn variable(&self, name: &str) -> Option<(String, Option<&Settings>)> {
        let files = self.files.iter().filter(|_| !self.is_hosted);
        let in_file = files.filter_map(|file| Some((file.variable(name)?, Some(file)))).next();
        in_file.or_else(|| Some((self.at.world.vars.raw(name)?.to_owned(), None)))
    }

    /// The back end that is asked.
    pub fn provider(&self) -> &'static str {
        let is_on = |switch: &str| self.variable(switch).is_some_and(|(value, _)| is_true(&value));
        CLOUDS.into_iter().find(|(_, switch)| is_on(switch)).map_or(OWN, |(cloud, _)| cloud)
    }

    /// What an alias stands for by the variables, with the variable and its file. `opusplan` is `sonnet` outside planning.
    pub fn resolve(&self, model: &str) -> Option<(String, &'static str, Option<&Settings>)> {
        let name = model.trim().to_ascii_lowercase();
        let name = name.strip_suffix("[1m]").unwrap_or(&name);
        let family = if name == "opusplan" { "sonnet" } else { name };
        let (_, variable) = FAMILIES.into_iter().find(|(alias, _)| *alias == family)?;
        let (target, file) = self.variable(variable)?;
        (!target.is_empty()).then_some((target, variable, file))
    }

    /// An alias that stands for something of another name.
    pub fn remapped(&self, model: &str) -> Option<Warning> {
        let (target, variable, file) = self.resolve(model)?;
        let (family, _) = FAMILIES.into_iter().find(|(_, name)| *name == variable)?;
        if target.to_ascii_lowercase().contains(family) {
            return None;
        }
        let warning = match file {
            Some(file) => Warning::new(Code::AliasRemapped, "switch-claude-alias-file").with("file", &file.path),
            None => Warning::new(Code::AliasRemapped, "switch-claude-alias-shell"),
        };
        Some(warning.with("alias", model).with("target", target).with("variable", variable))
    }

    /// Lists of models: one that they do not allow is replaced by the tool's default (seen), so that no layer counts.
    pub fn note_lists(&self, reading: &mut Reading) {
        let Some(model) = reading.effective().model else { return };
        let policies = || self.files.iter().filter(|file| file.kind == LayerKind::Managed);
        let denying = policies()
            .find(|file| file.list("deniedModels").is_some_and(|list| list.iter().any(|entry| allows(entry, &model))));
        // A policy's list stands alone; without one the others' lists are put together.
        let lists: Vec<_> = policies().filter(|file| file.list("availableModels").is_some()).collect();
        let lists = if lists.is_empty() {
            self.files.iter().filter(|file| file.list("availableModels").is_some()).collect()
        } else {
            lists
        };
        let is_listed = lists.iter().any(|file| {
            file.list("availableModels").is_some_and(|list| list.iter().any(|entry| allows(entry, &model)))
        });
        let (file, key) = match denying {
            Some(file) => (file, "deniedModels"),
            None if model.eq_ignore_ascii_case("default") || is_listed => return,
            None => match lists.first() {
                Some(file) => (*file, "availableModels"),
                None => return,
            },
        };
        let say = |code| {
            let warning = Warning::new(code, "switch-claude-not-allowed").with("file", &file.path);
            warning.with("key", key).with("model", &model)
        };
        reading.warnings.push(say(Code::ModelNotAllowed));
        reading.warnings.extend(file.kind.masks_with().map(say));
        for layer in &mut reading.layers {
            *layer = Layer { is_active: false, ..layer.clone() };
        }
    }

    /// Both credentials are sent when both are set (seen).
    pub fn note_credentials(&self, reading: &mut Reading) {
        let is_set = |name| self.variable(name).is_some_and(|(value, _)| !value.is_empty());
        if self.provider() == OWN && is_set("ANTHROPIC_AUTH_TOKEN") && is_set("ANTHROPIC_API_KEY") {
            reading.warnings.push(Warning::new(Code::TwoCredentials, "switch-claude-two-credentials"));
        }
    }
}

/// Where the administrator's settings lie. The older place in `ProgramData` is no longer read.
fn policy_folder(world: &World<'_>) -> ToolPath {
    match world.platform {
        Platform::Linux => ToolPath::new("/etc/claude-code"),
        Platform::Macos => ToolPath::new("/Library/Application Support/ClaudeCode"),
        Platform::Windows => ToolPath::new(r"C:\Program Files\ClaudeCode"),
    }
}

fn is_true(value: &str) -> bool {
    matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on")
}

/// A type that makes the tool leave out the whole file (seen for each).
fn fault(path: &ToolPath, document: &Document) -> Option<Warning> {
    let is_off = |key: &str, is_right: fn(&Node) -> bool| document.get(&[key]).is_some_and(|node| !is_right(node));
    let key = if !document.root().is_table() {
        ""
    } else if is_off("model", |node| node.as_text().is_some()) {
        "model"
    } else if is_off("env", Node::is_table) {
        "env"
    } else if is_off("availableModels", |node| matches!(node.kind, Kind::List(_))) {
        "availableModels"
    } else {
        return None;
    };
    let keys: Vec<&str> = if key.is_empty() { Vec::new() } else { vec![key] };
    let warning = parts::wrong_type(path, document, &keys);
    Some(Warning {
        text: if key.is_empty() { "switch-claude-no-object" } else { "switch-claude-wrong-type" },
        ..warning
    })
}

/// A file that the tool leaves out: the user's own cannot be switched then; others are told of.
fn leave_out(world: &World<'_>, reading: &mut Reading, kind: LayerKind, path: &ToolPath, trouble: Warning) {
    if kind == LayerKind::Managed && world.versions.is_since(STRICT_POLICY) {
        reading.start = Start::Never;
        reading.warnings.push(Warning::new(Code::FatalForTool, "switch-claude-policy").with("file", path));
        reading.obstacle.get_or_insert(trouble);
        return;
    }
    if trouble.code != Code::InvalidForTool {
        reading.warnings.push(Warning::new(Code::InvalidForTool, "switch-claude-left-out").with("file", path));
    }
    if kind == LayerKind::User {
        reading.obstacle.get_or_insert(trouble);
    } else {
        reading.warnings.push(trouble);
    }
}

/// Whether an entry of a list means a model: the same name, a family (`opus`), or the beginning of an id.
fn allows(entry: &str, model: &str) -> bool {
    let plain = |name: &str| {
        let name = name.trim().to_ascii_lowercase();
        name.strip_suffix("[1m]").unwrap_or(&name).to_owned()
    };
    let (entry, model) = (plain(entry), plain(model));
    let is_family = |name: &str| FAMILIES.iter().any(|(family, _)| *family == name);
    let begins =
        |prefix: &str| model.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '@']));
    entry == model
        || (is_family(&entry) && (model.contains(&entry) || model == "best" || model == "opusplan"))
        // An alias may stand for a version on the list: it is not for us to say that it does not.
        || (is_family(&model) && entry.contains(&model))
        || (entry.starts_with("claude") && begins(&entry))
        || begins(&format!("claude-{entry}"))
}
