//! Sleep and a clock that was set, told from two clocks.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// Compares the wall clock with a monotonic one, and so finds sleep and a clock that was set.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockWatch {
    last: Option<(Timestamp, Duration)>,
}

impl ClockWatch {
    /// Whether the two clocks disagree by more than 30 seconds since the last call: then tell the schedule
    /// [`Event::ClockJumped`](super::Event::ClockJumped). `elapsed` is the monotonic time since any fixed moment.
    pub fn is_jump(&mut self, now: Timestamp, elapsed: Duration) -> bool {
        let Some((last_now, last_elapsed)) = self.last.replace((now, elapsed)) else { return false };
        let wall = now.duration_since(last_now);
        let monotonic = SignedDuration::try_from(elapsed.saturating_sub(last_elapsed)).unwrap_or(wall);
        wall.saturating_sub(monotonic).abs() > SignedDuration::from_secs(30)
    }
}
