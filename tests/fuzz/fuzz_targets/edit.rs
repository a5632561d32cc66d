//! Feeds the edit engine with any file in any language, and with any edit of it.
//!
//! An input is one byte for the language, one for what is done and where, the new text, a zero byte, and the file. Run it
//! from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run edit --fuzz-dir tests/fuzz
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use vacancy::edit::{Document, DotenvDialect, JsonDialect, Language, Node, Placement, Splice, Value, apply, reversed, unified_diff};

fuzz_target!(|data: &[u8]| {
    let [language, choice, rest @ ..] = data else { return };
    let Some(end) = rest.iter().position(|&byte| byte == 0) else { return };
    let (new, file) = (String::from_utf8_lossy(&rest[..end]), &rest[end + 1..]);
    let language = match language % 9 {
        0 => Language::Toml,
        1 => Language::Json(JsonDialect::STRICT),
        2 => Language::Json(JsonDialect::COMMENTS),
        3 => Language::Json(JsonDialect::JSONC),
        4 => Language::Json(JsonDialect::JSON5),
        5 => Language::Yaml,
        6 => Language::Dotenv(DotenvDialect::Node),
        7 => Language::Dotenv(DotenvDialect::Python),
        _ => Language::Text,
    };
    let Ok(document) = Document::parse(file, language) else { return };
    within(document.root(), file.len());
    let mut paths = Vec::new();
    collect(document.root(), &mut Vec::new(), &mut paths);
    let mut path: Vec<&str> = paths[usize::from(choice / 4) % paths.len()].iter().map(String::as_str).collect();
    match choice % 4 {
        0 | 1 => {
            if let Ok(splices) = document.set(&path, &Value::text(new.clone()), &Placement::Last) {
                hold(&document, &splices, &path, &new);
            }
        }
        2 => {
            path.push("new key");
            if let Ok(splices) = document.set(&path, &Value::text(new.clone()), &Placement::Last) {
                hold(&document, &splices, &path, &new);
                assert!(splices.iter().all(|splice| String::from_utf8_lossy(&splice.old).trim().len() <= 4));
            }
        }
        _ => {
            if let Ok(splices) = document.remove(&path) {
                let after = apply(file, &splices).unwrap();
                assert_eq!(apply(&after, &reversed(&splices)).unwrap(), file);
            }
        }
    }
});

/// The value is there, and undo gives the original bytes.
fn hold(document: &Document, splices: &[Splice], path: &[&str], new: &str) {
    let after = apply(document.bytes(), splices).unwrap();
    assert_eq!(apply(&after, &reversed(splices)).unwrap(), document.bytes());
    let again = Document::parse(&after, document.language()).unwrap();
    assert_eq!(again.text(path), Some(new));
    let _ = unified_diff("file", document.bytes(), &after);
}

/// Spans lie in the file.
fn within(node: &Node, len: usize) {
    assert!(node.span.start <= node.span.end && node.span.end <= len);
    for child in node.items().iter().chain(node.entries().iter().map(|entry| &entry.value)) {
        within(child, len);
    }
}

/// Paths of the first values.
fn collect(node: &Node, path: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    if out.len() >= 64 {
        return;
    }
    out.push(path.clone());
    for (number, item) in node.items().iter().enumerate() {
        path.push(number.to_string());
        collect(item, path, out);
        path.pop();
    }
    for entry in node.entries() {
        path.push(entry.key.clone());
        collect(&entry.value, path, out);
        path.pop();
    }
}
