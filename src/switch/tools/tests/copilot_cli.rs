//! Copilot CLI's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const FILE: &str = "~/.copilot/settings.json";
const OLD: &str = "~/.copilot/config.json";
const TEXT: &str = "{\n  // mine\n  \"model\": \"gpt-5.5\", // fast\n  \"theme\": \"dark\",\n}\n";

fn case() -> Case {
    Case::new("copilot-cli").version("1.0.102")
}

#[test]
fn comments_and_trailing_commas_stay() {
    let done = case().file(FILE, TEXT).switch("claude-opus-5");
    assert_eq!(done.undoes().text(FILE), TEXT.replace("gpt-5.5", "claude-opus-5"));
    assert_eq!((done.models(), done.codes()), ((Some("gpt-5.5"), Some("claude-opus-5")), vec![]));
    assert_eq!(done.keys(), ["model"]);
}

#[test]
fn places_and_forms() {
    for (case, path, before, after) in [
        (case(), FILE, "{\r\n  \"model\": \"a\"\r\n}", "{\r\n  \"model\": \"b\"\r\n}"),
        (case(), FILE, "\u{feff}{\"model\":\"a\"}", "\u{feff}{\"model\":\"b\"}"),
        (
            case().env("COPILOT_HOME", "/srv/copilot"),
            "/srv/copilot/settings.json",
            r#"{"model":"a"}"#,
            r#"{"model":"b"}"#,
        ),
        (case().env("COPILOT_HOME", ""), FILE, r#"{"model":"a"}"#, r#"{"model":"b"}"#),
        (
            case().platform(Platform::Windows),
            r"C:\Users\ada\.copilot\settings.json",
            "{ \"model\": \"a\" }",
            "{ \"model\": \"b\" }",
        ),
        (case().version("1.0.34"), OLD, r#"{"model":"a"}"#, r#"{"model":"b"}"#),
        (case().version("1.0.35"), FILE, r#"{"model":"a"}"#, r#"{"model":"b"}"#),
    ] {
        let done = case.file(path, before).switch("b");
        assert_eq!(done.undoes().text(path), after, "{path}");
        assert_eq!(done.models(), (Some("a"), Some("b")), "{path}");
    }
}

#[test]
fn a_missing_key_or_file_is_made() {
    let done = case().file(FILE, "{\n  \"theme\": \"dark\"\n}\n").switch("b");
    assert_eq!((done.undoes().models(), done.codes()), ((None, Some("b")), vec![]));
    let done = case().switch("b");
    assert_eq!((done.models(), done.codes()), ((None, Some("b")), vec![]));
}

#[test]
fn the_variable_wins_unless_it_is_empty() {
    let done = case().file(FILE, TEXT).env("COPILOT_MODEL", "gpt-4.1").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("gpt-4.1"), Some("gpt-4.1")), vec!["masked_by_env"]));
    assert!(done.message(Code::MaskedByEnv).contains("COPILOT_MODEL"));
    let done = case().file(FILE, TEXT).env("COPILOT_MODEL", "").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
}

#[test]
fn with_an_own_endpoint_the_settings_are_not_used() {
    let own = || case().file(FILE, TEXT).env("COPILOT_PROVIDER_BASE_URL", "http://127.0.0.1:9/v1");
    let done = own().env("COPILOT_MODEL", "qwen3").switch("b");
    assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("storage_not_in_file"), TEXT));
    assert_eq!(
        (done.models(), done.codes()),
        ((Some("qwen3"), Some("qwen3")), vec!["inert_key", "storage_not_in_file"])
    );
    let done = own().switch("b");
    assert_eq!(done.codes(), ["fatal_for_tool", "inert_key", "storage_not_in_file"]);
    assert_eq!(done.models(), (None, None));
    assert!(done.message(Code::StorageNotInFile).contains("COPILOT_MODEL"));
}

#[test]
fn the_old_file_is_told_of_only_where_it_names_a_model() {
    let done = case().file(FILE, TEXT).file(OLD, r#"{"model":"old"}"#).switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("gpt-5.5"), Some("b")), vec!["inert_key"]));
    let done = case().file(FILE, TEXT).file(OLD, "// state\n{\"banner\":1}").switch("b");
    assert_eq!(done.codes(), [""; 0]);
    let done = case().file(FILE, TEXT).file(OLD, "broken").switch("b");
    assert_eq!(done.codes(), [""; 0]);
    let done = case().versions("1.0.30", "1.0.102").file(FILE, TEXT).file(OLD, r#"{"model":"old"}"#).switch("b");
    assert_eq!(done.codes(), ["inert_key", "versions_differ"]);
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let done = case().file(FILE, r#"{"model":"a","model":"a2"}"#).switch("b");
    assert_eq!((done.undoes().text(FILE).as_str(), done.models().0), (r#"{"model":"a","model":"b"}"#, Some("a2")));
    assert_eq!(done.codes(), ["duplicate_key"]);
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case().file(FILE, "{\"model\": \"a\""), "parse_error"),
        (case().file(FILE, r#"{"model": {"id": "a"}}"#), "wrong_type"),
        (case().readonly(FILE, TEXT), "target_readonly"),
        (case().unreadable(FILE), "parse_error"),
        (case().file(FILE, TEXT).provider("openai"), "provider_unknown"),
    ] {
        assert_eq!(case.switch("b").refusal(), Some(code));
    }
}

#[test]
fn a_link_is_followed() {
    let done = case().link(FILE, "~/dotfiles/copilot.json", TEXT).switch("b");
    assert_eq!((done.undoes().models().1, done.codes()), (Some("b"), vec![]));
}
