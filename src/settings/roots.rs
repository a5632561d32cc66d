//! Where our own files and the tools' files lie.

use std::path::{Component, Path, PathBuf};

pub use crate::core::platform::Platform;
use crate::settings::env::Env;

/// Every folder that the program may look into, resolved once at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    /// Our settings: `vacancy.toml`.
    pub config: PathBuf,
    /// Our database, journal and backups.
    pub data: PathBuf,
    /// What may be deleted at any time.
    pub cache: PathBuf,
    /// The user's home, for tool files only.
    pub home: PathBuf,
    /// What `/` maps to for tool files; `None` is `/` itself.
    pub root: Option<PathBuf>,
    /// Whose rules apply to tool files.
    pub platform: Platform,
}

impl Roots {
    /// Resolves the folders. `data` (from `--data` or `VACANCY_HOME`) moves all of ours into one folder; `home`, `root` and
    /// `platform` concern tool files alone.
    ///
    /// # Errors
    ///
    /// When neither `data` nor a home folder is known.
    pub fn resolve(
        env: &Env,
        data: Option<&Path>,
        home: Option<&Path>,
        root: Option<&Path>,
        platform: Option<Platform>,
    ) -> Result<Self, RootsError> {
        let base = directories::BaseDirs::new();
        let own = match data.map(Path::to_path_buf).or_else(|| env.path("VACANCY_HOME")) {
            Some(dir) => (dir.join("config"), dir.join("data"), dir.join("cache")),
            None => {
                let dirs = directories::ProjectDirs::from("", "", "vacancy").ok_or(RootsError::NoHome)?;
                (dirs.config_dir().to_path_buf(), dirs.data_local_dir().to_path_buf(), dirs.cache_dir().to_path_buf())
            }
        };
        let home = match home {
            Some(home) => home.to_path_buf(),
            None => base.map(|base| base.home_dir().to_path_buf()).ok_or(RootsError::NoHome)?,
        };
        Ok(Self {
            config: own.0,
            data: own.1,
            cache: own.2,
            home,
            root: root.map(Path::to_path_buf),
            platform: platform.unwrap_or(Platform::here()),
        })
    }

    /// Where a tool's path really lies: below `--root` if there is one.
    pub fn real(&self, path: &Path) -> PathBuf {
        match &self.root {
            Some(root) if !path.starts_with(root) => {
                let below = path.components().filter(|part| matches!(part, Component::Normal(_)));
                root.join(below.collect::<PathBuf>())
            }
            _ => path.to_path_buf(),
        }
    }

    /// A tool's path as its owner knows it: without `--root`.
    pub fn shown(&self, path: &Path) -> PathBuf {
        match self.root.as_ref().and_then(|root| path.strip_prefix(root).ok()) {
            Some(below) => Path::new("/").join(below),
            None => path.to_path_buf(),
        }
    }

    /// The one folder that ours lie in, where `--data` or `VACANCY_HOME` moved them.
    pub fn own_folder(&self) -> Option<&Path> {
        let folder = self.data.parent()?;
        (self.config == folder.join("config") && self.cache == folder.join("cache")).then_some(folder)
    }

    /// The settings file.
    pub fn settings_file(&self) -> PathBuf {
        self.config.join("vacancy.toml")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.data.join("vacancy.sqlite")
    }
}

/// Why the folders could not be resolved.
#[derive(Debug, thiserror::Error)]
pub enum RootsError {
    /// No home folder is known to the system.
    #[error("no home folder is known; name a folder with --data DIR or VACANCY_HOME")]
    NoHome,
}
