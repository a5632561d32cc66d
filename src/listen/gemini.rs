//! Gemini CLI chats: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, older ones as one `.json` document.
//!
//! Only interactive sessions write refusals down, as a text in brackets that names no model. `$set` and `$rewindTo` rows
//! repeat messages and are no rows of their own.

use serde::Deserialize;

use super::lenient::{FromText, List, Object, Scalar, object};
use super::lines::LineReader;
use super::observation::{Name, Observation, Tool};
use super::rules::{judge_general, status_in};
use crate::core::outcome::Kind;

#[derive(Default, Deserialize)]
struct Row<'a> {
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default)]
    timestamp: Scalar<'a>,
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    model: Scalar<'a>,
}

/// The text of a row that the tool itself wrote.
#[derive(Default, Deserialize)]
struct Notice<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    content: Scalar<'a>,
}

#[derive(Deserialize)]
struct Session<'a> {
    #[serde(borrow, default)]
    messages: List<Object<Row<'a>>>,
}

/// The same session again, for the texts of its notices; those of other rows are dropped as they are read.
#[derive(Deserialize)]
struct Notices<'a> {
    #[serde(borrow, default)]
    messages: List<Object<Notice<'a>>>,
}

impl FromText<'_> for Row<'_> {}
impl FromText<'_> for Notice<'_> {}

/// Reads one chat.
#[derive(Debug, Default)]
pub(super) struct Chat {
    model: Option<Name>,
    last_id: String,
}

impl Chat {
    fn row(&mut self, row: &Row<'_>, notice: &dyn Fn() -> String, out: &mut Vec<Observation>) {
        let ts = row.timestamp.time();
        match row.kind.text() {
            "gemini" => {
                // A message is written again as it grows.
                let id = row.id.text();
                if !id.is_empty() && self.last_id == id {
                    return;
                }
                id.clone_into(&mut self.last_id);
                self.model = row.model.name().or(self.model.take());
                let mut observation = Observation::new(Tool::GeminiCli, ts, Kind::Available, "gemini-answer");
                observation.model.clone_from(&self.model);
                out.push(observation);
            }
            "error" | "warning" => {
                let text = notice();
                let Some(error) = api_error(&text) else { return };
                let status = status_in(error);
                let Some((kind, rule)) = judge_general(status, "", [error, ""]) else { return };
                let mut observation = Observation::new(Tool::GeminiCli, ts, kind, rule);
                observation.http_status = status;
                observation.model = model_in(error).or_else(|| self.model.clone());
                out.push(observation);
            }
            _ => {}
        }
    }
}

/// What stands in `[API Error: …]`.
pub(super) fn api_error(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix("[API Error: ").map(|rest| rest.trim_end().trim_end_matches(']'))
}

/// `No capacity available for model gemini-3-pro on the server`
pub(super) fn model_in(error: &str) -> Option<Name> {
    let (_, rest) = error.split_once("available for model ")?;
    Name::new(rest.split(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ']')).next()?)
}

impl LineReader for Chat {
    fn wants(&self, prefix: &[u8]) -> bool {
        !prefix.starts_with(b"{\"$")
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let Some(row) = object::<Row<'_>>(line) else { return };
        let notice = || object::<Notice<'_>>(line).map_or_else(String::new, |notice| notice.content.text().to_owned());
        self.row(&row, &notice, out);
    }

    fn settle(&mut self, _: &mut Vec<Observation>) {}
}

/// Reads a session that is one document.
pub(super) fn session(document: &[u8]) -> Vec<Observation> {
    let mut out = Vec::new();
    let Some(session) = object::<Session<'_>>(document) else { return out };
    let has_notice =
        |row: &Object<Row<'_>>| row.get().is_some_and(|row| matches!(row.kind.text(), "error" | "warning"));
    let mut notices = Vec::new();
    if session.messages.0.iter().any(has_notice) {
        let texts = object::<Notices<'_>>(document).map(|notices| notices.messages.0).unwrap_or_default();
        notices = texts
            .into_iter()
            .map(|notice| {
                let notice = notice.0.filter(|notice| matches!(notice.kind.text(), "error" | "warning"));
                notice.map_or_else(String::new, |notice| notice.content.text().to_owned())
            })
            .collect();
    }
    let mut chat = Chat::default();
    for (at, row) in session.messages.0.iter().enumerate() {
        if let Some(row) = row.get() {
            chat.row(row, &|| notices.get(at).cloned().unwrap_or_default(), &mut out);
        }
    }
    out
}
