//! When the engine looks whether others have added to the record: a backfill, an import, another program.

use std::future::pending;
use std::time::Duration;

use tokio::time::Instant;

use crate::engine::recorder::{Found, Reread};
use crate::store::StoreError;

/// The shortest time between two looks: a backfill writes many times a second.
const PACE: Duration = Duration::from_secs(1);

/// Looks at the record, one at a time; see the module.
#[derive(Debug, Default)]
pub(super) struct Look {
    under_way: Option<Reread>,
    began: Option<Instant>,
    is_wanted: bool,
    imports: u64,
}

impl Look {
    /// Wants a look as soon as the pace allows it.
    pub const fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Wants a look if this program's store has taken in more imports than before.
    pub const fn imported(&mut self, imports: u64) {
        if self.imports != imports {
            self.imports = imports;
            self.is_wanted = true;
        }
    }

    /// How long until a wanted look may begin; `None` while none is wanted or one is under way.
    pub fn due_in(&self, now: Instant) -> Option<Duration> {
        let is_open = self.is_wanted && self.under_way.is_none();
        let since = |began| now.saturating_duration_since(began);
        is_open.then(|| self.began.map_or(Duration::ZERO, |began| PACE.saturating_sub(since(began))))
    }

    /// Whether a look is to begin now.
    pub fn is_due(&self, now: Instant) -> bool {
        self.due_in(now) == Some(Duration::ZERO)
    }

    /// Begins a look.
    pub fn begin(&mut self, reread: Reread, now: Instant) {
        self.under_way = Some(reread);
        self.began = Some(now);
        self.is_wanted = false;
    }

    /// Whether a look is under way.
    pub const fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Waits for what it finds. Given up and called again it loses nothing.
    pub async fn done(&mut self) -> Result<Found, StoreError> {
        let Some(reread) = &mut self.under_way else { return pending().await };
        let found = reread.await;
        self.under_way = None;
        found
    }
}
