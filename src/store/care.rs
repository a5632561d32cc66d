//! Daily care: old samples go, a backup is made.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::DEFAULT_RETENTION_DAYS;

/// Under this name the record remembers when it was last cared for.
pub(super) const CARED_AT: &str = "cared_at";

/// How often old samples go and a backup is made.
const EVERY: SignedDuration = SignedDuration::from_hours(24);

/// How far a day's care may lie after the one before.
const LEAP: SignedDuration = SignedDuration::from_hours(48);

/// How often the store looks whether it is time: a machine that sleeps often must not put it off for ever.
const LOOK: Duration = Duration::from_hours(1);

/// What a store does by itself once a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Care {
    /// Samples older than this go; their buckets stay.
    pub keep_days: u32,
    /// How long after the start it looks first, so as not to slow the start down.
    pub first_after: Duration,
}

impl Default for Care {
    fn default() -> Self {
        Self { keep_days: DEFAULT_RETENTION_DAYS, first_after: Duration::from_secs(60) }
    }
}

/// When care is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rota {
    pub(super) care: Care,
    next_look: Instant,
}

impl Rota {
    pub(super) fn new(care: Care) -> Self {
        Self { care, next_look: Instant::now() + care.first_after }
    }

    pub(super) const fn next_look(&self) -> Instant {
        self.next_look
    }

    /// Whether it is time to look; the next time is then an hour later.
    pub(super) fn looks(&mut self) -> bool {
        let now = Instant::now();
        let is_time = self.next_look <= now;
        if is_time {
            self.next_look = now + LOOK;
        }
        is_time
    }
}

/// The time by which a record last cared for at `last` (as stored) is to be cared for at `now`, if it is due. A time that
/// cannot be read or lies ahead counts as none: the clock was wrong once.
///
/// The answer is at most [`LEAP`] after the last time: what a clock that is years ahead deletes does not come back when it
/// is set right. After a long absence the rest follows a day later.
pub(super) fn due(last: Option<&str>, now: Timestamp) -> Option<Timestamp> {
    match last.and_then(|last| last.parse::<Timestamp>().ok()) {
        Some(last) if last <= now => {
            let by = now.min(last.checked_add(LEAP).unwrap_or(now));
            (now.duration_since(last) >= EVERY).then_some(by)
        }
        _ => Some(now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_years_ahead_deletes_no_more_than_two_days_would() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let cases = [
            (None, "2026-03-02T12:00:00Z", Some("2026-03-02T12:00:00Z")),
            (Some("nonsense"), "2026-03-02T12:00:00Z", Some("2026-03-02T12:00:00Z")),
            (Some("2026-03-02T00:00:00Z"), "2026-03-02T12:00:00Z", None),
            (Some("2026-03-01T12:00:00Z"), "2026-03-02T12:00:00Z", Some("2026-03-02T12:00:00Z")),
            (Some("2026-03-01T12:00:00Z"), "2099-01-01T00:00:00Z", Some("2026-03-03T12:00:00Z")),
            (Some("2099-01-01T00:00:00Z"), "2026-03-02T12:00:00Z", Some("2026-03-02T12:00:00Z")),
        ];
        for (last, now, expected) in cases {
            assert_eq!(due(last, at(now)), expected.map(at), "{last:?} {now}");
        }
    }
}
