//! What History shows, made from an answer of the record. Pure.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args;
use crate::core::bucket::State as Seen;
use crate::core::history::{Answer, Cell, Grid, Latency, Listed, Outage};
use crate::core::outcome::Family;
use crate::core::target::{TargetId, called};
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::history::range::State;

/// What History shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Nothing was answered yet.
    pub is_waiting: bool,
    /// The record is empty.
    pub is_empty: bool,
    /// The targets shown, in the order of the chain.
    pub lanes: Vec<Lane>,
    /// Every target that there is, for the menu.
    pub choices: Vec<Choice>,
    /// The lane whose latency is shown.
    pub focus: Option<usize>,
    /// The outages in view, newest first.
    pub outages: Vec<Listing>,
    /// How many there are, in words.
    pub count: String,
    /// The table's rows, newest first.
    pub rows: Vec<Entry>,
    /// The 90th percentile of the latency that the picture has to reach, in milliseconds.
    pub slowest: f64,
    /// The highest there is where the picture does not reach it: a lone spike must not flatten all the rest.
    pub beyond: Option<f64>,
    /// Stretches of latency without a gap, as ranges of cells of the answer.
    pub stretches: Vec<Range<usize>>,
    /// Families that are not shown.
    pub hidden: BTreeSet<Family>,
}

/// A target of the menu.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which.
    pub target: TargetId,
    /// Its name.
    pub name: String,
    /// It is shown.
    pub is_shown: bool,
}

/// A target's line of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Which.
    pub target: TargetId,
    /// Its name.
    pub name: String,
    /// Its provider.
    pub provider: String,
    /// Its place in [`Answer::lanes`].
    pub index: usize,
    /// In words, for who does not see it.
    pub summary: String,
}

/// An outage of the list. Hundreds may be listed and a dozen be seen, so that words are made for those that are.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Whose.
    pub target: TargetId,
    /// Its name.
    pub name: String,
    /// The outage.
    pub outage: Outage,
    words: OnceCell<Line>,
}

impl Listing {
    /// The words, made once. A model is of one minute, zone and language.
    pub fn words(&self, now: Timestamp, zone: &TimeZone, tr: &Tr) -> &Line {
        self.words.get_or_init(|| line(&self.name, &self.outage, now, zone, tr))
    }

    /// What it was most of the time.
    pub const fn family(&self) -> Family {
        if self.outage.full_ms * 2 >= self.outage.ms() { Family::Full } else { Family::Fault }
    }
}

/// An outage in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When it began.
    pub start: String,
    /// How long it was.
    pub length: String,
    /// What was answered, and how often.
    pub kinds: String,
    /// All of it, for who does not see it.
    pub summary: String,
}

/// A row of the table, with words for those that are seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// From and to.
    pub time: Range<i64>,
    /// Whose.
    pub name: String,
    cell: Cell,
    words: OnceCell<Row>,
}

impl Entry {
    /// The words, made once. A model is of one minute, zone and language.
    pub fn words(&self, now: Timestamp, zone: &TimeZone, tr: &Tr) -> &Row {
        self.words.get_or_init(|| row(self, now, zone, tr))
    }
}

/// A row of the table in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub period: String,
    /// Free, full and failing in percent of the time watched; a dash without any.
    pub shares: [String; 3],
    /// How long it was watched.
    pub watched: String,
    /// Refusals of the own account.
    pub own: String,
    /// Samples.
    pub samples: String,
    /// All of it, for who does not see it.
    pub summary: String,
}

impl Model {
    /// Reads an answer through the filters of `state`. Of the snapshot it takes the targets, their order and the zone.
    pub fn new(answer: Option<&Answer>, snapshot: &Snapshot, state: &State, tr: &Tr) -> Self {
        let Some(answer) = answer else { return Self { is_waiting: true, ..Self::default() } };
        let names = names(answer, snapshot);
        let name = |target: &TargetId| {
            names
                .iter()
                .find(|(id, _)| id == target)
                .map_or_else(|| target.as_str().to_owned(), |(_, name)| name.clone())
        };
        let grid = answer.query.grid();
        let is_shown = |target: &TargetId| !state.hidden.contains(target);
        let mut lanes: Vec<Lane> = Vec::new();
        for (target, name) in &names {
            let Some(index) = answer.lanes.iter().position(|lane| &lane.target == target) else { continue };
            if !is_shown(target) {
                continue;
            }
            let lane = &answer.lanes[index];
            let sum = in_view(&lane.cells, &grid, &answer.query.seen);
            lanes.push(Lane {
                target: target.clone(),
                name: name.clone(),
                provider: lane.provider.clone(),
                index,
                summary: lane_summary(name, &sum, tr),
            });
        }
        let listed = answer.outages.iter().filter(|listed| {
            is_shown(&answer.lanes[listed.lane].target)
                && families(&listed.outage).iter().any(|f| !state.hidden_families.contains(f))
        });
        let outages: Vec<Listing> = listed
            .map(|Listed { lane, outage }| {
                let target = &answer.lanes[*lane].target;
                let (target, name) = (target.clone(), name(target));
                Listing { target, name, outage: outage.clone(), words: OnceCell::new() }
            })
            .collect();
        let count = match (outages.len(), answer.has_more_outages) {
            (n, true) => tr.with("history-outages-newest", &args!("n" => n)),
            (n, false) => tr.with("history-outages-count", &args!("n" => n)),
        };
        let times = answer.query.latency_grid();
        let stretches = stretches(&answer.latency, times.step());
        let shown = grid_range(&times, &answer.query.seen);
        let latencies = answer.latency.iter().take(shown.end).skip(shown.start).flatten();
        let (slowest, beyond) = reach(latencies.map(|latency| latency.high).collect());
        Self {
            is_waiting: false,
            is_empty: answer.extent.is_none(),
            focus: lanes.iter().position(|lane| answer.focus.as_ref() == Some(&lane.target)),
            choices: names
                .iter()
                .map(|(target, name)| Choice { target: target.clone(), name: name.clone(), is_shown: is_shown(target) })
                .collect(),
            rows: rows(answer, &lanes),
            lanes,
            outages,
            count,
            slowest,
            beyond,
            stretches,
            hidden: state.hidden_families.clone(),
        }
    }
}

/// Every target with its name: those of the chain first, in its order, then what else was recorded.
fn names(answer: &Answer, snapshot: &Snapshot) -> Vec<(TargetId, String)> {
    let place = |target: &TargetId| snapshot.board.entries.iter().position(|entry| &entry.target.id == target);
    let mut targets: Vec<&(TargetId, String, String)> = answer.targets.iter().collect();
    targets.sort_by_key(|(id, _, _)| (place(id).unwrap_or(usize::MAX), id.as_str().to_owned()));
    let all = || answer.targets.iter().map(|(_, provider, model)| (provider.as_str(), model.as_str()));
    targets.into_iter().map(|(id, provider, model)| (id.clone(), called(id, (provider, model), all()))).collect()
}

/// The cells of a grid that lie in a range, wholly or in part.
fn grid_range(grid: &Grid, range: &Range<i64>) -> Range<usize> {
    let first = grid.at_or_after(range.start).unwrap_or(grid.len());
    let end = grid.find(range.end - 1).map_or(grid.len(), |index| index + 1);
    first.min(end)..end
}

fn in_view(cells: &[Cell], grid: &Grid, seen: &Range<i64>) -> Cell {
    let range = grid_range(grid, seen);
    cells[range].iter().fold(Cell::default(), |sum, cell| sum.merge(*cell))
}

/// Where a line may be drawn through the latencies: cells that are not further apart than samples usually are.
fn stretches(latency: &[Option<Latency>], step: i64) -> Vec<Range<usize>> {
    // Twice the slowest cycle of probing (30 minutes), or two empty cells.
    let most = usize::try_from((60 * 60_000 / step.max(1)).max(2)).unwrap_or(2);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (index, _) in latency.iter().enumerate().filter(|(_, cell)| cell.is_some()) {
        match stretches.last_mut() {
            Some(last) if index - last.end < most => last.end = index + 1,
            _ => stretches.push(index..index + 1),
        }
    }
    stretches
}

/// How far up the picture of the latency reaches, and the highest value where that is not far enough: spikes of more than
/// three times what nine of ten stay under are cut.
fn reach(mut highs: Vec<f64>) -> (f64, Option<f64>) {
    highs.sort_by(f64::total_cmp);
    let most = highs.last().copied().unwrap_or(0.0);
    let usual = highs.get(highs.len() * 9 / 10).copied().unwrap_or(most);
    if highs.len() >= 10 && most > 3.0 * usual { (1.5 * usual, Some(most)) } else { (most, None) }
}

/// The families of an outage.
fn families(outage: &Outage) -> Vec<Family> {
    let full = outage.was_full().then_some(Family::Full);
    let fault = outage.was_fault().then_some(Family::Fault);
    full.into_iter().chain(fault).collect()
}

fn line(name: &str, outage: &Outage, now: Timestamp, zone: &TimeZone, tr: &Tr) -> Line {
    let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(now);
    let start = format::moment(at(outage.time.start), now, zone, tr);
    let span = format::span(outage.ms() / 60_000, tr);
    let id = match outage {
        Outage { is_now: true, .. } => "history-length-now",
        Outage { is_rough: true, .. } => "history-length-about",
        _ if outage.is_cut() => "history-length-least",
        _ => "history-length",
    };
    let length = tr.with(id, &args!("span" => span));
    let counted = Outage::KINDS.iter().zip(outage.samples).filter(|(_, n)| *n > 0);
    let kinds: Vec<String> = counted
        .map(|(kind, n)| {
            let kind = tr.text(&format!("kind-{}", kind.name()));
            tr.with("history-kind-count", &args!("kind" => kind, "n" => n))
        })
        .collect();
    let words: Vec<String> =
        families(outage).iter().map(|family| tr.text(&format!("family-{}", family.name()))).collect();
    let kinds = format::list(if kinds.is_empty() { words } else { kinds }, tr);
    let summary = tr.with(
        "history-outage-summary",
        &args!("name" => name, "start" => start.as_str(), "length" => length.as_str(), "kinds" => kinds.as_str()),
    );
    Line { start, length, kinds, summary }
}

/// A share in whole percent; what is not nothing is not said to be nothing, nor what is not all to be all.
pub fn percent(ms: u32, of: u32) -> Option<u32> {
    if of == 0 {
        return None;
    }
    let exact = f64::from(ms) * 100.0 / f64::from(of);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let rounded = exact.round() as u32;
    Some(match rounded {
        0 if ms > 0 => 1,
        100 if ms < of => 99,
        other => other,
    })
}

fn lane_summary(name: &str, sum: &Cell, tr: &Tr) -> String {
    match percent(sum.up_ms, sum.observed_ms()) {
        Some(percent) => tr.with(
            "history-lane-summary",
            &args!("name" => name, "percent" => percent, "samples" => format::count(sum.samples().into())),
        ),
        None => tr.with("history-lane-empty", &args!("name" => name)),
    }
}

fn rows(answer: &Answer, lanes: &[Lane]) -> Vec<Entry> {
    let Some(grid) = Grid::of(answer.query.rows.clone()) else { return Vec::new() };
    let mut rows = Vec::new();
    for index in (0..grid.len()).rev() {
        for lane in lanes {
            let cell = answer.lanes[lane.index].rows.get(index);
            if let Some(cell) = cell.filter(|cell| cell.samples() > 0 || cell.observed_ms() > 0) {
                let name = lane.name.clone();
                rows.push(Entry { time: grid.cell(index), name, cell: *cell, words: OnceCell::new() });
            }
        }
    }
    rows
}

fn row(Entry { time, name, cell, .. }: &Entry, now: Timestamp, zone: &TimeZone, tr: &Tr) -> Row {
    let period = period(time, now, zone, tr);
    let share = |ms| percent(ms, cell.observed_ms()).map_or("–".to_owned(), |share| format!("{share} %"));
    let shares = [cell.up_ms, cell.full_ms, cell.fault_ms].map(share);
    let watched = format::span(i64::from(cell.observed_ms()) / 60_000, tr);
    let (own, samples) = (format::count(cell.own().into()), format::count(cell.samples().into()));
    let summary = tr.with(
        "history-row-summary",
        &args!("name" => name.as_str(), "period" => period.as_str(), "free" => shares[0].as_str(), "full" => shares[1].as_str(),
            "fault" => shares[2].as_str(), "watched" => watched.as_str(), "own" => own.as_str(), "samples" => samples.as_str()),
    );
    Row { period, shares, watched, own, samples, summary }
}

/// A stretch of time in words: a day, a month, or from when to when.
pub fn period(time: &Range<i64>, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(now);
    let (from, to) = (zone.to_datetime(at(time.start)), zone.to_datetime(at(time.end)));
    let is_midnight = |at: jiff::civil::DateTime| at.time() == jiff::civil::Time::midnight();
    let year = if from.year() == zone.to_datetime(now).year() { String::new() } else { format!(" {}", from.year()) };
    let day = |ms| format::weekday_date(at(ms), zone, tr);
    if is_midnight(from) && is_midnight(to) {
        if from.date().tomorrow().is_ok_and(|next| next == to.date()) {
            return format!("{}{year}", day(time.start));
        }
        if from.day() == 1 && to.day() == 1 && (to.date() - from.date()).get_days() < 32 {
            return format!("{} {}", tr.text(&format!("ui-month-{}", from.month())), from.year());
        }
        let last = Timestamp::from_millisecond(time.end - 1).unwrap_or(now);
        let (from, to) = (format::day_of_month(at(time.start), zone, tr), format::day_of_month(last, zone, tr));
        return tr.with("history-from-to", &args!("from" => from, "to" => format!("{to}{year}")));
    }
    let (from_clock, to_clock) = (format::clock(at(time.start), zone), format::clock(at(time.end), zone));
    let to_words = if from.date() == to.date() || (is_midnight(to) && time.end - time.start <= 86_400_000) {
        to_clock
    } else {
        format!("{} {to_clock}", day(time.end))
    };
    tr.with("history-from-to", &args!("from" => format!("{}{year} {from_clock}", day(time.start)), "to" => to_words))
}

/// What is in view, for the title: to the day, or to the minute when it is less than three days.
pub fn view_words(view: &Range<i64>, is_live: bool, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(now);
    let is_short = view.end - view.start < 3 * 86_400_000;
    let year = |ms| zone.to_datetime(at(ms)).year();
    let this = zone.to_datetime(now).year();
    let words = |ms| {
        let day = format::day_of_month(at(ms), zone, tr);
        let day = if year(ms) == this { day } else { format!("{day} {}", year(ms)) };
        if is_short { format!("{day} {}", format::clock(at(ms), zone)) } else { day }
    };
    let to = if is_live { tr.text("history-now") } else { words(view.end) };
    tr.with("history-from-to", &args!("from" => words(view.start), "to" => to))
}

/// A cell of a lane in words, a line each: when; what was seen; on what that stands.
pub fn cell_words(cell: &Cell, time: &Range<i64>, now: Timestamp, zone: &TimeZone, tr: &Tr) -> Vec<String> {
    let mut lines = vec![moment_range(time, now, zone, tr)];
    let observed = cell.observed_ms();
    if observed == 0 {
        lines.push(tr.text(if cell.skipped > 0 { "history-cell-skipped" } else { "history-cell-gap" }));
    } else {
        for (seen, family) in [(Seen::Up, Family::Available), (Seen::Full, Family::Full), (Seen::Fault, Family::Fault)]
        {
            let ms = cell.ms(seen);
            if let Some(percent) = percent(ms, observed).filter(|_| ms > 0) {
                let word = tr.text(&format!("family-{}", family.name()));
                let span = duration(ms, tr);
                lines.push(tr.with("history-cell-share", &args!("word" => word, "percent" => percent, "span" => span)));
            }
        }
    }
    let samples = format::count(cell.samples().into());
    lines.push(tr.with("history-cell-samples", &args!("n" => cell.samples(), "samples" => samples)));
    for (n, id) in [
        (cell.limited, "history-cell-limited"),
        (cell.blocked, "history-cell-blocked"),
        (cell.other, "history-cell-other"),
    ] {
        if n > 0 {
            lines.push(tr.with(id, &args!("n" => n)));
        }
    }
    lines
}

/// A latency in words, a line each.
pub fn latency_words(latency: &Latency, time: &Range<i64>, now: Timestamp, zone: &TimeZone, tr: &Tr) -> Vec<String> {
    let ms = |ms: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a probe")]
        let whole = ms.round() as u32;
        format::latency(whole, tr)
    };
    vec![
        moment_range(time, now, zone, tr),
        tr.with("history-latency-median", &args!("median" => ms(latency.median))),
        tr.with("history-latency-band", &args!("low" => ms(latency.low), "high" => ms(latency.high))),
        tr.with("history-latency-ends", &args!("least" => ms(latency.least), "most" => ms(latency.most))),
        tr.with("history-latency-n", &args!("n" => latency.n)),
    ]
}

fn duration(ms: u32, tr: &Tr) -> String {
    match ms {
        0..60_000 => tr.with("ui-seconds", &args!("n" => ms.div_ceil(1000))),
        _ => format::span(i64::from(ms) / 60_000, tr),
    }
}

/// From when to when, with seconds where cells are narrower than a minute.
fn moment_range(time: &Range<i64>, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    if time.end - time.start >= 60_000 {
        return period(time, now, zone, tr);
    }
    let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(now);
    let from =
        format!("{} {}", format::weekday_date(at(time.start), zone, tr), format::clock_secs(at(time.start), zone));
    tr.with("history-from-to", &args!("from" => from, "to" => format::clock_secs(at(time.end), zone)))
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
