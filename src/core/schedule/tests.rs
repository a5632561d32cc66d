//! The rules as examples: a world, what the schedule does in it, and what the board says.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::*;
use crate::core::board::Hold;
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

#[test]
fn a_free_target_is_probed_every_ten_minutes_give_or_take_a_fifth() {
    let world = world(targets(1));
    let mut driver = driver(&world);
    driver.run_until(world.time.start + hours(24));
    let times = probes(&driver, 0);
    let gaps = gaps(&times);
    assert!(is_about(gaps[0], 20.0, 42.0), "the first result is confirmed at once: {gaps:?}");
    assert!(gaps[1..].iter().all(|gap| is_about(*gap, 480.0, 722.0)), "{gaps:?}");
    let mean = gaps[1..].iter().sum::<f64>() / (gaps.len() - 1) as f64;
    assert!(is_about(mean, 570.0, 630.0), "{mean}");
}

#[test]
fn nobody_looking_and_no_role_slow_down_to_half_an_hour_and_looking_again_speeds_up() {
    let world = world(vec![Arc::new(target(0)), with(1, |target| target.role = None)]);
    let mut driver = driver(&world);
    driver.run_until(t("03:00:00"));
    let unneeded = gaps(&after_each(&probes(&driver, 1), t("01:00:00")));
    assert!(unneeded.iter().all(|gap| is_about(*gap, 1440.0, 2162.0)), "{unneeded:?}");
    driver.tell(Event::Attend(false));
    driver.run_until(t("09:00:00"));
    let away = gaps(&after_each(&probes(&driver, 0), t("03:15:00")));
    assert!(away.iter().all(|gap| is_about(*gap, 1440.0, 2162.0)), "{away:?}");
    let last = *probes(&driver, 0).last().unwrap();
    driver.tell(Event::Attend(true));
    let due = driver.schedule.plan(&TargetId::from("t0")).next_probe_at.unwrap();
    assert!(due.duration_since(last) <= mins(12) || due.duration_since(driver.now) <= mins(1), "{last} {due}");
}

#[test]
fn an_emergency_target_is_probed_at_the_full_pace_only_when_nothing_better_is_free() {
    let mut world = world(vec![Arc::new(target(0)), with(1, |target| target.role = Some(Role::Emergency))]);
    world.set(&TargetId::from("t0"), t("06:00:00"), Truth::FULL);
    let mut driver = driver(&world);
    driver.run_until(t("12:00:00"));
    let times = probes(&driver, 1);
    let before = times.iter().filter(|at| **at > t("01:00:00") && **at < t("06:00:00")).count();
    let during = times.iter().filter(|at| **at > t("06:30:00") && **at < t("11:30:00")).count();
    assert!((8..=13).contains(&before), "{before}");
    assert!((26..=36).contains(&during), "{during}");
}

#[test]
fn a_change_is_confirmed_by_a_second_probe_within_forty_seconds_in_both_directions() {
    let mut world = world(targets(1));
    let id = TargetId::from("t0");
    world.set(&id, t("02:00:00"), Truth::FULL);
    world.set(&id, t("03:00:00"), Truth::FREE);
    let mut driver = driver(&world);
    driver.run_until(t("04:00:00"));
    for moment in [t("02:00:00"), t("03:00:00")] {
        let gap = gaps(&after_each(&probes(&driver, 0), moment))[0];
        assert!(is_about(gap, 20.0, 42.0), "{moment}: {gap}");
    }
    assert_eq!(family(&driver, 0), Family::Available);
    let notices = driver.seen.iter().filter(|(_, seen)| matches!(seen, Seen::Notice(_))).count();
    assert_eq!(notices, 1);
}

#[test]
fn a_single_blip_changes_nothing() {
    let mut world = world(targets(1));
    let mut driver_a = driver(&world);
    driver_a.run_until(t("02:00:00"));
    let blip = *probes(&driver_a, 0).last().unwrap();
    world.set(&TargetId::from("t0"), blip - SignedDuration::from_secs(1), Truth::FULL);
    world.set(&TargetId::from("t0"), blip + SignedDuration::from_secs(1), Truth::FREE);
    let mut driver = driver(&world);
    driver.run_until(t("04:00:00"));
    let kinds = driver.seen.iter().filter(|(_, seen)| matches!(seen, Seen::Answer { kind: Kind::AtCapacity, .. }));
    assert_eq!(kinds.count(), 1, "the blip was seen");
    let confirmed = driver.seen.iter().filter(|(_, seen)| matches!(seen, Seen::Confirmed { .. }));
    assert_eq!(confirmed.count(), 1, "and only the first state was ever confirmed");
}

#[test]
fn a_full_primary_is_asked_each_minute_then_ever_slower_then_every_five_minutes() {
    let mut world = world(targets(2));
    for id in ["t0", "t1"] {
        world.set(&TargetId::from(id), t("06:00:00"), Truth::FULL);
    }
    let mut driver = driver(&world);
    driver.run_until(t("12:00:00"));
    let primary = gaps(&after_each(&probes(&driver, 0), t("06:00:00")));
    for (gap, expected) in primary[1..6].iter().zip([60.0, 84.0, 118.0, 165.0, 230.0]) {
        assert!(is_about(*gap, expected * 0.84, expected * 1.17), "{primary:?}");
    }
    assert!(primary[6..].iter().all(|gap| is_about(*gap, 265.0, 335.0)), "half-open: {primary:?}");
    let backup = gaps(&after_each(&probes(&driver, 1), t("06:00:00")));
    assert!(backup[1..].iter().all(|gap| is_about(*gap, 300.0, 902.0)), "{backup:?}");
}

#[test]
fn a_hint_moves_the_next_probe_to_that_moment_plus_jitter() {
    for (hint, low, high) in [(5, 20.0, 35.0), (300, 300.0, 330.0), (1200, 1200.0, 1270.0), (18_000, 900.0, 1802.0)] {
        let mut world = world(targets(1));
        let full = Truth { retry_after_s: Some(hint), ..Truth::FULL };
        world.set(&TargetId::from("t0"), t("06:00:00"), full);
        let mut driver = driver(&world);
        driver.run_until(t("12:00:00"));
        let gaps = gaps(&after_each(&probes(&driver, 0), t("06:00:00")));
        assert!(gaps[..3].iter().all(|gap| is_about(*gap, low, high)), "hint {hint}: {gaps:?}");
    }
}

#[test]
fn short_hints_do_not_make_it_hammer() {
    let mut world = world(targets(1));
    world.set(&TargetId::from("t0"), t("06:00:00"), Truth { retry_after_s: Some(1), ..Truth::FULL });
    let mut driver = driver(&world);
    driver.run_until(t("10:00:00"));
    let gaps = gaps(&after_each(&probes(&driver, 0), t("06:00:00")));
    assert!(gaps[7..].iter().all(|gap| *gap >= 300.0), "{gaps:?}");
}

#[test]
fn a_limit_of_the_account_keeps_its_other_targets_quiet() {
    let same = |index| with(index, |target| target.provider = ProviderId::from("one"));
    let mut world = world(vec![same(0), same(1)]);
    let limited = Truth { retry_after_s: Some(1500), ..Truth::of(Kind::RateLimited) };
    world.set(&TargetId::from("t0"), t("06:00:00"), limited);
    let mut driver = driver(&world);
    driver.run_until(t("08:00:00"));
    let first = after_each(&probes(&driver, 0), t("06:00:00"))[0];
    let others = after_each(&probes(&driver, 1), first);
    assert!(others[0].duration_since(first) >= SignedDuration::from_secs(1500), "{first} {}", others[0]);
}

#[test]
fn what_waiting_does_not_heal_stops_until_settings_or_key_change() {
    for kind in Kind::ALL.into_iter().filter(|kind| kind.needs_user()) {
        let mut world = world(targets(2));
        world.set(&TargetId::from("t0"), t("06:00:00"), Truth::of(kind));
        let mut driver = driver(&world);
        driver.run_until(t("23:00:00"));
        assert_eq!(after_each(&probes(&driver, 0), t("06:00:00")).len(), 1, "{kind}");
        assert_eq!(driver.schedule.plan(&TargetId::from("t0")).hold, Some(Hold::NeedsUser), "{kind}");
        assert_eq!(driver.board.entries[0].confirmed.unwrap().kind, kind, "confirmed at once");
        assert!(after_each(&probes(&driver, 1), t("06:00:00")).len() > 50, "the other one goes on");
        driver.tell(Event::ProbeNow(vec![TargetId::from("t0")]));
        assert_eq!(after_each(&probes(&driver, 0), t("06:00:00")).len(), 2, "the user may ask");
        driver.run_until(driver.now + mins(30));
        let setup = Setup {
            config: ScheduleConfig::default(),
            zone: TimeZone::UTC,
            targets: world.targets.clone(),
            provider_caps: HashMap::new(),
        };
        driver.tell(Event::Configured(setup));
        driver.run_until(driver.now + mins(1));
        assert_eq!(after_each(&probes(&driver, 0), t("06:00:00")).len(), 3, "{kind}: one new chance");
    }
}

#[test]
fn what_looked_like_wrong_settings_in_a_strange_network_gets_a_new_chance_after_sleep() {
    for (kind, probes_after) in [(Kind::Misconfigured, true), (Kind::Auth, false)] {
        let mut world = world(targets(2));
        world.set(&TargetId::from("t0"), t("06:00:00"), Truth::of(kind));
        world.set(&TargetId::from("t0"), t("09:00:00"), Truth::FREE);
        world.asleep.push(t("08:00:00")..t("10:00:00"));
        let mut driver = driver(&world);
        driver.run_until(t("12:00:00"));
        let after = after_each(&probes(&driver, 0), t("10:00:00")).len();
        assert_eq!(after > 1, probes_after, "{kind}: {after}");
    }
}

#[test]
fn a_quota_with_a_stated_reset_is_asked_again_at_the_reset() {
    let mut world = world(targets(1));
    world.set(&TargetId::from("t0"), t("06:00:00"), Truth::of(Kind::QuotaExhausted));
    let mut driver = driver(&world);
    driver.run_until(t("05:59:00"));
    let mut schedule = driver.schedule.clone();
    let mut sample = sample(&world, 0, t("06:00:00"), Truth::of(Kind::QuotaExhausted));
    sample.retry_after_s = Some(7200);
    let finding = Finding { sample, wait_helps: true };
    schedule.handle(Event::Probed(finding), t("06:00:00"), &mut fastrand::Rng::with_seed(1));
    let due = schedule.plan(&TargetId::from("t0")).next_probe_at.unwrap();
    assert!(is_about(due.duration_since(t("08:00:00")).as_secs_f64(), 0.0, 61.0), "{due}");
}

fn sample(world: &World, index: usize, at: Timestamp, truth: Truth) -> Sample {
    let mut sample = SkipReason::Asleep.sample(world.targets[index].id.clone(), at);
    (sample.kind, sample.scope, sample.rule) = (truth.kind, truth.scope, "test".into());
    sample
}

#[test]
fn fresh_evidence_from_a_tool_replaces_the_due_probe() {
    let world = world(targets(1));
    let mut driver = driver(&world);
    driver.run_until(t("01:00:00"));
    let before = probes(&driver, 0).len();
    for _ in 0..60 {
        driver.log(0, Truth::FREE);
        driver.run_until(driver.now + mins(5));
    }
    assert_eq!(probes(&driver, 0).len(), before, "five hours of evidence, no probe");
    driver.run_until(driver.now + mins(13));
    assert_eq!(probes(&driver, 0).len(), before + 1, "then the cycle goes on");
}

#[test]
fn a_refusal_in_a_session_is_checked_and_repeated_ones_win_over_passing_probes() {
    let world = world(targets(1));
    let mut driver = driver(&world);
    driver.run_until(t("01:00:00"));
    driver.log(0, Truth::FULL);
    assert!(driver.board.entries[0].is_refused_in_sessions);
    assert!(driver.board.first_free().is_none(), "not proposed while sessions are refused");
    driver.run_until(driver.now + mins(1));
    assert!(!driver.board.entries[0].is_refused_in_sessions, "one refusal, then a newer passing probe");
    for _ in 0..4 {
        driver.log(0, Truth::FULL);
        driver.run_until(driver.now + mins(1));
    }
    let entry = &driver.board.entries[0];
    assert_eq!((entry.is_refused_in_sessions, entry.family()), (true, Family::Full));
    driver.run_until(driver.now + mins(40));
    assert_eq!(family(&driver, 0), Family::Available, "with the sessions silent the probes decide again");
}

#[test]
fn when_unrelated_providers_cannot_be_reached_all_is_skipped_and_one_canary_goes_out() {
    let mut world = world(targets(5));
    world.offline.push(t("06:00:00")..t("08:00:00"));
    let mut driver = driver(&world);
    driver.run_until(t("07:59:00"));
    assert!(driver.board.banner.is_some());
    assert_eq!(skips(&driver, SkipReason::Offline), BTreeSet::from([0, 1, 2, 3, 4]));
    let banner = driver.seen.iter().find(|(_, seen)| matches!(seen, Seen::Banner(true))).unwrap().0;
    assert!(banner.duration_since(t("06:00:00")) < mins(5), "a witness was asked at once: {banner}");
    let mut canaries: Vec<_> = (0..5).flat_map(|index| after_each(&probes(&driver, index), banner)).collect();
    canaries.sort();
    let gaps = gaps(&canaries);
    assert!(gaps[2..].iter().all(|gap| is_about(*gap, 20.0, 130.0)), "one at a time: {gaps:?}");
    let asked = (0..5).filter(|index| !after_each(&probes(&driver, *index), banner).is_empty()).count();
    assert!(asked >= 2, "not always the same one");
    assert!(driver.board.entries.iter().all(|entry| entry.family() == Family::Available), "no model looks down");
    driver.run_until(t("08:10:00"));
    assert!(driver.board.banner.is_none());
    assert!(driver.board.entries.iter().all(|entry| entry.hold.is_none() && entry.family() == Family::Available));
    let notices = driver.seen.iter().filter(|(_, seen)| matches!(seen, Seen::Notice(_))).count();
    assert_eq!(notices, 0, "no notice for our own network");
    let banners = driver.seen.iter().filter(|(_, seen)| matches!(seen, Seen::Banner(_))).count();
    assert_eq!(banners, 2, "one banner, shown and hidden");
}

#[test]
fn a_canary_that_never_arrives_costs_no_budget() {
    let mut world = world(targets(2));
    world.offline.push(t("01:00:00")..t("20:00:00"));
    let mut driver = driver(&world);
    driver.run_until(t("20:00:00"));
    let spent = driver.schedule.spent();
    assert!(spent.requests < 40, "{spent:?}");
    assert!(probes(&driver, 0).len() > 150);
}

#[test]
fn one_unreachable_provider_is_its_own_matter() {
    let mut world = world(targets(3));
    world.set(&TargetId::from("t1"), t("06:00:00"), Truth::of(Kind::Network));
    let mut driver = driver(&world);
    driver.run_until(t("09:00:00"));
    assert!(!driver.seen.iter().any(|(_, seen)| matches!(seen, Seen::Banner(_))));
    assert_eq!(driver.board.entries[1].confirmed.unwrap().kind, Kind::Network);
    assert_eq!(family(&driver, 1), Family::Unknown, "which is not down");
    assert_eq!(family(&driver, 0), Family::Available);
}

#[test]
fn a_portal_has_its_own_banner() {
    let world = world(targets(2));
    let mut schedule = Schedule::new();
    let rng = &mut fastrand::Rng::with_seed(3);
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    schedule.handle(Event::Configured(setup), t("06:00:00"), rng);
    let mut effects = Vec::new();
    for index in 0..2 {
        let mut sample = sample(&world, index, t("06:00:10"), Truth::of(Kind::Network));
        sample.rule = "html-captive-portal".into();
        effects = schedule.handle(Event::Probed(Finding { sample, wait_helps: false }), t("06:00:11"), rng);
    }
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Banner(Some(crate::core::board::Banner::Portal { .. }))))
    );
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Skip { reason: SkipReason::Portal, .. })));
}

#[test]
fn after_sleep_the_gap_is_stored_and_the_canary_goes_first() {
    let mut world = world(targets(4));
    world.asleep.push(t("02:00:00")..t("07:00:00"));
    let mut driver = driver(&world);
    driver.run_until(t("08:00:00"));
    assert_eq!(skips(&driver, SkipReason::Asleep), BTreeSet::from([0, 1, 2, 3]));
    let woken: Vec<_> = driver.seen.iter().filter(|(at, _)| *at >= t("07:00:00")).collect();
    let first: Vec<_> = woken.iter().filter(|(_, seen)| matches!(seen, Seen::Probe { .. })).take(2).collect();
    assert!(matches!(first[0].1, Seen::Probe { target: 0, purpose: Purpose::Canary }), "{first:?}");
    assert!(!driver.seen.iter().any(|(_, seen)| matches!(seen, Seen::Banner(_) | Seen::Notice(_))));
    let skip = driver.board.entries[3].recent.iter().find(|sample| sample.kind == Kind::Skipped).unwrap();
    assert!(skip.at >= t("02:00:00") - mins(1) && skip.at <= t("02:13:00"), "from when it was missed: {}", skip.at);
}

#[test]
fn a_late_tick_is_sleep_too_and_spoils_what_was_under_way() {
    let world = world(targets(2));
    let mut schedule = Schedule::new();
    let rng = &mut fastrand::Rng::with_seed(3);
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    schedule.handle(Event::Configured(setup), t("06:00:00"), rng);
    schedule.handle(Event::ProbeNow(vec![TargetId::from("t0")]), t("06:00:00"), rng);
    assert!(!schedule.is_spoiled(&TargetId::from("t0")));
    let effects = schedule.handle(Event::Tick, t("09:00:00"), rng);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Skip { reason: SkipReason::Asleep, .. })));
    assert!(schedule.is_spoiled(&TargetId::from("t0")));
}

#[test]
fn a_pause_stores_a_gap_and_ends_by_itself() {
    let world = world(targets(2));
    let mut driver = driver(&world);
    driver.run_until(t("02:00:00"));
    driver.tell(Event::Pause(Some(t("05:00:00"))));
    let hold = driver.schedule.plan(&TargetId::from("t0")).hold;
    assert_eq!(hold, Some(Hold::Paused { until: Some(t("05:00:00")) }));
    driver.run_until(t("05:30:00"));
    assert_eq!(skips(&driver, SkipReason::Paused), BTreeSet::from([0, 1]));
    let resumed = after_each(&probes(&driver, 0), t("02:00:01"))[0];
    assert!(is_about(resumed.duration_since(t("05:00:00")).as_secs_f64(), 0.0, 30.0), "{resumed}");
}

#[test]
fn a_small_daily_cap_lasts_until_midnight_however_much_happens() {
    let cap = DailyCap { requests: 20, tokens: 1_000_000 };
    let mut calm = world(vec![with(0, |target| target.daily_cap = cap)]);
    let mut wild = calm.clone();
    for minute in 0..60 * 24 * 3 {
        let truth = if minute % 2 == 0 { Truth::FULL } else { Truth::FREE };
        wild.set(&TargetId::from("t0"), wild.time.start + mins(minute), truth);
    }
    calm.time.end = calm.time.start + hours(72);
    wild.time.end = calm.time.end;
    for (name, world) in [("calm", calm), ("wild", wild)] {
        let mut driver = driver(&world);
        driver.run_until(world.time.end);
        let times = probes(&driver, 0);
        for day in 3..=4 {
            let noon: Timestamp = format!("2026-03-0{day}T12:00:00Z").parse().unwrap();
            let count = |from: Timestamp, to: Timestamp| times.iter().filter(|at| **at >= from && **at < to).count();
            let (morning, all) = (count(noon - hours(12), noon), count(noon - hours(12), noon + hours(12)));
            assert!(all <= 20, "{name}: {all}");
            assert!(morning <= 17 && count(noon, noon + hours(12)) >= 3, "{name}: {morning} of {all} before noon");
        }
    }
}

#[test]
fn the_providers_cap_is_shared_by_its_targets_and_tokens_count_too() {
    let one = |index| {
        with(index, |target| {
            target.provider = ProviderId::from("one");
            target.tokens_per_probe = 100;
        })
    };
    let world = world((0..6).map(one).collect());
    let config =
        ScheduleConfig { provider_cap: DailyCap { requests: 2_000, tokens: 30_000 }, ..ScheduleConfig::default() };
    let mut driver = Driver::new(&world, Strategy::Adaptive, config, TimeZone::UTC, 5);
    driver.run_until(t("00:00:00") + hours(48));
    let second_day = t("00:00:00") + hours(24);
    let counts: Vec<_> = (0..6).map(|index| after_each(&probes(&driver, index), second_day).len()).collect();
    let sum: usize = counts.iter().sum();
    assert!((250..=300).contains(&sum), "{counts:?}");
    assert!(counts.iter().all(|count| (30..=60).contains(count)), "all get their share: {counts:?}");
}

#[test]
fn a_spent_budget_holds_until_local_midnight_also_on_a_day_of_25_hours() {
    let zone = TimeZone::get("America/New_York").unwrap();
    let start: Timestamp = "2026-11-01T04:00:00Z".parse().unwrap();
    let cap = DailyCap { requests: 25, tokens: 1_000_000 };
    let world = World::calm(vec![with(0, |target| target.daily_cap = cap)], start..start + hours(50));
    let mut driver = Driver::new(&world, Strategy::Adaptive, ScheduleConfig::default(), zone, 2);
    for _ in 0..30 {
        driver.tell(Event::ProbeNow(Vec::new()));
        driver.run_until(driver.now + mins(2));
    }
    assert_eq!(probes(&driver, 0).len(), 25, "also what the user asks for");
    assert_eq!(skips(&driver, SkipReason::Budget), BTreeSet::from([0]));
    let hold = driver.schedule.plan(&TargetId::from("t0")).hold;
    assert_eq!(hold, Some(Hold::BudgetSpent { until: start + hours(25) }));
    driver.run_until(start + hours(26));
    let next = probes(&driver, 0)[25];
    assert!(next > start + hours(25) && next < start + hours(25) + mins(11), "{next}");
}

#[test]
fn spending_is_restored_and_recent_evidence_saves_the_first_probe() {
    let world = world(targets(1));
    let samples: Vec<_> = (0..10).map(|minute| sample(&world, 0, t("06:00:00") + mins(minute), Truth::FREE)).collect();
    let spent = Schedule::spent_today(&world.targets, &samples);
    let mut schedule = Schedule::new();
    let rng = &mut fastrand::Rng::with_seed(3);
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    schedule.handle(Event::Configured(setup), t("06:10:00"), rng);
    schedule.handle(Event::Restored { samples, spent }, t("06:10:00"), rng);
    let plan = schedule.plan(&TargetId::from("t0"));
    assert_eq!((plan.spent.requests, plan.spent.tokens), (10, 300));
    let due = plan.next_probe_at.unwrap();
    assert!(due > t("06:12:00") && due < t("06:22:00"), "{due}");
}

#[test]
fn fifty_targets_spread_over_the_cycle_and_stay_away_from_the_full_hour() {
    let world = world(targets(50));
    let mut driver = driver(&world);
    driver.run_until(t("00:00:00") + hours(24));
    let steady: Vec<_> = driver
        .seen
        .iter()
        .filter(|(at, seen)| *at > t("00:30:00") && matches!(seen, Seen::Probe { .. }))
        .map(|(at, _)| *at)
        .collect();
    let mut by_minute = HashMap::new();
    for at in &steady {
        *by_minute.entry(at.as_second() / 60).or_insert(0_usize) += 1;
    }
    let busiest = by_minute.values().max().unwrap();
    assert!(*busiest <= 12, "five a minute on average, {busiest} at most");
    let in_ten: Vec<_> = by_minute.len().to_string().chars().collect();
    assert!(by_minute.len() > 23 * 60, "hardly a minute without a probe: {in_ten:?}");
    let near_hour = steady.iter().filter(|at| at.as_second().rem_euclid(3600) < 10).count();
    assert!(near_hour * 360 < steady.len(), "rarer than by chance: {near_hour} of {}", steady.len());
}

#[test]
fn on_demand_and_subscription_targets_are_never_probed_by_themselves() {
    let probing = |index, probing| with(index, |target| target.probing = probing);
    let world = world(vec![probing(0, Probing::OnDemand), probing(1, Probing::Never)]);
    let mut driver = driver(&world);
    driver.run_until(t("12:00:00"));
    driver.tell(Event::ProbeNow(Vec::new()));
    driver.run_until(t("18:00:00"));
    assert_eq!((probes(&driver, 0).len(), probes(&driver, 1).len()), (1, 0));
}

#[test]
fn a_year_stays_small_and_quick() {
    let mut world = world(targets(3));
    world.time.end = world.time.start + hours(24 * 365);
    let mut driver = driver(&world);
    for week in 1..=52 {
        driver.run_until(world.time.start + hours(24 * 7 * week));
        driver.seen.clear();
        let recent = driver.board.entries.iter().map(|entry| entry.recent.len()).max().unwrap();
        assert!(recent <= 12);
        let size = format!("{:?}", driver.schedule).len();
        assert!(size < 20_000, "week {week}: {size}");
    }
}

#[test]
fn scopes_of_the_tests_world_are_those_of_the_notes() {
    assert_eq!(Truth::of(Kind::Auth).scope, Scope::Account);
    assert_eq!(Truth::of(Kind::ServerError).scope, Scope::Provider);
}
