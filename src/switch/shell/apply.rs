//! Writing what was planned: journal, lock, compare, temporary file, sync, rename, read again.
//!
//! At any moment the old or the new file is there, whole. What a SIGKILL leaves is an unfinished entry of the journal,
//! which the next start compares with the files.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::Timestamp;

use crate::clock::Clock;
use crate::private;
use crate::switch::journal::{self, Entry, Line, Purpose, Stage, Switch, hash, switches};
use crate::switch::path::ToolPath;
use crate::switch::plan::{Action, Plan};
use crate::switch::shell::{JournalError, JournalFile, RealFiles};
use crate::switch::tool::Tool;
use crate::switch::undo::{Conflict, Direction, FileWalk, Walk, WalkError, is_back, walk};
use crate::switch::world::{FileState, Files as _};
use crate::whole;

/// Why a switch was not made. The tools' files are as they were, but where it says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The plan is a refusal.
    #[error("the plan says not to switch")]
    Refused,
    /// Somebody wrote the file since the plan was made.
    #[error("{path} changed since the switch was planned; look at the new plan and try again")]
    Changed {
        /// The file.
        path: ToolPath,
    },
    /// The tool holds its own lock on the file.
    #[error("{path} is locked by the tool; close its settings and try again")]
    Locked {
        /// The file.
        path: ToolPath,
    },
    /// The system refused.
    #[error("{path} could not be written ({reason}); check its rights and the free space")]
    Io {
        /// The file.
        path: ToolPath,
        /// The system's words.
        reason: io::Error,
    },
    /// The journal could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is nothing to take back or to do again.
    #[error("there is nothing to {}", if *direction == Direction::Undo { "undo" } else { "redo" })]
    Nothing {
        /// Which way.
        direction: Direction,
    },
    /// The walk cannot be planned.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// Somebody changed the value since; it needs the user's word.
    #[error("{} value(s) were changed since by somebody else; with --yes they are overwritten", conflicts.len())]
    Conflicts {
        /// The values.
        conflicts: Vec<Conflict>,
    },
}

/// What was done.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The journal's number; `None` when everything was as wanted already.
    pub id: Option<u64>,
    /// Whether what was read afterwards is what was planned.
    pub is_verified: bool,
}

/// What an undo or redo would do, or did.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The switch that is taken back or done again.
    pub switch: Switch,
    /// What happens to its files.
    pub files: Vec<FileWalk>,
    /// The journal's number of the walk itself; `None` while it is only planned.
    pub id: Option<u64>,
}

/// The hands of switching.
pub struct Switcher<'a> {
    /// The tools' files.
    pub files: &'a RealFiles,
    /// Our data folder, where the journal lies.
    pub data: &'a Path,
    /// The time.
    pub clock: &'a dyn Clock,
}

impl Switcher<'_> {
    /// Every entry of the journal with what came of it, oldest first.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn history(&self) -> Result<Vec<Switch>, JournalError> {
        Ok(switches(&JournalFile::read(self.data)?))
    }

    /// Writes a plan.
    ///
    /// # Errors
    ///
    /// When the plan is a refusal, a file changed since, or the system refuses.
    pub fn apply(
        &self,
        tool: &dyn Tool,
        home: &ToolPath,
        plan: &Plan,
        purpose: Purpose,
    ) -> Result<Applied, ApplyError> {
        let Action::Edit(edits) = &plan.action else { return Err(ApplyError::Refused) };
        if edits.is_empty() {
            return Ok(Applied { id: None, is_verified: true });
        }
        let Opened { mut journal, id, .. } = self.open()?;
        let steps: Vec<Step<'_>> = edits
            .iter()
            .map(|edit| Step { path: &edit.path, now: edit.before.as_deref(), then: Some(&edit.after) })
            .collect();
        let entry = Entry::of(plan, edits, home, id, self.clock.now(), purpose);
        self.write(&mut journal, tool, entry, &steps)?;
        let is_verified = edits.iter().all(|edit| self.holds(&edit.path, Some(&edit.after)));
        Ok(Applied { id: Some(id), is_verified })
    }

    /// What taking back, or doing again, would do: the given entry, or the last that can be walked, of a tool or of all.
    ///
    /// # Errors
    ///
    /// When there is none, its files went away or cannot be changed, or hold values of somebody else's (not with
    /// `force`).
    pub fn plan_walk(
        &self,
        direction: Direction,
        id: Option<u64>,
        tool: Option<&str>,
        force: bool,
    ) -> Result<Walked, ApplyError> {
        let history = self.history()?;
        let switch = match (id, direction) {
            (Some(id), _) => history.iter().find(|switch| {
                let is_walkable = switch.is_undone == (direction == Direction::Redo);
                switch.entry.id == id && switch.is_switch() && switch.stage == Stage::Done && is_walkable
            }),
            (None, Direction::Undo) => journal::last_to_undo(&history, tool),
            (None, Direction::Redo) => journal::last_to_redo(&history, tool),
        };
        let switch = switch.ok_or(ApplyError::Nothing { direction })?.clone();
        match walk(self.files, &switch.entry, direction, force)? {
            Walk::Ready(files) => Ok(Walked { switch, files, id: None }),
            Walk::Conflicts(conflicts) => Err(ApplyError::Conflicts { conflicts }),
        }
    }

    /// Does a planned walk.
    ///
    /// # Errors
    ///
    /// When a file changed since, or the system refuses.
    pub fn walk(&self, tool: &dyn Tool, direction: Direction, planned: Walked) -> Result<Walked, ApplyError> {
        let Opened { mut journal, id, .. } = self.open()?;
        let old = &planned.switch.entry;
        let (before, after) = match direction {
            Direction::Undo => (&old.model_after, &old.model_before),
            Direction::Redo => (&old.model_before, &old.model_after),
        };
        let (provider_before, provider_after) = match direction {
            Direction::Undo => (&old.provider_after, &old.provider_before),
            Direction::Redo => (&old.provider_before, &old.provider_after),
        };
        let entry = Entry {
            id,
            at: self.clock.now(),
            purpose: direction.of(old.id),
            tool: old.tool.clone(),
            home: old.home.clone(),
            project: old.project.clone(),
            model_before: before.clone(),
            model_after: after.clone(),
            provider_before: provider_before.clone(),
            provider_after: provider_after.clone(),
            files: old.files.clone(),
        };
        self.write(&mut journal, tool, entry, &steps(&planned))?;
        Ok(Walked { id: Some(id), ..planned })
    }

    /// Does a planned undo as a switch of its own, which can be taken back in its turn: the way back of a rule, that leaves
    /// the file as it was before the rule. `None` when it cannot stand as one, as a file was made or is taken away.
    ///
    /// # Errors
    ///
    /// When a file changed since, or the system refuses.
    pub fn walk_back(
        &self,
        tool: &dyn Tool,
        planned: &Walked,
        purpose: Purpose,
    ) -> Result<Option<Applied>, ApplyError> {
        let old = &planned.switch.entry;
        let records = old.files.iter().zip(&planned.files).map(|(record, walk)| record.back(walk));
        let Some(files) = records.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let Opened { mut journal, id, .. } = self.open()?;
        let entry = Entry {
            id,
            at: self.clock.now(),
            purpose,
            tool: old.tool.clone(),
            home: old.home.clone(),
            project: old.project.clone(),
            model_before: old.model_after.clone(),
            model_after: old.model_before.clone(),
            provider_before: old.provider_after.clone(),
            provider_after: old.provider_before.clone(),
            files,
        };
        self.write(&mut journal, tool, entry, &steps(planned))?;
        let is_verified = planned.files.iter().all(|file| self.holds(&file.path, file.then.as_deref()));
        Ok(Some(Applied { id: Some(id), is_verified }))
    }

    /// Compares what the journal calls unfinished with the files, and closes what can be told: done when every file is as
    /// planned, dropped when every file is as before. What is left is half done, and the user has to look.
    ///
    /// # Errors
    ///
    /// When the journal cannot be used.
    pub fn settle(&self) -> Result<Vec<Switch>, JournalError> {
        if !self.history()?.iter().any(is_unfinished) {
            return Ok(Vec::new());
        }
        Ok(self.open()?.settled)
    }

    /// Opens the journal for one more entry, and settles what a killed switch left: its entry, and a copy of the file beside
    /// it.
    fn open(&self) -> Result<Opened, JournalError> {
        let mut journal = JournalFile::lock(self.data)?;
        let lines = journal.lines()?;
        let mut settled = Vec::new();
        for mut switch in switches(&lines).into_iter().filter(is_unfinished) {
            let id = switch.entry.id;
            let at = self.clock.now();
            let is_at = |ends: fn(&journal::FileRecord) -> Option<&str>| {
                switch.entry.files.iter().all(|file| self.hash_of(&file.path).as_deref() == ends(file))
            };
            let is_back = matches!(switch.entry.purpose, Purpose::Undo { .. });
            let (start, goal): (fn(&journal::FileRecord) -> Option<&str>, fn(&journal::FileRecord) -> Option<&str>) =
                if is_back {
                    (|file| Some(&file.hash_after), |file| file.hash_before.as_deref())
                } else {
                    (|file| file.hash_before.as_deref(), |file| Some(&file.hash_after))
                };
            if is_at(goal) {
                journal.append(&Line::Done { id, at })?;
                switch.stage = Stage::Done;
            } else if is_at(start) {
                journal.append(&Line::Dropped { id, at })?;
                switch.stage = Stage::Dropped;
            }
            for file in &switch.entry.files {
                if let Ok(real) = self.files.resolved(&file.path) {
                    whole::sweep(&real);
                }
            }
            settled.push(switch);
        }
        Ok(Opened { journal, id: next_id(&lines), settled })
    }

    /// Notes the first answer of a tool after a switch.
    ///
    /// # Errors
    ///
    /// When the journal cannot be used.
    pub fn confirm(&self, id: u64, at: Timestamp, kind: &str) -> Result<(), JournalError> {
        JournalFile::lock(self.data)?.append(&Line::Confirmed { id, at, kind: kind.to_owned() })
    }

    /// Looks whether the tools keep what was switched: an entry that stands and whose every key holds the old value again
    /// is noted as overwritten. Answers whether any was.
    ///
    /// # Errors
    ///
    /// When the journal cannot be used.
    pub fn note_overwritten(&self) -> Result<bool, JournalError> {
        let is_news = |history: &[Switch]| {
            let news = history.iter().filter(|switch| journal::stands(switch, history));
            news.filter(|switch| switch.overwritten_at.is_none() && is_back(self.files, &switch.entry))
                .map(|switch| switch.entry.id)
                .collect::<Vec<_>>()
        };
        if is_news(&self.history()?).is_empty() {
            return Ok(false);
        }
        // What is about to be done by another switch is waited for.
        let mut journal = JournalFile::lock(self.data)?;
        let ids = is_news(&switches(&journal.lines()?));
        for &id in &ids {
            journal.append(&Line::Overwritten { id, at: self.clock.now() })?;
        }
        Ok(!ids.is_empty())
    }

    fn hash_of(&self, path: &ToolPath) -> Option<String> {
        match self.files.read(path) {
            FileState::File(file) => Some(hash(&file.bytes)),
            FileState::Missing | FileState::Unreadable(_) => None,
        }
    }

    fn holds(&self, path: &ToolPath, bytes: Option<&[u8]>) -> bool {
        match self.files.read(path) {
            FileState::File(file) => Some(&*file.bytes) == bytes,
            FileState::Missing => bytes.is_none(),
            FileState::Unreadable(_) => false,
        }
    }

    /// Intends, writes every file, and says that it is done. A failure at the first file drops the entry; a failure at a
    /// later one leaves it unfinished, as part of it is written.
    fn write(
        &self,
        journal: &mut JournalFile,
        tool: &dyn Tool,
        entry: Entry,
        steps: &[Step<'_>],
    ) -> Result<(), ApplyError> {
        let id = entry.id;
        for step in steps {
            if !self.holds(step.path, step.now) {
                return Err(ApplyError::Changed { path: step.path.clone() });
            }
        }
        let locks = steps.iter().filter_map(|step| tool.lock(step.path)).map(|path| self.tool_lock(path));
        let _locks = locks.collect::<Result<Vec<_>, _>>()?;
        journal.append(&Line::Intended(Box::new(entry)))?;
        for (index, step) in steps.iter().enumerate() {
            if let Err(error) = self.step(step) {
                if index == 0 {
                    journal.append(&Line::Dropped { id, at: self.clock.now() })?;
                }
                return Err(error);
            }
        }
        journal.append(&Line::Done { id, at: self.clock.now() })?;
        Ok(())
    }

    fn step(&self, step: &Step<'_>) -> Result<(), ApplyError> {
        let path = step.path;
        let io = |reason| ApplyError::Io { path: path.clone(), reason };
        let real = self.files.resolved(path).map_err(io)?;
        let Some(bytes) = step.then else {
            fs::remove_file(&real).map_err(io)?;
            return whole::sync_folder(&real).map_err(io);
        };
        let temp = whole::prepared(&real, bytes).map_err(io)?;
        // As late as can be: what somebody wrote until now is not lost.
        if !self.holds(path, step.now) {
            return Err(ApplyError::Changed { path: path.clone() });
        }
        let placed = match step.now {
            Some(_) => temp.persist(&real),
            None => temp.persist_noclobber(&real),
        };
        placed.map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => ApplyError::Changed { path: path.clone() },
            _ => io(error.error),
        })?;
        whole::sync_folder(&real).map_err(io)
    }

    /// Takes the tool's own advisory lock, without waiting: the tool holds it for moments only, and a window must not.
    fn tool_lock(&self, path: ToolPath) -> Result<Option<File>, ApplyError> {
        let real = self.files.real(&path);
        // A tool that has never locked its file is not running, and nothing is left beside it.
        if !real.exists() {
            return Ok(None);
        }
        let file = private::open_file(&real).map_err(|reason| ApplyError::Io { path: path.clone(), reason })?;
        file.try_lock().map_err(|_| ApplyError::Locked { path })?;
        Ok(Some(file))
    }
}

/// The journal, for one more entry.
struct Opened {
    journal: JournalFile,
    /// The number of that entry.
    id: u64,
    /// What was found unfinished.
    settled: Vec<Switch>,
}

fn is_unfinished(switch: &Switch) -> bool {
    switch.stage == Stage::Unfinished
}

/// One file's way from bytes to bytes.
struct Step<'a> {
    path: &'a ToolPath,
    now: Option<&'a [u8]>,
    then: Option<&'a [u8]>,
}

fn steps(planned: &Walked) -> Vec<Step<'_>> {
    let files = planned.files.iter();
    files.map(|file| Step { path: &file.path, now: file.now.as_deref(), then: file.then.as_deref() }).collect()
}

fn next_id(lines: &[Line]) -> u64 {
    let ids = lines.iter().map(|line| match line {
        Line::Intended(entry) => entry.id,
        _ => 0,
    });
    ids.max().unwrap_or(0) + 1
}
