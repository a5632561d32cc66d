//! What the engine tells.

use std::sync::Arc;

use crate::notify::{Answer, Message};
use crate::settings::Settings;

/// Hears of answers, on a thread of the notifier's. Must not block.
pub type Answers = Arc<dyn Fn(Answer) + Send + Sync>;

/// Tells the user something outside the window. Must not block.
pub trait Notifier: Send + Sync {
    /// Shows the message; one that cannot be shown is dropped, as it also stands in Activity.
    fn show(&self, message: Message);

    /// Takes a notice off the screen that is over; one that is not shown is no trouble.
    fn withdraw(&self, id: u64) {
        let _ = id;
    }

    /// Has answers told to `answers` from now on.
    fn answer_to(&self, answers: Answers) {
        drop(answers);
    }

    /// Takes in new settings: where else notices go.
    fn configure(&self, settings: &Settings) {
        let _ = settings;
    }
}

/// Shows nothing: for demos, tests and users who switched notices off.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Notifier for Silent {
    fn show(&self, _message: Message) {}
}
