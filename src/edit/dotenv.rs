//! `.env` files.

use super::{Document, DotenvDialect, EditError, Kind, Node, Reading, Refusal, Replacement, Style, Value};

pub(super) fn read(_: &str, _: DotenvDialect) -> Reading {
    Reading { root: Node::new(0..0, Kind::Table(Vec::new()), Style::Block), comments: Vec::new() }
}

pub(super) fn set(
    document: &Document,
    _: DotenvDialect,
    path: &[&str],
    _: &Value,
) -> Result<Vec<Replacement>, EditError> {
    Err(document.refused(Refusal::Value, path, 0))
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    Err(document.refused(Refusal::Value, path, 0))
}
