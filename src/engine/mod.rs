//! The engine: the loop that owns schedule and board, performs their effects through the shells, and publishes
//! an immutable [`snapshot::Snapshot`] after every change.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::context::fetch::Fetch;
use crate::engine::machines::Machines;
use crate::engine::request::Request;
use crate::engine::snapshot::{EngineStatus, Snapshot};
use crate::engine::switching::Hands;
use crate::i18n::Tr;
use crate::notify::Notifier;
use crate::probe::Prober;
use crate::settings::Settings;
use crate::store::StoreHandle;
use crate::toolprobe::probe::Tools;

mod activity;
mod context;
mod limits;
mod look;
pub mod machines;
pub mod notices;
pub mod record;
mod recorder;
pub mod request;
mod run;
mod settings_watch;
pub mod snapshot;
mod strips;
pub mod switching;
mod tool_probes;

pub use recorder::{planted_snapshot, record_snapshot};

/// Requests that may wait; a full queue means that the engine hangs, and the asker is told.
const QUEUE: usize = 64;

/// Is told that there is a new snapshot. Must not block.
pub trait Waker: Send + Sync {
    /// Asks for the new snapshot to be looked at.
    fn wake(&self);

    /// The same for a picture in which nothing is expected to be new: one a minute comes in any case.
    fn minute(&self) {}

    /// Asks for the window to come to the front, where there is one: a notice itself was clicked.
    fn open(&self) {}
}

/// For those who wait on the channel itself.
impl Waker for () {
    fn wake(&self) {}
}

/// What else of the program follows the settings.
pub trait Follower: Send {
    /// Takes hold of settings that were read again; what could not be done in words. Must not block for long.
    fn follow(&mut self, settings: &Settings, tr: &Tr) -> Option<String>;
}

/// What an engine is made of.
pub struct Parts {
    /// What to watch, and how.
    pub settings: Settings,
    /// Where they came from, to read them again; `None` keeps them for good.
    pub settings_file: Option<PathBuf>,
    /// Makes the probes.
    pub prober: Arc<dyn Prober>,
    /// Asks status pages and the like; `None` asks nobody.
    pub context: Option<Arc<dyn Fetch>>,
    /// Runs the tools that may be run.
    pub tools: Arc<dyn Tools>,
    /// Switches tools; `None` where nothing may be written.
    pub hands: Option<Box<dyn Hands>>,
    /// Is told when the settings were read again.
    pub follower: Option<Box<dyn Follower>>,
    /// Keeps the record.
    pub store: StoreHandle,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// The system's zone.
    pub zone: TimeZone,
    /// Where chance comes from.
    pub rng: fastrand::Rng,
    /// Tells the user outside the window.
    pub notifier: Arc<dyn Notifier>,
    /// In which words.
    pub tr: Tr,
    /// Is woken at each new snapshot.
    pub waker: Arc<dyn Waker>,
    /// Runs against planted data, which every screen says.
    pub is_demo: bool,
}

/// A running engine on its thread `vacancy-engine`.
#[derive(Debug)]
pub struct Handle {
    requests: mpsc::Sender<Request>,
    snapshots: watch::Receiver<Snapshot>,
    stop: CancellationToken,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Handle {
    /// Starts an engine. It reads the record and begins to probe at once; the first snapshots know little.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread or a runtime.
    pub fn start(parts: Parts) -> std::io::Result<Self> {
        let status = EngineStatus { is_demo: parts.is_demo, ..EngineStatus::default() };
        let mut empty = Machines::new(parts.settings.setup(&parts.zone), parts.rng.clone());
        let (publish, snapshots) = watch::channel(empty.snapshot(status, parts.clock.now()));
        let (requests, inbox) = mpsc::channel(QUEUE);
        let stop = CancellationToken::new();
        let answered = requests.clone();
        parts.notifier.answer_to(Arc::new(move |answer| {
            if let Err(error) = answered.try_send(Request::Answered(answer)) {
                tracing::warn!(%error, "an answer to a notice is lost");
            }
        }));
        let complained = requests.clone();
        parts.notifier.complain_to(Arc::new(move |trouble| {
            if let Err(error) = complained.try_send(Request::NoticeTrouble(trouble)) {
                tracing::warn!(%error, "a trouble of a notice is lost");
            }
        }));
        parts.notifier.configure(&parts.settings);
        let stopped = stop.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("vacancy-engine".into()).spawn(move || {
            runtime.block_on(async move { run::Engine::new(parts, publish).run(inbox, stopped).await });
            // What still blocks (a keyring that asks, a name server that is silent) must not keep the program from ending.
            runtime.shutdown_background();
        })?;
        Ok(Self { requests, snapshots, stop, thread: Some(thread) })
    }

    /// Where to send requests: `try_send`, a full queue is to be told to the user.
    pub fn requests(&self) -> mpsc::Sender<Request> {
        self.requests.clone()
    }

    /// The newest snapshot, and a way to wait for the next.
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshots.clone()
    }

    /// Stops the engine and waits until the record is on disk. Probes under way are given up.
    pub fn stop(mut self) {
        self.join();
    }

    fn join(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the engine's thread failed");
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.join();
    }
}
