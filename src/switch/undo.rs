//! How an entry of the journal is taken back, or done again: exactly while the file is as we left it, else key by key
//! while the values are still ours, else not without the user's word.

use std::sync::Arc;

use crate::edit::{self, Document, EditError, Splice};
use crate::switch::journal::{Entry, FileRecord, Held, KeyRecord, Purpose, hash};
use crate::switch::path::ToolPath;
use crate::switch::world::{FileState, Files};

/// Which way an entry is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Back to what was before.
    Undo,
    /// To what it had written, again.
    Redo,
}

impl Direction {
    /// The purpose of the entry that does it.
    pub const fn of(self, id: u64) -> Purpose {
        match self {
            Self::Undo => Purpose::Undo { of: id },
            Self::Redo => Purpose::Redo { of: id },
        }
    }

    /// The values of a key where the walk starts and ends.
    const fn ends(self, key: &KeyRecord) -> (&Held, &Held) {
        match self {
            Self::Undo => (&key.after, &key.before),
            Self::Redo => (&key.before, &key.after),
        }
    }
}

/// What is to be done with one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWalk {
    /// The file.
    pub path: ToolPath,
    /// Its bytes now; `None` when there is none.
    pub now: Option<Arc<[u8]>>,
    /// Its bytes then; `None` when it is taken away, as we had made it.
    pub then: Option<Arc<[u8]>>,
    /// The splices from `now` to `then`; none when the file is made or taken away.
    pub splices: Vec<Splice>,
    /// Whether `then` is byte for byte what was there at that end of the walk.
    pub is_exact: bool,
}

/// A key that holds neither what we wrote nor what was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The file.
    pub path: ToolPath,
    /// The dotted key.
    pub key: String,
    /// What the walk would start from.
    pub expected: Option<String>,
    /// What is there now.
    pub found: Option<String>,
    /// What it would become.
    pub goal: Option<String>,
}

/// What came of planning a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walk {
    /// It can be done.
    Ready(Vec<FileWalk>),
    /// Somebody changed these values meanwhile; nothing is written on our own.
    Conflicts(Vec<Conflict>),
}

/// Why a walk cannot be planned at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The file went away.
    #[error("{path} is not there any more; there is nothing to take back in it")]
    Missing {
        /// The file.
        path: ToolPath,
    },
    /// The file cannot be read.
    #[error("{path} cannot be read ({reason}); make it readable and try again")]
    Unreadable {
        /// The file.
        path: ToolPath,
        /// The system's words.
        reason: String,
    },
    /// The file is a fixed one, made read-only since.
    #[error("{path} cannot be written; make it writable and try again")]
    Readonly {
        /// The file.
        path: ToolPath,
    },
    /// The file cannot be edited as it is now.
    #[error("{path} cannot be changed as it is now: {problem}")]
    Edit {
        /// The file.
        path: ToolPath,
        /// What the editor says.
        problem: EditError,
    },
}

/// Plans the walk of an entry. With `force`, values that somebody changed meanwhile are overwritten too.
///
/// # Errors
///
/// When a file went away, cannot be read or written, or cannot be edited as it is now.
pub fn walk(files: &dyn Files, entry: &Entry, direction: Direction, force: bool) -> Result<Walk, WalkError> {
    let (mut walks, mut conflicts) = (Vec::new(), Vec::new());
    for record in &entry.files {
        match file(files, record, direction, force)? {
            Ok(walk) => walks.push(walk),
            Err(found) => conflicts.extend(found),
        }
    }
    Ok(if conflicts.is_empty() { Walk::Ready(walks) } else { Walk::Conflicts(conflicts) })
}

fn file(
    files: &dyn Files,
    record: &FileRecord,
    direction: Direction,
    force: bool,
) -> Result<Result<FileWalk, Vec<Conflict>>, WalkError> {
    let path = record.path.clone();
    let now = match files.read(&path) {
        FileState::File(file) if !file.is_writable => return Err(WalkError::Readonly { path }),
        FileState::File(file) => Some(file.bytes),
        FileState::Missing => None,
        FileState::Unreadable(reason) => return Err(WalkError::Unreadable { path, reason }),
    };
    let (start, goal) = match direction {
        Direction::Undo => (Some(&record.hash_after), record.hash_before.as_ref()),
        Direction::Redo => (record.hash_before.as_ref(), Some(&record.hash_after)),
    };
    let edit = |problem| WalkError::Edit { path: path.clone(), problem };
    let Some(now) = now else {
        return match (start, goal) {
            // It was made by the entry and taken away by an undo: it is made again.
            (None, Some(_)) => {
                let changes: Vec<_> = record.keys.iter().filter_map(|key| change(key, direction)).collect();
                let then = Document::fresh(record.language, &changes).map_err(edit)?;
                Ok(Ok(FileWalk { path, now: None, then: Some(then.into()), splices: Vec::new(), is_exact: true }))
            }
            _ => Err(WalkError::Missing { path }),
        };
    };
    let found = hash(&now);
    if start == Some(&found) {
        if goal.is_none() {
            return Ok(Ok(FileWalk { path, now: Some(now), then: None, splices: Vec::new(), is_exact: true }));
        }
        let forth: Vec<Splice> = record.splices.iter().map(Splice::from).collect();
        let splices = match direction {
            Direction::Undo => edit::reversed(&forth),
            Direction::Redo => forth,
        };
        let then = edit::apply(&now, &splices).map_err(edit)?;
        let is_exact = goal == Some(&hash(&then));
        return Ok(Ok(FileWalk { path, now: Some(now), then: Some(then.into()), splices, is_exact }));
    }
    by_key(record, direction, force, now).map_err(edit)
}

/// Whether every key that an entry changed holds again what it held before: somebody, likely the tool, wrote it back.
pub fn is_back(files: &dyn Files, entry: &Entry) -> bool {
    let mut changed = 0;
    for record in &entry.files {
        let FileState::File(file) = files.read(&record.path) else { return false };
        let Ok(document) = Document::parse(&file.bytes, record.language) else { return false };
        for key in record.keys.iter().filter(|key| key.before != key.after) {
            changed += 1;
            if Held::at(&document, &key.path) != key.before {
                return false;
            }
        }
    }
    changed > 0
}

/// The file was changed since: each key is set back by itself, if it still holds what it should.
fn by_key(
    record: &FileRecord,
    direction: Direction,
    force: bool,
    now: Arc<[u8]>,
) -> Result<Result<FileWalk, Vec<Conflict>>, EditError> {
    let document = Document::parse(&now, record.language)?;
    let (mut changes, mut conflicts) = (Vec::new(), Vec::new());
    for key in &record.keys {
        let found = Held::at(&document, &key.path);
        let (expected, goal) = direction.ends(key);
        if found == *goal && *goal != Held::Other {
            continue;
        }
        if *goal == Held::Other || (found != *expected && !force) {
            conflicts.push(Conflict {
                path: record.path.clone(),
                key: key.path.join("."),
                expected: expected.shown(),
                found: found.shown(),
                goal: goal.shown(),
            });
            continue;
        }
        changes.extend(change(key, direction));
    }
    if !conflicts.is_empty() {
        return Ok(Err(conflicts));
    }
    let splices = document.edit(&changes)?;
    let then = edit::apply(&now, &splices)?;
    let path = record.path.clone();
    Ok(Ok(FileWalk { path, now: Some(now), then: Some(then.into()), splices, is_exact: false }))
}

fn change(key: &KeyRecord, direction: Direction) -> Option<edit::Change> {
    let path = key.path.clone();
    match direction.ends(key) {
        (_, Held::Value(value)) => {
            Some(edit::Change::Set { path, value: value.clone(), place: edit::Placement::default() })
        }
        (Held::Value(_) | Held::Other, Held::Absent) => Some(edit::Change::Remove { path }),
        (Held::Absent, Held::Absent) | (_, Held::Other) => None,
    }
}
