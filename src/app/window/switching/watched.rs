//! The tools' files, watched through the system's events: what is changed by hand is read within a second, and nothing wakes
//! while nothing changes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How files end in which tools keep settings.
const SETTINGS: [&str; 8] = ["toml", "json", "jsonc", "json5", "yaml", "yml", "env", "conf"];

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// These files.
    pub files: HashSet<PathBuf>,
    /// Every settings file right in these folders, also one that is made only then.
    pub folders: HashSet<PathBuf>,
}

impl Wanted {
    fn is_meant(&self, path: &Path) -> bool {
        let is_settings = || path.extension().and_then(|ending| ending.to_str()).is_some_and(|e| SETTINGS.contains(&e));
        self.files.contains(path)
            || (path.parent().is_some_and(|folder| self.folders.contains(folder)) && is_settings())
    }
}

/// Watches; see the module. Where the system has no events the next look finds what changed.
pub(super) struct Watched {
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
    wanted: Arc<Mutex<Wanted>>,
}

impl Watched {
    /// Calls `changed`, on a thread of the system's events, for every change of what is wanted. It must not block.
    pub fn new(changed: impl Fn() + Send + 'static) -> Self {
        let wanted: Arc<Mutex<Wanted>> = Arc::default();
        let known = Arc::clone(&wanted);
        let handler = move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            let wanted = known.lock().unwrap_or_else(PoisonError::into_inner);
            if !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|path| wanted.is_meant(path)) {
                changed();
            }
        };
        let watcher = notify::recommended_watcher(handler).inspect_err(
            |error| tracing::info!(%error, "no events for tools' files; they are read when they are looked at"),
        );
        Self { watcher: watcher.ok(), folders: HashSet::new(), wanted }
    }

    /// Watches these from now on.
    pub fn set(&mut self, wanted: Wanted) {
        let Some(watcher) = &mut self.watcher else { return };
        let parents = wanted.files.iter().filter_map(|file| file.parent());
        let all = parents.chain(wanted.folders.iter().map(PathBuf::as_path));
        let folders: HashSet<PathBuf> = all.filter(|folder| folder.is_dir()).map(Path::to_path_buf).collect();
        for gone in self.folders.difference(&folders) {
            // A folder that is gone took its watch with it.
            let _ = watcher.unwatch(gone);
        }
        self.folders.retain(|folder| folders.contains(folder));
        for folder in folders {
            if self.folders.contains(&folder) {
                continue;
            }
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.folders.insert(folder)),
                Err(error) => tracing::info!(kind = ?error.kind, "a tool's folder cannot be watched"),
            }
        }
        *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = wanted;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    use super::*;

    /// Only ends a test that has failed.
    const LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn a_change_by_hand_is_heard_also_by_another_file_put_in_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap();
        let file = folder.join("config.toml");
        fs::write(&file, "model = 'a'").unwrap();
        let (heard, changes) = sync_channel(64);
        let mut watched = Watched::new(move || {
            let _ = heard.try_send(());
        });
        watched.set(Wanted { files: [file.clone()].into(), folders: HashSet::new() });
        fs::write(&file, "model = 'b'").unwrap();
        changes.recv_timeout(LIMIT).unwrap();
        fs::write(folder.join("new"), "model = 'c'").unwrap();
        while changes.try_recv().is_ok() {}
        fs::rename(folder.join("new"), &file).unwrap();
        changes.recv_timeout(LIMIT).unwrap();
    }

    #[test]
    fn only_settings_are_meant() {
        let folder = PathBuf::from("/home/ada/.codex");
        let wanted = Wanted { files: [folder.join("odd")].into(), folders: [folder.clone()].into() };
        for (name, is_meant) in [("odd", true), ("config.toml", true), ("history.jsonl", false), ("a/b.toml", false)] {
            assert_eq!(wanted.is_meant(&folder.join(name)), is_meant, "{name}");
        }
    }
}
