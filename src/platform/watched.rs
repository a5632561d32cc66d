//! Files that others write, watched through the system's events: what is changed by hand is read within a second, and nothing
//! wakes while nothing changes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use notify::EventKind;
use notify::event::ModifyKind;

use crate::file_events::FileEvents;

/// How files end in which tools keep settings.
const SETTINGS: [&str; 8] = ["toml", "json", "jsonc", "json5", "yaml", "yml", "env", "conf"];

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// These files.
    pub files: HashSet<PathBuf>,
    /// Every settings file right in these folders, also one that is made only then.
    pub folders: HashSet<PathBuf>,
}

impl Wanted {
    /// The folders in which something is meant.
    fn places(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| file.parent()).chain(self.folders.iter().map(PathBuf::as_path))
    }

    /// Whether one of these folders comes or goes with this path.
    fn is_way(&self, path: &Path) -> bool {
        self.places().any(|place| place.starts_with(path))
    }

    fn is_meant(&self, path: &Path) -> bool {
        let is_settings = || path.extension().and_then(|ending| ending.to_str()).is_some_and(|e| SETTINGS.contains(&e));
        self.files.contains(path)
            || (path.parent().is_some_and(|folder| self.folders.contains(folder)) && is_settings())
    }
}

/// Watches; see the module. Where the system has no events the next look finds what changed.
pub(crate) struct Watched {
    events: FileEvents,
    wanted: Arc<Mutex<Wanted>>,
    /// A folder came or went: one of the same name is perhaps another one, which nobody watches.
    is_moved: Arc<AtomicBool>,
}

impl Watched {
    /// Calls `changed`, on a thread of the system's events, for every change of what is wanted. It must not block.
    pub fn new(changed: impl Fn() + Send + 'static) -> Self {
        let wanted: Arc<Mutex<Wanted>> = Arc::default();
        let is_moved: Arc<AtomicBool> = Arc::default();
        let (known, moved) = (Arc::clone(&wanted), Arc::clone(&is_moved));
        let events = FileEvents::new(false, move |event| {
            let wanted = known.lock().unwrap_or_else(PoisonError::into_inner);
            // What a folder's own attributes are is nobody's concern, and its files tell for themselves.
            let is_coming_or_going = !matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_)));
            let is_way = is_coming_or_going && event.paths.iter().any(|path| wanted.is_way(path));
            moved.fetch_or(is_way, Ordering::AcqRel);
            if is_way || event.paths.iter().any(|path| wanted.is_meant(path)) {
                changed();
            }
        });
        Self { events, wanted, is_moved }
    }

    /// Watches these from now on.
    pub fn set(&mut self, wanted: Wanted) {
        // Each with the nearest folder above it, in which it goes and comes back.
        let above = |place: &Path| place.ancestors().skip(1).find(|above| above.is_dir()).map(Path::to_path_buf);
        let folders: HashSet<PathBuf> = wanted
            .places()
            .flat_map(|place| [place.is_dir().then(|| place.to_path_buf()), above(place)])
            .flatten()
            .collect();
        // Before anything is watched, so that what comes or goes meanwhile is not lost.
        *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = wanted;
        if self.is_moved.swap(false, Ordering::AcqRel) {
            self.events.forget();
        }
        self.events.set(folders);
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
    fn a_folder_that_goes_and_comes_back_is_heard_and_watched_again() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let folder = home.join(".tool");
        fs::create_dir(&folder).unwrap();
        let file = folder.join("config.toml");
        fs::write(&file, "model = 'a'").unwrap();
        let (heard, changes) = sync_channel(64);
        let mut watched = Watched::new(move || {
            let _ = heard.try_send(());
        });
        let wanted = Wanted { files: [file.clone()].into(), folders: [folder.clone()].into() };
        watched.set(wanted.clone());
        for round in 0..3 {
            fs::rename(&folder, home.join(format!("away-{round}"))).unwrap();
            changes.recv_timeout(LIMIT).unwrap();
            watched.set(wanted.clone());
            fs::create_dir(&folder).unwrap();
            changes.recv_timeout(LIMIT).unwrap();
            watched.set(wanted.clone());
            while changes.recv_timeout(Duration::from_millis(300)).is_ok() {}
            fs::write(&file, format!("model = '{round}'")).unwrap();
            changes.recv_timeout(LIMIT).unwrap();
            watched.set(wanted.clone());
        }
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
