//! What projects name in files of their own, for the Switch screen. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::outcome::Family;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::switch::path::ToolPath;
use crate::switch::projects::Pin;
use crate::ui::screens::board::model::shown_family;
use crate::ui::switching::{Seat, Seen, SeenFolder, SeenPin};

use super::model::{Choice, choices, short, used};

/// A folder that the user named.
#[derive(Clone, Debug, PartialEq)]
pub struct Folder {
    /// As it is kept.
    pub kept: String,
    /// As it is shown.
    pub name: String,
    /// What there is instead of pins.
    pub note: Option<String>,
    /// What was left out of it, in words.
    pub left_out: Option<String>,
    /// What is pinned.
    pub pins: Vec<PinRow>,
}

/// A model that a project names.
#[derive(Clone, Debug, PartialEq)]
pub struct PinRow {
    /// The tool.
    pub seat: Seat,
    /// Where and what.
    pub pin: Pin,
    /// `Codex in ~/code/atlas`.
    pub name: String,
    /// The model it names.
    pub model: String,
    /// The state of that model, when it is one of the user's targets.
    pub family: Option<Family>,
    /// The place, and what it does to the user's own setting.
    pub detail: String,
    /// The targets that it can be told to name.
    pub choices: Vec<Choice>,
}

/// Reads what was seen.
pub fn folders(seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Folder> {
    seen.projects.iter().map(|folder| one(folder, seen, snapshot, now, tr)).collect()
}

fn one(folder: &SeenFolder, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Folder {
    let note = match (folder.is_there, folder.pins.is_empty()) {
        (false, _) => Some(tr.text("switching-projects-gone")),
        (true, true) => Some(tr.text("switching-projects-none")),
        (true, false) => None,
    };
    Folder {
        kept: folder.kept.clone(),
        name: short(&folder.path, &seen.home),
        note,
        left_out: nameless(&folder.nameless, |path| short(path, &seen.home), tr),
        pins: folder.pins.iter().map(|pin| row(pin, seen, snapshot, now, tr)).collect(),
    }
}

/// What is said of folders whose names are no text; `None` without any.
pub fn nameless(folders: &[ToolPath], shorten: impl Fn(&ToolPath) -> String, tr: &Tr) -> Option<String> {
    let first = shorten(folders.first()?);
    Some(tr.with("switching-projects-nameless", &args!("n" => folders.len(), "folder" => first)))
}

fn row(seen_pin: &SeenPin, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> PinRow {
    let SeenPin { seat, pin } = seen_pin;
    let tool = seen.tool(seat);
    let name = tool.map_or(seat.tool, |tool| tool.name);
    let names = |model: &str| {
        let reached = tool.into_iter().flat_map(|tool| &tool.choices);
        let mut told = reached.filter_map(|(goal, reached)| Some((&goal.target, reached.as_ref().ok()?)));
        told.find(|(_, reached)| reached.is(model, None)).map(|(target, _)| target.clone())
    };
    let named = names(&pin.model);
    let place =
        tr.with("switching-decided-file", &args!("key" => pin.key.as_str(), "file" => short(&pin.file, &seen.home)));
    let own = tool.map(|tool| tool.reading.effective());
    let does = match own {
        _ if !pin.decides => tr.text("switching-pin-idle"),
        Some(own) if own.model.as_deref() == Some(&pin.model) => tr.text("switching-pin-same"),
        Some(own) => tr.with("switching-pin-overrides", &args!("model" => used(&own, tr))),
        None => String::new(),
    };
    let mut choices = tool.map(|tool| choices(tool, snapshot, now, tr)).unwrap_or_default();
    choices.retain(|choice| named.as_ref() != Some(&choice.target));
    let entry = named.as_ref().and_then(|target| snapshot.board.entry(target));
    PinRow {
        seat: seat.clone(),
        pin: pin.clone(),
        name: tr.with("switching-in-project", &args!("tool" => name, "folder" => short(&pin.folder, &seen.home))),
        model: pin.model.clone(),
        family: entry.map(|entry| shown_family(entry, now)),
        detail: format!("{place} · {does}"),
        choices,
    }
}
