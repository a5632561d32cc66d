//! Serves the metrics: one small HTTP server on a thread of its own, bounded in everything a stranger can choose.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use jiff::Timestamp;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::address;
use super::families::{self, Facts, Switches};
use super::text::Format;
use crate::args;
use crate::clock::Clock;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::switch::journal;
use crate::switch::shell::journal_file::JournalFile;

/// Connections at once; more wait in the system's queue.
const CONNECTIONS: usize = 16;

/// A request's head must have come within this time.
const HEAD: Duration = Duration::from_secs(5);

/// A whole connection lasts no longer: who reads slower has a page that is old already.
const WHOLE: Duration = Duration::from_secs(10);

/// The longest head of a request.
const HEAD_BYTES: usize = 16 * 1024;

/// Why metrics are not served.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The address cannot be had.
    #[error("metrics cannot be served on {address} ({reason}): choose another address, or end the program that has it")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The system's words.
        reason: std::io::Error,
    },
    /// The system refuses a thread.
    #[error("the system refuses a thread: {0}")]
    Thread(std::io::Error),
}

impl MetricsError {
    /// In words of the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::Bind { address, reason } => {
                tr.with("metrics-bind", &args!("address" => address.to_string(), "error" => reason.to_string()))
            }
            Self::Thread(_) => self.to_string(),
        }
    }
}

/// What the server tells of.
pub struct Means {
    /// The newest picture.
    pub snapshots: watch::Receiver<Snapshot>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The record's file.
    pub database: PathBuf,
    /// The folder of the journal.
    pub data: PathBuf,
}

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    means: Means,
    local: SocketAddr,
    started_at: Timestamp,
    /// The journal's size when it was read, and what it said.
    journal: Mutex<(Option<u64>, Switches)>,
}

impl Server {
    /// Begins to serve on `address`.
    ///
    /// # Errors
    ///
    /// When the address cannot be had, or there can be no thread.
    pub fn start(address: SocketAddr, means: Means) -> Result<Self, MetricsError> {
        let failed = |reason| MetricsError::Bind { address, reason };
        // Bound here, so that the caller hears of it.
        let listener = std::net::TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let local = listener.local_addr().map_err(failed)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(MetricsError::Thread)?;
        let shared = Arc::new(Shared { local, started_at: means.clock.now(), journal: Mutex::default(), means });
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let serve = move || {
            runtime.block_on(async move {
                match TcpListener::from_std(listener) {
                    Ok(listener) => accept(listener, shared, stopped).await,
                    Err(error) => tracing::error!(%error, "metrics are not served"),
                }
            });
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new()
            .name("vacancy-metrics".to_owned())
            .spawn(serve)
            .map_err(MetricsError::Thread)?;
        Ok(Self { address: local, stop, thread: Some(thread) })
    }

    /// Where it serves.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already and is no reason to panic here.
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = tokio::select! {
            () = stop.cancelled() => return,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file descriptors, most likely: those in use are given back in a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // Its time is up, its client is gone, or it is served: nobody needs to know which.
            let _ = tokio::time::timeout(WHOLE, serve(stream, shared)).await;
            drop(place);
        });
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) -> hyper::Result<()> {
    let service = service_fn(move |request| {
        let answer = answer(&request, &shared);
        async move { Ok::<_, Infallible>(answer) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await
}

fn answer(request: &Request<Incoming>, shared: &Shared) -> Response<Full<Bytes>> {
    let host = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    if !address::is_host_allowed(host, shared.local.ip()) {
        return said(StatusCode::FORBIDDEN, "Ask by the address itself: this one is for this machine alone.\n");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut answer = said(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are answered.\n");
        answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return answer;
    }
    match request.uri().path() {
        "/metrics" => {
            let accept = request.headers().get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
            let format = Format::of_accept(&accept.collect::<Vec<_>>().join(","));
            let mut answer = Response::new(Full::from(shared.text(format)));
            let content_type = HeaderValue::from_static(format.content_type());
            answer.headers_mut().insert(header::CONTENT_TYPE, content_type);
            answer
        }
        "/" => said(StatusCode::OK, "Vacancy. The metrics are at /metrics.\n"),
        _ => said(StatusCode::NOT_FOUND, "The metrics are at /metrics.\n"),
    }
}

fn said(status: StatusCode, words: &'static str) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::from(words));
    *answer.status_mut() = status;
    let content_type = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, content_type);
    answer
}

impl Shared {
    fn text(&self, format: Format) -> String {
        let snapshot = self.means.snapshots.borrow().clone();
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = size(&JournalFile::path(&self.means.data));
        // It is only ever appended to, so that its size tells whether there is more.
        if journal.0 != bytes
            && let Ok(lines) = JournalFile::read(&self.means.data)
        {
            *journal = (bytes, families::switches(&journal::switches(&lines)));
        }
        let facts = Facts {
            snapshot: &snapshot,
            now: self.means.clock.now(),
            started_at: self.started_at,
            is_up: self.means.snapshots.has_changed().is_ok(),
            store_bytes: store_size(&self.means.database),
            switches: &journal.1,
            version: env!("CARGO_PKG_VERSION"),
        };
        families::write(&facts, format)
    }
}

fn size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|file| file.len())
}

/// The record's size with its write-ahead log.
fn store_size(database: &Path) -> Option<u64> {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    Some(size(database)? + size(Path::new(&log)).unwrap_or(0))
}
