//! A text between quotes, with backslashes.

use std::fmt::Write as _;

/// A text as it stands between `quote`s; `needs_code` names the characters that the language does not let stand there
/// themselves, besides the usual ones.
pub(super) fn escaped(text: &str, quote: char, needs_code: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if needs_code(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
