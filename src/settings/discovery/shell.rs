//! The login shell: which variables a terminal would have and a window started from the desktop has not.
//!
//! Only names come back, or of harmless ones the values too; the shell's own pipe drops the others before they reach us.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long a login shell may take before it is stopped. Slow start-up files take one to two seconds.
pub const DEADLINE: Duration = Duration::from_secs(6);

/// Around the names, since start-up files print all sorts of things.
const BEGIN: &str = "vacancy-begin-8c1f";
const END: &str = "vacancy-end-8c1f";

/// Parts of names that speak of a key: what such a variable holds is never taken.
const KEY_NAMES: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED"];

/// Whether a variable's name speaks of a key.
pub fn is_key_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    KEY_NAMES.iter().any(|part| name.contains(part))
}

/// Asks the login shell `shell` for the names of its variables that are set to something.
///
/// An empty answer is what comes of a shell that is missing, fails or does not end in time; it is then stopped with all
/// that it started.
pub fn variables(shell: &str, deadline: Duration) -> BTreeSet<String> {
    lines(shell, "s/^([A-Za-z_][A-Za-z0-9_]*)=..*/\\1/p", deadline).into_iter().collect()
}

/// The same with the values, but of names that speak of a key.
pub fn values(shell: &str, deadline: Duration) -> BTreeMap<String, Option<String>> {
    let keys = KEY_NAMES.join("|");
    // A name in small letters is a proxy's as a rule, and its address may hold a password.
    let script =
        format!("/^[A-Za-z_][A-Za-z0-9_]*=..*/{{ s/^([^=]*({keys})[^=]*)=.*/\\1/; s/^([^=]*[a-z][^=]*)=.*/\\1/; p; }}");
    let line = |line: String| match line.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (line, None),
    };
    lines(shell, &script, deadline).into_iter().map(line).collect()
}

/// The lines that a script for `sed -nE` lets through of the login shell's environment.
#[cfg(unix)]
fn lines(shell: &str, sed: &str, deadline: Duration) -> Vec<String> {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    let script = format!("printf '%s\\n' {BEGIN}; env | sed -nE '{sed}'; printf '%s\\n' {END}");
    let child = Command::new(shell)
        .args(["-l", "-i", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    let Ok(mut child) = child else { return Vec::new() };
    let group = child.id();
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let reader = std::thread::Builder::new().name("vacancy-login-shell".to_owned()).spawn(move || {
        let mut lines = Vec::new();
        let mut is_inside = false;
        // Enough for any environment; a shell that never stops printing is cut off here.
        const MOST: u64 = 4 << 20;
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout.take(MOST)).split(b'\n').map_while(Result::ok) {
                match String::from_utf8_lossy(&line).trim_end() {
                    BEGIN => is_inside = true,
                    // What a start-up file left running may hold the pipe open: the end mark is the end.
                    END if is_inside => break,
                    line if is_inside => lines.push(line.to_owned()),
                    _ => {}
                }
            }
        }
        let _ = sender.send(lines);
        // Waiting keeps no dead process around; the answer is on its way already.
        let _ = child.wait();
    });
    if reader.is_err() {
        stop(group);
        return Vec::new();
    }
    receiver.recv_timeout(deadline).unwrap_or_else(|_| {
        stop(group);
        Vec::new()
    })
}

/// A command that prints a variable of the login shell `shell` and nothing else: how a window started from the desktop
/// gets a key that only terminals have. Where the variable is set already, no shell is started.
///
/// What start-up files print goes nowhere; the value comes by a channel of its own.
pub fn key_command(shell: &str, variable: &str) -> Vec<String> {
    let script = format!(
        "if [ -n \"${{{variable}-}}\" ]; then printenv {variable}; \
         else exec \"$0\" -l -i -c 'printenv {variable} >&3' 3>&1 >/dev/null 2>&1; fi"
    );
    ["/bin/sh", "-c", &script, shell].map(str::to_owned).to_vec()
}

/// Whether we were started from a terminal. Who has one has the shell's variables already, and an interactive shell in
/// a background group of it would be stopped by the system.
#[cfg(unix)]
pub fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

/// A window and a terminal have the same variables on Windows.
#[cfg(not(unix))]
pub fn has_terminal() -> bool {
    true
}

/// Windows has no login shell: its windows get the user's variables.
#[cfg(not(unix))]
fn lines(_shell: &str, _sed: &str, _deadline: Duration) -> Vec<String> {
    Vec::new()
}

/// Ends a process group that we started; a negative number is a group.
#[cfg(unix)]
fn stop(group: u32) {
    use std::process::{Command, Stdio};
    let _ = Command::new("/bin/sh")
        .args(["-c", &format!("kill -KILL -{group}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn values_of_harmless_variables_come_and_those_of_keys_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let shell = folder.path().join("shell");
        let script = "#!/bin/sh\nexport GEMINI_MODEL='a=b c' OPENAI_API_KEY=secret1 https_proxy=http://u:secret2@h EMPTY=\n\
                      echo noise\nexec /bin/sh -c \"$4\"\n";
        std::fs::write(&shell, script).unwrap();
        std::fs::set_permissions(&shell, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        let said = values(shell.to_str().unwrap(), DEADLINE);
        assert_eq!(said.get("GEMINI_MODEL"), Some(&Some("a=b c".to_owned())));
        assert_eq!((said.get("OPENAI_API_KEY"), said.get("https_proxy")), (Some(&None), Some(&None)));
        assert_eq!((said.get("EMPTY"), said.get("noise")), (None, None));
        let names = variables(shell.to_str().unwrap(), DEADLINE);
        assert!(names.contains("GEMINI_MODEL") && names.contains("OPENAI_API_KEY") && !names.contains("EMPTY"));
    }
}
