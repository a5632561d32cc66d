//! What a tool would see at a fresh start: its files, its environment, its folder, its version.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::core::platform::Platform;
use crate::switch::path::ToolPath;

/// The files of the machine that is looked at. Reading is all that the pure half may do with them.
pub trait Files {
    /// What lies at a path, links followed.
    fn read(&self, path: &ToolPath) -> FileState;

    /// The names in a folder, sorted; none when there is no such folder.
    fn list(&self, folder: &ToolPath) -> Vec<String>;

    /// The folders in a folder whose names are no text, as near as they can be shown: nothing in them can be named here. Those
    /// that begin with a dot are not among them.
    fn nameless(&self, folder: &ToolPath) -> Vec<String>;

    /// Whether there is a file or a folder of this name, without opening it.
    fn exists(&self, path: &ToolPath) -> bool;

    /// Whether it is a folder and no link to one.
    fn is_folder(&self, path: &ToolPath) -> bool;
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Missing,
    /// A regular file, perhaps at the end of a link.
    File(ToolFile),
    /// Something that cannot be read: a folder, a device, a file too big or without permission. With the reason.
    Unreadable(String),
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolFile {
    /// The whole file.
    pub bytes: Arc<[u8]>,
    /// Where it really lies when the path is, or goes through, a symbolic link.
    pub target: Option<ToolPath>,
    /// Whether it can be replaced by us.
    pub is_writable: bool,
    /// Whether nobody but the superuser can change it or put another in its place: some tools skip a machine-wide file
    /// otherwise. True where that cannot be told.
    pub is_guarded: bool,
}

impl ToolFile {
    /// A plain writable file.
    pub fn plain(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { bytes: bytes.into(), target: None, is_writable: true, is_guarded: true }
    }
}

/// Files may hold keys.
impl fmt::Debug for ToolFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolFile")
            .field("bytes", &self.bytes.len())
            .field("target", &self.target)
            .field("is_writable", &self.is_writable)
            .finish()
    }
}

/// Files in memory above other files: a planned change that is not on disk yet.
pub struct Overlay<'a> {
    below: Option<&'a dyn Files>,
    files: BTreeMap<ToolPath, FileState>,
}

impl<'a> Overlay<'a> {
    /// Nothing above `below`.
    pub const fn above(below: &'a dyn Files) -> Self {
        Self { below: Some(below), files: BTreeMap::new() }
    }

    /// Nothing at all.
    pub const fn empty() -> Self {
        Self { below: None, files: BTreeMap::new() }
    }

    /// Puts a state at a path.
    pub fn put(&mut self, path: ToolPath, state: FileState) {
        self.files.insert(path, state);
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &ToolPath) -> FileState {
        let below = || self.below.map_or(FileState::Missing, |files| files.read(path));
        self.files.get(path).cloned().unwrap_or_else(below)
    }

    fn list(&self, folder: &ToolPath) -> Vec<String> {
        let mut names = self.below.map_or_else(Vec::new, |files| files.list(folder));
        let there = self.files.iter().filter(|(_, state)| **state != FileState::Missing);
        let own = there.filter_map(|(path, _)| path.upward().find(|part| part.parent().as_ref() == Some(folder)));
        names.extend(own.map(|part| part.name().to_owned()));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn nameless(&self, folder: &ToolPath) -> Vec<String> {
        self.below.map_or_else(Vec::new, |files| files.nameless(folder))
    }

    fn exists(&self, path: &ToolPath) -> bool {
        self.files.iter().any(|(own, state)| *state != FileState::Missing && own.is_in(path))
            || (!self.files.contains_key(path) && self.below.is_some_and(|files| files.exists(path)))
    }

    fn is_folder(&self, path: &ToolPath) -> bool {
        self.files.iter().any(|(own, state)| *state != FileState::Missing && own != path && own.is_in(path))
            || self.below.is_some_and(|files| files.is_folder(path))
    }
}

/// Where a variable was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VarOrigin {
    /// In the environment of the tool's running process, with its id.
    Running(u32),
    /// In our own environment, or the one that the user gave with `--env-file`.
    Process,
    /// In the environment of a login shell.
    LoginShell,
    /// In a start-up file of a shell that could not be run: it may be set.
    Static,
}

/// The environment that a fresh start of the tool would have. Its values may be keys: they are never shown whole.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Vars {
    vars: BTreeMap<String, (String, VarOrigin)>,
    /// Whether a variable that is not here is known to be unset. Otherwise nothing is said of missing ones.
    pub is_complete: bool,
}

impl Vars {
    /// An environment that is known whole.
    pub fn complete() -> Self {
        Self { is_complete: true, ..Self::default() }
    }

    /// Notes a variable unless a better witness already did.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>, origin: VarOrigin) {
        let name = name.into();
        if self.vars.get(&name).is_none_or(|(_, known)| origin < *known) {
            self.vars.insert(name, (value.into(), origin));
        }
    }

    /// Notes all that another environment holds, by the same rule.
    pub fn merge(&mut self, other: &Self) {
        for (name, (value, origin)) in &other.vars {
            self.add(name.clone(), value.clone(), *origin);
        }
    }

    /// The value of a variable, empty ones too.
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(|(value, _)| value.as_str())
    }

    /// The value of a variable that is set to something.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|value| !value.is_empty())
    }

    /// Where a variable was seen.
    pub fn origin(&self, name: &str) -> Option<VarOrigin> {
        self.vars.get(name).map(|(_, origin)| *origin)
    }

    /// Whether a variable is known to be missing or empty.
    pub fn is_missing(&self, name: &str) -> bool {
        self.is_complete && self.get(name).is_none()
    }
}

impl fmt::Debug for Vars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.vars.iter().map(|(name, (_, origin))| (name, origin))).finish()
    }
}

/// A tool's version, as far as gates need it: three numbers, what follows them is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The first version in a text such as `codex-cli 0.160.0` or `2.1.197 (Claude Code)`.
    pub fn find(text: &str) -> Option<Self> {
        text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '/' | '@')).find_map(|word| {
            let word = word.trim_start_matches('v');
            let mut numbers = word.split(['-', '+']).next().unwrap_or(word).split('.').map(str::parse::<u32>);
            let (major, minor) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            Some(Self(major, minor, numbers.next().and_then(Result::ok).unwrap_or(0)))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The versions of a tool that were found: one, or the lowest and highest of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The lowest; `None` when no version is known.
    pub lowest: Option<Version>,
    /// The highest.
    pub highest: Option<Version>,
}

impl Versions {
    /// One version.
    pub const fn one(version: Version) -> Self {
        Self { lowest: Some(version), highest: Some(version) }
    }

    /// Whether the tool behaves as since `gate`. An unknown version is taken for a current one; of several the highest
    /// speaks, and [`straddles`](Self::straddles) tells that they differ.
    pub fn is_since(&self, gate: Version) -> bool {
        self.highest.is_none_or(|version| version >= gate)
    }

    /// Whether some found versions lie before a gate and some not.
    pub fn straddles(&self, gate: Version) -> bool {
        matches!((self.lowest, self.highest), (Some(low), Some(high)) if low < gate && high >= gate)
    }
}

/// All that decides what a fresh start of a tool does.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// Whose paths and rules hold.
    pub platform: Platform,
    /// The user's home folder.
    pub home: &'a ToolPath,
    /// The folder that the tool is started in; `None` means outside any project.
    pub cwd: Option<&'a ToolPath>,
    /// The tool's environment.
    pub vars: &'a Vars,
    /// The machine's files.
    pub files: &'a dyn Files,
    /// The installed versions of the tool.
    pub versions: Versions,
    /// Whether the tool trusts the folder; `None` leaves it to the tool's own records.
    pub trust: Option<bool>,
}

impl World<'_> {
    /// A folder that a variable moves, else one below the home folder.
    pub fn folder(&self, variable: &str, below_home: &str) -> ToolPath {
        self.vars.get(variable).map_or_else(|| self.home.join(below_home), |moved| self.home.join(moved))
    }

    /// Where tools keep settings by the XDG rules, on whatever system.
    pub fn xdg_config(&self) -> ToolPath {
        self.folder("XDG_CONFIG_HOME", ".config")
    }

    /// Where tools keep settings by the system's own rules.
    pub fn system_config(&self) -> ToolPath {
        match self.platform {
            Platform::Linux => self.xdg_config(),
            Platform::Macos => self.home.join("Library/Application Support"),
            Platform::Windows => self.folder("APPDATA", "AppData/Roaming"),
        }
    }

    /// `%ProgramData%`.
    pub fn program_data(&self) -> ToolPath {
        ToolPath::new(self.vars.get("ProgramData").unwrap_or(r"C:\ProgramData"))
    }

    /// The start folder and all above it, nearest first; none outside a project.
    pub fn upward(&self) -> impl Iterator<Item = ToolPath> + use<> {
        self.cwd.map(ToolPath::upward).into_iter().flatten()
    }

    /// The nearest folder, from the start folder upward, that holds `.git`.
    pub fn git_root(&self) -> Option<ToolPath> {
        self.upward().find(|folder| self.files.exists(&folder.join(".git")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        for (text, version) in [
            ("codex-cli 0.160.0", Some(Version(0, 160, 0))),
            ("2.1.197 (Claude Code)", Some(Version(2, 1, 197))),
            ("aider 0.86.2", Some(Version(0, 86, 2))),
            ("v1.45", Some(Version(1, 45, 0))),
            ("0.134.0-alpha.3", Some(Version(0, 134, 0))),
            ("llm, version 0.30", Some(Version(0, 30, 0))),
            ("@openai/codex@0.99.0", Some(Version(0, 99, 0))),
            ("no number 7", None),
            ("", None),
        ] {
            assert_eq!(Version::find(text), version, "{text}");
        }
    }

    #[test]
    fn a_gate_is_passed_by_unknown_versions_and_straddled_by_several() {
        let gate = Version(0, 134, 0);
        assert!(Versions::default().is_since(gate) && !Versions::default().straddles(gate));
        assert!(Versions::one(gate).is_since(gate) && !Versions::one(Version(0, 133, 9)).is_since(gate));
        let both = Versions { lowest: Some(Version(0, 99, 0)), highest: Some(Version(0, 160, 0)) };
        assert!(both.is_since(gate) && both.straddles(gate));
    }

    #[test]
    fn a_better_witness_of_a_variable_wins_and_values_are_not_shown() {
        let mut vars = Vars::default();
        vars.add("KEY", "from-shell-secret", VarOrigin::LoginShell);
        vars.add("KEY", "from-tool-secret", VarOrigin::Running(7));
        vars.add("KEY", "static-secret", VarOrigin::Static);
        assert_eq!((vars.get("KEY"), vars.origin("KEY")), (Some("from-tool-secret"), Some(VarOrigin::Running(7))));
        assert!(!format!("{vars:?}").contains("secret"));
    }
}
