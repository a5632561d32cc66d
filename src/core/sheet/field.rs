//! A Gaussian field on the circle of the week: how the hours of a week hang together before anything was seen, and what is to
//! be believed of each after some were.
//!
//! The logit of the share of a slot is `m + f`, with `f` Gaussian, mean 0 and covariance
//!
//! ```text
//! K(s, t) = LEVEL + [same part] · part
//!         + Σ over ranges r of (daily_r + [same part] · parted_r) · κ_r(hours of the day) + weekly_r · κ_r(hours of the week)
//! ```
//!
//! `κ_r(gap) = exp(-gap / r)` over the shortest way around the day or the week, which is a covariance on a circle (unlike
//! smoother ones); it allows for edges, and habits have edges. The parts are weekdays and weekend. What was seen is
//! `f + noise`; its parts that neighbouring hours and hours of the same day have in common are fields as well.
//!
//! Sources: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1; Gneiting, Strictly and
//! non-strictly positive definite functions on spheres, Bernoulli 19 (2013), for `κ` on the circle.

/// Days of a week, and those from which on it is the weekend.
const DAYS: usize = 7;
const WEEKEND: usize = 5;
/// The variance of the level of a whole target: two units of the logit.
pub(super) const LEVEL: f64 = 4.0;
/// The ranges, in hours: how long a habit holds on.
const RANGES: [f64; 2] = [2.0, 6.0];
/// Range of what neighbouring hours have in common by chance, in hours.
const CHANCE_RANGE: f64 = 2.0;
/// Added to every variance of what was seen, so that a matrix can always be factored.
const JITTER: f64 = 1e-6;

/// How a target's week is made: the variances of the terms of the covariance, by range where they have one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Makeup {
    part: f64,
    daily: [f64; RANGES.len()],
    parted: [f64; RANGES.len()],
    weekly: [f64; RANGES.len()],
}

impl Makeup {
    /// Every kind of makeup that is thought of, of variance 1: several proportions, for each range.
    pub fn kinds() -> impl Iterator<Item = Self> {
        // What all days have in common, what the days of a part have, what is the week's alone, the level of a part.
        const PROPORTIONS: [[f64; 4]; 6] = [
            [1.0, 0.0, 0.0, 0.0],
            [0.6, 0.4, 0.0, 0.0],
            [0.3, 0.65, 0.0, 0.05],
            [0.3, 0.3, 0.35, 0.05],
            [0.1, 0.1, 0.8, 0.0],
            [0.1, 0.1, 0.1, 0.7],
        ];
        PROPORTIONS.into_iter().flat_map(|[daily, parted, weekly, part]: [f64; 4]| {
            (0..RANGES.len()).map(move |range| {
                let mut makeup = Self { part, ..Self::default() };
                makeup.daily[range] = daily;
                makeup.parted[range] = parted;
                makeup.weekly[range] = weekly;
                makeup
            })
        })
    }

    /// The same with all variances multiplied.
    pub fn of_variance(&self, variance: f64) -> Self {
        let mut makeup = Self::default();
        makeup.add(variance, self);
        makeup
    }

    /// Adds another one with a weight.
    pub fn add(&mut self, weight: f64, other: &Self) {
        self.part += weight * other.part;
        for range in 0..RANGES.len() {
            self.daily[range] += weight * other.daily[range];
            self.parted[range] += weight * other.parted[range];
            self.weekly[range] += weight * other.weekly[range];
        }
    }
}

/// What was seen, at some of `7 · per_day` points of the week.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Points a day.
    pub per_day: usize,
    /// The points with evidence, in order.
    pub at: Vec<usize>,
    /// Their logits, less the prior mean.
    pub values: Vec<f64>,
    /// Variances of the noise that each has alone.
    pub noise: Vec<f64>,
    /// Standard deviations of what neighbouring hours have in common by chance.
    pub nearby: Vec<f64>,
    /// Standard deviations of what the hours of a day have in common by chance.
    pub same_day: Vec<f64>,
}

/// The covariance by gap, in points.
#[derive(Debug)]
struct Covariance {
    per_day: usize,
    part: f32,
    daily: Vec<f32>,
    parted: Vec<f32>,
    weekly: Vec<f32>,
    nearby: Vec<f32>,
}

impl Covariance {
    fn new(makeup: &Makeup, per_day: usize) -> Self {
        let step = 24.0 / per_day as f64;
        let kernel = |gap: usize, points: usize, range: f64| (-(gap.min(points - gap) as f64) * step / range).exp();
        let table = |points: usize, variances: [f64; RANGES.len()]| {
            let of = |gap| {
                let sum: f64 =
                    RANGES.iter().zip(variances).map(|(range, variance)| variance * kernel(gap, points, *range)).sum();
                sum as f32
            };
            (0..points).map(of).collect()
        };
        let week = DAYS * per_day;
        Self {
            per_day,
            part: makeup.part as f32,
            daily: table(per_day, makeup.daily),
            parted: table(per_day, makeup.parted),
            weekly: table(week, makeup.weekly),
            nearby: (0..week).map(|gap| kernel(gap, week, CHANCE_RANGE) as f32).collect(),
        }
    }

    /// Of the field at two points.
    fn of(&self, a: usize, b: usize) -> f32 {
        let hours = (a % self.per_day).abs_diff(b % self.per_day);
        let is_same_part = (a / self.per_day < WEEKEND) == (b / self.per_day < WEEKEND);
        let parted = if is_same_part { self.part + self.parted[hours] } else { 0.0 };
        LEVEL as f32 + self.daily[hours] + parted + self.weekly[a.abs_diff(b)]
    }
}

/// What is believed after something was seen. Single precision is enough, as noise is never much smaller than the field, and
/// twice as quick.
#[derive(Debug)]
pub(super) struct Belief {
    covariance: Covariance,
    /// Lower factor of the seen points' covariance, row by row.
    factor: Vec<f32>,
    /// `factor⁻¹ · values`.
    whitened: Vec<f32>,
    /// Logarithm of the marginal likelihood, but for a constant.
    pub likelihood: f64,
}

impl Belief {
    /// What was seen under a makeup; `None` when the numbers do not allow it, which finite ones always do.
    pub fn new(makeup: &Makeup, seen: &Seen) -> Option<Self> {
        let covariance = Covariance::new(makeup, seen.per_day);
        let size = seen.at.len();
        let narrow = |values: &[f64]| -> Vec<f32> { values.iter().map(|value| *value as f32).collect() };
        let (nearby, same_day) = (narrow(&seen.nearby), narrow(&seen.same_day));
        let mut factor = vec![0.0; size * size];
        for (row, a) in seen.at.iter().enumerate() {
            let line = &mut factor[row * size..=row * size + row];
            for ((column, value), b) in line.iter_mut().enumerate().zip(&seen.at) {
                let mut chance = nearby[row] * nearby[column] * covariance.nearby[a - b];
                if a / seen.per_day == b / seen.per_day {
                    chance += same_day[row] * same_day[column];
                }
                *value = covariance.of(*a, *b) + chance;
            }
            line[row] += (seen.noise[row] + JITTER) as f32;
        }
        factorise(&mut factor, size)?;
        let mut whitened = narrow(&seen.values);
        solve(&factor, &mut whitened);
        let logs: f64 = (0..size).map(|point| f64::from(factor[point * size + point]).ln()).sum();
        let likelihood = -logs - 0.5 * f64::from(dot(&whitened, &whitened));
        Some(Self { covariance, factor, whitened, likelihood })
    }

    /// Of the points that were seen: the field with what they have in common by chance, less the prior mean.
    pub fn fitted(&self, seen: &Seen) -> Vec<f64> {
        let size = self.whitened.len();
        let mut weights = self.whitened.clone();
        for row in (0..size).rev() {
            let line = &self.factor[row * size..=row * size + row];
            weights[row] /= line[row];
            let (above, rest) = weights.split_at_mut(row);
            above.iter_mut().zip(line).for_each(|(weight, factor)| *weight -= factor * rest[0]);
        }
        let fitted = |((value, noise), weight): ((&f64, &f64), &f32)| value - noise * f64::from(*weight);
        seen.values.iter().zip(&seen.noise).zip(&weights).map(fitted).collect()
    }

    /// Mean (less the prior mean) and variance of the field at every point of the week.
    pub fn field(&self, seen: &Seen) -> Vec<(f64, f64)> {
        let mut with = vec![0.0; seen.at.len()];
        let of = |point| {
            with.iter_mut().zip(&seen.at).for_each(|(value, at)| *value = self.covariance.of(*at, point));
            solve(&self.factor, &mut with);
            let variance = self.covariance.of(point, point) - dot(&with, &with);
            (f64::from(dot(&with, &self.whitened)), f64::from(variance.max(0.0)))
        };
        (0..DAYS * self.covariance.per_day).map(of).collect()
    }
}

/// Cholesky's factor in place, below the diagonal and on it.
fn factorise(matrix: &mut [f32], size: usize) -> Option<()> {
    for row in 0..size {
        let (above, rest) = matrix.split_at_mut(row * size);
        let current = &mut rest[..=row];
        for column in 0..row {
            let other = &above[column * size..=column * size + column];
            current[column] = (current[column] - dot(&current[..column], &other[..column])) / other[column];
        }
        let left = current[row] - dot(&current[..row], &current[..row]);
        current[row] = if left > 0.0 { left.sqrt() } else { return None };
    }
    Some(())
}

/// Solves `factor · x = right` in place.
fn solve(factor: &[f32], right: &mut [f32]) {
    let size = right.len();
    for row in 0..size {
        let line = &factor[row * size..=row * size + row];
        right[row] = (right[row] - dot(&line[..row], &right[..row])) / line[row];
    }
}

/// The sum of products, in eight lanes, so that the compiler can use wide registers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; 8];
    let (wide_a, wide_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = wide_a.remainder().iter().zip(wide_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in wide_a.zip(wide_b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f32>() + rest
}
