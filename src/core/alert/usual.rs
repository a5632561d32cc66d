//! How long free times that begin at an hour of the day usually last.
//!
//! A free time is an unbroken stretch seen as free that began in sight, after one seen as full or failing. A gap or the
//! present cuts it off: then it lasted *at least* so long, which the product-limit estimate of
//! [`Outages`] takes into account. Hours beside the one in question count with it.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::Usually;
use crate::core::bucket::{Point, Span, State, spans};
use crate::core::sheet::{Outages, median};

/// Free times below which nothing is said of an hour.
const FEWEST: usize = 5;

/// What is usual at each hour of the local day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usual {
    hours: [Option<Usually>; 24],
}

impl Usual {
    /// How much of the record is looked at.
    pub const WINDOW: SignedDuration = SignedDuration::from_hours(24 * 56);

    /// The same for every hour.
    pub const fn always(usually: Usually) -> Self {
        Self { hours: [Some(usually); 24] }
    }

    /// From samples of one target, in any order.
    pub fn of_points(points: &mut [Point], zone: &TimeZone) -> Self {
        // To be free is the opposite of an outage, and is found in the same way.
        let turned: Vec<Span> = spans(points)
            .into_iter()
            .map(|span| {
                let state = if span.state == State::Up { State::Full } else { State::Up };
                Span { state, ..span }
            })
            .collect();
        let free = Outages::of_spans(&turned, zone);
        let mut by_hour: [Vec<(SignedDuration, bool)>; 24] = std::array::from_fn(|_| Vec::new());
        for spell in free.all().iter().filter(|spell| spell.is_begun) {
            let hour = usize::try_from(zone.to_datetime(spell.start).hour()).unwrap_or_default();
            by_hour[hour % 24].push((spell.length, spell.is_ended));
        }
        let hours = std::array::from_fn(|hour| {
            let near = [(hour + 23) % 24, hour, (hour + 1) % 24];
            let spells: Vec<_> = near.iter().flat_map(|hour| &by_hour[*hour]).copied().collect();
            if spells.len() < FEWEST {
                return None;
            }
            let count = u32::try_from(spells.len()).unwrap_or(u32::MAX);
            Some(Usually { median: Duration::try_from(median(spells)?).ok()?, spells: count })
        });
        Self { hours }
    }

    /// What is usual for a free time that begins at `now`.
    pub fn at(&self, now: Timestamp, zone: &TimeZone) -> Option<Usually> {
        let hour = usize::try_from(zone.to_datetime(now).hour()).unwrap_or_default();
        self.hours.get(hour).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::outcome::Kind;

    /// Weeks of samples every ten minutes: full from 09:00 to 10:00 local, free for `free` hours, then full until midnight.
    fn record(zone: &TimeZone, days: i64, free: i64) -> Vec<Point> {
        let mut points = Vec::new();
        for day in 0..days {
            let date = jiff::civil::date(2026, 3, 1).checked_add(jiff::Span::new().days(day)).unwrap();
            for tens in 54..144 {
                let at = zone.to_timestamp(date.at((tens / 6) as i8, (tens % 6 * 10) as i8, 0, 0)).unwrap();
                let is_free = (60..60 + free * 6).contains(&tens);
                let kind = if is_free { Kind::Available } else { Kind::AtCapacity };
                let at_ms = at.as_millisecond();
                points.push(Point { at_ms, kind, is_counted: true, first_token_ms: None });
            }
        }
        points
    }

    #[test]
    fn it_is_the_median_of_free_times_that_begin_at_that_hour_on_the_wall() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // Over the change to summer time.
        let usual = Usual::of_points(&mut record(&zone, 40, 2), &zone);
        let at = |text: &str| usual.at(text.parse().unwrap(), &zone);
        let known = at("2026-04-09T08:02:00Z").unwrap();
        assert_eq!((known.median.as_secs() / 60, known.spells), (120, 40));
        assert_eq!(at("2026-04-09T13:00:00Z"), None, "nothing begins at that hour");
    }

    #[test]
    fn too_little_evidence_says_nothing() {
        let zone = TimeZone::UTC;
        let noon: Timestamp = "2026-04-09T10:00:00Z".parse().unwrap();
        assert!(Usual::of_points(&mut record(&zone, 4, 2), &zone).at(noon, &zone).is_none(), "four times");
        assert!(Usual::of_points(&mut record(&zone, 30, 14), &zone).at(noon, &zone).is_none(), "never seen to end");
        assert!(Usual::of_points(&mut [], &zone).at(noon, &zone).is_none());
    }
}
