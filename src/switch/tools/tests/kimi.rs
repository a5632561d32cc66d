//! Kimi's cases.

use super::Case;
use crate::core::platform::Platform;
use crate::core::target::Dialect;
use crate::switch::tool::Credential;
use crate::switch::tools;
use crate::switch::warning::Code;

const CODE: &str = "~/.kimi-code/config.toml";
const CLI: &str = "~/.kimi/config.toml";
const TEXT: &str = r#"# Kimi
default_model = "kimi-code/k3" # the big one
telemetry = false

[providers."managed:kimi-code"]
type = "kimi"
base_url = "https://api.kimi.com/coding/v1"
oauth = { storage = "file", key = "x" }

[providers.lab]
type = "openai"
base_url = "http://lab/v1"
api_key_env = "LAB_KEY"

[models."kimi-code/k3"]
provider = "managed:kimi-code"
model = "k3"
max_context_size = 1048576

[models."gpt-4.1"]
provider = "lab"
model = "gpt-4.1"
max_context_size = 1047576

[models.glm]
provider = "lab"
model = "z-ai/glm-5"
max_context_size = 200000

[secondary_model]
default_model = "kimi-code/k3"
"#;

fn case() -> Case {
    Case::new("kimi").env("LAB_KEY", "x")
}

#[test]
fn it_is_found_by_each_of_its_names() {
    for name in ["kimi", "kimi-code", "kimi-cli"] {
        assert_eq!(tools::find(name).map(|tool| tool.id()), Some("kimi"));
    }
}

#[test]
fn an_alias_is_set_by_its_name_or_by_its_model() {
    for (wanted, provider, alias) in [
        ("gpt-4.1", None, "gpt-4.1"),
        ("glm", None, "glm"),
        ("z-ai/glm-5", None, "glm"),
        ("z-ai/glm-5", Some("lab"), "glm"),
        ("k3", None, "kimi-code/k3"),
    ] {
        let case = provider.map_or_else(case, |provider| case().provider(provider));
        let done = case.file(CODE, TEXT).switch(wanted);
        let expected = TEXT.replacen("\"kimi-code/k3\" # the", &format!("\"{alias}\" # the"), 1);
        assert_eq!(done.undoes().text(CODE), expected, "{wanted}");
        assert_eq!((done.models(), done.codes()), ((Some("kimi-code/k3"), Some(alias)), vec![]), "{wanted}");
    }
    let done = case().file(CODE, TEXT).switch("glm");
    assert_eq!(done.plan.before.resolves_to.as_deref(), Some("k3"));
    assert_eq!(done.plan.after.resolves_to.as_deref(), Some("z-ai/glm-5"));
    assert_eq!(done.providers(), (Some("managed:kimi-code"), Some("lab")));
}

#[test]
fn an_alias_that_is_not_defined_is_refused() {
    for (case, wanted) in [
        (case().file(CODE, TEXT), "kimi-k9"),
        (case().file(CODE, TEXT).provider("other"), "glm"),
        (case().file(CODE, TEXT).provider("managed:kimi-code"), "z-ai/glm-5"),
        (case(), "k3"),
    ] {
        let done = case.switch(wanted);
        assert_eq!(done.refusal(), Some("fatal_for_tool"), "{wanted}");
        assert!(done.message(Code::FatalForTool).contains(wanted));
    }
}

#[test]
fn of_two_aliases_the_present_providers_comes_first() {
    let text = "default_model = \"b\"\n[models.a]\nprovider = \"p\"\nmodel = \"m\"\n[models.b]\nprovider = \"q\"\nmodel = \"n\"\n[models.c]\nprovider = \"q\"\nmodel = \"m\"\n";
    assert_eq!(case().file(CODE, text).switch("m").models().1, Some("c"));
    assert_eq!(case().file(CODE, text).provider("p").switch("m").models().1, Some("a"));
}

#[test]
fn a_missing_key_goes_before_the_first_table() {
    let text = "# mine\n[models.a]\nprovider = \"p\"\nmodel = \"m\"";
    let done = case().file(CODE, text).switch("a");
    assert_eq!((done.undoes().models(), done.codes()), ((None, Some("a")), vec![]));
    let written = done.text(CODE);
    assert!(written.find("default_model").expect("a key") < written.find("[models").expect("a table"));
}

#[test]
fn a_switch_mends_an_alias_that_is_gone() {
    let text = TEXT.replacen("kimi-code/k3", "gone", 1);
    let done = case().file(CODE, text).switch("glm");
    assert_eq!((done.models(), done.codes()), ((None, Some("glm")), vec![]));
}

#[test]
fn the_variables_of_kimi_code_need_the_key_too() {
    let case = || case().file(CODE, TEXT).env("KIMI_MODEL_NAME", "kimi-k9");
    let done = case().env("KIMI_MODEL_API_KEY", "x").switch("glm");
    assert_eq!((done.models(), done.codes()), ((Some("kimi-k9"), Some("kimi-k9")), vec!["masked_by_env"]));
    assert_eq!(done.text(CODE), TEXT.replacen("kimi-code/k3", "glm", 1));
    for done in [case().switch("glm"), case().env("KIMI_MODEL_API_KEY", "").switch("glm")] {
        assert_eq!((done.models(), done.codes()), ((None, None), vec!["fatal_for_tool"]));
        assert!(done.message(Code::FatalForTool).contains("KIMI_MODEL_API_KEY"));
    }
    let done = self::case().file(CODE, TEXT).env("KIMI_MODEL_NAME", "").env("KIMI_MODEL_API_KEY", "x").switch("glm");
    assert_eq!((done.models().1, done.codes()), (Some("glm"), vec![]));
    let done = self::case().file(CODE, TEXT).env("KIMI_API_KEY", "x").switch("glm");
    assert_eq!(done.codes(), [""; 0]);
}

#[test]
fn in_the_old_program_the_variable_replaces_the_model_of_kimi_providers_alone() {
    let case = || case().file(CLI, TEXT).env("KIMI_MODEL_NAME", "kimi-k9");
    let done = case().switch("kimi-code/k3");
    assert_eq!((done.models(), done.codes()), ((Some("kimi-k9"), Some("kimi-k9")), vec!["masked_by_env"]));
    let done = case().switch("glm");
    assert_eq!((done.models(), done.codes()), ((Some("kimi-k9"), Some("glm")), vec![]));
}

#[test]
fn each_program_has_its_home() {
    for (case, path) in [
        (case().env("KIMI_CODE_HOME", "/srv/kimi"), "/srv/kimi/config.toml"),
        (case().env("KIMI_SHARE_DIR", "/srv/old"), "/srv/old/config.toml"),
        (case().platform(Platform::Windows), r"C:\Users\ada\.kimi-code\config.toml"),
        (case().platform(Platform::Macos), CODE),
        (case(), CLI),
    ] {
        let crlf = TEXT.replace('\n', "\r\n");
        let done = case.file(path, &crlf).switch("glm");
        assert_eq!(done.undoes().text(path), crlf.replacen("kimi-code/k3", "glm", 1), "{path}");
    }
    let both = case().file(CODE, TEXT).file(CLI, TEXT);
    let homes = both.look(|tool, at| tool.homes(&at.world));
    assert_eq!(homes.iter().map(|home| home.path.name()).collect::<Vec<_>>(), [".kimi-code", ".kimi"]);
    assert_eq!(both.switch("glm").text(CLI), TEXT);
}

#[test]
fn an_old_json_file_counts_until_there_is_a_new_one() {
    let old = r#"{"default_model": "a", "models": {"a": {"provider": "p", "model": "m"}, "b": {"provider": "p", "model": "n"}}}"#;
    let path = "~/.kimi/config.json";
    let done = case().file(path, old).switch("b");
    assert_eq!(done.undoes().text(path), old.replacen("\"a\"", "\"b\"", 1));
    assert_eq!((done.models(), done.codes()), ((Some("a"), Some("b")), vec!["legacy_shape"]));
    let done = case().file(path, old).file(CLI, TEXT).switch("glm");
    assert_eq!((done.text(path).as_str(), done.codes()), (old, vec![]));
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for (case, codes) in [
        (case().file(CODE, "default_model = \"a"), vec!["parse_error"]),
        (case().file(CLI, "default_model = \"a"), vec!["fatal_for_tool", "parse_error"]),
        (case().file(CODE, "default_model = \"a\"\ndefault_model = \"b\"\n"), vec!["parse_error"]),
        (case().file(CODE, "[default_model]\nname = \"a\"\n"), vec!["wrong_type"]),
        (case().readonly(CODE, TEXT), vec!["target_readonly"]),
    ] {
        let done = case.switch("glm");
        assert!(done.refusal().is_some());
        assert_eq!(done.codes(), codes);
    }
}

#[test]
fn marks_quotes_and_links_stay() {
    let text = format!("\u{feff}{}", TEXT.replacen("\"kimi-code/k3\"", "'kimi-code/k3'", 1));
    let done = case().link(CODE, "~/dotfiles/kimi.toml", &text).switch("glm");
    assert_eq!(done.undoes().text(CODE), text.replacen("'kimi-code/k3'", "'glm'", 1));
    assert_eq!(done.codes(), ["bom_present"]);
}

#[test]
fn a_providers_key_is_looked_for_where_it_says() {
    let done = Case::new("kimi").file(CODE, TEXT).switch("glm");
    assert_eq!(done.codes(), ["provider_key_missing"]);
    let all = case().file(CODE, TEXT).look(|tool, at| tool.endpoints(at));
    assert_eq!(
        (&all[0].credential, &all[1].credential),
        (&Credential::OwnLogin, &Credential::Variable("LAB_KEY".to_owned()))
    );
    assert_eq!(all[1].models, ["gpt-4.1", "z-ai/glm-5"]);
    assert_eq!((all[1].dialect, all[1].base_url.as_deref()), (Some(Dialect::OpenaiChat), Some("http://lab/v1")));
}
