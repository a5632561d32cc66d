//! The cases of `tests/fixtures/config-cases` for the tools whose whole answer is checked here: models, providers, keys and
//! words, beside the bytes and codes that `tests/it/switch` checks through the program.

use serde_json::Value;

use super::Case;
use crate::core::platform::Platform;
use crate::i18n::{Lang, Tr};
use crate::switch::plan::Action;

macro_rules! case {
    ($name:literal, $file:literal $(, $place:literal => $other:literal)*) => {
        (
            $name,
            include_str!(concat!("../../../../tests/fixtures/config-cases/", $name, "/case.json")),
            include_bytes!(concat!("../../../../tests/fixtures/config-cases/", $name, "/", $file)).as_slice(),
            &[$(($place, include_bytes!(concat!("../../../../tests/fixtures/config-cases/", $name, "/", $other)).as_slice())),*]
                as &[(&str, &[u8])],
        )
    };
}

const CASES: &[(&str, &str, &[u8], &[(&str, &[u8])])] = &[
    case!("01-codex-inline-comment-decoys", "config.toml"),
    case!("02-codex-no-root-model", "config.toml"),
    case!("03-codex-legacy-profile-decides", "config.toml"),
    case!("04-codex-legacy-profile-fatal", "config.toml"),
    case!("05-codex-trusted-project-override", "config.toml", "/srv/projects/atlas/.codex/config.toml" => "project.config.toml"),
    case!("06-codex-bom-crlf-windows", "config.toml"),
    case!("07-codex-model-as-table", "config.toml"),
    case!("08-claude-env-block-decides", "settings.json"),
    case!("09-claude-comment-in-strict-json", "settings.json"),
    case!("10-claude-local-settings-and-alias", "settings.json", "/srv/projects/atlas/.claude/settings.local.json" => "project.settings.local.json"),
    case!("11-gemini-home-dotenv", "settings.json", "~/.gemini/.env" => "home.gemini.env"),
    case!("12-gemini-legacy-flat-model", "settings.json"),
];

/// What each message must name, by case.
const WORDS: &[(&str, &[&str])] = &[
    ("01-", &["quick", "ignored by this version"]),
    ("03-", &["work", "root model is not used", "0.134"]),
    ("04-", &["Line 2", "profile = \"lab\"", "refuse to start", "lab.config.toml", "delete the selector"]),
    ("05-", &["/srv/projects/atlas/.codex/config.toml", "local-coder-32b", "model_provider", "openai"]),
    ("07-", &["gpt-5.5", "root key", "model_provider is the right one"]),
    ("08-", &["model key of that file is not used", "exported ANTHROPIC_MODEL is replaced"]),
    ("09-", &["line 2", "comment", "whole file", "default model"]),
    ("10-", &["settings.local.json", "haiku", "qwen3-coder-next", "env.ANTHROPIC_DEFAULT_HAIKU_MODEL"]),
    ("11-", &["GEMINI_MODEL", ".gemini/.env", "gemini-2.5-pro"]),
    ("12-", &["flat", "ignores", "converts"]),
];

#[test]
fn the_handed_cases_come_out_as_they_should() {
    for &(name, text, content, others) in CASES {
        let json: Value = serde_json::from_str(text).expect("a case");
        let text_at = |path: &str| json.pointer(path).and_then(Value::as_str);
        let texts = |path: &str| -> Vec<&str> {
            json.pointer(path).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let place = text_at("/installs_at").expect("a place").replace("%USERPROFILE%", "~").replace('\\', "/");
        let platform = match text_at("/platform") {
            Some("macos") => Platform::Macos,
            Some("windows") => Platform::Windows,
            _ => Platform::Linux,
        };
        for with_trust in [true, false] {
            let mut case = Case::new(text_at("/tool").expect("a tool")).platform(platform).file(&place, content);
            case = case.version(text_at("/tool_version").expect("a version"));
            case = case.cwd(text_at("/context/cwd").expect("a folder"));
            if with_trust {
                case = case.trusted(json.pointer("/context/trusted").and_then(Value::as_bool).expect("trust"));
            }
            for (variable, value) in json.pointer("/context/env").and_then(Value::as_object).expect("an environment") {
                case = case.env(variable, value.as_str().expect("a text"));
            }
            for (place, content) in others {
                case = case.file(place, content);
            }
            let done = case.switch(text_at("/switch_to/model").expect("a model"));

            assert_eq!(done.models(), (text_at("/expect/model_before"), text_at("/expect/model_after")), "{name}");
            let providers = done.providers();
            for (path, provider) in [("/expect/provider_before", providers.0), ("/expect/provider_after", providers.1)]
            {
                assert!(json.pointer(path).is_none() || text_at(path) == provider, "{name}: {provider:?}");
            }
            if let Some(outside) = text_at("/expect/model_after_outside_project") {
                let found = done.plan.after_outside.as_ref().and_then(|outside| outside.model.as_deref());
                assert_eq!(found, Some(outside), "{name}");
            }
            assert_eq!(done.plan.after.resolves_to.as_deref(), text_at("/expect/resolves_to"), "{name}");
            let codes = done.codes();
            assert!(texts("/expect/warnings").iter().all(|code| codes.contains(code)), "{name}: {codes:?}");
            assert!(!texts("/expect/must_not_warn").iter().any(|code| codes.contains(code)), "{name}: {codes:?}");
            let extra: Vec<_> = codes.iter().filter(|code| !texts("/expect/warnings").contains(code)).collect();
            assert!(extra.is_empty() || name.starts_with("07-"), "{name}: {extra:?}");
            match done.plan.action {
                Action::Refuse(_) => assert_eq!(text_at("/expect/action"), Some("refuse"), "{name}"),
                Action::Edit(_) => assert_eq!(done.undoes().keys(), texts("/expect/edited_keys"), "{name}"),
            }
            let tr = Tr::new(Lang::English);
            let messages: String = done.plan.warnings.iter().map(|warning| warning.message(&tr) + "\n").collect();
            for words in WORDS.iter().filter(|(case, _)| name.starts_with(case)).flat_map(|(_, words)| *words) {
                assert!(messages.contains(words), "{name}: no “{words}” in\n{messages}");
            }
        }
    }
}
