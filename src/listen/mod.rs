//! Free evidence: what coding tools, status pages and command-line probes already say, read into observations.
//!
//! The parsers are pure: bytes in, [`Observation`]s out. They decode an allow-list of fields and borrow them from the
//! input; everything else is skipped without being copied. No type here can hold a prompt, an answer, an error's text or a
//! session's id. The facts of every format are in each reader's own documentation.

mod aider;
#[cfg(feature = "shell")]
pub mod backfill;
mod claude;
mod cline;
mod codex;
mod codex_line;
mod codex_rules;
mod command;
#[cfg(feature = "shell")]
pub mod cursor;
#[cfg(feature = "shell")]
pub mod databases;
#[cfg(feature = "shell")]
pub mod disk;
#[cfg(feature = "shell")]
mod follow;
mod form;
mod gemini;
#[cfg(feature = "shell")]
pub mod homes;
mod lenient;
mod lines;
mod observation;
mod opencode;
mod openrouter;
mod own;
pub mod pages;
mod place;
mod rules;
mod sessions;
#[cfg(feature = "shell")]
pub mod tail;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_more;
#[cfg(test)]
mod tests_odd;
#[cfg_attr(not(feature = "shell"), expect(dead_code, reason = "the list of turns is a database"))]
mod turns;

pub use claude::Seen;
pub use form::{Carry, Form, Reader};
pub use lines::{LONGEST_LINE, LineReader, Lines, PREFIX};
pub use observation::{Component, Limit, Name, Observation, Tool};
pub use openrouter::{Upstreams, upstreams};
pub use own::OWN_FOLDER;
pub use place::{Place, Targets, place, sample, scope};
pub use sessions::{Process, sessions};

/// Reads a whole file that is in memory, form and all: for tests and small files.
pub fn read(bytes: &[u8], tool: Option<Tool>, seen: &Seen) -> Vec<Observation> {
    let head = &bytes[..bytes.len().min(Form::HEAD)];
    let Some(form) = Form::detect(head, tool) else { return Vec::new() };
    let Some(mut reader) = Reader::new(form, seen) else { return form.document(bytes) };
    let (mut lines, mut out) = (Lines::default(), Vec::new());
    lines.feed(bytes, &mut reader, &mut out);
    lines.finish(&mut reader, &mut out);
    out
}
