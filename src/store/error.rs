//! What can go wrong with the store.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::ErrorCode;

use crate::args;
use crate::i18n::Tr;

/// A fault of the store: always ours, never an outcome of a model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The file comes from a newer version of the program.
    #[error(
        "{} was written by a newer Vacancy (format {found}; this one knows up to {known}): update Vacancy, or name another folder with --data DIR",
        path.display()
    )]
    TooNew {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format this program knows.
        known: i64,
    },
    /// A healthy database of another program.
    #[error("{} is a database of another program: move it away, or name another folder with --data DIR", path.display())]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// There is no database yet.
    #[error(
        "there is no record yet ({} {}): start Vacancy or import one",
        path.display(),
        if *is_empty { "is empty" } else { "does not exist" }
    )]
    Missing {
        /// Where it would be.
        path: PathBuf,
        /// A file is there, in which no record was begun: the end came between, or there was no room.
        is_empty: bool,
    },
    /// No room on the disk.
    #[error("the disk is full: make room for {}", path.display())]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// Another program keeps it locked for longer than the busy timeout.
    #[error("{} is locked by another program: close it", path.display())]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// It may not be written.
    #[error("{} cannot be written: check its permissions", path.display())]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// Its content is damaged.
    #[error("{} is damaged ({reason}): restore a backup with `vacancy db restore`", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another Vacancy uses the file, which must be alone for this.
    #[error("{} is in use by another Vacancy: close it first", path.display())]
    InUse {
        /// The database.
        path: PathBuf,
    },
    /// There is no usable backup.
    #[error("there is no usable backup in {}", path.display())]
    NoBackup {
        /// Where backups lie.
        path: PathBuf,
    },
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Anything else that SQLite reports.
    #[error("the database {} failed: {source}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: Arc<rusqlite::Error>,
    },
    /// More requests wait than the store takes; ask again later.
    #[error("the store is busy")]
    Busy,
    /// The memory queue is full: the sample could be kept neither on disk nor in memory.
    #[error("the database cannot be written and the memory queue is full")]
    Overflow,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Sorts what SQLite reports about the database at `path`.
    pub fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_path_buf();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Self::Locked { path }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, reason: one_line(&error.to_string()) }
            }
            // No room for the index of the log, which lies in shared memory beside the file.
            _ if error.sqlite_error().is_some_and(|error| error.extended_code == SHM_SIZE) => Self::DiskFull { path },
            _ if is_of_a_row(&error) => Self::Damaged { path, reason: one_line(&error.to_string()) },
            _ => Self::Sqlite { path, source: Arc::new(error) },
        }
    }

    /// A failed file operation.
    pub fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::StorageFull => Self::DiskFull { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::File { action, path, source: Arc::new(source) },
        }
    }

    /// What is wrong and what to do next, for a person.
    pub fn text(&self, tr: &Tr) -> String {
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::TooNew { path, found, known } => {
                tr.with("data-error-too-new", &args!("path" => shown(path), "found" => *found, "known" => *known))
            }
            Self::Foreign { path } => tr.with("data-error-foreign", &args!("path" => shown(path))),
            Self::Missing { path, is_empty } => {
                let id = if *is_empty { "data-error-empty" } else { "data-error-missing" };
                tr.with(id, &args!("path" => shown(path)))
            }
            Self::DiskFull { path } => tr.with("data-error-disk-full", &args!("path" => shown(path))),
            Self::Locked { path } => tr.with("data-error-locked", &args!("path" => shown(path))),
            Self::ReadOnly { path } => tr.with("data-error-read-only", &args!("path" => shown(path))),
            Self::Damaged { path, reason } => {
                tr.with("data-error-damaged", &args!("path" => shown(path), "reason" => reason.as_str()))
            }
            Self::InUse { path } => tr.with("data-error-in-use", &args!("path" => shown(path))),
            Self::NoBackup { path } => tr.with("data-error-no-backup", &args!("path" => shown(path))),
            Self::File { path, source, .. } => {
                tr.with("data-error-file", &args!("path" => shown(path), "reason" => source.to_string()))
            }
            Self::Sqlite { path, source } => {
                tr.with("data-error-sqlite", &args!("path" => shown(path), "reason" => one_line(&source.to_string())))
            }
            Self::Busy => tr.text("data-error-busy"),
            Self::Overflow => tr.text("data-error-overflow"),
            Self::Closed => tr.text("data-error-closed"),
        }
    }

    /// Whether trying again later may help: what could not be written is kept in memory meanwhile.
    pub const fn may_pass(&self) -> bool {
        !matches!(self, Self::TooNew { .. } | Self::Foreign { .. } | Self::Missing { .. } | Self::Closed)
    }
}

/// What SQLite says, as a part of a sentence: its checks write the name of the database over a list of findings.
pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("***"));
    lines.collect::<Vec<_>>().join("; ")
}

/// `SQLITE_IOERR_SHMSIZE` (sqlite.org/rescode.html#ioerr_shmsize)
const SHM_SIZE: i32 = 4874;

/// Whether a row holds what no writer of ours puts there.
const fn is_of_a_row(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    matches!(
        error,
        Error::IntegralValueOutOfRange(..)
            | Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::Utf8Error(..)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sqlite_says_over_several_lines_is_a_part_of_a_sentence() {
        let found = "*** in database main ***\nTree 4 page 4 cell 0: invalid page number 9\nPage 5: never used";
        assert_eq!(one_line(found), "Tree 4 page 4 cell 0: invalid page number 9; Page 5: never used");
        assert_eq!(one_line("file is not a database"), "file is not a database");
    }
}
