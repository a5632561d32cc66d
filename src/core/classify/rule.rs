//! What a built-in rule is made of.

use crate::core::outcome::{Kind, Scope};

/// When a rule is tried. Earlier stages beat later ones; within an error that wraps another, the inner one is tried first
/// up to [`Stage::Generic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Known traps, where the obvious reading is wrong.
    First,
    /// Machine codes, then types.
    Name,
    /// Phrases that leave no doubt.
    Phrase,
    /// Words for "the server is full" and "you are over your limit": the one that comes first in the text wins.
    Subject,
    /// Words that are often wrong, used when nothing better is known.
    Generic,
    /// Codes and types that many providers use for everything.
    WeakName,
    /// The HTTP status alone.
    Status,
    /// Pages and plain text that no API wrote.
    Page,
    /// Requests without an answer.
    Transport,
}

impl Stage {
    /// The word in the printed table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Name => "name",
            Self::Phrase => "phrase",
            Self::Subject => "subject",
            Self::Generic => "generic",
            Self::WeakName => "weak-name",
            Self::Status => "status",
            Self::Page => "page",
            Self::Transport => "transport",
        }
    }
}

/// What a rule says of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// As usual for its kind.
    Usual,
    /// Waiting helps.
    Helps,
    /// Waiting is in vain.
    Futile,
}

/// A row of the rule table. All evidence that it lists must hold; in a list any one entry is enough.
#[derive(Debug)]
pub struct Rule {
    /// Stable, kebab-case, stored with samples.
    pub id: &'static str,
    /// The verdict.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// Codes or types, folded as [`super::evidence::fold`] does.
    pub names: &'static [&'static str],
    /// Parts of folded codes or types.
    pub parts: &'static [&'static str],
    /// Lower-case words in the error's text.
    pub texts: &'static [&'static str],
    /// More words, of which one must be there too.
    pub also: &'static [&'static str],
    /// Words that must not be there.
    pub unless: &'static [&'static str],
    /// Inclusive ranges of HTTP statuses.
    pub statuses: &'static [(u16, u16)],
    /// Parts of the provider's id.
    pub providers: &'static [&'static str],
    /// What it says of waiting.
    pub wait: Wait,
    /// Hints beside it are not to be trusted.
    pub ignores_hint: bool,
    /// The scope is the model where the text names one.
    pub model_if_named: bool,
}

impl Rule {
    /// A rule without evidence.
    pub const fn new(id: &'static str, kind: Kind, scope: Scope) -> Self {
        Self {
            id,
            kind,
            scope,
            names: &[],
            parts: &[],
            texts: &[],
            also: &[],
            unless: &[],
            statuses: &[],
            providers: &[],
            wait: Wait::Usual,
            ignores_hint: false,
            model_if_named: false,
        }
    }

    /// Needs one of these codes or types.
    pub const fn names(mut self, names: &'static [&'static str]) -> Self {
        self.names = names;
        self
    }

    /// Needs a code or type with one of these parts.
    pub const fn parts(mut self, parts: &'static [&'static str]) -> Self {
        self.parts = parts;
        self
    }

    /// Needs one of these words.
    pub const fn texts(mut self, texts: &'static [&'static str]) -> Self {
        self.texts = texts;
        self
    }

    /// Needs one of these words too.
    pub const fn also(mut self, also: &'static [&'static str]) -> Self {
        self.also = also;
        self
    }

    /// Needs none of these words.
    pub const fn unless(mut self, unless: &'static [&'static str]) -> Self {
        self.unless = unless;
        self
    }

    /// Needs a status in one of these inclusive ranges.
    pub const fn statuses(mut self, statuses: &'static [(u16, u16)]) -> Self {
        self.statuses = statuses;
        self
    }

    /// Needs a provider whose id has one of these parts.
    pub const fn providers(mut self, providers: &'static [&'static str]) -> Self {
        self.providers = providers;
        self
    }

    /// Waiting helps, against the kind's habit.
    pub const fn waits(mut self) -> Self {
        self.wait = Wait::Helps;
        self
    }

    /// Waiting is in vain, against the kind's habit.
    pub const fn futile(mut self) -> Self {
        self.wait = Wait::Futile;
        self.ignores_hint = true;
        self
    }

    /// Hints beside it are wrong.
    pub const fn without_hint(mut self) -> Self {
        self.ignores_hint = true;
        self
    }

    /// The scope is the model where the text names one.
    pub const fn model_if_named(mut self) -> Self {
        self.model_if_named = true;
        self
    }

    /// Its evidence for people: each field with what it holds, in one line.
    pub fn evidence(&self) -> Vec<(&'static str, String)> {
        let mut parts = Vec::new();
        let mut list = |field, words: &[&str]| {
            if !words.is_empty() {
                parts.push((field, words.join(" | ").replace('\n', "\\n")));
            }
        };
        list("names", self.names);
        list("parts", self.parts);
        list("texts", self.texts);
        list("also", self.also);
        list("unless", self.unless);
        list("providers", self.providers);
        if !self.statuses.is_empty() {
            let ranges: Vec<_> = self
                .statuses
                .iter()
                .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}-{high}") })
                .collect();
            parts.push(("statuses", ranges.join(" | ")));
        }
        parts
    }
}
