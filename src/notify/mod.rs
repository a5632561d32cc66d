//! Desktop notices: words handed to the system's notification service, on a thread of their own, as a daemon may hang.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use notify_rust::{Notification, NotificationHandle};

use crate::settings::Settings;

/// Waiting messages; more than that means that the daemon hangs, and old news is no news.
const QUEUE: usize = 16;

/// Handles kept alive: some desktops withdraw a notice whose sender has dropped its handle
/// (`notify-rust` issue 218: GNOME 46).
const KEPT: usize = 8;

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

/// Shows notices through the desktop.
#[derive(Debug)]
pub struct Desktop {
    queue: SyncSender<Message>,
}

impl Desktop {
    /// Starts the thread `vacancy-notify`. It ends when this value is dropped.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread.
    pub fn start() -> std::io::Result<Self> {
        let (queue, messages) = sync_channel(QUEUE);
        std::thread::Builder::new().name("vacancy-notify".into()).spawn(move || show_all(&messages))?;
        Ok(Self { queue })
    }
}

impl Notifier for Desktop {
    fn show(&self, message: Message) {
        match self.queue.try_send(message) {
            Ok(()) => {}
            Err(TrySendError::Full(message) | TrySendError::Disconnected(message)) => {
                tracing::warn!(summary = message.summary, "desktop notice dropped: the notification service hangs");
            }
        }
    }
}

fn show_all(messages: &Receiver<Message>) {
    let mut kept: VecDeque<NotificationHandle> = VecDeque::with_capacity(KEPT);
    while let Ok(message) = messages.recv() {
        let shown = Notification::new()
            .appname("Vacancy")
            .summary(&message.summary)
            .body(&escape(&message.body))
            .icon("vacancy")
            .show();
        match shown {
            Ok(handle) => {
                kept.truncate(KEPT - 1);
                kept.push_front(handle);
            }
            Err(error) => tracing::warn!(%error, "desktop notice not shown"),
        }
    }
}

/// Bodies are markup in the freedesktop specification (1.2, "Markup"): a model's name must not become a tag.
fn escape(text: &str) -> String {
    if cfg!(all(unix, not(target_os = "macos"))) {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn markup_in_names_is_shown_as_text() {
        assert_eq!(escape("a <b>bold</b> & co"), "a &lt;b&gt;bold&lt;/b&gt; &amp; co");
    }
}
