//! The maps of the heatmap, made from the statistics. Pure.

use std::cell::OnceCell;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::calendar::{self, Month, monday};
use crate::args;
use crate::core::board::Entry;
use crate::core::sheet::{Evidence, Sheet, Slot, TargetSheet};
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::screens::sheet::words::{Speaker, percent, unasked, weekday};
use crate::ui::sheets::{Act, Place, State, View, shown};

/// Weeks that the map of days has at most.
pub const WEEKS: usize = 53;

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

    /// The cell at a place.
    pub fn ink(&self, (row, column): Place) -> Option<Ink> {
        self.rows.get(row)?.cells.get(column).copied()
    }

    /// The place nearest to one.
    pub fn within(&self, (row, column): Place) -> Option<Place> {
        let rows = self.rows.len().checked_sub(1)?;
        let columns = self.columns().checked_sub(1)?;
        Some((row.min(rows), column.min(columns)))
    }
}

/// A small map beside the large one, which a click puts into its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    /// What a click does.
    pub act: Act,
    /// Its name.
    pub name: String,
    /// All of it in words.
    pub summary: String,
    /// Whether it is the one in view.
    pub is_shown: bool,
    /// Its cells.
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
    /// Weekday and hours, or the date.
    pub when: String,
    /// Of which model.
    pub model: String,
    /// Share, interval, what they stand on, a caveat.
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
    /// Small maps under the large one: the weeks of all targets, or all weekdays.
    pub smalls: Vec<Small>,
    /// The months of the map of days.
    pub months: Vec<Month>,
    /// The days of all targets, one row each.
    pub strips: Vec<Small>,
    /// The day that the strips begin with.
    pub strips_from: Option<Date>,
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

    /// Its place on the board.
    fn entry(&self) -> Option<&'a Entry> {
        self.snapshot.board.entry(self.target()?)
    }

    /// What is said where nothing was ever seen of any target: when a pattern comes, or what brings one.
    pub fn nothing(&self) -> String {
        let entries = &self.snapshot.board.entries;
        let is_asked = entries.iter().any(|entry| unasked(entry, self.tr).is_none());
        let own = self.entry().filter(|_| !is_asked).and_then(|entry| unasked(entry, self.tr));
        own.unwrap_or_else(|| self.tr.text("sheet-empty-words"))
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
        let this = monday(self.today());
        let first =
            self.own().and_then(|own| own.seen).map_or(this, |(first, _)| monday(self.zone.to_datetime(first).date()));
        let most = plus_days(this, -7 * (WEEKS as i64 - 1));
        first.clamp(most, this)
    }

    /// The local day of now.
    pub fn today(&self) -> Date {
        self.zone.to_datetime(self.now).date()
    }

    /// The place of a day in the map of days; `None` before it begins.
    pub fn place(&self, date: Date) -> Option<Place> {
        place_from(self.first_monday(), date)
    }

    /// A target with its share and samples in a sentence.
    pub fn summary_of(&self, target: &TargetId, own: Option<&TargetSheet>) -> String {
        let name = self.snapshot.board.name_of(target);
        match own.and_then(|own| Some((own, own.slots.total().share()?))) {
            Some((own, share)) => self.tr.with(
                "sheet-heat-small",
                &args!(
                    "model" => name,
                    "percent" => percent(share),
                    "samples" => format::count(u64::from(own.slots.total().samples)),
                ),
            ),
            None => self.tr.with("sheet-heat-small-empty", &args!("model" => name)),
        }
    }

    /// The day at a place of the map of days.
    pub fn date(&self, (row, column): Place) -> Date {
        plus_days(self.first_monday(), (column * 7 + row) as i64)
    }
}

/// The place of a day in a map of days that begins with this Monday; `None` before it.
pub fn place_from(monday: Date, date: Date) -> Option<Place> {
    let days = usize::try_from((date - monday).get_days()).ok()?;
    Some((days % 7, days / 7))
}

/// A date so many days later.
pub fn plus_days(date: Date, days: i64) -> Date {
    date.saturating_add(SignedDuration::from_hours(days * 24))
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
        let name = |target: &TargetId| source.snapshot.board.name_of(target);
        let title = source.target().map(name).unwrap_or_default();
        let mut model = match source.state.view {
            View::Week => Self { map: week(source, source.own()), words: words(source), title, ..Self::default() },
            View::Hours => {
                let title = tr.text(&format!("sheet-heat-day-{}", source.weekday()));
                let words = tr.text("sheet-heat-hours-words");
                Self { map: hours(source, source.weekday()), title, words, ..Self::default() }
            }
            View::Days => {
                let map = calendar::map(source);
                let months = calendar::months(source, &map);
                let (strips_from, strips) = calendar::strips(source);
                Self { map, months, strips, strips_from, words: calendar::words(source), title, ..Self::default() }
            }
        };
        model.smalls = match source.state.view {
            View::Week if entries.len() > 1 => weeks(source),
            View::Hours => weekdays(source),
            View::Week | View::Days => Vec::new(),
        };
        if source.state.is_table {
            model.lines = super::cell::lines(source, &model.map);
        }
        model
    }
}

/// The sentence beside a target's name.
fn words(source: &Source<'_>) -> String {
    let tr = source.tr;
    let name = |target: &TargetId| source.snapshot.board.name_of(target);
    let speaker = Speaker { now: source.now, zone: source.zone, tr, name: &name };
    let own = source.own();
    if own.is_none_or(|own| own.seen.is_none())
        && let Some(words) = source.entry().and_then(|entry| unasked(entry, tr))
    {
        return words;
    }
    let Some(own) = own else { return tr.text("sheet-heat-unwatched") };
    match own.missing(source.now) {
        Some(crate::core::sheet::Missing::Weeks { .. }) | None => {}
        Some(missing) => return speaker.missing(&missing),
    }
    let busy = speaker.busy(own);
    if busy.is_empty() {
        return tr.text("sheet-heat-never-busy");
    }
    let times = format::clauses(busy.iter().take(2), tr);
    tr.with("sheet-heat-busy", &args!("times" => times))
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

/// A row of cells in a sentence: its mean share, and how many were seen.
pub fn summary(name: &str, cells: &[Ink], tr: &Tr) -> String {
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

/// The weeks of all targets.
fn weeks(source: &Source<'_>) -> Vec<Small> {
    let small = |target: &TargetId| {
        let own = source.sheet.and_then(|sheet| sheet.get(target));
        Small {
            act: Act::Target(target.clone()),
            name: source.snapshot.board.name_of(target),
            summary: source.summary_of(target, own),
            is_shown: Some(target) == source.target(),
            map: week(source, own),
        }
    };
    source.snapshot.board.entries.iter().map(|entry| small(&entry.target.id)).collect()
}

/// All weekdays, with the hours of all targets.
fn weekdays(source: &Source<'_>) -> Vec<Small> {
    let small = |day: u8| {
        let map = hours(source, day);
        let name = weekday(day, source.tr);
        let cells: Vec<Ink> = map.rows.iter().flat_map(|row| row.cells.iter().copied()).collect();
        let summary = summary(&source.tr.text(&format!("sheet-heat-day-{day}")), &cells, source.tr);
        Small { act: Act::Weekday(day), name, summary, is_shown: day == source.weekday(), map }
    };
    (1..=7).map(small).collect()
}

fn hours(source: &Source<'_>, day: u8) -> Map {
    let row = |target: &TargetId| {
        let own = source.sheet.and_then(|sheet| sheet.get(target));
        let slots = (0..24).filter_map(|hour| Slot::new(day, hour));
        let cells: Vec<Ink> = slots.map(|slot| own.map_or(Ink::Empty, |own| ink(own, slot))).collect();
        let name = source.snapshot.board.name_of(target);
        Row { summary: summary(&name, &cells, source.tr), name, cells }
    };
    let slot = source.slot();
    // The row is that of the target in view, so that the map opens on it.
    let own = source.snapshot.board.entries.iter().position(|entry| Some(&entry.target.id) == source.target());
    let now = (slot.weekday() == day).then(|| (own.unwrap_or(0), usize::from(slot.hour())));
    let rows = source.snapshot.board.entries.iter().map(|entry| row(&entry.target.id)).collect();
    Map { rows, heads: hour_heads(), now }
}
