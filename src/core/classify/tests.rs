//! The classifier against the corpora.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::core::classify::{Origin, RuleSet, classify, line};

const DEV: &str = include_str!("../../../tests/fixtures/error-corpus/dev.jsonl");
const MORE: &str = include_str!("../../../tests/fixtures/error-corpus/more.jsonl");

/// Classifies every line and gives the confusion matrix and the lines that went wrong.
fn run(corpus: &str) -> (String, Vec<String>) {
    let rules = RuleSet::builtin();
    let mut matrix: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for text in corpus.lines() {
        let line = line::parse(text.as_bytes()).expect("a line of the corpus");
        let whole: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let expect = &whole["expect"];
        let origin = Origin { dialect: line.dialect, provider: line.provider.as_deref() };
        let outcome = classify(origin, &line.exchange, &rules);
        let kind = expect["kind"].as_str().expect("a kind").to_owned();
        *matrix.entry((kind.clone(), outcome.kind.name())).or_default() += 1;
        let seconds = outcome.retry_after.map(|wait| wait.as_secs_f64());
        let is_retry_right = match (expect["retry_after_s"].as_f64(), seconds) {
            (None, None) => true,
            (Some(expected), Some(found)) => (expected - found).abs() <= 2.0,
            _ => false,
        };
        let is_right = kind == outcome.kind.name()
            && expect["scope"] == outcome.scope.name()
            && is_retry_right
            && expect["wait_helps"] == outcome.wait_helps
            && expect["switch_helps"] == outcome.switch_helps
            && outcome.excerpt.chars().count() <= 300;
        if !is_right {
            wrong.push(format!(
                "{}: expected {expect}, found {} {} {seconds:?} wait {} switch {} by `{}`: {}",
                line.id,
                outcome.kind,
                outcome.scope.name(),
                outcome.wait_helps,
                outcome.switch_helps,
                outcome.rule,
                outcome.excerpt,
            ));
        }
    }
    let mut table = String::from("expected            -> found\n");
    for ((expected, found), count) in &matrix {
        let mark = if expected == found { ' ' } else { '!' };
        let _ = writeln!(table, "{mark} {expected:18} -> {found:18} {count:4}");
    }
    (table, wrong)
}

fn check(name: &str, corpus: &str) {
    let (table, wrong) = run(corpus);
    println!("{name}\n{table}");
    assert!(
        wrong.is_empty(),
        "{} of {} lines of {name} are wrong:\n{}",
        wrong.len(),
        corpus.lines().count(),
        wrong.join("\n")
    );
}

#[test]
fn every_line_of_the_handed_corpus_is_right() {
    check("dev.jsonl", DEV);
}

#[test]
fn every_line_of_our_own_corpus_is_right() {
    check("more.jsonl", MORE);
}

/// The same error in other envelopes.
fn variants(body: &str, status: u16) -> Vec<(&'static str, u16, String)> {
    let value: serde_json::Value = serde_json::from_str(body).expect("a JSON body");
    let quoted = serde_json::Value::String(body.to_owned());
    let shout = body.replace("\"message\":\"", "\"message\":\"ERROR! ");
    let python = body.replace("null", "None").replace("true", "True").replace("false", "False");
    vec![
        ("array", status, format!("[{body}]")),
        ("pretty", status, serde_json::to_string_pretty(&value).expect("JSON")),
        ("prefixed", status, shout),
        ("message in an error", status, format!(r#"{{"error":{{"message":{quoted},"type":"upstream_error","code":"bad_response_status_code"}}}}"#)),
        ("gateway 500", 500, format!(r#"{{"error":{{"message":{quoted},"code":{status}}}}}"#)),
        ("python text", status, serde_json::json!({ "detail": format!("Error code: {status} - {python}") }).to_string()),
        ("metadata.raw", status, serde_json::json!({ "error": { "message": "Provider returned error", "code": status, "metadata": { "raw": body, "provider_name": "P" } } }).to_string()),
        ("torn", status, body[..body.trim_end_matches(['}', ']']).len()].to_owned()),
        ("event stream", status, format!("event: error\ndata: {body}\n\n")),
        ("trailing junk", status, format!("{body}\n\n<!-- request 1 -->")),
        ("bom", status, format!("\u{feff}{body}")),
    ]
}

#[test]
fn errors_read_alike_in_other_envelopes() {
    let rules = RuleSet::builtin();
    let mut wrong = Vec::new();
    let mut count = 0;
    for text in DEV.lines().chain(MORE.lines()) {
        let line = line::parse(text.as_bytes()).expect("a line of the corpus");
        let body = String::from_utf8(line.exchange.body.clone()).expect("text");
        let status = line.exchange.status.unwrap_or(0);
        if status < 400 || !body.starts_with('{') || serde_json::from_str::<serde_json::Value>(&body).is_err() {
            continue;
        }
        let origin = Origin { dialect: line.dialect, provider: line.provider.as_deref() };
        let plain = classify(origin, &line.exchange, &rules);
        for (name, status, body) in variants(&body, status) {
            let exchange = crate::core::exchange::Exchange {
                status: Some(status),
                body: body.into_bytes(),
                ..line.exchange.clone()
            };
            let outcome = classify(origin, &exchange, &rules);
            count += 1;
            // A gateway says that the refusal was its provider's: where the error itself told little, that is new evidence.
            let is_evidence = name == "metadata.raw" && matches!(&*outcome.rule, "provider-refused" | "degraded");
            if (outcome.kind, outcome.scope) != (plain.kind, plain.scope) && !is_evidence {
                wrong.push(format!(
                    "{} as {name}: {} {} by {}, not {} {} by {}",
                    line.id,
                    outcome.kind,
                    outcome.scope.name(),
                    outcome.rule,
                    plain.kind,
                    plain.scope.name(),
                    plain.rule
                ));
            }
        }
    }
    println!("{count} variants");
    assert!(wrong.is_empty(), "{} of {count} variants differ:\n{}", wrong.len(), wrong.join("\n"));
}
