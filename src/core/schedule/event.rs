//! What the schedule is told, and what it tells.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::core::board::{Banner, Hold, Spent};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source, kept};
use crate::core::schedule::ScheduleConfig;
use crate::core::target::{DailyCap, ProviderId, Target, TargetId};

/// What the schedule works by: from the settings, replaced as a whole when they or a key change.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The `[schedule]` table.
    pub config: ScheduleConfig,
    /// The zone whose midnight begins a new budget.
    pub zone: TimeZone,
    /// All targets in chain order.
    pub targets: Vec<Arc<Target>>,
    /// Daily limits of providers; those that are missing have [`ScheduleConfig::provider_cap`].
    pub provider_caps: HashMap<ProviderId, DailyCap>,
}

/// A sample with what the schedule needs to know and the database does not keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// As stored.
    pub sample: Sample,
    /// Waiting is likely to end it, as the classifier said.
    pub wait_helps: bool,
}

/// What the system says of our own network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkState {
    /// There is a route; one target is probed to see whether that is so.
    Up,
    /// There is none.
    Down,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// Settings or a key were read, first or anew: stopped targets get a new chance, spending and evidence stay.
    Configured(Setup),
    /// The record was read at the start: the newest samples of the targets in any order, and today's spending
    /// ([`Schedule::spent_today`](crate::core::schedule::Schedule::spent_today)). Comes after [`Event::Configured`].
    Restored {
        /// The newest dozen a target is enough.
        samples: Vec<Sample>,
        /// What was spent since local midnight.
        spent: HashMap<TargetId, Spent>,
    },
    /// It is time to look what is due.
    Tick,
    /// A probe has ended.
    Probed {
        /// With what.
        finding: Finding,
        /// What it really cost: a probe whose request had to be corrected made several. One whose connection never
        /// stood is not counted, whatever stands here.
        spent: Spent,
    },
    /// The answer to a probe redirects to another site; comes before its [`Event::Probed`].
    Redirected {
        /// Of which target.
        target: TargetId,
        /// To this host.
        host: String,
    },
    /// A probe ended without an outcome: a fault of ours, or its settings were replaced meanwhile.
    NotProbed {
        /// Of which target.
        target: TargetId,
        /// What it cost all the same; nothing if no request went out.
        spent: Spent,
    },
    /// A tool's log or a relay showed an outcome.
    LogEvidence(Finding),
    /// The user wants these probed now; empty is all that may be probed.
    ProbeNow(Vec<TargetId>),
    /// Probe nothing until then; `None` is until [`Event::Resume`].
    Pause(Option<Timestamp>),
    /// End a pause.
    Resume,
    /// Somebody looks at the window (`true`), or nobody does.
    Attend(bool),
    /// The machine slept or the clock was set, as [`ClockWatch`](crate::core::schedule::ClockWatch) found. A tick that comes much too late is taken for
    /// the same.
    ClockJumped,
    /// The system reports our own network.
    Network(NetworkState),
}

/// Why a probe is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// By the usual cycle.
    Steady,
    /// To confirm a change.
    Confirm,
    /// To see the end of an outage or of a limit.
    Recovery,
    /// To learn whether our own network works.
    Canary,
    /// The user asked.
    Asked,
}

/// Why a probe was not made; [`SkipReason::rule`] is stored as the skipped sample's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// The machine slept, or its clock jumped.
    Asleep,
    /// Our own network is down.
    Offline,
    /// A captive portal answers in the providers' place.
    Portal,
    /// The user paused.
    Paused,
    /// Today's budget is spent.
    Budget,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Asleep, Self::Offline, Self::Portal, Self::Paused, Self::Budget];

    /// The rule id of the stored sample.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Asleep => "skip-asleep",
            Self::Offline => "skip-offline",
            Self::Portal => "skip-portal",
            Self::Paused => "skip-paused",
            Self::Budget => "skip-budget",
        }
    }

    /// The sample to store for a probe that was not made.
    pub fn sample(self, target: TargetId, at: Timestamp) -> Sample {
        Sample {
            target,
            source: Source::Probe,
            at: kept(at),
            kind: Kind::Skipped,
            scope: Scope::Local,
            http_status: None,
            connect_ms: None,
            first_token_ms: None,
            total_ms: None,
            retry_after_s: None,
            rule: self.rule().into(),
        }
    }
}

/// What the shell is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Make a probe and answer with [`Event::Probed`] or [`Event::NotProbed`].
    Probe {
        /// Of which target.
        target: TargetId,
        /// Why.
        purpose: Purpose,
    },
    /// Store [`SkipReason::sample`] and give it to the board.
    Skip {
        /// Of which target.
        target: TargetId,
        /// From when on nothing is known.
        at: Timestamp,
        /// Why.
        reason: SkipReason,
    },
    /// Say this for all targets, or no longer.
    Banner(Option<Banner>),
    /// Call with [`Event::Tick`] at this time; `None` is when something else happens. Replaces the one before, and
    /// is the last effect of every call.
    WakeAt(Option<Timestamp>),
}

/// What is planned for a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// When the next probe is due.
    pub next_probe_at: Option<Timestamp>,
    /// Why none is planned.
    pub hold: Option<Hold>,
    /// Today's spending.
    pub spent: Spent,
}
