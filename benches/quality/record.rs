//! What the product would have stored, and what plain methods make of it.

use jiff::tz::TimeZone;
use vacancy::core::bucket::{BUCKET_MS, Bucket, Observed, Point, fill};
use vacancy::core::outcome::Kind;
use vacancy::core::sheet::{self, Cell, Slot, TargetSheet};
use vacancy::core::target::TargetId;

use super::world::{MINUTE_MS, SLOTS, WEEK_MINS, WEEKS, moment, slot};

/// The slot of every bucket of a record's time, oldest first.
pub fn slots(start_ms: i64, zone: &TimeZone) -> Vec<usize> {
    let buckets = WEEKS * WEEK_MINS * MINUTE_MS / BUCKET_MS;
    (0..buckets).map(|index| slot(start_ms + index * BUCKET_MS, zone)).collect()
}

/// A quarter hour with evidence.
#[derive(Clone, Copy, Debug)]
pub struct Quarter {
    pub start_ms: i64,
    pub slot: usize,
    pub observed: Observed,
    /// Samples that found it free.
    pub passed: u32,
}

/// The buckets of samples, made as the product makes them, without empty ones.
pub fn quarters(points: &mut [Point], start_ms: i64, slots: &[usize]) -> Vec<Quarter> {
    let mut buckets = vec![Bucket::default(); slots.len()];
    fill(points, start_ms, &mut buckets);
    let quarter = |(index, bucket): (usize, &Bucket)| Quarter {
        start_ms: start_ms + index as i64 * BUCKET_MS,
        slot: slots[index],
        observed: Observed {
            up_ms: bucket.up_ms as u32,
            full_ms: bucket.full_ms as u32,
            fault_ms: bucket.fault_ms as u32,
            counted: bucket.counts.counted(),
        },
        passed: bucket.counts.of(Kind::Available),
    };
    buckets.iter().enumerate().filter(|(_, bucket)| !bucket.is_empty()).map(quarter).collect()
}

/// The plain methods; each gives its mean over the whole record where it has nothing.
pub const BASELINES: [(&str, fn(&[Quarter]) -> [f64; SLOTS]); 3] =
    [("k/n", success_counts), ("hour of day", hours_of_day), ("raw time", raw_time)];

/// Successes among the samples of a slot.
fn success_counts(quarters: &[Quarter]) -> [f64; SLOTS] {
    shares(quarters, |slot| slot, |quarter| (f64::from(quarter.passed), f64::from(quarter.observed.counted)))
}

/// Time free among the observed time of an hour of the day.
fn hours_of_day(quarters: &[Quarter]) -> [f64; SLOTS] {
    shares(quarters, |slot| slot % 24, time)
}

/// Time free among the observed time of a slot.
fn raw_time(quarters: &[Quarter]) -> [f64; SLOTS] {
    shares(quarters, |slot| slot, time)
}

fn time(quarter: &Quarter) -> (f64, f64) {
    let Observed { up_ms, full_ms, fault_ms, .. } = quarter.observed;
    (f64::from(up_ms), f64::from(up_ms) + f64::from(full_ms) + f64::from(fault_ms))
}

fn shares(quarters: &[Quarter], class: fn(usize) -> usize, part: fn(&Quarter) -> (f64, f64)) -> [f64; SLOTS] {
    let mut sums = [(0.0, 0.0); SLOTS];
    let mut all = (0.0, 0.0);
    for quarter in quarters {
        let (free, whole) = part(quarter);
        for sum in [&mut sums[class(quarter.slot)], &mut all] {
            *sum = (sum.0 + free, sum.1 + whole);
        }
    }
    let mean = if all.1 > 0.0 { all.0 / all.1 } else { 0.5 };
    std::array::from_fn(|slot| {
        let (free, whole) = sums[class(slot)];
        if whole > 0.0 { free / whole } else { mean }
    })
}

/// Our own estimate.
pub fn ours(quarters: &[Quarter], zone: &TimeZone, now_ms: i64) -> [Cell; SLOTS] {
    let quarters: Vec<_> =
        quarters.iter().map(|quarter| sheet::Quarter { start_ms: quarter.start_ms, seen: quarter.observed }).collect();
    let sheet = TargetSheet::new(TargetId::new("planted"), &quarters, zone, moment(now_ms));
    std::array::from_fn(|slot| *sheet.slots.get(Slot::from_index(slot)))
}
