//! Cuts a stream of bytes into lines, with a bound on what a line may cost.

use super::observation::Observation;

/// The longest line that is read; what is longer is content in any format we know.
pub const LONGEST_LINE: usize = 4 << 20;

/// How much of a line's beginning decides whether it can matter.
pub const PREFIX: usize = 256;

/// Reads a file line by line.
pub trait LineReader {
    /// Whether a line that begins with these bytes (at most [`PREFIX`] of them) can matter; if not it is skipped unread.
    fn wants(&self, prefix: &[u8]) -> bool;

    /// Takes in one line without its end; what it says is appended to `out`.
    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>);

    /// Gives out what is held back for more to become known of it: at the end of a file, or when none came for a while.
    fn settle(&mut self, out: &mut Vec<Observation>);

    /// Whether nothing read so far is needed to understand what follows, but [`LineReader::line`]s of the same kind.
    fn is_between(&self) -> bool {
        true
    }

    /// Remembers what has to be known to go on here: after a line, while [`LineReader::is_between`].
    fn mark(&mut self) {}
}

/// Cuts chunks into lines. What it holds is at most one line of [`LONGEST_LINE`], and only if the line can matter.
#[derive(Debug, Default)]
pub struct Lines {
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    /// Bytes of the present line so far, kept or not.
    length: u64,
    /// The present line is skipped.
    is_skipping: bool,
    skipped_long: u64,
    /// Bytes since the last line after which the reader was between.
    since_mark: u64,
}

impl Lines {
    /// Takes in the next bytes of the file.
    pub fn feed(&mut self, mut chunk: &[u8], reader: &mut dyn LineReader, out: &mut Vec<Observation>) {
        self.since_mark += chunk.len() as u64;
        if self.length > 0 {
            let end = memchr::memchr(b'\n', chunk);
            self.extend(&chunk[..end.unwrap_or(chunk.len())], reader);
            let Some(end) = end else { return };
            self.end(reader, out);
            chunk = &chunk[end + 1..];
            self.mark(chunk, reader);
        }
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            give(&chunk[..end], reader, out);
            chunk = &chunk[end + 1..];
            self.mark(chunk, reader);
        }
        self.extend(chunk, reader);
    }

    /// Ends the file: a last line without an end is read as one.
    pub fn finish(&mut self, reader: &mut dyn LineReader, out: &mut Vec<Observation>) {
        self.end(reader, out);
        reader.settle(out);
    }

    /// Bytes of the line whose end has not come yet.
    pub const fn pending(&self) -> u64 {
        self.length
    }

    /// Bytes since the last place from which reading may go on later without what came before.
    pub const fn since_mark(&self) -> u64 {
        self.since_mark
    }

    fn mark(&mut self, rest: &[u8], reader: &mut dyn LineReader) {
        if reader.is_between() {
            reader.mark();
            self.since_mark = rest.len() as u64;
        }
    }

    /// Lines that were not read because they are longer than [`LONGEST_LINE`].
    pub const fn skipped_long(&self) -> u64 {
        self.skipped_long
    }

    fn extend(&mut self, bytes: &[u8], reader: &mut dyn LineReader) {
        let was_undecided = self.length < PREFIX as u64;
        self.length += bytes.len() as u64;
        if self.is_skipping {
            return;
        }
        if self.length > LONGEST_LINE as u64 {
            self.skipped_long += 1;
            self.skip();
            return;
        }
        self.rest.extend_from_slice(bytes);
        if was_undecided && self.rest.len() >= PREFIX && !reader.wants(&self.rest[..PREFIX]) {
            self.skip();
        }
    }

    fn skip(&mut self) {
        self.is_skipping = true;
        self.rest = Vec::new();
    }

    fn end(&mut self, reader: &mut dyn LineReader, out: &mut Vec<Observation>) {
        if !self.is_skipping {
            give(&self.rest, reader, out);
        }
        self.length = 0;
        self.is_skipping = false;
        // One long line must not keep its room for ever.
        if self.rest.capacity() > 1 << 20 { self.rest = Vec::new() } else { self.rest.clear() }
    }
}

fn give(line: &[u8], reader: &mut dyn LineReader, out: &mut Vec<Observation>) {
    if !line.is_empty() && line.len() <= LONGEST_LINE && reader.wants(&line[..line.len().min(PREFIX)]) {
        reader.line(line.strip_suffix(b"\r").unwrap_or(line), out);
    }
}
