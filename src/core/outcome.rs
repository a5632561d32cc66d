//! Verdicts: what an exchange says about a target.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The exact case of an outcome.
///
/// The number is what the database stores: append only, never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Kind {
    /// The model produced, or provably started to produce, output.
    Available = 1,
    /// The provider has no room for this model now; not the user's own limit.
    AtCapacity = 2,
    /// The user's own limit of a short window (seconds, minutes).
    RateLimited = 3,
    /// A subscription's window (hours, days, weeks) is used up.
    UsageLimit = 4,
    /// Money, credits, a spend cap or a long fixed quota is gone.
    QuotaExhausted = 5,
    /// The key is missing, wrong or expired.
    Auth = 6,
    /// A valid identity that is not allowed (region, plan, client, model permission).
    Forbidden = 7,
    /// The model's name is unknown, retired or not enabled here.
    ModelNotFound = 8,
    /// Our request is wrong or too big: a fault of the probe, never of the model.
    BadRequest = 9,
    /// A policy blocked the prompt or the answer.
    ContentFiltered = 10,
    /// Base URL, path, API version or a setting is wrong.
    Misconfigured = 11,
    /// A 5xx, a broken stream, a broken upstream, an empty body.
    ServerError = 12,
    /// No connection, first byte or progress within the deadlines, or a gateway said so.
    Timeout = 13,
    /// DNS, refused, reset, TLS, proxy or captive portal.
    Network = 14,
    /// Nothing matched.
    Unrecognized = 15,
    /// A probe that was not made (asleep, offline, paused); ends what the sample before it speaks for.
    Skipped = 16,
}

impl Kind {
    /// Every kind, in the order of its number.
    pub const ALL: [Self; 16] = [
        Self::Available,
        Self::AtCapacity,
        Self::RateLimited,
        Self::UsageLimit,
        Self::QuotaExhausted,
        Self::Auth,
        Self::Forbidden,
        Self::ModelNotFound,
        Self::BadRequest,
        Self::ContentFiltered,
        Self::Misconfigured,
        Self::ServerError,
        Self::Timeout,
        Self::Network,
        Self::Unrecognized,
        Self::Skipped,
    ];

    /// The stored number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind with a stored number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The name in exports, settings and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::AtCapacity => "at_capacity",
            Self::RateLimited => "rate_limited",
            Self::UsageLimit => "usage_limit",
            Self::QuotaExhausted => "quota_exhausted",
            Self::Auth => "auth",
            Self::Forbidden => "forbidden",
            Self::ModelNotFound => "model_not_found",
            Self::BadRequest => "bad_request",
            Self::ContentFiltered => "content_filtered",
            Self::Misconfigured => "misconfigured",
            Self::ServerError => "server_error",
            Self::Timeout => "timeout",
            Self::Network => "network",
            Self::Unrecognized => "unrecognized",
            Self::Skipped => "skipped",
        }
    }

    /// Reads a kind's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the kind says something about the model's vacancy when its scope is model or provider.
    pub const fn is_counted(self) -> bool {
        matches!(self, Self::Available | Self::AtCapacity | Self::ServerError | Self::Timeout)
    }

    /// Whether only the user can end it: the schedule stops probing until settings or key change.
    pub const fn needs_user(self) -> bool {
        matches!(self, Self::Auth | Self::Forbidden | Self::ModelNotFound | Self::Misconfigured | Self::QuotaExhausted)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whom an outcome speaks of. The number is what the database stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Scope {
    /// This model; another one may work.
    Model = 1,
    /// The user's account: another model on it is no better off.
    Account = 2,
    /// The whole provider.
    Provider = 3,
    /// This machine, its network or its settings.
    Local = 4,
}

impl Scope {
    /// Every scope, in the order of its number.
    pub const ALL: [Self; 4] = [Self::Model, Self::Account, Self::Provider, Self::Local];

    /// The stored number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The scope with a stored number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The name in exports and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Account => "account",
            Self::Provider => "provider",
            Self::Local => "local",
        }
    }

    /// Reads a scope's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// The group of kinds that shares a colour, a mark and a word, by what the user can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Use it.
    Available,
    /// Pick another model, or wait.
    Full,
    /// Wait: the user's own limit.
    Limited,
    /// Retry; nothing to fix.
    Fault,
    /// Act: pay, sign in, correct.
    Blocked,
    /// Read the detail; nothing is claimed of the model.
    Unknown,
}

impl Family {
    /// Every family, in the order of the legend.
    pub const ALL: [Self; 6] = [Self::Available, Self::Full, Self::Limited, Self::Fault, Self::Blocked, Self::Unknown];

    /// The family of a kind with a scope. A fault of local scope is unknown: our own network is not the model's fault.
    pub const fn of(kind: Kind, scope: Scope) -> Self {
        match kind {
            Kind::Available => Self::Available,
            Kind::AtCapacity => Self::Full,
            Kind::RateLimited | Kind::UsageLimit => Self::Limited,
            Kind::ServerError | Kind::Timeout => match scope {
                Scope::Local => Self::Unknown,
                Scope::Model | Scope::Account | Scope::Provider => Self::Fault,
            },
            Kind::QuotaExhausted
            | Kind::Auth
            | Kind::Forbidden
            | Kind::ModelNotFound
            | Kind::BadRequest
            | Kind::ContentFiltered
            | Kind::Misconfigured => Self::Blocked,
            Kind::Network | Kind::Unrecognized | Kind::Skipped => Self::Unknown,
        }
    }

    /// The stable name used for message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Full => "full",
            Self::Limited => "limited",
            Self::Fault => "fault",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }
}

/// The verdict on one exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The exact case.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// How long to wait before trying again, where the answer said so: 0 to 35 days.
    pub retry_after: Option<Duration>,
    /// Waiting is likely to end it.
    pub wait_helps: bool,
    /// Another model of the same provider and account is likely to work.
    pub switch_helps: bool,
    /// The id of the rule that fired.
    pub rule: Cow<'static, str>,
    /// The decisive part of an error, redacted, at most 300 characters; never answer text, empty on success.
    pub excerpt: String,
}
