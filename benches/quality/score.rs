//! How far each method is from the truth.

use vacancy::core::sheet::Cell;

use super::record::{BASELINES, Quarter};
use super::world::{Planted, SLOTS, World};

/// Ours, and the baselines after it.
pub const METHODS: usize = BASELINES.len() + 1;

/// An error this small is none: two exact methods are equal.
const EXACT: f64 = 1e-6;

/// Sums over histories; each history counts the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    histories: f64,
    error: [f64; METHODS],
    brier: [f64; METHODS],
    covered: f64,
    seen: f64,
    width: f64,
}

impl Score {
    /// The score of one history; `quarters` is what the methods were given.
    pub fn of(planted: &Planted, world: &World, quarters: &[Quarter], ours: &[Cell; SLOTS]) -> Self {
        let mut score = Self { histories: 1.0, ..Self::default() };
        let mut estimates = vec![ours.map(|cell| cell.share)];
        estimates.extend(BASELINES.iter().map(|(_, estimate)| estimate(quarters)));
        for (method, estimate) in estimates.iter().enumerate() {
            let errors = estimate.iter().zip(&planted.truth).map(|(share, truth)| (share - truth).abs());
            score.error[method] = errors.sum::<f64>() / SLOTS as f64;
        }
        let minutes = planted.fresh_slots.len() as f64;
        for (is_free, slot) in world.fresh_week().zip(&planted.fresh_slots) {
            let came = f64::from(u8::from(is_free));
            let oracle = (planted.truth[*slot] - came).powi(2);
            for (method, estimate) in estimates.iter().enumerate() {
                score.brier[method] += ((estimate[*slot] - came).powi(2) - oracle) / minutes;
            }
        }
        let mut has_samples = [false; SLOTS];
        for quarter in quarters.iter().filter(|quarter| quarter.observed.counted > 0) {
            has_samples[quarter.slot] = true;
        }
        for slot in (0..SLOTS).filter(|slot| has_samples[*slot]) {
            let Cell { low, high, .. } = ours[slot];
            score.seen += 1.0;
            score.width += high - low;
            if (low..=high).contains(&planted.truth[slot]) {
                score.covered += 1.0;
            }
        }
        score
    }

    pub fn add(&mut self, other: &Self) {
        self.histories += other.histories;
        self.covered += other.covered;
        self.seen += other.seen;
        self.width += other.width;
        for method in 0..METHODS {
            self.error[method] += other.error[method];
            self.brier[method] += other.brier[method];
        }
    }

    /// Mean absolute error of a method over all slots.
    pub fn error(&self, method: usize) -> f64 {
        self.error[method] / self.histories
    }

    /// Mean squared error against what came in the fresh week, above that of the truth.
    pub fn brier(&self, method: usize) -> f64 {
        self.brier[method] / self.histories
    }

    /// Share of slots with samples whose interval holds the truth.
    pub fn coverage(&self) -> f64 {
        self.covered / self.seen.max(1.0)
    }

    /// Mean width of these intervals.
    pub fn width(&self) -> f64 {
        self.width / self.seen.max(1.0)
    }

    /// Our error over the best baseline's; 1 where both are exact.
    pub fn ratio(&self) -> f64 {
        let best = (1..METHODS).map(|method| self.error(method)).fold(f64::INFINITY, f64::min);
        (self.error(0) + EXACT) / (best + EXACT)
    }
}
