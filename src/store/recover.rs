//! Opening with care: the lock beside the file, the check, and what happens to a damaged file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rusqlite::Connection;

use super::error::StoreError;
use super::{backup, schema};
use crate::args;
use crate::i18n::Tr;
use crate::private;
use crate::whole::{real_path, sync_folder};

/// Files up to this size are checked as a whole before use (some tens of milliseconds); bigger ones first in their small
/// tables, then as a whole in the background.
const CHECK_AT_ONCE: u64 = 16 << 20;

/// How a moment is written into a name; and its shape, with a zero for each digit.
const STAMP: &str = "%Y%m%dT%H%M%SZ";
pub(super) const SHAPE: &str = "00000000T000000Z";

/// What the names of records that were set aside go on with, before a moment.
const REPLACED: &str = ".replaced-";
const DAMAGED: &str = ".damaged-";

/// What the name of a backup's copy goes on with.
const READY: &str = ".ready";

/// A damaged file was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// What was wrong with it.
    pub reason: String,
    /// Where it is now.
    pub set_aside: PathBuf,
    /// The backup that took its place; `None` is a fresh file.
    pub restored_from: Option<PathBuf>,
}

impl Recovery {
    /// What happened, for a person.
    pub fn text(&self, tr: &Tr) -> String {
        let aside = self.set_aside.display().to_string();
        let what = tr.with("data-recovered", &args!("reason" => self.reason.as_str(), "aside" => aside));
        let then = match &self.restored_from {
            Some(backup) => tr.with("data-recovered-backup", &args!("backup" => backup.display().to_string())),
            None => tr.text("data-recovered-fresh"),
        };
        tr.with("data-recovered-and", &args!("what" => what, "then" => then))
    }
}

/// Says that this process uses the file: shared by all who write, alone for whoever replaces the file.
#[derive(Debug)]
pub(super) struct Lock(Option<File>);

impl Lock {
    /// Takes the shared lock. Where no lock file can be made nobody can replace the database either, and none is needed.
    pub(super) fn shared(path: &Path) -> Result<Self, StoreError> {
        let file = private::open_file(&with_suffix(path, ".lock")).ok();
        let lock = Self(file);
        lock.take(File::try_lock_shared, path)?;
        Ok(lock)
    }

    fn take(&self, how: impl Fn(&File) -> Result<(), fs::TryLockError>, path: &Path) -> Result<(), StoreError> {
        match self.0.as_ref().map(how) {
            Some(Err(fs::TryLockError::WouldBlock)) => Err(StoreError::InUse { path: path.to_path_buf() }),
            // A file system without locks: one user at a time is the user's care there.
            Some(Ok(()) | Err(fs::TryLockError::Error(_))) | None => Ok(()),
        }
    }

    /// Runs `work` while no other process uses the database.
    fn alone<T>(&self, path: &Path, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        // A lock that could not be made exclusive may have been lost (flock does not promise to keep it).
        let result = self.take(File::try_lock, path).and_then(|()| work());
        self.take(File::try_lock_shared, path)?;
        result
    }
}

/// `path` with a text appended to its file name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A moment as part of a file name.
pub(super) fn stamp(now: Timestamp) -> String {
    now.strftime(STAMP).to_string()
}

/// The moment in the name of a backup, or of a record that was set aside.
pub fn made_at(path: &Path) -> Option<Timestamp> {
    let name = path.file_name()?.to_str()?;
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let stamp = name.get(at..at + SHAPE.len())?;
    let moment = DateTime::strptime(STAMP, stamp).ok()?;
    TimeZone::UTC.to_timestamp(moment).ok()
}

/// Opens the database for writing; a damaged one is set aside first.
pub(super) fn open(
    path: &Path,
    busy: Duration,
    lock: &Lock,
    now: Timestamp,
) -> Result<(Connection, Option<Recovery>), StoreError> {
    match open_sound(path, busy) {
        Ok(conn) => Ok((conn, None)),
        Err(StoreError::Damaged { reason, .. }) => {
            let recovery = set_aside(path, lock, reason, now)?;
            Ok((schema::open(path, busy)?, Some(recovery)))
        }
        Err(error) => Err(error),
    }
}

/// Opens the database for writing; a damaged one is refused and stays.
pub(super) fn open_sound(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        private::create_folder(folder).map_err(|error| StoreError::file("create", folder, error))?;
    }
    if is_cut_off(path) {
        return Err(StoreError::Damaged { path: path.to_path_buf(), reason: "it is cut off".to_owned() });
    }
    open_checked(path, busy)
}

/// Whether nothing but a stump is left of the file, as a crash of the machine may do it. SQLite takes what is shorter than its
/// smallest page for a new database, and would begin one there in silence. Nothing at all is a record that was never begun,
/// unless it has backups.
fn is_cut_off(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| match file.len() {
        0 => !backup::list(path).is_empty(),
        length => file.is_file() && length < 512,
    })
}

fn open_checked(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let conn = schema::open(path, busy)?;
    schema::check_shape(&conn, path)?;
    if is_checked_at_once(path) {
        schema::quick_check(&conn, path)?;
    } else {
        for table in ["target", "verdict", "meta", "note"] {
            schema::check_table(&conn, path, table)?;
        }
    }
    Ok(conn)
}

/// Whether opening checks the whole file.
pub(super) fn is_checked_at_once(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.len() <= CHECK_AT_ONCE)
}

/// Renames a damaged database with its companions and puts the newest good backup in its place, if there is one.
pub(super) fn set_aside(path: &Path, lock: &Lock, reason: String, now: Timestamp) -> Result<Recovery, StoreError> {
    lock.alone(path, || {
        let aside = free_name(&with_suffix(path, &format!("{DAMAGED}{}", stamp(now))));
        for suffix in ["", "-wal", "-shm"] {
            rename_if_there(&with_suffix(path, suffix), &with_suffix(&aside, suffix))?;
        }
        let restored_from = backup::list(path).into_iter().rev().find(|file| {
            let placed = copy_beside(file, path).and_then(|part| put_in_place(&part, path));
            placed.is_ok()
        });
        tracing::error!(reason, set_aside = %aside.display(), ?restored_from, "the database was damaged");
        Ok(Recovery { reason, set_aside: aside, restored_from })
    })
}

/// Replaces the database by a backup: `from`, or the newest good one. The present file is kept under a dated name, which is
/// returned beside the backup's.
///
/// # Errors
///
/// [`StoreError::InUse`] when another process has it open, [`StoreError::NoBackup`], or what is wrong with `from`.
pub fn restore(path: &Path, from: Option<&Path>, now: Timestamp) -> Result<(PathBuf, Option<PathBuf>), StoreError> {
    let lock = Lock::shared(path)?;
    lock.alone(path, || {
        let candidates = from.map_or_else(|| backup::list(path), |from| vec![from.to_path_buf()]);
        let mut result = Err(StoreError::NoBackup { path: backup::folder(path) });
        for file in candidates.into_iter().rev() {
            match check_backup(&file) {
                Ok(()) => {
                    // The copy first: when there is no room for it, the present file stays where it is.
                    let ready = Ready::copy(&file, path, &|_, _| {})?;
                    return ready.replace(path, now).map(|aside| (file, aside));
                }
                Err(error) => result = Err(error),
            }
        }
        result
    })
}

/// The checked copy of a backup, beside the database and ready to take its place. Dropping it takes it away.
#[derive(Debug)]
pub struct Ready {
    part: PathBuf,
}

impl Ready {
    /// Checks a backup and copies it while the database is in use; `told` hears how many bytes of how many are copied.
    ///
    /// # Errors
    ///
    /// What is wrong with the backup, or what keeps it from being copied.
    pub fn prepare(file: &Path, path: &Path, told: &dyn Fn(u64, u64)) -> Result<Self, StoreError> {
        check_backup(file)?;
        Self::copy(file, path, told)
    }

    fn copy(file: &Path, path: &Path, told: &dyn Fn(u64, u64)) -> Result<Self, StoreError> {
        let ready = Self { part: with_suffix(&real_path(path), READY) };
        let copied = copy_telling(file, &ready.part, told);
        copied.map_err(|error| StoreError::file("restore", path, error))?;
        Ok(ready)
    }

    /// Puts it in the database's place. The present file is kept under a dated name, which is returned.
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`] when another process has it open, or what the system refuses; the database stays then.
    pub fn put(self, path: &Path, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
        let lock = Lock::shared(path)?;
        lock.alone(path, || self.replace(path, now))
    }

    fn replace(&self, path: &Path, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
        // Behind a link, where SQLite keeps the log too.
        let path = &real_path(path);
        if with_suffix(path, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
            // What a killed process left in the log comes into the file; of a damaged one both are set aside.
            drop(schema::open(path, Duration::from_secs(5)));
        }
        let aside = free_name(&with_suffix(path, &format!("{REPLACED}{}", stamp(now))));
        // With two names on the old file there is no moment without a record.
        let is_linked = fs::hard_link(path, &aside).is_ok();
        if !is_linked {
            rename_if_there(path, &aside)?;
        }
        for suffix in ["-wal", "-shm"] {
            rename_if_there(&with_suffix(path, suffix), &with_suffix(&aside, suffix))?;
        }
        let placed = put_in_place(&self.part, path);
        if placed.is_err() {
            // Nothing is to be different then.
            let back = if is_linked { fs::remove_file(&aside) } else { fs::rename(&aside, path) };
            if let Err(error) = back {
                tracing::error!(%error, aside = %aside.display(), "the record could not be put back");
            }
            for suffix in ["-wal", "-shm"] {
                rename_if_there(&with_suffix(&aside, suffix), &with_suffix(path, suffix))?;
            }
        }
        placed.map(|()| aside.exists().then_some(aside))
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        // Only there when it was not put in place.
        let _ = fs::remove_file(&self.part);
    }
}

/// Copies a file to one for its owner alone, in steps.
fn copy_telling(from: &Path, to: &Path, told: &dyn Fn(u64, u64)) -> io::Result<()> {
    const STEP: u64 = 1 << 20;
    let mut source = File::open(from)?;
    let whole = source.metadata()?.len();
    let mut target = private::open_file(to)?;
    target.set_len(0)?;
    let mut done = 0;
    loop {
        let copied = io::copy(&mut (&mut source).take(STEP), &mut target)?;
        if copied == 0 {
            return target.sync_all();
        }
        done += copied;
        told(done, whole.max(done));
    }
}

/// The records that were set aside, by a restore or as damaged ones, oldest first.
pub fn set_aside_files(path: &Path) -> Vec<PathBuf> {
    let real = Some(real_path(path)).filter(|_| path.is_symlink());
    let mut files: Vec<PathBuf> =
        [Some(path), real.as_deref()].into_iter().flatten().flat_map(set_aside_beside).collect();
    files.sort();
    files
}

fn set_aside_beside(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_ours = |file: &Path| {
        let own = file.file_name().and_then(|own| own.to_str()).and_then(|own| own.strip_prefix(&*name));
        own.is_some_and(|own| [REPLACED, DAMAGED].iter().any(|mark| own.starts_with(mark)))
    };
    let entries = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    let files = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|file| is_ours(file)).collect()
}

/// The record's own files: the database first, then what belongs to it; behind a link too, and the link after what it leads
/// to. Whatever is left when they are deleted in this order, a store can be opened.
pub fn own_files(path: &Path) -> Vec<PathBuf> {
    let real = Some(real_path(path)).filter(|_| path.is_symlink());
    let of =
        |path: &Path| ["", "-wal", "-shm", "-journal", ".part", READY, ".lock"].map(|suffix| with_suffix(path, suffix));
    real.iter().flat_map(|real| of(real)).chain(of(path)).collect()
}

/// Whether a backup can be used: ours, readable, whole.
pub(super) fn check_backup(file: &Path) -> Result<(), StoreError> {
    let conn = schema::open_read_only(file, Duration::from_secs(1))?;
    schema::quick_check(&conn, file)
}

/// Copies a good backup to the folder where the database belongs, and returns the copy.
fn copy_beside(file: &Path, path: &Path) -> Result<PathBuf, StoreError> {
    check_backup(file)?;
    let part = with_suffix(path, ".part");
    let copied = fs::copy(file, &part).and_then(|_| File::open(&part)?.sync_all());
    if let Err(error) = copied {
        // Half a copy would only take room.
        let _ = fs::remove_file(&part);
        return Err(StoreError::file("restore", path, error));
    }
    Ok(part)
}

/// Gives a whole copy the database's name.
fn put_in_place(part: &Path, path: &Path) -> Result<(), StoreError> {
    fs::rename(part, path).and_then(|()| sync_folder(path)).map_err(|error| StoreError::file("restore", path, error))
}

fn rename_if_there(from: &Path, to: &Path) -> Result<(), StoreError> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::file("rename", from, error)),
        _ => Ok(()),
    }
}

/// `path`, or with a number after it when that name is taken.
fn free_name(path: &Path) -> PathBuf {
    let numbered = (2..).map(|number| with_suffix(path, &format!("-{number}")));
    std::iter::once(path.to_path_buf())
        .chain(numbered)
        .find(|name| !name.exists())
        .unwrap_or_else(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_of_a_copy_is_read_from_its_name() {
        for (name, expected) in [
            ("backups/vacancy-20261129T132700Z.sqlite", Some("2026-11-29T13:27:00Z")),
            ("vacancy.sqlite.replaced-20261129T132700Z", Some("2026-11-29T13:27:00Z")),
            ("vacancy.sqlite.replaced-20261129T132700Z-2", Some("2026-11-29T13:27:00Z")),
            ("vacancy-mine.sqlite", None),
            ("vacancy-2026.sqlite", None),
            ("vacancy-2026年.sqlite", None),
        ] {
            let expected: Option<Timestamp> = expected.map(|at| at.parse().unwrap());
            assert_eq!(made_at(Path::new(name)), expected, "{name}");
        }
    }
}
