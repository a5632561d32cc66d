//! Asks a source over HTTP: without keys or cookies, under our own name, bounded in time and size.

use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::remark::Silence;
use super::watch::{Answer, LONGEST_WISH, Order, Validators};
use crate::clock::Clock;
use crate::probe::Route;
use crate::probe::client::{Clients, retry_after};

/// How we call ourselves.
pub const USER_AGENT: &str =
    concat!("vacancy/", env!("CARGO_PKG_VERSION"), " (status context; asks every 5 min at most)");
/// Until a document is here, with all that leads to it.
pub const DEADLINE: Duration = Duration::from_secs(8);
/// A longer document is not read, also one that is longer only once it is unpacked.
pub const LONGEST: usize = 1 << 20;
/// Steps of a redirect, all on one host.
const MOST_STEPS: usize = 3;
/// The longest validator that is sent back.
const LONGEST_VALIDATOR: usize = 512;

/// Asks a source.
pub trait Fetch: Send + Sync {
    /// Makes a request; every fault is an answer.
    fn fetch<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Answer>;
}

/// Asks over HTTP.
pub struct HttpFetch {
    clients: Clients,
    clock: std::sync::Arc<dyn Clock>,
}

impl HttpFetch {
    /// Asks by the system's way; `clock` is for hints that are dates.
    pub fn new(clock: std::sync::Arc<dyn Clock>) -> Self {
        Self { clients: Clients::default(), clock }
    }

    async fn ask(&self, order: &Order, deadline: Instant) -> Result<Answer, Answer> {
        let mut url = order.url.clone();
        for _ in 0..=MOST_STEPS {
            let client = self.clients.get(&Route::default(), &url).await.map_err(|error| {
                tracing::warn!(%error, "no client for status pages");
                failed(Silence::NoAnswer)
            })?;
            let request = client.get(url.clone()).headers(headers(&order.validators)).timeout(DEADLINE);
            let response = request.send().await.map_err(|_| failed(Silence::NoAnswer))?;
            match response.status() {
                StatusCode::OK => return document(response, deadline).await,
                StatusCode::NOT_MODIFIED if order.validators != Validators::default() => return Ok(Answer::Unchanged),
                status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
                    url = next(&url, &response).ok_or(failed(Silence::Moved))?
                }
                // Where the document was, there is none any more.
                StatusCode::NOT_FOUND | StatusCode::GONE => return Err(failed(Silence::Moved)),
                _ => return Err(Answer::Failed { silence: Silence::NoAnswer, wait: self.wish(response.headers()) }),
            }
        }
        Err(failed(Silence::Moved))
    }

    fn wish(&self, headers: &HeaderMap) -> Option<SignedDuration> {
        retry_after(headers, self.clock.now()).map(|wait| wait.min(LONGEST_WISH))
    }
}

impl Fetch for HttpFetch {
    fn fetch<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let deadline = Instant::now() + DEADLINE;
            match timeout_at(deadline, self.ask(order, deadline)).await {
                Ok(Ok(answer) | Err(answer)) => answer,
                Err(_) => failed(Silence::NoAnswer),
            }
        })
    }
}

const fn failed(silence: Silence) -> Answer {
    Answer::Failed { silence, wait: None }
}

fn headers(validators: &Validators) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, application/xml;q=0.9, */*;q=0.5"));
    let pairs = [(header::IF_NONE_MATCH, &validators.etag), (header::IF_MODIFIED_SINCE, &validators.modified)];
    for (name, value) in pairs {
        if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Where a redirect leads, if it stays on its host and does not give up encryption.
fn next(from: &Url, response: &Response) -> Option<Url> {
    let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let to = from.join(location).ok()?;
    let is_same = to.host() == from.host()
        && to.port_or_known_default() == from.port_or_known_default()
        && to.scheme() == from.scheme()
        && to.username().is_empty()
        && to.password().is_none();
    // A page that was moved to another make sends all to its front door.
    (is_same && to.path() != "/").then_some(to)
}

/// Reads a document that is not too long.
async fn document(mut response: Response, deadline: Instant) -> Result<Answer, Answer> {
    let validators = Validators {
        etag: validator(response.headers(), &header::ETAG),
        modified: validator(response.headers(), &header::LAST_MODIFIED),
    };
    let mut body = Vec::new();
    loop {
        match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(chunk))) if body.len() + chunk.len() > LONGEST => return Err(failed(Silence::NotUnderstood)),
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
            Ok(Ok(None)) => return Ok(Answer::Document(body, validators)),
            Ok(Err(_)) | Err(_) => return Err(failed(Silence::NoAnswer)),
        }
    }
}

fn validator(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?;
    (text.len() <= LONGEST_VALIDATOR).then(|| text.to_owned())
}
