//! What discovery wants of a tool's JSON: values by path, comments, and whether a key is there at all. Pure.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::edit::{Document, JsonDialect, Kind, Language, Node};

/// Reads a text by a tool's own rules; `None` when the tool would not read it either.
pub(super) fn parse(text: &str, dialect: JsonDialect) -> Option<Value> {
    Some(value(Document::parse(text.as_bytes(), Language::Json(dialect)).ok()?.root()))
}

/// The texts of all comments, without their marks; none when the tool would not read the file.
pub(super) fn comments(text: &str, dialect: JsonDialect) -> Vec<String> {
    let Ok(document) = Document::parse(text.as_bytes(), Language::Json(dialect)) else { return Vec::new() };
    let inner = |comment: &str| match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block).to_owned(),
        None => comment.trim_start_matches("//").to_owned(),
    };
    document.comments().map(inner).collect()
}

fn value(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        Kind::Number(raw) | Kind::Date(raw) => serde_json::from_str(raw).unwrap_or(Value::Null),
        Kind::Text(text) => Value::String(text.clone()),
        Kind::List(items) => items.iter().map(value).collect(),
        Kind::Table(entries) => entries.iter().map(|entry| (entry.key.clone(), value(&entry.value))).collect(),
    }
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

    const STRICT: JsonDialect = JsonDialect::STRICT;
    const COMMENTS: JsonDialect = JsonDialect::COMMENTS;
    const JSONC: JsonDialect = JsonDialect::JSONC;

    #[test]
    fn each_tool_s_own_rules() {
        let commented = "{ // c\n \"a\": \"x//y\", /* b */ \"b\": 1 }";
        assert_eq!(parse(commented, STRICT), None);
        assert_eq!(text_at(&parse(commented, COMMENTS).expect("comments are accepted"), &["a"]), Some("x//y"));
        let trailing = r#"{ "a": ["x,]", 1,], }"#;
        assert_eq!(parse(trailing, COMMENTS), None);
        assert_eq!(
            parse(trailing, JSONC).and_then(|value| value["a"][0].as_str().map(str::to_owned)).as_deref(),
            Some("x,]")
        );
        assert_eq!(comments(commented, COMMENTS), [" c", " b "]);
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
