//! The system's events of folders, kept for as many folders as are wanted. They are hints: where the system has none (too many
//! watches, an odd file system) whoever listens looks for himself from time to time.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Folders that are watched.
#[derive(Debug)]
pub(crate) struct FileEvents {
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
    mode: RecursiveMode,
}

impl FileEvents {
    /// Calls `heard`, on a thread of the system's events, for everything that happens in the folders but reading. It must not
    /// block. With `whole_trees` the folders in them are watched too.
    pub fn new(whole_trees: bool, mut heard: impl FnMut(notify::Event) + Send + 'static) -> Self {
        let handler = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !matches!(event.kind, EventKind::Access(_)) => heard(event),
            _ => {}
        };
        let watcher = notify::recommended_watcher(handler)
            .inspect_err(|error| tracing::info!(%error, "no events of files; they are looked at from time to time"));
        let mode = if whole_trees { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        Self { watcher: watcher.ok(), folders: HashSet::new(), mode }
    }

    /// Watches these folders from now on, and no others. One that cannot be watched is tried again the next time.
    pub fn set(&mut self, folders: HashSet<PathBuf>) {
        let Some(watcher) = &mut self.watcher else { return };
        self.folders.retain(|folder| folders.contains(folder) || unwatch(watcher, folder));
        for folder in folders {
            if self.folders.contains(&folder) {
                continue;
            }
            match watcher.watch(&folder, self.mode) {
                Ok(()) => drop(self.folders.insert(folder)),
                Err(error) => tracing::info!(kind = ?error.kind, "a folder cannot be watched"),
            }
        }
    }

    /// Watches nothing, until [`FileEvents::set`] is called again: of folders of the same names that are perhaps others by now.
    pub fn forget(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        self.folders.retain(|folder| unwatch(watcher, folder));
    }
}

/// Ends a watch; never one to be kept.
fn unwatch(watcher: &mut RecommendedWatcher, folder: &Path) -> bool {
    // A folder that is gone took its watch with it.
    let _ = watcher.unwatch(folder);
    false
}
