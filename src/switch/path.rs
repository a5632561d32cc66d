//! Paths of tools' files as their owner knows them, by the rules of the tool's system and not of ours.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An absolute path on the machine whose tools are looked at: `/home/ada/.codex/config.toml`, `C:\Users\ada\.codex`.
///
/// A path that begins with a drive letter or two backslashes is a Windows path: both slashes part it, and it is joined
/// with backslashes. Where it really lies (below `--root`, on another disk) is the shell's affair.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolPath(Arc<str>);

impl ToolPath {
    /// Takes the path as it is written, without the separators at its end.
    pub fn new(path: impl AsRef<str>) -> Self {
        let path = path.as_ref();
        let windows = is_windows(path);
        let is_separator = |c: char| c == '/' || (windows && c == '\\');
        let trimmed = path.trim_end_matches(is_separator);
        let root_end = if windows && !path.starts_with('\\') { 2 } else { 0 };
        if trimmed.len() <= root_end {
            let separator = path[trimmed.len()..].chars().next().map(String::from).unwrap_or_default();
            return Self(format!("{trimmed}{separator}").into());
        }
        Self(trimmed.into())
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the rules of Windows hold for it.
    pub fn is_windows(&self) -> bool {
        is_windows(&self.0)
    }

    /// A path below this one; `below` is written with `/`, and `.` and `..` in it are followed. An absolute `below`
    /// stands for itself.
    #[must_use]
    pub fn join(&self, below: &str) -> Self {
        if below.starts_with('/') || is_windows(below) {
            return Self::new(below);
        }
        let separator = if self.is_windows() { '\\' } else { '/' };
        let mut path = self.clone();
        for part in below.split(|c| c == '/' || (separator == '\\' && c == '\\')) {
            match part {
                "" | "." => {}
                ".." => path = path.parent().unwrap_or(path),
                part if path.0.ends_with(separator) => path = Self(format!("{}{part}", path.0).into()),
                part => path = Self(format!("{}{separator}{part}", path.0).into()),
            }
        }
        path
    }

    /// The folder it lies in; `None` for a root.
    pub fn parent(&self) -> Option<Self> {
        let at = self.0.rfind(|c| c == '/' || (self.is_windows() && c == '\\'))?;
        if at + 1 == self.0.len() {
            return None;
        }
        let is_root = at == 0 || (self.is_windows() && at == 2);
        Some(Self(self.0[..if is_root { at + 1 } else { at }].into()))
    }

    /// Its last part.
    pub fn name(&self) -> &str {
        let at = self.0.rfind(|c| c == '/' || (self.is_windows() && c == '\\'));
        at.map_or(&self.0, |at| &self.0[at + 1..])
    }

    /// This folder and all above it, nearest first.
    pub fn upward(&self) -> impl Iterator<Item = Self> + use<> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }

    /// Its parts without the root: what lies below a `--root`. A drive is its letter.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let windows = self.is_windows();
        self.0
            .split(move |c| c == '/' || (windows && c == '\\'))
            .filter(|part| !part.is_empty())
            .map(move |part| if windows { part.trim_end_matches(':') } else { part })
    }

    /// Whether it is `folder` or lies below it; on Windows whatever the case of its letters.
    pub fn is_in(&self, folder: &Self) -> bool {
        let same = |a: &str, b: &str| if self.is_windows() { a.eq_ignore_ascii_case(b) } else { a == b };
        let mut own = self.parts();
        self.is_windows() == folder.is_windows() && folder.parts().all(|part| own.next().is_some_and(|o| same(o, part)))
    }
}

fn is_windows(path: &str) -> bool {
    let bytes = path.as_bytes();
    path.starts_with(r"\\") || (bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':')
}

impl fmt::Display for ToolPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ToolPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl From<&str> for ToolPath {
    fn from(path: &str) -> Self {
        Self::new(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_parted_by_their_own_systems_rules() {
        for (base, below, joined, parent, name) in [
            ("/home/ada", ".codex/config.toml", "/home/ada/.codex/config.toml", "/home/ada/.codex", "config.toml"),
            ("/home/ada/", "x", "/home/ada/x", "/home/ada", "x"),
            ("/", "etc", "/etc", "/", "etc"),
            ("/a/b", "../c/./d", "/a/c/d", "/a/c", "d"),
            (
                r"C:\Users\ada",
                ".codex/config.toml",
                r"C:\Users\ada\.codex\config.toml",
                r"C:\Users\ada\.codex",
                "config.toml",
            ),
            (r"C:\", "x", r"C:\x", r"C:\", "x"),
            (r"\\wsl$\Debian\home", "ada", r"\\wsl$\Debian\home\ada", r"\\wsl$\Debian\home", "ada"),
            ("/a", r"D:\work", r"D:\work", r"D:\", "work"),
            ("/odd\\name", "x", "/odd\\name/x", "/odd\\name", "x"),
        ] {
            let path = ToolPath::new(base).join(below);
            assert_eq!(path.as_str(), joined);
            assert_eq!(path.parent().map(|parent| parent.to_string()).as_deref(), Some(parent), "{joined}");
            assert_eq!(path.name(), name);
        }
        assert_eq!(ToolPath::new("/").parent(), None);
        assert_eq!(ToolPath::new(r"C:\").parent(), None);
    }

    #[test]
    fn a_folder_holds_what_lies_below_it_and_nothing_that_only_begins_like_it() {
        for (path, folder, expected) in [
            ("/srv/projects/atlas/x", "/srv/projects/atlas", true),
            ("/srv/projects/atlas", "/srv/projects/atlas", true),
            ("/srv/projects/atlas2", "/srv/projects/atlas", false),
            ("/srv", "/srv/projects", false),
            (r"d:\Work\atlas", r"D:\work", true),
            ("/d/work", r"D:\work", false),
            ("/x", "/", true),
        ] {
            assert_eq!(ToolPath::new(path).is_in(&ToolPath::new(folder)), expected, "{path} in {folder}");
        }
    }

    #[test]
    fn looking_upward_ends_at_the_root() {
        let seen: Vec<String> = ToolPath::new("/a/b").upward().map(|path| path.to_string()).collect();
        assert_eq!(seen, ["/a/b", "/a", "/"]);
        let seen: Vec<String> = ToolPath::new(r"C:\a").upward().map(|path| path.to_string()).collect();
        assert_eq!(seen, [r"C:\a", r"C:\"]);
    }
}
