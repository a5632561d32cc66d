//! Discovery: what a person already uses, found read-only at the first start.
//!
//! Nothing is written, nothing is sent, no tool is run. Of tools' files only the ones named in [`tools`] are opened; of
//! keys and logins only the existence and the kind leave this module, never a value.

mod adopt;
mod arrange;
pub mod disk;
mod jsonc;
mod local;
mod look;
pub mod shell;
mod tools;

use std::collections::BTreeSet;

use url::Url;

use crate::args;
use crate::core::target::{Dialect, ModelId, Probing, ProviderId, Role, TargetId};
use crate::i18n::Tr;
use crate::secrets::KeyRef;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::wire::presets::Preset;
use disk::Disk;

pub use adopt::adopt;

/// What may be looked at besides tools' files and our own environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Start the login shell once, for the names of its variables.
    pub login_shell: bool,
    /// Ask the usual loopback ports of local servers for their models.
    pub local_servers: bool,
}

/// Looks at everything. Takes as long as the login shell does, at most [`shell::DEADLINE`]: not for a thread that draws.
pub fn discover(roots: &Roots, env: &Env, disk: &dyn Disk, ask: &Ask) -> Found {
    let shell = match env.get("SHELL") {
        Some(shell) if ask.login_shell && !shell::has_terminal() => shell::variables(shell, shell::DEADLINE),
        _ => BTreeSet::new(),
    };
    let look = look::Look { roots, env, disk, shell: &shell };
    let mut found = Found { keys: arrange::keys(&look), ..Found::default() };
    let mut candidates = Vec::new();
    for facts in tools::all(&look) {
        found.tools.push(facts.tool);
        found.keys.extend(facts.keys);
        candidates.extend(facts.candidates);
    }
    candidates.extend(arrange::from_keys(&look, &candidates));
    if ask.local_servers {
        candidates.extend(local::servers());
    }
    found.proposals = arrange::arrange(&look, candidates);
    found
}

/// Everything that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Coding tools with a configuration.
    pub tools: Vec<FoundTool>,
    /// Places where a key is kept.
    pub keys: Vec<FoundKey>,
    /// What could be watched, best first.
    pub proposals: Vec<Proposal>,
}

impl Found {
    /// Tools that have a model but led to no proposal: their key cannot be referred to, or only they know the model's name.
    pub fn left_out(&self) -> impl Iterator<Item = &FoundTool> {
        let is_proposed = |tool: &FoundTool| {
            self.proposals.iter().any(|proposal| {
                proposal.reason.tool() == Some(tool.name) || tool.model.as_deref() == Some(proposal.model.as_str())
            })
        };
        self.tools.iter().filter(move |tool| tool.model.is_some() && !is_proposed(tool))
    }

    /// What was found but cannot be watched as it is, a sentence each.
    pub fn hints(&self, tr: &Tr) -> Vec<String> {
        let unset: BTreeSet<&str> =
            self.proposals.iter().filter_map(|proposal| proposal.unset_key.as_deref()).collect();
        let unset = unset.into_iter().map(|variable| tr.with("discovery-unset-key", &args!("variable" => variable)));
        unset.chain(self.left_out().map(|tool| tr.with("discovery-left-out", &args!("tool" => tool.name)))).collect()
    }
}

/// How a tool is signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Login {
    /// Nothing was found in the places we look at.
    #[default]
    None,
    /// With an API key of its own file.
    ApiKey,
    /// With a subscription, whose token is never read nor sent by us.
    Subscription,
}

/// A coding tool with a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTool {
    /// Its name in the settings, such as `claude-code`.
    pub tool: &'static str,
    /// Its own spelling of its name.
    pub name: &'static str,
    /// The files that were read, as the user knows them (without `--root`).
    pub files: Vec<std::path::PathBuf>,
    /// The model that a fresh start would use, as far as its user files tell.
    pub model: Option<String>,
    /// How it is signed in.
    pub login: Login,
    /// Files that are there and could not be understood.
    pub unreadable: Vec<std::path::PathBuf>,
}

/// Where a key was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyPlace {
    /// In the environment that this program was started with.
    Process,
    /// In the environment of a login shell only: a window started from the desktop does not have it.
    LoginShell,
    /// In a tool's own file.
    ToolFile,
}

/// A place where a key is kept; never the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundKey {
    /// The variable's name.
    pub variable: String,
    /// Where.
    pub place: KeyPlace,
    /// The preset that it belongs to, if one is known.
    pub preset: Option<&'static str>,
}

/// Why something is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the active model of a tool.
    Active {
        /// The tool's name.
        tool: &'static str,
    },
    /// It is named in a tool's configuration besides the active one.
    Named {
        /// The tool's name.
        tool: &'static str,
    },
    /// It stands commented out beside the active one.
    CommentedOut {
        /// The tool's name.
        tool: &'static str,
    },
    /// The tool is signed in with a subscription: known from its own logs, never asked by us.
    Subscription {
        /// The tool's name.
        tool: &'static str,
    },
    /// There is a key for it.
    Key {
        /// The variable.
        variable: String,
    },
    /// A server runs on this machine.
    LocalServer {
        /// Its name.
        name: &'static str,
    },
}

/// The provider of a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedProvider {
    /// Its id in the settings; the tool's name for a subscription.
    pub id: ProviderId,
    /// The preset that fills it in.
    pub preset: Option<&'static str>,
    /// The wire API.
    pub dialect: Dialect,
    /// Its address where no preset gives it.
    pub base_url: Option<String>,
    /// Where the key is kept.
    pub key: KeyRef,
    /// Headers that it needs; a value may hold the key's mark.
    pub headers: Vec<(String, String)>,
    /// Query parameters that it needs.
    pub query: Vec<(String, String)>,
    /// A tool's subscription: no endpoint of ours.
    pub is_subscription: bool,
}

impl ProposedProvider {
    /// What it is called: as its vendor spells it where it goes by the vendor's usual id, else by its id.
    pub fn name(&self) -> &str {
        let is_own = |preset: &&Preset| match &self.base_url {
            Some(address) => Url::parse(address).is_ok_and(|url| preset.is_vendor(self.id.as_str(), &url)),
            None => preset.id == self.id.as_str(),
        };
        let preset = self.preset.and_then(Preset::find).filter(is_own);
        preset.map_or_else(|| self.id.as_str(), |preset| preset.name)
    }
}

/// One target that could be watched: a line with a tick on the first page.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The target's id in the settings.
    pub target: TargetId,
    /// Its provider; several proposals may share one.
    pub provider: ProposedProvider,
    /// The model.
    pub model: ModelId,
    /// Its suggested place.
    pub role: Role,
    /// Whether the schedule would probe it.
    pub probing: Probing,
    /// Requests that a steady day would make.
    pub requests_a_day: u32,
    /// Estimated tokens of those, in and out together.
    pub tokens_a_day: u32,
    /// Ticked unless the user says otherwise.
    pub is_ticked: bool,
    /// The variable of its key, where it is set nowhere: without it every request is refused.
    pub unset_key: Option<String>,
    /// Why it is proposed.
    pub reason: Reason,
}

impl Proposal {
    /// A target that the user names, to be probed by the schedule: for no reason but theirs, and not priced.
    pub fn named(provider: ProposedProvider, target: TargetId, model: ModelId, role: Role) -> Self {
        Self {
            target,
            provider,
            model,
            role,
            probing: Probing::Scheduled,
            requests_a_day: 0,
            tokens_a_day: 0,
            is_ticked: true,
            unset_key: None,
            reason: Reason::Key { variable: String::new() },
        }
    }
}

impl Reason {
    /// The tool that led to it.
    pub const fn tool(&self) -> Option<&'static str> {
        match self {
            Self::Active { tool }
            | Self::Named { tool }
            | Self::CommentedOut { tool }
            | Self::Subscription { tool } => Some(tool),
            Self::Key { .. } | Self::LocalServer { .. } => None,
        }
    }

    /// The message id in the catalogue.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Active { .. } => "discovery-reason-active",
            Self::Named { .. } => "discovery-reason-named",
            Self::CommentedOut { .. } => "discovery-reason-commented-out",
            Self::Subscription { .. } => "discovery-reason-subscription",
            Self::Key { .. } => "discovery-reason-key",
            Self::LocalServer { .. } => "discovery-reason-local-server",
        }
    }

    /// The reason in the user's language.
    pub fn text(&self, tr: &Tr) -> String {
        match self {
            Self::Active { tool }
            | Self::Named { tool }
            | Self::CommentedOut { tool }
            | Self::Subscription { tool } => tr.with(self.id(), &args!("tool" => *tool)),
            Self::Key { variable } => tr.with(self.id(), &args!("variable" => variable.as_str())),
            Self::LocalServer { name } => tr.with(self.id(), &args!("name" => *name)),
        }
    }
}
