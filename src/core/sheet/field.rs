//! A Gaussian field on the circle of the week: how the hours of a week hang together before anything was seen, and what is to
//! be believed of each after some were.
//!
//! The logit of the share of a slot is `m + f`, with `f` Gaussian, mean 0 and covariance
//!
//! ```text
//! K(s, t) = LEVEL + [same part] · part
//!         + Σ over ranges r of (daily_r + [same part] · parted_r) · κ_r(hours of the day) + weekly_r · κ_r(hours of the week)
//!         + [s = t] · lone
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
/// The odds, as a logarithm, that all days are alike: the simplest habit is the likeliest.
const DAILY_ODDS: f64 = 1.0;
/// Range of what neighbouring hours have in common by chance, in hours.
const CHANCE_RANGE: f64 = 2.0;
/// Added to every variance of what was seen, so that a matrix can always be factored.
const JITTER: f64 = 1e-4;
/// Rows that are taken from those below them in one go: each number is fetched and stored once for all of them.
const BLOCK: usize = 4;

/// How a target's week is made: the variances of the terms of the covariance, by range where they have one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Makeup {
    /// Logarithm of the odds that it is thought of with before anything was seen.
    pub odds: f64,
    part: f64,
    daily: [f64; RANGES.len()],
    parted: [f64; RANGES.len()],
    weekly: [f64; RANGES.len()],
    /// What each hour of the week has alone.
    lone: f64,
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
                let odds = if daily < 1.0 { 0.0 } else { DAILY_ODDS };
                let mut makeup = Self { odds, part, ..Self::default() };
                makeup.daily[range] = daily;
                makeup.parted[range] = parted;
                makeup.weekly[range] = weekly;
                makeup
            })
        })
    }

    /// The same with all variances multiplied.
    pub fn of_variance(&self, variance: f64) -> Self {
        let mut makeup = Self { odds: self.odds, ..Self::default() };
        makeup.add(variance, self);
        makeup
    }

    /// The same with hours that have something alone, of this variance.
    pub fn with_lone(&self, lone: f64) -> Self {
        Self { lone, ..*self }
    }

    /// Adds another one with a weight.
    pub fn add(&mut self, weight: f64, other: &Self) {
        self.part += weight * other.part;
        self.lone += weight * other.lone;
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
    per_day: usize,
    /// The points with evidence, in order.
    pub at: Vec<usize>,
    /// Their logits, less the prior mean.
    values: Vec<f32>,
    /// Variances of the noise that each has alone.
    noise: Vec<f32>,
    /// The covariance of all chance, noise included: row by row from the diagonal on.
    chance: Vec<f32>,
}

/// Evidence at one point of the week.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// Which point.
    pub at: usize,
    /// Its logit, less the prior mean.
    pub value: f64,
    /// Variance of the noise that it has alone.
    pub noise: f64,
    /// Variance of what it has in common with neighbouring hours by chance.
    pub nearby: f64,
    /// Variance of what it has in common with the hours of its day by chance.
    pub same_day: f64,
}

impl Seen {
    /// Evidence in the order of its points.
    pub fn new(per_day: usize, evidence: &[Evidence]) -> Self {
        let week = DAYS * per_day;
        let near: Vec<f64> = (0..week).map(|gap| kernel(gap, week, 24.0 / per_day as f64, CHANCE_RANGE)).collect();
        let mut chance = Vec::with_capacity(evidence.len() * (evidence.len() + 1) / 2);
        for (row, one) in evidence.iter().enumerate() {
            for other in &evidence[row..] {
                let nearby = (one.nearby * other.nearby).sqrt() * near[other.at - one.at];
                let is_same_day = one.at / per_day == other.at / per_day;
                let same_day = if is_same_day { (one.same_day * other.same_day).sqrt() } else { 0.0 };
                let own = if one.at == other.at { one.noise + JITTER } else { 0.0 };
                chance.push((nearby + same_day + own) as f32);
            }
        }
        Self {
            per_day,
            at: evidence.iter().map(|one| one.at).collect(),
            values: evidence.iter().map(|one| one.value as f32).collect(),
            noise: evidence.iter().map(|one| one.noise as f32).collect(),
            chance,
        }
    }
}

/// `κ` over the shortest way around a circle of points that are `step` hours apart.
fn kernel(gap: usize, points: usize, step: f64, range: f64) -> f64 {
    (-(gap.min(points - gap) as f64) * step / range).exp()
}

/// The covariance of the field, by gap in points.
#[derive(Debug)]
struct Covariance {
    per_day: usize,
    /// By gap in hours of the day: of days of different parts, and of the same.
    by_hour: [Vec<f32>; 2],
    weekly: Vec<f32>,
}

impl Covariance {
    fn new(makeup: &Makeup, per_day: usize) -> Self {
        let step = 24.0 / per_day as f64;
        let of = |gap: usize, points: usize, variances: [f64; RANGES.len()]| -> f64 {
            RANGES.iter().zip(variances).map(|(range, variance)| variance * kernel(gap, points, step, *range)).sum()
        };
        let other = |gap: usize| LEVEL + of(gap, per_day, makeup.daily);
        let same = |gap: usize| other(gap) + makeup.part + of(gap, per_day, makeup.parted);
        let week = DAYS * per_day;
        let mut weekly: Vec<_> = (0..week).map(|gap| of(gap, week, makeup.weekly) as f32).collect();
        weekly[0] += makeup.lone as f32;
        Self {
            per_day,
            by_hour: [
                (0..per_day).map(|gap| other(gap) as f32).collect(),
                (0..per_day).map(|gap| same(gap) as f32).collect(),
            ],
            weekly,
        }
    }

    /// Of one point with some in order.
    fn fill(&self, point: usize, others: &[usize], row: &mut [f32]) {
        let (day, hour) = (point / self.per_day, point % self.per_day);
        let mut midnight = 0;
        let mut by_hour = &self.by_hour[usize::from(day < WEEKEND)];
        for (value, other) in row.iter_mut().zip(others) {
            while *other >= midnight + self.per_day {
                midnight += self.per_day;
                by_hour = &self.by_hour[usize::from((day < WEEKEND) == (midnight < WEEKEND * self.per_day))];
            }
            *value = by_hour[hour.abs_diff(other - midnight)] + self.weekly[point.abs_diff(*other)];
        }
    }

    /// Of any point with itself.
    fn variance(&self) -> f32 {
        self.by_hour[1][0] + self.weekly[0]
    }
}

/// What is believed after something was seen.
#[derive(Debug)]
pub(super) struct Belief {
    covariance: Covariance,
    /// Upper factor of the seen points' covariance, row by row.
    factor: Vec<f32>,
    /// `factorᵀ⁻¹ · values`.
    whitened: Vec<f32>,
    /// Logarithm of the marginal likelihood, but for a constant.
    pub likelihood: f64,
}

impl Belief {
    /// What was seen under a makeup; `None` when the numbers do not allow it, which finite ones always do.
    pub fn new(makeup: &Makeup, seen: &Seen) -> Option<Self> {
        let covariance = Covariance::new(makeup, seen.per_day);
        let size = seen.at.len();
        let mut factor = vec![0.0; size * size];
        let mut chance = seen.chance.iter();
        for (row, at) in seen.at.iter().enumerate() {
            let line = &mut factor[row * size + row..(row + 1) * size];
            covariance.fill(*at, &seen.at[row..], line);
            line.iter_mut().zip(&mut chance).for_each(|(value, chance)| *value += chance);
        }
        factorise(&mut factor, size)?;
        let mut whitened = seen.values.clone();
        solve(&factor, &mut whitened);
        let logs: f64 = (0..size).map(|point| f64::from(factor[point * size + point]).ln()).sum();
        let likelihood = -logs - 0.5 * f64::from(dot(&whitened, &whitened));
        Some(Self { covariance, factor, whitened, likelihood })
    }

    /// How far what was seen lies from what is fitted, in variances of its own noise: below 1 where the field can follow it.
    pub fn misfit(seen: &Seen, fitted: &[f64]) -> f64 {
        let of =
            |((value, noise), fitted): ((&f32, &f32), &f64)| (f64::from(*value) - fitted).powi(2) / f64::from(*noise);
        seen.values.iter().zip(&seen.noise).zip(fitted).map(of).sum::<f64>() / fitted.len() as f64
    }

    /// Of the points that were seen: the field with what they have in common by chance, less the prior mean.
    pub fn fitted(&self, seen: &Seen) -> Vec<f64> {
        let size = self.whitened.len();
        let mut weights = self.whitened.clone();
        for row in (0..size).rev() {
            let line = &self.factor[row * size + row..(row + 1) * size];
            weights[row] = (weights[row] - dot(&line[1..], &weights[row + 1..])) / line[0];
        }
        let fitted = |((value, noise), weight): ((&f32, &f32), &f32)| f64::from(value - noise * weight);
        seen.values.iter().zip(&seen.noise).zip(&weights).map(fitted).collect()
    }

    /// Mean (less the prior mean) and variance of the field at every point of the week.
    pub fn field(&self, seen: &Seen) -> Vec<(f64, f64)> {
        let mut with = vec![0.0; seen.at.len()];
        let of = |point| {
            self.covariance.fill(point, &seen.at, &mut with);
            solve(&self.factor, &mut with);
            let variance = self.covariance.variance() - dot(&with, &with);
            (f64::from(dot(&with, &self.whitened)), f64::from(variance.max(0.0)))
        };
        (0..DAYS * self.covariance.per_day).map(of).collect()
    }
}

/// Cholesky's upper factor in place, from the upper half. Rows are taken from the rows below them as soon as they are known,
/// so that no sum waits for another one.
fn factorise(matrix: &mut [f32], size: usize) -> Option<()> {
    for first in (0..size).step_by(BLOCK) {
        let rows = BLOCK.min(size - first);
        let (block, below) = matrix[first * size..].split_at_mut(rows * size);
        for row in 0..rows {
            let (done, later) = block.split_at_mut((row + 1) * size);
            let line = &mut done[row * size + first + row..];
            if line[0].is_nan() || line[0] <= 0.0 {
                return None;
            }
            let scale = 1.0 / line[0].sqrt();
            line.iter_mut().for_each(|value| *value *= scale);
            for (gap, other) in (1..).zip(later.chunks_exact_mut(size)) {
                take(line[gap], &line[gap..], &mut other[first + row + gap..]);
            }
        }
        // Below a block that is not whole there is nothing.
        for (at, other) in (first + rows..).zip(below.chunks_exact_mut(size)) {
            let other = &mut other[at..];
            let lines: [&[f32]; BLOCK] = std::array::from_fn(|row| &block[row * size + at..][..other.len()]);
            let times = lines.map(|line| line[0]);
            for (column, value) in other.iter_mut().enumerate() {
                *value = times.iter().zip(lines).fold(*value, |value, (times, line)| value - times * line[column]);
            }
        }
    }
    Some(())
}

/// Solves `factorᵀ · x = right` in place.
fn solve(factor: &[f32], right: &mut [f32]) {
    let size = right.len();
    for row in 0..size {
        let line = &factor[row * size + row..(row + 1) * size];
        let (known, rest) = right[row..].split_at_mut(1);
        known[0] /= line[0];
        take(known[0], &line[1..], rest);
    }
}

/// Takes a multiple of one row from another.
fn take(times: f32, row: &[f32], from: &mut [f32]) {
    from.iter_mut().zip(row).for_each(|(value, other)| *value -= times * other);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_times_itself_is_the_matrix() {
        for size in 1..=3 * BLOCK + 1 {
            let of =
                |row: usize, column: usize| (-(row.abs_diff(column) as f32) / 3.0).exp() + f32::from(row == column);
            let mut factor: Vec<f32> = (0..size * size).map(|at| of(at / size, at % size)).collect();
            factorise(&mut factor, size).unwrap();
            for (row, column) in (0..size).flat_map(|row| (row..size).map(move |column| (row, column))) {
                let product: f32 = (0..=row).map(|k| factor[k * size + row] * factor[k * size + column]).sum();
                assert!((product - of(row, column)).abs() < 1e-5, "{size}: {row} {column}");
            }
        }
        assert_eq!(factorise(&mut [1.0, 2.0, 2.0, 1.0], 2), None, "no covariance");
    }
}
