//! Cases of all languages, and what holds for any document.

use super::*;

const JSON: Language = Language::Json(JsonDialect::STRICT);
const GEMINI: Language = Language::Json(JsonDialect::COMMENTS);
const JSONC: Language = Language::Json(JsonDialect::JSONC);
const JSON5: Language = Language::Json(JsonDialect::JSON5);
const NODE: Language = Language::Dotenv(DotenvDialect::Node);
const PYTHON: Language = Language::Dotenv(DotenvDialect::Python);

fn parsed(language: Language, text: &str) -> Document {
    Document::parse(text.as_bytes(), language).unwrap_or_else(|error| panic!("{language:?} {text:?}: {error}"))
}

/// The file after the change; undo is checked on the way.
fn changed(language: Language, before: &str, change: Change) -> Result<String, EditError> {
    let document = parsed(language, before);
    let splices = document.edit(&[change])?;
    let after = apply(before.as_bytes(), &splices)?;
    assert_eq!(apply(&after, &reversed(&splices)).as_deref(), Ok(before.as_bytes()), "undo of {before:?}");
    Ok(String::from_utf8(after).unwrap())
}

fn set_text(language: Language, before: &str, path: &str, value: &str) -> Result<String, EditError> {
    let path: Vec<&str> = path.split('/').collect();
    changed(language, before, Change::set(&path, Value::text(value)))
}

fn refusal(error: EditError) -> (Refusal, usize, usize) {
    match error {
        EditError::Refused { refusal, at, .. } => (refusal, at.line, at.column),
        other => panic!("{other}"),
    }
}

/// Language, before, path with slashes, new text, after.
type Row = (Language, &'static str, &'static str, &'static str, &'static str);

fn hold(rows: &[Row]) {
    for &(language, before, path, value, after) in rows {
        let result = set_text(language, before, path, value);
        assert_eq!(result.as_deref(), Ok(after), "{language:?} {before:?} {path}");
        let path: Vec<&str> = path.split('/').collect();
        assert_eq!(parsed(language, after).text(&path), Some(value));
    }
}

#[test]
fn toml_values_are_replaced_in_their_own_quotes() {
    const T: Language = Language::Toml;
    hold(&[
        (T, "model = \"a\"\n", "model", "b", "model = \"b\"\n"),
        (T, "model   =  'a'  # a\r\nx = 1", "model", "b", "model   =  'b'  # a\r\nx = 1"),
        (T, "model = 'a'\n", "model", "it's", "model = \"it's\"\n"),
        (T, "model = \"\"\"a\"\"\"\n", "model", "b", "model = \"\"\"b\"\"\"\n"),
        (T, "model = '''\na'''\n", "model", "b", "model = '''b'''\n"),
        (T, "model = 3 # n\n", "model", "b", "model = \"b\" # n\n"),
        (T, "\u{feff}# c\r\nmodel = \"a\"\r\n", "model", "b", "\u{feff}# c\r\nmodel = \"b\"\r\n"),
        (
            T,
            "# model = \"a\"\nx = \"model = 'a'\"\nmodel = \"a\"\n[t]\nmodel = \"a\"\n",
            "model",
            "b",
            "# model = \"a\"\nx = \"model = 'a'\"\nmodel = \"b\"\n[t]\nmodel = \"a\"\n",
        ),
        (T, "[t]\nmodel = \"a\"\n", "t/model", "b", "[t]\nmodel = \"b\"\n"),
        (T, "t.u.model = \"a\"\n", "t/u/model", "b", "t.u.model = \"b\"\n"),
        (T, "t = { u = 1, model = \"a\" }\n", "t/model", "b", "t = { u = 1, model = \"b\" }\n"),
        (
            T,
            "\"model\" = \"a\"\n[\"a.b\".'c']\nm = \"a\"\n",
            "a.b/c/m",
            "b",
            "\"model\" = \"a\"\n[\"a.b\".'c']\nm = \"b\"\n",
        ),
        (T, "[[m]]\nn = \"a\"\n[[m]]\nn = \"a\"\n", "m/1/n", "b", "[[m]]\nn = \"a\"\n[[m]]\nn = \"b\"\n"),
        (T, "[a.x]\nm = \"a\"\n[b]\n[a.y]\nm = \"a\"\n", "a/y/m", "b", "[a.x]\nm = \"a\"\n[b]\n[a.y]\nm = \"b\"\n"),
        (T, "s = \"é—漢\" # 漢\nmodel = \"漢字\" # é\n", "model", "模型", "s = \"é—漢\" # 漢\nmodel = \"模型\" # é\n"),
        (T, "l = [\"a\", \"b\"]\n", "l/1", "c", "l = [\"a\", \"c\"]\n"),
    ]);
}

#[test]
fn toml_keys_are_added_where_they_count() {
    const T: Language = Language::Toml;
    hold(&[
        (T, "", "model", "b", "model = \"b\"\n"),
        (T, "\u{feff}", "model", "b", "\u{feff}model = \"b\"\n"),
        (T, "# c\n", "model", "b", "# c\nmodel = \"b\"\n"),
        (T, "x = 1", "model", "b", "x = 1\nmodel = \"b\""),
        (T, "# c\nx = 1 # d\n\n# t\n[t]\ny = 1\n", "model", "b", "# c\nx = 1 # d\nmodel = \"b\"\n\n# t\n[t]\ny = 1\n"),
        (T, "[t]\ny = 1\n", "model", "b", "model = \"b\"\n\n[t]\ny = 1\n"),
        (T, "# c\n[t]\ny = 1\n", "model", "b", "# c\nmodel = \"b\"\n\n[t]\ny = 1\n"),
        (T, "# c\n\n# t\n[t]\ny = 1\n", "model", "b", "# c\n\nmodel = \"b\"\n\n# t\n[t]\ny = 1\n"),
        (
            T,
            "\u{feff}# c\r\n[[t]]\r\ny = 1\r\n",
            "model",
            "b",
            "\u{feff}# c\r\nmodel = \"b\"\r\n\r\n[[t]]\r\ny = 1\r\n",
        ),
        (T, "a = [\n  1,\n] # e\n[t]\n", "model", "b", "a = [\n  1,\n] # e\nmodel = \"b\"\n[t]\n"),
        (T, "p.q.m = 1\n\n[t]\n", "model", "b", "p.q.m = 1\nmodel = \"b\"\n\n[t]\n"),
        (T, "[t] # head\n[u]\n", "t/model", "b", "[t] # head\nmodel = \"b\"\n[u]\n"),
        (T, "[t]\n  y = 1\n\n[u]\n", "t/model", "b", "[t]\n  y = 1\n  model = \"b\"\n\n[u]\n"),
        (T, "[t]\ny = 1", "t/model", "b", "[t]\ny = 1\nmodel = \"b\""),
        (T, "[t]", "t/model", "b", "[t]\nmodel = \"b\""),
        (T, "x = 1\n", "t/model", "b", "x = 1\n\n[t]\nmodel = \"b\"\n"),
        (T, "x = 1", "t/model", "b", "x = 1\n\n[t]\nmodel = \"b\""),
        (T, "[t.u]\nx = 1\n", "t/model", "b", "[t.u]\nx = 1\n\n[t]\nmodel = \"b\"\n"),
        (T, "[t]\nx = 1\n", "t/u/model", "b", "[t]\nx = 1\n\n[t.u]\nmodel = \"b\"\n"),
        (T, "t.u = 1\n[z]\n", "t/model", "b", "t.u = 1\nt.model = \"b\"\n[z]\n"),
        (T, "[z]\nt.u = 1\n[y]\n", "z/t/a b/model", "b", "[z]\nt.u = 1\nt.\"a b\".model = \"b\"\n[y]\n"),
        (T, "t = {}\n", "t/model", "b", "t = { model = \"b\" }\n"),
        (T, "t = { a = 1 }\n", "t/model", "b", "t = { a = 1, model = \"b\" }\n"),
        (T, "t = { a.b = 1 }\n", "t/a/model", "b", "t = { a.b = 1, a.model = \"b\" }\n"),
        (T, "[[m]]\na = 1\n[[m]]\na = 2\n", "m/0/model", "b", "[[m]]\na = 1\nmodel = \"b\"\n[[m]]\na = 2\n"),
        (T, "[[m]]\na = 1\n[[m]]\na = 2\n", "m/0/t/model", "b", "[[m]]\na = 1\nt.model = \"b\"\n[[m]]\na = 2\n"),
    ]);
    let place = Placement::After("model".to_owned());
    let change = Change::Set { path: vec!["effort".to_owned()], value: Value::text("high"), place };
    assert_eq!(
        changed(Language::Toml, "model = \"a\" # m\nz = 1\n[t]\n", change).as_deref(),
        Ok("model = \"a\" # m\neffort = \"high\"\nz = 1\n[t]\n")
    );
    let provider = Value::Table(vec![("name".to_owned(), Value::text("G")), ("on".to_owned(), Value::Bool(true))]);
    assert_eq!(
        changed(Language::Toml, "x = 1\n", Change::set(&["model_providers", "g"], provider)).as_deref(),
        Ok("x = 1\n\n[model_providers.g]\nname = \"G\"\non = true\n")
    );
}

#[test]
fn toml_refusals_have_their_place() {
    for (text, line, column, kind) in [
        ("a = 1\nb = \n", 2, 5, ParseErrorKind::Syntax),
        ("é = 1\n", 1, 1, ParseErrorKind::Syntax),
        ("a = 1\na = 2\n", 2, 1, ParseErrorKind::DuplicateKey),
        ("[p.\"C:\\Users\"]\n", 1, 9, ParseErrorKind::Syntax),
    ] {
        let error = Document::parse(text.as_bytes(), Language::Toml).unwrap_err();
        assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{text:?} {error}");
    }
    for (text, path, expected) in [
        ("[model]\nname = \"a\"\n", "model", (Refusal::BlockTable, 1, 1)),
        ("x = 1\nmodel = \"a\"\n", "model/name", (Refusal::NotATable, 2, 9)),
        ("m = []\n", "m/0", (Refusal::List, 1, 5)),
    ] {
        assert_eq!(refusal(set_text(Language::Toml, text, path, "b").unwrap_err()), expected, "{text:?}");
    }
}

#[test]
fn json_values_are_replaced() {
    hold(&[
        (JSON, "{\"model\": \"a\"}", "model", "b", "{\"model\": \"b\"}"),
        (JSON, "{\"model\": \"a\"}", "model", "q\"\\", "{\"model\": \"q\\\"\\\\\"}"),
        (JSON, "{\"model\": \"a\", \"model\": \"c\"}", "model", "b", "{\"model\": \"a\", \"model\": \"b\"}"),
        (JSON, "{\"model\": null}\r\n", "model", "b", "{\"model\": \"b\"}\r\n"),
        (JSON, "{\"model\": {\"x\": 1}}", "model", "b", "{\"model\": \"b\"}"),
        (JSON, "{\"m\": [{\"n\": \"a\"}, {\"n\": \"a\"}]}", "m/1/n", "b", "{\"m\": [{\"n\": \"a\"}, {\"n\": \"b\"}]}"),
        (JSON, "{\"mod\\u0065l\": \"\\u00e9\"}", "model", "漢", "{\"mod\\u0065l\": \"漢\"}"),
        (GEMINI, "{ // \"m\": \"a\"\n \"m\": \"a\" /* , */ }", "m", "b", "{ // \"m\": \"a\"\n \"m\": \"b\" /* , */ }"),
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
        (GEMINI, "{\n  \"a\": 1 // one\n  // end\n}", "m", "b", "{\n  \"a\": 1, // one\n  \"m\": \"b\"\n  // end\n}"),
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
    let change =
        |place: &Placement| Change::Set { path: vec!["m".to_owned()], value: Value::Integer(3), place: place.clone() };
    assert_eq!(
        changed(JSON, "{\n \"a\": 1,\n \"b\": 2\n}", change(&place)).as_deref(),
        Ok("{\n \"a\": 1,\n \"m\": 3,\n \"b\": 2\n}")
    );
    assert_eq!(changed(JSON, "{\"a\": 1, \"b\": 2}", change(&place)).as_deref(), Ok("{\"a\": 1, \"m\": 3, \"b\": 2}"));
}

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
            Err(error) => assert_eq!((error.line, error.column, error.kind), (line, column, kind), "{text:?} {error}"),
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

#[test]
fn a_text_file_is_its_value() {
    for (before, value, after) in [
        ("gpt", "b", "b"),
        ("gpt\r\n", "b", "b\r\n"),
        (" gpt \n\n", "b", " b \n\n"),
        ("", "b", "b"),
        ("\n", "b", "b\n"),
    ] {
        assert_eq!(changed(Language::Text, before, Change::set(&[], Value::text(value))).as_deref(), Ok(after));
        assert_eq!(parsed(Language::Text, after).root().as_text(), Some(value));
    }
    assert_eq!(parsed(Language::Text, "\u{feff}gpt\r\n").root().as_text(), Some("\u{feff}gpt"));
    for bad in ["", " b", "b\n"] {
        assert!(changed(Language::Text, "gpt", Change::set(&[], Value::text(bad))).is_err());
    }
}

#[test]
fn keys_are_removed_with_their_lines() {
    for (language, before, path, after) in [
        (Language::Toml, "a = 1\nb = 2 # c\n# d\n[t]\n", "b", "a = 1\n# d\n[t]\n"),
        (Language::Toml, "a = 1\r\nb = 2", "b", "a = 1"),
        (Language::Toml, "t = { a = 1, b = 2 }\n", "t/b", "t = { a = 1 }\n"),
        (Language::Toml, "t = { a = 1, b = 2 }\n", "t/a", "t = { b = 2 }\n"),
        (Language::Toml, "[t]\na = [\n1]\nb = 2\n", "t/a", "[t]\nb = 2\n"),
        (JSON, "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"),
        (JSON, "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"),
        (JSON, "{\"a\": 1, \"b\": 2}", "a", "{\"b\": 2}"),
        (JSON, "{\"a\": 1, \"b\": 2}", "b", "{\"a\": 1}"),
        (JSON, "{ \"a\": 1 }", "a", "{  }"),
        (JSONC, "{\n  \"a\": 1, // a\n  \"b\": 2, // b\n}", "b", "{\n  \"a\": 1, // a\n}"),
        (JSONC, "{\n  \"a\": 1, // a\n  \"b\": 2 // b\n}", "b", "{\n  \"a\": 1 // a\n}"),
        (Language::Yaml, "a: 1\nb: 2 # c\n", "b", "a: 1\n"),
        (Language::Yaml, "a: 1\nb:\n  c: 1\n  d: |\n    x\nz: 1\n", "b", "a: 1\nz: 1\n"),
        (Language::Yaml, "a: {x: 1, y: 2}\n", "a/y", "a: {x: 1}\n"),
        (NODE, "A=1\nexport K=v\nB=2\n", "K", "A=1\nB=2\n"),
    ] {
        let path: Vec<&str> = path.split('/').collect();
        assert_eq!(changed(language, before, Change::remove(&path)).as_deref(), Ok(after), "{before:?}");
    }
    let missing = changed(JSON, "{}", Change::remove(&["a"]));
    assert_eq!(missing, Err(EditError::NotFound { path: "a".to_owned() }));
}

#[test]
fn several_changes_are_one_edit() {
    let edit = |language, before: &str, changes: &[Change]| {
        let splices = parsed(language, before).edit(changes).unwrap();
        let after = apply(before.as_bytes(), &splices).unwrap();
        assert_eq!(apply(&after, &reversed(&splices)).as_deref(), Ok(before.as_bytes()));
        (String::from_utf8(after).unwrap(), splices.into_iter().map(|splice| splice.key).collect::<Vec<_>>())
    };
    let both = [Change::set(&["model"], Value::text("b")), Change::set(&["provider"], Value::text("p"))];
    let keys = vec!["model".to_owned(), "provider".to_owned()];
    let around = vec!["model".to_owned(), "provider".to_owned(), "model".to_owned()];
    assert_eq!(edit(Language::Toml, "[t]\n", &both), ("model = \"b\"\nprovider = \"p\"\n\n[t]\n".to_owned(), around));
    assert_eq!(
        edit(Language::Toml, "provider='a'\n", &both),
        ("provider='p'\nmodel = \"b\"\n".to_owned(), vec!["provider".to_owned(), "model".to_owned()])
    );
    assert_eq!(
        edit(JSON, "{\"model\": \"a\"}", &both),
        ("{\"model\": \"b\", \"provider\": \"p\"}".to_owned(), keys.clone())
    );
    assert_eq!(edit(JSON, "{}", &both).0, "{ \"model\": \"b\", \"provider\": \"p\" }");
    assert_eq!(edit(Language::Yaml, "", &both), ("model: b\nprovider: p\n".to_owned(), keys));
    assert_eq!(Document::fresh(JSON, &both).unwrap(), b"{\n  \"model\": \"b\",\n  \"provider\": \"p\"\n}\n");
    let again = [Change::set(&["model"], Value::text("b")), Change::remove(&["model"])];
    assert_eq!(edit(Language::Toml, "x = 1\n", &again).0, "x = 1\n");
}

#[test]
fn duplicates_and_comments_are_told() {
    let document = parsed(GEMINI, "{ // c\n \"a\": 1, \"t\": {\"x\": 1, \"x\": 2}, \"a\": 2, \"a\": 3 /* d */ }");
    assert_eq!(document.duplicates(), ["t.x", "a"]);
    assert_eq!(document.comments().collect::<Vec<_>>(), ["// c", "/* d */"]);
    let document = parsed(Language::Toml, "a = \"#\" # c\n\"#\" = [1, # d\n]\n[\"#2\"] # e\n");
    assert_eq!(document.comments().collect::<Vec<_>>(), ["# c", "# d", "# e"]);
    let document = parsed(Language::Yaml, "a: b#c # d\nt: |\n  # no\n# e\nq: '# no'\n");
    assert_eq!(document.comments().collect::<Vec<_>>(), ["# d", "# e"]);
    assert!(!parsed(JSON, "{\"a\": \"// x\"}").has_comments());
    assert_eq!(document.position(5), Position { line: 1, column: 6 });
    assert_eq!(position("\u{feff}é\nx".as_bytes(), 5), Position { line: 1, column: 2 });
}

#[test]
fn stale_bytes_are_not_touched() {
    let splices = parsed(Language::Toml, "m = \"a\"\n").set(&["m"], &Value::text("b"), &Placement::Last).unwrap();
    assert_eq!(apply(b"m = \"c\"\n", &splices), Err(EditError::Stale { start: 5 }));
    assert_eq!(apply(b"m", &splices), Err(EditError::Stale { start: 5 }));
}

#[test]
fn a_diff_shows_no_keys() {
    let before = "{\n  \"model\": \"a-20250929\",\n  \"ANTHROPIC_AUTH_TOKEN\": \"relay-3333 x\",\n  \"url\": \"https://u:sk-test-3333-relay@h\",\n  \"max_tokens\": 4096,\n  \"env_key\": \"CORP_LLM_KEY\"\n}\n";
    let after = before.replace("a-20250929", "b");
    let diff = unified_diff("settings.json", before.as_bytes(), after.as_bytes());
    assert!(diff.starts_with("--- settings.json\n+++ settings.json\n@@ -1,5 +1,5 @@\n {\n-  \"model\": \"a-20250929\",\n+  \"model\": \"b\",\n"), "{diff}");
    assert!(!diff.contains("3333"), "{diff}");
    for (line, shown) in [
        ("api_key: abcdefgh1 # c\n", "api_key: … # c\n"),
        ("Authorization = \"Bearer abc def\"\n", "Authorization = \"…\"\n"),
        ("headers = { \"x-api-key\" = 'abcdefgh', a = 1 }\n", "headers = { \"x-api-key\" = '…', a = 1 }\n"),
        ("env_key = \"CORP_LLM_KEY\"\n", "env_key = \"CORP_LLM_KEY\"\n"),
        ("api_key: os.environ/MY_LONG_KEY\n", "api_key: os.environ/MY_LONG_KEY\n"),
        ("\"apiKey\": \"{env:OPENROUTER_API_KEY}\",\n", "\"apiKey\": \"{env:OPENROUTER_API_KEY}\",\n"),
        ("GEMINI_API_KEY=plainwords\n", "GEMINI_API_KEY=…\n"),
        ("max_tokens = 40960000\n", "max_tokens = 40960000\n"),
    ] {
        let diff = unified_diff("f", format!("{line}m: a\n").as_bytes(), format!("{line}m: b\n").as_bytes());
        assert!(diff.contains(&format!("\n {shown}")), "{diff}");
    }
    assert_eq!(unified_diff("f", b"a", b"a"), "");
    let diff = unified_diff("f", b"a: 1\nb: 2", b"a: 1\nb: 3");
    assert!(diff.contains("-b: 2\n\\ No newline at end of file\n+b: 3"), "{diff}");
}
