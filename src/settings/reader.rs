//! Walks a parsed TOML file by name and type, and notes every mistake with its place.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use toml_edit::{Item, TableLike, Value};

use super::finding::{Finding, Known, Noun, Problem, Shape};
use super::source::SourceText;
use crate::core::secretive::masked;

/// A value with the place it came from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spot<T> {
    pub value: T,
    pub span: Range<usize>,
}

/// One table of the file with its name as the user knows it.
#[derive(Clone)]
pub(super) struct Section<'a> {
    pub place: &'static str,
    pub table: &'a dyn TableLike,
    pub span: Range<usize>,
}

/// Unknown keys of one table that are told: a file of another program may have hundreds of thousands.
const MOST_UNKNOWN: usize = 100;

/// Collects findings while the file is read.
pub(super) struct Reader<'a> {
    path: &'a Path,
    source: &'a SourceText,
    findings: Vec<Finding>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(path: &'a Path, source: &'a SourceText) -> Self {
        Self { path, source, findings: Vec::new() }
    }

    /// The findings in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| (finding.line, finding.column));
        self.findings
    }

    pub(super) fn report(&mut self, span: Range<usize>, problem: Problem) {
        let excerpt = match problem {
            Problem::KeyLiteral | Problem::WebhookAddress => "…".to_owned(),
            _ => masked(&self.source.excerpt(span.clone())),
        };
        let (line, column) = self.source.position(span.start);
        self.findings.push(Finding { path: self.path.to_path_buf(), line, column, excerpt, problem });
    }

    /// How many findings there are.
    pub(super) const fn count(&self) -> usize {
        self.findings.len()
    }

    /// The line on which a span begins.
    pub(super) fn line(&self, span: &Range<usize>) -> usize {
        self.source.position(span.start).0
    }

    /// Opens a table and reports the keys that are not in `known`, as many as a person reads.
    pub(super) fn section(
        &mut self,
        place: &'static str,
        item: Spot<&'a dyn TableLike>,
        known: &[&'static str],
    ) -> Section<'a> {
        for (key, _) in item.value.iter().filter(|(key, _)| !known.contains(key)).take(MOST_UNKNOWN) {
            let span = item.value.get_key_value(key).and_then(|(key, _)| key.span()).unwrap_or(item.span.clone());
            let known = Known::of(key, known.iter().copied());
            self.report(span, Problem::UnknownKey { key: masked(key), place: place.to_owned(), known });
        }
        Section { place, table: item.value, span: item.span }
    }

    /// The tables written `[[key]]`, or an array of inline tables.
    pub(super) fn tables(&mut self, root: &Section<'a>, key: &'static str) -> Vec<Spot<&'a dyn TableLike>> {
        let Some((item, span)) = find(root, key) else { return Vec::new() };
        match item {
            Item::ArrayOfTables(tables) => tables
                .iter()
                .map(|table| Spot {
                    value: table as &'a dyn TableLike,
                    span: table.span().unwrap_or_else(|| span.clone()),
                })
                .collect(),
            Item::Value(Value::Array(array)) if array.iter().all(Value::is_inline_table) => array
                .iter()
                .filter_map(|value| {
                    let table = value.as_inline_table()?;
                    let span = table.span().unwrap_or_else(|| span.clone());
                    Some(Spot { value: table as &'a dyn TableLike, span })
                })
                .collect(),
            _ => {
                self.wrong(key, Shape::Tables, span);
                Vec::new()
            }
        }
    }

    /// A table under a key.
    pub(super) fn table(&mut self, section: &Section<'a>, key: &'static str) -> Option<Spot<&'a dyn TableLike>> {
        let (item, span) = find(section, key)?;
        match item.as_table_like() {
            Some(value) => Some(Spot { value, span }),
            None => {
                self.wrong(key, Shape::Table, span);
                None
            }
        }
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, section: &Section<'a>, key: &'static str) -> Option<Spot<&'a str>> {
        let (item, span) = find(section, key)?;
        match item.as_str() {
            Some(value) if value.trim().is_empty() => {
                self.report(span, Problem::Empty { key: key.to_owned() });
                None
            }
            Some(value) => Some(Spot { value, span }),
            None => {
                self.wrong(key, Shape::Text, span);
                None
            }
        }
    }

    /// A text that must be there.
    pub(super) fn required(&mut self, section: &Section<'a>, key: &'static str) -> Option<Spot<&'a str>> {
        if section.table.get(key).is_none() {
            self.missing(section, key);
        }
        self.text(section, key)
    }

    pub(super) fn missing(&mut self, section: &Section<'a>, key: &'static str) {
        self.report(section.span.clone(), Problem::MissingKey { key, place: section.place.to_owned() });
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        section: &Section<'a>,
        key: &'static str,
        noun: Noun,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let word = self.text(section, key)?;
        let found = choices.iter().find(|(name, _)| *name == word.value).map(|(_, value)| *value);
        if found.is_none() {
            let known = Known::of(word.value, choices.iter().map(|(name, _)| *name));
            self.report(word.span, Problem::UnknownName { noun, name: masked(word.value), known });
        }
        found
    }

    /// `true` or `false`.
    pub(super) fn switch(&mut self, section: &Section<'a>, key: &'static str) -> Option<bool> {
        let (item, span) = find(section, key)?;
        let value = item.as_bool();
        if value.is_none() {
            self.wrong(key, Shape::Switch, span);
        }
        value
    }

    /// A whole number within bounds.
    pub(super) fn number(&mut self, section: &Section<'a>, key: &'static str, bounds: Range<i64>) -> Option<Spot<i64>> {
        let (item, span) = find(section, key)?;
        let Some(value) = item.as_integer() else {
            self.wrong(key, Shape::Number, span);
            return None;
        };
        if !bounds.contains(&value) {
            let (least, most) = (bounds.start.to_string(), (bounds.end - 1).to_string());
            self.report(span, Problem::OutOfRange { key: key.to_owned(), value: value.to_string(), least, most });
            return None;
        }
        Some(Spot { value, span })
    }

    /// A number within bounds, both included.
    pub(super) fn decimal(&mut self, section: &Section<'a>, key: &'static str, least: f64, most: f64) -> Option<f64> {
        let (item, span) = find(section, key)?;
        #[expect(clippy::cast_precision_loss, reason = "the bounds are far below the loss")]
        let Some(value) = item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64)) else {
            self.wrong(key, Shape::Decimal, span);
            return None;
        };
        if !(least..=most).contains(&value) {
            let (least, most) = (least.to_string(), most.to_string());
            self.report(span, Problem::OutOfRange { key: key.to_owned(), value: value.to_string(), least, most });
            return None;
        }
        Some(value)
    }

    /// A length of time within bounds, both included.
    pub(super) fn duration(
        &mut self,
        section: &Section<'a>,
        key: &'static str,
        least: Duration,
        most: Duration,
    ) -> Option<Spot<Duration>> {
        let (item, span) = find(section, key)?;
        let Some(text) = item.as_str() else {
            self.wrong(key, Shape::Duration, span);
            return None;
        };
        let Some(value) = super::duration::parse(text) else {
            self.report(span, Problem::BadDuration { text: masked(text) });
            return None;
        };
        if !(least..=most).contains(&value) {
            let (least, most) = (super::duration::text(least), super::duration::text(most));
            self.report(span, Problem::OutOfRange { key: key.to_owned(), value: text.to_owned(), least, most });
            return None;
        }
        Some(Spot { value, span })
    }

    /// A list of texts, none of them empty.
    pub(super) fn texts(&mut self, section: &Section<'a>, key: &'static str) -> Option<Spot<Vec<Spot<&'a str>>>> {
        let (item, span) = find(section, key)?;
        let Some(array) = item.as_array() else {
            self.wrong(key, Shape::Texts, span);
            return None;
        };
        let mut texts = Vec::new();
        for value in array {
            let at = value.span().unwrap_or_else(|| span.clone());
            match value.as_str() {
                Some(text) if !text.trim().is_empty() => texts.push(Spot { value: text, span: at }),
                Some(_) => self.report(at, Problem::Empty { key: key.to_owned() }),
                None => self.wrong(key, Shape::Texts, at),
            }
        }
        Some(Spot { value: texts, span })
    }

    pub(super) fn wrong(&mut self, key: &str, expected: Shape, span: Range<usize>) {
        self.report(span, Problem::WrongType { key: masked(key), expected });
    }
}

/// An item of a section and its place: the value's, else the key's, else the table's.
pub(super) fn find<'a>(section: &Section<'a>, key: &str) -> Option<(&'a Item, Range<usize>)> {
    let (name, item) = section.table.get_key_value(key)?;
    let span = item.span().or_else(|| name.span()).unwrap_or_else(|| section.span.clone());
    Some((item, span))
}
