//! What Activity lists. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::alert::Subject;
use crate::core::outcome::{Family, Kind, Scope};
use crate::engine::notices::{Scene, Words};
use crate::engine::snapshot::{Activity, ActivityEvent, Snapshot};
use crate::i18n::Tr;
use crate::switch::journal::Switch;
use crate::ui::format::{self, Piece};
use crate::ui::hush;
use crate::ui::screens::activity::offers::{Chip, chips};
use crate::ui::screens::activity::switches;
use crate::ui::screens::board::model::next_probe;
use crate::ui::state::UiState;
use crate::ui::switching::Seen;

/// What Activity lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The days that have something to show, newest first.
    pub days: Vec<Day>,
    /// Lines shown.
    pub shown: usize,
    /// Lines there are.
    pub total: usize,
    /// `12 of 40 shown`, or how many there are.
    pub count: String,
    /// When and whom the next probe concerns, for the empty state.
    pub next: String,
    /// Whether anybody is disturbed, in words.
    pub hush: String,
    /// The user himself wants to be left alone at present.
    pub is_hushed: bool,
    /// A notice can be tried: the demo shows none outside its window.
    pub has_test: bool,
}

/// A day and what happened on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    /// `Today`, `Yesterday`, `Sat 23 Nov`.
    pub heading: String,
    /// Newest first.
    pub lines: Vec<Line>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The time of day.
    pub time: String,
    /// Time, with its day when that is not today.
    pub moment: String,
    /// Colour and mark; `None` where it is not about a model.
    pub family: Option<Family>,
    /// What happened, the model's name strong.
    pub words: Vec<Piece>,
    /// More about it, or empty.
    pub more: String,
    /// What may be done about it, and what has become of that.
    pub offers: Vec<Chip>,
    /// Whether the user was told of it outside the window.
    pub is_notice: bool,
    /// Whether a tool was switched, or a switch taken back or made again.
    pub is_switch: bool,
}

/// Something that happened: what the engine tells, or an entry of the journal of switches.
#[derive(Clone, Copy, Debug)]
pub enum Happened<'a> {
    /// What the engine tells.
    Told(&'a Activity),
    /// A switch, an undo or a redo, whoever made it.
    Switched(&'a Switch, &'a Seen),
}

/// All that happened, newest first.
pub fn happened<'a>(snapshot: &'a Snapshot, tools: Option<&'a Seen>) -> Vec<(Timestamp, Happened<'a>)> {
    let told = snapshot.activity.iter().map(|activity| (activity.at, Happened::Told(activity)));
    let switched = tools.into_iter().flat_map(|seen| {
        let own = switches::listed(seen, snapshot).into_iter();
        own.map(move |switch| (switch.entry.at, Happened::Switched(switch, seen)))
    });
    let mut all: Vec<_> = told.chain(switched).collect();
    all.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    all
}

impl Line {
    /// The line with what is added as one plain text: for the terminal, and where it is left out in the window.
    pub fn plain(&self) -> String {
        let mut text: String = self.words.iter().map(|piece| piece.text.as_str()).collect();
        if !self.more.is_empty() {
            text.push_str(" · ");
            text.push_str(&self.more);
        }
        text
    }

    /// Puts what happened into words.
    pub fn of(happened: Happened<'_>, snapshot: &Snapshot, tools: Option<&Seen>, now: Timestamp, tr: &Tr) -> Self {
        match happened {
            Happened::Told(activity) => Self::new(activity, snapshot, tools, now, tr),
            Happened::Switched(switch, seen) => switches::line(switch, seen, snapshot, now, tr),
        }
    }

    /// Puts an event into words. `tools` is what was read of them last: without it an offer may be of what is so already.
    pub fn new(activity: &Activity, snapshot: &Snapshot, tools: Option<&Seen>, now: Timestamp, tr: &Tr) -> Self {
        let plain = |id: &str| vec![Piece { text: tr.text(id), is_strong: false }];
        let mut offers = Vec::new();
        let (family, words, more) = match &activity.event {
            ActivityEvent::Changed { target, from, to, kind } => {
                let model = snapshot.board.name_of(target);
                let id = match (from, to) {
                    (None, Family::Available) => "ui-activity-found-available",
                    (None, _) => "ui-activity-found",
                    (Some(_), to) => match to {
                        Family::Available => "ui-activity-became-available",
                        Family::Full => "ui-activity-became-full",
                        Family::Limited | Family::Fault | Family::Blocked | Family::Unknown => "ui-activity-became",
                    },
                };
                let word = tr.text(&format!("family-{}", to.name()));
                let more =
                    if shown_by_family(*to, *kind) { String::new() } else { tr.text(&format!("kind-{}", kind.name())) };
                (Some(*to), format::pieces(tr, id, "model", &model, args!("state" => word)), more)
            }
            ActivityEvent::Notice(notice) => {
                let scene = Scene { board: &snapshot.board, zone: &snapshot.zone, now, tr };
                let Words { summary, body } = scene.words(notice);
                offers = chips(notice, snapshot, tools, &scene, now);
                (family_of(&notice.subject), vec![Piece { text: summary, is_strong: true }], body)
            }
            ActivityEvent::WentOffline => (None, plain("ui-activity-offline"), String::new()),
            ActivityEvent::CameOnline => (None, plain("ui-activity-online"), String::new()),
            ActivityEvent::Woke => (None, plain("ui-activity-woke"), String::new()),
            ActivityEvent::Paused => (None, plain("ui-activity-paused"), String::new()),
            ActivityEvent::Resumed => (None, plain("ui-activity-resumed"), String::new()),
            ActivityEvent::SettingsReloaded => (None, plain("ui-activity-settings"), String::new()),
            ActivityEvent::Trouble(words) => (None, plain("ui-activity-trouble"), words.clone()),
        };
        Self {
            time: format::clock(activity.at, &snapshot.zone),
            moment: format::moment(activity.at, now, &snapshot.zone, tr),
            family,
            words,
            more,
            offers,
            is_notice: matches!(activity.event, ActivityEvent::Notice(_)),
            is_switch: matches!(&activity.event, ActivityEvent::Notice(notice)
                if matches!(notice.subject, Subject::Switched { .. })),
        }
    }

    /// The line as one string.
    pub fn text(&self) -> String {
        self.words.iter().map(|piece| piece.text.as_str()).collect()
    }

    fn has(&self, needle: &str) -> bool {
        needle.is_empty() || self.text().to_lowercase().contains(needle) || self.more.to_lowercase().contains(needle)
    }
}

/// The state that a notice speaks of, if it is one.
const fn family_of(subject: &Subject) -> Option<Family> {
    match subject {
        Subject::Recovered { .. }
        | Subject::ProviderBack { .. }
        | Subject::LimitReset { .. }
        | Subject::Settled { is_free: true, .. } => Some(Family::Available),
        Subject::Full { kind, .. } => Some(Family::of(*kind, Scope::Model)),
        Subject::Limited { .. } => Some(Family::Limited),
        _ => None,
    }
}

/// Whether the family's word already says all that the kind's would.
fn shown_by_family(family: Family, kind: Kind) -> bool {
    matches!(family, Family::Available | Family::Full) && Family::of(kind, Scope::Model) == family
}

impl Model {
    /// Reads the snapshot as seen at `now`, through the filters of `state`.
    pub fn new(snapshot: &Snapshot, tools: Option<&Seen>, state: &UiState, now: Timestamp, tr: &Tr) -> Self {
        let needle = state.filter.trim().to_lowercase();
        let mut days: Vec<Day> = Vec::new();
        let mut shown = 0;
        let all = happened(snapshot, tools);
        for (at, happened) in &all {
            let line = Line::of(*happened, snapshot, tools, now, tr);
            if (state.only_notices && !line.is_notice) || (state.only_switches && !line.is_switch) {
                continue;
            }
            if !line.has(&needle) || state.family.is_some_and(|family| line.family != Some(family)) {
                continue;
            }
            shown += 1;
            let heading = format::day(*at, now, &snapshot.zone, tr);
            match days.last_mut() {
                Some(day) if day.heading == heading => day.lines.push(line),
                _ => days.push(Day { heading, lines: vec![line] }),
            }
        }
        let total = all.len();
        let id = if shown == total { "ui-activity-count" } else { "ui-activity-count-of" };
        Self {
            days,
            shown,
            total,
            count: tr.with(id, &args!("shown" => shown, "total" => total)),
            next: next_probe(snapshot, now, tr),
            hush: hush::words(snapshot, now, tr),
            is_hushed: hush::is_by_hand(snapshot),
            has_test: !snapshot.status.is_demo,
        }
    }
}
