//! What the engine tells.

use std::sync::Arc;

use crate::i18n::{Lang, Tr};
use crate::notify::{Answer, Message};
use crate::settings::Settings;

/// Hears of answers, on a thread of the notifier's. Must not block.
pub type Answers = Arc<dyn Fn(Answer) + Send + Sync>;

/// Hears how the hook and the webhook fare, on a thread of the notifier's. Must not block.
pub type Troubles = Arc<dyn Fn(Trouble) + Send + Sync>;

/// How a way of telling fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `hook` or `webhook`.
    pub way: &'static str,
    /// Why it did not tell, and what to do, in every language; `None` when it did.
    pub words: Option<Vec<(Lang, String)>>,
}

impl Trouble {
    /// The way works.
    pub const fn over(way: &'static str) -> Self {
        Self { way, words: None }
    }

    /// It does not, for a reason.
    pub fn of(way: &'static str, describe: impl Fn(&Tr) -> String) -> Self {
        let words = Lang::ALL.map(|lang| (lang, describe(&Tr::new(lang))));
        Self { way, words: Some(words.into()) }
    }
}

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

    /// Has troubles of the hook and the webhook told to `troubles` from now on.
    fn complain_to(&self, troubles: Troubles) {
        drop(troubles);
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
