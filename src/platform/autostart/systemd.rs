//! Linux without a window: a unit of the user's systemd.

use std::path::{Path, PathBuf};

use super::{Command, State, desktop};
use crate::settings::env::Env;

/// The unit's name.
pub(super) const UNIT: &str = "vacancy-watch.service";

/// Where the unit lies, as in systemd.unit(5). `None` without a home folder.
pub(super) fn path(env: &Env) -> Option<PathBuf> {
    Some(desktop::config(env)?.join("systemd/user").join(UNIT))
}

/// The link by which `systemctl --user enable` has a unit start with the session.
pub(super) fn link(unit: &Path) -> PathBuf {
    unit.with_file_name("default.target.wants").join(UNIT)
}

/// The unit's text. Keys that are kept in the environment can stand in a file, as the user's systemd does not know a
/// login shell's variables.
pub(super) fn text(command: &Command) -> String {
    // systemd.service(5), "Command lines": variables are not looked for in the first word.
    let mut line = quoted(&command.program, false);
    for word in command.arguments() {
        line.push(' ');
        line.push_str(&quoted(&word, true));
    }
    format!(
        "# Keeps Vacancy's record without a window.\n\
         [Unit]\n\
         Description=Vacancy: which model is free now\n\
         \n\
         [Service]\n\
         ExecStart={line}\n\
         # Variables with keys, a line each, such as OPENAI_API_KEY=...; the file should be yours alone (mode 0600).\n\
         EnvironmentFile=-%E/vacancy/environment\n\
         Restart=on-failure\n\
         RestartSec=30\n\
         # What only you can mend: settings that are not valid, or another Vacancy on the same record.\n\
         RestartPreventExitStatus=2 3\n\
         NoNewPrivileges=yes\n\
         \n\
         [Install]\n\
         WantedBy=default.target\n"
    )
}

/// A word of a command line, by systemd.service(5) and systemd.syntax(7).
fn quoted(word: &str, has_variables: bool) -> String {
    let mut text = word.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('%', "%%");
    if has_variables {
        text = text.replace('$', "$$");
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte) || !byte.is_ascii();
    if !text.is_empty() && text.bytes().all(is_plain) { text } else { format!("\"{text}\"") }
}

/// What a unit that is there does, against the one that we would write; `is_linked` is whether it starts by itself.
pub(super) fn state(found: &str, wanted: &str, is_linked: bool) -> State {
    let without_start = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("ExecStart=")).map(str::to_owned).collect()
    };
    match (found == wanted, is_linked) {
        (true, true) => State::On,
        (true, false) => State::Disabled,
        _ if without_start(found) == without_start(wanted) => State::Moved,
        _ => State::Edited,
    }
}

#[cfg(test)]
mod tests {
    use super::super::What;
    use super::*;

    fn command(program: &str, data: Option<&str>) -> Command {
        Command { program: program.into(), data: data.map(Into::into), what: What::Watch }
    }

    #[test]
    fn words_are_quoted_where_systemd_would_read_more() {
        let line = |program: &str, data: Option<&str>| {
            let text = text(&command(program, data));
            text.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap().to_owned()
        };
        assert_eq!(line("/usr/bin/vacancy", None), "/usr/bin/vacancy watch");
        assert_eq!(line("/opt/my app/vacancy", None), "\"/opt/my app/vacancy\" watch");
        assert_eq!(line("/v", Some("/100%/$x \"y\"\\")), r#"/v --data "/100%%/$$x \"y\"\\" watch"#);
    }

    /// The file that packages ship is the one that is made here.
    #[test]
    fn the_shipped_unit_is_this_one() {
        let shipped = include_str!("../../../packaging/linux/vacancy-watch.service");
        assert_eq!(shipped, text(&command("/usr/bin/vacancy", None)));
    }

    /// systemd's own reader, where it is installed.
    #[cfg(target_os = "linux")]
    #[test]
    fn systemd_accepts_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my app 100% $x");
        std::os::unix::fs::symlink("/bin/true", &program).unwrap();
        let unit = folder.path().join(UNIT);
        let data = Some("/tmp/a \"b\" $c 1%");
        std::fs::write(&unit, text(&command(program.to_str().unwrap(), data))).unwrap();
        let verified = std::process::Command::new("systemd-analyze")
            .args(["--user", "verify"])
            .arg(&unit)
            .env("XDG_RUNTIME_DIR", folder.path())
            .output();
        let Ok(verified) = verified else { return println!("skipped: no systemd-analyze") };
        let said = String::from_utf8_lossy(&verified.stderr).into_owned();
        if said.contains("Failed to initialize manager") {
            return println!("skipped: systemd-analyze cannot run here: {said}");
        }
        assert!(verified.status.success(), "{said}");
        let ours: Vec<&str> = said.lines().filter(|line| line.contains(UNIT)).collect();
        assert!(ours.is_empty(), "{said}");
    }
}
