//! Daily care: old samples go, a backup is made.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::DEFAULT_RETENTION_DAYS;

/// Under this name the record remembers when it was last cared for.
pub(super) const CARED_AT: &str = "cared_at";

/// How often old samples go and a backup is made.
const EVERY: SignedDuration = SignedDuration::from_hours(24);

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

/// Whether a record last cared for at `last` (as stored) is due. A time that cannot be read or lies ahead counts as none:
/// the clock was wrong once.
pub(super) fn is_due(last: Option<&str>, now: Timestamp) -> bool {
    match last.and_then(|last| last.parse::<Timestamp>().ok()) {
        Some(last) if last <= now => now.duration_since(last) >= EVERY,
        _ => true,
    }
}
