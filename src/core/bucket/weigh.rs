//! The time-weighting rule: how long each sample speaks for its target.
//!
//! Probes come faster in an outage and passive evidence comes only while people work, so counting samples lies. The rule:
//!
//! - two consecutive counted samples at most [`REACH_MS`] apart each speak for their half of the time between them;
//! - before a longer gap, and at the end, a sample speaks for [`HOLD_MS`] after it, whatever it says;
//! - a skip ends what the sample before it speaks for, and nothing after a skip speaks for the time before it;
//! - samples that do not count are as if they were not there.

use std::ops::Range;

use super::{BUCKET_MS, Bucket, State, bucket_start};
use crate::core::outcome::Kind;

/// Two counted samples further apart than this leave a gap, in milliseconds.
pub const REACH_MS: i64 = 20 * 60 * 1000;

/// How long a sample speaks when no other follows within [`REACH_MS`], in milliseconds.
pub const HOLD_MS: i64 = 15 * 60 * 1000;

/// A sample as far as buckets are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Milliseconds of Unix time.
    pub at_ms: i64,
    /// Its kind.
    pub kind: Kind,
    /// Its kind and scope say something about the model's vacancy.
    pub is_counted: bool,
    /// Time to its first token.
    pub first_token_ms: Option<u32>,
}

impl Point {
    const fn state(&self) -> Option<State> {
        if self.is_counted { State::of(self.kind) } else { None }
    }
}

/// A stretch of time that one sample speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// From and to (exclusive), in milliseconds of Unix time; never empty.
    pub time: Range<i64>,
    /// What it says.
    pub state: State,
}

/// Puts points in the order in which they are weighed.
///
/// At the same millisecond the kind's number decides (a skip comes last), so that neither the source nor the order of
/// arrival matters.
fn sort(points: &mut [Point]) {
    let key = |point: &Point| (point.at_ms, point.kind.code());
    if !points.is_sorted_by_key(key) {
        points.sort_by_key(key);
    }
}

/// Calls `emit` with the spans of `points`, which are in weighing order; spans do not overlap and come in order.
fn each_span(points: &[Point], mut emit: impl FnMut(Span)) {
    let mut emit = |from: i64, to: i64, state: State| {
        if from < to {
            emit(Span { time: from..to, state });
        }
    };
    // The last counted sample: where its span begins, when it was taken, what it says; then the first and last skip since.
    let mut last: Option<(i64, i64, State)> = None;
    let mut skips: Option<(i64, i64)> = None;
    for point in points {
        if point.kind == Kind::Skipped {
            skips = Some((skips.map_or(point.at_ms, |(first, _)| first), point.at_ms));
            continue;
        }
        let Some(state) = point.state() else { continue };
        let mut from = point.at_ms;
        if let Some((begun, at, said)) = last {
            let gap = point.at_ms - at;
            let mut to = at + HOLD_MS;
            if gap <= REACH_MS {
                to = at + gap / 2;
                from = skips.map_or(to, |(_, skip)| skip.max(to));
            }
            emit(begun, skips.map_or(to, |(skip, _)| skip.min(to)), said);
        }
        last = Some((from, point.at_ms, state));
        skips = None;
    }
    if let Some((begun, at, said)) = last {
        let to = at + HOLD_MS;
        emit(begun, skips.map_or(to, |(skip, _)| skip.min(to)), said);
    }
}

/// What each of `points`, samples of one target in any order, speaks for.
pub fn spans(points: &mut [Point]) -> Vec<Span> {
    sort(points);
    let mut spans = Vec::new();
    each_span(points, |span| spans.push(span));
    spans
}

/// Adds to `buckets`, consecutive from the one that begins at `start`, what `points` contribute.
///
/// `points` are the samples of one target, in any order, from [`REACH_MS`] before the first bucket to [`REACH_MS`] after
/// the last; contributions to other buckets are left out.
pub fn fill(points: &mut [Point], start: i64, buckets: &mut [Bucket]) {
    sort(points);
    let end = start + BUCKET_MS * buckets.len() as i64;
    let slot = |at_ms: i64| ((at_ms - start) / BUCKET_MS) as usize;
    for point in points.iter().filter(|point| (start..end).contains(&point.at_ms)) {
        buckets[slot(point.at_ms)].count(point);
    }
    each_span(points, |span| {
        let (mut from, until) = (span.time.start.max(start), span.time.end.min(end));
        while from < until {
            let to = until.min(bucket_start(from) + BUCKET_MS);
            buckets[slot(from)].observe(span.state, (to - from).unsigned_abs());
            from = to;
        }
    });
}

/// The buckets that may differ once a sample at `at_ms` is stored, as a range of milliseconds bounded by bucket starts.
///
/// They reach from its predecessor to its successor, and never beyond [`REACH_MS`]: a neighbour further away than that
/// speaks for the same time with or without it.
pub const fn affected(at_ms: i64) -> Range<i64> {
    bucket_start(at_ms - REACH_MS)..bucket_start(at_ms + REACH_MS) + BUCKET_MS
}
