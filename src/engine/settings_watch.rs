//! Notices that the settings file was changed by hand, and keeps what is wrong with it.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::args;
use crate::i18n::Tr;
use crate::platform::watched::{Wanted, Watched};
use crate::settings::Settings;
use crate::settings::finding::{Finding, Problem, Severity};

/// What tells one version of the file from another: when it was written, and its length.
type Stamp = Option<(SystemTime, u64)>;

/// Who writes the file writes it in several steps, and this program says itself when it did: it is looked at after this long.
const SETTLED: Duration = Duration::from_millis(500);

/// Looks after the settings file. It is small and local, so reading it in the engine's loop is no burden.
pub(super) struct SettingsWatch {
    path: Option<PathBuf>,
    seen: Stamp,
    findings: Vec<Finding>,
    /// The system's events of the file; without them it is looked at when the engine wakes, at most a minute later.
    watched: Option<Watched>,
    news: Arc<Notify>,
    /// When the event came that is not looked at yet.
    touched_at: Option<Instant>,
}

impl SettingsWatch {
    /// Watches a file; `None` is settings that come from nowhere (demo, tests). `given` is what the engine has read of it.
    pub fn new(path: Option<PathBuf>, given: &Settings) -> Self {
        let news = Arc::new(Notify::new());
        let tell = Arc::clone(&news);
        let watched = path.is_some().then(|| Watched::new(move || tell.notify_one()));
        let mut watch = Self { path, seen: None, findings: Vec::new(), watched, news, touched_at: None };
        watch.follow();
        if watch.stamp().is_some() {
            let loaded = watch.load();
            // Changed since they were given, before anything was watched: as if it were changed now.
            if loaded.is_some_and(|loaded| loaded != *given) {
                watch.seen = None;
                watch.news.notify_one();
            }
        }
        watch
    }

    /// Watches where the file is now.
    fn follow(&mut self) {
        let (Some(watched), Some(path)) = (&mut self.watched, &self.path) else { return };
        // A link is changed where it leads to.
        let files = [Some(path.clone()), path.canonicalize().ok()].into_iter().flatten().collect();
        watched.set(Wanted { files, folders: HashSet::new() });
    }

    /// Ends a moment after something happened to the file. Given up and called again it loses nothing.
    pub async fn touched(&mut self) {
        let at = match self.touched_at {
            Some(at) => at,
            None => {
                self.news.notified().await;
                *self.touched_at.insert(Instant::now())
            }
        };
        sleep_until(at + SETTLED).await;
        self.touched_at = None;
        self.follow();
    }

    /// Whether the file is another one than when it was last read.
    pub fn has_changed(&self) -> bool {
        self.path.is_some() && self.stamp() != self.seen
    }

    /// Reads the file; `None` when it is not valid (see [`SettingsWatch::trouble`]) or there is none.
    pub fn load(&mut self) -> Option<Settings> {
        self.seen = self.stamp();
        match Settings::load(self.path.as_deref()?) {
            Ok(settings) => {
                self.findings.clear();
                Some(settings)
            }
            Err(findings) => {
                self.findings = findings;
                None
            }
        }
    }

    /// Whether there is no file, where one was looked for.
    pub fn is_gone(&self) -> bool {
        matches!(&*self.findings, [Finding { problem: Problem::Missing, .. }])
    }

    /// What is wrong with the file on disk, in words, a line a finding.
    pub fn trouble(&self, tr: &Tr) -> Option<String> {
        if self.is_gone() {
            let path = self.path.as_deref().map(|path| path.display().to_string());
            return Some(tr.with("settings-gone", &args!("path" => path.unwrap_or_default())));
        }
        let errors = self.findings.iter().filter(|finding| finding.severity() == Severity::Error);
        let lines: Vec<String> = errors.map(|finding| finding.line_text(tr)).collect();
        if lines.is_empty() { None } else { Some(lines.join("\n")) }
    }

    fn stamp(&self) -> Stamp {
        let meta = std::fs::metadata(self.path.as_deref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    #[tokio::test]
    async fn a_change_before_the_first_look_is_noticed_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vacancy.toml");
        std::fs::write(&path, "[ui]\nzoom = 1.5\n").unwrap();
        let given = Settings::load(&path).unwrap();
        assert!(!SettingsWatch::new(Some(path.clone()), &given).has_changed());
        std::fs::write(&path, "[ui]\nzoom = 2.0\n").unwrap();
        let mut watch = SettingsWatch::new(Some(path), &given);
        watch.touched().await;
        assert!(watch.has_changed());
        let zoom = watch.load().map(|settings| settings.ui.zoom.to_bits());
        assert_eq!((zoom, watch.has_changed()), (Some(2.0_f32.to_bits()), false));
        let path = dir.path().join("vacancy.toml");
        std::fs::remove_file(&path).unwrap();
        assert!(watch.has_changed() && watch.load().is_none() && watch.is_gone());
        let said = watch.trouble(&Tr::new(Lang::English)).unwrap();
        assert!(said.contains("is not there") && said.contains(path.to_str().unwrap()), "{said}");
        std::fs::write(&path, "[ui]\nzoom = \"big\"\n").unwrap();
        assert!(watch.load().is_none() && !watch.is_gone());
    }
}
