//! The days of the record: what was seen on each, as a map, by month, and of every target side by side. Pure.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::model::{Ink, Map, Row, Small, Source, WEEKS, plus_days, summary};
use crate::args;
use crate::core::sheet::{KNOWN_SAMPLES, Slot, Tally, TargetSheet};
use crate::ui::format;
use crate::ui::screens::sheet::words::{percent, weekday};
use crate::ui::sheets::Act;

/// A day with less time seen is thin, in milliseconds.
const DAY_KNOWN_MS: u64 = 3 * 3_600_000;

/// Days that the rows of all targets have at least.
const STRIP_DAYS: i64 = 28;

/// A month of the map of days.
#[derive(Clone, Debug, PartialEq)]
pub struct Month {
    /// Its first day.
    pub first: Date,
    /// Its name, with the year where that is not this one.
    pub name: String,
    /// The month in words, for who cannot see it.
    pub summary: String,
}

/// The Monday of a date's week.
pub fn monday(date: Date) -> Date {
    plus_days(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

/// The days of a month that begins with this one.
pub fn days_of(first: Date) -> impl Iterator<Item = Date> {
    (0..i64::from(first.days_in_month())).map(move |day| plus_days(first, day))
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

/// What was seen in each hour of a local day.
pub fn hours_of(own: &TargetSheet, date: Date) -> impl Iterator<Item = Option<Tally>> {
    let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
    (0..24).map(move |hour| {
        let mut weeks = own.slots.weeks(Slot::new(weekday, hour)?).rev();
        weeks.find(|week| week.monday == monday(date)).map(|week| week.seen)
    })
}

/// What was seen on one local day.
pub fn day(own: &TargetSheet, date: Date) -> Option<Tally> {
    hours_of(own, date).flatten().reduce(sum)
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

/// The days of the target in view: a row a weekday, a column a week.
pub fn map(source: &Source<'_>) -> Map {
    let Some(own) = source.own() else { return Map::default() };
    let seen = days(own);
    let first = source.first_monday();
    let today = source.today();
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
    Map { rows: (0..7).map(row).collect(), heads: Vec::new(), now: source.place(today) }
}

/// The months of the map of days.
pub fn months(source: &Source<'_>, map: &Map) -> Vec<Month> {
    let today = source.today();
    let begin = source.own().and_then(|own| own.seen).map(|(first, _)| source.zone.to_datetime(first).date());
    let begin = begin.map_or(today, |begin| begin.max(source.first_monday()));
    let mut months = Vec::new();
    let mut first = begin.first_of_month();
    while first <= today {
        let year = if first.year() == today.year() { String::new() } else { format!(" {}", first.year()) };
        let name = format!("{}{year}", source.tr.text(&format!("ui-month-{}", first.month())));
        let cells: Vec<Ink> = days_of(first).filter_map(|date| map.ink(source.place(date)?)).collect();
        let cells: Vec<Ink> = cells.into_iter().filter(|ink| *ink != Ink::Blank).collect();
        months.push(Month { first, summary: summary(&name, &cells, source.tr), name });
        first = plus_days(first, i64::from(first.days_in_month()));
    }
    months
}

/// Every target's days in one row each, from the first day that one of them was seen; none for a single target.
pub fn strips(source: &Source<'_>) -> (Option<Date>, Vec<Small>) {
    let entries = &source.snapshot.board.entries;
    let today = source.today();
    let seen = entries.iter().filter_map(|entry| source.sheet?.get(&entry.target.id)?.seen);
    let first = seen.map(|(first, _)| source.zone.to_datetime(first).date()).min();
    let Some(first) = first.filter(|_| entries.len() > 1) else { return (None, Vec::new()) };
    // A few days are not drawn as wide as weeks.
    let first = first.clamp(plus_days(today, 1 - 7 * WEEKS as i64), plus_days(today, 1 - STRIP_DAYS));
    let count = usize::try_from((today - first).get_days()).unwrap_or(0) + 1;
    let strips = entries.iter().map(|entry| {
        let target = &entry.target.id;
        let own = source.sheet.and_then(|sheet| sheet.get(target));
        let seen = own.map(days).unwrap_or_default();
        let begin = own.and_then(|own| own.seen).map(|(first, _)| source.zone.to_datetime(first).date());
        let ink = |date: Date| match begin {
            Some(begin) if date >= begin => seen.get(&date).map_or(Ink::Empty, day_ink),
            _ => Ink::Blank,
        };
        let cells: Vec<Ink> = (0..count).map(|day| ink(plus_days(first, day as i64))).collect();
        let name = source.snapshot.board.name_of(target);
        let summary = source.summary_of(target, own);
        let rows = vec![Row { name: name.clone(), summary: summary.clone(), cells }];
        let is_shown = Some(target) == source.target();
        let map = Map { rows, ..Map::default() };
        Small { act: Act::Target(target.clone()), name, summary, is_shown, map }
    });
    (Some(first), strips.collect())
}

/// The sentence beside a target's name: its share over all days, and the worst of them.
pub fn words(source: &Source<'_>) -> String {
    let tr = source.tr;
    let seen = source.own().map(days).unwrap_or_default();
    let total = seen.values().copied().reduce(sum).and_then(|total| total.share());
    let (Some(total), Some((first, _))) = (total, seen.first_key_value()) else {
        return tr.text("sheet-heat-unwatched");
    };
    let date = |date: Date| format::date_of_years(date, source.today(), tr);
    let known = seen.iter().filter_map(|(date, seen)| match day_ink(seen) {
        Ink::Known(share) => Some((*date, share)),
        _ => None,
    });
    let worst = known.min_by(|one, other| one.1.total_cmp(&other.1)).filter(|(_, share)| *share < 0.995);
    let since = date(*first);
    match worst.filter(|_| seen.len() > 2) {
        Some((day, share)) => tr.with(
            "sheet-heat-days-worst",
            &args!("percent" => percent(total), "since" => since, "day" => date(day), "worst" => percent(f64::from(share))),
        ),
        None => tr.with("sheet-heat-days-words", &args!("percent" => percent(total), "since" => since)),
    }
}
