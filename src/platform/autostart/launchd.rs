//! macOS: an agent of the user's launchd. Written from `launchd.plist(5)`; its form is tested here, it never ran there.

use std::path::{Path, PathBuf};

use super::{Command, State, What};
use crate::settings::env::Env;

/// The agent's name.
const fn label(what: What) -> &'static str {
    match what {
        What::Window => "app.vacancy.window",
        What::Watch => "app.vacancy.watch",
    }
}

/// Where the agent lies; `None` without a home folder.
pub(super) fn path(env: &Env, what: What) -> Option<PathBuf> {
    Some(Path::new(env.get("HOME")?).join("Library/LaunchAgents").join(format!("{}.plist", label(what))))
}

/// The agent's text.
pub(super) fn text(command: &Command) -> String {
    let words = std::iter::once(command.program.clone()).chain(command.arguments());
    let words: String = words.map(|word| format!("        <string>{}</string>\n", escaped(&word))).collect();
    let more = match command.what {
        // Of a session with a screen alone, and not started again when the user quits.
        What::Window => "    <key>LimitLoadToSessionType</key>\n    <string>Aqua</string>\n",
        What::Watch => {
            "    <key>KeepAlive</key>\n    <dict>\n        <key>Crashed</key>\n        <true/>\n    </dict>\n\
             \x20   <key>ProcessType</key>\n    <string>Background</string>\n"
        }
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n\
         \x20   <key>Label</key>\n    <string>{}</string>\n\
         \x20   <key>ProgramArguments</key>\n    <array>\n{words}    </array>\n\
         \x20   <key>RunAtLoad</key>\n    <true/>\n{more}</dict>\n</plist>\n",
        label(command.what)
    )
}

/// A text inside an XML element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What an agent that is there does, against the one that we would write.
pub(super) fn state(found: &str, wanted: &str) -> State {
    let frame = |text: &str| -> Option<(String, String)> {
        let (before, rest) = text.split_once("<array>")?;
        let (_, after) = rest.split_once("</array>")?;
        Some((before.to_owned(), after.to_owned()))
    };
    let is_disabled = || {
        let mut lines = found.lines().map(str::trim).skip_while(|line| *line != "<key>Disabled</key>");
        lines.nth(1) == Some("<true/>")
    };
    if found == wanted {
        State::On
    } else if is_disabled() {
        State::Disabled
    } else if frame(found).is_some() && frame(found) == frame(wanted) {
        State::Moved
    } else {
        State::Edited
    }
}

#[cfg(test)]
mod tests {
    use super::super::xml_faults;
    use super::*;

    fn command(program: &str, what: What) -> Command {
        Command { program: program.into(), data: None, what }
    }

    #[test]
    fn it_is_well_formed_and_names_the_command() {
        for what in [What::Window, What::Watch] {
            let text = text(&command("/Applications/A & B <1>.app/vacancy", what));
            assert_eq!(xml_faults(&text), None, "{text}");
            assert!(text.contains("<string>/Applications/A &amp; B &lt;1&gt;.app/vacancy</string>"), "{text}");
            let env: Env = [("HOME", "/Users/a")].into_iter().collect();
            let path = path(&env, what).unwrap();
            assert_eq!(path.file_stem().unwrap(), label(what), "launchd wants the file named after the label");
        }
    }

    #[test]
    fn the_shipped_agent_is_this_one() {
        let shipped = include_str!("../../../packaging/macos/app.vacancy.watch.plist");
        assert_eq!(shipped, text(&command("/Applications/Vacancy.app/Contents/MacOS/vacancy", What::Watch)));
    }

    #[test]
    fn what_somebody_else_did_to_it_is_seen() {
        let wanted = text(&command("/usr/local/bin/vacancy", What::Watch));
        assert_eq!(state(&wanted, &wanted), State::On);
        assert_eq!(state(&text(&command("/opt/vacancy", What::Watch)), &wanted), State::Moved);
        let disabled = wanted
            .replace("    <key>RunAtLoad</key>", "    <key>Disabled</key>\n    <true/>\n    <key>RunAtLoad</key>");
        assert_eq!(state(&disabled, &wanted), State::Disabled);
        assert_eq!(state(&wanted.replace("Background", "Interactive"), &wanted), State::Edited);
        assert_eq!(state("", &wanted), State::Edited);
    }
}
