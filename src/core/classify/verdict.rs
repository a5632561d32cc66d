//! How a verdict is put together, and the verdicts that no row of the table gives.

use std::borrow::Cow;

use super::evidence::Evidence;
use super::redact;
use super::rule::Wait;
use crate::core::outcome::{Kind, Outcome, Scope};

/// Verdicts that no row of the table gives: they follow from how an answer began and ended. With their evidence, for the
/// printed table.
pub const SHAPES: [(&str, Kind, Scope, &str); 12] = [
    ("answered", Kind::Available, Scope::Model, "text, reasoning, a tool call, or an end that counts tokens"),
    ("refusal-as-answer", Kind::AtCapacity, Scope::Model, "the whole answer is a known refusal sentence"),
    ("answer-filtered", Kind::ContentFiltered, Scope::Local, "nothing came, and the finish reason names a policy"),
    ("finish-failed", Kind::ServerError, Scope::Model, "nothing came, and the finish reason names a fault"),
    ("response-failed", Kind::ServerError, Scope::Provider, "an error event that says nothing more"),
    ("empty-body", Kind::ServerError, Scope::Provider, "a success status with nothing behind it"),
    ("ended-before-output", Kind::ServerError, Scope::Provider, "the answer ended before any output"),
    ("only-keep-alive", Kind::Timeout, Scope::Provider, "only keep-alive comments came"),
    ("stalled", Kind::Timeout, Scope::Provider, "a deadline passed after the status line, before any output"),
    ("cut", Kind::ServerError, Scope::Provider, "the connection was lost before any output"),
    (
        "daily-window",
        Kind::QuotaExhausted,
        Scope::Account,
        "a limit of a day, with no wait stated or more than an hour",
    ),
    ("unrecognized", Kind::Unrecognized, Scope::Provider, "nothing matched"),
];

/// A verdict with the kind's usual claims.
pub(super) fn plain(rule: &'static str, kind: Kind, scope: Scope) -> Outcome {
    Outcome {
        kind,
        scope,
        retry_after: None,
        wait_helps: matches!(
            kind,
            Kind::AtCapacity | Kind::RateLimited | Kind::UsageLimit | Kind::ServerError | Kind::Timeout | Kind::Network
        ),
        switch_helps: scope == Scope::Model && kind != Kind::Available,
        rule: Cow::Borrowed(rule),
        excerpt: String::new(),
    }
}

pub(super) fn set_wait(outcome: &mut Outcome, wait: Wait) {
    match wait {
        Wait::Usual => {}
        Wait::Helps => outcome.wait_helps = true,
        Wait::Futile => outcome.wait_helps = false,
    }
}

/// One of [`SHAPES`].
pub(super) fn shape(id: &'static str) -> Outcome {
    SHAPES
        .iter()
        .find(|(known, ..)| *known == id)
        .map_or_else(|| plain(id, Kind::Unrecognized, Scope::Provider), |(id, kind, scope, _)| plain(id, *kind, *scope))
}

/// The scope that a kind has unless something says otherwise.
pub(super) fn usual_scope(kind: Kind) -> Scope {
    match kind {
        Kind::Available | Kind::AtCapacity | Kind::ModelNotFound => Scope::Model,
        Kind::RateLimited | Kind::UsageLimit | Kind::QuotaExhausted | Kind::Auth | Kind::Forbidden => Scope::Account,
        Kind::BadRequest | Kind::ContentFiltered | Kind::Misconfigured | Kind::Network | Kind::Skipped => Scope::Local,
        Kind::ServerError | Kind::Timeout | Kind::Unrecognized => Scope::Provider,
    }
}

/// What to show of an error: its innermost sentence, with its code.
pub(super) fn summary(evidence: &Evidence) -> String {
    let level = evidence.deepest;
    let sentence = evidence
        .sentences
        .iter()
        .filter(|at| at.level == level)
        .chain(&evidence.sentences)
        .next()
        .map(|at| evidence.sentence(at).trim_end());
    match (evidence.code_at(level), sentence) {
        (Some(code), Some(sentence)) if !sentence.contains(code) => redact::excerpt(&format!("{code}: {sentence}")),
        (_, Some(sentence)) => redact::excerpt(sentence),
        (Some(code), None) => redact::excerpt(code),
        (None, None) => String::new(),
    }
}
