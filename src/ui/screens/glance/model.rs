//! What the glance says. Pure.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args;
use crate::core::board::{Banner, Entry};
use crate::core::outcome::{Family, Kind};
use crate::core::sheet::{Evidence, Sheet, TargetSheet, Window};
use crate::core::target::TargetId;
use crate::engine::snapshot::{Keeper, Snapshot};
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::board::model::{advice, provider_name, shown_family, state_words};
use crate::ui::screens::sheet::words::percent;
use crate::ui::screens::switch::uses::{Use, Uses};
use crate::ui::sheets;

/// Minutes from which on a span is told in whole hours.
const LONG: i64 = 3 * 60;

/// What the glance says.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// One line above the rows: that something is free, that nothing is, or why nobody knows.
    pub title: String,
    /// The chain; the best choice of this moment first, the others in their order.
    pub rows: Vec<Row>,
    /// Planted data.
    pub is_demo: bool,
}

/// One target.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub target: TargetId,
    /// Its colour and mark.
    pub family: Family,
    /// An answer came that no rule knows: the mark is filled.
    pub is_unrecognized: bool,
    /// The state is what was known last, not what is.
    pub is_stale: bool,
    /// It is free.
    pub is_free: bool,
    /// It is the best choice of this moment.
    pub is_best: bool,
    /// The model's name, with its provider where two have the same.
    pub name: String,
    /// The state in words, with its age.
    pub state: String,
    /// The next time in which it is usually free, else whose it is or what to do.
    pub next: String,
    /// What can be done with it.
    pub offered: Option<Use>,
    /// The whole row in one sentence, for screen readers.
    pub summary: String,
}

/// What the glance is made from, beside the picture.
pub struct Source<'a> {
    /// The picture.
    pub snapshot: &'a Snapshot,
    /// The statistics, once they are made.
    pub sheet: Option<&'a Sheet>,
    /// What tools can be told.
    pub uses: &'a Uses,
    /// As seen at.
    pub now: Timestamp,
    /// In which words.
    pub tr: &'a Tr,
}

impl Model {
    /// Reads the picture.
    pub fn new(source: &Source<'_>) -> Self {
        let Source { snapshot, now, tr, .. } = *source;
        let best = snapshot.board.first_free(now).map(|entry| entry.target.id.clone());
        let ids = sheets::chain(snapshot);
        let mut rows: Vec<Row> = ids
            .iter()
            .filter_map(|id| snapshot.board.entry(id))
            .map(|entry| Row::new(entry, best.as_ref() == Some(&entry.target.id), source))
            .collect();
        rows.sort_by_key(|row| !row.is_best);
        Self { title: title(snapshot, rows.first(), now, tr), rows, is_demo: snapshot.status.is_demo }
    }
}

fn title(snapshot: &Snapshot, first: Option<&Row>, now: Timestamp, tr: &Tr) -> String {
    let status = &snapshot.status;
    let time = |at| format::moment(at, now, &snapshot.zone, tr);
    match (snapshot.board.banner, status.paused, first) {
        (_, _, None) => tr.text("glance-empty"),
        (Some(Banner::Offline { .. } | Banner::Portal { .. }), _, _) => tr.text("glance-offline"),
        (_, Some(Some(until)), _) => tr.with("glance-paused-until", &args!("time" => time(until))),
        (_, Some(None), _) => tr.text("glance-paused"),
        _ if status.keeper != Keeper::Engine => tr.text("glance-nobody"),
        _ if snapshot.board.entries.iter().all(|entry| entry.confirmed.is_none()) => tr.text("glance-looking"),
        (.., Some(row)) if row.is_best => tr.with("glance-free", &args!("model" => row.name.as_str())),
        _ => tr.text("glance-nothing"),
    }
}

impl Row {
    fn new(entry: &Entry, is_best: bool, source: &Source<'_>) -> Self {
        let Source { snapshot, now, tr, .. } = *source;
        let target = &entry.target;
        let is_free = entry.is_free(now);
        let state = if is_free { free_words(entry, now, tr) } else { state_words(entry, now, tr) };
        let sheet = source.sheet.and_then(|sheet| sheet.get(&target.id));
        let quiet = sheet.and_then(|own| Quiet::told(entry, own, now, &snapshot.zone));
        let quiet = quiet.map(|quiet| quiet.sentence(now, &snapshot.zone, tr));
        // Of what is free the advice is how long it has been, which is said already.
        let rest = || if is_free { provider_name(target).to_owned() } else { advice(entry, now, tr) };
        let next = quiet.unwrap_or_else(rest);
        let name = snapshot.board.name_of(&target.id);
        let summary =
            tr.with("glance-row", &args!("model" => name.as_str(), "state" => state.as_str(), "next" => next.as_str()));
        Self {
            target: target.id.clone(),
            family: shown_family(entry, now),
            is_unrecognized: entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Unrecognized),
            is_stale: entry.is_stale(now),
            is_free,
            is_best,
            name,
            state,
            next,
            offered: source.uses.get(&target.id).filter(|offered| offered.why_not.is_empty()).cloned(),
            summary,
        }
    }
}

/// That a model is free, and for how long it has been.
fn free_words(entry: &Entry, now: Timestamp, tr: &Tr) -> String {
    let minutes = entry.confirmed.map_or(0, |confirmed| format::minutes_between(confirmed.since, now));
    let id = if entry.is_slow { "glance-slow-for" } else { "glance-free-for" };
    // Minutes of a long time would take the room of what is said after it; the Board has them.
    let minutes = if minutes < LONG { minutes } else { minutes - minutes % 60 };
    tr.with(id, &args!("age" => format::span(minutes, tr)))
}

/// The next time in which a target is usually free, as it is told of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quiet {
    /// When.
    pub window: Window,
    /// Its hours are good ones, and not only the best of a target that is rarely free.
    pub is_usual: bool,
}

impl Quiet {
    /// What is told of a target in its state at `now`, if anything is known of it.
    pub fn told(entry: &Entry, own: &TargetSheet, now: Timestamp, zone: &TimeZone) -> Option<Self> {
        // Of what is not free a window that is open already says nothing, and what waiting does not heal has none.
        let is_said = |start: Timestamp| match shown_family(entry, now) {
            Family::Available => true,
            Family::Full | Family::Unknown => start > now,
            Family::Limited | Family::Fault | Family::Blocked => false,
        };
        let mut windows = own.quiet_windows(now, zone).into_iter();
        let window = windows.find(|window| window.evidence != Evidence::Empty && is_said(window.start))?;
        Some(Self { window, is_usual: own.levels.is_usual() })
    }

    /// As a sentence, with how sure it is.
    fn sentence(&self, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
        let window = quiet_words(&self.window, now, zone, tr);
        let args = args!("window" => window, "percent" => percent(self.window.share));
        // What is free has said so: until when it usually is, is what is left to say.
        let is_on = self.window.start <= now && !self.window.is_all_week();
        tr.with(
            match (self.window.is_usual(), self.is_usual) {
                (false, _) => "glance-quiet-few",
                (true, true) if is_on => "glance-quiet-on",
                (true, true) => "glance-quiet",
                (true, false) => "glance-quiet-likeliest",
            },
            &args,
        )
    }
}

/// A time ahead in a few words: `18:00–21:00`, `Tue 18:00–21:00`, `until 21:00`.
pub fn quiet_words(window: &Window, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let Window { start, end, .. } = *window;
    if window.is_all_week() {
        return tr.text("glance-window-always");
    }
    if start <= now {
        return tr.with("glance-window-open", &args!("to" => format::moment(end, now, zone, tr)));
    }
    let from = format::moment(start, now, zone, tr);
    // The end names its day only where it is another one than the beginning's.
    tr.with("glance-window", &args!("from" => from, "to" => format::moment(end, start, zone, tr)))
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::i18n::Lang;
    use crate::ui::stage::Stage;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn windows_name_their_days_only_where_it_is_needed() {
        let tr = Tr::new(Lang::English);
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now = at("2026-11-29T13:27:00Z");
        for (start, end, words) in [
            ("2026-11-29T13:27:00Z", "2026-11-29T16:00:00Z", "until 17:00"),
            ("2026-11-29T13:27:00Z", "2026-11-30T16:00:00Z", "until Mon 17:00"),
            ("2026-11-29T17:00:00Z", "2026-11-29T20:00:00Z", "18:00–21:00"),
            ("2026-12-01T17:00:00Z", "2026-12-01T20:00:00Z", "Tue 18:00–21:00"),
            ("2026-11-29T21:00:00Z", "2026-11-30T05:00:00Z", "22:00–Mon 06:00"),
            ("2026-11-29T13:27:00Z", "2026-12-06T13:15:00Z", "at any hour"),
        ] {
            let (start, end) = (at(start), at(end));
            let window = Window { start, end, share: 0.9, low: 0.8, evidence: Evidence::Known, known: 1.0 };
            assert_eq!(quiet_words(&window, now, &zone, &tr), words);
        }
    }

    #[test]
    fn of_what_is_free_the_end_is_told_in_few_words() {
        let now = at("2026-11-29T13:27:00Z");
        let told = |start, end| {
            let window = Window { start, end, share: 0.9, low: 0.8, evidence: Evidence::Known, known: 1.0 };
            Quiet { window, is_usual: true }.sentence(now, &TimeZone::UTC, &Tr::new(Lang::English))
        };
        let end = at("2026-12-01T17:15:00Z");
        assert_eq!(told(now, end), "Usually until Tue 17:15");
        assert_eq!(told(now, at("2026-12-06T13:15:00Z")), "Usually free at any hour");
        assert_eq!(told(at("2026-12-01T14:00:00Z"), end), "Usually free Tue 14:00–17:15");
    }

    #[test]
    fn the_best_choice_is_first_and_nothing_old_is_free() {
        let tr = Tr::new(Lang::English);
        let now = at("2026-11-29T13:27:00Z");
        let snapshot = Stage::afternoon(now, TimeZone::UTC).snapshot();
        let uses = Uses::new();
        let model = |now| Model::new(&Source { snapshot: &snapshot, sheet: None, uses: &uses, now, tr: &tr });
        let shown = model(now);
        assert_eq!(shown.title, "Free now: gpt-6-luna");
        let names: Vec<&str> = shown.rows.iter().map(|row| &*row.name).collect();
        let expected = ["gpt-6-luna", "gpt-5.6-sol", "claude-sonnet-5", "deepseek-v4", "glm-5", "qwen3-coder"];
        assert_eq!(names, expected, "the target without a role is not of the chain");
        assert!(shown.rows[0].is_best && shown.rows[0].is_free);
        assert_eq!(shown.rows[0].state, "Free for 3 h");
        assert_eq!(shown.rows[1].state, "Full for 22 min");
        let later = model(now + SignedDuration::from_hours(3));
        assert_eq!(later.title, "Nothing is free");
        assert!(later.rows.iter().all(|row| !row.is_free && !row.is_best));
    }

    #[test]
    fn what_keeps_us_from_knowing_is_said_first() {
        let tr = Tr::new(Lang::English);
        let now = at("2026-11-29T13:27:00Z");
        let uses = Uses::new();
        let title = |stage: &Stage| {
            let snapshot = stage.snapshot();
            Model::new(&Source { snapshot: &snapshot, sheet: None, uses: &uses, now, tr: &tr }).title
        };
        let mut stage = Stage::afternoon(now, TimeZone::UTC);
        stage.status(|status| status.paused = Some(None));
        assert_eq!(title(&stage), "Paused");
        stage.board(|board| board.banner = Some(Banner::Offline { since: now }));
        assert_eq!(title(&stage), "Your network is down");
        assert_eq!(title(&Stage::new(now, TimeZone::UTC)), "No targets yet");
    }
}
