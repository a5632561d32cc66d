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
