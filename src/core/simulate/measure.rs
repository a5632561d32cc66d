//! What a simulation cost, and how late it knew.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::driver::Seen;
use super::world::World;
use crate::core::alert::Subject;
use crate::core::board::Confirmed;
use crate::core::outcome::{Family, Kind};
use crate::core::target::{Role, TargetId};

/// A recovery that lasts less than this need not be told: it was over before it could be confirmed and read.
const WORTH_TELLING: Duration = Duration::from_secs(10 * 60);

/// The two kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From free to not free.
    Down,
    /// From not free to free.
    Up,
}

/// How late changes were confirmed, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Delays {
    /// Changes that were true.
    pub changes: usize,
    /// Of those, confirmed before the next change; the others were too short.
    pub noticed: usize,
    /// Mean of the noticed ones.
    pub mean_s: f64,
    /// Half of them were noticed by then.
    pub median_s: f64,
    /// Nine tenths of them were noticed by then.
    pub p90_s: f64,
    /// The latest.
    pub worst_s: f64,
}

/// How good the notices were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Notices {
    /// Given once, after an outage, while the target was free.
    pub right: usize,
    /// Given while it was not free, or without an outage before.
    #[serde(rename = "false")]
    pub wrong: usize,
    /// Not given, though the outage had been confirmed and the target stayed free long enough (10 minutes).
    pub missed: usize,
    /// Given again for the same recovery.
    pub doubled: usize,
}

/// The measures of one target, or of all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Requests.
    pub requests: u64,
    /// Estimated tokens, in and out together.
    pub tokens: u64,
    /// The largest number of requests in one day of 24 hours from the start.
    pub requests_busiest_day: u64,
    /// Probes that were not made, counted once a gap.
    pub skips: u64,
    /// From free to not free.
    pub down: Delays,
    /// From not free to free.
    pub up: Delays,
    /// Notices that the target is free again.
    pub notices: Notices,
    /// All notices, by what they say.
    pub told: BTreeMap<&'static str, u64>,
}

/// The measures of one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetMeasures {
    /// Whose.
    pub target: TargetId,
    /// What was measured.
    #[serde(flatten)]
    pub measures: Measures,
}

/// The measures of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Days of simulated time.
    pub days: f64,
    /// One row a target, in chain order.
    pub targets: Vec<TargetMeasures>,
    /// All targets together; delays are pooled, the busiest day is that of the sum.
    pub total: Measures,
}

/// Compares what happened with what was true.
pub fn measure(world: &World, seen: &[(Timestamp, Seen)]) -> Report {
    let mut report = Report {
        days: seconds(world.time.start, world.time.end) / 86_400.0,
        targets: Vec::new(),
        total: Measures::default(),
    };
    let mut pooled = (Pool::default(), Pool::default());
    let mut days_of_all = vec![0_u64; 1];
    for (index, target) in world.targets.iter().enumerate() {
        let own: Vec<_> = seen.iter().filter(|(_, what)| is_of(what, index, &target.id)).collect();
        let mut days = vec![0_u64; 1];
        let mut measures = Measures::default();
        for (at, what) in &own {
            match what {
                Seen::Probe { .. } => {
                    let day = day(world.time.start, *at);
                    for days in [&mut days, &mut days_of_all] {
                        days.resize(days.len().max(day + 1), 0);
                        days[day] += 1;
                    }
                    measures.requests += 1;
                    measures.tokens += u64::from(target.tokens_per_probe);
                }
                Seen::Skip { .. } => measures.skips += 1,
                Seen::Notice(notice) => *measures.told.entry(notice.subject.name()).or_default() += 1,
                _ => {}
            }
        }
        measures.requests_busiest_day = days.into_iter().max().unwrap_or_default();
        let changes = changes(world, &target.id);
        let (down, up) = (pool(world, &own, &changes, Direction::Down), pool(world, &own, &changes, Direction::Up));
        if target.role == Some(Role::Primary) {
            measures.notices = notices(world, &target.id, &own, &changes);
        }
        (measures.down, measures.up) = (down.delays(), up.delays());
        pooled.0.add(down);
        pooled.1.add(up);
        let total = &mut report.total;
        total.requests += measures.requests;
        total.tokens += measures.tokens;
        total.skips += measures.skips;
        total.notices.right += measures.notices.right;
        total.notices.wrong += measures.notices.wrong;
        total.notices.missed += measures.notices.missed;
        total.notices.doubled += measures.notices.doubled;
        report.targets.push(TargetMeasures { target: target.id.clone(), measures });
    }
    for notice in seen.iter().filter_map(|(_, what)| what.notice()) {
        *report.total.told.entry(notice.subject.name()).or_default() += 1;
    }
    report.total.requests_busiest_day = days_of_all.into_iter().max().unwrap_or_default();
    (report.total.down, report.total.up) = (pooled.0.delays(), pooled.1.delays());
    report
}

fn is_of(what: &Seen, index: usize, id: &TargetId) -> bool {
    match what {
        Seen::Probe { target, .. }
        | Seen::Answer { target, .. }
        | Seen::Skip { target, .. }
        | Seen::Confirmed { target, .. } => *target == index,
        Seen::Notice(notice) => notice.subject.targets().contains(&id),
        Seen::Banner(_) => false,
    }
}

/// The moments at which a target became free or ceased to be, after the start.
fn changes(world: &World, target: &TargetId) -> Vec<(Timestamp, Direction)> {
    let mut is_free = world.at(target, world.time.start).is_free();
    let mut changes = Vec::new();
    for (from, truth) in world.truth.get(target).into_iter().flatten() {
        if *from > world.time.start && *from < world.time.end && truth.is_free() != is_free {
            is_free = truth.is_free();
            changes.push((*from, if is_free { Direction::Up } else { Direction::Down }));
        }
    }
    changes
}

#[derive(Clone, Debug, Default)]
struct Pool {
    changes: usize,
    delays: Vec<f64>,
}

impl Pool {
    fn add(&mut self, mut other: Self) {
        self.changes += other.changes;
        self.delays.append(&mut other.delays);
    }

    fn delays(&self) -> Delays {
        let mut sorted = self.delays.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let rank = |tenths: usize| sorted.get((count * tenths).div_ceil(10).saturating_sub(1)).copied().unwrap_or(0.0);
        let mean = if count == 0 {
            0.0
        } else {
            sorted.iter().sum::<f64>() / f64::from(u32::try_from(count).unwrap_or(u32::MAX))
        };
        Delays {
            changes: self.changes,
            noticed: count,
            mean_s: mean,
            median_s: rank(5),
            p90_s: rank(9),
            worst_s: rank(10),
        }
    }
}

fn pool(world: &World, seen: &[&(Timestamp, Seen)], changes: &[(Timestamp, Direction)], direction: Direction) -> Pool {
    let mut pool = Pool::default();
    for (index, (from, to)) in changes.iter().enumerate() {
        if *to != direction {
            continue;
        }
        pool.changes += 1;
        let until = changes.get(index + 1).map_or(world.time.end, |(next, _)| *next);
        let noticed = seen.iter().find(|(at, what)| {
            *at >= *from && *at < until && matches!(what, Seen::Confirmed { to, .. } if is(*to, direction))
        });
        pool.delays.extend(noticed.map(|(at, _)| seconds(*from, *at)));
    }
    pool
}

/// The board's confirmed state just before a moment.
fn confirmed(seen: &[&(Timestamp, Seen)], before: Timestamp) -> Option<Confirmed> {
    let earlier = seen.iter().rev().filter(|(at, _)| *at < before);
    earlier.filter_map(|(_, what)| if let Seen::Confirmed { to, .. } = what { Some(*to) } else { None }).next()
}

fn is(state: Confirmed, direction: Direction) -> bool {
    match direction {
        Direction::Up => state.kind == Kind::Available,
        Direction::Down => !matches!(Family::of(state.kind, state.scope), Family::Available | Family::Unknown),
    }
}

fn notices(
    world: &World,
    target: &TargetId,
    seen: &[&(Timestamp, Seen)],
    changes: &[(Timestamp, Direction)],
) -> Notices {
    let mut notices = Notices::default();
    let mut told = Vec::new();
    for (at, what) in seen {
        if !what.notice().is_some_and(|notice| says_free(&notice.subject, target)) {
            continue;
        }
        let recovery = changes.iter().rev().find(|(from, _)| from <= at);
        match recovery {
            Some((from, Direction::Up)) if told.contains(from) => notices.doubled += 1,
            Some((from, Direction::Up)) => {
                told.push(*from);
                notices.right += 1;
            }
            _ => notices.wrong += 1,
        }
    }
    let gathered = gathered(seen);
    for (index, (from, direction)) in changes.iter().enumerate() {
        let until = changes.get(index + 1).map_or(world.time.end, |(next, _)| *next);
        let was_known = confirmed(seen, *from).is_some_and(|state| is(state, Direction::Down));
        let is_long = seconds(*from, until) >= WORTH_TELLING.as_secs_f64();
        let is_gathered = gathered.iter().any(|time| time.start < until && *from < time.end);
        if *direction == Direction::Up && was_known && is_long && !is_gathered && !told.contains(from) {
            notices.missed += 1;
        }
    }
    notices
}

fn says_free(subject: &Subject, target: &TargetId) -> bool {
    match subject {
        Subject::Recovered { .. }
        | Subject::ProviderBack { .. }
        | Subject::LimitReset { .. }
        | Subject::Settled { is_free: true, .. } => true,
        Subject::Summary { back, .. } => back.contains(target),
        _ => false,
    }
}

/// The times in which changes were told together: the target came and went.
fn gathered(seen: &[&(Timestamp, Seen)]) -> Vec<Range<Timestamp>> {
    let mut times: Vec<Range<Timestamp>> = Vec::new();
    for (at, what) in seen {
        match what.notice().map(|notice| &notice.subject) {
            Some(Subject::Flapping { .. }) => times.push(*at..Timestamp::MAX),
            Some(Subject::Settled { .. }) => {
                if let Some(last) = times.last_mut() {
                    last.end = *at;
                }
            }
            _ => {}
        }
    }
    times
}

fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64()
}

fn day(start: Timestamp, at: Timestamp) -> usize {
    usize::try_from(at.duration_since(start).as_secs() / 86_400).unwrap_or_default()
}
