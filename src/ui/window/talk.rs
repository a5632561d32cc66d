//! What the window asks of others, and what they tell it.

use crate::core::target::TargetId;
use crate::engine::request::Request;
use crate::i18n::Lang;
use crate::settings::Close;
use crate::settings::discovery::Found;
use crate::settings::edit::Field;
use crate::toolprobe::Program;
use crate::ui::backfill::{Backfill, Scope, Steer};
use crate::ui::background;
use crate::ui::history::{Ask, Told};
use crate::ui::settings;
use crate::ui::sheets;
use crate::ui::state::Kept;
use crate::ui::switching;
use crate::ui::tools::Offer;

/// What the window wants done by someone who may wait, read files or send. Handed on, never carried out while drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Ask the engine.
    Engine(Request),
    /// Build the curl command of a target and answer with [`Event::Curl`].
    Curl(TargetId),
    /// Write settings for these proposals and begin to watch; answer with [`Event::Started`] or [`Event::SayOf`].
    Adopt {
        /// The ticked targets.
        targets: Vec<TargetId>,
        /// Also read what the tools have written so far.
        reads_logs: bool,
        /// The looks that were chosen before there were settings.
        looks: Vec<Field>,
    },
    /// Begin, hold or end the reading of the tools' logs; answer with [`Event::Backfill`].
    Backfill(Steer),
    /// Look which subscriptions' tools are installed and what they tell for nothing; answer with [`Event::Tools`].
    LookAtTools,
    /// Write down whether a tool is asked of itself; answer with [`Event::SayOf`] and [`Event::Tools`].
    SetTool(Program, bool),
    /// Send a test notice every way that there is, in this language; answer with an [`Event::SayOf`] a way.
    TestNotice(Lang),
    /// Look at the machine again; answer with [`Event::Found`].
    Discover,
    /// Put the window away, bring it back, or end the program.
    Background(background::Act),
    /// Write down what closing the window means; answer with [`Event::SayOf`].
    SetClose(Close),
    /// Start with the session, or no longer; answer with [`Event::SayOf`].
    SetAutostart(bool),
    /// Begin the demo; answer with [`Event::Started`] or [`Event::SayOf`].
    Demo,
    /// Keep where the window stands, and the looks while there are no settings.
    Keep(Kept),
    /// Write a look into the settings file, where there is one; answer with [`Event::Worn`].
    Wear(Field),
    /// Read or write the record for History; answer with [`Event::History`].
    History(Ask),
    /// Read, plan or write a tool's model; answer with [`Event::Switching`].
    Switching(switching::Ask),
    /// Make the statistics for Heatmap and Cheat sheet; answer with [`Event::Sheets`].
    Sheets(Box<sheets::Ask>),
    /// Read or change the settings file; answer with [`Event::Settings`].
    Settings(Box<settings::Ask>),
}

/// What others tell the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Something to say, already in words.
    Say(String),
    /// The same, in the place of what was said of this matter before: a failure goes as soon as it was done after all.
    SayOf(&'static str, String),
    /// A look was written down, or why not, in words.
    Worn(Result<(), String>),
    /// The curl command of a target; `None` where we send none.
    Curl(Option<String>),
    /// What discovery found.
    Found(Box<Found>),
    /// Watching has begun.
    Started,
    /// What there is to read in the tools' logs.
    Scope(Scope),
    /// How far the reading of the tools' logs is.
    Backfill(Backfill),
    /// What the record says, or how far an export is.
    History(Told),
    /// The statistics, as far as they are made.
    Sheets(sheets::Told),
    /// The subscriptions' tools that are installed.
    Tools(Vec<Offer>),
    /// What there is of tools, and what became of a switch.
    Switching(switching::Told),
    /// What the settings file says, and what became of a change.
    Settings(settings::Told),
    /// Whether the user asked the system for less motion.
    Motion(bool),
}
