//! The past of the demo: the planted weeks, seen as the real schedule would have seen them.
//!
//! Probes come every ten minutes while a model is free and faster while it is not; the computer is off in most nights
//! and on some days, and offline at times; a coding tool's log adds evidence in working hours. Verdicts are those of the
//! real classifier on the loopback provider's real answers.

use std::collections::HashMap;

use fastrand::Rng;
use jiff::civil::{Weekday, time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};
use serde_json::json;

use crate::core::classify::{RuleSet, classify};
use crate::core::exchange::Timing;
use crate::core::outcome::Outcome;
use crate::core::sample::{Sample, Source};
use crate::core::schedule::SkipReason;
use crate::core::target::{Dialect, Role, TargetId};
use crate::demo::cast::{CAST, Member, State};
use crate::demo::live;
use crate::demo::rhythm::{Span, lognormal, spans, state_at};
use crate::loopback::Tempo;
use crate::loopback::answer::{Answer, answer};
use crate::loopback::route::{Ask, Form};

/// Which past.
#[derive(Clone, Debug)]
pub struct Past {
    /// What chance is made of.
    pub seed: u64,
    /// When it ends.
    pub now: Timestamp,
    /// In whose hours the rhythm is planted.
    pub zone: TimeZone,
    /// How long it is.
    pub weeks: u32,
    /// How it ends.
    pub ending: Ending,
}

/// How the past ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As [`live`] begins: the primary model is free.
    Live,
    /// The primary model has been full for 22 minutes: what a picture is to show.
    Full,
}

const fn mins(mins: i64) -> SignedDuration {
    SignedDuration::from_mins(mins)
}

/// The samples of a past, in order of time.
pub fn history(past: &Past) -> Vec<Sample> {
    let from = past.now - SignedDuration::from_hours(i64::from(past.weeks) * 168);
    let mut rng = Rng::with_seed(past.seed);
    let on = presence(past, from, &mut rng);
    let mut samples = Vec::new();
    for member in &CAST {
        let mut truth = spans(member, from, past.now, &past.zone, &mut rng.fork());
        plant_ending(&mut truth, member, past);
        let mut observer = Observer::new(member, past, &truth, rng.fork());
        for stay in &on {
            observer.watch(stay);
        }
        if member.role == Role::Primary {
            observer.work(&on);
        }
        samples.append(&mut observer.samples);
    }
    samples.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.target.cmp(&b.target)));
    samples
}

/// A time in which the computer was on and online, and why it ended; `None` where the past ends.
struct Stay {
    from: Timestamp,
    to: Timestamp,
    ended_by: Option<SkipReason>,
}

/// When the computer was on. It was on for the whole last day, so that the board's strip is full.
fn presence(past: &Past, from: Timestamp, rng: &mut Rng) -> Vec<Stay> {
    let last_day = past.now - SignedDuration::from_hours(26);
    let mut days: Vec<(Timestamp, Timestamp)> = Vec::new();
    let mut midnight: ZonedDateTime = from.to_zoned_datetime(past.zone.clone());
    midnight = midnight.start_of_day().unwrap_or(midnight);
    while midnight.timestamp() < past.now {
        let is_weekend = matches!(midnight.weekday(), Weekday::Saturday | Weekday::Sunday);
        let at = |hours: i8, extra: i64| {
            midnight.with().time(time(hours, 0, 0, 0)).build().map_or(midnight.timestamp(), |local| local.timestamp())
                + mins(extra)
        };
        let on = at(if is_weekend { 9 } else { 7 }, rng.i64(0..90));
        // Some nights the computer is left on.
        let off = if rng.f64() < 0.35 { at(23, 600) } else { at(22, rng.i64(15..120)) };
        if rng.f64() > 0.05 {
            days.push((on, off));
        }
        let Ok(next) = midnight.tomorrow() else { break };
        midnight = next;
    }
    days.push((last_day, past.now));
    days.sort_unstable();
    let mut stays: Vec<Stay> = Vec::new();
    for (on, off) in days {
        let (on, off) = (on.max(from), off.min(past.now));
        if on >= off {
            continue;
        }
        match stays.last_mut() {
            Some(last) if on <= last.to => last.to = last.to.max(off),
            _ => stays.push(Stay { from: on, to: off, ended_by: Some(SkipReason::Asleep) }),
        }
    }
    let mut all = Vec::new();
    for mut stay in stays {
        let length = stay.to.duration_since(stay.from);
        // Now and then the network is gone for a while.
        if rng.f64() < 0.12 && stay.to <= last_day && length > mins(240) {
            let lost = stay.from + mins(rng.i64(60..length.as_mins() - 120));
            all.push(Stay { from: stay.from, to: lost, ended_by: Some(SkipReason::Offline) });
            stay.from = lost + mins(rng.i64(20..70));
        }
        if stay.to >= past.now {
            stay.ended_by = None;
        }
        all.push(stay);
    }
    all
}

/// Replaces the last two hours by what is to be seen at the end.
fn plant_ending(truth: &mut Vec<Span>, member: &Member, past: &Past) {
    let before = |m: i64| past.now - mins(m);
    let span = |from: i64, to: i64, state| Span { from: before(from), to: before(to), state };
    truth.retain(|span| span.from < before(120));
    if let Some(last) = truth.last_mut() {
        last.to = last.to.min(before(120));
    }
    match (member.role, member.script.states.first(), past.ending) {
        (Role::Primary, _, Ending::Live) => truth.push(span(96, 58, State::Full)),
        (Role::Primary, _, Ending::Full) => truth.extend([span(110, 84, State::Full), span(22, -1, State::Full)]),
        (_, Some((_, State::Limited)), _) => truth.push(span(3, -1, State::Limited)),
        (_, Some((_, State::Spent)), _) => {
            truth.retain(|span| span.from < before(540));
            if let Some(last) = truth.last_mut() {
                last.to = last.to.min(before(540));
            }
            truth.push(span(540, -1, State::Spent));
        }
        _ => {}
    }
}

/// The verdict on a state and its HTTP status.
struct Verdict {
    status: Option<u16>,
    outcome: Outcome,
}

/// Looks at one member and keeps what it saw.
struct Observer<'a> {
    member: &'a Member,
    past: &'a Past,
    truth: &'a [Span],
    target: TargetId,
    verdicts: HashMap<State, Verdict>,
    rng: Rng,
    samples: Vec<Sample>,
    /// The state of the newest probe and how often in a row it was seen.
    run: Option<(State, u32)>,
}

impl<'a> Observer<'a> {
    fn new(member: &'a Member, past: &'a Past, truth: &'a [Span], rng: Rng) -> Self {
        let rules = RuleSet::builtin();
        let states = [State::Free, State::Slow, State::Full, State::Fault, State::Limited, State::Spent].into_iter();
        let verdicts = states.map(|state| (state, verdict(member, state, &rules, past.now))).collect();
        Self {
            member,
            past,
            truth,
            target: TargetId::from(member.model),
            verdicts,
            rng,
            samples: Vec::new(),
            run: None,
        }
    }

    /// Probes through one stay, as the schedule would.
    fn watch(&mut self, stay: &Stay) {
        let mut at = stay.from + SignedDuration::from_millis(self.rng.i64(2_000..20_000));
        while at < stay.to {
            let state = state_at(self.truth, at);
            // Waiting does not bring money back: the schedule stops.
            if state == State::Spent && self.run.is_some_and(|(last, count)| last == state && count >= 2) {
                return;
            }
            self.push(Source::Probe, at, state);
            let count = match self.run {
                Some((last, count)) if last == state => count + 1,
                _ => 1,
            };
            self.run = Some((state, count));
            let pause = self.pause(state, count);
            at = self.no_later_than_planted(at, at + pause);
        }
        if let Some(reason) = stay.ended_by {
            self.samples.push(reason.sample(self.target.clone(), stay.to));
        }
    }

    /// Until the next probe.
    fn pause(&mut self, state: State, count: u32) -> SignedDuration {
        let seconds = match state {
            // A change is confirmed soon.
            _ if count == 1 && self.samples.len() > 1 => 20.0 + 20.0 * self.rng.f64(),
            State::Free | State::Slow | State::Spent => self.around(600.0),
            State::Limited => self.around(90.0),
            State::Full | State::Fault if self.member.role == Role::Primary => {
                let grown = 60.0 * 1.3_f64.powi(i32::try_from(count).unwrap_or(i32::MAX).min(12) - 2);
                self.around(grown.clamp(60.0, 240.0))
            }
            State::Full | State::Fault => self.around(480.0),
        };
        SignedDuration::from_secs_f64(seconds)
    }

    /// What is still going on at the end was seen soon after it began: the board is to show it.
    fn no_later_than_planted(&mut self, last: Timestamp, next: Timestamp) -> Timestamp {
        match self.truth.last() {
            Some(span) if span.to > self.past.now && (last..next).contains(&span.from) => {
                (span.from + SignedDuration::from_millis(self.rng.i64(1_000..12_000))).min(next)
            }
            _ => next,
        }
    }

    /// Give or take a fifth.
    fn around(&mut self, seconds: f64) -> f64 {
        seconds * (0.8 + 0.4 * self.rng.f64())
    }

    /// Adds what a coding tool's log shows: requests in bursts, in working hours.
    fn work(&mut self, on: &[Stay]) {
        for stay in on {
            let mut at = stay.from;
            loop {
                at += SignedDuration::from_secs_f64(self.around(5_400.0));
                let end = at + SignedDuration::from_secs_f64(self.around(2_400.0));
                if end >= stay.to {
                    break;
                }
                let local = at.to_zoned_datetime(self.past.zone.clone());
                let is_work = !matches!(local.weekday(), Weekday::Saturday | Weekday::Sunday);
                if !is_work || !(9..19).contains(&local.hour()) {
                    continue;
                }
                while at < end {
                    let state = state_at(self.truth, at);
                    self.push(Source::ToolLog, at, state);
                    // A person gives up for a while when refused.
                    at += SignedDuration::from_secs_f64(self.around(if state == State::Free { 120.0 } else { 400.0 }));
                }
            }
        }
    }

    fn push(&mut self, source: Source, at: Timestamp, state: State) {
        let state = if state == State::Free && self.rng.f64() < 0.01 { State::Slow } else { state };
        let is_answer = matches!(state, State::Free | State::Slow);
        let usual = f64::from(self.member.first_token_ms);
        let first = is_answer.then(|| {
            let late = if state == State::Slow { 7_000.0 } else { 0.0 };
            late + lognormal(usual, 0.28, &mut self.rng)
        });
        let total = first.unwrap_or_else(|| 90.0 + 500.0 * self.rng.f64()) + 40.0 + 260.0 * self.rng.f64();
        let is_probe = source == Source::Probe;
        let timing = Timing {
            connect_ms: is_probe.then(|| self.rng.u32(18..70)),
            headers_ms: None,
            first_token_ms: first.map(whole_ms),
            total_ms: Some(whole_ms(total)),
        };
        let Some(verdict) = self.verdicts.get(&state) else { return };
        let status = is_probe.then_some(verdict.status).flatten();
        self.samples.push(Sample::new(self.target.clone(), source, at, status, timing, &verdict.outcome));
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
fn whole_ms(ms: f64) -> u32 {
    ms.clamp(0.0, 600_000.0) as u32
}

/// What the classifier says of a member's answer in a state.
fn verdict(member: &Member, state: State, rules: &RuleSet, now: Timestamp) -> Verdict {
    let form = match member.dialect {
        Dialect::OllamaChat => Form::Ndjson,
        _ => Form::Sse,
    };
    let ask = Ask { dialect: member.dialect, model: member.model.to_owned(), form, body: json!({}), serial: 0 };
    let reply = live::reply(member, state, std::time::Duration::ZERO);
    let answer = answer(&ask, reply, Tempo::default());
    let status = match &answer {
        Answer::Http { status, .. } => Some(*status),
        Answer::Raw(_) => None,
    };
    Verdict { status, outcome: classify(member.dialect, &answer.exchange(now), rules) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::bucket::{self, Point};

    fn past(ending: Ending) -> Past {
        Past {
            seed: crate::demo::SEED,
            now: "2026-10-06T12:27:00Z".parse().expect("a moment"),
            zone: TimeZone::get("Europe/Berlin").expect("a zone of the bundled database"),
            weeks: 6,
            ending,
        }
    }

    #[test]
    fn a_seed_and_a_moment_decide_everything() {
        let (one, two) = (history(&past(Ending::Live)), history(&past(Ending::Live)));
        assert_eq!(one, two);
        let other = history(&Past { seed: 1, ..past(Ending::Live) });
        assert_ne!(one, other);
    }

    #[test]
    fn samples_are_in_order_within_the_weeks_and_irregular() {
        let past = past(Ending::Live);
        let samples = history(&past);
        assert!((20_000..80_000).contains(&samples.len()), "{}", samples.len());
        assert!(samples.is_sorted_by_key(|sample| sample.at));
        let from = past.now - SignedDuration::from_hours(6 * 168);
        assert!(samples.iter().all(|sample| sample.at >= from && sample.at <= past.now));
        for member in &CAST {
            let mut last = None;
            let (mut short, mut long) = (0, 0);
            for sample in samples.iter().filter(|sample| sample.target.as_str() == member.model) {
                if let Some(last) = last {
                    let pause = sample.at.duration_since(last);
                    short += u32::from(pause < mins(2));
                    long += u32::from(pause > mins(60));
                }
                last = Some(sample.at);
            }
            assert!(short > 20, "{}: an outage is looked at more often", member.model);
            assert!((10..80).contains(&long), "{}: {long} nights and gaps", member.model);
        }
    }

    #[test]
    fn the_planted_rhythm_is_what_the_samples_show() {
        let past = Past { weeks: 40, ..past(Ending::Live) };
        let samples = history(&past);
        for member in &CAST[..4] {
            let mut points: Vec<Point> = samples
                .iter()
                .filter(|sample| sample.target.as_str() == member.model)
                .map(|sample| Point {
                    at_ms: sample.at.as_millisecond(),
                    kind: sample.kind,
                    is_counted: sample.is_counted(),
                    first_token_ms: sample.first_token_ms,
                })
                .collect();
            // Hours of working days by observed and by full milliseconds.
            let mut hours = [(0.0, 0.0); 24];
            for span in bucket::spans(&mut points) {
                let from = Timestamp::from_millisecond(span.time.start).expect("in range");
                let local = from.to_zoned_datetime(past.zone.clone());
                if !matches!(local.weekday(), Weekday::Saturday | Weekday::Sunday) {
                    let (seen, full) = &mut hours[usize::try_from(local.hour()).expect("an hour")];
                    let length = (span.time.end - span.time.start) as f64;
                    *seen += length;
                    *full += if span.state == bucket::State::Full { length } else { 0.0 };
                }
            }
            // An outage that began in a busy hour goes on into the next: no hour is exact, the day's course is.
            let errors = (9_u32..22).zip(hours.into_iter().skip(9)).map(|(hour, (seen, full))| {
                let quarters = (0..4).map(|quarter| f64::from(hour) + f64::from(quarter) / 4.0);
                let planted: f64 =
                    quarters.map(|hour| member.rhythm.pressure(Weekday::Tuesday, hour)).sum::<f64>() / 4.0;
                (full / seen - planted).abs()
            });
            let error = errors.sum::<f64>() / 13.0;
            assert!(error < 0.06, "{}: {error:.3} off on average", member.model);
        }
    }

    #[test]
    fn every_night_off_ends_with_a_skip() {
        let samples = history(&past(Ending::Live));
        for member in &CAST {
            let own: Vec<_> = samples.iter().filter(|sample| sample.target.as_str() == member.model).collect();
            for pair in own.windows(2) {
                if pair[1].at.duration_since(pair[0].at) > mins(90) {
                    assert_eq!(pair[0].kind, crate::core::outcome::Kind::Skipped, "{} {}", member.model, pair[0].at);
                }
            }
        }
    }
}
