//! Cursor CLI's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const FILE: &str = "~/.cursor/cli-config.json";
const TEXT: &str = r#"{"version":1,"model":{"modelId":"gpt-5.5","displayModelId":"gpt-5.5","displayName":"GPT 5.5","aliases":[]},"hasChangedDefaultModel":true}"#;

fn case() -> Case {
    Case::new("cursor-cli")
}

#[test]
fn the_model_is_read_and_never_written() {
    for (case, path) in [
        (case(), FILE),
        (case().env("CURSOR_CONFIG_DIR", "/srv/cursor"), "/srv/cursor/cli-config.json"),
        (case().env("XDG_CONFIG_HOME", "/x"), "/x/cursor/cli-config.json"),
        (case().platform(Platform::Macos).env("XDG_CONFIG_HOME", "/x"), FILE),
        (case().platform(Platform::Windows), r"C:\Users\ada\.cursor\cli-config.json"),
        (case().env("CURSOR_CONFIG_DIR", ""), FILE),
        (case().cwd("/srv/atlas").file("/srv/atlas/.cursor/cli.json", r#"{"model":"x"}"#), FILE),
    ] {
        let done = case.file(path, TEXT).switch("claude-opus-5");
        assert_eq!((done.refusal(), done.text(path).as_str()), (Some("storage_not_in_file"), TEXT), "{path}");
        assert_eq!((done.models(), done.codes()), ((Some("gpt-5.5"), Some("gpt-5.5")), vec!["storage_not_in_file"]));
        assert!(done.message(Code::StorageNotInFile).contains("--model claude-opus-5"));
    }
}

#[test]
fn other_forms_name_no_model() {
    for (text, refusal) in [
        (r#"{"version":1}"#, "storage_not_in_file"),
        (r#"{"model":"gpt-5.5"}"#, "storage_not_in_file"),
        ("{ broken", "parse_error"),
        ("{} // x", "invalid_for_tool"),
    ] {
        let done = case().file(FILE, text).switch("b");
        assert_eq!((done.refusal(), done.models()), (Some(refusal), (None, None)), "{text}");
    }
    assert_eq!(case().switch("b").refusal(), Some("storage_not_in_file"));
}
