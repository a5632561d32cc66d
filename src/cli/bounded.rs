//! Reading of what others wrote with bounded memory: a line or a record without an end must not fill it.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// The longest line or record: far more than any sample or exchange takes.
pub const LONGEST: usize = 16 << 20;

/// What [`next_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The input is at its end.
    End,
    /// A whole line, its end included.
    Whole,
    /// A line of more than the limit; it was passed over.
    TooLong,
}

/// Reads the next line into `line`, which is emptied first.
///
/// # Errors
///
/// When the input cannot be read.
pub fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>, limit: usize) -> io::Result<Line> {
    line.clear();
    let mut is_too_long = false;
    let mut has_any = false;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = piece.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(piece.len());
        has_any |= taken > 0;
        if line.len() + taken > limit {
            is_too_long = true;
            line.clear();
        } else if !is_too_long {
            line.extend_from_slice(&piece[..taken]);
        }
        let is_over = end.is_some() || taken == 0;
        input.consume(taken);
        if is_over {
            return Ok(match (has_any, is_too_long) {
                (false, _) => Line::End,
                (true, false) => Line::Whole,
                (true, true) => Line::TooLong,
            });
        }
    }
}

/// A reader that fails once it has given more than [`LONGEST`] bytes without being told of a record's end.
pub struct Metered<'a> {
    input: &'a mut dyn BufRead,
    left: Meter,
}

/// Tells a [`Metered`] reader that a record was read whole.
#[derive(Clone, Debug)]
pub struct Meter(Rc<Cell<usize>>);

impl Meter {
    /// A new record begins.
    pub fn reset(&self) {
        self.0.set(LONGEST);
    }
}

impl<'a> Metered<'a> {
    /// Meters `input`.
    pub fn new(input: &'a mut dyn BufRead) -> (Self, Meter) {
        let left = Meter(Rc::new(Cell::new(LONGEST)));
        (Self { input, left: left.clone() }, left)
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.0.get();
        if left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a record of more than 16 MiB"));
        }
        let room = buffer.len().min(left);
        let count = self.input.read(&mut buffer[..room])?;
        self.left.0.set(left - count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whole_or_passed_over() {
        for capacity in [1, 3, 64] {
            let mut input = io::BufReader::with_capacity(capacity, &b"ab\n\nlonger\nabcde\nlast"[..]);
            let mut line = Vec::new();
            let mut found = Vec::new();
            loop {
                match next_line(&mut input, &mut line, 6).unwrap() {
                    Line::End => break,
                    what => found.push((what, String::from_utf8(line.clone()).unwrap())),
                }
            }
            let expected = [
                (Line::Whole, "ab\n"),
                (Line::Whole, "\n"),
                (Line::TooLong, ""),
                (Line::Whole, "abcde\n"),
                (Line::Whole, "last"),
            ];
            assert_eq!(found, expected.map(|(what, text)| (what, text.to_owned())), "{capacity}");
        }
    }
}
