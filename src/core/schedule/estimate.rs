//! What a plan will cost, before it is started.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::core::schedule::ScheduleConfig;
use crate::core::target::{DailyCap, Probing, ProviderId, Role, Target, TargetId};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Requests and estimated tokens of one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests a day.
    pub requests: u32,
    /// Tokens a day, in and out together.
    pub tokens: u32,
}

impl Cost {
    fn add(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}

/// The cost of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetEstimate {
    /// Whose.
    pub target: TargetId,
    /// A day without changes, all targets free and somebody looking.
    pub usual: Cost,
    /// The most a day can cost: the caps of the target and its provider.
    pub most: Cost,
}

/// The cost of all targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// One row a target, in the order given.
    pub targets: Vec<TargetEstimate>,
    /// Their sum on a usual day.
    pub usual: Cost,
    /// The most all of them can cost in a day; a provider's cap is counted once.
    pub most: Cost,
}

/// Estimates the daily cost of probing `targets`; on-demand targets and tools' subscriptions cost nothing by themselves.
pub fn estimate(
    targets: &[Arc<Target>],
    provider_caps: &HashMap<ProviderId, DailyCap>,
    config: &ScheduleConfig,
) -> Estimate {
    let cap_of = |provider: &ProviderId| provider_caps.get(provider).copied().unwrap_or(config.provider_cap);
    let mut wanted: HashMap<&ProviderId, (f64, f64)> = HashMap::new();
    for target in targets {
        let requests = usual_requests(target, config);
        let sum = wanted.entry(&target.provider).or_default();
        *sum = (sum.0 + requests, sum.1 + requests * f64::from(target.tokens_per_probe));
    }
    let mut estimate = Estimate::default();
    let mut most: HashMap<&ProviderId, Vec<Probes>> = HashMap::new();
    for target in targets {
        let cap = cap_of(&target.provider);
        let (requests, tokens) = wanted[&target.provider];
        let share = (f64::from(cap.requests) / requests).min(f64::from(cap.tokens) / tokens).min(1.0);
        let usual = cost(target, usual_requests(target, config) * if share.is_nan() { 1.0 } else { share });
        let ceiling = match target.probing {
            Probing::Scheduled => cost(target, most_requests(target, cap)),
            Probing::OnDemand | Probing::Never => Cost::default(),
        };
        estimate.usual = estimate.usual.add(usual);
        most.entry(&target.provider).or_default().push((ceiling.requests, target.tokens_per_probe));
        estimate.targets.push(TargetEstimate { target: target.id.clone(), usual, most: ceiling });
    }
    for (provider, probes) in most {
        estimate.most = estimate.most.add(within(probes, cap_of(provider)));
    }
    estimate
}

/// How often a target may be probed in a day, and what one probe of it takes.
type Probes = (u32, u32);

/// The most requests and the most tokens of probes that share a cap. Both limits of it hold at once: a day that is out of
/// tokens makes no more requests, and the other way round. The cheapest probes make the most requests, the dearest take the
/// most tokens.
fn within(mut probes: Vec<Probes>, cap: DailyCap) -> Cost {
    probes.retain(|(most, _)| *most > 0);
    probes.sort_unstable_by_key(|(_, tokens)| *tokens);
    let taken = |probes: &mut dyn Iterator<Item = &Probes>| {
        let (mut cost, mut is_short_of_tokens) = (Cost::default(), false);
        for (most, tokens) in probes {
            let wanted = (*most).min(cap.requests - cost.requests);
            let made = wanted.min((cap.tokens - cost.tokens) / (*tokens).max(1));
            is_short_of_tokens |= made < wanted;
            cost = cost.add(Cost { requests: made, tokens: made * tokens });
        }
        (cost, is_short_of_tokens)
    };
    let (cheap, _) = taken(&mut probes.iter());
    let (dear, is_short_of_tokens) = taken(&mut probes.iter().rev());
    // Some mixture of sizes may use the last token.
    let is_mixed = probes.windows(2).any(|pair| pair[0].1 != pair[1].1);
    let tokens = if is_short_of_tokens && is_mixed { cap.tokens } else { dear.tokens };
    Cost { requests: cheap.requests, tokens }
}

/// What is allowed in a day over all `targets` that are probed by the schedule: their limits within those of their
/// providers. `None` when none is. Unlike [`Estimate::most`] it does not ask whether so much can be used.
pub fn daily_limit(
    targets: &[Arc<Target>],
    provider_caps: &HashMap<ProviderId, DailyCap>,
    config: &ScheduleConfig,
) -> Option<DailyCap> {
    let mut by_provider: HashMap<&ProviderId, (u64, u64)> = HashMap::new();
    for target in targets.iter().filter(|target| target.probing == Probing::Scheduled) {
        let (requests, tokens) = by_provider.entry(&target.provider).or_default();
        *requests += u64::from(target.daily_cap.requests);
        *tokens += u64::from(target.daily_cap.tokens);
    }
    let (mut requests, mut tokens) = (0, 0);
    for (provider, sum) in &by_provider {
        let cap = provider_caps.get(*provider).unwrap_or(&config.provider_cap);
        requests += sum.0.min(u64::from(cap.requests));
        tokens += sum.1.min(u64::from(cap.tokens));
    }
    let whole = |sum| u32::try_from(sum).unwrap_or(u32::MAX);
    (!by_provider.is_empty()).then(|| DailyCap { requests: whole(requests), tokens: whole(tokens) })
}

/// How often a target is probed when nothing changes: the slow pace is for those that no chain needs.
pub(super) fn usual_interval(target: &Target, config: &ScheduleConfig) -> Duration {
    match target.role {
        Some(Role::Primary | Role::Backup) => config.steady(),
        Some(Role::Emergency) | None => config.slow(),
    }
}

fn usual_requests(target: &Target, config: &ScheduleConfig) -> f64 {
    match target.probing {
        Probing::Scheduled => {
            let plain = DAY.as_secs_f64() / usual_interval(target, config).as_secs_f64();
            plain.min(most_requests(target, target.daily_cap))
        }
        Probing::OnDemand | Probing::Never => 0.0,
    }
}

fn most_requests(target: &Target, provider: DailyCap) -> f64 {
    let by_tokens = |cap: DailyCap| f64::from(cap.tokens) / f64::from(target.tokens_per_probe.max(1));
    let within = |cap: DailyCap| f64::from(cap.requests).min(by_tokens(cap).floor());
    within(target.daily_cap).min(within(provider))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float saturates to the range of u32")]
fn cost(target: &Target, requests: f64) -> Cost {
    let requests = requests.round() as u32;
    Cost { requests, tokens: requests.saturating_mul(target.tokens_per_probe) }
}
