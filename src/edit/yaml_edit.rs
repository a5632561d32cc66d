//! Edits of YAML: single texts, and lines within a block or pairs within braces.

use std::fmt::Write as _;

use super::escape;
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
        Value::Float(value) => format!("{value:?}"),
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
    escape::escaped(text, '"', |c| !is_printable(c))
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{hold, parsed, refusal, set_text};
    use crate::edit::{Document, Language, ParseErrorKind, Refusal};

    #[test]
    fn yaml_scalars_are_replaced() {
        const Y: Language = Language::Yaml;
        hold(&[
            (Y, "model: a   # c\n", "model", "b", "model: b   # c\n"),
            (Y, "model: \"a\"\r\nx: 1\r\n", "model", "b", "model: \"b\"\r\nx: 1\r\n"),
            (Y, "model: 'a'", "model", "it's", "model: 'it''s'"),
            (Y, "\u{feff}model: a\n", "model", "b", "\u{feff}model: b\n"),
            (
                Y,
                "# model: a\nx: 'model: a'\nmodel: a\nt:\n  model: a\n",
                "t/model",
                "b",
                "# model: a\nx: 'model: a'\nmodel: a\nt:\n  model: b\n",
            ),
            (Y, "é: 漢 # 漢\nmodel: 漢字 # é\n", "model", "模型", "é: 漢 # 漢\nmodel: 模型 # é\n"),
            (Y, "m: { model: a, k: 1 }\n", "m/model", "b", "m: { model: b, k: 1 }\n"),
            (Y, "m: { model: a, k: 1 }\n", "m/model", "x[1m]", "m: { model: \"x[1m]\", k: 1 }\n"),
            (Y, "model: a\n", "model", "sonnet[1m]", "model: sonnet[1m]\n"),
            (
                Y,
                "l:\n  - name: x\n    p:\n      model: a\n  - name: y\n    p: {model: a}\n",
                "l/1/p/model",
                "b",
                "l:\n  - name: x\n    p:\n      model: a\n  - name: y\n    p: {model: b}\n",
            ),
            (Y, "model:\n", "model", "b", "model: b\n"),
            (Y, "model:   # c\nx: 1\n", "model", "b", "model: b   # c\nx: 1\n"),
            (Y, "model: ~\n", "model", "b", "model: b\n"),
            (Y, "a: 1\nmodel: x\na: 2\n", "a", "b", "a: 1\nmodel: x\na: b\n"),
            (Y, "model: a\nother: &x v\nz: *x\n", "model", "b", "model: b\nother: &x v\nz: *x\n"),
            (Y, "---\nmodel: a\n...\n", "model", "b", "---\nmodel: b\n...\n"),
            (Y, "model: a b\n  c\nx: 1\n", "model", "b", "model: b\nx: 1\n"),
            (Y, "model: \"a\n  c\"\nx: 1\n", "model", "b", "model: \"b\"\nx: 1\n"),
        ]);
        for text in [
            "yes",
            "No",
            "on",
            "null",
            "~",
            "3",
            "3.5",
            "0x1f",
            "1e3",
            "1_000",
            "1:30",
            "2024-05-13",
            ".inf",
            "true",
            "@x",
            "*x",
            "&x",
            "!x",
            "%x",
            "> x",
            "| x",
            "- x",
            "a: b",
            "a #b",
            "x:",
            "#x",
            "'x",
            "\"x",
            "`x",
            "{x",
            "[x",
            "? x",
            " x",
            "x ",
            "",
            "a\nb",
            "=",
            "<<",
            "y",
            "\u{85}x",
            "-",
            "0o7",
            "+1",
            "...",
            "---",
        ] {
            let after = set_text(Y, "model: a # c\n", "model", text).unwrap();
            assert!(after.starts_with("model: \"") && after.ends_with("\" # c\n"), "{after:?}");
            assert_eq!(parsed(Y, &after).text(&["model"]), Some(text));
        }
        for text in [
            "gpt-5.5",
            "openai/gpt-5.5",
            "4o",
            "claude-opus-5",
            "llama3:8b",
            "x#y",
            "a,b",
            "3-5-turbo",
            "qwen2.5",
            "~/x",
            "o'clock",
            "2024-05-13-preview",
        ] {
            assert_eq!(set_text(Y, "model: a # c\n", "model", text).unwrap(), format!("model: {text} # c\n"));
        }
    }

    #[test]
    fn yaml_keys_are_added_at_their_depth() {
        const Y: Language = Language::Yaml;
        hold(&[
            (Y, "", "model", "b", "model: b\n"),
            (Y, "# c\n", "model", "b", "# c\nmodel: b\n"),
            (Y, "# c", "model", "b", "# c\nmodel: b"),
            (Y, "---\n", "model", "b", "---\nmodel: b\n"),
            (Y, "a: 1", "model", "b", "a: 1\nmodel: b"),
            (Y, "a: 1 # c\r\n# end\r\n", "model", "b", "a: 1 # c\r\nmodel: b\r\n# end\r\n"),
            (Y, "a:\n    x: 1\nz: 2\n", "a/model", "b", "a:\n    x: 1\n    model: b\nz: 2\n"),
            (Y, "a:\n    x: 1\n", "q/r/model", "b", "a:\n    x: 1\nq:\n    r:\n        model: b\n"),
            (Y, "a:\nz: 2\n", "a/model", "b", "a:\n  model: b\nz: 2\n"),
            (Y, "l:\n- name: x\n- name: y\n", "l/0/model", "b", "l:\n- name: x\n  model: b\n- name: y\n"),
            (Y, "l:\n- name: x\n- name: y\n", "model", "b", "l:\n- name: x\n- name: y\nmodel: b\n"),
            (Y, "a: {x: 1}\n", "a/model", "b", "a: {x: 1, model: b}\n"),
            (Y, "a: {}\n", "a/m/o", "b", "a: { m: { o: b } }\n"),
            (Y, "a: null\n", "a/m", "b", "a: { m: b }\n"),
            (Y, "t: |\n  text # no\n\n  more\nz: 1\n", "model", "b", "t: |\n  text # no\n\n  more\nz: 1\nmodel: b\n"),
            (Y, "z: 1\nt: |\n  text # no\n\n  more\n", "model", "b", "z: 1\nt: |\n  text # no\n\n  more\nmodel: b\n"),
            (
                Y,
                "a:\n  t: >-\n    text\n    more\nz: 1\n",
                "a/model",
                "b",
                "a:\n  t: >-\n    text\n    more\n  model: b\nz: 1\n",
            ),
            (Y, "a: 1\n...\n", "model", "b", "a: 1\nmodel: b\n...\n"),
            (Y, "a: &x\n  k: 1\nb: *x\n", "model", "b", "a: &x\n  k: 1\nb: *x\nmodel: b\n"),
            (Y, "a: [\n  1,\n]\nb:\n- x\n-\n", "model", "b", "a: [\n  1,\n]\nb:\n- x\n-\nmodel: b\n"),
        ]);
    }

    #[test]
    fn yaml_that_cannot_be_kept_is_refused() {
        for (text, path, expected) in [
            ("a: &x v\nb: *x\n", "a", (Refusal::Alias, 1, 7)),
            ("a: &x v\nb: *x\n", "b", (Refusal::Alias, 2, 4)),
            ("a: &x\n  k: v\nb: *x\n", "a/k", (Refusal::Alias, 2, 3)),
            ("a: &x\n  k: v\nb: *x\n", "b/k", (Refusal::Alias, 3, 4)),
            ("d: &d {m: a}\nt:\n  <<: *d\n  x: 1\n", "t/m", (Refusal::MergeKey, 3, 3)),
            ("m: |\n  a\n", "m", (Refusal::BlockText, 2, 3)),
            ("m: >-\n  a\n", "m", (Refusal::BlockText, 2, 3)),
            ("m: !x a\n", "m", (Refusal::Tag, 1, 7)),
            ("m:\n  k: a\n", "m", (Refusal::BlockTable, 2, 3)),
            ("m: a\n", "m/k", (Refusal::NotATable, 1, 4)),
            ("m: [a]\n", "m/4", (Refusal::List, 1, 4)),
            ("? [a]\n: 1\n", "m", (Refusal::ComplexKey, 1, 3)),
        ] {
            assert_eq!(refusal(set_text(Language::Yaml, text, path, "b").unwrap_err()), expected, "{text:?} {path}");
        }
        for (text, line, column, kind) in [
            ("a: 1\n---\nb: 1\n", 2, 1, ParseErrorKind::SeveralDocuments),
            ("a:\tb\n", 1, 4, ParseErrorKind::Syntax),
            ("a: 1\n\tb: 1\n", 2, 1, ParseErrorKind::Syntax),
            ("a: [1\n", 2, 1, ParseErrorKind::Syntax),
            ("é: \"x\n", 1, 4, ParseErrorKind::Syntax),
        ] {
            match Document::parse(text.as_bytes(), Language::Yaml) {
                Err(error) => {
                    assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{text:?} {error}")
                }
                Ok(document) => panic!("{text:?} {:?}", document.root()),
            }
        }
        let document = parsed(Language::Yaml, "d: &d {m: a, n: b}\nt:\n  <<: *d\n  n: c\nu: *d\n");
        assert_eq!(
            (document.text(&["t", "m"]), document.text(&["t", "n"]), document.text(&["u", "m"])),
            (Some("a"), Some("c"), Some("a"))
        );
        let laughs = format!(
            "a: &a [x, x, x, x, x, x, x, x]\n{}",
            ('b'..'m')
                .map(|c| {
                    let before = char::from_u32(u32::from(c) - 1).unwrap();
                    format!("{c}: &{c} [{}]\n", vec![format!("*{before}"); 8].join(", "))
                })
                .collect::<String>()
        );
        assert_eq!(Document::parse(laughs.as_bytes(), Language::Yaml).unwrap_err().kind, ParseErrorKind::TooLarge);
    }
}
