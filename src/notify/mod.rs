//! Notices outside the window: on the desktop, through a program of the user's, by a webhook.
//!
//! [`Message`] is a notice in words with what may be done about it; [`Notifier`] is what the engine tells, and an
//! [`Answer`] is what comes back. [`everywhere::Everywhere`] is the real one. Nothing here ever makes its caller wait.
//!
//! Pure: data, form. Shell: check, desktop, everywhere, hook, mail, webhook.

#[cfg(feature = "shell")]
pub mod check;
#[cfg(feature = "shell")]
pub mod config;
pub mod data;
#[cfg(feature = "shell")]
pub mod desktop;
#[cfg(feature = "shell")]
pub mod everywhere;
pub mod form;
#[cfg(feature = "shell")]
pub mod hook;
#[cfg(feature = "shell")]
mod mail;
#[cfg(feature = "shell")]
pub mod webhook;

#[cfg(feature = "shell")]
mod notifier;
#[cfg(feature = "shell")]
pub use notifier::{Answers, Notifier, Silent, Trouble, Troubles};

/// A notice in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Of the notice; the same over restarts.
    pub id: u64,
    /// The notice that this one takes the place of, if it is still shown.
    pub replaces: Option<u64>,
    /// One line.
    pub summary: String,
    /// What else is known; plain text.
    pub body: String,
    /// What may be done about it, the likeliest first.
    pub buttons: Vec<Button>,
    /// How to do the same where a desktop shows no buttons; added to the body there.
    pub without_buttons: String,
    /// Stays on the screen until it is answered, where the desktop does that.
    pub is_urgent: bool,
    /// What it is about, for the hook and the webhook: an object with `kind` and `at`, and `target`, `model`, `provider`, `tool`
    /// where the notice has them. No key and no text of anybody's prompts.
    pub facts: serde_json::Value,
}

/// One thing that may be done about a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What comes back in [`Answer::action`]: never empty and never [`Answer::OPENED`].
    pub action: String,
    /// What is written on it.
    pub label: String,
}

/// The user answered a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which: [`Message::id`].
    pub id: u64,
    /// The button's action, or [`Answer::OPENED`].
    pub action: String,
}

impl Answer {
    /// The action of a click on the notice itself.
    pub const OPENED: &str = "default";
}
