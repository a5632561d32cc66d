//! Outages: stretches of time in which a target was seen to be full or to fail, one after the other without a gap.

use std::ops::Range;

use super::Cell;
use crate::core::bucket::{BUCKET_MS, Point, State, spans};
use crate::core::outcome::Kind;

/// A stretch of time in which a target was not free.
///
/// It begins and ends as the samples around it speak for their halves of the time between (see
/// [`crate::core::bucket`]); where nobody looked, it ends, and is then only the part that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// From and to, in milliseconds of Unix time.
    pub time: Range<i64>,
    /// Milliseconds of it observed as full; the rest is fault.
    pub full_ms: i64,
    /// Samples that said so, by kind: full, server error, timeout.
    pub samples: [u32; 3],
    /// It was free just before.
    pub is_start_seen: bool,
    /// It was free just after.
    pub is_end_seen: bool,
    /// It lasts still.
    pub is_now: bool,
    /// Known from buckets alone, as its samples were pruned: to the quarter hour.
    pub is_rough: bool,
}

impl Outage {
    /// The kinds of [`Outage::samples`].
    pub const KINDS: [Kind; 3] = [Kind::AtCapacity, Kind::ServerError, Kind::Timeout];

    /// How long, in milliseconds; at least, unless both its ends were seen.
    pub const fn ms(&self) -> i64 {
        self.time.end - self.time.start
    }

    /// Whether it may have been longer than what was seen of it.
    pub const fn is_cut(&self) -> bool {
        !(self.is_start_seen && (self.is_end_seen || self.is_now))
    }

    /// Whether it was full for some of the time.
    pub const fn was_full(&self) -> bool {
        self.full_ms > 0
    }

    /// Whether it failed for some of the time.
    pub const fn was_fault(&self) -> bool {
        self.full_ms < self.ms()
    }
}

/// The outages that `points` (samples of one target, in any order) tell of, oldest first, as known at `now`.
pub fn outages(points: &mut [Point], now: i64) -> Vec<Outage> {
    let spans = spans(points);
    let mut found: Vec<Outage> = Vec::new();
    // The end of the last time seen as free.
    let mut free_until = i64::MIN;
    for span in spans {
        let touches = found.last().is_some_and(|last| last.time.end == span.time.start);
        if span.state == State::Up {
            if touches && let Some(last) = found.last_mut() {
                last.is_end_seen = true;
            }
            free_until = span.time.end;
            continue;
        }
        let full_ms = if span.state == State::Full { span.time.end - span.time.start } else { 0 };
        match found.last_mut() {
            Some(last) if touches && !last.is_end_seen => {
                last.time.end = span.time.end;
                last.full_ms += full_ms;
            }
            _ => found.push(Outage {
                is_start_seen: free_until == span.time.start,
                time: span.time,
                full_ms,
                samples: [0; 3],
                is_end_seen: false,
                is_now: false,
                is_rough: false,
            }),
        }
    }
    // Spans come in order of time, and so do the points once the spans are made.
    let mut at = 0;
    for point in points.iter().filter(|point| point.is_counted) {
        let Some(kind) = Outage::KINDS.iter().position(|kind| *kind == point.kind) else { continue };
        while found.get(at).is_some_and(|outage| outage.time.end <= point.at_ms) {
            at += 1;
        }
        if let Some(outage) = found.get_mut(at).filter(|outage| outage.time.contains(&point.at_ms)) {
            outage.samples[kind] += 1;
        }
    }
    found.retain(|outage| outage.time.start < now);
    if let Some(last) = found.last_mut().filter(|last| last.time.end >= now) {
        let over = last.time.end - now;
        last.time.end = now;
        last.full_ms = (last.full_ms - over).clamp(0, last.ms());
        last.is_now = !last.is_end_seen;
    }
    found
}

/// Where to look for outages: the runs of buckets with time that was not free, as ranges of milliseconds, oldest first.
///
/// `buckets` come in order, each with its start.
pub fn runs(buckets: impl IntoIterator<Item = (i64, Cell)>) -> Vec<(Range<i64>, Cell)> {
    let mut runs: Vec<(Range<i64>, Cell)> = Vec::new();
    for (start, cell) in buckets {
        if cell.full_ms == 0 && cell.fault_ms == 0 {
            continue;
        }
        let end = start + BUCKET_MS;
        match runs.last_mut() {
            Some((time, sum)) if time.end >= start => {
                time.end = end.max(time.end);
                *sum = sum.merge(cell);
            }
            _ => runs.push((start..end, cell)),
        }
    }
    runs
}
