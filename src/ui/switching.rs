//! What the window keeps of tools and switches: what was read last, the switch that is proposed, and what it asks of the
//! worker. Knows no egui.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::rules::{Mode, Rule};
use crate::core::sample::Source;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::switch::journal::{Entry, Purpose, Stage, Switch, stands};
use crate::switch::path::ToolPath;
use crate::switch::projects::Pin;
use crate::switch::reach::{Goal, Reached, Skip, Unreachable};
use crate::switch::reading::{Effective, Reading};
use crate::switch::tool::TakesEffect;
use crate::switch::undo::{Conflict, Direction};
use crate::switch::warning::Warning;
use crate::switch::world::Versions;

/// One home of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seat {
    /// The tool's name in commands.
    pub tool: &'static str,
    /// Its home.
    pub home: ToolPath,
}

/// What is to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A tool is to use a target.
    Use(Seat, TargetId),
    /// Every tool that can is to use a target.
    Everywhere(TargetId),
    /// A project's own file is to name a target.
    Pin(Seat, Box<Pin>, TargetId),
    /// An entry of the journal, or the last one, is taken back or done again.
    Walk {
        /// Which way.
        direction: Direction,
        /// Which entry; `None` is the last that can be walked.
        id: Option<u64>,
        /// Values that somebody changed since are overwritten.
        is_forced: bool,
    },
}

impl What {
    /// The last switch, taken back or done again.
    pub const fn last(direction: Direction) -> Self {
        Self::Walk { direction, id: None, is_forced: false }
    }
}

/// What the user does about tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Show this tool on the Switch screen.
    Choose(Seat),
    /// Plan something; it is shown before it is written, unless the user trusts the tool.
    Plan(What),
    /// Include a part of what is shown that is left out by itself, or leave it out again.
    Tick(usize),
    /// Write what is shown.
    Write,
    /// Do not.
    Cancel,
    /// Read the tools again.
    Look,
    /// Show the diff of this tool before it is written, or no longer.
    Ask(&'static str, bool),
    /// Let the rule of this tool go so far, away and back.
    Rule(&'static str, Mode),
    /// Look through the projects in this folder, as it was typed or dropped.
    AddProjects(String),
    /// Do so no longer; the folder as it is kept.
    RemoveProjects(String),
    /// Note the first answers of tools after their switches. Given by the window itself.
    Confirm(Vec<Confirmation>),
}

/// The first answer of a tool after a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The journal's number of the switch.
    pub id: u64,
    /// When the tool had its answer.
    pub at: Timestamp,
    /// Which kind, by its stable name.
    pub kind: &'static str,
}

/// What the window asks of the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Read the tools; answer with [`Told::Seen`].
    Look,
    /// The same, as a tool's file changed.
    Changed,
    /// Plan; answer with [`Told::Offered`], [`Told::Failed`], or for a trusted tool with [`Told::Written`].
    Plan(What),
    /// Write the offer of this number with these of its optional parts; answer with [`Told::Written`] or
    /// [`Told::Failed`].
    Write(u64, BTreeSet<usize>),
    /// Write down whether a tool's diff is shown first; answer with [`Told::Seen`].
    Ask(&'static str, bool),
    /// Write down how far the rule of a tool may go; answer with [`Told::Seen`].
    Rule(&'static str, Mode),
    /// Keep a folder of projects, or no longer; answer with [`Told::Seen`].
    Projects(String, bool),
    /// Note confirmations; answer with [`Told::Seen`].
    Confirm(Vec<Confirmation>),
}

/// What the worker tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// What is there.
    Seen(Arc<Seen>),
    /// A switch as it would be written.
    Offered(Box<Offer>),
    /// It was written, all or in part.
    Written(Box<Offer>, Vec<Written>),
    /// It was not: the reason in words.
    Failed(String),
}

/// A tool in one of its homes.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenTool {
    /// Which.
    pub seat: Seat,
    /// Its own spelling of its name.
    pub name: &'static str,
    /// Its installed versions.
    pub versions: Versions,
    /// All that was read.
    pub reading: Reading,
    /// The targets of its chain, in order, and whether it can be told to use them.
    pub choices: Vec<(Goal, Result<Reached, Unreachable>)>,
    /// When a change of its file takes effect.
    pub takes_effect: TakesEffect,
    /// Whether its diff is shown first.
    pub asks: bool,
    /// When it is switched by itself.
    pub rule: Rule,
}

/// A folder of projects that the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFolder {
    /// As it is kept.
    pub kept: String,
    /// Where it is.
    pub path: ToolPath,
    /// Whether there is such a folder.
    pub is_there: bool,
    /// Folders below it that were left out, as their names are no text.
    pub nameless: Vec<ToolPath>,
    /// What its projects pin.
    pub pins: Vec<SeenPin>,
}

/// A model that a project names for a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPin {
    /// The tool.
    pub seat: Seat,
    /// Where and what.
    pub pin: Pin,
}

impl SeenTool {
    /// The target that it uses now, as far as one of the user's is it.
    pub fn used(&self) -> Option<&TargetId> {
        let reached = self.choices.iter().filter_map(|(goal, reached)| Some((&goal.target, reached.as_ref().ok()?)));
        Reached::used(reached, &self.reading.effective())
    }

    /// Whether it can be told to use a target.
    pub fn reaches(&self, target: &TargetId) -> bool {
        self.reading.obstacle.is_none()
            && self.choices.iter().any(|(goal, reached)| goal.target == *target && reached.is_ok())
    }
}

/// What is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The user's home folder, which is shown as `~`.
    pub home: ToolPath,
    /// The tools that are in use.
    pub tools: Vec<SeenTool>,
    /// Where tools were looked for.
    pub places: Vec<ToolPath>,
    /// The journal, oldest first.
    pub journal: Vec<Switch>,
    /// Why the journal cannot be used: the reason in words.
    pub trouble: Option<String>,
    /// The folders of projects that the user named, with what is pinned there.
    pub projects: Vec<SeenFolder>,
    /// Switches that an end of the program had interrupted, as they were found at the start.
    pub settled: Vec<Switch>,
}

impl Seen {
    /// A tool by its seat.
    pub fn tool(&self, seat: &Seat) -> Option<&SeenTool> {
        self.tools.iter().find(|tool| tool.seat == *seat)
    }

    /// Whether walking from this switch in this direction would take back the newest that was written there.
    pub fn is_newest(&self, id: u64, direction: Direction) -> bool {
        let Some(of) = self.journal.iter().find(|switch| switch.entry.id == id) else { return true };
        let place = |entry: &Entry| (entry.tool.clone(), entry.home.clone(), entry.project.clone());
        let there = place(&of.entry);
        let written = |switch: &&Switch| switch.stage != Stage::Dropped && place(&switch.entry) == there;
        self.journal.iter().rev().find(written).is_none_or(|newest| match (&newest.entry.purpose, direction) {
            (Purpose::Undo { of }, Direction::Redo) | (Purpose::Redo { of }, Direction::Undo) => *of == id,
            (_, Direction::Undo) => newest.entry.id == id,
            (_, Direction::Redo) => false,
        })
    }

    /// The tool of the newest switch that can use a target: the one to offer first.
    pub fn remembered(&self, target: &TargetId) -> Option<&SeenTool> {
        let newest = self.journal.iter().rev().filter(|switch| switch.is_switch()).map(|switch| &switch.entry);
        newest
            .filter_map(|entry| {
                self.tools.iter().find(|tool| tool.seat.tool == entry.tool && tool.seat.home == entry.home)
            })
            .find(|tool| tool.reaches(target))
    }

    /// The tools' answers that confirm switches which no answer has confirmed yet.
    pub fn confirmations(&self, snapshot: &Snapshot) -> Vec<Confirmation> {
        let open = self.journal.iter().filter(|switch| switch.confirmed.is_none() && stands(switch, &self.journal));
        open.filter_map(|switch| self.confirmation(switch, snapshot)).collect()
    }

    fn confirmation(&self, switch: &Switch, snapshot: &Snapshot) -> Option<Confirmation> {
        let entry = &switch.entry;
        let model = entry.model_after.as_ref()?;
        let tool = self.tools.iter().find(|tool| tool.seat.tool == entry.tool && tool.seat.home == entry.home)?;
        let is_told = |reached: &Reached| reached.is(model, entry.provider_after.as_deref());
        let told = tool.choices.iter().filter(|(_, reached)| reached.as_ref().is_ok_and(is_told));
        let targets: Vec<&TargetId> = told.map(|(goal, _)| &goal.target).collect();
        // In the tool's log a login is a provider of the tool's name, any other has the name that the tool gives it.
        let is_logged = |provider: &str, name: &str| {
            let is_provider = provider == entry.tool || entry.provider_after.as_deref() == Some(provider);
            is_provider && (name == model || model.strip_prefix(&format!("{provider}/")) == Some(name))
        };
        let entries = snapshot.board.entries.iter().filter(|entry| {
            let target = &entry.target;
            targets.contains(&&target.id) || is_logged(target.provider.as_str(), target.model.as_str())
        });
        let samples = entries.flat_map(|entry| &entry.recent);
        let after = samples.filter(|sample| sample.source == Source::ToolLog && sample.at > entry.at);
        let first = after.min_by_key(|sample| sample.at)?;
        Some(Confirmation { id: entry.id, at: first.at, kind: first.kind.name() })
    }
}

/// A switch as it would be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Counts offers.
    pub serial: u64,
    /// What was asked for.
    pub what: What,
    /// The tools with what would be written.
    pub parts: Vec<Part>,
    /// The tools that are left out, each with the reason.
    pub skips: Vec<Skipped>,
    /// Values that somebody changed since; nothing is written over them without the user's word.
    pub conflicts: Vec<Conflict>,
}

/// What would be written for one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Which.
    pub seat: Seat,
    /// Its own spelling of its name.
    pub name: &'static str,
    /// The project whose own file it is; `None` is the user's.
    pub project: Option<ToolPath>,
    /// The entry that is walked.
    pub of: Option<u64>,
    /// What a fresh start uses now.
    pub before: Effective,
    /// What it would use then.
    pub after: Effective,
    /// What it would use outside the project, where that differs.
    pub after_outside: Option<Effective>,
    /// What other roles than the default one would use, where that differs.
    pub after_other_roles: Option<Effective>,
    /// The files, each with its diff. None when everything is as wanted.
    pub files: Vec<(ToolPath, String)>,
    /// What to know.
    pub warnings: Vec<Warning>,
    /// Why it cannot be.
    pub refusal: Option<Warning>,
    /// When it takes effect.
    pub takes_effect: TakesEffect,
}

/// A tool that is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipped {
    /// Its own spelling of its name.
    pub name: &'static str,
    /// Why.
    pub reason: Skip,
    /// What it was to use.
    pub goal: Goal,
}

/// What became of one part of an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The tool.
    pub seat: Seat,
    /// The project whose own file it is.
    pub project: Option<ToolPath>,
    /// The journal's number; `None` when there was nothing to write.
    pub id: Option<u64>,
    /// What went wrong, in words.
    pub failure: Option<String>,
}

/// What the window keeps of tools and switches.
#[derive(Debug, Default)]
pub struct Switching {
    /// What was read last.
    pub seen: Option<Arc<Seen>>,
    /// The switch that is shown.
    pub offer: Option<Box<Offer>>,
    /// Its optional parts that are included.
    pub ticked: BTreeSet<usize>,
    /// What is being planned.
    pub waits_for: Option<What>,
    /// The offer is being written.
    pub is_writing: bool,
    /// Why the offer was not written, or could not be made.
    pub failure: Option<String>,
    /// Counts what was told, so that what is made from it is made once.
    pub generation: u64,
    /// The targets of the newest look: others want another one.
    asked_for: Option<Vec<TargetId>>,
    confirmed: BTreeSet<u64>,
}

/// What the window is to say after it was told something.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Switches that were interrupted.
    Settled(Vec<Switch>),
    /// What was written.
    Written(Box<Offer>, Vec<Written>),
    /// A failure while nothing is shown that could name it.
    Failed(String),
}

impl Switching {
    /// Whether a dialog is open.
    pub const fn is_open(&self) -> bool {
        self.offer.is_some() || self.waits_for.is_some() || self.failure.is_some()
    }

    /// Whether the dialog waits for the user, and not for the worker.
    pub const fn has_question(&self) -> bool {
        self.offer.is_some() || self.failure.is_some()
    }

    /// Takes in what it is told.
    pub fn hear(&mut self, told: Told) -> Option<News> {
        self.generation += 1;
        match told {
            Told::Seen(seen) => {
                let is_first = self.seen.is_none();
                let settled = seen.settled.clone();
                self.seen = Some(seen);
                (is_first && !settled.is_empty()).then_some(News::Settled(settled))
            }
            Told::Offered(offer) => {
                // One that the user gave up meanwhile is not shown.
                if self.waits_for.take().is_some() {
                    self.offer = Some(offer);
                }
                None
            }
            Told::Written(offer, written) => {
                self.close();
                Some(News::Written(offer, written))
            }
            Told::Failed(words) => {
                let was_open = self.waits_for.take().is_some() || self.offer.is_some();
                self.is_writing = false;
                if was_open {
                    self.failure = Some(words);
                    return None;
                }
                Some(News::Failed(words))
            }
        }
    }

    /// What to ask without being told to: a look at new targets, and what the newest picture confirms.
    pub fn wanted(&mut self, snapshot: &Snapshot) -> Option<Act> {
        let targets = snapshot.board.entries.iter().map(|entry| &entry.target.id);
        if !self.asked_for.as_ref().is_some_and(|asked| asked.iter().eq(targets.clone())) {
            self.asked_for = Some(targets.cloned().collect());
            return Some(Act::Look);
        }
        let news = self.seen.as_ref()?.confirmations(snapshot);
        let news: Vec<_> = news.into_iter().filter(|news| self.confirmed.insert(news.id)).collect();
        (!news.is_empty()).then_some(Act::Confirm(news))
    }

    /// Carries an act out; what it wants of the worker comes back.
    pub fn act(&mut self, act: &Act) -> Option<Ask> {
        self.generation += 1;
        match act {
            Act::Choose(_) => None,
            Act::Plan(what) => {
                if self.is_writing {
                    return None;
                }
                self.close();
                self.waits_for = Some(what.clone());
                Some(Ask::Plan(what.clone()))
            }
            Act::Tick(index) => {
                if !self.is_writing && !self.ticked.remove(index) {
                    self.ticked.insert(*index);
                }
                None
            }
            Act::Write => {
                let offer =
                    self.offer.as_ref().filter(|offer| !self.is_writing && offer.can_be_written(&self.ticked))?;
                self.is_writing = true;
                self.failure = None;
                Some(Ask::Write(offer.serial, self.ticked.clone()))
            }
            Act::Cancel => {
                if !self.is_writing {
                    self.close();
                }
                None
            }
            Act::Look => Some(Ask::Look),
            Act::Ask(tool, asks) => Some(Ask::Ask(tool, *asks)),
            Act::Rule(tool, mode) => Some(Ask::Rule(tool, *mode)),
            Act::AddProjects(folder) => Some(Ask::Projects(folder.clone(), true)),
            Act::RemoveProjects(folder) => Some(Ask::Projects(folder.clone(), false)),
            Act::Confirm(news) => Some(Ask::Confirm(news.clone())),
        }
    }

    fn close(&mut self) {
        self.offer = None;
        self.ticked.clear();
        self.waits_for = None;
        self.failure = None;
        self.is_writing = false;
    }
}

impl Offer {
    /// Whether there is something to write with these of its optional parts.
    pub fn can_be_written(&self, ticked: &BTreeSet<usize>) -> bool {
        let is_walk = matches!(self.what, What::Walk { .. });
        let is_some = |part: &Part| part.refusal.is_none() && (is_walk || !part.files.is_empty());
        let mut parts = self.parts.iter().enumerate();
        self.conflicts.is_empty() && parts.any(|(index, part)| self.includes(index, ticked) && is_some(part))
    }

    /// Whether a part is left out unless the user includes it: everywhere is everywhere in the user's own settings.
    pub fn is_optional(&self, index: usize) -> bool {
        matches!(self.what, What::Everywhere(_)) && self.parts.get(index).is_some_and(|part| part.project.is_some())
    }

    /// Whether a part is written.
    pub fn includes(&self, index: usize, ticked: &BTreeSet<usize>) -> bool {
        !self.is_optional(index) || ticked.contains(&index)
    }
}
