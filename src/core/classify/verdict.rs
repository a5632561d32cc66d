//! Makes outcomes, and the lines shown of them.

use std::borrow::Cow;

use crate::core::classify::evidence::Evidence;
use crate::core::classify::rule::Wait;
use crate::core::classify::{SHAPES, redact, table};
use crate::core::outcome::{Kind, Outcome, Scope};

pub(super) fn is_refusal(text: &str) -> bool {
    let text = text.trim();
    table::REFUSALS.iter().any(|sentence| text.eq_ignore_ascii_case(sentence))
}

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
        .map_or_else(|| plain(id, Kind::Unrecognized, Scope::Provider), |(id, kind, scope)| plain(id, *kind, *scope))
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
