//! Planted weeks: what is planted is found, and what is not planted is not.

use super::*;

/// Weeks of quarter hours that are each free or full by chance, with a planted share by local weekday (1 to 7) and quarter of
/// the day (0 to 95).
fn plant(weeks: i64, seed: u64, share: impl Fn(i64, u8, usize) -> f64) -> Vec<Quarter> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let start = ms("2026-01-05T00:00:00Z");
    let mut day_factor = 1.0;
    let one = |n: i64| {
        if n % 96 == 0 {
            day_factor = 0.6 + 0.8 * rng.f64();
        }
        let full = (1.0 - share(n / 96, (n / 96 % 7 + 1) as u8, (n % 96) as usize)) * day_factor;
        if rng.f64() < full { quarter(start + n * BUCKET_MS, 0, 15) } else { quarter(start + n * BUCKET_MS, 15, 0) }
    };
    (0..weeks * 672).map(one).collect()
}

fn afternoons(weekday: u8, quarter: usize) -> f64 {
    if weekday <= 5 && (57..72).contains(&quarter) { 0.3 } else { 0.98 }
}

fn end_of(weeks: i64) -> i64 {
    ms("2026-01-05T00:00:00Z") + weeks * 7 * DAY_MS
}

#[test]
fn a_busy_time_is_found_to_the_quarter_hour() {
    for seed in 1..4 {
        let made = sheet(&plant(8, seed, |_, weekday, at| afternoons(weekday, at)), &TimeZone::UTC, end_of(8));
        let days: Vec<_> = made.busy.iter().map(|busy| busy.weekday).collect();
        assert_eq!(days, [1, 2, 3, 4, 5], "seed {seed}: {:?}", made.busy);
        for busy in made.busy.iter() {
            assert!((840..=870).contains(&busy.start), "seed {seed}: planted 14:15, found {}", busy.start);
            assert!((1065..=1095).contains(&busy.end), "seed {seed}: planted 18:00, found {}", busy.end);
            assert!(busy.share < 0.5 && busy.high < 0.75, "seed {seed}: {busy:?}");
        }
        // Wednesday, 15:00: the next quiet window begins when the busy time usually ends.
        let now = at(end_of(8) + 2 * DAY_MS + 15 * 60 * MIN);
        let window = made.next_quiet(now, &TimeZone::UTC).unwrap();
        let minutes = window.start.duration_since(now).as_mins();
        assert!((165..=195).contains(&minutes), "seed {seed}: quiet in {minutes} min");
        assert!(window.share > 0.9 && window.low > 0.8, "seed {seed}: {window:?}");
        assert_eq!(made.usual_return(now, &TimeZone::UTC).map(|back| back >= window.start), Some(true));
        // Thursday's busy time ends it.
        assert!(window.end.duration_since(now) < SignedDuration::from_hours(24), "seed {seed}: {window:?}");
        let best = &made.best[0];
        assert!(best.low > 0.85 && made.best.len() <= 5, "seed {seed}: {best:?}");
    }
}

#[test]
fn busy_times_stay_on_the_local_clock_when_the_clocks_change() {
    let zone = zone("Europe/Berlin");
    let start = ms("2026-02-02T00:00:00+01:00");
    // Local 14:15 to 18:00 every day, in winter time.
    let is_busy = |n: i64| (57..72).contains(&(n % 96));
    let quarters: Vec<_> = (0..42 * 96)
        .map(|n| if is_busy(n) { quarter(start + n * BUCKET_MS, 0, 15) } else { quarter(start + n * BUCKET_MS, 15, 0) })
        .collect();
    let now = at(ms("2026-03-28T12:00:00+01:00"));
    let made = TargetSheet::new(TargetId::new("t"), &quarters, &zone, now);
    let ahead = made.busy_ahead(now, SignedDuration::from_hours(72), &zone);
    let starts: Vec<_> = ahead.iter().map(|busy| busy.start.to_string()).collect();
    assert_eq!(starts, ["2026-03-28T13:15:00Z", "2026-03-29T12:15:00Z", "2026-03-30T12:15:00Z"]);
    assert_eq!(made.busy_today(now, &zone).len(), 1);
    // Elsewhere the same hours have other names: the zone is an argument.
    let there = TargetSheet::new(TargetId::new("t"), &quarters, &super::zone("America/New_York"), now);
    assert!(there.busy.iter().all(|busy| busy.start == 8 * 60 + 15), "{:?}", there.busy);
}

#[test]
fn a_change_is_told_and_none_is_not() {
    let alarms = |changed: f64, from: i64| {
        (1..=20)
            .filter_map(|seed| {
                let share = |day: i64, weekday: u8, at: usize| {
                    (afternoons(weekday, at) - if day >= from { changed } else { 0.0 }).clamp(0.0, 1.0)
                };
                sheet(&plant(6, seed, share), &TimeZone::UTC, end_of(6)).change
            })
            .collect::<Vec<_>>()
    };
    let false_alarms = alarms(0.0, 100).len();
    assert!(false_alarms <= 1, "{false_alarms} of 20");
    let told = alarms(0.3, 38);
    assert!(told.len() >= 18, "{} of 20", told.len());
    for change in &told {
        assert_eq!(change.direction, Direction::Busier);
        assert!(change.recent < change.expected - 0.1, "{change:?}");
    }
    let on_time = told.iter().filter(|change| (date(2026, 2, 11)..=date(2026, 2, 13)).contains(&change.since)).count();
    assert!(on_time * 10 >= told.len() * 8, "{on_time} of {}", told.len());
}

#[test]
fn a_free_target_is_free_and_says_so() {
    let made = sheet(&plant(4, 1, |_, _, _| 1.0), &TimeZone::UTC, end_of(4));
    assert!(
        made.slots.iter().all(|(_, cell)| cell.share > 0.99 && cell.high >= 1.0),
        "{:?}",
        made.slots.get(Slot::from_index(0))
    );
    assert!(made.busy.is_empty());
    let now = at(end_of(4));
    assert!(
        matches!(made.advice(now, &TimeZone::UTC)[..], [Advice::FreeAllWeek { .. }]),
        "{:?}",
        made.advice(now, &TimeZone::UTC)
    );
    let window = made.next_quiet(now, &TimeZone::UTC).unwrap();
    assert_eq!(window.end.duration_since(window.start), SignedDuration::from_hours(168));
}

#[test]
fn the_shares_are_nearer_than_plain_means() {
    // A day a week that is unlike the others: hours of the day would blur it, and slots alone are noisy.
    let share = |weekday: u8, at: usize| if weekday == 3 && (40..72).contains(&at) { 0.4 } else { 0.95 };
    for weeks in [2, 4, 8] {
        let (mut ours, mut raw, mut hours) = (0.0, 0.0, 0.0);
        for seed in 1..4 {
            let made = sheet(&plant(weeks, seed, |_, weekday, at| share(weekday, at)), &TimeZone::UTC, end_of(weeks));
            for (slot, cell) in made.slots.iter() {
                let truth = share(slot.weekday(), usize::from(slot.hour()) * 4);
                let mut hour = Tally::default();
                (1..=7).for_each(|day| hour.add(&made.slots.get(Slot::new(day, slot.hour()).unwrap()).seen));
                ours += (cell.share - truth).abs();
                raw += (cell.seen.share().unwrap() - truth).abs();
                hours += (hour.share().unwrap() - truth).abs();
            }
        }
        assert!(ours < raw && ours < hours, "{weeks} weeks: {ours:.2}, raw {raw:.2}, hours {hours:.2}");
    }
}

#[test]
fn hours_that_follow_no_neighbour_are_found_too() {
    // Every slot has a share of its own, which the hours beside it and the same hour of other days say nothing of.
    let own = |weekday: u8, hour: usize| {
        let mixed = (usize::from(weekday) * 24 + hour).wrapping_mul(2_654_435_761) >> 7;
        if mixed.is_multiple_of(2) { 0.97 } else { 0.5 }
    };
    for seed in 1..4 {
        let made = sheet(&plant(8, seed, |_, weekday, at| own(weekday, at / 4)), &TimeZone::UTC, end_of(8));
        let off: f64 = Slot::all()
            .map(|slot| (made.slots.get(slot).share - own(slot.weekday(), usize::from(slot.hour()))).abs())
            .sum();
        assert!(off / SLOTS as f64 <= 0.075, "seed {seed}: off by {}", off / SLOTS as f64);
    }
}
