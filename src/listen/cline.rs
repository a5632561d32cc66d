//! Cline and its forks: `tasks/<id>/ui_messages.json`, one list that is written anew each time.
//!
//! A request is a message `api_req_started` whose text is JSON itself, filled in when the answer ends; a refusal stands in
//! it, or in the question `api_req_failed` that follows.

use serde::Deserialize;

use super::lenient::{FromText, List, Object, Scalar};
use super::observation::{Name, Observation, Tool};
use super::rules::{judge_general, status_in};
use crate::core::outcome::Kind;

#[derive(Default)]
struct Message<'a> {
    ts: Scalar<'a>,
    say: Scalar<'a>,
    ask: Scalar<'a>,
    model: Object<ModelInfo<'a>>,
    /// Of requests and their failures alone.
    text: Scalar<'a>,
}

impl Message<'_> {
    /// Whether the text is one to read, as far as the message was read.
    fn is_request(&self) -> bool {
        self.say.text() == "api_req_started" || self.ask.text() == "api_req_failed"
    }
}

/// By hand, since whether the text is decoded depends on the fields before it.
impl<'de: 'a, 'a> Deserialize<'de> for Message<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Message<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut message = Message::default();
                while let Some(key) = map.next_key::<Scalar<'de>>()? {
                    match key.text() {
                        "ts" => message.ts = map.next_value()?,
                        "say" => message.say = map.next_value()?,
                        "ask" => message.ask = map.next_value()?,
                        "modelInfo" => message.model = map.next_value()?,
                        "text" if message.is_request() => message.text = map.next_value()?,
                        _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                    }
                }
                Ok(message)
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[derive(Default, Deserialize)]
struct ModelInfo<'a> {
    #[serde(borrow, default, rename = "modelId")]
    model: Scalar<'a>,
    #[serde(borrow, default, rename = "providerId")]
    provider: Scalar<'a>,
}

/// Of a request all but what was asked.
#[derive(Default, Deserialize)]
struct Request<'a> {
    #[serde(borrow, default, rename = "tokensOut")]
    tokens_out: Scalar<'a>,
    #[serde(borrow, default, rename = "cancelReason")]
    cancel_reason: Scalar<'a>,
    #[serde(borrow, default, rename = "streamingFailedMessage")]
    failure: Scalar<'a>,
}

/// A serialised provider error.
#[derive(Default, Deserialize)]
struct Failure<'a> {
    #[serde(borrow, default)]
    message: Scalar<'a>,
    #[serde(borrow, default, alias = "code")]
    status: Scalar<'a>,
    #[serde(borrow, default, rename = "modelId")]
    model: Scalar<'a>,
    #[serde(borrow, default, rename = "providerId")]
    provider: Scalar<'a>,
}

impl FromText<'_> for Message<'_> {}
impl FromText<'_> for ModelInfo<'_> {}

/// Reads a list of messages.
pub(super) fn messages(document: &[u8]) -> Vec<Observation> {
    let mut out: Vec<Observation> = Vec::new();
    let Ok(messages) = serde_json::from_slice::<List<Object<Message<'_>>>>(document) else { return out };
    let mut model: (Option<Name>, Option<Name>) = (None, None);
    // The request that failed was counted; the question that follows is about the same one.
    let mut is_told = false;
    for message in messages.0.iter().filter_map(Object::get) {
        if let Some(info) = message.model.get() {
            model = (info.model.name().or(model.0), info.provider.name().or(model.1));
        }
        let ts = message.ts.time();
        if message.say.text() == "api_req_started" {
            is_told = false;
            let Ok(request) = serde_json::from_str::<Request<'_>>(message.text.text()) else { continue };
            if let Some(failure) = request.failure.some_text() {
                is_told = true;
                out.extend(fail(ts, failure, &model));
            } else if request.cancel_reason.is_absent() && request.tokens_out.number().is_some_and(|out| out > 0.0) {
                let mut observation = Observation::new(Tool::Cline, ts, Kind::Available, "cline-answer");
                (observation.model, observation.provider) = model.clone();
                out.push(observation);
            }
        } else if message.ask.text() == "api_req_failed" && !std::mem::replace(&mut is_told, true) {
            out.extend(fail(ts, message.text.text(), &model));
        }
    }
    out
}

fn fail(ts: Option<jiff::Timestamp>, text: &str, model: &(Option<Name>, Option<Name>)) -> Option<Observation> {
    let failure = serde_json::from_str::<Failure<'_>>(text).unwrap_or_default();
    let message = failure.message.some_text().unwrap_or(text);
    let status = failure.status.status().or_else(|| status_in(message.get(..80).unwrap_or(message)));
    let (kind, rule) = judge_general(status, failure.status.text(), [message, ""])?;
    let mut observation = Observation::new(Tool::Cline, ts, kind, rule);
    observation.http_status = status;
    observation.model = failure.model.name().or_else(|| model.0.clone());
    observation.provider = failure.provider.name().or_else(|| model.1.clone());
    Some(observation)
}
