//! aider's analytics log (`--analytics-log FILE`, off unless asked for): one event a line.

use serde::Deserialize;

use super::lenient::{FromText, Object, Scalar, object};
use super::lines::LineReader;
use super::observation::{Observation, Tool};
use super::rules::{judge_general, status_in};
use crate::core::outcome::Kind;

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    event: Scalar<'a>,
    #[serde(borrow, default)]
    time: Scalar<'a>,
    #[serde(borrow, default)]
    properties: Object<Properties<'a>>,
}

#[derive(Default, Deserialize)]
struct Properties<'a> {
    #[serde(borrow, default)]
    main_model: Scalar<'a>,
    #[serde(borrow, default)]
    exception: Scalar<'a>,
}

impl FromText<'_> for Properties<'_> {}

/// Reads one log.
#[derive(Debug, Default)]
pub(super) struct Analytics;

impl LineReader for Analytics {
    fn wants(&self, prefix: &[u8]) -> bool {
        memchr::memmem::find(prefix, b"message_send").is_some()
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let Some(event) = object::<Event<'_>>(line) else { return };
        let none = Properties::default();
        let properties = event.properties.get().unwrap_or(&none);
        let (status, kind, rule) = match event.event.text() {
            "message_send" => (None, Kind::Available, "aider-answer"),
            "message_send_exception" => {
                let text = properties.exception.text();
                let status = status_in(text);
                let Some((kind, rule)) = judge_general(status, "", [text, ""]) else { return };
                (status, kind, rule)
            }
            _ => return,
        };
        let mut observation = Observation::new(Tool::Aider, event.time.time(), kind, rule);
        observation.http_status = status;
        observation.model = properties.main_model.name();
        out.push(observation);
    }

    fn settle(&mut self, _: &mut Vec<Observation>) {}
}
