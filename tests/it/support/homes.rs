//! Folders for a test: the program's own, and a user's home with files in it.

use std::fs;
use std::path::{Path, PathBuf};

use vacancy::core::platform::Platform;
use vacancy::settings::roots::Roots;

/// The program's folders below `own`, for the user whose home is `home`, on Linux.
pub fn roots(own: &Path, home: &Path) -> Roots {
    Roots {
        config: own.join("config"),
        data: own.join("data"),
        cache: own.join("cache"),
        home: home.to_path_buf(),
        root: None,
        platform: Platform::Linux,
    }
}

/// Writes a file below a folder, with the folders above it.
pub fn put(folder: &Path, below: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(below);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}
