//! `.env` files, as npm's `dotenv` and as `python-dotenv` read them. Lines that they skip are skipped.

use std::ops::Range;

use super::{
    Document, DotenvDialect, EditError, Entry, Kind, Node, Reading, Refusal, Replacement, Style, Value, lines,
};

pub(super) fn read(text: &str, dialect: DotenvDialect) -> Reading {
    // For JavaScript a byte order mark is white space, for Python it is a letter of the first name.
    let mut at = if dialect == DotenvDialect::Node { lines::first(text) } else { 0 };
    let mut entries = Vec::new();
    let mut comments = Vec::new();
    while at < text.len() {
        let line_end = ending(text, at);
        let line = &text[at..line_end];
        let indent = line.len() - line.trim_start().len();
        if line[indent..].starts_with('#') {
            comments.push(at + indent..line_end);
            at = behind_ending(text, line_end);
            continue;
        }
        let found = match dialect {
            DotenvDialect::Node => node_binding(text, at + indent),
            DotenvDialect::Python => python_binding(text, at + indent),
        };
        at = match found {
            Some((entry, end)) => {
                entries.push(entry);
                behind_ending(text, ending(text, end))
            }
            None => behind_ending(text, line_end),
        };
    }
    Reading { root: Node::new(0..text.len(), Kind::Table(entries), Style::Block), comments }
}

/// The end of a line, by any of the three endings.
fn ending(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |found| at + found)
}

fn behind_ending(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) }
}

fn spaces(text: &str, at: usize) -> usize {
    at + text[at..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Behind `export` and white space, if it stands there.
fn behind_export(text: &str, at: usize) -> usize {
    match text[at..].strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => spaces(text, at + "export".len()),
        _ => at,
    }
}

fn entry(key: &str, key_start: usize, value: String, span: Range<usize>, style: Style) -> Entry {
    let key_span = key_start..key_start + key.len();
    Entry { key: key.to_owned(), key_span, value: Node::new(span, Kind::Text(value), style), is_odd: false }
}

/// The text between quotes that start here, and the offset of the closing one. A quote behind a backslash does not close.
fn quoted(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.get(start)?;
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if bytes.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

fn node_binding(text: &str, at: usize) -> Option<(Entry, usize)> {
    let start = behind_export(text, at);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let name = &text[start..start + text[start..].find(|c| !is_name(c)).unwrap_or(text.len() - start)];
    if name.is_empty() {
        return None;
    }
    let behind = start + name.len();
    let sign = spaces(text, behind);
    let value_start = match text.as_bytes().get(sign)? {
        b'=' => sign + 1,
        b':' if sign == behind && text[sign + 1..].starts_with(char::is_whitespace) => sign + 1,
        _ => return None,
    };
    let value_start = spaces(text, value_start);
    let first = text.as_bytes().get(value_start).copied();
    if let Some(quote) = first.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))
        && let Some(close) = quoted(text, value_start)
        && is_end(text, close + 1)
    {
        let inner = &text[value_start + 1..close];
        let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
        let (value, style) = match quote {
            b'"' => (inner.replace("\\n", "\n").replace("\\r", "\r"), Style::Double),
            b'\'' => (inner, Style::Single),
            _ => (inner, Style::Back),
        };
        return Some((entry(name, start, value, value_start..close + 1, style), close + 1));
    }
    let end = ending(text, value_start);
    let raw = &text[value_start..end];
    let raw = raw[..raw.find('#').unwrap_or(raw.len())].trim_end();
    let span = value_start..value_start + raw.len();
    let is_paired =
        raw.len() > 1 && raw.starts_with(['"', '\'', '`']) && raw.as_bytes().first() == raw.as_bytes().last();
    let value = if is_paired { &raw[1..raw.len() - 1] } else { raw };
    let value = if raw.starts_with('"') { value.replace("\\n", "\n").replace("\\r", "\r") } else { value.to_owned() };
    Some((entry(name, start, value, span, Style::Plain), end))
}

/// Whether nothing but spaces and a comment follows.
fn is_end(text: &str, at: usize) -> bool {
    let at = spaces(text, at);
    text[at..].is_empty() || text[at..].starts_with(['\n', '\r', '#'])
}

fn python_binding(text: &str, at: usize) -> Option<(Entry, usize)> {
    let mut start = behind_export(text, at);
    let name = if text[start..].starts_with('\'') {
        start += 1;
        let end = start + text[start..].find('\'')?;
        &text[start..end]
    } else {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '=' | '#');
        &text[start..start + text[start..].find(is_end).unwrap_or(text.len() - start)]
    };
    if name.is_empty() {
        return None;
    }
    let behind = start + name.len() + usize::from(start > 0 && text[..start].ends_with('\''));
    let sign = spaces(text, behind);
    // A name without a sign has no value.
    if text.as_bytes().get(sign) != Some(&b'=') {
        return None;
    }
    let value_start = spaces(text, sign + 1);
    if let Some(quote @ (b'"' | b'\'')) = text.as_bytes().get(value_start).copied() {
        let close = quoted(text, value_start)?;
        if !is_end(text, close + 1) {
            return None;
        }
        let style = if quote == b'"' { Style::Double } else { Style::Single };
        let value = unescaped(&text[value_start + 1..close], style);
        return Some((entry(name, start, value, value_start..close + 1, style), close + 1));
    }
    let end = ending(text, value_start);
    let raw = &text[value_start..end];
    let comment = raw.char_indices().find(|&(at, c)| c == '#' && raw[..at].ends_with(char::is_whitespace));
    let raw = raw[..comment.map_or(raw.len(), |(at, _)| at)].trim_end();
    Some((entry(name, start, raw.to_owned(), value_start..value_start + raw.len(), Style::Plain), end))
}

/// Python's escapes.
fn unescaped(text: &str, style: Style) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escape = chars.peek().copied().filter(|_| c == '\\').and_then(|next| match next {
            '\\' | '\'' => Some(next),
            _ if style == Style::Single => None,
            '"' => Some('"'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'v' => Some('\u{b}'),
            _ => None,
        });
        if escape.is_some() {
            chars.next();
        }
        out.push(escape.unwrap_or(c));
    }
    out
}

pub(super) fn set(
    document: &Document,
    dialect: DotenvDialect,
    path: &[&str],
    value: &Value,
) -> Result<Vec<Replacement>, EditError> {
    let text = document.source();
    let refused = |at| document.refused(Refusal::Value, path, at);
    let ([key], Value::Text(new)) = (path, value) else { return Err(refused(0)) };
    if new.contains(|c: char| c.is_control()) {
        return Err(refused(0));
    }
    if let Some(entry) = document.root.entry(key) {
        let node = &entry.value;
        let inner = node.span.start + 1..node.span.end.saturating_sub(1);
        if matches!(node.style, Style::Double | Style::Single | Style::Back) && stands_between(new, node.style, dialect)
        {
            return Ok(vec![(inner, new.clone())]);
        }
        let token = token(new, dialect).ok_or_else(|| refused(node.span.start))?;
        return Ok(vec![(node.span.clone(), token)]);
    }
    let is_name = !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let token = token(new, dialect).filter(|_| is_name).ok_or_else(|| refused(text.len()))?;
    let at = text.len();
    Ok(vec![(at..at, lines::inserted(text, at, &format!("{key}={token}"), document.line_ending()))])
}

/// Whether a text means itself between such quotes.
fn stands_between(text: &str, style: Style, dialect: DotenvDialect) -> bool {
    let quote = match style {
        Style::Double => '"',
        Style::Single => '\'',
        _ => '`',
    };
    let has_escape = match dialect {
        DotenvDialect::Node => text.ends_with('\\') || (style == Style::Double && text.contains('\\')),
        DotenvDialect::Python => text.contains('\\'),
    };
    !text.contains(quote) && !has_escape
}

/// A value as it stands behind the sign: without quotes if it can.
fn token(text: &str, dialect: DotenvDialect) -> Option<String> {
    let is_plain = !text.is_empty()
        && text.trim() == text
        && !text.contains(['#', '\\'])
        && !text.starts_with(['"', '\'', '`'])
        && !text.contains('$');
    if is_plain {
        return Some(text.to_owned());
    }
    [Style::Double, Style::Single, Style::Back]
        .into_iter()
        .filter(|style| *style != Style::Back || dialect == DotenvDialect::Node)
        .find(|style| stands_between(text, *style, dialect))
        .map(|style| match style {
            Style::Double => format!("\"{text}\""),
            Style::Single => format!("'{text}'"),
            _ => format!("`{text}`"),
        })
}

pub(super) fn remove(document: &Document, path: &[&str]) -> Result<Vec<Replacement>, EditError> {
    let [key] = path else { return Err(document.refused(Refusal::Value, path, 0)) };
    let Some(entry) = document.root.entry(key) else { return Ok(Vec::new()) };
    let text = document.source();
    let start = entry.key_span.start;
    if !matches!(text[lines::start(text, start)..start].trim(), "" | "export") {
        return Err(document.refused(Refusal::SharedLine, path, start));
    }
    Ok(vec![(lines::whole(text, start, entry.value.span.end.max(entry.key_span.end)), String::new())])
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{NODE, PYTHON, hold, parsed};

    #[test]
    fn dotenv_is_read_as_its_readers_read_it() {
        for (text, node, python) in [
            ("K=v\n", Some("v"), Some("v")),
            ("export K=v\r\n", Some("v"), Some("v")),
            ("\r\n  K = v  # c\r\n", Some("v"), Some("v")),
            ("K='v # x' # c\n", Some("v # x"), Some("v # x")),
            ("K=\"a\\nb\"\n", Some("a\nb"), Some("a\nb")),
            ("K='a\\nb'\n", Some("a\\nb"), Some("a\\nb")),
            ("K=\"a\nb\"\nL=1\n", Some("a\nb"), Some("a\nb")),
            ("K=`v`\n", Some("v"), Some("`v`")),
            ("K=v#x\n", Some("v"), Some("v#x")),
            ("K=\n", Some(""), Some("")),
            ("K\n", None, None),
            ("K: v\n", Some("v"), None),
            ("#K=v\n # K=v\n", None, None),
            ("K=a\nK=b\n", Some("b"), Some("b")),
            ("K=a=b\n", Some("a=b"), Some("a=b")),
            ("K=\"a\n", Some("\"a"), None),
            ("K=\"a\\\"b\"\n", Some("a\\\"b"), Some("a\"b")),
            ("K='it''s'\n", Some("it''s"), None),
            ("\u{feff}K=v\n", Some("v"), None),
            ("'K'=v\n", None, Some("v")),
            ("XK=v\nK.x=v\n", None, None),
            ("X=\"\nK=in\n\"\nY=1\n", None, None),
            ("K=v", Some("v"), Some("v")),
            ("K=漢字 # é\n", Some("漢字"), Some("漢字")),
        ] {
            assert_eq!(parsed(NODE, text).text(&["K"]), node, "node {text:?}");
            assert_eq!(parsed(PYTHON, text).text(&["K"]), python, "python {text:?}");
        }
        hold(&[
            (NODE, "A=1\nexport K=v # c\n", "K", "w", "A=1\nexport K=w # c\n"),
            (PYTHON, "K='v' # c\r\n", "K", "w", "K='w' # c\r\n"),
            (NODE, "K=v\n", "K", "a b#c", "K=\"a b#c\"\n"),
            (PYTHON, "A=1", "K", "w", "A=1\nK=w"),
            (NODE, "K=\n", "K", "w", "K=w\n"),
            (NODE, "K=a\nK=b\n", "K", "w", "K=a\nK=w\n"),
        ]);
    }
}
