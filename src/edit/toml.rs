//! Reader.

use super::{ParseError, ParseErrorKind, Reading};
pub(super) fn read(text: &str) -> Result<Reading, ParseError> {
    Err(ParseError::new(text.as_bytes(), 0, ParseErrorKind::Syntax, "unread"))
}
