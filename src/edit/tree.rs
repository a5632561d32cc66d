//! What a file says, with where it says it.

use std::fmt;
use std::ops::Range;

use super::Value;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes: numbers, words, YAML's plain texts.
    Plain,
    /// In double quotes.
    Double,
    /// In single quotes.
    Single,
    /// In backquotes (`.env` files).
    Back,
    /// In three double quotes.
    MultiDouble,
    /// In three single quotes.
    MultiSingle,
    /// A YAML text of several lines, `|` or `>`.
    BlockText,
    /// In brackets or braces.
    Flow,
    /// Over lines: a YAML block, a TOML table with a header of its own; the root.
    Block,
    /// A TOML table that is there because a header or key below it names it.
    Implicit,
    /// A TOML table made by dotted keys.
    Dotted,
    /// A YAML alias: what it stands for is written elsewhere.
    Alias,
    /// Nothing is written: a YAML key without a value.
    Absent,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq)]
pub enum Kind {
    /// `null`, or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A date or time (TOML), as it is written.
    Date(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in the file's order, repeated keys included.
    Table(Vec<Entry>),
}

/// A value and where it stands.
#[derive(Clone, PartialEq, Eq)]
pub struct Node {
    /// Its bytes in the original file, quotes and brackets included. Of a TOML table with a header: the header. Of a table
    /// that is nowhere written: empty.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// How it is written.
    pub style: Style,
    /// YAML: an anchor, or a tag, stands before it.
    pub(super) mark: Mark,
}

/// What stands before a YAML value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    Anchor,
    Tag,
}

/// A key with its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key, read.
    pub key: String,
    /// The key's bytes in the original file, quotes included; of a dotted key, this part alone.
    pub key_span: Range<usize>,
    /// Its value.
    pub value: Node,
    /// YAML: a key that is no plain text, or a merge key.
    pub(super) is_odd: bool,
}

impl fmt::Debug for Kind {
    /// Without the content: it may be a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(_) => f.write_str("Bool"),
            Self::Number(_) => f.write_str("Number"),
            Self::Date(_) => f.write_str("Date"),
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::List(items) => write!(f, "List({})", items.len()),
            Self::Table(entries) => write!(f, "Table({})", entries.len()),
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} at {:?}", self.style, self.kind, self.span)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {:?}", self.key, self.value)
    }
}

impl Node {
    pub(super) fn new(span: Range<usize>, kind: Kind, style: Style) -> Self {
        Self { span, kind, style, mark: Mark::None }
    }

    /// Ranges of all values that are written in one piece and of all keys, tables and lists left out.
    pub(super) fn cover(&self, out: &mut Vec<Range<usize>>) {
        for item in self.items() {
            item.cover(out);
        }
        for entry in self.entries() {
            out.push(entry.key_span.clone());
            entry.value.cover(out);
        }
        if !matches!(self.kind, Kind::List(_) | Kind::Table(_)) && !self.span.is_empty() {
            out.push(self.span.clone());
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Kind::Bool(value) = self.kind { Some(value) } else { None }
    }

    /// The elements of a list; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// The keys of a table with their values; none for anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        if let Kind::Table(entries) = &self.kind { entries } else { &[] }
    }

    /// Whether it is a table.
    #[must_use]
    pub const fn is_table(&self) -> bool {
        matches!(self.kind, Kind::Table(_))
    }

    /// The value of a key, of a repeated one the last, or the element at an index.
    #[must_use]
    pub fn child(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::List(items) => items.get(index(key)?),
            Kind::Table(_) => match self.entry(key) {
                Some(entry) => Some(&entry.value),
                None => self.merged(key),
            },
            _ => None,
        }
    }

    /// The entry that counts for a key: the last.
    pub(super) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| entry.key == key && !entry.is_odd)
    }

    /// Whether a YAML merge key stands in this table.
    pub(super) fn merge_key(&self) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.is_odd && entry.key == "<<")
    }

    fn merged(&self, key: &str) -> Option<&Self> {
        let value = &self.merge_key()?.value;
        match &value.kind {
            Kind::Table(_) => value.child(key),
            Kind::List(items) => items.iter().filter(|item| item.is_table()).find_map(|item| item.child(key)),
            _ => None,
        }
    }

    /// Whether it is this value.
    pub(super) fn is(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (Kind::Text(own), Value::Text(text)) => own == text,
            (Kind::Bool(own), Value::Bool(value)) => own == value,
            (Kind::Number(own), Value::Integer(value)) => *own == value.to_string(),
            (Kind::Number(own), Value::Float(value)) => own.parse() == Ok(*value),
            (Kind::List(own), Value::List(values)) => {
                own.len() == values.len() && own.iter().zip(values).all(|(own, value)| own.is(value))
            }
            (Kind::Table(own), Value::Table(values)) => {
                own.len() == values.len()
                    && values.iter().all(|(key, value)| self.child(key).is_some_and(|node| node.is(value)))
            }
            _ => false,
        }
    }

    pub(super) fn duplicates<'a>(&'a self, path: &mut Vec<&'a str>, out: &mut Vec<String>) {
        if self.style == Style::Alias {
            return;
        }
        for item in self.items() {
            item.duplicates(path, out);
        }
        let mut seen = std::collections::HashSet::new();
        for entry in self.entries() {
            path.push(&entry.key);
            let name = path.join(".");
            if !seen.insert(&entry.key) && !entry.is_odd && !out.contains(&name) {
                out.push(name);
            }
            entry.value.duplicates(path, out);
            path.pop();
        }
    }

    /// Whether two trees say the same but for what counts at this path. The spans, and how it is written, may differ.
    pub(super) fn same_without(&self, other: &Self, path: &[&str], is_ordered: bool) -> bool {
        let Some((key, rest)) = path.split_first() else { return true };
        match (&self.kind, &other.kind) {
            (Kind::List(own), Kind::List(others)) => {
                let at = index(key);
                own.len() == others.len()
                    && own.iter().zip(others).enumerate().all(|(number, (own, other))| {
                        if Some(number) == at {
                            own.same_without(other, rest, is_ordered)
                        } else {
                            own.same(other, is_ordered)
                        }
                    })
            }
            (Kind::Table(_), Kind::Table(_)) => {
                let (own, own_rest) = self.split(key);
                let (others, other_rest) = other.split(key);
                let is_rest_same = same_entries(&own_rest, &other_rest, is_ordered);
                is_rest_same
                    && match (own, others) {
                        (Some(own), Some(other)) if !rest.is_empty() => own.same_without(other, rest, is_ordered),
                        _ => rest.is_empty(),
                    }
            }
            // A file without any key yet.
            (Kind::Null, Kind::Table(entries)) => rest.is_empty() && entries.len() == 1 && entries[0].key == *key,
            // A value that is no table has become one.
            _ => false,
        }
    }

    /// The entry that counts for a key, and all others.
    fn split(&self, key: &str) -> (Option<&Self>, Vec<&Entry>) {
        let at = self.entries().iter().rposition(|entry| entry.key == key && !entry.is_odd);
        let rest = self.entries().iter().enumerate().filter(|(number, _)| Some(*number) != at);
        (at.map(|at| &self.entries()[at].value), rest.map(|(_, entry)| entry).collect())
    }

    /// Whether two trees say the same.
    pub(super) fn same(&self, other: &Self, is_ordered: bool) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::List(own), Kind::List(others)) => {
                own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.same(other, is_ordered))
            }
            (Kind::Table(own), Kind::Table(others)) => {
                same_entries(&own.iter().collect::<Vec<_>>(), &others.iter().collect::<Vec<_>>(), is_ordered)
            }
            (own, other) => own == other,
        }
    }
}

fn same_entries(own: &[&Entry], others: &[&Entry], is_ordered: bool) -> bool {
    let (mut own, mut others) = (own.to_vec(), others.to_vec());
    if !is_ordered {
        own.sort_by(|a, b| a.key.cmp(&b.key));
        others.sort_by(|a, b| a.key.cmp(&b.key));
    }
    own.len() == others.len()
        && own.iter().zip(&others).all(|(own, other)| own.key == other.key && own.value.same(&other.value, is_ordered))
}

/// A step of a path as an index.
pub(super) fn index(key: &str) -> Option<usize> {
    if key.bytes().all(|byte| byte.is_ascii_digit()) { key.parse().ok() } else { None }
}
