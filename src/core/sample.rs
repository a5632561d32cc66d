//! Samples: the stored outcomes, which are the truth.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::core::exchange::Timing;
use crate::core::outcome::{Family, Kind, Outcome, Scope};
use crate::core::target::TargetId;

/// Where a sample comes from. The number is what the database stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Source {
    /// A request of our own.
    Probe = 1,
    /// A coding tool's session log.
    ToolLog = 2,
    /// A request that passed through a relay.
    Relay = 3,
}

impl Source {
    /// Every source, in the order of its number.
    pub const ALL: [Self; 3] = [Self::Probe, Self::ToolLog, Self::Relay];

    /// The stored number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The source with a stored number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The name in exports and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Probe => "probe",
            Self::ToolLog => "tool-log",
            Self::Relay => "relay",
        }
    }

    /// Reads a source's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}

/// One stored outcome of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Whose outcome it is.
    pub target: TargetId,
    /// Where it comes from.
    pub source: Source,
    /// When the request began, to the millisecond.
    pub at: Timestamp,
    /// The exact case.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// The HTTP status, when there was one.
    pub http_status: Option<u16>,
    /// Until the connection stood, in milliseconds.
    pub connect_ms: Option<u32>,
    /// Until the first output, in milliseconds.
    pub first_token_ms: Option<u32>,
    /// Until the exchange ended, in milliseconds.
    pub total_ms: Option<u32>,
    /// The answer's retry hint in whole seconds, rounded up.
    pub retry_after_s: Option<u32>,
    /// The rule that fired; for a skip its reason (see [`crate::core::schedule`]).
    pub rule: Cow<'static, str>,
}

/// The rule of a probe that was given up before anything was sent, as there was no key to send.
pub const KEY_MISSING: &str = "key-missing";

/// A moment as the record keeps it, in whole milliseconds: with more, a sample would not be the one that is read again, and
/// both would count.
pub fn kept(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

impl Sample {
    /// The sample of a finished probe or logged request.
    pub fn new(
        target: TargetId,
        source: Source,
        at: Timestamp,
        http_status: Option<u16>,
        timing: Timing,
        outcome: &Outcome,
    ) -> Self {
        Self {
            target,
            source,
            at: kept(at),
            kind: outcome.kind,
            scope: outcome.scope,
            http_status,
            connect_ms: timing.connect_ms,
            first_token_ms: timing.first_token_ms,
            total_ms: timing.total_ms,
            retry_after_s: outcome
                .retry_after
                .map(|wait| u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u32::MAX)),
            rule: outcome.rule.clone(),
        }
    }

    /// Whether nothing was sent, as there was no key: nobody refused one.
    pub fn has_no_key(&self) -> bool {
        self.kind == Kind::Auth && self.rule == KEY_MISSING
    }

    /// The colour group it belongs to.
    pub const fn family(&self) -> Family {
        Family::of(self.kind, self.scope)
    }

    /// Whether it speaks of the model's vacancy (DESIGN, time-weighting): counted kind, model or provider scope.
    pub const fn is_counted(&self) -> bool {
        self.kind.is_counted() && matches!(self.scope, Scope::Model | Scope::Provider)
    }
}
