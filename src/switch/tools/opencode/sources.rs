//! Where opencode's settings come from.

use crate::core::platform::Platform;
use crate::edit::{Document, Kind, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{LayerKind, Place, SeenFile};
use crate::switch::tool::At;
use crate::switch::tools::opencode::{JSONC, NAMES};
use crate::switch::tools::parts::wrong_type;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, VarOrigin};

const INLINE: &str = "OPENCODE_CONFIG_CONTENT";

/// Whose a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The user's own, wherever the program is started.
    User,
    /// Of the project.
    Project,
    /// Of the machine's administrator.
    Machine,
    /// Named by this variable, or its value.
    Named(&'static str),
}

/// One JSON text.
pub(super) struct Source {
    pub owner: Owner,
    pub kind: LayerKind,
    /// None for the text in a variable.
    pub path: Option<ToolPath>,
    /// What references in it are relative to.
    pub folder: ToolPath,
    pub origin: VarOrigin,
    /// None when it is broken.
    pub document: Option<Document>,
    pub trouble: Option<Warning>,
}

impl Source {
    pub(super) fn place(&self, key: &str) -> Place {
        match &self.path {
            Some(path) => Place::file(path, key),
            None => Place::Variable { name: INLINE.to_owned(), origin: self.origin },
        }
    }

    pub(super) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| INLINE.to_owned(), ToString::to_string)
    }
}

/// A text that is filled in from elsewhere.
pub(super) fn is_reference(text: &str) -> bool {
    text.contains("{env:") || text.contains("{file:")
}

/// What of a source has a form that stops the program.
pub(super) fn misshapen(source: &Source, document: &Document) -> Option<Warning> {
    let path = source.path.clone().unwrap_or_else(|| ToolPath::new(INLINE));
    if !document.root().is_table() {
        return Some(wrong_type(&path, document, &[]));
    }
    let is_text = |keys: &[&str]| document.get(keys).is_none_or(|node| node.as_text().is_some());
    let is_table = |keys: &[&str]| document.get(keys).is_none_or(Node::is_table);
    if !is_text(&["model"]) {
        return Some(wrong_type(&path, document, &["model"]));
    }
    if !is_text(&["default_agent"]) {
        return Some(wrong_type(&path, document, &["default_agent"]));
    }
    ["agent", "mode", "provider"]
        .into_iter()
        .find(|key| !is_table(&[key]))
        .map(|key| wrong_type(&path, document, &[key]))
}

/// Everything that it reads.
pub(super) struct Sources {
    /// The strongest first.
    pub all: Vec<Source>,
    /// How many of `all` lie above the user's own agents: those are read before a project's files.
    above_agents: usize,
    /// Folders that may hold agents as well, the strongest first.
    folders: Vec<ToolPath>,
}

impl Sources {
    pub(super) fn gather(at: &At<'_>, files: &mut Vec<SeenFile>) -> Self {
        let world = &at.world;
        let mut sources = Self { all: Vec::new(), above_agents: 0, folders: Vec::new() };
        let managed = match world.platform {
            Platform::Linux => ToolPath::new("/etc/opencode"),
            Platform::Macos => ToolPath::new("/Library/Application Support/opencode"),
            Platform::Windows => world.program_data().join("opencode"),
        };
        sources.add_folder(at, files, &managed, &NAMES[..2], Owner::Machine);
        if let Some(text) = world.vars.get(INLINE) {
            let origin = world.vars.origin(INLINE).unwrap_or(VarOrigin::Process);
            sources.add_inline(at, text, origin);
        }
        let is_off = world
            .vars
            .get("OPENCODE_DISABLE_PROJECT_CONFIG")
            .is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"));
        // Without a repository the search goes up to the root of the disk.
        let top = world.git_root();
        let inside = |folder: &ToolPath| top.as_ref().is_none_or(|top| folder.is_in(top));
        let project: Vec<ToolPath> = if is_off { Vec::new() } else { world.upward().take_while(inside).collect() };
        let mut folders: Vec<(ToolPath, Owner)> = Vec::new();
        if let Some(folder) = world.vars.get("OPENCODE_CONFIG_DIR") {
            let folder = world.cwd.unwrap_or(world.home).join(folder);
            let is_own = folder == at.home.path;
            folders.push((folder, if is_own { Owner::User } else { Owner::Named("OPENCODE_CONFIG_DIR") }));
        }
        let own = world.home.join(".opencode");
        folders.push((own.clone(), Owner::User));
        let dotted = project.iter().rev().map(|folder| folder.join(".opencode"));
        folders.extend(dotted.filter(|folder| *folder != own).map(|folder| (folder, Owner::Project)));
        for (folder, owner) in &folders {
            sources.add_folder(at, files, folder, &NAMES[..2], *owner);
        }
        sources.above_agents = sources.all.len();
        for folder in &project {
            if *folder != at.home.path {
                sources.add_folder(at, files, folder, &NAMES[..2], Owner::Project);
            }
        }
        if let Some(path) = world.vars.get("OPENCODE_CONFIG") {
            let path = world.cwd.unwrap_or(world.home).join(path);
            let is_own = path.parent().as_ref() == Some(&at.home.path);
            sources.add_file(at, files, &path, if is_own { Owner::User } else { Owner::Named("OPENCODE_CONFIG") });
        }
        sources.add_folder(at, files, &at.home.path, NAMES, Owner::User);
        sources.folders = folders.into_iter().map(|(folder, _)| folder).collect();
        sources
    }

    fn add_folder(&mut self, at: &At<'_>, files: &mut Vec<SeenFile>, folder: &ToolPath, names: &[&str], owner: Owner) {
        for name in names {
            self.add_file(at, files, &folder.join(name), owner);
        }
    }

    fn add_file(&mut self, at: &At<'_>, files: &mut Vec<SeenFile>, path: &ToolPath, owner: Owner) {
        if self.all.iter().any(|source| source.path.as_ref() == Some(path)) {
            return;
        }
        // An empty file says nothing, and is no error.
        let is_empty = matches!(at.world.files.read(path), FileState::File(file) if file.bytes.iter().all(u8::is_ascii_whitespace));
        let (document, trouble) = match load(&at.world, files, path, JSONC) {
            Loaded::Missing => return,
            Loaded::Parsed(document, _) => (Some(document), None),
            Loaded::Broken(_) if is_empty => return,
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => (None, Some(warning)),
        };
        let is_own_folder = path.parent().as_ref() == Some(&at.home.path);
        let kind = match owner {
            Owner::User if is_own_folder && self.all.iter().any(|source| source.owner == Owner::User) => {
                LayerKind::OtherUser
            }
            Owner::User => LayerKind::User,
            Owner::Project => LayerKind::Project,
            Owner::Machine => LayerKind::Managed,
            Owner::Named(_) => LayerKind::Env,
        };
        let folder = path.parent().unwrap_or_else(|| path.clone());
        let path = Some(path.clone());
        self.all.push(Source { owner, kind, path, folder, origin: VarOrigin::Process, document, trouble });
    }

    fn add_inline(&mut self, at: &At<'_>, text: &str, origin: VarOrigin) {
        let (document, trouble) = match Document::parse(text.as_bytes(), JSONC) {
            Ok(document) => (Some(document), None),
            Err(error) => {
                let warning = Warning::new(Code::ParseError, "switch-parse-error").with("file", INLINE);
                let warning = warning.with("line", error.line).with("column", error.column);
                (None, Some(warning.with("problem", error.message)))
            }
        };
        let folder = at.world.cwd.unwrap_or(at.world.home).clone();
        let (owner, kind) = (Owner::Named(INLINE), LayerKind::Env);
        self.all.push(Source { owner, kind, path: None, folder, origin, document, trouble });
    }

    /// The texts that could be read, the strongest first.
    pub(super) fn documents(&self) -> impl Iterator<Item = &Document> {
        self.all.iter().filter_map(|source| source.document.as_ref())
    }

    /// The agent of a fresh session.
    pub(super) fn default_agent(&self) -> String {
        let named = self.documents().find_map(|document| document.text(&["default_agent"]));
        named.filter(|name| !name.is_empty()).unwrap_or("build").to_owned()
    }

    /// Places that give an agent a model of its own, the strongest first.
    pub(super) fn agent_models(&self, at: &At<'_>, agent: &str) -> Vec<(Place, String)> {
        let mut found: Vec<_> =
            self.all.iter().filter_map(|source| self.agent_key(at, source, "mode", agent)).collect();
        let (above, below) = self.all.split_at(self.above_agents);
        let is_in_folder = |source: &&Source| self.folders.contains(&source.folder) && source.path.is_some();
        let apart = above.iter().filter(|source| !is_in_folder(source));
        found.extend(apart.filter_map(|source| self.agent_key(at, source, "agent", agent)));
        for folder in &self.folders {
            found.extend(markdown(at, folder, agent));
            let own = above.iter().filter(|source| is_in_folder(source) && source.folder == *folder);
            found.extend(own.filter_map(|source| self.agent_key(at, source, "agent", agent)));
        }
        found.extend(markdown(at, &at.home.path, agent));
        found.extend(below.iter().filter_map(|source| self.agent_key(at, source, "agent", agent)));
        found
    }

    fn agent_key(&self, at: &At<'_>, source: &Source, table: &str, agent: &str) -> Option<(Place, String)> {
        let text = source.document.as_ref()?.text(&[table, agent, "model"])?;
        let model = Some(self.filled(at, &source.folder, text)).filter(|model| !model.is_empty())?;
        Some((source.place(&format!("{table}.{agent}.model")), model))
    }

    /// Which key of which place keeps a provider from being loaded.
    pub(super) fn forbids(&self, provider: &str) -> Option<(String, &'static str)> {
        let list = |key: &'static str| {
            self.all.iter().find_map(|source| {
                let items = source.document.as_ref()?.get(&[key])?.items();
                Some((source.name(), items.iter().any(|item| item.as_text() == Some(provider))))
            })
        };
        if let Some((name, true)) = list("disabled_providers") {
            return Some((name, "disabled_providers"));
        }
        match list("enabled_providers") {
            Some((name, false)) => Some((name, "enabled_providers")),
            _ => None,
        }
    }

    /// A text with its `{env:NAME}` and `{file:PATH}` filled in.
    pub(super) fn filled(&self, at: &At<'_>, folder: &ToolPath, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            out.push_str(before);
            let reference = behind.split_once('}');
            match reference.and_then(|(reference, behind)| Some((reference.split_once(':')?, behind))) {
                Some((("env", name), behind)) => {
                    out.push_str(at.world.vars.get(name).unwrap_or_default());
                    rest = behind;
                }
                Some((("file", path), behind)) => {
                    let path = match path.strip_prefix("~/") {
                        Some(below) => at.world.home.join(below),
                        None => folder.join(path),
                    };
                    if let FileState::File(file) = at.world.files.read(&path) {
                        out.push_str(String::from_utf8_lossy(&file.bytes).trim());
                    }
                    rest = behind;
                }
                _ => {
                    out.push('{');
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
        out
    }
}

/// The model in the head of an agent's markdown file. What follows the head is a prompt, and is not looked at.
fn markdown(at: &At<'_>, folder: &ToolPath, agent: &str) -> Vec<(Place, String)> {
    let model = |kind: &&str| {
        let path = folder.join(&format!("{kind}/{agent}.md"));
        let FileState::File(file) = at.world.files.read(&path) else { return None };
        let text = String::from_utf8_lossy(&file.bytes);
        let model = front_model(&head(text.trim_start_matches('\u{feff}'))?)?;
        Some((Place::file(&path, "model"), model))
    };
    ["modes", "mode", "agents", "agent"].iter().filter_map(model).collect()
}

/// What stands between the two lines of dashes at the start.
fn head(text: &str) -> Option<String> {
    let mut lines = text.lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let lines: Vec<&str> = lines.take_while(|line| line.trim_end() != "---").collect();
    Some(lines.join("\n"))
}

/// opencode also reads heads that are no valid YAML, line by line.
fn front_model(head: &str) -> Option<String> {
    if let Ok(document) = Document::parse(head.as_bytes(), Language::Yaml) {
        return match &document.get(&["model"])?.kind {
            Kind::Text(text) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
    }
    let value = head.lines().find_map(|line| line.strip_prefix("model:"))?.trim();
    Some(value.trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty() && !value.starts_with(['[', '{']))
}
