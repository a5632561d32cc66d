//! What the engine has done to tools: orders to its own hands, which read and write the tools' files on a thread of their
//! own, and what came of them.

use crate::core::board::Board;
use crate::core::rules::{Refusal, Step, Why};
use crate::core::target::TargetId;
use crate::settings::Settings;

/// What the hands are told to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Read the tools and the journal.
    Look,
    /// Have tools use a target, as [`Request::Use`](crate::engine::request::Request::Use) says.
    Use {
        /// Which tool; `None` as the request says.
        tool: Option<String>,
        /// Which target.
        target: TargetId,
    },
    /// Do what a rule decided, if everything is still as it thinks.
    Step(Step),
    /// Take back an entry of the journal.
    Undo {
        /// The journal's number.
        id: u64,
    },
}

/// An order with what it is to be judged by.
#[derive(Clone, Debug)]
pub struct Task {
    /// What to do.
    pub order: Order,
    /// The settings in force.
    pub settings: Settings,
    /// The board at the time of the order.
    pub board: Board,
}

/// What came of an order for one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The tool's name in commands; `None` when no tool was concerned.
    pub tool: Option<String>,
    /// What it used.
    pub from: Option<TargetId>,
    /// What it was to use.
    pub to: Option<TargetId>,
    /// Why.
    pub why: Why,
    /// The journal's number, or why nothing was written.
    pub result: Result<u64, Refusal>,
}

/// Reads and writes tools' files. Works on a thread of its own, one order after the other.
pub trait Hands: Send {
    /// Carries out an order. May block.
    fn carry_out(&mut self, task: Task) -> Vec<Outcome>;
}
