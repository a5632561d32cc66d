//! YAML with spans, from `saphyr-parser`'s events. Anchors and aliases are followed; several documents are refused.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

use super::tree::Mark;
use super::{Entry, Kind, MAX_DEPTH, Node, ParseError, ParseErrorKind, Reading, Style, lines};

/// How many nodes all aliases together may stand for.
const MAX_ALIASED: usize = 50_000;

pub(super) fn read(text: &str) -> Result<Reading, ParseError> {
    let mut reader = Reader::new(text);
    let mut parser = Parser::new(StrInput::new(&text[reader.first..]));
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            // The parser names the start of the text that the tab ends.
            let mut offset = reader.byte(error.marker().index());
            if error.info().contains("found a tab") {
                offset += text[offset..].find('\t').unwrap_or(0);
            }
            reader.error(offset, ParseErrorKind::Syntax, error.info())
        })?;
        reader.take(event, span)?;
    }
    let root = reader.root.take().unwrap_or_else(|| Node::new(text.len()..text.len(), Kind::Null, Style::Absent));
    let comments = reader.comments(&root);
    Ok(Reading { root, comments })
}

struct Reader<'a> {
    text: &'a str,
    /// Bytes of a byte order mark.
    first: usize,
    /// Byte offsets of the characters behind the mark, and of the end; none when every character is a byte.
    bytes: Vec<usize>,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: HashMap<usize, Node>,
    aliased: usize,
    documents: usize,
    flow_depth: usize,
}

/// A list or table whose end has not come yet.
struct Open {
    start: usize,
    anchor: usize,
    mark: Mark,
    style: Style,
    parts: Parts,
}

enum Parts {
    List(Vec<Node>),
    Table { entries: Vec<Entry>, key: Option<PendingKey> },
}

struct PendingKey {
    key: String,
    span: Range<usize>,
    is_odd: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let first = lines::first(text);
        let body = &text[first..];
        let bytes = if body.is_ascii() {
            Vec::new()
        } else {
            body.char_indices().map(|(at, _)| first + at).chain([text.len()]).collect()
        };
        Self {
            text,
            first,
            bytes,
            open: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            aliased: 0,
            documents: 0,
            flow_depth: 0,
        }
    }

    /// The byte of a character.
    fn byte(&self, index: usize) -> usize {
        if self.bytes.is_empty() {
            (self.first + index).min(self.text.len())
        } else {
            self.bytes.get(index).copied().unwrap_or(self.text.len())
        }
    }

    fn error(&self, offset: usize, kind: ParseErrorKind, message: &str) -> ParseError {
        ParseError::new(self.text.as_bytes(), offset, kind, message)
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), ParseError> {
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index()).max(start);
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "there is more than one document in the file";
                    return Err(self.error(start, ParseErrorKind::SeveralDocuments, message));
                }
            }
            Event::Scalar(value, style, anchor, tag) => {
                let node = self.scalar(&value, style, start..end, anchor, tag.as_deref());
                if anchor > 0 {
                    self.anchors.insert(anchor, node.clone());
                }
                self.add(node);
            }
            Event::Alias(id) => {
                let mut node =
                    self.anchors.get(&id).cloned().unwrap_or_else(|| Node::new(0..0, Kind::Null, Style::Alias));
                self.aliased += node.count();
                if self.aliased > MAX_ALIASED {
                    return Err(self.error(start, ParseErrorKind::TooLarge, "the aliases stand for too much"));
                }
                node.span = start..end;
                node.style = Style::Alias;
                self.add(node);
            }
            Event::SequenceStart(anchor, tag) => {
                let parts = Parts::List(Vec::new());
                self.start(start, anchor, tag.as_deref(), b'[', parts)?;
            }
            Event::MappingStart(anchor, tag) => {
                let parts = Parts::Table { entries: Vec::new(), key: None };
                self.start(start, anchor, tag.as_deref(), b'{', parts)?;
            }
            // The parser counts spaces and a comment behind a bracket to it.
            Event::SequenceEnd | Event::MappingEnd => self.end(start),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn start(
        &mut self,
        start: usize,
        anchor: usize,
        tag: Option<&Tag>,
        bracket: u8,
        parts: Parts,
    ) -> Result<(), ParseError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error(start, ParseErrorKind::TooDeep, "this is nested too deep"));
        }
        let start = if anchor > 0 || tag.is_some() { self.behind_marks(start) } else { start };
        let is_bracket = self.text.as_bytes().get(start) == Some(&bracket);
        let style = match (is_bracket, self.flow_depth) {
            (true, _) => Style::Flow,
            (false, 0) => Style::Block,
            // A pair without braces in a list in brackets.
            (false, _) => Style::Implicit,
        };
        self.flow_depth += usize::from(style == Style::Flow);
        self.open.push(Open { start, anchor, mark: mark(anchor, tag), style, parts });
        Ok(())
    }

    fn end(&mut self, end: usize) {
        let Some(open) = self.open.pop() else { return };
        self.flow_depth -= usize::from(open.style == Style::Flow);
        let kind = match open.parts {
            Parts::List(items) => Kind::List(items),
            Parts::Table { entries, .. } => Kind::Table(entries),
        };
        let is_closed = open.style == Style::Flow && matches!(self.text.as_bytes().get(end), Some(b'}' | b']'));
        let end = end.max(open.start) + usize::from(is_closed);
        let mut node = Node::new(open.start..end, kind, open.style);
        node.mark = open.mark;
        if open.anchor > 0 {
            self.anchors.insert(open.anchor, node.clone());
        }
        self.add(node);
    }

    fn scalar(&self, value: &str, style: ScalarStyle, span: Range<usize>, anchor: usize, tag: Option<&Tag>) -> Node {
        let is_marked = (anchor > 0 || tag.is_some()) && !span.is_empty();
        let span = if is_marked { self.behind_marks(span.start).min(span.end)..span.end } else { span };
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let (style, span) = match style {
            ScalarStyle::Plain if value.is_empty() => (Style::Absent, span.start..span.start),
            ScalarStyle::Plain => (Style::Plain, span.start..span.start + raw.trim_end().len()),
            ScalarStyle::SingleQuoted => (Style::Single, span.start..behind_quote(self.text, &span)),
            ScalarStyle::DoubleQuoted => (Style::Double, span.start..behind_quote(self.text, &span)),
            ScalarStyle::Literal | ScalarStyle::Folded => (Style::BlockText, span),
        };
        let is_text =
            tag.is_some_and(|tag| (tag.is_yaml_core_schema() && tag.suffix == "str") || tag.suffix.is_empty());
        let kind = match style {
            Style::Plain | Style::Absent if !is_text => plain(value),
            _ => Kind::Text(value.to_owned()),
        };
        let mut node = Node::new(span, kind, style);
        node.mark = mark(anchor, tag);
        node
    }

    /// Behind the anchor and the tag that the parser counts to a value.
    fn behind_marks(&self, start: usize) -> usize {
        let mut at = start;
        while self.text[at..].starts_with(['&', '!']) {
            let rest = &self.text[at..];
            let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
            at += word + (rest.len() - word - rest[word..].trim_start().len());
        }
        at
    }

    /// Puts a finished node where it belongs.
    fn add(&mut self, mut node: Node) {
        let text = self.text;
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.parts {
            Parts::List(items) => items.push(node),
            Parts::Table { entries, key } => match key.take() {
                None => {
                    let is_merge = node.style == Style::Plain && node.as_text() == Some("<<");
                    let name = match &node.kind {
                        Kind::Text(text) => Some(Cow::Borrowed(text.as_str())),
                        Kind::Number(raw) => Some(Cow::Borrowed(raw.as_str())),
                        Kind::Bool(value) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
                        _ => None,
                    };
                    let is_simple = !matches!(node.style, Style::Alias | Style::BlockText | Style::Flow | Style::Block)
                        && node.mark != Mark::Tag
                        && !is_explicit(text, node.span.start);
                    let is_odd = is_merge || !is_simple || name.is_none();
                    let key_name = name.unwrap_or_default().into_owned();
                    *key = Some(PendingKey { key: key_name, span: node.span, is_odd });
                }
                Some(pending) => {
                    if node.style == Style::Absent && node.mark == Mark::None {
                        let at = behind_colon(text, pending.span.end);
                        node.span = at..at;
                    }
                    let PendingKey { key, span, is_odd } = pending;
                    entries.push(Entry { key, key_span: span, value: node, is_odd });
                }
            },
        }
    }

    /// A `#` at the start of a line or behind a space, and in no text.
    fn comments(&self, root: &Node) -> Vec<Range<usize>> {
        let mut covered = Vec::new();
        root.cover(&mut covered);
        covered.sort_by_key(|span| span.start);
        let mut covered = covered.into_iter().peekable();
        let bytes = self.text.as_bytes();
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(found) = self.text[at..].find('#') {
            let hash = at + found;
            at = hash + 1;
            while covered.next_if(|span| span.end <= hash).is_some() {}
            if let Some(span) = covered.peek().filter(|span| span.contains(&hash)) {
                at = span.end;
            } else if hash == self.first || matches!(bytes[hash - 1], b' ' | b'\t' | b'\n') {
                at = lines::end(self.text, hash);
                out.push(hash..at);
            }
        }
        out
    }
}

impl Node {
    fn count(&self) -> usize {
        1 + self.items().iter().chain(self.entries().iter().map(|entry| &entry.value)).map(Self::count).sum::<usize>()
    }
}

fn mark(anchor: usize, tag: Option<&Tag>) -> Mark {
    match (anchor, tag) {
        (0, None) => Mark::None,
        (0, Some(_)) => Mark::Tag,
        _ => Mark::Anchor,
    }
}

/// Behind the closing quote of a text: the parser counts spaces and a comment behind it to the text.
fn behind_quote(text: &str, span: &Range<usize>) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes.get(span.start).copied().unwrap_or(b'"');
    let mut at = span.start + 1;
    while at < span.end {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    span.end
}

/// Whether a key is written with `?`.
fn is_explicit(text: &str, start: usize) -> bool {
    let before = text[lines::start(text, start)..start].trim_end_matches([' ', '\t']);
    before == "?" || before.ends_with([' ', '-', '{', ',']) && before.ends_with('?') || before.ends_with(" ?")
}

/// Behind the colon of a key, or behind the key when none follows.
fn behind_colon(text: &str, key_end: usize) -> usize {
    let rest = &text[key_end..];
    let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    key_end + if rest[gap..].starts_with(':') { gap + 1 } else { 0 }
}

/// What a plain text is by YAML 1.2's core schema.
fn plain(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        _ if is_core_number(text) => Kind::Number(text.to_owned()),
        _ => Kind::Text(text.to_owned()),
    }
}

fn is_core_number(text: &str) -> bool {
    if let Some(hex) = text.strip_prefix("0x") {
        return !hex.is_empty() && hex.bytes().all(|c| c.is_ascii_hexdigit());
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return !octal.is_empty() && octal.bytes().all(|c| matches!(c, b'0'..=b'7'));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let is_mantissa = match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            (is_digits(whole) && (fraction.is_empty() || is_digits(fraction)))
                || (whole.is_empty() && is_digits(fraction))
        }
        None => is_digits(mantissa),
    };
    is_mantissa && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Whether a plain text might be read as something else than a text by a reader of YAML 1.1 or 1.2.
pub(super) fn is_ambiguous(text: &str) -> bool {
    const WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", "nan", "inf"];
    let lower = text.to_ascii_lowercase();
    if WORDS.contains(&lower.as_str()) || !matches!(plain(text), Kind::Text(_)) {
        return true;
    }
    let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    if ["0x", "0b", "0o", ".inf", ".nan"].iter().any(|start| unsigned.starts_with(start)) {
        return true;
    }
    let starts_numeric = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_numeric = |text: &str| {
        text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'_' | b'.' | b':' | b'e' | b'+' | b'-' | b','))
    };
    // A date, perhaps with a time behind it.
    let date = lower.split(['t', ' ']).next().unwrap_or_default();
    let mut parts = date.split('-').map(str::len);
    let is_date = parts.next() == Some(4) && date.split('-').count() == 3 && parts.all(|len| (1..=2).contains(&len));
    starts_numeric && (is_numeric(unsigned) || (is_date && is_numeric(date)))
}
