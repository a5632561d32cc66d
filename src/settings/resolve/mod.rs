//! From the parsed file to [`Settings`]: one file a table.

mod chains;
mod elsewhere;
mod key;
mod misc;
pub(super) mod providers;
mod rules;
mod schedule;
mod switch;
pub(super) mod targets;
mod tool_probe;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml_edit::TableLike;

use super::Settings;
use super::finding::{Noun, Problem};
use super::reader::{Reader, Section, Spot};
use crate::core::secretive::masked;

/// The tables of the file.
const TOP: &[&str] = &[
    "provider",
    "target",
    "chain",
    "schedule",
    "rule",
    "notices",
    "metrics",
    "switch",
    "projects",
    "tool_probe",
    "context",
    "background",
    "ui",
    "data",
];

/// Reads everything; what is wrong is noted in `reader`, and its place is taken by a default.
pub(super) fn settings<'a>(reader: &mut Reader<'a>, root: Spot<&'a dyn TableLike>, folder: &Path) -> Settings {
    let root = reader.section("", root, TOP);
    let providers = providers::read(reader, &root, folder);
    let is_remote = providers.iter().any(|read| read.resolved.as_ref().is_some_and(|provider| !provider.is_local));
    let schedule = schedule::read(reader, &root, is_remote);
    let targets = targets::read(reader, &root, &providers, schedule.target_cap);
    let laid_out = chains::lay_out(reader, &root, targets);
    let rules = rules::read(reader, &root, &providers);
    Settings {
        providers: providers.into_iter().filter_map(|provider| provider.resolved).collect(),
        switch_rules: switch::read(reader, &root, &laid_out.chains),
        targets: laid_out.targets,
        chains: laid_out.chains,
        prices: laid_out.prices,
        schedule,
        rules,
        tool_probes: tool_probe::read(reader, &root),
        projects: switch::projects(reader, &root),
        notices: misc::notices(reader, &root),
        context: misc::context(reader, &root),
        metrics: misc::metrics(reader, &root),
        background: misc::background(reader, &root),
        ui: misc::ui(reader, &root),
        data: misc::data(reader, &root),
        warnings: Vec::new(),
    }
}

/// Ids of one kind of thing: refuses the second of two equal ones.
struct Ids {
    noun: Noun,
    seen: BTreeMap<String, usize>,
}

impl Ids {
    const fn new(noun: Noun) -> Self {
        Self { noun, seen: BTreeMap::new() }
    }

    /// Reads an id; the thing keeps it even when it is used twice, so that no further mistakes are made up.
    fn read<'a>(&mut self, reader: &mut Reader<'a>, section: &Section<'a>, key: &'static str) -> Option<Spot<&'a str>> {
        let id = reader.required(section, key)?;
        if id.value.contains(char::is_control) {
            reader.report(id.span.clone(), Problem::Control { key: key.to_owned() });
        }
        self.add(reader, id.value, id.span.clone());
        Some(id)
    }

    fn add(&mut self, reader: &mut Reader<'_>, id: &str, span: Range<usize>) {
        let line = reader.line(&span);
        match self.seen.get(id) {
            Some(&first_line) => {
                reader.report(span, Problem::Duplicate { noun: self.noun, id: masked(id), first_line });
            }
            None => drop(self.seen.insert(id.to_owned(), line)),
        }
    }
}
