//! Goose's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

const FILE: &str = "~/.config/goose/config.yaml";
const NEW: &str = "active_provider: v\nproviders:\n  v:\n    enabled: true\n    model: a\n    configured: true\n";
const OLD: &str = "GOOSE_PROVIDER: v\nGOOSE_MODEL: a\n";

fn new() -> Case {
    Case::new("goose").version("1.45.0").cwd("/srv/p")
}

fn old() -> Case {
    Case::new("goose").version("1.42.0").cwd("/srv/p")
}

#[test]
fn the_sample_of_a_file_with_both_shapes() {
    let text = include_str!("../../../../tests/fixtures/config-cases/16-goose-structured-providers/config.yaml");
    let done = new().file(FILE, text).provider("anthropic").switch("claude-opus-5");
    let at = text.rfind("claude-sonnet-5").expect("it is there");
    let expected = format!("{}claude-opus-5{}", &text[..at], &text[at + "claude-sonnet-5".len()..]);
    assert_eq!(done.undoes().text(FILE), expected);
    assert_eq!(done.keys(), ["providers.anthropic.model"]);
    assert_eq!(
        (done.models(), done.providers().1),
        ((Some("claude-sonnet-5"), Some("claude-opus-5")), Some("anthropic"))
    );
    assert_eq!(done.codes(), ["inert_key", "tool_drops_comments"]);
    let message = done.message(Code::InertKey);
    assert!(
        message.contains("GOOSE_MODEL") && message.contains("GOOSE_PROVIDER") && message.contains("active_provider"),
        "{message}"
    );
}

#[test]
fn shapes_by_version() {
    for (case, text, after, codes) in [
        (new(), NEW, NEW.replace("model: a", "model: b"), vec![]),
        (new(), OLD, OLD.replace(": a", ": b"), vec!["legacy_shape"]),
        (old(), OLD, OLD.replace(": a", ": b"), vec![]),
        (Case::new("goose").version("1.43.0"), NEW, NEW.replace("model: a", "model: b"), vec![]),
        (Case::new("goose"), NEW, NEW.replace("model: a", "model: b"), vec![]),
        (
            old(),
            "GOOSE_PROVIDER: v\nGOOSE_MODEL: a\nactive_provider: w\n",
            "GOOSE_PROVIDER: v\nGOOSE_MODEL: b\nactive_provider: w\n".to_owned(),
            vec!["inert_key"],
        ),
    ] {
        let done = case.file(FILE, text).provider("v").switch("b");
        assert_eq!(done.undoes().text(FILE), after);
        assert_eq!((done.models(), done.providers()), ((Some("a"), Some("b")), (Some("v"), Some("v"))));
        assert_eq!(done.codes(), codes, "{text}");
        assert_eq!(done.keys().len(), 1, "{text}");
    }
}

#[test]
fn found_versions_on_both_sides_of_the_gate() {
    let done = Case::new("goose").versions("1.40.0", "1.45.0").file(FILE, NEW).switch("b");
    assert_eq!(done.codes(), ["versions_differ"]);
}

#[test]
fn another_provider_is_made_the_active_one() {
    let two = format!("{NEW}  w:\n    enabled: true\n    model: x\n    configured: true\n");
    let done = new().file(FILE, &two).provider("w").switch("b");
    assert_eq!(done.keys(), ["active_provider", "providers.w.model"]);
    assert_eq!(
        done.text(FILE),
        two.replace("active_provider: v", "active_provider: w").replace("model: x", "model: b")
    );
    let fresh = new().file(FILE, NEW).provider("w").switch("b");
    assert_eq!((fresh.models().1, fresh.providers()), (Some("b"), (Some("v"), Some("w"))));
    assert_eq!(fresh.keys(), ["active_provider", "providers.w.enabled", "providers.w.model", "providers.w.configured"]);
    assert!(fresh.text(FILE).contains("model: a"), "the entry of the other stays");
    let flat = old().file(FILE, OLD).provider("w").switch("b");
    assert_eq!(flat.text(FILE), "GOOSE_PROVIDER: w\nGOOSE_MODEL: b\n");
    assert_eq!(new().file(FILE, &two).provider("w").switch("x").keys(), ["active_provider"]);
}

#[test]
fn without_a_file_or_a_provider() {
    let done = new().provider("v").switch("b");
    assert_eq!((done.models(), done.providers()), ((None, Some("b")), (None, Some("v"))));
    assert_eq!(new().switch("b").refusal(), Some("provider_unknown"));
    assert_eq!(old().switch("b").refusal(), Some("provider_unknown"));
    let flat = old().provider("v").switch("b");
    assert_eq!(flat.providers().1, Some("v"));
    let other = new().file(FILE, "extensions: {}\n").provider("v").switch("b");
    assert_eq!((other.models().1, other.providers().1), (Some("b"), Some("v")));
}

#[test]
fn an_empty_entry_leaves_it_to_the_old_key() {
    let text = "active_provider: v\nproviders:\n  v:\n    model: ''\nGOOSE_MODEL: flat\n";
    let done = new().file(FILE, text).provider("v").switch("b");
    assert_eq!((done.models(), done.keys()), ((Some("flat"), Some("b")), vec!["providers.v.model".to_owned()]));
}

#[test]
fn variables_win() {
    for (case, model, provider, codes) in [
        (new().env("GOOSE_MODEL", "e"), Some("e"), Some("v"), vec!["masked_by_env"]),
        (new().env("GOOSE_PROVIDER", "w"), None, Some("w"), vec!["masked_by_env"]),
        (new().env("GOOSE_PROVIDER", "w").env("GOOSE_MODEL", "e"), Some("e"), Some("w"), vec!["masked_by_env"]),
        (new().env("ACTIVE_PROVIDER", "w"), None, Some("w"), vec!["masked_by_env"]),
        (new().env("GOOSE_PROVIDER", "v"), Some("b"), Some("v"), vec![]),
        (new().env("GOOSE_MODEL", ""), None, Some("v"), vec!["masked_by_env"]),
        (new().env("goose_model", "x").env("OPENAI_MODEL", "y"), Some("b"), Some("v"), vec![]),
        (new().env("GOOSE_PLANNER_MODEL", "p").env("GOOSE_FAST_MODEL", "f"), Some("b"), Some("v"), vec![]),
        (new().env("GOOSE_LEAD_MODEL", "l"), Some("l"), Some("v"), vec!["masked_by_role_override"]),
    ] {
        let done = case.file(FILE, NEW).provider("v").switch("b");
        assert_eq!((done.models().1, done.providers().1, done.codes()), (model, provider, codes));
        assert_eq!(done.text(FILE), NEW.replace("model: a", "model: b"));
    }
    let old = old().env("GOOSE_MODEL", "\"e\"").env("ACTIVE_PROVIDER", "w").file(FILE, OLD).provider("v").switch("b");
    assert_eq!((old.models().1, old.providers().1), (Some("e"), Some("v")));
}

#[test]
fn without_a_named_provider_the_one_in_use_is_kept() {
    let two = format!("{NEW}  w:\n    model: x\n");
    let done = new().env("GOOSE_PROVIDER", "w").file(FILE, &two).switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("x"), Some("b")), vec![]));
    assert_eq!(done.keys(), ["providers.w.model"]);
}

#[test]
fn a_lead_model_of_the_file_takes_the_first_turns() {
    let done = new().file(FILE, format!("{NEW}GOOSE_LEAD_MODEL: l\n")).provider("v").switch("b");
    assert_eq!((done.models(), done.codes()), ((Some("l"), Some("l")), vec!["masked_by_role_override"]));
    let others = done.plan.after_other_roles.as_ref().and_then(|others| others.model.as_deref());
    assert_eq!(others, Some("b"));
}

#[test]
fn comments_that_would_be_lost() {
    assert_eq!(
        new().file(FILE, NEW.replace("model: a", "model: a # mine")).switch("b").codes(),
        ["tool_drops_comments"]
    );
    assert_eq!(new().file(FILE, NEW).switch("b").codes(), [""; 0]);
}

#[test]
fn what_it_cannot_read() {
    for (text, code) in [
        ("active_provider: [\n", "parse_error"),
        ("GOOSE_MODEL: a\nGOOSE_MODEL: c\n", "invalid_for_tool"),
        ("- a\n", "wrong_type"),
        ("GOOSE_MODEL: [a]\n", "wrong_type"),
    ] {
        let done = new().file(FILE, text).provider("v").switch("b");
        assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some(code), text));
    }
}

#[test]
fn forms_and_places() {
    let crlf = NEW.replace('\n', "\r\n");
    let done = new().file(FILE, &crlf).switch("b");
    assert_eq!(done.undoes().text(FILE), crlf.replace("model: a", "model: b"));
    let quoted = NEW.replace("model: a", "model: \"a\"");
    assert_eq!(new().file(FILE, &quoted).switch("b").text(FILE), quoted.replace("\"a\"", "\"b\""));
    assert_eq!(new().link(FILE, "~/dot/goose.yaml", NEW).switch("b").text(FILE), NEW.replace("model: a", "model: b"));
    assert_eq!(new().readonly(FILE, NEW).switch("b").refusal(), Some("target_readonly"));
    for (case, path) in [
        (Case::new("goose").env("XDG_CONFIG_HOME", "/srv/x"), "/srv/x/goose/config.yaml"),
        (Case::new("goose").env("GOOSE_PATH_ROOT", "/srv/g"), "/srv/g/config/config.yaml"),
        (Case::new("goose").env("GOOSE_PATH_ROOT", "relative"), "/home/ada/.config/goose/config.yaml"),
        (Case::new("goose").platform(Platform::Macos), "/Users/ada/.config/goose/config.yaml"),
        (
            Case::new("goose").platform(Platform::Windows),
            r"C:\Users\ada\AppData\Roaming\Block\goose\config\config.yaml",
        ),
    ] {
        assert_eq!(case.file(path, NEW).switch("b").text(path), NEW.replace("model: a", "model: b"));
    }
}
