//! A forgiving scan of JSON: what a relay cut off, or Python printed, can still be read.
//!
//! Strict JSON reads as JSON. Beyond that it takes single quotes, bare words (`None`, `True`), missing ends and junk
//! between values, never fails and never recurses. Strings stay borrowed until they are asked for.

use std::borrow::Cow;

/// Deeper containers are not entered; errors nest three or four deep.
const MAX_DEPTH: usize = 48;

/// A value without its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// `null` or `None`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number or any other bare word, as written.
    Bare(&'a str),
    /// A string, still escaped.
    Text(Raw<'a>),
    /// An array; its elements follow.
    Array,
    /// An object; its members follow.
    Object,
}

/// A string as written between its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    raw: &'a str,
    is_escaped: bool,
}

impl<'a> Raw<'a> {
    /// The text without escapes.
    pub fn decode(self) -> Cow<'a, str> {
        if self.is_escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }

    /// Whether nothing stands between the quotes.
    pub const fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// The text as written, escapes and all: enough for comparing with plain words.
    pub const fn as_written(self) -> &'a str {
        self.raw
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<'a> {
    key: &'a str,
    value: Value<'a>,
    /// One past the last descendant.
    end: u32,
}

/// A scanned value with its descendants, parents before children.
#[derive(Debug)]
pub struct Doc<'a> {
    nodes: Vec<Node<'a>>,
    is_complete: bool,
    length: usize,
}

/// A value within a [`Doc`].
#[derive(Clone, Copy, Debug)]
pub struct At<'d, 'a> {
    doc: &'d Doc<'a>,
    index: usize,
}

impl<'a> Doc<'a> {
    /// Scans the object or array that `text` begins with; `None` when it begins with neither.
    pub fn scan(text: &'a str) -> Option<Self> {
        matches!(text.as_bytes().first(), Some(b'{' | b'[')).then(|| Scanner::new(text).run())
    }

    /// The outermost value.
    pub const fn root(&self) -> At<'_, 'a> {
        At { doc: self, index: 0 }
    }

    /// Whether every container was closed.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many bytes of the text the value takes.
    pub const fn length(&self) -> usize {
        self.length
    }
}

impl<'d, 'a> At<'d, 'a> {
    fn node(self) -> &'d Node<'a> {
        &self.doc.nodes[self.index]
    }

    /// The member's name; empty for the root and for elements of arrays.
    pub fn key(self) -> &'a str {
        self.node().key
    }

    /// The value.
    pub fn value(self) -> Value<'a> {
        self.node().value
    }

    /// The members or elements directly inside.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let end = self.node().end as usize;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = At { doc: self.doc, index: next };
                next = child.node().end as usize;
                child
            })
        })
    }

    /// The first member with this name.
    pub fn get(self, key: &str) -> Option<Self> {
        if self.value() != Value::Object {
            return None;
        }
        self.children().find(|child| child.key() == key)
    }

    /// The member at the end of a path of names.
    pub fn path(self, keys: &[&str]) -> Option<Self> {
        keys.iter().try_fold(self, |at, key| at.get(key))
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.value() == Value::Object
    }

    /// Whether it is an object or array without anything inside.
    pub fn has_children(self) -> bool {
        self.node().end as usize > self.index + 1
    }

    /// The text as written, if it is a string.
    pub fn raw_text(self) -> Option<&'a str> {
        match self.value() {
            Value::Text(raw) => Some(raw.as_written()),
            _ => None,
        }
    }

    /// Whether it is a string with something in it.
    pub fn is_filled_text(self) -> bool {
        matches!(self.value(), Value::Text(raw) if !raw.is_empty())
    }

    /// The number, also of a string that holds one; finite.
    pub fn number(self) -> Option<f64> {
        let text = match self.value() {
            Value::Bare(text) => text,
            Value::Text(raw) => raw.as_written().trim(),
            _ => return None,
        };
        let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
        text.parse::<f64>().ok().filter(|number| starts_well && number.is_finite())
    }
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node<'a>>,
    /// Open containers, by node.
    open: Vec<u32>,
    key: Option<&'a str>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            nodes: Vec::with_capacity(24),
            open: Vec::with_capacity(8),
            key: None,
        }
    }

    fn run(mut self) -> Doc<'a> {
        let mut is_complete = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'{' | b'[' => {
                    if self.open.len() >= MAX_DEPTH {
                        break;
                    }
                    self.at += 1;
                    let index = self.push(if byte == b'{' { Value::Object } else { Value::Array });
                    self.open.push(index);
                }
                b'}' | b']' => {
                    self.at += 1;
                    self.key = None;
                    let end = self.end();
                    if let Some(index) = self.open.pop() {
                        self.nodes[index as usize].end = end;
                    }
                    if self.open.is_empty() {
                        is_complete = true;
                        break;
                    }
                }
                b'"' | b'\'' => self.string(byte),
                b',' => {
                    self.at += 1;
                    self.key = None;
                }
                b':' | b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                _ => self.bare(),
            }
        }
        let end = self.end();
        for index in self.open.drain(..) {
            self.nodes[index as usize].end = end;
        }
        Doc { nodes: self.nodes, is_complete, length: self.at }
    }

    fn end(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    fn push(&mut self, value: Value<'a>) -> u32 {
        let index = self.end();
        self.nodes.push(Node { key: self.key.take().unwrap_or(""), value, end: index.saturating_add(1) });
        index
    }

    fn is_in_object(&self) -> bool {
        self.open.last().is_some_and(|&index| self.nodes[index as usize].value == Value::Object)
    }

    /// Takes a string as a key where one is due, else as a value.
    fn string(&mut self, quote: u8) {
        let start = self.at + 1;
        let mut at = start;
        let mut is_escaped = false;
        loop {
            match self.bytes.get(at) {
                None => break,
                Some(b'\\') => {
                    is_escaped = true;
                    at += 2;
                }
                Some(&byte) if byte == quote => break,
                Some(_) => at += 1,
            }
        }
        // A backslash may stand right before the end, or before a character of several bytes.
        let mut end = at.min(self.bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let raw = &self.text[start..end];
        self.at = end + 1;
        if self.key.is_none() && self.is_in_object() {
            self.key = Some(raw);
        } else {
            self.push(Value::Text(Raw { raw, is_escaped }));
        }
    }

    /// Takes a number or a word up to the next mark.
    fn bare(&mut self) {
        let start = self.at;
        while let Some(byte) = self.bytes.get(self.at) {
            if matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"' | b' ' | b'\t' | b'\r' | b'\n') {
                break;
            }
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        if self.key.is_none() && self.is_in_object() {
            self.key = Some(word);
            return;
        }
        self.push(match word {
            "null" | "None" | "undefined" | "nil" => Value::Null,
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            _ => Value::Bare(word),
        });
    }
}

/// A JSON text whose `\uXXXX` stand as the characters that they mean, in names too, so that both can be compared as
/// written. What would end a text, controls and halves of characters stay as they are.
pub fn plain(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !memchr::memchr_iter(b'\\', bytes).any(|at| bytes.get(at + 1) == Some(&b'u')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        if let Some(digits) = escape.strip_prefix("\\u") {
            let (symbol, taken) = unicode(digits);
            if !matches!(symbol, '"' | '\'' | '\\' | char::REPLACEMENT_CHARACTER) && !symbol.is_control() {
                out.push(symbol);
                rest = &digits[taken..];
                continue;
            }
        }
        let end = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
        out.push_str(&escape[..end]);
        rest = &escape[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Resolves JSON's (and Python's) escapes; what is no escape stays as written.
pub fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(mark) = rest.chars().next() else {
            return out;
        };
        rest = &rest[mark.len_utf8()..];
        match mark {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' | 'f' => out.push(' '),
            'u' => {
                let (symbol, taken) = unicode(rest);
                out.push(symbol);
                rest = &rest[taken..];
            }
            other => out.push(other),
        }
    }
    out.push_str(rest);
    out
}

/// Reads the digits after `\u`, and the second half of a surrogate pair; gives the bytes taken too.
fn unicode(rest: &str) -> (char, usize) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let Some(first) = unit(rest) else {
        return (char::REPLACEMENT_CHARACTER, 0);
    };
    if let Some(symbol) = char::from_u32(u32::from(first)) {
        return (symbol, 4);
    }
    let second = rest.get(4..).and_then(|more| more.strip_prefix("\\u")).and_then(unit);
    match second.map(|second| char::decode_utf16([first, second]).next()) {
        Some(Some(Ok(symbol))) => (symbol, 10),
        _ => (char::REPLACEMENT_CHARACTER, 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, String)> {
        let doc = Doc::scan(text).expect("an object or array");
        doc.nodes
            .iter()
            .filter_map(|node| match node.value {
                Value::Text(raw) => Some((node.key.to_owned(), raw.decode().into_owned())),
                Value::Bare(word) => Some((node.key.to_owned(), word.to_owned())),
                _ => None,
            })
            .collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn json_python_and_torn_text_read_alike() {
        let expected = vec![pair("message", "no room"), pair("code", "503")];
        for text in [
            r#"{"error":{"message":"no room","code":503}}"#,
            r#"{'error': {'message': 'no room', 'code': 503}}"#,
            r#"{"error":{"message":"no room","code":503"#,
            r#"{ "error" : { "message" : "no room" , "code" : 503 } } trailing"#,
            r#"{error:{message:"no room",code:503}}"#,
        ] {
            assert_eq!(texts(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(texts(r#"{"m":"a\"b\\\n\u4f59\ud83d\ude00\ud83dx"}"#), [pair("m", "a\"b\\\n余😀\u{fffd}x")]);
        assert_eq!(texts(r#"{"m":"torn\"#), [pair("m", "torn")]);
        assert_eq!(texts(r#"{"m":"\余"#), [pair("m", "余")]);
    }

    #[test]
    fn what_is_escaped_without_need_is_plain() {
        for (text, expected) in [
            (r#"{"c\u006fde":"\u0039s","x":"\u6210\ud83d\ude00"}"#, r#"{"code":"9s","x":"成😀"}"#),
            (r#"{"a":"\u0022\u0027\u005c\u000a\ud83d\u00"}"#, r#"{"a":"\u0022\u0027\u005c\u000a\ud83d\u00"}"#),
            (r#"{"a":"\\u0041\n\\\u0041"}"#, r#"{"a":"\\u0041\n\\A"}"#),
            (r"{\u", r"{\u"),
            (r#"{"a":"b\n"}"#, r#"{"a":"b\n"}"#),
        ] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn children_and_paths_are_found() {
        let doc = Doc::scan(r#"{"a":{"b":[1,{"c":"x"}]},"d":null,"n":"12.5"}"#).expect("an object");
        let root = doc.root();
        assert_eq!(root.children().map(At::key).collect::<Vec<_>>(), ["a", "d", "n"]);
        assert_eq!(root.path(&["a", "b"]).expect("there").children().count(), 2);
        assert_eq!(root.get("n").and_then(At::number), Some(12.5));
        assert!(root.path(&["a", "x"]).is_none());
        assert!(doc.is_complete());
    }

    #[test]
    fn deep_nesting_ends_quietly() {
        let doc = Doc::scan(&"[".repeat(100_000)).map(|doc| doc.nodes.len());
        assert_eq!(doc, Some(MAX_DEPTH));
    }
}
