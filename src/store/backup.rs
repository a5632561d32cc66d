//! Rotating backups: whole copies beside the database, made while it is in use.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::error::StoreError;
use super::recover::{SHAPE, check_backup, stamp, with_suffix};
use super::schema;
use crate::private;
use crate::whole::sync_folder;

/// Where and how many backups of a database are kept.
#[derive(Clone, Debug)]
pub struct Backups {
    /// The database.
    pub database: PathBuf,
    /// How many are kept.
    pub keep: usize,
}

/// The folder of a database's backups.
pub fn folder(database: &Path) -> PathBuf {
    database.with_file_name("backups")
}

/// The backups of a database, oldest first. Only files that bear a name of ours count: a copy that a person put beside them
/// would stand in a wrong place of the order, and be removed with the oldest.
pub fn list(database: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder(database)) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours))
        .collect();
    files.sort();
    files
}

/// The backup of a database that is being written.
pub fn in_progress(database: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder(database)).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|path| path.extension().is_some_and(|end| end == "part")).max()
}

/// Whether a backup of [`Backups::make`] has this name, whole and with its moment.
fn is_ours(name: &str) -> bool {
    let moment = name.strip_prefix("vacancy-").and_then(|rest| rest.strip_suffix(".sqlite"));
    moment.is_some_and(|moment| {
        moment.len() == SHAPE.len()
            && moment.bytes().zip(SHAPE.bytes()).all(|(found, shape)| match shape {
                b'0' => found.is_ascii_digit(),
                _ => found == shape,
            })
    })
}

impl Backups {
    /// Writes a backup, then removes the oldest beyond [`Backups::keep`]. The file appears under its name when it is
    /// checked, whole and on the disk, never before. Returns it.
    ///
    /// # Errors
    ///
    /// When the database cannot be read or the copy cannot be written, and [`StoreError::Damaged`] when it is not in order;
    /// older backups then stay.
    pub fn make(&self, now: Timestamp) -> Result<PathBuf, StoreError> {
        let folder = folder(&self.database);
        private::create_folder(&folder).map_err(|error| StoreError::file("create", &folder, error))?;
        let file = folder.join(format!("vacancy-{}.sqlite", stamp(now)));
        let part = with_suffix(&file, ".part");
        let result = self.copy_to(&part).and_then(|()| check_backup(&part)).and_then(|()| {
            let finish = || {
                File::open(&part)?.sync_all()?;
                fs::rename(&part, &file)?;
                sync_folder(&file)
            };
            finish().map_err(|error| StoreError::file("write", &file, error))
        });
        for suffix in ["", "-journal", "-wal", "-shm"] {
            // Only there when something failed.
            let _ = fs::remove_file(with_suffix(&part, suffix));
        }
        result?;
        let all = list(&self.database);
        for old in &all[..all.len().saturating_sub(self.keep.max(1))] {
            fs::remove_file(old).map_err(|error| StoreError::file("remove", old, error))?;
        }
        Ok(file)
    }

    /// Copies in one step: it holds a read transaction, which keeps neither readers nor the writer from going on.
    fn copy_to(&self, part: &Path) -> Result<(), StoreError> {
        // What a killed process left behind.
        let _ = fs::remove_file(part);
        let source = schema::open_read_only(&self.database, Duration::from_secs(5))?;
        private::open_file(part).map_err(|error| StoreError::file("create", part, error))?;
        let mut target = Connection::open(part).map_err(|error| StoreError::sqlite(part, error))?;
        {
            let fail = |error| StoreError::sqlite(part, error);
            let backup = Backup::new(&source, &mut target).map_err(fail)?;
            match backup.step(-1).map_err(fail)? {
                StepResult::Done => {}
                _ => return Err(StoreError::Locked { path: self.database.clone() }),
            }
        }
        // Without a write-ahead log the backup is one file.
        target
            .query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
            .map_err(|error| StoreError::sqlite(part, error))
    }
}
