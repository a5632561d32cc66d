//! Rules of the user's own: `[[rule]]` in the settings file, checked before the built-in ones.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::core::classify::evidence::fold;
use crate::core::outcome::{Kind, Scope};
use crate::core::target::Dialect;

/// One value or several in a settings file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(value) => vec![value],
        OneOrMany::Many(values) => values,
    })
}

/// A `[[rule]]` as written. All evidence given must hold; in a list any one entry is enough.
///
/// ```toml
/// [[rule]]
/// id = "my-relay-full"
/// kind = "at_capacity"
/// provider = "my-relay"
/// status = [429, 503]
/// text = "line is full"
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserRule {
    /// The name that samples and details show; kebab-case, unique.
    pub id: String,
    /// The verdict.
    pub kind: Kind,
    /// Whom it speaks of; left out, the kind's usual scope.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only exchanges of the provider with this id.
    #[serde(default)]
    pub provider: Option<String>,
    /// Only exchanges in this dialect.
    #[serde(default)]
    pub dialect: Option<Dialect>,
    /// HTTP statuses.
    #[serde(default, deserialize_with = "one_or_many")]
    pub status: Vec<u16>,
    /// Machine codes of the error, whole, whatever their case.
    #[serde(default, deserialize_with = "one_or_many")]
    pub code: Vec<String>,
    /// Types of the error, whole, whatever their case.
    #[serde(default, rename = "type", deserialize_with = "one_or_many")]
    pub types: Vec<String>,
    /// Words that the error's text contains, whatever their case. Answers are never searched.
    #[serde(default, deserialize_with = "one_or_many")]
    pub text: Vec<String>,
    /// A regular expression over the error's text, whatever its case.
    #[serde(default)]
    pub regex: Option<String>,
}

impl UserRule {
    /// Its evidence in one line, for people.
    pub fn evidence(&self) -> String {
        let mut parts = Vec::new();
        let mut list = |name: &str, words: Vec<String>| {
            if !words.is_empty() {
                parts.push(format!("{name}: {}", words.join(" | ")));
            }
        };
        list("provider", self.provider.iter().cloned().collect());
        list("dialect", self.dialect.iter().map(|dialect| dialect.name().to_owned()).collect());
        list("status", self.status.iter().map(u16::to_string).collect());
        list("code", self.code.clone());
        list("type", self.types.clone());
        list("text", self.text.clone());
        list("regex", self.regex.iter().cloned().collect());
        parts.join("; ")
    }
}

/// Why a `[[rule]]` cannot be used. `index` is its position, from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The id is empty or has other characters.
    #[error("rule {}: the id `{id}` must be kebab-case, like `my-relay-full`", index + 1)]
    BadId {
        /// Which rule.
        index: usize,
        /// As written.
        id: String,
    },
    /// Two rules have the same id.
    #[error("rule {}: the id `{id}` is already used; give it another", index + 1)]
    DuplicateId {
        /// Which rule.
        index: usize,
        /// As written.
        id: String,
    },
    /// It would match everything.
    #[error("rule `{id}` has no evidence; add `status`, `code`, `type`, `text` or `regex`")]
    NoEvidence {
        /// Which rule.
        index: usize,
        /// Its id.
        id: String,
    },
    /// A status outside 100 to 599, or an empty word.
    #[error("rule `{id}`: `{field}` has the unusable value `{value}`")]
    BadValue {
        /// Which rule.
        index: usize,
        /// Its id.
        id: String,
        /// The field.
        field: &'static str,
        /// As written.
        value: String,
    },
    /// The expression does not compile.
    #[error("rule `{id}`: `regex` is not a regular expression: {reason}")]
    BadRegex {
        /// Which rule.
        index: usize,
        /// Its id.
        id: String,
        /// What the compiler says.
        reason: String,
    },
    /// The kind is not one that an answer can have.
    #[error("rule `{id}`: `kind` cannot be `{kind}`; a rule reads errors")]
    BadKind {
        /// Which rule.
        index: usize,
        /// Its id.
        id: String,
        /// As written.
        kind: Kind,
    },
}

impl RuleError {
    /// The position of the faulty rule in the settings, from 0.
    pub const fn index(&self) -> usize {
        match self {
            Self::BadId { index, .. }
            | Self::DuplicateId { index, .. }
            | Self::NoEvidence { index, .. }
            | Self::BadValue { index, .. }
            | Self::BadRegex { index, .. }
            | Self::BadKind { index, .. } => *index,
        }
    }
}

/// A user rule made ready.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) rule: UserRule,
    pub(super) regex: Option<Regex>,
}

/// An expression may take this much memory, so that a settings file cannot exhaust it.
const REGEX_LIMIT: usize = 1 << 20;

/// Checks the rules and makes them ready.
pub(super) fn compile(rules: Vec<UserRule>) -> Result<Vec<Compiled>, RuleError> {
    let mut compiled: Vec<Compiled> = Vec::with_capacity(rules.len());
    for (index, mut rule) in rules.into_iter().enumerate() {
        check(index, &rule)?;
        if compiled.iter().any(|other| other.rule.id == rule.id) {
            return Err(RuleError::DuplicateId { index, id: rule.id });
        }
        for word in &mut rule.text {
            *word = word.to_lowercase();
        }
        let regex =
            match &rule.regex {
                None => None,
                Some(pattern) => {
                    Some(RegexBuilder::new(pattern).case_insensitive(true).size_limit(REGEX_LIMIT).build().map_err(
                        |error| RuleError::BadRegex { index, id: rule.id.clone(), reason: error.to_string() },
                    )?)
                }
            };
        compiled.push(Compiled { rule, regex });
    }
    Ok(compiled)
}

fn check(index: usize, rule: &UserRule) -> Result<(), RuleError> {
    let id = || rule.id.clone();
    let is_kebab = !rule.id.is_empty()
        && rule.id.len() <= 64
        && !rule.id.starts_with('-')
        && !rule.id.ends_with('-')
        && rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_kebab {
        return Err(RuleError::BadId { index, id: id() });
    }
    if matches!(rule.kind, Kind::Skipped) {
        return Err(RuleError::BadKind { index, id: id(), kind: rule.kind });
    }
    let has_evidence = !rule.status.is_empty()
        || !rule.code.is_empty()
        || !rule.types.is_empty()
        || !rule.text.is_empty()
        || rule.regex.is_some();
    if !has_evidence {
        return Err(RuleError::NoEvidence { index, id: id() });
    }
    if let Some(status) = rule.status.iter().find(|status| !(100..=599).contains(*status)) {
        return Err(RuleError::BadValue { index, id: id(), field: "status", value: status.to_string() });
    }
    for (field, words) in [("code", &rule.code), ("type", &rule.types), ("text", &rule.text)] {
        if let Some(word) = words.iter().find(|word| word.trim().is_empty()) {
            return Err(RuleError::BadValue { index, id: id(), field, value: word.clone() });
        }
    }
    Ok(())
}

/// What user rules are held against.
pub(super) struct Subject<'a> {
    pub(super) provider: Option<&'a str>,
    pub(super) dialect: Dialect,
    /// The HTTP status, and the one inside the error.
    pub(super) statuses: [Option<u16>; 2],
    /// Folded codes and types.
    pub(super) names: &'a [&'a str],
    /// Texts as written.
    pub(super) texts: [&'a str; 2],
    /// The same in lower case.
    pub(super) lower: [&'a str; 2],
}

impl Compiled {
    /// Whether all of the rule's evidence holds.
    pub(super) fn matches(&self, subject: &Subject<'_>) -> bool {
        let rule = &self.rule;
        let is_named =
            |list: &[String]| list.is_empty() || list.iter().any(|name| subject.names.contains(&fold(name).as_str()));
        rule.provider.as_deref().is_none_or(|id| subject.provider == Some(id))
            && rule.dialect.is_none_or(|dialect| dialect == subject.dialect)
            && (rule.status.is_empty() || subject.statuses.iter().flatten().any(|status| rule.status.contains(status)))
            && is_named(&rule.code)
            && is_named(&rule.types)
            && (rule.text.is_empty()
                || rule.text.iter().any(|word| subject.lower.iter().any(|text| text.contains(word))))
            && self.regex.as_ref().is_none_or(|regex| subject.texts.iter().any(|text| regex.is_match(text)))
    }
}
