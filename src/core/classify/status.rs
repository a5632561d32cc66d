//! Which status decides, and what statuses and codes a sentence tells.

use crate::core::classify::evidence::Evidence;

/// The status that decides: the error's own where the HTTP status says little, else the HTTP status.
pub(super) fn effective_status(outer: u16, evidence: &Evidence) -> u16 {
    match evidence.inner_status {
        Some((_, inner)) if outer < 400 || matches!(outer, 400 | 500 | 502) => inner,
        _ => outer,
    }
}

/// A status that a sentence tells: `last status: 429`, `HTTP 503`, `Error code: 529`, `状态码 502`.
pub(super) fn told_status(prose: &str) -> Option<u16> {
    let bytes = prose.as_bytes();
    (0..bytes.len().saturating_sub(2)).find_map(|at| {
        let digits = prose.get(at..at + 3)?;
        let is_alone = !bytes.get(at + 3).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.')
            && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        if !is_alone || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let status: u16 = digits.parse().ok().filter(|status| (400..600).contains(status))?;
        let before = prose[..at].trim_end_matches([' ', ':', '=', '(', '"', '\'']).to_lowercase();
        let is_told = ["status", "code", "http", "http/1.1", "http/2", "error", "状态码", "错误码", "错误"]
            .iter()
            .any(|word| before.ends_with(word));
        (is_told || before.is_empty() || before.ends_with('\n')).then_some(status)
    })
}

/// Words of a sentence that are codes: with an underscore, or a number behind "error".
pub(super) fn told_codes(prose: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 16;
    let is_part = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '_';
    let mut before = "";
    prose
        .split(move |symbol: char| !is_part(symbol))
        .filter(|word| !word.is_empty())
        .filter(move |word| {
            let follows_error = before.eq_ignore_ascii_case("error") || before.eq_ignore_ascii_case("code");
            before = word;
            let is_number = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            (word.contains('_') && word.len() >= 8) || (is_number && follows_error)
        })
        .take(MOST)
}
