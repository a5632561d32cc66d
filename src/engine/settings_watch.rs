//! Notices that the settings file was changed by hand, and keeps what is wrong with it.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::i18n::Tr;
use crate::settings::Settings;
use crate::settings::finding::{Finding, Severity};

/// What tells one version of the file from another: when it was written, and its length.
type Stamp = Option<(SystemTime, u64)>;

/// Looks after the settings file. It is small and local, so reading it in the engine's loop is no burden.
#[derive(Debug)]
pub(super) struct SettingsWatch {
    path: Option<PathBuf>,
    seen: Stamp,
    findings: Vec<Finding>,
}

impl SettingsWatch {
    /// Watches a file; `None` is settings that come from nowhere (demo, tests).
    pub fn new(path: Option<PathBuf>) -> Self {
        let mut watch = Self { path, seen: None, findings: Vec::new() };
        if watch.stamp().is_some() {
            // Only for what is wrong with it: the engine was given settings already.
            watch.load();
        }
        watch
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

    /// What is wrong with the file on disk, in words, a line a finding.
    pub fn trouble(&self, tr: &Tr) -> Option<String> {
        let errors = self.findings.iter().filter(|finding| finding.severity() == Severity::Error);
        let lines: Vec<String> = errors.map(|finding| finding.line_text(tr)).collect();
        if lines.is_empty() { None } else { Some(lines.join("\n")) }
    }

    fn stamp(&self) -> Stamp {
        let meta = std::fs::metadata(self.path.as_deref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }
}
