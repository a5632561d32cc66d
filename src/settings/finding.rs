//! What is wrong in a settings file: where, what, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::args;
use crate::format;
use crate::i18n::Tr;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file works; the user should know of it.
    Warning,
    /// The file cannot be used.
    Error,
}

/// One mistake, or one thing to know, in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file.
    pub path: PathBuf,
    /// Line from 1; 0 when the whole file is meant.
    pub line: usize,
    /// Column in characters from 1; 0 when the whole file is meant.
    pub column: usize,
    /// The text at that place, on one line; never a key.
    pub excerpt: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What kind of thing an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// `[[provider]]`
    Provider,
    /// `[[target]]`
    Target,
    /// `[[chain]]`
    Chain,
    /// `[[rule]]`
    Rule,
    /// A provider's preset.
    Preset,
    /// A coding tool.
    Tool,
    /// A dialect.
    Dialect,
    /// Any other value from a list.
    Value,
}

impl Noun {
    const fn id(self) -> &'static str {
        match self {
            Self::Provider => "settings-noun-provider",
            Self::Target => "settings-noun-target",
            Self::Chain => "settings-noun-chain",
            Self::Rule => "settings-noun-rule",
            Self::Preset => "settings-noun-preset",
            Self::Tool => "settings-noun-tool",
            Self::Dialect => "settings-noun-dialect",
            Self::Value => "settings-noun-value",
        }
    }
}

/// What a key's value should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text,
    /// A whole number.
    Number,
    /// A number, whole or not.
    Decimal,
    /// `true` or `false`.
    Switch,
    /// A list of texts.
    Texts,
    /// A list of whole numbers.
    Numbers,
    /// A table.
    Table,
    /// A table written `[[name]]`.
    Tables,
    /// A length of time as in `"10m"`.
    Duration,
    /// A key reference.
    Key,
    /// A daily limit.
    Cap,
}

impl Shape {
    const fn id(self) -> &'static str {
        match self {
            Self::Text => "settings-shape-text",
            Self::Number => "settings-shape-number",
            Self::Decimal => "settings-shape-decimal",
            Self::Switch => "settings-shape-switch",
            Self::Texts => "settings-shape-texts",
            Self::Numbers => "settings-shape-numbers",
            Self::Table => "settings-shape-table",
            Self::Tables => "settings-shape-tables",
            Self::Duration => "settings-shape-duration",
            Self::Key => "settings-shape-key",
            Self::Cap => "settings-shape-cap",
        }
    }
}

/// Every case of a [`Finding`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no such file.
    Missing,
    /// The file cannot be read.
    Unreadable {
        /// The system's words.
        reason: String,
    },
    /// A folder, pipe or device: reading one may never end.
    NotAFile,
    /// Far bigger than any settings file.
    TooLarge {
        /// The most that is read, in MiB.
        most_mib: u64,
    },
    /// A control character, which would garble every list and terminal that the name is shown in.
    Control {
        /// The key.
        key: String,
    },
    /// Not TOML.
    Syntax {
        /// The parser's words.
        detail: String,
    },
    /// A key or table that means nothing.
    UnknownKey {
        /// As written.
        key: String,
        /// The table it stands in, as in `[[provider]]`; empty at the top.
        place: String,
        /// The closest known key, or every known one when none is close.
        known: Known,
    },
    /// A key that must be there.
    MissingKey {
        /// The key.
        key: &'static str,
        /// Where.
        place: String,
    },
    /// A value of another type.
    WrongType {
        /// The key.
        key: String,
        /// What it should be.
        expected: Shape,
    },
    /// An empty text or list where that means nothing.
    Empty {
        /// The key.
        key: String,
    },
    /// A name from nowhere.
    UnknownName {
        /// What it should name.
        noun: Noun,
        /// As written.
        name: String,
        /// The closest known name, or every known one when none is close.
        known: Known,
    },
    /// An id used twice.
    Duplicate {
        /// Of what.
        noun: Noun,
        /// The id.
        id: String,
        /// Where it stands first.
        first_line: usize,
    },
    /// A provider's id that stands for a tool's subscription: their records would mix.
    Reserved {
        /// The id.
        id: String,
    },
    /// A target named twice in one chain.
    TwiceInChain {
        /// The chain.
        chain: String,
        /// The target.
        target: String,
    },
    /// Two primary targets in one chain.
    TwoPrimaries {
        /// The chain; empty when the file has none.
        chain: String,
        /// The first of them.
        first: String,
        /// The second.
        second: String,
    },
    /// Not an address that can be asked.
    BadUrl {
        /// As written.
        url: String,
    },
    /// A key would travel unencrypted to another machine.
    PlainHttp {
        /// The other machine.
        host: String,
    },
    /// A key in the file itself.
    KeyLiteral,
    /// A key reference that names nothing, or two places at once.
    KeyForm,
    /// An address that is a secret, or no address, in the place of a webhook's.
    WebhookAddress,
    /// Not a name of an environment variable.
    BadVariable {
        /// As written.
        name: String,
    },
    /// Not a header's name.
    BadHeader {
        /// As written.
        name: String,
    },
    /// Not a length of time.
    BadDuration {
        /// As written.
        text: String,
    },
    /// Out of bounds.
    OutOfRange {
        /// The key.
        key: String,
        /// As written.
        value: String,
        /// The least, in words.
        least: String,
        /// The most, in words.
        most: String,
    },
    /// A limit of nothing.
    ZeroCap,
    /// Neither of two values that belong in this order.
    Disorder {
        /// The key that must not be above.
        low: &'static str,
        /// The key that must not be below.
        high: &'static str,
    },
    /// Not an address to listen on.
    BadListen {
        /// As written.
        address: String,
    },
    /// Not two times of day.
    BadHours {
        /// As written.
        hours: String,
    },
    /// Not a time zone.
    BadZone {
        /// As written.
        zone: String,
    },
    /// A rule's id has other characters than it may.
    RuleId {
        /// As written.
        id: String,
    },
    /// A rule without any evidence: it would match everything.
    RuleEvidence {
        /// Its id.
        id: String,
    },
    /// A rule's value that can never match.
    RuleValue {
        /// The key.
        key: &'static str,
        /// As written.
        value: String,
    },
    /// A rule's expression that does not compile.
    RuleRegex {
        /// The compiler's words, on one line.
        reason: String,
    },
    /// A rule's kind that no answer can have.
    RuleKind {
        /// As written.
        kind: &'static str,
    },
    /// A tool that keeps several keys, and none of them named.
    KeyEntry {
        /// The tool.
        tool: String,
    },
    /// Asked so often that a provider would mind.
    Hurried {
        /// As written.
        every: String,
    },
    /// A hold so short that a tool may come and go.
    ShortHold {
        /// As written.
        hold: String,
    },
    /// A tool that is to go along the chain of another one.
    OthersChain {
        /// The chain.
        chain: String,
        /// The tool that is to use it.
        tool: &'static str,
        /// The tool that it is for.
        owner: String,
    },
    /// A key that does nothing without another one.
    Idle {
        /// The key.
        key: &'static str,
        /// What it needs.
        needs: &'static str,
    },
}

/// What could have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// This, very likely.
    Nearest(String),
    /// One of these.
    Any(Vec<String>),
}

impl Known {
    /// The nearest of `all`, or all of them.
    pub fn of<'a>(word: &str, all: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        // Comparing every word with every other would take minutes for a file of thousands of names.
        let few: Vec<_> = all.clone().into_iter().take(Self::COMPARED).collect();
        match super::nearest::nearest(word, few) {
            Some(near) => Self::Nearest(near.to_owned()),
            None => Self::Any(all.into_iter().take(Self::LISTED + 1).map(str::to_owned).collect()),
        }
    }

    fn hint(&self, tr: &Tr) -> Option<String> {
        match self {
            Self::Nearest(name) => Some(tr.with("settings-hint-nearest", &args!("name" => name.as_str()))),
            Self::Any(names) if names.is_empty() => None,
            Self::Any(names) => {
                let mut list = names.iter().take(Self::LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>();
                if names.len() > Self::LISTED {
                    list.push("…".to_owned());
                }
                Some(tr.with("settings-hint-known", &args!("names" => format::list(&list, tr))))
            }
        }
    }

    /// A longer list helps nobody.
    const LISTED: usize = 24;

    /// As many names are looked through for a likely slip.
    const COMPARED: usize = 200;
}

impl Finding {
    /// Whether the file can be used in spite of it.
    pub const fn severity(&self) -> Severity {
        match self.problem {
            Problem::PlainHttp { .. }
            | Problem::Hurried { .. }
            | Problem::Reserved { .. }
            | Problem::ShortHold { .. }
            | Problem::OthersChain { .. }
            | Problem::Idle { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// What is wrong, in one sentence.
    pub fn message(&self, tr: &Tr) -> String {
        let noun = |noun: Noun| tr.text(noun.id());
        match &self.problem {
            Problem::Missing => tr.text("settings-missing"),
            Problem::Unreadable { reason } => tr.with("settings-unreadable", &args!("reason" => reason.as_str())),
            Problem::NotAFile => tr.text("settings-not-a-file"),
            Problem::TooLarge { most_mib } => tr.with("settings-too-large", &args!("most" => most_mib.to_string())),
            Problem::Control { key } => tr.with("settings-control", &args!("key" => key.as_str())),
            Problem::Syntax { detail } => tr.with("settings-syntax", &args!("detail" => detail.as_str())),
            Problem::UnknownKey { key, place, .. } if place.is_empty() => {
                tr.with("settings-unknown-key-top", &args!("key" => key.as_str()))
            }
            Problem::UnknownKey { key, place, .. } => {
                tr.with("settings-unknown-key", &args!("key" => key.as_str(), "place" => place.as_str()))
            }
            Problem::MissingKey { key, place } => {
                tr.with("settings-missing-key", &args!("key" => *key, "place" => place.as_str()))
            }
            Problem::WrongType { key, expected } => {
                tr.with("settings-wrong-type", &args!("key" => key.as_str(), "expected" => tr.text(expected.id())))
            }
            Problem::Empty { key } => tr.with("settings-empty", &args!("key" => key.as_str())),
            Problem::UnknownName { noun: what, name, .. } => {
                tr.with("settings-unknown-name", &args!("noun" => noun(*what), "name" => name.as_str()))
            }
            Problem::Duplicate { noun: what, id, first_line } => tr.with(
                "settings-duplicate",
                &args!("noun" => noun(*what), "id" => id.as_str(), "line" => first_line.to_string()),
            ),
            Problem::Reserved { id } => tr.with("settings-reserved", &args!("id" => id.as_str())),
            Problem::TwiceInChain { chain, target } => {
                tr.with("settings-twice-in-chain", &args!("chain" => chain.as_str(), "target" => target.as_str()))
            }
            Problem::TwoPrimaries { chain, first, second } => {
                let id = if chain.is_empty() { "settings-two-primaries" } else { "settings-two-primaries-in" };
                tr.with(id, &args!("chain" => chain.as_str(), "first" => first.as_str(), "second" => second.as_str()))
            }
            Problem::BadUrl { url } => tr.with("settings-bad-url", &args!("url" => url.as_str())),
            Problem::PlainHttp { host } => tr.with("settings-plain-http", &args!("host" => host.as_str())),
            Problem::KeyLiteral => tr.text("settings-key-literal"),
            Problem::KeyForm => tr.text("settings-key-form"),
            Problem::WebhookAddress => tr.text("settings-webhook-address"),
            Problem::BadVariable { name } => tr.with("settings-bad-variable", &args!("name" => name.as_str())),
            Problem::BadHeader { name } => tr.with("settings-bad-header", &args!("name" => name.as_str())),
            Problem::BadDuration { text } => tr.with("settings-bad-duration", &args!("text" => text.as_str())),
            Problem::OutOfRange { key, value, .. } => {
                tr.with("settings-out-of-range", &args!("key" => key.as_str(), "value" => value.as_str()))
            }
            Problem::ZeroCap => tr.text("settings-zero-cap"),
            Problem::Disorder { low, high } => tr.with("settings-disorder", &args!("low" => *low, "high" => *high)),
            Problem::BadListen { address } => tr.with("settings-bad-listen", &args!("address" => address.as_str())),
            Problem::BadHours { hours } => tr.with("settings-bad-hours", &args!("hours" => hours.as_str())),
            Problem::BadZone { zone } => tr.with("settings-bad-zone", &args!("zone" => zone.as_str())),
            Problem::RuleId { id } => tr.with("settings-rule-id", &args!("id" => id.as_str())),
            Problem::RuleEvidence { id } => tr.with("settings-rule-evidence", &args!("id" => id.as_str())),
            Problem::RuleValue { key, value } => {
                tr.with("settings-rule-value", &args!("key" => *key, "value" => value.as_str()))
            }
            Problem::RuleRegex { reason } => tr.with("settings-rule-regex", &args!("reason" => reason.as_str())),
            Problem::RuleKind { kind } => tr.with("settings-rule-kind", &args!("kind" => *kind)),
            Problem::KeyEntry { tool } => tr.with("settings-key-entry", &args!("tool" => tool.as_str())),
            Problem::Hurried { every } => tr.with("settings-hurried", &args!("every" => every.as_str())),
            Problem::ShortHold { hold } => tr.with("settings-short-hold", &args!("hold" => hold.as_str())),
            Problem::OthersChain { chain, tool, owner } => tr.with(
                "settings-others-chain",
                &args!("chain" => chain.as_str(), "tool" => *tool, "owner" => owner.as_str()),
            ),
            Problem::Idle { key, needs } => tr.with("settings-idle", &args!("key" => *key, "needs" => *needs)),
        }
    }

    /// What to do about it, where there is more to say than the message.
    pub fn hint(&self, tr: &Tr) -> Option<String> {
        let id = match &self.problem {
            Problem::UnknownKey { known, .. } | Problem::UnknownName { known, .. } => return known.hint(tr),
            Problem::OutOfRange { least, most, .. } => {
                let args = args!("least" => least.as_str(), "most" => most.as_str());
                return Some(tr.with("settings-hint-range", &args));
            }
            Problem::Missing => "settings-hint-missing",
            Problem::BadUrl { .. } => "settings-hint-url",
            Problem::PlainHttp { .. } => "settings-hint-plain-http",
            Problem::KeyLiteral => "settings-hint-key-literal",
            Problem::WebhookAddress => "settings-hint-webhook-address",
            Problem::KeyForm | Problem::WrongType { expected: Shape::Key, .. } => "settings-hint-key-form",
            Problem::WrongType { expected: Shape::Cap, .. } => "settings-hint-cap",
            Problem::WrongType { expected: Shape::Duration, .. } | Problem::BadDuration { .. } => {
                "settings-hint-duration"
            }
            Problem::MissingKey { key: "dialect", .. } => "settings-hint-preset",
            Problem::ZeroCap => "settings-hint-zero-cap",
            Problem::Reserved { .. } => "settings-hint-reserved",
            Problem::TwoPrimaries { .. } => "settings-hint-two-primaries",
            Problem::BadListen { .. } => "settings-hint-listen",
            Problem::BadHours { .. } => "settings-hint-hours",
            Problem::BadZone { .. } => "settings-hint-zone",
            Problem::BadVariable { .. } => "settings-hint-variable",
            Problem::RuleId { .. } => "settings-hint-rule-id",
            Problem::RuleEvidence { .. } => "settings-hint-rule-evidence",
            Problem::KeyEntry { .. } => "settings-hint-key-entry",
            Problem::Hurried { .. } => "settings-hint-hurried",
            Problem::ShortHold { .. } => "settings-hint-short-hold",
            Problem::OthersChain { tool, .. } => {
                return Some(tr.with("settings-hint-others-chain", &args!("tool" => *tool)));
            }
            Problem::Idle { .. } => "settings-hint-idle",
            _ => return None,
        };
        Some(tr.text(id))
    }

    /// One line for a terminal: `vacancy.toml:12:8: error: unknown provider "opnai"; did you mean "openai"?`.
    pub fn line_text(&self, tr: &Tr) -> String {
        let severity = tr.text(match self.severity() {
            Severity::Warning => "settings-warning",
            Severity::Error => "settings-error",
        });
        let mut line = format!("{}: {}", Place(self), format::labelled(&severity, &self.message(tr), tr));
        if let Some(hint) = self.hint(tr) {
            line.push_str(&tr.with("settings-then", &args!("hint" => hint)));
        }
        line
    }
}

/// The file's name with line and column.
struct Place<'a>(&'a Finding);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { path, line, column, .. } = self.0;
        let name = path.file_name().map_or(path.as_path(), Path::new);
        match line {
            // Without a place in it, only the whole path helps to find the file.
            0 => write!(f, "{}", path.display()),
            _ => write!(f, "{}:{line}:{column}", name.display()),
        }
    }
}
