//! The estimate of each slot's share, with its interval.
//!
//! 1. **One share per slot and week**, weighed by what it tells; how much chance there is in it ([`super::looks`]).
//! 2. **A Gaussian field** of logits over the week circle ([`super::field`]), for what all days have in common, what weekdays and
//!    the weekend have, and what the week has alone. On the scale of the logit a quiet hour's small differences and a busy
//!    hour's large ones are of one size, and what was seen tells of each by its own variance.
//! 3. **How alike the hours are** is learned: every makeup of the field is believed by its marginal likelihood (Bayesian
//!    model averaging; Hoeting and others, Statistical Science 14, 1999), on three hours at a time, which is twenty times
//!    quicker, and only the likely kinds at all variances. The mean makeup, by belief, is then asked on hours: it does as well
//!    as the mean of the answers.
//!    Where the hours do not follow the hours beside them, a part that each hour has alone is tried too.
//! 4. **Laplace's approximation**: what was seen is taken for Gaussian around the fitted share, twice (Rasmussen and Williams,
//!    section 3.4). Chance that hours have in common is fitted as well, so that a bad day does not pull the share of its hours.
//! 5. **The interval** is the central 80 % of the field's logit.
//!
//! A target that was never seen to fail (or never to answer) has that share exactly, after about a day of evidence.
//!
//! Why not the Beta posterior per slot with a prior from its pool, which is simpler: the pools have to be chosen beforehand,
//! and each choice loses on some shapes of week. The field learns how far to pool, and what was seen an hour away counts as
//! much as it proved to be worth.

use super::field::{Belief, Evidence, LEVEL, Makeup, Seen};
use super::looks::{Noise, Own, WeekSeen, Weighed};
use super::slots::SLOTS;

/// The share that is expected of an unknown target: most are free most of the time.
const PRIOR_SHARE: f64 = 0.85;
/// No share is taken for closer to 0 or 1 where what was seen is weighed.
const LEAST_SHARE: f64 = 0.01;
/// Variance, in units of the logit, of what neighbouring hours of a week have in common by chance.
const NEARBY_VARIANCE: f64 = 0.5;
/// The variance at which kinds of makeup are compared first, in units of the logit, and the others.
const MIDDLING: f64 = 2.0;
const VARIANCES: [f64; 3] = [0.05, 0.5, 7.0];
/// Kinds whose likelihood is so much (its logarithm) below the best's are not asked at other variances.
const LIKELY: f64 = 4.0;
/// Correlation of the looks at two hours that are put together.
const PAIR_CORRELATION: f64 = 0.4;
/// Looks after which a target that was seen in one state alone is taken to have that share.
const SURE_LOOKS: f64 = 20.0;
/// The power that likelihoods are raised to: a mean of makeups is as rough as its roughest part, so that unlikely ones are to
/// weigh less than in a mean of answers. Fitted on tuning seeds of the quality bench, as are the constants above.
const SHARPNESS: f64 = 1.5;
/// Half the width of an 80 % interval of a normal distribution, in standard deviations.
const Z80: f64 = 1.281_551_565_545;
/// What intervals are widened by, as what is assumed of chance is never quite so: on tuning seeds, and on planted weeks with
/// much quieter hours, both ends of the range of outcomes cover about as far from 80 %.
const WIDEN: f64 = 1.04;
/// The misfit up to which hours are taken to hang together, the variances of what an hour may have alone, and the odds (as a
/// logarithm) that it has nothing.
const FOLLOWED: f64 = 0.7;
const LONE: [f64; 3] = [0.3, 1.0, 3.0];
const LONE_ODDS: f64 = 1.0;
/// Hours that are put together while makeups are compared, and how many points a day that gives.
const COARSE: usize = 3;
const COARSE_A_DAY: usize = 24 / COARSE;

/// What is believed of one slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// Estimates all slots.
pub(super) fn shares(weeks: &[WeekSeen]) -> [Share; SLOTS] {
    let weighed = Weighed::new(weeks);
    let own = weighed.own();
    let looks: f64 = own.iter().map(|own| own.looks).sum();
    let free: f64 = own.iter().map(|own| own.looks * own.share).sum();
    if looks > 0.0 && (free <= 0.0 || own.iter().all(|own| own.looks <= 0.0 || own.share >= 1.0)) {
        return unmixed(&own, looks, free > 0.0);
    }
    let mut guess = pooled(&own);
    let noise = weighed.noise(&own, &guess);
    let field = learn(&own, &mut guess, noise).unwrap_or_else(|| vec![(0.0, LEVEL); SLOTS]);
    std::array::from_fn(|slot| {
        let (mean, variance) = field[slot];
        let (mean, reach) = (logit(PRIOR_SHARE) + mean, WIDEN * Z80 * variance.sqrt());
        Share { share: share(mean), low: share(mean - reach), high: share(mean + reach) }
    })
}

/// The field of logits less that of the prior share: mean and variance of each slot. `None` when nothing was seen.
fn learn(own: &[Own; SLOTS], guess: &mut [f64; SLOTS], noise: Noise) -> Option<Vec<(f64, f64)>> {
    let coarse: Vec<Own> = own.chunks_exact(COARSE).map(together).collect();
    let coarse_guess: Vec<f64> =
        guess.chunks_exact(COARSE).map(|hours| hours.iter().sum::<f64>() / COARSE as f64).collect();
    let seen = seen(COARSE_A_DAY, &coarse, &coarse_guess, noise)?;
    let makeup = believed(&seen);
    let first = self::seen(24, own, guess, noise)?;
    let (makeup, fitted) = followed(makeup, &first)?;
    for (slot, fitted) in first.at.iter().zip(fitted) {
        guess[*slot] = share(logit(PRIOR_SHARE) + fitted);
    }
    let second = self::seen(24, own, guess, noise)?;
    Some(Belief::new(&makeup, &second)?.field(&second))
}

/// What the hours are fitted to, and by which makeup: with something that each hour has alone where the hours beside it do not
/// explain what was seen, as much as makes it likeliest.
fn followed(makeup: Makeup, seen: &Seen) -> Option<(Makeup, Vec<f64>)> {
    let smooth = Belief::new(&makeup, seen)?;
    let fitted = smooth.fitted(seen);
    if Belief::misfit(seen, &fitted) <= FOLLOWED {
        return Some((makeup, fitted));
    }
    let mut best = (smooth.likelihood + LONE_ODDS, makeup, fitted);
    for lone in LONE {
        let makeup = makeup.with_lone(lone);
        let belief = Belief::new(&makeup, seen)?;
        if belief.likelihood > best.0 {
            best = (belief.likelihood, makeup, belief.fitted(seen));
        }
    }
    let (_, makeup, fitted) = best;
    Some((makeup, fitted))
}

/// The mean makeup, by belief: every kind at a middling variance, then the likely kinds at the others.
fn believed(seen: &Seen) -> Makeup {
    let ask = |makeup: Makeup| Some((SHARPNESS * (Belief::new(&makeup, seen)?.likelihood + makeup.odds), makeup));
    let best_of =
        |beliefs: &[(f64, Makeup)]| beliefs.iter().map(|(likelihood, _)| *likelihood).fold(f64::NEG_INFINITY, f64::max);
    let mut beliefs: Vec<_> = Makeup::kinds().filter_map(|kind| ask(kind.of_variance(MIDDLING))).collect();
    let likely = best_of(&beliefs) - LIKELY;
    let kinds: Vec<Makeup> =
        beliefs.iter().filter(|(likelihood, _)| *likelihood >= likely).map(|(_, makeup)| *makeup).collect();
    for variance in VARIANCES {
        beliefs.extend(kinds.iter().filter_map(|kind| ask(kind.of_variance(variance / MIDDLING))));
    }
    let best = best_of(&beliefs);
    let sum: f64 = beliefs.iter().map(|(likelihood, _)| (likelihood - best).exp()).sum();
    let mut mean = Makeup::default();
    for (likelihood, makeup) in &beliefs {
        mean.add((likelihood - best).exp() / sum, makeup);
    }
    mean
}

/// What a field is to be told, around a guess of the shares; `None` when nothing was seen.
fn seen(per_day: usize, own: &[Own], guess: &[f64], noise: Noise) -> Option<Seen> {
    let of = |(at, (own, guess)): (usize, (&Own, &f64))| {
        let guess = guess.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        let variance = guess * (1.0 - guess);
        (own.looks > 0.0).then(|| Evidence {
            at,
            value: logit(guess) + (own.share - guess) / variance - logit(PRIOR_SHARE),
            noise: noise.factor / (own.looks * variance),
            nearby: NEARBY_VARIANCE / own.weeks,
            same_day: noise.day / own.weeks,
        })
    };
    let evidence: Vec<_> = own.iter().zip(guess).enumerate().filter_map(of).collect();
    (!evidence.is_empty()).then(|| Seen::new(per_day, &evidence))
}

/// Hours put together.
fn together(hours: &[Own]) -> Own {
    let looks: f64 = hours.iter().map(|own| own.looks).sum();
    if looks <= 0.0 {
        return Own::default();
    }
    let neighbours: f64 = hours.windows(2).map(|pair| (pair[0].looks * pair[1].looks).sqrt()).sum();
    Own {
        share: hours.iter().map(|own| own.share * own.looks).sum::<f64>() / looks,
        looks: looks / (1.0 + 2.0 * PAIR_CORRELATION * neighbours / looks),
        weeks: hours.iter().map(|own| own.weeks).fold(0.0, f64::max),
    }
}

/// A first guess of every slot: its own looks, the same hours of its days (weekdays or weekend), those of the others, and the
/// hours around them, with falling weights; one look's worth of the whole target.
fn pooled(own: &[Own; SLOTS]) -> [f64; SLOTS] {
    const HOURS_NEAR: f64 = 0.8;
    const SAME_PART: f64 = 0.4;
    const OTHER_PART: f64 = 0.15;
    let part = |slot: usize| usize::from(slot / 24 >= 5);
    let (mut all, mut looks) = (PRIOR_SHARE, 1.0);
    let mut hours = [[(0.0, 0.0); 24]; 2];
    for (slot, own) in own.iter().enumerate() {
        let free = own.share * own.looks;
        let hour = &mut hours[part(slot)][slot % 24];
        *hour = (hour.0 + free, hour.1 + own.looks);
        (all, looks) = (all + free, looks + own.looks);
    }
    let near: [f64; 24] = std::array::from_fn(|gap| (-(gap.min(24 - gap) as f64) / HOURS_NEAR).exp());
    let around = |part: usize, hour: usize| {
        hours[part].iter().enumerate().fold((0.0, 0.0), |sum, (other, (free, looks))| {
            let weight = near[hour.abs_diff(other)];
            (sum.0 + weight * free, sum.1 + weight * looks)
        })
    };
    let around: [[(f64, f64); 24]; 2] = std::array::from_fn(|part| std::array::from_fn(|hour| around(part, hour)));
    std::array::from_fn(|slot| {
        let (same, other) = (around[part(slot)][slot % 24], around[1 - part(slot)][slot % 24]);
        let alone = (1.0 - SAME_PART) * own[slot].looks;
        let free = all / looks + alone * own[slot].share + SAME_PART * same.0 + OTHER_PART * other.0;
        free / (1.0 + alone + SAME_PART * same.1 + OTHER_PART * other.1)
    })
}

/// A target that was seen in one state alone: that share, once there are [`SURE_LOOKS`], before that one nearer to the prior
/// (which weighs one look); and an interval that ends where one in five would have shown another state in as many looks
/// (those of other slots count a tenth).
fn unmixed(own: &[Own; SLOTS], looks: f64, is_free: bool) -> [Share; SLOTS] {
    let doubt = (1.0 - looks / SURE_LOOKS).max(0.0) / (1.0 + looks);
    std::array::from_fn(|slot| {
        let edge = 0.2_f64.powf(1.0 / (1.0 + own[slot].looks + 0.1 * looks));
        if is_free {
            let share = 1.0 - (1.0 - PRIOR_SHARE) * doubt;
            Share { share, low: edge.min(share), high: 1.0 }
        } else {
            let share = PRIOR_SHARE * doubt;
            Share { share, low: 0.0, high: (1.0 - edge).max(share) }
        }
    })
}

fn logit(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}

/// The share of a logit.
fn share(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
