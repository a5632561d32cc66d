//! The journal of switches: appended entries, from which it is told what was done, what was not finished, and what can be
//! taken back.
//!
//! It keeps no copies of files: of each changed key the old and the new value, the byte ranges, and a hash of the file
//! before and after. Values that look like keys never get here.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::core::rules::{Did, Move, Past};
use crate::core::target::TargetId;
use crate::edit::{self, Language, Splice, Value};
use crate::switch::path::ToolPath;
use crate::switch::plan::{FileEdit, Plan};
use crate::switch::undo::FileWalk;

/// A SHA-256 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Line {
    /// About to be written.
    Intended(Box<Entry>),
    /// Written, read again and found as planned.
    Done {
        /// Of which entry.
        id: u64,
        /// When.
        at: Timestamp,
    },
    /// Given up before anything was written, or found not written at the next start.
    Dropped {
        /// Of which entry.
        id: u64,
        /// When.
        at: Timestamp,
    },
    /// The tool's own log showed the first answer after it.
    Confirmed {
        /// Of which entry.
        id: u64,
        /// When the tool had its answer.
        at: Timestamp,
        /// Which kind of answer, by its stable name.
        kind: String,
    },
    /// The tool was seen to have written another value in its place.
    Overwritten {
        /// Of which entry.
        id: u64,
        /// When it was seen.
        at: Timestamp,
    },
}

/// Why something was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Purpose {
    /// A switch that a person asked for.
    Switch,
    /// A switch by a rule of the user's, with its name.
    Rule {
        /// The rule, as [`Move::name`](crate::core::rules::Move::name) calls it.
        rule: String,
        /// The target that the tool used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<TargetId>,
        /// The target that it was to use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<TargetId>,
    },
    /// Takes an entry back.
    Undo {
        /// Which one.
        of: u64,
    },
    /// Does an entry again that was taken back.
    Redo {
        /// Which one.
        of: u64,
    },
}

/// One switch of one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Counts from 1.
    pub id: u64,
    /// When it was intended.
    pub at: Timestamp,
    /// Why.
    #[serde(flatten)]
    pub purpose: Purpose,
    /// The tool's name.
    pub tool: String,
    /// Its home.
    pub home: ToolPath,
    /// The project whose own file was changed; `None` is the user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ToolPath>,
    /// The effective model before.
    pub model_before: Option<String>,
    /// The effective model that was planned.
    pub model_after: Option<String>,
    /// The provider before, by the tool's name for it.
    pub provider_before: Option<String>,
    /// The provider that was planned.
    pub provider_after: Option<String>,
    /// The files.
    pub files: Vec<FileRecord>,
}

/// What was written to one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file, where the tool looks for it.
    pub path: ToolPath,
    /// How the tool reads it.
    pub language: Language,
    /// Hash before; `None` when the file was made.
    pub hash_before: Option<String>,
    /// Hash after.
    pub hash_after: String,
    /// The keys.
    pub keys: Vec<KeyRecord>,
    /// The byte ranges, in the file before.
    pub splices: Vec<SpliceRecord>,
}

/// A key with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The keys from the root.
    pub path: Vec<String>,
    /// What it held before.
    pub before: Held,
    /// What it held after.
    pub after: Held,
}

/// What a key holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// There is no such key.
    Absent,
    /// A value that can be written again.
    Value(Value),
    /// Something that is not written again key by key: a null, a fraction.
    Other,
}

impl Held {
    /// What a document holds at a path.
    pub fn at(document: &edit::Document, path: &[String]) -> Self {
        let steps: Vec<&str> = path.iter().map(String::as_str).collect();
        let found = document.get(&steps).map(|node| node.to_value().map_or(Self::Other, Self::Value));
        found.unwrap_or(Self::Absent)
    }

    /// The value for people.
    pub fn shown(&self) -> Option<String> {
        match self {
            Self::Value(value) => Some(value.to_string()),
            Self::Absent | Self::Other => None,
        }
    }
}

/// A byte range with its old and new text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpliceRecord {
    /// Its first byte in the file before.
    pub start: usize,
    /// The text that was there.
    pub old: String,
    /// The text that took its place.
    pub new: String,
    /// The dotted key.
    pub key: String,
}

impl From<&Splice> for SpliceRecord {
    fn from(splice: &Splice) -> Self {
        // Every language of the editor is UTF-8, and a splice parts no character.
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { start: splice.start, old: text(&splice.old), new: text(&splice.new), key: splice.key.clone() }
    }
}

impl From<&SpliceRecord> for Splice {
    fn from(record: &SpliceRecord) -> Self {
        Self {
            start: record.start,
            end: record.start + record.old.len(),
            old: record.old.clone().into_bytes(),
            new: record.new.clone().into_bytes(),
            key: record.key.clone(),
        }
    }
}

impl FileRecord {
    /// What is kept when this is walked back as a switch of its own. `None` when a file was made or is taken away: there is
    /// nothing that such a switch could leave.
    pub fn back(&self, walk: &FileWalk) -> Option<Self> {
        let keys = self.keys.iter().map(|key| KeyRecord {
            path: key.path.clone(),
            before: key.after.clone(),
            after: key.before.clone(),
        });
        Some(Self {
            path: self.path.clone(),
            language: self.language,
            hash_before: Some(hash(walk.now.as_deref()?)),
            hash_after: hash(walk.then.as_deref()?),
            keys: keys.collect(),
            splices: walk.splices.iter().map(SpliceRecord::from).collect(),
        })
    }

    /// What is kept of a planned edit; `None` when it has no change.
    pub fn of(edit: &FileEdit) -> Option<Self> {
        let language = edit.changes.first()?.language;
        let before = edit.before.as_deref().and_then(|bytes| edit::Document::parse(bytes, language).ok());
        let keys = edit.changes.iter().map(|change| {
            let (path, after) = match &change.edit {
                edit::Change::Set { path, value, .. } => (path, Held::Value(value.clone())),
                edit::Change::Remove { path } => (path, Held::Absent),
            };
            let before = before.as_ref().map_or(Held::Absent, |document| Held::at(document, path));
            KeyRecord { path: path.clone(), before, after }
        });
        Some(Self {
            path: edit.path.clone(),
            language,
            hash_before: edit.before.as_deref().map(hash),
            hash_after: hash(&edit.after),
            keys: keys.collect(),
            splices: edit.splices.iter().map(SpliceRecord::from).collect(),
        })
    }
}

impl Entry {
    /// Whether another one changed the same home of the same tool, or the same project.
    fn is_of_place_of(&self, other: &Self) -> bool {
        (&self.tool, &self.home, &self.project) == (&other.tool, &other.home, &other.project)
    }

    /// What is kept of a plan.
    pub fn of(plan: &Plan, edits: &[FileEdit], home: &ToolPath, id: u64, at: Timestamp, purpose: Purpose) -> Self {
        Self {
            id,
            at,
            purpose,
            tool: plan.tool.to_owned(),
            home: home.clone(),
            project: plan.project.clone(),
            model_before: plan.before.model.clone(),
            model_after: plan.after.model.clone(),
            provider_before: plan.before.provider.clone(),
            provider_after: plan.after.provider.clone(),
            files: edits.iter().filter_map(FileRecord::of).collect(),
        }
    }
}

/// How far an entry got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Intended, and no word of its end: the program was ended in between, or is at it.
    Unfinished,
    /// Done.
    Done,
    /// Nothing was written.
    Dropped,
}

/// An entry with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The entry.
    pub entry: Entry,
    /// How far it got.
    pub stage: Stage,
    /// Whether a later entry took it back, and none did it again.
    pub is_undone: bool,
    /// The first answer of the tool after it: when, and which kind.
    pub confirmed: Option<(Timestamp, String)>,
    /// When the tool was seen to have written another value.
    pub overwritten_at: Option<Timestamp>,
}

/// All entries, oldest first, folded from the journal's lines.
pub fn switches(lines: &[Line]) -> Vec<Switch> {
    let mut all: BTreeMap<u64, Switch> = BTreeMap::new();
    for line in lines {
        match line {
            Line::Intended(entry) => {
                let switch = Switch {
                    entry: (**entry).clone(),
                    stage: Stage::Unfinished,
                    is_undone: false,
                    confirmed: None,
                    overwritten_at: None,
                };
                all.insert(entry.id, switch);
            }
            Line::Done { id, .. } => {
                let Some(purpose) = all.get_mut(id).map(|done| {
                    done.stage = Stage::Done;
                    done.entry.purpose.clone()
                }) else {
                    continue;
                };
                let (of, is_undone) = match purpose {
                    Purpose::Undo { of } => (of, true),
                    Purpose::Redo { of } => (of, false),
                    Purpose::Switch | Purpose::Rule { .. } => continue,
                };
                if let Some(other) = all.get_mut(&of) {
                    other.is_undone = is_undone;
                }
            }
            Line::Dropped { id, .. } => {
                if let Some(dropped) = all.get_mut(id) {
                    dropped.stage = Stage::Dropped;
                }
            }
            Line::Confirmed { id, at, kind } => {
                if let Some(confirmed) = all.get_mut(id) {
                    confirmed.confirmed.get_or_insert((*at, kind.clone()));
                }
            }
            Line::Overwritten { id, at } => {
                if let Some(overwritten) = all.get_mut(id) {
                    overwritten.overwritten_at.get_or_insert(*at);
                }
            }
        }
    }
    all.into_values().collect()
}

impl Switch {
    /// Whether it is a switch proper: something that can be undone and redone.
    pub const fn is_switch(&self) -> bool {
        matches!(self.entry.purpose, Purpose::Switch | Purpose::Rule { .. })
    }

    /// Whether it is a switch that was done and not taken back.
    fn is_standing(&self) -> bool {
        self.is_switch() && self.stage == Stage::Done && !self.is_undone
    }
}

/// What was done to one home of a tool, oldest first, as far as a rule cares.
pub fn past(switches: &[Switch], tool: &str, home: &ToolPath) -> Vec<Past> {
    let of_home = switches.iter().filter(|switch| {
        let entry = &switch.entry;
        entry.tool == tool && entry.home == *home && entry.project.is_none()
    });
    let done = of_home.filter(|switch| switch.stage == Stage::Done);
    done.map(|switch| {
        let did = match &switch.entry.purpose {
            Purpose::Rule { rule, from: Some(from), to: Some(to) } => match Move::named(rule) {
                Some(way) => Did::Rule { way, from: from.clone(), to: to.clone() },
                None => Did::User,
            },
            Purpose::Switch | Purpose::Rule { .. } => Did::User,
            Purpose::Undo { of } => Did::Undone { of: *of },
            Purpose::Redo { of } => Did::Redone { of: *of },
        };
        Past { id: switch.entry.id, at: switch.entry.at, did }
    })
    .collect()
}

/// Whether a switch is what its tool should use now: done, not taken back, and the last one of its tool's home, or of the
/// project.
pub fn stands(switch: &Switch, switches: &[Switch]) -> bool {
    let mut of_place = switches.iter().rev().filter(|other| other.entry.is_of_place_of(&switch.entry));
    switch.is_standing() && of_place.find(|other| other.is_standing()) == Some(switch)
}

/// The switch that an undo without a number takes back: the last one that stands, of a tool or of all.
pub fn last_to_undo<'a>(switches: &'a [Switch], tool: Option<&str>) -> Option<&'a Switch> {
    let is_meant = |switch: &&Switch| tool.is_none_or(|tool| switch.entry.tool == tool);
    switches.iter().rev().filter(is_meant).find(|switch| switch.is_standing())
}

/// The switch that a redo without a number does again: the last one that was taken back, if nothing was switched since.
pub fn last_to_redo<'a>(switches: &'a [Switch], tool: Option<&str>) -> Option<&'a Switch> {
    let is_meant = |switch: &&Switch| tool.is_none_or(|tool| switch.entry.tool == tool);
    let done = switches.iter().rev().filter(is_meant).filter(|switch| switch.stage == Stage::Done);
    // Each undo since the last switch or redo stacks up; the last undo comes back first.
    for switch in done {
        match switch.entry.purpose {
            Purpose::Undo { of } => {
                if let Some(undone) = switches.iter().find(|other| other.entry.id == of && other.is_undone) {
                    return Some(undone);
                }
            }
            Purpose::Redo { .. } => {}
            Purpose::Switch | Purpose::Rule { .. } if switch.is_undone => {}
            Purpose::Switch | Purpose::Rule { .. } => return None,
        }
    }
    None
}
