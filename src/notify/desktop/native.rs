//! Notices through `notify-rust` 4.19, for systems other than Linux. Written after its source and never run by us.
//!
//! What its interface allows: on Windows toasts with buttons, whose answers come while a thread waits for each; on macOS
//! the first button beside a menu of the others, heard of only while the program's main loop runs, as it does with a
//! window. A notice cannot be taken off the screen or replaced on either.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use notify_rust::{Notification, NotificationResponse};

use super::{Hearer, Order, Reached, Trouble, body_of};
use crate::notify::everywhere::Means;
use crate::notify::mail::Mail;
use crate::notify::{Answer, Message};

/// Threads that wait for answers; a notice above that is shown without.
const WAITING: usize = 8;

/// Shows notices and hears of answers; see the module.
pub struct Desk {
    hearer: Hearer,
    waiting: Arc<AtomicUsize>,
}

impl Desk {
    /// A desk.
    pub fn new(hearer: Hearer, _means: &Means) -> Self {
        Self { hearer, waiting: Arc::default() }
    }

    /// Does what it is told until the mail is closed.
    pub(in crate::notify) async fn run(self, mail: &Mail<Order>) {
        while let Some((order, dropped)) = mail.next().await {
            if dropped > 0 {
                tracing::warn!(dropped, "desktop notices dropped: there were too many");
            }
            if let Order::Show(message) = order
                && let Err(error) = self.show(&message)
            {
                tracing::warn!(%error, "a desktop notice is not shown");
            }
        }
    }

    /// Shows a notice at once, and says who took it.
    ///
    /// # Errors
    ///
    /// When it is not on the screen.
    pub async fn check(&mut self, message: &Message) -> Result<Reached, Trouble> {
        self.show(message)?;
        Ok(Reached { name: std::env::consts::OS.to_owned(), has_buttons: true })
    }

    /// Waits so long: whether the notice was closed cannot be known here.
    pub async fn hold(&mut self, _id: u64, most: Duration) {
        tokio::time::sleep(most).await;
    }

    fn show(&self, message: &Message) -> Result<(), Trouble> {
        let refused = |reason: String| Trouble::Refused { reason };
        let mut notification = Notification::new();
        notification.appname("Vacancy").summary(&message.summary).body(&body_of(message, true)).icon("vacancy");
        #[cfg(not(target_os = "macos"))]
        if message.is_urgent {
            notification.urgency(notify_rust::Urgency::Critical);
        }
        for button in &message.buttons {
            notification.action(&button.action, &button.label);
        }
        let handle = notification.show().map_err(|error| refused(error.to_string()))?;
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Ok(());
        }
        let (hearer, waiting, id) = (self.hearer.clone(), Arc::clone(&self.waiting), message.id);
        let spawned = std::thread::Builder::new().name("vacancy-notice".into()).spawn(move || {
            let heard = handle.wait_for_response(|response: &NotificationResponse| match response {
                NotificationResponse::Default => hearer.tell(Answer { id, action: Answer::OPENED.to_owned() }),
                NotificationResponse::Action(action) => hearer.tell(Answer { id, action: action.clone() }),
                NotificationResponse::Reply(_) | NotificationResponse::Closed(_) => {}
            });
            if let Err(error) = heard {
                tracing::debug!(%error, "no answer to a desktop notice");
            }
            waiting.fetch_sub(1, Ordering::Relaxed);
        });
        if spawned.is_err() {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}
