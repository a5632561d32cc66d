//! opencode: the `data` column of its messages (or `storage/message/*/*.json` before 1.2), and its log.
//!
//! It names provider and model also of what failed. While it repeats a request the log alone tells.

use serde::Deserialize;

use super::lenient::{FromText, Object, Scalar, object};
use super::lines::LineReader;
use super::observation::{Name, Observation, Tool};
use super::own::is_own;
use super::rules::{judge_general, status_in};
use crate::core::outcome::Kind;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    role: Scalar<'a>,
    #[serde(borrow, default, rename = "providerID")]
    provider: Scalar<'a>,
    #[serde(borrow, default, rename = "modelID")]
    model: Scalar<'a>,
    #[serde(borrow, default)]
    time: Object<Time<'a>>,
    #[serde(borrow, default)]
    error: Object<Failure<'a>>,
    #[serde(borrow, default)]
    path: Object<Place<'a>>,
}

/// Looked at to know our own sessions, and dropped.
#[derive(Default, Deserialize)]
struct Place<'a> {
    #[serde(borrow, default)]
    cwd: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct Time<'a> {
    #[serde(borrow, default)]
    created: Scalar<'a>,
    #[serde(borrow, default)]
    completed: Scalar<'a>,
}

#[derive(Default, Deserialize)]
pub(super) struct Failure<'a> {
    #[serde(borrow, default)]
    name: Scalar<'a>,
    #[serde(borrow, default)]
    data: Object<Detail<'a>>,
}

#[derive(Default, Deserialize)]
struct Detail<'a> {
    #[serde(borrow, default, rename = "statusCode")]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    message: Scalar<'a>,
    #[serde(borrow, default, rename = "responseBody")]
    body: Scalar<'a>,
}

impl FromText<'_> for Place<'_> {}
impl FromText<'_> for Time<'_> {}
impl FromText<'_> for Failure<'_> {}
impl FromText<'_> for Detail<'_> {}

impl Failure<'_> {
    /// The kind, the rule and the status.
    pub fn judge(&self) -> Option<(Kind, &'static str, Option<u16>)> {
        let none = Detail::default();
        let detail = self.data.get().unwrap_or(&none);
        let status = detail.status.status();
        let (kind, rule) = judge_general(status, self.name.text(), [detail.message.text(), detail.body.text()])?;
        Some((kind, rule, status))
    }
}

/// Reads one message.
pub(super) fn message(document: &[u8]) -> Option<Observation> {
    let message = object::<Message<'_>>(document)?;
    let is_ours = message.path.get().is_some_and(|path| is_own(path.cwd.text()));
    if is_ours || message.role.text() != "assistant" {
        return None;
    }
    let time = message.time.get();
    let completed = time.and_then(|time| time.completed.time());
    let ts = completed.or_else(|| time.and_then(|time| time.created.time()));
    let mut observation = match message.error.get() {
        Some(error) => {
            let (kind, rule, status) = error.judge()?;
            let mut observation = Observation::new(Tool::Opencode, ts, kind, rule);
            observation.http_status = status;
            observation
        }
        // One that is not complete is still being written, or was cut off.
        None => Observation::new(Tool::Opencode, Some(completed?), Kind::Available, "opencode-answer"),
    };
    observation.model = message.model.name();
    observation.provider = message.provider.name();
    Some(observation)
}

/// Reads `opencode.log`: lines of `key=value`, of which those of a refused stream matter.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The run that a probe of ours was seen to begin.
    own_run: Option<String>,
}

impl LineReader for Log {
    fn wants(&self, prefix: &[u8]) -> bool {
        let has = |mark: &[u8]| memchr::memmem::find(prefix, mark).is_some();
        has(b"ERROR") || has(b"creating instance")
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let Ok(line) = std::str::from_utf8(line) else { return };
        let field = |name: &str| field(line, name);
        if field("message").as_deref() == Some("creating instance") {
            if field("directory").is_some_and(|folder| is_own(&folder)) {
                self.own_run = field("run");
            }
            return;
        }
        if self.own_run.is_some() && self.own_run == field("run") {
            return;
        }
        if field("message").as_deref() != Some("stream error") {
            return;
        }
        let Some(error) = field("error.error").or_else(|| field("error.error.message")).or_else(|| field("error"))
        else {
            return;
        };
        let status = field("error.statusCode").and_then(|status| status_in(&status));
        let Some((kind, rule)) = judge_general(status, "", [&error, ""]) else { return };
        let ts = field("timestamp").or_else(|| field("time")).and_then(|time| time.parse().ok());
        let mut observation = Observation::new(Tool::Opencode, ts, kind, rule);
        observation.http_status = status;
        observation.provider = field("providerID").as_deref().and_then(Name::new);
        observation.model = field("modelID").as_deref().and_then(Name::new);
        out.push(observation);
    }

    fn settle(&mut self, _: &mut Vec<Observation>) {}
}

/// The value of `name=value` or `name="quoted \"value\""`.
fn field(line: &str, name: &str) -> Option<String> {
    let mut rest = line;
    loop {
        let at = rest.find(name)?;
        let is_start = at == 0 || rest.as_bytes()[at - 1] == b' ';
        rest = &rest[at + name.len()..];
        if let Some(value) = rest.strip_prefix('=').filter(|_| is_start) {
            let Some(quoted) = value.strip_prefix('"') else {
                return value.split(' ').next().map(str::to_owned);
            };
            let mut text = String::new();
            let mut chars = quoted.chars();
            loop {
                match chars.next()? {
                    '"' => return Some(text),
                    '\\' => text.extend(chars.next()),
                    other => text.push(other),
                }
            }
        }
    }
}
