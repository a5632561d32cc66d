//! `vacancy explain` as a person and a script use it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use assert_cmd::Command;
use regex::Regex;
use vacancy::core::classify::table::TABLE;
use vacancy::core::classify::{RuleSet, SHAPES};
use vacancy::core::outcome::{Kind, Outcome, Scope};
use vacancy::explain::words;
use vacancy::i18n::{Lang, Tr};

use crate::support::chinese;

fn explain(args: &[&str], stdin: &str) -> (i32, String, String) {
    explain_with(None, args, stdin)
}

fn explain_with(settings: Option<&str>, args: &[&str], stdin: &str) -> (i32, String, String) {
    explain_in("en_GB.UTF-8", settings, args, stdin)
}

fn explain_in(locale: &str, settings: Option<&str>, args: &[&str], stdin: &str) -> (i32, String, String) {
    let home = tempfile::tempdir().unwrap();
    if let Some(settings) = settings {
        std::fs::create_dir_all(home.path().join("config")).unwrap();
        std::fs::write(home.path().join("config/vacancy.toml"), settings).unwrap();
    }
    let output = Command::cargo_bin("vacancy")
        .unwrap()
        .env("VACANCY_HOME", home.path())
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", locale)
        .arg("explain")
        .args(args)
        .write_stdin(stdin)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_printed_sentence_is_explained_in_plain_words() {
    let (code, text, _) =
        explain(&["Selected", "model", "is", "at", "capacity.", "Please", "try", "a", "different", "model."], "");
    assert_eq!(code, 0);
    assert!(text.starts_with("At capacity · this model only\n"), "{text}");
    for part in [
        "not your configuration",
        "Whose         The provider's.",
        "use another model",
        "In 30 seconds",
        "Rule          capacity (at capacity",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn it_speaks_chinese() {
    let (code, text, _) = explain(
        &["--lang", "zh-Hans"],
        "HTTP/2 429\nretry-after: 90\n\n{\"error\":{\"code\":\"1302\",\"message\":\"您的账户已达到速率限制\"}}",
    );
    assert_eq!(code, 0);
    for part in ["触发你的速率限制 · 你的账户", "责任方", "1 分钟 30 秒后", "limit-number"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

/// English words that follow each other, outside what is quoted of the answer and of the rule.
fn english_in(text: &str) -> Option<String> {
    let words = Regex::new(r"[A-Za-z][a-z]+(?: [A-Za-z]?[a-z]+)+").unwrap();
    let data = Regex::new(r"https?://\S+|`[^`]*`").unwrap();
    words.find(&data.replace_all(text, "")).map(|found| found.as_str().to_owned())
}

/// Every kind in every scope, by every rule that gives it, with and without a hint.
#[test]
fn no_verdict_has_english_left_in_chinese() {
    let (tr, rules) = (Tr::new(Lang::Chinese), RuleSet::builtin());
    let by_rule = TABLE.iter().flat_map(|(_, rules)| rules.iter().map(|rule| (rule.id, rule.kind)));
    let mut ids: BTreeSet<_> = by_rule.chain(SHAPES.iter().map(|(id, kind, _)| (*id, *kind))).collect();
    ids.extend(Kind::ALL.map(|kind| ("no-such-rule", kind)));
    let mut faults = BTreeSet::new();
    let mut explained = 0;
    for (rule, kind) in ids {
        for scope in Scope::ALL {
            for (wait_helps, switch_helps, retry_after) in
                [(false, false, None), (true, true, Some(90)), (true, false, Some(600_000))]
            {
                let outcome = Outcome {
                    kind,
                    scope,
                    retry_after: retry_after.map(Duration::from_secs),
                    wait_helps,
                    switch_helps,
                    rule: rule.into(),
                    excerpt: "Selected model is at capacity".to_owned(),
                };
                let text = words::explain(&tr, &rules, &outcome);
                explained += 1;
                // What a rule looks for and what was answered are quoted; what stands around it is ours.
                let [head, rule_line] = text.split("\n规则").collect::<Vec<_>>()[..] else { panic!("{text}") };
                let named = rule_line.split_once('（').map_or("", |(_, evidence)| evidence.split('）').next().unwrap());
                faults.extend(text.lines().flat_map(|line| line.split("  ")).filter_map(chinese::fault));
                let is_shape = SHAPES.iter().any(|(id, ..)| *id == rule);
                faults.extend(english_in(head));
                if is_shape {
                    faults.extend(english_in(named));
                }
                for label in ["code or type", "and text", "but not", "status:", "provider:"] {
                    assert!(!named.contains(label), "{rule}: {named}");
                }
                assert!(text.contains("\n依据") && head.lines().count() >= 5, "{text}");
            }
        }
    }
    let table = words::rule_table(&tr, &rules);
    assert!(table.contains("文字：") && !table.contains("文字:"));
    assert!(faults.is_empty() && explained > 1000, "{explained}: {faults:?}");
}

/// One error a kind, through the program, its language given in each of the ways there are.
#[test]
fn chinese_is_spoken_by_flag_settings_and_locale() {
    let zh = Some("[ui]\nlanguage = \"zh-Hans\"\n");
    let (english, chinese) = ("en_GB.UTF-8", "zh_CN.UTF-8");
    let said = |locale, settings, args: &[&str]| explain_in(locale, settings, args, "rate limit reached").1;
    assert!(said(english, None, &[]).starts_with("Your rate limit"));
    for text in [
        said(english, None, &["--lang", "zh-Hans"]),
        said(english, None, &["--lang", "zh_CN"]),
        said(english, zh, &[]),
        said(chinese, None, &[]),
    ] {
        assert!(text.starts_with("触发你的速率限制"), "{text}");
    }
    assert!(said(chinese, zh, &["--lang", "en"]).starts_with("Your rate limit"), "the flag goes before all");

    for (error, headline) in [
        (
            "HTTP/2 200\n\n{\"choices\":[{\"message\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}",
            "kind-available",
        ),
        ("Selected model is at capacity. Please try a different model.", "kind-at_capacity"),
        ("HTTP/2 429\n\n{\"error\":{\"code\":\"rate_limit_exceeded\"}}", "kind-rate_limited"),
        ("You've hit your usage limit. Try again in 3 days 4 hours.", "kind-usage_limit"),
        ("HTTP/2 429\n\n{\"error\":{\"code\":\"insufficient_quota\"}}", "kind-quota_exhausted"),
        ("HTTP/2 401\n\n{\"error\":{\"code\":\"invalid_api_key\"}}", "kind-auth"),
        ("HTTP/2 403\n\n{\"error\":{\"code\":\"unsupported_country_region_territory\"}}", "kind-forbidden"),
        ("HTTP/2 404\n\n{\"error\":{\"code\":\"model_not_found\"}}", "kind-model_not_found"),
        ("HTTP/2 400\n\n{\"error\":{\"code\":\"context_length_exceeded\"}}", "kind-bad_request"),
        ("HTTP/2 400\n\n{\"error\":{\"code\":\"content_filter\"}}", "kind-content_filtered"),
        ("HTTP/2 404\ncontent-type: text/html\n\n<html><title>404 Not Found</title></html>", "kind-misconfigured"),
        ("HTTP/2 500\n\n", "kind-server_error"),
        ("HTTP/2 504\n\n", "kind-timeout"),
        ("dial tcp: lookup api.example.com: no such host", "kind-network"),
        ("the moon is full", "kind-unrecognized"),
    ] {
        let (code, text, told) = explain_in(chinese, None, &[], error);
        assert_eq!((code, told.as_str()), (0, ""));
        assert!(text.starts_with(&Tr::new(Lang::Chinese).text(headline)), "{error}:\n{text}");
        let (head, _) = text.split_once("\n规则").unwrap();
        assert_eq!(english_in(head), None, "{text}");
    }
    let (code, _, told) = explain_in(chinese, None, &[], " \n");
    assert!(code == 2 && told.contains("没有可解释的内容") && english_in(&told).is_none(), "{told}");
}

#[test]
fn files_and_missing_input() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all("Error code: 401 - {'error': {'message': 'Incorrect API key provided: sk-proj-Abcd1234', 'code': 'invalid_api_key'}}".as_bytes()).unwrap();
    let (code, text, _) = explain(&["--file", file.path().to_str().unwrap()], "");
    assert_eq!(code, 0);
    assert!(text.starts_with("Key refused"), "{text}");
    assert!(!text.contains("Abcd1234"), "the key is not repeated");

    let (code, _, error) = explain(&[], " \n");
    assert_eq!(code, 2);
    assert!(error.contains("Nothing to explain"), "{error}");
    assert_eq!(explain(&["--file", "/no/such/file"], "").0, 2);
}

#[test]
fn jsonl_answers_every_line_with_exactly_the_contract() {
    let corpus = include_str!("../fixtures/error-corpus/dev.jsonl");
    let mut input = String::from("not json\n[1]\n\n");
    input.push_str(corpus);
    let (code, text, _) = explain(&["--jsonl"], &input);
    assert_eq!(code, 0);
    let answers: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), corpus.lines().count() + 2);
    for bad in &answers[..2] {
        assert!(bad["id"].is_null() && bad["error"].is_string() && bad.as_object().unwrap().len() == 2, "{bad}");
    }
    for (answer, line) in answers[2..].iter().zip(corpus.lines()) {
        let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "kind", "scope", "retry_after_s", "wait_helps", "switch_helps", "rule"]);
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&answer["id"], &answer["kind"]), (&line["id"], &line["expect"]["kind"]));
        assert!(answer["retry_after_s"].is_null() || answer["retry_after_s"].is_number());
    }
}

#[test]
fn rules_are_listed() {
    let (code, text, _) = explain(&["--rules"], "");
    assert_eq!(code, 0);
    let line = text.lines().find(|line| line.contains(" overload-code ")).unwrap();
    assert!(line.starts_with("name") && line.contains("at_capacity") && line.contains("serverisoverloaded"), "{line}");
    assert!(text.lines().count() > 150);
}

#[test]
fn rules_of_the_settings_come_first() {
    let settings = "[[rule]]\nid = \"my-relay\"\nkind = \"at_capacity\"\ntext = \"line is full\"\n";
    let (code, text, error) = explain_with(Some(settings), &["The", "line", "is", "full:", "rate", "limit"], "");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(text.starts_with("At capacity") && text.contains("my-relay (text: line is full)"), "{text}");
    let (_, table, _) = explain_with(Some(settings), &["--rules"], "");
    assert!(table.lines().nth(1).unwrap().starts_with("user"), "{table}");

    let (code, text, error) = explain_with(Some("[[rule]]\nid = \"x\"\n"), &["rate limit"], "");
    assert_eq!(code, 0, "faulty settings do not keep an error from being explained");
    assert!(text.starts_with("Your rate limit") && error.contains("vacancy.toml"), "{error}");
}

#[test]
fn a_line_without_measure_is_answered_as_bad_and_the_next_one_is_read() {
    let line = r#"{"id":"b","dialect":"openai-chat","status":503,"body":"overloaded"}"#;
    let input = format!("{}\n{line}\n", "x".repeat(17 << 20));
    let (code, text, _) = explain(&["--jsonl"], &input);
    assert_eq!(code, 0);
    let answers: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2, "{text}");
    assert!(answers[0]["id"].is_null() && answers[0]["error"].as_str().unwrap().contains("16 MiB"));
    assert_eq!(answers[1]["id"], "b");
}
