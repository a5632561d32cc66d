//! What the store does when the file, the disk or another program is in the way.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use vacancy::core::outcome::Kind;
use vacancy::store::{Appended, Filter, Health, Store, StoreError, StoreHandle, list_backups, restore};

use crate::support::proof;

use super::{MIN, T0, World, at, info, sample, sqlite};

fn fill(handle: &StoreHandle, target: &str, count: i64) {
    let samples = (0..count).map(|minute| sample(target, T0 + minute * MIN, Kind::Available)).collect();
    assert_eq!(handle.append_batch(samples).wait().unwrap().stored, count as usize);
}

fn count(handle: &StoreHandle) -> usize {
    handle.read(|reader| reader.samples(&Filter::default())).wait().unwrap().len()
}

/// Waits until the store's health is as wanted; the harness's own limit ends a wait in vain.
fn wait_for(handle: &StoreHandle, wanted: impl Fn(&Health) -> bool) -> Health {
    let mut health = handle.health();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let wait = async { health.wait_for(|health| wanted(health)).await.unwrap().clone() };
        tokio::time::timeout(Duration::from_secs(60), wait).await.expect("the store did not recover")
    })
}

fn write_at(path: &std::path::Path, offset: u64, bytes: &[u8]) {
    use std::io::{Seek as _, SeekFrom};
    let mut file = fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_database_from_the_future_is_refused_and_left_alone() {
    let world = World::new();
    drop(world.open());
    world.sqlite().pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(world.path()).unwrap();
    let error = world.try_open().unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("update Vacancy"), "{error}");
    assert!(matches!(vacancy::store::Reader::open(&world.path(), Duration::ZERO), Err(StoreError::TooNew { .. })));
    assert_eq!(fs::read(world.path()).unwrap(), before);
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let world = World::new();
    fs::create_dir_all(world.path().parent().unwrap()).unwrap();
    world.sqlite().execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);").unwrap();
    assert!(matches!(world.try_open(), Err(StoreError::Foreign { .. })));
    let theirs: i64 = world.sqlite().query_row("SELECT x FROM theirs", [], |row| row.get(0)).unwrap();
    assert_eq!(theirs, 1);
}

#[test]
fn a_damaged_header_is_set_aside_and_a_fresh_file_started() {
    let world = World::new();
    drop(world.open());
    write_at(&world.path(), 0, b"this is no database");
    let damaged = fs::read(world.path()).unwrap();
    let store = world.open();
    let health = store.handle().health().borrow().clone();
    let recovery = health.recovery.expect("it says so");
    assert_eq!(recovery.restored_from, None);
    assert_eq!(fs::read(&recovery.set_aside).unwrap(), damaged, "the damaged file is kept");
    assert!(health.trouble.is_none());
    fill(&store.handle(), "a", 3);
    assert_eq!(count(&store.handle()), 3);
}

#[test]
fn a_damaged_page_brings_back_the_newest_good_backup() {
    let world = World::new();
    let backup;
    {
        let store = world.open();
        fill(&store.handle(), "a", 2000);
        backup = store.handle().backup().wait().unwrap();
        fill(&store.handle(), "b", 2000);
    }
    // A newer backup that is damaged itself is passed over.
    let newer = backup.with_file_name("vacancy-99990101T000000Z.sqlite");
    fs::write(&newer, b"no database").unwrap();
    let pages = world.path().metadata().unwrap().len() / 8192;
    for page in 3..pages {
        write_at(&world.path(), page * 8192, &[0xAB; 64]);
    }
    let store = world.open();
    let recovery = store.handle().health().borrow().recovery.clone().expect("it says so");
    assert_eq!(recovery.restored_from.as_deref(), Some(backup.as_path()));
    assert_eq!(count(&store.handle()), 2000);
    fill(&store.handle(), "c", 1);
}

#[test]
fn damage_found_while_running_is_healed_and_the_sample_written() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    fill(&handle, "a", 2000);
    handle.backup().wait().unwrap();
    // Through SQLite's own door, so that caches see it: a table whose pages are not there.
    world
        .sqlite()
        .execute_batch("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'sample'; PRAGMA schema_version = 1000;")
        .unwrap();
    assert_eq!(handle.append(sample("a", T0 - MIN, Kind::Available)).wait().unwrap(), Appended::Stored);
    assert!(handle.health().borrow().recovery.is_some());
    assert_eq!(count(&handle), 2001);
}

#[test]
fn damage_on_the_disk_is_found_by_a_check_and_never_becomes_a_backup() {
    let world = World::new();
    {
        let store = world.open();
        fill(&store.handle(), "a", 2000);
        store.handle().backup().wait().unwrap();
    }
    let store = world.open();
    let handle = store.handle();
    let pages = world.path().metadata().unwrap().len() / 8192;
    for page in 3..pages {
        write_at(&world.path(), page * 8192, &[0xAB; 64]);
    }
    assert!(matches!(handle.backup().wait(), Err(StoreError::Damaged { .. })));
    assert_eq!(list_backups(&world.path()).len(), 1);
    assert!(matches!(handle.check().wait(), Err(StoreError::Damaged { .. })));
    wait_for(&handle, |health| health.recovery.is_some());
    assert_eq!(count(&handle), 2000);
    assert_eq!(handle.append(sample("a", T0 - MIN, Kind::Available)).wait().unwrap(), Appended::Stored);
    assert!(handle.check().wait().is_ok());
}

#[test]
fn a_full_disk_keeps_samples_in_memory_and_writes_them_later() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    fill(&handle, "a", 500);
    handle.limit_pages(1).wait().unwrap();
    let mut kept = 0;
    for minute in 500..20_000 {
        if handle.append(sample("a", T0 + minute * MIN, Kind::Available)).wait().unwrap() == Appended::Kept {
            kept += 1;
            if kept == 50 {
                break;
            }
        }
    }
    assert_eq!(kept, 50);
    let health = handle.health().borrow().clone();
    assert!(matches!(health.trouble, Some(StoreError::DiskFull { .. })), "{:?}", health.trouble);
    assert!(health.kept >= 50);
    let before = count(&handle);
    let imported = handle.import(vec![], (0..5000).map(|n| sample("b", T0 + n * MIN, Kind::Timeout)).collect()).wait();
    assert!(matches!(imported, Err(StoreError::DiskFull { .. })), "an import fails as a whole instead");
    handle.limit_pages(0).wait().unwrap();
    let health = wait_for(&handle, |health| health.kept == 0);
    assert!(health.trouble.is_none() && health.lost == 0);
    assert_eq!(count(&handle), before + 50);
    let rows = super::bucket_rows(&world.sqlite());
    handle.rebuild().wait().unwrap();
    assert_eq!(super::bucket_rows(&world.sqlite()), rows);
}

#[test]
fn a_locked_file_is_waited_for() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    fill(&handle, "a", 1);
    let other = world.sqlite();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(handle.append(sample("a", T0 + MIN, Kind::AtCapacity)).wait().unwrap(), Appended::Kept);
    assert!(matches!(handle.health().borrow().trouble, Some(StoreError::Locked { .. })));
    assert_eq!(count(&handle), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    wait_for(&handle, |health| health.kept == 0 && health.trouble.is_none());
    assert_eq!(count(&handle), 2);
}

#[test]
fn a_place_that_cannot_be_written_at_the_start_is_tried_again() {
    let world = World::new();
    let folder = world.path().parent().unwrap().to_path_buf();
    // A file where the folder should be stops root too.
    fs::write(&folder, b"").unwrap();
    let store = world.open();
    let handle = store.handle();
    assert!(handle.health().borrow().trouble.is_some());
    assert_eq!(handle.append(sample("a", T0, Kind::Available)).wait().unwrap(), Appended::Kept);
    assert!(handle.read(|reader| reader.targets()).wait().is_err());
    fs::remove_file(&folder).unwrap();
    wait_for(&handle, |health| health.kept == 0);
    assert_eq!(count(&handle), 1);
}

#[test]
fn a_folder_where_the_file_should_be_is_trouble_and_not_removed() {
    let world = World::new();
    fs::create_dir_all(world.path().join("precious")).unwrap();
    let store = world.open();
    assert!(store.handle().health().borrow().trouble.is_some());
    assert!(world.path().join("precious").exists());
}

#[test]
fn the_memory_queue_is_bounded_and_its_losses_are_counted() {
    let mut world = World::new();
    world.options.keep_in_memory = 10;
    let store = world.open();
    let handle = store.handle();
    fill(&handle, "a", 1);
    let other = world.sqlite();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let answers: Vec<_> =
        (1..=12).map(|minute| handle.append(sample("a", T0 + minute * MIN, Kind::Available)).wait()).collect();
    assert!(answers[..10].iter().all(|answer| matches!(answer, Ok(Appended::Kept))));
    assert!(answers[10..].iter().all(|answer| matches!(answer, Err(StoreError::Overflow))));
    assert_eq!(handle.health().borrow().lost, 2);
    other.execute_batch("ROLLBACK").unwrap();
    wait_for(&handle, |health| health.kept == 0);
    assert_eq!(count(&handle), 11);
}

#[test]
fn what_is_kept_is_written_when_the_store_closes() {
    let mut world = World::new();
    world.options.retry_first = Duration::from_secs(3600);
    {
        let store = world.open();
        let handle = store.handle();
        fill(&handle, "a", 1);
        let other = world.sqlite();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert_eq!(handle.append(sample("a", T0 + MIN, Kind::Available)).wait().unwrap(), Appended::Kept);
        other.execute_batch("ROLLBACK").unwrap();
    }
    assert_eq!(count(&world.open().handle()), 2);
}

#[test]
fn backups_rotate_and_never_show_half_a_file() {
    let mut world = World::new();
    world.options.backups = 2;
    let store = world.open();
    fill(&store.handle(), "a", 10);
    let folder = world.path().with_file_name("backups");
    fs::create_dir_all(&folder).unwrap();
    for day in 1..=3 {
        fs::write(folder.join(format!("vacancy-2020010{day}T000000Z.sqlite")), b"old").unwrap();
    }
    fs::write(folder.join("vacancy-20200105T000000Z.sqlite.part"), b"left by a killed process").unwrap();
    // What a person keeps there is none of ours, however alike its name: it neither goes with the oldest, nor takes the
    // place of the newest.
    let users =
        ["notes.txt", "vacancy-before-upgrade.sqlite", "vacancy-20200101T000000Z copy.sqlite", "vacancy-.sqlite"];
    for name in users {
        fs::write(folder.join(name), b"the user's").unwrap();
    }
    let file = store.handle().backup().wait().unwrap();
    let left = list_backups(&world.path());
    assert_eq!(left.len(), 2);
    assert_eq!(left[1], file);
    for name in users {
        assert!(folder.join(name).exists(), "{name}");
    }
    let copy: i64 = sqlite(&file).query_row("SELECT count(*) FROM sample", [], |row| row.get(0)).unwrap();
    assert_eq!(copy, 10);
}

#[test]
fn restoring_needs_the_file_alone_and_keeps_what_it_replaces() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    assert!(matches!(restore(&world.path(), None, at(T0)), Err(StoreError::InUse { .. })));
    fill(&handle, "a", 10);
    let backup = handle.backup().wait().unwrap();
    fill(&handle, "b", 10);
    drop((store, handle));
    let (from, replaced) = restore(&world.path(), None, at(T0)).unwrap();
    assert_eq!(from, backup);
    let replaced = replaced.expect("the present file is kept");
    let count_in =
        |path| sqlite(path).query_row("SELECT count(*) FROM sample", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((count_in(&replaced), count(&world.open().handle())), (20, 10));
}

#[test]
fn two_processes_may_write_the_same_record() {
    let world = World::new();
    let (one, two) = (world.open(), world.open());
    for minute in 0..20 {
        let handle = if minute % 2 == 0 { one.handle() } else { two.handle() };
        let target = if minute % 3 == 0 { "a" } else { "b" };
        let appended = handle.append(sample(target, T0 + minute * MIN, Kind::Available)).wait().unwrap();
        assert_eq!(appended, Appended::Stored);
    }
    let rows = super::bucket_rows(&world.sqlite());
    one.handle().rebuild().wait().unwrap();
    assert_eq!(super::bucket_rows(&world.sqlite()), rows);
    assert_eq!(count(&two.handle()), 20);
}

/// What [`a_kill_loses_at_most_the_sample_in_flight`] runs and kills: commits a sample at a time and says which are safe.
/// Does nothing where nobody asked for it.
#[test]
#[ignore = "run by another test, in a process of its own"]
fn kill_child() {
    let Ok(first) = fs::read_to_string("kill-child") else { return };
    let clock = std::sync::Arc::new(vacancy::clock::SystemClock);
    let store = Store::open(std::path::Path::new("data/vacancy.sqlite"), Default::default(), clock).unwrap();
    for number in first.trim().parse::<i64>().unwrap().. {
        let appended = store.handle().append(sample("a", T0 + number * 1000, Kind::Available)).wait().unwrap();
        assert_eq!(appended, Appended::Stored);
        println!("\nsafe {number}");
    }
}

#[test]
fn a_kill_loses_at_most_the_sample_in_flight() {
    let world = World::new();
    let (mut next, rounds, mut rng) = (0, proof::rounds(5), fastrand::Rng::with_seed(17));
    for _ in 0..rounds {
        fs::write(world.dir.path().join("kill-child"), next.to_string()).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::trouble::kill_child", "--ignored", "--nocapture"])
            .current_dir(world.dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut safe = None;
        let mut wanted = rng.i32(1..160);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if let Some(number) = line.unwrap().strip_prefix("safe ") {
                safe = Some(number.parse::<i64>().unwrap());
                // Lines that were under way still come after the kill.
                wanted -= 1;
                if wanted == 0 {
                    // Anywhere in the work on the next one, which takes some hundreds of microseconds.
                    std::thread::sleep(Duration::from_micros(rng.u64(..2_000)));
                    child.kill().unwrap();
                }
            }
        }
        child.wait().unwrap();
        let safe = safe.expect("the child wrote");
        let conn = world.sqlite();
        let check: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        let stored: i64 = conn.query_row("SELECT count(*) FROM sample", [], |row| row.get(0)).unwrap();
        assert!((safe + 1..=safe + 2).contains(&stored), "{stored} rows, safe were {}", safe + 1);
        drop(conn);
        let store = world.open();
        assert!(store.handle().health().borrow().recovery.is_none());
        let rows = super::bucket_rows(&world.sqlite());
        store.handle().rebuild().wait().unwrap();
        assert_eq!(super::bucket_rows(&world.sqlite()), rows, "samples and buckets went together");
        next = stored;
    }
    proof::row(
        "SIGKILL of a process that writes a sample at a time, at random moments",
        format!("{rounds} kills, {next} samples"),
        "each acknowledged sample was there, at most the one in flight beside them; integrity check ok; buckets rebuilt equal",
    );
}

#[test]
fn a_restore_that_finds_no_room_leaves_the_present_file_in_its_place() {
    let world = World::new();
    let store = world.open();
    store.handle().append(sample("a", T0, Kind::Available)).wait().unwrap();
    store.handle().backup().wait().unwrap();
    store.handle().append(sample("a", T0 + MIN, Kind::Available)).wait().unwrap();
    drop(store);
    // The copy cannot be written where a folder has its name.
    let mut part = world.path().into_os_string();
    part.push(".ready");
    fs::create_dir(&part).unwrap();
    restore(&world.path(), None, at(T0)).unwrap_err();
    let samples = world.open().handle().read(|reader| reader.samples(&Default::default())).wait().unwrap();
    assert_eq!(samples.len(), 2);
}

/// Somebody tidies up, or brings a folder back from a backup, while the program runs: what comes after is not written into
/// a file without a name.
#[cfg(unix)]
#[test]
fn a_deleted_or_exchanged_file_loses_nothing_that_comes_after() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    handle.register(vec![info("a")]).wait().unwrap();
    fill(&handle, "a", 3);
    fs::remove_dir_all(world.path().parent().unwrap()).unwrap();
    assert_eq!(handle.append(sample("a", T0 + 100 * MIN, Kind::Available)).wait().unwrap(), Appended::Stored);
    assert_eq!(count(&handle), 1);
    let targets = handle.read(|reader| reader.targets()).wait().unwrap();
    assert_eq!(targets[0].info, info("a"), "the fresh file knows the target");

    let aside = world.dir.path().join("aside");
    fs::rename(world.path().parent().unwrap(), &aside).unwrap();
    handle.append(sample("a", T0 + 200 * MIN, Kind::Available)).wait().unwrap();
    fs::remove_dir_all(world.path().parent().unwrap()).unwrap();
    fs::rename(&aside, world.path().parent().unwrap()).unwrap();
    handle.append(sample("a", T0 + 300 * MIN, Kind::Available)).wait().unwrap();
    assert_eq!(count(&handle), 2, "the folder that came back holds the first and the last");
}
