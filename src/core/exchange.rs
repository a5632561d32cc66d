//! The raw facts of one request, as the classifier sees them.

use jiff::Timestamp;

/// Bodies are read up to this many bytes; the rest is discarded unread.
pub const BODY_LIMIT: usize = 64 * 1024;

/// How an exchange ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The answer was read to its end, to [`BODY_LIMIT`], or until enough was known.
    #[default]
    Complete,
    /// The connection was lost after the status line.
    Cut,
    /// The status line came, then a deadline passed without progress.
    Stalled,
    /// There was no status line: the error's whole source chain as one line, without URL query or key.
    Failed(Failure),
}

/// A request that got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it failed, if the client knows; a pasted text does not.
    pub phase: Option<Phase>,
    /// The error and its sources, joined by `: `.
    pub text: String,
}

/// The step at which a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The request could not be built: a bad URL or header.
    Build,
    /// The name did not resolve.
    Dns,
    /// No connection: refused, unreachable, or not in time.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// Connected, but nothing came back.
    FirstByte,
}

/// Times since the request began, in milliseconds; `None` where that point was not reached or not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Until the connection (with TLS) stood; `None` also on a reused connection.
    pub connect_ms: Option<u32>,
    /// Until the status line.
    pub headers_ms: Option<u32>,
    /// Until the first output: text, reasoning or a tool call, never a keep-alive.
    pub first_token_ms: Option<u32>,
    /// Until the exchange ended.
    pub total_ms: Option<u32>,
}

/// What came back from one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// How it ended.
    pub end: End,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// The answer's headers in their order, names as received.
    pub headers: Vec<(String, String)>,
    /// The body, at most [`BODY_LIMIT`] bytes.
    pub body: Vec<u8>,
    /// When the answer was received: what absolute reset times are measured from. `None` in a pasted text.
    pub received_at: Option<Timestamp>,
    /// How long it took.
    pub timing: Timing,
}

impl Exchange {
    /// The first header with this name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}
