//! Crush's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::{Credential, Tool};
use crate::switch::tools::crush::Crush;
use crate::switch::warning::Code;

const DATA: &str = "~/.local/share/crush/crush.json";
const CONFIG: &str = "~/.config/crush/crush.json";
const SCRIPT: &str = "~/.config/crush/crushrc";

fn large(provider: &str, model: &str) -> String {
    format!("{{\"models\":{{\"large\":{{\"model\":\"{model}\",\"provider\":\"{provider}\"}}}}}}")
}

/// In a folder below the root of a repository; the data file names `v/data`.
fn case() -> Case {
    Case::new("crush").version("0.90.0").cwd("/srv/p/sub").file("/srv/p/.git/HEAD", "").file(DATA, large("v", "data"))
}

#[test]
fn the_sample_of_a_data_file_that_decides() {
    let data = include_str!("../../../../tests/fixtures/config-cases/15-crush-data-file-decides/data.crush.json");
    let config = include_str!("../../../../tests/fixtures/config-cases/15-crush-data-file-decides/config.crush.json");
    let done = Case::new("crush")
        .version("0.90.0")
        .cwd("/srv/projects/atlas")
        .env("ANTHROPIC_API_KEY", "k")
        .file(DATA, data)
        .file(CONFIG, config)
        .provider("anthropic")
        .switch("claude-opus-5");
    let expected = data.replacen("\"gpt-5.5\"", "\"claude-opus-5\"", 1).replacen("\"openai\"", "\"anthropic\"", 1);
    assert_eq!((done.undoes().text(DATA), done.text(CONFIG)), (expected, config.to_owned()));
    assert_eq!(done.keys(), ["models.large.model", "models.large.provider"]);
    assert_eq!(
        (done.models(), done.providers()),
        ((Some("gpt-5.5"), Some("claude-opus-5")), (Some("openai"), Some("anthropic")))
    );
    assert_eq!(done.codes(), ["other_file_masked"]);
    let message = done.message(Code::OtherFileMasked);
    assert!(message.contains("models.large") && message.contains("/home/ada/.config/crush/crush.json"), "{message}");
}

#[test]
fn the_file_that_is_edited() {
    for (case, edited, after) in [
        (case(), DATA, large("v", "b")),
        (case().file(DATA, "{\"a\":1}").file(CONFIG, large("v", "c")), CONFIG, large("v", "b")),
        (case().file(DATA, "").file(CONFIG, large("v", "c")), CONFIG, large("v", "b")),
        (
            Case::new("crush"),
            CONFIG,
            "{\n  \"models\": {\n    \"large\": {\n      \"model\": \"b\",\n      \"provider\": \"v\"\n    }\n  }\n}\n".to_owned(),
        ),
        (
            case().file(DATA, "{\"models\":{\"small\":{\"model\":\"s\",\"provider\":\"v\"}}}").file(CONFIG, large("v", "c")),
            DATA,
            "{\"models\":{\"small\":{\"model\":\"s\",\"provider\":\"v\"},\"large\":{\"model\":\"b\",\"provider\":\"v\"}}}".to_owned(),
        ),
    ] {
        let done = case.provider("v").switch("b");
        assert_eq!(strip(&done.text(edited)), strip(&after));
        assert_eq!((done.models().1, done.providers().1), (Some("b"), Some("v")));
    }
}

fn strip(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn the_provider_is_written_only_where_it_changes() {
    assert_eq!(case().provider("v").switch("b").keys(), ["models.large.model"]);
    assert_eq!(case().switch("b").keys(), ["models.large.model"]);
    assert_eq!(case().provider("w").switch("data").keys(), ["models.large.provider"]);
    assert_eq!(Case::new("crush").switch("b").refusal(), Some("provider_unknown"));
}

#[test]
fn bytes_around_the_values_stay() {
    let text =
        "{\r\n\t\"models\": {\r\n\t\t\"large\": { \"provider\": \"v\", \"model\": \"a\", \"think\": true }\r\n\t}\r\n}";
    let done = case().file(DATA, text).provider("v").switch("b");
    assert_eq!(done.undoes().text(DATA), text.replace("\"a\"", "\"b\""));
}

#[test]
fn projects_and_the_workspace_win() {
    for (files, model) in [
        (vec![("/srv/p/crush.json", "root")], "root"),
        (vec![("/srv/p/crush.json", "plain"), ("/srv/p/.crush.json", "hidden")], "hidden"),
        (vec![("/srv/p/.crush.json", "root"), ("/srv/p/sub/crush.json", "near")], "near"),
        (vec![("/srv/p/sub/.crush.json", "near"), ("/srv/p/.crush/crush.json", "workspace")], "workspace"),
    ] {
        let mut case = case();
        for (path, model) in files {
            case = case.file(path, large("v", model));
        }
        let done = case.provider("v").switch("b");
        assert_eq!((done.models(), done.codes()), ((Some(model), Some(model)), vec!["masked_by_project_file"]));
        assert_eq!(done.text(DATA), large("v", "b"));
        assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("b"));
    }
    let script = "# mine\nmodel small v/s\nmodel large \"v/scripted/x\" --think\n";
    for name in ["crushrc", ".crushrc"] {
        let path = format!("/srv/p/sub/{name}");
        let done =
            case().file("/srv/p/sub/.crush.json", large("v", "json")).file(&path, script).provider("v").switch("b");
        assert_eq!((done.models().1, done.codes()), (Some("scripted/x"), vec!["masked_by_project_file"]));
    }
}

#[test]
fn what_does_not_count_masks_nothing() {
    for case in [
        case().file("/srv/crush.json", large("v", "above")),
        case().file("/srv/p/crush.json", "{\"models\":{\"small\":{\"model\":\"s\",\"provider\":\"v\"}}}"),
        case().file("/srv/p/crush.json", ""),
        case().file("/srv/p/crushrc", "model large\nmodel add v/x\necho model large v/y\n# model large v/z\n"),
        case().file("/etc/crush/crush.json", large("v", "machine")),
        case().env("CRUSH_MODEL", "x").env("OPENAI_MODEL", "y"),
    ] {
        let done = case.provider("v").switch("b");
        assert_eq!((done.models(), done.codes()), ((Some("data"), Some("b")), vec![]));
    }
    let loose = Case::new("crush")
        .cwd("/srv/q/sub")
        .file("/srv/q/crush.json", large("v", "above"))
        .file(DATA, large("v", "data"));
    assert_eq!(
        loose.provider("v").switch("b").models().1,
        Some("b"),
        "outside a repository only the folder itself counts"
    );
}

#[test]
fn a_project_that_names_only_the_provider() {
    let done =
        case().file("/srv/p/crush.json", "{\"models\":{\"large\":{\"provider\":\"w\"}}}").provider("v").switch("b");
    assert_eq!((done.models().1, done.providers().1), (Some("b"), Some("w")));
    assert_eq!(done.codes(), ["masked_by_project_file"]);
}

#[test]
fn the_script_beside_the_users_file_wins_over_it_and_not_over_the_data_file() {
    let script = "model large v/scripted\n";
    let done = Case::new("crush").file(CONFIG, large("v", "c")).file(SCRIPT, script).provider("v").switch("b");
    assert_eq!((done.models(), done.text(CONFIG)), ((Some("scripted"), Some("b")), large("v", "c")));
    assert_eq!(strip(&done.text(DATA)), large("v", "b"));
    let dynamic =
        Case::new("crush").file(CONFIG, large("v", "c")).file(SCRIPT, "model large \"$M\"\n").provider("v").switch("b");
    assert_eq!(dynamic.text(CONFIG), large("v", "b"));
}

#[test]
fn what_stops_it() {
    for (text, code) in [
        ("{ // c\n\"models\":{}}", "invalid_for_tool"),
        ("{\"models\":{},}", "invalid_for_tool"),
        ("\u{feff}{\"models\":{}}", "invalid_for_tool"),
        ("{\"models\":{\"large\":", "parse_error"),
        ("{\"models\":{\"large\":\"gpt\"}}", "wrong_type"),
        ("{\"models\":{\"large\":{\"model\":5}}}", "wrong_type"),
    ] {
        let done = case().file(DATA, text).provider("v").switch("b");
        assert_eq!((done.refusal(), done.text(DATA).as_str()), (Some(code), text));
        let done = case().file("/srv/p/crush.json", text).provider("v").switch("b");
        assert_eq!((done.models(), done.text(DATA)), ((None, None), large("v", "b")));
        assert!(done.codes().contains(&"fatal_for_tool") && done.codes().contains(&code), "{text}");
    }
}

#[test]
fn a_model_that_a_provider_does_not_list_would_be_replaced() {
    let config = r#"{"providers":{"v":{"base_url":"http://x","api_key":"$V_KEY","models":[{"id":"b"}]},"openai":{"models":[{"id":"x"}]}}}"#;
    for (provider, model, warned) in [("v", "b", false), ("v", "c", true), ("openai", "c", false), ("w", "c", false)] {
        let case = case().env("V_KEY", "k").env("OPENAI_API_KEY", "k").file(CONFIG, config);
        let done = case.provider(provider).switch(model);
        assert_eq!(done.codes().contains(&"model_unverified"), warned, "{provider}/{model}");
    }
    let done = case().file(CONFIG, config).provider("v").switch("b");
    assert_eq!(done.codes(), ["provider_key_missing"]);
}

#[test]
fn keys_are_variables_texts_or_commands_that_are_not_run() {
    let config = r#"{"providers":{"a":{"api_key":"$K"},"b":{"api_key":"${K}"},"c":{"api_key":"$(pass show k)"},"d":{"api_key":"text"},"e":{}}}"#;
    let endpoints = case().file(CONFIG, config).look(|_, at| Crush.endpoints(at));
    let variable = || Credential::Variable("K".to_owned());
    let expected = [variable(), variable(), Credential::Unknown, Credential::InFile, Credential::None];
    assert_eq!(endpoints.iter().take(5).map(|endpoint| endpoint.credential.clone()).collect::<Vec<_>>(), expected);
}

#[test]
fn links_read_only_files_and_other_places() {
    let done = case().link(DATA, "~/dotfiles/crush.json", large("v", "a")).provider("v").switch("b");
    assert_eq!(done.text(DATA), large("v", "b"));
    assert_eq!(case().readonly(DATA, large("v", "a")).provider("v").switch("b").refusal(), Some("target_readonly"));
    for (case, path) in [
        (Case::new("crush").env("XDG_DATA_HOME", "/srv/d"), "/srv/d/crush/crush.json"),
        (Case::new("crush").env("CRUSH_GLOBAL_DATA", "/srv/d"), "/srv/d/crush.json"),
        (Case::new("crush").platform(Platform::Macos), "/Users/ada/.local/share/crush/crush.json"),
        (Case::new("crush").platform(Platform::Windows), r"C:\Users\ada\AppData\Local\crush\crush.json"),
        (Case::new("crush").platform(Platform::Windows).env("LOCALAPPDATA", r"D:\l"), r"D:\l\crush\crush.json"),
    ] {
        assert_eq!(case.file(path, large("v", "a")).provider("v").switch("b").text(path), large("v", "b"));
    }
    let moved = Case::new("crush").env("CRUSH_GLOBAL_CONFIG", "/srv/c").file("/srv/c/crush.json", large("v", "a"));
    assert_eq!(moved.provider("v").switch("b").text("/srv/c/crush.json"), large("v", "b"));
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let text = r#"{"models":{"large":{"model":"a","model":"c","provider":"v"}}}"#;
    let done = case().file(DATA, text).provider("v").switch("b");
    assert_eq!((done.models().0, done.codes()), (Some("c"), vec!["duplicate_key"]));
    assert_eq!(done.text(DATA), text.replace("\"c\"", "\"b\""));
}
