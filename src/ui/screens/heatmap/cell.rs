//! One cell of a map in words: share, interval, what it stands on, and the way down to its samples. Pure.

use std::ops::Range;

use jiff::civil::Date;

use super::calendar::{day, day_ink, hours_of};
use super::model::{Ink, Line, Map, Source, Words, plus_days};
use crate::args;
use crate::core::sheet::{Evidence, Slot, Tally, TargetSheet};
use crate::core::target::TargetId;
use crate::ui::format;
use crate::ui::screens::sheet::words::{percent, weekday};
use crate::ui::sheets::{Place, View};

/// A week, or the day, that a cell stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// Which day.
    pub label: String,
    /// The share seen then.
    pub share: String,
    /// Samples of it.
    pub samples: String,
    /// All of it as a sentence.
    pub summary: String,
    /// When, in milliseconds of Unix time.
    pub time: Range<i64>,
}

/// A cell in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Whose.
    pub target: TargetId,
    /// Its name.
    pub model: String,
    /// When: `Sun 14:00–15:00`.
    pub when: String,
    /// Whether it is the present.
    pub is_now: bool,
    /// The share in percent, or that it was not seen.
    pub share: String,
    /// Whether there is a share.
    pub is_seen: bool,
    /// The interval, or what the surroundings suggest.
    pub interval: String,
    /// The interval alone, for a column; empty without one.
    pub range: String,
    /// How much it stands on.
    pub stands_on: String,
    /// That it is thin, or empty.
    pub caveat: Option<String>,
    /// Of a day: its 24 hours as they were seen.
    pub hours: Vec<Ink>,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// What it stands on, newest first.
    pub stands: Vec<Stand>,
    /// All of it as a sentence, for who cannot see it.
    pub name: String,
}

/// The cell at a place of the map in view.
pub fn detail(source: &Source<'_>, map: &Map, place: Place) -> Option<Detail> {
    map.rows.get(place.0)?.cells.get(place.1)?;
    match source.state.view {
        View::Week => {
            let slot = Slot::new(u8::try_from(place.0 + 1).ok()?, u8::try_from(place.1).ok()?)?;
            of_slot(source, source.target()?, slot)
        }
        View::Hours => {
            let entry = source.snapshot.board.entries.get(place.0)?;
            of_slot(source, &entry.target.id, Slot::new(source.weekday(), u8::try_from(place.1).ok()?)?)
        }
        View::Days => of_day(source, source.date(place)),
    }
}

fn of_slot(source: &Source<'_>, target: &TargetId, slot: Slot) -> Option<Detail> {
    let tr = source.tr;
    let own = source.sheet.and_then(|sheet| sheet.get(target));
    let model = source.snapshot.board.name_of(target);
    let when = format!("{} {:02}:00–{:02}:00", weekday(slot.weekday(), tr), slot.hour(), slot.hour() + 1);
    let is_now = slot == source.slot();
    let Some((own, cell)) = own.filter(|own| own.seen.is_some()).map(|own| (own, own.slots.get(slot))) else {
        return Some(nothing(source, target, model, when, is_now));
    };
    let (low, high) = (percent(cell.low), percent(cell.high));
    let figures = args!(
        "low" => low,
        "high" => high,
        "percent" => percent(cell.share),
        "weeks" => cell.weeks,
        "samples" => format::count(u64::from(cell.seen.samples)),
        "model" => model.as_str(),
        "when" => when.as_str(),
    );
    let is_seen = cell.evidence != Evidence::Empty;
    let caveat = match cell.evidence {
        Evidence::Known => None,
        Evidence::Thin => Some(tr.text("sheet-heat-thin")),
        Evidence::Empty => Some(tr.text("sheet-heat-empty")),
    };
    let interval = if is_seen { "sheet-heat-interval" } else { "sheet-heat-suggested" };
    let name = if is_seen { "sheet-heat-cell" } else { "sheet-heat-cell-empty" };
    let stands = own.slots.weeks(slot).rev();
    let stands = stands.filter_map(|week| {
        let date = plus_days(week.monday, i64::from(slot.weekday()) - 1);
        Some(stand(source, date, hour(source, date, slot.hour())?, &week.seen))
    });
    Some(Detail {
        target: target.clone(),
        is_now,
        share: if is_seen { tr.with("sheet-percent", &figures) } else { tr.text("sheet-heat-not-seen") },
        is_seen,
        interval: tr.with(interval, &figures),
        range: tr.with("sheet-best-interval", &figures),
        stands_on: if is_seen { tr.with("sheet-heat-stands-on", &figures) } else { String::new() },
        caveat,
        hours: Vec::new(),
        facts: facts(source, own, slot, &cell.seen),
        stands: stands.collect(),
        name: tr.with(name, &figures),
        model,
        when,
    })
}

fn nothing(source: &Source<'_>, target: &TargetId, model: String, when: String, is_now: bool) -> Detail {
    let tr = source.tr;
    let name = tr.with("sheet-heat-cell-unwatched", &args!("model" => model.as_str(), "when" => when.as_str()));
    Detail {
        target: target.clone(),
        model,
        when,
        is_now,
        share: tr.text("sheet-heat-not-seen"),
        is_seen: false,
        interval: String::new(),
        range: String::new(),
        stands_on: String::new(),
        caveat: Some(tr.text("sheet-heat-unwatched")),
        hours: Vec::new(),
        facts: Vec::new(),
        stands: Vec::new(),
        name,
    }
}

/// An hour of a local day in milliseconds of Unix time; both of a repeated one.
fn hour(source: &Source<'_>, date: Date, hour: u8) -> Option<Range<i64>> {
    let zone = source.zone;
    let at = |hour: i8| zone.to_ambiguous_timestamp(date.at(hour, 0, 0, 0)).earlier().ok();
    let start = at(i8::try_from(hour).ok()?)?;
    let end = match hour {
        23 => zone.to_timestamp(date.tomorrow().ok()?.at(0, 0, 0, 0)).ok()?,
        _ => at(i8::try_from(hour + 1).ok()?)?,
    };
    (start < end).then(|| start.as_millisecond()..end.as_millisecond())
}

fn stand(source: &Source<'_>, date: Date, time: Range<i64>, seen: &Tally) -> Stand {
    let tr = source.tr;
    let label = format::date_of_years(date, source.today(), tr);
    let args = args!("percent" => parts(seen)[0], "n" => seen.samples, "samples" => format::count(u64::from(seen.samples)), "day" => label.as_str());
    Stand {
        share: tr.with("sheet-percent", &args),
        samples: tr.with("sheet-heat-samples", &args),
        summary: tr.with("sheet-heat-stand", &args),
        label,
        time,
    }
}

fn facts(source: &Source<'_>, own: &TargetSheet, slot: Slot, seen: &Tally) -> Vec<(String, String)> {
    let tr = source.tr;
    let mut facts = Vec::new();
    if let Some(latency) = own.latency.as_ref().and_then(|latency| latency.slot(slot)) {
        // A number and its unit stay on one line.
        let ms = |ms: f64| format::latency(ms.round() as u32, tr).replace(' ', "\u{a0}");
        let args = args!("median" => ms(latency.median_ms), "most" => ms(latency.p90_ms), "n" => format::count(latency.answers),
            "number" => latency.answers);
        facts.push((tr.text("sheet-heat-latency"), tr.with("sheet-heat-latency-value", &args)));
    }
    facts.extend(divided(source, "sheet-heat-watched-weeks", seen));
    facts
}

/// How the watched time divides, in whole percent that are a hundred together: free, full, faulty.
fn parts(seen: &Tally) -> [u32; 3] {
    let rest = seen.full_ms + seen.fault_ms;
    // What was seen at all is not rounded away.
    let free = match percent(seen.share().unwrap_or(0.0)) {
        100 if rest > 0 => 99,
        0 if seen.up_ms > 0 => 1,
        free => free,
    };
    let away = 100 - free;
    let full = percent(seen.full_ms as f64 / rest.max(1) as f64);
    let full = match (away * full + 50) / 100 {
        0 if seen.full_ms > 0 && away > 1 => 1,
        whole if whole == away && seen.fault_ms > 0 && away > 1 => away - 1,
        full => full,
    };
    [free, full, away - full]
}

/// How the watched time divides, where it does: `84 % free, 16 % full`.
fn divided(source: &Source<'_>, name: &str, seen: &Tally) -> Option<(String, String)> {
    let tr = source.tr;
    let ids = ["sheet-heat-part-free", "sheet-heat-part-full", "sheet-heat-part-fault"];
    let words = ids.into_iter().zip(parts(seen)).filter(|(_, percent)| *percent > 0);
    let words = words.map(|(id, percent)| tr.with(id, &args!("percent" => percent)));
    (seen.full_ms + seen.fault_ms > 0).then(|| (tr.text(name), format::list(words, tr)))
}

fn of_day(source: &Source<'_>, date: Date) -> Option<Detail> {
    let tr = source.tr;
    let (target, own) = (source.target()?, source.own()?);
    let model = source.snapshot.board.name_of(target);
    let start = source.zone.to_timestamp(date.at(0, 0, 0, 0)).ok()?;
    let end = source.zone.to_timestamp(date.tomorrow().ok()?.at(0, 0, 0, 0)).ok()?;
    let when = format::date_and_year(date, tr);
    let is_now = source.today() == date;
    let Some(seen) = day(own, date).filter(|seen| seen.seen_ms() > 0) else {
        let mut detail = nothing(source, target, model, when, is_now);
        detail.caveat = Some(tr.text("sheet-heat-day-empty"));
        return Some(detail);
    };
    let hours = format::span((seen.seen_ms() / 60_000) as i64, tr);
    let figures = args!(
        "percent" => parts(&seen)[0],
        "samples" => format::count(u64::from(seen.samples)),
        "hours" => hours,
        "model" => model.as_str(),
        "when" => when.as_str(),
    );
    let is_thin = matches!(day_ink(&seen), Ink::Thin(_));
    Some(Detail {
        target: target.clone(),
        is_now,
        share: tr.with("sheet-percent", &figures),
        is_seen: true,
        interval: String::new(),
        range: String::new(),
        stands_on: tr.with("sheet-heat-day-stands-on", &figures),
        caveat: is_thin.then(|| tr.text("sheet-heat-day-thin")),
        hours: hours_of(own, date).map(|seen| seen.map_or(Ink::Empty, |seen| hour_ink(&seen))).collect(),
        facts: divided(source, "sheet-heat-watched", &seen).into_iter().collect(),
        stands: vec![stand(source, date, start.as_millisecond()..end.as_millisecond(), &seen)],
        name: tr.with("sheet-heat-day-cell", &figures),
        model,
        when,
    })
}

/// How an hour of a day is drawn: as it was, however few samples that stands on.
fn hour_ink(seen: &Tally) -> Ink {
    seen.share().map_or(Ink::Empty, |share| Ink::Known(share as f32))
}

/// The cells with evidence, in the order of the map; days from the newest on.
pub fn lines(source: &Source<'_>, map: &Map) -> Vec<Line> {
    let rows = map.rows.iter().enumerate();
    let places = rows.flat_map(|(row, of)| of.cells.iter().enumerate().map(move |(column, ink)| ((row, column), ink)));
    let seen = places.filter(|(_, ink)| !matches!(ink, Ink::Blank | Ink::Empty));
    let mut places: Vec<Place> = seen.map(|(place, _)| place).collect();
    if source.state.view == View::Days {
        places.sort_by_key(|place| std::cmp::Reverse(source.date(*place)));
    }
    places.into_iter().map(Line::at).collect()
}

/// A line of the table in words.
pub fn words(source: &Source<'_>, map: &Map, place: Place) -> Option<Words> {
    let detail = detail(source, map, place)?;
    Some(Words {
        when: detail.when,
        model: detail.model,
        figures: [detail.share, detail.range, detail.stands_on, detail.caveat.unwrap_or_default()],
        summary: detail.name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_the_watched_time_are_a_hundred() {
        for (up_ms, full_ms, fault_ms, expected) in [
            (100, 0, 0, [100, 0, 0]),
            (0, 100, 0, [0, 100, 0]),
            (835, 165, 0, [84, 16, 0]),
            (845, 155, 0, [85, 15, 0]),
            (9_999, 1, 0, [99, 1, 0]),
            (1, 9_999, 0, [1, 99, 0]),
            (500, 499, 1, [50, 49, 1]),
            (500, 1, 499, [50, 1, 49]),
            (1, 1, 1, [33, 34, 33]),
            (0, 0, 7, [0, 0, 100]),
        ] {
            let found = parts(&Tally { up_ms, full_ms, fault_ms, samples: 9 });
            assert_eq!(found, expected, "{up_ms} {full_ms} {fault_ms}");
            assert_eq!(found.iter().sum::<u32>(), 100);
        }
    }
}
