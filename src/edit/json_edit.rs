//! Edits of JSON: pairs take the form of their neighbours.

use std::ops::Range;

use super::escape;
use super::{Document, EditError, Entry, Kind, Node, Placement, Refusal, Replacement, Style, Value, lines};

pub(super) fn set(
    document: &Document,
    path: &[&str],
    value: &Value,
    place: &Placement,
) -> Result<Vec<Replacement>, EditError> {
    let mut node = &document.root;
    let mut depth = 0;
    while let Some(child) = path.get(depth).and_then(|key| node.child(key)) {
        node = child;
        depth += 1;
    }
    let rest = &path[depth..];
    if let (Some((key, below)), Kind::Table(_)) = (rest.split_first(), &node.kind) {
        let pair = Pair { key, value: nested(below, value) };
        return Ok(insert(document, node, &pair, place));
    }
    if rest.is_empty() || matches!(node.kind, Kind::Null) {
        return Ok(vec![replace(node, rest, value)]);
    }
    let refusal = if matches!(node.kind, Kind::List(_)) { Refusal::List } else { Refusal::NotATable };
    Err(document.refused(refusal, path, node.span.start))
}

fn replace(node: &Node, below: &[&str], value: &Value) -> Replacement {
    if let (Value::Text(text), Kind::Text(_), true) = (value, &node.kind, below.is_empty()) {
        let inner = node.span.start + 1..node.span.end - 1;
        let quote = if node.style == Style::Single { '\'' } else { '"' };
        return (inner, escaped(text, quote));
    }
    (node.span.clone(), nested(below, value))
}

struct Pair<'a> {
    key: &'a str,
    value: String,
}

impl Pair<'_> {
    fn text(&self, colon: &str) -> String {
        format!("{}{colon}{}", quoted(self.key), self.value)
    }
}

fn insert(document: &Document, node: &Node, pair: &Pair<'_>, place: &Placement) -> Vec<Replacement> {
    let entries = node.entries();
    let Some(last) = entries.last() else { return vec![insert_first(document, node, pair)] };
    let source = document.source();
    let ending = document.line_ending();
    let named = match place {
        Placement::After(key) => node.entry(key),
        Placement::Last => None,
    };
    let entry = named.unwrap_or(last);
    let value_end = entry.value.span.end;
    let text = pair.text(&colon(source, entry));
    let comma = comma_behind(document, value_end);
    let Some(indent) = lines::indent(source, entry.key_span.start) else {
        return vec![match comma {
            Some(comma) => (comma + 1..comma + 1, format!(" {text},")),
            None => (value_end..value_end, format!(", {text}")),
        }];
    };
    match comma {
        Some(comma) => {
            let at = end_of_rest(document, comma + 1).unwrap_or(comma + 1);
            vec![(at..at, format!("{ending}{indent}{text},"))]
        }
        None => match end_of_rest(document, value_end) {
            Some(at) if at > value_end => {
                vec![(value_end..value_end, ",".to_owned()), (at..at, format!("{ending}{indent}{text}"))]
            }
            _ => vec![(value_end..value_end, format!(",{ending}{indent}{text}"))],
        },
    }
}

fn insert_first(document: &Document, node: &Node, pair: &Pair<'_>) -> Replacement {
    let source = document.source();
    let inner = node.span.start + 1..node.span.end - 1;
    let text = pair.text(": ");
    let body = &source[inner.clone()];
    if body.trim().is_empty() && !body.contains('\n') {
        return (inner, format!(" {text} "));
    }
    let close = inner.end;
    match lines::indent(source, close) {
        Some(indent) if body.contains('\n') => {
            let at = lines::start(source, close);
            (at..at, format!("{indent}{}{text}{}", unit(document), document.line_ending()))
        }
        _ => {
            let gap = if body.ends_with(char::is_whitespace) { "" } else { " " };
            (close..close, format!("{gap}{text} "))
        }
    }
}

/// What one level is indented by: as the first key of the root.
fn unit(document: &Document) -> &str {
    let first = document.root.entries().first().map(|entry| entry.key_span.start);
    first.and_then(|start| lines::indent(document.source(), start)).filter(|indent| !indent.is_empty()).unwrap_or("  ")
}

/// What stands between a key and its value, if it is nothing but a colon and spaces.
fn colon(source: &str, entry: &Entry) -> String {
    let between = &source[entry.key_span.end..entry.value.span.start];
    if between.chars().all(|c| matches!(c, ' ' | ':')) { between.to_owned() } else { ": ".to_owned() }
}

/// Behind white space and comments.
fn skipped(document: &Document, mut at: usize) -> usize {
    let source = document.source();
    loop {
        let rest = &source[at..];
        at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        match document.comments.iter().find(|comment| comment.start == at) {
            Some(comment) => at = comment.end,
            None => return at,
        }
    }
}

fn comma_behind(document: &Document, at: usize) -> Option<usize> {
    Some(skipped(document, at)).filter(|&at| document.source()[at..].starts_with(','))
}

/// The end of the line, when nothing but spaces and comments that end on it follow.
fn end_of_rest(document: &Document, at: usize) -> Option<usize> {
    let source = document.source();
    let end = lines::end(source, at);
    let mut at = at;
    loop {
        let rest = &source[at..end];
        at += rest.len() - rest.trim_start().len();
        match document.comments.iter().find(|comment| comment.start == at) {
            Some(comment) if comment.end <= end => at = comment.end,
            _ => return (at == end).then_some(end),
        }
    }
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    let Some((key, above)) = path.split_last() else { return Ok(Vec::new()) };
    let parent = document.get(above).unwrap_or(&document.root);
    let entries = parent.entries();
    let Some(number) = entries.iter().rposition(|entry| entry.key == *key) else {
        return Err(document.refused(Refusal::List, path, parent.span.start));
    };
    let source = document.source();
    let entry = &entries[number];
    let comma = comma_behind(document, entry.value.span.end);
    let before = number.checked_sub(1).map(|number| &entries[number]);
    let next = entries.get(number + 1);
    let pair_end = comma.map_or(entry.value.span.end, |comma| comma + 1);
    let own_lines = lines::indent(source, entry.key_span.start)
        .and(end_of_rest(document, pair_end))
        .map(|end| lines::start(source, entry.key_span.start)..lines::next(source, end));
    let mut plan: Vec<Range<usize>> = Vec::new();
    // Without a comma behind it, the last pair leaves the comma before it without a purpose.
    let left_over = before.filter(|_| comma.is_none() && next.is_none());
    let comma_before = left_over.and_then(|before| comma_behind(document, before.value.span.end));
    match own_lines {
        Some(span) => {
            plan.extend(comma_before.map(|comma| comma..comma + 1));
            plan.push(span);
        }
        None => match (next, comma_before) {
            (Some(next), _) if is_blank(source, pair_end..next.key_span.start) => {
                plan.push(entry.key_span.start..next.key_span.start);
            }
            (None, Some(comma)) if is_blank(source, comma + 1..entry.key_span.start) => {
                plan.push(comma..entry.value.span.end);
            }
            (_, comma_before) => {
                plan.extend(comma_before.map(|comma| comma..comma + 1));
                plan.push(entry.key_span.start..pair_end);
            }
        },
    }
    Ok(plan.into_iter().map(|range| (range, String::new())).collect())
}

fn is_blank(source: &str, range: Range<usize>) -> bool {
    source[range].trim().is_empty()
}

/// A value within new tables, on one line.
fn nested(keys: &[&str], value: &Value) -> String {
    keys.iter().rev().fold(rendered(value), |inner, key| format!("{{ {}: {inner} }}", quoted(key)))
}

fn rendered(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::List(values) => format!("[{}]", values.iter().map(rendered).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Table(entries) => {
            let pairs = entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), rendered(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"'))
}

/// A text as it stands between these quotes.
fn escaped(text: &str, quote: char) -> String {
    escape::escaped(text, quote, |c| c < ' ')
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{GEMINI, JSON, JSON5, JSONC, changed, hold};
    use crate::edit::{Change, Placement, Value};

    #[test]
    fn json_values_are_replaced() {
        hold(&[
            (JSON, "{\"model\": \"a\"}", "model", "b", "{\"model\": \"b\"}"),
            (JSON, "{\"model\": \"a\"}", "model", "q\"\\", "{\"model\": \"q\\\"\\\\\"}"),
            (JSON, "{\"model\": \"a\", \"model\": \"c\"}", "model", "b", "{\"model\": \"a\", \"model\": \"b\"}"),
            (JSON, "{\"model\": null}\r\n", "model", "b", "{\"model\": \"b\"}\r\n"),
            (JSON, "{\"model\": {\"x\": 1}}", "model", "b", "{\"model\": \"b\"}"),
            (
                JSON,
                "{\"m\": [{\"n\": \"a\"}, {\"n\": \"a\"}]}",
                "m/1/n",
                "b",
                "{\"m\": [{\"n\": \"a\"}, {\"n\": \"b\"}]}",
            ),
            (JSON, "{\"mod\\u0065l\": \"\\u00e9\"}", "model", "漢", "{\"mod\\u0065l\": \"漢\"}"),
            (
                GEMINI,
                "{ // \"m\": \"a\"\n \"m\": \"a\" /* , */ }",
                "m",
                "b",
                "{ // \"m\": \"a\"\n \"m\": \"b\" /* , */ }",
            ),
            (JSONC, "\u{feff}{\r\n\t\"m\": \"a\",\r\n}", "m", "b", "\u{feff}{\r\n\t\"m\": \"b\",\r\n}"),
            (
                JSON5,
                "{m: 'a', n: 0x1F, o: +.5, p: 1., q: -Infinity,}",
                "m",
                "b",
                "{m: 'b', n: 0x1F, o: +.5, p: 1., q: -Infinity,}",
            ),
            (JSON5, "{m: 'a'}", "m", "it's", "{m: 'it\\'s'}"),
            (JSON5, "{m: 'a\\\nb\\x41\\v'}", "m", "b", "{m: 'b'}"),
        ]);
        let flat = "{\r\n    \"model\": \"a\",\r\n    \"x\": 1\r\n}\r\n";
        let table = Value::Table(vec![("name".to_owned(), Value::text("b"))]);
        assert_eq!(
            changed(GEMINI, flat, Change::set(&["model"], table)).as_deref(),
            Ok("{\r\n    \"model\": { \"name\": \"b\" },\r\n    \"x\": 1\r\n}\r\n")
        );
    }

    #[test]
    fn json_keys_are_added_in_the_neighbours_form() {
        hold(&[
            (JSON, "{}", "m", "b", "{ \"m\": \"b\" }"),
            (JSON, "{\n}\n", "m", "b", "{\n  \"m\": \"b\"\n}\n"),
            (JSON, "{\"a\":1}", "m", "b", "{\"a\":1, \"m\":\"b\"}"),
            (JSON, "{\n\t\"a\" : 1\n}", "m", "b", "{\n\t\"a\" : 1,\n\t\"m\" : \"b\"\n}"),
            (
                JSON,
                "{\r\n  \"a\": [\r\n  1\r\n  ]\r\n}\r\n",
                "m",
                "b",
                "{\r\n  \"a\": [\r\n  1\r\n  ],\r\n  \"m\": \"b\"\r\n}\r\n",
            ),
            (
                GEMINI,
                "{\n  \"a\": 1 // one\n  // end\n}",
                "m",
                "b",
                "{\n  \"a\": 1, // one\n  \"m\": \"b\"\n  // end\n}",
            ),
            (JSONC, "{\n  \"a\": 1, // one\n}", "m", "b", "{\n  \"a\": 1, // one\n  \"m\": \"b\",\n}"),
            (
                JSONC,
                "{\n  \"a\": 1 /* x */, /* y\n */\n}",
                "m",
                "b",
                "{\n  \"a\": 1 /* x */,\n  \"m\": \"b\", /* y\n */\n}",
            ),
            (JSONC, "{ \"a\": 1, }", "m", "b", "{ \"a\": 1, \"m\": \"b\", }"),
            (GEMINI, "{\n  // none yet\n}\n", "m", "b", "{\n  // none yet\n  \"m\": \"b\"\n}\n"),
            (GEMINI, "{ /* c */ }", "m", "b", "{ /* c */ \"m\": \"b\" }"),
            (JSON, "{\n  \"a\": 1\n}", "p/q/m", "b", "{\n  \"a\": 1,\n  \"p\": { \"q\": { \"m\": \"b\" } }\n}"),
            (JSON, "{\n  \"p\": {}\n}", "p/m", "b", "{\n  \"p\": { \"m\": \"b\" }\n}"),
            (
                JSON,
                "{\n  \"p\": {\n    \"x\": 1\n  }\n}",
                "p/m",
                "b",
                "{\n  \"p\": {\n    \"x\": 1,\n    \"m\": \"b\"\n  }\n}",
            ),
            (JSON, "{\n   \"p\": {\n   }\n}", "p/m", "b", "{\n   \"p\": {\n      \"m\": \"b\"\n   }\n}"),
            (JSON, "{\"p\": null}", "p/m", "b", "{\"p\": { \"m\": \"b\" }}"),
            (JSON, "{\n  \"a\": 1 }", "m", "b", "{\n  \"a\": 1,\n  \"m\": \"b\" }"),
            (JSON5, "{\n  a: 1\n}", "m", "b", "{\n  a: 1,\n  \"m\": \"b\"\n}"),
        ]);
        let place = Placement::After("a".to_owned());
        let change = |place: &Placement| Change::Set {
            path: vec!["m".to_owned()],
            value: Value::Integer(3),
            place: place.clone(),
        };
        assert_eq!(
            changed(JSON, "{\n \"a\": 1,\n \"b\": 2\n}", change(&place)).as_deref(),
            Ok("{\n \"a\": 1,\n \"m\": 3,\n \"b\": 2\n}")
        );
        assert_eq!(
            changed(JSON, "{\"a\": 1, \"b\": 2}", change(&place)).as_deref(),
            Ok("{\"a\": 1, \"m\": 3, \"b\": 2}")
        );
    }
}
