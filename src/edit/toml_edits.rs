//! Edits of TOML: lines within a table's own keys, tables at the end, inline tables on their line.

use std::fmt::Write as _;

use super::escape;
use super::{Document, EditError, Kind, Node, Placement, Refusal, Replacement, Style, Value, lines};

/// The deepest part of a path that exists, and how it is reached.
struct Reach<'a> {
    node: &'a Node,
    /// How many keys of the path it took.
    depth: usize,
    /// The depth of the last table above, or here, that is not made by dotted keys.
    base: usize,
    /// The node at `base` is an inline table.
    is_inline: bool,
    /// A list was stepped into.
    is_in_list: bool,
}

fn reach<'a>(document: &'a Document, path: &[&str]) -> Reach<'a> {
    let mut reach = Reach { node: &document.root, depth: 0, base: 0, is_inline: false, is_in_list: false };
    while let Some(child) = path.get(reach.depth).and_then(|key| reach.node.child(key)) {
        reach.is_in_list |= matches!(reach.node.kind, Kind::List(_));
        reach.node = child;
        reach.depth += 1;
        if child.style != Style::Dotted {
            reach.base = reach.depth;
            reach.is_inline = child.is_table() && child.style == Style::Flow;
        }
    }
    reach
}

pub(super) fn set(
    document: &Document,
    path: &[&str],
    value: &Value,
    place: &Placement,
) -> Result<Vec<Replacement>, EditError> {
    let reach = reach(document, path);
    if reach.depth == path.len() {
        return replace(document, reach.node, path, value);
    }
    if !reach.node.is_table() {
        let is_list = matches!(reach.node.kind, Kind::List(_));
        let refusal = if is_list { Refusal::List } else { Refusal::NotATable };
        return Err(document.refused(refusal, path, reach.node.span.start));
    }
    let rest = &path[reach.depth..];
    if reach.is_inline {
        return insert_inline(document, &reach, path, value);
    }
    let is_table = matches!(value, Value::Table(_));
    let plan = match reach.node.style {
        Style::Dotted => insert_line(document, &reach, &path[reach.base..], value, place),
        Style::Implicit if reach.is_in_list => {
            return Err(document.refused(Refusal::BlockTable, path, reach.node.span.start));
        }
        _ if reach.is_in_list => insert_line(document, &reach, rest, value, place),
        Style::Block if rest.len() == 1 && !is_table => insert_line(document, &reach, rest, value, place),
        _ => append_table(document, path, value),
    };
    Ok(vec![plan])
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    let Some((key, above)) = path.split_last() else { return Ok(Vec::new()) };
    let parent = reach(document, above);
    let Some(entry) = parent.node.entry(key) else {
        return Err(document.refused(Refusal::List, path, parent.node.span.start));
    };
    if !is_own(&entry.value) {
        return Err(document.refused(Refusal::BlockTable, path, entry.key_span.start));
    }
    if !parent.is_inline {
        let span = lines::whole(document.source(), entry.key_span.start, entry.value.span.end);
        return Ok(vec![(span, String::new())]);
    }
    if parent.node.style == Style::Dotted {
        return Err(document.refused(Refusal::SharedLine, path, entry.key_span.start));
    }
    let entries = parent.node.entries();
    let at = entries.iter().position(|other| other.key == entry.key).unwrap_or_default();
    let span = match (entries.get(at + 1), at.checked_sub(1).map(|at| &entries[at])) {
        (Some(next), _) => entry.key_span.start..next.key_span.start,
        (None, Some(before)) => own_end(&before.value).unwrap_or(entry.key_span.start)..entry.value.span.end,
        (None, None) => entry.key_span.start..entry.value.span.end,
    };
    Ok(vec![(span, String::new())])
}

/// Whether a value is written in one piece behind its key.
fn is_own(node: &Node) -> bool {
    match node.style {
        Style::Block | Style::Implicit | Style::Dotted => false,
        _ => !node.span.is_empty(),
    }
}

fn replace(document: &Document, node: &Node, path: &[&str], value: &Value) -> Result<Vec<Replacement>, EditError> {
    if !is_own(node) {
        return Err(document.refused(Refusal::BlockTable, path, node.span.start));
    }
    let span = node.span.clone();
    if let (Value::Text(text), Kind::Text(_)) = (value, &node.kind) {
        let quotes = if matches!(node.style, Style::MultiDouble | Style::MultiSingle) { 3 } else { 1 };
        let inner = span.start + quotes..span.end - quotes;
        match node.style {
            Style::Double | Style::MultiDouble => return Ok(vec![(inner, escaped(text))]),
            _ if is_literal(text) => return Ok(vec![(inner, text.clone())]),
            _ => {}
        }
    }
    Ok(vec![(span, rendered(value))])
}

/// Whether a text can stand between single quotes.
fn is_literal(text: &str) -> bool {
    !text.contains('\'') && !text.chars().any(|c| c.is_control() && c != '\t')
}

/// The end of the last value that stands in a table's own lines.
fn own_end(node: &Node) -> Option<usize> {
    match node.style {
        Style::Dotted => node.entries().iter().filter_map(|entry| own_end(&entry.value)).max(),
        Style::Block | Style::Implicit => None,
        _ => Some(node.span.end),
    }
}

/// A line among a table's own keys. `keys` is the dotted key within the table.
fn insert_line(document: &Document, reach: &Reach<'_>, keys: &[&str], value: &Value, place: &Placement) -> Replacement {
    let text = document.source();
    let node = reach.node;
    let line = format!("{} = {}", dotted_key(keys), rendered(value));
    let own = node.entries().iter().filter_map(|entry| Some((own_end(&entry.value)?, entry)));
    let after = own.clone().find(|(_, entry)| matches!(place, Placement::After(key) if *key == entry.key));
    if let Some((end, entry)) = after.or_else(|| own.max_by_key(|(end, _)| *end)) {
        let at = lines::next(text, end);
        let indent = lines::indent(text, entry.key_span.start).unwrap_or_default();
        return (at..at, lines::inserted(text, at, &format!("{indent}{line}"), document.line_ending()));
    }
    let at = if reach.depth == 0 {
        let Some(header) = first_header(&document.root) else {
            return (text.len()..text.len(), lines::inserted(text, text.len(), &line, document.line_ending()));
        };
        // One line and no empty one after it: nothing is added but what was asked for.
        let at = above(text, lines::start(text, header));
        return (at..at, format!("{line}{}", document.line_ending()));
    } else {
        lines::next(text, node.span.end)
    };
    (at..at, lines::inserted(text, at, &line, document.line_ending()))
}

/// Where the first table's header starts.
fn first_header(node: &Node) -> Option<usize> {
    let children = node.entries().iter().map(|entry| &entry.value).chain(node.items());
    let own = |child: &Node| (child.style == Style::Block && child.is_table()).then_some(child.span.start);
    children
        .flat_map(|child| [own(child), if child.style == Style::Flow { None } else { first_header(child) }])
        .flatten()
        .min()
}

/// In front of the comment that belongs to a header; a comment that begins the file is the file's and stays above.
fn above(text: &str, header: usize) -> usize {
    let mut at = header;
    while at > lines::first(text) {
        let before = lines::start(text, at - 1);
        if !text[before..at].trim_start().starts_with('#') {
            return at;
        }
        at = before;
    }
    header
}

/// A table of its own at the end of the file.
fn append_table(document: &Document, path: &[&str], value: &Value) -> Replacement {
    let text = document.source();
    let ending = document.line_ending();
    let mut block = String::new();
    if let Value::Table(entries) = value {
        let _ = write!(block, "[{}]", dotted_key(path));
        for (key, value) in entries {
            let _ = write!(block, "{ending}{} = {}", dotted_key(&[key]), rendered(value));
        }
    } else {
        let (above, key) = path.split_at(path.len() - 1);
        let _ = write!(block, "[{}]{ending}{} = {}", dotted_key(above), dotted_key(key), rendered(value));
    }
    let at = text.len();
    let body = text.trim_start_matches('\u{feff}');
    let new = match () {
        () if body.is_empty() => format!("{block}{ending}"),
        () if body.ends_with("\n\n") || body.ends_with("\n\r\n") => format!("{block}{ending}"),
        () if body.ends_with('\n') => format!("{ending}{block}{ending}"),
        () => format!("{ending}{ending}{block}"),
    };
    (at..at, new)
}

fn insert_inline(
    document: &Document,
    reach: &Reach<'_>,
    path: &[&str],
    value: &Value,
) -> Result<Vec<Replacement>, EditError> {
    let pair = format!("{} = {}", dotted_key(&path[reach.base..]), rendered(value));
    let end = reach.node.entries().iter().filter_map(|entry| own_end(&entry.value)).max();
    match end {
        Some(at) => Ok(vec![(at..at, format!(", {pair}"))]),
        None if reach.node.style == Style::Flow => {
            let span = &reach.node.span;
            let inner = span.start + 1..span.end - 1;
            if document.source()[inner.clone()].trim().is_empty() {
                Ok(vec![(inner, format!(" {pair} "))])
            } else {
                Err(document.refused(Refusal::BlockTable, path, span.start))
            }
        }
        None => Err(document.refused(Refusal::BlockTable, path, reach.node.span.start)),
    }
}

fn dotted_key(keys: &[&str]) -> String {
    let is_bare =
        |key: &str| !key.is_empty() && key.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'));
    let keys = keys.iter().map(|key| if is_bare(key) { (*key).to_owned() } else { quoted(key) });
    keys.collect::<Vec<_>>().join(".")
}

/// A value as TOML, on one line.
fn rendered(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::List(values) => format!("[{}]", values.iter().map(rendered).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Table(entries) => {
            let pairs = entries.iter().map(|(key, value)| format!("{} = {}", dotted_key(&[key]), rendered(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text as TOML writes it, in double quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    escape::escaped(text, '"', char::is_control)
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{changed, hold, refusal, set_text};
    use crate::edit::{Change, Document, Language, ParseErrorKind, Placement, Refusal, Value};

    #[test]
    fn toml_values_are_replaced_in_their_own_quotes() {
        const T: Language = Language::Toml;
        hold(&[
            (T, "model = \"a\"\n", "model", "b", "model = \"b\"\n"),
            (T, "model   =  'a'  # a\r\nx = 1", "model", "b", "model   =  'b'  # a\r\nx = 1"),
            (T, "model = 'a'\n", "model", "it's", "model = \"it's\"\n"),
            (T, "model = \"\"\"a\"\"\"\n", "model", "b", "model = \"\"\"b\"\"\"\n"),
            (T, "model = '''\na'''\n", "model", "b", "model = '''b'''\n"),
            (T, "model = 3 # n\n", "model", "b", "model = \"b\" # n\n"),
            (T, "\u{feff}# c\r\nmodel = \"a\"\r\n", "model", "b", "\u{feff}# c\r\nmodel = \"b\"\r\n"),
            (
                T,
                "# model = \"a\"\nx = \"model = 'a'\"\nmodel = \"a\"\n[t]\nmodel = \"a\"\n",
                "model",
                "b",
                "# model = \"a\"\nx = \"model = 'a'\"\nmodel = \"b\"\n[t]\nmodel = \"a\"\n",
            ),
            (T, "[t]\nmodel = \"a\"\n", "t/model", "b", "[t]\nmodel = \"b\"\n"),
            (T, "t.u.model = \"a\"\n", "t/u/model", "b", "t.u.model = \"b\"\n"),
            (T, "t = { u = 1, model = \"a\" }\n", "t/model", "b", "t = { u = 1, model = \"b\" }\n"),
            (
                T,
                "\"model\" = \"a\"\n[\"a.b\".'c']\nm = \"a\"\n",
                "a.b/c/m",
                "b",
                "\"model\" = \"a\"\n[\"a.b\".'c']\nm = \"b\"\n",
            ),
            (T, "[[m]]\nn = \"a\"\n[[m]]\nn = \"a\"\n", "m/1/n", "b", "[[m]]\nn = \"a\"\n[[m]]\nn = \"b\"\n"),
            (T, "[a.x]\nm = \"a\"\n[b]\n[a.y]\nm = \"a\"\n", "a/y/m", "b", "[a.x]\nm = \"a\"\n[b]\n[a.y]\nm = \"b\"\n"),
            (
                T,
                "s = \"é—漢\" # 漢\nmodel = \"漢字\" # é\n",
                "model",
                "模型",
                "s = \"é—漢\" # 漢\nmodel = \"模型\" # é\n",
            ),
            (T, "l = [\"a\", \"b\"]\n", "l/1", "c", "l = [\"a\", \"c\"]\n"),
        ]);
    }

    #[test]
    fn toml_keys_are_added_where_they_count() {
        const T: Language = Language::Toml;
        hold(&[
            (T, "", "model", "b", "model = \"b\"\n"),
            (T, "\u{feff}", "model", "b", "\u{feff}model = \"b\"\n"),
            (T, "# c\n", "model", "b", "# c\nmodel = \"b\"\n"),
            (T, "x = 1", "model", "b", "x = 1\nmodel = \"b\""),
            (
                T,
                "# c\nx = 1 # d\n\n# t\n[t]\ny = 1\n",
                "model",
                "b",
                "# c\nx = 1 # d\nmodel = \"b\"\n\n# t\n[t]\ny = 1\n",
            ),
            (T, "[t]\ny = 1\n", "model", "b", "model = \"b\"\n[t]\ny = 1\n"),
            (T, "# c\n[t]\ny = 1\n", "model", "b", "# c\nmodel = \"b\"\n[t]\ny = 1\n"),
            (T, "# c\n\n# t\n[t]\ny = 1\n", "model", "b", "# c\n\nmodel = \"b\"\n# t\n[t]\ny = 1\n"),
            (
                T,
                "\u{feff}# c\r\n[[t]]\r\ny = 1\r\n",
                "model",
                "b",
                "\u{feff}# c\r\nmodel = \"b\"\r\n[[t]]\r\ny = 1\r\n",
            ),
            (T, "a = [\n  1,\n] # e\n[t]\n", "model", "b", "a = [\n  1,\n] # e\nmodel = \"b\"\n[t]\n"),
            (T, "p.q.m = 1\n\n[t]\n", "model", "b", "p.q.m = 1\nmodel = \"b\"\n\n[t]\n"),
            (T, "[t] # head\n[u]\n", "t/model", "b", "[t] # head\nmodel = \"b\"\n[u]\n"),
            (T, "[t]\n  y = 1\n\n[u]\n", "t/model", "b", "[t]\n  y = 1\n  model = \"b\"\n\n[u]\n"),
            (T, "[t]\ny = 1", "t/model", "b", "[t]\ny = 1\nmodel = \"b\""),
            (T, "[t]", "t/model", "b", "[t]\nmodel = \"b\""),
            (T, "x = 1\n", "t/model", "b", "x = 1\n\n[t]\nmodel = \"b\"\n"),
            (T, "x = 1", "t/model", "b", "x = 1\n\n[t]\nmodel = \"b\""),
            (T, "[t.u]\nx = 1\n", "t/model", "b", "[t.u]\nx = 1\n\n[t]\nmodel = \"b\"\n"),
            (T, "[t]\nx = 1\n", "t/u/model", "b", "[t]\nx = 1\n\n[t.u]\nmodel = \"b\"\n"),
            (T, "t.u = 1\n[z]\n", "t/model", "b", "t.u = 1\nt.model = \"b\"\n[z]\n"),
            (T, "[z]\nt.u = 1\n[y]\n", "z/t/a b/model", "b", "[z]\nt.u = 1\nt.\"a b\".model = \"b\"\n[y]\n"),
            (T, "t = {}\n", "t/model", "b", "t = { model = \"b\" }\n"),
            (T, "t = { a = 1 }\n", "t/model", "b", "t = { a = 1, model = \"b\" }\n"),
            (T, "t = { a.b = 1 }\n", "t/a/model", "b", "t = { a.b = 1, a.model = \"b\" }\n"),
            (T, "[[m]]\na = 1\n[[m]]\na = 2\n", "m/0/model", "b", "[[m]]\na = 1\nmodel = \"b\"\n[[m]]\na = 2\n"),
            (T, "[[m]]\na = 1\n[[m]]\na = 2\n", "m/0/t/model", "b", "[[m]]\na = 1\nt.model = \"b\"\n[[m]]\na = 2\n"),
        ]);
        let place = Placement::After("model".to_owned());
        let change = Change::Set { path: vec!["effort".to_owned()], value: Value::text("high"), place };
        assert_eq!(
            changed(Language::Toml, "model = \"a\" # m\nz = 1\n[t]\n", change).as_deref(),
            Ok("model = \"a\" # m\neffort = \"high\"\nz = 1\n[t]\n")
        );
        let provider = Value::Table(vec![("name".to_owned(), Value::text("G")), ("on".to_owned(), Value::Bool(true))]);
        assert_eq!(
            changed(Language::Toml, "x = 1\n", Change::set(&["model_providers", "g"], provider)).as_deref(),
            Ok("x = 1\n\n[model_providers.g]\nname = \"G\"\non = true\n")
        );
    }

    #[test]
    fn toml_refusals_have_their_place() {
        for (text, line, column, kind) in [
            ("a = 1\nb = \n", 2, 5, ParseErrorKind::Syntax),
            ("é = 1\n", 1, 1, ParseErrorKind::Syntax),
            ("a = 1\na = 2\n", 2, 1, ParseErrorKind::DuplicateKey),
            ("[p.\"C:\\Users\"]\n", 1, 9, ParseErrorKind::Syntax),
        ] {
            let error = Document::parse(text.as_bytes(), Language::Toml).unwrap_err();
            assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{text:?} {error}");
        }
        for (text, path, expected) in [
            ("[model]\nname = \"a\"\n", "model", (Refusal::BlockTable, 1, 1)),
            ("x = 1\nmodel = \"a\"\n", "model/name", (Refusal::NotATable, 2, 9)),
            ("m = []\n", "m/0", (Refusal::List, 1, 5)),
        ] {
            assert_eq!(refusal(set_text(Language::Toml, text, path, "b").unwrap_err()), expected, "{text:?}");
        }
    }
}
