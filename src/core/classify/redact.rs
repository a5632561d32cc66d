//! Makes a stranger's text fit to be shown and kept: short, on one line, without keys, names and addresses.

/// At most this many characters are kept.
const LIMIT: usize = 300;

/// How keys of known vendors begin.
const KEY_STARTS: &[&str] = &[
    "sk-",
    "sk_",
    "pk-",
    "rk-",
    "ak-",
    "key-",
    "gsk_",
    "xai-",
    "aiza",
    "ya29.",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "github_pat_",
    "hf_",
    "nvapi-",
    "r8_",
    "eyj",
    "akia",
    "asia",
    "fw_",
    "csk-",
    "tgp_",
    "pplx-",
    "sess-",
    "glpat-",
    "dop_",
    "ms-",
    "cr_",
    "ctx7sk-",
    "apikey-",
];

/// How ids of organisations, projects and people begin.
const ID_STARTS: &[&str] =
    &["org-", "org_", "proj_", "proj-", "user-", "user_", "acct_", "team_", "team-", "workspace_"];

/// The text shortened and without secrets.
pub(super) fn excerpt(text: &str) -> String {
    let mut out = Out { text: String::with_capacity(text.len().min(LIMIT) + 16), count: 0, is_cut: false };
    let mut rest = text;
    let mut after_bearer = false;
    while !rest.is_empty() && out.has_room() {
        let mut end = rest.find(is_mark).unwrap_or(rest.len());
        if rest[..end].contains("://") {
            // A query has marks of its own and is left out whole.
            end = rest.find(ends_url).unwrap_or(rest.len());
        }
        let (token, tail) = rest.split_at(end);
        if !token.is_empty() {
            if after_bearer {
                out.push("[key]");
            } else {
                token_into(&mut out, token);
            }
            after_bearer = token.eq_ignore_ascii_case("bearer") || token.eq_ignore_ascii_case("basic");
        }
        let mut chars = tail.chars();
        if let Some(mark) = chars.next() {
            out.mark(mark);
        }
        rest = chars.as_str();
    }
    if out.is_cut || !rest.is_empty() {
        out.text.pop();
        out.text.push('…');
    }
    let end = out.text.trim_end().len();
    out.text.truncate(end);
    out.text
}

fn is_mark(symbol: char) -> bool {
    symbol.is_whitespace()
        || symbol.is_control()
        || matches!(
            symbol,
            '"' | '\''
                | '`'
                | ','
                | ';'
                | '('
                | ')'
                | '<'
                | '>'
                | '{'
                | '}'
                | '['
                | ']'
                | '='
                | '，'
                | '。'
                | '：'
                | '（'
                | '）'
        )
}

fn ends_url(symbol: char) -> bool {
    symbol.is_whitespace()
        || symbol.is_control()
        || matches!(symbol, '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '}' | '，' | '。')
}

struct Out {
    text: String,
    count: usize,
    is_cut: bool,
}

impl Out {
    const fn has_room(&self) -> bool {
        self.count < LIMIT
    }

    fn push(&mut self, text: &str) {
        if text.len() <= LIMIT - self.count {
            // As many bytes as there is room for characters surely fit.
            self.text.push_str(text);
            self.count += text.chars().count();
            return;
        }
        for symbol in text.chars() {
            if !self.has_room() {
                self.is_cut = true;
                return;
            }
            self.text.push(symbol);
            self.count += 1;
        }
    }

    /// White space of any length becomes one blank.
    fn mark(&mut self, mark: char) {
        if mark.is_whitespace() || mark.is_control() {
            if !self.text.is_empty() && !self.text.ends_with(' ') {
                self.push(" ");
            }
        } else {
            self.push(mark.encode_utf8(&mut [0; 4]));
        }
    }
}

/// What a token is made of, found in one pass: most tokens are plain words and need no closer look.
#[derive(Default)]
struct Makeup {
    has_telling: bool,
    has_at: bool,
    has_colon: bool,
    has_slash: bool,
}

impl Makeup {
    fn of(token: &str) -> Self {
        let mut makeup = Self::default();
        for byte in token.bytes() {
            match byte {
                b'0'..=b'9' | b'A'..=b'Z' | b'*' => makeup.has_telling = true,
                b'@' => makeup.has_at = true,
                b':' => makeup.has_colon = true,
                b'/' | b'\\' => makeup.has_slash = true,
                _ => {}
            }
        }
        makeup
    }
}

fn token_into(out: &mut Out, token: &str) {
    let bytes = token.as_bytes();
    let makeup = Makeup::of(token);
    let is_plain = !makeup.has_telling && !makeup.has_at && !makeup.has_colon && !makeup.has_slash;
    if bytes.len() < 5 || is_plain {
        return out.push(token);
    }
    if makeup.has_colon {
        if let Some(scheme) = token.find("://") {
            return url_into(out, token, scheme + 3);
        }
        // `key:VALUE` hides the value too.
        if let Some(at) = token.rfind(':')
            && at > 0
            && at + 6 < token.len()
        {
            token_into(out, &token[..at]);
            out.push(":");
            return token_into(out, &token[at + 1..]);
        }
    }
    let starts = |list: &[&str]| {
        list.iter()
            .any(|start| bytes.len() > start.len() && bytes[..start.len()].eq_ignore_ascii_case(start.as_bytes()))
    };
    if makeup.has_telling && ((bytes.len() >= 10 && starts(KEY_STARTS)) || is_opaque(token)) {
        out.push("[key]");
    } else if (makeup.has_telling && starts(ID_STARTS)) || is_uuid(token) {
        out.push("[id]");
    } else if makeup.has_at && token.find('@').is_some_and(|at| at > 0 && token[at..].contains('.')) {
        out.push("[email]");
    } else if makeup.has_slash {
        path_into(out, token);
    } else {
        out.push(token);
    }
}

/// An address keeps its host and path; never user, query or fragment.
fn url_into(out: &mut Out, token: &str, host: usize) {
    let rest = &token[host..];
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let plain = &rest[..end];
    let authority = plain.find('/').unwrap_or(plain.len());
    let start = plain[..authority].rfind('@').map_or(0, |at| at + 1);
    out.push(&token[..host]);
    path_into(out, &plain[start..]);
}

/// A path loses the name of the person whose home it is in.
fn path_into(out: &mut Out, token: &str) {
    for home in ["/home/", "/Users/", "\\Users\\", "/users/"] {
        if let Some(at) = token.find(home) {
            let start = at + home.len();
            let rest = &token[start..];
            let end = rest.find(['/', '\\', ':']).unwrap_or(rest.len());
            out.push(&token[..start]);
            out.push("[user]");
            out.push(&rest[end..]);
            return;
        }
    }
    out.push(token);
}

fn is_uuid(token: &str) -> bool {
    token.len() == 36
        && token.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Long, and letters and digits are mixed without a word in between: a key or an id of some kind.
fn is_opaque(token: &str) -> bool {
    let bytes = token.as_bytes();
    bytes.len() >= 28
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes.iter().filter(|byte| matches!(byte, b'_' | b'-')).count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_never_survive() {
        for (text, expected) in [
            ("Incorrect API key provided: sk-proj-AbCd1234efgh.", "Incorrect API key provided: [key]"),
            ("Authorization: Bearer abc.def.ghi failed", "Authorization: Bearer [key] failed"),
            ("for organization org-AAA on tokens", "for organization [id] on tokens"),
            ("ask me.you@example.com now", "ask [email] now"),
            ("url (https://u:p@api.example.com/v1?key=AIzaXYZ#f) failed", "url (https://api.example.com/v1) failed"),
            ("open /home/alice/.codex/auth.json", "open /home/[user]/.codex/auth.json"),
            (r"open C:\Users\Alice\x", r"open C:\Users\[user]\x"),
            ("(00000000-0000-0000-0000-000000000000)", "([id])"),
            ("token 0123456789abcdef0123456789abcdef", "token [key]"),
            ("api_key=AIzaSyA1234567890", "api_key=[key]"),
            ("a\n\n  b\tc", "a b c"),
            ("rate_limit_exceeded: slow down", "rate_limit_exceeded: slow down"),
        ] {
            assert_eq!(excerpt(text), expected, "{text}");
        }
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        let cut = excerpt(&"负载".repeat(400));
        assert_eq!(cut.chars().count(), LIMIT);
        assert!(cut.ends_with('…'));
    }
}
