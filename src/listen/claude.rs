//! Claude Code transcripts: `~/.claude/projects/*/*.jsonl`, sub-agents' beside them, all generations.
//!
//! A row that failed never names the model (`<synthetic>`): it is the last one seen before. Answers are repeated, one row
//! a content block and again in resumed copies, so each counts once by its message and request.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde::Deserialize;

use super::lenient::{FromText, List, Object, Presence, Scalar, object};
use super::lines::LineReader;
use super::observation::{Name, Observation, Tool};
use super::rules::{Evidence, Rule, When, judge, rule, status_in};
use super::turns::Turns;
use crate::core::outcome::Kind;

use When::{Both, Code, NoStatus, NoneOrFrom, Starts, Status, Text, Unconnected, Window};

/// From an error row, a retry row or the result of `claude -p` to a kind. Observed with versions 1.0.128 to 2.1.332.
const TABLE: &[Rule] = &[
    rule("claude-connection", &[Unconnected], Kind::Network),
    rule("claude-connection-failed", &[Code("connection_failed")], Kind::Network),
    rule("claude-529", &[Status(529, 529)], Kind::AtCapacity),
    rule("claude-overloaded-error", &[Code("overloaded_error")], Kind::AtCapacity),
    rule("claude-overloaded", &[Code("overloaded")], Kind::AtCapacity),
    rule("claude-overloaded-text", &[Text("overloaded"), NoneOrFrom(500)], Kind::AtCapacity),
    rule("claude-limit-text", &[Both("hit your", "limit")], Kind::UsageLimit),
    rule("claude-usage-limit", &[Starts("Claude AI usage limit reached")], Kind::UsageLimit),
    rule("claude-window", &[Status(429, 429), Window], Kind::UsageLimit),
    rule("claude-billing", &[Code("billing_error")], Kind::QuotaExhausted),
    rule("claude-credit", &[Text("credit balance is too low")], Kind::QuotaExhausted),
    rule("claude-404", &[Status(404, 404)], Kind::ModelNotFound),
    rule("claude-model", &[Code("model_not_found")], Kind::ModelNotFound),
    rule("claude-401", &[Status(401, 401)], Kind::Auth),
    rule("claude-403", &[Status(403, 403)], Kind::Forbidden),
    rule("claude-429", &[Status(429, 429)], Kind::RateLimited),
    rule("claude-rate-limit", &[NoStatus, Code("rate_limit")], Kind::RateLimited),
    rule("claude-rate-limit-error", &[NoStatus, Code("rate_limit_error")], Kind::RateLimited),
    rule("claude-408", &[Status(408, 408)], Kind::Timeout),
    rule("claude-timed-out", &[Text("timed out")], Kind::Timeout),
    rule("claude-400", &[Status(400, 400)], Kind::BadRequest),
    rule("claude-413", &[Status(413, 413)], Kind::BadRequest),
    rule("claude-422", &[Status(422, 422)], Kind::BadRequest),
    rule("claude-5xx", &[Status(500, 599)], Kind::ServerError),
    rule("claude-authentication", &[NoStatus, Code("authentication_failed")], Kind::Auth),
    rule("claude-login", &[NoStatus, Text("not logged in")], Kind::Auth),
    rule("claude-cloud-login", &[NoStatus, Code("cloud_credential_error")], Kind::Auth),
    rule("claude-verification", &[NoStatus, Code("verification_required")], Kind::Auth),
    rule("claude-organisation", &[NoStatus, Code("oauth_org_not_allowed")], Kind::Forbidden),
    rule("claude-on-hold", &[NoStatus, Code("account_on_hold")], Kind::Forbidden),
    rule("claude-connection-text", &[NoStatus, Text("connection error")], Kind::Network),
    rule("claude-lost", &[NoStatus, Text("connection to the api was lost")], Kind::Network),
    // What its HTTP client says of an answer that was cut off, up to 2.0.
    rule("claude-terminated", &[NoStatus, Starts("API Error: terminated")], Kind::Network),
    // All that is written of a 401 by 1.0, and printed by 2.0.
    rule("claude-invalid-key", &[NoStatus, Starts("Invalid API key")], Kind::Auth),
];

/// What the tool calls a model that did not answer.
const NO_MODEL: &str = "<synthetic>";

/// Requests whose answer may still come.
const OPEN_REQUESTS: usize = 64;

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    subtype: Scalar<'a>,
    #[serde(borrow, default)]
    timestamp: Scalar<'a>,
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default, rename = "requestId")]
    request_id: Scalar<'a>,
    #[serde(borrow, default, rename = "requestRef")]
    request_ref: Scalar<'a>,
    #[serde(borrow, default, rename = "isApiErrorMessage")]
    is_error: Scalar<'a>,
    #[serde(borrow, default, rename = "apiErrorStatus")]
    status: Scalar<'a>,
    #[serde(borrow, default, rename = "apiErrorType")]
    error_type: Scalar<'a>,
    #[serde(borrow, default, rename = "apiError")]
    api_error: Scalar<'a>,
    #[serde(borrow, default)]
    error: Object<ErrorField<'a>>,
    #[serde(borrow, default)]
    message: Object<Message<'a>>,
    #[serde(borrow, default)]
    params: Object<Model<'a>>,
    #[serde(borrow, default)]
    attachment: Object<Attachment<'a>>,
}

/// Of a message everything but its content.
#[derive(Default, Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default)]
    model: Scalar<'a>,
    #[serde(borrow, default)]
    stop_reason: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct Model<'a> {
    #[serde(borrow, default, alias = "modelId")]
    model: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct Attachment<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    identity: Object<Model<'a>>,
}

/// A word in an error row, an object in a retry row.
#[derive(Default, Deserialize)]
struct ErrorField<'a> {
    /// The word, or the type of an inner error.
    #[serde(borrow, default, rename = "type")]
    word: Scalar<'a>,
    #[serde(borrow, default)]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    message: Scalar<'a>,
    #[serde(borrow, default)]
    formatted: Scalar<'a>,
    #[serde(default)]
    connection: Presence,
    #[serde(borrow, default)]
    cause: Object<Cause<'a>>,
    #[serde(borrow, default, rename = "rateLimits")]
    limits: Object<Limits<'a>>,
    #[serde(borrow, default)]
    error: Object<Envelope<'a>>,
}

#[derive(Default, Deserialize)]
struct Cause<'a> {
    #[serde(borrow, default)]
    code: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct Limits<'a> {
    #[serde(borrow, default, rename = "rateLimitType")]
    window: Scalar<'a>,
    #[serde(borrow, default, rename = "resetsAt")]
    resets_at: Scalar<'a>,
}

/// The API's own error, as version 2.0 keeps it.
#[derive(Default, Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    error: Object<Inner<'a>>,
}

#[derive(Default, Deserialize)]
struct Inner<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    message: Scalar<'a>,
}

/// The text of an error row; read only when the row is known to be one.
#[derive(Deserialize)]
struct ErrorRow<'a> {
    #[serde(borrow, default)]
    message: Object<ErrorMessage<'a>>,
}

#[derive(Default, Deserialize)]
struct ErrorMessage<'a> {
    #[serde(borrow, default)]
    content: List<Object<Block<'a>>>,
}

#[derive(Default, Deserialize)]
struct Block<'a> {
    #[serde(borrow, default)]
    text: Scalar<'a>,
}

impl<'a> FromText<'a> for ErrorField<'a> {
    fn from_text(text: std::borrow::Cow<'a, str>) -> Option<Self> {
        Some(Self { word: Scalar::Text(text), ..Self::default() })
    }
}

impl FromText<'_> for Message<'_> {}
impl FromText<'_> for Model<'_> {}
impl FromText<'_> for Attachment<'_> {}
impl FromText<'_> for Cause<'_> {}
impl FromText<'_> for Limits<'_> {}
impl FromText<'_> for Envelope<'_> {}
impl FromText<'_> for Inner<'_> {}
impl FromText<'_> for ErrorMessage<'_> {}
impl FromText<'_> for Block<'_> {}

/// What files that are read together know of each other: answers that were counted, as hashes of their ids, the oldest of
/// many forgotten; and turns that a rollout has still to tell.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    answers: Arc<Mutex<Generations>>,
    pub(super) turns: Turns,
}

#[derive(Debug, Default)]
struct Generations {
    new: HashSet<u64>,
    old: HashSet<u64>,
}

impl Seen {
    /// Answers remembered, at least.
    const MOST: usize = 200_000;

    /// Whether the answer is met for the first time.
    fn is_new(&self, message: &str, request: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        (message, request).hash(&mut hasher);
        let key = hasher.finish();
        let mut seen = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.new.contains(&key) || seen.old.contains(&key) {
            return false;
        }
        if seen.new.len() >= Self::MOST {
            seen.old = std::mem::take(&mut seen.new);
        }
        seen.new.insert(key);
        true
    }
}

/// Reads one transcript.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    seen: Seen,
    model: Option<Name>,
    requests: VecDeque<(u64, Timestamp)>,
    /// The row before was an answer without a request's id; the hash of its message's id.
    anonymous: Option<u64>,
}

impl Transcript {
    pub fn new(seen: Seen) -> Self {
        Self { seen, ..Self::default() }
    }

    pub const fn model(&self) -> Option<&Name> {
        self.model.as_ref()
    }

    pub fn resume(&mut self, model: Option<Name>) {
        self.model = model;
    }

    fn observe(&self, row: &Row<'_>, kind: Kind, rule: &'static str) -> Observation {
        let mut observation = Observation::new(Tool::ClaudeCode, row.timestamp.time(), kind, rule);
        observation.model.clone_from(&self.model);
        observation
    }

    fn answer(&mut self, row: &Row<'_>, message: &Message<'_>, out: &mut Vec<Observation>) {
        let Some(model) = message.model.name() else { return };
        self.model = Some(model);
        let id = message.id.text();
        let before = self.anonymous.take();
        let is_new = match row.request_id.some_text() {
            Some(request) => self.seen.is_new(id, request),
            None => {
                self.anonymous = Some(hash(id));
                before.is_none_or(|before| !id.is_empty() && before != hash(id))
            }
        };
        if !is_new {
            return;
        }
        let (kind, rule) = match message.stop_reason.text() {
            "refusal" => (Kind::ContentFiltered, "claude-refusal"),
            _ => (Kind::Available, "claude-answer"),
        };
        let mut observation = self.observe(row, kind, rule);
        if let (Some(reference), Some(ts), Kind::Available) = (row.request_ref.some_text(), observation.ts, kind) {
            let reference = hash(reference);
            let began = self.requests.iter().rev().find(|(id, _)| *id == reference).map(|(_, began)| *began);
            observation.latency_ms =
                began.and_then(|began| u32::try_from(ts.as_millisecond() - began.as_millisecond()).ok());
        }
        out.push(observation);
    }

    /// An answer that the tool made up to show an error.
    fn failure(&self, row: &Row<'_>, message: &Message<'_>, text: &str, out: &mut Vec<Observation>) {
        // The refusal that it repeats was seen in the model's own row.
        if message.stop_reason.text() == "refusal" {
            return;
        }
        let word = row.error.get().map_or("", |error| error.word.text());
        let evidence = Evidence {
            status: row.status.status().or_else(|| status_in(head(text))),
            codes: [
                row.api_error.text(),
                row.error_type.some_text().or_else(|| type_in(text)).unwrap_or_default(),
                word,
            ],
            texts: [text, ""],
            ..Evidence::default()
        };
        self.push(row, &evidence, usage_reset(text), out);
    }

    fn retry(&self, row: &Row<'_>, out: &mut Vec<Observation>) {
        let Some(error) = row.error.get() else { return };
        let inner = error.error.get().and_then(|envelope| envelope.error.get());
        let message = inner.and_then(|inner| inner.message.some_text()).unwrap_or_else(|| error.message.text());
        let limits = error.limits.get().filter(|limits| !limits.window.is_absent());
        let status = error.status.status();
        let kind = inner.and_then(|inner| inner.kind.some_text()).or_else(|| type_in(error.message.text()));
        let evidence = Evidence {
            status: status.or_else(|| status_in(head(error.message.text()))),
            codes: [kind.unwrap_or_default(), error.word.text(), ""],
            texts: [message, error.formatted.text()],
            is_unconnected: error.connection.0
                || (status.is_none() && error.cause.get().is_some_and(|cause| cause.code.some_text().is_some())),
            has_window: limits.is_some(),
        };
        self.push(row, &evidence, limits.and_then(|limits| limits.resets_at.time()), out);
    }

    fn push(&self, row: &Row<'_>, evidence: &Evidence<'_>, resets_at: Option<Timestamp>, out: &mut Vec<Observation>) {
        let Some((kind, rule)) = judge(TABLE, evidence) else { return };
        let mut observation = self.observe(row, kind, rule);
        observation.http_status = evidence.status;
        observation.resets_at = resets_at;
        out.push(observation);
    }
}

/// The kind of a failed `claude -p`, of its retries, or of the model behind another tool.
pub(super) fn judge_result(status: Option<u16>, codes: [&str; 2], text: &str) -> Option<(Kind, &'static str)> {
    let evidence = Evidence {
        status: status.or_else(|| status_in(head(text))),
        codes: [codes[0], codes[1], type_in(text).unwrap_or_default()],
        texts: [text, ""],
        ..Evidence::default()
    };
    judge(TABLE, &evidence)
}

/// The part of an error's text in which a status can stand; further on are the API's own words.
fn head(text: &str) -> &str {
    let text = text.split(['{', '·']).next().unwrap_or_default();
    text.get(..60).unwrap_or(text)
}

/// The type in an API error that is quoted in a text: `{"type":"error","error":{"type":"overloaded_error"`.
fn type_in(text: &str) -> Option<&str> {
    text.split("\"type\":\"").skip(1).filter_map(|rest| rest.split('"').next()).find(|word| word.ends_with("_error"))
}

/// `Claude AI usage limit reached|1759240800`
fn usage_reset(text: &str) -> Option<Timestamp> {
    let (_, seconds) = text.split_once("limit reached|")?;
    let seconds = seconds.split(|c: char| !c.is_ascii_digit()).next()?;
    Timestamp::from_second(seconds.parse().ok()?).ok()
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl LineReader for Transcript {
    fn wants(&self, prefix: &[u8]) -> bool {
        const ROWS: [&[u8]; 5] = [b"assistant", b"user", b"system", b"api-request", b"attachment"];
        let word = |rest: &'static [u8]| {
            let rest = prefix.strip_prefix(rest)?;
            memchr::memchr(b'"', rest).map(|end| &rest[..end])
        };
        word(b"{\"type\":\"").is_none_or(|kind| ROWS.contains(&kind))
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let Some(row) = object::<Row<'_>>(line) else { return };
        match row.kind.text() {
            "assistant" => {
                let Some(message) = row.message.get() else { return };
                let is_made_up = message.model.text() == NO_MODEL;
                if row.is_error.is_true() {
                    self.anonymous = None;
                    let error = object::<ErrorRow<'_>>(line).and_then(|row| row.message.0);
                    let text = error.as_ref().map_or("", |message| {
                        let mut texts = message.content.0.iter().filter_map(|block| block.get()?.text.some_text());
                        texts.next().unwrap_or_default()
                    });
                    self.failure(&row, message, text, out);
                } else if !is_made_up {
                    self.answer(&row, message, out);
                }
            }
            "system" if row.subtype.text() == "api_error" => {
                self.anonymous = None;
                self.retry(&row, out);
            }
            "user" => self.anonymous = None,
            "api-request" => {
                if let Some(model) = row.params.get().and_then(|params| params.model.name()) {
                    self.model = Some(model);
                }
                if let (Some(id), Some(ts)) = (row.id.some_text(), row.timestamp.time()) {
                    if self.requests.len() == OPEN_REQUESTS {
                        self.requests.pop_front();
                    }
                    self.requests.push_back((hash(id), ts));
                }
            }
            "attachment" => {
                let attachment = row.attachment.get().filter(|attachment| attachment.kind.text() == "model");
                let identity = attachment.and_then(|attachment| attachment.identity.get());
                if let Some(model) = identity.and_then(|identity| identity.model.name()) {
                    self.model = Some(model);
                }
            }
            _ => {}
        }
    }

    fn settle(&mut self, _: &mut Vec<Observation>) {}
}
