//! The board: the live picture of all targets.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::target::{Target, TargetId};

/// The confirmed state of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The state.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// The first sample of the unbroken run that led to it.
    pub since: Timestamp,
}

/// The newest sample with what is known of it in memory alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Latest {
    /// As stored.
    pub sample: Sample,
    /// Redacted decisive part of an error; empty on success and after a restart (it is never stored).
    pub excerpt: String,
    /// Waiting is likely to end it.
    pub wait_helps: bool,
    /// Another model of the same account is likely to work.
    pub switch_helps: bool,
}

/// Why no probe of a target is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Waiting cannot heal it: resumes when settings or key change, or on *Probe now*.
    NeedsUser,
    /// The target is probed only when the user asks.
    OnDemand,
    /// The target is never probed by us.
    NeverProbed,
    /// Today's budget of the target or its provider is spent; resumes at this time.
    BudgetSpent {
        /// When the next local day begins.
        until: Timestamp,
    },
    /// The user paused; `None` is until resumed.
    Paused {
        /// When the pause ends by itself.
        until: Option<Timestamp>,
    },
    /// Our own network is down.
    Offline,
}

/// Today's spending of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests made since local midnight.
    pub requests: u32,
    /// Estimated tokens of those requests.
    pub tokens: u32,
}

/// One target on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Whose state it is.
    pub target: Arc<Target>,
    /// The confirmed state; `None` before there is one.
    pub confirmed: Option<Confirmed>,
    /// The newest sample that was not skipped.
    pub latest: Option<Latest>,
    /// The newest samples of any kind, newest first, at most [`Entry::RECENT`].
    pub recent: VecDeque<Sample>,
    /// Refusals in a tool's log are newer than the passing probe: the log wins.
    pub is_refused_in_sessions: bool,
    /// The newest answer took longer than the `slow` threshold to its first token.
    pub is_slow: bool,
    /// When the next probe is due, if one is planned.
    pub next_probe_at: Option<Timestamp>,
    /// Why none is planned.
    pub hold: Option<Hold>,
    /// Today's spending.
    pub spent: Spent,
}

impl Entry {
    /// How many samples [`Entry::recent`] keeps.
    pub const RECENT: usize = 12;

    /// The confirmed kind and scope, or unknown.
    pub fn family(&self) -> Family {
        self.confirmed.map_or(Family::Unknown, |confirmed| Family::of(confirmed.kind, confirmed.scope))
    }

    /// Where the newest sample came from.
    pub fn source(&self) -> Option<Source> {
        self.latest.as_ref().map(|latest| latest.sample.source)
    }
}

/// One thing that concerns all targets, said once instead of on every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Banner {
    /// Unrelated providers all fail to connect, or the system says so.
    Offline {
        /// Since when.
        since: Timestamp,
    },
    /// A captive portal answers in the providers' place.
    Portal {
        /// Since when.
        since: Timestamp,
    },
}

/// The live picture of all targets, in chain order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// One entry a target, in chain order.
    pub entries: Vec<Entry>,
    /// What concerns all of them.
    pub banner: Option<Banner>,
}

impl Board {
    /// The entry of a target.
    pub fn entry(&self, target: &TargetId) -> Option<&Entry> {
        self.entries.iter().find(|entry| &entry.target.id == target)
    }

    /// The first target of the chain (those with a role) that is confirmed available.
    pub fn first_free(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.target.role.is_some() && entry.family() == Family::Available)
    }
}
