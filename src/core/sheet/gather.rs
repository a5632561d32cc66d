//! From quarter hours to slots: regrouping by the local clock, the estimate, and the curve within the hour.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Quarter;
use super::estimate;
use super::looks::WeekSeen;
use super::slots::{Cell, Evidence, QUARTERS, SLOTS, Slot, Slots, Tally, Week};
use super::zone::LocalClock;

/// Milliseconds of an hour.
const HOUR_MS: f64 = 3_600_000.0;
/// After this many weeks what was seen of a quarter hour counts half; as for the shares.
const HALF_LIFE_WEEKS: f64 = 8.0;
/// Looks at a quarter hour, on all days of its class, that weigh as much as the neighbouring hours.
const POOLED_LOOKS: f64 = 6.0;
/// Looks at a quarter hour of one weekday that weigh as much as those of the class.
const OWN_LOOKS: f64 = 12.0;

/// Quarter hours in order, each once, without those that begin at `now` or later: what was not yet is no evidence.
pub(super) fn in_order(quarters: &[Quarter], now: Timestamp) -> Cow<'_, [Quarter]> {
    let now = now.as_millisecond();
    if quarters.is_sorted_by(|a, b| a.start_ms < b.start_ms) {
        return Cow::Borrowed(&quarters[..quarters.partition_point(|quarter| quarter.start_ms < now)]);
    }
    let mut sorted: Vec<_> = quarters.iter().filter(|quarter| quarter.start_ms < now).copied().collect();
    sorted.sort_by_key(|quarter| quarter.start_ms);
    sorted.dedup_by(|next, first| {
        let is_same = next.start_ms == first.start_ms;
        if is_same {
            first.seen.up_ms = first.seen.up_ms.saturating_add(next.seen.up_ms);
            first.seen.full_ms = first.seen.full_ms.saturating_add(next.seen.full_ms);
            first.seen.fault_ms = first.seen.fault_ms.saturating_add(next.seen.fault_ms);
            first.seen.counted = first.seen.counted.saturating_add(next.seen.counted);
        }
        is_same
    });
    Cow::Owned(sorted)
}

/// The local clock that covers quarter hours in order, and `now`.
pub(super) fn clock_of(quarters: &[Quarter], zone: &TimeZone, now: Timestamp) -> LocalClock {
    let now = now.as_millisecond();
    let first = quarters.first().map_or(now, |quarter| quarter.start_ms);
    LocalClock::new(zone, first..now.max(first) + 1)
}

/// All slots, from quarter hours in order of time.
pub(super) fn slots(quarters: &[Quarter], clock: &LocalClock, now: Timestamp) -> Slots {
    let local_now = clock.local_week(now.as_millisecond());
    let mut weeks: Vec<Week> = Vec::new();
    let mut curve = Curve::default();
    let mut decay = 0.0;
    let mut walk = clock.walk();
    for Quarter { start_ms, seen } in quarters {
        let place = walk.place(*start_ms);
        if weeks.last().is_none_or(|week| week.number != place.week) {
            decay = 0.5_f64.powf((local_now - place.week as f64).max(0.0) / HALF_LIFE_WEEKS);
            // A change of offset can lead back over Sunday midnight.
            match weeks.iter().rposition(|week| week.number <= place.week) {
                Some(at) if weeks[at].number == place.week => {
                    let week = weeks.remove(at);
                    weeks.push(week);
                }
                _ => weeks.push(Week { number: place.week, slots: vec![Tally::default(); SLOTS].into() }),
            }
        }
        let tally = Tally {
            up_ms: u64::from(seen.up_ms),
            full_ms: u64::from(seen.full_ms),
            fault_ms: u64::from(seen.fault_ms),
            samples: seen.counted,
        };
        if let Some(week) = weeks.last_mut() {
            week.slots[place.quarter / 4].add(&tally);
        }
        curve.add(place.quarter, &tally, decay);
    }
    weeks.sort_by_key(|week| week.number);
    weeks.retain(|week| week.slots.iter().any(|tally| tally.seen_ms() > 0 || tally.samples > 0));
    let seen: Vec<WeekSeen> = weeks.iter().map(|week| week_seen(week, local_now)).collect();
    let shares = estimate::shares(&seen);
    let cell = |(slot, share): (usize, &estimate::Share)| {
        let mut seen = Tally::default();
        let mut count = 0;
        for tally in weeks.iter().map(|week| &week.slots[slot]) {
            seen.add(tally);
            count += u32::from(tally.seen_ms() > 0);
        }
        let evidence = Evidence::of(count, seen.samples);
        Cell { share: share.share, low: share.low, high: share.high, weeks: count, seen, evidence }
    };
    let cells: Vec<Cell> = shares.iter().enumerate().map(cell).collect();
    Slots { quarters: curve.shares(&cells).into(), cells: cells.into(), weeks: weeks.into() }
}

fn week_seen(week: &Week, local_now: f64) -> WeekSeen {
    WeekSeen {
        age: local_now - week.number as f64 - 0.5,
        up: std::array::from_fn(|slot| (week.slots[slot].up_ms as f64 / HOUR_MS) as f32),
        seen: std::array::from_fn(|slot| (week.slots[slot].seen_ms() as f64 / HOUR_MS) as f32),
    }
}

/// Decayed milliseconds, free and seen, by local quarter hour of the week.
struct Curve([(f64, f64); QUARTERS]);

impl Default for Curve {
    fn default() -> Self {
        Self([(0.0, 0.0); QUARTERS])
    }
}

impl Curve {
    fn add(&mut self, quarter: usize, tally: &Tally, decay: f64) {
        self.0[quarter].0 += tally.up_ms as f64 * decay;
        self.0[quarter].1 += tally.seen_ms() as f64 * decay;
    }

    /// The share of every quarter hour: that of its slot, plus how it differs from it. Without evidence that is a straight line
    /// between the middles of neighbouring hours; what was seen takes its place, first that of all days of its class, then its
    /// own. The mean over the four is the slot's share but for what is cut at 0 and 1.
    fn shares(&self, cells: &[Cell]) -> Vec<f32> {
        let pooled = self.pooled();
        let mut shares = Vec::with_capacity(QUARTERS);
        for slot in Slot::all() {
            let index = slot.index();
            let share = cells[index].share;
            let before = cells[(index + SLOTS - 1) % SLOTS].share - share;
            let after = cells[slot.next().index()].share - share;
            let line = [before * 3.0 / 8.0, before / 8.0, after / 8.0, after * 3.0 / 8.0];
            let class = &pooled[usize::from(slot.weekday() > 5) * 24 + usize::from(slot.hour())];
            let own = differences(&self.0[index * 4..index * 4 + 4]);
            let mut differs: [f64; 4] = std::array::from_fn(|quarter| {
                let (pool, pool_looks) = class[quarter];
                let (own, own_looks) = own[quarter];
                let toward = |from: f64, to: f64, looks: f64, half: f64| from + (to - from) * looks / (looks + half);
                toward(toward(line[quarter], pool, pool_looks, POOLED_LOOKS), own, own_looks, OWN_LOOKS)
            });
            let mean = differs.iter().sum::<f64>() / 4.0;
            differs.iter_mut().for_each(|differs| *differs -= mean);
            shares.extend(differs.map(|differs| (share + differs).clamp(0.0, 1.0) as f32));
        }
        shares
    }

    /// By class (weekday, weekend) and hour: how each quarter differs from its hour, and the looks it stands on.
    fn pooled(&self) -> Vec<[(f64, f64); 4]> {
        let mut sums = vec![[(0.0, 0.0); 4]; 48];
        for (quarter, (up, seen)) in self.0.iter().enumerate() {
            let slot = Slot::from_index(quarter / 4);
            let sum = &mut sums[usize::from(slot.weekday() > 5) * 24 + usize::from(slot.hour())][quarter % 4];
            sum.0 += up;
            sum.1 += seen;
        }
        sums.iter().map(|quarters| differences(quarters)).collect()
    }
}

/// How each of four quarters differs from their common share, with its looks (quarter hours seen).
fn differences(quarters: &[(f64, f64)]) -> [(f64, f64); 4] {
    let (up, seen) = quarters.iter().fold((0.0, 0.0), |sum, quarter| (sum.0 + quarter.0, sum.1 + quarter.1));
    std::array::from_fn(|quarter| match quarters[quarter] {
        (own, own_seen) if own_seen > 0.0 => (own / own_seen - up / seen, own_seen / (HOUR_MS / 4.0)),
        _ => (0.0, 0.0),
    })
}
