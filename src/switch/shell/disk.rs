//! Tools' files on the machine's own disk, or on one that is mounted at `--root`.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use crate::edit::MAX_BYTES;
use crate::settings::roots::Roots;
use crate::switch::path::ToolPath;
use crate::switch::world::{FileState, Files, ToolFile};

/// The links that are followed one after the other; the system's own limit.
const MOST_LINKS: usize = 40;

/// The files below the roots.
#[derive(Clone, Debug)]
pub struct RealFiles {
    roots: Roots,
}

impl RealFiles {
    /// Files where the roots say.
    pub const fn new(roots: Roots) -> Self {
        Self { roots }
    }

    /// The home folder as tools know it.
    pub fn home(&self) -> ToolPath {
        self.shown(&self.roots.home)
    }

    /// A real path as the tools' owner knows it: without `--root`.
    pub fn shown(&self, path: &Path) -> ToolPath {
        ToolPath::new(self.roots.shown(path).to_string_lossy())
    }

    /// Where a tool's path really lies. A home that was given as a real folder outside `--root` is left where it is.
    pub fn real(&self, path: &ToolPath) -> PathBuf {
        let Some(root) = &self.roots.root else { return PathBuf::from(path.as_str()) };
        let plain = Path::new(path.as_str());
        if plain.starts_with(root) {
            return plain.to_path_buf();
        }
        let home = &self.roots.home;
        if plain.starts_with(home) && !home.starts_with(root) && home.is_dir() {
            let below: PathBuf = root.join(home.components().filter(is_normal).collect::<PathBuf>());
            if !below.exists() {
                return plain.to_path_buf();
            }
        }
        if !path.is_windows() {
            return root.join(path.parts().collect::<PathBuf>());
        }
        // A Windows disk may be mounted as itself, below its letter, or below `mnt`.
        let mut parts = path.parts();
        let drive = parts.next().unwrap_or_default();
        let below: PathBuf = parts.collect();
        let lower = drive.to_ascii_lowercase();
        let places = [drive.to_owned(), lower.clone(), format!("{drive}:"), format!("mnt/{lower}"), String::new()];
        let candidates = places.iter().map(|place| root.join(place).join(&below));
        candidates.clone().find(|candidate| candidate.exists()).unwrap_or_else(|| {
            let folders = places.iter().map(|place| root.join(place)).find(|folder| folder.is_dir());
            folders.unwrap_or_else(|| root.join(drive)).join(&below)
        })
    }

    /// Follows links to the file that is really read and written; the path itself when it is none. A link's absolute
    /// target is taken below `--root`, as the tools would see it.
    ///
    /// # Errors
    ///
    /// When links lead in a circle.
    pub fn resolved(&self, path: &ToolPath) -> io::Result<PathBuf> {
        let mut real = self.real(path);
        for _ in 0..MOST_LINKS {
            match fs::read_link(&real) {
                Ok(target) if target.is_absolute() => {
                    real = if self.roots.root.is_some() {
                        self.real(&ToolPath::new(target.to_string_lossy()))
                    } else {
                        target
                    };
                }
                Ok(target) => real = tidy(&real.parent().unwrap_or(Path::new("/")).join(target)),
                Err(_) if self.roots.root.is_some() => return Ok(real),
                // What is left are links among the folders above it.
                Err(_) => return Ok(fs::canonicalize(&real).unwrap_or(real)),
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead in a circle"))
    }
}

fn is_normal(part: &Component<'_>) -> bool {
    matches!(part, Component::Normal(_))
}

/// Takes `.` and `..` out of a path without asking the disk.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}

impl Files for RealFiles {
    fn read(&self, path: &ToolPath) -> FileState {
        let unreadable = |error: &io::Error| FileState::Unreadable(error.to_string());
        let real = match self.resolved(path) {
            Ok(real) => real,
            Err(error) => return unreadable(&error),
        };
        // Looking first keeps a pipe or a device from blocking us.
        let looks = match fs::metadata(&real) {
            Ok(looks) => looks,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return FileState::Missing,
            Err(error) => return unreadable(&error),
        };
        if !looks.is_file() {
            return FileState::Unreadable("it is not a regular file".to_owned());
        }
        if looks.len() > MAX_BYTES as u64 {
            return FileState::Unreadable("it is too large for a settings file".to_owned());
        }
        let mut bytes = Vec::new();
        let read = fs::File::open(&real).and_then(|file| file.take(MAX_BYTES as u64).read_to_end(&mut bytes));
        if let Err(error) = read {
            return unreadable(&error);
        }
        let target = (real != self.real(path)).then(|| self.shown(&real));
        // On a mounted disk owners and rights are not those of the machine that it belongs to.
        let is_guarded = self.roots.root.is_some() || (is_guarded(&real) && is_guarded(&self.real(path)));
        FileState::File(ToolFile {
            bytes: bytes.into(),
            target,
            is_writable: is_replaceable(&real, &looks),
            is_guarded,
        })
    }

    fn list(&self, folder: &ToolPath) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.real(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn nameless(&self, folder: &ToolPath) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.real(folder)) else { return Vec::new() };
        let odd = entries.filter_map(Result::ok).filter(|entry| entry.file_name().to_str().is_none());
        let folders = odd.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort_unstable();
        names
    }

    fn exists(&self, path: &ToolPath) -> bool {
        self.resolved(path).is_ok_and(|real| real.exists())
    }

    fn is_folder(&self, path: &ToolPath) -> bool {
        fs::symlink_metadata(self.real(path)).is_ok_and(|looks| looks.is_dir())
    }
}

/// Whether the file may be written and its folder takes a new one. A file without any right to write is somebody's
/// decision, even where the system would let us.
#[cfg(unix)]
fn is_replaceable(real: &Path, looks: &fs::Metadata) -> bool {
    use rustix::fs::{Access, access};
    let folder = real.parent().unwrap_or(Path::new("/"));
    !looks.permissions().readonly()
        && access(real, Access::WRITE_OK).is_ok()
        && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Whether the file and every folder above it are the superuser's, with nobody else allowed to write there.
#[cfg(unix)]
fn is_guarded(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    const OTHERS_WRITE: u32 = 0o022;
    let is_safe = |looks: fs::Metadata| looks.uid() == 0 && looks.mode() & OTHERS_WRITE == 0;
    path.ancestors().all(|path| fs::metadata(path).is_ok_and(is_safe))
}

#[cfg(not(unix))]
const fn is_guarded(_: &Path) -> bool {
    true
}

#[cfg(not(unix))]
fn is_replaceable(_: &Path, looks: &fs::Metadata) -> bool {
    !looks.permissions().readonly()
}
