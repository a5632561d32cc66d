//! Which status decides, and the status that a sentence tells.

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
