//! What can go wrong, with where it is. No message repeats the file's content: it may hold keys.

use thiserror::Error;

/// A place in a file, for people: both count from 1, columns in characters; a byte order mark is no character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// Where a byte of a file is; behind the end counts as the end.
#[must_use]
pub fn position(bytes: &[u8], offset: usize) -> Position {
    let before = &bytes[..offset.min(bytes.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before[start..].strip_prefix(super::BOM).filter(|_| start == 0).unwrap_or(&before[start..]);
    Position {
        line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        column: String::from_utf8_lossy(line).chars().count() + 1,
    }
}

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// Not valid in its language.
    Syntax,
    /// A comment, where the tool accepts none.
    Comment,
    /// A comma behind the last element, where the tool accepts none.
    TrailingComma,
    /// A byte order mark, where the tool accepts none.
    Bom,
    /// A key twice, in a language that forbids it.
    DuplicateKey,
    /// No value at all, in a language that needs one.
    Empty,
    /// More than one YAML document.
    SeveralDocuments,
    /// Not UTF-8.
    NotUtf8,
    /// Larger than [`MAX_BYTES`](super::MAX_BYTES), or more aliases than are followed.
    TooLarge,
    /// Nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
}

/// A file that its tool, or we, cannot read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What kind of fault it is.
    pub kind: ParseErrorKind,
    /// What is wrong, in English; it repeats nothing of the file.
    pub message: String,
}

impl ParseError {
    pub(super) fn new(bytes: &[u8], offset: usize, kind: ParseErrorKind, message: impl Into<String>) -> Self {
        let Position { line, column } = position(bytes, offset);
        Self { line, column, kind, message: message.into() }
    }
}

/// What keeps an edit from being faithful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A value of another type stands where a table would be needed.
    NotATable,
    /// A table written over several lines stands where the value would go, or would have to go.
    BlockTable,
    /// The value, or a table above it, is an alias, or others refer to it.
    Alias,
    /// A merge key may set the value.
    MergeKey,
    /// A text in block style (`|`, `>`).
    BlockText,
    /// A YAML tag stands before the value.
    Tag,
    /// A key that is itself a list or table, or is written with `?`.
    ComplexKey,
    /// The language has no way to write this value here.
    Value,
    /// A list has no such element.
    List,
    /// Something on the same lines would go with it.
    SharedLine,
}

impl Refusal {
    const fn words(self) -> &'static str {
        match self {
            Self::NotATable => "a value that is no table stands in the way",
            Self::BlockTable => "a table of several lines stands here",
            Self::Alias => "an anchor or alias stands here",
            Self::MergeKey => "a merge key may set it",
            Self::BlockText => "a text in block style stands here",
            Self::Tag => "a tag stands here",
            Self::ComplexKey => "a key that is no plain text stands here",
            Self::Value => "the file's language cannot hold this value here",
            Self::List => "the list has no such element",
            Self::SharedLine => "it shares its line with something else",
        }
    }
}

/// An edit that was not made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The file cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// There is nothing at this path.
    #[error("there is no `{path}`")]
    NotFound {
        /// Keys with dots between them.
        path: String,
    },
    /// It could not be done faithfully.
    #[error("line {}, column {}: `{path}` cannot be changed faithfully: {}", at.line, at.column, refusal.words())]
    Refused {
        /// What stands against it.
        refusal: Refusal,
        /// Keys with dots between them.
        path: String,
        /// Where that is.
        at: Position,
    },
    /// The result, read again, was not exactly what was asked for. Nothing was changed.
    #[error("`{path}` cannot be changed without changing something else")]
    Unproven {
        /// Keys with dots between them.
        path: String,
    },
    /// The bytes are not those that the splice was made for.
    #[error("the file has changed: byte {start} is not what it was")]
    Stale {
        /// Where the splice begins.
        start: usize,
    },
}
