//! aider's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::tool::{Credential, Tool};
use crate::switch::tools::aider::Aider;
use crate::switch::warning::Code;

const FILE: &str = "~/.aider.conf.yml";
const CWD: &str = "/srv/projects/atlas";

fn case() -> Case {
    Case::new("aider").version("0.86.2").cwd(CWD)
}

/// Where `git init` was run.
fn git(case: Case, folder: &str) -> Case {
    case.file(&format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n")
}

#[test]
fn forms_of_the_file() {
    for (before, after) in [
        ("model: a  # mine\nweak-model: a\n", "model: b  # mine\nweak-model: a\n"),
        ("model: \"a\"\r\nweak-model: c\r\n", "model: \"b\"\r\nweak-model: c\r\n"),
        ("model: 'a'", "model: 'b'"),
        ("\u{feff}model: a\n", "\u{feff}model: b\n"),
        ("weak-model: a\nread: [x.md]\n", "weak-model: a\nread: [x.md]\nmodel: b\n"),
        ("weak-model: a\r\n", "weak-model: a\r\nmodel: b\r\n"),
        ("model:\nweak-model: a\n", "model: b\nweak-model: a\n"),
        ("{model: a, vim: true}\n", "{model: b, vim: true}\n"),
    ] {
        let done = case().file(FILE, before).switch("b");
        assert_eq!(done.undoes().text(FILE), after, "{before:?}");
        assert_eq!(done.models().1, Some("b"), "{before:?}");
        assert_eq!(done.keys(), ["model"]);
    }
}

#[test]
fn what_is_valid_and_cannot_be_edited_is_not_called_broken() {
    for text in [
        "model: >-\n  sonnet\n",
        "model: |-\n  sonnet\n",
        "model: &m sonnet\nweak-model: *m\n",
        "model: !!str sonnet\n",
    ] {
        let done = case().file(FILE, text).switch("b");
        assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some("form_not_editable"), text));
        assert_eq!((done.models(), done.codes()), ((Some("sonnet"), Some("sonnet")), vec!["form_not_editable"]));
        assert!(done.message(Code::FormNotEditable).contains("cannot be changed without touching something else"));
    }
}

#[test]
fn a_plain_switch_says_nothing() {
    let done = case().file(FILE, "model: sonnet\nalias:\n  - \"fast:openai/mini\"\n").switch("gpt-5.5");
    assert_eq!((done.models(), done.codes()), ((Some("sonnet"), Some("gpt-5.5")), vec![]));
    let new = case().switch("gpt-5.5");
    assert_eq!((new.text(FILE).as_str(), new.models()), ("model: gpt-5.5\n", (None, Some("gpt-5.5"))));
}

#[test]
fn the_vendor_is_a_prefix() {
    for (provider, model, written) in [
        ("openai", "gpt-5.5", "openai/gpt-5.5"),
        ("openrouter", "anthropic/claude-opus-5", "openrouter/anthropic/claude-opus-5"),
        ("openrouter", "openrouter/auto", "openrouter/openrouter/auto"),
        ("google", "gemini-3-pro", "gemini/gemini-3-pro"),
        ("ollama_chat", "qwen3:32b", "ollama_chat/qwen3:32b"),
    ] {
        let done = case().file(FILE, "model: a\n").provider(provider).switch(model);
        assert_eq!(done.models().1, Some(written));
        assert_eq!(done.providers().1, written.split_once('/').map(|(prefix, _)| prefix));
    }
}

#[test]
fn three_files_the_nearest_wins() {
    let near = format!("{CWD}/deep");
    let case = || git(case().cwd(&near), CWD).file(FILE, "model: home\n");
    let done = case().file(&format!("{CWD}/.aider.conf.yml"), "model: root\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("root"), Some("root")), vec!["masked_by_project_file"]));
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("b"));
    let done = case()
        .file(&format!("{CWD}/.aider.conf.yml"), "model: root\n")
        .file(&format!("{near}/.aider.conf.yml"), "model: near\n")
        .switch("b");
    assert_eq!((done.models().1, done.text(FILE).as_str()), (Some("near"), "model: b\n"));
    assert!(done.message(Code::MaskedByProjectFile).contains("deep/.aider.conf.yml"));
    let done = case().file(&format!("{near}/.aider.conf.yml"), "weak-model: x\n").switch("b");
    assert_eq!((done.models().1, done.codes()), (Some("b"), vec![]));
}

#[test]
fn started_in_the_home_folder_there_is_one_file() {
    let done = Case::new("aider").cwd("~").file(FILE, "model: a\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec![]));
}

#[test]
fn a_named_file_is_the_only_one() {
    let done = case()
        .named("/srv/aider.yml")
        .file("/srv/aider.yml", "model: named\n")
        .file(FILE, "model: home\n")
        .file(&format!("{CWD}/.aider.conf.yml"), "model: project\n")
        .switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("named"), Some("b")), vec![]));
    assert_eq!((done.text("/srv/aider.yml").as_str(), done.text(FILE).as_str()), ("model: b\n", "model: home\n"));
}

#[test]
fn the_environment_and_env_files() {
    let near = format!("{CWD}/deep");
    let (root_env, near_env) = (format!("{CWD}/.env"), format!("{near}/.env"));
    let case = || git(case().cwd(&near), CWD).file(FILE, "model: home\n");
    for (case, effective, codes) in [
        (case().env("AIDER_MODEL", "opus"), Some("opus"), vec!["masked_by_env"]),
        (case().file("~/.env", "AIDER_MODEL=x\n"), Some("x"), vec!["masked_by_dotenv"]),
        (case().file(&near_env, "AIDER_MODEL=x\n"), Some("x"), vec!["masked_by_dotenv"]),
        (case().file(&near_env, "OTHER=x\n").file("~/.env", "K=1\n"), Some("b"), vec![]),
        // The default of --env-file is the git root's: it is read last.
        (
            case().file(&near_env, "AIDER_MODEL=n\n").file(&root_env, "AIDER_MODEL=r\n"),
            Some("r"),
            vec!["masked_by_dotenv"],
        ),
        (
            case().file("~/.env", "AIDER_MODEL=h\n").file(&near_env, "AIDER_MODEL=n\n"),
            Some("n"),
            vec!["masked_by_dotenv"],
        ),
        (
            case()
                .env("AIDER_ENV_FILE", "/srv/x.env")
                .file("/srv/x.env", "AIDER_MODEL=e\n")
                .file(&root_env, "AIDER_MODEL=r\n"),
            Some("e"),
            vec!["masked_by_dotenv"],
        ),
        (case().file(&root_env, "export AIDER_MODEL=\"x/y\"  # mine\n"), Some("x/y"), vec!["masked_by_dotenv"]),
        (case().env("P", "y").file(&root_env, "AIDER_MODEL=${P}/m\n"), Some("y/m"), vec!["masked_by_dotenv"]),
        (case().file(&root_env, "# AIDER_MODEL=x\nXAIDER_MODEL=y\n"), Some("b"), vec![]),
        (case().env("AIDER_MODEL", ""), None, vec!["masked_by_env"]),
        (case().env("AIDER_MODEL", "opus").file(&root_env, "AIDER_MODEL=\n"), None, vec!["masked_by_dotenv"]),
        (case().env("aider_model", "opus").env("OPENAI_MODEL", "x"), Some("b"), vec![]),
    ] {
        let done = case.switch("b");
        assert_eq!((done.models().1, done.codes()), (effective, codes));
        assert_eq!(done.text(FILE), "model: b\n");
    }
}

#[test]
fn the_env_file_replaces_the_exported_value() {
    let case =
        case().file(FILE, "model: a\n").env("AIDER_MODEL", "opus").file("/srv/projects/atlas/.env", "AIDER_MODEL=r1\n");
    let message = case.switch("b").message(Code::MaskedByDotenv);
    assert!(message.contains("/srv/projects/atlas/.env") && message.contains("AIDER_MODEL=opus"), "{message}");
}

#[test]
fn an_empty_model_of_the_project_keeps_the_users_from_being_read() {
    let done = case().file(FILE, "model: a\n").file("/srv/projects/atlas/.aider.conf.yml", "model: ''\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((None, None), vec!["masked_by_project_file"]));
}

#[test]
fn old_switches_count_while_no_model_is_set() {
    let done = case().file(FILE, "sonnet: true\n").switch("b");
    assert_eq!(done.models(), (Some("anthropic/claude-3-7-sonnet-20250219"), Some("b")));
    assert_eq!((done.text(FILE).as_str(), done.codes()), ("sonnet: true\nmodel: b\n", vec!["legacy_shape"]));
    let done = case().file(FILE, "sonnet: true\nmodel: a\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec!["inert_key"]));
    let done = case().file(FILE, "sonnet: false\nmodel: a\n").switch("b");
    assert_eq!(done.codes(), [""; 0]);
    let done = case().file(FILE, "haiku: on\nopus: yes\n").switch("b");
    assert_eq!(done.models().0, Some("claude-3-opus-20240229"));
    let done = case().file(FILE, "").env("AIDER_MINI", "true").file(FILE, "vim: true\n").switch("b");
    assert_eq!(done.models(), (Some("gpt-4o-mini"), Some("b")));
}

#[test]
fn set_env_comes_too_late() {
    let done = case().file(FILE, "model: a\nset-env:\n  - AIDER_MODEL=x\n  - OPENAI_API_KEY=k\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec!["inert_key"]));
}

#[test]
fn aliases_are_resolved_and_a_misleading_one_is_told_of() {
    for (alias, model, to, codes) in [
        ("fast:openai/mini", "fast", Some("openai/mini"), vec![]),
        ("sonnet:openai/gpt-5.5", "sonnet", Some("openai/gpt-5.5"), vec!["alias_remapped"]),
        ("sonnet:anthropic/claude-sonnet-5", "sonnet", Some("anthropic/claude-sonnet-5"), vec![]),
        ("gpt-5.5:deepseek/chat", "gpt-5.5", Some("deepseek/chat"), vec!["alias_remapped"]),
        ("Sonnet:openai/gpt-5.5", "sonnet", None, vec![]),
        ("a:b:c", "a", Some("b:c"), vec![]),
    ] {
        let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"];
        let case = keys.iter().fold(case(), |case, name| case.env(name, "k"));
        let done = case.file(FILE, format!("model: x\nalias:\n  - \"{alias}\"\n")).switch(model);
        assert_eq!((done.plan.after.resolves_to.as_deref(), done.codes()), (to, codes), "{alias}");
    }
}

#[test]
fn the_nearest_list_of_aliases_is_the_only_one() {
    let done = case()
        .file(FILE, "model: x\nalias: ['fast:a', 'slow:b']\n")
        .file("/srv/projects/atlas/.aider.conf.yml", "alias: 'fast:c'\n")
        .switch("fast");
    assert_eq!(done.plan.after.resolves_to.as_deref(), Some("c"));
}

#[test]
fn what_stops_it_is_refused_or_told_of() {
    for (text, code) in
        [("model: a\n bad: [\n", "parse_error"), ("- a\n", "wrong_type"), ("model: [a]\n", "wrong_type")]
    {
        let done = case().file(FILE, text).switch("b");
        assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some(code), text));
        assert!(done.codes().contains(&"fatal_for_tool"), "{text}");
    }
    let done = case().file(FILE, "model: a\n").file("/srv/projects/atlas/.aider.conf.yml", "model: [\n").switch("b");
    assert_eq!((done.models(), done.text(FILE).as_str()), ((None, None), "model: b\n"));
    assert_eq!(done.codes(), ["fatal_for_tool", "parse_error"]);
    assert_eq!(done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref()), Some("b"));
    let done = case().file(FILE, "# nothing yet\n").switch("b");
    assert_eq!((done.models(), done.codes()), ((None, Some("b")), vec![]), "the switch mends it");
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let done = case().file(FILE, "model: a\nmodel: c\n").switch("b");
    assert_eq!((done.models().0, done.text(FILE).as_str()), (Some("c"), "model: a\nmodel: b\n"));
    assert_eq!(done.codes(), ["duplicate_key"]);
}

#[test]
fn links_read_only_files_and_windows() {
    let done = case().link(FILE, "~/dotfiles/aider.yml", "model: a\n").switch("b");
    assert_eq!((done.text(FILE).as_str(), done.codes()), ("model: b\n", vec![]));
    let done = case().readonly(FILE, "model: a\n").switch("b");
    assert_eq!(done.refusal(), Some("target_readonly"));
    let path = r"C:\Users\ada\.aider.conf.yml";
    let windows = Case::new("aider").platform(Platform::Windows).cwd(r"D:\work").file(path, "model: a\r\n");
    assert_eq!(windows.file(r"D:\work\.env", "AIDER_MODEL=x\r\n").switch("b").models().1, Some("x"));
}

#[test]
fn a_key_is_looked_for_where_it_may_stand() {
    for (text, env, credential) in [
        ("vim: true\n", None, Credential::Variable("DEEPSEEK_API_KEY".to_owned())),
        ("api-key: ['deepseek=k']\n", None, Credential::InFile),
        ("set-env: ['DEEPSEEK_API_KEY=k']\n", None, Credential::InFile),
        ("vim: true\n", Some("DEEPSEEK_API_KEY=k\n"), Credential::InFile),
        ("vim: true\n", Some("DEEPSEEK_API_KEY=\n"), Credential::Variable("DEEPSEEK_API_KEY".to_owned())),
    ] {
        let mut case = case().file(FILE, text);
        if let Some(env) = env {
            case = case.file("/srv/projects/atlas/.env", env);
        }
        let endpoints = case.look(|_, at| Aider.endpoints(at));
        let endpoint = endpoints.iter().find(|endpoint| endpoint.provider == "deepseek");
        assert_eq!(endpoint.map(|endpoint| &endpoint.credential), Some(&credential), "{text}{env:?}");
    }
    let done = case().file(FILE, "model: a\n").provider("deepseek").switch("chat");
    assert_eq!(done.codes(), ["provider_key_missing"]);
}
