//! Tells texts that look like keys, so that none is ever repeated in a message.

/// How well-known keys begin. Sources: the vendors' documentation pages on keys.
const PREFIXES: &[&str] = &[
    "sk-",
    "sk_",
    "pk-",
    "AIza",
    "gsk_",
    "xai-",
    "hf_",
    "nvapi-",
    "pplx-",
    "ghp_",
    "gho_",
    "ghu_",
    "github_pat_",
    "r8_",
    "fw_",
    "tgp_",
    "csk-",
    "eyJ",
    "ms-",
    "bce-v3/",
    "glpat-",
    "ya29.",
    "AKIA",
];

/// Whether a text is likely a key or token. Errs towards yes: the price is a less telling message.
pub fn looks_like_key(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix("Bearer ").unwrap_or(text).trim();
    if text.contains(char::is_whitespace) || text.len() < 12 {
        return false;
    }
    if PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
        return true;
    }
    let is_uuid = text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && is_hex(text);
    is_uuid || text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_random)
}

/// A long run without a separator that no model's or variable's name has.
fn is_random(run: &str) -> bool {
    let has = |test: fn(&u8) -> bool| run.bytes().any(|byte| test(&byte));
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    (run.len() >= 16 && is_mixed) || (run.len() >= 24 && has(u8::is_ascii_digit) && is_hex(run))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The text with everything that looks like a key replaced by `…`.
pub fn masked(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '~');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        out.push_str(if looks_like_key(word) { "…" } else { word });
        let gap = tail.find(is_part).unwrap_or(tail.len());
        out.push_str(&tail[..gap]);
        rest = &tail[gap..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_words() {
        for key in [
            "sk-test-0000-index",
            "AIzaSyA0000000000000000000000000000000",
            "Bearer sk-abcdefghijk",
            "0123456789abcdef0123456789abcdef",
            "aB3dE6gH9jK2mN5pQ8sT",
        ] {
            assert!(looks_like_key(key), "{key}");
        }
        for word in [
            "OPENAI_API_KEY",
            "AZURE_OPENAI_API_KEY_2",
            "https",
            "claude-sonnet-4-5-20250929",
            "Qwen3-Coder-480B-A35B-Instruct",
            "accounts/fireworks/models/deepseek-v3",
            "not a key at all 123 ABC",
            "api.openai.com",
        ] {
            assert!(!looks_like_key(word), "{word}");
        }
    }

    #[test]
    fn masking_leaves_the_rest() {
        assert_eq!(masked(r#"key = "sk-abcdefghijklmnop" # mine"#), r#"key = "…" # mine"#);
        assert_eq!(masked("model = gpt-5.5"), "model = gpt-5.5");
    }
}
