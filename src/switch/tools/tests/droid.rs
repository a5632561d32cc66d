//! Droid's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.factory/settings.json";
const LOCAL: &str = "~/.factory/settings.local.json";
const OLD: &str = "~/.factory/config.json";
const TEXT: &str = r#"{
  "model": "opus",
  "diffMode": "github",
  "customModels": [
    { "model": "glm-5", "displayName": "GLM 5 Lab", "baseUrl": "http://lab/v1", "apiKey": "${LAB_KEY}", "provider": "generic-chat-completion-api" },
    { "id": "custom:Mine-7", "model": "claude-opus-5", "displayName": "Mine", "baseUrl": "http://proxy", "apiKey": "k", "provider": "anthropic" }
  ]
}
"#;

fn case() -> Case {
    Case::new("droid").env("LAB_KEY", "x")
}

#[test]
fn the_model_alone_is_changed() {
    let done = case().file(FILE, TEXT).switch("gpt-5.5");
    assert_eq!(done.undoes().text(FILE), TEXT.replacen("opus", "gpt-5.5", 1));
    assert_eq!((done.models(), done.codes()), ((Some("opus"), Some("gpt-5.5")), vec![]));
    assert_eq!(done.keys(), ["model"]);
}

#[test]
fn an_added_model_is_chosen_by_its_id() {
    for (wanted, provider, id, model) in [
        ("glm-5", None, "custom:GLM-5-Lab-0", Some("glm-5")),
        ("GLM 5 Lab", None, "custom:GLM-5-Lab-0", Some("glm-5")),
        ("custom:GLM-5-Lab-0", None, "custom:GLM-5-Lab-0", Some("glm-5")),
        ("claude-opus-5", Some("anthropic"), "custom:Mine-7", Some("claude-opus-5")),
        ("claude-opus-5", Some("openai"), "claude-opus-5", None),
        ("GLM-5", None, "GLM-5", None),
    ] {
        let case = provider.map_or_else(case, |provider| case().provider(provider));
        let done = case.file(FILE, TEXT).switch(wanted);
        assert_eq!(done.undoes().text(FILE), TEXT.replacen("opus", id, 1), "{wanted}");
        assert_eq!(done.models().1, Some(id), "{wanted}");
        assert_eq!(done.plan.after.resolves_to.as_deref(), model, "{wanted}");
    }
    let done = case().file(FILE, TEXT).switch("custom:Gone-3");
    assert_eq!(done.refusal(), Some("model_unverified"));
}

#[test]
fn the_old_file_adds_models_behind_the_new_ones() {
    let old = r#"{"custom_models":[{"model":"kimi-k2","model_display_name":"Kimi K2","base_url":"http://k/v1","api_key":"k","provider":"openai"}]}"#;
    let done = case().file(FILE, TEXT).file(OLD, old).switch("kimi-k2");
    assert_eq!((done.models().1, done.text(OLD).as_str()), (Some("custom:Kimi-K2-0"), old));
    assert_eq!(done.providers().1, Some("openai"));
}

#[test]
fn higher_levels_win_and_the_users_file_is_still_edited() {
    let theirs = r#"{"model":"theirs"}"#;
    let case = || case().file(FILE, TEXT).cwd("/srv/atlas/api").file("/srv/atlas/.git/HEAD", "");
    for (path, code) in [
        ("/etc/factory/settings.json", "masked_by_managed_file"),
        ("/srv/atlas/.factory/settings.json", "masked_by_project_file"),
        ("/srv/atlas/.factory/settings.local.json", "masked_by_project_file"),
        ("/srv/atlas/api/.factory/settings.json", "masked_by_project_file"),
    ] {
        let done = case().file(path, theirs).switch("b");
        assert_eq!((done.models(), done.codes()), ((Some("theirs"), Some("theirs")), vec![code]), "{path}");
        assert_eq!(done.text(FILE), TEXT.replacen("opus", "b", 1));
        let message = &done.plan.warnings[0].message(&crate::i18n::Tr::new(crate::i18n::Lang::English));
        assert!(message.contains(path) && message.contains("theirs"), "{message}");
    }
    let done = case().file("/srv/.factory/settings.json", theirs).switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]), "above the project's root");
    let outside = case().file("/srv/atlas/.factory/settings.json", theirs).switch("b");
    assert_eq!(outside.plan.after_outside.as_ref().and_then(|other| other.model.as_deref()), Some("b"));
}

#[test]
fn the_projects_root_beats_the_folder_and_the_administrator_beats_both() {
    let named = |name: &str| format!(r#"{{"model":"{name}"}}"#);
    let case = || {
        case()
            .file(FILE, TEXT)
            .cwd("/srv/atlas/api")
            .file("/srv/atlas/.git/HEAD", "")
            .file("/srv/atlas/.factory/settings.json", named("root"))
            .file("/srv/atlas/api/.factory/settings.json", named("folder"))
    };
    assert_eq!(case().switch("b").models().1, Some("root"));
    let done = case().file("/srv/atlas/.factory/settings.local.json", named("local")).switch("b");
    assert_eq!(done.models().1, Some("local"));
    assert_eq!(case().file("/etc/factory/settings.json", named("org")).switch("b").models().1, Some("org"));
}

#[test]
fn the_users_local_file_decides_where_it_names_a_model() {
    let done = case().file(FILE, TEXT).file(LOCAL, "{\n\t\"model\": \"mine\"\n}").switch("b");
    assert_eq!(done.undoes().text(LOCAL), "{\n\t\"model\": \"b\"\n}");
    assert_eq!((done.models(), done.codes()), ((Some("mine"), Some("b")), vec!["other_file_masked"]));
    assert_eq!(done.text(FILE), TEXT);
    let done = case().file(FILE, TEXT).file(LOCAL, r#"{"diffMode":"unified"}"#).switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("opus"), Some("b")), vec![]));
}

#[test]
fn started_in_the_home_folder_the_users_file_is_no_project() {
    let done = case().file(FILE, TEXT).cwd("~").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
}

#[test]
fn places_and_new_files() {
    for (case, path) in [
        (case().platform(Platform::Windows), r"C:\Users\ada\.factory\settings.json"),
        (case().platform(Platform::Macos), FILE),
    ] {
        assert_eq!(
            case.file(path, "{\r\n  \"model\": \"a\"\r\n}").switch("b").text(path),
            "{\r\n  \"model\": \"b\"\r\n}"
        );
    }
    let managed = "/Library/Application Support/Factory/settings.json";
    let done = case().platform(Platform::Macos).file(FILE, TEXT).file(managed, r#"{"model":"org"}"#).switch("b");
    assert_eq!(done.codes(), ["masked_by_managed_file"]);
    let done = case().switch("b");
    assert_eq!((done.models(), done.codes()), ((None, Some("b")), vec![]));
    let done = case().file(FILE, "{\n  \"diffMode\": \"github\"\n}\n").switch("b");
    assert_eq!(done.undoes().models(), (None, Some("b")));
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case().file(FILE, "{\"model\": \"a\" // x\n}"), "invalid_for_tool"),
        (case().file(FILE, "{\"model\": \"a\",}"), "invalid_for_tool"),
        (case().file(FILE, "{\"model\": "), "parse_error"),
        (case().file(FILE, TEXT).file(LOCAL, "{"), "parse_error"),
        (case().file(FILE, r#"{"model": {"id": "a"}}"#), "wrong_type"),
        (case().readonly(FILE, TEXT), "target_readonly"),
    ] {
        assert_eq!(case.switch("b").refusal(), Some(code));
    }
    let done = case().file(FILE, TEXT).cwd("/srv/atlas").file("/srv/atlas/.factory/settings.json", "{").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
}

#[test]
fn of_a_repeated_key_the_last_counts_and_a_link_is_followed() {
    let done = case().link(FILE, "~/dotfiles/droid.json", r#"{"model":"a","model":"a2"}"#).switch("b");
    assert_eq!((done.undoes().models(), done.codes()), ((Some("a2"), Some("b")), vec!["duplicate_key"]));
}

#[test]
fn endpoints_are_the_added_models() {
    let all = case().file(FILE, TEXT).look(|tool, at| tool.endpoints(at));
    assert_eq!(all[0].credential, Credential::Variable("LAB_KEY".to_owned()));
    assert_eq!((all[0].dialect, all[1].dialect), (Some(Dialect::OpenaiChat), Some(Dialect::AnthropicMessages)));
    let done = Case::new("droid").file(FILE, TEXT).switch("glm-5");
    assert_eq!(done.codes(), ["provider_key_missing"]);
    assert!(done.message(Code::ProviderKeyMissing).contains("LAB_KEY"));
}
