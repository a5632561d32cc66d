//! The only place that reads the wall clock, and the engine's way to wait.

use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use tokio::time::Instant;

/// Tells the time and waits for it. A clock of a test may run as fast as it likes: the engine knows no other.
pub trait Clock: Send + Sync {
    /// The present moment of the wall clock.
    fn now(&self) -> Timestamp;

    /// The present moment of a clock that nobody sets. It may stand still while the machine sleeps.
    fn instant(&self) -> Instant {
        Instant::now()
    }

    /// Ends after `wait`. Needs a tokio runtime with time; given up, it did nothing.
    fn sleep(&self, wait: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(wait))
    }
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
