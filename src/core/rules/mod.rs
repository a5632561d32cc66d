//! When a tool is switched by itself, or its user is asked: away from a model that is confirmed not to be free, ahead of
//! its usual busy time, and back.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::core::outcome::Kind;
use crate::core::target::TargetId;

/// How far a rule may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It does nothing.
    #[default]
    Off,
    /// It asks, with a notice that has a button.
    Ask,
    /// It switches by itself.
    Auto,
}

impl Mode {
    /// Every mode with its name in the settings.
    pub const ALL: [(&'static str, Self); 3] = [("off", Self::Off), ("ask", Self::Ask), ("auto", Self::Auto)];

    /// The name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Ask => "ask",
            Self::Auto => "auto",
        }
    }
}

/// The rules of one tool, as the user set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Away from the first model of the chain when it is confirmed not to be free.
    pub failover: Mode,
    /// Back to it when it has been free for the hold.
    pub back: Mode,
    /// How long the first model must have been free before the tool goes back, and the shortest time between two returns.
    pub hold: Duration,
    /// Away some minutes before a usual busy time that is known.
    pub ahead: bool,
}

impl Rule {
    /// The usual hold.
    pub const HOLD: Duration = Duration::from_secs(20 * 60);

    /// Whether it does anything at all.
    pub const fn is_on(&self) -> bool {
        !matches!((self.failover, self.back), (Mode::Off, Mode::Off))
    }
}

impl Default for Rule {
    fn default() -> Self {
        Self { failover: Mode::Off, back: Mode::Off, hold: Self::HOLD, ahead: false }
    }
}

/// Why a tool is switched, or its user asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The model that it uses is confirmed not to be free.
    Away {
        /// In which way.
        kind: Kind,
    },
    /// The model that it uses is usually busy soon.
    BusySoon {
        /// From when.
        at: Timestamp,
        /// Until when.
        to: Timestamp,
    },
    /// The chain's first model has been free again for the hold.
    Back {
        /// Since when it is free.
        since: Timestamp,
    },
    /// The user clicked.
    Wish,
    /// The user took a switch back.
    Undo,
}

/// Why a tool was not switched. What needs the user's eye is never forced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The model is not free any more.
    NotFree,
    /// The tool uses another model than the rule left there: somebody chose it, and that counts.
    ChangedByOther {
        /// What it uses, as the tool says it.
        found: Option<String>,
    },
    /// No tool uses a model of the chain that could be changed for this one.
    NoTool,
    /// The tool's settings do not allow it, or it failed: the reason in words, with the next step.
    Said {
        /// The words.
        words: String,
    },
}

/// One configuration of a tool: the tool's name in commands, and its home as its owner knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seat {
    /// The tool.
    pub tool: String,
    /// Its home.
    pub home: String,
}

/// Which way a rule switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Move {
    /// Away from a model that was not free.
    Failover,
    /// Away before a usual busy time.
    Ahead,
    /// Back to the chain's first model.
    Back,
}

impl Move {
    /// Its name in the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failover => "failover",
            Self::Ahead => "ahead",
            Self::Back => "back",
        }
    }
}

/// What a rule wants done, or asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where.
    pub seat: Seat,
    /// Which way.
    pub way: Move,
    /// What the tool must still use: else somebody has changed it, and nothing is written.
    pub from: TargetId,
    /// What it is to use.
    pub to: TargetId,
    /// Why.
    pub why: Why,
}
