//! Cases of what tools reach, as tables.

use super::*;
use crate::core::platform::Platform;
use crate::i18n::Lang;
use crate::switch::path::ToolPath;
use crate::switch::tools;
use crate::switch::world::{FileState, Overlay, ToolFile, VarOrigin, Versions, World};

fn goal(address: &str, dialect: Dialect, model: &str, variable: &str) -> Goal {
    Goal {
        target: "t".into(),
        model: ModelId::new(model),
        dialect,
        base_url: Url::parse(address).ok(),
        key: GoalKey::Variable(variable.to_owned()),
        is_listed: Some(true),
        is_seen_working: false,
    }
}

fn endpoint(provider: &str, address: Option<&str>, dialect: Dialect, credential: Credential) -> ToolEndpoint {
    let base_url = address.map(str::to_owned);
    ToolEndpoint { provider: provider.to_owned(), base_url, dialect: Some(dialect), credential, models: Vec::new() }
}

fn vars(names: &[&str]) -> Vars {
    let mut vars = Vars::complete();
    names.iter().for_each(|name| vars.add(*name, "x", VarOrigin::Process));
    vars
}

fn zed() -> &'static dyn Tool {
    tools::find("zed").expect("a known tool")
}

#[test]
fn an_endpoint_is_known_by_its_address_and_dialect() {
    use Dialect::{AnthropicMessages, Gemini, OllamaChat, OpenaiChat, OpenaiResponses};
    for (own, speaks, address, needs, reaches) in [
        (Some("https://api.anthropic.com"), AnthropicMessages, "https://api.anthropic.com/", AnthropicMessages, true),
        (Some("https://api.anthropic.com/v1"), AnthropicMessages, "https://api.anthropic.com", AnthropicMessages, true),
        (None, AnthropicMessages, "https://api.anthropic.com", AnthropicMessages, true),
        (None, Gemini, "https://generativelanguage.googleapis.com", Gemini, true),
        (Some("http://localhost:11434"), OllamaChat, "http://127.0.0.1:11434", OllamaChat, true),
        (Some("http://localhost:11434"), OllamaChat, "http://127.0.0.1:11435", OllamaChat, false),
        (Some("http://lab/v1"), OpenaiChat, "https://lab/v1", OpenaiChat, false),
        (Some("https://openrouter.ai/api/v1"), OpenaiChat, "https://openrouter.ai/api/v1", OpenaiChat, true),
        (
            Some("https://open.bigmodel.cn/api/paas/v4"),
            OpenaiChat,
            "https://open.bigmodel.cn/api/coding/paas/v4",
            OpenaiChat,
            false,
        ),
        (Some("https://api.openai.com/v1"), OpenaiResponses, "https://api.openai.com/v1", OpenaiChat, true),
        (Some("http://lab/v1"), OpenaiResponses, "http://lab/v1", OpenaiChat, false),
        (
            Some("https://api.deepseek.com/anthropic"),
            AnthropicMessages,
            "https://api.deepseek.com/v1",
            OpenaiChat,
            false,
        ),
    ] {
        let endpoints = [endpoint("p", own, speaks, Credential::InFile)];
        let found = reach(zed(), &endpoints, &vars(&[]), &goal(address, needs, "m", "K"));
        assert_eq!(found.is_ok(), reaches, "{own:?} {address} {found:?}");
    }
}

#[test]
fn the_endpoint_that_came_closest_says_why_not() {
    let lab = |credential| endpoint("lab", Some("http://lab/v1"), Dialect::OpenaiChat, credential);
    let listing = ToolEndpoint { models: vec!["other".to_owned()], ..lab(Credential::InFile) };
    let wrong = endpoint("lab", Some("http://lab/v1"), Dialect::AnthropicMessages, Credential::InFile);
    let elsewhere = endpoint("x", Some("http://x/v1"), Dialect::OpenaiChat, Credential::InFile);
    let unset = lab(Credential::Variable("LAB".to_owned()));
    let goal = goal("http://lab/v1", Dialect::OpenaiChat, "m", "LAB");
    let no_endpoint = Unreachable::NoEndpoint { host: "lab".to_owned() };
    let provider = || "lab".to_owned();
    let dialect =
        Unreachable::Dialect { provider: provider(), speaks: Dialect::AnthropicMessages, needs: Dialect::OpenaiChat };
    let missing = Unreachable::CredentialMissing { provider: provider(), variable: "LAB".to_owned() };
    for (endpoints, reason) in [
        (vec![], Unreachable::Unknown),
        (vec![elsewhere.clone()], no_endpoint),
        (vec![elsewhere.clone(), wrong.clone()], dialect),
        (vec![listing.clone(), wrong.clone()], Unreachable::NotListed { provider: provider() }),
        (vec![unset, listing, wrong, elsewhere], missing),
    ] {
        let found = reach(zed(), &endpoints, &vars(&[]), &goal).expect_err("out of reach");
        assert_eq!(found, reason);
        for lang in Lang::ALL {
            let words = found.message("Zed", &goal, &Tr::new(lang));
            assert!(words.contains("Zed") && !words.starts_with("switch-"), "{words}");
        }
    }
}

#[test]
fn the_very_key_that_is_probed_comes_first() {
    let at = |name: &str, credential| endpoint(name, Some("http://lab/v1"), Dialect::OpenaiChat, credential);
    let endpoints = [
        at("unknown", Credential::Unknown),
        at("login", Credential::OwnLogin),
        at("file", Credential::InFile),
        at("same", Credential::Variable("LAB".to_owned())),
    ];
    let goal = goal("http://lab/v1", Dialect::OpenaiChat, "m", "LAB");
    for (set, count, name) in [(&["LAB"][..], 4, "same"), (&[], 4, "file"), (&[], 2, "login"), (&[], 1, "unknown")] {
        let way = reach(zed(), &endpoints[..count], &vars(set), &goal).expect("a way");
        assert_eq!((way.wanted.provider.as_deref(), way.wanted.model.as_str()), (Some(name), "m"));
    }
}

#[test]
fn a_login_belongs_to_its_tool() {
    let own =
        Goal { key: GoalKey::Tool("zed".to_owned()), base_url: None, ..goal("http://x", Dialect::Generic, "m", "") };
    let endpoints = [
        endpoint("a", None, Dialect::OpenaiChat, Credential::InFile),
        endpoint("b", None, Dialect::OpenaiChat, Credential::OwnLogin),
    ];
    let way = reach(zed(), &endpoints, &vars(&[]), &own).expect("its own");
    assert_eq!(way.wanted.provider.as_deref(), Some("b"));
    let other = Goal { key: GoalKey::Tool("codex".to_owned()), ..own };
    assert_eq!(reach(zed(), &endpoints, &vars(&[]), &other), Err(Unreachable::OtherTool { tool: "codex".to_owned() }));
}

/// A machine with Zed, OpenClaw, Kimi, Cline, Amp and Cursor in use; and what "Use everywhere" makes of a goal there.
fn steps(goal: &Goal, set: &[&str]) -> Vec<(&'static str, Result<Plan, Skip>)> {
    let home = ToolPath::new("/home/ada");
    let mut files = Overlay::empty();
    for (path, text) in [
        (".config/zed/settings.json", r#"{"agent":{"default_model":{"provider":"zed.dev","model":"a"}}}"#),
        (".openclaw/openclaw.json", "{ agents: { defaults: { model: 'anthropic/claude-opus-5' } } }"),
        (
            ".kimi-code/config.toml",
            "default_model = \"k\"\n[models.k]\nprovider = \"lab\"\nmodel = \"k\"\n[providers.lab]\ntype = \"openai\"\nbase_url = \"http://lab/v1\"\n",
        ),
        (
            ".cline/data/settings/providers.json",
            r#"{"version":2,"lastUsedProvider":"anthropic","providers":{"anthropic":{"settings":{"apiKey":"k"}}}}"#,
        ),
        (".config/amp/settings.json", "{}"),
    ] {
        files.put(home.join(path), FileState::File(ToolFile::plain(text.as_bytes())));
    }
    let vars = vars(set);
    let world = World {
        platform: Platform::Linux,
        home: &home,
        cwd: None,
        vars: &vars,
        files: &files,
        versions: Versions::default(),
        trust: None,
    };
    let names = ["zed", "openclaw", "kimi", "cline", "amp", "droid"];
    let homes: Vec<_> =
        names.iter().map(|name| tools::find(name).expect("known").homes(&world).swap_remove(0)).collect();
    let all = names.iter().zip(&homes).map(|(name, home)| (tools::find(name).expect("known"), At { world, home }));
    everywhere(all, goal).into_iter().map(|step| (step.tool, step.outcome)).collect()
}

#[test]
fn use_everywhere_says_which_tools_it_leaves_out_and_why() {
    let goal = goal("https://api.anthropic.com", Dialect::AnthropicMessages, "claude-opus-5", "ANTHROPIC_API_KEY");
    let done = steps(&goal, &["ANTHROPIC_API_KEY"]);
    assert_eq!(done.iter().map(|(tool, _)| *tool).collect::<Vec<_>>(), ["zed", "openclaw", "kimi", "cline", "amp"]);
    let plan = done[0].1.as_ref().expect("Zed is switched");
    assert_eq!(
        (plan.after.provider.as_deref(), plan.after.model.as_deref()),
        (Some("anthropic"), Some("claude-opus-5"))
    );
    assert!(plan.warnings.is_empty(), "{:?}", plan.warnings);
    assert!(matches!(done[1].1, Err(Skip::AlreadyThere)), "{:?}", done[1].1);
    assert!(matches!(done[2].1, Err(Skip::Unreachable(Unreachable::NoEndpoint { .. }))));
    assert!(matches!(&done[3].1, Err(Skip::Refused(reason)) if reason.code == Code::InvalidForTool));
    assert!(matches!(done[4].1, Err(Skip::Unreachable(Unreachable::Unknown))));
}

#[test]
fn a_model_that_nothing_vouches_for_is_told_of() {
    let goal = goal("https://api.anthropic.com", Dialect::AnthropicMessages, "m", "ANTHROPIC_API_KEY");
    for (is_listed, is_seen_working, warns) in [
        (Some(true), false, false),
        (None, true, false),
        (Some(false), true, false),
        (None, false, true),
        (Some(false), false, true),
    ] {
        let done = steps(&Goal { is_listed, is_seen_working, ..goal.clone() }, &["ANTHROPIC_API_KEY"]);
        for (tool, outcome) in &done[..2] {
            let codes: Vec<_> = outcome.as_ref().expect("a plan").warnings.iter().map(|warning| warning.code).collect();
            assert_eq!(codes.contains(&Code::ModelUnverified), warns, "{tool} {is_listed:?} {is_seen_working}");
        }
    }
}
