//! `vacancy.toml` as written.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::finding::{Finding, Problem};
use super::reader::{Reader, Spot};
use super::source::SourceText;
use super::{Settings, resolve};
use crate::core::secretive;

/// The most that is read, in bytes: a thousand times an ordinary file, and ten thousand targets.
const LARGEST: u64 = 4 << 20;

/// The bytes of an ordinary file, at most one more than [`LARGEST`]. What is no ordinary file is
/// [`ErrorKind::InvalidInput`] and not opened: a pipe would block the engine, a device would fill the memory.
pub(super) fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

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
        let found =
            |problem| vec![Finding { path: path.to_path_buf(), line: 0, column: 0, excerpt: String::new(), problem }];
        match read_small(path) {
            Ok(bytes) if bytes.len() as u64 > LARGEST => Err(found(Problem::TooLarge { most_mib: LARGEST >> 20 })),
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
                    ErrorKind::NotFound => Problem::Missing,
                    ErrorKind::InvalidInput => Problem::NotAFile,
                    _ => Problem::Unreadable { reason: error.to_string() },
                };
                Err(found(problem))
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
