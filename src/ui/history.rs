//! What the window keeps of the record for History: the newest answer, what it asked, and the export under way. Knows no
//! egui.

use std::ops::Range;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::history::{Answer, Query};
use crate::core::outcome::Family;
use crate::core::sample::Source;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::ui::screens::history::range::{self, Act, Form, State};

/// What the window wants of the record for History.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Answer with [`Told::Answer`] or [`Told::Trouble`]; only the newest matters.
    Read(Box<Query>),
    /// Write what is shown to a file; answer with [`Told::Written`] at the end.
    Export(Box<Export>),
    /// End the export.
    StopExport,
}

/// What History hears.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// The record, as far as it was asked for.
    Answer(Arc<Answer>),
    /// It cannot be read: the reason in words.
    Trouble(String),
    /// So many rows are written.
    Writing(u64),
    /// The export is over: what became of it, in words.
    Written(String),
}

/// What is to be written of what is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// How.
    pub form: Form,
    /// When, in milliseconds of Unix time.
    pub view: Range<i64>,
    /// Whose; empty is all.
    pub targets: Vec<TargetId>,
    /// Not of these families.
    pub hidden_families: Vec<Family>,
    /// Only of this source.
    pub source: Option<Source>,
    /// What the picture is drawn from.
    pub scene: Scene,
}

/// All that a picture of History is drawn from.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Names and zone.
    pub snapshot: Snapshot,
    /// What is in view.
    pub state: State,
    /// The record.
    pub answer: Option<Arc<Answer>>,
    /// When.
    pub now: Timestamp,
    /// Light on dark.
    pub is_dark: bool,
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        (self.now, self.is_dark, &self.state, &self.answer) == (other.now, other.is_dark, &other.state, &other.answer)
    }
}

/// What the window keeps for History.
#[derive(Debug, Default)]
pub struct History {
    /// The newest answer, whatever was asked since.
    pub answer: Option<Arc<Answer>>,
    /// Why there is no newer one.
    pub trouble: Option<String>,
    /// Rows written by the export under way.
    pub writing: Option<u64>,
    /// Counts answers, so that what is made from them is made once.
    pub generation: u64,
    asked: Option<Query>,
    now: Option<Timestamp>,
}

impl History {
    /// With this answer and nothing asked.
    pub fn of(answer: Option<Arc<Answer>>) -> Self {
        Self { answer, ..Self::default() }
    }

    /// What the record has, as far as it is known.
    pub fn extent(&self) -> Option<&Range<i64>> {
        self.answer.as_ref()?.extent.as_ref()
    }

    /// Whether an answer is awaited.
    pub fn is_reading(&self) -> bool {
        self.asked.is_some()
    }

    /// Takes in what it is told; an end of an export comes back in words.
    pub fn hear(&mut self, told: Told) -> Option<String> {
        match told {
            Told::Answer(answer) => {
                if self.asked.as_ref() == Some(&answer.query) {
                    self.asked = None;
                }
                self.trouble = None;
                self.answer = Some(answer);
                self.generation += 1;
            }
            Told::Trouble(words) => {
                self.trouble = Some(words);
                self.generation += 1;
            }
            Told::Writing(rows) => self.writing = Some(rows),
            Told::Written(words) => {
                self.writing = None;
                return Some(words);
            }
        }
        None
    }

    /// What to ask for a frame at `now`, if the answer at hand does not do and it was not asked already.
    pub fn wanted(&mut self, state: &State, snapshot: &Snapshot, now: Timestamp) -> Option<Query> {
        self.now = Some(now);
        let at = range::asked_at(now);
        let mut query = state.query(self.shown(state), self.extent(), at, &snapshot.zone);
        if query.focus.is_none() {
            let mut chain = snapshot.board.entries.iter().map(|entry| &entry.target.id);
            query.focus = chain.find(|id| !state.hidden.contains(*id) && self.knows(id)).cloned();
        }
        let is_answered = self.answer.as_ref().is_some_and(|answer| answer.answers(&query));
        if is_answered {
            self.asked = None;
            return None;
        }
        if self.asked.as_ref() == Some(&query) {
            return None;
        }
        self.asked = Some(query.clone());
        Some(query)
    }

    /// Whether the record knows a target; before the first answer it may.
    fn knows(&self, target: &TargetId) -> bool {
        self.answer.as_ref().is_none_or(|answer| answer.targets.iter().any(|(id, _, _)| id == target))
    }

    /// The targets to ask for: all while none is hidden, as then no name need be known.
    fn shown(&self, state: &State) -> Vec<TargetId> {
        if state.hidden.is_empty() {
            return Vec::new();
        }
        let targets = self.answer.iter().flat_map(|answer| &answer.targets).map(|(id, _, _)| id);
        targets.filter(|id| !state.hidden.contains(*id)).cloned().collect()
    }

    /// Carries an act out on `state`; what it wants of others comes back.
    pub fn act(&mut self, act: &Act, state: &mut State, snapshot: &Snapshot, is_dark: bool) -> Option<Ask> {
        let now = self.now.unwrap_or(snapshot.at);
        let at = range::asked_at(now);
        if state.act(act, self.extent(), at) {
            return None;
        }
        match act {
            Act::StopExport => Some(Ask::StopExport),
            Act::Export(form) => {
                // A file is being written: one after the other.
                if self.writing.is_some() {
                    return None;
                }
                self.writing = Some(0);
                Some(Ask::Export(Box::new(Export {
                    form: *form,
                    view: state.view(self.extent(), at),
                    targets: self.shown(state),
                    hidden_families: state.hidden_families.iter().copied().collect(),
                    source: state.source,
                    scene: Scene {
                        snapshot: snapshot.clone(),
                        state: state.clone(),
                        answer: self.answer.clone(),
                        now,
                        is_dark,
                    },
                })))
            }
            _ => None,
        }
    }
}
