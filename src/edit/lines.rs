//! Lines of a text by byte offsets.

/// Where the first line starts: behind a byte order mark.
pub(super) fn first(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Where the line of an offset starts.
pub(super) fn start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(first(text).min(offset), |at| at + 1)
}

/// Where the next line starts, or the end.
pub(super) fn next(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

/// The end of an offset's line, in front of what ends it.
pub(super) fn end(text: &str, offset: usize) -> usize {
    let rest = &text[offset..];
    let line = rest.split('\n').next().unwrap_or_default();
    let is_ended = line.len() < rest.len();
    offset + if is_ended { line.strip_suffix('\r').unwrap_or(line).len() } else { line.len() }
}

/// What stands between the line's start and an offset, if it is white space only.
pub(super) fn indent(text: &str, offset: usize) -> Option<&str> {
    Some(&text[start(text, offset)..offset]).filter(|indent| indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// A line put in at the start of a line, or at the end of a file: `line` comes without an ending. A missing final ending
/// stays missing.
pub(super) fn inserted(text: &str, at: usize, line: &str, ending: &str) -> String {
    if at == first(text) || text[..at].ends_with('\n') { format!("{line}{ending}") } else { format!("{ending}{line}") }
}

/// Whole lines from one offset to another, as a range to take out. At the end of a file without a final ending, the ending
/// before it goes instead.
pub(super) fn whole(text: &str, from: usize, to: usize) -> std::ops::Range<usize> {
    let (mut from, to) = (start(text, from), next(text, to));
    if to == text.len() && !text.ends_with('\n') {
        let before = text[..from].strip_suffix('\n').map_or(from, str::len);
        from = text[..before].strip_suffix('\r').filter(|_| before < from).map_or(before, str::len);
    }
    from..to
}
