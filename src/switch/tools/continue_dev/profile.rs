//! Which profile a folder uses: the local configuration, or another that the state file remembers for it.

use crate::core::platform::Platform;
use crate::edit::{Document, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::At;
use crate::switch::warning::{Code, Warning};

use super::entries::chat_entries;
use super::{YAML, state_file};

/// A profile.
pub(super) enum Profile {
    /// `config.yaml`, or `config.json`.
    Local,
    /// A file of its own.
    File(ToolPath),
    /// One of the hub, by its name.
    Hub(String),
}

/// The profile of the start folder.
pub(super) fn of(at: &At<'_>, state: Option<&Document>) -> Profile {
    let all = state.and_then(|state| state.get(&["lastSelectedProfileForWorkspace"])).map(Node::entries);
    let Some(cwd) = at.world.cwd else { return Profile::Local };
    let is_here = |workspace: &str| {
        workspace.split('&').filter_map(|folder| path_of(folder, at.world.platform)).any(|folder| folder == *cwd)
    };
    let here = all.unwrap_or_default().iter().rev().find(|entry| is_here(&entry.key));
    match here.and_then(|entry| entry.value.as_text()) {
        None | Some("local" | "") => Profile::Local,
        Some(id) => match path_of(id, at.world.platform) {
            Some(path) if [&at.home.path.join("config.yaml"), &at.home.path.join("config.json")].contains(&&path) => {
                Profile::Local
            }
            Some(path) => Profile::File(path),
            None => Profile::Hub(id.to_owned()),
        },
    }
}

/// The path of a `file:` address, or of a plain absolute path.
fn path_of(text: &str, platform: Platform) -> Option<ToolPath> {
    let Some(rest) = text.strip_prefix("file://") else {
        let path = ToolPath::new(text);
        return (text.starts_with('/') || path.is_windows()).then_some(path);
    };
    let decoded = decoded(rest);
    Some(match decoded.strip_prefix('/') {
        Some(drive) if platform == Platform::Windows => {
            let mut letters = drive.chars();
            let letter = letters.next()?.to_ascii_uppercase();
            ToolPath::new(format!("{letter}{}", letters.as_str()).replace('/', "\\"))
        }
        _ => ToolPath::new(decoded),
    })
}

/// `%20` and the like replaced by what they stand for.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The layer of another profile than the local one: it decides in its folder. False when what it uses is not written here;
/// it hides the local models all the same.
pub(super) fn read(at: &At<'_>, state: Option<&Document>, reading: &mut Reading) -> bool {
    let (path, name) = match of(at, state) {
        Profile::Local => return true,
        Profile::File(path) => (Some(path.clone()), path.to_string()),
        Profile::Hub(name) => (None, name),
    };
    let selected = state.and_then(|state| state.get(&["selectedModelsByProfileId"])).and_then(|all| all.child(&name));
    let selected = selected.and_then(|roles| roles.child("chat")?.as_text());
    let is_project = path.as_ref().is_some_and(|path| at.world.cwd.is_some_and(|cwd| path.is_in(cwd)));
    let kind = if is_project { LayerKind::Project } else { LayerKind::Role };
    let code = if is_project { Code::MaskedByProjectFile } else { Code::MaskedByRoleOverride };
    let place = Place::file(path.as_ref().unwrap_or(&state_file(at)), "lastSelectedProfileForWorkspace");
    let mut layer = Layer::new(kind, place, None);
    if let Some(path) = &path
        && let Loaded::Parsed(document, _) = load(&at.world, &mut reading.files, path, YAML)
    {
        let entries = chat_entries(path, &document);
        let named = entries.iter().find(|entry| entry.name.is_some() && entry.name.as_deref() == selected);
        if let Some(entry) = named.or(entries.first()) {
            layer.model.clone_from(&entry.model);
            layer.provider.clone_from(&entry.provider);
            let key = entry.model_keys.as_ref().map(|keys| keys.join(".")).unwrap_or_default();
            layer.place = Place::file(path, key);
        }
    }
    let is_known = layer.model.is_some();
    if let Some(value) = layer.model.clone() {
        let mask = Warning::new(code, "switch-continue-profile").with("profile", &name).with("value", value);
        layer = layer.masks_as(mask);
    } else {
        reading.warnings.push(Warning::new(code, "switch-continue-hub").with("profile", &name));
    }
    reading.layers.push(layer);
    is_known
}
