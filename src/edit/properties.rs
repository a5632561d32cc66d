//! What holds for any document: generated valid ones in many forms, and any bytes at all.

use proptest::prelude::*;

use super::testing::{GEMINI, JSON, JSON5, JSONC, NODE, PYTHON};
use super::{Document, EditError, Kind, Language, Node, Placement, Refusal, Splice, Style, Value, apply, reversed};

const ALL: [Language; 8] = [Language::Toml, JSON, GEMINI, JSONC, JSON5, Language::Yaml, NODE, PYTHON];
const KEYS: [&str; 8] = ["model", "name", "a", "provider", "x y", "é", "漢", "k-1_2"];
const TEXTS: [&str; 22] = [
    "gpt-5.5",
    "a",
    "",
    "it's",
    "say \"x\"",
    "back\\slash",
    "漢字",
    "é # x",
    "yes",
    "null",
    "3",
    "a: b",
    "- x",
    "*x",
    " x ",
    "x[1m]",
    "{x",
    "line\nline",
    "tab\tx",
    "#x",
    "https://h/p?a=b",
    "a,b",
];

/// Choices out of random bytes.
struct Dice {
    bytes: Vec<u8>,
    at: usize,
}

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.at += 1;
        usize::from(self.bytes.get(self.at - 1).copied().unwrap_or(0)) % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 1
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

/// A tree without repeated keys.
fn tree(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth > 2 { 4 } else { 7 }) {
        0 | 1 => Value::text(dice.pick(&TEXTS)),
        2 => Value::Bool(dice.one_in(2)),
        3 => Value::Integer(i64::try_from(dice.roll(256)).unwrap() - 9),
        4 => Value::List((0..dice.roll(3)).map(|_| tree(dice, depth + 1)).collect()),
        _ => table(dice, depth),
    }
}

fn table(dice: &mut Dice, depth: usize) -> Value {
    let mut entries: Vec<(String, Value)> = Vec::new();
    for _ in 0..dice.roll(5) {
        let key = dice.pick(&KEYS);
        if !entries.iter().any(|(other, _)| other == key) {
            entries.push((key.to_owned(), tree(dice, depth + 1)));
        }
    }
    Value::Table(entries)
}

fn escaped(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A JSON document in one of the forms that its dialect allows.
fn json(dice: &mut Dice, value: &Value, language: Language, level: usize, out: &mut String) {
    let (comments, trailing, json5) = match language {
        Language::Json(dialect) => (dialect.comments, dialect.trailing_commas, dialect.json5),
        _ => (false, false, false),
    };
    let text = |dice: &mut Dice, text: &str| {
        if json5 && dice.one_in(2) {
            format!("'{}'", escaped(text).trim_matches('"').replace("\\\"", "\"").replace('\'', "\\'"))
        } else {
            escaped(text)
        }
    };
    let (open, close, parts): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Text(value) => {
            return out.push_str(&if value.ends_with('"') { escaped(value) } else { text(dice, value) });
        }
        Value::Bool(value) => return out.push_str(&value.to_string()),
        Value::Integer(value) => return out.push_str(&value.to_string()),
        Value::Float(value) => return out.push_str(&format!("{value:?}")),
        Value::List(values) => ('[', ']', values.iter().map(|value| (None, value)).collect()),
        Value::Table(entries) => ('{', '}', entries.iter().map(|(key, value)| (Some(key), value)).collect()),
    };
    let is_lines = dice.roll(3) > 0;
    let comment = |dice: &mut Dice, out: &mut String| {
        if comments && dice.one_in(4) {
            out.push_str(if is_lines && dice.one_in(2) { " // \"model\": \"a\", }" } else { " /* \"model\": 'a' */" });
        }
    };
    out.push(open);
    comment(dice, out);
    let count = parts.len();
    for (number, (key, value)) in parts.into_iter().enumerate() {
        if is_lines {
            out.push('\n');
            out.push_str(&"  ".repeat(level + 1));
        } else if dice.one_in(2) {
            out.push(' ');
        }
        if let Some(key) = key {
            let is_bare = json5 && key.bytes().all(|c| c.is_ascii_alphabetic()) && dice.one_in(2);
            out.push_str(&if is_bare { key.clone() } else { escaped(key) });
            out.push_str(dice.pick(&[": ", ":", " : "]));
        }
        json(dice, value, language, level + 1, out);
        if number + 1 < count || (trailing && dice.one_in(2)) {
            out.push(',');
        }
        comment(dice, out);
    }
    if is_lines {
        out.push('\n');
        out.push_str(&"  ".repeat(level));
    } else if out.ends_with(['a', '}']) && dice.one_in(2) {
        out.push(' ');
    }
    out.push(close);
}

fn toml_key(key: &str) -> String {
    if key.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_')) {
        key.to_owned()
    } else {
        escaped(key)
    }
}

fn toml_value(dice: &mut Dice, value: &Value) -> String {
    match value {
        Value::Text(text) if !text.contains(['\'', '\n', '\t']) && dice.one_in(2) => format!("'{text}'"),
        Value::Text(text) if !text.contains(['\\', '"']) && dice.one_in(6) => format!("\"\"\"{text}\"\"\""),
        Value::Text(text) => escaped(text),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::List(values) => {
            let gap = dice.pick(&["", " ", "\n  ", " # \"a\", ]\n  "]);
            let items: Vec<_> = values.iter().map(|value| format!("{gap}{}", toml_value(dice, value))).collect();
            format!("[{}{}]", items.join(","), if gap.contains('#') { "\n" } else { "" })
        }
        Value::Table(entries) => {
            let pairs: Vec<_> =
                entries.iter().map(|(key, value)| format!("{} = {}", toml_key(key), toml_value(dice, value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}

/// A table's own lines, then tables with headers of their own.
fn toml(dice: &mut Dice, entries: &[(String, Value)], path: &str, out: &mut String) {
    let mut below = Vec::new();
    for (key, value) in entries {
        let name = toml_key(key);
        match value {
            Value::Table(inner) if dice.roll(3) > 0 => below.push((name, inner)),
            Value::Table(inner) if !inner.is_empty() && dice.one_in(2) => {
                for (key, value) in inner {
                    out.push_str(&format!("{name}.{} = {}\n", toml_key(key), toml_value(dice, value)));
                }
            }
            value => {
                let text = toml_value(dice, value);
                out.push_str(&format!(
                    "{name}{}= {text}{}\n",
                    dice.pick(&[" ", "", "  "]),
                    dice.pick(&["", " # model = 'a'", "  "])
                ));
            }
        }
        if dice.one_in(4) {
            out.push_str(dice.pick(&["\n", "# model = \"a\"\n", "  # [a]\n"]));
        }
    }
    for (name, inner) in below {
        let full = if path.is_empty() { name } else { format!("{path}.{name}") };
        out.push_str(&format!("{}[{full}]{}\n", dice.pick(&["", "\n"]), dice.pick(&["", " # head"])));
        toml(dice, inner, &full, out);
    }
}

fn yaml_text(dice: &mut Dice, text: &str, is_flow: bool) -> String {
    let is_simple = text.starts_with(|c: char| c.is_alphabetic())
        && !matches!(text, "yes" | "null")
        && !text.contains(['#', '\n', '\t', '\\', ',', '[', '{'])
        && !text.contains(": ");
    match dice.roll(3) {
        0 if is_simple && !(is_flow && text.contains(':')) => text.to_owned(),
        1 if !text.contains(['\n', '\t']) => format!("'{}'", text.replace('\'', "''")),
        _ => escaped(text),
    }
}

fn yaml_flow(dice: &mut Dice, value: &Value) -> String {
    match value {
        Value::Text(text) => yaml_text(dice, text, true),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::List(values) => {
            format!("[{}]", values.iter().map(|value| yaml_flow(dice, value)).collect::<Vec<_>>().join(", "))
        }
        Value::Table(entries) => {
            let gap = dice.pick(&["", " "]);
            let pairs: Vec<_> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", yaml_text(dice, key, true), yaml_flow(dice, value)))
                .collect();
            format!("{{{gap}{}{gap}}}", pairs.join(", "))
        }
    }
}

/// A value behind its key's colon or its dash, with the end of the line.
fn yaml(dice: &mut Dice, value: &Value, indent: usize, unit: usize, out: &mut String) {
    match value {
        Value::Table(entries) if !entries.is_empty() && dice.roll(4) > 0 => {
            out.push_str(dice.pick(&["\n", "  # model: a\n"]));
            yaml_lines(dice, entries, indent + unit, unit, out);
        }
        Value::List(values) if !values.is_empty() && dice.roll(4) > 0 => {
            out.push('\n');
            for value in values {
                out.push_str(&" ".repeat(indent + unit));
                out.push('-');
                match value {
                    Value::Table(entries) if !entries.is_empty() => {
                        let mut lines = String::new();
                        yaml_lines(dice, entries, indent + unit + 2, unit, &mut lines);
                        out.push_str(&format!(" {}", lines.trim_start_matches(' ')));
                    }
                    Value::List(_) => out.push_str(&format!(" {}\n", yaml_flow(dice, value))),
                    value => yaml(dice, value, indent + unit, unit, out),
                }
            }
        }
        Value::Text(text)
            if dice.one_in(5) && text.starts_with(|c: char| c.is_alphabetic()) && !text.contains('\n') =>
        {
            out.push_str(&format!(" |{}\n{}{text}\n", dice.pick(&["", "-", "+"]), " ".repeat(indent + unit)));
            out.push_str(dice.pick(&["", "\n", "\n\n"]));
        }
        Value::Text(text) => {
            out.push_str(&format!(" {}{}\n", yaml_text(dice, text, false), dice.pick(&["", "   # model: a", " "])));
        }
        value => out.push_str(&format!("  {}\n", yaml_flow(dice, value))),
    }
}

fn yaml_lines(dice: &mut Dice, entries: &[(String, Value)], indent: usize, unit: usize, out: &mut String) {
    for (number, (key, value)) in entries.iter().enumerate() {
        if number > 0 && dice.one_in(5) {
            out.push_str(dice.pick(&["\n", "# model: a\n", "      # x\n"]));
        }
        out.push_str(&" ".repeat(indent));
        out.push_str(&format!("{}:", yaml_text(dice, key, false)));
        yaml(dice, value, indent, unit, out);
    }
}

fn dotenv(dice: &mut Dice, entries: &[(String, Value)], out: &mut String) {
    for (number, (_, value)) in entries.iter().enumerate() {
        out.push_str(dice.pick(&["", "# MODEL_0=a\n", "\n", "export "]));
        let value = match value {
            Value::Text(text) if !text.contains(['\n', '\'', '"', '\\', '`']) => {
                dice.pick(&["'", "\""]).to_owned() + text
            }
            _ => "plain".to_owned(),
        };
        let close = value.chars().next().filter(|c| matches!(c, '\'' | '"')).map(String::from).unwrap_or_default();
        out.push_str(&format!("MODEL_{number}={value}{close}{}\n", dice.pick(&["", " # MODEL_1=a"])));
    }
}

/// A valid document in some form, with its language.
fn document() -> impl Strategy<Value = (Language, String, Vec<u8>)> {
    (0..ALL.len(), proptest::collection::vec(any::<u8>(), 0..160)).prop_map(|(language, bytes)| {
        let language = ALL[language];
        let rest = bytes.iter().rev().copied().collect();
        let dice = &mut Dice { bytes, at: 0 };
        let value = table(dice, 0);
        let Value::Table(entries) = &value else { unreachable!() };
        let mut out = String::new();
        match language {
            Language::Json(_) => json(dice, &value, language, 0, &mut out),
            Language::Toml => toml(dice, entries, "", &mut out),
            Language::Yaml => yaml_lines(dice, entries, 0, dice_unit(entries.len()), &mut out),
            _ => dotenv(dice, entries, &mut out),
        }
        if dice.one_in(3) {
            out.truncate(out.trim_end_matches('\n').len());
        }
        if dice.one_in(3) && !matches!(language, Language::Dotenv(_)) {
            out = out.replace('\n', "\r\n");
        }
        let takes_bom = match language {
            Language::Json(dialect) => dialect.bom,
            Language::Dotenv(_) => false,
            _ => true,
        };
        if takes_bom && dice.one_in(3) {
            out.insert(0, '\u{feff}');
        }
        (language, out, rest)
    })
}

fn dice_unit(count: usize) -> usize {
    2 + 2 * (count % 2)
}

/// All paths, with what is there.
fn paths<'a>(node: &'a Node, path: &mut Vec<String>, out: &mut Vec<(Vec<String>, &'a Node)>) {
    out.push((path.clone(), node));
    for (number, item) in node.items().iter().enumerate() {
        path.push(number.to_string());
        paths(item, path, out);
        path.pop();
    }
    for entry in node.entries() {
        path.push(entry.key.clone());
        if node.child(&entry.key).is_some_and(|child| std::ptr::eq(child, &entry.value)) {
            paths(&entry.value, path, out);
        }
        path.pop();
    }
}

/// Applies, and takes back.
fn after(document: &Document, splices: &[Splice]) -> Vec<u8> {
    let after = apply(document.bytes(), splices).unwrap();
    assert_eq!(apply(&after, &reversed(splices)).as_deref(), Ok(document.bytes()));
    after
}

fn as_json(node: &Node) -> serde_json::Value {
    match &node.kind {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool(value) => (*value).into(),
        Kind::Number(raw) | Kind::Date(raw) => serde_json::Value::String(format!("number {raw}")),
        Kind::Text(text) => text.clone().into(),
        Kind::List(items) => items.iter().map(as_json).collect(),
        Kind::Table(entries) => entries.iter().map(|entry| (entry.key.clone(), as_json(&entry.value))).collect(),
    }
}

/// What may be refused in a valid document, and why.
fn is_fair(language: Language, error: &EditError) -> bool {
    let EditError::Refused { refusal, path, .. } = error else { return false };
    match language {
        Language::Json(_) => matches!(refusal, Refusal::NotATable | Refusal::List),
        Language::Toml => {
            matches!(refusal, Refusal::NotATable | Refusal::List | Refusal::BlockTable | Refusal::SharedLine)
        }
        Language::Yaml if *refusal == Refusal::Value => path.is_empty(),
        Language::Yaml => matches!(
            refusal,
            Refusal::NotATable | Refusal::List | Refusal::BlockTable | Refusal::BlockText | Refusal::SharedLine
        ),
        _ => *refusal == Refusal::Value,
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(1500))]

    #[test]
    fn a_replaced_value_changes_its_own_bytes_only((language, text, rest) in document(), new in any_text()) {
        let document = Document::parse(text.as_bytes(), language).unwrap_or_else(|error| panic!("{language:?} {error}\n{text}"));
        let mut found = Vec::new();
        paths(document.root(), &mut Vec::new(), &mut found);
        let dice = &mut Dice { bytes: rest, at: 0 };
        let (path, node) = &found[dice.roll(found.len())];
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let value = Value::text(&new);
        match document.set(&path, &value, &Placement::Last) {
            Ok(splices) => {
                prop_assert_eq!(splices.len(), 1);
                prop_assert!(splices[0].start >= node.span.start && splices[0].end <= node.span.end, "{:?} {:?}\n{}", splices, node, text);
                let after = after(&document, &splices);
                let again = Document::parse(&after, language).unwrap();
                prop_assert_eq!(again.text(&path), Some(new.as_str()));
                // The other values, by a comparison of its own.
                let mut expected = as_json(document.root());
                *path.iter().fold(&mut expected, |value, key| match value {
                    serde_json::Value::Array(items) => &mut items[key.parse::<usize>().unwrap()],
                    value => &mut value[*key],
                }) = new.clone().into();
                prop_assert_eq!(as_json(again.root()), expected, "{}", text);
            }
            Err(error) => {
                let is_text_replaced = node.as_text().is_some() && node.style != Style::BlockText && !matches!(language, Language::Dotenv(_));
                prop_assert!(is_fair(language, &error) && !is_text_replaced, "{:?} {:?} {}\n{}", path, node, error, text);
            }
        }
    }

    #[test]
    fn an_added_key_is_read_at_its_path((language, text, rest) in document(), new in any_text()) {
        let document = Document::parse(text.as_bytes(), language).unwrap();
        let mut found = Vec::new();
        paths(document.root(), &mut Vec::new(), &mut found);
        found.retain(|(path, node)| path.is_empty() || node.is_table());
        let dice = &mut Dice { bytes: rest, at: 0 };
        let (path, table) = &found[dice.roll(found.len())];
        let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
        path.push("NEW");
        if dice.one_in(3) && !matches!(language, Language::Dotenv(_)) {
            path.push("below it");
        }
        let place = if dice.one_in(2) { Placement::After(dice.pick(&KEYS).to_owned()) } else { Placement::Last };
        match document.set(&path, &Value::text(&new), &place) {
            Ok(splices) => {
                prop_assert!(splices.iter().all(|splice| splice.old.iter().all(u8::is_ascii_whitespace)), "{:?}\n{}", splices, text);
                let after = after(&document, &splices);
                let again = Document::parse(&after, language).unwrap();
                prop_assert_eq!(again.text(&path), Some(new.as_str()), "{}", text);
                prop_assert_eq!(text.ends_with('\n') || text.trim_matches('\u{feff}').is_empty(), after.ends_with(b"\n"));
                if text.contains("\r\n") {
                    prop_assert_eq!(after.iter().filter(|&&c| c == b'\n').count(), String::from_utf8_lossy(&after).matches("\r\n").count());
                }
                // It can be taken out again.
                if path.last() == Some(&"NEW") && let Ok(splices) = again.remove(&path) {
                    let without = apply(&after, &splices).unwrap();
                    let without = Document::parse(&without, language).unwrap();
                    prop_assert_eq!(as_json(without.root()), as_json(document.root()));
                }
            }
            Err(error) => prop_assert!(is_fair(language, &error), "{:?} {:?} {}\n{}", path, table, error, text),
        }
    }

    #[test]
    fn no_bytes_do_harm(bytes in any_bytes(), new in any_text()) {
        for language in ALL.into_iter().chain([Language::Text]) {
            let Ok(document) = Document::parse(&bytes, language) else { continue };
            let mut found = Vec::new();
            paths(document.root(), &mut Vec::new(), &mut found);
            for (path, _) in found.iter().take(12) {
                let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
                if let Ok(splices) = document.set(&path, &Value::text(&new), &Placement::Last) {
                    after(&document, &splices);
                }
                if let Ok(splices) = document.remove(&path) {
                    after(&document, &splices);
                }
                path.push("new");
                if let Ok(splices) = document.set(&path, &Value::text(&new), &Placement::Last) {
                    after(&document, &splices);
                }
            }
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![proptest::sample::select(TEXTS.to_vec()).prop_map(str::to_owned), "[ -~é漢\n\t]{0,12}", any::<String>()]
}

/// Noise, and pieces of all languages in any order.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 44] = [
        "{", "}", "[", "]", "\"", "'", ":", ": ", ",", "=", " = ", "\n", "\r\n", "  ", "- ", "#", " # c", "//", "/*",
        "*/", "a", "model", "\"a\"", "'b'", "1", "null", "&x ", "*x", "<<", "|", ">", "---\n", "...\n", "!t ", "? ",
        "[a]\n", "[[b]]\n", "a.b", "\u{feff}", "\t", "\\", "é", "`", "\"\"\"",
    ];
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..24)
            .prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}
