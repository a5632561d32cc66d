//! The comments of a TOML text, so that none is lost unasked that somebody else has written.

/// The comments of a text, from the sign to the end of the line, in order. A sign within a string begins none.
pub(super) fn of(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['#', '"', '\'']) {
        rest = &rest[at..];
        if rest.starts_with('#') {
            let end = rest.find('\n').unwrap_or(rest.len());
            out.push(rest[..end].trim_end());
            rest = &rest[end..];
        } else {
            rest = &rest[string_end(rest)..];
        }
    }
    out
}

/// Those of `then` that are not in `now`, each as often as it is missing, without those of `known`.
pub(super) fn lost<'a>(then: &'a str, now: &str, known: &str) -> Vec<&'a str> {
    let mut kept: Vec<&str> = of(now);
    let mut known = of(known);
    let mut take = |comment: &&str| {
        let from =
            |all: &mut Vec<&str>| all.iter().position(|one| one == comment).map(|at| all.swap_remove(at)).is_some();
        from(&mut kept) || from(&mut known)
    };
    of(then).into_iter().filter(|comment| !take(comment)).collect()
}

/// Where a string ends with which a text begins; the text's end where it does not.
fn string_end(text: &str) -> usize {
    let quote = &text[..1];
    let long = quote.repeat(3);
    let (open, close) = if text.starts_with(&long) { (3, &*long) } else { (1, quote) };
    let mut at = open;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['"', '\'', '\\', '\n'])) {
        at += next;
        let here = &text[at..];
        if here.starts_with(close) {
            return at + close.len();
        }
        at += match here.as_bytes()[0] {
            // A short string ends with its line, at the latest.
            b'\n' if open == 1 => return at,
            b'\\' if quote == "\"" => 1 + here[1..].chars().next().map_or(0, char::len_utf8),
            _ => 1,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_within_a_string_begins_no_comment() {
        let text = "a = \"x # y\" # one\nb = '#\\' # two \n# three\nc = \"\"\"\n# no\n\\\"\"\"\" # four\nd = '''\n#''' #five\ne = \"\\\\\" # six\nf = \"torn # no\n# seven";
        assert_eq!(of(text), ["# one", "# two", "# three", "# four", "#five", "# six", "# seven"]);
    }

    #[test]
    fn what_is_lost_is_counted() {
        assert_eq!(lost("# a\n# a\n# b\n# c\n", "# a\n", "# c\n"), ["# a", "# b"]);
        assert!(lost("# a\n", "x = 1 # a\n", "").is_empty());
    }
}
