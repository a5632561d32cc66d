//! Qwen Code: auth types and their lists, variables by version, and files that it renames away.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.qwen/settings.json";
const PROJECT: &str = "/srv/atlas/.qwen/settings.json";
const OPENAI: &str = "\"security\":{\"auth\":{\"selectedType\":\"openai\"}}";
const LISTS: &str = "\"modelProviders\":{\"openai\":[{\"id\":\"a\",\"envKey\":\"A_KEY\",\"baseUrl\":\"https://a.example/v1\"},{\"id\":\"b\",\"envKey\":\"B_KEY\",\"baseUrl\":\"https://b.example/v1\"}],\"anthropic\":[{\"id\":\"c\",\"envKey\":\"C_KEY\"}]}";

fn qwen(content: &str) -> Case {
    Case::new("qwen-code").version("0.15.10").file(FILE, content)
}

fn named(model: &str, rest: &str) -> String {
    format!("{{\"$version\":4,\"model\":{{\"name\":\"{model}\"}},{OPENAI}{rest}}}")
}

#[test]
fn the_name_is_set_and_nothing_else() {
    for (before, after) in [
        (named("a", ""), named("new", "")),
        (
            "{\r\n  // x\r\n  \"model\": { \"name\": \"a\" }\r\n}\r\n".to_owned(),
            "{\r\n  // x\r\n  \"model\": { \"name\": \"new\" }\r\n}\r\n".to_owned(),
        ),
    ] {
        let done = qwen(&before).switch("new");
        assert_eq!((done.undoes().text(FILE), done.models()), (after, (Some("a"), Some("new"))));
        assert_eq!((done.codes(), done.keys()), (vec![], vec!["model.name".to_owned()]));
    }
}

#[test]
fn a_missing_name_object_or_file_is_made() {
    for content in ["{}", "{\"$version\":4}", "{\"model\":{}}", "{ // only a note\n}"] {
        let done = qwen(content).switch("new");
        assert_eq!((done.undoes().models(), done.codes()), ((None, Some("new")), vec![]), "{content}");
    }
    assert_eq!(Case::new("qwen-code").switch("new").models(), (None, Some("new")));
}

#[test]
fn variables_rank_below_the_file_since_0_15() {
    for version in ["0.15.6", "0.15.10", "0.24.4"] {
        for content in [named("a", ""), named("a", &format!(",{LISTS}"))] {
            let done = qwen(&content).version(version).env("OPENAI_MODEL", "e").env("A_KEY", "k").switch("b");
            assert_eq!(done.models(), (Some("a"), Some("b")), "{version}");
            assert!(!done.codes().contains(&"masked_by_env"), "{version} {content}");
        }
        let done = qwen(&format!("{{{OPENAI}}}")).version(version).env("OPENAI_MODEL", "e").switch("new");
        assert_eq!((done.models(), done.codes()), ((Some("e"), Some("new")), vec![]), "once named, the file wins");
    }
}

#[test]
fn variables_ranked_above_it_before_but_for_listed_models() {
    let done = qwen(&named("a", "")).version("0.12.0").env("OPENAI_MODEL", "e").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("e"), Some("e")), vec!["masked_by_env"]));
    let done = qwen(&named("a", "")).version("0.12.0").file("~/.qwen/.env", "OPENAI_MODEL=d\n").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("d"), vec!["masked_by_dotenv"]));
    let listed = named("a", &format!(",{LISTS}"));
    let done = qwen(&listed).version("0.12.0").env("OPENAI_MODEL", "e").env("A_KEY", "k").env("B_KEY", "k").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec![]));
    let done = qwen(&listed).version("0.12.0").env("OPENAI_MODEL", "e").env("A_KEY", "k").switch("z");
    assert!(done.codes().contains(&"masked_by_env"), "{:?}", done.codes());
    let done = qwen(&named("a", "")).versions("0.12.0", "0.15.10").env("OPENAI_MODEL", "e").switch("new");
    assert_eq!(done.codes(), ["versions_differ"]);
    // Only the variables of the selected type count.
    let done =
        qwen(&named("a", "")).version("0.12.0").env("GEMINI_MODEL", "g").env("ANTHROPIC_MODEL", "x").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]));
}

#[test]
fn an_env_block_that_decides_is_edited() {
    let content = format!("{{\"env\":{{\"OPENAI_MODEL\":\"a\"}},{OPENAI}}}");
    let done = qwen(&content).switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["env.OPENAI_MODEL".to_owned()], (Some("a"), Some("new"))));
    assert_eq!(done.codes(), ["decided_by_env_block"]);
    let done = qwen(&content).env("OPENAI_MODEL", "shell").switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["model.name".to_owned()], (Some("shell"), Some("new"))));
    let both = format!("{{\"model\":{{\"name\":\"m\"}},\"env\":{{\"OPENAI_MODEL\":\"a\"}},{OPENAI}}}");
    assert_eq!(
        (qwen(&both).switch("new").keys(), qwen(&both).switch("new").models()),
        (vec!["model.name".to_owned()], (Some("m"), Some("new")))
    );
}

#[test]
fn a_byte_order_mark_loses_the_file_and_is_refused() {
    let content = format!("\u{feff}{}", named("a", ""));
    for version in ["0.12.0", "0.15.6", "0.15.10", "0.23.0"] {
        let done = qwen(&content).version(version).switch("new");
        assert_eq!(
            (done.refusal(), done.text(FILE), done.models()),
            (Some("invalid_for_tool"), content.clone(), (None, None))
        );
        assert!(done.codes().contains(&"bom_present"));
        assert_eq!(done.codes().contains(&"fatal_for_tool"), version == "0.12.0", "{version}");
    }
    assert_eq!(
        Case::new("qwen-code").file(FILE, &content).switch("new").refusal(),
        Some("invalid_for_tool"),
        "an unknown version is no reason for a risk"
    );
    let done = qwen(&content).version("0.24.4").switch("new");
    assert_eq!(
        (done.undoes().text(FILE), done.codes()),
        (format!("\u{feff}{}", named("new", "")), vec!["bom_present"])
    );
    assert_eq!(qwen(&content).versions("0.15.10", "0.24.4").switch("new").refusal(), Some("invalid_for_tool"));
}

#[test]
fn what_it_cannot_read_is_refused() {
    for (content, code) in [
        ("{\"model\":{\"name\":\"a\"},}", "invalid_for_tool"),
        ("{\"model\":", "parse_error"),
        ("[]", "invalid_for_tool"),
    ] {
        let done = qwen(content).switch("new");
        assert_eq!((done.refusal(), done.text(FILE).as_str(), done.models()), (Some(code), content, (None, None)));
        assert!(done.codes().contains(&"invalid_for_tool"), "{content}");
        assert_eq!(done.codes().contains(&"fatal_for_tool"), content == "[]");
    }
    let done = qwen("{,}").version("0.24.4").switch("new");
    assert!(done.codes().contains(&"fatal_for_tool"));
    let message = qwen("{\"model\":{},}").switch("new").message(Code::InvalidForTool);
    assert!(message.contains("corrupted") && message.contains("line 1"), "{message}");
}

#[test]
fn a_broken_project_file_is_left_out() {
    let case = || qwen(&named("a", "")).cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"},}");
    let done = case().switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec!["invalid_for_tool"]));
    let done = case().version("0.12.0").switch("new");
    assert_eq!((done.models(), done.codes()), ((None, None), vec!["fatal_for_tool", "invalid_for_tool"]));
}

#[test]
fn projects_systems_and_defaults() {
    let done = qwen(&named("a", "")).cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("p"), Some("p")), vec!["masked_by_project_file"]));
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
    let done = qwen(&named("a", "")).file("/etc/qwen-code/settings.json", "{\"model\":{\"name\":\"s\"}}").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("s"), vec!["masked_by_managed_file"]));
    let done = qwen("{}").file("/etc/qwen-code/system-defaults.json", "{\"model\":{\"name\":\"d\"}}").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("d"), Some("new")), vec![]));
    for (platform, place) in [
        (Platform::Macos, "/Library/Application Support/QwenCode/settings.json"),
        (Platform::Windows, r"C:\ProgramData\qwen-code\settings.json"),
    ] {
        let case = Case::new("qwen-code").platform(platform).file(FILE, "{\"model\":{\"name\":\"a\"}}");
        assert_eq!(case.file(place, "{\"model\":{\"name\":\"s\"}}").switch("new").models().1, Some("s"));
    }
    let moved = qwen(&named("a", "")).env("QWEN_CODE_SYSTEM_SETTINGS_PATH", "/opt/q.json");
    assert_eq!(moved.file("/opt/q.json", "{\"model\":{\"name\":\"s\"}}").switch("new").models().1, Some("s"));
}

#[test]
fn trust_is_asked_for_only_where_it_is_switched_on() {
    let on = "{\"security\":{\"folderTrust\":{\"enabled\":true}},\"model\":{\"name\":\"a\"}}";
    for (settings, record, expected) in [
        (on, "{\"/srv/atlas\":\"DO_NOT_TRUST\"}", "new"),
        (on, "{\"/srv\":\"TRUST_FOLDER\"}", "p"),
        ("{\"model\":{\"name\":\"a\"}}", "{\"/srv/atlas\":\"DO_NOT_TRUST\"}", "p"),
    ] {
        let case = qwen(settings).cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}");
        assert_eq!(
            case.file("~/.qwen/trustedFolders.json", record).switch("new").models().1,
            Some(expected),
            "{record}"
        );
    }
    let case = qwen("{\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}");
    assert_eq!(case.trusted(false).switch("new").models().1, Some("new"));
}

#[test]
fn the_model_should_be_on_the_list_of_its_type() {
    let content = named("a", &format!(",{LISTS}"));
    let case = || qwen(&content).env("A_KEY", "k").env("B_KEY", "k").env("C_KEY", "k");
    assert_eq!(case().switch("b").codes(), [""; 0]);
    assert_eq!(case().switch("z").codes(), ["model_unverified"]);
    let done = case().switch("c");
    assert_eq!((done.keys(), done.codes()), (vec!["model.name".to_owned()], vec!["model_unverified"]));
    assert!(done.message(Code::ModelUnverified).contains("anthropic"));
    let done = case().provider("anthropic").switch("c");
    assert_eq!(
        (done.keys(), done.codes()),
        (vec!["model.name".to_owned(), "security.auth.selectedType".to_owned()], vec![])
    );
    assert_eq!((done.models().1, done.providers()), (Some("c"), (Some("openai"), Some("anthropic"))));
    assert_eq!(case().provider("openai").switch("b").keys(), ["model.name"]);
    assert_eq!(case().provider("nowhere").switch("b").refusal(), Some("provider_unknown"));
    assert_eq!(qwen(&named("a", "")).switch("anything").codes(), [""; 0], "no list, no doubt");
}

#[test]
fn the_listed_models_key_must_be_set_somewhere() {
    let content = named("a", &format!(",{LISTS}"));
    assert_eq!(qwen(&content).env("A_KEY", "k").switch("b").codes(), ["provider_key_missing"]);
    assert!(qwen(&content).switch("b").message(Code::ProviderKeyMissing).contains("B_KEY"));
    assert_eq!(qwen(&content).file("~/.qwen/.env", "B_KEY=k\n").switch("b").codes(), [""; 0]);
    let block = named("a", &format!(",{LISTS},\"env\":{{\"B_KEY\":\"k\"}}"));
    assert_eq!(qwen(&block).switch("b").codes(), [""; 0]);
    assert_eq!(qwen(&content).env("B_KEY", "").switch("b").codes(), ["provider_key_missing"]);
}

#[test]
fn a_projects_list_replaces_the_users() {
    let content = named("a", &format!(",{LISTS}"));
    let project = "{\"modelProviders\":{\"openai\":[{\"id\":\"p\",\"envKey\":\"A_KEY\"}]}}";
    let done = qwen(&content).cwd("/srv/atlas").file(PROJECT, project).env("A_KEY", "k").switch("b");
    assert_eq!(done.codes(), ["model_unverified"]);
}

#[test]
fn the_flat_shape_is_migrated_unless_the_file_has_a_version() {
    let done = qwen("{\"model\":\"a\"}").switch("new");
    assert_eq!((done.undoes().text(FILE).as_str(), done.models()), ("{\"model\":\"new\"}", (Some("a"), Some("new"))));
    assert_eq!(done.codes(), ["legacy_shape"]);
    let done = qwen("{\"$version\":4,\"model\":\"a\"}").switch("new");
    assert_eq!(
        (done.undoes().models(), done.codes(), done.keys()),
        ((None, Some("new")), vec!["legacy_shape"], vec!["model".to_owned()])
    );
    assert!(done.text(FILE).contains("\"name\""), "{}", done.text(FILE));
    for content in ["{\"model\":5}", "{\"model\":{\"name\":5}}"] {
        assert_eq!(
            (qwen(content).switch("new").models().1, qwen(content).switch("new").codes()),
            (Some("new"), vec!["wrong_type"])
        );
    }
}

#[test]
fn references_and_duplicates() {
    let done = qwen("{\"model\":{\"name\":\"$M\"}}").env("M", "m").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("m"), Some("new")), vec!["value_was_reference"]));
    let done = qwen("{\"model\":{\"name\":\"a\",\"name\":\"b\"}}").switch("new");
    assert_eq!(
        (done.undoes().text(FILE).as_str(), done.models().0),
        ("{\"model\":{\"name\":\"a\",\"name\":\"new\"}}", Some("b"))
    );
    assert_eq!(done.codes(), ["duplicate_key"]);
}

#[test]
fn the_home_moves_by_the_variable_or_the_users_dotenv() {
    let moved = "/srv/q/settings.json";
    let case = || qwen(&named("x", "")).file(moved, named("q", ""));
    let done = case().env("QWEN_HOME", "/srv/q").switch("new");
    assert_eq!((done.models(), done.text(moved)), ((Some("q"), Some("new")), named("new", "")));
    assert_eq!(case().file("~/.qwen/.env", "QWEN_HOME=/srv/q\n").switch("new").models().0, Some("q"));
    assert_eq!(qwen(&named("a", "")).cwd("~").switch("new").models(), (Some("a"), Some("new")));
}

#[test]
fn links_and_read_only_files() {
    let done = Case::new("qwen-code").link(FILE, "~/dotfiles/qwen.json", "{\"model\":{\"name\":\"a\"}}").switch("b");
    assert_eq!(done.text(FILE), "{\"model\":{\"name\":\"b\"}}");
    assert_eq!(Case::new("qwen-code").readonly(FILE, "{}").switch("b").refusal(), Some("target_readonly"));
}

#[test]
fn endpoints_are_the_lists_by_address_and_key() {
    let endpoints = qwen(&named("a", &format!(",{LISTS}"))).look(|tool, at| tool.endpoints(at));
    assert_eq!(endpoints.len(), 3);
    assert_eq!(
        (endpoints[1].base_url.as_deref(), &endpoints[1].credential),
        (Some("https://b.example/v1"), &Credential::Variable("B_KEY".to_owned()))
    );
    let own = qwen(&named("a", "")).env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1").env("OPENAI_API_KEY", "k");
    let own = own.look(|tool, at| tool.endpoints(at)).swap_remove(0);
    assert_eq!((own.provider.as_str(), own.base_url.as_deref()), ("openai", Some("http://127.0.0.1:1/v1")));
}
