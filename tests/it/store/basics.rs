use vacancy::core::board::Confirmed;
use vacancy::core::bucket::Observed;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::Source;
use vacancy::core::target::TargetId;
use vacancy::store::{Appended, Filter, Reader, StoreError, TargetState};

use super::{MIN, T0, World, at, info, sample};

#[test]
fn a_sample_comes_back_as_it_was_stored() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    handle.register(vec![info("a")]).wait().unwrap();
    let mut full = sample("a", T0 + 1, Kind::AtCapacity);
    full.source = Source::ToolLog;
    full.http_status = Some(529);
    full.retry_after_s = Some(30);
    full.connect_ms = None;
    let up = sample("a", T0 + 10 * MIN, Kind::Available);
    assert_eq!(handle.append(full.clone()).wait().unwrap(), Appended::Stored);
    assert_eq!(handle.append(up.clone()).wait().unwrap(), Appended::Stored);
    let read = handle.read(|reader| reader.samples(&Filter::default())).wait().unwrap();
    assert_eq!(read, [full.clone(), up.clone()]);
    let recent = handle.read(|reader| reader.recent(&"a".into(), 1)).wait().unwrap();
    assert_eq!(recent, [up]);
    let targets = handle.read(|reader| reader.targets()).wait().unwrap();
    assert_eq!(targets[0].info, info("a"));

    drop(store);
    let reader = Reader::open(&world.path(), world.options.busy_timeout).unwrap();
    assert_eq!(reader.samples(&Filter::default().between(at(T0)..at(T0 + 2))).unwrap(), [full]);
    assert!(reader.samples(&Filter::target("b".into())).unwrap().is_empty());
}

#[test]
fn duplicates_are_dropped_and_other_kinds_at_the_same_moment_are_not() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    let up = sample("a", T0, Kind::Available);
    let full = sample("a", T0, Kind::AtCapacity);
    let appended = [up.clone(), full.clone(), up, full].map(|one| handle.append(one).wait().unwrap());
    assert_eq!(appended, [Appended::Stored, Appended::Stored, Appended::Duplicate, Appended::Duplicate]);
    let again = vec![sample("a", T0, Kind::AtCapacity), sample("a", T0, Kind::Timeout), sample("a", T0, Kind::Timeout)];
    let ingested = handle.append_batch(again).wait().unwrap();
    assert_eq!((ingested.stored, ingested.duplicates), (1, 2));
}

#[test]
fn buckets_follow_the_rule_and_late_samples() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    for (minute, kind) in [(0, Kind::Available), (20, Kind::AtCapacity), (60, Kind::Available)] {
        handle.append(sample("a", T0 + minute * MIN, kind)).wait().unwrap();
    }
    let times = |handle: &vacancy::store::StoreHandle| {
        let mut times = Vec::new();
        let buckets = handle.read(|reader| reader.buckets(&Filter::default())).wait().unwrap();
        for (_, start, bucket) in buckets {
            let minute = |ms: u64| ms / 60_000;
            let start = (start.as_millisecond() - T0) / MIN;
            times.push((start, minute(bucket.up_ms), minute(bucket.full_ms), bucket.counts.total()));
        }
        times
    };
    assert_eq!(times(&handle), [(0, 10, 5, 1), (15, 0, 15, 1), (30, 0, 5, 0), (60, 15, 0, 1)]);
    // A skip that was written late ends what the second sample spoke for.
    handle.append(sample("a", T0 + 25 * MIN, Kind::Skipped)).wait().unwrap();
    assert_eq!(times(&handle), [(0, 10, 5, 1), (15, 0, 10, 2), (60, 15, 0, 1)]);

    let observed = handle
        .read(|reader| {
            let mut all: Vec<(i64, Observed)> = Vec::new();
            reader.each_observed(&Filter::default(), |_, start, observed| all.push((start, observed)))?;
            Ok(all)
        })
        .wait()
        .unwrap();
    assert_eq!(observed[1], (T0 + 15 * MIN, Observed { full_ms: 600_000, counted: 1, ..Observed::default() }));
}

#[test]
fn state_notes_and_budget_outlive_the_process() {
    let world = World::new();
    let confirmed = Confirmed { kind: Kind::AtCapacity, scope: Scope::Model, since: at(T0) };
    let state = TargetState { next_probe_at: Some(at(T0 + 5)), confirmed: Some(confirmed) };
    {
        let store = world.open();
        let handle = store.handle();
        handle.set_states(vec![("a".into(), state)]).wait().unwrap();
        handle.note(at(T0), "one".to_owned()).wait().unwrap();
        handle.note(at(T0 + 1), "two".to_owned()).wait().unwrap();
        handle.set_meta("paused", "yes").wait().unwrap();
        for (minute, kind) in [(0, Kind::Available), (1, Kind::Skipped), (2, Kind::Timeout)] {
            handle.append(sample("a", T0 + minute * MIN, kind)).wait().unwrap();
        }
        let mut passive = sample("a", T0 + 3 * MIN, Kind::Available);
        passive.source = Source::ToolLog;
        handle.append(passive).wait().unwrap();
    }
    let reader = Reader::open(&world.path(), world.options.busy_timeout).unwrap();
    assert_eq!(reader.targets().unwrap()[0].state, state);
    assert_eq!(reader.notes(1).unwrap()[0].body, "two");
    assert_eq!(reader.meta("paused").unwrap().as_deref(), Some("yes"));
    let spent = |since| reader.probes_since(at(since)).unwrap()[&TargetId::from("a")];
    assert_eq!((spent(T0), spent(T0 + MIN)), (2, 1), "skips and passive evidence cost nothing");
    let recent = reader.recent_of_all(2).unwrap();
    assert_eq!(recent[&TargetId::from("a")].len(), 2);
}

#[test]
fn a_missing_record_is_no_fault_and_is_not_created_by_reading() {
    let world = World::new();
    assert!(matches!(Reader::open(&world.path(), world.options.busy_timeout), Err(StoreError::Missing { .. })));
    assert!(!world.path().exists());
}

#[test]
fn reads_do_not_wait_for_a_write_in_progress() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    handle.append(sample("a", T0, Kind::Available)).wait().unwrap();
    let other = world.sqlite();
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM sample;").unwrap();
    assert_eq!(handle.read(|reader| reader.samples(&Filter::default())).wait().unwrap().len(), 1);
}

#[tokio::test]
async fn replies_can_be_awaited() {
    let world = World::new();
    let store = world.open();
    assert_eq!(store.handle().append(sample("a", T0, Kind::Available)).await.unwrap(), Appended::Stored);
    tokio::task::spawn_blocking(move || drop(store)).await.unwrap();
}

#[test]
#[cfg(unix)]
fn the_record_and_its_backups_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let world = World::new();
    let store = world.open();
    store.handle().append(sample("a", T0, Kind::Available)).wait().unwrap();
    let backup = store.handle().backup().wait().unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let folder = world.path().parent().unwrap().to_path_buf();
    for path in [&folder, backup.parent().unwrap()] {
        assert_eq!(mode(path), 0o700, "{}", path.display());
    }
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let files: Vec<_> = files.chain([backup]).collect();
    assert!(files.len() >= 4, "database, log, lock and backup: {files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}
