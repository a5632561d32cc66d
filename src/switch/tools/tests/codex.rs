//! Codex: versions around each gate, trust, profiles, policies, and what stops it.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const FILE: &str = "~/.codex/config.toml";
const PROJECT: &str = "/srv/atlas/.codex/config.toml";
const TRUSTED: &str = "\n[projects.\"/srv/atlas\"]\ntrust_level = \"trusted\"\n";
const CORP: &str =
    "\n[model_providers.corp]\nname = \"Corp\"\nbase_url = \"https://llm.corp.example/v1\"\nenv_key = \"CORP_KEY\"\n";

fn codex(content: &str) -> Case {
    Case::new("codex").version("0.160.0").file(FILE, content)
}

#[test]
fn the_root_model_is_set_whatever_its_quotes() {
    for (before, after) in [
        ("model = \"a\"\n", "model = \"new\"\n"),
        ("model='a' # note\n", "model='new' # note\n"),
        ("\"model\" = \"a\"", "\"model\" = \"new\""),
        ("# model = \"x\"\r\nmodel = \"a\"\r\n[tui]\r\n", "# model = \"x\"\r\nmodel = \"new\"\r\n[tui]\r\n"),
        ("\u{feff}model = \"a\"", "\u{feff}model = \"new\""),
    ] {
        let done = codex(before).switch("new");
        assert_eq!(done.undoes().text(FILE), after);
        assert_eq!((done.models(), done.providers().1), ((Some("a"), Some("new")), Some("openai")), "{before}");
        assert_eq!(done.codes().contains(&"bom_present"), before.starts_with('\u{feff}'));
    }
}

#[test]
fn a_missing_key_becomes_a_root_key_and_a_missing_file_is_made() {
    let done = codex("[tui]\nnotifications = true").switch("new");
    assert!(done.undoes().text(FILE).starts_with("model = \"new\""), "{}", done.text(FILE));
    assert_eq!((done.models(), done.codes()), ((None, Some("new")), vec![]));
    let done = Case::new("codex").switch("new");
    assert_eq!((done.text(FILE).as_str(), done.models()), ("model = \"new\"\n", (None, Some("new"))));
}

#[test]
fn no_variable_names_the_model() {
    for version in ["0.99.0", "0.118.0", "0.160.0"] {
        let case = codex("model = \"a\"\n").version(version).env("CODEX_MODEL", "b").env("OPENAI_MODEL", "c");
        let done = case.switch("new");
        assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]), "{version}");
    }
}

#[test]
fn the_base_urls_variable_counts_below_0_120_and_for_the_built_in_provider_alone() {
    for (version, content, warned) in [
        ("0.99.0", "model = \"a\"\n", true),
        ("0.118.0", "model = \"a\"\n", true),
        ("0.119.0", "model = \"a\"\n", true),
        ("0.120.0", "model = \"a\"\n", false),
        ("0.160.0", "model = \"a\"\n", false),
        ("0.118.0", "model = \"a\"\nopenai_base_url = \"https://own.example/v1\"\n", false),
        ("0.118.0", &format!("model = \"a\"\nmodel_provider = \"corp\"\n{CORP}"), false),
    ] {
        let case = codex(content).version(version).env("CORP_KEY", "x");
        let done = case.env("OPENAI_BASE_URL", "https://user:secret@other.example/v1").switch("new");
        assert_eq!(done.codes().contains(&"masked_by_env"), warned, "{version} {content}");
        assert_eq!(done.models().1, Some("new"));
        if warned {
            assert!(!done.message(Code::MaskedByEnv).contains("secret"));
        }
    }
    let case = codex("model = \"a\"\n").env("OPENAI_BASE_URL", "https://other.example/v1");
    assert_eq!(case.versions("0.118.0", "0.160.0").switch("new").codes(), ["versions_differ"]);
    assert_eq!(codex("model = \"a\"\n").version("0.118.0").env("OPENAI_BASE_URL", "").switch("new").codes(), [""; 0]);
}

#[test]
fn a_selected_profile_decides_up_to_0_133_and_stops_codex_from_0_134() {
    let content =
        "profile = \"w\"\nmodel = \"root\"\n[profiles.w]\nmodel = \"a\" # agreed\n[profiles.h]\nmodel = \"a\"\n";
    for version in ["0.77.0", "0.99.0", "0.129.0", "0.133.0"] {
        let done = codex(content).version(version).switch("new");
        assert_eq!(done.undoes().text(FILE), content.replacen("\"a\"", "\"new\"", 1));
        assert_eq!(done.keys(), ["profiles.w.model"]);
        assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec!["legacy_profile_selected"]));
    }
    for version in ["0.134.0", "0.160.0"] {
        let done = codex(content).version(version).switch("new");
        assert_eq!((done.refusal(), done.models()), (Some("fatal_for_tool"), (None, None)), "{version}");
        assert!(!done.codes().contains(&"legacy_profile_selected"));
        let message = done.message(Code::FatalForTool);
        assert!(message.contains("Line 1") && message.contains("w.config.toml"), "{message}");
    }
    let done = codex(content).versions("0.133.0", "0.134.0").switch("new");
    assert_eq!(done.refusal(), Some("fatal_for_tool"));
    assert!(done.codes().contains(&"versions_differ"));
}

#[test]
fn a_selected_profile_without_a_model_leaves_it_to_the_root() {
    let done = codex("profile = \"w\"\nmodel = \"root\"\n[profiles.w]\nmodel_reasoning_effort = \"low\"\n");
    let done = done.version("0.130.0").switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["model".to_owned()], (Some("root"), Some("new"))));
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn a_selected_profile_that_does_not_exist_stops_every_version() {
    for version in ["0.99.0", "0.133.0", "0.160.0"] {
        let done = codex("profile = \"w\"\nmodel = \"root\"\n").version(version).switch("new");
        assert_eq!(done.refusal(), Some("fatal_for_tool"), "{version}");
    }
}

#[test]
fn a_selector_in_a_system_file_stops_it_as_well() {
    for place in ["/etc/codex/config.toml", "/etc/codex/managed_config.toml"] {
        let done = codex("model = \"a\"\n[profiles.w]\nmodel = \"b\"\n").file(place, "profile = \"w\"\n").switch("new");
        assert_eq!(done.refusal(), Some("fatal_for_tool"), "{place}");
    }
    let old = codex("model = \"a\"\n[profiles.w]\nmodel = \"b\"\n").version("0.130.0");
    let done = old.file("/etc/codex/config.toml", "profile = \"w\"\n").switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["profiles.w.model".to_owned()], (Some("b"), Some("new"))));
}

#[test]
fn profiles_that_are_not_selected_are_told_of_where_the_version_ignores_them() {
    let content = "model = \"a\"\n[profiles.w]\nmodel = \"b\"\n[profiles.e]\nmodel_reasoning_effort = \"low\"\n";
    let done = codex(content).switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec!["inert_key"]));
    assert_eq!(done.plan.warnings.len(), 1, "the profile without a model is no trap");
    assert_eq!(codex(content).version("0.133.0").switch("new").codes(), [""; 0]);
    assert_eq!(codex(content).versions("0.99.0", "0.160.0").switch("new").codes(), ["inert_key", "versions_differ"]);
}

#[test]
fn a_profile_file_is_not_selected_by_itself() {
    let case = codex("model = \"a\"\n").file("~/.codex/w.config.toml", "model = \"b\"\n");
    let done = case.file("~/.codex/broken.config.toml", "model = ").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]));
    assert!(done.plan.reading.layers.iter().any(|layer| layer.model.as_deref() == Some("b") && !layer.is_active));
}

#[test]
fn a_trusted_project_wins_and_an_untrusted_one_is_not_looked_at() {
    let content = format!("model = \"a\"\n{TRUSTED}");
    let done = codex(&content).file(PROJECT, "model = \"p\"\n").cwd("/srv/atlas").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("p"), Some("p")), vec!["masked_by_project_file"]));
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
    assert_eq!(done.text(PROJECT), "model = \"p\"\n");
    let message = done.message(Code::MaskedByProjectFile);
    assert!(message.contains(PROJECT) && message.contains('p'), "{message}");

    for content in ["model = \"a\"\n".to_owned(), content.replace("\"trusted\"", "\"untrusted\"")] {
        let done = codex(&content).file(PROJECT, "model = \"p\"\n").cwd("/srv/atlas").switch("new");
        assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]));
    }
    let done = codex("model = \"a\"\n").file(PROJECT, "model = \"p\"\n").cwd("/srv/atlas").trusted(true).switch("new");
    assert_eq!(done.models().1, Some("p"));
    let outside = codex(&content).file(PROJECT, "model = \"p\"\n").cwd("/srv/other").switch("new");
    assert_eq!((outside.models().1, outside.codes()), (Some("new"), vec![]));
}

#[test]
fn trust_is_inherited_from_the_repository_and_not_from_any_parent() {
    let content = format!("model = \"a\"\n{TRUSTED}");
    let deep = "/srv/atlas/sub/.codex/config.toml";
    let case =
        || codex(&content).file(PROJECT, "model = \"p\"\n").file(deep, "model = \"deep\"\n").cwd("/srv/atlas/sub");
    assert_eq!(case().switch("new").models().1, Some("new"), "no repository: the parent's trust is not its own");
    assert_eq!(case().file("/srv/atlas/.git/HEAD", "").switch("new").models().1, Some("deep"), "the nearest wins");
    let explicit = format!("{content}[projects.\"/srv/atlas/sub\"]\ntrust_level = \"untrusted\"\n");
    let case = codex(&explicit).file(PROJECT, "model = \"p\"\n").file(deep, "model = \"deep\"\n");
    let done = case.file("/srv/atlas/.git/HEAD", "").cwd("/srv/atlas/sub").switch("new");
    assert_eq!(done.models().1, Some("p"), "its own record goes before the repository's");
}

#[test]
fn a_linked_work_tree_has_the_trust_of_the_main_one() {
    let case = codex(&format!("model = \"a\"\n{TRUSTED}")).cwd("/srv/tree");
    let case = case.file("/srv/tree/.git", "gitdir: /srv/atlas/.git/worktrees/tree\n");
    let done = case.file("/srv/tree/.codex/config.toml", "model = \"p\"\n").switch("new");
    assert_eq!(done.models().1, Some("p"));
}

#[test]
fn the_root_of_a_project_has_the_markers_that_the_user_names() {
    let content = format!("project_root_markers = [\".root\"]\nmodel = \"a\"\n{TRUSTED}");
    let case = codex(&content).file(PROJECT, "model = \"p\"\n").file("/srv/atlas/.root", "").cwd("/srv/atlas/sub");
    assert_eq!(case.switch("new").models().1, Some("p"));
    let content = content.replace("[\".root\"]", "[]");
    let case = codex(&content).file(PROJECT, "model = \"p\"\n").file("/srv/atlas/.git/HEAD", "").cwd("/srv/atlas/sub");
    assert_eq!(case.switch("new").models().1, Some("new"));
}

#[test]
fn trust_on_windows_is_matched_whatever_the_case_and_slashes() {
    let file = "~/.codex/config.toml";
    let content = "model = \"a\"\r\n[projects.'d:/Work/atlas']\r\ntrust_level = \"trusted\"\r\n";
    let case = Case::new("codex").platform(Platform::Windows).file(file, content).cwd(r"D:\work\atlas");
    let done = case.file(r"D:\work\atlas\.codex\config.toml", "model = \"p\"\n").switch("new");
    assert_eq!((done.models().1, done.text(file)), (Some("p"), content.replace("\"a\"", "\"new\"")));
}

#[test]
fn the_users_own_folder_is_no_project() {
    let done = codex("model = \"a\"\n").cwd("~").trusted(true).switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]));
}

#[test]
fn a_projects_provider_counts_up_to_0_128_and_is_stripped_then() {
    let content = format!("model = \"a\"\n{CORP}{TRUSTED}");
    let project = "model = \"p\"\nmodel_provider = \"corp\"\n";
    let case = || codex(&content).file(PROJECT, project).cwd("/srv/atlas").env("CORP_KEY", "x");
    let done = case().version("0.128.0").switch("new");
    assert_eq!((done.providers().1, done.codes()), (Some("corp"), vec!["masked_by_project_file"]));
    for version in ["0.129.0", "0.133.0", "0.160.0"] {
        let done = case().version(version).switch("new");
        assert_eq!(done.providers().1, Some("openai"));
        assert_eq!(done.codes(), ["inert_key", "masked_by_project_file"]);
        let message = done.message(Code::InertKey);
        assert!(message.contains("model_provider") && message.contains("openai"), "{message}");
    }
    assert!(case().versions("0.128.0", "0.160.0").switch("new").codes().contains(&"versions_differ"));
}

#[test]
fn a_projects_selector_counts_up_to_0_128_and_is_stripped_then() {
    let content = format!("profile = \"u\"\n[profiles.u]\nmodel = \"pu\"\n[profiles.x]\nmodel = \"px\"\n{TRUSTED}");
    let case = |version: &str| {
        codex(&content).version(version).cwd("/srv/atlas").file(PROJECT, "profile = \"x\"\nmodel = \"p\"\n")
    };
    let done = case("0.128.0").switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["profiles.x.model".to_owned()], (Some("px"), Some("new"))));
    let done = case("0.130.0").switch("new");
    assert_eq!((done.keys(), done.models()), (vec!["profiles.u.model".to_owned()], (Some("pu"), Some("new"))));
    let done =
        codex(&format!("model = \"a\"\n{TRUSTED}")).cwd("/srv/atlas").file(PROJECT, "profile = \"x\"\n").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec!["inert_key"]), "not fatal in a project");
}

#[test]
fn a_selected_profile_beats_the_project_and_the_policy() {
    let content = format!("profile = \"w\"\n[profiles.w]\nmodel = \"a\"\n{TRUSTED}");
    let case = codex(&content).version("0.130.0").file(PROJECT, "model = \"p\"\n").cwd("/srv/atlas");
    let done = case.file("/etc/codex/managed_config.toml", "model = \"m\"\n").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec!["legacy_profile_selected"]));
}

#[test]
fn a_policy_masks_and_a_systems_default_does_not() {
    let done = codex("model = \"a\"\n").file("/etc/codex/managed_config.toml", "model = \"m\"\n").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("m"), Some("m")), vec!["masked_by_managed_file"]));
    let done = codex("").file("/etc/codex/config.toml", "model = \"s\"\n").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("s"), Some("new")), vec![]));
    let windows = || Case::new("codex").platform(Platform::Windows).file(FILE, "model = \"a\"\n");
    let done = windows().file("~/.codex/managed_config.toml", "model = \"m\"\n").switch("new");
    assert_eq!(done.codes(), ["masked_by_managed_file"]);
    let done = windows().file(r"C:\ProgramData\OpenAI\Codex\config.toml", "model = \"s\"\n").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]));
    let done =
        codex("model = \"a\"\n").file("/etc/codex/requirements.toml", "allowed_approval_policies = []\n").switch("new");
    assert_eq!(done.codes(), [""; 0], "it says nothing of models");
}

#[test]
fn what_stops_codex_is_refused_and_nothing_is_written() {
    for (content, code) in [
        ("model = a\n", "parse_error"),
        ("model = \"a\"\nmodel = \"b\"\n", "parse_error"),
        ("[projects.\"C:\\Users\\ada\"]\ntrust_level = \"trusted\"\n", "parse_error"),
        ("[model]\nname = \"a\"\n", "wrong_type"),
        ("model = 5\n", "wrong_type"),
        ("model = [\"a\"]\n", "wrong_type"),
        ("model = { name = \"a\" }\n", "wrong_type"),
        ("model_provider = 1\n", "wrong_type"),
        ("projects = \"x\"\n", "wrong_type"),
        ("[features]\nmodel = \"a\"\n", "wrong_type"),
        ("model_provider = \"nowhere\"\n", "fatal_for_tool"),
        ("model_provider = \"\"\n", "fatal_for_tool"),
        ("[model_providers.openai]\nname = \"x\"\n", "fatal_for_tool"),
        ("[model_providers.ollama]\nname = \"x\"\n", "fatal_for_tool"),
        ("[model_providers.lmstudio]\nname = \"x\"\n", "fatal_for_tool"),
        ("[model_providers.x]\nname = \"x\"\nwire_api = \"chat\"\n", "fatal_for_tool"),
        ("[model_providers.x]\nbase_url = \"http://127.0.0.1/v1\"\n", "fatal_for_tool"),
        ("[projects.\"/a\"]\ntrust_level = \"yes\"\n", "fatal_for_tool"),
    ] {
        let done = codex(content).switch("new");
        assert_eq!((done.refusal(), done.text(FILE).as_str(), done.models()), (Some(code), content, (None, None)));
        assert!(done.codes().contains(&"fatal_for_tool"), "{content}: {:?}", done.codes());
    }
}

#[test]
fn what_stopped_codex_later_did_not_stop_it_earlier() {
    let reserved = "model = \"a\"\n[model_providers.openai]\nname = \"x\"\n";
    assert_eq!(codex(reserved).version("0.99.0").switch("new").models().1, Some("new"));
    let chat = "model = \"a\"\n[model_providers.x]\nname = \"x\"\nwire_api = \"chat\"\n";
    assert_eq!(codex(chat).version("0.77.0").switch("new").models().1, Some("new"));
    assert_eq!(codex(chat).version("0.99.0").switch("new").refusal(), Some("fatal_for_tool"));
    let approval = "model = \"a\"\napproval_policy = \"untrusted\"\n";
    assert_eq!(codex(approval).switch("new").models().1, Some("new"));
    assert_eq!(codex(approval).version("0.171.0").switch("new").refusal(), Some("fatal_for_tool"));
}

#[test]
fn a_table_for_a_model_is_read_and_its_conversion_offered() {
    let done = codex("provider = \"default\"\n[model]\nname = \"gpt-5.5\"\n").switch("new");
    assert_eq!(done.codes(), ["fatal_for_tool", "inert_key", "wrong_type"]);
    let message = done.message(Code::WrongType);
    assert!(message.contains("gpt-5.5") && message.contains("line 2"), "{message}");
}

#[test]
fn keys_that_look_like_the_right_ones_are_told_of() {
    for (content, at) in [
        ("[tui]\nnotifications = true\nmodel = \"a\"\n", "[tui]"),
        ("[mcp_servers.docs]\ncommand = \"d\"\nmodel = \"a\"\n", "[mcp_servers.docs]"),
        ("[projects.\"/x\"]\ntrust_level = \"trusted\"\nmodel_provider = \"a\"\n", "[projects./x]"),
        ("[history]\nmodel = \"a\"\n", "[history]"),
    ] {
        let done = codex(content).switch("new");
        assert_eq!((done.models(), done.codes()), ((None, Some("new")), vec!["inert_key"]), "{content}");
        assert!(done.message(Code::InertKey).contains(at), "{}", done.message(Code::InertKey));
        assert!(done.undoes().text(FILE).starts_with("model = \"new\"\n"), "{}", done.text(FILE));
    }
    for content in [
        "model = \"a\"\n[mcp_servers.docs]\ncommand = \"d\"\nenv = { model = \"x\" }\nargs = [\"model\"]\n",
        "model = \"a\"\n[mcp_servers.docs.env]\nmodel = \"x\"\n",
        "model = \"a\"\n[agents.reviewer]\nmodel = \"x\"\n",
        "model = \"a\"\nreview_model = \"x\"\n",
    ] {
        assert_eq!(codex(content).switch("new").codes(), [""; 0], "{content}");
    }
    assert_eq!(codex("model = \"a\"\nprovider = \"x\"\n").switch("new").codes(), ["inert_key"]);
}

#[test]
fn an_empty_model_starts_no_session_until_one_is_named() {
    let done = codex("model = \"\"\n").switch("new");
    assert_eq!(
        (done.text(FILE).as_str(), done.models(), done.codes()),
        ("model = \"new\"\n", (None, Some("new")), vec![])
    );
    let done =
        codex(&format!("model = \"a\"\n{TRUSTED}")).file(PROJECT, "model = \"\"\n").cwd("/srv/atlas").switch("new");
    assert_eq!((done.models(), done.codes()), ((None, None), vec!["fatal_for_tool"]));
}

#[test]
fn a_broken_project_stops_codex_there_and_is_no_reason_against_the_users_file() {
    let content = format!("model = \"a\"\n{TRUSTED}");
    for (project, code) in [("model = p\n", "parse_error"), ("model = 3\n", "wrong_type")] {
        let done = codex(&content).file(PROJECT, project).cwd("/srv/atlas").switch("new");
        assert_eq!((done.models(), done.codes()), ((None, None), vec!["fatal_for_tool", code]));
        assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
        assert_eq!(done.text(FILE), content.replace("\"a\"", "\"new\""));
        let done = codex("model = \"a\"\n").file(PROJECT, project).cwd("/srv/atlas").switch("new");
        assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]), "passed over without trust");
    }
}

#[test]
fn broken_system_files_stop_it_everywhere() {
    for place in ["/etc/codex/config.toml", "/etc/codex/managed_config.toml"] {
        let done = codex("model = \"a\"\n").file(place, "model = s\n").switch("new");
        assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("parse_error"), "model = \"a\"\n"));
        assert_eq!(done.codes(), ["fatal_for_tool", "parse_error"]);
    }
}

#[test]
fn a_providers_missing_key_is_told_of() {
    let content = format!("model = \"a\"\nmodel_provider = \"corp\"\n{CORP}");
    let done = codex(&content).switch("new");
    assert_eq!((done.providers(), done.codes()), ((Some("corp"), Some("corp")), vec!["provider_key_missing"]));
    assert!(done.message(Code::ProviderKeyMissing).contains("CORP_KEY"));
    assert_eq!(codex(&content).env("CORP_KEY", "").switch("new").codes(), ["provider_key_missing"]);
    assert_eq!(codex(&content).env("CORP_KEY", "x").switch("new").codes(), [""; 0]);
    assert_eq!(codex(&content.replace("model_provider = \"corp\"\n", "")).switch("new").codes(), [""; 0]);
}

#[test]
fn another_provider_is_written_beside_the_model_and_hides_sessions() {
    let content = format!("model = \"a\"\n{CORP}");
    let done = codex(&content).env("CORP_KEY", "x").provider("corp").switch("new");
    assert_eq!(done.keys(), ["model", "model_provider"]);
    assert_eq!(
        (done.providers(), done.codes()),
        ((Some("openai"), Some("corp")), vec!["provider_switch_hides_sessions"])
    );
    assert!(
        done.undoes().text(FILE).starts_with("model = \"new\"\nmodel_provider = \"corp\"\n"),
        "{}",
        done.text(FILE)
    );
    let back = codex(&done.text(FILE)).env("CORP_KEY", "x").provider("openai").switch("a");
    assert_eq!((back.providers().1, back.codes()), (Some("openai"), vec!["provider_switch_hides_sessions"]));
    let same = codex(&content).provider("openai").switch("new");
    assert_eq!((same.keys(), same.codes()), (vec!["model".to_owned()], vec![]));
    let unknown = codex(&content).provider("nowhere").switch("new");
    assert_eq!((unknown.refusal(), unknown.text(FILE)), (Some("provider_unknown"), content));
}

#[test]
fn a_profiles_provider_is_the_one_that_is_changed() {
    let content = format!("profile = \"w\"\n[profiles.w]\nmodel = \"a\"\nmodel_provider = \"corp\"\n{CORP}");
    let done = codex(&content).version("0.130.0").env("CORP_KEY", "x").provider("openai").switch("new");
    assert_eq!(done.keys(), ["profiles.w.model", "profiles.w.model_provider"]);
    assert_eq!((done.models().1, done.providers().1), (Some("new"), Some("openai")));
}

#[test]
fn the_home_moves_with_its_variable_and_must_be_there() {
    let case = Case::new("codex").env("CODEX_HOME", "/srv/codex").file("/srv/codex/config.toml", "model = \"a\"\n");
    assert_eq!(case.file(FILE, "model = \"x\"\n").switch("new").models(), (Some("a"), Some("new")));
    let done = codex("model = \"a\"\n").env("CODEX_HOME", "/srv/nowhere").switch("new");
    assert_eq!((done.refusal(), done.models()), (Some("fatal_for_tool"), (None, None)));
    assert_eq!(codex("model = \"a\"\n").env("CODEX_HOME", "").switch("new").models().1, Some("new"));
}

#[test]
fn links_are_followed_and_what_cannot_be_written_is_refused() {
    let done = Case::new("codex").link(FILE, "~/dotfiles/codex.toml", "model = \"a\"\n").switch("new");
    assert_eq!(done.text(FILE), "model = \"new\"\n");
    let done = Case::new("codex").readonly(FILE, "model = \"a\"\n").switch("new");
    assert_eq!((done.refusal(), done.models().0), (Some("target_readonly"), Some("a")));
    let done = Case::new("codex").unreadable(FILE).switch("new");
    assert!(done.refusal().is_some() && done.codes().contains(&"fatal_for_tool"));
}

#[test]
fn names_are_taken_as_they_are() {
    for name in ["GPT-5.5", " spaced ", "a/b:c@d", "quo\"te", "模型", "back\\slash"] {
        let done = codex("model = 'a'\n").switch(name);
        assert_eq!((done.models().1, done.undoes().codes()), (Some(name), vec![]));
    }
}

#[test]
fn the_tool_may_write_the_file_between_two_switches() {
    let first = codex("model = 'a'\r\n").switch("b");
    let rewritten = first.text(FILE).replace('\'', "\"").replace("\r\n", "\n") + TRUSTED;
    let second = codex(&rewritten).switch("c");
    assert_eq!(
        (second.models(), second.undoes().text(FILE)),
        ((Some("b"), Some("c")), rewritten.replace("\"b\"", "\"c\""))
    );
}

#[test]
fn endpoints_name_address_and_credential_of_each_provider() {
    use crate::switch::tool::Credential;
    let content = format!(
        "openai_base_url = \"https://eu.example/v1\"\n{CORP}\n[model_providers.box]\nname = \"b\"\nbase_url = \"http://127.0.0.1:8000/v1\"\n[model_providers.t]\nname = \"t\"\nexperimental_bearer_token = \"x\"\n"
    );
    let case = codex(&content).file("~/.codex/auth.json", "not to be opened");
    let endpoints = case.look(|tool, at| tool.endpoints(at));
    let of = |name: &str| endpoints.iter().find(|endpoint| endpoint.provider == name).expect("it is there").clone();
    assert_eq!(
        (of("openai").base_url.as_deref(), of("openai").credential),
        (Some("https://eu.example/v1"), Credential::OwnLogin)
    );
    assert_eq!(of("corp").credential, Credential::Variable("CORP_KEY".to_owned()));
    assert_eq!((of("box").credential, of("t").credential), (Credential::None, Credential::InFile));
}
