//! OpenClaw's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::switch::tool::Credential;
use crate::switch::warning::Code;

const FILE: &str = "~/.openclaw/openclaw.json";
const TEXT: &str = r#"// OpenClaw
{
  agents: {
    defaults: {
      model: { primary: 'anthropic/claude-opus-5', fallbacks: ["openai/gpt-5.5",], }, // first
      workspace: "~/ws",
    },
  },
  gateway: { port: 18789 },
}
"#;

fn case() -> Case {
    Case::new("openclaw").env("ANTHROPIC_API_KEY", "x")
}

/// A file with this under `agents.defaults`.
fn defaults(inner: &str) -> String {
    format!("{{ agents: {{ defaults: {{ {inner} }} }} }}")
}

#[test]
fn the_primary_model_alone_is_changed() {
    let done = case().file(FILE, TEXT).provider("openai").switch("gpt-5.5-mini");
    assert_eq!(done.undoes().text(FILE), TEXT.replacen("anthropic/claude-opus-5", "openai/gpt-5.5-mini", 1));
    assert_eq!(done.models(), (Some("anthropic/claude-opus-5"), Some("openai/gpt-5.5-mini")));
    assert_eq!((done.providers(), done.codes()), ((Some("anthropic"), Some("openai")), vec![]));
    assert_eq!(done.keys(), ["agents.defaults.model.primary"]);
}

#[test]
fn each_form_of_the_value_is_kept() {
    for (before, after) in [
        (r#"model: "anthropic/a""#, r#"model: "anthropic/b""#),
        ("model: 'anthropic/a' /* x */", "model: 'anthropic/b' /* x */"),
        (r#""model": {"primary": "anthropic/a"}"#, r#""model": {"primary": "anthropic/b"}"#),
        (
            "'model': {fallbacks: [], primary: \"anthropic/a\",},",
            "'model': {fallbacks: [], primary: \"anthropic/b\",},",
        ),
    ] {
        let done = case().file(FILE, defaults(before).replace(' ', "\r\n")).switch("b");
        assert_eq!(done.undoes().text(FILE), defaults(after).replace(' ', "\r\n"));
        assert_eq!(done.models(), (Some("anthropic/a"), Some("anthropic/b")));
    }
}

#[test]
fn a_reference_has_its_provider() {
    let text =
        defaults("model: 'openrouter/qwen/qwen3', models: {'mine/x': {alias: 'Fast'}, 'openrouter/qwen/qwen3': {}}");
    for (wanted, provider, value) in [
        ("claude-opus-5", Some("anthropic"), "anthropic/claude-opus-5"),
        ("anthropic/claude-opus-5", Some("anthropic"), "anthropic/claude-opus-5"),
        ("z-ai/glm-5", Some("openrouter"), "openrouter/z-ai/glm-5"),
        ("z-ai/glm-5", None, "z-ai/glm-5"),
        ("openrouter/z-ai/glm-5", None, "openrouter/z-ai/glm-5"),
        ("openai/gpt-5.5", None, "openai/gpt-5.5"),
        ("mine/y", None, "mine/y"),
        ("auto", None, "openrouter/auto"),
        ("fast", None, "fast"),
    ] {
        let case = provider.map_or_else(case, |provider| case().provider(provider));
        let done = case.file(FILE, &text).switch(wanted);
        assert_eq!(done.undoes().models().1, Some(value), "{wanted} {provider:?}");
    }
    let done = case().file(FILE, &text).switch("fast");
    assert_eq!((done.plan.after.resolves_to.as_deref(), done.providers().1), (Some("mine/x"), Some("mine")));
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn a_name_with_a_slash_is_written_as_it_is() {
    let file = |model: &str| defaults(&format!("model: '{model}'"));
    for (present, name, is_told) in [
        ("openai/a", "acme/x", false),
        ("openai/a", "Zai-Coding-Plan/GLM-5", false),
        ("openrouter/auto", "Z-AI/glm-5", true),
        ("own/qwen/qwen3", "acme/x", true),
        ("own/qwen/qwen3", "Own/x", false),
        ("openrouter/auto", "github-copilot/gpt-5.5", false),
        ("openrouter/auto", "XAI/grok", false),
    ] {
        let done = case().env("XAI_API_KEY", "x").file(FILE, file(present)).switch(name);
        assert_eq!(done.undoes().text(FILE), file(name), "{present}");
        assert_eq!(done.codes(), if is_told { vec!["model_unverified"] } else { vec![] }, "{present} {name}");
    }
    let done = case().file(FILE, file("openrouter/auto")).switch("Z-AI/glm-5");
    let told = "“Z-AI/glm-5” is written as you named it: OpenClaw takes “Z-AI” for its provider.";
    assert!(done.message(Code::ModelUnverified).starts_with(told));
}

#[test]
fn names_are_read_in_lower_case_and_written_as_they_are_wanted() {
    let text = defaults(
        "model: 'Anthropic/Claude-Opus-5', models: {'anthropic/claude-opus-5': {}, 'MiniMax/MiniMax-M2.7': {}}",
    );
    let done = case().file(FILE, &text).provider("MiniMax").switch("MiniMax-M2.7");
    assert_eq!(done.models(), (Some("anthropic/claude-opus-5"), Some("minimax/minimax-m2.7")));
    assert!(done.text(FILE).contains("model: 'MiniMax/MiniMax-M2.7'"));
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn a_model_that_the_allow_list_lacks_is_told_of() {
    let listed = |list: &str| defaults(&format!("model: 'anthropic/a', {list}"));
    for (list, codes) in [
        ("models: {'anthropic/a': {}}", vec!["model_unverified"]),
        ("models: {'anthropic/a': {}, 'Anthropic/B': {}}", vec![]),
        ("models: {'anthropic/*': {}}", vec![]),
        ("models: {}", vec![]),
        ("models: {'anthropic/a': {}}, modelPolicy: {allow: ['anthropic/*']}", vec![]),
        ("models: {'anthropic/b': {}}, modelPolicy: {allow: ['openai/*']}", vec!["model_unverified"]),
        ("models: {'anthropic/a': {}}, modelPolicy: {allow: []}", vec![]),
    ] {
        let text = listed(list);
        let done = case().file(FILE, &text).switch("b");
        assert_eq!(done.codes(), codes, "{list}");
        assert_eq!(done.undoes().text(FILE), text.replacen("'anthropic/a'", "'anthropic/b'", 1));
    }
    let done = case().file(FILE, listed("models: {'anthropic/a': {}}")).switch("b");
    assert!(done.message(Code::ModelUnverified).contains("agents.defaults.models"));
}

#[test]
fn the_first_agents_own_model_masks() {
    let text = |agents: &str| format!("{{ agents: {{ defaults: {{ model: 'anthropic/a' }}, {agents} }} }}");
    for (agents, wins) in [
        ("list: [{ id: 'main', model: 'openai/x' }]", true),
        ("list: [{ id: 'main', model: { primary: 'openai/x' } }]", true),
        ("list: [{ id: 'one' }, { id: 'two', default: true, model: 'openai/x' }]", true),
        ("list: [{ id: 'one' }, { id: 'two', model: 'openai/x' }]", false),
        ("list: []", false),
        ("entries: { main: { model: 'openai/x' } }", true),
    ] {
        let done = case().file(FILE, text(agents)).switch("b");
        let expected = if wins { "openai/x" } else { "anthropic/b" };
        assert_eq!(done.undoes().models().1, Some(expected), "{agents}");
        assert_eq!(done.codes(), if wins { vec!["masked_by_role_override"] } else { vec![] }, "{agents}");
        assert!(done.text(FILE).contains("'anthropic/b'"));
    }
    let done = case().file(FILE, text("list: [{ id: 'main', model: 'openai/x' }]")).switch("b");
    assert_eq!(done.plan.after_other_roles.as_ref().and_then(|other| other.model.as_deref()), Some("anthropic/b"));
}

#[test]
fn an_included_file_is_edited_where_it_decides() {
    let main = "{ agents: { $include: './agents.json5' }, gateway: {} }";
    let part = "{ // defaults\n  defaults: { model: 'anthropic/a' } }";
    let case = || case().file(FILE, main).file("~/.openclaw/agents.json5", part);
    let done = case().switch("b");
    assert_eq!(done.undoes().text("~/.openclaw/agents.json5"), part.replace("/a'", "/b'"));
    assert_eq!((done.models(), done.text(FILE).as_str()), ((Some("anthropic/a"), Some("anthropic/b")), main));
    let beside = "{ agents: { $include: './agents.json5', defaults: { model: 'anthropic/own' } } }";
    let done = case().file(FILE, beside).switch("b");
    assert_eq!(done.undoes().text(FILE), beside.replace("/own", "/b"));
    assert_eq!(done.text("~/.openclaw/agents.json5"), part);
    let list = "{ $include: ['./base.json5', './more/top.json5'] }";
    let done = case()
        .file(FILE, list)
        .file("~/.openclaw/base.json5", defaults("model: 'anthropic/low'"))
        .file("~/.openclaw/more/top.json5", defaults("model: 'anthropic/top'"))
        .switch("b");
    assert_eq!(done.undoes().models(), (Some("anthropic/top"), Some("anthropic/b")));
    assert!(done.text("~/.openclaw/more/top.json5").contains("anthropic/b"));
    let done = case().file("~/.openclaw/agents.json5", "{ broken").switch("b");
    assert_eq!(done.refusal(), Some("parse_error"));
    let done = case().file("~/.openclaw/agents.json5", "{ $include: './agents.json5' }").switch("anthropic/b");
    assert_eq!(done.models().1, Some("anthropic/b"), "a circle ends");
}

#[test]
fn variables_in_the_value_are_followed_and_told_of() {
    let text = defaults("model: 'anthropic/${MODEL}'");
    let done = case().file(FILE, &text).env("MODEL", "a").switch("b");
    assert_eq!(
        (done.undoes().models(), done.codes()),
        ((Some("anthropic/a"), Some("anthropic/b")), vec!["value_was_reference"])
    );
    let done = case().file(FILE, &text).switch("anthropic/b");
    assert_eq!((done.models(), done.codes()), ((None, Some("anthropic/b")), vec!["value_was_reference"]));
}

#[test]
fn a_missing_key_is_made() {
    for text in
        ["{}", "{\n  // mine\n  gateway: { port: 1 },\n}\n", "{ agents: { list: [] } }", "{ agents: { defaults: {} } }"]
    {
        let done = case().file(FILE, text).switch("anthropic/b");
        assert_eq!((done.undoes().models(), done.codes()), ((None, Some("anthropic/b")), vec![]), "{text}");
        assert_eq!(case().file(FILE, text).switch("b").refusal(), Some("provider_unknown"));
    }
}

#[test]
fn places() {
    let text = defaults("model: 'anthropic/a'");
    for (case, path) in [
        (case().env("OPENCLAW_CONFIG_PATH", "/srv/claw.json5"), "/srv/claw.json5"),
        (case().env("OPENCLAW_STATE_DIR", "/srv/claw"), "/srv/claw/openclaw.json"),
        (case().env("OPENCLAW_STATE_DIR", "/no").env("OPENCLAW_CONFIG_PATH", "/c.json"), "/c.json"),
        (case().env("OPENCLAW_CONFIG_PATH", ""), FILE),
        (case(), "~/.clawdbot/clawdbot.json"),
        (case(), "~/.openclaw/clawdbot.json"),
        (case().platform(Platform::Windows), r"C:\Users\ada\.openclaw\openclaw.json"),
        (case().platform(Platform::Macos), FILE),
    ] {
        assert_eq!(case.file(path, &text).switch("b").undoes().models().1, Some("anthropic/b"), "{path}");
    }
    let old = "~/.clawdbot/clawdbot.json";
    let done = case().file(FILE, &text).file(old, &text).switch("b");
    assert_eq!((done.text(old), done.models().1), (text, Some("anthropic/b")));
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, code) in [
        (case(), "storage_not_in_file"),
        (case().file(FILE, "{ agents: "), "parse_error"),
        (case().file(FILE, defaults("model: 5")), "wrong_type"),
        (case().file(FILE, defaults("model: { primary: ['a'] }")), "wrong_type"),
        (case().readonly(FILE, TEXT), "target_readonly"),
        (case().unreadable(FILE), "parse_error"),
    ] {
        let done = case.switch("anthropic/b");
        assert_eq!(done.refusal(), Some(code), "{:?}", done.plan.warnings);
    }
}

#[test]
fn marks_repeated_keys_and_links() {
    let text = format!("\u{feff}{}", defaults("model: 'anthropic/a', model: 'anthropic/a2'"));
    let done = case().link(FILE, "~/dotfiles/claw.json", &text).switch("b");
    assert_eq!(done.undoes().models(), (Some("anthropic/a2"), Some("anthropic/b")));
    assert_eq!(done.codes(), ["bom_present", "duplicate_key"]);
}

#[test]
fn endpoints_are_built_in_and_added_ones() {
    let text = "{ models: { providers: { lab: { baseUrl: 'http://lab/v1', apiKey: '${LAB_KEY}', api: 'openai-completions', models: [{ id: 'glm-5' }] } } }, agents: { defaults: { model: 'anthropic/a' } } }";
    let case = || case().file(FILE, text);
    let all = case().look(|tool, at| tool.endpoints(at));
    assert_eq!((all[0].provider.as_str(), all[0].dialect), ("lab", Some(Dialect::OpenaiChat)));
    assert_eq!((&all[0].credential, all[0].models.len()), (&Credential::Variable("LAB_KEY".to_owned()), 1));
    assert_eq!(all[1].credential, Credential::Variable("ANTHROPIC_API_KEY".to_owned()));
    assert_eq!(case().look(|tool, _| tool.spell(&all[0], "glm-5")), "lab/glm-5");
    let done = case().provider("lab").switch("glm-5");
    assert_eq!(done.codes(), ["provider_key_missing"]);
}
