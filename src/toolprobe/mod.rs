//! Probes of a subscription by running the tool that it belongs to.
//!
//! A plan's login is never sent by us, so the only probe of a plan is its own tool: asked one short question, in an empty
//! folder of its own, without tools or the user's settings where its version allows that. It costs tokens of the plan, so
//! it is off until the user switches it on, its [`cost`] is shown first, and [`pace`] keeps it rare. What the tool prints
//! is read by [`crate::listen`]'s parsers and never kept.
//!
//! [`free`] asks Codex for its limits and models without spending a token.
//!
//! Pure: config, cost, free, invocation, pace, verdict. Shell: find, probe, run.

pub mod config;
pub mod cost;
#[cfg(feature = "shell")]
pub mod find;
pub mod free;
pub mod invocation;
pub mod pace;
#[cfg(feature = "shell")]
pub mod probe;
#[cfg(feature = "shell")]
pub mod run;
pub mod verdict;

use std::fmt;

/// A tool that can be run for a short answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Program {
    /// `codex exec`
    Codex,
    /// `claude -p`
    ClaudeCode,
    /// `gemini -p`
    GeminiCli,
    /// `opencode run`
    Opencode,
}

impl Program {
    /// Every tool.
    pub const ALL: [Self; 4] = [Self::Codex, Self::ClaudeCode, Self::GeminiCli, Self::Opencode];

    /// The name in settings: the provider of its targets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::ClaudeCode => "claude-code",
            Self::GeminiCli => "gemini-cli",
            Self::Opencode => "opencode",
        }
    }

    /// Reads a tool's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|program| program.name() == name)
    }

    /// The file name of the program, without a suffix of the system's.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::ClaudeCode => "claude",
            Self::GeminiCli => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// Until when an answer or a refusal must have come; then the run is ended.
    ///
    /// Refusals come within 0.2 to 7 s; Codex's `slow_down` takes 24 s (measured, see [`cost`]).
    pub const fn deadline(self) -> std::time::Duration {
        std::time::Duration::from_secs(match self {
            Self::Codex | Self::ClaudeCode => 45,
            Self::GeminiCli | Self::Opencode => 60,
        })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
