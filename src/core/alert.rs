//! From changes of the board to notices that can be trusted.
//!
//! One notice says one thing: the primary model is free again, after it was confirmed not to be. It needs a confirmed
//! *not free* of the model, provider or account before, so that there is none at the start and none for trouble of our
//! own network, and it forgets that with the notice, so that there is never a second one for the same outage.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::core::board::{Change, Confirmed};
use crate::core::outcome::{Family, Scope};
use crate::core::target::{Role, TargetId};

/// Something to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The primary model is free again.
    Recovered {
        /// Which.
        target: TargetId,
        /// How long it had not been free.
        after: Duration,
    },
}

/// Decides on notices; see the module.
#[derive(Clone, Debug, Default)]
pub struct Alert {
    not_free_since: HashMap<TargetId, Timestamp>,
}

impl Alert {
    /// A confirmation older than this is history (a log read late, the record at the start): remembered, not told.
    pub const STALE: SignedDuration = SignedDuration::from_mins(15);

    /// Takes in changes of the board at `now`, also those of the record at the start, and says what to tell.
    pub fn handle(&mut self, changes: &[Change], now: Timestamp) -> Vec<Notice> {
        let mut notices = Vec::new();
        for change in changes {
            let Change::Confirmed { target, transition } = change else { continue };
            if target.role != Some(Role::Primary) {
                self.not_free_since.remove(&target.id);
            } else if is_not_free(transition.to) {
                self.not_free_since.entry(target.id.clone()).or_insert(transition.to.since);
            } else if family(transition.to) == Family::Available
                && let Some(since) = self.not_free_since.remove(&target.id)
                && now.duration_since(transition.at) <= Self::STALE
            {
                let after = Duration::try_from(transition.to.since.duration_since(since)).unwrap_or_default();
                notices.push(Notice::Recovered { target: target.id.clone(), after });
            }
        }
        notices
    }
}

const fn family(confirmed: Confirmed) -> Family {
    Family::of(confirmed.kind, confirmed.scope)
}

/// Whether the state keeps the user from the model by no fault of this machine.
fn is_not_free(confirmed: Confirmed) -> bool {
    confirmed.scope != Scope::Local && !matches!(family(confirmed), Family::Available | Family::Unknown)
}
