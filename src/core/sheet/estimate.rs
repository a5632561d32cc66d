//! The estimate of each slot's share, with its interval.
//!
//! 1. **One share per slot and week.** A week's share of a slot is a mean over its seen time `T`. Outages last about
//!    `τ` = [`OUTAGE_HOURS`], so that a share over `T` varies by `p(1 - p) · g(T)` with
//!    `g(T) = 2τ/T · (1 - τ/T · (1 - exp(-T/τ)))`: a single look is all or nothing, an hour less so (the variance of the time
//!    average of an exponentially correlated process). Weeks are weighted by `decay / g`, with a half-life of
//!    [`HALF_LIFE_DAYS`].
//! 2. **Noise.** One factor a target, from how much the weeks of the same slot differ against what was expected, with
//!    [`NOISE_WEIGHT`] slots' worth of prior belief in 1. Neighbouring hours share outages and bad days, so that their noise is
//!    correlated.
//! 3. **A Gaussian field** over the week circle ([`super::field`]) with several experts: all hours alike, days alike,
//!    weekdays unlike the weekend, one day unlike the others, every hour on its own. Each is believed by its marginal
//!    likelihood (Bayesian model averaging; Hoeting and others 1999). Experts are weighed on pairs of hours, which is eight times quicker, and
//!    the few that matter are asked again on hours.
//! 4. **The interval** is the central 80 % of the mixture's variance on the scale of `asin √p`, on which the variance of a
//!    share does not depend on the share; widened by a factor that was fitted on planted weeks.
//!
//! What was seen of a slot itself, its neighbours and the same hour of other days are thus weighed by how alike they
//! proved to be; where nothing was seen the field gives the pooled estimate and a wide interval.

use super::field::{Belief, Expert, Seen};
use super::slots::SLOTS;

/// Evidence of one week, by slot: hours seen free and hours seen.
pub(super) struct WeekSeen {
    /// Weeks since its Monday, at the moment asked for; negative ages count as 0.
    pub age: f64,
    /// Hours seen free.
    pub up: [f32; SLOTS],
    /// Hours seen.
    pub seen: [f32; SLOTS],
}

/// What is believed of one slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// After this many days evidence counts half.
const HALF_LIFE_DAYS: f64 = 56.0;
/// Correlation time of a target's state in hours: about the mean length of an outage.
const OUTAGE_HOURS: f64 = 0.4;
/// Correlation of the noise of neighbouring hours, falling geometrically.
const NEIGHBOURS: f64 = 0.25;
/// Correlation of the noise of two hours of the same day: good days and bad days.
const SAME_DAY: f64 = 0.03;
/// The share that is expected of an unknown target.
const PRIOR_SHARE: f64 = 0.85;
/// Variance `p(1 - p)` below which no slot is thought to be.
const LEAST_VARIANCE: f64 = 0.01;
/// How many slots' worth of evidence the expected noise is.
const NOISE_WEIGHT: f64 = 5.0;
/// Experts believed less than this, against the best, are not asked again.
const LEAST_BELIEF: f64 = 0.05;
/// Half the width of an 80 % interval in standard deviations.
const Z80: f64 = 1.281_551_565_545;
/// Monday to Friday, as days of an expert's part.
const WEEKDAYS: u8 = 0b001_1111;

/// A slot's evidence of all weeks: the weighted share, and how many looks that were all or nothing it is worth.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    share: f64,
    looks: f64,
}

/// Estimates all slots.
pub(super) fn shares(weeks: &[WeekSeen]) -> [Share; SLOTS] {
    let weighed = Weighed::new(weeks);
    let own = weighed.own();
    let mut pilot = pilot(&own);
    let noise = weighed.noise(&own, &pilot);
    let pairs = in_pairs(&own, &pilot);
    let Some(seen) = field_of(12, &pairs.own, &pairs.pilot, noise) else { return unknown() };
    let experts = experts(&own);
    let beliefs: Vec<_> = experts.iter().filter_map(|expert| Belief::new(*expert, &seen)).collect();
    let kept = strongest(beliefs);
    for (pair, (mean, _)) in mixture(&kept, &seen.at).into_iter().enumerate() {
        pilot[pair * 2] = mean;
        pilot[pair * 2 + 1] = mean;
    }
    let Some(seen) = field_of(24, &own, &pilot, noise) else { return unknown() };
    let odds = kept.iter().filter_map(|(belief, weight)| Some((Belief::new(belief.expert(), &seen)?, *weight)));
    let believed = mixture(&odds.collect::<Vec<_>>(), &seen.at);
    let mut shares = unknown();
    for (share, (mean, variance)) in shares.iter_mut().zip(believed) {
        *share = interval(mean.clamp(0.0, 1.0), variance, weeks.len());
    }
    shares
}

fn unknown() -> [Share; SLOTS] {
    [interval(PRIOR_SHARE, 0.09, 1); SLOTS]
}

/// The 80 % interval on the scale of `asin √p`.
fn interval(share: f64, variance: f64, weeks: usize) -> Share {
    let widen = INTERVAL_FACTOR + INTERVAL_FACTOR_WEEKS / weeks as f64;
    let angle = share.sqrt().asin();
    let spread = Z80 * widen * variance.sqrt() / (2.0 * (share * (1.0 - share)).max(0.002).sqrt());
    let at = |angle: f64| angle.clamp(0.0, std::f64::consts::FRAC_PI_2).sin().powi(2);
    Share { share, low: at(angle - spread).min(share), high: at(angle + spread).max(share) }
}

/// What intervals are widened by, and what is added to it a week of evidence; fitted on planted weeks (seeds 1-20 of the
/// quality bench).
const INTERVAL_FACTOR: f64 = 1.0;
const INTERVAL_FACTOR_WEEKS: f64 = 0.0;

struct Weighed<'a> {
    weeks: &'a [WeekSeen],
    /// `g` by minutes seen.
    spread: Vec<f64>,
    /// Of each week, and of the hours within a week.
    decay: Vec<f64>,
}

impl<'a> Weighed<'a> {
    fn new(weeks: &'a [WeekSeen]) -> Self {
        let spread = |minutes: usize| {
            let x = minutes.max(1) as f64 / 60.0 / OUTAGE_HOURS;
            2.0 / x * (1.0 - (1.0 - (-x).exp()) / x)
        };
        let decay = |week: &WeekSeen| 0.5_f64.powf(week.age.max(0.0) * 7.0 / HALF_LIFE_DAYS);
        Self { weeks, spread: (0..=180).map(spread).collect(), decay: weeks.iter().map(decay).collect() }
    }

    /// Of a slot, of every week with evidence: share, variance of an all-or-nothing look, decay.
    fn of(&self, slot: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        self.weeks.iter().zip(&self.decay).filter(move |(week, _)| week.seen[slot] > 0.0).map(move |(week, decay)| {
            let seen = f64::from(week.seen[slot]);
            let minutes = ((seen * 60.0) as usize).min(self.spread.len() - 1);
            (f64::from(week.up[slot]) / seen, self.spread[minutes], *decay)
        })
    }

    fn own(&self) -> [Own; SLOTS] {
        std::array::from_fn(|slot| {
            let (mut up, mut weights, mut squares) = (0.0, 0.0, 0.0);
            for (share, spread, decay) in self.of(slot) {
                let weight = decay / spread;
                up += weight * share;
                weights += weight;
                squares += weight * weight * spread;
            }
            if weights > 0.0 { Own { share: up / weights, looks: weights * weights / squares } } else { Own::default() }
        })
    }

    /// How much more (or less) weeks differ than expected.
    fn noise(&self, own: &[Own; SLOTS], pilot: &[f64; SLOTS]) -> f64 {
        let (mut found, mut expected) = (NOISE_WEIGHT, NOISE_WEIGHT);
        for slot in 0..SLOTS {
            let (mut squares, mut decays, mut weights, mut lost, mut weeks) = (0.0, 0.0, 0.0, 0.0, 0);
            for (share, spread, decay) in self.of(slot) {
                let weight = decay / spread;
                squares += weight * (share - own[slot].share).powi(2);
                decays += decay;
                weights += weight;
                lost += weight * weight * spread;
                weeks += 1;
            }
            if weeks > 1 {
                found += squares;
                expected += (decays - lost / weights) * variance(pilot[slot]);
            }
        }
        (found / expected).clamp(0.1, 3.0)
    }
}

/// Variance of an all-or-nothing look.
fn variance(share: f64) -> f64 {
    (share * (1.0 - share)).max(LEAST_VARIANCE)
}

/// A first guess of every slot, from the same hour of all days and the hours around it.
fn pilot(own: &[Own; SLOTS]) -> [f64; SLOTS] {
    let (mut all, mut looks) = (PRIOR_SHARE, 1.0);
    let mut hours = [(0.0, 0.0); 24];
    for (slot, own) in own.iter().enumerate() {
        all += own.share * own.looks;
        looks += own.looks;
        hours[slot % 24].0 += own.share * own.looks;
        hours[slot % 24].1 += own.looks;
    }
    let level = all / looks;
    let guess = |hour: usize| {
        let (mut up, mut weights) = (2.0 * level, 2.0);
        for (other, (other_up, other_looks)) in hours.iter().enumerate() {
            let gap = hour.abs_diff(other);
            let near = (-(gap.min(24 - gap) as f64) / 1.5).exp();
            up += near * other_up;
            weights += near * other_looks;
        }
        up / weights
    };
    let by_hour: [f64; 24] = std::array::from_fn(guess);
    std::array::from_fn(|slot| by_hour[slot % 24])
}

struct Pairs {
    own: Vec<Own>,
    pilot: Vec<f64>,
}

/// Hours put together by two. The noise of both is correlated.
fn in_pairs(own: &[Own; SLOTS], pilot: &[f64; SLOTS]) -> Pairs {
    let put = |pair: &[Own]| {
        let looks = pair[0].looks + pair[1].looks;
        if looks <= 0.0 {
            return Own::default();
        }
        let shared = 2.0 * (NEIGHBOURS + SAME_DAY) * (pair[0].looks * pair[1].looks).sqrt() / looks;
        let share = (pair[0].share * pair[0].looks + pair[1].share * pair[1].looks) / looks;
        Own { share, looks: looks / (1.0 + shared) }
    };
    Pairs {
        own: own.chunks_exact(2).map(put).collect(),
        pilot: pilot.chunks_exact(2).map(|pair| pair[0].midpoint(pair[1])).collect(),
    }
}

/// What a field is to be told; `None` when nothing was seen.
fn field_of(per_day: usize, own: &[Own], pilot: &[f64], noise: f64) -> Option<Seen> {
    let at: Vec<usize> = (0..own.len()).filter(|point| own[*point].looks > 0.0).collect();
    let hours = 24.0 / per_day as f64;
    let correlation = |gap: usize| match gap {
        0 => 1.0,
        _ => (1.0 - SAME_DAY) * NEIGHBOURS.powf(gap as f64 * hours) + SAME_DAY * (1.0 - gap as f64 / per_day as f64),
    };
    (!at.is_empty()).then(|| Seen {
        per_day,
        residuals: at.iter().map(|point| own[*point].share - PRIOR_SHARE).collect(),
        noise: at.iter().map(|point| noise * variance(pilot[*point].clamp(0.02, 0.98)) / own[*point].looks).collect(),
        noise_correlation: (0..per_day).map(correlation).collect(),
        at,
    })
}

/// The experts that are asked.
fn experts(own: &[Own; SLOTS]) -> Vec<Expert> {
    let flat = Expert { daily: 0.0, parted: 0.0, part: WEEKDAYS, weekly: 0.0, single: 0.0, odds: 0.0 };
    let mut experts = vec![flat];
    let odd = odd_day(own);
    for scale in [0.08, 0.2, 0.35] {
        let of = |daily: f64, parted: f64, part: u8, weekly: f64, single: f64, odds: f64| Expert {
            daily: daily * scale,
            parted: parted * scale,
            part,
            weekly: weekly * scale,
            single,
            odds,
        };
        experts.extend([
            of(1.0, 0.05, WEEKDAYS, 0.05, 0.0, 0.0),
            of(0.7, 0.7, WEEKDAYS, 0.05, 0.0, 0.0),
            of(0.4, 0.8, odd, 0.05, 0.0, -1.0),
            of(0.6, 0.6, WEEKDAYS, 0.4, 0.03, 0.0),
            of(0.3, 0.2, WEEKDAYS, 0.9, 0.03, -1.0),
        ]);
    }
    experts
}

/// The day that is most unlike the others, as a part of its own.
fn odd_day(own: &[Own; SLOTS]) -> u8 {
    let mut hours = [(0.0, 0.0); 24];
    for (slot, own) in own.iter().enumerate() {
        hours[slot % 24].0 += own.share * own.looks;
        hours[slot % 24].1 += own.looks;
    }
    let unlike = |day: usize| -> f64 {
        let of = |hour: usize| {
            let Own { share, looks } = own[day * 24 + hour];
            let others = hours[hour].1 - looks;
            if looks <= 0.0 || others <= 0.0 {
                return 0.0;
            }
            let other = (hours[hour].0 - share * looks) / others;
            (share - other).powi(2) * looks * others / (looks + others)
        };
        (0..24).map(of).sum()
    };
    (0..7).max_by(|a, b| unlike(*a).total_cmp(&unlike(*b))).map_or(WEEKDAYS, |day| 1 << day)
}

/// The beliefs that matter, with weights that sum to 1.
fn strongest(beliefs: Vec<Belief>) -> Vec<(Belief, f64)> {
    let best = beliefs.iter().map(|belief| belief.likelihood).fold(f64::NEG_INFINITY, f64::max);
    let weigh = |belief: Belief| {
        let weight = (belief.likelihood - best).exp();
        (weight >= LEAST_BELIEF).then_some((belief, weight))
    };
    let mut kept: Vec<_> = beliefs.into_iter().filter_map(weigh).collect();
    let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
    kept.iter_mut().for_each(|(_, weight)| *weight /= sum);
    kept
}

/// Mean share and variance of every point under weighted beliefs.
fn mixture(beliefs: &[(Belief, f64)], at: &[usize]) -> Vec<(f64, f64)> {
    let all: Vec<_> = beliefs.iter().map(|(belief, weight)| (belief.posterior(at), *weight)).collect();
    let points = all.first().map_or(0, |(points, _)| points.len());
    let mix = |point: usize| {
        let mean: f64 = all.iter().map(|(points, weight)| weight * points[point].0).sum();
        let spread =
            |(points, weight): &(Vec<(f64, f64)>, f64)| weight * (points[point].1 + (points[point].0 - mean).powi(2));
        (PRIOR_SHARE + mean, all.iter().map(spread).sum())
    };
    (0..points).map(mix).collect()
}
