//! From planted pressure to outages: what each model did in the simulated weeks, whether or not anybody looked.

use fastrand::Rng;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::demo::cast::{Member, State};

/// A time in which a model was not simply free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it began.
    pub from: Timestamp,
    /// When it ended.
    pub to: Timestamp,
    /// What it was like.
    pub state: State,
}

/// The state at a moment, from spans in order of time that do not overlap; outside of them the model is free.
pub fn state_at(spans: &[Span], at: Timestamp) -> State {
    let next = spans.partition_point(|span| span.from <= at);
    match next.checked_sub(1).and_then(|index| spans.get(index)) {
        Some(span) if at < span.to => span.state,
        _ => State::Free,
    }
}

/// Every offset of a zone from UTC is a multiple of it, so that one look at the local time serves for the whole step.
const STEP: SignedDuration = SignedDuration::from_mins(15);
/// The longest outage, in minutes: a lognormal length has no bound of its own.
const LONGEST_MINS: f64 = 300.0;

const MINS_OF_WEEK: f64 = 7.0 * 24.0 * 60.0;

/// What `member` did between two moments.
///
/// Outages begin by chance, at a rate that makes the share of time in them the planted one, times a factor of the week
/// and of the day: no two weeks are alike.
pub fn spans(member: &Member, from: Timestamp, to: Timestamp, zone: &TimeZone, rng: &mut Rng) -> Vec<Span> {
    let rhythm = &member.rhythm;
    let mean_mins = rhythm.median_mins * (rhythm.spread * rhythm.spread / 2.0).exp();
    let mut spans: Vec<Span> = Vec::new();
    let (mut week_factor, mut day_factor, mut day) = (1.0, 1.0, None);
    let mut step = from;
    while step < to {
        let local = step.to_zoned_datetime(zone.clone());
        if day != Some(local.date()) {
            day = Some(local.date());
            day_factor = 0.7 + 0.6 * rng.f64();
            if local.weekday() == Weekday::Monday {
                week_factor = 0.75 + 0.5 * rng.f64();
            }
        }
        let hour = f64::from(local.hour()) + f64::from(local.minute()) / 60.0;
        let share = (rhythm.pressure(local.weekday(), hour) * week_factor * day_factor).min(0.9);
        let fills = share / ((1.0 - share) * mean_mins);
        let breaks = rhythm.faults_weekly / MINS_OF_WEEK;
        let limits = rhythm.limits_weekly / MINS_OF_WEEK;
        for minute in 0..15 {
            let at = step + SignedDuration::from_mins(minute) + SignedDuration::from_millis(rng.i64(0..60_000));
            if spans.last().is_some_and(|last| at < last.to) {
                continue;
            }
            let chance = rng.f64();
            let (state, mins) = if chance < fills {
                (State::Full, lognormal(rhythm.median_mins, rhythm.spread, rng))
            } else if chance < fills + breaks {
                (State::Fault, lognormal(8.0, 0.6, rng))
            } else if chance < fills + breaks + limits {
                (State::Limited, lognormal(6.0, 0.4, rng))
            } else {
                continue;
            };
            let length = SignedDuration::from_secs_f64(mins.clamp(1.5, LONGEST_MINS) * 60.0);
            spans.push(Span { from: at, to: (at + length).min(to), state });
        }
        step += STEP;
    }
    spans
}

/// A draw from the lognormal distribution with this median.
pub(super) fn lognormal(median: f64, spread: f64, rng: &mut Rng) -> f64 {
    // Box and Muller; 1 - f64() is never 0.
    let normal = (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos();
    median * (spread * normal).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::cast::CAST;

    #[test]
    fn the_share_of_time_full_is_the_planted_one() {
        let zone = TimeZone::UTC;
        let from = Timestamp::from_second(1_767_571_200).expect("a Monday in 2026");
        let weeks = 200;
        let to = from + SignedDuration::from_hours(weeks * 168);
        for member in &CAST {
            let spans = spans(member, from, to, &zone, &mut Rng::with_seed(7));
            for pair in spans.windows(2) {
                assert!(pair[0].to <= pair[1].from, "{}", member.model);
            }
            // One busy working hour of the primary and the mean over the whole week of each.
            let full: f64 = spans
                .iter()
                .filter(|span| span.state == State::Full)
                .map(|span| span.to.duration_since(span.from).as_secs_f64())
                .sum();
            let seen = full / to.duration_since(from).as_secs_f64();
            let mut planted = 0.0;
            for day in Weekday::Monday.cycle_forward().take(7) {
                for quarter in 0..96 {
                    planted += member.rhythm.pressure(day, f64::from(quarter) / 4.0) / 672.0;
                }
            }
            assert!((seen - planted).abs() < 0.25 * planted + 0.005, "{}: {seen:.3}, not {planted:.3}", member.model);
        }
    }

    #[test]
    fn the_state_is_that_of_the_span() {
        let at = |second| Timestamp::from_second(second).expect("in range");
        let spans = [
            Span { from: at(10), to: at(20), state: State::Full },
            Span { from: at(20), to: at(30), state: State::Fault },
        ];
        let cases = [(9, State::Free), (10, State::Full), (19, State::Full), (20, State::Fault), (30, State::Free)];
        for (second, state) in cases {
            assert_eq!(state_at(&spans, at(second)), state, "{second}");
        }
    }
}
