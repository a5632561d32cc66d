//! LiteLLM's cases.

use super::Case;
use crate::switch::warning::Code;

const FILE: &str = "/srv/proxy/config.yaml";
const LIST: &str = "model_list:\n  - model_name: main   # what clients ask for\n    litellm_params:\n      model: openai/gpt-5.5\n      api_key: os.environ/OPENAI_API_KEY\n  - model_name: claude\n    litellm_params:\n      model: anthropic/claude-opus-5\n      api_key: os.environ/ANTHROPIC_API_KEY\n";
const MAP: &str = "router_settings:\n  model_group_alias:\n    smart: main\n    other: main\n";

fn case() -> Case {
    Case::new("litellm").named(FILE).env("OPENAI_API_KEY", "k").env("ANTHROPIC_API_KEY", "k")
}

#[test]
fn an_alias_is_pointed_at_another_group() {
    let text = format!("{LIST}{MAP}");
    for (provider, model) in [(None, "claude"), (Some("anthropic"), "claude-opus-5"), (None, "anthropic/claude-opus-5")]
    {
        let mut case = case().file(FILE, &text).alias("smart");
        if let Some(provider) = provider {
            case = case.provider(provider);
        }
        let done = case.switch(model);
        assert_eq!(done.undoes().text(FILE), text.replace("smart: main", "smart: claude"));
        assert_eq!(done.keys(), ["router_settings.model_group_alias.smart"]);
        assert_eq!(
            (done.models(), done.providers()),
            ((Some("main"), Some("claude")), (Some("openai"), Some("anthropic")))
        );
        assert_eq!(done.plan.after.resolves_to.as_deref(), Some("anthropic/claude-opus-5"));
        assert_eq!(done.codes(), [""; 0]);
    }
}

#[test]
fn a_stable_name_gets_another_model() {
    let done = case().file(FILE, LIST).alias("main").provider("anthropic").switch("claude-sonnet-5");
    assert_eq!(done.undoes().text(FILE), LIST.replace("openai/gpt-5.5", "anthropic/claude-sonnet-5"));
    assert_eq!(done.keys(), ["model_list.0.litellm_params.model"]);
    assert_eq!(done.models(), (Some("openai/gpt-5.5"), Some("anthropic/claude-sonnet-5")));
    assert_eq!(done.providers(), (Some("openai"), Some("anthropic")));
}

#[test]
fn what_must_be_asked_first() {
    let balanced = LIST.replace("model_name: claude", "model_name: main");
    let both = format!("{LIST}{MAP}");
    for (text, alias, model, code) in [
        (balanced.as_str(), Some("main"), "x", "ambiguous_target"),
        (both.as_str(), None, "claude", "ambiguous_target"),
        (LIST, None, "claude", "ambiguous_target"),
        (LIST, Some("Main"), "claude", "provider_unknown"),
        (both.as_str(), Some("smart"), "unheard-of", "provider_unknown"),
    ] {
        let mut case = case().file(FILE, text);
        if let Some(alias) = alias {
            case = case.alias(alias);
        }
        let done = case.switch(model);
        assert_eq!((done.refusal(), done.text(FILE).as_str()), (Some(code), text));
    }
    let message = case().file(FILE, &both).switch("claude").message(Code::AmbiguousTarget);
    assert!(message.contains("smart, other, main, claude"), "{message}");
}

#[test]
fn the_only_name_need_not_be_named() {
    let one = format!("{LIST}router_settings:\n  model_group_alias: {{smart: main}}\n");
    let done = case().file(FILE, &one).switch("claude");
    assert_eq!(
        (done.models(), done.text(FILE)),
        ((Some("main"), Some("claude")), one.replace("smart: main", "smart: claude"))
    );
    let single = "model_list:\n- model_name: m\n  litellm_params: {model: openai/a}\n";
    let done = case().file(FILE, single).provider("openai").switch("b");
    assert_eq!(done.text(FILE), single.replace("openai/a", "openai/b"));
}

#[test]
fn an_alias_of_a_balanced_group_can_be_pointed_elsewhere() {
    let text = format!("{LIST}  - model_name: main\n    litellm_params:\n      model: azure/gpt-5.5\n{MAP}");
    let done = case().file(FILE, &text).alias("smart").switch("claude");
    assert_eq!(done.text(FILE), text.replace("smart: main", "smart: claude"));
}

#[test]
fn the_long_form_of_an_alias() {
    let text =
        format!("{LIST}router_settings:\n  model_group_alias:\n    smart:\n      model: main\n      hidden: true\n");
    let done = case().file(FILE, &text).alias("smart").switch("claude");
    assert_eq!(done.text(FILE), text.replace("model: main\n", "model: claude\n"));
    assert_eq!(done.keys(), ["router_settings.model_group_alias.smart.model"]);
}

#[test]
fn included_files_are_a_part_of_it() {
    let main = format!("include:\n  - models.yaml\n{MAP}");
    let models = "/srv/proxy/models.yaml";
    let done = case().file(FILE, &main).file(models, LIST).alias("claude").provider("anthropic").switch("x");
    assert_eq!((done.text(FILE), done.text(models)), (main.clone(), LIST.replace("claude-opus-5", "x")));
    let done = case().file(FILE, &main).file(models, LIST).alias("smart").switch("claude");
    assert_eq!(done.text(FILE), main.replace("smart: main", "smart: claude"));
    // Settings of an included file take the place of the file's own.
    let over = format!("{LIST}router_settings:\n  model_group_alias: {{smart: main}}\n");
    let done = case().file(FILE, &main).file(models, &over).alias("smart").switch("claude");
    assert_eq!((done.text(FILE), done.text(models)), (main.clone(), over.replace("smart: main", "smart: claude")));
    let missing =
        case().file(FILE, format!("include: [gone.yaml]\n{LIST}")).alias("claude").provider("anthropic").switch("x");
    assert_eq!((missing.models().1, missing.codes()), (None, vec!["fatal_for_tool"]));
}

#[test]
fn models_from_a_database_and_from_variables() {
    let text = format!("{LIST}general_settings:\n  store_model_in_db: true\n");
    assert_eq!(case().file(FILE, text).alias("main").switch("x").codes(), ["models_may_come_from_db"]);
    assert_eq!(
        case()
            .file(FILE, format!("{LIST}general_settings:\n  store_model_in_db: false\n"))
            .alias("main")
            .switch("x")
            .codes(),
        [""; 0]
    );
    let by_variable = case().env("STORE_MODEL_IN_DB", "True").file(FILE, LIST).alias("main").switch("x");
    assert_eq!(by_variable.codes(), ["models_may_come_from_db"]);
    let text = LIST.replace("openai/gpt-5.5", "os.environ/MAIN_MODEL");
    let done = case().env("MAIN_MODEL", "openai/o").file(FILE, &text).alias("main").provider("openai").switch("x");
    assert_eq!((done.models(), done.codes()), ((Some("openai/o"), Some("openai/x")), vec!["value_was_reference"]));
}

#[test]
fn keys_and_own_addresses() {
    let done = Case::new("litellm").named(FILE).file(FILE, LIST).alias("main").provider("openai").switch("x");
    assert_eq!(done.codes(), ["provider_key_missing"]);
    let own = LIST.replace(
        "      api_key: os.environ/OPENAI_API_KEY\n",
        "      api_base: http://127.0.0.1:9\n      api_key: k\n",
    );
    assert_eq!(case().file(FILE, &own).alias("main").provider("anthropic").switch("x").codes(), ["model_unverified"]);
    assert_eq!(case().file(FILE, &own).alias("main").provider("openai").switch("x").codes(), [""; 0]);
}

#[test]
fn forms_and_what_stops_it() {
    let crlf = LIST.replace('\n', "\r\n");
    let done = case().file(FILE, &crlf).alias("main").provider("openai").switch("x");
    assert_eq!(done.undoes().text(FILE), crlf.replace("gpt-5.5", "x"));
    let broken = case().file(FILE, "model_list: [\n").alias("main").switch("x");
    assert_eq!(broken.refusal(), Some("parse_error"));
    assert_eq!(case().alias("main").switch("x").refusal(), Some("storage_not_in_file"));
    assert_eq!(case().readonly(FILE, LIST).alias("main").switch("x").refusal(), Some("target_readonly"));
    let linked = case().link(FILE, "/srv/real.yaml", LIST).alias("main").provider("openai").switch("x");
    assert_eq!(linked.text(FILE), LIST.replace("gpt-5.5", "x"));
}
