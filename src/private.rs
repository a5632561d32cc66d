//! Our own folders and files are their owner's alone: what somebody uses and when is nobody else's affair.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder and those above it that are missing, all for their owner alone. One that is there stays as it is.
///
/// # Errors
///
/// When the system refuses.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens a file for writing, and makes it for its owner alone when there is none. Its content stays.
///
/// # Errors
///
/// When the system refuses.
pub fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// What stands where a folder, or one above it, has to be and is none: a file, or a link that leads nowhere.
pub fn in_the_way_of(folder: &Path) -> Option<&Path> {
    let nearest = folder.ancestors().find(|path| path.symlink_metadata().is_ok())?;
    (!nearest.is_dir()).then_some(nearest)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_is_made_is_private_and_what_is_there_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let (folder, file) = (dir.path().join("a/b"), dir.path().join("a/b/file"));
        create_folder(&folder).unwrap();
        open_file(&file).unwrap();
        assert_eq!((mode(&dir.path().join("a")), mode(&folder), mode(&file)), (0o700, 0o700, 0o600));
        std::fs::write(&file, "text").unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        create_folder(&folder).unwrap();
        open_file(&file).unwrap();
        assert_eq!((mode(&folder), std::fs::read_to_string(&file).unwrap().as_str()), (0o755, "text"));
    }

    #[test]
    fn what_stands_in_the_place_of_a_folder_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(dir.path().join("nowhere"), &link).unwrap();
        assert_eq!(in_the_way_of(&file), Some(&*file));
        assert_eq!(in_the_way_of(&file.join("a/b")), Some(&*file));
        assert_eq!(in_the_way_of(&link), Some(&*link));
        assert_eq!(in_the_way_of(&dir.path().join("a/b")), None);
    }
}
