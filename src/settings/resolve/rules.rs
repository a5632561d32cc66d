//! `[[rule]]`: the user's own rules for reading errors.

use serde::Deserialize as _;
use toml_edit::Value;

use super::{Ids, providers};
use crate::core::classify::{RuleError, RuleSet, UserRule};
use crate::core::outcome::{Kind, Scope};
use crate::core::secretive::masked;
use crate::core::target::Dialect;
use crate::settings::finding::{Known, Noun, Problem, Shape};
use crate::settings::reader::{Reader, Section, find};

const KEYS: &[&str] = &["id", "kind", "scope", "provider", "dialect", "status", "code", "type", "text", "regex"];
const LISTS: &[(&str, Shape)] =
    &[("status", Shape::Numbers), ("code", Shape::Texts), ("type", Shape::Texts), ("text", Shape::Texts)];

pub(super) fn read<'a>(reader: &mut Reader<'a>, root: &Section<'a>, providers: &[providers::Read]) -> Vec<UserRule> {
    let mut ids = Ids::new(Noun::Rule);
    let mut rules = Vec::new();
    for table in reader.tables(root, "rule") {
        let section = reader.section("[[rule]]", table, KEYS);
        let Some(rule) = one(reader, &section, &mut ids, providers) else { continue };
        // The classifier has the last word on each rule.
        match RuleSet::with_user(vec![rule.clone()]) {
            Ok(_) => rules.push(rule),
            Err(error) => refuse(reader, &section, error),
        }
    }
    rules
}

/// Reports at the key that the classifier means.
fn refuse<'a>(reader: &mut Reader<'a>, section: &Section<'a>, error: RuleError) {
    let (key, problem) = match error {
        RuleError::BadId { id, .. } | RuleError::DuplicateId { id, .. } => ("id", Problem::RuleId { id: masked(&id) }),
        RuleError::NoEvidence { id, .. } => ("", Problem::RuleEvidence { id: masked(&id) }),
        RuleError::BadValue { field, value, .. } => (field, Problem::RuleValue { key: field, value: masked(&value) }),
        RuleError::BadRegex { reason, .. } => {
            // The compiler draws the place over several lines; its last line says what is wrong.
            let last = reason.lines().last().unwrap_or_default();
            ("regex", Problem::RuleRegex { reason: masked(last.trim_start_matches("error: ")) })
        }
        RuleError::BadKind { kind, .. } => ("kind", Problem::RuleKind { kind: kind.name() }),
    };
    let span = find(section, key).map_or(section.span.clone(), |(_, span)| span);
    reader.report(span, problem);
}

fn one<'a>(
    reader: &mut Reader<'a>,
    section: &Section<'a>,
    ids: &mut Ids,
    providers: &[providers::Read],
) -> Option<UserRule> {
    let before = reader.count();
    ids.read(reader, section, "id");
    if section.table.contains_key("kind") {
        let kinds: Vec<(&str, Kind)> = Kind::ALL.into_iter().map(|kind| (kind.name(), kind)).collect();
        reader.choice(section, "kind", Noun::Value, &kinds);
    } else {
        reader.missing(section, "kind");
    }
    let scopes: Vec<(&str, Scope)> = Scope::ALL.into_iter().map(|scope| (scope.name(), scope)).collect();
    reader.choice(section, "scope", Noun::Value, &scopes);
    let dialects: Vec<(&str, Dialect)> = Dialect::PROBED.into_iter().map(|dialect| (dialect.name(), dialect)).collect();
    reader.choice(section, "dialect", Noun::Dialect, &dialects);
    if let Some(name) = reader.text(section, "provider")
        && !providers.iter().any(|known| known.id == name.value)
    {
        let known = Known::of(name.value, providers.iter().map(|known| known.id.as_str()));
        reader.report(name.span, Problem::UnknownName { noun: Noun::Provider, name: masked(name.value), known });
    }
    reader.text(section, "regex");
    for (key, shape) in LISTS {
        let Some((item, span)) = find(section, key) else { continue };
        let fits = |value: &Value| match shape {
            Shape::Numbers => value.as_integer().is_some_and(|number| u16::try_from(number).is_ok()),
            _ => value.is_str(),
        };
        if !item.as_value().is_some_and(|value| fits(value) || value.as_array().is_some_and(|all| all.iter().all(fits)))
        {
            reader.wrong(key, *shape, span);
        }
    }
    if reader.count() > before {
        return None;
    }
    // Everything that serde could object to has been reported above with its place.
    let table: toml_edit::Table = section.table.iter().map(|(key, item)| (key.to_owned(), item.clone())).collect();
    let deserializer = toml_edit::de::Deserializer::from(toml_edit::DocumentMut::from(table));
    UserRule::deserialize(deserializer).ok()
}
