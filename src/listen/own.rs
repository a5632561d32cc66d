//! Which sessions are our own: those of probes that a tool made for us. They are in the record as probes already, and are
//! nothing that the user did. Pure.
//!
//! Not every tool can be told to keep no session, so a probe runs in a folder whose name says whose it is. Codex and
//! opencode write the folder into the session; Claude Code and Gemini CLI name the session's folder after it.

use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The beginning of the name of every folder that a tool is run in by us.
pub const OWN_FOLDER: &str = "vacancy-probe-";

/// Whether a session's folder, or what a tool made of its name, is one of ours.
pub(super) fn is_own(folder: &str) -> bool {
    folder.contains(OWN_FOLDER)
}

/// What Gemini CLI called a folder before it took the name: the hash of its path.
#[cfg_attr(not(any(test, feature = "shell")), expect(dead_code, reason = "folders are listed by the shell"))]
pub(super) fn hash(folder: &Path) -> String {
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_make_of_the_folder_is_known() {
        assert!(is_own("/home/u/.cache/vacancy/toolprobe/vacancy-probe-codex"));
        assert!(is_own("-home-u--cache-vacancy-toolprobe-vacancy-probe-claude-code"));
        assert!(is_own("vacancy-probe-gemini-cli"));
        assert!(!is_own("/home/u/src/vacancy"));
        // `printf %s /a/b | sha256sum`
        assert_eq!(hash(Path::new("/a/b")), "662b7b62a798bb2d53e67cad9778e12e48297c79eae98d3aae7197be825d768f");
    }
}
