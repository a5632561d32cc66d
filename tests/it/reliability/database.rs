//! A damaged record: bytes that flipped, a file cut short, pages of zeros, files that are no record. The store opens, says
//! what it did, keeps the damaged file, and what it answers afterwards can be trusted as far as SQLite can tell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use vacancy::core::outcome::Kind;
use vacancy::core::sample::Sample;
use vacancy::store::{Appended, Filter, StoreError, StoreHandle};

use crate::store::{MIN, T0, World, sample, sqlite};
use crate::support::proof;

const BACKED_UP: i64 = 400;
const ALL: i64 = 600;
const PAGE: usize = 8192;

/// A closed record with a backup of most of it.
struct Planted {
    database: Vec<u8>,
    backup: Vec<u8>,
    backup_name: String,
    /// As they are read again.
    samples: Vec<Sample>,
}

fn samples(handle: &StoreHandle) -> Result<Vec<Sample>, StoreError> {
    handle.read(|reader| reader.samples(&Filter::default())).wait()
}

fn plant() -> Planted {
    let world = World::new();
    let made = |from: i64, to: i64| {
        let kinds = [Kind::Available, Kind::AtCapacity, Kind::RateLimited, Kind::ServerError];
        (from..to)
            .map(|minute| sample("a", T0 + minute * MIN, kinds[usize::try_from(minute / 7 % 4).unwrap()]))
            .collect()
    };
    let (backup, samples) = {
        let store = world.open();
        let handle = store.handle();
        handle.append_batch(made(0, BACKED_UP)).wait().unwrap();
        let backup = handle.backup().wait().unwrap();
        handle.append_batch(made(BACKED_UP, ALL)).wait().unwrap();
        (backup, samples(&handle).unwrap())
    };
    // All in one file, whichever connection was closed last.
    let truncated = "PRAGMA wal_checkpoint(TRUNCATE)";
    world.sqlite().query_row(truncated, [], |_| Ok(())).unwrap();
    let backup_name = backup.file_name().unwrap().to_str().unwrap().to_owned();
    Planted { database: fs::read(world.path()).unwrap(), backup: fs::read(backup).unwrap(), backup_name, samples }
}

fn rows(path: &Path) -> i64 {
    sqlite(path).query_row("SELECT count(*) FROM sample", [], |row| row.get(0)).unwrap()
}

/// What became of a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Every sample is read as it was written.
    Whole,
    /// Set aside at the start, and the backup brought back.
    SetAside,
    /// Found later, by a read or a check, and then set aside in the same way.
    Healed,
    /// Refused by name and not touched: not ours, or from the future.
    Refused,
    /// A value differs where SQLite has nothing to tell it by.
    Unseen,
    /// Samples went away, and nobody said so.
    Lost,
}

fn open(planted: &Planted, damaged: &[u8], says: &str) -> Fate {
    let world = World::new();
    let folder = world.path().parent().unwrap().join("backups");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(&planted.backup_name), &planted.backup).unwrap();
    fs::write(world.path(), damaged).unwrap();
    let store = match world.try_open() {
        Ok(store) => store,
        Err(error @ (StoreError::Foreign { .. } | StoreError::TooNew { .. })) => {
            assert!(error.to_string().contains("name another folder"), "{says}: {error}");
            assert_eq!(fs::read(world.path()).unwrap(), damaged, "{says}: a refused file is not touched");
            return Fate::Refused;
        }
        Err(error) => panic!("{says}: {error}"),
    };
    let handle = store.handle();
    let recovery = || handle.health().borrow().recovery.clone();
    let is_at_once = recovery().is_some();
    let first = samples(&handle);
    let appended = handle.append(sample("a", T0 - MIN, Kind::Available)).wait();
    assert!(matches!(appended, Ok(Appended::Stored | Appended::Kept)), "{says}: {appended:?}");
    let checked = handle.check().wait();
    // Damage that a check finds is set aside by the next thing that is asked.
    let last = samples(&handle).or_else(|_| samples(&handle));
    let Ok(mut last) = last else { panic!("{says}: {last:?}, checked {checked:?}") };
    last.retain(|sample| sample.at.as_millisecond() != T0 - MIN);
    if let Some(recovery) = recovery() {
        if is_at_once {
            assert_eq!(fs::read(&recovery.set_aside).unwrap(), damaged, "{says}: the damaged file is kept");
        }
        let from = recovery.restored_from.clone().unwrap_or_else(|| panic!("{says}: a good backup is there"));
        assert_eq!((rows(&from), last.len()), (BACKED_UP, usize::try_from(BACKED_UP).unwrap()), "{says}");
        assert_eq!(last[..], planted.samples[..last.len()], "{says}");
        return if is_at_once { Fate::SetAside } else { Fate::Healed };
    }
    assert!(checked.is_ok() && first.is_ok(), "{says}: {checked:?} {:?}", first.err());
    match last.len() {
        _ if last == planted.samples => Fate::Whole,
        length if length == planted.samples.len() => Fate::Unseen,
        _ => Fate::Lost,
    }
}

#[derive(Default)]
struct Fates(BTreeMap<Fate, usize>);

impl Fates {
    fn note(&mut self, fate: Fate) {
        *self.0.entry(fate).or_default() += 1;
    }

    fn row(&self, what: &str) {
        let told = self.0.iter().map(|(fate, count)| {
            let words = match fate {
                Fate::Whole => "every sample read as written",
                Fate::SetAside => "set aside at the start, backup restored, said",
                Fate::Healed => "found while running, set aside, backup restored, said",
                Fate::Refused => "refused by name and not touched",
                Fate::Lost => "lost samples in silence",
                Fate::Unseen => "a stored value differs where SQLite has no checksum",
            };
            format!("{count} {words}")
        });
        proof::row(what, self.0.values().sum::<usize>(), told.collect::<Vec<_>>().join("; "));
    }
}

#[test]
fn a_byte_that_flips_anywhere_loses_no_row_in_silence() {
    let planted = plant();
    let mut rng = Rng::with_seed(11);
    let mut fates = Fates::default();
    for round in 0..proof::rounds(12) {
        let mut damaged = planted.database.clone();
        for _ in 0..rng.usize(1..=4) {
            // Every other one in the first page, which holds the schema.
            let within = if round % 2 == 0 { damaged.len() } else { PAGE };
            damaged[rng.usize(..within)] ^= 1 << rng.u32(..8);
        }
        fates.note(open(&planted, &damaged, &format!("flip {round}")));
    }
    fates.row("one to four bytes flipped at random places, half of them in the first page");
}

#[test]
fn a_file_that_was_cut_short_is_known_for_it() {
    let planted = plant();
    let mut fates = Fates::default();
    let rounds = proof::rounds(8);
    for round in 0..rounds {
        // Also nothing at all, single bytes, and whole pages.
        let length = match round {
            0 => 0,
            1 => 1,
            2 => 100,
            3 => PAGE,
            _ => planted.database.len() * round / rounds,
        };
        let fate = open(&planted, &planted.database[..length], &format!("cut at {length}"));
        assert!(matches!(fate, Fate::SetAside | Fate::Healed), "cut at {length}: {fate:?}");
        fates.note(fate);
    }
    fates.row("the file cut short, from nothing to almost all");
}

#[test]
fn pages_of_zeros_are_found() {
    let planted = plant();
    let mut fates = Fates::default();
    let pages = planted.database.len() / PAGE;
    for page in (0..pages).take(proof::rounds(5)) {
        let mut damaged = planted.database.clone();
        damaged[page * PAGE..(page + 1) * PAGE].fill(0);
        fates.note(open(&planted, &damaged, &format!("page {page}")));
    }
    fates.row(&format!("one page of {pages} filled with zeros"));
}

#[test]
fn what_is_no_record_is_set_aside_or_refused() {
    let planted = plant();
    let dir = tempfile::tempdir().unwrap();
    let theirs = dir.path().join("theirs.sqlite");
    sqlite(&theirs).execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);").unwrap();
    let mut newer = planted.database.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let mut fates = Fates::default();
    let noise: Vec<u8> = (0..50_000)
        .map({
            let mut rng = Rng::with_seed(5);
            move |_| rng.u8(..)
        })
        .collect();
    for (what, bytes, fate) in [
        ("text", b"model = \"a\"\n".repeat(900), Fate::SetAside),
        ("gzip", [&b"\x1f\x8b\x08\0"[..], &noise].concat(), Fate::SetAside),
        ("noise", noise, Fate::SetAside),
        ("zeros", vec![0; 65_536], Fate::SetAside),
        ("a database's head alone", planted.database[..16].to_vec(), Fate::SetAside),
        ("another program's database", fs::read(&theirs).unwrap(), Fate::Refused),
        ("a record from the future", newer, Fate::Refused),
    ] {
        let found = open(&planted, &bytes, what);
        assert_eq!(found, fate, "{what}");
        fates.note(found);
    }
    fates
        .row("files that are no record of ours: text, gzip, noise, zeros, a torn head, another program's, a newer one");
}

/// The log of a killed process is damaged too: what it proves to be whole is kept.
#[test]
fn a_log_with_flipped_bytes_costs_no_more_than_what_comes_after() {
    let world = World::new();
    let store = world.open();
    let handle = store.handle();
    for minute in 0..60 {
        handle.append(sample("a", T0 + minute * MIN, Kind::Available)).wait().unwrap();
    }
    let log = |path: &Path| path.with_file_name("vacancy.sqlite-wal");
    // As a kill leaves them.
    let (database, written) = (fs::read(world.path()).unwrap(), fs::read(log(&world.path())).unwrap());
    drop(store);
    let mut rng = Rng::with_seed(3);
    let (rounds, mut kept) = (proof::rounds(10), 0);
    for round in 0..rounds {
        let hurt = World::new();
        fs::create_dir_all(hurt.path().parent().unwrap()).unwrap();
        fs::write(hurt.path(), &database).unwrap();
        let mut damaged = written.clone();
        let at = rng.usize(..damaged.len());
        damaged[at] ^= 1 << rng.u32(..8);
        fs::write(log(&hurt.path()), &damaged).unwrap();
        let store = hurt.open();
        let handle = store.handle();
        assert!(handle.check().wait().is_ok(), "flip {round} at {at}");
        let read = samples(&handle).unwrap();
        // Whole transactions, from the first on.
        let minutes = read.iter().map(|sample| (sample.at.as_millisecond() - T0) / MIN);
        assert!(minutes.eq(0..i64::try_from(read.len()).unwrap()), "flip {round} at {at}");
        assert_eq!(handle.append(sample("a", T0 - MIN, Kind::Available)).wait().unwrap(), Appended::Stored);
        kept += read.len();
    }
    proof::row(
        "one byte flipped in the write-ahead log that a kill left behind (60 samples in it)",
        rounds,
        format!(
            "opened, integrity check ok, whole transactions from the first on: {:.0} of 60 samples on average; SQLite's own \
             checksums end the log at the flip, and nothing says so",
            kept as f64 / rounds as f64
        ),
    );
}
