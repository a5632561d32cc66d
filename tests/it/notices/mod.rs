//! Notices outside the window: the desktop through a bus of the test's own, the hook, the webhook, the test of all three.

mod check;
#[cfg(target_os = "linux")]
mod desktop;
#[cfg(unix)]
mod hook;
#[cfg(target_os = "linux")]
mod mock;
mod webhook;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde_json::json;
use vacancy::clock::{Clock, SystemClock};
use vacancy::notify::everywhere::{Everywhere, Means};
use vacancy::notify::{Answer, Button, Message, Notifier as _};
use vacancy::secrets::SystemSecrets;
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::settings::{Settings, SettingsFile};

/// Only ends a test that has failed.
const LIMIT: Duration = Duration::from_secs(60);

/// A folder with all that is ours in it, and the variables of this process with `more`.
fn means(folder: &std::path::Path, more: &[(&str, &str)]) -> Means {
    let mut env = Env::process();
    env.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    for (name, value) in more {
        env.set(*name, *value);
    }
    let roots = Roots::resolve(&env, Some(folder), Some(folder), None, None).unwrap();
    std::fs::create_dir_all(&roots.config).unwrap();
    Means {
        secrets: Arc::new(SystemSecrets::new(env.clone(), roots.clone())),
        env,
        roots,
        clock: Arc::new(SystemClock) as Arc<dyn Clock>,
        has_desktop: false,
        patience: Duration::from_millis(300),
    }
}

fn settings(text: &str) -> Settings {
    SettingsFile::parse(std::path::Path::new("vacancy.toml"), text.to_owned()).resolve().unwrap()
}

fn message(id: u64) -> Message {
    Message {
        id,
        replaces: None,
        summary: format!("sol is free again {id}"),
        body: "After <25> min & more.".to_owned(),
        buttons: vec![
            Button { action: "use".to_owned(), label: "Use sol now".to_owned() },
            Button { action: "snooze".to_owned(), label: "Snooze".to_owned() },
        ],
        without_buttons: "Open Vacancy to act.".to_owned(),
        is_urgent: false,
        facts: json!({ "kind": "recovered", "at": "2026-03-01T12:00:00Z", "target": "sol" }),
    }
}

/// A notifier, and the answers that it hears.
fn start(means: Means) -> (Everywhere, Receiver<Answer>) {
    let everywhere = Everywhere::start(means).unwrap();
    let (sender, answers) = sync_channel(64);
    everywhere.answer_to(Arc::new(move |answer| sender.try_send(answer).unwrap()));
    (everywhere, answers)
}

fn answered(answers: &Receiver<Answer>) -> (u64, String) {
    match answers.recv_timeout(LIMIT) {
        Ok(answer) => (answer.id, answer.action),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => panic!("no answer was heard"),
    }
}
