//! Our own side: network, portal, sleep, pause.

use super::*;
use crate::core::board::Banner;

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
        effects = schedule.handle(answered(sample, false), t("06:00:11"), rng);
    }
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Banner(Some(Banner::Portal { .. })))));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Skip { reason: SkipReason::Portal, .. })));
}

#[test]
fn unrelated_providers_that_redirect_to_one_strange_host_are_behind_a_portal() {
    let world = world(targets(3));
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    let rng = &mut fastrand::Rng::with_seed(3);
    let started = |rng: &mut fastrand::Rng| {
        let mut schedule = Schedule::new();
        schedule.handle(Event::Configured(setup.clone()), t("06:00:00"), rng);
        schedule.handle(Event::ProbeNow(Vec::new()), t("06:00:01"), rng);
        schedule
    };
    let redirected = |schedule: &mut Schedule, index: usize, host: &str, at, rng: &mut fastrand::Rng| {
        let target = world.targets[index].id.clone();
        let mut effects = schedule.handle(Event::Redirected { target, host: host.to_owned() }, at, rng);
        let mut sample = sample(&world, index, at, Truth::of(Kind::Misconfigured));
        (sample.http_status, sample.rule) = (Some(302), "status-redirect".into());
        effects.extend(schedule.handle(answered(sample, false), at, rng));
        effects.iter().any(|effect| matches!(effect, Effect::Banner(Some(Banner::Portal { .. }))))
    };
    let mut schedule = started(rng);
    assert!(!redirected(&mut schedule, 0, "login.hotel.example", t("06:00:02"), rng), "one may be a wrong base URL");
    assert!(redirected(&mut schedule, 1, "login.hotel.example", t("06:00:03"), rng));
    let plans: Vec<_> = (0..3).map(|index| schedule.plan(&world.targets[index].id).hold).collect();
    assert_eq!(plans, [Some(Hold::Offline); 3], "nobody has to mend anything");
    // The canary finds the way out, also though every target had been redirected.
    let effects = schedule.handle(Event::Tick, t("06:01:30"), rng);
    let canary = effects.iter().find_map(|effect| match effect {
        Effect::Probe { target, purpose: Purpose::Canary } => Some(target.clone()),
        _ => None,
    });
    let index = world.targets.iter().position(|target| Some(&target.id) == canary.as_ref()).unwrap();
    let sample = sample(&world, index, t("06:01:30"), Truth::FREE);
    let effects = schedule.handle(answered(sample, false), t("06:01:31"), rng);
    assert!(effects.contains(&Effect::Banner(None)), "{effects:?}");

    // Two wrong base URLs that lead to two hosts, or a provider that answers in between, are no portal.
    let mut schedule = started(rng);
    redirected(&mut schedule, 0, "new.example", t("06:00:02"), rng);
    assert!(!redirected(&mut schedule, 1, "other.test", t("06:00:03"), rng));
    assert_eq!(schedule.plan(&world.targets[0].id).hold, Some(Hold::NeedsUser));
    let mut schedule = started(rng);
    redirected(&mut schedule, 0, "new.example", t("06:00:02"), rng);
    schedule.handle(answered(super::sample(&world, 2, t("06:00:03"), Truth::FREE), false), t("06:00:03"), rng);
    assert!(!redirected(&mut schedule, 1, "new.example", t("06:00:04"), rng));
}

#[test]
fn a_probe_that_was_never_sent_says_nothing_of_the_network() {
    let world = world(targets(1));
    let mut sample = sample(&world, 0, t("06:00:00"), Truth::of(Kind::Auth));
    sample.rule = "key-missing".into();
    assert_eq!(Reach::of(&Finding { sample: sample.clone(), wait_helps: false }), Reach::Silent);
    sample.rule = "status-401".into();
    assert_eq!(Reach::of(&Finding { sample, wait_helps: false }), Reach::Reached);
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
