//! Budgets, spreading, and a whole year.

use super::*;

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
    // A cap of the provider's own is the one that holds.
    let mut world = world;
    world.provider_caps.insert(ProviderId::from("one"), DailyCap { requests: 48, tokens: 1_000_000 });
    let mut driver = Driver::new(&world, Strategy::Adaptive, ScheduleConfig::default(), TimeZone::UTC, 5);
    driver.run_until(t("00:00:00") + hours(48));
    let sum: usize = (0..6).map(|index| after_each(&probes(&driver, index), second_day).len()).sum();
    assert!((40..=48).contains(&sum), "{sum}");
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
fn what_a_probe_really_cost_takes_the_place_of_what_was_booked() {
    let cap = DailyCap { requests: 20, tokens: 1_000 };
    let world = world(vec![with(0, |target| target.daily_cap = cap)]);
    let rng = &mut fastrand::Rng::with_seed(3);
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    let id = TargetId::from("t0");
    let ended = |schedule: &mut Schedule, event: Event, rng: &mut fastrand::Rng| {
        schedule.handle(Event::ProbeNow(Vec::new()), t("06:00:00"), rng);
        schedule.handle(event, t("06:00:05"), rng);
        let spent = schedule.plan(&TargetId::from("t0")).spent;
        (spent.requests, spent.tokens)
    };
    let cost = |requests, tokens| Spent { requests, tokens };
    let at = t("06:00:00");
    let finding = |kind, rule: &'static str| {
        let mut sample = sample(&world, 0, at, Truth::of(kind));
        sample.rule = rule.into();
        Finding { sample, wait_helps: true }
    };
    let free = || finding(Kind::Available, "test");
    let lost = || finding(Kind::Network, "refused");
    for (event, expected) in [
        (Event::Probed { finding: free(), spent: cost(1, 30) }, (1, 30)),
        // The request's shape had to be corrected, to one with more tokens.
        (Event::Probed { finding: free(), spent: cost(3, 900) }, (3, 900)),
        // No key: nothing went out.
        (Event::Probed { finding: finding(Kind::Auth, "key-missing"), spent: cost(0, 0) }, (0, 0)),
        (Event::Probed { finding: lost(), spent: cost(1, 30) }, (0, 0)),
        // The second request never arrived, the first one did.
        (Event::Probed { finding: lost(), spent: cost(2, 60) }, (1, 30)),
        (Event::NotProbed { target: id.clone(), spent: cost(0, 0) }, (0, 0)),
        (Event::NotProbed { target: id.clone(), spent: cost(2, 60) }, (2, 60)),
    ] {
        let mut schedule = Schedule::new();
        schedule.handle(Event::Configured(setup.clone()), t("05:59:00"), rng);
        let case = format!("{event:?}");
        assert_eq!(ended(&mut schedule, event, rng), expected, "{case}");
    }
    // And it counts against the cap: 1,000 tokens are gone after the second such probe.
    let mut schedule = Schedule::new();
    schedule.handle(Event::Configured(setup), t("05:59:00"), rng);
    let dear = || Event::Probed { finding: free(), spent: cost(4, 500) };
    ended(&mut schedule, dear(), rng);
    ended(&mut schedule, dear(), rng);
    assert!(matches!(schedule.plan(&id).hold, Some(Hold::BudgetSpent { .. })), "{:?}", schedule.plan(&id));
}

#[test]
fn a_refusal_that_was_under_way_while_the_settings_changed_does_not_stop_the_target() {
    let world = world(targets(1));
    let rng = &mut fastrand::Rng::with_seed(3);
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    let refused = |at| answered(sample(&world, 0, at, Truth::of(Kind::Auth)), false);
    let id = TargetId::from("t0");
    let mut schedule = Schedule::new();
    schedule.handle(Event::Configured(setup.clone()), t("06:00:00"), rng);
    schedule.handle(Event::ProbeNow(Vec::new()), t("06:00:01"), rng);
    schedule.handle(Event::Configured(setup), t("06:00:02"), rng);
    schedule.handle(refused(t("06:00:01")), t("06:00:09"), rng);
    let plan = schedule.plan(&id);
    assert_eq!(plan.hold, None);
    assert!(plan.next_probe_at.is_some_and(|at| at <= t("06:00:12")), "{plan:?}");
    schedule.handle(Event::Tick, t("06:00:12"), rng);
    schedule.handle(refused(t("06:00:12")), t("06:00:13"), rng);
    assert_eq!(schedule.plan(&id).hold, Some(Hold::NeedsUser), "the new key's refusal does");
}

#[test]
fn a_hint_holds_over_a_restart() {
    let world = world(targets(1));
    let setup = Setup {
        config: ScheduleConfig::default(),
        zone: TimeZone::UTC,
        targets: world.targets.clone(),
        provider_caps: HashMap::new(),
    };
    let rng = &mut fastrand::Rng::with_seed(3);
    for (kind, hint, low, high) in [
        // An hour ago it said two hours: looked at on the way, but not at once.
        (Kind::UsageLimit, Some(7_200), 15, 30),
        (Kind::RateLimited, Some(4_200), 10, 12),
        // It is over, or there was none.
        (Kind::UsageLimit, Some(1_800), 0, 1),
        (Kind::UsageLimit, None, 0, 1),
    ] {
        let mut limited = sample(&world, 0, t("06:00:00"), Truth::of(kind));
        limited.retry_after_s = hint;
        let mut schedule = Schedule::new();
        schedule.handle(Event::Configured(setup.clone()), t("07:00:00"), rng);
        let restored = Event::Restored { samples: vec![limited], spent: HashMap::new() };
        schedule.handle(restored, t("07:00:00"), rng);
        let due = schedule.plan(&TargetId::from("t0")).next_probe_at.unwrap();
        assert!((t("07:00:00") + mins(low)..=t("07:00:00") + mins(high)).contains(&due), "{kind} {hint:?}: {due}");
    }
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
