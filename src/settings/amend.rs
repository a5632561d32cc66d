//! What a person changes of the settings in the window: each a faithful edit, tried out in memory before it is written.

use super::discovery::{Proposal, ProposedProvider};
use super::file::SettingsFile;
use super::finding::Finding;
use super::save::WriteError;
use super::{Settings, discovery};
use crate::core::target::{ProviderId, Role, TargetId};
use crate::edit::Value;

/// One change of the settings file.
#[derive(Clone, Debug, PartialEq)]
pub enum Amendment {
    /// Sets a key of a table of its own, such as `[ui] theme`; `None` takes its line out, so that the default holds.
    Put {
        /// The table.
        table: &'static str,
        /// The key.
        key: &'static str,
        /// The value.
        value: Option<Value>,
    },
    /// Sets a key of a target's table; `None` takes it out.
    Target {
        /// Which.
        id: TargetId,
        /// The key, such as `price`.
        key: &'static str,
        /// The value.
        value: Option<Value>,
    },
    /// Gives a target a role, or none.
    Role(TargetId, Option<Role>),
    /// Adds a provider's table.
    AddProvider(Box<ProposedProvider>),
    /// Adds a target's table, and the target to the end of the main chain if there is one.
    AddTarget(Box<Proposal>),
    /// Takes a provider's table out.
    RemoveProvider(ProviderId),
    /// Takes a target's table out, and its name out of every chain.
    RemoveTarget(TargetId),
    /// Gives a provider another name, also where its targets name it.
    RenameProvider(ProviderId, ProviderId),
    /// Gives a target another name, also where chains name it.
    RenameTarget(TargetId, TargetId),
    /// Puts a chain's targets into this order; some may be new to it, some left out.
    Chain(String, Vec<TargetId>),
}

impl SettingsFile {
    /// The file that the program would begin: no targets, every key explained.
    pub fn starter(path: &std::path::Path) -> Self {
        Self::fresh(path, &discovery::adopt(&discovery::Found::default(), &[]))
    }

    /// Makes a change, in memory.
    ///
    /// # Errors
    ///
    /// When there is no such thing in the file, or the file is written in a form that cannot be changed faithfully.
    pub fn amend(&mut self, amendment: &Amendment) -> Result<(), WriteError> {
        match amendment {
            Amendment::Put { table, key, value } => self.put(table, key, value.clone()),
            Amendment::Target { id, key, value } => self.put_of_target(id, key, value.clone()),
            Amendment::Role(target, role) => self.set_role(target, *role),
            Amendment::AddProvider(provider) => self.add_provider(provider),
            Amendment::AddTarget(proposal) => self.add_target(proposal),
            Amendment::RemoveProvider(id) => self.remove_provider(id),
            Amendment::RemoveTarget(id) => self.remove_target(id),
            Amendment::RenameProvider(from, to) => self.rename_provider(from, to),
            Amendment::RenameTarget(from, to) => self.rename_target(from, to),
            Amendment::Chain(name, order) => self.set_chain(name, order),
        }
    }

    /// What the file would mean with these changes. Nothing is written.
    ///
    /// # Errors
    ///
    /// What cannot be changed, or everything that would be wrong then.
    pub fn trial(&self, amendments: &[Amendment]) -> Result<Settings, WriteError> {
        let mut tried = self.clone();
        amendments.iter().try_for_each(|amendment| tried.amend(amendment))?;
        tried.resolve().map_err(|findings| WriteError::Invalid { findings })
    }

    /// The same file with another text, as it was before a change or after it.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        Self { source: super::source::SourceText::new(text), ..self.clone() }
    }

    /// The text that was read from the disk; `None` when there was no file.
    pub fn read_text(&self) -> Option<&str> {
        self.on_disk.as_deref()
    }

    /// The file's path.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }
}

/// What of `after` is not in `before`: the warnings that a change brings.
pub fn brought(before: &[Finding], after: &[Finding]) -> Vec<Finding> {
    let is_new = |finding: &&Finding| !before.iter().any(|old| old.problem == finding.problem);
    after.iter().filter(is_new).cloned().collect()
}
