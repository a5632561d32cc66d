//! claude-code-router's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const FILE: &str = "~/.claude-code-router/config.json";
const TEXT: &str = r#"{
  "Providers": [
    { "name": "openrouter", "api_base_url": "https://openrouter.ai/api/v1/chat/completions", "api_key": "$OR_KEY", "models": ["qwen/q3", "z/glm"] },
    { "name": "deepseek", "api_base_url": "https://api.deepseek.com/chat/completions", "api_key": "sk", "models": ["chat"] }
  ],
  "Router": {
    "default": "openrouter,qwen/q3",
    "background": "openrouter,qwen/q3",
    "think": "deepseek,chat"
  }
}
"#;

fn case() -> Case {
    Case::new("claude-code-router").version("2.0.0").env("OR_KEY", "k")
}

#[test]
fn only_the_default_route_changes() {
    for (provider, model, written) in [
        (Some("deepseek"), "chat", "deepseek,chat"),
        (None, "deepseek,chat", "deepseek,chat"),
        (None, "z/glm", "openrouter,z/glm"),
    ] {
        let mut case = case().file(FILE, TEXT);
        if let Some(provider) = provider {
            case = case.provider(provider);
        }
        let done = case.switch(model);
        let expected = TEXT.replace("\"default\": \"openrouter,qwen/q3\"", &format!("\"default\": \"{written}\""));
        assert_eq!((done.undoes().text(FILE), done.keys()), (expected, vec!["Router.default".to_owned()]));
        assert_eq!(done.models(), (Some("openrouter,qwen/q3"), Some(written)));
        assert_eq!(done.providers().1, written.split_once(',').map(|(provider, _)| provider));
        assert_eq!(done.codes(), [""; 0]);
    }
}

#[test]
fn the_provider_must_be_defined_and_its_list_is_looked_at() {
    let done = case().file(FILE, TEXT).provider("OpenRouter").switch("z/glm");
    assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("provider_unknown"), TEXT));
    let done = case().file(FILE, TEXT).provider("openrouter").switch("new/model");
    assert_eq!((done.models().1, done.codes()), (Some("openrouter,new/model"), vec!["model_unverified"]));
    let lower = TEXT.replace("Providers", "providers");
    assert_eq!(case().file(FILE, lower).provider("deepseek").switch("chat").models().1, Some("deepseek,chat"));
}

#[test]
fn version_three_keeps_its_settings_elsewhere() {
    let database = "~/.claude-code-router/config.sqlite";
    let done = case().file(FILE, TEXT).file(database, "x").provider("deepseek").switch("chat");
    assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("storage_not_in_file"), TEXT));
    assert!(done.message(Code::StorageNotInFile).contains("config.sqlite"));
    let newer = Case::new("claude-code-router").version("3.0.21").file(FILE, TEXT).provider("deepseek").switch("chat");
    assert_eq!(newer.refusal(), Some("storage_not_in_file"));
    let unknown = Case::new("claude-code-router").file(FILE, TEXT).provider("deepseek").switch("chat");
    assert_eq!((unknown.refusal(), unknown.codes()), (None, vec![]));
    let two = Case::new("claude-code-router")
        .versions("1.0.73", "3.0.21")
        .file(FILE, TEXT)
        .provider("deepseek")
        .switch("chat");
    assert_eq!(two.codes(), ["versions_differ"]);
    let windows = Case::new("claude-code-router")
        .platform(Platform::Windows)
        .file(r"C:\Users\ada\.claude-code-router\config.json", TEXT);
    let windows =
        windows.file(r"C:\Users\ada\AppData\Roaming\claude-code-router\config.sqlite", "x").provider("deepseek");
    assert_eq!(windows.switch("chat").refusal(), Some("storage_not_in_file"));
}

#[test]
fn a_missing_route_is_added_and_a_missing_file_is_not_made() {
    let none = TEXT.replace("    \"default\": \"openrouter,qwen/q3\",\n", "");
    let done = case().file(FILE, &none).provider("deepseek").switch("chat");
    assert_eq!((done.models(), done.refusal()), ((None, Some("deepseek,chat")), None));
    assert_eq!(case().provider("deepseek").switch("chat").refusal(), Some("storage_not_in_file"));
    assert_eq!(case().file(FILE, &none).switch("chat").refusal(), Some("provider_unknown"));
}

#[test]
fn references_a_script_and_keys() {
    let text = TEXT.replace("\"default\": \"openrouter,qwen/q3\"", "\"default\": \"${P},chat\"");
    let done = case().env("P", "deepseek").file(FILE, &text).provider("openrouter").switch("z/glm");
    assert_eq!(
        (done.models(), done.codes()),
        ((Some("deepseek,chat"), Some("openrouter,z/glm")), vec!["value_was_reference"])
    );
    let text = TEXT.replacen('{', "{\n  \"CUSTOM_ROUTER_PATH\": \"/srv/router.js\",", 1);
    let done = case().file(FILE, text).provider("deepseek").switch("chat");
    assert_eq!(done.codes(), ["masked_by_role_override"]);
    let keyless = Case::new("claude-code-router").file(FILE, TEXT).provider("openrouter").switch("z/glm");
    assert_eq!(keyless.codes(), ["provider_key_missing"]);
}

#[test]
fn forms_and_what_it_cannot_read() {
    for (text, after) in [
        (
            TEXT.replace('\n', "\r\n"),
            TEXT.replace('\n', "\r\n").replacen("default\": \"openrouter,qwen/q3", "default\": \"deepseek,chat", 1),
        ),
        (
            format!("// mine\n{TEXT}"),
            format!("// mine\n{}", TEXT.replacen("default\": \"openrouter,qwen/q3", "default\": \"deepseek,chat", 1)),
        ),
    ] {
        let done = case().file(FILE, text).provider("deepseek").switch("chat");
        assert_eq!(done.undoes().text(FILE), after);
    }
    for (text, code) in
        [("{ \"Router\": ", "parse_error"), ("{\"Router\":{\"default\":5}}", "wrong_type"), ("[]", "wrong_type")]
    {
        assert_eq!(case().file(FILE, text).provider("deepseek").switch("chat").refusal(), Some(code), "{text}");
    }
    assert_eq!(case().readonly(FILE, TEXT).provider("deepseek").switch("chat").refusal(), Some("target_readonly"));
    let twice = TEXT
        .replace("\"default\": \"openrouter,qwen/q3\"", "\"default\": \"a,b\", \"default\": \"openrouter,qwen/q3\"");
    let done = case().file(FILE, &twice).provider("deepseek").switch("chat");
    assert_eq!(
        (done.codes(), done.text(FILE)),
        (
            vec!["duplicate_key"],
            twice.replacen("\"default\": \"openrouter,qwen/q3\"", "\"default\": \"deepseek,chat\"", 1)
        )
    );
    let linked = case().link(FILE, "~/dot/ccr.json", TEXT).provider("deepseek").switch("chat");
    assert_eq!(linked.models().1, Some("deepseek,chat"));
}

#[test]
fn another_route_changes_only_when_it_is_named() {
    let done = case().file(FILE, TEXT).alias("think").provider("openrouter").switch("z/glm");
    assert_eq!(done.text(FILE), TEXT.replace("deepseek,chat", "openrouter,z/glm"));
    assert_eq!(
        (done.models(), done.keys()),
        ((Some("deepseek,chat"), Some("openrouter,z/glm")), vec!["Router.think".to_owned()])
    );
    let unheard = case().file(FILE, TEXT).alias("thinking").provider("deepseek").switch("chat");
    assert_eq!((unheard.refusal(), unheard.text(FILE).as_str()), (Some("ambiguous_target"), TEXT));
}
