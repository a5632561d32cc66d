//! Files that are replaced whole or not at all: written beside the old one, synced, and given its name.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::private;

/// The names of temporary files.
const PREFIX: &str = ".vacancy-";
const SUFFIX: &str = ".tmp";

/// Removes temporary files that a killed process left beside `path`. To be called where nobody else is writing there.
pub fn sweep(path: &Path) {
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // What cannot be removed stays, as it was.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A synced temporary file beside `path`, with its rights and owner; the folder is made where there is none. A file that is
/// new stays its owner's alone.
///
/// # Errors
///
/// When the system refuses; nothing is left then.
pub fn prepared(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    private::create_folder(folder)?;
    let mut temp = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    temp.write_all(bytes)?;
    if let Ok(looks) = fs::metadata(path) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let own = temp.as_file().metadata()?;
            if (own.uid(), own.gid()) != (looks.uid(), looks.gid()) {
                std::os::unix::fs::fchown(temp.as_file(), Some(looks.uid()), Some(looks.gid()))?;
            }
        }
        temp.as_file().set_permissions(looks.permissions())?;
    }
    temp.as_file().sync_all()?;
    Ok(temp)
}

/// The file behind a symbolic link, so that the link survives; the path itself where there is none. Dotfile managers rely on
/// that, and who keeps a file on another disk.
pub fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Makes a new name in the folder of `path` last through a power cut. Windows cannot open folders and does this by itself.
///
/// # Errors
///
/// When the system refuses.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(folder_of(path))?.sync_all() }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
