//! Whole chains: added, renamed and taken out, also where a tool's rule names them.

use super::{block, tables};
use crate::core::target::TargetId;
use crate::edit::{Change, Document, Node, Splice, Value};
use crate::settings::file::SettingsFile;
use crate::settings::save::WriteError;
use crate::settings::{Chain, blocks};

impl SettingsFile {
    /// Adds a chain behind the others. Before a first one that is for no tool the main chain is written down, as it would
    /// take its place otherwise.
    pub(in crate::settings) fn add_chain(
        &mut self,
        name: &str,
        tool: Option<&str>,
        targets: &[TargetId],
    ) -> Result<(), WriteError> {
        let document = self.document()?;
        let has_main = tables(&document, "chain").iter().any(|table| table.child("tool").is_none());
        if tool.is_none() && !has_main && name != Chain::MAIN {
            let main = self.resolve().map_err(|findings| WriteError::Invalid { findings })?;
            let main = main.main_chain().map(|chain| chain.targets.clone()).unwrap_or_default();
            if !main.is_empty() {
                self.set_order(&main)?;
            }
        }
        let splice = self.append_block(&self.document()?, "chain", &blocks::chain(name, tool, targets))?;
        self.splice(vec![splice])
    }

    /// Takes a chain out; a rule that named it follows the tool's own chain again, or the main one.
    pub(in crate::settings) fn remove_chain(&mut self, name: &str) -> Result<(), WriteError> {
        let splice = self.cut(block(&self.document()?, "chain", "name", name)?.2);
        self.splice(vec![splice])?;
        let document = self.document()?;
        let removals: Vec<Change> =
            rules_along(&document, name).map(|tool| Change::remove(&["switch", tool, "chain"])).collect();
        self.change("switch", &removals)
    }

    /// Gives a chain another name, also where a rule names it.
    pub(in crate::settings) fn rename_chain(&mut self, from: &str, to: &str) -> Result<(), WriteError> {
        let document = self.document()?;
        let (number, ..) = block(&document, "chain", "name", from)?;
        let text = || Value::text(to);
        let mut changes = vec![Change::set(&["chain", &number.to_string(), "name"], text())];
        changes.extend(rules_along(&document, from).map(|tool| Change::set(&["switch", tool, "chain"], text())));
        self.change("chain", &changes)
    }

    /// The items of a list in another order, each with the comment behind it; `None` where they do not stand on lines of their
    /// own, or none has a comment.
    pub(super) fn with_their_comments(&self, list: &Node, order: &[TargetId]) -> Option<Vec<Splice>> {
        let (body, items) = (self.source.body(), list.items());
        let comment = |item: &Node| {
            let (start, end) = (item.span.start, item.span.end);
            let rest = &body[end..self.line_end(end)];
            let rest = rest.trim_end_matches(['\n', '\r']);
            let begin = rest.find(|sign: char| !sign.is_whitespace()).filter(|at| rest[*at..].starts_with(','));
            let range = end + begin.map_or(0, |comma| comma + 1)..end + rest.len();
            let said = body[range.clone()].trim_start();
            let is_alone = body[self.line_start(start)..start].trim().is_empty();
            (is_alone && (said.is_empty() || said.starts_with('#'))).then_some(range)
        };
        let comments = items.iter().map(comment).collect::<Option<Vec<_>>>()?;
        if comments.iter().all(|range| body[range.clone()].trim().is_empty()) {
            return None;
        }
        let place = |id: &TargetId| items.iter().position(|item| item.as_text() == Some(id.as_str()));
        let places = order.iter().map(place).collect::<Option<Vec<_>>>()?;
        let moved = places.into_iter().enumerate().filter(|(to, from)| to != from);
        let both = moved.flat_map(|(to, from)| {
            let ranges = [(&items[to].span, &items[from].span), (&comments[to], &comments[from])];
            ranges.map(|(to, from)| self.placed(to.clone(), &body[from.clone()]))
        });
        Some(both.collect())
    }

    /// Whether the file itself has a chain of this name; a main chain may be there without being written.
    pub fn has_chain(&self, name: &str) -> bool {
        self.document().is_ok_and(|document| block(&document, "chain", "name", name).is_ok())
    }
}

/// The tools, as the file spells them, whose rules name a chain.
fn rules_along<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = &'a str> {
    let tools = document.get(&["switch"]).map_or(&[][..], Node::entries);
    let is_along = move |rule: &&crate::edit::Entry| rule.value.child("chain").and_then(Node::as_text) == Some(name);
    tools.iter().filter(is_along).map(|rule| rule.key.as_str())
}
