//! Gemini CLI: the variable and where it is set, trust, shapes by version, references.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.gemini/settings.json";
const PROJECT: &str = "/srv/atlas/.gemini/settings.json";

fn gemini(content: &str) -> Case {
    Case::new("gemini-cli").version("0.61.0").file(FILE, content)
}

#[test]
fn the_name_is_set_and_nothing_else() {
    for (before, after) in [
        ("{\"model\":{\"name\":\"a\"}}", "{\"model\":{\"name\":\"new\"}}"),
        (
            "{\r\n  // x\r\n  \"model\": { \"name\": \"a\", \"n\": 4 } // y\r\n}",
            "{\r\n  // x\r\n  \"model\": { \"name\": \"new\", \"n\": 4 } // y\r\n}",
        ),
    ] {
        let done = gemini(before).switch("new");
        assert_eq!((done.undoes().text(FILE).as_str(), done.models()), (after, (Some("a"), Some("new"))));
        assert_eq!((done.codes(), done.keys()), (vec![], vec!["model.name".to_owned()]));
    }
}

#[test]
fn a_missing_name_object_or_file_is_made() {
    for content in ["{}", "{\n  \"ui\": {}\n}\n", "{\"model\":{\"maxSessionTurns\":4}}", "{\"model\":{}}"] {
        let done = gemini(content).switch("new");
        assert_eq!((done.undoes().models(), done.codes()), ((Some("auto"), Some("new")), vec![]), "{content}");
    }
    assert_eq!(Case::new("gemini-cli").switch("new").models(), (Some("auto"), Some("new")));
}

#[test]
fn the_variable_goes_before_every_file() {
    let done = gemini("{\"model\":{\"name\":\"a\"}}")
        .env("GEMINI_MODEL", "e")
        .file("~/.gemini/.env", "GEMINI_MODEL=d\n")
        .switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("e"), Some("e")), vec!["masked_by_env"]));
    let done = gemini("{\"model\":{\"name\":\"a\"}}")
        .env("GEMINI_MODEL", "")
        .file("~/.gemini/.env", "GEMINI_MODEL=d\n")
        .switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]), "empty, it keeps the .env file out");
}

#[test]
fn only_the_first_dotenv_file_is_loaded() {
    let case =
        || gemini("{\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas/sub").file("~/.gemini/.env", "GEMINI_MODEL=home\n");
    let done = case().switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("home"), vec!["masked_by_dotenv"]));
    assert!(done.message(Code::MaskedByDotenv).contains(".gemini/.env"));
    for shield in ["/srv/atlas/sub/.env", "/srv/atlas/sub/.gemini/.env", "/srv/atlas/.env", "/srv/.env", "/.env"] {
        let done = case().file(shield, "OTHER=1\n").switch("new");
        assert_eq!((done.models().1, done.codes()), (Some("new"), vec![]), "{shield} shields the home's");
        let done = case().file(shield, "export GEMINI_MODEL=\"own\" # note\n").switch("new");
        assert_eq!((done.models().1, done.codes()), (Some("own"), vec!["masked_by_dotenv"]), "{shield}");
    }
    let done = case()
        .file("/srv/atlas/sub/.env", "GEMINI_MODEL=plain\n")
        .file("/srv/atlas/sub/.gemini/.env", "GEMINI_MODEL=own\n")
        .switch("new");
    assert_eq!(done.models().1, Some("own"), "the tool's own folder goes first");
    let done = gemini("{\"model\":{\"name\":\"a\"}}").file("~/.env", "GEMINI_MODEL=home\n").switch("new");
    assert_eq!(done.models().1, Some("home"));
    let done = gemini("{\"model\":{\"name\":\"a\"}}")
        .file("~/.env", "GEMINI_MODEL=home\n")
        .file("~/.gemini/.env", "")
        .switch("new");
    assert_eq!(done.models().1, Some("new"));
    for content in ["GEMINI_MODEL=\n", "# GEMINI_MODEL=x\n", "GEMINI_API_KEY=k\n"] {
        assert_eq!(gemini("{}").file("~/.gemini/.env", content).switch("new").codes(), [""; 0], "{content}");
    }
}

#[test]
fn an_untrusted_folder_takes_no_model_from_it_or_from_dotenv_files() {
    let case = || gemini("{\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas").trusted(false);
    let done =
        case().file(PROJECT, "{\"model\":{\"name\":\"p\"}}").file("/srv/atlas/.env", "GEMINI_MODEL=d\n").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]));
    assert_eq!(case().env("GEMINI_MODEL", "e").switch("new").models().1, Some("e"));
}

#[test]
fn the_record_of_trusted_folders_counts_where_trust_is_asked_for() {
    let on = "{\"security\":{\"folderTrust\":{\"enabled\":true}},\"model\":{\"name\":\"a\"}}";
    let off = on.replace("true", "false");
    let unset = "{\"model\":{\"name\":\"a\"}}".to_owned();
    for (settings, record, expected) in [
        (on.to_owned(), "{\"/srv/atlas\":\"TRUST_FOLDER\"}", "p"),
        (on.to_owned(), "{\"/srv\":\"TRUST_FOLDER\"}", "p"),
        (on.to_owned(), "{\"/srv/atlas/deep\":\"TRUST_PARENT\"}", "p"),
        (on.to_owned(), "{\"/srv/atlas\":\"DO_NOT_TRUST\",\"/srv\":\"TRUST_FOLDER\"}", "new"),
        (on.to_owned(), "{\"/srv/other\":\"TRUST_FOLDER\"}", "new"),
        (on.to_owned(), "{}", "new"),
        (off.clone(), "{\"/srv/atlas\":\"DO_NOT_TRUST\"}", "p"),
        (unset.clone(), "{\"/srv/atlas\":\"DO_NOT_TRUST\"}", "new"),
        (unset.clone(), "{\"/srv/atlas\":\"TRUST_FOLDER\"}", "p"),
        (unset, "{}", "p"),
    ] {
        let case = gemini(&settings).cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}");
        let done = case.file("~/.gemini/trustedFolders.json", record).switch("new");
        assert_eq!(done.models().1, Some(expected), "{settings} {record}");
    }
    let case = gemini(on).cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}");
    assert_eq!(case.env("GEMINI_CLI_TRUST_WORKSPACE", "true").switch("new").models().1, Some("p"));
}

#[test]
fn a_trusted_project_wins_over_the_user_and_the_system_over_both() {
    let case =
        || gemini("{\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas").file(PROJECT, "{\"model\":{\"name\":\"p\"}}");
    let done = case().trusted(true).switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("p"), Some("p")), vec!["masked_by_project_file"]));
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
    let done = case().trusted(true).file("/etc/gemini-cli/settings.json", "{\"model\":{\"name\":\"s\"}}").switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("s"), vec!["masked_by_managed_file"]));
    let done = gemini("{}").file("/etc/gemini-cli/system-defaults.json", "{\"model\":{\"name\":\"d\"}}").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("d"), Some("new")), vec![]));
    let moved = || gemini("{\"model\":{\"name\":\"a\"}}").env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/opt/g/s.json");
    assert_eq!(moved().file("/opt/g/s.json", "{\"model\":{\"name\":\"s\"}}").switch("new").models().1, Some("s"));
    assert_eq!(
        moved().file("/etc/gemini-cli/settings.json", "{\"model\":{\"name\":\"s\"}}").switch("new").models().1,
        Some("new")
    );
    let defaults = moved().file("/opt/g/system-defaults.json", "{\"model\":{\"name\":\"d\"}}");
    assert_eq!(defaults.switch("new").models(), (Some("a"), Some("new")));
}

#[test]
fn each_system_has_its_place_for_the_machines_settings() {
    for (platform, place) in [
        (Platform::Macos, "/Library/Application Support/GeminiCli/settings.json"),
        (Platform::Windows, r"C:\ProgramData\gemini-cli\settings.json"),
    ] {
        let case = Case::new("gemini-cli").platform(platform).file(FILE, "{\"model\":{\"name\":\"a\"}}");
        assert_eq!(case.file(place, "{\"model\":{\"name\":\"s\"}}").switch("new").models().1, Some("s"));
    }
}

#[test]
fn what_it_cannot_read_stops_it() {
    for (content, code) in [
        ("{\"model\":{\"name\":\"a\"},}", "invalid_for_tool"),
        ("\u{feff}{\"model\":{\"name\":\"a\"}}", "invalid_for_tool"),
        ("{\"model\":{\"name\":\"a\"}", "parse_error"),
        ("[]", "invalid_for_tool"),
    ] {
        let done = gemini(content).switch("new");
        assert_eq!((done.refusal(), done.text(FILE).as_str(), done.models()), (Some(code), content, (None, None)));
        assert!(done.codes().contains(&"fatal_for_tool"), "{content}");
        assert_eq!(done.codes().contains(&"bom_present"), content.starts_with('\u{feff}'));
    }
}

#[test]
fn a_broken_project_stops_it_there_trusted_or_not() {
    for trusted in [true, false] {
        let case = gemini("{\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas").trusted(trusted);
        let done = case.file(PROJECT, "{\"model\":{},}").switch("new");
        assert_eq!((done.models(), done.codes()), ((None, None), vec!["fatal_for_tool", "invalid_for_tool"]));
        assert_eq!(done.text(FILE), "{\"model\":{\"name\":\"new\"}}");
        assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("new"));
    }
    let done = gemini("{}").file("/etc/gemini-cli/settings.json", "{").switch("new");
    assert_eq!(done.refusal(), Some("parse_error"));
}

#[test]
fn the_flat_shape_by_version() {
    let flat = "{ \"model\": \"a\", \"theme\": \"x\" }";
    for (version, before, after, codes) in [
        ("0.1.20", "a", "{ \"model\": \"new\", \"theme\": \"x\" }", vec![]),
        ("0.2.2", "a", "{ \"model\": \"new\", \"theme\": \"x\" }", vec![]),
        ("0.3.0", "a", "{ \"model\": \"new\", \"theme\": \"x\" }", vec!["legacy_shape"]),
        ("0.23.0", "a", "{ \"model\": \"new\", \"theme\": \"x\" }", vec!["legacy_shape"]),
        ("0.24.0", "auto", "{ \"model\": { \"name\": \"new\" }, \"theme\": \"x\" }", vec!["legacy_shape"]),
        ("0.61.0", "auto", "{ \"model\": { \"name\": \"new\" }, \"theme\": \"x\" }", vec!["legacy_shape"]),
    ] {
        let done = gemini(flat).version(version).switch("new");
        let spaces = |text: &str| text.replace(' ', "");
        assert_eq!(spaces(&done.undoes().text(FILE)), spaces(after), "{version}");
        assert_eq!(
            (done.models(), done.codes(), done.keys()),
            ((Some(before), Some("new")), codes, vec!["model".to_owned()])
        );
    }
    let done = gemini(flat).versions("0.23.0", "0.24.0").switch("new");
    assert_eq!(done.codes(), ["legacy_shape", "versions_differ"]);
    assert_eq!(gemini("{\"model\":{\"name\":\"a\"}}").versions("0.23.0", "0.24.0").switch("new").codes(), [""; 0]);
    let done = gemini("{}").version("0.2.0").switch("new");
    assert_eq!((done.keys(), done.models().1), (vec!["model".to_owned()], Some("new")));
    let done = gemini("{\"model\":{\"name\":\"a\"}}")
        .cwd("/srv/atlas")
        .trusted(true)
        .file(PROJECT, "{\"model\":\"p\"}")
        .switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("new"), vec!["inert_key"]));
}

#[test]
fn wrong_types_are_healed() {
    for content in ["{\"model\":5}", "{\"model\":[\"a\"]}", "{\"model\":{\"name\":5}}", "{\"model\":{\"name\":[]}}"] {
        let done = gemini(content).switch("new");
        assert_eq!(
            (done.undoes().models(), done.codes()),
            ((Some("auto"), Some("new")), vec!["wrong_type"]),
            "{content}"
        );
    }
}

#[test]
fn references_are_resolved_and_told_of_when_replaced() {
    for (value, set, expected) in [
        ("$MY_MODEL", Some("m"), "m"),
        ("${MY_MODEL}", Some("m"), "m"),
        ("${MY_MODEL:-d}", None, "d"),
        ("$MY_MODEL", None, "$MY_MODEL"),
    ] {
        let case = gemini(&format!("{{\"model\":{{\"name\":\"{value}\"}}}}"));
        let case = if let Some(set) = set { case.env("MY_MODEL", set) } else { case };
        let done = case.switch("new");
        assert_eq!(
            (done.models(), done.codes()),
            ((Some(expected), Some("new")), vec!["value_was_reference"]),
            "{value}"
        );
        assert!(done.message(Code::ValueWasReference).contains(value));
    }
    assert_eq!(gemini("{\"model\":{\"name\":\"a$-b\"}}").switch("new").codes(), [""; 0]);
}

#[test]
fn duplicate_keys_count_by_the_last_one() {
    let done = gemini("{\"model\":{\"name\":\"a\"},\"model\":{\"name\":\"b\"}}").switch("new");
    assert_eq!(done.undoes().text(FILE), "{\"model\":{\"name\":\"a\"},\"model\":{\"name\":\"new\"}}");
    assert_eq!((done.models().0, done.codes()), (Some("b"), vec!["duplicate_key"]));
    let other = gemini("{\"model\":{\"name\":\"a\"},\"mcpServers\":{\"model\":{}}}").switch("new");
    assert_eq!(other.codes(), [""; 0]);
}

#[test]
fn settings_can_keep_the_variable_out_of_dotenv_files() {
    let excluded = "{\"advanced\":{\"excludedEnvVars\":[\"GEMINI_MODEL\"]},\"model\":{\"name\":\"a\"}}";
    let case = |place: &str| gemini(excluded).cwd("/srv/atlas").file(place, "GEMINI_MODEL=d\n").switch("new");
    assert_eq!(case("/srv/atlas/.env").models().1, Some("new"));
    assert_eq!(case("/srv/atlas/.gemini/.env").models().1, Some("d"));
    let ignoring = gemini("{\"advanced\":{\"ignoreLocalEnv\":true},\"model\":{\"name\":\"a\"}}").cwd("/srv/atlas");
    let done =
        ignoring.file("/srv/atlas/.env", "GEMINI_MODEL=d\n").file("~/.gemini/.env", "GEMINI_MODEL=h\n").switch("new");
    assert_eq!(done.models().1, Some("h"));
}

#[test]
fn the_home_moves_with_its_variable() {
    let done = gemini("{\"model\":{\"name\":\"a\"}}")
        .env("GEMINI_CLI_HOME", "/srv/g")
        .file("/srv/g/.gemini/settings.json", "{\"model\":{\"name\":\"g\"}}")
        .file("~/.gemini/.env", "GEMINI_MODEL=no\n")
        .switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("g"), Some("new")), vec![]));
    let done = gemini("{\"model\":{\"name\":\"a\"}}").cwd("~").switch("new");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec![]), "the home is no project");
}

#[test]
fn a_file_of_the_machine_that_others_could_change_is_skipped() {
    const SYSTEM: &str = "/etc/gemini-cli/settings.json";
    let pins = "{\"model\":{\"name\":\"s\"}}";
    let user = || gemini("{\"model\":{\"name\":\"a\"}}");
    let done = user().file(SYSTEM, pins).switch("new");
    assert_eq!((done.models().1, done.codes()), (Some("s"), vec!["masked_by_managed_file"]));
    for content in [pins, "{ broken", "\u{feff}{}"] {
        let done = user().unguarded(SYSTEM, content).switch("new");
        assert_eq!((done.models(), done.codes()), ((Some("a"), Some("new")), vec!["invalid_for_tool"]), "{content}");
        assert!(done.message(Code::InvalidForTool).contains(SYSTEM));
    }
    let named = user().env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/srv/s.json").unguarded("/srv/s.json", pins);
    assert_eq!(named.switch("new").models().1, Some("new"));
    let older = user().version("0.60.0").unguarded(SYSTEM, pins).switch("new");
    assert_eq!((older.models().1, older.codes()), (Some("s"), vec!["masked_by_managed_file"]));
    let own = Case::new("gemini-cli").unguarded(FILE, "{\"model\":{\"name\":\"a\"}}").switch("new");
    assert_eq!((own.models().1, own.codes()), (Some("new"), vec![]));
}

#[test]
fn links_and_read_only_files() {
    let done = Case::new("gemini-cli").link(FILE, "/nix/store/x.json", "{\"model\":{\"name\":\"a\"}}").switch("b");
    assert_eq!(done.models().1, Some("b"));
    assert_eq!(Case::new("gemini-cli").readonly(FILE, "{}").switch("b").refusal(), Some("target_readonly"));
}

#[test]
fn its_endpoint_and_no_other() {
    let look = |case: Case| case.look(|tool, at| tool.endpoints(at)).swap_remove(0);
    assert_eq!(look(gemini("{}").file("~/.gemini/.env", "GEMINI_API_KEY=k\n")).credential, Credential::InFile);
    assert_eq!(look(gemini("{}").file("~/.gemini/oauth_creds.json", "no")).credential, Credential::OwnLogin);
    let moved = look(gemini("{}").env("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1"));
    assert_eq!((moved.base_url.as_deref(), moved.credential), (Some("http://127.0.0.1:1"), Credential::Unknown));
    assert_eq!(gemini("{}").provider("openai").switch("x").refusal(), Some("provider_unknown"));
    assert_eq!(gemini("{}").provider("gemini").switch("x").models().1, Some("x"));
}

#[test]
fn names_are_exact() {
    for name in ["FLASH", "flash", "pro", "auto", "gemini-3-pro-preview"] {
        let done = gemini("{\"model\":{\"name\":\"a\"}}").switch(name);
        assert_eq!((done.models().1, done.codes()), (Some(name), vec![]));
    }
}
