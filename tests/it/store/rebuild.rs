//! Buckets are a cache: made again from the samples they are the same rows.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use vacancy::core::bucket::{Bucket, Point, fill};
use vacancy::core::history::{Cell, Query};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::store::{Appended, Care, Filter, Reader, list_backups};

use super::{MIN, T0, World, at, bucket_rows, sample};

const DAY: i64 = 86_400_000;

fn any_sample() -> impl Strategy<Value = Sample> {
    // Close together, so that neighbours, day edges, equal times and the 20-minute edge are met; a few far away.
    let near = prop_oneof![(0..600i64).prop_map(|m| m * MIN), 0..600 * MIN];
    let time = (near, prop_oneof![6 => Just(0i64), 1 => -3i64..3, 1 => -4000i64..4000]);
    let kind = prop_oneof![
        4 => prop::sample::select(vec![Kind::Available, Kind::AtCapacity, Kind::Timeout]),
        1 => Just(Kind::Skipped),
        1 => prop::sample::select(Kind::ALL.to_vec()),
    ];
    let scope = prop_oneof![4 => Just(Scope::Model), 1 => prop::sample::select(Scope::ALL.to_vec())];
    (time, kind, scope, prop::sample::select(Source::ALL.to_vec()), any::<bool>(), prop::option::of(1..900_000u32))
        .prop_map(|((ms, days), kind, scope, source, is_first, first_token_ms)| {
            let mut sample = sample(if is_first { "a" } else { "b" }, T0 - 300 * MIN + ms + days * DAY, kind);
            (sample.scope, sample.source, sample.first_token_ms) = (scope, source, first_token_ms);
            sample
        })
}

proptest! {
    #![proptest_config(crate::support::properties::cases(32))]

    /// Singly and in batches, in any order, with duplicates, before and after pruning.
    #[test]
    fn rebuild_gives_equal_rows(batches in vec(vec(any_sample(), 1..40), 1..6), days in 480u32..520) {
        let world = World::new();
        let store = world.open();
        let handle = store.handle();
        for (number, batch) in batches.iter().enumerate() {
            if number % 2 == 0 {
                handle.append_batch(batch.clone()).wait().unwrap();
            } else {
                for sample in batch {
                    handle.append(sample.clone()).wait().unwrap();
                }
            }
        }
        let conn = world.sqlite();
        let grown = bucket_rows(&conn);
        prop_assert!(!grown.is_empty() || batches.iter().flatten().all(|s| !s.is_counted()));
        handle.rebuild().wait().unwrap();
        prop_assert_eq!(&bucket_rows(&conn), &grown);

        handle.prune(days).wait().unwrap();
        prop_assert_eq!(&bucket_rows(&conn), &grown, "pruning keeps the buckets");
        handle.rebuild().wait().unwrap();
        prop_assert_eq!(&bucket_rows(&conn), &grown, "and so does a rebuild after it");

        // What comes in after pruning: refused where the buckets are final, exact elsewhere.
        for sample in batches.iter().flatten().take(20) {
            let mut late = sample.clone();
            late.at = at(late.at.as_millisecond() + 7 * MIN + 1);
            handle.append(late).wait().unwrap();
        }
        let grown = bucket_rows(&conn);
        handle.rebuild().wait().unwrap();
        prop_assert_eq!(&bucket_rows(&conn), &grown);
    }
}

proptest! {
    #![proptest_config(crate::support::properties::cases(48))]

    /// What a source alone saw, read from the rows of days, is what its samples alone are weighed to; also of a record whose rows
    /// do not know their sources yet, and while it is brought up to date.
    #[test]
    fn a_source_alone_is_what_its_samples_alone_say(batches in vec(vec(any_sample(), 1..40), 1..5), late in any_sample()) {
        let world = World::new();
        let store = world.open();
        for batch in &batches {
            store.handle().append_batch(batch.clone()).wait().unwrap();
        }
        let check = |what: &str| {
            let reader = Reader::open(&world.path(), Duration::ZERO).unwrap();
            for (target, source) in ["a", "b"].into_iter().flat_map(|target| Source::ALL.map(|source| (target, source))) {
                let samples = reader.samples(&Filter::target(target.into())).unwrap();
                let mut points: Vec<Point> =
                    samples.iter().filter(|sample| sample.source == source).map(Point::from).collect();
                // The near samples, the days around them, and some of the far ones.
                let range = T0 - 4 * DAY..T0 + 4 * DAY;
                let mut buckets = vec![Bucket::default(); usize::try_from((range.end - range.start) / (15 * MIN)).unwrap()];
                fill(&mut points, range.start, &mut buckets);
                let query = Query {
                    seen: range.clone(),
                    range,
                    step: 15 * MIN,
                    rows: Vec::new(),
                    targets: vec![target.into()],
                    focus: None,
                    source: Some(source),
                    now: T0 + 9000 * DAY,
                };
                let answer = reader.history(&query, &|| false).unwrap().unwrap();
                let Some(lane) = answer.lanes.first() else { continue };
                let expected: Vec<Cell> = buckets.iter().map(Cell::from).collect();
                assert_eq!(lane.cells, expected, "{what}: {target} {source:?}");
            }
        };
        check("as it grew");
        let conn = world.sqlite();
        conn.execute_batch("UPDATE bucket_day SET sources = 0; DELETE FROM source_day;").unwrap();
        check("as an older program wrote it");
        store.handle().append(late).wait().unwrap();
        check("while it is brought up to date");
        store.handle().rebuild().wait().unwrap();
        check("made again");
    }
}

#[test]
fn pruning_deletes_in_steps_and_refuses_what_is_older_after() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    let minutes = 3 * 24 * 60;
    let samples: Vec<_> = (0..minutes).map(|minute| sample("a", T0 + minute * MIN, Kind::Available)).collect();
    handle.append_batch(samples.clone()).wait().unwrap();
    // "Now" is 500 days after T0: keeping 498 days cuts after the second day, minus the 20 minutes that reach over it.
    let deleted = handle.prune(498).wait().unwrap();
    assert_eq!(deleted, 2 * 24 * 60 - 20);
    assert_eq!(handle.append(samples[5].clone()).wait().unwrap(), Appended::TooOld);
    assert_eq!(handle.append(sample("b", T0, Kind::Available)).wait().unwrap(), Appended::Stored, "b lost nothing yet");
    let buckets = handle.read(|reader| reader.buckets(&Filter::target("a".into()))).wait().unwrap();
    let up: u64 = buckets.iter().map(|(_, _, bucket)| bucket.up_ms).sum();
    assert_eq!(up, (minutes as u64 - 1) * 60_000 + 900_000, "every minute is still accounted for");
    assert_eq!(handle.prune(498).wait().unwrap(), 1, "now the one of b");
}

/// Found by the property above: a sample before the cut that speaks for time after it.
#[test]
fn what_was_kept_before_the_cut_is_part_of_a_rebuild() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    let times = [T0 - 5 * 60 * MIN, T0 - 14 * MIN];
    handle.append_batch(times.map(|ms| sample("a", ms, Kind::Available)).to_vec()).wait().unwrap();
    let rows = bucket_rows(&world.sqlite());
    assert_eq!(handle.prune(500).wait().unwrap(), 1);
    handle.rebuild().wait().unwrap();
    assert_eq!(bucket_rows(&world.sqlite()), rows);
}

#[test]
fn a_damaged_bucket_row_heals_from_its_samples() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    let samples: Vec<_> = (0..90).map(|minute| sample("a", T0 + minute * MIN, Kind::Available)).collect();
    handle.append_batch(samples).wait().unwrap();
    let conn = world.sqlite();
    let good = bucket_rows(&conn);
    conn.execute("UPDATE bucket_day SET spans = x'ff00ff'", []).unwrap();
    assert!(handle.read(|reader| reader.buckets(&Filter::default())).wait().is_err());
    // The reader has asked for a look at it; a job queued after that ends after the healing.
    handle.compact().wait().unwrap();
    assert_eq!(bucket_rows(&conn), good);
    conn.execute("UPDATE bucket_day SET spans = x'ff00ff'", []).unwrap();
    let appended = handle.append(sample("a", T0 + 30 * MIN + 1, Kind::Available)).wait().unwrap();
    assert_eq!(appended, Appended::Stored, "{:?}", handle.health().borrow());
    let healed = bucket_rows(&conn);
    handle.rebuild().wait().unwrap();
    assert_eq!(bucket_rows(&conn), healed, "a write that meets the damage heals it too");
}

#[test]
fn compacting_gives_space_back() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    let samples: Vec<_> = (0..40_000).map(|n| sample("a", T0 + n * MIN, Kind::Available)).collect();
    handle.append_batch(samples).wait().unwrap();
    handle.prune(480).wait().unwrap();
    let before = handle.read(|reader| reader.info()).wait().unwrap();
    assert!(before.free_bytes > 0);
    assert!(handle.compact().wait().unwrap() > 0);
    let after = handle.read(|reader| reader.info()).wait().unwrap();
    assert_eq!(after.free_bytes, 0);
    assert!(after.bytes < before.bytes);
    assert_eq!(world.path().metadata().unwrap().len(), after.bytes);
}

#[test]
fn once_a_day_old_samples_go_and_a_backup_is_made() {
    let mut world = World::new();
    let hours: Vec<_> = (0..48).map(|hour| sample("a", T0 + hour * 60 * MIN, Kind::Available)).collect();
    world.open().handle().append_batch(hours).wait().unwrap();
    world.options.care = Some(Care { keep_days: 499, first_after: Duration::ZERO });
    let store = world.open();
    // Nobody waits for its care, so there is no event to await: look until it shows.
    let is_done = || {
        let samples = store.handle().read(|reader| reader.samples(&Filter::default())).wait().unwrap().len();
        samples == 24 && !list_backups(&world.path()).is_empty()
    };
    let done = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        is_done()
    });
    assert!(done);
    drop(store);

    // Not again on the same day: a sample older than that day stays.
    let store = world.open();
    store.handle().append(sample("b", T0, Kind::Available)).wait().unwrap();
    store.handle().compact().wait().unwrap();
    assert_eq!(store.handle().read(|reader| reader.recent(&"b".into(), 9)).wait().unwrap().len(), 1);
}
