//! Files that are one value: white space around it does not count.

use super::{Document, EditError, Kind, Node, Reading, Refusal, Replacement, Style, Value};

/// White space as Python's `str.strip` sees it. A byte order mark is none.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

pub(super) fn read(text: &str) -> Reading {
    let start = text.len() - text.trim_start_matches(is_space).len();
    let value = text.trim_matches(is_space);
    let start = if value.is_empty() { 0 } else { start };
    let root = Node::new(start..start + value.len(), Kind::Text(value.to_owned()), Style::Plain);
    Reading { root, comments: Vec::new() }
}

pub(super) fn set(document: &Document, path: &[&str], value: &Value) -> Result<Vec<Replacement>, EditError> {
    let span = document.root.span.clone();
    match value {
        Value::Text(text) if path.is_empty() && !text.is_empty() && text.trim_matches(is_space) == text => {
            Ok(vec![(span, text.clone())])
        }
        _ => Err(document.refused(Refusal::Value, path, span.start)),
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{changed, parsed};
    use crate::edit::{Change, Language, Value};

    #[test]
    fn a_text_file_is_its_value() {
        for (before, value, after) in [
            ("gpt", "b", "b"),
            ("gpt\r\n", "b", "b\r\n"),
            (" gpt \n\n", "b", " b \n\n"),
            ("", "b", "b"),
            ("\n", "b", "b\n"),
        ] {
            assert_eq!(changed(Language::Text, before, Change::set(&[], Value::text(value))).as_deref(), Ok(after));
            assert_eq!(parsed(Language::Text, after).root().as_text(), Some(value));
        }
        assert_eq!(parsed(Language::Text, "\u{feff}gpt\r\n").root().as_text(), Some("\u{feff}gpt"));
        for bad in ["", " b", "b\n"] {
            assert!(changed(Language::Text, "gpt", Change::set(&[], Value::text(bad))).is_err());
        }
    }
}
