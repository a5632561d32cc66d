//! `vacancy.toml` as written.

use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::finding::{Finding, Problem};
use super::reader::{Reader, Spot};
use super::source::SourceText;
use super::{Settings, resolve, secretive};

/// The settings file as written, with what it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) source: SourceText,
    /// The whole text when it was read; `None` when there was no file.
    pub(super) on_disk: Option<String>,
}

impl SettingsFile {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// One finding, when there is none or it cannot be read as UTF-8 text.
    pub fn read(path: &Path) -> Result<Self, Vec<Finding>> {
        match std::fs::read(path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Self::parse(path, text)),
                Err(error) => {
                    let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
                        .iter()
                        .filter(|b| **b == b'\n')
                        .count();
                    let problem = Problem::Unreadable { reason: error.utf8_error().to_string() };
                    Err(vec![Finding { path: path.to_path_buf(), line, column: 1, excerpt: String::new(), problem }])
                }
            },
            Err(error) => {
                let problem = match error.kind() {
                    std::io::ErrorKind::NotFound => Problem::Missing,
                    _ => Problem::Unreadable { reason: error.to_string() },
                };
                Err(vec![Finding { path: path.to_path_buf(), line: 0, column: 0, excerpt: String::new(), problem }])
            }
        }
    }

    /// Takes a text that was read from `path`.
    pub fn parse(path: &Path, text: String) -> Self {
        Self { path: path.to_path_buf(), source: SourceText::new(&text), on_disk: Some(text) }
    }

    /// A file that is still to be written.
    pub fn fresh(path: &Path, text: &str) -> Self {
        Self { path: path.to_path_buf(), source: SourceText::new(text), on_disk: None }
    }

    /// The whole text, with its byte order mark if it has one.
    pub fn text(&self) -> String {
        self.source.restore(self.source.body())
    }

    /// Says what the file means.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in the order of the file; warnings are among them.
    pub fn resolve(&self) -> Result<Settings, Vec<Finding>> {
        let mut reader = Reader::new(&self.path, &self.source);
        let document = match Document::parse(self.source.body()) {
            Ok(document) => document,
            Err(error) => {
                let detail = secretive::masked(error.message());
                reader.report(error.span().unwrap_or(0..0), Problem::Syntax { detail });
                return Err(reader.finish());
            }
        };
        let root = Spot { value: document.as_table() as &dyn toml_edit::TableLike, span: 0..0 };
        let folder = self.path.parent().unwrap_or_else(|| Path::new(""));
        let settings = resolve::settings(&mut reader, root, folder);
        let findings = reader.finish();
        if findings.iter().any(|finding| finding.severity() == super::finding::Severity::Error) {
            return Err(findings);
        }
        Ok(Settings { warnings: findings, ..settings })
    }
}
