//! A test notice, sent every way at once: what reached what, and what to do where it did not.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::args;
use crate::i18n::Tr;
use crate::notify::desktop::{Desk, Hearer, Reached, Trouble};
use crate::notify::everywhere::Means;
use crate::notify::hook::{self, HookError, HookRan};
use crate::notify::webhook::{Posted, Poster, WebhookError};
use crate::notify::{Answer, Button, Message};
use crate::settings::Settings;
use crate::toolprobe::run::Stop;

/// What became of a test notice; `None` is a way that the settings do not name.
#[derive(Clone, Debug)]
pub struct Checked {
    /// On the desktop.
    pub desktop: Option<Result<Reached, Trouble>>,
    /// What was clicked on it, while it was held.
    pub answer: Option<String>,
    /// By the hook.
    pub hook: Option<Result<HookRan, HookError>>,
    /// By the webhook.
    pub webhook: Option<Result<Posted, WebhookError>>,
}

/// Sends a test notice every way that `settings` name, and on the desktop if `means` has one. Blocks until all have
/// ended, and tells that to `told`; the desktop's is then held until it is answered, at most for `hold`, as some desktops
/// take a notice away whose sender has gone.
///
/// # Errors
///
/// When the system refuses a runtime.
pub fn check(
    settings: &Settings,
    means: &Means,
    tr: &Tr,
    hold: Duration,
    told: impl FnOnce(&Checked),
) -> std::io::Result<Checked> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let message = message(means, tr);
    let (sender, heard) = sync_channel(1);
    let checked = runtime.block_on(async {
        let desktop = async {
            if !means.has_desktop {
                return None;
            }
            let hearer = Hearer::default();
            hearer.set(Arc::new(move |answer: Answer| {
                // The first is the one.
                let _ = sender.try_send(answer.action);
            }));
            let mut desk = Desk::new(hearer, means);
            let reached = desk.check(&message).await;
            Some((desk, reached))
        };
        let hook = async {
            let hook = settings.notices.hook.clone()?;
            let (message, env, roots) = (message.clone(), means.env.clone(), means.roots.clone());
            let keys = hook::key_variables(settings);
            let run = move || hook::call(&hook, &message, &env, &roots, &keys, &Stop::default());
            tokio::task::spawn_blocking(run).await.ok()
        };
        let webhook = async {
            let webhook = settings.notices.webhook.as_ref()?;
            let poster = Poster::new(Arc::clone(&means.secrets), Arc::clone(&means.clock));
            Some(poster.post(webhook, &message).await)
        };
        let (desk, hook, webhook) = tokio::join!(desktop, hook, webhook);
        let (desk, desktop) = desk.unzip();
        let mut checked = Checked { desktop, answer: None, hook, webhook };
        told(&checked);
        if let (Some(mut desk), Some(Ok(_))) = (desk, &checked.desktop) {
            desk.hold(message.id, hold).await;
            checked.answer = heard.try_recv().ok();
        }
        checked
    });
    runtime.shutdown_background();
    Ok(checked)
}

fn message(means: &Means, tr: &Tr) -> Message {
    Message {
        id: 0,
        replaces: None,
        summary: tr.text("notify-test"),
        body: tr.text("notify-test-body"),
        buttons: vec![Button { action: "test".to_owned(), label: tr.text("notify-test-button") }],
        without_buttons: tr.text("notify-test-without-buttons"),
        is_urgent: false,
        facts: json!({ "kind": "test", "at": means.clock.now().to_string() }),
    }
}

impl Checked {
    /// Whether it arrived every way that there is.
    pub fn is_ok(&self) -> bool {
        self.desktop.as_ref().is_none_or(Result::is_ok)
            && self.hook.as_ref().is_none_or(Result::is_ok)
            && self.webhook.as_ref().is_none_or(Result::is_ok)
    }

    /// One line a way.
    pub fn lines(&self, tr: &Tr) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.desktop {
            Some(Ok(Reached { name, has_buttons })) => {
                let id = if *has_buttons { "notify-test-desktop" } else { "notify-test-desktop-plain" };
                lines.push(tr.with(id, &args!("name" => name.as_str())));
            }
            Some(Err(trouble)) => {
                lines.push(tr.with("notify-test-desktop-failed", &args!("reason" => trouble.describe(tr))));
            }
            None => {}
        }
        match &self.hook {
            Some(Ok(HookRan { program, elapsed })) => {
                let program = program.display().to_string();
                let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
                let args = args!("program" => program, "milliseconds" => milliseconds);
                lines.push(tr.with("notify-test-hook", &args));
            }
            Some(Err(error)) => {
                lines.push(tr.with("notify-test-hook-failed", &args!("reason" => error.describe(tr))));
            }
            None => lines.push(tr.text("notify-test-no-hook")),
        }
        match &self.webhook {
            Some(Ok(Posted { status, .. })) => {
                lines.push(tr.with("notify-test-webhook", &args!("status" => status.to_string())));
            }
            Some(Err(error)) => {
                lines.push(tr.with("notify-test-webhook-failed", &args!("reason" => error.describe(tr))));
            }
            None => lines.push(tr.text("notify-test-no-webhook")),
        }
        lines
    }

    /// The same for scripts: `null` for a way that there is none of. Stable.
    pub fn json(&self) -> Value {
        let desktop = self.desktop.as_ref().map(|desktop| match desktop {
            Ok(Reached { name, has_buttons }) => {
                json!({ "ok": true, "name": name, "buttons": has_buttons, "answer": self.answer })
            }
            Err(trouble) => json!({ "ok": false, "error": trouble.to_string() }),
        });
        let hook = self.hook.as_ref().map(|hook| match hook {
            Ok(HookRan { program, elapsed }) => {
                json!({ "ok": true, "program": program.display().to_string(), "code": 0, "elapsed_ms": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX) })
            }
            Err(error) => {
                let code = if let HookError::Failed { code, .. } = error { *code } else { None };
                json!({ "ok": false, "code": code, "error": error.to_string() })
            }
        });
        let webhook = self.webhook.as_ref().map(|webhook| match webhook {
            Ok(Posted { status, tries }) => json!({ "ok": true, "status": status, "tries": tries }),
            Err(error) => json!({ "ok": false, "status": error.status(), "error": error.to_string() }),
        });
        json!({ "desktop": desktop, "hook": hook, "webhook": webhook })
    }
}
