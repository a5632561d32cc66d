//! From an exchange to a verdict.
//!
//! The rules are the table of [`table`]; the rest only decides what they are held against.

mod case;
mod evidence;
mod headers;
mod hint;
pub mod line;
mod matcher;
mod page;
mod redact;
pub mod rule;
pub(super) mod span;
mod status;
pub mod table;
pub mod user;
mod verdict;

use std::sync::LazyLock;

use jiff::Timestamp;

use crate::core::classify::case::Case;
use crate::core::classify::matcher::Matcher;
use crate::core::classify::rule::Stage;
use crate::core::exchange::{End, Exchange, Failure};
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::core::target::Dialect;

pub use evidence::fold;
pub use user::{RuleError, UserRule};

/// Where an exchange comes from, as far as the caller knows.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The wire API that was spoken.
    pub dialect: Dialect,
    /// The provider's id, for the few rules that name one.
    pub provider: Option<&'a str>,
}

impl From<Dialect> for Origin<'_> {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, provider: None }
    }
}

/// The rules to classify by: the user's own first, then the built-in table.
#[derive(Debug, Default)]
pub struct RuleSet {
    user: Vec<user::Compiled>,
}

impl RuleSet {
    /// The built-in rules alone.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The built-in rules behind the user's.
    ///
    /// # Errors
    ///
    /// The first rule that cannot be used, by its position in `rules`.
    pub fn with_user(rules: Vec<UserRule>) -> Result<Self, RuleError> {
        Ok(Self { user: user::compile(rules)? })
    }

    /// The user's rules, in the order in which they are tried.
    pub fn user_rules(&self) -> impl Iterator<Item = &UserRule> {
        self.user.iter().map(|compiled| &compiled.rule)
    }
}

static BODY: LazyLock<Matcher> = LazyLock::new(|| {
    Matcher::new(&[
        Stage::First,
        Stage::Name,
        Stage::Phrase,
        Stage::Subject,
        Stage::Generic,
        Stage::WeakName,
        Stage::Status,
    ])
});
static PAGES: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(&[Stage::Page]));
static TRANSPORT: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(&[Stage::Transport]));

/// Verdicts that no row of the table gives: they follow from how an answer began and ended. What each
/// looks like is said by the catalogue, `explain-shape-ID`.
pub const SHAPES: [(&str, Kind, Scope); 12] = [
    ("answered", Kind::Available, Scope::Model),
    ("refusal-as-answer", Kind::AtCapacity, Scope::Model),
    ("answer-filtered", Kind::ContentFiltered, Scope::Local),
    ("finish-failed", Kind::ServerError, Scope::Model),
    ("response-failed", Kind::ServerError, Scope::Provider),
    ("empty-body", Kind::ServerError, Scope::Provider),
    ("ended-before-output", Kind::ServerError, Scope::Provider),
    ("only-keep-alive", Kind::Timeout, Scope::Provider),
    ("stalled", Kind::Timeout, Scope::Provider),
    ("cut", Kind::ServerError, Scope::Provider),
    ("daily-window", Kind::QuotaExhausted, Scope::Account),
    ("unrecognized", Kind::Unrecognized, Scope::Provider),
];

/// Tells what an exchange says about its target. Total: any status, headers and bytes give a verdict.
///
/// `origin` is a [`Dialect`], or an [`Origin`] where the provider is known too.
pub fn classify<'a>(origin: impl Into<Origin<'a>>, exchange: &Exchange, rules: &RuleSet) -> Outcome {
    let origin = origin.into();
    let provider = origin.provider.map(str::to_ascii_lowercase);
    let case = Case { origin, exchange, rules, provider: provider.as_deref() };
    match (&exchange.end, exchange.status) {
        (End::Failed(failure), None) => case.failed(failure),
        (_, None) if exchange.body.is_empty() => case.failed(&Failure { phase: None, text: String::new() }),
        _ => case.answered(),
    }
}

/// Tells what an error line means that a program printed: the same rules, without an exchange around it. A status that
/// the text tells counts as one.
pub fn classify_text<'a>(
    origin: impl Into<Origin<'a>>,
    text: &str,
    received_at: Option<Timestamp>,
    rules: &RuleSet,
) -> Outcome {
    let origin = origin.into();
    let provider = origin.provider.map(str::to_ascii_lowercase);
    let exchange = Exchange { received_at, ..Exchange::default() };
    Case { origin, exchange: &exchange, rules, provider: provider.as_deref() }.printed(text)
}

#[cfg(test)]
mod tests;
