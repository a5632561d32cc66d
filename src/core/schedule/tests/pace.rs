//! How soon: the cycle, confirmations, recoveries, hints, stops, logs.

use super::*;

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
    assert_eq!(notices, 2, "not free, and free again");
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
fn a_quota_with_a_stated_reset_is_asked_again_at_the_reset() {
    let mut world = world(targets(1));
    world.set(&TargetId::from("t0"), t("06:00:00"), Truth::of(Kind::QuotaExhausted));
    let mut driver = driver(&world);
    driver.run_until(t("05:59:00"));
    let mut schedule = driver.schedule.clone();
    let mut sample = sample(&world, 0, t("06:00:00"), Truth::of(Kind::QuotaExhausted));
    sample.retry_after_s = Some(7200);
    schedule.handle(answered(sample, true), t("06:00:00"), &mut fastrand::Rng::with_seed(1));
    let due = schedule.plan(&TargetId::from("t0")).next_probe_at.unwrap();
    assert!(is_about(due.duration_since(t("08:00:00")).as_secs_f64(), 0.0, 61.0), "{due}");
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
    assert!(driver.board.first_free(t("01:00:00")).is_none(), "not proposed while sessions are refused");
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
fn scopes_of_the_tests_world_are_those_of_the_notes() {
    assert_eq!(Truth::of(Kind::Auth).scope, Scope::Account);
    assert_eq!(Truth::of(Kind::ServerError).scope, Scope::Provider);
}
