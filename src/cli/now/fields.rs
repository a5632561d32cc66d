//! What the fields of a template say. Pure.

use std::collections::HashMap;

use jiff::Timestamp;

use super::names::{Fact, Field, Of, Whole};
use crate::core::board::Entry;
use crate::core::outcome::Kind;
use crate::core::sheet::Window;
use crate::core::target::{Role, TargetId};
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::board::model::{self, Model};
use crate::ui::screens::glance;
use crate::ui::sheets;
use crate::ui::state::UiState;
use crate::ui::widgets::mark::Mark;

/// Everything that a line for a status bar may speak of.
pub struct Facts<'a> {
    /// The picture.
    pub snapshot: &'a Snapshot,
    /// As seen at.
    pub now: Timestamp,
    /// The next quiet times, of the targets that are asked for.
    pub quiet: HashMap<TargetId, Window>,
    /// In which words.
    pub tr: &'a Tr,
}

impl Facts<'_> {
    /// The chain, best first; all targets where none has a role.
    pub fn chain(&self) -> Vec<&Entry> {
        sheets::chain(self.snapshot).iter().filter_map(|id| self.snapshot.board.entry(id)).collect()
    }

    /// The target that is meant, in this place of the chain inside `{each}`.
    pub fn entry(&self, of: &Of, turn: Option<usize>) -> Option<&Entry> {
        let board = &self.snapshot.board;
        match of {
            Of::FirstFree => board.first_free(self.now),
            Of::Primary => {
                let primary = board.entries.iter().find(|entry| entry.target.role == Some(Role::Primary));
                primary.or_else(|| self.chain().first().copied())
            }
            Of::Each => self.chain().get(turn?).copied(),
            Of::Named(id) => board.entry(&id.as_str().into()),
        }
    }

    /// The value of a field; empty where there is none.
    pub fn value(&self, field: &Field, turn: Option<usize>) -> String {
        match field {
            Field::Whole(whole) => self.whole(*whole),
            Field::Target(of, fact) => self.entry(of, turn).map_or(String::new(), |entry| self.fact(entry, *fact)),
        }
    }

    fn whole(&self, whole: Whole) -> String {
        let board = || Model::new(self.snapshot, None, &UiState::default(), self.now, self.tr);
        match whole {
            Whole::At => format::clock(self.now, &self.snapshot.zone),
            Whole::Headline => self.headline(),
            Whole::Subline => board().subline,
            Whole::Free => self.chain().iter().filter(|entry| entry.is_free(self.now)).count().to_string(),
            Whole::Total => self.chain().len().to_string(),
            Whole::Newline => "\n".to_owned(),
        }
    }

    /// The sentence of the Board.
    pub fn headline(&self) -> String {
        let board = Model::new(self.snapshot, None, &UiState::default(), self.now, self.tr);
        board.headline.into_iter().map(|piece| piece.text).collect()
    }

    /// A fact of a target.
    pub fn fact(&self, entry: &Entry, fact: Fact) -> String {
        let Self { now, tr, .. } = *self;
        let target = &entry.target;
        let moment = |at| format::moment(at, now, &self.snapshot.zone, tr);
        let since = entry.confirmed.map(|confirmed| confirmed.since);
        let sample = entry.latest.as_ref().map(|latest| &latest.sample);
        let value = match fact {
            Fact::Target => Some(target.id.as_str().to_owned()),
            Fact::Provider => Some(target.provider.as_str().to_owned()),
            Fact::Model => Some(target.model.as_str().to_owned()),
            Fact::Role => target.role.map(|_| model::role(target.role, tr)),
            Fact::Kind => Some(entry.confirmed.map_or("unknown", |confirmed| confirmed.kind.name()).to_owned()),
            Fact::Family => Some(model::shown_family(entry, now).name().to_owned()),
            Fact::Mark => Some(sign(mark(entry, now)).to_string()),
            Fact::State => Some(model::state_words(entry, now, tr)),
            Fact::Advice => Some(model::advice(entry, now, tr)),
            Fact::Since => since.map(moment),
            Fact::Age => since.map(|since| format::span(format::minutes_between(since, now), tr)),
            Fact::LastAt => sample.map(|sample| moment(sample.at)),
            Fact::FirstToken => sample.and_then(|sample| sample.first_token_ms).map(|ms| format::latency(ms, tr)),
            Fact::NextProbe => entry.next_probe_at.map(moment),
            Fact::NextQuiet => {
                let window = self.quiet.get(&target.id);
                window.map(|window| glance::model::quiet_words(window, now, &self.snapshot.zone, tr))
            }
        };
        value.unwrap_or_default()
    }
}

/// The sign that a target's state is painted with.
pub fn mark(entry: &Entry, now: Timestamp) -> Mark {
    let is_unrecognized = entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Unrecognized);
    Mark::of_state(model::shown_family(entry, now), is_unrecognized, entry.is_stale(now))
}

/// The character nearest to a painted sign, as a bar has its own fonts.
pub const fn sign(mark: Mark) -> char {
    match mark {
        Mark::Available => '■',
        Mark::Full => '‖',
        Mark::Limited => '◆',
        Mark::Fault => '×',
        Mark::Blocked => '▬',
        Mark::NoEvidence => '□',
        Mark::Unrecognized => '?',
        Mark::Stale => '◷',
    }
}
