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
    /// Sets a key of a provider's table; `None` takes it out, so that its preset's value holds, or none.
    Provider {
        /// Which.
        id: ProviderId,
        /// The key, such as `proxy`.
        key: &'static str,
        /// The value.
        value: Option<Value>,
    },
    /// Puts a chain's targets into this order; some may be new to it, some left out.
    Chain(String, Vec<TargetId>),
    /// Adds a chain.
    AddChain {
        /// Its name.
        name: String,
        /// The tool it is for.
        tool: Option<&'static str>,
        /// Its targets, best first.
        targets: Vec<TargetId>,
    },
    /// Takes a chain out, also where a rule names it.
    RemoveChain(String),
    /// Gives a chain another name, also where a rule names it.
    RenameChain(String, String),
    /// Sets a key of `[switch.TOOL]`; `None` takes it out.
    Rule {
        /// The tool, by its name in commands.
        tool: &'static str,
        /// The key, such as `failover`.
        key: &'static str,
        /// The value.
        value: Option<Value>,
    },
}

impl Amendment {
    /// The key that it sets, where it sets one.
    pub const fn key(&self) -> Option<&'static str> {
        match self {
            Self::Put { key, .. } | Self::Target { key, .. } | Self::Provider { key, .. } | Self::Rule { key, .. } => {
                Some(key)
            }
            Self::Role(..) => Some("role"),
            Self::RenameProvider(..) | Self::RenameTarget(..) => Some("id"),
            Self::AddChain { .. } | Self::RenameChain(..) => Some("name"),
            _ => None,
        }
    }
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
            Amendment::Target { id, key, value } => self.put_of("target", id.as_str(), key, value.clone()),
            Amendment::Role(target, role) => self.set_role(target, *role),
            Amendment::AddProvider(provider) => self.add_provider(provider),
            Amendment::AddTarget(proposal) => self.add_target(proposal),
            Amendment::RemoveProvider(id) => self.remove_provider(id),
            Amendment::RemoveTarget(id) => self.remove_target(id),
            Amendment::RenameProvider(from, to) => self.rename_provider(from, to),
            Amendment::RenameTarget(from, to) => self.rename_target(from, to),
            Amendment::Provider { id, key, value } => self.put_of("provider", id.as_str(), key, value.clone()),
            Amendment::Chain(name, order) => self.set_chain(name, order),
            Amendment::AddChain { name, tool, targets } => self.add_chain(name, *tool, targets),
            Amendment::RemoveChain(name) => self.remove_chain(name),
            Amendment::RenameChain(from, to) => self.rename_chain(from, to),
            Amendment::Rule { tool, key, value } => self.put_rule(tool, key, value.clone()),
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

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[provider]]\nid = \"relay\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n\
        [[target]]\nid = \"a\"\nprovider = \"relay\"\nmodel = \"m\"\n\n\
        [[target]]\nid = \"b\"\nprovider = \"relay\"\nmodel = \"n\"\n";

    fn amended(text: &str, amendments: &[Amendment]) -> Result<(String, Settings), WriteError> {
        let mut file = SettingsFile::parse(std::path::Path::new("vacancy.toml"), text.to_owned());
        amendments.iter().try_for_each(|amendment| file.amend(amendment))?;
        let settings = file.resolve().map_err(|findings| WriteError::Invalid { findings })?;
        Ok((file.text(), settings))
    }

    fn add(name: &str, tool: Option<&'static str>) -> Amendment {
        Amendment::AddChain { name: name.to_owned(), tool, targets: vec!["b".into()] }
    }

    #[test]
    fn a_new_target_stands_behind_those_of_its_role() {
        use crate::settings::discovery::{Proposal, ProposedProvider};
        let one = |id: &str, role: &str| {
            let role = if role.is_empty() { String::new() } else { format!("role = \"{role}\"\n") };
            format!("[[target]]\nid = \"{id}\"\nprovider = \"p\"\nmodel = \"{id}\"\n{role}\n")
        };
        let provider = "[[provider]]\nid = \"p\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n";
        for (roles, list, expected) in [
            // Without a list the order is that of the roles.
            (&[("a", "primary"), ("b", "emergency")][..], None, &["a", "new", "b"][..]),
            (&[("b", "emergency"), ("w", ""), ("a", "primary")], None, &["a", "new", "b", "w"]),
            (&[("a", "primary"), ("b", "emergency")], Some("[\"a\", \"b\"] # mine"), &["a", "new", "b"]),
            (&[("b", "emergency")], Some("[\"b\"]"), &["new", "b"]),
            // Somebody's own order stays.
            (
                &[("a", "primary"), ("b", "emergency"), ("c", "backup")],
                Some("[\"a\", \"b\", \"c\"]"),
                &["a", "b", "c", "new"],
            ),
            (&[("a", ""), ("b", "")], Some("[\"a\", \"b\"]"), &["a", "b", "new"]),
        ] {
            let targets: String = roles.iter().map(|(id, role)| one(id, role)).collect();
            let list = list.map(|list| format!("[[chain]]\nname = \"main\"\ntargets = {list}\n")).unwrap_or_default();
            let mut file =
                SettingsFile::parse(std::path::Path::new("vacancy.toml"), format!("{provider}{targets}{list}"));
            let provider = ProposedProvider {
                id: "p".into(),
                preset: None,
                dialect: crate::core::target::Dialect::OpenaiChat,
                base_url: None,
                key: crate::secrets::KeyRef::None,
                headers: Vec::new(),
                query: Vec::new(),
                is_subscription: false,
            };
            let proposal = Proposal::named(provider, "new".into(), "new".into(), Role::Backup);
            file.amend(&Amendment::AddTarget(Box::new(proposal))).unwrap();
            let settings = file.resolve().unwrap();
            let order: Vec<&str> = settings.targets.iter().map(|target| target.id.as_str()).collect();
            assert_eq!(order, expected, "{}", file.text());
            let chain: Vec<&str> = settings.chains[0].targets.iter().map(|id| id.as_str()).collect();
            assert_eq!(chain, expected);
        }
    }

    #[test]
    fn a_chain_is_added_without_taking_the_main_chains_place() {
        let (text, settings) = amended(TWO, &[add("night", None)]).unwrap();
        let names: Vec<_> = settings.chains.iter().map(|chain| (chain.name.as_str(), chain.targets.len())).collect();
        assert_eq!(names, [("main", 2), ("night", 1)], "{text}");
        let (text, settings) = amended(TWO, &[add("codex", Some("codex"))]).unwrap();
        assert_eq!(settings.chain_for("codex").unwrap().targets, ["b".into()], "{text}");
        assert!(text.ends_with("tool = \"codex\"\ntargets = [\"b\"]\n"), "{text}");
        assert_eq!(settings.main_chain().unwrap().targets.len(), 2);
    }

    #[test]
    fn a_chains_new_name_and_its_end_reach_the_rules_that_name_it() {
        let ruled = format!(
            "{TWO}\n# Nights.\n[[chain]]\nname = \"main\"\ntargets = [\"a\", \"b\"]\n\n[[chain]]\nname = \"night\" # dark\n\
             targets = [\"b\"]\n\n[switch.codex]\nfailover = \"ask\"\nchain = \"night\" # mine\n"
        );
        let renamed = Amendment::RenameChain("night".to_owned(), "late".to_owned());
        let (text, settings) = amended(&ruled, &[renamed]).unwrap();
        assert_eq!(text, ruled.replace("\"night\"", "\"late\""), "nothing else is different");
        assert_eq!(settings.switch_rules["codex"].chain, Some(1));
        let (text, settings) = amended(&ruled, &[Amendment::RemoveChain("night".to_owned())]).unwrap();
        assert_eq!(settings.switch_rules["codex"].chain, None, "{text}");
        assert!(!text.contains("night") && text.contains("# Nights.") && text.contains("failover = \"ask\""), "{text}");
        amended(TWO, &[Amendment::RemoveChain("main".to_owned())]).unwrap_err();
        amended(&ruled, &[add("main", None)]).unwrap_err();
        amended(&ruled, &[Amendment::RenameChain("night".to_owned(), "main".to_owned())]).unwrap_err();
    }

    #[test]
    fn a_providers_keys_are_set_and_taken_out_again_byte_by_byte() {
        let table = |pairs: &[(&str, &str)]| {
            Value::Table(pairs.iter().map(|(key, value)| ((*key).to_owned(), Value::text(*value))).collect())
        };
        for (key, value) in [
            ("proxy", Value::text("socks5h://127.0.0.1:1080")),
            ("ca_file", Value::text("my.pem")),
            ("headers", table(&[("X-Team", "blue")])),
            ("query", table(&[("api-version", "2026-01-01"), ("a b", "c")])),
            ("daily_cap", Value::Table(vec![("requests".to_owned(), Value::Integer(7))])),
            ("key", table(&[("env", "MY_KEY")])),
        ] {
            let set = |value| Amendment::Provider { id: "relay".into(), key, value };
            let (text, settings) = amended(TWO, &[set(Some(value.clone()))]).unwrap();
            assert_ne!(settings.providers, amended(TWO, &[]).unwrap().1.providers, "{text}");
            let file = SettingsFile::parse(std::path::Path::new("vacancy.toml"), text.clone());
            assert_eq!(file.written("provider", "relay", key), Some(value), "{text}");
            assert_eq!(amended(&text, &[set(None)]).unwrap().0, TWO, "{key}");
        }
    }
}
