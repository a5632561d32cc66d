//! Edits.

use super::{Document, EditError, Placement, Refusal, Replacement, Value};

pub(super) fn set(document: &Document, path: &[&str], _: &Value, _: &Placement) -> Result<Vec<Replacement>, EditError> {
    Err(document.refused(Refusal::Value, path, 0))
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    Err(document.refused(Refusal::Value, path, 0))
}
