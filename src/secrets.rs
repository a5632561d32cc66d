//! Keys: read at the moment of use, never kept, never shown.

use std::fmt;
use std::path::PathBuf;

use futures_util::future::BoxFuture;
use secrecy::{ExposeSecret as _, SecretString};

use crate::args;
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::core::sample::KEY_MISSING;
use crate::i18n::Tr;

mod command;
pub mod key_ref;
pub mod system;
mod tool_file;

pub use key_ref::{KeyRef, KeyTool, ToolKey};
pub use system::SystemSecrets;

/// A key. It has no `Display`, its `Debug` is a fixed text, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Wraps a key; surrounding white space is no part of it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned().into())
    }

    /// The key itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.expose().is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Looks keys up.
pub trait Secrets: Send + Sync {
    /// The key behind a reference; `None` for [`KeyRef::None`].
    ///
    /// # Errors
    ///
    /// When there is no such key, or it may not be used.
    fn read<'a>(&'a self, key: &'a KeyRef) -> BoxFuture<'a, Result<Option<Secret>, SecretError>>;
}

/// Why there is no key. Never holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The variable is unset or empty.
    #[error("the variable {name} is not set; set it, or refer to the key another way")]
    EnvUnset {
        /// Its name.
        name: String,
    },
    /// The command's list is empty.
    #[error("the key command is empty; name a program and its arguments")]
    CommandEmpty,
    /// The command could not be started.
    #[error("the key command {program} could not be started ({reason}); check that it is installed and on the PATH")]
    CommandStart {
        /// Its first word.
        program: String,
        /// The system's reason.
        reason: String,
    },
    /// The command ended with a failure.
    #[error("the key command {program} failed ({status}); run it in a terminal to see why")]
    CommandFailed {
        /// Its first word.
        program: String,
        /// Exit code or signal.
        status: String,
    },
    /// The command did not end in time.
    #[error("the key command {program} did not finish in {seconds} s and was stopped; unlock its store first")]
    CommandTimeout {
        /// Its first word.
        program: String,
        /// How long it had.
        seconds: u64,
    },
    /// The command printed nothing, or far too much.
    #[error("the key command {program} printed no usable key; it must print the key alone")]
    CommandOutput {
        /// Its first word.
        program: String,
    },
    /// There is no keyring to ask.
    #[error("no keyring is available ({reason}); use an environment variable or a command instead")]
    KeyringUnavailable {
        /// The system's reason.
        reason: String,
    },
    /// The keyring has no such entry.
    #[error("the keyring has no entry {entry}; add it, or correct the name")]
    KeyringMissing {
        /// Service and name.
        entry: String,
    },
    /// The tool's file cannot be read.
    #[error("the key file of {tool} cannot be read ({reason}); sign in with an API key there first: {path}")]
    ToolFile {
        /// The tool.
        tool: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// The tool's file has no such key.
    #[error("{tool} keeps no key {entry}; add one there or refer to the key another way: {path}")]
    ToolEntry {
        /// The tool.
        tool: &'static str,
        /// Which key.
        entry: String,
        /// The file.
        path: PathBuf,
    },
    /// The tool is signed in with a subscription, whose token is not ours to send.
    #[error("{tool} is signed in with a subscription; Vacancy never sends that login, use an API key: {path}")]
    Subscription {
        /// The tool.
        tool: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// What the reference gives is a subscription's token.
    #[error("the key in {place} is the token of a subscription; Vacancy never sends that, use an API key")]
    SubscriptionToken {
        /// The reference.
        place: String,
    },
}

impl SecretError {
    /// The rule id of the outcome of a probe without a key.
    pub const RULE: &'static str = KEY_MISSING;

    /// What it means for a target: nothing about the model, everything about the user's key.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            kind: Kind::Auth,
            scope: Scope::Account,
            retry_after: None,
            wait_helps: false,
            switch_helps: false,
            rule: Self::RULE.into(),
            excerpt: String::new(),
        }
    }

    /// The message id in the catalogue.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::EnvUnset { .. } => "probe-key-env-unset",
            Self::CommandEmpty => "probe-key-command-empty",
            Self::CommandStart { .. } => "probe-key-command-start",
            Self::CommandFailed { .. } => "probe-key-command-failed",
            Self::CommandTimeout { .. } => "probe-key-command-timeout",
            Self::CommandOutput { .. } => "probe-key-command-output",
            Self::KeyringUnavailable { .. } => "probe-key-keyring-unavailable",
            Self::KeyringMissing { .. } => "probe-key-keyring-missing",
            Self::ToolFile { .. } => "probe-key-tool-file",
            Self::ToolEntry { .. } => "probe-key-tool-entry",
            Self::Subscription { .. } => "probe-key-subscription",
            Self::SubscriptionToken { .. } => "probe-key-subscription-token",
        }
    }

    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        let id = self.id();
        match self {
            Self::EnvUnset { name } => tr.with(id, &args!("name" => name.as_str())),
            Self::CommandEmpty => tr.text(id),
            Self::CommandStart { program, reason } => {
                tr.with(id, &args!("program" => program.as_str(), "reason" => reason.as_str()))
            }
            Self::CommandFailed { program, status } => {
                tr.with(id, &args!("program" => program.as_str(), "status" => status.as_str()))
            }
            Self::CommandTimeout { program, seconds } => {
                tr.with(id, &args!("program" => program.as_str(), "seconds" => *seconds))
            }
            Self::CommandOutput { program } => tr.with(id, &args!("program" => program.as_str())),
            Self::SubscriptionToken { place } => tr.with(id, &args!("place" => place.as_str())),
            Self::KeyringUnavailable { reason } => tr.with(id, &args!("reason" => reason.as_str())),
            Self::KeyringMissing { entry } => tr.with(id, &args!("entry" => entry.as_str())),
            Self::ToolFile { tool, path, reason } => {
                tr.with(id, &args!("tool" => *tool, "path" => path.display().to_string(), "reason" => reason.as_str()))
            }
            Self::ToolEntry { tool, entry, path } => {
                tr.with(id, &args!("tool" => *tool, "entry" => entry.as_str(), "path" => path.display().to_string()))
            }
            Self::Subscription { tool, path } => {
                tr.with(id, &args!("tool" => *tool, "path" => path.display().to_string()))
            }
        }
    }
}
