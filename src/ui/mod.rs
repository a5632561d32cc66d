//! The window: theme, widgets, screens and the shell that shows them.
//!
//! Drawing reads one immutable snapshot and answers with commands ([`command::Command`]); [`window::Window`] carries them
//! out after it, and hands on what others must do ([`window::Job`]). Only [`shell`] names eframe.

pub mod backfill;
pub mod background;
pub mod chrome;
pub mod command;
pub use crate::format;
pub mod glance;
pub mod history;
pub mod hush;
pub mod picture;
pub mod screens;
pub mod settings;
pub mod sheets;
pub mod shell;
pub mod stage;
pub mod state;
pub mod switching;
pub mod theme;
pub mod tools;
pub mod widgets;
pub mod window;
