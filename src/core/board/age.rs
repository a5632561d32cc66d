//! How long a confirmed state speaks of the present.
//!
//! A sample speaks as long as the record lets it: while a next one could still join it, [`LIVE`]. Two kinds of states
//! last longer. One that waiting does not heal (key, money, name, permission, settings) holds until somebody acts, and
//! one whose refusal named a moment holds until then. After that the state is what was known last, not what is.

use jiff::{SignedDuration, Timestamp};

use crate::core::board::{Confirmed, Entry};
use crate::core::bucket::REACH_MS;
use crate::core::outcome::{Family, Kind};
use crate::core::sample::Sample;

use super::judge::is_same_claim;

/// A state whose newest sign is older than this is not a state of now.
pub const LIVE: SignedDuration = SignedDuration::from_millis(REACH_MS);

/// Signs further apart than this are no unbroken run, and what was before is no news when it is over: two cycles of the
/// slowest usual schedule.
pub const BREAK: SignedDuration = SignedDuration::from_mins(60);

impl Entry {
    /// When the confirmed state was seen last: the newest sample that says the same, a refusal of the user's sessions
    /// included. `None` without a state.
    pub fn seen_at(&self) -> Option<Timestamp> {
        let confirmed = self.confirmed?;
        let newest = || self.latest.as_ref().map(|latest| latest.sample.at);
        if self.is_refused_in_sessions
            && let Some(at) = newest()
        {
            return Some(at);
        }
        Some(self.sign(confirmed).map_or(confirmed.since, |sample| sample.at))
    }

    /// Whether the confirmed state speaks of `now`.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let Some(confirmed) = self.confirmed else { return false };
        let is_within = |at: Timestamp| now.duration_since(at) <= LIVE;
        if self.is_refused_in_sessions {
            return self.seen_at().is_some_and(is_within);
        }
        confirmed.kind.needs_user() || self.seen_at().is_some_and(is_within) || self.held_until() >= Some(now)
    }

    /// Whether there is a confirmed state that does not speak of `now`: it is what was known last.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        self.confirmed.is_some() && !self.is_fresh(now)
    }

    /// The family at `now`: unknown once the confirmed state is stale.
    pub fn family_at(&self, now: Timestamp) -> Family {
        if self.is_stale(now) { Family::Unknown } else { self.family() }
    }

    /// Confirmed available by evidence that speaks of `now`, and the user's own sessions are not refused.
    pub fn is_free(&self, now: Timestamp) -> bool {
        self.was_free() && self.is_fresh(now)
    }

    /// Known as free last, however long ago.
    pub fn was_free(&self) -> bool {
        self.family() == Family::Available && !self.is_refused_in_sessions
    }

    /// The moment that the newest sign of a refusal named as its end.
    pub fn held_until(&self) -> Option<Timestamp> {
        let confirmed = self.confirmed.filter(|confirmed| confirmed.kind != Kind::Available)?;
        let sample = self.sign(confirmed)?;
        sample.at.checked_add(SignedDuration::from_secs(sample.retry_after_s?.into())).ok()
    }

    /// The evidence of what is known: the newest sample that says what the confirmed state says, and before there is a
    /// state the newest of all. `None` when it is further back than what is remembered.
    pub fn evidence(&self) -> Option<&Sample> {
        match self.confirmed {
            Some(confirmed) => self.sign(confirmed),
            None => self.latest.as_ref().map(|latest| &latest.sample),
        }
    }

    /// The newest sample that says what the state says.
    fn sign(&self, confirmed: Confirmed) -> Option<&Sample> {
        self.recent.iter().find(|sample| is_same_claim(confirmed, sample))
    }

    /// From when on nothing was known of the confirmed state; `None` without one, and of one that holds until somebody
    /// acts.
    pub(super) fn quiet_since(&self) -> Option<Timestamp> {
        let confirmed = self.confirmed.filter(|confirmed| !confirmed.kind.needs_user())?;
        let seen = self.sign(confirmed).map_or(confirmed.since, |sample| sample.at);
        Some(self.held_until().map_or(seen, |held| held.max(seen)))
    }
}
