//! The one way in which tools' logs are opened: to read, and seen by who wants the proof.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Opens files to read.
pub trait Disk: Send + Sync {
    /// Opens a regular file. On Windows others may go on writing, renaming and deleting it.
    ///
    /// # Errors
    ///
    /// When it is not there, may not be read or is not a regular file.
    fn open(&self, path: &Path) -> io::Result<File>;
}

/// The machine's own disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn open(&self, path: &Path) -> io::Result<File> {
        // Looking first keeps a pipe or device from blocking us.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        File::open(path)
    }
}

/// A disk that notes what was opened: the proof that nothing else was.
#[derive(Debug, Default)]
pub struct NotingDisk(Mutex<Vec<PathBuf>>);

impl NotingDisk {
    /// The files that were opened or tried, in order.
    pub fn opened(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Disk for NotingDisk {
    fn open(&self, path: &Path) -> io::Result<File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        RealDisk.open(path)
    }
}
