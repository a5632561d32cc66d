//! Crush: `models.large` of its own data file, which it merges over the user's `crush.json`.
//!
//! Sources: charmbracelet/crush internal/config/load.go, store.go and scope.go, its documentation of `crushrc` (0.90).
//! Low to high: the machine's file, the user's `crush.json`, the `crushrc` beside it, the data file, then from the root of
//! the repository down to the start folder `crush.json`, `.crush.json`, `crushrc`, `.crushrc`, and last the workspace's
//! `.crush/crush.json`. A `crushrc` is a shell script: it is read for plain `model large` lines and never run. A model that
//! Crush does not know is replaced by a default, and the replacement saved.

use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::edit::{Document, JsonDialect, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading, SeenFile, Start};
use crate::switch::tool::{At, Change, Changes, Credential, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::{duplicate, found, vendor, wrong_type};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, World};

const STRICT: Language = Language::Json(JsonDialect::STRICT);
const FILE: &str = "crush.json";
const LARGE: &[&str] = &["models", "large"];
const MODEL: &[&str] = &["models", "large", "model"];
const PROVIDER: &[&str] = &["models", "large", "provider"];

/// Names of vendors that it knows without being told, with our preset.
const VENDORS: &[(&str, &str)] = &[
    ("openai", "openai"),
    ("anthropic", "anthropic"),
    ("gemini", "gemini"),
    ("openrouter", "openrouter"),
    ("groq", "groq"),
    ("xai", "xai"),
    ("cerebras", "cerebras"),
    ("deepseek", "deepseek"),
    ("huggingface", "huggingface"),
    ("zai", "zai"),
];

pub(super) struct Crush;

impl Tool for Crush {
    fn id(&self) -> &'static str {
        "crush"
    }

    fn name(&self) -> &'static str {
        "Crush"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["crush"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved_by = ["CRUSH_GLOBAL_DATA", "XDG_DATA_HOME"].into_iter().find(|name| world.vars.get(name).is_some());
        let path = match (moved_by, world.platform) {
            (Some("CRUSH_GLOBAL_DATA"), _) => world.folder("CRUSH_GLOBAL_DATA", ""),
            (Some(_), _) => world.folder("XDG_DATA_HOME", "").join("crush"),
            (None, Platform::Windows) => world.folder("LOCALAPPDATA", "AppData/Local").join("crush"),
            (None, _) => world.home.join(".local/share/crush"),
        };
        vec![Home { path, moved_by }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        let files = at.world.files;
        files.exists(&data_file(at)) || ["crushrc", FILE].iter().any(|name| files.exists(&config_folder(at).join(name)))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let sources = gather(at, &mut reading.files);
        for source in &sources {
            troubles(source, &mut reading);
            reading.layers.extend(source.layer());
        }
        let users = sources.iter().filter(|source| source.kind != LayerKind::Project);
        let mut users = users.filter(|source| source.layer().is_some_and(|layer| layer.model.is_some()));
        if let Some(first) = users.next() {
            for other in users.filter(|source| source.kind != LayerKind::System) {
                let warning = Warning::new(Code::OtherFileMasked, "switch-crush-other").with("file", &other.path);
                reading.warnings.push(warning.with("first", &first.path));
            }
        }
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let sources = gather(at, &mut Vec::new());
        let (data, config) = (data_file(at), config_folder(at).join(FILE));
        let of = |path: &ToolPath| sources.iter().find(|source| source.path == *path);
        let has_models = |path: &ToolPath| {
            of(path).and_then(|own| own.document.as_ref()).is_some_and(|document| document.get(&["models"]).is_some())
        };
        let script = sources.iter().find(|own| own.kind == LayerKind::OtherUser && own.selection.is_some());
        // The data file wins over the script beside the user's file; the file itself would not.
        let path = if has_models(&data) || script.is_some() { data } else { config };
        let mut changes = Changes::default();
        if let Some(document) = of(&path).and_then(|own| own.document.as_ref()) {
            changes.warnings.extend(duplicate(&path, document, MODEL));
            changes.warnings.extend(duplicate(&path, document, PROVIDER));
        }
        changes.changes.push(Change::text(&path, STRICT, MODEL, &wanted.model).or_new());
        if let Some(provider) = &wanted.provider {
            changes.changes.push(Change::text(&path, STRICT, PROVIDER, provider).or_new());
        }
        let layers = || sources.iter().filter_map(Source::layer);
        let provider = wanted.provider.clone().or_else(|| layers().find_map(|layer| layer.provider));
        let Some(provider) = provider else {
            return Err(Warning::new(Code::ProviderUnknown, "switch-crush-no-provider").with("model", &wanted.model));
        };
        if wanted.provider.is_none() && !layers().any(|layer| layer.provider.is_some()) {
            changes.changes.push(Change::text(&path, STRICT, PROVIDER, &provider).or_new());
        }
        let known = custom(&sources).into_iter().find(|endpoint| endpoint.provider == provider);
        let is_vendor = VENDORS.iter().any(|(name, _)| *name == provider);
        if let Some(endpoint) = known.filter(|_| !is_vendor)
            && !endpoint.models.is_empty()
            && !endpoint.models.contains(&wanted.model)
        {
            let warning = Warning::new(Code::ModelUnverified, "switch-crush-unlisted").with("model", &wanted.model);
            changes.warnings.push(warning.with("provider", &provider));
        }
        Ok(changes)
    }

    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint> {
        let mut endpoints = custom(&gather(at, &mut Vec::new()));
        for &(name, preset) in VENDORS {
            let own = vendor(&at.world, name, preset);
            match endpoints.iter_mut().find(|endpoint| endpoint.provider == name) {
                Some(endpoint) => {
                    endpoint.models.clear();
                    endpoint.dialect = endpoint.dialect.or(own.dialect);
                    if endpoint.credential == Credential::None {
                        endpoint.credential = own.credential;
                    }
                }
                None => endpoints.push(own),
            }
        }
        endpoints
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }

    fn lock(&self, file: &ToolPath) -> Option<ToolPath> {
        // The user's own file has none.
        let is_config = file.parts().any(|part| part == ".config");
        (!is_config).then(|| file.parent()).flatten().map(|folder| folder.join("crush.json.lock"))
    }
}

fn data_file(at: &At<'_>) -> ToolPath {
    at.home.path.join(FILE)
}

fn config_folder(at: &At<'_>) -> ToolPath {
    match at.world.vars.get("CRUSH_GLOBAL_CONFIG") {
        Some(folder) => at.world.home.join(folder),
        None => at.world.xdg_config().join("crush"),
    }
}

/// One file that may choose the large model.
struct Source {
    path: ToolPath,
    kind: LayerKind,
    document: Option<Document>,
    trouble: Option<Warning>,
    /// What a script chooses: provider and model.
    selection: Option<(String, String)>,
}

impl Source {
    fn layer(&self) -> Option<Layer> {
        if let Some((provider, model)) = &self.selection {
            let layer = Layer::new(self.kind, Place::file(&self.path, "model large"), Some(model.clone()));
            return Some(layer.provider(Some(provider.clone())));
        }
        let document = self.document.as_ref()?;
        let model = found(document, MODEL).text().map(str::to_owned);
        let provider = found(document, PROVIDER).text().map(str::to_owned);
        if model.is_none() && provider.is_none() {
            return None;
        }
        let key = if model.is_some() { MODEL } else { PROVIDER };
        Some(Layer::new(self.kind, Place::file(&self.path, key.join(".")), model).provider(provider))
    }

    fn is_users(&self) -> bool {
        matches!(self.kind, LayerKind::User | LayerKind::OtherUser)
    }
}

/// Every file, the strongest first.
fn gather(at: &At<'_>, files: &mut Vec<SeenFile>) -> Vec<Source> {
    let world = &at.world;
    let mut sources = Vec::new();
    // Outside a repository only the start folder itself is looked at.
    let top = world.git_root().or_else(|| world.cwd.cloned());
    let inside = |folder: &ToolPath| top.as_ref().is_some_and(|top| folder.is_in(top));
    let project: Vec<ToolPath> = world.upward().take_while(inside).collect();
    let workspace = project.iter().map(|folder| folder.join(".crush")).find(|folder| world.files.exists(folder));
    if let Some(folder) = workspace {
        add(world, files, &folder.join(FILE), LayerKind::Project, &mut sources);
    }
    for folder in &project {
        for name in [".crushrc", "crushrc", ".crush.json", FILE] {
            add(world, files, &folder.join(name), LayerKind::Project, &mut sources);
        }
    }
    let (data, config) = (data_file(at), config_folder(at));
    sources.retain(|source| source.path != data && source.path != config.join(FILE));
    add(world, files, &data, LayerKind::User, &mut sources);
    add(world, files, &config.join("crushrc"), LayerKind::OtherUser, &mut sources);
    add(world, files, &config.join(FILE), LayerKind::OtherUser, &mut sources);
    if world.platform != Platform::Windows {
        add(world, files, &ToolPath::new("/etc/crush/crush.json"), LayerKind::System, &mut sources);
    }
    sources
}

fn add(world: &World<'_>, files: &mut Vec<SeenFile>, path: &ToolPath, kind: LayerKind, sources: &mut Vec<Source>) {
    let mut source = Source { path: path.clone(), kind, document: None, trouble: None, selection: None };
    if path.name().ends_with("rc") {
        let Loaded::Parsed(script, _) = load(world, files, path, Language::Text) else { return };
        source.selection = selection(script.root().as_text().unwrap_or_default());
        if source.selection.is_none() {
            return;
        }
        sources.push(source);
        return;
    }
    // Crush leaves an empty file out.
    if matches!(world.files.read(path), FileState::File(file) if file.bytes.is_empty()) {
        return;
    }
    match load(world, files, path, STRICT) {
        Loaded::Missing => return,
        Loaded::Parsed(document, _) => source.document = Some(document),
        Loaded::Broken(warning) | Loaded::Unreadable(warning) => source.trouble = Some(warning),
    }
    sources.push(source);
}

/// The last plain `model large PROVIDER/MODEL` of a script.
fn selection(script: &str) -> Option<(String, String)> {
    let chosen = script.lines().rev().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_choice = words.next() == Some("model") && words.next() == Some("large");
        let word = words.next().filter(|word| is_choice && !word.starts_with(['-', '#']))?;
        let word = word.trim_matches(['"', '\'', ';']);
        (!word.contains(['$', '`'])).then_some(word)
    })?;
    let (provider, model) = chosen.split_once('/')?;
    Some((provider.to_owned(), model.to_owned()))
}

/// A file that Crush cannot read stops it, whichever it is.
fn troubles(source: &Source, reading: &mut Reading) {
    let trouble = match &source.document {
        Some(document) => misshapen(&source.path, document),
        None => source.trouble.clone(),
    };
    let Some(trouble) = trouble else { return };
    let fatal = Warning::new(Code::FatalForTool, "switch-crush-fatal").with("file", &source.path);
    reading.warnings.push(fatal);
    if source.is_users() {
        reading.obstacle.get_or_insert(trouble);
    } else {
        reading.warnings.push(trouble);
        reading.start = Start::Never;
    }
}

fn misshapen(path: &ToolPath, document: &Document) -> Option<Warning> {
    let is_table = |keys: &[&str]| document.get(keys).is_none_or(Node::is_table);
    let is_text = |keys: &[&str]| document.get(keys).is_none_or(|node| node.as_text().is_some());
    let wrong = |keys: &[&str]| Some(wrong_type(path, document, keys));
    match () {
        () if !document.root().is_table() => wrong(&[]),
        () if !is_table(&["models"]) => wrong(&["models"]),
        () if !is_table(LARGE) => wrong(LARGE),
        () if !is_text(MODEL) => wrong(MODEL),
        () if !is_text(PROVIDER) => wrong(PROVIDER),
        () => None,
    }
}

/// The providers that its files describe.
fn custom(sources: &[Source]) -> Vec<ToolEndpoint> {
    let documents = || sources.iter().filter_map(|source| source.document.as_ref());
    let mut endpoints: Vec<ToolEndpoint> = Vec::new();
    for document in documents() {
        for entry in document.get(&["providers"]).map(Node::entries).unwrap_or_default() {
            if endpoints.iter().any(|known| known.provider == entry.key) {
                continue;
            }
            let name = entry.key.as_str();
            let text = |key: &str| documents().find_map(|own| own.text(&["providers", name, key])).map(str::to_owned);
            let dialect = match text("type").as_deref() {
                Some("openai" | "openai-compat") => Some(Dialect::OpenaiChat),
                Some("anthropic") => Some(Dialect::AnthropicMessages),
                Some("gemini" | "google") => Some(Dialect::Gemini),
                Some("ollama") => Some(Dialect::OllamaChat),
                _ => None,
            };
            let ids = |own: &Document| -> Vec<String> {
                let models = own.get(&["providers", name, "models"]).map(Node::items).unwrap_or_default();
                models.iter().filter_map(|model| Some(model.child("id")?.as_text()?.to_owned())).collect()
            };
            endpoints.push(ToolEndpoint {
                provider: name.to_owned(),
                base_url: text("base_url"),
                dialect,
                credential: credential(text("api_key").as_deref()),
                models: documents().flat_map(ids).collect(),
            });
        }
    }
    endpoints
}

/// A key is a text, a variable, or a command, which is not run.
fn credential(key: Option<&str>) -> Credential {
    let Some(key) = key.filter(|key| !key.is_empty()) else { return Credential::None };
    let Some(name) = key.strip_prefix('$') else {
        return if key.contains('$') { Credential::Unknown } else { Credential::InFile };
    };
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { Credential::Variable(name.to_owned()) } else { Credential::Unknown }
}
