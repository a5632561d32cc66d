//! The handed configuration cases, at the level of the edit engine: the listed splices and no other byte.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use vacancy::edit::{Document, JsonDialect, Language, Placement, Value, apply, reversed, unified_diff};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/config-cases");
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    assert!(found.len() >= 16, "the cases were found");
    found
}

fn language(tool: &str) -> Language {
    match tool {
        "codex" => Language::Toml,
        "claude-code" => Language::Json(JsonDialect::STRICT.with_bom()),
        "gemini-cli" | "qwen-code" => Language::Json(JsonDialect::COMMENTS),
        "opencode" => Language::Json(JsonDialect::JSONC),
        "crush" => Language::Json(JsonDialect::STRICT),
        "aider" | "goose" => Language::Yaml,
        other => panic!("no language is known for {other}"),
    }
}

/// The new value that a splice stands for: the inside of quotes, or a table.
fn value(new: &str) -> Value {
    match serde_json::from_str::<Json>(new) {
        Ok(Json::Object(map)) => {
            Value::Table(map.into_iter().map(|(key, value)| (key, Value::text(value.as_str().unwrap()))).collect())
        }
        _ => match new.split_once(" = ") {
            Some((_, line)) => Value::text(line.trim().trim_matches('"')),
            None => Value::text(new),
        },
    }
}

#[test]
fn every_case_is_spliced_as_listed() {
    let mut edits = 0;
    for folder in cases() {
        let case: Json = serde_json::from_str(&fs::read_to_string(folder.join("case.json")).unwrap()).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let language = language(case["tool"].as_str().unwrap());
        let expected = &case["expect"];
        for splice in expected["splices"].as_array().unwrap() {
            let before = fs::read(folder.join(splice["file"].as_str().unwrap())).unwrap();
            let document = Document::parse(&before, language).unwrap_or_else(|error| panic!("{name}: {error}"));
            let key = splice["key"].as_str().unwrap();
            let path: Vec<&str> = key.split('.').collect();
            let new = splice["new"].as_str().unwrap();
            let made = document.set(&path, &value(new), &Placement::Last).unwrap();
            let after = apply(&before, &made).unwrap();
            assert_eq!(made.len(), 1, "{name}: {made:?}");
            let made = &made[0];
            let place = (splice["start"].as_u64().unwrap(), splice["end"].as_u64().unwrap());
            assert_eq!((made.start as u64, made.end as u64), place, "{name}");
            assert_eq!(
                (&*made.old, &*made.new),
                (splice["old"].as_str().unwrap().as_bytes(), new.as_bytes()),
                "{name}"
            );
            assert_eq!(made.key, key, "{name}");
            assert_eq!(apply(&after, &reversed(std::slice::from_ref(made))).unwrap(), before, "{name}");
            let diff = unified_diff("file", &before, &after);
            assert!(!diff.contains("sk-test"), "{name}: a key is shown\n{diff}");
            assert_eq!(diff.matches("\n+").count(), 2, "{name}: one line is new, beside the head\n{diff}");
            edits += 1;
        }
    }
    assert!(edits >= 13);
}

#[test]
fn a_comment_in_strict_json_is_named() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/config-cases/09-claude-comment-in-strict-json/settings.json");
    let error = Document::parse(&fs::read(file).unwrap(), language("claude-code")).unwrap_err();
    assert_eq!((error.line, error.column), (2, 3));
}
