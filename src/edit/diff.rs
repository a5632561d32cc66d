//! What an edit does, for people to read before it is made. Keys among the neighbours are not shown.

use similar::TextDiff;

use crate::core::secretive::{looks_like_key, masked};

/// Names of settings whose values are keys, in lower case.
const SECRET_NAMES: &[&str] =
    &["key", "token", "secret", "password", "passwd", "authorization", "credential", "cookie"];
/// Ends of names that only look so: they name a variable, or count.
const OPEN_NAMES: &[&str] = &["env", "env_key", "envkey", "key_env", "max_tokens", "tokens", "key_name", "keys"];
/// What takes a value's place.
const HIDDEN: &str = "…";

/// A unified diff with three lines of context, `name` standing for the file on both sides; empty when nothing differs.
///
/// Values that look like keys, or stand behind names that say so, are shown as `…`. Bytes that are not UTF-8 are shown as
/// replacement characters.
#[must_use]
pub fn unified_diff(name: &str, before: &[u8], after: &[u8]) -> String {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = TextDiff::from_lines(&*before, &*after);
    let text = diff.unified_diff().context_radius(3).header(name, name).to_string();
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number < 2 || line.starts_with("@@") || line.starts_with('\\') {
            out.push_str(line);
        } else {
            out.push_str(&shown(line));
        }
    }
    out
}

/// A value that stands behind a name, as it may be shown.
#[must_use]
pub fn shown_value(name: &str, value: &str) -> String {
    let line = shown(&format!("{name} = {value}"));
    line.split_once(" = ").map_or_else(String::new, |(_, value)| value.to_owned())
}

/// A line without keys.
fn shown(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((start, end)) = next_secret(rest) {
        out.push_str(&masked(&rest[..start]));
        out.push_str(HIDDEN);
        rest = &rest[end..];
    }
    out.push_str(&masked(rest));
    out
}

/// The next value behind a name that says it is a key, without its quotes.
fn next_secret(line: &str) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut from = 0;
    while let Some(found) = line[from..].find([':', '=']) {
        let at = from + found;
        from = at + 1;
        let name = line[..at].trim_end().trim_end_matches(['"', '\'', '`']);
        let begin =
            name.rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))).map_or(0, |at| at + 1);
        if !is_secret_name(name.get(begin..).unwrap_or_default()) {
            continue;
        }
        let mut start = at + 1;
        while matches!(bytes.get(start), Some(b' ' | b'\t')) {
            start += 1;
        }
        let quote = bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let end = match quote {
            Some(quote) => {
                start += 1;
                end_of_quoted(bytes, start, quote)
            }
            None => {
                let stop = |c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']');
                let scheme = ["Bearer ", "Basic "].iter().find(|scheme| line[start..].starts_with(**scheme));
                let begin = start + scheme.map_or(0, |scheme| scheme.len());
                line[begin..].find(stop).map_or(line.len(), |found| begin + found)
            }
        };
        if is_value_open(&line[start..end]) {
            continue;
        }
        return Some((start, end));
    }
    None
}

fn end_of_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' && quote != b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii) { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let word = name.replace('-', "_");
    SECRET_NAMES.iter().any(|secret| word.contains(secret)) && !OPEN_NAMES.iter().any(|open| word.ends_with(open))
}

/// A value that gives nothing away: a number, a word of the language, a reference to a variable, the beginning of a table.
fn is_value_open(value: &str) -> bool {
    value.is_empty()
        || value.parse::<f64>().is_ok()
        || matches!(value, "true" | "false" | "null" | "~")
        || value.starts_with(['{', '[', '$', '|', '>', '#'])
        || value.starts_with("os.environ/")
        || (value.len() < 8 && !looks_like_key(value))
}

#[cfg(test)]
mod tests {
    use crate::edit::unified_diff;

    #[test]
    fn a_diff_shows_no_keys() {
        let before = "{\n  \"model\": \"a-20250929\",\n  \"ANTHROPIC_AUTH_TOKEN\": \"relay-3333 x\",\n  \"url\": \"https://u:sk-test-3333-relay@h\",\n  \"max_tokens\": 4096,\n  \"env_key\": \"CORP_LLM_KEY\"\n}\n";
        let after = before.replace("a-20250929", "b");
        let diff = unified_diff("settings.json", before.as_bytes(), after.as_bytes());
        assert!(diff.starts_with("--- settings.json\n+++ settings.json\n@@ -1,5 +1,5 @@\n {\n-  \"model\": \"a-20250929\",\n+  \"model\": \"b\",\n"), "{diff}");
        assert!(!diff.contains("3333"), "{diff}");
        for (line, shown) in [
            ("api_key: abcdefgh1 # c\n", "api_key: … # c\n"),
            ("Authorization = \"Bearer abc def\"\n", "Authorization = \"…\"\n"),
            ("headers = { \"x-api-key\" = 'abcdefgh', a = 1 }\n", "headers = { \"x-api-key\" = '…', a = 1 }\n"),
            ("env_key = \"CORP_LLM_KEY\"\n", "env_key = \"CORP_LLM_KEY\"\n"),
            ("api_key: os.environ/MY_LONG_KEY\n", "api_key: os.environ/MY_LONG_KEY\n"),
            ("\"apiKey\": \"{env:OPENROUTER_API_KEY}\",\n", "\"apiKey\": \"{env:OPENROUTER_API_KEY}\",\n"),
            ("GEMINI_API_KEY=plainwords\n", "GEMINI_API_KEY=…\n"),
            ("max_tokens = 40960000\n", "max_tokens = 40960000\n"),
        ] {
            let diff = unified_diff("f", format!("{line}m: a\n").as_bytes(), format!("{line}m: b\n").as_bytes());
            assert!(diff.contains(&format!("\n {shown}")), "{diff}");
        }
        assert_eq!(unified_diff("f", b"a", b"a"), "");
        let diff = unified_diff("f", b"a: 1\nb: 2", b"a: 1\nb: 3");
        assert!(diff.contains("-b: 2\n\\ No newline at end of file\n+b: 3"), "{diff}");
    }
}
