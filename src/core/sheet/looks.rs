//! What was seen of each slot, put together over the weeks, and how much chance there is in it.
//!
//! - A week's share of a slot is a mean over its seen time `T`. Outages last about `τ` = [`OUTAGE_HOURS`], so that it varies by
//!   `p(1 - p) · g(T)` around the share `p` to be expected, with `g(T) = 2τ/T · (1 - τ/T · (1 - exp(-T/τ)))`: a single look is all
//!   or nothing, an hour less so (the variance of the time average of an exponentially correlated process).
//! - Weeks are weighed by `decay / g`, with a half-life of [`HALF_LIFE_DAYS`]; `looks` is the number of all-or-nothing looks with
//!   the same variance as their weighted mean (Kish's effective sample size).
//! - The noise factor of a target is how much the weeks of the same slot differ against that, with [`NOISE_LOOKS`] slots' worth
//!   of prior belief in 1.
//! - Good days and bad days: the variance, in units of the logit, of what the hours of a day have in common, from products of
//!   what parts of the same day, at least four hours apart, differ from their slots by; with a prior belief in
//!   [`DAY_VARIANCE`].

use super::slots::SLOTS;

/// After this many days evidence counts half.
const HALF_LIFE_DAYS: f64 = 56.0;
/// Correlation time of a target's state in hours.
const OUTAGE_HOURS: f64 = 0.5;
/// Variance `p(1 - p)` below which no slot is thought to be.
const LEAST_VARIANCE: f64 = 0.01;
/// How many slots' worth of evidence the prior belief in the noise is.
const NOISE_LOOKS: f64 = 20.0;
/// The range of the noise factor.
const NOISE_RANGE: (f64, f64) = (0.1, 3.0);
/// The variance of whole days that is expected, how much evidence that belief is worth, and the most that is believed.
const DAY_VARIANCE: f64 = 0.3;
const DAY_LOOKS: f64 = 4.0;
const MOST_DAY_VARIANCE: f64 = 2.0;
/// Parts of a day whose differences are multiplied, and their hours.
const PARTS: usize = 6;
const PART_HOURS: usize = 24 / PARTS;

/// Evidence of one week, by slot: hours seen free and hours seen.
pub(super) struct WeekSeen {
    /// Weeks since its middle, at the moment asked for; negative ages count as 0.
    pub age: f64,
    /// Hours seen free.
    pub up: [f32; SLOTS],
    /// Hours seen.
    pub seen: [f32; SLOTS],
}

/// A slot's own evidence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    /// The weighted share of all weeks.
    pub share: f64,
    /// How many looks that were all or nothing it is worth.
    pub looks: f64,
    /// How many weeks of the same weight it is worth.
    pub weeks: f64,
}

/// How much chance there is in what was seen of a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    /// Factor on the variance of a look.
    pub factor: f64,
    /// Variance of a whole day, in units of the logit.
    pub day: f64,
}

/// The weeks of a target with their weights.
pub(super) struct Weighed<'a> {
    weeks: &'a [WeekSeen],
    decay: Vec<f64>,
    /// `g` by minutes seen.
    spread: Vec<f64>,
}

impl<'a> Weighed<'a> {
    pub fn new(weeks: &'a [WeekSeen]) -> Self {
        let spread = |minutes: usize| {
            let x = minutes.max(1) as f64 / 60.0 / OUTAGE_HOURS;
            2.0 / x * (1.0 - (1.0 - (-x).exp()) / x)
        };
        let decay = |week: &WeekSeen| 0.5_f64.powf(week.age.max(0.0) * 7.0 / HALF_LIFE_DAYS);
        // The night an hour is repeated has two hours of the same name.
        Self { weeks, decay: weeks.iter().map(decay).collect(), spread: (0..=120).map(spread).collect() }
    }

    /// Of every week in which a slot was seen: its share, the variance factor of that, its decay.
    fn of(&self, slot: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        self.weeks.iter().zip(&self.decay).filter(move |(week, _)| week.seen[slot] > 0.0).map(move |(week, decay)| {
            let seen = f64::from(week.seen[slot]);
            let minutes = ((seen * 60.0) as usize).min(self.spread.len() - 1);
            (f64::from(week.up[slot]) / seen, self.spread[minutes], *decay)
        })
    }

    /// What was seen of each slot.
    pub fn own(&self) -> [Own; SLOTS] {
        std::array::from_fn(|slot| {
            let (mut up, mut weights, mut squares, mut decays, mut decay_squares) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for (share, spread, decay) in self.of(slot) {
                let weight = decay / spread;
                up += weight * share;
                weights += weight;
                squares += weight * weight * spread;
                decays += decay;
                decay_squares += decay * decay;
            }
            if weights <= 0.0 {
                return Own::default();
            }
            Own { share: up / weights, looks: weights * weights / squares, weeks: decays * decays / decay_squares }
        })
    }

    /// How much chance there is, given a guess of each slot's share.
    pub fn noise(&self, own: &[Own; SLOTS], guess: &[f64; SLOTS]) -> Noise {
        Noise { factor: self.noise_factor(own, guess), day: self.day_variance(own, guess) }
    }

    fn noise_factor(&self, own: &[Own; SLOTS], guess: &[f64; SLOTS]) -> f64 {
        let (mut found, mut expected) = (NOISE_LOOKS, NOISE_LOOKS);
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
                expected += (decays - lost / weights) * variance(guess[slot]);
            }
        }
        (found / expected).clamp(NOISE_RANGE.0, NOISE_RANGE.1)
    }

    fn day_variance(&self, own: &[Own; SLOTS], guess: &[f64; SLOTS]) -> f64 {
        let (mut found, mut unit) = (DAY_LOOKS * DAY_VARIANCE, DAY_LOOKS);
        let weeks = self.weeks.len() as f64;
        if self.weeks.len() < 2 {
            return DAY_VARIANCE;
        }
        for (week, day) in self.weeks.iter().flat_map(|week| (0..7).map(move |day| (week, day))) {
            // By part of the day: what it differs by, and what a unit of the logit would make it differ by.
            let mut parts = [(0.0, 0.0); PARTS];
            for slot in (day * 24..day * 24 + 24).filter(|slot| week.seen[*slot] > 0.0) {
                let part = &mut parts[slot % 24 / PART_HOURS];
                part.0 += f64::from(week.up[slot]) / f64::from(week.seen[slot]) - own[slot].share;
                part.1 += variance(guess[slot]);
            }
            for (index, late) in parts.iter().enumerate() {
                for early in &parts[..index.saturating_sub(1)] {
                    // What differs from its own mean differs too little.
                    found += late.0 * early.0 * weeks / (weeks - 1.0);
                    unit += late.1 * early.1;
                }
            }
        }
        (found / unit).clamp(0.0, MOST_DAY_VARIANCE)
    }
}

/// Variance of an all-or-nothing look.
fn variance(share: f64) -> f64 {
    (share * (1.0 - share)).max(LEAST_VARIANCE)
}
