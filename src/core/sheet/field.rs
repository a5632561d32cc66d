//! A Gaussian field on the circle of the week: the prior of how the hours of a week hang together, and what is to be
//! believed of each after some were seen.
//!
//! The share of slot `s` on day `d` at hour `h` is `m + f(s)`, with `f` Gaussian, mean 0 and covariance
//!
//! ```text
//! K(s, t) = LEVEL² + κ(h, h') · (daily² + parted² · [same part]) + weekly² · κ(s, t) + single² · [s = t]
//! ```
//!
//! `κ` is the Matérn kernel of order 3/2 over the distance in hours, wrapped around the day or the week (summed over
//! turns: the shortest way alone would be no covariance). The days are in two parts, such as weekdays and weekend. How large each term is depends on the [`Expert`]; their marginal
//! likelihoods tell how much each is to be believed.
//!
//! Sources: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1 and equation 4.17; the
//! sum of daily and weekly terms is that of MacKay's periodic kernels.

/// Days of a week.
const DAYS: usize = 7;

/// How far the level of a whole target may lie from the prior mean.
const LEVEL: f64 = 0.3;
/// The range of κ in hours.
const RANGE: f64 = 4.0;
/// Added to every noise variance, so that a matrix can always be factored.
const JITTER: f64 = 1e-6;

/// One opinion of how a target's week is made: standard deviations of the terms of the covariance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expert {
    /// Of what all days have in common.
    pub daily: f64,
    /// Of what the days of one part have in common.
    pub parted: f64,
    /// Which days (bit 0 = Monday) are the one part.
    pub part: u8,
    /// Of what moves through the week as a whole.
    pub weekly: f64,
    /// Of what a single hour has alone.
    pub single: f64,
    /// Logarithm of the prior odds.
    pub odds: f64,
}

/// What was seen, at `7 · per_day` points of the week.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Points a day: 24, or 12 for pairs of hours.
    pub per_day: usize,
    /// The points with evidence.
    pub at: Vec<usize>,
    /// Their shares, less the prior mean.
    pub residuals: Vec<f64>,
    /// Their noise variances.
    pub noise: Vec<f64>,
    /// Correlation of the noise by distance in points within the week; the first is 1.
    pub noise_correlation: Vec<f64>,
}

/// The belief of one expert after it has seen.
#[derive(Debug)]
pub(super) struct Belief {
    per_day: usize,
    covariance: Covariance,
    /// Lower factor of the seen points' covariance, row by row.
    factor: Vec<f64>,
    /// `factor⁻¹ · residuals`.
    whitened: Vec<f64>,
    /// Logarithm of the marginal likelihood and the prior odds, but for a constant.
    pub likelihood: f64,
}

#[derive(Debug)]
struct Covariance {
    expert: Expert,
    daily: Vec<f64>,
    weekly: Vec<f64>,
    per_day: usize,
}

impl Covariance {
    fn new(expert: Expert, per_day: usize) -> Self {
        let step = 24.0 / per_day as f64;
        let wrapped = |gap: usize, points: usize| -> f64 {
            (-2..=2).map(|turn| matern((gap as f64 + f64::from(turn) * points as f64).abs() * step)).sum()
        };
        let circle = |points| (0..points).map(|gap| wrapped(gap, points) / wrapped(0, points)).collect();
        Self { expert, daily: circle(per_day), weekly: circle(DAYS * per_day), per_day }
    }

    fn of(&self, a: usize, b: usize) -> f64 {
        let Expert { daily, parted, part, weekly, single, .. } = self.expert;
        let (day_a, day_b) = (a / self.per_day, b / self.per_day);
        let hours = self.daily[(a % self.per_day).abs_diff(b % self.per_day)];
        let is_same_part = (part >> day_a) & 1 == (part >> day_b) & 1;
        let by_hour = daily * daily + if is_same_part { parted * parted } else { 0.0 };
        let own = if a == b { single * single } else { 0.0 };
        LEVEL * LEVEL + hours * by_hour + weekly * weekly * self.weekly[a.abs_diff(b)] + own
    }
}

fn matern(hours: f64) -> f64 {
    let scaled = 3_f64.sqrt() * hours / RANGE;
    (1.0 + scaled) * (-scaled).exp()
}

impl Belief {
    /// What an expert believes of what was seen; `None` when the numbers do not allow it, which they always should.
    pub fn new(expert: Expert, seen: &Seen) -> Option<Self> {
        let covariance = Covariance::new(expert, seen.per_day);
        let points = seen.at.len();
        let deviations: Vec<f64> = seen.noise.iter().map(|variance| variance.sqrt()).collect();
        let circle = DAYS * seen.per_day;
        let mut factor = vec![0.0; points * points];
        for (row, a) in seen.at.iter().enumerate() {
            for (column, b) in seen.at[..=row].iter().enumerate() {
                let gap = a - b;
                let correlation = seen.noise_correlation.get(gap.min(circle - gap)).copied().unwrap_or(0.0);
                factor[row * points + column] =
                    covariance.of(*a, *b) + correlation * deviations[row] * deviations[column];
            }
            factor[row * points + row] += JITTER;
        }
        factorise(&mut factor, points)?;
        let mut whitened = seen.residuals.clone();
        solve(&factor, &mut whitened);
        let logs: f64 = (0..points).map(|point| factor[point * points + point].ln()).sum();
        let likelihood = expert.odds - logs - 0.5 * dot(&whitened, &whitened);
        Some(Self { per_day: seen.per_day, covariance, factor, whitened, likelihood })
    }

    /// Whose it is.
    pub const fn expert(&self) -> Expert {
        self.covariance.expert
    }

    /// Mean (less the prior mean) and variance of every point of the week.
    pub fn posterior(&self, at: &[usize]) -> Vec<(f64, f64)> {
        let mut with = vec![0.0; at.len()];
        let of = |point| {
            for (value, seen) in with.iter_mut().zip(at) {
                *value = self.covariance.of(*seen, point);
            }
            solve(&self.factor, &mut with);
            let variance = self.covariance.of(point, point) - dot(&with, &with);
            (dot(&with, &self.whitened), variance.max(0.0))
        };
        (0..DAYS * self.per_day).map(of).collect()
    }
}

/// Cholesky's factor in place, below the diagonal and on it.
fn factorise(matrix: &mut [f64], size: usize) -> Option<()> {
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
fn solve(factor: &[f64], right: &mut [f64]) {
    let size = right.len();
    for row in 0..size {
        let line = &factor[row * size..=row * size + row];
        right[row] = (right[row] - dot(&line[..row], &right[..row])) / line[row];
    }
}

/// The sum of products, in eight lanes, so that the compiler can use wide registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (wide_a, wide_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = wide_a.remainder().iter().zip(wide_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in wide_a.zip(wide_b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest
}
