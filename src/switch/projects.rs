//! Project folders whose own files name a model, so that the user's file does not count there.
//!
//! Only folders that the user names are looked through, to a depth that a folder of projects has.

use crate::edit::{Document, DotenvDialect, JsonDialect, Language};
use crate::switch::path::ToolPath;
use crate::switch::plan::{Plan, plan_by};
use crate::switch::reading::{LayerKind, Place};
use crate::switch::tool::{At, Change, Changes, Home, Tool, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, Files, World};

/// How many folders below a named one are looked into.
const DEPTH: usize = 4;
/// The most folders that are looked at below one named folder.
const MOST: usize = 20_000;
/// Folders that hold other people's files, or none that a tool is started in.
const PASSED_OVER: [&str; 8] =
    ["node_modules", "target", "vendor", "dist", "build", "venv", "__pycache__", "site-packages"];

/// A model that a project names for a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The folder in which the tool would be started.
    pub folder: ToolPath,
    /// The file that names it.
    pub file: ToolPath,
    /// The dotted key.
    pub key: String,
    /// The model it names.
    pub model: String,
    /// Whether a start in that folder takes its model from there.
    pub decides: bool,
}

/// The folders that may be projects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounds {
    /// The named folder and those below it.
    pub folders: Vec<ToolPath>,
    /// Those that were left out, as their names are no text.
    pub nameless: Vec<ToolPath>,
}

/// Every pin of a tool in these folders, in the order of the paths; each place once, however many folders it reaches.
pub fn pins(tool: &dyn Tool, world: &World<'_>, home: &Home, folders: &[ToolPath]) -> Vec<Pin> {
    let mut pins: Vec<Pin> = Vec::new();
    for folder in folders {
        // A file in the folder itself or right below it; what lies above was found from there.
        let names = world.files.list(folder);
        if !names.iter().any(|name| name.starts_with('.') || name.contains('.')) {
            continue;
        }
        let reading = tool.read(&At { world: World { cwd: Some(folder), ..*world }, home });
        let decider = reading.effective().decided_by;
        for (index, layer) in reading.layers.iter().enumerate() {
            let (Place::File { path, key }, Some(model)) = (&layer.place, &layer.model) else { continue };
            let is_projects = matches!(layer.kind, LayerKind::Project | LayerKind::Dotenv) && path.is_in(folder);
            let is_known = pins.iter().any(|pin| pin.file == *path && pin.key == *key);
            if is_projects && !is_known {
                let (file, key, model) = (path.clone(), key.clone(), model.clone());
                pins.push(Pin { folder: folder.clone(), file, key, model, decides: decider == Some(index) });
            }
        }
    }
    pins
}

impl Grounds {
    /// Looks for them at a folder and below it.
    pub fn below(files: &dyn Files, folder: &ToolPath) -> Self {
        let mut found = Self { folders: vec![folder.clone()], nameless: Vec::new() };
        let mut level = vec![folder.clone()];
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for folder in level {
                found.nameless.extend(files.nameless(&folder).iter().map(|name| folder.join(name)));
                for name in files.list(&folder) {
                    let child = folder.join(&name);
                    let is_passed_over = name.starts_with('.') || PASSED_OVER.contains(&name.as_str());
                    if !is_passed_over && found.folders.len() < MOST && files.is_folder(&child) {
                        found.folders.push(child.clone());
                        next.push(child);
                    }
                }
            }
            level = next;
        }
        found
    }
}

/// Plans to let a pin name another model.
pub fn plan_pin(tool: &dyn Tool, world: &World<'_>, home: &Home, pin: &Pin, wanted: &Wanted) -> Plan {
    let at = At { world: World { cwd: Some(&pin.folder), ..*world }, home };
    let plan = plan_by(tool, &at, wanted, |reading| {
        let unfit = || unfit(pin);
        let FileState::File(file) = world.files.read(&pin.file) else { return Err(unfit()) };
        let language = language(&pin.file).ok_or_else(unfit)?;
        let document = Document::parse(&file.bytes, language).map_err(|_| unfit())?;
        let path = path_of(&document, &pin.key).ok_or_else(unfit)?;
        let steps: Vec<&str> = path.iter().map(String::as_str).collect();
        let text = document.text(&steps).ok_or_else(unfit)?;
        let is_own = |place: &Place| matches!(place, Place::File { path, key } if *path == pin.file && *key == pin.key);
        let layer = reading.layers.iter().find(|layer| is_own(&layer.place));
        let own = layer.and_then(|layer| layer.provider.as_deref());
        let is_named_before = |provider: &str| text.strip_prefix(provider).is_some_and(|rest| rest.starts_with('/'));
        let text = match (own.filter(|provider| is_named_before(provider)), &wanted.provider) {
            // The provider stands before the model, and goes on doing so.
            (Some(_), None) if wanted.model.contains('/') => wanted.model.clone(),
            (Some(own), provider) => format!("{}/{}", provider.as_deref().unwrap_or(own), wanted.model),
            (None, _) if text == pin.model => wanted.model.clone(),
            // A value that is not the model alone is not ours to put together.
            (None, _) => return Err(unfit()),
        };
        let change = Change::text(&pin.file, language, &steps, &text);
        Ok(Changes { changes: vec![change], warnings: Vec::new() })
    });
    Plan { project: Some(pin.folder.clone()), ..plan }
}

/// Why a pin is not changed by program.
pub fn unfit(pin: &Pin) -> Warning {
    Warning::new(Code::StorageNotInFile, "switch-pin-unfit").with("file", &pin.file).with("key", &pin.key)
}

/// The language of a project's file, by its name; what the tool would not read gave no pin.
fn language(file: &ToolPath) -> Option<Language> {
    let name = file.name();
    if name == ".env" || name.starts_with(".env.") {
        return Some(Language::Dotenv(DotenvDialect::Node));
    }
    match name.rsplit_once('.')?.1 {
        "toml" => Some(Language::Toml),
        "json" | "jsonc" => Some(Language::Json(JsonDialect::JSONC)),
        "yml" | "yaml" => Some(Language::Yaml),
        _ => None,
    }
}

/// The keys of a dotted path: keys may hold dots themselves.
fn path_of(document: &Document, dotted: &str) -> Option<Vec<String>> {
    fn find(document: &Document, done: &[String], rest: &str) -> Option<Vec<String>> {
        let whole = [done, &[rest.to_owned()]].concat();
        let steps: Vec<&str> = whole.iter().map(String::as_str).collect();
        if document.get(&steps).is_some() {
            return Some(whole);
        }
        rest.match_indices('.').find_map(|(at, _)| {
            let head = [done, &[rest[..at].to_owned()]].concat();
            let steps: Vec<&str> = head.iter().map(String::as_str).collect();
            document.get(&steps)?;
            find(document, &head, &rest[at + 1..])
        })
    }
    find(document, &[], dotted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::platform::Platform;
    use crate::switch::plan::Action;
    use crate::switch::tools;
    use crate::switch::world::{Overlay, ToolFile, Vars, Version, Versions};

    fn with_world<T>(files: &[(&str, &str)], ask: impl FnOnce(&World<'_>) -> T) -> T {
        let mut overlay = Overlay::empty();
        for (path, content) in files {
            overlay.put(ToolPath::new(path), FileState::File(ToolFile::plain(content.as_bytes())));
        }
        let (home, vars) = (ToolPath::new("/home/ada"), Vars::complete());
        let versions = Versions::one(Version(0, 160, 0));
        ask(&World {
            platform: Platform::Linux,
            home: &home,
            cwd: None,
            vars: &vars,
            files: &overlay,
            versions,
            trust: Some(true),
        })
    }

    const FILES: &[(&str, &str)] = &[
        ("/home/ada/.codex/config.toml", "model = \"a\"\n"),
        ("/srv/projects/atlas/.codex/config.toml", "# ours\nmodel = \"pinned\" # for now\n"),
        ("/srv/projects/atlas/src/main.rs", ""),
        ("/srv/projects/deep/er/.codex/config.toml", "model = 'other'\n"),
        ("/srv/projects/free/README.md", ""),
        ("/srv/projects/node_modules/x/.codex/config.toml", "model = \"theirs\"\n"),
    ];

    #[test]
    fn what_projects_pin_is_found_once_and_others_files_are_passed_over() {
        let codex = tools::find("codex").expect("a known tool");
        let found = with_world(FILES, |world| {
            let home = codex.homes(world).swap_remove(0);
            let grounds = Grounds::below(world.files, &ToolPath::new("/srv/projects"));
            pins(codex, world, &home, &grounds.folders)
        });
        let shown: Vec<_> = found.iter().map(|pin| (pin.file.as_str(), pin.model.as_str(), pin.decides)).collect();
        assert_eq!(
            shown,
            [
                ("/srv/projects/atlas/.codex/config.toml", "pinned", true),
                ("/srv/projects/deep/er/.codex/config.toml", "other", true),
            ]
        );
    }

    #[test]
    fn a_pin_is_set_in_its_own_file_alone() {
        let codex = tools::find("codex").expect("a known tool");
        let wanted = Wanted { model: "new".to_owned(), ..Wanted::default() };
        let plan = with_world(FILES, |world| {
            let home = codex.homes(world).swap_remove(0);
            let pin = pins(codex, world, &home, &[ToolPath::new("/srv/projects/atlas")]).swap_remove(0);
            plan_pin(codex, world, &home, &pin, &wanted)
        });
        let Action::Edit(edits) = &plan.action else { panic!("{:?}", plan.action) };
        assert_eq!(edits.len(), 1);
        assert_eq!(&*edits[0].after, b"# ours\nmodel = \"new\" # for now\n");
        assert_eq!((plan.before.model.as_deref(), plan.after.model.as_deref()), (Some("pinned"), Some("new")));
    }
}
