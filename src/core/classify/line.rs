//! The shape of an exchange in a file: one JSON object a line, as in `explain --jsonl` and the test corpora.

use jiff::Timestamp;
use serde::Deserialize;

use crate::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Timing};
use crate::core::target::Dialect;

/// One exchange with its id. Unknown fields are ignored.
#[derive(Debug)]
pub struct Line {
    /// The id, given back with the verdict.
    pub id: serde_json::Value,
    /// The provider's id, where given.
    pub provider: Option<String>,
    /// The wire API, where given.
    pub dialect: Dialect,
    /// The exchange.
    pub exchange: Exchange,
}

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    id: serde_json::Value,
    #[serde(default)]
    provider: Option<String>,
    #[serde(default, alias = "dialect")]
    api: Option<String>,
    #[serde(default)]
    transport: Option<String>,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    headers: serde_json::Value,
    #[serde(default)]
    body: serde_json::Value,
    #[serde(default)]
    received_at: Option<Timestamp>,
}

/// Reads one line.
///
/// # Errors
///
/// Says where the line is no such object.
pub fn parse(line: &str) -> Result<Line, serde_json::Error> {
    let written: Written = serde_json::from_str(line)?;
    let text = match written.body {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    let is_lost = written.status.is_none() && !matches!(written.transport.as_deref(), Some("http" | "sse" | "ndjson"));
    let (end, body) = if is_lost {
        (End::Failed(Failure { phase: None, text }), Vec::new())
    } else {
        let mut body = text.into_bytes();
        body.truncate(BODY_LIMIT);
        (End::Complete, body)
    };
    Ok(Line {
        id: written.id,
        provider: written.provider,
        dialect: Dialect::from_name(written.api.as_deref().unwrap_or_default()),
        exchange: Exchange {
            end,
            status: written.status,
            headers: headers(&written.headers),
            body,
            received_at: written.received_at,
            timing: Timing::default(),
        },
    })
}

/// Headers as an object, with one value or several each, or as a list of pairs.
fn headers(written: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match written {
        serde_json::Value::Object(map) => map
            .iter()
            .flat_map(|(name, value)| match value {
                serde_json::Value::Array(values) => values.iter().map(|value| (name.clone(), text(value))).collect(),
                value => vec![(name.clone(), text(value))],
            })
            .collect(),
        serde_json::Value::Array(pairs) => pairs
            .iter()
            .filter_map(|pair| match pair.as_array().map(Vec::as_slice) {
                Some([serde_json::Value::String(name), value]) => Some((name.clone(), text(value))),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
