//! Which of Codex's files are there, which of them count, and what they say.

use std::collections::BTreeSet;

use super::{BUILT_IN, FILE, NO_BASE_URL, PROFILE_FILES, PROJECTS, STRIPPED, is_project, system_folder, user_file};
use crate::core::platform::Platform;
use crate::edit::{Document, Kind, Language, Node, Style};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, Start};
use crate::switch::tool::At;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, World};

/// What a project file may not say since 0.129, as far as it concerns the model.
const PROJECT_MAY_NOT: [&str; 5] = ["model_provider", "model_providers", "profile", "profiles", "openai_base_url"];
/// Tables whose own `model` means something else than the session's model.
const OWN_MODELS: [&str; 7] = ["profiles", "agents", "realtime", "audio", "memories", "model_catalog", "auto_review"];

/// One file.
pub(super) struct Source {
    pub kind: LayerKind,
    pub path: ToolPath,
    pub document: Document,
    /// Whether Codex takes it into account: a project's file needs trust.
    pub is_trusted: bool,
    /// Whether the keys of [`PROJECT_MAY_NOT`] are taken out of it.
    pub is_stripped: bool,
}

impl Source {
    /// The value that Codex sees at a path.
    pub fn get(&self, path: &[&str]) -> Option<&Node> {
        let is_seen = !self.is_stripped || path.first().is_none_or(|key| !PROJECT_MAY_NOT.contains(key));
        if self.is_trusted && is_seen { self.document.get(path) } else { None }
    }

    /// The text there.
    pub fn text(&self, path: &[&str]) -> Option<String> {
        self.get(path)?.as_text().map(str::to_owned)
    }

    /// The names of the tables in a table.
    pub fn names(&self, table: &str) -> impl Iterator<Item = &str> {
        self.get(&[table]).map_or(&[][..], Node::entries).iter().map(|entry| entry.key.as_str())
    }

    fn layer(&self, path: &[&str]) -> Option<Layer> {
        self.layer_of(path, self.text(&[path, &["model"]].concat()), self.text(&[path, &["model_provider"]].concat()))
    }

    fn layer_of(&self, path: &[&str], model: Option<String>, provider: Option<String>) -> Option<Layer> {
        if model.is_none() && provider.is_none() {
            return None;
        }
        let key = [path, &[if model.is_some() { "model" } else { "model_provider" }]].concat().join(".");
        let is_own_profile = self.kind == LayerKind::User && !path.is_empty();
        let kind = if is_own_profile { LayerKind::Profile } else { self.kind };
        Some(Layer::new(kind, Place::file(&self.path, key), model).provider(provider))
    }
}

/// All files that count, the strongest first.
pub(super) struct Sources {
    pub all: Vec<Source>,
}

impl Sources {
    /// Reads the files. What stops Codex is noted in `reading`; `None` when the user's own or a system file is broken.
    pub fn load(at: &At<'_>, reading: &mut Reading) -> Option<Self> {
        let user_path = user_file(at);
        let user = open(at, reading, LayerKind::User, &user_path);
        let managed_folder = match at.world.platform {
            Platform::Windows => at.home.path.clone(),
            Platform::Linux | Platform::Macos => system_folder(&at.world),
        };
        let managed = open(at, reading, LayerKind::Managed, &managed_folder.join("managed_config.toml"));
        let system = open(at, reading, LayerKind::System, &system_folder(&at.world).join(FILE));
        let (user, managed, system) = (user?, managed?, system?);
        let mut below: Vec<Source> = user.into_iter().chain(system).collect();
        if let Some(user) = below.iter().find(|source| source.kind == LayerKind::User)
            && user.document.has_bom()
        {
            reading.warnings.push(Warning::new(Code::BomPresent, "switch-codex-bom").with("file", &user_path));
        }
        let mut all: Vec<Source> = managed.into_iter().collect();
        all.extend(projects(at, reading, &below));
        all.append(&mut below);
        Some(Self { all })
    }

    /// The merged text at a path.
    pub fn text(&self, path: &[&str]) -> Option<String> {
        self.all.iter().find_map(|source| source.text(path))
    }

    /// Whether anything is set at a path.
    pub fn has(&self, path: &[&str]) -> bool {
        self.all.iter().any(|source| source.get(path).is_some())
    }

    /// Whether the merged value at a path is `true`.
    pub fn is_true(&self, path: &[&str]) -> bool {
        self.all.iter().find_map(|source| source.get(path)).and_then(Node::as_bool) == Some(true)
    }

    /// The text at a path of the user's own file.
    pub fn user_text(&self, path: &[&str]) -> Option<String> {
        self.all.iter().find(|source| source.kind == LayerKind::User)?.text(path)
    }

    /// A root key as it is outside any project, policies left out.
    pub fn below_project(&self, key: &str) -> Option<String> {
        let below = |source: &&Source| matches!(source.kind, LayerKind::User | LayerKind::System);
        self.all.iter().filter(below).find_map(|source| source.text(&[key]))
    }

    /// The selected profile of the versions that have them in the file.
    pub fn profile(&self) -> Option<String> {
        self.text(&["profile"])
    }

    /// The providers that the files define, outside the project alone or there too.
    pub fn own_providers(&self, with_projects: bool) -> BTreeSet<String> {
        let counted = self.all.iter().filter(|source| with_projects || !is_project(source.kind));
        counted.flat_map(|source| source.names("model_providers")).map(str::to_owned).collect()
    }

    /// Notes the layers, and what is worth telling about them.
    pub fn read(&self, at: &At<'_>, reading: &mut Reading) {
        let is_legacy = !at.world.versions.is_since(PROFILE_FILES);
        let selected = self.profile().filter(|_| is_legacy);
        if let Some(name) = &selected {
            reading.layers.extend(self.all.iter().filter_map(|source| source.layer(&["profiles", name])));
        }
        for source in &self.all {
            if source.is_trusted {
                reading.layers.extend(source.layer(&[]));
            } else {
                let text = |key: &str| source.document.text(&[key]).map(str::to_owned);
                let layer = source.layer_of(&[], text("model"), text("model_provider"));
                reading.layers.extend(layer.map(Layer::inert));
            }
        }
        self.note_profiles(at, reading, selected.as_deref());
        for source in &self.all {
            note_stripped(source, self, reading);
            if source.kind == LayerKind::User {
                note_lookalikes(source, reading);
            }
        }
        self.note_base_url(at, reading);
        if reading.effective().model.as_deref() == Some("") {
            // Seen on 0.171: the file loads, no session starts.
            let file = reading.decider().map(|layer| layer.place.clone());
            if let Some(Place::File { path, key }) = file {
                let warning = Warning::new(Code::FatalForTool, "switch-codex-empty-model");
                reading.warnings.push(warning.with("file", path).with("key", key));
            }
            reading.start = Start::Never;
        }
    }

    /// Profiles that are not selected: tables, and since 0.134 files of their own, which only `--profile` selects.
    fn note_profiles(&self, at: &At<'_>, reading: &mut Reading, selected: Option<&str>) {
        let is_legacy = !at.world.versions.is_since(PROFILE_FILES);
        let mut is_any = selected.is_some() || self.profile().is_some();
        for source in self.all.iter().filter(|source| !is_project(source.kind)) {
            for name in source.names("profiles").filter(|name| Some(*name) != selected) {
                let Some(layer) = source.layer(&["profiles", name]) else { continue };
                reading.layers.push(layer.inert());
                is_any = true;
                // A selector stops Codex, which says more.
                if !is_legacy && self.profile().is_none() {
                    let warning = Warning::new(Code::InertKey, "switch-codex-inert-profile");
                    reading.warnings.push(warning.with("profile", name).with("file", &source.path));
                }
            }
        }
        if is_any && at.world.versions.straddles(PROFILE_FILES) {
            reading.warnings.push(differ(at, "switch-codex-versions-profile"));
        }
        if is_legacy {
            return;
        }
        for name in at.world.files.list(&at.home.path) {
            if name.strip_suffix(".config.toml").is_none_or(str::is_empty) {
                continue;
            }
            let path = at.home.path.join(&name);
            let Loaded::Parsed(document, _) = load(&at.world, &mut reading.files, &path, Language::Toml) else {
                continue;
            };
            let text = |key: &str| document.text(&[key]).map(str::to_owned);
            if text("model").is_some() || text("model_provider").is_some() {
                let layer = Layer::new(LayerKind::Profile, Place::file(&path, "model"), text("model"))
                    .provider(text("model_provider"));
                reading.layers.push(layer.inert());
            }
        }
    }

    /// Up to 0.118 a variable moves the built-in provider elsewhere, unless the file says where it is.
    fn note_base_url(&self, at: &At<'_>, reading: &mut Reading) {
        let Some(url) = at.world.vars.get("OPENAI_BASE_URL") else { return };
        let is_built_in = reading.effective().provider.as_deref() == Some(BUILT_IN);
        if !is_built_in || self.text(&["openai_base_url"]).is_some() {
            return;
        }
        if at.world.versions.straddles(NO_BASE_URL) {
            reading.warnings.push(differ(at, "switch-codex-versions-base-url"));
        } else if !at.world.versions.is_since(NO_BASE_URL) {
            let authority = url.split_once("://").map_or(url, |(_, rest)| rest).split(['/', '?', '#']).next();
            let host = authority.and_then(|authority| authority.rsplit('@').next()).unwrap_or_default();
            reading.warnings.push(Warning::new(Code::MaskedByEnv, "switch-codex-base-url").with("host", host));
        }
    }
}

/// Several installed versions read the same file in two ways.
pub(super) fn differ(at: &At<'_>, text: &'static str) -> Warning {
    let show = |version: Option<_>| {
        version.map_or_else(String::new, |version: crate::switch::world::Version| version.to_string())
    };
    let warning = Warning::new(Code::VersionsDiffer, text);
    warning.with("lowest", show(at.world.versions.lowest)).with("highest", show(at.world.versions.highest))
}

/// A file of the user's or the system's: broken, it stops Codex wherever it is started.
#[expect(clippy::option_option, reason = "the outer one says that Codex stops, the inner one that there is no file")]
fn open(at: &At<'_>, reading: &mut Reading, kind: LayerKind, path: &ToolPath) -> Option<Option<Source>> {
    match load(&at.world, &mut reading.files, path, Language::Toml) {
        Loaded::Missing => Some(None),
        Loaded::Parsed(document, _) => {
            Some(Some(Source { kind, path: path.clone(), document, is_trusted: true, is_stripped: false }))
        }
        Loaded::Broken(trouble) | Loaded::Unreadable(trouble) => {
            reading.warnings.push(Warning::new(Code::FatalForTool, "switch-codex-stops").with("file", path));
            reading.obstacle.get_or_insert(trouble);
            None
        }
    }
}

/// The project's files, nearest first.
fn projects(at: &At<'_>, reading: &mut Reading, below: &[Source]) -> Vec<Source> {
    let Some(cwd) = at.world.cwd else { return Vec::new() };
    if !at.world.versions.is_since(PROJECTS) {
        return Vec::new();
    }
    let markers: Vec<&str> = match below.iter().find_map(|source| source.get(&["project_root_markers"])) {
        Some(markers) => markers.items().iter().filter_map(Node::as_text).collect(),
        None => vec![".git"],
    };
    let is_root = |folder: &ToolPath| markers.iter().any(|marker| at.world.files.exists(&folder.join(marker)));
    let root = at.world.upward().find(is_root).unwrap_or_else(|| cwd.clone());
    let repository = repository(&at.world);
    let mut sources = Vec::new();
    for folder in cwd.upward().take_while(|folder| folder.is_in(&root)) {
        let path = folder.join(".codex").join(FILE);
        if path == user_file(at) {
            continue;
        }
        let places = [Some(&folder), Some(&root), repository.as_ref()];
        let known = places.into_iter().flatten().find_map(|place| recorded_trust(below, place));
        let is_trusted = known.or(at.world.trust).unwrap_or(false);
        match load(&at.world, &mut reading.files, &path, Language::Toml) {
            Loaded::Missing => {}
            Loaded::Parsed(document, _) => {
                let is_stripped = at.world.versions.is_since(STRIPPED);
                if is_trusted && at.world.versions.straddles(STRIPPED) && document.get(&["model_provider"]).is_some() {
                    reading.warnings.push(differ(at, "switch-codex-versions-stripped"));
                }
                sources.push(Source { kind: LayerKind::Project, path, document, is_trusted, is_stripped });
            }
            // Seen on 0.130 and 0.171: a broken file stops Codex in a trusted project, and is passed over elsewhere.
            Loaded::Broken(trouble) | Loaded::Unreadable(trouble) if is_trusted => {
                reading.start = Start::Never;
                reading.warnings.push(trouble);
                let warning = Warning::new(Code::FatalForTool, "switch-codex-stops-here");
                reading.warnings.push(warning.with("file", path).with("folder", cwd));
            }
            Loaded::Broken(_) | Loaded::Unreadable(_) => {}
        }
    }
    sources
}

/// The folder of the repository that trust is recorded for: of a linked work tree, the main one.
fn repository(world: &World<'_>) -> Option<ToolPath> {
    let root = world.git_root()?;
    let FileState::File(file) = world.files.read(&root.join(".git")) else { return Some(root) };
    let text = String::from_utf8_lossy(&file.bytes);
    let main = text.trim().strip_prefix("gitdir:").map(|folder| root.join(folder.trim()));
    let main = main.filter(|folder| folder.parent().is_some_and(|parent| parent.name() == "worktrees"));
    Some(main.and_then(|folder| folder.parent()?.parent()?.parent()).unwrap_or(root))
}

fn recorded_trust(below: &[Source], folder: &ToolPath) -> Option<bool> {
    let records = below.iter().filter_map(|source| source.get(&["projects"])).flat_map(Node::entries);
    records
        .filter(|entry| {
            let recorded = ToolPath::new(&entry.key);
            recorded == *folder || (folder.is_windows() && recorded.is_in(folder) && folder.is_in(&recorded))
        })
        .find_map(|entry| Some(entry.value.child("trust_level")?.as_text()? == "trusted"))
}

/// Keys of a trusted project file that Codex takes out.
fn note_stripped(source: &Source, sources: &Sources, reading: &mut Reading) {
    if !source.is_stripped || !source.is_trusted {
        return;
    }
    let keys: Vec<_> = PROJECT_MAY_NOT.into_iter().filter(|key| source.document.get(&[key]).is_some()).collect();
    if keys.is_empty() {
        return;
    }
    let provider = sources.text(&["model_provider"]).unwrap_or_else(|| BUILT_IN.to_owned());
    let warning = Warning::new(Code::InertKey, "switch-codex-stripped").with("keys", keys.join(", "));
    reading.warnings.push(warning.with("file", &source.path).with("provider", provider));
}

/// What looks like the key that names the model or the provider, and is none.
fn note_lookalikes(source: &Source, reading: &mut Reading) {
    let document = &source.document;
    let line = |node: &Node| document.position(node.span.start).line;
    if let Some(node) = document.get(&["provider"]) {
        let warning = Warning::new(Code::InertKey, "switch-codex-no-provider-key");
        reading.warnings.push(warning.with("file", &source.path).with("line", line(node)));
    }
    let mut tables: Vec<(String, &Node)> = Vec::new();
    for entry in document.root().entries() {
        if OWN_MODELS.contains(&entry.key.as_str()) {
            continue;
        }
        tables.push((entry.key.clone(), &entry.value));
        let inner = entry.value.entries().iter();
        tables.extend(inner.map(|inner| (format!("{}.{}", entry.key, inner.key), &inner.value)));
    }
    for (name, table) in tables {
        if table.style != Style::Block || matches!(table.kind, Kind::List(_)) {
            continue;
        }
        for key in ["model", "model_provider"] {
            if let Some(node) = table.child(key).filter(|node| node.as_text().is_some()) {
                let warning = Warning::new(Code::InertKey, "switch-codex-in-table").with("key", key);
                reading.warnings.push(warning.with("table", &name).with("file", &source.path).with("line", line(node)));
            }
        }
    }
}
