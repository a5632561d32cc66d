//! Continue's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.continue/config.yaml";
const OLD: &str = "~/.continue/config.json";
const STATE: &str = "~/.continue/index/globalContext.json";
const TEXT: &str = "# mine\nname: Main\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: Fast\n    provider: openai\n    model: gpt-5.5-mini # quick\n    apiKey: k\n  - name: Completion\n    provider: mistral\n    model: codestral\n    roles: [autocomplete]\n  - name: Smart\n    provider: anthropic\n    model: claude-sonnet-5\n    roles:\n      - chat\n      - edit\n";

fn selects(name: &str) -> String {
    format!(
        "{{\n  \"selectedModelsByProfileId\": {{\n    \"local\": {{\n      \"chat\": \"{name}\",\n      \"edit\": \"Fast\"\n    }}\n  }}\n}}"
    )
}

fn case() -> Case {
    Case::new("continue")
}

#[test]
fn the_selected_entrys_model_is_changed() {
    let done = case().file(FILE, TEXT).file(STATE, selects("Smart")).switch("claude-opus-5");
    assert_eq!(done.undoes().text(FILE), TEXT.replace("claude-sonnet-5", "claude-opus-5"));
    assert_eq!(done.models(), (Some("claude-sonnet-5"), Some("claude-opus-5")));
    assert_eq!((done.providers().1, done.codes()), (Some("anthropic"), vec![]));
    assert_eq!((done.keys(), done.text(STATE)), (vec!["models.2.model".to_owned()], selects("Smart")));
}

#[test]
fn without_a_selection_the_first_for_chat_counts() {
    for state in
        [None, Some("{}"), Some("{\"selectedModelsByProfileId\":{\"other\":{\"chat\":\"Smart\"}}}"), Some("{ broken")]
    {
        let case = state.map_or_else(case, |state| case().file(STATE, state));
        let done = case.file(FILE, TEXT).switch("gpt-5.5");
        assert_eq!(done.undoes().text(FILE), TEXT.replace("gpt-5.5-mini", "gpt-5.5"), "{state:?}");
        assert_eq!((done.models().0, done.codes()), (Some("gpt-5.5-mini"), vec![]), "{state:?}");
    }
    let text = TEXT.replace("  - name: Fast\n", "  - name: Fast\n    roles: [embed]\n");
    assert_eq!(case().file(FILE, text).switch("b").keys(), ["models.2.model"]);
}

#[test]
fn a_stale_selection_falls_back_to_the_first() {
    for name in ["Gone", "smart", "Completion"] {
        let done = case().file(FILE, TEXT).file(STATE, selects(name)).switch("gpt-5.5");
        assert_eq!(
            (done.models(), done.codes()),
            ((Some("gpt-5.5-mini"), Some("gpt-5.5")), vec!["inert_key"]),
            "{name}"
        );
        assert!(done.message(Code::InertKey).contains(name));
    }
}

#[test]
fn another_providers_entry_is_selected() {
    let done = case().file(FILE, TEXT).file(STATE, selects("Fast")).provider("anthropic").switch("claude-sonnet-5");
    assert_eq!(done.undoes().text(STATE), selects("Smart"));
    assert_eq!((done.text(FILE).as_str(), done.models().1), (TEXT, Some("claude-sonnet-5")));
    assert_eq!((done.providers(), done.codes()), ((Some("openai"), Some("anthropic")), vec!["tool_may_write_back"]));
    let done = case().file(FILE, TEXT).file(STATE, selects("Fast")).provider("anthropic").switch("claude-opus-5");
    assert_eq!(done.keys(), ["models.2.model", "selectedModelsByProfileId.local.chat"]);
    assert_eq!(done.undoes().models().1, Some("claude-opus-5"));
    let done = case().file(FILE, TEXT).provider("anthropic").switch("claude-opus-5");
    assert_eq!(done.models().1, Some("claude-opus-5"), "the state file is made");
    let done = case().file(FILE, TEXT).provider("mistral").switch("codestral");
    assert_eq!(done.refusal(), Some("provider_unknown"), "it is not for chat");
}

#[test]
fn the_old_file_counts_alone() {
    let old = "{\n  // mine\n  \"models\": [\n    {\"title\": \"A\", \"provider\": \"openai\", \"model\": \"a\"},\n    {\"title\": \"B\", \"provider\": \"openai\", \"model\": \"a\"}\n  ]\n}";
    let done = case().file(OLD, old).file(STATE, selects("B")).switch("b");
    assert_eq!((done.undoes().keys(), done.models()), (vec!["models.1.model".to_owned()], (Some("a"), Some("b"))));
    let done = case().file(OLD, old).file(FILE, TEXT).file(STATE, selects("B")).switch("b");
    assert_eq!((done.text(OLD).as_str(), done.codes()), (old, vec!["inert_key"]));
}

#[test]
fn places_and_forms() {
    for (case, path) in [
        (case().env("CONTINUE_GLOBAL_DIR", "/srv/continue"), "/srv/continue/config.yaml"),
        (case().env("CONTINUE_GLOBAL_DIR", ""), FILE),
        (case().platform(Platform::Windows), r"C:\Users\ada\.continue\config.yaml"),
        (case().platform(Platform::Macos), FILE),
    ] {
        let crlf = TEXT.replace('\n', "\r\n");
        let done = case.file(path, &crlf).switch("gpt-5.5");
        assert_eq!(done.undoes().text(path), crlf.replace("gpt-5.5-mini", "gpt-5.5"), "{path}");
    }
    let quoted = TEXT.replace("gpt-5.5-mini", "'gpt-5.5-mini'").trim_end().to_owned();
    let done = case().link(FILE, "~/dotfiles/continue.yaml", &quoted).switch("gpt-5.5");
    assert_eq!(done.undoes().text(FILE), quoted.replace("gpt-5.5-mini", "gpt-5.5"));
}

#[test]
fn another_profile_hides_the_local_models_in_its_folder() {
    let state = |workspace: &str, id: &str| {
        format!(
            r#"{{"lastSelectedProfileForWorkspace":{{"{workspace}":"{id}"}},"selectedModelsByProfileId":{{"local":{{"chat":"Smart"}}}}}}"#
        )
    };
    let case =
        |workspace: &str, id: &str| case().file(FILE, TEXT).file(STATE, state(workspace, id)).cwd("/srv/my atlas");
    for workspace in
        ["file:///srv/my%20atlas", "file:///srv/my atlas", "/srv/my atlas", "file:///a&file:///srv/my%20atlas"]
    {
        let done = case(workspace, "acme/team").switch("b");
        assert_eq!((done.models(), done.codes()), ((None, None), vec!["masked_by_role_override"]), "{workspace}");
        assert_eq!(done.undoes().text(FILE), TEXT.replace("claude-sonnet-5", "b"));
        assert_eq!(done.plan.after_outside.as_ref().and_then(|other| other.model.as_deref()), Some("b"));
        assert!(done.message(Code::MaskedByRoleOverride).contains("acme/team"));
    }
    for (workspace, id) in
        [("file:///srv/other", "acme/team"), ("file:///srv/my%20atlas", "local"), ("file:///srv", "x/y")]
    {
        let done = case(workspace, id).switch("b");
        assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]), "{workspace} {id}");
    }
    let agent = "name: A\nversion: 1.0.0\nmodels:\n  - name: X\n    provider: openai\n    model: theirs\n";
    let own = case("file:///srv/my%20atlas", "file:///home/ada/.continue/agents/a.yaml");
    let done = own.file("~/.continue/agents/a.yaml", agent).switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("theirs"), vec!["masked_by_role_override"]));
    let project = case("file:///srv/my%20atlas", "file:///srv/my%20atlas/.continue/agents/a.yaml");
    let done = project.file("/srv/my atlas/.continue/agents/a.yaml", agent).switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("theirs"), vec!["masked_by_project_file"]));
    let done = case("file:///srv/my%20atlas", "file:///home/ada/.continue/config.yaml").switch("b");
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn on_windows_a_folder_is_known_by_its_address() {
    let state = r#"{"lastSelectedProfileForWorkspace":{"file:///d%3A/work/atlas":"acme/team"}}"#;
    let done = case()
        .platform(Platform::Windows)
        .cwd(r"D:\work\atlas")
        .file(r"C:\Users\ada\.continue\config.yaml", TEXT)
        .file(r"C:\Users\ada\.continue\index\globalContext.json", state)
        .switch("b");
    assert_eq!(done.codes(), ["masked_by_role_override"]);
}

#[test]
fn the_programs_own_choice_is_seen() {
    let done = case().file(FILE, TEXT).file(STATE, r#"{"cliSelectedModel":"Smart"}"#).switch("gpt-5.5");
    assert_eq!((done.models().1, done.codes()), (Some("gpt-5.5"), vec![]));
    assert!(
        done.plan
            .reading
            .layers
            .iter()
            .any(|layer| !layer.is_active && layer.model.as_deref() == Some("claude-sonnet-5"))
    );
}

#[test]
fn references_are_told_of() {
    let text = TEXT.replace("gpt-5.5-mini", "${{ inputs.MODEL }}");
    assert_eq!(case().file(FILE, text).switch("gpt-5.5").codes(), ["value_was_reference"]);
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case(), "storage_not_in_file"),
        (case().file(FILE, "models:\n  - name: [\n"), "parse_error"),
        (case().file(FILE, "name: x\n"), "provider_unknown"),
        (case().file(FILE, "models:\n  - uses: acme/model\n"), "provider_unknown"),
        (case().file(FILE, "models:\n  - name: A\n    provider: openai\n    model: [a]\n"), "wrong_type"),
        (case().file(FILE, TEXT).provider("groq"), "provider_unknown"),
        (case().file(OLD, "{\"models\": [],}"), "invalid_for_tool"),
        (case().readonly(FILE, TEXT), "target_readonly"),
    ] {
        let done = case.switch("b");
        assert_eq!(done.refusal(), Some(code), "{:?}", done.plan.warnings);
    }
}

#[test]
fn each_entrys_endpoint_is_named_once() {
    let text = format!("{TEXT}  - name: Lab\n    provider: openai\n    apiBase: http://lab/v1\n    model: glm-5\n");
    let all = case().file(FILE, text).look(|tool, at| tool.endpoints(at));
    let seen: Vec<_> = all.iter().map(|e| (e.provider.as_str(), e.base_url.as_deref().unwrap_or_default())).collect();
    assert_eq!(
        seen,
        [
            ("openai", "https://api.openai.com/v1"),
            ("anthropic", "https://api.anthropic.com"),
            ("openai", "http://lab/v1")
        ]
    );
    assert_eq!((&all[0].credential, &all[1].credential), (&Credential::InFile, &Credential::Unknown));
}
