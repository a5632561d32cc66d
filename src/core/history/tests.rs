//! Reducing loses nothing: by properties. Outages: by cases.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::core::bucket::{bucket_start, fill, spans};
use crate::core::outcome::Kind::{AtCapacity, Available, RateLimited, ServerError, Skipped, Timeout};

const MIN: i64 = 60_000;
const T0: i64 = 1_700_000_100_000 / BUCKET_MS * BUCKET_MS;

fn point(minutes: i64, kind: Kind) -> Point {
    Point { at_ms: T0 + minutes * MIN, kind, is_counted: kind.is_counted(), first_token_ms: None }
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    let kinds = prop::sample::select(vec![Available, AtCapacity, ServerError, Timeout, RateLimited, Skipped]);
    vec((0_i64..3 * 24 * 60 * MIN, kinds), 1..120)
        .prop_map(|all| all.into_iter().map(|(at, kind)| Point { at_ms: T0 + at, ..point(0, kind) }).collect())
}

/// The cells of all points over four days, made from samples or from buckets as the width demands.
fn reduced(points: &mut [Point], step: i64) -> (Grid, Vec<Cell>) {
    let range = T0 - 24 * 60 * MIN..T0 + 4 * 24 * 60 * MIN;
    let grid = Grid::every(range.clone(), step);
    let mut cells = vec![Cell::default(); grid.len()];
    if step < BUCKET_MS {
        let spans = spans(points);
        add_points(&mut cells, &grid, points, &spans);
    } else {
        let start = bucket_start(range.start);
        let mut buckets = vec![Bucket::default(); ((range.end - start) / BUCKET_MS) as usize];
        fill(points, start, &mut buckets);
        for (index, bucket) in buckets.iter().enumerate() {
            add_bucket(&mut cells, &grid, start + index as i64 * BUCKET_MS, bucket.into());
        }
    }
    (grid, cells)
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    #[test]
    fn no_outage_disappears_at_any_width_and_the_sums_are_those_of_the_record(mut points in points(), step in 0..STEPS.len()) {
        let step = STEPS[step].max(10_000);
        let (grid, cells) = reduced(&mut points, step);
        let spans = spans(&mut points);
        for span in &spans {
            let (first, last) = (grid.find(span.time.start).unwrap(), grid.find(span.time.end - 1).unwrap());
            // Every cell that a span touches shows it, and one that it fills shows nothing else.
            for (index, cell) in cells.iter().enumerate().take(last + 1).skip(first) {
                prop_assert!(cell.ms(span.state) > 0);
                let time = grid.cell(index);
                if span.time.start <= time.start && span.time.end >= time.end {
                    prop_assert_eq!(i64::from(cell.ms(span.state)), step);
                    prop_assert_eq!(cell.observed_ms(), cell.ms(span.state));
                }
            }
        }
        let sum = cells.iter().fold(Cell::default(), |sum, cell| sum.merge(*cell));
        for state in [State::Up, State::Full, State::Fault] {
            let spoken: i64 = spans.iter().filter(|span| span.state == state).map(|span| span.time.end - span.time.start).sum();
            prop_assert_eq!(i64::from(sum.ms(state)), spoken);
        }
        prop_assert_eq!(sum.samples() as usize, points.len());
        prop_assert_eq!(sum.limited as usize, points.iter().filter(|point| point.kind == RateLimited).count());
    }

    #[test]
    fn latency_keeps_both_ends(mut times in vec(1_u32..400_000, 1..60)) {
        let grid = Grid::every(0..MIN, MIN);
        let mut exact = Latencies::new(grid.clone());
        let mut binned = Latencies::new(grid);
        let mut histogram = crate::core::bucket::Histogram::default();
        for ms in &times {
            exact.add(5, *ms);
            histogram.add(*ms);
        }
        binned.add_bucket(0, &histogram);
        let (exact, binned) = (exact.finish()[0].unwrap(), binned.finish()[0].unwrap());
        times.sort_unstable();
        prop_assert_eq!((exact.least, exact.most), (f64::from(times[0]), f64::from(times[times.len() - 1])));
        prop_assert!(binned.least <= exact.least && binned.most >= exact.most);
        for latency in [exact, binned] {
            prop_assert!(latency.least <= latency.low && latency.low <= latency.median);
            prop_assert!(latency.median <= latency.high && latency.high <= latency.most);
            prop_assert_eq!(latency.n as usize, times.len());
        }
    }

    #[test]
    fn there_are_never_more_cells_than_pixels(span in MIN..40 * 365 * 24 * 60 * MIN, pixels in 500_u32..4000) {
        let step = step_for(span, pixels);
        prop_assert!(span / step <= i64::from(pixels));
        // And the next narrower would be too narrow, or there is none.
        let place = STEPS.iter().position(|other| *other == step).unwrap();
        prop_assert!(place == 0 || span / STEPS[place - 1] >= i64::from(pixels));
    }
}

#[test]
fn a_pruned_bucket_seen_from_near_is_shared_by_its_cells() {
    let grid = Grid::every(T0..T0 + 2 * BUCKET_MS, 3 * MIN);
    let mut cells = vec![Cell::default(); grid.len()];
    let bucket = Cell { up_ms: 600_000, full_ms: 300_000, counted: 9, ..Cell::default() };
    add_bucket(&mut cells, &grid, T0 + BUCKET_MS, bucket);
    assert!(cells[..5].iter().all(|cell| *cell == Cell::default()));
    assert_eq!(cells[5], Cell { up_ms: 120_000, full_ms: 60_000, counted: 9, ..Cell::default() });
    assert_eq!(cells[9], Cell { up_ms: 120_000, full_ms: 60_000, ..Cell::default() });
}

/// Minutes from and to, minutes full, samples, start seen, end seen.
type Told = (i64, i64, i64, [u32; 3], bool, bool);

fn told(points: &[(i64, Kind)], now: i64) -> Vec<(Told, bool)> {
    let mut points: Vec<Point> = points.iter().map(|(at, kind)| point(*at, *kind)).collect();
    outages(&mut points, T0 + now * MIN)
        .into_iter()
        .map(|outage| {
            let minutes = |at: i64| (at - T0) / MIN;
            let (from, to) = (minutes(outage.time.start), minutes(outage.time.end));
            let told = (from, to, outage.full_ms / MIN, outage.samples, outage.is_start_seen, outage.is_end_seen);
            (told, outage.is_now)
        })
        .collect()
}

#[test]
fn outages_by_hand() {
    let late = 10_000;
    assert_eq!(told(&[(0, Available), (10, Available)], late), []);
    assert_eq!(
        told(&[(0, Available), (10, AtCapacity), (20, Timeout), (30, AtCapacity), (40, Available)], late),
        [((5, 35, 20, [2, 0, 1], true, true), false)],
        "one outage of two kinds, from and to the middle between the samples"
    );
    assert_eq!(
        told(&[(0, AtCapacity), (10, Available), (20, ServerError)], late),
        [((0, 5, 5, [1, 0, 0], false, true), false), ((15, 35, 0, [0, 1, 0], true, false), false)],
        "an edge that nobody saw is said to be none"
    );
    assert_eq!(
        told(&[(0, AtCapacity), (60, AtCapacity)], late),
        [((0, 15, 15, [1, 0, 0], false, false), false), ((60, 75, 15, [1, 0, 0], false, false), false)],
        "a gap ends it"
    );
    assert_eq!(
        told(&[(0, Available), (10, AtCapacity), (14, RateLimited), (20, Available)], late),
        [((5, 15, 10, [1, 0, 0], true, true), false)],
        "the account's own refusals change nothing"
    );
    assert_eq!(told(&[(0, Available), (10, AtCapacity)], 12), [((5, 12, 7, [1, 0, 0], true, false), true)], "it lasts");
}

#[test]
fn runs_of_trouble_are_found_between_free_buckets() {
    let trouble = Cell { full_ms: 1, ..Cell::default() };
    let free = Cell { up_ms: 900_000, ..Cell::default() };
    let at = |index: i64| T0 + index * BUCKET_MS;
    let found = runs([(at(0), free), (at(1), trouble), (at(2), trouble), (at(3), free), (at(5), trouble)]);
    let times: Vec<_> = found.into_iter().map(|(time, _)| time).collect();
    assert_eq!(times, [at(1)..at(3), at(5)..at(6)]);
}
