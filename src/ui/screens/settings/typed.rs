//! What is typed in one field and is a list: the words of a program, and pairs of a name and a value. Pure.

use crate::edit::Value;

/// The words of a program as they are typed: blanks part them, quotes keep blanks. An open quote goes to the end.
pub fn words(typed: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = typed.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if matches!(chars.peek(), Some('"' | '\\')) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => out.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// The words as they would be typed.
pub fn joined(words: &[String]) -> String {
    let quoted = |word: &String| {
        let is_plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        match is_plain {
            true => word.clone(),
            false => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The words as a value of the file.
pub fn words_value(typed: &str) -> Value {
    Value::List(words(typed).into_iter().map(Value::Text).collect())
}

/// Pairs, a line a pair, as a table; `None` when nothing is typed. A line without `mark` makes the whole a text, which the
/// settings refuse in their own words.
pub fn pairs_value(typed: &str, mark: char) -> Option<Value> {
    let lines = || typed.lines().map(str::trim).filter(|line| !line.is_empty());
    let pair = |line: &str| {
        let (name, value) = line.split_once(mark)?;
        Some((name.trim().to_owned(), Value::text(value.trim())))
    };
    lines().next()?;
    let pairs: Option<Vec<_>> = lines().map(pair).collect();
    Some(match pairs {
        Some(pairs) => {
            let mut once: Vec<(String, Value)> = Vec::new();
            // The last of two lines of one name counts, as a table has each name once.
            for (name, value) in pairs {
                once.retain(|(other, _)| *other != name);
                once.push((name, value));
            }
            Value::Table(once)
        }
        None => Value::text(typed.trim()),
    })
}

/// Pairs as they would be typed.
pub fn pairs_text(value: Option<Value>, mark: &str) -> String {
    let Some(Value::Table(pairs)) = value else { return String::new() };
    pairs.iter().map(|(name, value)| format!("{name}{mark}{value}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_parted_as_in_a_shell_without_its_magic() {
        for (typed, expected) in [
            ("", &[][..]),
            ("  pass   show openai ", &["pass", "show", "openai"]),
            ("sh -c 'echo \"a  b\"'", &["sh", "-c", "echo \"a  b\""]),
            (r#"say "a \"b\" \n" c"#, &["say", "a \"b\" \\n", "c"]),
            ("a\"b c\"d '' e", &["ab cd", "", "e"]),
            (r"C:\bin\x.exe $HOME *", &[r"C:\bin\x.exe", "$HOME", "*"]),
            ("open 'to the end", &["open", "to the end"]),
        ] {
            assert_eq!(words(typed), expected, "{typed}");
        }
    }

    #[test]
    fn pairs_are_lines_and_a_line_without_the_mark_is_none() {
        let table = |pairs: &[(&str, &str)]| {
            Value::Table(pairs.iter().map(|(name, value)| ((*name).to_owned(), Value::text(*value))).collect())
        };
        for (typed, expected) in [
            ("", None),
            (" \n", None),
            ("X-Team: blue\n\n X-Url :http://a:1", Some(table(&[("X-Team", "blue"), ("X-Url", "http://a:1")]))),
            ("a: 1\na: 2", Some(table(&[("a", "2")]))),
            ("blue", Some(Value::text("blue"))),
        ] {
            assert_eq!(pairs_value(typed, ':'), expected, "{typed}");
        }
        assert_eq!(pairs_text(Some(table(&[("a", "1"), ("b", "2")])), ": "), "a: 1\nb: 2");
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn what_is_shown_is_what_was_typed(list in prop::collection::vec("[ -~\u{e9}\u{4e2d}]{0,8}", 0..5)) {
            prop_assert_eq!(words(&joined(&list)), list);
        }
    }
}
