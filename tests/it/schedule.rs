//! Weeks of the three machines together, as one story: what a person would have seen.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use vacancy::core::alert::Subject;
use vacancy::core::outcome::Family;
use vacancy::core::schedule::ScheduleConfig;
use vacancy::core::simulate::{BuiltIn, Driver, Strategy, Truth, WorldDefaults, built_in, measure, run};
use vacancy::core::target::{DailyCap, TargetId};

const DEFAULTS: WorldDefaults = WorldDefaults { cap: DailyCap { requests: 300, tokens: 50_000 }, tokens_per_probe: 30 };

fn monday() -> Timestamp {
    "2026-03-02T00:00:00Z".parse().unwrap()
}

#[test]
fn a_day_with_everything_in_it() {
    let rng = &mut fastrand::Rng::with_seed(1);
    let mut world = built_in(BuiltIn::Quiet, monday(), 1, &TimeZone::UTC, &DEFAULTS, rng);
    let at = |hour: i64, minute: i64| monday() + SignedDuration::from_mins(hour * 60 + minute);
    let (primary, backup) = (TargetId::from("primary"), TargetId::from("backup"));
    world.asleep.push(at(1, 0)..at(7, 0));
    world.set(&primary, at(9, 0), Truth::FULL);
    world.offline.push(at(10, 0)..at(10, 30));
    world.set(&primary, at(11, 0), Truth::FREE);
    world.set(&backup, at(13, 0), Truth::FULL);
    let mut driver = Driver::new(&world, Strategy::Adaptive, ScheduleConfig::default(), TimeZone::UTC, 3);
    let first_free = |driver: &Driver<'_>| driver.board.first_free(driver.now).map(|entry| entry.target.id.clone());

    driver.run_until(at(8, 0));
    assert_eq!(first_free(&driver), Some(primary.clone()), "free, also after the night");
    driver.run_until(at(9, 20));
    assert_eq!(first_free(&driver), Some(backup.clone()), "the primary is full, the backup is proposed");
    driver.run_until(at(10, 20));
    assert!(driver.board.banner.is_some(), "our own network is down");
    assert_eq!(driver.board.entries[0].family(), Family::Full, "and the primary's state stays as it was");
    driver.run_until(at(11, 10));
    assert_eq!(driver.board.banner, None);
    assert_eq!(first_free(&driver), Some(primary), "back");
    driver.run_until(at(24, 0));
    assert_eq!(driver.board.entries[1].family(), Family::Full, "a backup tells nobody");
    let told: Vec<_> = driver.seen.iter().filter_map(|(_, seen)| Some(&seen.notice()?.subject)).collect();
    let [Subject::Full { free: Some(free), .. }, Subject::Recovered { .. }] = told[..] else { panic!("{told:?}") };
    assert_eq!(*free, backup, "the whole day: the primary is full and the backup is free, the primary is back");
}

#[test]
fn notices_can_be_trusted_in_every_trace_with_any_seed() {
    for trace in BuiltIn::ALL {
        for seed in 1..=5 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let world = built_in(trace, monday(), 7, &TimeZone::UTC, &DEFAULTS, rng);
            let seen = run(&world, Strategy::Adaptive, &ScheduleConfig::default(), None, TimeZone::UTC, seed);
            let report = measure(&world, &seen);
            let notices = report.total.notices;
            let name = trace.name();
            assert_eq!((notices.doubled, notices.missed), (0, 0), "{name}, seed {seed}: {notices:?}");
            // Only where the model comes and goes within seconds may it be gone again by the time it is told.
            let may_be_wrong = match trace {
                BuiltIn::Flapping => 20,
                BuiltIn::BusyAfternoons => 1,
                _ => 0,
            };
            assert!(notices.wrong <= may_be_wrong, "{name}, seed {seed}: {notices:?}");
            assert!(report.targets.iter().all(|row| row.measures.requests_busiest_day <= 300), "{name}");
            if matches!(trace, BuiltIn::BusyAfternoons | BuiltIn::LongOutage) {
                let up = report.targets[0].measures.up;
                assert!(up.median_s < 240.0 && up.worst_s < 400.0, "{name}, seed {seed}: {up:?}");
                assert!(report.targets[0].measures.down.worst_s < 12.5 * 60.0 + 45.0, "{name}, seed {seed}");
            }
        }
    }
}

#[test]
fn it_costs_less_than_fixed_probes_and_knows_of_a_recovery_sooner() {
    let rng = &mut fastrand::Rng::with_seed(8);
    let world = built_in(BuiltIn::BusyAfternoons, monday(), 14, &TimeZone::UTC, &DEFAULTS, rng);
    let config = ScheduleConfig::default();
    let measured = |strategy| measure(&world, &run(&world, strategy, &config, None, TimeZone::UTC, 8)).total;
    let ours = measured(Strategy::Adaptive);
    let fixed = measured(Strategy::Fixed(std::time::Duration::from_secs(300)));
    assert!(ours.requests * 2 < fixed.requests, "{} {}", ours.requests, fixed.requests);
    assert!(ours.up.median_s < fixed.up.median_s, "{:?} {:?}", ours.up, fixed.up);
    assert!(ours.notices.right >= fixed.notices.right);
}
