//! JSON as tools accept it: strict, with comments, with trailing commas. Pure.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What a tool's own parser accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub comments: bool,
    pub trailing_commas: bool,
}

/// Plain JSON.
pub(super) const STRICT: Accepts = Accepts { comments: false, trailing_commas: false };
/// Comments only.
pub(super) const COMMENTS: Accepts = Accepts { comments: true, trailing_commas: false };
/// Comments and trailing commas.
pub(super) const LOOSE: Accepts = Accepts { comments: true, trailing_commas: true };

/// Reads a text by a tool's own rules; `None` when the tool would not read it either.
pub(super) fn parse(text: &str, accepts: Accepts) -> Option<Value> {
    if accepts == STRICT {
        return serde_json::from_str(text).ok();
    }
    let mut plain = String::with_capacity(text.len());
    scan(text, |piece| {
        if let Piece::Code(code) = piece {
            plain.push_str(code);
        } else {
            plain.push(' ');
        }
    });
    if accepts.trailing_commas {
        plain = without_trailing_commas(&plain);
    }
    serde_json::from_str(&plain).ok()
}

/// The texts of all comments.
pub(super) fn comments(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    scan(text, |piece| {
        if let Piece::Comment(comment) = piece {
            out.push(comment);
        }
    });
    out
}

enum Piece<'a> {
    Code(&'a str),
    Comment(&'a str),
}

fn scan<'a>(text: &'a str, mut take: impl FnMut(Piece<'a>)) {
    let bytes = text.as_bytes();
    let (mut at, mut from) = (0, 0);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            (b'/', Some(b'/' | b'*')) => {
                take(Piece::Code(&text[from..at]));
                let (close, skip) = if bytes[at + 1] == b'/' { ("\n", 0) } else { ("*/", 2) };
                let end = text[at + 2..].find(close).map_or(text.len(), |found| at + 2 + found);
                take(Piece::Comment(&text[at + 2..end]));
                at = (end + skip).min(text.len());
                from = at;
            }
            _ => at += 1,
        }
    }
    take(Piece::Code(&text[from.min(text.len())..]));
}

fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_text = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if in_text {
            in_text = is_escaped || c != '"';
            is_escaped = c == '\\' && !is_escaped;
        } else if c == '"' {
            in_text = true;
        } else if c == ',' && text[at + 1..].trim_start().starts_with(['}', ']']) {
            continue;
        }
        out.push(c);
    }
    out
}

/// Whether a value says something: not null, not empty, not false. The value itself is not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Present(pub bool);

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look;
        impl<'de> Visitor<'de> for Look {
            type Value = Present;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Present, E> {
                Ok(Present(value))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Present, E> {
                Ok(Present(true))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Present, E> {
                Ok(Present(true))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Present, E> {
                Ok(Present(true))
            }
            fn visit_str<E>(self, value: &str) -> Result<Present, E> {
                Ok(Present(!value.trim().is_empty()))
            }
            fn visit_unit<E>(self) -> Result<Present, E> {
                Ok(Present(false))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Present, A::Error> {
                let mut any = false;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Present(any))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Present, A::Error> {
                let mut any = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Present(any))
            }
        }
        deserializer.deserialize_any(Look)
    }
}

/// The text at a path of keys.
pub(super) fn text_at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_s_own_rules() {
        let commented = "{ // c\n \"a\": \"x//y\", /* b */ \"b\": 1 }";
        assert_eq!(parse(commented, STRICT), None);
        assert_eq!(text_at(&parse(commented, COMMENTS).expect("comments are accepted"), &["a"]), Some("x//y"));
        let trailing = r#"{ "a": ["x,]", 1,], }"#;
        assert_eq!(parse(trailing, COMMENTS), None);
        assert_eq!(
            parse(trailing, LOOSE).and_then(|value| value["a"][0].as_str().map(str::to_owned)).as_deref(),
            Some("x,]")
        );
        assert_eq!(comments(commented), [" c", " b "]);
    }

    #[test]
    fn broken_texts_do_no_harm() {
        for text in ["", "\"", "\"\\", "/*", "//", "{\"a\": \"\\", "/", "é/*é", "{,}"] {
            for accepts in [STRICT, COMMENTS, LOOSE] {
                let _ = parse(text, accepts);
            }
            let _ = comments(text);
        }
    }

    #[test]
    fn presence_keeps_nothing() {
        for (text, present) in [
            ("null", false),
            ("\"\"", false),
            ("\" \"", false),
            ("{}", false),
            ("[]", false),
            ("\"k\"", true),
            (r#"{"t":1}"#, true),
            ("3", true),
        ] {
            assert_eq!(serde_json::from_str::<Present>(text).ok(), Some(Present(present)), "{text}");
        }
    }
}
