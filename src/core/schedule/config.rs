//! What the user may set about probing, with defaults that are polite and cheap.

use std::time::Duration;

use jiff::fmt::serde::unsigned_duration;
use serde::{Deserialize, Serialize};

use crate::core::target::DailyCap;

/// The `[schedule]` table of the settings. Durations are written like `"10m"` or `"90s"`.
///
/// Every field has a default, so that an empty table is valid; [`ScheduleConfig::findings`] says what is out of range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScheduleConfig {
    /// The usual time between two probes of a target, which varies by ± 20 %: 10 minutes, at least a second.
    #[serde(with = "unsigned_duration::friendly::compact::required")]
    pub every: Duration,
    /// The same when the user is away or nothing in the chain needs the target; `None` is three times `every`
    /// (30 minutes). Never shorter than `every`.
    #[serde(with = "unsigned_duration::friendly::compact::optional")]
    pub slow_every: Option<Duration>,
    /// Failures in a row that make a target count as not free, 1 to [`ScheduleConfig::MOST_CONFIRMATIONS`].
    pub confirm_down: u8,
    /// Successes in a row that make a target count as free, 1 to [`ScheduleConfig::MOST_CONFIRMATIONS`].
    pub confirm_up: u8,
    /// A first token later than this is marked slow: 6 seconds.
    #[serde(with = "unsigned_duration::friendly::compact::required")]
    pub slow_above: Duration,
    /// Daily limit of each target that names none of its own.
    pub target_cap: DailyCap,
    /// Daily limit of each provider that names none of its own, over all its targets.
    pub provider_cap: DailyCap,
}

impl Default for ScheduleConfig {
    /// A target's 144 probes of a usual day, at ten minutes, leave room for a long outage at the faster pace below its 300.
    fn default() -> Self {
        Self {
            every: Duration::from_secs(600),
            slow_every: None,
            confirm_down: 2,
            confirm_up: 2,
            slow_above: Duration::from_secs(6),
            target_cap: DailyCap { requests: 300, tokens: 50_000 },
            provider_cap: DailyCap { requests: 2_000, tokens: 250_000 },
        }
    }
}

/// A value of [`ScheduleConfig`] that is out of its range; the nearest allowed one is used in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigFinding {
    /// `every` is shorter than [`ScheduleConfig::SHORTEST`].
    EveryTooShort,
    /// `slow_every` is shorter than `every`.
    SlowBelowEvery,
    /// `confirm_down` or `confirm_up` (the field's name) is not in 1 to [`ScheduleConfig::MOST_CONFIRMATIONS`].
    Confirmations(&'static str),
}

impl ScheduleConfig {
    /// The shortest allowed `every`.
    pub const SHORTEST: Duration = Duration::from_secs(1);
    /// The most confirmations that can be asked for.
    pub const MOST_CONFIRMATIONS: u8 = 6;

    /// The values that are out of range.
    pub fn findings(&self) -> Vec<ConfigFinding> {
        let is_count = |count: u8| (1..=Self::MOST_CONFIRMATIONS).contains(&count);
        let mut findings = Vec::new();
        if self.every < Self::SHORTEST {
            findings.push(ConfigFinding::EveryTooShort);
        }
        if self.slow_every.is_some_and(|slow| slow < self.every) {
            findings.push(ConfigFinding::SlowBelowEvery);
        }
        for (field, count) in [("confirm_down", self.confirm_down), ("confirm_up", self.confirm_up)] {
            if !is_count(count) {
                findings.push(ConfigFinding::Confirmations(field));
            }
        }
        findings
    }

    /// The usual interval within its range.
    pub fn steady(&self) -> Duration {
        self.every.max(Self::SHORTEST)
    }

    /// The slow interval within its range.
    pub fn slow(&self) -> Duration {
        self.slow_every.unwrap_or(self.steady().saturating_mul(3)).max(self.steady())
    }

    /// What makes a state confirmed and an answer slow.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds {
            down: self.confirm_down.clamp(1, Self::MOST_CONFIRMATIONS),
            up: self.confirm_up.clamp(1, Self::MOST_CONFIRMATIONS),
            slow_above: self.slow_above,
        }
    }
}

/// What makes a state confirmed and an answer slow, with values in range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Failures in a row that confirm *not free*.
    pub down: u8,
    /// Successes in a row that confirm *free*.
    pub up: u8,
    /// A first token later than this is slow.
    pub slow_above: Duration,
}

impl Default for Thresholds {
    fn default() -> Self {
        ScheduleConfig::default().thresholds()
    }
}
