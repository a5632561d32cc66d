//! llm's cases.

use super::Case;
use crate::core::platform::Platform;

const FILE: &str = "~/.config/io.datasette.llm/default_model.txt";

#[test]
fn the_whole_file_is_the_name() {
    let done = Case::new("llm").file(FILE, "gpt-5.5").switch("claude-opus-5");
    assert_eq!(done.undoes().text(FILE), "claude-opus-5");
    assert_eq!(done.models(), (Some("gpt-5.5"), Some("claude-opus-5")));
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn white_space_around_the_name_stays() {
    let done = Case::new("llm").file(FILE, "  gpt-5.5\r\n").switch("claude-opus-5");
    assert_eq!(done.undoes().text(FILE), "  claude-opus-5\r\n");
    assert_eq!(done.models().0, Some("gpt-5.5"));
}

#[test]
fn without_a_file_one_is_made() {
    let done = Case::new("llm").switch("claude-opus-5");
    assert_eq!(done.text(FILE), "claude-opus-5");
    assert_eq!(done.models(), (None, Some("claude-opus-5")));
}

#[test]
fn the_variable_stands_in_for_the_flag() {
    let done = Case::new("llm").file(FILE, "gpt-5.5").env("LLM_MODEL", "o9-mini").switch("claude-opus-5");
    assert_eq!(done.text(FILE), "claude-opus-5");
    assert_eq!(done.models(), (Some("o9-mini"), Some("o9-mini")));
    assert_eq!(done.codes(), ["masked_by_env"]);
}

#[test]
fn an_empty_variable_is_none() {
    let done = Case::new("llm").file(FILE, "gpt-5.5").env("LLM_MODEL", "").switch("claude-opus-5");
    assert_eq!((done.models().1, done.codes()), (Some("claude-opus-5"), vec![]));
}

#[test]
fn a_byte_order_mark_is_told_of() {
    let done = Case::new("llm").file(FILE, "\u{feff}gpt-5.5").switch("claude-opus-5");
    assert!(done.codes().contains(&"bom_present"));
}

#[test]
fn the_folder_moves_with_its_variable() {
    let case = Case::new("llm").env("LLM_USER_PATH", "/srv/llm").file("/srv/llm/default_model.txt", "a");
    assert_eq!(case.switch("b").text("/srv/llm/default_model.txt"), "b");
}

#[test]
fn on_a_mac_it_lies_in_the_library() {
    let path = "~/Library/Application Support/io.datasette.llm/default_model.txt";
    let done = Case::new("llm").platform(Platform::Macos).file(path, "a\n").switch("b");
    assert_eq!(done.text(path), "b\n");
}

#[test]
fn a_link_is_followed_and_a_read_only_file_refused() {
    let done = Case::new("llm").link(FILE, "~/dotfiles/model", "a").switch("b");
    assert_eq!(done.text(FILE), "b");
    let done = Case::new("llm").readonly(FILE, "a").switch("b");
    assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("target_readonly"), "a"));
}

#[test]
fn a_second_switch_goes_on_where_the_first_ended() {
    let first = Case::new("llm").file(FILE, "a\n").switch("b");
    let second = Case::new("llm").files_of(&first).switch("c");
    assert_eq!((second.text(FILE).as_str(), second.models()), ("c\n", (Some("b"), Some("c"))));
}

#[test]
fn aliases_are_resolved() {
    let aliases = "~/.config/io.datasette.llm/aliases.json";
    for (text, name, to, codes) in [
        (r#"{"fast":"gpt-mini"}"#, "fast", Some("gpt-mini"), vec![]),
        (r#"{"gpt-5.5":"claude-opus-5"}"#, "gpt-5.5", Some("claude-opus-5"), vec!["alias_remapped"]),
        (r#"{"opus5":"anthropic/claude-opus5-1"}"#, "opus5", Some("anthropic/claude-opus5-1"), vec![]),
        (r#"{"Fast":"x"}"#, "fast", None, vec![]),
        (r#"{"a":"x","a":"y"}"#, "a", Some("y"), vec![]),
        ("{broken", "a", None, vec![]),
    ] {
        let done = Case::new("llm").file(FILE, "o").file(aliases, text).switch(name);
        assert_eq!((done.plan.after.resolves_to.as_deref(), done.codes()), (to, codes), "{text}");
        assert_eq!(done.text(aliases), text);
    }
    let left = Case::new("llm").file(FILE, "gpt-5.5").file(aliases, r#"{"gpt-5.5":"claude"}"#).switch("plain");
    assert_eq!(left.codes(), [""; 0], "it is not in use any more");
}

#[test]
fn templates_and_logs_are_not_opened() {
    let done = Case::new("llm")
        .file(FILE, "a")
        .unreadable("~/.config/io.datasette.llm/templates/default.yaml")
        .unreadable("~/.config/io.datasette.llm/keys.json")
        .switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec![]));
}
