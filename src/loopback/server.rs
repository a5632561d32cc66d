//! The server: accepts on 127.0.0.1, records what was asked, decides by plan, control and name what is answered.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::loopback::answer::{self, Answer};
use crate::loopback::connection::serve;
use crate::loopback::route::{Route, route};
use crate::loopback::settings::Addresses;
use crate::loopback::tls::Identity;
use crate::loopback::{Plan, Reply, Scenario, Tempo};

/// Connections that wait to be accepted: a thousand probes may come at once.
const BACKLOG: u32 = 4096;
/// Requests kept for tests; older ones are dropped.
const RECORDED: usize = 4096;

/// How to start.
#[derive(Clone)]
pub struct Options {
    /// The port for plain HTTP; the next one takes TLS, the one after is kept closed. 0 lets the system choose all three.
    pub port: u16,
    /// What a model answers whose name is no scenario's.
    pub default: Scenario,
    /// How fast the slow scenarios are.
    pub tempo: Tempo,
    /// Answers that change with time; [`Loopback::set`] comes before it, the model's name after it.
    pub plan: Option<Arc<dyn Plan>>,
    /// Model names to list besides the scenarios'.
    pub models: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: 0, default: Scenario::Ok, tempo: Tempo::default(), plan: None, models: Vec::new() }
    }
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The method.
    pub method: String,
    /// The path, still percent-encoded.
    pub path: String,
    /// The query without its question mark; empty when there was none.
    pub query: String,
    /// The headers in their order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Recorded {
    /// The first header with this name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null when it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Why the loopback provider did not start.
#[derive(Debug, thiserror::Error)]
pub enum LoopbackError {
    /// A port could not be had.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; choose another with --port")]
    Bind {
        /// Which; 0 is any.
        port: u16,
        /// The system's reason.
        source: io::Error,
    },
    /// The certificate for TLS could not be made.
    #[error("cannot make a certificate for the loopback provider: {0}")]
    Certificate(String),
    /// The thread or its runtime could not be started.
    #[error("cannot start the loopback provider's thread: {0}")]
    Thread(io::Error),
}

/// A running loopback provider. Dropping it stops it; [`Loopback::shutdown`] also waits for that.
pub struct Loopback {
    shared: Arc<Shared>,
    addresses: Addresses,
    ca_pem: String,
    cancel: CancellationToken,
    tracker: TaskTracker,
    /// Bound and never listened on, so that nobody else can open the port that must be closed.
    _closed: TcpSocket,
}

/// What all connections share.
pub(super) struct Shared {
    options: Options,
    started: Instant,
    replies: Mutex<HashMap<String, Reply>>,
    recorded: Mutex<VecDeque<Recorded>>,
    count: watch::Sender<u64>,
}

impl Loopback {
    /// Starts on the present tokio runtime.
    ///
    /// # Errors
    ///
    /// When a port cannot be had or the certificate cannot be made.
    pub async fn start(options: Options) -> Result<Self, LoopbackError> {
        let next = |offset: u16| options.port.checked_add(offset).filter(|_| options.port != 0).unwrap_or(0);
        let (plain, tls) = (listen(next(0))?, listen(next(1))?);
        let closed = bind(next(2))?;
        let address = |scheme: &str, socket: io::Result<SocketAddr>| {
            socket
                .map(|address| format!("{scheme}://{address}"))
                .map_err(|source| LoopbackError::Bind { port: options.port, source })
        };
        let addresses = Addresses {
            plain: address("http", plain.local_addr())?,
            tls: address("https", tls.local_addr())?,
            refused: address("http", closed.local_addr())?,
        };
        let identity = Identity::new().map_err(|error| LoopbackError::Certificate(error.to_string()))?;
        let (cancel, tracker) = (CancellationToken::new(), TaskTracker::new());
        let shared = Arc::new(Shared {
            options,
            started: Instant::now(),
            replies: Mutex::default(),
            recorded: Mutex::default(),
            count: watch::channel(0).0,
        });
        for (listener, acceptor) in [(plain, None), (tls, Some(identity.acceptor))] {
            let (shared, cancel, connections) = (Arc::clone(&shared), cancel.clone(), tracker.clone());
            tracker.spawn(async move {
                loop {
                    let stream = tokio::select! {
                        () = cancel.cancelled() => break,
                        accepted = listener.accept() => match accepted {
                            Ok((stream, _)) => stream,
                            Err(_) => {
                                // Out of file descriptors, most likely: those in use are given back in a moment.
                                tokio::time::sleep(Duration::from_millis(20)).await;
                                continue;
                            }
                        },
                    };
                    let (shared, cancel, acceptor) = (Arc::clone(&shared), cancel.clone(), acceptor.clone());
                    connections.spawn(async move {
                        let work = async {
                            // Nagle's algorithm would join the pieces that a scenario sends apart.
                            let _ = stream.set_nodelay(true);
                            match acceptor {
                                None => serve(stream, shared).await,
                                Some(acceptor) => {
                                    // A client that does not trust us ends the handshake: that is the scenario.
                                    if let Ok(stream) = acceptor.accept(stream).await {
                                        serve(stream, shared).await;
                                    }
                                }
                            }
                        };
                        tokio::select! {
                            () = cancel.cancelled() => {}
                            () = work => {}
                        }
                    });
                }
            });
        }
        tracker.close();
        Ok(Self { shared, addresses, ca_pem: identity.ca_pem, cancel, tracker, _closed: closed })
    }

    /// The base addresses.
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The certificate that signs the TLS port's, for a client that is to trust it (`ca_file`).
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// Makes `model` answer so from now on, whatever the plan and its name say.
    pub fn set(&self, model: impl Into<String>, reply: impl Into<Reply>) {
        lock(&self.shared.replies).insert(model.into(), reply.into());
    }

    /// Ends what [`Loopback::set`] began.
    pub fn clear(&self, model: &str) {
        lock(&self.shared.replies).remove(model);
    }

    /// The newest requests, oldest first.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.shared.recorded).iter().cloned().collect()
    }

    /// How many requests came since the start.
    pub fn request_count(&self) -> u64 {
        *self.shared.count.borrow()
    }

    /// Waits until `count` requests have come since the start.
    pub async fn wait_for_requests(&self, count: u64) {
        // The sender lives as long as `self`, so that waiting cannot fail.
        let _ = self.shared.count.subscribe().wait_for(|seen| *seen >= count).await;
    }

    /// Every model that it lists.
    pub fn models(&self) -> Vec<String> {
        self.shared.models()
    }

    /// Stops accepting, drops every connection and waits until all of its tasks have ended.
    pub async fn shutdown(self) {
        self.cancel.cancel();
        self.tracker.wait().await;
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// A loopback provider on a thread of its own, for callers without a runtime. Dropping it stops it and joins the thread.
pub struct LoopbackThread {
    loopback: Loopback,
    thread: Option<JoinHandle<()>>,
}

impl LoopbackThread {
    /// Starts the thread and the provider on it.
    ///
    /// # Errors
    ///
    /// As [`Loopback::start`], and when there can be no thread.
    pub fn start(options: Options) -> Result<Self, LoopbackError> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(LoopbackError::Thread)?;
        let thread = std::thread::Builder::new()
            .name("vacancy-loopback".to_owned())
            .spawn(move || {
                runtime.block_on(async move {
                    let started = Loopback::start(options).await;
                    let ends =
                        started.as_ref().ok().map(|loopback| (loopback.cancel.clone(), loopback.tracker.clone()));
                    // The receiver waits for exactly this; were it gone, dropping the provider would stop it.
                    let _ = sender.send(started);
                    if let Some((cancel, tracker)) = ends {
                        cancel.cancelled().await;
                        tracker.wait().await;
                    }
                });
            })
            .map_err(LoopbackError::Thread)?;
        let loopback = receiver.recv().map_err(|error| LoopbackError::Thread(io::Error::other(error)))??;
        Ok(Self { loopback, thread: Some(thread) })
    }
}

impl std::ops::Deref for LoopbackThread {
    type Target = Loopback;

    fn deref(&self) -> &Loopback {
        &self.loopback
    }
}

impl Drop for LoopbackThread {
    fn drop(&mut self) {
        self.loopback.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already and is no reason to panic here.
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every write leaves the maps whole, so that a panic elsewhere spoils nothing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bind(port: u16) -> Result<TcpSocket, LoopbackError> {
    let fail = |source| LoopbackError::Bind { port, source };
    let socket = TcpSocket::new_v4().map_err(fail)?;
    // On Windows the option would let two servers share the port.
    if cfg!(unix) {
        socket.set_reuseaddr(true).map_err(fail)?;
    }
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(fail)?;
    Ok(socket)
}

fn listen(port: u16) -> Result<TcpListener, LoopbackError> {
    bind(port)?.listen(BACKLOG).map_err(|source| LoopbackError::Bind { port, source })
}

impl Shared {
    fn models(&self) -> Vec<String> {
        let scenarios = Scenario::ALL.iter().filter(|scenario| !scenario.is_by_base_url());
        self.options.models.iter().cloned().chain(scenarios.map(|scenario| scenario.name().to_owned())).collect()
    }

    fn reply(&self, model: &str) -> Reply {
        let set = lock(&self.replies).get(model).copied();
        set.or_else(|| self.options.plan.as_ref()?.reply(model, self.started.elapsed()))
            .unwrap_or_else(|| Scenario::of_model(model).unwrap_or(self.options.default).into())
    }

    fn record(&self, recorded: Recorded) {
        let mut all = lock(&self.recorded);
        if all.len() == RECORDED {
            all.pop_front();
        }
        all.push_back(recorded);
        drop(all);
        self.count.send_modify(|count| *count += 1);
    }

    /// Decides the answer to a request and keeps it.
    pub(super) fn answer(&self, recorded: Recorded) -> Answer {
        let answer = match route(&recorded.method, &recorded.path, &recorded.query, &recorded.body) {
            Route::Generate(mut ask) => {
                ask.serial = *self.count.borrow();
                answer::answer(&ask, self.reply(&ask.model), self.options.tempo)
            }
            Route::Models(dialect) => answer::models(dialect, &self.models()),
            Route::Set(model, scenario) => {
                lock(&self.replies).insert(model, scenario.into());
                answer::done()
            }
            Route::Unknown => answer::wrong_path(),
        };
        self.record(recorded);
        answer
    }
}
