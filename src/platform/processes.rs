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
        Some(Process { pid, parent: parent(&path)?, arguments: arguments(&path)? })
    });
    Some(processes.collect())
}

/// The processes of the user that we run as; `None` where the system's way is not known here.
#[cfg(not(target_os = "linux"))]
pub const fn own() -> Option<Vec<Process>> {
    None
}

/// The fourth field of `stat`; the second is the name in brackets, which may hold anything.
#[cfg(target_os = "linux")]
fn parent(folder: &std::path::Path) -> Option<u32> {
    let stat = std::fs::read(folder.join("stat")).ok()?;
    let end = memchr::memrchr(b')', &stat)?;
    std::str::from_utf8(stat.get(end + 1..)?).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn arguments(folder: &std::path::Path) -> Option<Vec<String>> {
    use std::io::Read as _;

    /// Long enough for a program and what tells which it is; a prompt may follow.
    const LONGEST: u64 = 1024;
    let mut line = Vec::new();
    std::fs::File::open(folder.join("cmdline")).ok()?.take(LONGEST).read_to_end(&mut line).ok()?;
    let arguments = line.split(|byte| *byte == 0).take(Process::ARGUMENTS);
    // A program that sets its title has spaces in the place of ends.
    Some(arguments.map(|argument| String::from_utf8_lossy(argument).into_owned()).collect())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

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
