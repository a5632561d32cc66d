//! The rules as examples: a world, what the schedule does in it, and what the board says.

mod budget;
mod network;
mod pace;
mod parts;
mod properties;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::budget::{Ledger, never_arrived};
use super::network::{Link, Reach};
use super::*;
use crate::core::board::{Hold, Spent};
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::Sample;
use crate::core::simulate::{Driver, Seen, Strategy, Truth, World, WorldDefaults};
use crate::core::target::{DailyCap, Probing, ProviderId, Role, Target, TargetId};

const DEFAULTS: WorldDefaults = WorldDefaults { cap: DailyCap { requests: 300, tokens: 50_000 }, tokens_per_probe: 30 };

fn t(text: &str) -> Timestamp {
    format!("2026-03-02T{text}Z").parse().unwrap()
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

fn mins(mins: i64) -> SignedDuration {
    SignedDuration::from_mins(mins)
}

/// `count` targets of as many providers: one primary, the others backups.
fn targets(count: usize) -> Vec<Arc<Target>> {
    (0..count).map(|index| Arc::new(target(index))).collect()
}

fn target(index: usize) -> Target {
    let role = if index == 0 { Role::Primary } else { Role::Backup };
    DEFAULTS.target(TargetId::new(format!("t{index}")), None, role)
}

fn with(index: usize, change: impl FnOnce(&mut Target)) -> Arc<Target> {
    let mut target = target(index);
    change(&mut target);
    Arc::new(target)
}

fn world(targets: Vec<Arc<Target>>) -> World {
    World::calm(targets, t("00:07:00")..t("00:07:00") + hours(24 * 14))
}

fn driver(world: &World) -> Driver<'_> {
    Driver::new(world, Strategy::Adaptive, ScheduleConfig::default(), TimeZone::UTC, 7)
}

fn probes(driver: &Driver<'_>, wanted: usize) -> Vec<Timestamp> {
    let of = |seen: &Seen| matches!(seen, Seen::Probe { target, .. } if *target == wanted);
    driver.seen.iter().filter(|(_, seen)| of(seen)).map(|(at, _)| *at).collect()
}

fn skips(driver: &Driver<'_>, reason: SkipReason) -> BTreeSet<usize> {
    let of = |seen: &Seen| match seen {
        Seen::Skip { target, reason: why } if *why == reason => Some(*target),
        _ => None,
    };
    driver.seen.iter().filter_map(|(_, seen)| of(seen)).collect()
}

fn gaps(times: &[Timestamp]) -> Vec<f64> {
    times.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_secs_f64()).collect()
}

fn after_each(times: &[Timestamp], from: Timestamp) -> Vec<Timestamp> {
    times.iter().copied().filter(|at| *at >= from).collect()
}

fn family(driver: &Driver<'_>, index: usize) -> Family {
    driver.board.entries[index].family()
}

fn is_about(seconds: f64, low: f64, high: f64) -> bool {
    (low..=high).contains(&seconds)
}

/// The end of a probe of one request.
fn answered(sample: Sample, wait_helps: bool) -> Event {
    let spent = Spent { requests: 1, tokens: DEFAULTS.tokens_per_probe };
    Event::Probed { finding: Finding { sample, wait_helps }, spent }
}

fn sample(world: &World, index: usize, at: Timestamp, truth: Truth) -> Sample {
    let mut sample = SkipReason::Asleep.sample(world.targets[index].id.clone(), at);
    (sample.kind, sample.scope, sample.rule) = (truth.kind, truth.scope, "test".into());
    sample
}
