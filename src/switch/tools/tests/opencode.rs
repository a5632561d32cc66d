//! opencode's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const JSONC: &str = "~/.config/opencode/opencode.jsonc";
const JSON: &str = "~/.config/opencode/opencode.json";
const OLD: &str = "~/.config/opencode/config.json";
const CWD: &str = "/srv/p/sub";

fn model(name: &str) -> String {
    format!("{{\"model\":\"{name}\"}}")
}

fn agent(name: &str) -> String {
    format!("{{\"agent\":{{\"build\":{{\"model\":\"{name}\"}}}}}}")
}

/// In a folder below the root of a repository, with the global file naming `a/global`.
fn case() -> Case {
    Case::new("opencode").version("1.18.33").cwd(CWD).file("/srv/p/.git/HEAD", "").file(JSON, model("a/global"))
}

#[test]
fn the_sample_of_an_agent_with_its_own_model() {
    let text = include_str!("../../../../tests/fixtures/config-cases/13-opencode-agent-override-jsonc/opencode.jsonc");
    let done = Case::new("opencode")
        .version("1.18.33")
        .cwd("/srv/projects/atlas")
        .env("ANTHROPIC_API_KEY", "k")
        .env("OPENROUTER_API_KEY", "k")
        .file(JSONC, text)
        .provider("anthropic")
        .switch("claude-sonnet-5-5");
    assert_eq!(done.undoes().text(JSONC), text.replacen("openai/gpt-5.5", "anthropic/claude-sonnet-5-5", 1));
    assert_eq!(done.models(), (Some("openrouter/qwen/qwen3-coder"), Some("openrouter/qwen/qwen3-coder")));
    assert_eq!(done.codes(), ["masked_by_role_override"]);
    assert_eq!(done.keys(), ["model"]);
    let others = done.plan.after_other_roles.as_ref().and_then(|others| others.model.as_deref());
    assert_eq!(others, Some("anthropic/claude-sonnet-5-5"));
    assert!(done.message(Code::MaskedByRoleOverride).contains("build, the default agent, sets its own model"));
}

#[test]
fn forms_of_the_file() {
    for (before, after) in [
        ("{\"model\":\"a/x\"}", "{\"model\":\"a/b\"}"),
        ("{\r\n  \"model\": \"a/x\", // mine\r\n}", "{\r\n  \"model\": \"a/b\", // mine\r\n}"),
        ("\u{feff}{ \"model\": \"a/x\", }", "\u{feff}{ \"model\": \"a/b\", }"),
        ("{\n  \"theme\": \"x\"\n}\n", "{\n  \"theme\": \"x\",\n  \"model\": \"a/b\"\n}\n"),
    ] {
        let done = Case::new("opencode").file(JSONC, before).provider("a").switch("b");
        assert_eq!(done.undoes().text(JSONC), after);
        assert_eq!((done.models().1, done.providers().1), (Some("a/b"), Some("a")));
    }
}

#[test]
fn provider_and_model_are_joined_and_parted_at_the_first_slash() {
    for (provider, wanted, written) in [
        (Some("openrouter"), "qwen/qwen3-coder", "openrouter/qwen/qwen3-coder"),
        (Some("openrouter"), "openrouter/auto", "openrouter/openrouter/auto"),
        (None, "anthropic/claude-opus-5", "anthropic/claude-opus-5"),
        (None, "b", "a/b"),
        (None, "vendor/b", "vendor/b"),
    ] {
        let mut case = case().env("OPENROUTER_API_KEY", "k").env("ANTHROPIC_API_KEY", "k");
        if let Some(provider) = provider {
            case = case.provider(provider);
        }
        let done = case.switch(wanted);
        assert_eq!((done.models().1, done.codes()), (Some(written), vec![]));
        assert_eq!(done.providers().1, written.split_once('/').map(|(provider, _)| provider));
    }
    assert_eq!(Case::new("opencode").switch("b").refusal(), Some("provider_unknown"));
    assert_eq!(Case::new("opencode").switch("a/b").text(JSONC), "{\n  \"model\": \"a/b\"\n}\n");
    let new = Case::new("opencode").provider("a").switch("b");
    assert_eq!(new.text(JSONC), "{\n  \"model\": \"a/b\"\n}\n");
}

#[test]
fn a_name_with_a_slash_is_written_as_it_is() {
    for name in [
        "zai-coding-plan/glm-5",
        "github-copilot/gpt-5.5",
        "amazon-bedrock/anthropic.claude-opus-5",
        "opencode/big-pickle",
        "azure/gpt-5.5",
        "google-vertex/gemini-3-pro",
        "ollama/llama3.2",
        "lmstudio/qwen/qwen3",
        "vercel/openai/gpt-5.5",
        "nvidia/meta/llama-4",
        "acme/x",
    ] {
        let case =
            Case::new("opencode").version("1.18.33").env("OPENAI_API_KEY", "k").file(JSON, model("openai/gpt-5.5"));
        let done = case.switch(name);
        assert_eq!((done.undoes().text(JSON), done.codes()), (model(name), vec![]));
        assert_eq!(done.providers(), (Some("openai"), name.split_once('/').map(|(provider, _)| provider)));
    }
}

/// What is a model of the present provider in one reading has an unknown provider in the other.
#[test]
fn a_slash_that_can_be_read_in_two_ways_is_told_of() {
    let listed = "{\"model\":\"a/x\",\"provider\":{\"a\":{\"models\":{\"y/z\":{}}},\"mine\":{}}}";
    for (text, name, is_told) in [
        (model("openrouter/auto"), "z-ai/glm-5", true),
        (model("requesty/x"), "coding/claude", true),
        (model("own/qwen/qwen3"), "z-ai/glm-5", true),
        (listed.to_owned(), "y/z", true),
        (listed.to_owned(), "mine/z", false),
        (model("openrouter/auto"), "openrouter/z-ai/glm-5", false),
        (model("openrouter/auto"), "deepseek/deepseek-chat", false),
        (model("openrouter/auto"), "github-copilot/gpt-5.5", false),
        (model("openai/gpt-5.5"), "z-ai/glm-5", false),
    ] {
        let case = ["OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"]
            .into_iter()
            .fold(Case::new("opencode"), |case, name| case.env(name, "k"));
        let done = case.file(JSON, &text).switch(name);
        assert_eq!(done.codes(), if is_told { vec!["model_unverified"] } else { vec![] }, "{text} {name}");
        assert_eq!(done.models().1, Some(name));
    }
    let done = Case::new("opencode").file(JSON, model("openrouter/auto")).switch("z-ai/glm-5");
    assert!(done.message(Code::ModelUnverified).contains("--provider openrouter"));
}

#[test]
fn a_variable_that_holds_settings_is_told_as_such() {
    let done = case().env("OPENCODE_CONFIG_CONTENT", &model("z/z")).provider("a").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("z/z"), vec!["masked_by_env"]));
    let told = "The variable OPENCODE_CONFIG_CONTENT holds settings itself, and their model “z/z” wins over your file.";
    assert_eq!(done.message(Code::MaskedByEnv), told);
}

#[test]
fn every_place_above_the_users_file() {
    let dir = ("OPENCODE_CONFIG_DIR", "/srv/dir");
    for (case, effective, code) in [
        (case().file("/srv/p/opencode.json", model("a/root")), "a/root", "masked_by_project_file"),
        (
            case().file("/srv/p/opencode.json", model("a/root")).file("/srv/p/sub/opencode.jsonc", model("a/near")),
            "a/near",
            "masked_by_project_file",
        ),
        (
            case().file("/srv/p/opencode.json", model("a/json")).file("/srv/p/opencode.jsonc", model("a/jsonc")),
            "a/jsonc",
            "masked_by_project_file",
        ),
        (
            case()
                .file("/srv/p/sub/opencode.json", model("a/near"))
                .file("/srv/p/.opencode/opencode.json", model("a/dot")),
            "a/dot",
            "masked_by_project_file",
        ),
        (
            case()
                .file("/srv/p/sub/.opencode/opencode.json", model("a/in"))
                .file("/srv/p/.opencode/opencode.json", model("a/out")),
            "a/out",
            "masked_by_project_file",
        ),
        (
            case().env("OPENCODE_CONFIG", "/srv/c.json").file("/srv/c.json", model("a/named")),
            "a/named",
            "masked_by_env",
        ),
        (
            case()
                .env("OPENCODE_CONFIG", "/srv/c.json")
                .file("/srv/c.json", model("a/named"))
                .file("/srv/p/opencode.json", model("a/root")),
            "a/root",
            "masked_by_project_file",
        ),
        (
            case()
                .env(dir.0, dir.1)
                .file("/srv/dir/opencode.json", model("a/dir"))
                .file("/srv/p/.opencode/opencode.json", model("a/d")),
            "a/dir",
            "masked_by_env",
        ),
        (
            case()
                .env("OPENCODE_CONFIG_CONTENT", "{ // x\n \"model\": \"a/inline\", }")
                .env(dir.0, dir.1)
                .file("/srv/dir/opencode.json", model("a/dir")),
            "a/inline",
            "masked_by_env",
        ),
        (
            case()
                .env("OPENCODE_CONFIG_CONTENT", &model("a/inline"))
                .file("/etc/opencode/opencode.jsonc", model("a/managed")),
            "a/managed",
            "masked_by_managed_file",
        ),
    ] {
        let done = case.provider("a").switch("b");
        assert_eq!((done.models().1, done.codes()), (Some(effective), vec![code]));
        assert_eq!(done.text(JSON), model("a/b"));
    }
}

#[test]
fn what_does_not_count_masks_nothing() {
    for case in [
        case().file("/srv/opencode.json", model("a/above")),
        case().file("/srv/p/config.json", model("a/old")),
        case().file("/srv/p/opencode.json", "{\"small_model\":\"a/x\"}"),
        case().file("/srv/p/opencode.json", model("a/p")).env("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
        case().file("/srv/p/.opencode/opencode.json", model("a/p")).env("OPENCODE_DISABLE_PROJECT_CONFIG", "TRUE"),
        case()
            .file("/srv/p/.opencode/agent/build.md", "---\nmodel: a/p\n---\n")
            .env("OPENCODE_DISABLE_PROJECT_CONFIG", "1"),
        case().env("OPENCODE_CONFIG_CONTENT", "").env("OPENCODE_CONFIG", "").env("OPENCODE_MODEL", "a/x"),
        case().env("OPENCODE_CONFIG", "/srv/missing.json"),
        case().file("/srv/p/opencode.json", ""),
        case().file("/srv/p/opencode.json", "{\"agent\":{\"plan\":{\"model\":\"a/plan\"}}}"),
        case().file("~/.config/opencode/agent/other.md", "---\nmodel: a/other\n---\n"),
        case().file("~/.config/opencode/agent/build.md", "model: a/body\n"),
        case().file("~/.config/opencode/agent/build.md", "---\ndescription: x\n---\nmodel: a/body\n"),
    ] {
        let done = case.provider("a").switch("b");
        assert_eq!((done.models(), done.codes()), ((Some("a/global"), Some("a/b")), vec![]));
    }
    let on = case().file("/srv/p/opencode.json", model("a/p")).env("OPENCODE_DISABLE_PROJECT_CONFIG", "0").switch("b");
    assert_eq!(on.models().1, Some("a/p"));
    let loose =
        Case::new("opencode").cwd("/srv/x").file("/srv/opencode.json", model("a/above")).provider("a").switch("b");
    assert_eq!(loose.models().1, Some("a/above"), "without a repository the search goes to the root");
}

#[test]
fn the_default_agents_own_model() {
    let md = |model: &str| format!("---\ndescription: x\nmodel: {model}\n---\nYou are.\n");
    for (case, effective) in [
        (case().file(JSONC, agent("a/json")), "a/json"),
        (case().file("/srv/p/opencode.json", agent("a/p")).file(JSONC, agent("a/g")), "a/p"),
        (case().file(JSONC, agent("a/g")).file("~/.config/opencode/agent/build.md", md("a/md")), "a/md"),
        (case().file("/srv/p/opencode.json", agent("a/p")).file("~/.config/opencode/agents/build.md", md("a/md")), "a/md"),
        (
            case().file("/srv/p/.opencode/opencode.json", agent("a/dot")).file("~/.config/opencode/agent/build.md", md("a/md")),
            "a/dot",
        ),
        (
            case().file("/srv/p/.opencode/opencode.json", agent("a/dot")).file("/srv/p/.opencode/agent/build.md", md("a/md")),
            "a/md",
        ),
        (case().env("OPENCODE_CONFIG_CONTENT", &agent("a/in")).file("/srv/p/.opencode/agent/build.md", md("a/md")), "a/in"),
        (case().file(JSONC, "{\"mode\":{\"build\":{\"model\":\"a/mode\"}}}").file("/srv/p/opencode.json", agent("a/p")), "a/mode"),
        (case().file("~/.config/opencode/mode/build.md", md("a/mode")), "a/mode"),
        (
            case().file(JSONC, "{\"default_agent\":\"plan\",\"agent\":{\"plan\":{\"model\":\"a/plan\"},\"build\":{\"model\":\"a/x\"}}}"),
            "a/plan",
        ),
        (case().file("/srv/p/.opencode/agent/build.md", "---\ndescription: a: b: c\nmodel: a/odd\n---\n"), "a/odd"),
    ] {
        let done = case.provider("a").switch("b");
        assert_eq!(done.models().1, Some(effective));
        assert!(done.codes().contains(&"masked_by_role_override"), "{effective}");
        let others = done.plan.after_other_roles.as_ref().and_then(|others| others.model.as_deref());
        assert_eq!(others, Some("a/b"), "{effective}");
    }
}

#[test]
fn of_several_files_the_one_that_names_the_model_is_edited() {
    let both = ["multiple_config_files"];
    let done = case().file(JSONC, "{ \"theme\": \"x\" }").provider("a").switch("b");
    assert_eq!((done.text(JSON), done.codes()), (model("a/b"), both.to_vec()));
    let done = case().file(JSONC, model("a/strong")).provider("a").switch("b");
    assert_eq!((done.text(JSONC), done.text(JSON)), (model("a/b"), model("a/global")));
    assert_eq!(done.codes(), ["multiple_config_files", "other_file_masked"]);
    let done = Case::new("opencode").file(OLD, model("a/old")).provider("a").switch("b");
    assert_eq!((done.text(OLD), done.codes()), (model("a/b"), vec![]));
    let none = Case::new("opencode").file(OLD, "{}").file(JSON, "{}").provider("a").switch("b");
    assert_eq!(none.text(OLD), "{}");
    assert_eq!(none.models().1, Some("a/b"));
}

#[test]
fn the_users_own_dotted_folder_outranks_projects() {
    let own = "~/.opencode/opencode.json";
    let done = case().file(own, model("a/own")).file("/srv/p/opencode.json", model("a/p")).provider("a").switch("b");
    assert_eq!((done.models(), done.text(own)), ((Some("a/own"), Some("a/b")), model("a/b")));
    assert_eq!(done.codes(), ["other_file_masked"]);
}

#[test]
fn references_are_filled_in_and_told_of_when_they_are_replaced() {
    for (text, case, before) in [
        ("{env:M}", case().env("M", "a/env"), Some("a/env")),
        ("{env:M}", case(), None),
        ("a/{env:M}-x", case().env("M", "b"), Some("a/b-x")),
        ("{file:./m.txt}", case().file("~/.config/opencode/m.txt", "a/file\n"), Some("a/file")),
        ("{file:~/m.txt}", case().file("~/m.txt", "a/file\n"), Some("a/file")),
    ] {
        let done = case.file(JSON, model(text)).provider("a").switch("b");
        assert_eq!((done.models(), done.codes()), ((before, Some("a/b")), vec!["value_was_reference"]), "{text}");
    }
}

#[test]
fn a_model_set_to_nothing_hides_the_users() {
    let done = case().file("/srv/p/opencode.json", model("")).provider("a").switch("b");
    assert_eq!((done.models(), done.codes()), ((None, None), vec!["masked_by_project_file"]));
}

#[test]
fn providers_that_are_not_loaded_or_do_not_list_the_model() {
    for (extra, warned) in [
        (r#""disabled_providers":["v"]"#, true),
        (r#""disabled_providers":["w"]"#, false),
        (r#""enabled_providers":["w"]"#, true),
        (r#""enabled_providers":["v"]"#, false),
        (r#""provider":{"v":{"options":{"apiKey":"k"},"models":{"b":{}}}}"#, false),
        (r#""provider":{"v":{"options":{"apiKey":"k"},"models":{"c":{}}}}"#, true),
        (r#""provider":{"openai":{"models":{"c":{}}}}"#, false),
    ] {
        let done = case().file(JSON, format!("{{\"model\":\"a/x\",{extra}}}")).provider("v").switch("b");
        assert_eq!(done.codes().contains(&"model_unverified"), warned, "{extra}");
    }
}

#[test]
fn a_key_that_is_missing_is_told_of_only_where_it_is_known_to_be() {
    let key = r#"{"provider":{"v":{"options":{"apiKey":"{env:V_KEY}"}}}}"#;
    for (case, provider, missing) in [
        (case().file(JSON, key), "v", true),
        (case().file(JSON, key).env("V_KEY", "k"), "v", false),
        (case(), "anthropic", true),
        (case().env("ANTHROPIC_API_KEY", "k"), "anthropic", false),
        (case().file("~/.local/share/opencode/auth.json", "not opened"), "anthropic", false),
        (case().env("GOOGLE_GENERATIVE_AI_API_KEY", "k"), "google", false),
        (case(), "unknown-to-us", false),
    ] {
        let done = case.provider(provider).switch("b");
        assert_eq!(done.codes().contains(&"provider_key_missing"), missing, "{provider}");
    }
}

#[test]
fn what_stops_it() {
    for (text, code) in [
        ("{ \"model\": \"a/x\" \"b\": 1 }", "parse_error"),
        ("{'model':'a/x'}", "parse_error"),
        ("{\"model\": 5}", "wrong_type"),
        ("{\"model\": null}", "wrong_type"),
        ("[]", "wrong_type"),
        ("{\"model\":\"a/x\",\"agent\":[]}", "wrong_type"),
    ] {
        let done = Case::new("opencode").file(JSON, text).provider("a").switch("b");
        assert_eq!((done.refusal(), done.text(JSON).as_str()), (Some(code), text));
        assert!(done.codes().contains(&"fatal_for_tool"));
        let done = case().file("/srv/p/opencode.json", text).provider("a").switch("b");
        assert_eq!((done.models(), done.text(JSON)), ((None, None), model("a/b")), "{text}");
        assert!(done.codes().contains(&code) && done.codes().contains(&"fatal_for_tool"), "{text}");
    }
    let inline = case().env("OPENCODE_CONFIG_CONTENT", "{bad").provider("a").switch("b");
    assert_eq!((inline.models().1, inline.codes()), (None, vec!["fatal_for_tool", "parse_error"]));
}

#[test]
fn links_repeated_keys_and_other_systems() {
    let done = Case::new("opencode").link(JSONC, "~/dotfiles/o.jsonc", model("a/x")).provider("a").switch("b");
    assert_eq!((done.text(JSONC), done.codes()), (model("a/b"), vec![]));
    let done = Case::new("opencode").readonly(JSONC, model("a/x")).provider("a").switch("b");
    assert_eq!(done.refusal(), Some("target_readonly"));
    let twice = Case::new("opencode").file(JSONC, "{\"model\":\"a/1\",\"model\":\"a/2\"}").provider("a").switch("b");
    assert_eq!((twice.models().0, twice.codes()), (Some("a/2"), vec!["duplicate_key"]));
    assert_eq!(twice.text(JSONC), "{\"model\":\"a/1\",\"model\":\"a/b\"}");
    let path = r"C:\Users\ada\.config\opencode\opencode.json";
    let windows = Case::new("opencode").platform(Platform::Windows).cwd(r"D:\w").file(path, model("a/x"));
    let managed = r"C:\ProgramData\opencode\opencode.json";
    assert_eq!(windows.file(managed, model("a/m")).provider("a").switch("b").codes(), ["masked_by_managed_file"]);
    let mac =
        Case::new("opencode").platform(Platform::Macos).file("/Users/ada/.config/opencode/opencode.json", model("a/x"));
    let managed = "/Library/Application Support/opencode/opencode.json";
    assert_eq!(mac.file(managed, model("a/m")).provider("a").switch("b").models().1, Some("a/m"));
    let moved =
        Case::new("opencode").env("XDG_CONFIG_HOME", "/srv/x").file("/srv/x/opencode/opencode.json", model("a/x"));
    assert_eq!(moved.provider("a").switch("b").text("/srv/x/opencode/opencode.json"), model("a/b"));
}

#[test]
fn undo_survives_what_the_tool_adds_at_its_start() {
    let first = Case::new("opencode").file(JSONC, "{\n  \"model\": \"a/x\"\n}\n").provider("a").switch("b");
    let added = "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"model\": \"a/b\"\n}\n";
    let back = Case::new("opencode").files_of(&first).file(JSONC, added).provider("a").switch("x");
    assert_eq!(back.text(JSONC), added.replace("a/b", "a/x"));
}

#[test]
fn a_variable_that_names_the_users_own_file_masks_nothing() {
    let own = "/home/ada/.config/opencode/opencode.json";
    let named = case().env("OPENCODE_CONFIG", own).provider("a").switch("b");
    assert_eq!(
        (named.models(), named.text(JSON), named.codes()),
        ((Some("a/global"), Some("a/b")), model("a/b"), vec![])
    );
    let folder =
        case().env("OPENCODE_CONFIG_DIR", "/home/ada/.config/opencode").file("/srv/p/opencode.json", model("a/p"));
    let done = folder.provider("a").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a/global"), Some("a/b")), vec![]));
}
