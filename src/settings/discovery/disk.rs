//! The one way in which discovery looks at files: read-only, whole small regular files alone.

use std::cell::RefCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What discovery may do with a disk.
pub trait Disk {
    /// The bytes of a regular file; `None` when there is none, it is too big or may not be read.
    fn read(&self, path: &Path) -> Option<Vec<u8>>;

    /// Whether there is a regular file of this name that is not empty. It is not opened.
    fn has(&self, path: &Path) -> bool;
}

/// Settings files are small; what is bigger is something else.
const LARGEST: u64 = 1 << 20;

/// The machine's own disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        // Looking first keeps a pipe or device from blocking us.
        let looks = std::fs::metadata(path).ok()?;
        if !looks.is_file() || looks.len() > LARGEST {
            return None;
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn has(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|looks| looks.is_file() && looks.len() > 0)
    }
}

/// A disk that notes what was opened: the proof that nothing else was.
#[derive(Debug, Default)]
pub struct NotingDisk {
    opened: RefCell<Vec<PathBuf>>,
}

impl NotingDisk {
    /// The files that were opened or tried, in order.
    pub fn opened(&self) -> Vec<PathBuf> {
        self.opened.borrow().clone()
    }
}

impl Disk for NotingDisk {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.opened.borrow_mut().push(path.to_path_buf());
        RealDisk.read(path)
    }

    fn has(&self, path: &Path) -> bool {
        RealDisk.has(path)
    }
}
