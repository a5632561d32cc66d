//! Tells the user wherever the settings say: on the desktop, by the hook, by the webhook.
//!
//! One thread, `vacancy-notify`, with a task for each; each has a queue of its own that drops the oldest, so that one
//! that hangs keeps nobody waiting, and one run of the hook or one post at a time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::clock::Clock;
use crate::notify::config::{Hook, Webhook};
use crate::notify::desktop::{Desk, Hearer, Order};
use crate::notify::hook::HookError;
use crate::notify::mail::Mail;
use crate::notify::webhook::Poster;
use crate::notify::{Answers, Message, Notifier, Trouble, Troubles, hook};
use crate::secrets::Secrets;
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::toolprobe::run::Stop;

/// Notices that may wait for one way; more than that means that it hangs.
const QUEUE: usize = 16;

/// How long what still blocks (a keyring that asks) may keep the program from ending.
const FAREWELL: Duration = Duration::from_secs(1);

/// What is needed to reach the user.
#[derive(Clone)]
pub struct Means {
    /// The variables that a hook inherits, and where its program is looked for.
    pub env: Env,
    /// The folders that a hook may run in.
    pub roots: Roots,
    /// Where a webhook's address is kept.
    pub secrets: Arc<dyn Secrets>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Whether notices are shown on the desktop.
    pub has_desktop: bool,
    /// How long the desktop's service may take to answer, usually [`Means::PATIENCE`].
    pub patience: Duration,
}

impl Means {
    /// A working service takes a few milliseconds.
    pub const PATIENCE: Duration = Duration::from_secs(5);
}

/// Tells the user; see the module.
pub struct Everywhere {
    ways: Arc<Ways>,
    hearer: Hearer,
    thread: Option<std::thread::JoinHandle<()>>,
}

struct Ways {
    has_desktop: bool,
    desktop: Mail<Order>,
    hook: Mail<Message>,
    webhook: Mail<Message>,
    chosen: Mutex<Chosen>,
    troubles: Mutex<Option<Troubles>>,
    stop: Stop,
}

/// What the settings chose.
#[derive(Clone, Default)]
struct Chosen {
    hook: Option<Hook>,
    webhook: Option<Webhook>,
    keys: Arc<BTreeSet<String>>,
}

impl Everywhere {
    /// Starts the thread; it ends when this value is dropped. Nothing but the desktop is told before
    /// [`Notifier::configure`].
    ///
    /// # Errors
    ///
    /// When the system refuses a thread or a runtime.
    pub fn start(means: Means) -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let ways = Arc::new(Ways {
            has_desktop: means.has_desktop,
            desktop: Mail::new(QUEUE),
            hook: Mail::new(QUEUE),
            webhook: Mail::new(QUEUE),
            chosen: Mutex::default(),
            troubles: Mutex::default(),
            stop: Stop::default(),
        });
        let hearer = Hearer::default();
        let (theirs, heard) = (Arc::clone(&ways), hearer.clone());
        let work = move || work(runtime, &theirs, heard, means);
        let thread = std::thread::Builder::new().name("vacancy-notify".into()).spawn(work)?;
        Ok(Self { ways, hearer, thread: Some(thread) })
    }
}

impl Notifier for Everywhere {
    fn show(&self, message: Message) {
        let chosen = self.ways.chosen();
        let (has_hook, has_webhook) = (chosen.hook.is_some(), chosen.webhook.is_some());
        drop(chosen);
        if has_hook {
            self.ways.hook.post(message.clone());
        }
        if has_webhook {
            self.ways.webhook.post(message.clone());
        }
        if self.ways.has_desktop {
            self.ways.desktop.post(Order::Show(message));
        }
    }

    fn withdraw(&self, id: u64) {
        if self.ways.has_desktop {
            self.ways.desktop.post(Order::Withdraw(id));
        }
    }

    fn answer_to(&self, answers: Answers) {
        self.hearer.set(answers);
    }

    fn complain_to(&self, troubles: Troubles) {
        *self.ways.troubles.lock().unwrap_or_else(PoisonError::into_inner) = Some(troubles);
    }

    fn configure(&self, settings: &Settings) {
        *self.ways.chosen() = Chosen {
            hook: settings.notices.hook.clone(),
            webhook: settings.notices.webhook.clone(),
            keys: Arc::new(hook::key_variables(settings)),
        };
    }
}

impl Drop for Everywhere {
    fn drop(&mut self) {
        self.ways.stop.stop();
        self.ways.desktop.close();
        self.ways.hook.close();
        self.ways.webhook.close();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread of notices failed");
        }
    }
}

impl Ways {
    fn chosen(&self) -> MutexGuard<'_, Chosen> {
        // Each write leaves it whole.
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, trouble: Trouble) {
        if let Some(troubles) = &*self.troubles.lock().unwrap_or_else(PoisonError::into_inner) {
            troubles(trouble);
        }
    }
}

fn work(runtime: Runtime, ways: &Arc<Ways>, hearer: Hearer, means: Means) {
    let poster = Poster::new(Arc::clone(&means.secrets), Arc::clone(&means.clock));
    runtime.block_on(async {
        tokio::join!(Desk::new(hearer, &means).run(&ways.desktop), hooks(ways, &means), webhooks(ways, &poster));
    });
    runtime.shutdown_timeout(FAREWELL);
}

async fn hooks(ways: &Arc<Ways>, means: &Means) {
    while let Some((message, dropped)) = ways.hook.next().await {
        told_of_loss("hook", dropped);
        let chosen = ways.chosen().clone();
        let Some(hook) = chosen.hook else { continue };
        let (env, roots, stop) = (means.env.clone(), means.roots.clone(), ways.stop.clone());
        let run = move || hook::call(&hook, &message, &env, &roots, &chosen.keys, &stop);
        match tokio::task::spawn_blocking(run).await {
            Ok(Ok(_)) => ways.tell(Trouble::over("hook")),
            // Only this program's own end stops it.
            Ok(Err(HookError::Stopped { .. })) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "the hook for notices");
                ways.tell(Trouble::of("hook", |tr| error.describe(tr)));
            }
            Err(error) => tracing::error!(%error, "the hook's task failed"),
        }
    }
}

async fn webhooks(ways: &Ways, poster: &Poster) {
    let posts = async {
        while let Some((message, dropped)) = ways.webhook.next().await {
            told_of_loss("webhook", dropped);
            let Some(webhook) = ways.chosen().webhook.clone() else { continue };
            match poster.post(&webhook, &message).await {
                Ok(_) => ways.tell(Trouble::over("webhook")),
                Err(error) => {
                    tracing::warn!(%error, "the webhook for notices");
                    ways.tell(Trouble::of("webhook", |tr| error.describe(tr)));
                }
            }
        }
    };
    tokio::select! {
        () = posts => {}
        () = ways.webhook.closed() => {}
    }
}

fn told_of_loss(way: &str, dropped: usize) {
    if dropped > 0 {
        tracing::warn!(way, dropped, "notices dropped: there were too many for it");
    }
}
