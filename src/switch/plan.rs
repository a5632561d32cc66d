//! A planned switch: what decides now, what would be written, what would decide then, and what to know about it.

use std::sync::Arc;

use crate::core::secretive::looks_like_key;
use crate::edit::{self, Document, EditError, Language, Refusal, Splice, Value};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Effective, Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Credential, Tool, ToolEndpoint, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, Overlay, ToolFile, World};

/// What a switch would do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tool.
    pub tool: &'static str,
    /// The project whose own file is changed; `None` is the user's.
    pub project: Option<ToolPath>,
    /// What was read before.
    pub reading: Reading,
    /// What a fresh start uses now.
    pub before: Effective,
    /// What would be done.
    pub action: Action,
    /// What a fresh start would use then.
    pub after: Effective,
    /// What it would use outside the project, where that differs.
    pub after_outside: Option<Effective>,
    /// What it would use for other roles than the default one, where that differs.
    pub after_other_roles: Option<Effective>,
    /// What to know, each code and message once.
    pub warnings: Vec<Warning>,
}

/// What a plan would do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Write these files. None when everything is as wanted already.
    Edit(Vec<FileEdit>),
    /// Nothing, for this reason.
    Refuse(Warning),
}

/// The new content of one file.
#[derive(Clone, Debug)]
pub struct FileEdit {
    /// The file, where the tool looks for it.
    pub path: ToolPath,
    /// Where it really lies, when the path is a link.
    pub target: Option<ToolPath>,
    /// The changes that were asked for.
    pub changes: Vec<Change>,
    /// What is spliced into `before`, in the file's order.
    pub splices: Vec<Splice>,
    /// The bytes that the plan was made on; `None` when there is no file.
    pub before: Option<Arc<[u8]>>,
    /// The bytes to write.
    pub after: Arc<[u8]>,
}

impl FileEdit {
    /// The dotted keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = String> + '_ {
        self.changes.iter().map(Change::key)
    }

    /// A dotted key whose value now looks like a credential: it would have to be kept for an undo.
    fn replaces_a_key(&self) -> Option<String> {
        let change = self.changes.first()?;
        let document = Document::parse(self.before.as_deref()?, change.language).ok()?;
        let holds_key = |change: &&Change| {
            let path: Vec<&str> = change.steps().iter().map(String::as_str).collect();
            document.text(&path).is_some_and(looks_like_key)
        };
        self.changes.iter().find(holds_key).map(Change::key)
    }

    fn write(&mut self) -> Result<(), EditError> {
        let Some(language) = self.changes.first().map(|change| change.language) else { return Ok(()) };
        let edits = |changes: &[Change]| changes.iter().map(|change| change.edit.clone()).collect::<Vec<_>>();
        match &self.before {
            // A tool that takes an empty file for no settings: a new one takes its place.
            Some(before) if matches!(language, Language::Json(_)) && before.trim_ascii().is_empty() => {
                let new = Document::fresh(language, &edits(&self.changes))?;
                let key = self.keys().next().unwrap_or_default();
                self.splices =
                    vec![Splice { start: 0, end: before.len(), old: before.to_vec(), new: new.clone(), key }];
                self.after = new.into();
            }
            Some(before) => {
                let document = Document::parse(before, language)?;
                self.changes.retain(|change| !is_there(&document, &change.edit));
                let changes = edits(&self.changes);
                self.splices = document.edit(&changes)?;
                self.after = edit::apply(before, &self.splices)?.into();
            }
            None => self.after = Document::fresh(language, &edits(&self.changes))?.into(),
        }
        Ok(())
    }

    /// What changes, as a unified diff without secrets.
    pub fn diff(&self) -> String {
        edit::unified_diff(self.path.as_str(), self.before.as_deref().unwrap_or_default(), &self.after)
    }
}

/// Plans a switch of one home of a tool.
pub fn plan(tool: &dyn Tool, at: &At<'_>, wanted: &Wanted) -> Plan {
    plan_by(tool, at, wanted, |reading| tool.change(at, reading, wanted))
}

/// Plans the setting of keys that `choose` names, whatever the tool itself would change.
pub fn plan_by(
    tool: &dyn Tool,
    at: &At<'_>,
    wanted: &Wanted,
    choose: impl FnOnce(&Reading) -> Result<Changes, Warning>,
) -> Plan {
    let read = |at: &At<'_>| {
        let mut reading = tool.read(at);
        reading.asked = wanted.alias.clone().or(reading.asked);
        reading
    };
    let reading = read(at);
    let before = reading.effective();
    let mut warnings = reading.warnings.clone();
    let refused = |reading: Reading, mut warnings: Vec<Warning>, reason: Warning| {
        warnings.insert(0, reason.clone());
        dedup(&mut warnings);
        let before = reading.effective();
        let after = before.clone();
        let action = Action::Refuse(reason);
        Plan {
            tool: tool.id(),
            project: None,
            reading,
            before,
            action,
            after,
            after_outside: None,
            after_other_roles: None,
            warnings,
        }
    };
    if let Some(obstacle) = reading.obstacle.clone() {
        return refused(reading, warnings, obstacle);
    }
    let changes = match choose(&reading) {
        Ok(changes) => changes,
        Err(reason) => return refused(reading, warnings, reason),
    };
    warnings.extend(changes.warnings);
    let edits = match file_edits(&at.world, changes.changes) {
        Ok(edits) => edits,
        Err(reason) => return refused(reading, warnings, reason),
    };

    let mut planned = Overlay::above(at.world.files);
    for edit in &edits {
        let file = ToolFile { target: edit.target.clone(), ..ToolFile::plain(Arc::clone(&edit.after)) };
        planned.put(edit.path.clone(), FileState::File(file));
    }
    let then = At { world: World { files: &planned, ..at.world }, home: at.home };
    let reading_after = read(&then);
    let after = reading_after.effective();
    warnings.retain(|warning| !warning.code.is_of_outcome() || !reading.warnings.contains(warning));
    warnings.extend(reading_after.warnings.iter().filter(|warning| warning.code.is_of_outcome()).cloned());
    let masks = masks(&reading_after, &edits, wanted);
    warnings.retain(|warning| warning.code != Code::ModelUnverified || masks.is_empty());
    warnings.extend(masks);
    warnings.extend(missing_key(tool, &then, &after));
    dedup(&mut warnings);

    let outside = read(&At { world: World { cwd: None, ..then.world }, home: at.home }).effective();
    let other_roles = reading_after.effective_without(|kind| kind == LayerKind::Role);
    let differs = |other: Effective| (other.model != after.model || other.provider != after.provider).then_some(other);
    Plan {
        tool: tool.id(),
        project: None,
        reading,
        before,
        action: Action::Edit(edits),
        after_outside: differs(outside),
        after_other_roles: differs(other_roles),
        after,
        warnings,
    }
}

/// Whether a value stands there already.
fn is_there(document: &Document, edit: &edit::Change) -> bool {
    let edit::Change::Set { path, value, .. } = edit else { return false };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let node = document.get(&path);
    match value {
        Value::Text(text) => node.and_then(|node| node.as_text()) == Some(text),
        Value::Bool(value) => node.and_then(|node| node.as_bool()) == Some(*value),
        _ => false,
    }
}

fn dedup(warnings: &mut Vec<Warning>) {
    let mut seen: Vec<Warning> = Vec::new();
    warnings.retain(|warning| {
        let is_new = !seen.contains(warning);
        if is_new {
            seen.push(warning.clone());
        }
        is_new
    });
}

fn file_edits(world: &World<'_>, changes: Vec<Change>) -> Result<Vec<FileEdit>, Warning> {
    let mut edits: Vec<FileEdit> = Vec::new();
    for change in changes {
        if let edit::Change::Set { value: Value::Text(text), .. } = &change.edit
            && looks_like_key(text)
        {
            return Err(Warning::new(Code::WrongType, "switch-value-is-key").with("key", change.key()));
        }
        match edits.iter_mut().find(|edit| edit.path == change.file) {
            Some(edit) => edit.changes.push(change),
            None => edits.push(open(world, change)?),
        }
    }
    for edit in &mut edits {
        if let Some(key) = edit.replaces_a_key() {
            return Err(Warning::new(Code::WrongType, "switch-value-is-key").with("key", key));
        }
        edit.write().map_err(|error| {
            let keys = edit.keys().collect::<Vec<_>>().join(", ");
            let code = match &error {
                EditError::Parse(_) => Code::ParseError,
                EditError::Refused { refusal: Refusal::NotATable, .. } => Code::WrongType,
                _ => Code::FormNotEditable,
            };
            let warning = Warning::new(code, "switch-cannot-edit").with("file", &edit.path);
            warning.with("key", keys).with("problem", error)
        })?;
    }
    edits.retain(|edit| edit.before.as_deref() != Some(&*edit.after));
    Ok(edits)
}

/// The file as it is, if it may be written, with its first change.
fn open(world: &World<'_>, change: Change) -> Result<FileEdit, Warning> {
    let path = change.file.clone();
    let (before, target) = match world.files.read(&path) {
        FileState::File(file) if !file.is_writable => {
            let real = file.target.unwrap_or_else(|| path.clone());
            let warning = Warning::new(Code::TargetReadonly, "switch-readonly");
            return Err(warning.with("file", path).with("target", real));
        }
        FileState::File(file) => (Some(file.bytes), file.target),
        FileState::Missing if change.makes_file => (None, None),
        FileState::Missing => {
            return Err(Warning::new(Code::StorageNotInFile, "switch-no-file").with("file", path));
        }
        FileState::Unreadable(reason) => {
            let warning = Warning::new(Code::TargetReadonly, "switch-unreadable");
            return Err(warning.with("file", path).with("reason", reason));
        }
    };
    let after = before.clone().unwrap_or_default();
    Ok(FileEdit { path, target, changes: vec![change], splices: Vec::new(), before, after })
}

/// What still wins over the keys that were set: for the model, and where another layer names it alone, for the provider.
fn masks(reading: &Reading, edits: &[FileEdit], wanted: &Wanted) -> Vec<Warning> {
    let deciding = reading.decider();
    let providing = reading.layers.iter().find(|layer| layer.is_active && layer.provider.is_some());
    let providing = providing
        .filter(|layer| layer.model.is_none() && wanted.provider.is_some() && layer.provider != wanted.provider);
    deciding.into_iter().chain(providing).filter_map(|layer| mask(layer, edits)).collect()
}

fn mask(layer: &Layer, edits: &[FileEdit]) -> Option<Warning> {
    let is_ours = |path: &ToolPath, key: &str| {
        edits.iter().any(|edit| edit.path == *path && edit.keys().any(|edited| edited == key))
    };
    let (text, place) = match &layer.place {
        Place::File { path, key } if is_ours(path, key) => return None,
        Place::File { path, key } => ("switch-masked-by-file", [path.to_string(), key.clone()]),
        Place::Variable { name, .. } => ("switch-masked-by-variable", [String::new(), name.clone()]),
    };
    if let Some(mask) = &layer.mask {
        return Some(mask.clone());
    }
    let code = layer.kind.masks_with()?;
    let [file, key] = place;
    let value = layer.model.clone().or_else(|| layer.provider.clone()).unwrap_or_default();
    Some(Warning::new(code, text).with("file", file).with("key", key).with("value", value))
}

/// Whether the provider that would be asked has a credential, as far as a variable tells.
fn missing_key(tool: &dyn Tool, at: &At<'_>, after: &Effective) -> Option<Warning> {
    let provider = after.provider.as_ref()?;
    let mut endpoints = tool.endpoints(at);
    endpoints.retain(|endpoint| endpoint.provider == *provider);
    let lists = |endpoint: &ToolEndpoint| after.model.as_ref().is_some_and(|model| endpoint.models.contains(model));
    let at_hand = endpoints.iter().position(lists).unwrap_or(0);
    let endpoint = endpoints.into_iter().nth(at_hand)?;
    match endpoint.credential {
        Credential::Variable(name) if at.world.vars.is_missing(&name) => Some(
            Warning::new(Code::ProviderKeyMissing, "switch-key-missing")
                .with("provider", provider)
                .with("variable", name),
        ),
        _ => None,
    }
}
