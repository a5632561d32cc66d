//! Whether our own folders can be written, by really trying.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::{Finding, Weight};
use crate::args;
use crate::cli::Context;
use crate::private;
use crate::store::backups_folder;

/// As much as the smallest write of the record: an empty file fits on a disk that is full.
const TRIED: [u8; 8192] = [0; 8192];

/// What each of our folders cannot do, or one line that all can be written.
pub(super) fn look(context: &Context) -> Vec<Finding> {
    let (roots, tr) = (&context.roots, &context.tr);
    let places = [
        ("switch-doctor-unwritable-data", &roots.data, Some(roots.database())),
        ("switch-doctor-unwritable-config", &roots.config, Some(roots.settings_file())),
        ("switch-doctor-unwritable-cache", &roots.cache, None),
    ];
    let backups = backups_folder(&roots.database());
    // Where there is none yet it is made in the folder of the record.
    let backups = backups.symlink_metadata().is_ok().then_some(("switch-doctor-unwritable-backups", &backups, None));
    let mut found = Vec::new();
    for (id, folder, file) in places.into_iter().chain(backups) {
        let tried = try_folder(folder).and_then(|()| file.as_deref().map_or(Ok(()), try_file));
        if let Err((path, error)) = tried {
            let (path, reason) = (path.display().to_string(), error.to_string());
            let text = args!("path" => path, "reason" => reason, "cure" => tr.text(cure(&error)));
            found.push(Finding::new(Weight::Trouble, "folders", tr.with(id, &text)));
        }
    }
    if found.is_empty() {
        found.push(Finding::new(Weight::Good, "folders", tr.text("switch-doctor-folders-good")));
    }
    found
}

/// Writes a file without a name, or one that is removed at once, into the folder; where that is not there yet, into the
/// one in which it would be made.
fn try_folder(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    if let Some(found) = private::in_the_way_of(folder) {
        return Err((found.to_path_buf(), ErrorKind::NotADirectory.into()));
    }
    let nearest = folder.ancestors().find(|path| path.is_dir()).unwrap_or(folder);
    let failed = |error| Err((nearest.to_path_buf(), error));
    let written = tempfile::tempfile_in(nearest).and_then(|mut file| {
        file.write_all(&TRIED)?;
        file.sync_all()
    });
    written.or_else(failed)
}

/// Opens a file that is there for writing, and leaves it as it is.
fn try_file(path: &Path) -> Result<(), (PathBuf, io::Error)> {
    // Some systems call it a lack of rights.
    if path.is_dir() {
        return Err((path.to_path_buf(), ErrorKind::IsADirectory.into()));
    }
    match OpenOptions::new().write(true).open(path).map(drop::<File>) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err((path.to_path_buf(), error)),
        _ => Ok(()),
    }
}

/// What helps against it.
fn cure(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "switch-doctor-cure-full",
        ErrorKind::ReadOnlyFilesystem => "switch-doctor-cure-read-only",
        ErrorKind::PermissionDenied => "switch-doctor-cure-rights",
        ErrorKind::NotADirectory => "switch-doctor-cure-in-the-way",
        ErrorKind::IsADirectory => "switch-doctor-cure-folder",
        _ => "switch-doctor-cure-other",
    }
}
