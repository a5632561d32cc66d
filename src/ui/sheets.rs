//! What the window keeps of the statistics for Heatmap and Cheat sheet: the newest answer, what it asked, what is in view.
//! Knows no egui.

use std::ops::Range;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::core::sheet::Sheet;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;

/// How much of the record the statistics are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Span {
    /// All of it; older weeks count less.
    #[default]
    All,
    /// The last eight weeks.
    EightWeeks,
    /// The last four weeks.
    FourWeeks,
}

impl Span {
    /// Every one, in the order of the buttons.
    pub const ALL: [Self; 3] = [Self::All, Self::EightWeeks, Self::FourWeeks];

    /// The end of its message's id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::EightWeeks => "eight-weeks",
            Self::FourWeeks => "four-weeks",
        }
    }

    /// From when on; `None` is the beginning.
    pub fn from(self, now: Timestamp) -> Option<Timestamp> {
        let weeks = match self {
            Self::All => return None,
            Self::EightWeeks => 8,
            Self::FourWeeks => 4,
        };
        now.checked_sub(SignedDuration::from_hours(weeks * 168)).ok()
    }
}

/// What the heatmap shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Hour and weekday of one target, and all targets small.
    #[default]
    Week,
    /// Hour and target on one weekday: who is free at this hour?
    Hours,
    /// The days of one target, as they were.
    Days,
}

impl View {
    /// Every one, in the order of the buttons.
    pub const ALL: [Self; 3] = [Self::Week, Self::Hours, Self::Days];

    /// The end of its message's id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Week => "week",
            Self::Hours => "hours",
            Self::Days => "days",
        }
    }
}

/// A place in a map: row and column.
pub type Place = (usize, usize);

/// What a button, a key or the pointer does to either screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Show another map.
    View(View),
    /// Show a target.
    Target(TargetId),
    /// Show a weekday, 1 = Monday to 7.
    Weekday(u8),
    /// Count so much of the record.
    Span(Span),
    /// In the hours of here, or of home.
    Here(bool),
    /// Table or picture.
    Table,
    /// Put the keyboard's cell there.
    Cursor(Place),
    /// The ribbons of tomorrow, or of today.
    Tomorrow(bool),
    /// Copy the cheat sheet as a text.
    Copy,
    /// Show the samples of a target in a stretch of time, in milliseconds of Unix time.
    Samples(TargetId, Range<i64>),
}

/// What both screens remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Which map.
    pub view: View,
    /// Which target; otherwise the first of the chain.
    pub target: Option<TargetId>,
    /// Which weekday of [`View::Hours`], 1 = Monday to 7; otherwise today's.
    pub weekday: Option<u8>,
    /// How much of the record.
    pub span: Span,
    /// In the hours of here and not of home.
    pub is_here: bool,
    /// The table in the place of the map.
    pub is_table: bool,
    /// The keyboard's cell; otherwise the present.
    pub cursor: Option<Place>,
    /// Tomorrow's ribbons.
    pub is_tomorrow: bool,
}

impl State {
    /// Carries out what concerns the view; `false` for the rest.
    pub fn act(&mut self, act: &Act) -> bool {
        match act {
            Act::View(view) => {
                self.cursor = None;
                self.view = *view;
            }
            Act::Target(target) => {
                // The same hour of another model; the days of another one lie elsewhere.
                if self.view == View::Days {
                    self.cursor = None;
                }
                self.target = Some(target.clone());
            }
            Act::Weekday(day) => self.weekday = Some(*day),
            Act::Span(span) => {
                self.cursor = None;
                self.span = *span;
            }
            Act::Here(is_here) => {
                self.cursor = None;
                self.is_here = *is_here;
            }
            Act::Table => self.is_table = !self.is_table,
            Act::Cursor(place) => self.cursor = Some(*place),
            Act::Tomorrow(is_tomorrow) => self.is_tomorrow = *is_tomorrow,
            Act::Copy | Act::Samples(..) => return false,
        }
        true
    }
}

/// What is asked of the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// How much of it.
    pub span: Span,
    /// In whose hours.
    pub zone: TimeZone,
    /// For which moment.
    pub at: Timestamp,
    /// Whose latency is wanted too.
    pub focus: Option<TargetId>,
    /// The newest sample there is: with another one the statistics are others.
    pub newest: Option<Timestamp>,
}

impl Ask {
    /// Whether the same sheet answers both: the hour has not turned, and nothing was recorded since, or less than a minute ago.
    pub fn is_same_sheet(&self, other: &Self) -> bool {
        let part = |at: Timestamp, secs: i64| at.as_second().div_euclid(secs);
        let is_same = self.newest == other.newest || part(self.at, 60) == part(other.at, 60);
        is_same && self.span == other.span && self.zone == other.zone && part(self.at, 3600) == part(other.at, 3600)
    }
}

/// The statistics, as far as they were asked for.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub ask: Ask,
    /// The sheet; the latency is that of the targets asked for so far.
    pub sheet: Sheet,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.ask == other.ask && self.sheet.targets == other.sheet.targets
    }
}

impl Answer {
    /// The answer when nothing was ever recorded.
    pub fn empty(ask: Ask) -> Self {
        let sheet = Sheet { zone: ask.zone.clone(), now: ask.at, targets: Arc::new([]) };
        Self { ask, sheet }
    }

    fn answers(&self, ask: &Ask) -> bool {
        let of_focus = ask.focus.as_ref().and_then(|focus| self.sheet.get(focus));
        self.ask.is_same_sheet(ask) && of_focus.is_none_or(|sheet| sheet.latency.is_some())
    }
}

/// What the screens hear.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// The statistics.
    Answer(Arc<Answer>),
    /// They cannot be made: the reason in words.
    Trouble(String),
}

/// What the window keeps.
#[derive(Debug, Default)]
pub struct Sheets {
    /// The newest answer, whatever was asked since.
    pub answer: Option<Arc<Answer>>,
    /// The newest answer by the whole record and in the hours of home, however the heatmap is set: what the glance speaks by.
    pub usual: Option<Arc<Answer>>,
    /// Why there is no newer one.
    pub trouble: Option<String>,
    /// Counts answers, so that what is made from them is made once.
    pub generation: u64,
    /// The zone of this place, where it is not the one of the settings.
    pub here: Option<TimeZone>,
    asked: Option<Ask>,
}

impl Sheets {
    /// Takes in what it is told.
    pub fn hear(&mut self, told: Told) {
        self.generation += 1;
        match told {
            Told::Answer(answer) => {
                self.trouble = None;
                if answer.ask.span == Span::All && self.here.as_ref() != Some(&answer.ask.zone) {
                    self.usual = Some(Arc::clone(&answer));
                }
                self.answer = Some(answer);
            }
            Told::Trouble(words) => self.trouble = Some(words),
        }
    }

    /// The newest answer by the whole record: what the cheat sheet speaks by.
    pub fn whole(&self) -> Option<&Arc<Answer>> {
        self.answer.as_ref().filter(|answer| answer.ask.span == Span::All).or(self.usual.as_ref())
    }

    /// The zone in force.
    pub fn zone<'a>(&'a self, state: &State, snapshot: &'a Snapshot) -> &'a TimeZone {
        self.here.as_ref().filter(|_| state.is_here).unwrap_or(&snapshot.zone)
    }

    /// What to ask for a frame at `now`, if the answer at hand does not do and it was not asked already.
    pub fn wanted(&mut self, state: &State, snapshot: &Snapshot, now: Timestamp) -> Option<Ask> {
        let latest = snapshot.board.entries.iter().filter_map(|entry| Some(entry.latest.as_ref()?.sample.at));
        let ask = Ask {
            span: state.span,
            zone: self.zone(state, snapshot).clone(),
            at: now,
            focus: shown(state, snapshot).cloned(),
            newest: latest.max(),
        };
        let is_answered = self.answer.as_ref().is_some_and(|answer| answer.answers(&ask));
        // After trouble it is tried again with the next minute.
        let is_asked = self.asked.as_ref().is_some_and(|asked| {
            let is_still =
                self.trouble.is_none() || asked.at.as_second().div_euclid(60) == now.as_second().div_euclid(60);
            is_still && asked.is_same_sheet(&ask) && asked.focus == ask.focus
        });
        if is_answered || is_asked {
            return None;
        }
        self.asked = Some(ask.clone());
        Some(ask)
    }
}

/// The target in view.
pub fn shown<'a>(state: &'a State, snapshot: &'a Snapshot) -> Option<&'a TargetId> {
    let chosen = state.target.as_ref().filter(|target| snapshot.board.entry(target).is_some());
    chosen.or_else(|| snapshot.board.entries.first().map(|entry| &entry.target.id))
}

/// The chain: the targets with a role in their order, or all where none has one.
pub fn chain(snapshot: &Snapshot) -> Vec<TargetId> {
    let with = |has_role: bool| {
        let entries = snapshot.board.entries.iter().filter(move |entry| !has_role || entry.target.role.is_some());
        entries.map(|entry| entry.target.id.clone()).collect::<Vec<_>>()
    };
    let chain = with(true);
    if chain.is_empty() { with(false) } else { chain }
}
