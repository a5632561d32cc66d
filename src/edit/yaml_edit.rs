//! Edits of YAML: single texts, and lines within a block or pairs within braces.

use std::fmt::Write as _;

use super::tree::Mark;
use super::yaml::is_ambiguous;
use super::{Document, EditError, Entry, Kind, Node, Placement, Refusal, Replacement, Style, Value, lines};

pub(super) fn set(
    document: &Document,
    path: &[&str],
    value: &Value,
    place: &Placement,
) -> Result<Vec<Replacement>, EditError> {
    let reach = reach(document, path)?;
    let node = reach.node;
    let rest = &path[reach.depth..];
    let Some((key, below)) = rest.split_first() else { return replace(document, &reach, path, value) };
    match (&node.kind, node.style) {
        (Kind::Table(_), Style::Flow) => insert_flow(document, node, key, below, value, place),
        (Kind::Table(_), Style::Block) => insert_block(document, node, rest, path, value, place),
        (Kind::Null, Style::Absent) if reach.depth == 0 => {
            let text = document.source();
            let lines = block_lines(document, "", rest, value);
            Ok(vec![(text.len()..text.len(), lines::inserted(text, text.len(), &lines, document.line_ending()))])
        }
        (Kind::Null, Style::Absent) if !reach.is_flow => {
            let Some(key_start) = reach.key_start else {
                return Err(document.refused(Refusal::NotATable, path, node.span.start));
            };
            let text = document.source();
            let indent = format!("{}{}", spaces(document, key_start), unit(document));
            let at = lines::next(text, node.span.start);
            let lines = block_lines(document, &indent, rest, value);
            Ok(vec![(at..at, lines::inserted(text, at, &lines, document.line_ending()))])
        }
        (Kind::Null, _) => Ok(vec![token(node, &flow_table(key, below, value))]),
        (Kind::List(_), _) => Err(document.refused(Refusal::List, path, node.span.start)),
        _ => Err(document.refused(Refusal::NotATable, path, node.span.start)),
    }
}

/// The deepest part of a path that exists.
struct Reach<'a> {
    node: &'a Node,
    depth: usize,
    /// Something on the way is written in brackets or braces.
    is_flow: bool,
    key_start: Option<usize>,
}

fn reach<'a>(document: &'a Document, path: &[&str]) -> Result<Reach<'a>, EditError> {
    let mut reach = Reach { node: &document.root, depth: 0, is_flow: false, key_start: None };
    loop {
        let node = reach.node;
        let at = node.span.start;
        if node.style == Style::Alias || node.mark == Mark::Anchor {
            return Err(document.refused(Refusal::Alias, path, at));
        }
        if node.mark == Mark::Tag {
            return Err(document.refused(Refusal::Tag, path, at));
        }
        reach.is_flow |= matches!(node.style, Style::Flow | Style::Implicit);
        let Some(key) = path.get(reach.depth) else { return Ok(reach) };
        let child = match node.entry(key) {
            Some(entry) => {
                reach.key_start = Some(entry.key_span.start);
                Some(&entry.value)
            }
            None => {
                if let Some(odd) = node.entries().iter().find(|entry| entry.is_odd) {
                    let refusal = if odd.key == "<<" { Refusal::MergeKey } else { Refusal::ComplexKey };
                    return Err(document.refused(refusal, path, odd.key_span.start));
                }
                let item = if node.is_table() { None } else { node.child(key) };
                if item.is_some() {
                    reach.key_start = None;
                }
                item
            }
        };
        let Some(child) = child else { return Ok(reach) };
        reach.node = child;
        reach.depth += 1;
    }
}

fn replace(
    document: &Document,
    reach: &Reach<'_>,
    path: &[&str],
    value: &Value,
) -> Result<Vec<Replacement>, EditError> {
    let node = reach.node;
    match node.style {
        Style::BlockText => return Err(document.refused(Refusal::BlockText, path, node.span.start)),
        Style::Block | Style::Implicit => return Err(document.refused(Refusal::BlockTable, path, node.span.start)),
        _ => {}
    }
    if let (Value::Text(text), Kind::Text(_)) = (value, &node.kind) {
        let inner = node.span.start + 1..node.span.end.saturating_sub(1);
        match node.style {
            Style::Double => return Ok(vec![(inner, escaped(text))]),
            Style::Single if is_single(text) => return Ok(vec![(inner, text.replace('\'', "''"))]),
            _ => {}
        }
    }
    if reach.depth == 0 {
        return Err(document.refused(Refusal::Value, path, node.span.start));
    }
    Ok(vec![token(node, &rendered(value, reach.is_flow))])
}

/// A value in the place of a token; an absent one is set apart from what it follows.
fn token(node: &Node, text: &str) -> Replacement {
    let gap = if node.style == Style::Absent { " " } else { "" };
    (node.span.clone(), format!("{gap}{text}"))
}

fn insert_flow(
    document: &Document,
    node: &Node,
    key: &str,
    below: &[&str],
    value: &Value,
    place: &Placement,
) -> Result<Vec<Replacement>, EditError> {
    let pair = match below.split_first() {
        None => format!("{}: {}", key_text(key, true), rendered(value, true)),
        Some((next, below)) => format!("{}: {}", key_text(key, true), flow_table(next, below, value)),
    };
    let named = match place {
        Placement::After(key) => node.entry(key),
        Placement::Last => None,
    };
    Ok(vec![match named.or(node.entries().last()) {
        Some(entry) => {
            let at = entry.value.span.end.max(entry.key_span.end);
            (at..at, format!(", {pair}"))
        }
        None => {
            let inner = node.span.start + 1..node.span.end - 1;
            if !document.source()[inner.clone()].trim().is_empty() {
                return Err(document.refused(Refusal::SharedLine, &[key], node.span.start));
            }
            (inner, format!(" {pair} "))
        }
    }])
}

fn insert_block(
    document: &Document,
    node: &Node,
    rest: &[&str],
    path: &[&str],
    value: &Value,
    place: &Placement,
) -> Result<Vec<Replacement>, EditError> {
    let text = document.source();
    let named = match place {
        Placement::After(key) => node.entry(key),
        Placement::Last => None,
    };
    let Some(entry) = named.or(node.entries().last()) else {
        return Err(document.refused(Refusal::BlockTable, path, node.span.start));
    };
    let indent = spaces(document, entry.key_span.start);
    let at = behind(text, entry, indent.len());
    let lines = block_lines(document, &indent, rest, value);
    Ok(vec![(at..at, lines::inserted(text, at, &lines, document.line_ending()))])
}

/// Where the line behind an entry starts. A text in block style goes on to the first line that is not deeper than its key.
fn behind(text: &str, entry: &Entry, column: usize) -> usize {
    let mut end = entry.key_span.end;
    let block = last_part(&entry.value, &mut end);
    let mut at = lines::next(text, end);
    if block {
        while at < text.len() {
            let line = &text[at..lines::next(text, at)];
            let body = line.trim_start_matches(' ');
            if !line.trim().is_empty() && line.len() - body.len() <= column {
                break;
            }
            at = lines::next(text, at);
        }
    }
    at
}

/// Moves `end` to the end of what a node writes last; whether that is a text in block style.
fn last_part(node: &Node, end: &mut usize) -> bool {
    let last = match node.style {
        Style::Block => node.items().last().or_else(|| node.entries().last().map(|entry| &entry.value)),
        _ => None,
    };
    if let Some(entry) = node.entries().last().filter(|_| node.style == Style::Block) {
        *end = (*end).max(entry.key_span.end);
    }
    match last {
        Some(last) => last_part(last, end),
        None => {
            // A list's empty last element has no place of its own.
            *end = (*end).max(if node.style == Style::BlockText { node.span.start } else { node.span.end });
            node.style == Style::BlockText
        }
    }
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    let Some((key, above)) = path.split_last() else { return Ok(Vec::new()) };
    let parent = reach(document, above)?;
    let entries = parent.node.entries();
    let Some(number) = entries.iter().rposition(|entry| entry.key == *key && !entry.is_odd) else {
        let refusal = if parent.node.merge_key().is_some() { Refusal::MergeKey } else { Refusal::List };
        return Err(document.refused(refusal, path, parent.node.span.start));
    };
    let entry = &entries[number];
    let text = document.source();
    let start = entry.key_span.start;
    if parent.node.style == Style::Block {
        let Some(indent) = lines::indent(text, start) else {
            return Err(document.refused(Refusal::SharedLine, path, start));
        };
        let next = behind(text, entry, indent.len());
        let last = text[..next].strip_suffix('\n').map_or(next, str::len).max(start);
        return Ok(vec![(lines::whole(text, start, last), String::new())]);
    }
    let end = entry.value.span.end.max(entry.key_span.end);
    let before = number.checked_sub(1).map(|number| &entries[number]);
    let span = match (entries.get(number + 1), before) {
        (Some(next), _) => start..next.key_span.start,
        (None, Some(before)) => before.value.span.end.max(before.key_span.end)..end,
        (None, None) => start..end,
    };
    Ok(vec![(span, String::new())])
}

/// As many spaces as stand before a key, dashes of lists counted.
fn spaces(document: &Document, key_start: usize) -> String {
    let text = document.source();
    " ".repeat(text[lines::start(text, key_start)..key_start].chars().count())
}

/// What one level is indented by in this file.
fn unit(document: &Document) -> String {
    fn column(text: &str, node: &Node) -> Option<usize> {
        let first = node.entries().first()?.key_span.start;
        Some(text[lines::start(text, first)..first].len())
    }
    let text = document.source();
    let outer = column(text, &document.root).unwrap_or(0);
    let children = document.root.entries().iter().map(|entry| &entry.value);
    let inner = children.filter(|node| node.style == Style::Block).find_map(|node| column(text, node));
    " ".repeat(inner.and_then(|inner| inner.checked_sub(outer)).filter(|&unit| unit > 0).unwrap_or(2))
}

/// Keys over each other, the value behind the last; without the last line's ending.
fn block_lines(document: &Document, indent: &str, keys: &[&str], value: &Value) -> String {
    let (ending, unit) = (document.line_ending(), unit(document));
    let mut out = String::new();
    let mut indent = indent.to_owned();
    for (number, key) in keys.iter().enumerate() {
        if number > 0 {
            out.push_str(ending);
            indent.push_str(&unit);
        }
        let _ = write!(out, "{indent}{}:", key_text(key, false));
    }
    let _ = write!(out, " {}", rendered(value, false));
    out
}

/// Tables within each other, in braces.
fn flow_table(key: &str, below: &[&str], value: &Value) -> String {
    let inner =
        below.iter().rev().fold(rendered(value, true), |inner, key| format!("{{ {}: {inner} }}", key_text(key, true)));
    format!("{{ {}: {inner} }}", key_text(key, true))
}

fn rendered(value: &Value, is_flow: bool) -> String {
    match value {
        Value::Text(text) => text_token(text, is_flow),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::List(values) => {
            format!("[{}]", values.iter().map(|value| rendered(value, true)).collect::<Vec<_>>().join(", "))
        }
        Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Table(entries) => {
            let pairs =
                entries.iter().map(|(key, value)| format!("{}: {}", key_text(key, true), rendered(value, true)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

fn key_text(key: &str, is_flow: bool) -> String {
    text_token(key, is_flow)
}

/// A text without quotes, if every reader takes that for the same text.
fn text_token(text: &str, is_flow: bool) -> String {
    if is_plain(text, is_flow) { text.to_owned() } else { format!("\"{}\"", escaped(text)) }
}

fn is_plain(text: &str, is_flow: bool) -> bool {
    let is_bad = |c: char| !is_printable(c) || (is_flow && matches!(c, ',' | '[' | ']' | '{' | '}'));
    let Some(first) = text.chars().next() else { return false };
    !text.contains(is_bad)
        && !matches!(
            first,
            '-' | '?'
                | ':'
                | ','
                | '['
                | ']'
                | '{'
                | '}'
                | '#'
                | '&'
                | '*'
                | '!'
                | '|'
                | '>'
                | '\''
                | '"'
                | '%'
                | '@'
                | '`'
        )
        && !text.starts_with(char::is_whitespace)
        && !text.ends_with(|c: char| c.is_whitespace() || c == ':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.starts_with("...")
        && !(is_flow && text.contains(':'))
        && !is_ambiguous(text)
}

fn is_single(text: &str) -> bool {
    text.chars().all(is_printable)
}

/// Characters that stand for themselves between quotes.
fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// A text as it stands between double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if !is_printable(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
