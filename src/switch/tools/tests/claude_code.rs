//! Claude Code: the env block, projects, policies, aliases, lists of models, and files that it leaves out.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.claude/settings.json";
const SHARED: &str = "/srv/atlas/.claude/settings.json";
const LOCAL: &str = "/srv/atlas/.claude/settings.local.json";
const POLICY: &str = "/etc/claude-code/managed-settings.json";

fn claude(content: &str) -> Case {
    Case::new("claude-code").version("2.1.240").file(FILE, content)
}

#[test]
fn the_model_key_is_set_and_nothing_else() {
    for (before, after) in [
        ("{\"model\":\"opus\"}", "{\"model\":\"new\"}"),
        ("{\r\n\t\"model\" : \"opus\" ,\r\n\t\"x\": 1\r\n}", "{\r\n\t\"model\" : \"new\" ,\r\n\t\"x\": 1\r\n}"),
        ("\u{feff}{ \"model\": \"opus\" }\n", "\u{feff}{ \"model\": \"new\" }\n"),
    ] {
        let done = claude(before).switch("new");
        assert_eq!((done.undoes().text(FILE).as_str(), done.models()), (after, (Some("opus"), Some("new"))));
        let has_bom = before.starts_with('\u{feff}');
        assert_eq!(done.codes(), if has_bom { vec!["bom_present"] } else { vec![] });
    }
}

#[test]
fn a_missing_key_or_file_is_made() {
    let done = claude("{\n  \"$schema\": \"https://x\",\n  \"env\": {}\n}\n").switch("new");
    assert!(done.undoes().text(FILE).starts_with("{\n  \"$schema\""), "{}", done.text(FILE));
    assert_eq!((done.models(), done.codes()), ((None, Some("new")), vec![]));
    let done = Case::new("claude-code").switch("new");
    assert_eq!((done.models(), done.keys()), ((None, Some("new")), vec!["model".to_owned()]));
}

#[test]
fn the_env_block_goes_before_the_shell_and_before_every_model_key() {
    let content = "{\"model\":\"haiku\",\"env\":{\"ANTHROPIC_MODEL\":\"glm-5\"}}";
    for case in [
        claude(content),
        claude(content).env("ANTHROPIC_MODEL", "shell"),
        claude(content).file(LOCAL, "{\"model\":\"l\"}").cwd("/srv/atlas"),
    ] {
        let done = case.switch("new");
        assert_eq!(
            (done.keys(), done.models()),
            (vec!["env.ANTHROPIC_MODEL".to_owned()], (Some("glm-5"), Some("new")))
        );
        assert_eq!(done.codes(), ["decided_by_env_block"]);
        assert_eq!(done.undoes().text(FILE), content.replace("glm-5", "new"));
    }
    let done = claude(content).env("ANTHROPIC_MODEL", "shell").switch("new");
    let message = done.message(Code::DecidedByEnvBlock);
    assert!(message.contains("not used") && message.contains("replaced"), "{message}");
}

#[test]
fn an_empty_entry_in_the_env_block_shields_the_shell_and_decides_nothing() {
    let done =
        claude("{\"model\":\"opus\",\"env\":{\"ANTHROPIC_MODEL\":\"\"}}").env("ANTHROPIC_MODEL", "shell").switch("new");
    assert_eq!(
        (done.keys(), done.models(), done.codes()),
        (vec!["model".to_owned()], (Some("opus"), Some("new")), vec![])
    );
}

#[test]
fn an_exported_variable_masks_unless_it_is_empty() {
    let done = claude("{\"model\":\"opus\"}").env("ANTHROPIC_MODEL", "shell").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("shell"), Some("shell")), vec!["masked_by_env"]));
    assert_eq!(done.text(FILE), "{\"model\":\"new\"}");
    let message = done.message(Code::MaskedByEnv);
    assert!(message.contains("ANTHROPIC_MODEL") && message.contains("shell"), "{message}");
    let done = claude("{\"model\":\"opus\"}").env("ANTHROPIC_MODEL", "").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]));
    let done = claude("{\"model\":\"opus\"}").env("ANTHROPIC_MODEL", "new").switch("new");
    assert_eq!(
        (done.models().1, done.codes()),
        (Some("new"), vec!["masked_by_env"]),
        "the variable decides all the same"
    );
}

#[test]
fn local_goes_before_shared_and_both_before_the_user() {
    let case = || claude("{\"model\":\"opus\"}").cwd("/srv/atlas");
    let done = case().file(SHARED, "{\"model\":\"shared\"}").file(LOCAL, "{\"model\":\"local\"}").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("local"), Some("local")), vec!["masked_by_project_file"]));
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
    assert!(done.message(Code::MaskedByProjectFile).contains("settings.local.json"));
    let done = case().file(SHARED, "{\"model\":\"shared\"}").file(LOCAL, "{\"permissions\":{}}").switch("new");
    assert_eq!(done.models().1, Some("shared"));
    let done = case().trusted(false).file(LOCAL, "{\"model\":\"local\"}").switch("new");
    assert_eq!(done.models().1, Some("local"), "a model needs no trust");
    let done =
        claude("{\"model\":\"opus\"}").cwd("/srv/atlas/sub").file(SHARED, "{\"model\":\"shared\"}").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]), "only the start folder counts");
}

#[test]
fn a_projects_env_entry_masks_even_the_users_env_entry() {
    let project = "{\"env\":{\"ANTHROPIC_MODEL\":\"p\"}}";
    let done = claude("{\"model\":\"opus\"}").cwd("/srv/atlas").file(SHARED, project).switch("new");
    assert_eq!(
        (done.keys(), done.models().1, done.codes()),
        (vec!["model".to_owned()], Some("p"), vec!["masked_by_project_file"])
    );
    let done = claude("{\"env\":{\"ANTHROPIC_MODEL\":\"u\"}}").cwd("/srv/atlas").file(SHARED, project).switch("new");
    assert_eq!((done.keys(), done.models().1), (vec!["env.ANTHROPIC_MODEL".to_owned()], Some("p")));
}

#[test]
fn policies_go_first_in_the_order_of_their_names() {
    let done = claude("{\"model\":\"opus\"}")
        .file(POLICY, "{\"model\":\"base\"}")
        .file("/etc/claude-code/managed-settings.d/20-b.json", "{\"model\":\"twenty\"}")
        .file("/etc/claude-code/managed-settings.d/10-a.json", "{\"model\":\"ten\"}")
        .file("/etc/claude-code/managed-settings.d/.z.json", "{\"model\":\"hidden\"}")
        .file("/etc/claude-code/managed-settings.d/z.bak", "{\"model\":\"backup\"}")
        .switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("twenty"), Some("twenty")), vec!["masked_by_managed_file"]));
    assert!(done.message(Code::MaskedByManagedFile).contains("20-b.json"));
    let done = claude("{\"model\":\"opus\"}").file(POLICY, "{\"permissions\":{}}").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]), "a policy that says nothing of the model");
    let done = claude("{\"env\":{\"ANTHROPIC_MODEL\":\"u\"}}").file(POLICY, "{\"model\":\"m\"}").switch("new");
    assert_eq!(
        (done.models().1, done.codes()),
        (Some("new"), vec!["decided_by_env_block"]),
        "the variable outranks the key"
    );
    let done = claude("{\"env\":{\"ANTHROPIC_MODEL\":\"u\"}}")
        .file(POLICY, "{\"env\":{\"ANTHROPIC_MODEL\":\"m\"}}")
        .switch("new");
    assert_eq!(done.models().1, Some("m"));
}

#[test]
fn each_system_has_its_place_for_policies() {
    for (platform, place) in [
        (Platform::Macos, "/Library/Application Support/ClaudeCode/managed-settings.json"),
        (Platform::Windows, r"C:\Program Files\ClaudeCode\managed-settings.json"),
    ] {
        let case = Case::new("claude-code").platform(platform).file(FILE, "{\"model\":\"opus\"}");
        assert_eq!(case.file(place, "{\"model\":\"m\"}").switch("new").models().1, Some("m"));
    }
    let case = Case::new("claude-code").platform(Platform::Windows).file(FILE, "{\"model\":\"opus\"}");
    let old = case.file(r"C:\ProgramData\ClaudeCode\managed-settings.json", "{\"model\":\"m\"}").switch("new");
    assert_eq!((old.models().1, old.codes()), (Some("new"), vec![]));
}

#[test]
fn files_that_it_rejects_are_refused() {
    for (content, code) in [
        ("{\n  // note\n  \"model\": \"opus\"\n}", "invalid_for_tool"),
        ("{\"model\": \"opus\",}", "invalid_for_tool"),
        ("{ /* note */ \"model\": \"opus\"}", "invalid_for_tool"),
        ("{\"model\": \"opus\"", "parse_error"),
        ("{'model': 'opus'}", "parse_error"),
        ("{\"model\": 42}", "wrong_type"),
        ("{\"model\": null}", "wrong_type"),
        ("{\"model\": {\"name\": \"opus\"}}", "wrong_type"),
        ("{\"model\": \"opus\", \"env\": []}", "wrong_type"),
        ("[]", "wrong_type"),
    ] {
        let done = claude(content).switch("new");
        assert_eq!((done.refusal(), done.text(FILE).as_str(), done.models()), (Some(code), content, (None, None)));
        assert!(done.codes().contains(&"invalid_for_tool"), "{content}: {:?}", done.codes());
        assert!(!done.codes().contains(&"fatal_for_tool"), "it goes on without the file");
        // The rest of the world still decides what a fresh start uses.
        assert_eq!(claude(content).env("ANTHROPIC_MODEL", "shell").switch("new").models().0, Some("shell"));
    }
    let message = claude("{\n  // note\n  \"model\": \"opus\"\n}").switch("new").message(Code::InvalidForTool);
    assert!(
        message.contains("line 2") && message.contains("default model") && message.contains("comment"),
        "{message}"
    );
}

#[test]
fn a_broken_project_file_is_left_out_by_the_tool() {
    for project in ["{\"model\":\"p\",}", "{\"model\":", "{\"model\": 5}"] {
        let done = claude("{\"model\":\"opus\"}").cwd("/srv/atlas").file(LOCAL, project).switch("new");
        assert_eq!((done.models(), done.text(FILE).as_str()), ((Some("opus"), Some("new")), "{\"model\":\"new\"}"));
        assert!(done.codes().contains(&"invalid_for_tool") && !done.codes().contains(&"masked_by_project_file"));
    }
}

#[test]
fn a_broken_policy_stops_newer_versions() {
    let case = |version: &str| claude("{\"model\":\"opus\"}").version(version).file(POLICY, "{\"model\":\"m\",}");
    assert_eq!(
        (case("2.1.332").switch("new").refusal(), case("2.1.332").switch("new").models()),
        (Some("invalid_for_tool"), (None, None))
    );
    assert!(case("2.1.332").switch("new").codes().contains(&"fatal_for_tool"));
    assert_eq!(case("2.1.197").switch("new").models().1, Some("new"));
}

#[test]
fn aliases_are_resolved_and_surprises_told_of() {
    let env = |entries: &str| format!("{{\"model\":\"opus\",\"env\":{{{entries}}}}}");
    for (name, variable, target, told) in [
        ("haiku", "HAIKU", "qwen3-coder", true),
        ("sonnet", "SONNET", "glm-5", true),
        ("sonnet[1m]", "SONNET", "glm-5", true),
        ("opusplan", "SONNET", "glm-5", true),
        ("fable", "FABLE", "kimi-k3", true),
        ("Haiku", "HAIKU", "qwen3-coder", true),
        ("haiku", "HAIKU", "claude-haiku-5", false),
        ("haiku", "HAIKU", "us.anthropic.claude-haiku-5-v1:0", false),
    ] {
        let done = claude(&env(&format!("\"ANTHROPIC_DEFAULT_{variable}_MODEL\":\"{target}\""))).switch(name);
        assert_eq!(done.plan.after.resolves_to.as_deref(), Some(target), "{name}");
        assert_eq!(done.codes(), if told { vec!["alias_remapped"] } else { vec![] }, "{name} {target}");
    }
    let done = claude(&env("\"ANTHROPIC_DEFAULT_HAIKU_MODEL\":\"x\"")).switch("glm-5");
    assert_eq!((done.plan.after.resolves_to.as_deref(), done.codes()), (None, vec![]));
    // The model before was remapped; what matters is the one after.
    let done = claude("{\"model\":\"haiku\",\"env\":{\"ANTHROPIC_DEFAULT_HAIKU_MODEL\":\"x\"}}").switch("opus");
    assert_eq!((done.plan.before.resolves_to.as_deref(), done.codes()), (Some("x"), vec![]));
    let done = claude("{\"model\":\"opus\"}").env("ANTHROPIC_DEFAULT_HAIKU_MODEL", "x").switch("haiku");
    assert!(done.message(Code::AliasRemapped).contains("ANTHROPIC_DEFAULT_HAIKU_MODEL"));
    let done = claude("{\"model\":\"opus\",\"env\":{\"ANTHROPIC_SMALL_FAST_MODEL\":\"x\"}}").switch("haiku");
    assert_eq!((done.plan.after.resolves_to.as_deref(), done.codes()), (None, vec![]), "it maps no alias");
    let subagent = claude("{\"model\":\"opus\",\"env\":{\"CLAUDE_CODE_SUBAGENT_MODEL\":\"haiku\"}}").switch("sonnet");
    assert_eq!(subagent.codes(), [""; 0]);
}

#[test]
fn the_default_models_variable_counts_from_2_1_236() {
    let content = "{\"env\":{\"ANTHROPIC_DEFAULT_MODEL\":\"d\"}}";
    for version in ["2.1.236", "2.1.332"] {
        let done = claude(content).version(version).switch("new");
        assert_eq!(
            (done.keys(), done.models()),
            (vec!["env.ANTHROPIC_DEFAULT_MODEL".to_owned()], (Some("d"), Some("new")))
        );
        assert_eq!(done.codes(), ["decided_by_env_block"]);
    }
    let done = claude(content).version("2.1.235").switch("new");
    assert_eq!(
        (done.keys(), done.models(), done.codes()),
        (vec!["model".to_owned()], (None, Some("new")), vec!["inert_key"])
    );
    let done = claude(content).versions("2.1.197", "2.1.240").switch("new");
    assert!(done.codes().contains(&"versions_differ"));
    for version in ["2.1.197", "2.1.240"] {
        let done = claude("{\"model\":\"opus\"}").version(version).env("ANTHROPIC_DEFAULT_MODEL", "d").switch("new");
        assert_eq!((done.models(), done.codes()), ((Some("opus"), Some("new")), vec![]), "the key outranks it");
    }
    let done = claude("{}").env("ANTHROPIC_DEFAULT_MODEL", "d").switch("new");
    assert_eq!(
        (done.models(), done.keys(), done.codes()),
        ((Some("d"), Some("new")), vec!["model".to_owned()], vec![])
    );
}

#[test]
fn duplicate_keys_count_by_the_last_one() {
    let done = claude("{\"model\":\"a\",\"model\":\"b\"}").switch("new");
    assert_eq!(
        (done.undoes().text(FILE).as_str(), done.models()),
        ("{\"model\":\"a\",\"model\":\"new\"}", (Some("b"), Some("new")))
    );
    assert_eq!(done.codes(), ["duplicate_key"]);
    let done = claude("{\"env\":{\"ANTHROPIC_MODEL\":\"x\"},\"model\":\"a\",\"env\":{}}").switch("new");
    assert_eq!((done.keys(), done.models().1, done.codes()), (vec!["model".to_owned()], Some("new"), vec![]));
    let done = claude("{\"model\":\"a\",\"hooks\":{},\"hooks\":{}}").switch("new");
    assert_eq!(done.codes(), [""; 0], "only keys that were edited matter");
    let done = claude("{\"model\":\"a\",\"model\":\"b\"}")
        .cwd("/srv/atlas")
        .file(LOCAL, "{\"model\":\"p\",\"model\":\"q\"}")
        .switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("q"), vec!["duplicate_key", "masked_by_project_file"]));
}

#[test]
fn lists_of_models_send_the_tool_to_its_default() {
    for (list, model, allowed) in [
        ("[\"opus\"]", "sonnet", false),
        ("[\"opus\"]", "opus", true),
        ("[\"opus\"]", "opus[1m]", true),
        ("[\"sonnet\"]", "claude-sonnet-4-5", true),
        ("[\"claude-sonnet-4-5\"]", "claude-sonnet-4-5-20250929", true),
        ("[\"claude-sonnet-4-5\"]", "claude-sonnet-4-50", false),
        ("[\"sonnet-4-5\"]", "claude-sonnet-4-5-20250929", true),
        ("[\"glm-5\"]", "glm-5", true),
        ("[\"glm-5\"]", "glm-5-plus", false),
        ("[]", "default", true),
    ] {
        let policy = format!("{{\"availableModels\":{list}}}");
        let done = claude("{\"model\":\"x\"}").file(POLICY, &policy).switch(model);
        let expected = if allowed { vec![] } else { vec!["masked_by_managed_file", "model_not_allowed"] };
        assert_eq!((done.models().1, done.codes()), (allowed.then_some(model), expected), "{list} {model}");
    }
    let done = claude("{\"model\":\"x\",\"availableModels\":[\"opus\"]}").switch("glm-5");
    assert_eq!((done.models(), done.codes()), ((None, None), vec!["model_not_allowed"]));
    let done = claude("{\"model\":\"x\",\"availableModels\":[\"glm-5\"]}")
        .file(POLICY, "{\"availableModels\":[\"opus\"]}")
        .switch("glm-5");
    assert_eq!(done.models().1, None, "the user cannot widen the policy");
    let done = claude("{\"model\":\"x\"}").file(POLICY, "{\"deniedModels\":[\"glm-5\"]}").switch("glm-5");
    assert_eq!((done.models(), done.codes()), ((Some("x"), None), vec!["masked_by_managed_file", "model_not_allowed"]));
    let done = claude("{\"model\":\"x\",\"deniedModels\":[\"glm-5\"]}").switch("glm-5");
    assert_eq!((done.models().1, done.codes()), (Some("glm-5"), vec![]), "only a policy denies");
}

#[test]
fn a_host_program_keeps_the_variables_of_settings_out() {
    let case = claude("{\"model\":\"opus\",\"env\":{\"ANTHROPIC_MODEL\":\"e\"}}")
        .env("CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST", "1");
    let done = case.switch("new");
    assert_eq!(
        (done.keys(), done.models(), done.codes()),
        (vec!["model".to_owned()], (Some("opus"), Some("new")), vec!["inert_key"])
    );
}

#[test]
fn clouds_are_providers_with_names_of_their_own_form() {
    for (variable, provider) in
        [("BEDROCK", "bedrock"), ("VERTEX", "vertex"), ("FOUNDRY", "foundry"), ("MANTLE", "mantle")]
    {
        let done = claude("{\"model\":\"opus\"}").env(&format!("CLAUDE_CODE_USE_{variable}"), "1").switch("sonnet");
        assert_eq!((done.providers().1, done.codes()), (Some(provider), vec![]));
    }
    let bedrock = || claude("{\"model\":\"opus\",\"env\":{\"CLAUDE_CODE_USE_BEDROCK\":\"true\"}}");
    assert_eq!(bedrock().switch("claude-opus-5").codes(), ["model_unverified"]);
    assert_eq!(bedrock().switch("us.anthropic.claude-opus-5-v1:0").codes(), [""; 0]);
    assert_eq!(claude("{\"env\":{\"CLAUDE_CODE_USE_BEDROCK\":\"0\"}}").switch("opus").providers().1, Some("anthropic"));
    assert_eq!(claude("{}").switch("us.anthropic.claude-opus-5-v1:0").codes(), ["model_unverified"]);
    let off = claude("{\"env\":{\"CLAUDE_CODE_USE_BEDROCK\":\"\"}}").env("CLAUDE_CODE_USE_BEDROCK", "1").switch("opus");
    assert_eq!(off.providers().1, Some("anthropic"), "an empty entry counts as unset");
}

#[test]
fn another_provider_is_not_a_matter_of_one_key() {
    assert_eq!(claude("{\"model\":\"a\"}").provider("bedrock").switch("b").refusal(), Some("provider_unknown"));
    assert_eq!(claude("{\"model\":\"a\"}").provider("anthropic").switch("b").models().1, Some("b"));
}

#[test]
fn two_credentials_are_told_of() {
    let both = "{\"model\":\"a\",\"env\":{\"ANTHROPIC_AUTH_TOKEN\":\"t\"}}";
    assert_eq!(claude(both).env("ANTHROPIC_API_KEY", "k").switch("b").codes(), ["two_credentials"]);
    assert_eq!(claude(both).env("ANTHROPIC_API_KEY", "").switch("b").codes(), [""; 0]);
    assert_eq!(claude(both).switch("b").codes(), [""; 0]);
}

#[test]
fn the_home_moves_and_the_users_folder_is_no_project_of_its_own() {
    let case = || {
        Case::new("claude-code")
            .env("CLAUDE_CONFIG_DIR", "/srv/cfg")
            .file("/srv/cfg/settings.json", "{\"model\":\"c\"}")
    };
    let done = case().file(FILE, "{\"model\":\"u\"}").switch("new");
    assert_eq!(
        (done.models(), done.text("/srv/cfg/settings.json").as_str()),
        ((Some("c"), Some("new")), "{\"model\":\"new\"}")
    );
    let done = case().file(FILE, "{\"model\":\"u\"}").cwd("~").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("u"), vec!["masked_by_project_file"]));
    let done = claude("{\"model\":\"u\"}").cwd("~").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("u"), Some("new")), vec![]));
    let done =
        claude("{\"model\":\"u\"}").cwd("~").file("~/.claude/settings.local.json", "{\"model\":\"l\"}").switch("new");
    assert_eq!(done.models().1, Some("l"));
}

#[test]
fn links_are_followed_and_what_cannot_be_written_is_refused() {
    let done = Case::new("claude-code").link(FILE, "~/dotfiles/claude.json", "{\"model\":\"a\"}").switch("b");
    assert_eq!(done.text(FILE), "{\"model\":\"b\"}");
    let done = Case::new("claude-code").readonly(FILE, "{\"model\":\"a\"}").switch("b");
    assert_eq!((done.refusal(), done.models().0), (Some("target_readonly"), Some("a")));
    let done = Case::new("claude-code").unreadable(FILE).switch("b");
    assert!(done.refusal().is_some());
}

#[test]
fn the_endpoint_is_where_the_settings_say() {
    let look = |case: Case| case.look(|tool, at| tool.endpoints(at)).swap_remove(0);
    let own = look(
        claude("{\"env\":{\"ANTHROPIC_BASE_URL\":\"https://relay.example\",\"ANTHROPIC_AUTH_TOKEN\":\"t\"}}")
            .env("ANTHROPIC_BASE_URL", "https://shell.example"),
    );
    assert_eq!((own.base_url.as_deref(), own.credential), (Some("https://relay.example"), Credential::InFile));
    let shell = look(claude("{}").env("ANTHROPIC_API_KEY", "k"));
    assert_eq!(shell.credential, Credential::Variable("ANTHROPIC_API_KEY".to_owned()));
    assert_eq!(look(claude("{}").file("~/.claude/.credentials.json", "no")).credential, Credential::OwnLogin);
    assert_eq!(look(claude("{\"apiKeyHelper\":\"/bin/key\"}")).credential, Credential::Unknown);
    assert_eq!(look(claude("{}").env("CLAUDE_CODE_USE_VERTEX", "1")).dialect, None);
}

#[test]
fn a_rewrite_by_the_tool_does_not_end_the_undo() {
    let first = claude("{\"model\":\"a\"}\n").switch("b");
    let rewritten = "{\n  \"model\": \"b\",\n  \"enabledPlugins\": {}\n}\n";
    let second = claude(rewritten).switch("a");
    assert_eq!(
        (second.models(), second.undoes().text(FILE)),
        ((first.models().1, Some("a")), rewritten.replace("\"b\"", "\"a\""))
    );
}

#[test]
fn an_empty_file_says_nothing_and_gets_its_first_key() {
    for content in ["", "\n", "  \r\n"] {
        let done = claude(content).switch("new");
        assert_eq!((done.undoes().models(), done.codes()), ((None, Some("new")), vec![]), "{content:?}");
        assert_eq!(done.text(FILE), "{\n  \"model\": \"new\"\n}\n");
    }
    let done = claude("{\"model\":\"a\"}").cwd("/srv/atlas").file(LOCAL, "").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]));
}
