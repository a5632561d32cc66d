//! The shape of an exchange in a file: one JSON object a line, as in `explain --jsonl` and the test corpora.

use jiff::Timestamp;
use serde_json::Value;

use crate::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Timing};
use crate::core::target::Dialect;

/// One exchange with its id. Unknown fields are ignored, as are values of an unexpected type.
#[derive(Debug)]
pub struct Line {
    /// The id, given back with the verdict.
    pub id: Value,
    /// The provider's id, where given.
    pub provider: Option<String>,
    /// The wire API, where given.
    pub dialect: Dialect,
    /// The exchange.
    pub exchange: Exchange,
}

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// It is JSON, but no object.
    #[error("not a JSON object")]
    NotObject,
}

/// Reads one line.
///
/// # Errors
///
/// When the line is no JSON object.
pub fn parse(line: &[u8]) -> Result<Line, LineError> {
    let Value::Object(mut written) = serde_json::from_slice(line)? else {
        return Err(LineError::NotObject);
    };
    let mut take = |key: &str| written.remove(key).unwrap_or(Value::Null);
    let status = match take("status") {
        Value::Number(number) => number.as_u64().and_then(|number| u16::try_from(number).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let text = text_of(take("body"));
    let transport = take("transport");
    // Without a word on how it went, a body of JSON was answered by somebody.
    let is_answer = transport.is_null() && text.trim_start().starts_with(['{', '[']);
    let is_lost = status.is_none() && !is_answer && !matches!(transport.as_str(), Some("http" | "sse" | "ndjson"));
    let (end, body) = if is_lost {
        (End::Failed(Failure { phase: None, text }), Vec::new())
    } else {
        let mut body = text.into_bytes();
        body.truncate(BODY_LIMIT);
        (End::Complete, body)
    };
    let received_at = take("received_at").as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let dialect = match take("api") {
        Value::Null => take("dialect"),
        api => api,
    };
    Ok(Line {
        id: take("id"),
        provider: take("provider").as_str().map(str::to_owned),
        dialect: Dialect::from_name(dialect.as_str().unwrap_or_default()),
        exchange: Exchange {
            end,
            status,
            headers: headers(take("headers")),
            body,
            received_at,
            timing: Timing::default(),
        },
    })
}

fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Headers as an object, with one value or several each, or as a list of pairs.
fn headers(written: Value) -> Vec<(String, String)> {
    match written {
        Value::Object(map) => map
            .into_iter()
            .flat_map(|(name, value)| match value {
                Value::Array(values) => values.into_iter().map(|value| (name.clone(), text_of(value))).collect(),
                value => vec![(name, text_of(value))],
            })
            .collect(),
        Value::Array(pairs) => pairs
            .into_iter()
            .filter_map(|pair| match pair {
                Value::Array(pair) => match <[Value; 2]>::try_from(pair) {
                    Ok([Value::String(name), value]) => Some((name, text_of(value))),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_leniently() {
        let line = parse(
            br#"{"id":7,"api":"gemini","status":"429","headers":{"A":["x","y"],"B":2},"body":{"error":1},"other":[]}"#,
        )
        .expect("an object");
        assert_eq!(line.id, 7);
        assert_eq!(line.dialect, Dialect::Gemini);
        assert_eq!(line.exchange.status, Some(429));
        assert_eq!(line.exchange.headers.len(), 3);
        assert_eq!(line.exchange.body, br#"{"error":1}"#);
        let told = parse(br#"{"body":"{\"error\":{\"type\":\"overloaded_error\"}}"}"#).expect("an object");
        assert!(matches!(told.exchange.end, End::Complete));
        let lost = parse(br#"{"body":"{}","transport":"connect-error"}"#).expect("an object");
        assert!(matches!(lost.exchange.end, End::Failed(_)));
        assert!(matches!(parse(b"[1]"), Err(LineError::NotObject)));
        assert!(matches!(parse(b"{torn"), Err(LineError::NotJson(_))));
        assert!(parse(b"\xff").is_err());
    }
}
