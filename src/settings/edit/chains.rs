//! Whole chains: added, renamed and taken out, also where a tool's rule names them.

use super::{block, tables};
use crate::core::target::TargetId;
use crate::edit::{Change, Document, Node, Value};
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
