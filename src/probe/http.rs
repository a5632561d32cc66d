//! Probes over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::Client;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout_at};

use crate::clock::Clock;
use crate::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Phase, Timing};
use crate::core::reply::ReplyReader;
use crate::core::target::{ModelId, ProviderId};
use crate::probe::client::Clients;
use crate::probe::connect::Watch;
use crate::probe::failure::describe;
use crate::probe::gate::Gate;
use crate::probe::redact::Redactor;
use crate::probe::{Deadlines, Job, ProbeError, Probed, Prober};
use crate::secrets::{Secret, Secrets};
use crate::wire::endpoint::KEY_MARK;
use crate::wire::request::Request;
use crate::wire::tuning::{Tuning, adapt};

/// Requests of one probe: the first and what it takes to correct its shape.
const MOST_REQUESTS: u32 = 4;
/// Kept of an answer's headers, names and values together.
const HEADER_LIMIT: usize = 64 * 1024;
/// How long the rest of an answer may take once it is over; some servers keep the connection open.
const GRACE: Duration = Duration::from_millis(500);

/// Makes probes with a client of its own for each route, and remembers what it learnt about each model's request.
pub struct HttpProber {
    secrets: Arc<dyn Secrets>,
    clock: Arc<dyn Clock>,
    gate: Gate,
    clients: Clients,
    tunings: Mutex<HashMap<(ProviderId, ModelId), Tuning>>,
}

impl HttpProber {
    /// A prober that takes keys from `secrets` and lets probes in through `gate`.
    pub fn new(secrets: Arc<dyn Secrets>, clock: Arc<dyn Clock>, gate: Gate) -> Self {
        Self { secrets, clock, gate, clients: Clients::default(), tunings: Mutex::default() }
    }

    async fn run(&self, job: &Job) -> Result<Probed, ProbeError> {
        let _pass = self.gate.enter(job).await;
        let secret = self.secrets.read(&job.key).await?;
        let client = self.clients.get(&job.route, &job.endpoint.base_url).await?;
        let redactor = Redactor::new(secret.as_ref(), &job.endpoint, &job.route);
        let dialect = job.endpoint.dialect;
        let mut tuning = self.known(job);
        let mut probed = Probed { began_at: self.clock.now(), exchange: Exchange::default(), requests: 0, tokens: 0 };
        loop {
            let deadlines = job.deadlines.unwrap_or(Deadlines::new(tuning.thinks, job.is_local));
            let request = Request::build(&job.endpoint, &job.model, &tuning, secret.is_some());
            let attempt = Attempt { client: &client, redactor: &redactor, clock: &*self.clock, deadlines };
            probed.began_at = self.clock.now();
            probed.exchange = attempt.run(&request, secret.as_ref()).await;
            probed.requests += 1;
            probed.tokens += tuning.estimated_tokens();
            let Some(adapted) = adapt(dialect, &tuning, &probed.exchange) else { return Ok(probed) };
            self.remember(job, adapted.tuning.clone());
            if adapted.is_proof_of_life || probed.requests == MOST_REQUESTS {
                return Ok(probed);
            }
            tuning = adapted.tuning;
        }
    }

    fn known(&self, job: &Job) -> Tuning {
        let tunings = self.tunings.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (job.provider.clone(), job.model.clone());
        tunings.get(&key).cloned().unwrap_or_else(|| Tuning::guess(job.endpoint.dialect, &job.model))
    }

    fn remember(&self, job: &Job, tuning: Tuning) {
        let mut tunings = self.tunings.lock().unwrap_or_else(PoisonError::into_inner);
        tunings.insert((job.provider.clone(), job.model.clone()), tuning);
    }
}

impl Prober for HttpProber {
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        Box::pin(self.run(job))
    }
}

/// One request and its answer.
struct Attempt<'a> {
    client: &'a Client,
    redactor: &'a Redactor,
    clock: &'a dyn Clock,
    deadlines: Deadlines,
}

impl Attempt<'_> {
    async fn run(&self, request: &Request, secret: Option<&Secret>) -> Exchange {
        let watch = Watch::start(self.deadlines.connect);
        let start = Instant::now();
        let mut exchange = match self.send(request, secret, &watch, start).await {
            Ok(response) => {
                let mut exchange = Exchange {
                    status: Some(response.status().as_u16()),
                    headers: self.headers(response.headers()),
                    received_at: Some(self.clock.now()),
                    timing: Timing { headers_ms: Some(millis_since(start)), ..Timing::default() },
                    ..Exchange::default()
                };
                self.read(response, start, &mut exchange).await;
                exchange
            }
            Err(failure) => {
                Exchange { end: End::Failed(failure), received_at: Some(self.clock.now()), ..Exchange::default() }
            }
        };
        exchange.timing.connect_ms = watch.millis();
        exchange.timing.total_ms = Some(millis_since(start));
        exchange
    }

    /// Sends the request and waits for the status line.
    async fn send(
        &self,
        request: &Request,
        secret: Option<&Secret>,
        watch: &Arc<Watch>,
        start: Instant,
    ) -> Result<reqwest::Response, Failure> {
        let key = secret.map_or("", Secret::expose);
        let headers = request_headers(request, key)?;
        let sending = self.client.post(request.full_url(key)).headers(headers).body(request.body.clone()).send();
        let wait = self.deadlines.first_byte.min(self.deadlines.total);
        match timeout_at(start + wait, watch.scope(sending)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(describe(error, self.redactor)),
            Err(_) => {
                let phase = if watch.millis().is_some() { Phase::FirstByte } else { Phase::Connect };
                let text = format!("no answer within {} s: operation timed out", wait.as_secs_f32());
                Err(Failure { phase: Some(phase), text })
            }
        }
    }

    /// Reads the body until it ends, says all there is to say, stalls, or has been long enough.
    async fn read(&self, mut response: reqwest::Response, start: Instant, exchange: &mut Exchange) {
        let mut reader = ReplyReader::new();
        let mut body = Vec::new();
        let total = start + self.deadlines.total;
        // A thinking model may be silent for as long as its first byte may take; a keep-alive moves nothing.
        let mut patience = Instant::now() + self.deadlines.first_byte.max(self.deadlines.stall);
        let mut is_over = false;
        exchange.end = loop {
            match timeout_at(patience.min(total), response.chunk()).await {
                Err(_) => break if is_over { End::Complete } else { End::Stalled },
                Ok(Err(_)) => break if is_over { End::Complete } else { End::Cut },
                Ok(Ok(None)) => break End::Complete,
                Ok(Ok(Some(chunk))) => {
                    let room = BODY_LIMIT - body.len();
                    let chunk = &chunk[..chunk.len().min(room)];
                    let before = body.len();
                    body.extend_from_slice(chunk);
                    let progress = reader.push(&body[before..]);
                    if progress.output && exchange.timing.first_token_ms.is_none() {
                        exchange.timing.first_token_ms = Some(millis_since(start));
                        // Set once: what comes later cannot change the verdict, and keep-alives cannot stretch it.
                        patience = Instant::now() + self.deadlines.stall;
                    }
                    if progress.is_over() && !is_over {
                        is_over = true;
                        patience = Instant::now() + GRACE;
                    }
                    if body.len() == BODY_LIMIT {
                        break End::Complete;
                    }
                }
            }
        };
        exchange.body = self.redactor.bytes(body);
    }

    fn headers(&self, headers: &HeaderMap) -> Vec<(String, String)> {
        let mut left = HEADER_LIMIT;
        headers
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), self.redactor.text(&String::from_utf8_lossy(value.as_bytes())))
            })
            .take_while(|(name, value)| {
                let size = name.len() + value.len();
                left = left.saturating_sub(size);
                left > 0
            })
            .collect()
    }
}

/// The headers with the key in its place, marked so that the client never prints it.
fn request_headers(request: &Request, key: &str) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let unusable = || Failure {
            phase: Some(Phase::Build),
            text: format!("builder error: the header {name} has a bad name or value"),
        };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
        let mut filled = HeaderValue::from_str(&value.replace(KEY_MARK, key)).map_err(|_| unusable())?;
        filled.set_sensitive(value.contains(KEY_MARK));
        headers.append(header, filled);
    }
    Ok(headers)
}

fn millis_since(start: Instant) -> u32 {
    u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX)
}
