//! One target's own machine: what its newest result calls for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::event::{Finding, Purpose};
use super::spread::between;
use crate::core::board::{Confirmed, Entry, Mark, Spent, judge};
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::Source;
use crate::core::schedule::{ScheduleConfig, Thresholds};
use crate::core::target::{Probing, Role, Target};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Failures after which the circuit is open: from then on only half-open probes go out.
const OPEN_AFTER: u32 = 6;
/// Between half-open probes, ± 10 %.
const HALF_OPEN: f64 = 300.0;
/// The first wait of a recovery, in seconds, and what it grows by.
const RECOVERY: (f64, f64) = (60.0, 1.4);
/// A shorter hint than this is not taken at its word: it would be hammering.
const SHORTEST_HINT: Duration = secs(20);
/// A longer hint than this is re-checked on the way: such hints are often too pessimistic (errors.md, section 4).
const LONG_HINT: Duration = secs(30 * 60);
/// How often a long hint, or a plan's window without a stated end, is re-checked.
const RECHECK: (Duration, Duration) = (secs(15 * 60), secs(30 * 60));

/// A probe under way.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// Since when.
    pub since: Timestamp,
    /// The machine slept meanwhile.
    pub is_spoiled: bool,
    /// The settings were read anew meanwhile: what it finds may be an answer to the old ones.
    pub is_outdated: bool,
    /// What was booked for it.
    pub booked: Spent,
}

/// What a result calls for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// No probe until settings or key change.
    Stop,
    /// The usual cycle.
    Cycle,
    /// The slow cycle: waiting does not heal it, but the world may change.
    SlowCycle,
    /// A probe at any moment between these two waits.
    Within(Duration, Duration, Purpose),
}

/// One target's machine.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The target.
    pub target: Arc<Target>,
    /// The newest results, newest first, at most [`Entry::RECENT`].
    pub marks: VecDeque<Mark>,
    /// The confirmed state.
    pub confirmed: Option<Confirmed>,
    /// Failures in a row.
    pub failures: u32,
    last_failure: Option<Timestamp>,
    /// When the next probe is due and why.
    pub due: Option<(Timestamp, Purpose)>,
    /// The probe under way.
    pub in_flight: Option<Flight>,
    /// Only the user can end its state.
    pub is_stopped: bool,
    /// Today's budget is spent.
    pub is_spent: bool,
    /// On the slow cycle because of its newest result, whoever looks.
    pub is_slow: bool,
    /// Has its own place in the cycle, away from the others.
    pub is_placed: bool,
}

impl Lane {
    /// A target of which nothing is known.
    pub fn new(target: Arc<Target>) -> Self {
        Self {
            target,
            marks: VecDeque::new(),
            confirmed: None,
            failures: 0,
            last_failure: None,
            due: None,
            in_flight: None,
            is_stopped: false,
            is_spent: false,
            is_slow: false,
            is_placed: false,
        }
    }

    /// Whether the schedule makes probes of it by itself, budget and network allowing.
    pub fn is_active(&self) -> bool {
        self.target.probing == Probing::Scheduled && !self.is_stopped
    }

    /// Confirmed free.
    pub fn is_free(&self) -> bool {
        self.confirmed.is_some_and(|state| Family::of(state.kind, state.scope) == Family::Available)
    }

    /// Whether this is the newest of what is known, so that it decides what comes next.
    pub fn is_news(&self, at: Timestamp) -> bool {
        self.marks.front().is_none_or(|newest| newest.at <= at)
    }

    /// Takes in a result; `true` when the newest one is a change that still needs confirmation.
    pub fn take(&mut self, mark: Mark, thresholds: Thresholds) -> bool {
        let index = self.marks.iter().position(|other| other.at <= mark.at).unwrap_or(self.marks.len());
        if index >= Entry::RECENT || self.marks.get(index) == Some(&mark) {
            return false;
        }
        self.marks.insert(index, mark);
        self.marks.truncate(Entry::RECENT);
        let judgement = judge(self.confirmed, self.marks.iter().copied(), thresholds);
        self.confirmed = judgement.confirmed;
        judgement.is_pending
    }

    /// Counts failures in a row; a tool that retries in a burst counts once.
    pub fn count(&mut self, mark: Mark) {
        let is_burst = mark.source != Source::Probe
            && self.last_failure.is_some_and(|last| mark.at.duration_since(last) < SignedDuration::from_secs(20));
        match mark.kind {
            Kind::Available => self.failures = 0,
            Kind::AtCapacity
            | Kind::RateLimited
            | Kind::UsageLimit
            | Kind::ServerError
            | Kind::Timeout
            | Kind::Network
                if !is_burst =>
            {
                self.failures = self.failures.saturating_add(1);
                self.last_failure = Some(mark.at);
            }
            _ => {}
        }
    }

    /// What the newest result calls for.
    pub fn wish(
        &self,
        finding: &Finding,
        is_pending: bool,
        now: Timestamp,
        config: &ScheduleConfig,
        rng: &mut fastrand::Rng,
    ) -> Wish {
        let sample = &finding.sample;
        let steady = config.steady();
        let hint = sample.retry_after_s.filter(|_| finding.wait_helps).map(|hint| {
            let age = between(sample.at, now);
            secs(hint.into())
                .saturating_sub(age.saturating_sub(Duration::from_millis(sample.total_ms.unwrap_or(0).into())))
        });
        // A tool's key may be another one than ours: only our own refusal stops our probes.
        if sample.kind.needs_user() && sample.source == Source::Probe {
            return hint.map_or(Wish::Stop, |reset| Wish::Within(reset + secs(5), reset + secs(60), Purpose::Recovery));
        }
        if let Some(hint) = hint
            && sample.kind != Kind::Available
        {
            return self.by_hint(hint, is_pending);
        }
        if is_pending {
            return Wish::Within(secs(20).min(steady), secs(40).min(steady), Purpose::Confirm);
        }
        match sample.kind {
            Kind::BadRequest | Kind::ContentFiltered => Wish::SlowCycle,
            Kind::Network if !finding.wait_helps => Wish::SlowCycle,
            Kind::UsageLimit => Wish::Within(RECHECK.0, RECHECK.1, Purpose::Recovery),
            Kind::AtCapacity | Kind::RateLimited | Kind::ServerError | Kind::Timeout | Kind::Network => {
                self.recovery(sample.scope, steady, rng)
            }
            _ => Wish::Cycle,
        }
    }

    fn by_hint(&self, hint: Duration, is_pending: bool) -> Wish {
        if hint > LONG_HINT {
            return Wish::Within(RECHECK.0, RECHECK.1, Purpose::Recovery);
        }
        let floor = if self.failures > OPEN_AFTER { Duration::from_secs_f64(HALF_OPEN) } else { SHORTEST_HINT };
        let wait = hint.max(floor);
        let purpose = if is_pending { Purpose::Confirm } else { Purpose::Recovery };
        Wish::Within(wait + secs(1), wait + secs(10).max(wait / 20), purpose)
    }

    /// The wait for the end of an outage: never longer than the user's own cycle would have it.
    fn recovery(&self, scope: Scope, steady: Duration, rng: &mut fastrand::Rng) -> Wish {
        let (low, high) = match self.target.role {
            Some(Role::Primary) => {
                let (wait, jitter) = if self.failures > OPEN_AFTER {
                    (HALF_OPEN, 0.1)
                } else {
                    (RECOVERY.0 * RECOVERY.1.powf(f64::from(self.failures.saturating_sub(2))), 0.15)
                };
                let wait = wait * (1.0 - jitter + 2.0 * jitter * rng.f64());
                let wait = Duration::from_secs_f64(wait).min(steady);
                (wait, wait)
            }
            _ if scope == Scope::Local => return Wish::Cycle,
            _ => (secs(5 * 60).min(steady), secs(15 * 60).min(steady + steady / 2)),
        };
        Wish::Within(low, high, Purpose::Recovery)
    }
}
