//! The time-weighting rule by cases, merging and the stored form by properties.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::core::outcome::Kind::{AtCapacity, Available, RateLimited, ServerError, Skipped, Timeout};

const MIN: i64 = 60_000;
/// A bucket start, so that tables read in minutes from it.
const T0: i64 = 1_700_000_100_000 / BUCKET_MS * BUCKET_MS;

fn point(at_ms: i64, kind: Kind) -> Point {
    Point { at_ms: T0 + at_ms, kind, is_counted: kind.is_counted(), first_token_ms: None }
}

/// `(from, to, state)` in milliseconds from `T0`.
fn spoken(mut points: Vec<Point>) -> Vec<(i64, i64, State)> {
    spans(&mut points).into_iter().map(|s| (s.time.start - T0, s.time.end - T0, s.state)).collect()
}

#[test]
fn the_rule_by_hand() {
    use State::{Fault, Full, Up};
    type Case = (&'static str, Vec<(i64, Kind)>, Vec<(i64, i64, State)>);
    let cases: Vec<Case> = vec![
        ("nothing", vec![], vec![]),
        ("a lone sample holds 15 min", vec![(0, Available)], vec![(0, 15 * MIN, Up)]),
        ("down holds as long as up", vec![(0, AtCapacity)], vec![(0, 15 * MIN, Full)]),
        (
            "neighbours share the time between them",
            vec![(0, Available), (10 * MIN, AtCapacity)],
            vec![(0, 5 * MIN, Up), (5 * MIN, 25 * MIN, Full)],
        ),
        (
            "a gap of exactly 20 min is shared",
            vec![(0, Available), (20 * MIN, Timeout)],
            vec![(0, 10 * MIN, Up), (10 * MIN, 35 * MIN, Fault)],
        ),
        (
            "one of 20 min and 1 ms is a gap",
            vec![(0, Available), (20 * MIN + 1, ServerError)],
            vec![(0, 15 * MIN, Up), (20 * MIN + 1, 35 * MIN + 1, Fault)],
        ),
        (
            "an odd millisecond goes to the later one",
            vec![(0, Available), (5, AtCapacity)],
            vec![(0, 2, Up), (2, 5 + 15 * MIN, Full)],
        ),
        ("a skip ends the last sample", vec![(0, Available), (4 * MIN, Skipped)], vec![(0, 4 * MIN, Up)]),
        (
            "a skip before the middle ends the first half only",
            vec![(0, Available), (3 * MIN, Skipped), (10 * MIN, AtCapacity)],
            vec![(0, 3 * MIN, Up), (5 * MIN, 25 * MIN, Full)],
        ),
        (
            "nothing speaks for the time before a skip",
            vec![(0, Available), (7 * MIN, Skipped), (10 * MIN, AtCapacity)],
            vec![(0, 5 * MIN, Up), (7 * MIN, 25 * MIN, Full)],
        ),
        (
            "of several skips the first ends and the last begins",
            vec![(0, Available), (2 * MIN, Skipped), (8 * MIN, Skipped), (10 * MIN, Available)],
            vec![(0, 2 * MIN, Up), (8 * MIN, 25 * MIN, Up)],
        ),
        (
            "what does not count is not there",
            vec![(0, Available), (4 * MIN, RateLimited), (8 * MIN, Available)],
            vec![(0, 4 * MIN, Up), (4 * MIN, 23 * MIN, Up)],
        ),
        (
            "at the same millisecond the kind decides",
            vec![(10 * MIN, AtCapacity), (0, Available), (10 * MIN, Available)],
            vec![(0, 5 * MIN, Up), (5 * MIN, 10 * MIN, Up), (10 * MIN, 25 * MIN, Full)],
        ),
        ("a skip at the same millisecond leaves nothing", vec![(0, Skipped), (0, Available)], vec![]),
    ];
    for (name, points, expected) in cases {
        let points = points.into_iter().map(|(at, kind)| point(at, kind)).collect();
        assert_eq!(spoken(points), expected, "{name}");
    }
}

#[test]
fn account_and_local_scope_are_stored_but_not_counted() {
    let mut own = point(2 * MIN, Timeout);
    own.is_counted = false;
    let mut buckets = vec![Bucket::default(); 2];
    fill(&mut [point(0, Available), own], T0, &mut buckets);
    assert_eq!((buckets[0].up_ms, buckets[0].fault_ms), (900_000, 0));
    assert_eq!((buckets[0].counts.counted(), buckets[0].counts.set_aside(), buckets[0].counts.total()), (1, 1, 2));
    assert_eq!(buckets[0].counts.of(Timeout), 0);
}

#[test]
fn a_span_is_cut_at_bucket_edges() {
    let mut buckets = vec![Bucket::default(); 3];
    fill(&mut [point(8 * MIN, Available), point(28 * MIN, AtCapacity)], T0, &mut buckets);
    let times: Vec<_> = buckets.iter().map(|b| (b.up_ms / 60_000, b.full_ms / 60_000)).collect();
    assert_eq!(times, [(7, 0), (3, 12), (0, 13)]);
    let counts: Vec<_> = buckets.iter().map(|b| b.counts.total()).collect();
    assert_eq!(counts, [1, 1, 0], "the count belongs to the bucket of the sample, the time to the buckets it spans");
}

#[test]
fn histogram_bins_meet_without_overlap() {
    for bin in 0..BINS {
        assert_eq!(Histogram::bin(Histogram::lower(bin)), bin);
        if bin > 0 {
            assert_eq!(Histogram::bin(Histogram::lower(bin) - 1), bin - 1);
        }
    }
    assert_eq!(Histogram::bin(u32::MAX), BINS - 1);
    let mut histogram = Histogram::default();
    assert_eq!(histogram.quantile(0.5), None);
    (0..100).for_each(|_| histogram.add(1000));
    let median = histogram.quantile(0.5).expect("it holds times");
    assert!((896.0..=1024.0).contains(&median), "{median}");
}

fn any_point() -> impl Strategy<Value = Point> {
    // Whole minutes and odd milliseconds, so that equal times and the 20-minute edge are met often.
    let at = prop_oneof![(0..240i64).prop_map(|m| m * MIN), 0..240 * MIN];
    let kind = prop_oneof![4 => prop::sample::select(vec![Available, AtCapacity, ServerError, Timeout]), 1 => Just(Skipped), 1 => prop::sample::select(Kind::ALL.to_vec())];
    (at, kind, any::<bool>(), prop::option::of(any::<u32>())).prop_map(|(at, kind, scope, first_token_ms)| Point {
        at_ms: T0 + at,
        kind,
        is_counted: kind.is_counted() && scope,
        first_token_ms,
    })
}

fn any_bucket() -> impl Strategy<Value = Bucket> {
    (vec(any_point(), 0..30), 0..16usize).prop_map(|(mut points, slot)| {
        let mut buckets = vec![Bucket::default(); 17];
        fill(&mut points, T0, &mut buckets);
        buckets.swap_remove(slot)
    })
}

const SLOTS: usize = 24;

fn rebuilt(points: &[Point]) -> Vec<Bucket> {
    let mut buckets = vec![Bucket::default(); SLOTS];
    fill(&mut points.to_vec(), T0 - 4 * BUCKET_MS, &mut buckets);
    buckets
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    #[test]
    fn merge_is_associative_and_commutative(a in any_bucket(), b in any_bucket(), c in any_bucket()) {
        prop_assert_eq!(a.clone().merge(&b).merge(&c), a.clone().merge(&b.clone().merge(&c)));
        prop_assert_eq!(a.clone().merge(&b), b.clone().merge(&a));
        prop_assert_eq!(a.clone().merge(&Bucket::default()), a);
    }

    #[test]
    fn spans_never_overlap_and_speak_near_a_sample(points in vec(any_point(), 0..60)) {
        let spans = spoken(points.clone());
        for pair in spans.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0);
        }
        for (from, to, _) in spans {
            prop_assert!(points.iter().any(|p| p.at_ms - T0 - REACH_MS / 2 <= from && to <= p.at_ms - T0 + HOLD_MS));
        }
    }

    /// Ingest in any order: after each sample only the affected buckets are made again, from the samples near them.
    #[test]
    fn incremental_equals_rebuild(points in vec(any_point(), 0..60)) {
        let mut stored: Vec<Point> = Vec::new();
        let mut buckets = rebuilt(&[]);
        for point in &points {
            stored.push(*point);
            let range = affected(point.at_ms);
            let mut near: Vec<Point> = stored
                .iter()
                .filter(|p| (range.start - REACH_MS..=range.end + REACH_MS).contains(&p.at_ms))
                .copied()
                .collect();
            let mut fresh = vec![Bucket::default(); ((range.end - range.start) / BUCKET_MS) as usize];
            fill(&mut near, range.start, &mut fresh);
            let first = ((range.start - (T0 - 4 * BUCKET_MS)) / BUCKET_MS) as usize;
            for (slot, bucket) in fresh.into_iter().enumerate() {
                buckets[first + slot] = bucket;
            }
        }
        prop_assert_eq!(&buckets, &rebuilt(&points));
        let mut other = points.clone();
        other.reverse();
        prop_assert_eq!(buckets, rebuilt(&other));
    }

    #[test]
    fn the_stored_form_is_read_back(points in vec(any_point(), 0..200)) {
        let mut day = Day::default();
        for (slot, bucket) in rebuilt(&points).into_iter().enumerate() {
            *day.bucket_mut(slot as i64 * BUCKET_MS) = bucket;
        }
        let (mut spans, mut latency) = (Vec::new(), Vec::new());
        day.encode(&mut spans, &mut latency);
        let mut back = Day::default();
        back.decode(&spans, &latency).expect("our own form");
        prop_assert_eq!(&back, &day);
        let mut observed = Vec::new();
        read_observed(&spans, |slot, o| observed.push((slot, o))).expect("our own form");
        for ((slot, o), (at, bucket)) in observed.into_iter().zip(day.iter()) {
            prop_assert_eq!(slot, at);
            prop_assert_eq!(u64::from(o.up_ms + o.full_ms + o.fault_ms), bucket.observed_ms());
            prop_assert_eq!(o.counted, bucket.counts.counted());
        }
        let mut counted = Vec::new();
        read_counted(&spans, |slot, o, counts| counted.push((slot, o, *counts))).expect("our own form");
        for ((slot, o, counts), (at, bucket)) in counted.into_iter().zip(day.iter()) {
            prop_assert_eq!((slot, counts), (at, bucket.counts));
            prop_assert_eq!(u64::from(o.up_ms + o.full_ms + o.fault_ms), bucket.observed_ms());
        }
    }

    #[test]
    fn foreign_bytes_never_panic(spans in vec(any::<u8>(), 0..80), latency in vec(any::<u8>(), 0..80)) {
        let _ = Day::default().decode(&spans, &latency);
        let _ = read_observed(&spans, |_, _| {});
        let _ = read_counted(&spans, |_, _, _| {});
    }
}
