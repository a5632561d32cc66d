//! The estimate of each slot's share.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Quarter;
use super::slots::{Cell, Evidence, QUARTERS, SLOTS, Slots, Tally, Week};
use super::zone::LocalClock;

/// Estimates all slots from quarter hours in any order.
pub(super) fn slots(quarters: &[Quarter], zone: &TimeZone, _now: Timestamp) -> Slots {
    let first = quarters.iter().map(|quarter| quarter.start_ms).min().unwrap_or(0);
    let last = quarters.iter().map(|quarter| quarter.start_ms).max().unwrap_or(0);
    let clock = LocalClock::new(zone, first..last + 1);
    let mut weeks: BTreeMap<i64, Box<[Tally]>> = BTreeMap::new();
    for Quarter { start_ms, seen } in quarters {
        let place = clock.place(*start_ms);
        let week = weeks.entry(place.week).or_insert_with(|| vec![Tally::default(); SLOTS].into_boxed_slice());
        week[place.quarter / 4].add(&Tally {
            up_ms: u64::from(seen.up_ms),
            full_ms: u64::from(seen.full_ms),
            fault_ms: u64::from(seen.fault_ms),
            samples: seen.counted,
        });
    }
    let mut cells = Vec::with_capacity(SLOTS);
    for slot in 0..SLOTS {
        let mut seen = Tally::default();
        weeks.values().for_each(|week| seen.add(&week[slot]));
        let count = weeks.values().filter(|week| week[slot].seen_ms() > 0).count() as u32;
        let share = (seen.up_ms as f64 + 1.0) / (seen.seen_ms() as f64 + 2.0);
        let evidence = Evidence::of(count, seen.samples);
        cells.push(Cell { share, low: share * 0.9, high: share.midpoint(1.0), weeks: count, seen, evidence });
    }
    Slots {
        quarters: (0..QUARTERS).map(|quarter| cells[quarter / 4].share as f32).collect(),
        cells: cells.into(),
        weeks: weeks.into_iter().map(|(number, slots)| Week { number, slots }).collect(),
    }
}
