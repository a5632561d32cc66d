//! Which refusal in a log means what: tables of rules, the first that fits wins.

use crate::core::outcome::Kind;

/// What a log says of a failed request. Lives no longer than the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The HTTP status, from a field or out of the text.
    pub status: Option<u16>,
    /// The machine words: error codes and types.
    pub codes: [&'a str; 3],
    /// The texts.
    pub texts: [&'a str; 2],
    /// The log says that no connection was made.
    pub is_unconnected: bool,
    /// The log names the limit's window.
    pub has_window: bool,
}

/// One condition of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// A machine word, in snake or camel case.
    Code(&'static str),
    /// The status is in this range, both ends included.
    Status(u16, u16),
    /// There is no status, or it is at least this.
    NoneOrFrom(u16),
    /// There is no status.
    NoStatus,
    /// A text holds this, whatever the case.
    Text(&'static str),
    /// A text begins with this, whatever the case.
    Starts(&'static str),
    /// A text holds the first and, after it, the second.
    Both(&'static str, &'static str),
    /// No connection was made.
    Unconnected,
    /// The limit's window is named.
    Window,
}

/// One line of a table: if all conditions hold it is this kind, or (`None`) it says nothing of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub id: &'static str,
    pub when: &'static [When],
    pub kind: Option<Kind>,
}

pub(super) const fn rule(id: &'static str, when: &'static [When], kind: Kind) -> Rule {
    Rule { id, when, kind: Some(kind) }
}

pub(super) const fn silent(id: &'static str, when: &'static [When]) -> Rule {
    Rule { id, when, kind: None }
}

/// The kind and the rule's id; `None` when the error is a local affair that says nothing.
pub(super) fn judge(table: &[Rule], evidence: &Evidence<'_>) -> Option<(Kind, &'static str)> {
    match table.iter().find(|rule| rule.when.iter().all(|when| when.holds(evidence))) {
        Some(rule) => Some((rule.kind?, rule.id)),
        None => Some((Kind::Unrecognized, "log-unrecognized")),
    }
}

impl When {
    fn holds(self, evidence: &Evidence<'_>) -> bool {
        let any_text = |test: &dyn Fn(&str) -> bool| evidence.texts.iter().any(|text| test(text));
        match self {
            Self::Code(word) => evidence.codes.iter().any(|code| is_same_word(code, word)),
            Self::Status(from, to) => evidence.status.is_some_and(|status| (from..=to).contains(&status)),
            Self::NoneOrFrom(from) => evidence.status.is_none_or(|status| status >= from),
            Self::NoStatus => evidence.status.is_none(),
            Self::Text(part) => any_text(&|text| find(text, part).is_some()),
            Self::Starts(part) => any_text(&|text| find(text.trim_start(), part) == Some(0)),
            Self::Both(first, second) => {
                any_text(&|text| find(text, first).is_some_and(|at| find(&text[at + first.len()..], second).is_some()))
            }
            Self::Unconnected => evidence.is_unconnected,
            Self::Window => evidence.has_window,
        }
    }
}

/// Where an ASCII part stands in a text, whatever the case.
fn find(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len()).position(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// Compares a machine word in any case with one in snake case: `serverOverloaded` is `server_overloaded`.
fn is_same_word(word: &str, snake: &str) -> bool {
    let plain = |text: &str| -> Vec<u8> {
        text.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase()).collect()
    };
    word == snake || (word.len() <= 2 * snake.len() && plain(word) == plain(snake))
}

/// A status written in a text: the first number of three digits from 400 to 599 that stands alone.
pub(super) fn status_in(text: &str) -> Option<u16> {
    let bytes = text.as_bytes();
    (0..bytes.len().saturating_sub(2)).find_map(|at| {
        let is_alone = (at == 0 || !is_word(bytes[at - 1])) && bytes.get(at + 3).is_none_or(|byte| !is_word(*byte));
        let digits = &bytes[at..at + 3];
        if !is_alone || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let number = digits.iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0'));
        (400..600).contains(&number).then_some(number)
    })
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// For tools that pass on what any provider said: opencode, Gemini CLI, Cline, aider.
pub(super) const GENERAL: &[Rule] = &[
    silent("log-aborted", &[When::Code("message_aborted_error")]),
    silent("log-output-length", &[When::Code("message_output_length_error")]),
    rule("log-unconnected", &[When::Unconnected], Kind::Network),
    rule("log-529", &[When::Status(529, 529)], Kind::AtCapacity),
    rule("log-no-capacity", &[When::Text("no capacity available")], Kind::AtCapacity),
    rule("log-capacity-exhausted", &[When::Text("MODEL_CAPACITY_EXHAUSTED")], Kind::AtCapacity),
    rule("log-at-capacity", &[When::Text("at capacity")], Kind::AtCapacity),
    rule("log-enough-capacity", &[When::Text("not have enough capacity")], Kind::AtCapacity),
    rule("log-busy-zh", &[When::Text("访问量过大")], Kind::AtCapacity),
    rule("log-worker-limit", &[When::Both("ResourceExhausted", "request limit reached")], Kind::AtCapacity),
    rule("log-overloaded", &[When::Text("overloaded"), When::NoneOrFrom(500)], Kind::AtCapacity),
    rule("log-demand", &[When::Text("high demand"), When::NoneOrFrom(500)], Kind::AtCapacity),
    rule("log-usage-limit", &[When::Text("usage limit")], Kind::UsageLimit),
    rule("log-hit-limit", &[When::Both("hit your", "limit")], Kind::UsageLimit),
    rule("log-capacity-of-plan", &[When::Text("exhausted your capacity")], Kind::UsageLimit),
    rule("log-daily-quota", &[When::Text("daily quota")], Kind::UsageLimit),
    rule("log-402", &[When::Status(402, 402)], Kind::QuotaExhausted),
    rule("log-insufficient-quota", &[When::Text("insufficient_quota")], Kind::QuotaExhausted),
    rule("log-current-quota", &[When::Text("exceeded your current quota")], Kind::QuotaExhausted),
    rule("log-credit", &[When::Text("credit balance is too low")], Kind::QuotaExhausted),
    rule("log-insufficient", &[When::Both("insufficient", "balance")], Kind::QuotaExhausted),
    rule("log-credits", &[When::Both("insufficient", "credit")], Kind::QuotaExhausted),
    rule("log-context-code", &[When::Code("context_overflow_error")], Kind::BadRequest),
    rule("log-provider-auth", &[When::Code("provider_auth_error")], Kind::Auth),
    rule("log-invalid-key", &[When::Text("api key not valid")], Kind::Auth),
    rule("log-401", &[When::Status(401, 401)], Kind::Auth),
    rule("log-403", &[When::Status(403, 403)], Kind::Forbidden),
    rule("log-no-model", &[When::Text("model_not_found")], Kind::ModelNotFound),
    rule("log-no-model-text", &[When::Both("model", "not found")], Kind::ModelNotFound),
    rule("log-no-model-exists", &[When::Both("model", "does not exist")], Kind::ModelNotFound),
    rule("log-404", &[When::Status(404, 404)], Kind::ModelNotFound),
    rule("log-429", &[When::Status(429, 429)], Kind::RateLimited),
    rule("log-408", &[When::Status(408, 408)], Kind::Timeout),
    rule("log-504", &[When::Status(504, 504)], Kind::Timeout),
    rule("log-content-filter", &[When::Text("content_filter")], Kind::ContentFiltered),
    rule("log-4xx", &[When::Status(400, 499)], Kind::BadRequest),
    rule("log-5xx", &[When::Status(500, 599)], Kind::ServerError),
    rule("log-rate-limit", &[When::Both("rate", "limit")], Kind::RateLimited),
    rule("log-too-many", &[When::Text("too many requests")], Kind::RateLimited),
    rule("log-resource-exhausted", &[When::Text("RESOURCE_EXHAUSTED")], Kind::RateLimited),
    rule("log-timed-out", &[When::Text("timed out")], Kind::Timeout),
    rule("log-timeout", &[When::Text("timeout")], Kind::Timeout),
    rule("log-unauthorized", &[When::Text("unauthorized")], Kind::Auth),
    rule("log-invalid-api-key", &[When::Both("invalid", "api key")], Kind::Auth),
    rule("log-fetch", &[When::Text("fetch failed")], Kind::Network),
    rule("log-refused", &[When::Text("ECONNREFUSED")], Kind::Network),
    rule("log-reset", &[When::Text("ECONNRESET")], Kind::Network),
    rule("log-name", &[When::Text("ENOTFOUND")], Kind::Network),
    rule("log-cannot-connect", &[When::Text("cannot connect to")], Kind::Network),
    rule("log-closed", &[When::Text("connection was closed")], Kind::Network),
    rule("log-connect", &[When::Text("unable to connect")], Kind::Network),
    rule("log-connection", &[When::Text("connection error")], Kind::Network),
    rule("log-server-error", &[When::Text("the server had an error")], Kind::ServerError),
    rule("log-terminated", &[When::NoStatus, When::Starts("terminated")], Kind::Network),
    rule("log-incorrect-key", &[When::Text("incorrect api key")], Kind::Auth),
    rule("log-internal", &[When::Text("internal server error")], Kind::ServerError),
];

/// Judges what a tool passed on of any provider's refusal.
pub(super) fn judge_general(status: Option<u16>, code: &str, texts: [&str; 2]) -> Option<(Kind, &'static str)> {
    judge(GENERAL, &Evidence { status, codes: [code, "", ""], texts, ..Evidence::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_in_texts() {
        assert!(is_same_word("serverOverloaded", "server_overloaded"));
        assert!(!is_same_word("", "server_overloaded"));
        assert!(!is_same_word("overloaded", "overloaded_error"));
        assert_eq!(status_in("API Error: 529 {\"type\""), Some(529));
        assert_eq!(status_in("Request rejected (429) · slow"), Some(429));
        assert_eq!(status_in("exceeded 5000 tokens, claude-500, req_429, 200"), None);
        assert_eq!(find("Überlastet: OVERLOADED", "overloaded"), Some("Überlastet: ".len()));
        assert_eq!(find("ab", "abc"), None);
    }
}
