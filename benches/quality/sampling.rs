//! How a planted history is seen: by our own schedule, by fixed probes, by a person's work, or both together.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::{Date, Weekday};
use vacancy::core::board::Spent;
use vacancy::core::bucket::Point;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::core::schedule::{Effect, Event, Finding, Schedule, ScheduleConfig, Setup};
use vacancy::core::target::{Dialect, ModelId, Probing, ProviderId, Role, Target, TargetId};

use super::world::{MINUTE_MS, USER_ZONE, World, at, exponential, hour_of, moment, normal, zone};

/// Who looks, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Our own schedule: slower while the user is away, faster in an outage.
    Adaptive,
    /// A probe every so many minutes.
    Fixed(i64),
    /// A person's turns, in working hours.
    Passive,
    /// Our own schedule, which the person's turns inform too.
    Mixed,
}

impl Sampling {
    pub const ALL: [Self; 7] =
        [Self::Adaptive, Self::Fixed(1), Self::Fixed(5), Self::Fixed(10), Self::Fixed(60), Self::Passive, Self::Mixed];

    pub fn name(self) -> String {
        match self {
            Self::Adaptive => "adaptive".into(),
            Self::Fixed(minutes) => format!("fixed-{minutes}min"),
            Self::Passive => "passive".into(),
            Self::Mixed => "mixed".into(),
        }
    }

    /// What is seen of a history, in order.
    pub fn look(self, world: &World, rng: &mut fastrand::Rng) -> Vec<Point> {
        let mut points = match self {
            Self::Adaptive => adaptive(world, &[], rng),
            Self::Fixed(minutes) => {
                let every = minutes * MINUTE_MS;
                let first = world.time.start + rng.i64(0..every);
                (0..)
                    .map(|n| first + n * every)
                    .take_while(|at| *at < world.time.end)
                    .map(|at| seen(world, at))
                    .collect()
            }
            Self::Passive => work(world, rng).into_iter().map(|at| seen(world, at)).collect(),
            Self::Mixed => {
                let turns = work(world, rng);
                adaptive(world, &turns, rng)
            }
        };
        points.sort_by_key(|point| point.at_ms);
        points
    }
}

/// What a request made now would learn.
fn seen(world: &World, at_ms: i64) -> Point {
    let kind = match world.outage(at_ms) {
        None => Kind::Available,
        Some(outage) if outage.is_fault => Kind::ServerError,
        Some(_) => Kind::AtCapacity,
    };
    Point { at_ms, kind, is_counted: true, first_token_ms: None }
}

/// When a person asks the model something: on most working days, in bursts, with breaks. A turn that fails is tried again
/// at once, a few times; then the person does something else for a while, or ends the day early.
fn work(world: &World, rng: &mut fastrand::Rng) -> Vec<i64> {
    let zone = zone(USER_ZONE);
    let minutes = |minutes: f64| (minutes * MINUTE_MS as f64) as i64;
    let mut turns = Vec::new();
    for date in days(world) {
        let is_weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
        let (chance, from, to) = if is_weekend { (0.15, 14.0, 18.0) } else { (0.9, 9.0, 18.0) };
        let today = hour_of(date, 0, &zone);
        if rng.f64() >= chance {
            continue;
        }
        let end = (today + minutes(60.0 * (to + 0.7 * normal(rng)))).min(world.time.end);
        let mut now = today + minutes(60.0 * (from + 0.4 * normal(rng)));
        let mut burst_ends = now + minutes(50.0 * exponential(rng));
        while now < end {
            turns.push(now);
            let mut retries = rng.usize(1..6);
            while world.outage(now).is_some() && retries > 0 {
                now += minutes(0.3 + 0.5 * exponential(rng));
                turns.push(now);
                retries -= 1;
            }
            if world.outage(now).is_some() {
                if rng.f64() < 0.1 {
                    break;
                }
                now += minutes(10.0 + 25.0 * exponential(rng));
                burst_ends = now + minutes(50.0 * exponential(rng));
            } else {
                now += minutes(2.5 * (0.9 * normal(rng)).exp());
                if now > burst_ends {
                    now += minutes(35.0 * exponential(rng));
                    burst_ends = now + minutes(50.0 * exponential(rng));
                }
            }
        }
    }
    turns.retain(|turn| world.time.contains(turn));
    turns.sort_unstable();
    turns
}

/// Runs the real schedule for one primary target; turns of the user are evidence of a tool's log.
fn adaptive(world: &World, turns: &[i64], rng: &mut fastrand::Rng) -> Vec<Point> {
    let zone = zone(USER_ZONE);
    let config = ScheduleConfig::default();
    let id = TargetId::new("planted");
    let target = Arc::new(Target {
        id: id.clone(),
        provider: ProviderId::new("planted"),
        vendor: None,
        model: ModelId::new("planted"),
        dialect: Dialect::OpenaiChat,
        role: Some(Role::Primary),
        probing: Probing::Scheduled,
        daily_cap: config.target_cap,
        tokens_per_probe: 12,
        is_local: false,
    });
    let setup = Setup { config, zone: zone.clone(), targets: vec![target], provider_caps: HashMap::new() };
    let finding = |point: &Point, source| Finding {
        sample: Sample {
            target: id.clone(),
            source,
            at: moment(point.at_ms),
            kind: point.kind,
            scope: Scope::Model,
            http_status: None,
            connect_ms: None,
            first_token_ms: None,
            total_ms: None,
            retry_after_s: None,
            rule: "planted".into(),
        },
        wait_helps: true,
    };
    let mut schedule = Schedule::new();
    let mut points = Vec::new();
    let (mut wake, mut answer, mut turns) = (None, None::<Point>, turns.iter().copied().peekable());
    let mut attends = attention(world);
    let mut next_attend = attends.next();
    let mut now = world.time.start;
    let mut event = Some(Event::Configured(setup));
    loop {
        if let Some(event) = event.take() {
            for effect in schedule.handle(event, moment(now), rng) {
                match effect {
                    Effect::Probe { .. } => answer = Some(seen(world, now)),
                    Effect::WakeAt(at) => wake = at.map(|at| at.as_millisecond() + 1),
                    Effect::Skip { at, .. } => points.push(Point {
                        at_ms: at.as_millisecond(),
                        kind: Kind::Skipped,
                        is_counted: false,
                        first_token_ms: None,
                    }),
                    Effect::Banner(_) => {}
                }
            }
        }
        let done = answer.as_ref().map(|point| point.at_ms + 900);
        let turned = turns.peek().copied();
        let attended = next_attend.map(|(at, _)| at);
        let Some(next) = [done, turned, attended, wake].into_iter().flatten().min() else { break };
        if next >= world.time.end {
            break;
        }
        now = next.max(now);
        if done == Some(next) {
            let point = answer.take().expect("a probe under way");
            points.push(point);
            event = Some(Event::Probed {
                finding: finding(&point, Source::Probe),
                spent: Spent { requests: 1, tokens: 12 },
            });
        } else if turned == Some(next) {
            turns.next();
            let point = seen(world, next);
            points.push(point);
            event = Some(Event::LogEvidence(finding(&point, Source::ToolLog)));
        } else if attended == Some(next) {
            event = next_attend.map(|(_, is_there)| Event::Attend(is_there));
            next_attend = attends.next();
        } else {
            event = Some(Event::Tick);
        }
    }
    points
}

/// When the user comes (08:00) and goes (23:00).
fn attention(world: &World) -> impl Iterator<Item = (i64, bool)> {
    let zone = zone(USER_ZONE);
    days(world).flat_map(move |date| [(8, true), (23, false)].map(|(hour, comes)| (hour_of(date, hour, &zone), comes)))
}

/// The user's days of a record.
fn days(world: &World) -> impl Iterator<Item = Date> + use<> {
    let zone = zone(USER_ZONE);
    let end = world.time.end;
    let first = at(world.time.start, &zone).date();
    let next = |date: &Date| date.tomorrow().ok();
    std::iter::successors(Some(first), next).take_while(move |date| hour_of(*date, 0, &zone) < end)
}
