//! When a tool is switched by itself, or its user is asked: away from a model that is confirmed not to be free, ahead of
//! its usual busy time, and back.
//!
//! A rule moves a tool only between the first model of its chain and the stand-ins that it put there itself. A tool that
//! uses anything else was set so by its user, and is left alone until it uses the first model again, in whatever way. What
//! was done is read from the journal of switches ([`past`]), so that a restart knows all that counts.
//!
//! | it goes | when |
//! |---|---|
//! | away | what the tool uses is confirmed full, faulty or out of a usage limit, by a sign that is fresh and newer than the start of the program; the first target of the chain that the tool reaches and that is confirmed free, fresh, takes its place |
//! | ahead | the first model is known to be busy usually, beginning within [`SWITCH_AHEAD`](crate::core::sheet::SWITCH_AHEAD); never to one that is busy then itself |
//! | back | the first model has been free for the hold, so long after the last switch by a rule, and no usual busy time that it left for is on |
//!
//! It never moves for a rate limit, which ends by itself, for a key or money that only the user can mend, for trouble of our
//! own network, or while probing is paused. Within a hold no target is entered twice, and a return that did not last doubles
//! the next hold, up to eight times. A switch that the user took back holds the rule off until the first model's next
//! confirmed change. A refusal is not tried again before that either.

mod machine;
mod past;
#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::core::outcome::Kind;
use crate::core::target::TargetId;

pub use machine::{Effect, Memory, Rules};
pub use past::{Away, Did, Past, Standing};

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
    /// It uses it already.
    AlreadyThere,
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
    /// The way of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Failover, Self::Ahead, Self::Back].into_iter().find(|way| way.name() == name)
    }

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

/// The rules of one tool with its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRule {
    /// The tool's name in commands.
    pub tool: String,
    /// What it may do.
    pub rule: Rule,
    /// Its targets, best first.
    pub chain: Vec<TargetId>,
}

/// What was read of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Which.
    pub seat: Seat,
    /// The target that a fresh start of the tool uses, if it is one of the user's.
    pub uses: Option<TargetId>,
    /// The model that it uses, as the tool says it.
    pub found: Option<String>,
    /// The targets that it can be told to use.
    pub reaches: Vec<TargetId>,
    /// What was done to it, oldest first.
    pub past: Vec<Past>,
}

/// A known usual busy time of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// When it begins.
    pub start: Timestamp,
    /// When the target is usually back.
    pub end: Timestamp,
}

/// When a tool that is away goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    /// By its user alone: the rule does not bring it back.
    ByHand,
    /// When the first model has been free for this long.
    WhenFree(Duration),
    /// At this time at the earliest: the first model is free.
    At(Timestamp),
    /// The user is asked.
    Asked,
}

/// How a rule stands with a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The tool was not read yet, is not in use, or reaches nothing of its chain.
    Unknown,
    /// It uses the first model of its chain.
    Home {
        /// That model.
        first: TargetId,
        /// The user is asked to use this in its place.
        asked: Option<TargetId>,
    },
    /// It uses a stand-in.
    StandingIn {
        /// The first model of its chain.
        first: TargetId,
        /// The stand-in.
        on: TargetId,
        /// Since when it is away.
        since: Timestamp,
        /// When it goes back.
        back: Return,
    },
    /// It uses what its user chose.
    OwnChoice {
        /// The first model: when the tool uses it, the rule goes on.
        first: TargetId,
        /// What it uses, as the tool says it.
        found: Option<String>,
    },
    /// Its user took a switch back.
    HeldOff {
        /// The first model: its next confirmed change lets the rule go on.
        first: TargetId,
        /// When it was taken back.
        since: Timestamp,
    },
}

/// A seat and how the rule stands with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleState {
    /// Which; its home is empty while the tool was not found.
    pub seat: Seat,
    /// The rule.
    pub rule: Rule,
    /// How it stands.
    pub phase: Phase,
}
