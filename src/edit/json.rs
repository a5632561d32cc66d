//! JSON with spans, in exactly the dialect of a tool: what its own reader would refuse is refused at the same place.

use std::ops::Range;

use super::{Entry, JsonDialect, Kind, MAX_DEPTH, Node, ParseError, ParseErrorKind, Reading, Style, lines};

pub(super) fn read(text: &str, dialect: JsonDialect) -> Result<Reading, ParseError> {
    let start = lines::first(text);
    let mut reader = Reader { text, at: start, dialect, comments: Vec::new() };
    if start > 0 && !dialect.bom {
        return Err(reader.error(0, ParseErrorKind::Bom, "the file starts with a byte order mark"));
    }
    reader.skip()?;
    if reader.at == text.len() {
        return Err(reader.error(reader.at, ParseErrorKind::Empty, "there is no value"));
    }
    let root = reader.value(0)?;
    reader.skip()?;
    if reader.at < text.len() {
        return Err(reader.syntax("nothing may follow the value"));
    }
    Ok(Reading { root, comments: reader.comments })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: JsonDialect,
    comments: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn error(&self, offset: usize, kind: ParseErrorKind, message: &str) -> ParseError {
        ParseError::new(self.text.as_bytes(), offset, kind, message)
    }

    fn syntax(&self, message: &str) -> ParseError {
        self.error(self.at, ParseErrorKind::Syntax, message)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn next_char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    /// White space and comments.
    fn skip(&mut self) -> Result<(), ParseError> {
        while let Some(c) = self.next_char() {
            let is_space = match c {
                ' ' | '\t' | '\n' | '\r' => true,
                '\u{b}' | '\u{c}' | '\u{feff}' | '\u{2028}' | '\u{2029}' => self.dialect.json5,
                c => self.dialect.json5 && !c.is_ascii() && c.is_whitespace() && c != '\u{85}',
            };
            if is_space {
                self.at += c.len_utf8();
            } else if c == '/' && matches!(self.text.as_bytes().get(self.at + 1), Some(b'/' | b'*')) {
                self.comment()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        if !self.dialect.comments && !self.dialect.json5 {
            return Err(self.error(start, ParseErrorKind::Comment, "the tool accepts no comments here"));
        }
        let body = &self.text[start + 2..];
        let end = if self.text.as_bytes()[start + 1] == b'/' {
            let is_end = |c| matches!(c, '\n' | '\r') || (self.dialect.json5 && matches!(c, '\u{2028}' | '\u{2029}'));
            body.find(is_end).unwrap_or(body.len())
        } else {
            body.find("*/").ok_or_else(|| self.syntax("the comment does not end"))? + 2
        };
        self.at = start + 2 + end;
        self.comments.push(start..self.at);
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Node, ParseError> {
        if depth > MAX_DEPTH {
            return Err(self.error(self.at, ParseErrorKind::TooDeep, "this is nested too deep"));
        }
        let start = self.at;
        let (kind, style) = match self.peek() {
            Some(b'{') => (self.table(depth)?, Style::Flow),
            Some(b'[') => (self.list(depth)?, Style::Flow),
            Some(b'"') => (Kind::Text(self.quoted()?), Style::Double),
            Some(b'\'') if self.dialect.json5 => (Kind::Text(self.quoted()?), Style::Single),
            _ => (self.word()?, Style::Plain),
        };
        Ok(Node::new(start..self.at, kind, style))
    }

    fn table(&mut self, depth: usize) -> Result<Kind, ParseError> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip()?;
        while !self.eat(b'}') {
            let start = self.at;
            let key = self.key()?;
            let key_span = start..self.at;
            self.skip()?;
            if !self.eat(b':') {
                return Err(self.syntax("a colon is missing here"));
            }
            self.skip()?;
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, key_span, value, is_odd: false });
            self.comma(b'}')?;
        }
        Ok(Kind::Table(entries))
    }

    fn list(&mut self, depth: usize) -> Result<Kind, ParseError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip()?;
        while !self.eat(b']') {
            items.push(self.value(depth + 1)?);
            self.comma(b']')?;
        }
        Ok(Kind::List(items))
    }

    /// What stands behind an element: a comma and the next one, or the end.
    fn comma(&mut self, close: u8) -> Result<(), ParseError> {
        self.skip()?;
        let comma = self.at;
        if self.eat(b',') {
            self.skip()?;
            if self.peek() == Some(close) && !self.dialect.trailing_commas && !self.dialect.json5 {
                let message = "the tool accepts no comma behind the last element";
                return Err(self.error(comma, ParseErrorKind::TrailingComma, message));
            }
        } else if self.peek() != Some(close) {
            let message =
                if self.at == self.text.len() { "the file ends too early" } else { "a comma is missing here" };
            return Err(self.syntax(message));
        }
        Ok(())
    }

    fn key(&mut self) -> Result<String, ParseError> {
        match self.next_char() {
            Some('"') => self.quoted(),
            Some('\'') if self.dialect.json5 => self.quoted(),
            Some(c) if self.dialect.json5 && (c == '\\' || is_name_start(c)) => self.name(),
            None => Err(self.syntax("the file ends too early")),
            _ => Err(self.syntax("a name in double quotes is missing here")),
        }
    }

    /// A name without quotes (JSON5).
    fn name(&mut self) -> Result<String, ParseError> {
        let mut out = String::new();
        while let Some(c) = self.next_char() {
            let c = if c == '\\' {
                self.at += 1;
                if !self.eat(b'u') {
                    return Err(self.syntax("this escape is not valid"));
                }
                char::from_u32(self.hex(4)?).unwrap_or(char::REPLACEMENT_CHARACTER)
            } else if is_name_start(c) || c.is_numeric() || matches!(c, '\u{200c}' | '\u{200d}') {
                self.at += c.len_utf8();
                c
            } else {
                break;
            };
            out.push(c);
        }
        Ok(out)
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let start = self.at;
        let quote = self.text.as_bytes()[start];
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.next_char() else {
                return Err(self.error(start, ParseErrorKind::Syntax, "the text does not end"));
            };
            match c {
                c if u32::from(c) == u32::from(quote) => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => self.escape(&mut out)?,
                '\n' | '\r' => return Err(self.syntax("the line ends within a text")),
                c if c < ' ' && !self.dialect.json5 => return Err(self.syntax("a control character within a text")),
                c => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), ParseError> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.next_char() else { return Err(self.syntax("the file ends too early")) };
        self.at += c.len_utf8();
        let json5 = self.dialect.json5;
        out.push(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => self.unicode()?,
            'x' if json5 => char::from_u32(self.hex(2)?).unwrap_or(char::REPLACEMENT_CHARACTER),
            'v' if json5 => '\u{b}',
            '0' if json5 && !self.peek().is_some_and(|byte| byte.is_ascii_digit()) => '\0',
            '\r' if json5 => {
                self.eat(b'\n');
                return Ok(());
            }
            '\n' | '\u{2028}' | '\u{2029}' if json5 => return Ok(()),
            c if json5 && !c.is_ascii_digit() => c,
            _ => return Err(self.error(start, ParseErrorKind::Syntax, "this escape is not valid")),
        });
        Ok(())
    }

    /// Four digits, or two times four for a pair of surrogates. Half a pair, which the tools accept, is shown as a
    /// replacement character.
    fn unicode(&mut self) -> Result<char, ParseError> {
        let first = self.hex(4)?;
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            let second = self.hex(4)?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self, digits: usize) -> Result<u32, ParseError> {
        let found =
            self.text.get(self.at..self.at + digits).filter(|found| found.bytes().all(|c| c.is_ascii_hexdigit()));
        let code = found.and_then(|found| u32::from_str_radix(found, 16).ok());
        let code = code.ok_or_else(|| self.syntax("hexadecimal digits are missing here"))?;
        self.at += digits;
        Ok(code)
    }

    /// `true`, `false`, `null` or a number.
    fn word(&mut self) -> Result<Kind, ParseError> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_' | '$');
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let kind = match word {
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "null" => Kind::Null,
            _ if is_number(word) || (self.dialect.json5 && is_number5(word)) => Kind::Number(word.to_owned()),
            _ if rest.is_empty() => return Err(self.syntax("the file ends too early")),
            _ => return Err(self.syntax("this is no value")),
        };
        self.at += word.len();
        Ok(kind)
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '$' | '_')
}

/// Takes digits off the front; `None` when there is none.
fn digits(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < word.len()).then_some(rest)
}

fn is_exponent(word: &str) -> bool {
    let Some(rest) = word.strip_prefix(['e', 'E']) else { return word.is_empty() };
    digits(rest.strip_prefix(['+', '-']).unwrap_or(rest)) == Some("")
}

/// A number of JSON.
fn is_number(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    let Some(rest) = (if let Some(rest) = word.strip_prefix('0') { Some(rest) } else { digits(word) }) else {
        return false;
    };
    match rest.strip_prefix('.') {
        Some(fraction) => digits(fraction).is_some_and(is_exponent),
        None => is_exponent(rest),
    }
}

/// What JSON5 adds.
fn is_number5(word: &str) -> bool {
    let word = word.strip_prefix(['+', '-']).unwrap_or(word);
    if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return !hex.is_empty() && hex.bytes().all(|c| c.is_ascii_hexdigit());
    }
    if matches!(word, "Infinity" | "NaN") || is_number(word) {
        return true;
    }
    match (word.strip_prefix('.'), word.split_once('.')) {
        (Some(fraction), _) => digits(fraction).is_some_and(is_exponent),
        (None, Some((whole, rest))) => is_number(whole) && !whole.contains(['e', 'E']) && is_exponent(rest),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::testing::{GEMINI, JSON, JSON5, JSONC, parsed};
    use crate::edit::{Document, JsonDialect, Language, Node, ParseErrorKind};

    #[test]
    fn json_is_read_as_its_tool_reads_it() {
        use ParseErrorKind::{Bom, Comment, Empty, Syntax, TooDeep, TrailingComma};
        for (language, text, line, column, kind) in [
            (JSON, "{\n  // c\n  \"a\": 1\n}", 2, 3, Comment),
            (JSON, "{\n  \"é\": 1, /* c */ \"b\": 1\n}", 2, 11, Comment),
            (JSON, "{\"a\": 1,\n}", 1, 8, TrailingComma),
            (GEMINI, "{\"a\": [1,\n], // c\n}", 1, 9, TrailingComma),
            (JSON, "\u{feff}{}", 1, 1, Bom),
            (GEMINI, "\u{feff}{}", 1, 1, Bom),
            (JSON, "", 1, 1, Empty),
            (GEMINI, "// c\n", 2, 1, Empty),
            (JSONC, "{\"a\": 1 \"b\": 2}", 1, 9, Syntax),
            (JSONC, "{'a': 1}", 1, 2, Syntax),
            (JSONC, "{a: 1}", 1, 2, Syntax),
            (JSONC, "{\"a\": 0x1}", 1, 7, Syntax),
            (JSONC, "{\"a\": NaN}", 1, 7, Syntax),
            (JSONC, "{\"a\": 01}", 1, 7, Syntax),
            (JSONC, "{\"a\": +1}", 1, 7, Syntax),
            (JSONC, "{\"a\": .5}", 1, 7, Syntax),
            (JSONC, "{\"a\": 5.}", 1, 7, Syntax),
            (JSONC, "[1,,2]", 1, 4, Syntax),
            (JSONC, "{,}", 1, 2, Syntax),
            (JSON, "{\"a\": \"x\ny\"}", 1, 9, Syntax),
            (JSON, "{\"a\": \"\t\"}", 1, 8, Syntax),
            (JSON, "{\"a\": \"\\x\"}", 1, 8, Syntax),
            (JSON, "{\"a\": \"x", 1, 7, Syntax),
            (JSON, "{\"a\": tru}", 1, 7, Syntax),
            (JSON, "{} {}", 1, 4, Syntax),
            (JSON, "{\u{a0}}", 1, 2, Syntax),
            (JSON, "{\"a\": 1", 1, 8, Syntax),
            (JSON5, "{a: 01}", 1, 5, Syntax),
            (JSON5, "[,]", 1, 2, Syntax),
            (JSON5, "[1,,2]", 1, 4, Syntax),
        ] {
            let error = Document::parse(text.as_bytes(), language).unwrap_err();
            assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{text:?} {error}");
        }
        let deep = "[".repeat(5000);
        assert_eq!(Document::parse(deep.as_bytes(), JSON).unwrap_err().kind, TooDeep);
        for text in ["{\"a\": \"\\ud800\", \"b\": 1e999, \"c\": -0, \"d\": 1E+2, \"e\": 0.0}", "\"x\"", "[]", "3"] {
            parsed(JSON, text);
        }
        assert_eq!(parsed(JSON, "\"\\ud83d\\ude00\"").root().as_text(), Some("\u{1f600}"));
        assert_eq!(
            parsed(Language::Json(JsonDialect::STRICT.with_bom()), "\u{feff}{\"a\": true}")
                .get(&["a"])
                .and_then(Node::as_bool),
            Some(true)
        );
        let error = Document::parse(b"{\"a\": \"\xff\"}", JSON).unwrap_err();
        assert_eq!((error.line, error.column, error.kind), (1, 8, ParseErrorKind::NotUtf8));
    }
}
