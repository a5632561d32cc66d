//! Daily caps, and the pace that makes what is left last until midnight.
//!
//! With `T` left of the local day and `R` probes left, nothing that can wait is planned sooner than `T / R`, so that a
//! cap of 20 cannot be gone by noon: even if every probe calls for a second one, what is left falls with the square of
//! the time left, never to zero. Probes of a recovery may use what the usual cycle leaves over; when nothing is left
//! over, they come at most twice as often as the cycle does.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::spread::{after, between, scale};
use crate::core::board::Spent;
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{KEY_MISSING, Sample, Source};
use crate::core::target::{DailyCap, Probing, ProviderId, Target, TargetId};

/// Today's spending of all targets and providers.
#[derive(Clone, Debug)]
pub struct Ledger {
    zone: TimeZone,
    today: Option<(Date, Timestamp)>,
    targets: HashMap<TargetId, Spent>,
    providers: HashMap<ProviderId, Spent>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { zone: TimeZone::UTC, today: None, targets: HashMap::new(), providers: HashMap::new() }
    }
}

impl Ledger {
    /// Days are those of `zone` from now on; spending stays.
    pub fn set_zone(&mut self, zone: TimeZone) {
        self.zone = zone;
    }

    /// Brings the day up to `now`; `true` when a new one began and all spending is zero again. A clock or zone that goes
    /// back gives no second budget.
    pub fn roll(&mut self, now: Timestamp) -> bool {
        let local = now.to_zoned_datetime(self.zone.clone());
        let end = local
            .tomorrow()
            .and_then(|tomorrow| tomorrow.start_of_day())
            .map_or_else(|_| after(now, Duration::from_secs(24 * 60 * 60)), |midnight| midnight.timestamp());
        let before = self.today.replace((local.date(), end));
        let is_new = before.is_some_and(|(date, _)| local.date() > date);
        if is_new {
            self.targets.clear();
            self.providers.clear();
        }
        is_new
    }

    /// When the local day ends.
    pub fn day_end(&self) -> Timestamp {
        self.today.map_or(Timestamp::MAX, |(_, end)| end)
    }

    /// Takes over spending from the record, unless more is known already.
    pub fn restore(&mut self, targets: &[Arc<Target>], spent: &HashMap<TargetId, Spent>) {
        for target in targets {
            let Some(stored) = spent.get(&target.id) else { continue };
            let own = self.targets.entry(target.id.clone()).or_default();
            let more = Spent {
                requests: stored.requests.saturating_sub(own.requests),
                tokens: stored.tokens.saturating_sub(own.tokens),
            };
            add(own, more);
            add(self.providers.entry(target.provider.clone()).or_default(), more);
        }
    }

    /// Books one probe before it is made, and says as what: [`Ledger::settle`] wants to know.
    pub fn book(&mut self, target: &Target) -> Spent {
        let one = one_probe(target);
        add(self.targets.entry(target.id.clone()).or_default(), one);
        add(self.providers.entry(target.provider.clone()).or_default(), one);
        one
    }

    /// Puts what a probe really cost in the place of what was booked for it.
    pub fn settle(&mut self, target: &Target, booked: Spent, spent: Spent) {
        let correct = |sum: &mut Spent| {
            sum.requests = sum.requests.saturating_sub(booked.requests).saturating_add(spent.requests);
            sum.tokens = sum.tokens.saturating_sub(booked.tokens).saturating_add(spent.tokens);
        };
        correct(self.targets.entry(target.id.clone()).or_default());
        correct(self.providers.entry(target.provider.clone()).or_default());
    }

    /// Today's spending of a target.
    pub fn spent(&self, target: &TargetId) -> Spent {
        self.targets.get(target).copied().unwrap_or_default()
    }

    /// Today's spending of all.
    pub fn total(&self) -> Spent {
        self.providers.values().fold(Spent::default(), |mut sum, spent| {
            add(&mut sum, *spent);
            sum
        })
    }

    /// Probes that are left today for a target under its own cap and its provider's.
    pub fn left(&self, target: &Target, provider_cap: DailyCap) -> u32 {
        let provider = self.providers.get(&target.provider).copied().unwrap_or_default();
        probes(remaining(target.daily_cap, self.spent(&target.id)), target)
            .min(probes(remaining(provider_cap, provider), target))
    }

    /// The pace of a target that wants a probe every `interval`, where all targets of its provider together want
    /// `demand` of them in a second.
    pub fn pace(
        &self,
        target: &Target,
        provider_cap: DailyCap,
        interval: Duration,
        demand: Demand,
        now: Timestamp,
    ) -> Pace {
        let left = between(now, self.day_end()).as_secs_f64().max(1.0);
        let own = f64::from(probes(remaining(target.daily_cap, self.spent(&target.id)), target));
        let shared = remaining(provider_cap, self.providers.get(&target.provider).copied().unwrap_or_default());
        let stretch =
            (demand.requests * left / f64::from(shared.requests)).max(demand.tokens * left / f64::from(shared.tokens));
        let paced = scale(interval, stretch.max(1.0)).max(scale(Duration::from_secs(1), left / own));
        let spare_of_own = own - left / interval.as_secs_f64();
        let spare_of_shared = f64::from(shared.requests) - demand.requests * left;
        let spare_tokens = f64::from(shared.tokens) - demand.tokens * left;
        let is_spare =
            spare_of_own >= 1.0 && spare_of_shared >= 1.0 && spare_tokens >= f64::from(target.tokens_per_probe);
        Pace { steady: paced, recovery: if is_spare { Duration::ZERO } else { scale(paced, 0.5) } }
    }
}

/// What the targets of a provider want together in a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Requests a second.
    pub requests: f64,
    /// Tokens a second.
    pub tokens: f64,
}

/// The shortest waits that the budget allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Of the usual cycle.
    pub steady: Duration,
    /// Of a recovery.
    pub recovery: Duration,
}

/// The spending that stored samples of today stand for: pass those since [`day_start`].
pub fn spent_today<'a>(
    targets: &[Arc<Target>],
    samples: impl IntoIterator<Item = &'a Sample>,
) -> HashMap<TargetId, Spent> {
    // A probe of a target that we never probe was made by its tool, which has a budget of its own.
    let targets = targets.iter().filter(|target| target.probing != Probing::Never);
    let targets: HashMap<&TargetId, &Target> = targets.map(|target| (&target.id, &**target)).collect();
    let mut spent = HashMap::new();
    for sample in samples {
        if sample.source == Source::Probe
            && sample.kind != Kind::Skipped
            && !never_arrived(sample)
            && let Some(target) = targets.get(&sample.target)
        {
            add(spent.entry(target.id.clone()).or_default(), one_probe(target));
        }
    }
    spent
}

/// The first moment of the local day of `now`.
pub fn day_start(now: Timestamp, zone: &TimeZone) -> Timestamp {
    now.to_zoned_datetime(zone.clone()).start_of_day().map_or(now, |start| start.timestamp())
}

/// The classifier's rules for a connection that never stood. An answer that was lost on the way may have been paid for.
const NEVER_STOOD: [&str; 9] = [
    "connect-failed",
    "connect-timeout",
    "dns",
    "dns-timeout",
    "proxy-refused",
    "proxy-unreachable",
    "refused",
    "refused-here",
    "unreachable",
];

/// The rules of probes that were given up before anything was sent: no key, or a setting that cannot be used.
const NEVER_SENT: [&str; 4] = ["ca-file", "client-setup", KEY_MISSING, "proxy-setting"];

/// Whether nothing was sent at all.
pub fn was_never_sent(sample: &Sample) -> bool {
    NEVER_SENT.contains(&&*sample.rule)
}

/// Whether the request cannot have reached the provider, so that it cost nothing.
pub fn never_arrived(sample: &Sample) -> bool {
    was_never_sent(sample) || (sample.scope == Scope::Local && NEVER_STOOD.contains(&&*sample.rule))
}

/// What a probe cost that ended with `sample`: a last request that never arrived is not counted.
pub fn cost_of(sample: &Sample, target: &Target, spent: Spent) -> Spent {
    if !never_arrived(sample) {
        return spent;
    }
    let one = one_probe(target);
    Spent {
        requests: spent.requests.saturating_sub(one.requests),
        tokens: if spent.requests > 1 { spent.tokens.saturating_sub(one.tokens) } else { 0 },
    }
}

const fn one_probe(target: &Target) -> Spent {
    Spent { requests: 1, tokens: target.tokens_per_probe }
}

fn add(sum: &mut Spent, more: Spent) {
    sum.requests = sum.requests.saturating_add(more.requests);
    sum.tokens = sum.tokens.saturating_add(more.tokens);
}

const fn remaining(cap: DailyCap, spent: Spent) -> DailyCap {
    DailyCap { requests: cap.requests.saturating_sub(spent.requests), tokens: cap.tokens.saturating_sub(spent.tokens) }
}

fn probes(left: DailyCap, target: &Target) -> u32 {
    left.tokens.checked_div(target.tokens_per_probe).unwrap_or(u32::MAX).min(left.requests)
}
