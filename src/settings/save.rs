//! Writes the settings file: whole or not at all, and never over somebody else's change.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::SettingsFile;
use super::finding::{Finding, Severity};
use super::source::SourceText;
use crate::whole;

/// Why the settings file was not written. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another program wrote it meanwhile.
    #[error("the settings file changed on disk since it was read; reload it and try again: {}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// It is there already, and was to be made.
    #[error("there is a settings file already, and it is not overwritten: {}", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What would be written is not valid, or what is there is not.
    #[error("the settings would not be valid ({} mistakes); correct the file first", findings.len())]
    Invalid {
        /// What would be wrong.
        findings: Vec<Finding>,
    },
    /// The named thing is not in the file.
    #[error("the settings file has no {what} `{id}`; reload it and try again")]
    NotFound {
        /// `provider`, `target` or `chain`.
        what: &'static str,
        /// The id.
        id: String,
    },
    /// The file is written in a way that cannot be changed without touching more than was asked.
    #[error("the settings file writes `{what}` in a form that is not changed by program; change it by hand")]
    Unfaithful {
        /// The table.
        what: &'static str,
    },
    /// The system refused.
    #[error("the settings file could not be written ({reason}); check the folder's rights and the free space: {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: std::io::Error,
    },
}

impl WriteError {
    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &crate::i18n::Tr) -> String {
        use crate::args;
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::Changed { path } => tr.with("settings-write-changed", &args!("path" => shown(path))),
            Self::Exists { path } => tr.with("settings-write-exists", &args!("path" => shown(path))),
            Self::Invalid { findings } => {
                let first = findings.iter().find(|finding| finding.severity() == Severity::Error).or(findings.first());
                let first = first.map(|finding| finding.line_text(tr)).unwrap_or_default();
                tr.with("settings-write-invalid", &args!("first" => first))
            }
            Self::NotFound { what, id } => {
                tr.with("settings-write-not-found", &args!("what" => *what, "id" => id.as_str()))
            }
            Self::Unfaithful { what } => tr.with("settings-write-unfaithful", &args!("what" => *what)),
            Self::Io { path, reason } => {
                tr.with("settings-write-io", &args!("path" => shown(path), "reason" => reason.to_string()))
            }
        }
    }
}

impl SettingsFile {
    /// Writes the text, if it is valid and the file on disk is still what was read.
    ///
    /// # Errors
    ///
    /// When the file changed, exists although it was to be made, would not be valid, or the system refuses. The file
    /// on disk is untouched then.
    pub fn save(&mut self) -> Result<(), WriteError> {
        if let Err(findings) = self.resolve() {
            return Err(WriteError::Invalid { findings });
        }
        let path = whole::real_path(&self.path);
        let io = |reason| WriteError::Io { path: path.clone(), reason };
        let now = match super::file::read_small(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(io(error)),
        };
        match (&self.on_disk, &now) {
            (None, Some(_)) => return Err(WriteError::Exists { path }),
            (Some(read), now) if now.as_deref() != Some(read.as_bytes()) => return Err(WriteError::Changed { path }),
            _ => {}
        }
        let text = self.text();
        let temp = whole::prepared(&path, text.as_bytes()).map_err(io)?;
        if now.is_some() {
            temp.persist(&path).map_err(|error| io(error.error))?;
        } else {
            // Not even a file that was made in this very moment is overwritten.
            temp.persist_noclobber(&path).map_err(|error| match error.error.kind() {
                ErrorKind::AlreadyExists => WriteError::Exists { path: path.clone() },
                _ => io(error.error),
            })?;
        }
        whole::sync_folder(&path).map_err(io)?;
        self.on_disk = Some(text);
        Ok(())
    }

    /// Puts another text in the place of the old one, in memory.
    pub(super) fn replace_body(&mut self, body: &str) {
        self.source = SourceText::new(&self.source.restore(body));
    }
}
