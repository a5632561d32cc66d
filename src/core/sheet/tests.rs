//! The statistics by cases on the calendar, by hand-computed cases, by properties, and on planted weeks.

use jiff::civil::date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::prelude::*;

use super::zone::LocalClock;
use super::*;
use crate::core::bucket::{BUCKET_MS, DAY_MS, Span, State};

mod anatomy;
mod planted;

const MIN: i64 = 60_000;

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn ms(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap()
}

/// A quarter hour seen for so many minutes up and full.
fn quarter(start_ms: i64, up: u32, full: u32) -> Quarter {
    let seen = Observed { up_ms: up * 60_000, full_ms: full * 60_000, fault_ms: 0, counted: 1 };
    Quarter { start_ms, seen }
}

fn sheet(quarters: &[Quarter], zone: &TimeZone, now: i64) -> TargetSheet {
    TargetSheet::new(TargetId::new("t"), quarters, zone, at(now))
}

/// Every quarter hour between two moments, free.
fn watched(from: &str, to: &str) -> Vec<Quarter> {
    (ms(from)..ms(to)).step_by(BUCKET_MS as usize).map(|start| quarter(start, 15, 0)).collect()
}

#[test]
fn slots_follow_the_local_clock_over_changes_of_offset() {
    // Zone, from and to in UTC, then slots (weekday, hour) with the minutes they must have seen.
    type Case = (&'static str, &'static str, &'static str, Vec<(u8, u8, u64)>);
    let cases: Vec<Case> = vec![
        // Clocks go back at 01:00 UTC: 02:00 to 03:00 comes twice.
        ("Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z", vec![(7, 1, 60), (7, 2, 120), (7, 3, 60)]),
        // Clocks go forward at 01:00 UTC: 02:00 to 03:00 does not come.
        ("Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", vec![(7, 1, 60), (7, 2, 0), (7, 3, 60)]),
        ("America/New_York", "2026-11-01T05:00:00Z", "2026-11-01T08:00:00Z", vec![(7, 1, 120), (7, 2, 60)]),
        ("America/New_York", "2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z", vec![(7, 1, 60), (7, 2, 0), (7, 3, 60)]),
        // Half an hour each way: 01:30 to 02:00 comes twice, 02:00 to 02:30 does not come.
        ("Australia/Lord_Howe", "2026-04-04T14:00:00Z", "2026-04-04T16:30:00Z", vec![(7, 1, 90), (7, 2, 60)]),
        (
            "Australia/Lord_Howe",
            "2026-10-03T14:30:00Z",
            "2026-10-03T16:30:00Z",
            vec![(7, 1, 60), (7, 2, 30), (7, 3, 30)],
        ),
        // Offsets of 5:30 and 5:45.
        ("Asia/Kolkata", "2026-06-01T18:15:00Z", "2026-06-01T19:15:00Z", vec![(1, 23, 15), (2, 0, 45)]),
        ("Asia/Kathmandu", "2026-06-01T18:00:00Z", "2026-06-01T19:00:00Z", vec![(1, 23, 15), (2, 0, 45)]),
        // Samoa had no 30 December 2011, a Friday: Thursday's last hour is followed by Saturday's first.
        (
            "Pacific/Apia",
            "2011-12-30T09:00:00Z",
            "2011-12-30T11:00:00Z",
            vec![(4, 23, 60), (5, 0, 0), (5, 12, 0), (6, 0, 60)],
        ),
    ];
    for (name, from, to, expected) in cases {
        let zone = zone(name);
        let made = sheet(&watched(from, to), &zone, ms(to));
        for (weekday, hour, minutes) in &expected {
            let cell = made.slots.get(Slot::new(*weekday, *hour).unwrap());
            assert_eq!(cell.seen.seen_ms() / 60_000, *minutes, "{name} {from}: {weekday} {hour}:00");
            assert_eq!(cell.weeks, u32::from(*minutes > 0), "{name} {from}: a repeated hour is one week");
        }
        let all: u64 = expected.iter().map(|(.., minutes)| minutes).sum();
        assert_eq!(made.slots.total().seen_ms() / 60_000, all, "{name} {from}: nothing is lost or counted twice");
    }
}

#[test]
fn a_slot_of_a_moment_is_the_slot_its_quarter_hour_falls_in() {
    for name in ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns", "UTC"] {
        let zone = zone(name);
        for start in (ms("2026-03-01T00:00:00Z")..ms("2026-12-01T00:00:00Z")).step_by(1999 * BUCKET_MS as usize) {
            let made = sheet(&[quarter(start, 15, 0)], &zone, start + 1);
            let cell = made.slots.get(Slot::at(at(start), &zone));
            assert_eq!((cell.weeks, cell.evidence), (1, Evidence::Thin), "{name} {start}");
        }
    }
}

#[test]
fn weeks_of_a_slot_open_the_cell() {
    let zone = zone("Europe/Berlin");
    let monday = ms("2026-06-01T08:00:00Z");
    let week = 7 * DAY_MS;
    let quarters = [quarter(monday, 15, 0), quarter(monday + week, 5, 10), quarter(monday + 3 * week, 0, 15)];
    let made = sheet(&quarters, &zone, monday + 3 * week + DAY_MS);
    let weeks: Vec<_> = made.slots.weeks(Slot::new(1, 10).unwrap()).collect();
    assert_eq!(
        weeks.iter().map(|week| week.monday).collect::<Vec<_>>(),
        [date(2026, 6, 1), date(2026, 6, 8), date(2026, 6, 22)]
    );
    assert_eq!(weeks.iter().map(|week| week.seen.up_ms / 60_000).collect::<Vec<_>>(), [15, 5, 0]);
    assert_eq!(made.seen.map(|(_, end)| end.as_millisecond()), Some(monday + 3 * week + BUCKET_MS));
}

#[test]
fn what_is_not_yet_is_no_evidence() {
    let start = ms("2026-06-01T08:00:00Z");
    let quarters = [quarter(start, 15, 0), quarter(start + DAY_MS, 0, 15)];
    let made = sheet(&quarters, &TimeZone::UTC, start + DAY_MS);
    assert_eq!(made, sheet(&quarters[..1], &TimeZone::UTC, start + DAY_MS));
    assert!(made.outages.all().is_empty());
}

#[test]
fn little_evidence_gives_numbers_and_says_what_is_missing() {
    let start = ms("2026-06-01T08:00:00Z");
    let day = watched("2026-06-01T08:00:00Z", "2026-06-02T08:00:00Z");
    for (name, quarters) in [("nothing", &[][..]), ("one", &day[..1]), ("a day", &day[..])] {
        let made = sheet(quarters, &TimeZone::UTC, start + DAY_MS);
        for (slot, cell) in made.slots.iter() {
            let numbers = [cell.share, cell.low, cell.high, made.slots.quarter(slot, 0)];
            assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{name}: {cell:?}");
            assert!(cell.low <= cell.share && cell.share <= cell.high, "{name}: {cell:?}");
        }
        let advice = made.advice(at(start + DAY_MS), &TimeZone::UTC);
        let is_told = advice.iter().any(|advice| matches!(advice, Advice::Missing(_)));
        assert!(is_told, "{name}: {advice:?}");
        let widest = made.slots.iter().map(|(_, cell)| cell.high - cell.low).fold(0.0, f64::max);
        assert!(quarters.len() > 1 || widest > 0.3, "{name}: {widest}");
    }
    // One answer is no promise, and one refusal no verdict.
    for (up, full, range) in [(15, 0, 0.86..0.99), (0, 15, 0.1..0.6)] {
        let one = sheet(&[quarter(start, up, full)], &TimeZone::UTC, start + DAY_MS);
        assert!(
            range.contains(&one.slots.get(Slot::new(4, 3).unwrap()).share),
            "{:?}",
            one.slots.get(Slot::new(4, 3).unwrap())
        );
    }
    let none = sheet(&[], &TimeZone::UTC, start);
    assert_eq!(none.advice(at(start), &TimeZone::UTC), [Advice::Missing(Missing::Everything)]);
    let early = sheet(&day[..8], &TimeZone::UTC, start + 2 * 60 * MIN);
    assert_eq!(early.missing(at(start + 2 * 60 * MIN)), Some(Missing::Day { known_at: at(start + DAY_MS) }));
    assert_eq!(
        sheet(&day, &TimeZone::UTC, start + DAY_MS).missing(at(start + DAY_MS)),
        Some(Missing::Week { known_at: at(start + 7 * DAY_MS) })
    );
}

#[test]
fn evidence_needs_weeks_and_samples() {
    for (weeks, samples, expected) in [
        (0, 0, Evidence::Empty),
        (1, 500, Evidence::Thin),
        (2, 500, Evidence::Thin),
        (3, 5, Evidence::Thin),
        (3, 6, Evidence::Known),
    ] {
        assert_eq!(Evidence::of(weeks, samples), expected, "{weeks} weeks, {samples} samples");
    }
}

/// Quarter hours of up to five weeks, any order, some twice.
fn any_quarters() -> impl Strategy<Value = Vec<Quarter>> {
    let one = (0..5 * 672_i64, 0..=15_u32, 0..=15_u32, 0..3_u32).prop_map(|(at, up, full, fault)| {
        let (up, full) = (up, full.min(15 - up));
        let seen = Observed {
            up_ms: up * 60_000,
            full_ms: full * 60_000,
            fault_ms: fault.min(15 - up - full) * 60_000,
            counted: 1 + fault,
        };
        Quarter { start_ms: ms("2026-03-02T00:00:00Z") + at * BUCKET_MS, seen }
    });
    vec(one, 0..300)
}

const ZONES: [&str; 5] = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York"];

proptest! {
    #![proptest_config(crate::properties::cases(10))]

    #[test]
    fn nothing_is_lost_and_order_does_not_matter(quarters in any_quarters(), name in prop::sample::select(&ZONES[..]), seed: u64) {
        let now = ms("2026-04-06T00:00:00Z");
        let made = sheet(&quarters, &zone(name), now);
        let sum = |of: fn(&Observed) -> u32| quarters.iter().map(|quarter| u64::from(of(&quarter.seen))).sum::<u64>();
        let total = made.slots.total();
        prop_assert_eq!(total.up_ms, sum(|seen| seen.up_ms));
        prop_assert_eq!(total.full_ms, sum(|seen| seen.full_ms));
        prop_assert_eq!(total.fault_ms, sum(|seen| seen.fault_ms));
        prop_assert_eq!(u64::from(total.samples), sum(|seen| seen.counted));
        for (slot, cell) in made.slots.iter() {
            prop_assert!(0.0 <= cell.low && cell.low <= cell.share && cell.share <= cell.high && cell.high <= 1.0, "{:?}", cell);
            let mut weeks = Tally::default();
            made.slots.weeks(slot).for_each(|week| weeks.add(&week.seen));
            prop_assert_eq!(weeks.seen_ms(), cell.seen.seen_ms());
        }
        let mut shuffled = quarters.clone();
        fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
        let again = sheet(&shuffled, &zone(name), now);
        prop_assert_eq!(again.slots, made.slots);
        prop_assert_eq!(again.outages, made.outages);
    }

    #[test]
    fn a_walk_over_moments_places_each_as_the_clock_does(
        name in prop::sample::select(&ZONES[..]),
        from in ms("2024-01-01T00:00:00Z")..ms("2026-01-01T00:00:00Z"),
        steps in vec(prop_oneof![8 => 0..2 * BUCKET_MS, 1 => -9 * DAY_MS..200 * DAY_MS], 1..300),
    ) {
        let clock = LocalClock::new(&zone(name), ms("2024-06-01T00:00:00Z")..ms("2027-01-01T00:00:00Z"));
        let mut walk = clock.walk();
        let mut at = from;
        for step in steps {
            prop_assert_eq!(walk.place(at), clock.place(at), "{}", at);
            at += step;
        }
    }

    #[test]
    fn whole_weeks_later_everything_is_the_same(quarters in any_quarters(), weeks in 1..40_i64) {
        let now = ms("2026-04-06T00:00:00Z");
        let later = |quarter: &Quarter| Quarter { start_ms: quarter.start_ms + weeks * 7 * DAY_MS, ..*quarter };
        let before = sheet(&quarters, &TimeZone::UTC, now);
        let after = sheet(&quarters.iter().map(later).collect::<Vec<_>>(), &TimeZone::UTC, now + weeks * 7 * DAY_MS);
        for ((_, a), (_, b)) in before.slots.iter().zip(after.slots.iter()) {
            prop_assert!((a.share - b.share).abs() < 1e-9 && (a.low - b.low).abs() < 1e-9, "{:?} {:?}", a, b);
            prop_assert_eq!((a.seen, a.weeks, a.evidence), (b.seen, b.weeks, b.evidence));
        }
        prop_assert_eq!(before.busy, after.busy);
    }

    #[test]
    fn more_of_the_same_moves_a_slot_its_way(slot in 0..168_i64, quarters in any_quarters(), is_up: bool) {
        let now = ms("2026-04-06T00:00:00Z");
        let start = ms("2026-03-30T00:00:00Z") + slot * 3_600_000;
        let hour = (0..4).map(|n| if is_up { quarter(start + n * BUCKET_MS, 15, 0) } else { quarter(start + n * BUCKET_MS, 0, 15) });
        let mut without = quarters;
        without.retain(|quarter| !(start..start + 3_600_000).contains(&quarter.start_ms));
        let with: Vec<_> = without.iter().copied().chain(hour).collect();
        let share = |quarters: &[Quarter]| sheet(quarters, &TimeZone::UTC, now).slots.get(Slot::from_index(slot as usize)).share;
        let (before, after) = (share(&without), share(&with));
        // Noise and experts are weighed anew, so that it may move a little against it where it was sure already.
        prop_assert!(if is_up { after >= before - 0.06 } else { after <= before + 0.06 }, "{} to {}", before, after);
    }
}
