//! The maps of the heatmap, made from the statistics. Pure.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::core::sheet::{Evidence, KNOWN_SAMPLES, Sheet, Slot, Tally, TargetSheet};
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::board::model::name_of;
use crate::ui::screens::sheet::words::{Speaker, percent, weekday};
use crate::ui::sheets::{Place, State, View, shown};

/// Weeks that the map of days has at most.
pub const WEEKS: usize = 53;
/// A day with less time seen is thin, in milliseconds.
const DAY_KNOWN_MS: u64 = 3 * 3_600_000;

/// What a cell is drawn as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// Nothing: not a time that could have been seen.
    Blank,
    /// Could have been seen, but was not.
    Empty,
    /// Seen, but not enough to speak of a habit; the share, 0 to 1.
    Thin(f32),
    /// The share, 0 to 1.
    Known(f32),
}

impl Ink {
    fn of(evidence: Evidence, share: f64) -> Self {
        match evidence {
            Evidence::Empty => Self::Empty,
            Evidence::Thin => Self::Thin(share as f32),
            Evidence::Known => Self::Known(share as f32),
        }
    }
}

/// A row of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The row in words, for who cannot see it.
    pub summary: String,
    /// One a column.
    pub cells: Vec<Ink>,
}

/// A map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// From the top.
    pub rows: Vec<Row>,
    /// Names of columns, by their place.
    pub heads: Vec<(usize, String)>,
    /// The present's cell.
    pub now: Option<Place>,
}

impl Map {
    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, |row| row.cells.len())
    }

    /// The place nearest to one.
    pub fn within(&self, (row, column): Place) -> Option<Place> {
        let rows = self.rows.len().checked_sub(1)?;
        let columns = self.columns().checked_sub(1)?;
        Some((row.min(rows), column.min(columns)))
    }
}

/// A target's week, small.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    /// Which.
    pub target: TargetId,
    /// Its name.
    pub name: String,
    /// The week in words.
    pub summary: String,
    /// Whether it is the one in view.
    pub is_shown: bool,
    /// Its week.
    pub map: Map,
}

/// A line of the table, with words for those that are seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its cell in the map.
    pub place: Place,
    words: OnceCell<Option<Words>>,
}

impl Line {
    /// That of a place.
    pub const fn at(place: Place) -> Self {
        Self { place, words: OnceCell::new() }
    }

    /// The words, made once, of what its model was made from.
    pub fn words(&self, source: &Source<'_>, map: &Map) -> Option<&Words> {
        self.words.get_or_init(|| super::cell::words(source, map, self.place)).as_ref()
    }
}

/// A line of the table in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Weekday, model or date.
    pub name: String,
    /// The hours; empty for a day.
    pub hours: String,
    /// Share, interval, weeks, samples.
    pub figures: [String; 4],
    /// All of it as a sentence.
    pub summary: String,
}

/// What the heatmap shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Nothing was answered yet.
    pub is_waiting: bool,
    /// Nothing was ever seen of any target.
    pub is_empty: bool,
    /// The name that the map is about.
    pub title: String,
    /// What it says.
    pub words: String,
    /// The map.
    pub map: Map,
    /// All targets small, under the week's map.
    pub smalls: Vec<Small>,
    /// The table's lines: cells with evidence.
    pub lines: Vec<Line>,
}

/// What maps are made of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The statistics.
    pub sheet: Option<&'a Sheet>,
    /// Names and their order.
    pub snapshot: &'a Snapshot,
    /// What is in view.
    pub state: &'a State,
    /// In whose hours.
    pub zone: &'a TimeZone,
    /// When.
    pub now: Timestamp,
    /// The words.
    pub tr: &'a Tr,
}

impl<'a> Source<'a> {
    /// The target in view.
    pub fn target(&self) -> Option<&'a TargetId> {
        shown(self.state, self.snapshot)
    }

    /// Its sheet.
    pub fn own(&self) -> Option<&'a TargetSheet> {
        self.sheet?.get(self.target()?)
    }

    /// The weekday in view.
    pub fn weekday(&self) -> u8 {
        self.state.weekday.unwrap_or_else(|| self.slot().weekday())
    }

    /// The present's slot.
    pub fn slot(&self) -> Slot {
        Slot::at(self.now, self.zone)
    }

    /// The Monday that the map of days begins with.
    pub fn first_monday(&self) -> Date {
        let today = self.zone.to_datetime(self.now).date();
        let this = monday(today);
        let first =
            self.own().and_then(|own| own.seen).map_or(this, |(first, _)| monday(self.zone.to_datetime(first).date()));
        let most = plus_days(this, -7 * (WEEKS as i64 - 1));
        first.clamp(most, this)
    }

    /// The day at a place of the map of days.
    pub fn date(&self, (row, column): Place) -> Date {
        plus_days(self.first_monday(), (column * 7 + row) as i64)
    }
}

fn monday(date: Date) -> Date {
    plus_days(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

/// A date so many days later.
pub fn plus_days(date: Date, days: i64) -> Date {
    date.saturating_add(SignedDuration::from_hours(days * 24))
}

/// What was seen on each local day.
pub fn days(own: &TargetSheet) -> BTreeMap<Date, Tally> {
    let mut days: BTreeMap<Date, Tally> = BTreeMap::new();
    for slot in Slot::all() {
        for week in own.slots.weeks(slot) {
            let day = days.entry(plus_days(week.monday, i64::from(slot.weekday()) - 1)).or_default();
            *day = sum(*day, week.seen);
        }
    }
    days
}

/// What was seen on one local day.
pub fn day(own: &TargetSheet, date: Date) -> Option<Tally> {
    let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
    let slots = (0..24).filter_map(|hour| Slot::new(weekday, hour));
    let seen = slots.filter_map(|slot| own.slots.weeks(slot).rev().find(|week| week.monday == monday(date)));
    seen.map(|week| week.seen).reduce(sum)
}

const fn sum(one: Tally, other: Tally) -> Tally {
    Tally {
        up_ms: one.up_ms + other.up_ms,
        full_ms: one.full_ms + other.full_ms,
        fault_ms: one.fault_ms + other.fault_ms,
        samples: one.samples.saturating_add(other.samples),
    }
}

/// How a day is drawn.
pub fn day_ink(seen: &Tally) -> Ink {
    match seen.share() {
        None => Ink::Empty,
        Some(share) if seen.seen_ms() < DAY_KNOWN_MS || seen.samples < KNOWN_SAMPLES => Ink::Thin(share as f32),
        Some(share) => Ink::Known(share as f32),
    }
}

impl Model {
    /// The model of what is in view.
    pub fn new(source: &Source<'_>) -> Self {
        let tr = source.tr;
        let Some(sheet) = source.sheet else { return Self { is_waiting: true, ..Self::default() } };
        let entries = &source.snapshot.board.entries;
        let is_seen = |id: &TargetId| sheet.get(id).is_some_and(|own| own.seen.is_some());
        if !entries.iter().any(|entry| is_seen(&entry.target.id)) {
            return Self { is_empty: true, ..Self::default() };
        }
        let name = |target: &TargetId| name_of(source.snapshot, target);
        let title = source.target().map(name).unwrap_or_default();
        let mut model = match source.state.view {
            View::Week => Self { map: week(source, source.own()), words: words(source), title, ..Self::default() },
            View::Hours => {
                let day = weekday(source.weekday(), tr);
                Self { map: hours(source), title: day, words: tr.text("sheet-heat-hours-words"), ..Self::default() }
            }
            View::Days => Self { map: calendar(source), words: words_of_days(source), title, ..Self::default() },
        };
        if source.state.view == View::Week && entries.len() > 1 {
            let small = |target: &TargetId| {
                let map = week(source, sheet.get(target));
                let name = name(target);
                let summary = match sheet.get(target).and_then(|own| Some((own, own.slots.total().share()?))) {
                    Some((own, share)) => tr.with(
                        "sheet-heat-small",
                        &args!(
                            "model" => name.as_str(),
                            "percent" => percent(share),
                            "samples" => format::count(u64::from(own.slots.total().samples)),
                        ),
                    ),
                    None => tr.with("sheet-heat-small-empty", &args!("model" => name.as_str())),
                };
                Small { target: target.clone(), name, summary, is_shown: Some(target) == source.target(), map }
            };
            model.smalls = entries.iter().map(|entry| small(&entry.target.id)).collect();
        }
        if source.state.is_table {
            model.lines = super::cell::lines(source, &model.map);
        }
        model
    }
}

/// The sentence beside a target's name.
fn words(source: &Source<'_>) -> String {
    let tr = source.tr;
    let name = |target: &TargetId| name_of(source.snapshot, target);
    let speaker = Speaker { now: source.now, zone: source.zone, tr, name: &name };
    let Some(own) = source.own() else { return tr.text("sheet-heat-unwatched") };
    match own.missing(source.now) {
        Some(crate::core::sheet::Missing::Weeks { .. }) | None => {}
        Some(missing) => return speaker.missing(&missing),
    }
    let busy = speaker.busy(own);
    if busy.is_empty() {
        return tr.text("sheet-heat-never-busy");
    }
    let times = busy.iter().take(2).cloned().collect::<Vec<_>>().join("; ");
    tr.with("sheet-heat-busy", &args!("times" => times))
}

fn words_of_days(source: &Source<'_>) -> String {
    let count = source.own().map_or(0, |own| days(own).len());
    source.tr.with("sheet-heat-days-words", &args!("n" => count as u32))
}

/// Names of every third hour.
fn hour_heads() -> Vec<(usize, String)> {
    (0..24).step_by(3).map(|hour| (hour, hour.to_string())).collect()
}

fn week(source: &Source<'_>, own: Option<&TargetSheet>) -> Map {
    let row = |day: u8| {
        let slots = (0..24).filter_map(|hour| Slot::new(day, hour));
        let cells: Vec<Ink> = slots.map(|slot| own.map_or(Ink::Empty, |own| ink(own, slot))).collect();
        let name = weekday(day, source.tr);
        Row { summary: summary(&name, &cells, source.tr), name, cells }
    };
    let slot = source.slot();
    let now = Some((usize::from(slot.weekday()) - 1, usize::from(slot.hour())));
    Map { rows: (1..=7).map(row).collect(), heads: hour_heads(), now }
}

fn ink(own: &TargetSheet, slot: Slot) -> Ink {
    let cell = own.slots.get(slot);
    Ink::of(cell.evidence, cell.share)
}

fn summary(name: &str, cells: &[Ink], tr: &Tr) -> String {
    let shares: Vec<f32> = cells
        .iter()
        .filter_map(|ink| match ink {
            Ink::Thin(share) | Ink::Known(share) => Some(*share),
            Ink::Blank | Ink::Empty => None,
        })
        .collect();
    if shares.is_empty() {
        return tr.with("sheet-heat-row-empty", &args!("name" => name));
    }
    let mean = shares.iter().sum::<f32>() / shares.len() as f32;
    let args = args!("name" => name, "percent" => percent(f64::from(mean)), "n" => shares.len() as u32, "all" => cells.len() as u32);
    tr.with("sheet-heat-row", &args)
}

fn hours(source: &Source<'_>) -> Map {
    let day = source.weekday();
    let row = |target: &TargetId| {
        let own = source.sheet.and_then(|sheet| sheet.get(target));
        let slots = (0..24).filter_map(|hour| Slot::new(day, hour));
        let cells: Vec<Ink> = slots.map(|slot| own.map_or(Ink::Empty, |own| ink(own, slot))).collect();
        let name = name_of(source.snapshot, target);
        Row { summary: summary(&name, &cells, source.tr), name, cells }
    };
    let slot = source.slot();
    // The row is that of the target in view, so that the map opens on it.
    let own = source.snapshot.board.entries.iter().position(|entry| Some(&entry.target.id) == source.target());
    let now = (slot.weekday() == day).then(|| (own.unwrap_or(0), usize::from(slot.hour())));
    let rows = source.snapshot.board.entries.iter().map(|entry| row(&entry.target.id)).collect();
    Map { rows, heads: hour_heads(), now }
}

fn calendar(source: &Source<'_>) -> Map {
    let Some(own) = source.own() else { return Map::default() };
    let seen = days(own);
    let first = source.first_monday();
    let today = source.zone.to_datetime(source.now).date();
    let columns = (1..=WEEKS).find(|weeks| plus_days(first, 7 * *weeks as i64) > today).unwrap_or(WEEKS);
    let begin = own.seen.map_or(today, |(first, _)| source.zone.to_datetime(first).date());
    let row = |day: usize| {
        let cells: Vec<Ink> = (0..columns)
            .map(|week| match plus_days(first, (week * 7 + day) as i64) {
                date if date > today || date < begin => Ink::Blank,
                date => seen.get(&date).map_or(Ink::Empty, day_ink),
            })
            .collect();
        let name = weekday(day as u8 + 1, source.tr);
        Row { summary: summary(&name, &cells, source.tr), name, cells }
    };
    let mut heads: Vec<(usize, String)> = Vec::new();
    for week in 0..columns {
        let monday = plus_days(first, 7 * week as i64);
        let is_new = week == 0 || plus_days(monday, -7).month() != monday.month();
        if is_new && heads.last().is_none_or(|(last, _)| week - last >= 3) {
            heads.push((week, source.tr.text(&format!("ui-month-{}", monday.month()))));
        }
    }
    let now = (usize::from(today.weekday().to_monday_zero_offset().unsigned_abs()), columns - 1);
    Map { rows: (0..7).map(row).collect(), heads, now: Some(now) }
}
