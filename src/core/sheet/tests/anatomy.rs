//! Outages: how they are found, and what is learnt from those that were cut off.

use super::*;

fn span(from: i64, to: i64, state: State) -> Span {
    Span { time: from * MIN..to * MIN, state }
}

/// Start, length, begun, ended; in minutes.
fn found(outages: &Outages) -> Vec<(i64, i64, bool, bool)> {
    let of = |outage: &Outage| {
        (outage.start.as_millisecond() / MIN, outage.length.as_mins(), outage.is_begun, outage.is_ended)
    };
    outages.all().iter().map(of).collect()
}

#[test]
fn outages_are_found_in_quarter_hours() {
    type Case = (&'static str, Vec<(i64, u32, u32)>, Vec<(i64, i64, bool, bool)>);
    // Quarter (number), minutes up, minutes full.
    let cases: Vec<Case> = vec![
        ("free", vec![(0, 15, 0), (1, 15, 0)], vec![]),
        ("within a quarter hour", vec![(0, 15, 0), (1, 9, 6), (2, 15, 0)], vec![(24, 6, true, true)]),
        ("over three", vec![(0, 10, 5), (1, 0, 15), (2, 12, 3), (3, 15, 0)], vec![(10, 23, true, true)]),
        ("at the edges", vec![(0, 15, 0), (1, 0, 15), (2, 15, 0)], vec![(15, 15, true, true)]),
        ("two", vec![(0, 10, 5), (1, 11, 4), (2, 9, 6), (3, 15, 0)], vec![(10, 9, true, true), (39, 6, true, true)]),
        ("on at the end", vec![(0, 15, 0), (1, 0, 15)], vec![(15, 15, true, false)]),
        ("cut by a gap", vec![(0, 15, 0), (1, 0, 15), (3, 15, 0)], vec![(15, 15, true, false)]),
        ("begun in a gap", vec![(0, 15, 0), (2, 0, 15), (3, 15, 0)], vec![(30, 15, false, true)]),
        ("over a gap it is two", vec![(0, 0, 15), (2, 0, 15)], vec![(0, 15, false, false), (30, 15, false, false)]),
    ];
    for (name, quarters, expected) in cases {
        let quarters: Vec<_> = quarters.into_iter().map(|(n, up, full)| quarter(n * BUCKET_MS, up, full)).collect();
        let made = sheet(&quarters, &TimeZone::UTC, 10 * BUCKET_MS);
        assert_eq!(found(&made.outages), expected, "{name}");
    }
}

#[test]
fn outages_are_found_in_spans() {
    use State::{Fault, Full, Up};
    let spans = [
        span(0, 10, Full),
        span(10, 20, Up),
        span(20, 25, Full),
        span(25, 33, Fault),
        span(33, 40, Up),
        span(60, 70, Full),
        span(80, 90, Up),
        span(90, 95, Fault),
    ];
    let outages = Outages::of_spans(&spans, &TimeZone::UTC);
    assert_eq!(
        found(&outages),
        [(0, 10, false, true), (20, 13, true, true), (60, 10, false, false), (90, 5, true, false)]
    );
    assert_eq!(outages.all().iter().map(|outage| outage.is_fault).collect::<Vec<_>>(), [false, true, false, true]);
}

/// Outages of these lengths, one a day at noon; those with a minus sign are cut off by a gap.
fn lasting(minutes: &[i64]) -> Outages {
    let mut spans = Vec::new();
    for (day, length) in minutes.iter().enumerate() {
        let noon = day as i64 * 1440 + 720;
        spans.extend([span(noon - 5, noon, State::Up), span(noon, noon + length.abs(), State::Full)]);
        if *length > 0 {
            spans.push(span(noon + length, noon + length + 5, State::Up));
        }
    }
    Outages::of_spans(&spans, &TimeZone::UTC)
}

fn mins(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

#[test]
fn product_limit_by_hand() {
    // Ends at 6 (three, one cut there), 7, 10, 13, 16, 22, 23 of 21 with cuts at 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35:
    // the remission times of Freireich and others (1963), whose curve is in every textbook.
    let weeks = [6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35];
    let outages = lasting(&weeks);
    for (at, share) in
        [(5, 1.0), (6, 0.857), (7, 0.807), (10, 0.753), (13, 0.690), (16, 0.627), (22, 0.538), (40, 0.448)]
    {
        let found = outages.survival(mins(at)).unwrap();
        assert!((found - share).abs() < 0.001, "after {at}: {found}, not {share}");
    }
    let typical = outages.typical().unwrap();
    assert_eq!((typical.median, typical.most, typical.outages), (Some(mins(23)), None, 21));
    assert_eq!(typical.is_worth_waiting(), Some(false));
    // Of those that lasted 12, eleven or fewer are left: 10/11 · 10/... until half have ended.
    let later = outages.remaining(DayPart::Afternoon, mins(12)).unwrap();
    assert_eq!((later.so_far, later.outages, later.part), (mins(12), 12, Some(DayPart::Afternoon)));
    assert_eq!(later.median, None, "12 → 0.598 of them last past 23, and the rest was cut off");
}

#[test]
fn remaining_time_counts_from_now() {
    let outages = lasting(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    let cases = [
        (0, Some(50), Some(80), 10),
        (30, Some(40), Some(60), 7),
        (65, Some(15), Some(35), 4),
        (75, Some(15), Some(25), 3),
    ];
    for (so_far, median, most, outages_on) in cases {
        let found = outages.remaining(DayPart::Afternoon, mins(so_far)).unwrap();
        assert_eq!(
            (found.median, found.most, found.outages),
            (median.map(mins), most.map(mins), outages_on),
            "{so_far}"
        );
    }
    assert_eq!(outages.remaining(DayPart::Afternoon, mins(85)), None, "two are too few");
    assert_eq!(outages.remaining(DayPart::Night, mins(0)).unwrap().part, None, "no night has any: all parts together");
    assert_eq!(lasting(&[]).typical(), None);
}

#[test]
fn wait_or_switch_says_where_to() {
    let chain = ["a", "b", "c"].map(TargetId::from);
    let start = ms("2026-06-01T00:00:00Z");
    let now = at(start + 28 * DAY_MS + 12 * 60 * MIN);
    // `a` is away each noon for an hour, `b` every hour of the day for most of it, `c` never.
    let week = |of: fn(i64) -> (u32, u32)| -> Vec<Quarter> {
        (0..28 * 96).map(|n| (n, of(n % 96))).map(|(n, (up, full))| quarter(start + n * BUCKET_MS, up, full)).collect()
    };
    let a = week(|quarter| if (48..52).contains(&quarter) { (0, 15) } else { (15, 0) });
    let b = week(|quarter| if quarter % 4 == 0 { (15, 0) } else { (0, 15) });
    let c = week(|_| (15, 0));
    let targets = [a, b, c]
        .into_iter()
        .zip(&chain)
        .map(|(quarters, id)| TargetSheet::new(id.clone(), &quarters, &TimeZone::UTC, now));
    let sheet = Sheet { zone: TimeZone::UTC, now, targets: targets.collect() };
    let WaitOrSwitch::Switch { to, remaining, back } = sheet.wait_or_switch(&chain[0], &chain, mins(5)) else {
        panic!("an hour is long")
    };
    assert_eq!(to.as_ref(), Some(&chain[2]));
    assert_eq!((remaining.median, remaining.outages), (Some(mins(55)), 28));
    assert_eq!(back.map(|back| back.as_millisecond() - start - 28 * DAY_MS), Some(13 * 60 * MIN));
    assert!(matches!(sheet.wait_or_switch(&chain[0], &chain, mins(50)), WaitOrSwitch::Wait { .. }));
    assert!(matches!(sheet.wait_or_switch(&chain[2], &chain, mins(5)), WaitOrSwitch::Unknown { outages: 0, .. }));
    assert_eq!(sheet.best_three(&chain, Slot::new(1, 12).unwrap())[0].target, chain[2]);
    assert_eq!(sheet.choice(&chain, 9 * 4).unwrap().target, chain[0], "the chain's order decides between good ones");
    let advice = sheet.targets[0].advice(at(now.as_millisecond() - 180 * MIN), &TimeZone::UTC);
    let Some(Advice::BusyToday { busy, switch_at }) = advice.first() else { panic!("{advice:?}") };
    assert_eq!(busy.busy.start, 12 * 60);
    assert_eq!(busy.start.duration_since(*switch_at), SWITCH_AHEAD);
}
