//! Reading a tool's file as strictly as the tool does, and saying what is wrong with it.

use crate::edit::{Document, JsonDialect, Language, ParseError};
use crate::switch::path::ToolPath;
use crate::switch::reading::SeenFile;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{FileState, ToolFile, World};

/// A tool's file.
#[derive(Debug)]
pub enum Loaded {
    /// There is none.
    Missing,
    /// As the tool would read it.
    Parsed(Document, ToolFile),
    /// The tool cannot read it: the warning names file, line and column.
    Broken(Warning),
    /// It cannot be opened.
    Unreadable(Warning),
}

impl Loaded {
    /// The document, if there is one.
    pub const fn document(&self) -> Option<&Document> {
        match self {
            Self::Parsed(document, _) => Some(document),
            _ => None,
        }
    }

    /// What keeps the tool from reading it.
    pub const fn trouble(&self) -> Option<&Warning> {
        match self {
            Self::Broken(warning) | Self::Unreadable(warning) => Some(warning),
            _ => None,
        }
    }
}

/// Reads a file in a tool's dialect and notes that it was looked at.
pub fn load(world: &World<'_>, files: &mut Vec<SeenFile>, path: &ToolPath, language: Language) -> Loaded {
    let state = world.files.read(path);
    let target = match &state {
        FileState::File(file) => file.target.clone(),
        _ => None,
    };
    if !files.iter().any(|seen| seen.path == *path) {
        files.push(SeenFile { path: path.clone(), target, exists: state != FileState::Missing });
    }
    match state {
        FileState::Missing => Loaded::Missing,
        FileState::Unreadable(reason) => Loaded::Unreadable(
            Warning::new(Code::ParseError, "switch-unreadable").with("file", path).with("reason", reason),
        ),
        FileState::File(file) => match Document::parse(&file.bytes, language) {
            Ok(document) => Loaded::Parsed(document, file),
            Err(error) => Loaded::Broken(broken(path, &file.bytes, language, &error)),
        },
    }
}

/// A file that is fine by its own language but not for this tool is told apart from one that is simply broken.
fn broken(path: &ToolPath, bytes: &[u8], language: Language, error: &ParseError) -> Warning {
    let is_json = matches!(language, Language::Json(_));
    let is_fine_elsewhere = is_json && Document::parse(bytes, Language::Json(JsonDialect::JSONC)).is_ok();
    let (code, text) = if is_fine_elsewhere {
        (Code::InvalidForTool, "switch-invalid-for-tool")
    } else {
        (Code::ParseError, "switch-parse-error")
    };
    Warning::new(code, text)
        .with("file", path)
        .with("line", error.line)
        .with("column", error.column)
        .with("problem", &error.message)
}
