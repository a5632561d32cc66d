//! Choosing moments: jitter, and distance from what else is due.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// How far a cycle varies to either side, as a share of the interval.
const CYCLE_JITTER: f64 = 0.2;
/// Moments tried for a place in the cycle.
const CANDIDATES: usize = 8;
/// Everybody's hourly jobs start at the full hour: that near to it (in seconds) we stay away.
const STAMPEDE: f64 = 30.0;

/// `at + by`, at most the last moment there is.
pub fn after(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// The time from `earlier` to `later`; zero if it is negative.
pub fn between(earlier: Timestamp, later: Timestamp) -> Duration {
    Duration::try_from(later.duration_since(earlier)).unwrap_or_default()
}

/// `at + by` for a shift in either direction, within what a timestamp can hold.
pub fn shift(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

/// `duration × factor`; a factor below zero or without a value gives zero, a huge product about 580 years.
pub fn scale(duration: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64((duration.as_secs_f64() * factor).clamp(0.0, 1.8e10)).unwrap_or_default()
}

/// Any length from `low` to `high`.
pub fn within(low: Duration, high: Duration, rng: &mut fastrand::Rng) -> Duration {
    low + scale(high.saturating_sub(low), rng.f64())
}

/// The next moment of a cycle: `interval` ± 20 % from `now`, away from the `others` and from the full hour.
///
/// After a start or a gap all targets were probed together; their first cycle (`is_first`) may be short, so that they
/// part at once and not over hours.
pub fn cycle(
    now: Timestamp,
    interval: Duration,
    is_first: bool,
    others: impl Iterator<Item = Timestamp>,
    rng: &mut fastrand::Rng,
) -> Timestamp {
    let shortest = if is_first { CYCLE_JITTER } else { 1.0 - CYCLE_JITTER };
    let (low, high) = (scale(interval, shortest), scale(interval, 1.0 + CYCLE_JITTER));
    let others: Vec<Timestamp> = others.filter(|other| *other > now && *other <= after(now, high + low)).collect();
    // Far enough is far enough: beyond that any moment is as good, or the average would drift from the interval.
    let places = f64::from(u32::try_from(others.len()).unwrap_or(u32::MAX)) + 1.0;
    let enough = interval.as_secs_f64() / places / 2.0;
    let mut best = (f64::NEG_INFINITY, after(now, low));
    for _ in 0..CANDIDATES {
        let moment = after(now, within(low, high, rng));
        let nearest =
            others.iter().map(|other| moment.duration_since(*other).as_secs_f64().abs()).fold(enough, f64::min);
        let score = if seconds_to_full_hour(moment) < STAMPEDE { -1.0 } else { nearest };
        if score > best.0 {
            best = (score, moment);
        }
    }
    best.1
}

/// The distance to the nearest full hour of UTC, in seconds.
fn seconds_to_full_hour(at: Timestamp) -> f64 {
    let past = at.as_millisecond().rem_euclid(3_600_000);
    let distance = i32::try_from(past.min(3_600_000 - past)).unwrap_or_default();
    f64::from(distance) / 1000.0
}
