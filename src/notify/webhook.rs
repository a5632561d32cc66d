//! Posts notices to an address of the user's.
//!
//! The address is often a secret: it is read at the moment of use, and no error or log line has it. A post has ten seconds
//! and follows no redirect. One that was refused for the time being (429, 5xx) or never left this machine is made again,
//! four times in all, later each time or when the service says; one whose answer did not come is not, as it may be there
//! already.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use url::Url;

use crate::args;
use crate::clock::Clock;
use crate::i18n::Tr;
use crate::notify::Message;
use crate::notify::config::{Address, Webhook};
use crate::notify::form::{Post, Verdict};
use crate::probe::Route;
use crate::probe::client::{Clients, retry_after};
use crate::secrets::{SecretError, Secrets};

/// How long one post may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// Posts of one notice in all.
const TRIES: u32 = 4;

/// The wait before the second post; each later one is three times as long.
const FIRST_WAIT: Duration = Duration::from_secs(2);

/// A service that wants a longer wait gets no second post: by then the news is old.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What is read of an answer, in bytes.
const ANSWER: usize = 8 * 1024;

/// A notice that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The status of the answer.
    pub status: u16,
    /// How many posts it took.
    pub tries: u32,
}

/// Why a notice was not taken. Never has the address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The address cannot be read.
    #[error("the address of the webhook: {0}")]
    NoAddress(#[from] SecretError),
    /// What was read is no address.
    #[error("the address of the webhook is no http or https address; check where it is kept")]
    BadAddress,
    /// The address lacks what the form needs.
    #[error(
        "the address of the webhook is no whole address for the form {form}; ntfy wants a topic at its end, Telegram ?chat_id="
    )]
    WrongForm {
        /// The form.
        form: &'static str,
    },
    /// It could not be reached.
    #[error("the webhook could not be reached ({reason}); check the network and the address")]
    Unreachable {
        /// What failed.
        reason: String,
    },
    /// No answer in time. The notice may be there all the same.
    #[error("the webhook did not answer in {seconds} s; check the service")]
    Timeout {
        /// How long it had.
        seconds: u64,
    },
    /// The connection broke before the answer. The notice may be there all the same.
    #[error("the connection to the webhook broke ({reason}); check the service")]
    Broken {
        /// What failed.
        reason: String,
    },
    /// The service refused it.
    #[error("the webhook refused the notice (status {status}, code {code:?}): {why}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// The service's own number.
        code: Option<i64>,
        /// Its own words.
        why: String,
    },
    /// The service is busy, also after all tries.
    #[error("the webhook is busy (status {status}) after {tries} tries; it may want fewer notices")]
    Busy {
        /// The status of the last answer.
        status: u16,
        /// Posts that were made.
        tries: u32,
    },
    /// No HTTP client.
    #[error("no HTTP client: {reason}; see `vacancy doctor`")]
    Client {
        /// The reason.
        reason: String,
    },
}

impl WebhookError {
    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::NoAddress(error) => tr.with("notify-webhook-no-address", &args!("reason" => error.describe(tr))),
            Self::BadAddress => tr.text("notify-webhook-bad-address"),
            Self::WrongForm { form } => tr.with("notify-webhook-wrong-form", &args!("form" => *form)),
            Self::Unreachable { reason } => tr.with("notify-webhook-unreachable", &args!("reason" => reason.as_str())),
            Self::Broken { reason } => tr.with("notify-webhook-broken", &args!("reason" => reason.as_str())),
            Self::Timeout { seconds } => tr.with("notify-webhook-timeout", &args!("seconds" => *seconds)),
            Self::Refused { status, code, why } => {
                let code = code.map_or_else(|| u64::from(*status).to_string(), |code| format!("{status}, {code}"));
                let id = if why.is_empty() { "notify-webhook-refused-silently" } else { "notify-webhook-refused" };
                tr.with(id, &args!("status" => code, "why" => why.as_str()))
            }
            Self::Busy { status, tries } => {
                tr.with("notify-webhook-busy", &args!("status" => u32::from(*status).to_string(), "tries" => *tries))
            }
            Self::Client { reason } => tr.with("notify-webhook-client", &args!("reason" => reason.as_str())),
        }
    }

    /// The status of the answer, if there was one.
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } | Self::Busy { status, .. } => Some(*status),
            _ => None,
        }
    }
}

/// Makes posts.
pub struct Poster {
    clients: Clients,
    secrets: Arc<dyn Secrets>,
    clock: Arc<dyn Clock>,
    first_wait: Duration,
}

impl Poster {
    /// Reads addresses through `secrets`, waits by `clock`.
    pub fn new(secrets: Arc<dyn Secrets>, clock: Arc<dyn Clock>) -> Self {
        Self { clients: Clients::default(), secrets, clock, first_wait: FIRST_WAIT }
    }

    /// Begins with another wait than two seconds.
    #[must_use]
    pub const fn with_first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// Posts a notice.
    ///
    /// # Errors
    ///
    /// When the service did not take it.
    pub async fn post(&self, webhook: &Webhook, message: &Message) -> Result<Posted, WebhookError> {
        let address = self.address(&webhook.url).await?;
        let wrong = WebhookError::WrongForm { form: webhook.form.name() };
        let post = webhook.form.post(&address, message).ok_or(wrong)?;
        let mut wait = self.first_wait;
        let mut tries = 0;
        loop {
            tries += 1;
            let (failure, wish) = match self.once(&post).await {
                Ok((status, headers, body)) => match webhook.form.verdict(status, &body) {
                    Verdict::Taken => return Ok(Posted { status, tries }),
                    Verdict::Refused { code, why } => return Err(WebhookError::Refused { status, code, why }),
                    Verdict::Busy { wait } => {
                        let asked = retry_after(&headers, self.clock.now()).and_then(|wait| wait.try_into().ok());
                        (WebhookError::Busy { status, tries }, asked.or(wait))
                    }
                },
                Err(failure @ WebhookError::Unreachable { .. }) => (failure, None),
                Err(failure) => return Err(failure),
            };
            // A quarter more or less, so that several programs do not come back together.
            let usual = wait.mul_f64(0.75 + fastrand::f64() / 2.0);
            let pause = wish.map_or(usual, |wish: Duration| wish.max(usual));
            if tries == TRIES || pause > LONGEST_WAIT {
                return Err(failure);
            }
            self.clock.sleep(pause).await;
            wait *= 3;
        }
    }

    async fn address(&self, address: &Address) -> Result<Url, WebhookError> {
        let url = match address {
            Address::Open(url) => url.clone(),
            Address::Kept(key) => {
                let secret = self.secrets.read(key).await?.ok_or(WebhookError::BadAddress)?;
                Url::parse(secret.expose()).map_err(|_| WebhookError::BadAddress)?
            }
        };
        if matches!(url.scheme(), "http" | "https") && url.has_host() { Ok(url) } else { Err(WebhookError::BadAddress) }
    }

    async fn once(&self, post: &Post) -> Result<(u16, HeaderMap, Vec<u8>), WebhookError> {
        let client = self.clients.get(&Route::default(), &post.url).await;
        let client = client.map_err(|error| WebhookError::Client { reason: error.to_string() })?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("vacancy/", env!("CARGO_PKG_VERSION"))));
        let request = client.post(post.url.clone()).headers(headers).body(post.body.clone()).timeout(DEADLINE);
        let mut response = request.send().await.map_err(failed)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        // An answer that breaks off has said its status all the same.
        while body.len() < ANSWER
            && let Ok(Some(chunk)) = response.chunk().await
        {
            body.extend_from_slice(&chunk[..chunk.len().min(ANSWER - body.len())]);
        }
        Ok((status, headers, body))
    }
}

fn failed(error: reqwest::Error) -> WebhookError {
    // The address is in it otherwise.
    let error = error.without_url();
    if error.is_connect() && !error.is_timeout() {
        return WebhookError::Unreachable { reason: crate::probe::client::reason(&error) };
    }
    if error.is_timeout() {
        return WebhookError::Timeout { seconds: DEADLINE.as_secs() };
    }
    WebhookError::Broken { reason: crate::probe::client::reason(&error) }
}
