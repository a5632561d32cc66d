//! The settings file's text: byte order mark, line endings, and where an offset lies.

use std::ops::Range;

/// The byte order mark that some Windows editors write.
const BOM: char = '\u{feff}';

/// How lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnding {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    Crlf,
}

/// A text as a parser wants it, with what a rewrite must put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    body: String,
    has_bom: bool,
    ending: LineEnding,
    /// Where lines begin, so that a long file with many mistakes is not counted through for each.
    line_starts: Vec<usize>,
}

impl SourceText {
    /// Takes the mark off and notes the line ending of the first line.
    pub fn new(text: &str) -> Self {
        let body = text.strip_prefix(BOM);
        let has_bom = body.is_some();
        let body = body.unwrap_or(text);
        let ending = match body.find('\n') {
            Some(at) if at > 0 && body.as_bytes()[at - 1] == b'\r' => LineEnding::Crlf,
            _ => LineEnding::Lf,
        };
        let line_starts = std::iter::once(0).chain(body.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { body: body.to_owned(), has_bom, ending, line_starts }
    }

    /// The text without its byte order mark; spans count from here.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// How the first line ends.
    pub const fn ending(&self) -> LineEnding {
        self.ending
    }

    /// The text as it stands in a file, with `body` in the place of the old one.
    pub fn restore(&self, body: &str) -> String {
        let mut text = String::with_capacity(body.len() + BOM.len_utf8());
        if self.has_bom {
            text.push(BOM);
        }
        text.push_str(body);
        text
    }

    /// Line and column of a byte offset of the body, both from 1; the column counts characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.body.len());
        while !self.body.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let line_start = self.line_starts[line - 1];
        (line, self.body[line_start..offset].chars().count() + 1)
    }

    /// The text of a span, on one line and at most 60 characters.
    pub fn excerpt(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 60;
        let text = self.body.get(span).unwrap_or_default().trim();
        let line = text.lines().next().unwrap_or_default().trim_end();
        let mut out: String = line.chars().take(LONGEST).collect();
        if out.len() < text.len() {
            out.push('…');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_ignore_the_mark() {
        let text = SourceText::new("\u{feff}a = 1\r\n名 = 2\r\n");
        assert_eq!(text.ending(), LineEnding::Crlf);
        assert_eq!(text.position(0), (1, 1));
        let two = text.body().find('2').expect("the text holds it");
        assert_eq!(text.position(two), (2, 5));
        assert_eq!(text.position(10_000), (3, 1));
        assert_eq!(text.restore(text.body()), "\u{feff}a = 1\r\n名 = 2\r\n");
    }

    #[test]
    fn excerpts_are_one_short_line() {
        let text = SourceText::new("x = [\n 1,\n]\n");
        assert_eq!(text.excerpt(4..11), "[…");
        assert_eq!(text.excerpt(0..1), "x");
        assert_eq!(text.excerpt(5_000..6_000), "");
    }
}
