//! Gathers what can decide from an error, in whatever envelope it came.
//!
//! Members are read by their names, not by their place, because gateways wrap and rename. What can hold an answer, a prompt
//! or a request is never entered.

use std::ops::Range;

use crate::core::reply::scan::{At, Doc, Value, plain, unescape};

/// A level that stands for "whatever wraps it": evidence from headers.
pub(super) const ANY_LEVEL: u8 = u8::MAX;
/// Errors wrapped deeper are not unwrapped.
const MAX_LEVEL: u8 = 4;
/// Objects nested deeper inside one error are not read.
const MAX_DEPTH: u8 = 8;
/// Names and texts beyond this number are not gathered.
const MAX_ITEMS: usize = 64;
/// A text is searched up to this many bytes.
const TEXT_LIMIT: usize = 4096;
/// A code is compared up to this many bytes; the longest known has 64.
const NAME_LIMIT: usize = 96;

/// A code or a type.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) level: u8,
    pub(super) is_code: bool,
    pub(super) at: Range<usize>,
}

/// A sentence for people.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) level: u8,
    pub(super) at: Range<usize>,
}

/// A member that says when to come back.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BodyHint {
    /// Seconds from now.
    Seconds(f64),
    /// Unix time in seconds or milliseconds.
    Unix(f64),
    /// A duration as text: `36s`, `1h2m`.
    Duration(String),
    /// A moment as text.
    Moment(String),
}

/// What was gathered.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Folded codes and types, one after another.
    folded: String,
    /// The first code of each level as written, for showing.
    codes: Vec<(u8, String)>,
    /// Sentences, each followed by a line feed.
    prose: String,
    pub(super) names: Vec<Name>,
    pub(super) sentences: Vec<Sentence>,
    /// The innermost error that named a status.
    pub(super) inner_status: Option<(u8, u16)>,
    pub(super) hints: Vec<(u8, BodyHint)>,
    /// Seconds until the last full window of a plan starts anew, from headers that the body carries.
    pub(super) window: Option<f64>,
    pub(super) deepest: u8,
}

/// Folds a code: lower case without `_`, `-` and spaces, so that `RateLimitReached` and `rate_limit_reached` are one.
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    fold_into(&mut folded, name);
    folded
}

fn fold_into(folded: &mut String, name: &str) {
    for symbol in name.chars().take(NAME_LIMIT) {
        if !matches!(symbol, '_' | '-' | ' ' | '\n') {
            folded.push(symbol.to_ascii_lowercase());
        }
    }
}

impl Evidence {
    pub(super) fn new() -> Self {
        Self {
            folded: String::with_capacity(128),
            prose: String::with_capacity(384),
            names: Vec::with_capacity(8),
            sentences: Vec::with_capacity(4),
            ..Self::default()
        }
    }

    pub(super) fn name(&self, name: &Name) -> &str {
        &self.folded[name.at.clone()]
    }

    /// A sentence with the line feed behind it.
    pub(super) fn sentence(&self, sentence: &Sentence) -> &str {
        &self.prose[sentence.at.clone()]
    }

    /// All sentences, each on its line.
    pub(super) fn prose(&self) -> &str {
        &self.prose
    }

    /// The first code at this level, as written.
    pub(super) fn code_at(&self, level: u8) -> Option<&str> {
        self.codes.iter().find(|(at, _)| *at == level).map(|(_, code)| code.as_str())
    }

    /// Adds a code or type under a name space that keeps one vendor's numbers apart from another's.
    pub(super) fn add_name(&mut self, level: u8, is_code: bool, space: &str, name: &str) {
        if self.names.len() >= MAX_ITEMS || name.is_empty() {
            return;
        }
        if is_code && name.len() <= NAME_LIMIT && !self.codes.iter().any(|(at, _)| *at == level) {
            self.codes.push((level, name.to_owned()));
        }
        let start = self.folded.len();
        self.folded.push_str(space);
        fold_into(&mut self.folded, name);
        self.names.push(Name { level, is_code, at: start..self.folded.len() });
    }

    /// Adds a sentence, and the error that it wraps, if it does.
    pub(super) fn add_text(&mut self, level: u8, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.sentences.len() >= MAX_ITEMS {
            return;
        }
        let mut own = text;
        if let Some((at, inner)) = find_object(text)
            && level < MAX_LEVEL
            && self.add_inner(level + 1, inner)
        {
            own = text[..at].trim_end();
        }
        self.add_prose(level, own);
    }

    fn add_prose(&mut self, level: u8, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut end = text.len().min(TEXT_LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let start = self.prose.len();
        self.prose.push_str(&text[..end]);
        self.prose.push('\n');
        self.sentences.push(Sentence { level, at: start..self.prose.len() });
        self.deepest = self.deepest.max(level);
    }

    /// Reads an error inside a sentence; tells whether there was one.
    fn add_inner(&mut self, level: u8, inner: &str) -> bool {
        let before = (self.names.len(), self.sentences.len());
        if let Some(doc) = Doc::scan(&plain(inner)) {
            self.add_value(level, doc.root());
        }
        if before == (self.names.len(), self.sentences.len()) && inner.starts_with("{\\\"") {
            // Escaped once more than it was quoted.
            let plain = unescape(inner);
            if let Some(doc) = Doc::scan(&plain) {
                self.add_value(level, doc.root());
            }
        }
        let is_found = before != (self.names.len(), self.sentences.len());
        if is_found {
            self.deepest = self.deepest.max(level);
        }
        is_found
    }

    /// Reads a whole JSON value as an error.
    pub(super) fn add_value(&mut self, level: u8, root: At<'_, '_>) {
        self.walk(root, level, 0, "");
    }

    fn walk(&mut self, at: At<'_, '_>, level: u8, depth: u8, space: &'static str) {
        if depth > MAX_DEPTH {
            return;
        }
        for part in at.children() {
            match part.value() {
                Value::Object | Value::Array => {
                    let key = part.key();
                    if is_private(key) || (depth == 0 && key == "message" && part.get("content").is_some()) {
                        continue;
                    }
                    if part.is_object() && key.ends_with("Exception") {
                        self.add_name(level, false, "", key);
                    }
                    let inner = match key {
                        "base_resp" | "BaseResp" | "baseResp" => "mm",
                        "errors" => "cf",
                        "header" => "xf",
                        _ => space,
                    };
                    self.walk(part, level, depth + 1, inner);
                }
                Value::Null | Value::Bool(_) => {}
                Value::Bare(_) | Value::Text(_) => self.leaf(part, at, level, depth, space),
            }
        }
    }

    fn leaf(&mut self, part: At<'_, '_>, parent: At<'_, '_>, level: u8, depth: u8, space: &'static str) {
        let key = part.key();
        match key {
            "" => {
                // A plain string in a list of errors.
                if let Value::Text(raw) = part.value() {
                    self.add_text(level, &raw.decode());
                }
            }
            "code" | "Code" | "error_code" | "errorCode" | "errcode" | "err_code" | "errno" | "ErrorCode"
            | "status_code" | "StatusCode" | "statusCode" | "reason" | "quotaId" | "quota_id" | "quota_limit"
            | "quota_metric" | "limit_source" | "error_type" | "errorType" | "sub_code" | "http_code" | "httpCode"
            | "http_status" | "httpStatus" | "codex_error_info" | "limit_name" | "error_name" => {
                self.code(part, level, key, space);
            }
            "status" => match part.number() {
                Some(_) => self.code(part, level, key, space),
                None => self.word(part, level, false),
            },
            "type" | "__type" | "exception" | "name" | "class" | "blockReason" | "block_reason" | "error_class" => {
                self.word(part, level, false);
            }
            "message" | "msg" | "detail" | "error_msg" | "error_message" | "errorMessage" | "status_msg"
            | "StatusMsg" | "Message" | "Msg" | "errMsg" | "errmsg" | "err_msg" | "error_description"
            | "description" | "title" | "raw" | "details" | "info" | "errorMsg" | "reason_message" | "cause"
            | "additional_details" | "localizedMessage" | "upstream_message" | "upstream_error"
            | "upstream_response" | "body" | "display_message" | "error_details" | "status_message"
            | "statusMessage" | "statusText" | "exception_message" | "err" => {
                if let Value::Text(raw) = part.value() {
                    self.add_text(level, &raw.decode());
                }
            }
            "error" | "Error" | "warning" => {
                if let Value::Text(raw) = part.value() {
                    let text = raw.decode();
                    if is_word(&text) {
                        self.add_name(level, true, "", &text);
                    }
                    self.add_text(level, &text);
                } else {
                    self.code(part, level, "code", space);
                }
            }
            "resets_in_seconds"
            | "retry_after"
            | "retryAfter"
            | "retry_after_seconds"
            | "retryAfterSeconds"
            | "reset_after_seconds"
            | "resets_in"
            | "wait_seconds"
            | "retry_after_secs"
            | "reset_in_seconds"
            | "estimated_time"
            | "reset_seconds"
            | "retry_in"
            | "cooldown_seconds" => match part.number() {
                Some(number) => self.hints.push((level, BodyHint::Seconds(number))),
                None => self.moment(part, level),
            },
            "retry_after_ms" | "retryAfterMs" => {
                if let Some(number) = part.number() {
                    self.hints.push((level, BodyHint::Seconds(number / 1000.0)));
                }
            }
            "resets_at"
            | "reset_at"
            | "resetsAt"
            | "resetAt"
            | "quotaResetTimeStamp"
            | "reset_time"
            | "resetTime"
            | "X-RateLimit-Reset"
            | "x-ratelimit-reset"
            | "next_reset_time"
            | "nextResetTime"
            | "quota_reset_at" => match part.number() {
                Some(number) => self.hints.push((level, BodyHint::Unix(number))),
                None => self.moment(part, level),
            },
            "retryDelay" | "retry_delay" | "quotaResetDelay" => {
                if let Some(text) = part.raw_text() {
                    self.hints.push((level, BodyHint::Duration(text.to_owned())));
                }
            }
            "faultstring" | "fault" | "err_reason" => {
                if let Value::Text(raw) = part.value() {
                    self.add_text(level, &raw.decode());
                }
            }
            _ if ends_with_word(key, "code") => self.code(part, level, key, space),
            _ if ["message", "msg", "description"].iter().any(|word| ends_with_word(key, word)) => {
                if let Value::Text(raw) = part.value() {
                    self.add_text(level, &raw.decode());
                }
            }
            _ if depth > 0 => self.header(part, parent, level),
            _ => {}
        }
    }

    /// Reads headers that an event or a gateway carries in the body. Those of a plan's windows say less than the body's own
    /// numbers, wherever they stand, and count only where the window is full.
    fn header(&mut self, part: At<'_, '_>, headers: At<'_, '_>, level: u8) {
        const WINDOW: &str = "-reset-after-seconds";
        let key = part.key();
        let Some(number) = part.number() else { return };
        if key.eq_ignore_ascii_case("retry-after") {
            self.hints.insert(0, (level, BodyHint::Seconds(number)));
        } else if ends_with_word(key, WINDOW) {
            let used = format!("{}-used-percent", &key[..key.len() - WINDOW.len()]);
            let used = headers.children().find(|other| other.key().eq_ignore_ascii_case(&used)).and_then(At::number);
            if used.is_none_or(|percent| percent >= 100.0) {
                self.window = Some(self.window.map_or(number, |known| known.max(number)));
            }
        }
    }

    fn moment(&mut self, part: At<'_, '_>, level: u8) {
        if let Some(text) = part.raw_text() {
            let hint = if text.bytes().filter(|byte| *byte == b'-').count() >= 2 {
                BodyHint::Moment(text.to_owned())
            } else {
                BodyHint::Duration(text.to_owned())
            };
            self.hints.push((level, hint));
        }
    }

    fn code(&mut self, part: At<'_, '_>, level: u8, key: &str, space: &'static str) {
        let Some(number) = part.number() else {
            return self.word(part, level, true);
        };
        if (400.0..600.0).contains(&number) && number.fract() == 0.0 {
            // A status in a code's clothes. The innermost error's counts, and its own field before an outer one.
            if self.inner_status.is_none_or(|(known, _)| level > known) {
                self.inner_status = Some((level, number as u16));
            }
            return;
        }
        let own_space = if space.is_empty() && matches!(key, "error_code" | "errorCode") { "qf" } else { space };
        let digits = match part.value() {
            Value::Bare(text) => text,
            Value::Text(raw) => raw.as_written().trim(),
            _ => return,
        };
        self.add_name(level, true, own_space, digits);
    }

    fn word(&mut self, part: At<'_, '_>, level: u8, is_code: bool) {
        let Value::Text(raw) = part.value() else {
            if let Value::Bare(word) = part.value() {
                self.add_name(level, is_code, "", word);
            }
            return;
        };
        let text = raw.decode();
        self.add_name(level, is_code, "", &text);
        // xAI and others put a sentence where a code belongs.
        if text.len() > 16 && text.contains(' ') {
            self.add_text(level, &text);
        }
    }
}

/// Members that hold an answer, a prompt, the request, or nothing of use.
fn is_private(key: &str) -> bool {
    matches!(
        key,
        "choices"
            | "candidates"
            | "output"
            | "content"
            | "messages"
            | "input"
            | "request"
            | "prompt"
            | "usage"
            | "flagged_input"
            | "links"
            | "user"
            | "instructions"
            | "tools"
            | "loc"
            | "ctx"
            | "stack"
            | "content_filter_result"
            | "contentFilter"
            | "quotaDimensions"
            | "eligible_promo"
            | "param"
            | "params"
    )
}

/// Whether a member's name ends so, whatever its case.
fn ends_with_word(key: &str, word: &str) -> bool {
    key.len() > word.len() && key.as_bytes()[key.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
}

/// A single token, like a code.
fn is_word(text: &str) -> bool {
    text.len() <= NAME_LIMIT
        && !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte))
}

/// Finds what may be a JSON or Python object inside a sentence.
fn find_object(text: &str) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|&byte| byte == b'{') {
        let at = from + at;
        let next = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        if matches!(next, Some(b'"' | b'\'' | b'\\')) {
            return Some((at, &text[at..]));
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(text: &str) -> Evidence {
        let mut evidence = Evidence::new();
        evidence.add_text(0, text);
        evidence
    }

    #[test]
    fn wrapped_errors_are_unwrapped_and_keep_their_level() {
        for text in [
            r#"API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            r#"Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}"#,
            r#"relay: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"#,
        ] {
            let evidence = gather(text);
            let names: Vec<_> = evidence.names.iter().map(|name| (name.level, evidence.name(name))).collect();
            assert!(names.contains(&(1, "overloadederror")), "{text}: {names:?}");
            assert!(evidence.prose().contains("Overloaded\n"));
        }
    }

    #[test]
    fn what_holds_answers_and_prompts_is_not_read() {
        let text = r#"{"choices":[{"message":"secret"}],"flagged_input":"secret","error":{"message":"no"},"input":{"text":"secret"}}"#;
        let evidence = gather(text);
        assert!(!evidence.prose().contains("secret"));
        assert!(evidence.prose().contains("no"));
    }

    #[test]
    fn escapes_hide_nothing() {
        let evidence =
            gather(r#"{"\u0065rror":{"c\u006fde":"server_is_overl\u006faded","retryD\u0065lay":"\u0039s"}}"#);
        assert_eq!(evidence.names.iter().map(|name| evidence.name(name)).collect::<Vec<_>>(), ["serverisoverloaded"]);
        assert_eq!(evidence.hints, [(1, BodyHint::Duration("9s".to_owned()))]);
    }

    #[test]
    fn folding_joins_spellings() {
        for name in ["RateLimitReached", "rate_limit_reached", "RATE-LIMIT REACHED"] {
            assert_eq!(fold(name), "ratelimitreached");
        }
    }
}
