//! Our own side: network, portal, sleep, pause.

use super::*;

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
