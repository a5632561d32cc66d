//! Zed's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.config/zed/settings.json";
const TEXT: &str = r#"// Zed settings
{
  "theme": "One Dark", // model: gpt-5.5
  "agent": {
    "default_model": {
      "provider": "zed.dev",
      "model": "claude-sonnet-5", /* the default */
    },
    "inline_assistant_model": { "provider": "openai", "model": "claude-sonnet-5" },
  },
}
"#;

fn case() -> Case {
    Case::new("zed")
}

#[test]
fn the_default_model_alone_is_changed() {
    let done = case().file(FILE, TEXT).switch("gpt-5.5");
    let expected = TEXT.replacen("\"model\": \"claude-sonnet-5\", /*", "\"model\": \"gpt-5.5\", /*", 1);
    assert_eq!(done.undoes().text(FILE), expected);
    assert_eq!((done.models(), done.codes()), ((Some("claude-sonnet-5"), Some("gpt-5.5")), vec![]));
    assert_eq!(done.keys(), ["agent.default_model.model"]);
}

#[test]
fn a_provider_goes_with_it() {
    let done = case().file(FILE, TEXT).provider("openai").switch("gpt-5.5");
    assert_eq!(done.keys(), ["agent.default_model.model", "agent.default_model.provider"]);
    assert_eq!((done.undoes().models().1, done.providers()), (Some("gpt-5.5"), (Some("zed.dev"), Some("openai"))));
    let done = case().file(FILE, TEXT).provider("zed.dev").switch("gpt-5.5");
    assert_eq!(done.keys(), ["agent.default_model.model"]);
}

#[test]
fn places() {
    let text = r#"{"agent":{"default_model":{"provider":"p","model":"a"}}}"#;
    for (case, path) in [
        (case().env("XDG_CONFIG_HOME", "/x"), "/x/zed/settings.json"),
        (case().platform(Platform::Macos), "~/.config/zed/settings.json"),
        (case().platform(Platform::Macos).env("XDG_CONFIG_HOME", "/x"), "~/.config/zed/settings.json"),
        (case().platform(Platform::Windows), r"C:\Users\ada\AppData\Roaming\Zed\settings.json"),
        (case().platform(Platform::Windows).env("APPDATA", r"D:\Roaming"), r"D:\Roaming\Zed\settings.json"),
    ] {
        assert_eq!(case.file(path, text).switch("b").models(), (Some("a"), Some("b")), "{path}");
    }
}

#[test]
fn line_ends_marks_and_links_stay() {
    let text =
        "\u{feff}{\r\n\t\"agent\": {\r\n\t\t\"default_model\": {\"provider\": \"p\", \"model\": \"a\"}\r\n\t}\r\n}";
    let done = case().link(FILE, "~/dotfiles/zed.json", text).switch("b");
    assert_eq!(done.undoes().text(FILE), text.replace("\"a\"", "\"b\""));
    assert_eq!(done.codes(), ["bom_present"]);
}

#[test]
fn the_block_that_decides_is_edited() {
    let text = |block: &str| {
        format!(
            r#"{{"agent":{{"default_model":{{"provider":"p","model":"root"}}}},"{block}":{{"agent":{{"default_model":{{"provider":"q","model":"own"}}}}}}}}"#
        )
    };
    for (case, block, key) in [
        (case(), "linux", "linux.agent.default_model.model"),
        (case(), "stable", "stable.agent.default_model.model"),
        (case(), "macos", "agent.default_model.model"),
        (case(), "preview", "agent.default_model.model"),
        (case(), "nightly", "agent.default_model.model"),
        (case().platform(Platform::Macos), "macos", "macos.agent.default_model.model"),
    ] {
        let is_own = key.starts_with(block);
        let done = case.file(FILE, text(block)).switch("b");
        assert_eq!(done.undoes().keys(), [key], "{block}");
        assert_eq!(done.models(), (Some(if is_own { "own" } else { "root" }), Some("b")), "{block}");
        assert_eq!(done.codes(), if is_own { vec!["inert_key"] } else { vec![] }, "{block}");
    }
    let both = r#"{"stable":{"agent":{"default_model":{"provider":"p","model":"s"}}},
        "linux":{"agent":{"default_model":{"provider":"p","model":"l"}}}}"#;
    assert_eq!(case().file(FILE, both).switch("b").keys(), ["linux.agent.default_model.model"]);
}

#[test]
fn a_model_without_its_provider_decides_nothing() {
    let text = r#"{"agent":{"default_model":{"provider":"p","model":"root"}},"linux":{"agent":{"default_model":{"model":"x"}}}}"#;
    let done = case().file(FILE, text).switch("b");
    assert_eq!((done.models(), done.keys()), ((Some("root"), Some("b")), vec!["agent.default_model.model".to_owned()]));
    for text in [r#"{"agent":{"default_model":"gpt-5.5"}}"#, r#"{"agent":{"default_model":{"model":"x"}}}"#] {
        assert_eq!(case().file(FILE, text).switch("b").refusal(), Some("wrong_type"), "{text}");
    }
}

#[test]
fn a_profile_that_is_active_at_first_masks() {
    let text = |profile: &str, default: &str| {
        format!(
            r#"{{"agent":{{"default_model":{{"provider":"p","model":"a"}}{default},
            "profiles":{{"{profile}":{{"name":"X","default_model":{{"provider":"q","model":"mine"}}}}}}}}}}"#
        )
    };
    let done = case().file(FILE, text("write", "")).switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("mine"), Some("mine")), vec!["masked_by_role_override"]));
    assert_eq!((done.providers().1, done.keys()), (Some("q"), vec!["agent.default_model.model".to_owned()]));
    let other = done.plan.after_other_roles.as_ref().and_then(|other| other.model.as_deref());
    assert_eq!(other, Some("b"));
    assert!(done.message(Code::MaskedByRoleOverride).contains("mine"));
    let done = case().file(FILE, text("ask", "")).switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
    let done = case().file(FILE, text("mine", r#","default_profile":"mine""#)).switch("b");
    assert_eq!(done.codes(), ["masked_by_role_override"]);
}

#[test]
fn the_old_name_still_counts_alone() {
    let old = r#"{"assistant":{"version":"2","default_model":{"provider":"p","model":"a"}}}"#;
    let done = case().file(FILE, old).switch("b");
    assert_eq!(done.undoes().text(FILE), old.replace("\"a\"", "\"b\""));
    assert_eq!((done.keys(), done.codes()), (vec!["assistant.default_model.model".to_owned()], vec!["legacy_shape"]));
    let both = r#"{"assistant":{"version":"2","default_model":{"provider":"p","model":"old"}},
        "agent":{"default_model":{"provider":"p","model":"a"}}}"#;
    let done = case().file(FILE, both).switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec!["inert_key"]));
    let first = r#"{"assistant":{"version":"1","default_model":{"provider":"p","model":"old"}}}"#;
    let done = case().file(FILE, first).provider("p").switch("b");
    assert_eq!((done.models(), done.codes()), ((None, Some("b")), vec!["inert_key"]));
}

#[test]
fn a_projects_settings_name_no_model() {
    let done = case()
        .file(FILE, TEXT)
        .cwd("/srv/atlas/sub")
        .file("/srv/atlas/.git/HEAD", "")
        .file("/srv/atlas/.zed/settings.json", r#"{"agent":{"default_model":{"provider":"p","model":"theirs"}}}"#)
        .switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec!["inert_key"]));
    assert!(done.message(Code::InertKey).contains("/srv/atlas/.zed/settings.json"));
    let done = case().file(FILE, TEXT).cwd("/srv/atlas").file("/srv/atlas/.zed/settings.json", "{ broken").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
}

#[test]
fn a_missing_key_needs_a_provider() {
    for start in [None, Some("{\n  \"theme\": \"One\"\n}\n"), Some("{\"agent\":{\"dock\":\"left\"}}")] {
        let case = || start.map_or_else(case, |text| case().file(FILE, text));
        let done = case().provider("openai").switch("b");
        assert_eq!((done.undoes().models(), done.providers().1), ((None, Some("b")), Some("openai")), "{start:?}");
        assert_eq!(case().switch("b").refusal(), Some("provider_unknown"), "{start:?}");
    }
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case().file(FILE, "{\"agent\": "), "parse_error"),
        (case().readonly(FILE, TEXT), "target_readonly"),
        (case().unreadable(FILE), "parse_error"),
    ] {
        assert_eq!(case.switch("b").refusal(), Some(code));
    }
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let text = r#"{"agent":{"default_model":{"provider":"p","model":"a","model":"a2"}}}"#;
    let done = case().file(FILE, text).switch("b");
    assert_eq!((done.undoes().models(), done.codes()), ((Some("a2"), Some("b")), vec!["duplicate_key"]));
}

#[test]
fn endpoints_are_built_in_and_added_ones() {
    let text = r#"{"language_models":{"anthropic":{"api_url":"http://localhost:4000"},
        "openai_compatible":{"My Lab":{"api_url":"http://lab/v1","available_models":[{"name":"glm-5"}]}}}}"#;
    let all = case().file(FILE, text).env("MY_LAB_API_KEY", "x").look(|tool, at| tool.endpoints(at));
    let find = |name: &str| all.iter().find(|endpoint| endpoint.provider == name).expect("it is there");
    assert_eq!(find("anthropic").base_url.as_deref(), Some("http://localhost:4000"));
    assert_eq!(find("anthropic").credential, Credential::Unknown);
    let lab = find("My Lab");
    assert_eq!((lab.dialect, lab.models.as_slice()), (Some(Dialect::OpenaiChat), &["glm-5".to_owned()][..]));
    assert_eq!(lab.credential, Credential::Variable("MY_LAB_API_KEY".to_owned()));
}
