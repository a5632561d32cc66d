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
