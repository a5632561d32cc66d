//! The user's running processes.

use crate::listen::Process;

/// The processes of the user that we run as; `None` where the system's way is not known here. Of each only the program and
/// its first arguments are read, and they are kept no longer than it takes to count.
#[cfg(target_os = "linux")]
pub fn own() -> Option<Vec<Process>> {
    use std::os::unix::fs::MetadataExt as _;

    let user = std::fs::metadata("/proc/self").ok()?.uid();
    let folders = std::fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let processes = folders.filter_map(|folder| {
        let pid = folder.file_name().to_str()?.parse().ok()?;
        let path = folder.path();
        // A process may end at any moment: then it is not counted.
        (std::fs::metadata(&path).ok()?.uid() == user).then_some(())?;
        let arguments = arguments(&path)?;
        Some(Process { pid, parent: parent(&path)?, arguments })
    });
    Some(processes.collect())
}

/// The processes of the user that we run as; `None` when the system does not tell.
#[cfg(target_os = "macos")]
pub fn own() -> Option<Vec<Process>> {
    said("/bin/ps", &["-xwwo", "pid=,ppid=,args="]).map(|text| of_ps(&text))
}

/// The processes of the user that we run as; `None` when the system does not tell.
#[cfg(windows)]
pub fn own() -> Option<Vec<Process>> {
    let user = std::process::Command::new("whoami").output().ok().filter(|ran| ran.status.success())?;
    let filter = format!("USERNAME eq {}", String::from_utf8_lossy(&user.stdout).trim());
    said("tasklist", &["/fo", "csv", "/nh", "/fi", &filter]).map(|text| of_tasklist(&text))
}

/// The processes of the user that we run as; `None` where the system's way is not known here.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub const fn own() -> Option<Vec<Process>> {
    None
}

/// The variables that one of the user's processes was started with; none where the system does not tell.
#[cfg(target_os = "linux")]
pub fn environment(pid: u32) -> Vec<(String, String)> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let pair = |line: &[u8]| {
        let (name, value) = std::str::from_utf8(line).ok()?.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    bytes.split(|byte| *byte == 0).filter_map(pair).collect()
}

/// The variables that one of the user's processes was started with; none where the system does not tell.
#[cfg(not(target_os = "linux"))]
pub const fn environment(_: u32) -> Vec<(String, String)> {
    Vec::new()
}

/// What one of the system's own programs prints.
#[cfg(any(target_os = "macos", windows))]
pub(super) fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let ran = std::process::Command::new(program).args(arguments).stdin(std::process::Stdio::null()).output().ok()?;
    ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Reads what `ps -xwwo pid=,ppid=,args=` prints (macOS; written from its manual, never run there). Arguments are cut at
/// spaces, so a program in a folder with a space in its name is not known.
#[cfg(any(test, target_os = "macos"))]
fn of_ps(text: &str) -> Vec<Process> {
    let process = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let (pid, parent) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let arguments: Vec<String> = words.take(Process::ARGUMENTS).map(str::to_owned).collect();
        (!arguments.is_empty()).then_some(Process { pid, parent, arguments })
    };
    text.lines().filter_map(process).collect()
}

/// Reads what `tasklist /fo csv /nh` prints (Windows; written from its manual, never run there). It tells names and ids
/// alone: a tool that an interpreter runs is not known, and a background server counts as a session.
#[cfg(any(test, windows))]
fn of_tasklist(text: &str) -> Vec<Process> {
    let process = |line: &str| {
        let (name, rest) = line.trim().strip_prefix('"')?.split_once("\",\"")?;
        let pid = rest.split('"').next()?.parse().ok()?;
        Some(Process { pid, parent: 0, arguments: vec![name.to_ascii_lowercase()] })
    };
    text.lines().filter_map(process).collect()
}

/// The fourth field of `stat`; the second is the name in brackets, which may hold anything.
#[cfg(target_os = "linux")]
fn parent(folder: &std::path::Path) -> Option<u32> {
    let mut stat = [0; 512];
    let stat = beginning(&folder.join("stat"), &mut stat)?;
    let end = memchr::memrchr(b')', stat)?;
    std::str::from_utf8(stat.get(end + 1..)?).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn arguments(folder: &std::path::Path) -> Option<Vec<String>> {
    // Long enough for a program and what tells which it is; a prompt may follow.
    let mut line = [0; 1024];
    let line = beginning(&folder.join("cmdline"), &mut line)?;
    let arguments = line.split(|byte| *byte == 0).take(Process::ARGUMENTS);
    // A program that sets its title has spaces in the place of ends.
    Some(arguments.map(|argument| String::from_utf8_lossy(argument).into_owned()).collect())
}

/// The beginning of one of the kernel's files, by a single call; `None` where there is nothing in it, as with the arguments of
/// the kernel's own threads. All processes are looked at once a minute.
#[cfg(target_os = "linux")]
fn beginning<'a>(path: &std::path::Path, room: &'a mut [u8]) -> Option<&'a [u8]> {
    use std::io::Read as _;

    let read = std::fs::File::open(path).ok()?.read(room).ok().filter(|read| *read > 0)?;
    room.get(..read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::{Tool, sessions};

    #[test]
    fn what_ps_prints_on_macos_is_counted() {
        let text = "    1     0 /sbin/launchd\n  501   500 -zsh\n  700   501 node /opt/homebrew/bin/codex exec a prompt of many words\n\
            \x20 701   700 /opt/homebrew/lib/node_modules/@openai/codex/vendor/codex exec a prompt\n  800   501 claude\n\
            \x20 801   800 claude --resume x\n  802   501 (defunct)\n  x y z\n  803\n  900   501 codex app-server\n";
        let processes = of_ps(text);
        assert_eq!(processes.len(), 8);
        assert!(processes.iter().all(|process| process.arguments.len() <= Process::ARGUMENTS));
        assert_eq!(sessions(&processes, 1000), [(Tool::Codex, 1), (Tool::ClaudeCode, 1)]);
    }

    #[test]
    fn what_tasklist_prints_on_windows_is_counted() {
        let text = "\"System Idle Process\",\"0\",\"Services\",\"0\",\"8 K\"\r\n\"Codex.exe\",\"4711\",\"Console\",\"1\",\"120,000 K\"\r\n\
            \"claude.exe\",\"4712\",\"Console\",\"1\",\"98,304 K\"\r\n\"claude.exe\",\"4713\",\"Console\",\"1\",\"98,304 K\"\r\n\
            \"node.exe\",\"4714\",\"Console\",\"1\",\"1 K\"\r\nINFO: No tasks are running\r\n\"bad\",\"pid\",\"x\"\r\n\"\r\n";
        let processes = of_tasklist(text);
        assert_eq!(processes.len(), 5);
        assert_eq!(sessions(&processes, 1000), [(Tool::Codex, 1), (Tool::ClaudeCode, 2)]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_test_is_among_them() {
        let own_id = std::process::id();
        let processes = own().unwrap();
        let this = processes.iter().find(|process| process.pid == own_id).unwrap();
        assert_eq!(this.parent, std::os::unix::process::parent_id());
        assert_eq!(this.arguments.first().map(String::as_str), std::env::args().next().as_deref());
        assert!(processes.iter().all(|process| process.arguments.len() <= Process::ARGUMENTS));
    }
}
