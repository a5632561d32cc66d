//! Linux and the other desktops of freedesktop.org: an entry in the autostart folder.

use std::path::{Path, PathBuf};

use super::{Command, State, What};
use crate::settings::env::Env;

/// Where the entry lies, by the Desktop Application Autostart Specification and the XDG Base Directory Specification: a
/// relative `XDG_CONFIG_HOME` is ignored. `None` without a home folder.
pub(super) fn path(env: &Env) -> Option<PathBuf> {
    Some(config(env)?.join("autostart/vacancy.desktop"))
}

/// The user's configuration folder.
pub(crate) fn config(env: &Env) -> Option<PathBuf> {
    let named = env.get("XDG_CONFIG_HOME").map(Path::new).filter(|path| path.is_absolute());
    named.map(Path::to_path_buf).or_else(|| Some(Path::new(env.get("HOME")?).join(".config")))
}

/// The entry's text. What the user sees of it is in the language of their session.
pub(super) fn text(command: &Command) -> String {
    let mut exec = argument(&command.program);
    for word in command.arguments() {
        exec.push(' ');
        exec.push_str(&argument(&word));
    }
    let (english, chinese) = match command.what {
        What::Window => ("Watches models and shows which one is free", "观察模型并显示哪个可用"),
        What::Watch => ("Watches models without a window", "在没有窗口的情况下观察模型"),
    };
    format!(
        "[Desktop Entry]\nType=Application\nVersion=1.5\nName=Vacancy\nComment={english}\nComment[zh_CN]={chinese}\n\
         Exec={}\nIcon=vacancy\nTerminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n",
        value(&exec)
    )
}

/// A word of `Exec`, by the Desktop Entry Specification 1.5, "The Exec key".
fn argument(word: &str) -> String {
    const RESERVED: &str = " \t\n\"'\\><~|&;$*?#()`";
    let word = word.replace('%', "%%");
    if !word.is_empty() && !word.contains(|character| RESERVED.contains(character)) {
        return word;
    }
    let mut quoted = String::from('"');
    for character in word.chars() {
        if matches!(character, '"' | '`' | '$' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

/// A value of the type string, by the same specification, "Possible value types": done after the quoting of words.
fn value(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

/// What an entry that is there does, against the one that we would write.
pub(super) fn state(found: &str, wanted: &str) -> State {
    let is_off = |line: &str| {
        let Some((key, value)) = line.split_once('=') else { return false };
        matches!((key.trim(), value.trim()), ("Hidden", "true") | ("X-GNOME-Autostart-enabled", "false"))
    };
    if found == wanted {
        State::On
    } else if found.lines().any(is_off) {
        State::Disabled
    } else if without_exec(found) == without_exec(wanted) {
        State::Moved
    } else {
        State::Edited
    }
}

fn without_exec(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("Exec=")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads `Exec` as a desktop does: first the escapes of a string, then quotes, then field codes.
    fn read_back(text: &str) -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap();
        let mut plain = String::new();
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => plain.push(match characters.next().unwrap() {
                    's' => ' ',
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                }),
                other => plain.push(other),
            }
        }
        let (mut words, mut word, mut is_quoted, mut is_word) = (Vec::new(), String::new(), false, false);
        let mut characters = plain.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '"' => (is_quoted, is_word) = (!is_quoted, true),
                '\\' if is_quoted => word.push(characters.next().unwrap()),
                ' ' if !is_quoted => {
                    if std::mem::take(&mut is_word) {
                        words.push(std::mem::take(&mut word));
                    }
                }
                '%' => {
                    assert_eq!(characters.next(), Some('%'), "a lone % is a field code");
                    (word, is_word) = (word + "%", true);
                }
                other => {
                    word.push(other);
                    is_word = true;
                }
            }
        }
        if is_word {
            words.push(word);
        }
        words
    }

    fn command(program: &str, data: Option<&str>) -> Command {
        Command { program: program.into(), data: data.map(Into::into), what: What::Window }
    }

    #[test]
    fn a_path_with_spaces_is_one_word() {
        let text = text(&command("/opt/my app/vacancy", None));
        assert!(text.contains("\nExec=\"/opt/my app/vacancy\" --minimized\n"), "{text}");
        assert!(super::text(&command("/usr/bin/vacancy", None)).contains("\nExec=/usr/bin/vacancy --minimized\n"));
        // The worked example of the specification: a literal dollar takes two backslashes of the file.
        assert!(super::text(&command("/a$b", None)).contains("\nExec=\"/a\\\\$b\" --minimized\n"));
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn every_path_comes_back(program in "/[ -~\\t\\n\\ré空]{1,40}", data in proptest::option::of("/[ -~é]{1,30}")) {
            let mut expected = vec![program.clone()];
            if let Some(data) = &data {
                expected.extend(["--data".to_owned(), data.clone()]);
            }
            expected.push("--minimized".to_owned());
            prop_assert_eq!(read_back(&text(&command(&program, data.as_deref()))), expected);
        }
    }

    #[test]
    fn the_folder_follows_the_specification() {
        let placed = |pairs: &[(&str, &str)]| path(&pairs.iter().copied().collect());
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(placed(&[("HOME", "/home/a")]), at("/home/a/.config/autostart/vacancy.desktop"));
        assert_eq!(placed(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c d")]), at("/c d/autostart/vacancy.desktop"));
        assert_eq!(
            placed(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "relative")]),
            at("/h/.config/autostart/vacancy.desktop"),
            "a relative one is invalid and ignored"
        );
        assert_eq!(placed(&[]), None);
    }

    #[test]
    fn what_somebody_else_did_to_it_is_seen() {
        let wanted = text(&command("/usr/bin/vacancy", None));
        assert_eq!(state(&wanted, &wanted), State::On);
        let moved = text(&command("/opt/vacancy", Some("/data")));
        assert_eq!(state(&moved, &wanted), State::Moved);
        for off in ["Hidden=true\n", "Hidden = true\n"] {
            assert_eq!(state(&format!("{wanted}{off}"), &wanted), State::Disabled, "{off}");
        }
        let gnome = wanted.replace("enabled=true", "enabled=false");
        assert_eq!(state(&gnome, &wanted), State::Disabled);
        assert_eq!(state(&wanted.replace("Name=Vacancy", "Name=Mine"), &wanted), State::Edited);
        assert_eq!(state("", &wanted), State::Edited);
    }
}
