//! Simulated weeks: what was told beside what was true.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::core::alert::Subject;
use vacancy::core::schedule::ScheduleConfig;
use vacancy::core::simulate::{BuiltIn, Seen, Strategy, World, WorldDefaults, built_in, run};
use vacancy::core::target::{DailyCap, TargetId};

use crate::rule::{Fixed, RULES, Says};

const SEEDS: u64 = 10;
const DAYS: u32 = 14;
/// What lasts less need not be told.
const WORTH: SignedDuration = SignedDuration::from_mins(10);

#[derive(Default)]
struct Sum {
    given: usize,
    right: usize,
    wrong: usize,
    doubled: usize,
    missed: usize,
    away: Vec<f64>,
    back: Vec<f64>,
}

/// One thing told of the primary.
struct Told {
    at: Timestamp,
    says: Option<Says>,
}

/// Prints a table for each kind of trouble and one for all.
pub fn print() {
    println!("Worlds: {SEEDS} seeds of {DAYS} days a kind of trouble; of the primary\n");
    println!("| trouble | | notices | right | false | doubled | missed | away known after | back known after |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let names =
        || std::iter::once("Vacancy").chain(RULES.iter().map(|(name, ..)| *name)).chain(["0 retries, every 60 s"]);
    let mut all: Vec<Sum> = names().map(|_| Sum::default()).collect();
    for trace in BuiltIn::ALL {
        let mut sums: Vec<Sum> = names().map(|_| Sum::default()).collect();
        for seed in 0..SEEDS {
            let world = world(trace, seed);
            let primary = world.targets[0].id.clone();
            let seen = run(&world, Strategy::Adaptive, &ScheduleConfig::default(), None, TimeZone::UTC, seed);
            measure(&world, &primary, &ours(&seen, &primary), &mut sums[0]);
            for index in 0..RULES.len() {
                measure(&world, &primary, &by_rule(&seen, &mut Fixed::new(index), &primary), &mut sums[index + 1]);
            }
            let minute = Strategy::Fixed(Duration::from_secs(60));
            let seen = run(&world, minute, &ScheduleConfig::default(), None, TimeZone::UTC, seed);
            let told = by_rule(&seen, &mut Fixed::new(RULES.len() - 1), &primary);
            measure(&world, &primary, &told, &mut sums[RULES.len() + 1]);
        }
        for ((name, sum), all) in names().zip(sums).zip(&mut all) {
            row(trace.name(), name, &sum);
            all.add(sum);
        }
    }
    for (name, sum) in names().zip(&all) {
        row("**all**", name, sum);
    }
}

fn world(trace: BuiltIn, seed: u64) -> World {
    let start = "2026-03-02T00:00:00Z".parse().expect("a time");
    let defaults = WorldDefaults { cap: DailyCap { requests: 300, tokens: 50_000 }, tokens_per_probe: 30 };
    let mut rng = fastrand::Rng::with_seed(seed);
    built_in(trace, start, DAYS, &TimeZone::UTC, &defaults, &mut rng)
}

fn ours(seen: &[(Timestamp, Seen)], primary: &TargetId) -> Vec<Told> {
    let notices = seen.iter().filter_map(|(at, what)| Some((*at, &what.notice()?.subject)));
    notices
        .filter(|(_, subject)| subject.targets().contains(&primary))
        .map(|(at, subject)| Told { at, says: says(subject) })
        .collect()
}

const fn says(subject: &Subject) -> Option<Says> {
    match subject {
        Subject::Full { .. } | Subject::ProviderAway { .. } | Subject::Settled { is_free: false, .. } => {
            Some(Says::Away)
        }
        Subject::Recovered { .. } | Subject::ProviderBack { .. } | Subject::Settled { is_free: true, .. } => {
            Some(Says::Back)
        }
        _ => None,
    }
}

fn by_rule(seen: &[(Timestamp, Seen)], rule: &mut Fixed, primary: &TargetId) -> Vec<Told> {
    let answers = seen.iter().filter_map(|(at, what)| match what {
        Seen::Answer { target: 0, kind } => Some((*at, *kind)),
        _ => None,
    });
    answers.filter_map(|(at, kind)| Some(Told { at, says: Some(rule.take(primary, kind)?) })).collect()
}

/// Counts what was told against the truth. `says: None` is that it comes and goes: until the next word nothing is missed.
fn measure(world: &World, primary: &TargetId, told: &[Told], sum: &mut Sum) {
    let changes = changes(world, primary);
    let mut gathered: Vec<(Timestamp, Timestamp)> = Vec::new();
    let mut heard: Vec<Timestamp> = Vec::new();
    for (index, Told { at, says }) in told.iter().enumerate() {
        sum.given += 1;
        let Some(says) = says else {
            gathered.push((*at, told.get(index + 1).map_or(world.time.end, |next| next.at)));
            sum.right += 1;
            continue;
        };
        let is_away = *says == Says::Away;
        match changes.iter().rev().find(|(from, _)| from <= at) {
            Some((from, away)) if *away == is_away && heard.contains(from) => sum.doubled += 1,
            Some((from, away)) if *away == is_away => {
                heard.push(*from);
                sum.right += 1;
                let is_gathered = gathered.iter().any(|(start, end)| start <= from && from <= end);
                if !is_gathered {
                    let delay = at.duration_since(*from).as_secs_f64();
                    if is_away { sum.away.push(delay) } else { sum.back.push(delay) }
                }
            }
            _ => sum.wrong += 1,
        }
    }
    for (index, (from, away)) in changes.iter().enumerate() {
        let until = changes.get(index + 1).map_or(world.time.end, |(next, _)| *next);
        let is_gathered = gathered.iter().any(|(start, end)| *start < until && from < end);
        // The end of an outage that was over before anybody could know of it is no news.
        let was_known = *away || index.checked_sub(1).is_some_and(|before| heard.contains(&changes[before].0));
        if until.duration_since(*from) >= WORTH && was_known && !is_gathered && !heard.contains(from) {
            sum.missed += 1;
        }
    }
}

/// When the primary ceased to be free (`true`) or became free.
fn changes(world: &World, primary: &TargetId) -> Vec<(Timestamp, bool)> {
    let mut is_away = false;
    let mut changes = Vec::new();
    for (from, truth) in &world.truth[primary] {
        if truth.is_free() == is_away && *from < world.time.end {
            is_away = !is_away;
            changes.push((*from, is_away));
        }
    }
    changes
}

impl Sum {
    fn add(&mut self, mut other: Self) {
        self.given += other.given;
        self.right += other.right;
        self.wrong += other.wrong;
        self.doubled += other.doubled;
        self.missed += other.missed;
        self.away.append(&mut other.away);
        self.back.append(&mut other.back);
    }
}

fn row(trouble: &str, name: &str, sum: &Sum) {
    let median = |delays: &[f64]| {
        let mut sorted = delays.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).map_or("-".to_owned(), |delay| format!("{:.0} s", delay))
    };
    let Sum { given, right, wrong, doubled, missed, away, back } = sum;
    println!(
        "| {trouble} | {name} | {given} | {right} | {wrong} | {doubled} | {missed} | {} | {} |",
        median(away),
        median(back)
    );
}
