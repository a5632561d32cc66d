//! The system's notification service.
//!
//! On Linux the service is spoken to directly over D-Bus ([`bus`]); on other systems through `notify-rust` (`native`,
//! which was never run by us). Both run as one task on the thread of [`crate::notify::everywhere`].

use std::sync::{Arc, Mutex, PoisonError};

use crate::args;
use crate::i18n::Tr;
use crate::notify::{Answer, Answers, Message};

#[cfg(target_os = "linux")]
mod bus;
#[cfg(target_os = "linux")]
pub use bus::Desk;
#[cfg(not(target_os = "linux"))]
mod native;
#[cfg(not(target_os = "linux"))]
pub use native::Desk;

/// What a desk is told to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Show a notice.
    Show(Message),
    /// Take one off the screen.
    Withdraw(u64),
}

/// Who hears of answers; nobody at first.
#[derive(Clone, Default)]
pub struct Hearer(Arc<Mutex<Option<Answers>>>);

impl Hearer {
    /// From now on.
    pub fn set(&self, answers: Answers) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(answers);
    }

    /// Tells of an answer.
    pub fn tell(&self, answer: Answer) {
        // Not under the lock: what hears may be anything.
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match answers {
            Some(answers) => answers(answer),
            None => tracing::debug!(?answer, "nobody hears of an answer"),
        }
    }
}

/// A service that has taken a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What it calls itself.
    pub name: String,
    /// Whether it shows buttons.
    pub has_buttons: bool,
}

/// Why a notice is not on the screen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// There is no session bus.
    #[error("no session bus ({reason}); start Vacancy inside the desktop session")]
    NoBus {
        /// The system's words.
        reason: String,
    },
    /// Nobody shows notices on this desktop.
    #[error("no notification service ({reason}); start one, as dunst or mako")]
    NoService {
        /// The bus's words.
        reason: String,
    },
    /// The service takes calls and does not answer.
    #[error("the notification service does not answer; restart it")]
    Hangs,
    /// The service ended while it was asked.
    #[error("the notification service ended while it was asked; try again")]
    Died,
    /// The service refused the notice.
    #[error("the notification service refused the notice ({reason}); see its own log")]
    Refused {
        /// Its words.
        reason: String,
    },
}

impl Trouble {
    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::NoBus { reason } => tr.with("notify-no-bus", &args!("reason" => reason.as_str())),
            Self::NoService { reason } => tr.with("notify-no-service", &args!("reason" => reason.as_str())),
            Self::Hangs => tr.text("notify-hangs"),
            Self::Died => tr.text("notify-died"),
            Self::Refused { reason } => tr.with("notify-refused", &args!("reason" => reason.as_str())),
        }
    }
}

/// The body with what to do where there are no buttons.
fn body_of(message: &Message, has_buttons: bool) -> String {
    if has_buttons || message.buttons.is_empty() || message.without_buttons.is_empty() {
        return message.body.clone();
    }
    if message.body.is_empty() {
        return message.without_buttons.clone();
    }
    format!("{}\n{}", message.body, message.without_buttons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::Button;

    #[test]
    fn words_take_the_place_of_buttons_only_where_there_are_none() {
        let button = Button { action: "a".to_owned(), label: "A".to_owned() };
        let message = |body: &str, buttons: Vec<Button>| Message {
            body: body.to_owned(),
            buttons,
            without_buttons: "Open Vacancy.".to_owned(),
            ..Message::default()
        };
        for (body, buttons, has_buttons, expected) in [
            ("Free.", vec![button.clone()], true, "Free."),
            ("Free.", vec![button.clone()], false, "Free.\nOpen Vacancy."),
            ("", vec![button], false, "Open Vacancy."),
            ("Free.", Vec::new(), false, "Free."),
        ] {
            assert_eq!(body_of(&message(body, buttons), has_buttons), expected);
        }
    }
}
