//! The time axis in local time, the rows of the table, and the latency axis. Pure: the zone is an argument.

use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::i18n::Tr;
use crate::ui::format;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A mark of the time axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Where, in milliseconds of Unix time.
    pub at: i64,
    /// The words under it.
    pub label: String,
    /// A new day among hours, a new year among months.
    pub is_major: bool,
}

/// A width of the axis: minutes, days or months of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Minutes(i64),
    Days(i64),
    Months(i64),
}

impl Unit {
    /// From narrow to wide.
    const ALL: [Self; 20] = [
        Self::Minutes(1),
        Self::Minutes(2),
        Self::Minutes(5),
        Self::Minutes(10),
        Self::Minutes(15),
        Self::Minutes(30),
        Self::Minutes(60),
        Self::Minutes(120),
        Self::Minutes(180),
        Self::Minutes(360),
        Self::Minutes(720),
        Self::Days(1),
        Self::Days(2),
        Self::Days(7),
        Self::Days(14),
        Self::Months(1),
        Self::Months(2),
        Self::Months(3),
        Self::Months(6),
        Self::Months(12),
    ];

    const fn ms(self) -> i64 {
        match self {
            Self::Minutes(n) => n * MINUTE,
            Self::Days(n) => n * DAY,
            Self::Months(n) => n * 30 * DAY,
        }
    }

    /// The narrowest of which at most `most` fit.
    fn fitting(span: i64, most: u32, least: i64) -> Self {
        let wanted = (span / i64::from(most.max(1))).max(least);
        Self::ALL.into_iter().find(|unit| unit.ms() >= wanted).unwrap_or(Self::Months(12))
    }

    /// The last edge of this unit at or before a local time.
    fn floor(self, at: DateTime) -> DateTime {
        let midnight = |date: Date| date.at(0, 0, 0, 0);
        match self {
            Self::Minutes(n) => {
                let minutes = i64::from(at.hour()) * 60 + i64::from(at.minute());
                let floor = minutes.div_euclid(n) * n;
                let part = |value: i64| i8::try_from(value).unwrap_or(0);
                at.date().at(part(floor / 60), part(floor % 60), 0, 0)
            }
            Self::Days(1) => midnight(at.date()),
            Self::Days(n) => {
                // Weeks begin on Mondays; two days count from a Monday long ago, so that panning moves no mark.
                let origin = Date::constant(2001, 1, 1);
                let days = i64::from((at.date() - origin).get_days());
                midnight(at.date().saturating_sub(days.rem_euclid(n).days()))
            }
            Self::Months(n) => {
                let months = i64::from(at.year()) * 12 + i64::from(at.month()) - 1;
                let floor = months.div_euclid(n) * n;
                let year = i16::try_from(floor.div_euclid(12)).unwrap_or(1970);
                let month = i8::try_from(floor.rem_euclid(12) + 1).unwrap_or(1);
                Date::new(year, month, 1).map_or(midnight(at.date()), midnight)
            }
        }
    }

    fn next(self, at: DateTime) -> DateTime {
        match self {
            Self::Minutes(n) => at.saturating_add(n.minutes()),
            Self::Days(n) => at.saturating_add(n.days()),
            Self::Months(n) => at.saturating_add(n.months()),
        }
    }

    /// The edges over a range, from the one before it to the one after it, as local times and moments. An hour that the
    /// clock skips has no edge; of one that comes twice the first counts.
    fn edges(self, range: &Range<i64>, zone: &TimeZone) -> Vec<(DateTime, i64)> {
        let mut edges: Vec<(DateTime, i64)> = Vec::new();
        let mut local = self.floor(zone.to_datetime(moment(range.start)));
        // No view has this many marks: a bound for times at the calendar's ends, where adding stands still.
        for _ in 0..1000 {
            let Ok(at) = zone.to_timestamp(local) else { break };
            let at = at.as_millisecond();
            if edges.last().is_none_or(|(_, before)| *before < at) {
                edges.push((local, at));
            }
            if at >= range.end {
                break;
            }
            local = self.next(local);
        }
        edges
    }
}

fn moment(at_ms: i64) -> Timestamp {
    Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The marks of the time axis over a range, at most about `most`, in local time of `zone`.
pub fn ticks(range: &Range<i64>, zone: &TimeZone, most: u32, tr: &Tr) -> Vec<Tick> {
    let unit = Unit::fitting(range.end - range.start, most, MINUTE);
    let edges = unit.edges(range, zone).into_iter().filter(|(_, at)| range.contains(at));
    edges
        .map(|(local, at)| {
            let is_midnight = local.hour() == 0 && local.minute() == 0;
            let (label, is_major) = match unit {
                Unit::Minutes(_) if !is_midnight => (format::clock(moment(at), zone), false),
                Unit::Minutes(_) => (format::weekday_date(moment(at), zone, tr), true),
                Unit::Days(1) => (format::weekday_date(moment(at), zone, tr), false),
                Unit::Days(_) => (format::day_of_month(moment(at), zone, tr), false),
                Unit::Months(_) if local.month() == 1 => (local.year().to_string(), true),
                Unit::Months(_) => (tr.text(&format!("ui-month-{}", local.month())), false),
            };
            Tick { at, label, is_major }
        })
        .collect()
}

/// The edges of the table's rows over a range, at most about `most` rows: whole quarter hours, hours, days or months of
/// `zone`.
pub fn rows(range: &Range<i64>, zone: &TimeZone, most: u32) -> Vec<i64> {
    let unit = Unit::fitting(range.end - range.start, most, 15 * MINUTE);
    unit.edges(range, zone).into_iter().map(|(_, at)| at).collect()
}

/// The marks of the latency axis from 0 to `top` milliseconds: a few round numbers, and the axis' upper end.
pub fn latency_ticks(top: f64) -> (Vec<f64>, f64) {
    let mut step = 50.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if top / step <= 3.0 || step > 1e9 {
            break;
        }
        step *= factor;
    }
    let count = (top / step).ceil().max(1.0);
    ((0..=count as u32).map(|n| f64::from(n) * step).collect(), count * step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    fn range(from: &str, to: &str) -> Range<i64> {
        let ms = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        ms(from)..ms(to)
    }

    fn labels(from: &str, to: &str, zone: &str, most: u32) -> Vec<String> {
        let zone = TimeZone::get(zone).unwrap();
        ticks(&range(from, to), &zone, most, &Tr::new(Lang::English)).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn marks_are_round_in_local_time() {
        assert_eq!(
            labels("2026-11-28T13:27:00Z", "2026-11-29T13:27:00Z", "Europe/Berlin", 5),
            ["18:00", "Sun 29 Nov", "06:00", "12:00"]
        );
        assert_eq!(labels("2026-11-29T13:20:00Z", "2026-11-29T13:29:00Z", "Asia/Kathmandu", 3), ["19:05", "19:10"]);
        assert_eq!(
            labels("2025-11-29T00:00:00Z", "2026-11-29T00:00:00Z", "Europe/Berlin", 8),
            ["2026", "Mar", "May", "Jul", "Sep", "Nov"]
        );
        assert_eq!(labels("2026-11-22T12:00:00Z", "2026-11-29T12:00:00Z", "UTC", 4), ["24 Nov", "26 Nov", "28 Nov"]);
    }

    #[test]
    fn both_nights_of_the_clock_change_are_right() {
        // The night of 23 hours, and that of 25, in Berlin.
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (from, to, hours) in
            [("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23), ("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25)]
        {
            let range = range(from, to);
            assert_eq!(
                Unit::Days(1).edges(&range, &zone).iter().map(|(_, at)| *at).collect::<Vec<_>>(),
                [range.start, range.end]
            );
            assert_eq!(range.end - range.start, hours * HOUR);
            let edges = rows(&range, &zone, 48);
            assert!(edges.is_sorted_by(|a, b| a < b), "{edges:?}");
            assert_eq!((edges[0], edges[edges.len() - 1]), (range.start, range.end));
        }
    }

    #[test]
    fn every_view_has_some_marks_and_not_too_many() {
        let zone = TimeZone::get("Australia/Lord_Howe").unwrap();
        let tr = Tr::new(Lang::Chinese);
        let end = range("2026-11-29T13:27:00Z", "2026-11-29T13:27:00Z").start;
        let mut span = 5 * MINUTE;
        while span < 40 * 365 * DAY {
            let ticks = ticks(&(end - span..end), &zone, 9, &tr);
            assert!((1..=11).contains(&ticks.len()) || span > 12 * 365 * DAY, "{span}: {}", ticks.len());
            let rows = rows(&(end - span..end), &zone, 48);
            assert!(rows.len() >= 2 && (rows.len() <= 52 || span > 12 * 365 * DAY), "{span}: {}", rows.len());
            span = span * 7 / 5;
        }
    }

    #[test]
    fn the_latency_axis_is_round() {
        assert_eq!(latency_ticks(900.0), (vec![0.0, 500.0, 1000.0], 1000.0));
        assert_eq!(latency_ticks(60.0), (vec![0.0, 50.0, 100.0], 100.0));
        assert_eq!(latency_ticks(0.0).1, 50.0);
        let (ticks, top) = latency_ticks(61_000.0);
        assert!(ticks.len() <= 4 && top >= 61_000.0, "{ticks:?}");
    }
}
