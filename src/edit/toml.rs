//! TOML with spans, from `toml_edit`'s immutable document.

use std::ops::Range;

use toml_edit::{Array, InlineTable, Item, Key, Table};

use super::{Entry, Kind, Node, ParseError, ParseErrorKind, Reading, Style};

pub(super) fn read(text: &str) -> Result<Reading, ParseError> {
    let document = toml_edit::Document::parse(text).map_err(|error| {
        let offset = error.span().map_or(text.len(), |span| span.start);
        let message = error.message();
        let kind = match message {
            _ if message.contains("duplicate key") => ParseErrorKind::DuplicateKey,
            _ if message.contains("recurs") => ParseErrorKind::TooDeep,
            _ => ParseErrorKind::Syntax,
        };
        ParseError::new(text.as_bytes(), offset, kind, message)
    })?;
    let root = table(text, document.as_table(), Style::Block);
    let comments = comments(text, &root);
    Ok(Reading { root, comments })
}

fn table(text: &str, table: &Table, style: Style) -> Node {
    let entries = table.iter().filter_map(|(name, item)| {
        let value = item_node(text, item)?;
        Some(Entry { key: name.to_owned(), key_span: key_span(table.key(name)), value, is_odd: false })
    });
    let span = if matches!(style, Style::Block) { table.span().unwrap_or(0..0) } else { 0..0 };
    Node::new(span, Kind::Table(entries.collect()), style)
}

fn key_span(key: Option<&Key>) -> Range<usize> {
    key.and_then(Key::span).unwrap_or(0..0)
}

fn item_node(text: &str, item: &Item) -> Option<Node> {
    Some(match item {
        Item::None => return None,
        Item::Value(value) => value_node(text, value),
        Item::Table(found) => {
            let style = match () {
                () if found.is_dotted() => Style::Dotted,
                () if found.is_implicit() => Style::Implicit,
                () => Style::Block,
            };
            table(text, found, style)
        }
        Item::ArrayOfTables(tables) => {
            let items: Vec<_> = tables.iter().map(|found| table(text, found, Style::Block)).collect();
            let span = items.first().map_or(0..0, |first| first.span.clone());
            Node::new(span, Kind::List(items), Style::Block)
        }
    })
}

fn value_node(text: &str, value: &toml_edit::Value) -> Node {
    let span = value.span().unwrap_or(0..0);
    let raw = text.get(span.clone()).unwrap_or_default();
    let (kind, style) = match value {
        toml_edit::Value::String(found) => (Kind::Text(found.value().clone()), text_style(raw)),
        toml_edit::Value::Integer(_) | toml_edit::Value::Float(_) => (Kind::Number(raw.to_owned()), Style::Plain),
        toml_edit::Value::Boolean(found) => (Kind::Bool(*found.value()), Style::Plain),
        toml_edit::Value::Datetime(_) => (Kind::Date(raw.to_owned()), Style::Plain),
        toml_edit::Value::Array(found) => (Kind::List(items(text, found)), Style::Flow),
        toml_edit::Value::InlineTable(found) => {
            let style = if found.is_dotted() { Style::Dotted } else { Style::Flow };
            (Kind::Table(inline(text, found)), style)
        }
    };
    Node::new(if style == Style::Dotted { 0..0 } else { span }, kind, style)
}

fn text_style(raw: &str) -> Style {
    match raw {
        _ if raw.starts_with("\"\"\"") => Style::MultiDouble,
        _ if raw.starts_with("'''") => Style::MultiSingle,
        _ if raw.starts_with('\'') => Style::Single,
        _ => Style::Double,
    }
}

fn items(text: &str, array: &Array) -> Vec<Node> {
    array.iter().map(|value| value_node(text, value)).collect()
}

fn inline(text: &str, table: &InlineTable) -> Vec<Entry> {
    let entries = table.iter().map(|(name, value)| Entry {
        key: name.to_owned(),
        key_span: key_span(table.key(name)),
        value: value_node(text, value),
        is_odd: false,
    });
    entries.collect()
}

/// A `#` that stands in no text and no key starts a comment.
fn comments(text: &str, root: &Node) -> Vec<Range<usize>> {
    let mut covered = Vec::new();
    root.cover(&mut covered);
    covered.sort_by_key(|span: &Range<usize>| span.start);
    let mut covered = covered.into_iter().peekable();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('#') {
        let hash = at + found;
        while covered.next_if(|span| span.end <= hash).is_some() {}
        if let Some(span) = covered.peek().filter(|span| span.contains(&hash)) {
            at = span.end;
            continue;
        }
        let line = super::lines::start(text, hash);
        if text[line..hash].trim_start().starts_with('[') && is_in_header(&text[line..hash]) {
            at = hash + 1;
            continue;
        }
        let end = super::lines::end(text, hash);
        out.push(hash..end);
        at = end;
    }
    out
}

/// Whether the brackets of a table's header are still open: a quoted key may hold a `#`.
fn is_in_header(line: &str) -> bool {
    let mut quote = None;
    let mut last = ' ';
    for c in line.chars() {
        match quote {
            Some(open) if c == open && !(open == '"' && last == '\\') => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
        last = if last == '\\' { ' ' } else { c };
    }
    quote.is_some()
}
