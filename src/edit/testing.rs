//! What the tests of the languages share.

use super::{Change, Document, DotenvDialect, EditError, JsonDialect, Language, Refusal, Value, apply, reversed};

pub(super) const JSON: Language = Language::Json(JsonDialect::STRICT);
pub(super) const GEMINI: Language = Language::Json(JsonDialect::COMMENTS);
pub(super) const JSONC: Language = Language::Json(JsonDialect::JSONC);
pub(super) const JSON5: Language = Language::Json(JsonDialect::JSON5);
pub(super) const NODE: Language = Language::Dotenv(DotenvDialect::Node);
pub(super) const PYTHON: Language = Language::Dotenv(DotenvDialect::Python);

pub(super) fn parsed(language: Language, text: &str) -> Document {
    Document::parse(text.as_bytes(), language).unwrap_or_else(|error| panic!("{language:?} {text:?}: {error}"))
}

/// The file after the change; undo is checked on the way.
pub(super) fn changed(language: Language, before: &str, change: Change) -> Result<String, EditError> {
    let document = parsed(language, before);
    let splices = document.edit(&[change])?;
    let after = apply(before.as_bytes(), &splices)?;
    assert_eq!(apply(&after, &reversed(&splices)).as_deref(), Ok(before.as_bytes()), "undo of {before:?}");
    Ok(String::from_utf8(after).unwrap())
}

pub(super) fn set_text(language: Language, before: &str, path: &str, value: &str) -> Result<String, EditError> {
    let path: Vec<&str> = path.split('/').collect();
    changed(language, before, Change::set(&path, Value::text(value)))
}

pub(super) fn refusal(error: EditError) -> (Refusal, usize, usize) {
    match error {
        EditError::Refused { refusal, at, .. } => (refusal, at.line, at.column),
        other => panic!("{other}"),
    }
}

/// Language, before, path with slashes, new text, after.
pub(super) type Row = (Language, &'static str, &'static str, &'static str, &'static str);

pub(super) fn hold(rows: &[Row]) {
    for &(language, before, path, value, after) in rows {
        let result = set_text(language, before, path, value);
        assert_eq!(result.as_deref(), Ok(after), "{language:?} {before:?} {path}");
        let path: Vec<&str> = path.split('/').collect();
        assert_eq!(parsed(language, after).text(&path), Some(value));
    }
}
