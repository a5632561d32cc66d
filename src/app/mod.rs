//! The composition root: makes settings, store, prober, notifier and engine out of a command line's context, and owns
//! the order in which they end.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::app::hands::SystemHands;
use crate::app::serving::Metrics;
use crate::args;
use crate::cli::{Context, Exit, Failure};
use crate::context::fetch::{Fetch, HttpFetch};
use crate::core::schedule::NetworkState;
use crate::engine::request::Request;
use crate::engine::switching::Hands;
use crate::engine::{Follower, Handle, Parts, Waker};
use crate::i18n::Tr;
use crate::listen::tail::Listening;
use crate::metrics::server::MetricsError;
use crate::notify::everywhere::{Everywhere, Means};
use crate::notify::{Notifier, Silent};
use crate::platform::calls::{self, Call, Calls, Keeper};
use crate::platform::network::{Change, Changes};
use crate::private;
use crate::probe::gate::Gate;
use crate::probe::http::HttpProber;
use crate::secrets::SystemSecrets;
use crate::settings::Settings;
use crate::store::{Care, Options, Store, StoreError, StoreHandle};
use crate::toolprobe::probe::SystemTools;

pub mod hands;
pub mod leaving;
mod listening;
mod serving;
pub mod tooling;
pub mod window;

/// How an engine differs from the usual one.
#[derive(Debug, Default)]
pub struct EngineOptions {
    /// No desktop notices; the hook and the webhook are told all the same.
    pub is_silent: bool,
    /// For the window: settings that are missing or not valid are none, which the window says.
    pub is_window: bool,
    /// For the window: it begins minimised, with the glance open.
    pub is_glance: bool,
    /// Planted data: every screen says so, and nobody is told of it outside the window.
    pub is_demo: bool,
    /// For the window: it begins without being seen.
    pub is_quiet: bool,
    /// These settings in the place of the file's.
    pub settings: Option<Settings>,
    /// Metrics are served there, whatever the settings say.
    pub metrics: Option<SocketAddr>,
    /// The record, where it was taken before.
    pub(crate) held: Option<Held>,
}

/// A running engine with what must outlive it.
pub struct Running {
    /// The engine.
    pub handle: Handle,
    /// What it started with.
    pub settings: Settings,
    /// Where metrics are served at the start, if they are wanted, or why they are not.
    pub metrics: Option<Result<SocketAddr, MetricsError>>,
    serving: Metrics,
    listening: Option<Listening>,
    store: Store,
    network: Option<NetworkWatch>,
    /// Kept as long as the engine runs: two engines on one record would probe everything twice.
    held: Held,
}

impl Running {
    /// A handle to the record, for what is read beside the engine.
    pub fn store(&self) -> StoreHandle {
        self.store.handle()
    }

    /// Ends the engine, then closes the record.
    pub fn stop(self) {
        self.stop_then(|| ());
    }

    /// The same, with something done while the record is closed and still ours alone.
    pub fn stop_then<T>(self, last: impl FnOnce() -> T) -> T {
        self.serving.end();
        drop(self.network);
        drop(self.listening);
        self.handle.stop();
        drop(self.store);
        let done = last();
        drop(self.held);
        done
    }
}

/// Reads the settings.
///
/// # Errors
///
/// Everything that is wrong with the file, a line a finding; or where it would be, when there is none.
pub fn settings(context: &Context) -> Result<Settings, Failure> {
    let path = context.roots.settings_file();
    if !path.exists() {
        let path = path.display().to_string();
        return Err(Failure::new(Exit::Usage, context.tr.with("cli-no-settings", &args!("path" => path))));
    }
    Settings::load(&path).map_err(|findings| {
        let lines: Vec<String> = findings.iter().map(|finding| finding.line_text(&context.tr)).collect();
        Failure::new(Exit::Usage, format!("{}\n{}", context.tr.text("cli-bad-settings"), lines.join("\n")))
    })
}

/// What the window starts with: settings that cannot be read are none, and nothing is deleted by their defaults.
fn window_settings(file: &Path) -> Settings {
    Settings::load(file).unwrap_or_else(|_| {
        let mut none = Settings::default();
        none.data.keep_days = u32::MAX;
        none
    })
}

/// The zone in which times are shown: the settings' or the system's.
pub fn zone(settings: &Settings) -> TimeZone {
    settings.ui.zone.clone().unwrap_or_else(TimeZone::system)
}

/// A fault of the store as the end of a verb.
pub fn store_failure(error: &StoreError, tr: &Tr) -> Failure {
    let exit = if matches!(error, StoreError::Missing { .. }) { Exit::Refused } else { Exit::Fault };
    Failure::new(exit, error.text(tr))
}

/// Starts an engine on the user's record.
///
/// # Errors
///
/// When the settings are not valid, another engine runs on the same record, or the record cannot be opened.
pub fn engine(context: &Context, options: EngineOptions, waker: Arc<dyn Waker>) -> Result<Running, Failure> {
    let (settings, settings_file) = match options.settings {
        Some(given) => (given, None),
        None if options.is_window => {
            (window_settings(&context.roots.settings_file()), Some(context.roots.settings_file()))
        }
        None => (settings(context)?, Some(context.roots.settings_file())),
    };
    let held = match options.held {
        Some(held) => held,
        None => hold(context, Keeper::Terminal, Arc::new(|_| ()))?,
    };
    let care = (!options.is_demo).then(|| Care { keep_days: settings.data.keep_days, ..Care::default() });
    let store_options = Options { care, ..Options::default() };
    let store = Store::open(&context.roots.database(), store_options, Arc::clone(&context.clock))
        .map_err(|error| store_failure(&error, &context.tr))?;
    let secrets = Arc::new(SystemSecrets::new(context.env.clone(), context.roots.clone()));
    let notifier: Arc<dyn Notifier> = if options.is_demo {
        Arc::new(Silent)
    } else {
        Arc::new(Everywhere::start(notices(context, !options.is_silent)).map_err(|error| cannot_start(&error))?)
    };
    // Only the window shows it, and planted data have no provider that a page could speak of.
    let fetch = (options.is_window && !options.is_demo).then(|| HttpFetch::new(Arc::clone(&context.clock)));
    let hands = SystemHands::new(context.roots.clone(), context.env.clone(), Arc::clone(&context.clock));
    let serving = Metrics::new(context, options.metrics);
    let parts = Parts {
        follower: (!options.is_demo).then(|| Box::new(serving.clone()) as Box<dyn Follower>),
        zone: TimeZone::system(),
        settings: settings.clone(),
        settings_file,
        prober: Arc::new(HttpProber::new(secrets, Arc::clone(&context.clock), Gate::default())),
        context: fetch.map(|fetch| Arc::new(fetch) as Arc<dyn Fetch>),
        tools: Arc::new(SystemTools {
            env: context.env.clone(),
            roots: context.roots.clone(),
            clock: Arc::clone(&context.clock),
        }),
        hands: (!options.is_demo).then(|| Box::new(hands) as Box<dyn Hands>),
        store: store.handle(),
        clock: Arc::clone(&context.clock),
        rng: fastrand::Rng::new(),
        notifier,
        tr: context.tr.clone(),
        waker,
        is_demo: options.is_demo,
    };
    let handle = Handle::start(parts).map_err(|error| cannot_start(&error))?;
    let listening = if options.is_demo {
        None
    } else {
        Some(listening::start(context, &handle, &store.handle()).map_err(|error| cannot_start(&error))?)
    };
    let metrics = match options.is_demo && options.metrics.is_none() {
        true => None,
        false => serving.begin(handle.snapshots(), &settings),
    };
    // The demo's provider is on this machine.
    let network = if options.is_demo { None } else { NetworkWatch::start(handle.requests()) };
    Ok(Running { metrics, serving, handle, settings, listening, store, network, held })
}

/// What is needed to reach the user outside the window.
pub(crate) fn notices(context: &Context, has_desktop: bool) -> Means {
    Means {
        env: context.env.clone(),
        roots: context.roots.clone(),
        secrets: Arc::new(SystemSecrets::new(context.env.clone(), context.roots.clone())),
        clock: Arc::clone(&context.clock),
        has_desktop,
        patience: Means::PATIENCE,
    }
}

pub(crate) fn cannot_start(error: &std::io::Error) -> Failure {
    Failure::new(Exit::Fault, format!("the system refuses a thread: {error}"))
}

/// A record that is ours alone, with the socket by which a second start reaches us.
#[derive(Debug)]
pub(crate) struct Held {
    /// Without it a second start is refused and not answered. Ends before the lock.
    _calls: Option<Calls>,
    _lock: Option<File>,
}

/// Takes a record. What a second start asks goes to `heard`.
pub(crate) fn hold(context: &Context, keeper: Keeper, heard: Arc<dyn Fn(Call) + Send + Sync>) -> Result<Held, Failure> {
    let lock = lock(&context.roots.data, &context.tr)?;
    let place = calls::place(&context.roots.data, &context.env);
    let calls = Calls::take(&place, keeper, heard);
    if let Err(error) = &calls {
        tracing::warn!(%error, place = %place.display(), "a second start cannot reach this one");
    }
    Ok(Held { _calls: calls.ok(), _lock: lock })
}

/// The name of the lock in a data folder.
const LOCK: &str = "vacancy.lock";

/// Takes the lock of a data folder; the system frees it when the process ends, however it ends. Where nothing can be
/// written the folder itself is locked, and where there is none nothing is: what is seen then lives in memory, and the
/// record's own trouble is shown.
fn lock(data: &Path, tr: &Tr) -> Result<Option<File>, Failure> {
    let path = data.join(LOCK);
    let failed = |error: std::io::Error| {
        if let Some(found) = private::in_the_way_of(data) {
            let words = tr.with("cli-no-folder", &args!("path" => found.display().to_string()));
            return Failure::new(Exit::Fault, words);
        }
        let arguments = args!("path" => path.display().to_string(), "error" => error.to_string());
        Failure::new(Exit::Fault, tr.with("cli-no-lock", &arguments))
    };
    let file = match private::create_folder(data).and_then(|()| private::open_file(&path)) {
        Ok(file) => file,
        Err(error) if is_no_room(error.kind()) => {
            tracing::warn!(%error, path = %path.display(), "nothing can be written here");
            match File::open(&path).or_else(|_| File::open(data)) {
                Ok(file) => file,
                Err(_) => return Ok(None),
            }
        }
        Err(error) => return Err(failed(error)),
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(Failure::new(
            Exit::Refused,
            tr.with("cli-already-running", &args!("path" => data.display().to_string())),
        )),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Whether the place is to blame, so that another try at another time may do.
const fn is_no_room(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied | ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

/// Tells the engine what the system says of the network, on the thread `vacancy-network`.
struct NetworkWatch(CancellationToken);

impl NetworkWatch {
    /// Begins; `None` where the system does not tell, and probes have to find out.
    fn start(requests: mpsc::Sender<Request>) -> Option<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let work = move || runtime.block_on(async { stopped.run_until_cancelled(tell_changes(&requests)).await });
        let thread = std::thread::Builder::new().name("vacancy-network".into()).spawn(work);
        thread.inspect_err(|error| tracing::warn!(%error, "changes of the network are not followed")).ok()?;
        Some(Self(stop))
    }
}

impl Drop for NetworkWatch {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

async fn tell_changes(requests: &mpsc::Sender<Request>) {
    let Ok(mut changes) = Changes::open() else { return };
    while let Ok(change) = changes.next().await {
        let state = match change {
            Change::Way => NetworkState::Up,
            Change::NoWay => NetworkState::Down,
        };
        if requests.send(Request::Network(state)).await.is_err() {
            return;
        }
    }
}

/// Ends when the process is asked to end: Ctrl+C, SIGTERM, or SIGHUP of a closed terminal. From the call on, within a
/// runtime, none of them ends the process by itself.
pub fn stop_signal() -> impl Future<Output = ()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        async {
            let mut waits: Vec<_> = signals.into_iter().filter_map(Result::ok).collect();
            if waits.is_empty() {
                // No handler could be installed: the system ends the process by itself then.
                std::future::pending::<()>().await;
            }
            let any = waits.iter_mut().map(|signal| Box::pin(signal.recv()));
            futures_util::future::select_all(any).await;
        }
    }
    #[cfg(not(unix))]
    {
        async {
            // An error means that no handler could be installed: then the system ends the process by itself.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
