//! Reads an answer while it streams: server-sent events, JSON lines, a JSON array in pieces, or plain JSON.
//!
//! The format is told by the bytes, never by the content type, because relays mislabel both. What is read depends only on
//! the bytes, not on how they were cut: any split of a stream gives the same [`Reply`].

mod failure;
pub mod scan;
mod shape;
mod split;

use crate::core::exchange::BODY_LIMIT;
use crate::core::reply::scan::Doc;
pub use crate::core::reply::shape::Finish;
use crate::core::reply::shape::Text;
use crate::core::reply::split::{Lines, Values};

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

/// What the bytes of a body turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Nothing but white space.
    #[default]
    Empty,
    /// JSON: one document, lines, or an array.
    Json,
    /// Server-sent events; also when there were only comments.
    Events,
    /// Anything else: HTML, plain text, garbage.
    Text,
}

/// A whole answer as read.
#[derive(Debug, Default)]
pub struct Reply {
    /// What has been seen.
    pub progress: Progress,
    /// What the bytes were.
    pub format: Format,
    /// Why it ended, if it said so.
    pub finish: Option<Finish>,
    /// It counted tokens, more than zero.
    pub has_usage: bool,
    /// At least one value had a shape that only answers have.
    pub is_answer: bool,
    /// How many events with data, or JSON values, there were.
    pub values: u32,
    /// The JSON text of the first error; it may carry parts of the answer beside it.
    pub error: Option<String>,
    /// The JSON text of the first value, as long as nothing better is known of the answer.
    pub first: Option<String>,
    /// What stood in an event stream and was neither a comment nor JSON, its beginning.
    pub stray: String,
    /// The answer's text, when it is short and there was neither reasoning nor a tool call. It never leaves memory.
    pub short_text: Option<String>,
}

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Start,
    Json(Values),
    /// A page, whose scripts may look like JSON: not read here.
    Page,
    Lines(Lines, Event),
}

/// The event that is being put together.
#[derive(Debug, Default)]
struct Event {
    name: String,
    data: Vec<u8>,
    /// JSON that stood in the stream without `data:`.
    loose: Values,
}

/// Reads an answer piece by piece.
#[derive(Debug, Default)]
pub struct ReplyReader {
    mode: Mode,
    start: Vec<u8>,
    taken: usize,
    state: State,
}

#[derive(Debug, Default)]
struct State {
    reply: Reply,
    text: Text,
    has_more_than_text: bool,
}

/// The beginning of stray text that is kept.
const STRAY_LIMIT: usize = 2048;
/// The first value is kept up to this size; errors are small.
const FIRST_LIMIT: usize = 8192;

impl ReplyReader {
    /// A reader at the start of a body.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been seen so far.
    pub const fn progress(&self) -> Progress {
        self.state.reply.progress
    }

    /// Reads the next bytes, as decoded from transfer and content encoding, and tells what has been seen up to here.
    /// Bytes beyond [`BODY_LIMIT`] are ignored.
    pub fn push(&mut self, bytes: &[u8]) -> Progress {
        let bytes = &bytes[..bytes.len().min(BODY_LIMIT - self.taken)];
        self.taken += bytes.len();
        if matches!(self.mode, Mode::Start) {
            if self.start.is_empty() && begins_json(bytes) {
                self.state.reply.format = Format::Json;
                self.mode = Mode::Json(Values::default());
                self.feed(bytes);
            } else {
                self.start.extend_from_slice(bytes);
                self.open();
            }
        } else {
            self.feed(bytes);
        }
        self.progress()
    }

    /// Chooses the format once the first telling byte has come.
    fn open(&mut self) {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        let start = &self.start[..];
        if start.len() < MARK.len() && MARK.starts_with(start) {
            return;
        }
        let text = start.strip_prefix(MARK).unwrap_or(start).trim_ascii_start();
        let Some(first) = text.first() else {
            return;
        };
        if matches!(first, b'{' | b'[') {
            self.state.reply.format = Format::Json;
            self.mode = Mode::Json(Values::default());
        } else if *first == b'<' {
            self.state.reply.format = Format::Text;
            self.mode = Mode::Page;
        } else {
            self.state.reply.format = Format::Text;
            self.mode = Mode::Lines(Lines::default(), Event::default());
        }
        let text = text.to_vec();
        self.start = Vec::new();
        self.feed(&text);
    }

    fn feed(&mut self, bytes: &[u8]) {
        let state = &mut self.state;
        match &mut self.mode {
            Mode::Start | Mode::Page => {}
            Mode::Json(values) => values.push(bytes, |value| state.value("", value)),
            Mode::Lines(lines, event) => lines.push(bytes, |line| event.line(line, state)),
        }
    }

    /// Ends the body and hands out what was read, also of a last event or value that was cut off.
    pub fn finish(mut self) -> Reply {
        match &mut self.mode {
            Mode::Start | Mode::Page => {}
            Mode::Json(values) => {
                let rest = values.finish();
                if !rest.is_empty() {
                    self.state.value("", &rest);
                }
            }
            Mode::Lines(lines, event) => {
                let last = lines.finish();
                if !last.is_empty() {
                    event.line(&last, &mut self.state);
                }
                event.dispatch(&mut self.state);
                let rest = event.loose.finish();
                if !rest.is_empty() {
                    self.state.value("", &rest);
                }
            }
        }
        let State { mut reply, text, has_more_than_text } = self.state;
        if reply.progress.output && !has_more_than_text {
            reply.short_text = text.into_short();
        }
        reply
    }
}

fn begins_json(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(b'{' | b'['))
}

impl Event {
    fn line(&mut self, line: &[u8], state: &mut State) {
        if line.is_empty() {
            return self.dispatch(state);
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(at) => (&line[..at], line[at + 1..].strip_prefix(b" ").unwrap_or(&line[at + 1..])),
            None => (line, &b""[..]),
        };
        match field {
            b"" => Self::mark(state),
            b"data" => {
                Self::mark(state);
                self.data(value, state);
            }
            b"event" => {
                Self::mark(state);
                // A new name begins a new event, also where the blank line between is missing.
                self.dispatch(state);
                self.name = String::from_utf8_lossy(value).trim().to_owned();
            }
            b"id" | b"retry" => Self::mark(state),
            _ => {
                let json = &mut self.loose;
                let mut has_json = false;
                json.push(line, |value| {
                    has_json = true;
                    state.value("", value);
                });
                json.push(b"\n", |_| {});
                if !has_json {
                    state.stray(line);
                }
            }
        }
    }

    fn mark(state: &mut State) {
        state.reply.format = Format::Events;
    }

    /// Takes a `data` line. A whole JSON value is read at once, so that a first token is not seen one event late.
    fn data(&mut self, value: &[u8], state: &mut State) {
        if !self.data.is_empty() {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(value);
        let data = self.data.trim_ascii();
        if data == b"[DONE]" {
            state.reply.values += 1;
            state.reply.progress.terminal = true;
            self.data.clear();
        } else if begins_json(data)
            && std::str::from_utf8(data).ok().and_then(Doc::scan).is_some_and(|doc| doc.is_complete())
        {
            state.value(&self.name, data);
            self.data.clear();
        }
    }

    fn dispatch(&mut self, state: &mut State) {
        let data = self.data.trim_ascii();
        if begins_json(data) {
            let mut values = Values::default();
            values.push(data, |value| state.value(&self.name, value));
            let rest = values.finish();
            if !rest.is_empty() {
                state.value(&self.name, &rest);
            }
        } else if !data.is_empty() {
            state.reply.values += 1;
            if self.name == "error" {
                state.reply.progress.error = true;
            }
            state.stray(data);
        }
        self.data.clear();
        self.name.clear();
    }
}

impl State {
    fn value(&mut self, event: &str, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = scan::plain(&text);
        let Some(doc) = Doc::scan(text.trim_ascii_start()) else {
            return;
        };
        let shape = shape::read(event, doc.root(), &mut self.text);
        let reply = &mut self.reply;
        reply.values += 1;
        reply.is_answer |= shape.is_answer;
        reply.has_usage |= shape.has_usage;
        reply.progress.output |= shape.has_output;
        reply.progress.error |= shape.has_error;
        reply.progress.terminal |= shape.is_last;
        self.has_more_than_text |= shape.has_more_than_text;
        if let Some(finish) = shape.finish
            && reply.finish != Some(Finish::Failed)
        {
            reply.finish = Some(finish);
        }
        if shape.has_error {
            if reply.error.is_none() {
                reply.error = Some(text.into_owned());
            }
        } else if reply.first.is_none() && !shape.is_answer && text.len() <= FIRST_LIMIT {
            reply.first = Some(text.into_owned());
        }
    }

    fn stray(&mut self, line: &[u8]) {
        let stray = &mut self.reply.stray;
        if stray.len() < STRAY_LIMIT {
            stray.push_str(&String::from_utf8_lossy(line));
            stray.push('\n');
        }
    }
}
