//! Cline's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.cline/data/settings/providers.json";
const TEXT: &str = r#"{
  "version": 1,
  "lastUsedProvider": "anthropic",
  "modes": {},
  "providers": {
    "openrouter": {
      "settings": { "provider": "openrouter", "model": "claude-sonnet-5", "apiKey": "k" },
      "updatedAt": "2026-10-01T10:00:00.000Z",
      "tokenSource": "manual"
    },
    "anthropic": {
      "settings": { "provider": "anthropic", "model": "claude-sonnet-5", "apiKey": "k" },
      "updatedAt": "2026-10-01T10:00:00.000Z",
      "tokenSource": "manual"
    }
  }
}"#;

fn case() -> Case {
    Case::new("cline")
}

#[test]
fn the_last_used_providers_model_is_changed() {
    let done = case().file(FILE, TEXT).switch("claude-opus-5");
    let at = TEXT.rfind("claude-sonnet-5").expect("it is there");
    let expected = format!("{}claude-opus-5{}", &TEXT[..at], &TEXT[at + "claude-sonnet-5".len()..]);
    assert_eq!(done.undoes().text(FILE), expected);
    assert_eq!(done.models(), (Some("claude-sonnet-5"), Some("claude-opus-5")));
    assert_eq!((done.providers().1, done.codes()), (Some("anthropic"), vec!["tool_may_write_back"]));
    assert_eq!(done.keys(), ["providers.anthropic.settings.model"]);
    assert!(done.message(Code::ToolMayWriteBack).contains("Cline"));
}

#[test]
fn another_provider_becomes_the_last_used_one() {
    let done = case().file(FILE, TEXT).provider("openrouter").switch("qwen/qwen3-coder");
    assert_eq!(done.keys(), ["providers.openrouter.settings.model", "lastUsedProvider"]);
    assert_eq!(done.undoes().models().1, Some("qwen/qwen3-coder"));
    assert_eq!(done.providers(), (Some("anthropic"), Some("openrouter")));
    let done = case().file(FILE, TEXT).provider("openrouter").switch("claude-sonnet-5");
    assert_eq!(done.keys(), ["lastUsedProvider"]);
    let done = case().file(FILE, TEXT).provider("groq").switch("b");
    assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("provider_unknown"), TEXT));
}

#[test]
fn places() {
    for (case, path) in [
        (case().env("CLINE_DIR", "/srv/cline"), "/srv/cline/data/settings/providers.json"),
        (case().env("CLINE_DATA_DIR", "/srv/data"), "/srv/data/settings/providers.json"),
        (case().env("CLINE_DIR", "/no").env("CLINE_DATA_DIR", "/srv/data"), "/srv/data/settings/providers.json"),
        (case().env("CLINE_DATA_DIR", "/no").env("CLINE_PROVIDER_SETTINGS_PATH", "/p.json"), "/p.json"),
        (case().env("CLINE_DIR", ""), FILE),
        (case().platform(Platform::Windows), r"C:\Users\ada\.cline\data\settings\providers.json"),
        (case().platform(Platform::Macos), FILE),
    ] {
        let done = case.file(path, TEXT.replace('\n', "\r\n")).switch("b");
        assert_eq!(done.undoes().models().1, Some("b"), "{path}");
        assert!(done.text(path).contains("\r\n"));
    }
}

#[test]
fn a_provider_without_a_model_gets_one() {
    let text = r#"{"version":1,"lastUsedProvider":"cline","modes":{},"providers":{"cline":{"settings":{"provider":"cline"}}}}"#;
    let done = case().file(FILE, text).switch("b");
    assert_eq!((done.undoes().models(), done.providers()), ((None, Some("b")), (Some("cline"), Some("cline"))));
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case(), "storage_not_in_file"),
        (case().file("~/.cline/data/globalState.json", "{}"), "storage_not_in_file"),
        (case().file(FILE, TEXT.replacen('{', "{ // mine", 1)), "invalid_for_tool"),
        (case().file(FILE, TEXT.replace("\"modes\": {},", "\"modes\": {,},")), "parse_error"),
        (case().file(FILE, TEXT.replace("}\n}", "},\n}")), "invalid_for_tool"),
        (case().file(FILE, format!("\u{feff}{TEXT}")), "invalid_for_tool"),
        (case().file(FILE, TEXT.replace("\"version\": 1", "\"version\": 2")), "invalid_for_tool"),
        (case().file(FILE, TEXT.replace("\"claude-sonnet-5\"", "5")), "wrong_type"),
        (case().file(FILE, TEXT.replace("\"anthropic\",", "7,")), "wrong_type"),
        (case().file(FILE, r#"{"version":1,"providers":{}}"#), "provider_unknown"),
        (case().readonly(FILE, TEXT), "target_readonly"),
    ] {
        let done = case.switch("b");
        assert_eq!(done.refusal(), Some(code), "{:?}", done.plan.warnings);
    }
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let text = TEXT.replace("\"modes\": {},", "\"lastUsedProvider\": \"openrouter\",");
    let done = case().file(FILE, text).switch("b");
    assert_eq!(done.keys(), ["providers.openrouter.settings.model"]);
    assert_eq!(done.codes(), ["duplicate_key", "tool_may_write_back"]);
}

#[test]
fn keys_in_the_file_are_seen_and_never_shown() {
    let case = case().file(FILE, TEXT);
    let all = case.look(|tool, at| tool.endpoints(at));
    assert!(all.iter().all(|endpoint| endpoint.credential == Credential::InFile));
    assert_eq!(all[1].base_url.as_deref(), Some("https://api.anthropic.com"));
    assert!(!format!("{all:?}").contains("\"k\""));
}

#[test]
fn a_link_is_followed_and_a_second_switch_goes_on() {
    let first = case().link(FILE, "~/dotfiles/cline.json", TEXT).switch("b");
    let second = case().files_of(&first).switch("c");
    assert_eq!(second.undoes().models(), (Some("b"), Some("c")));
}

#[test]
fn an_address_without_a_scheme_loses_the_whole_file() {
    let at = |address: &str| {
        let settings = format!("\"model\": \"claude-sonnet-5\", \"baseUrl\": \"{address}\", \"apiKey\"");
        case()
            .file(FILE, TEXT.replacen("\"model\": \"claude-sonnet-5\", \"apiKey\"", &settings, 1))
            .switch("claude-opus-5")
    };
    for address in ["gateway.example/v1", "/v1", "{BASE}/v1", "1http://127.0.0.1"] {
        let done = at(address);
        assert_eq!(done.refusal(), Some("invalid_for_tool"), "{address}");
        assert!(done.message(Code::InvalidForTool).contains(address));
    }
    for address in ["https://gateway.example/v1", "http://127.0.0.1:1/v1", "HTTP://[::1]:1"] {
        assert_eq!((at(address).refusal(), at(address).models().1), (None, Some("claude-opus-5")), "{address}");
    }
}
