//! One file of cases a tool, and the world they are laid out in.

mod aider;
mod cases;
mod claude_code;
mod claude_code_router;
mod cline;
mod codex;
mod continue_dev;
mod copilot_cli;
mod crush;
mod cursor_cli;
mod droid;
mod gemini_cli;
mod goose;
mod kimi;
mod litellm;
mod llm;
mod not_in_file;
mod openclaw;
mod opencode;
mod qwen_code;
mod zed;

use std::collections::BTreeMap;

use crate::core::platform::Platform;
use crate::edit;
use crate::i18n::{Lang, Tr};
use crate::switch::path::ToolPath;
use crate::switch::plan::{Action, FileEdit, Plan, plan};
use crate::switch::tool::{At, Home, Tool, Wanted};
use crate::switch::tools;
use crate::switch::warning::Code;
use crate::switch::world::{FileState, Overlay, ToolFile, VarOrigin, Vars, Version, Versions, World};

/// A machine with one tool, built up line by line.
pub(super) struct Case {
    tool: &'static dyn Tool,
    platform: Platform,
    home: ToolPath,
    cwd: Option<ToolPath>,
    vars: Vars,
    files: BTreeMap<ToolPath, ToolFile>,
    unreadable: BTreeMap<ToolPath, String>,
    versions: Versions,
    trust: Option<bool>,
    wanted: Wanted,
    named: Option<Home>,
}

/// What came of it.
pub(super) struct Done {
    pub plan: Plan,
    files: BTreeMap<ToolPath, ToolFile>,
    home: ToolPath,
}

impl Case {
    /// A Linux machine, outside any project, no variable set, version unknown.
    pub fn new(tool: &str) -> Self {
        Self {
            tool: tools::find(tool).expect("a known tool"),
            platform: Platform::Linux,
            home: ToolPath::new("/home/ada"),
            cwd: None,
            vars: Vars::complete(),
            files: BTreeMap::new(),
            unreadable: BTreeMap::new(),
            versions: Versions::default(),
            trust: None,
            wanted: Wanted::default(),
            named: None,
        }
    }

    /// The tool is started with this file: `--file`.
    pub fn named(mut self, path: &str) -> Self {
        assert!(self.tool.takes_file(), "the tool takes no file");
        self.named = Some(Home { path: self.at(path), moved_by: None });
        self
    }

    pub fn platform(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self.home = ToolPath::new(match platform {
            Platform::Linux => "/home/ada",
            Platform::Macos => "/Users/ada",
            Platform::Windows => r"C:\Users\ada",
        });
        self
    }

    pub fn version(mut self, version: &str) -> Self {
        self.versions = Versions::one(Version::find(version).expect("a version"));
        self
    }

    pub fn versions(mut self, lowest: &str, highest: &str) -> Self {
        self.versions = Versions { lowest: Version::find(lowest), highest: Version::find(highest) };
        self
    }

    pub fn cwd(mut self, path: &str) -> Self {
        self.cwd = Some(self.at(path));
        self
    }

    pub fn trusted(mut self, trusted: bool) -> Self {
        self.trust = Some(trusted);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.vars.add(name, value, VarOrigin::Process);
        self
    }

    /// A file; `~` is the home folder.
    pub fn file(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.files.insert(self.at(path), ToolFile::plain(content.as_ref()));
        self
    }

    /// A link to a file elsewhere.
    pub fn link(mut self, path: &str, target: &str, content: impl AsRef<[u8]>) -> Self {
        let file = ToolFile { target: Some(self.at(target)), ..ToolFile::plain(content.as_ref()) };
        self.files.insert(self.at(path), file);
        self
    }

    /// A file that may not be written.
    pub fn readonly(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let file = ToolFile { is_writable: false, ..ToolFile::plain(content.as_ref()) };
        self.files.insert(self.at(path), file);
        self
    }

    /// A file that others than the superuser could change.
    pub fn unguarded(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let file = ToolFile { is_guarded: false, ..ToolFile::plain(content.as_ref()) };
        self.files.insert(self.at(path), file);
        self
    }

    /// Something that cannot be read.
    pub fn unreadable(mut self, path: &str) -> Self {
        self.unreadable.insert(self.at(path), "permission denied".to_owned());
        self
    }

    /// Takes what a switch left behind, for a second one.
    pub fn files_of(mut self, done: &Done) -> Self {
        self.files.clone_from(&done.files);
        self
    }

    fn at(&self, path: &str) -> ToolPath {
        match path.strip_prefix('~') {
            Some(below) => self.home.join(below.trim_start_matches(['/', '\\'])),
            None => ToolPath::new(path),
        }
    }

    pub fn provider(mut self, provider: &str) -> Self {
        self.wanted.provider = Some(provider.to_owned());
        self
    }

    pub fn alias(mut self, alias: &str) -> Self {
        self.wanted.alias = Some(alias.to_owned());
        self
    }

    /// Looks at the first home, with a function of the tool.
    pub fn look<T>(&self, ask: impl FnOnce(&dyn Tool, &At<'_>) -> T) -> T {
        let mut files = Overlay::empty();
        for (path, file) in &self.files {
            files.put(path.clone(), FileState::File(file.clone()));
        }
        for (path, reason) in &self.unreadable {
            files.put(path.clone(), FileState::Unreadable(reason.clone()));
        }
        let world = World {
            platform: self.platform,
            home: &self.home,
            cwd: self.cwd.as_ref(),
            vars: &self.vars,
            files: &files,
            versions: self.versions,
            trust: self.trust,
        };
        let home = self.named.clone().unwrap_or_else(|| self.tool.homes(&world).swap_remove(0));
        ask(self.tool, &At { world, home: &home })
    }

    /// Plans the switch and writes it in memory.
    pub fn switch(mut self, model: &str) -> Done {
        self.wanted.model = model.to_owned();
        let plan = self.look(|tool, at| plan(tool, at, &self.wanted));
        let mut files = self.files;
        if let Action::Edit(edits) = &plan.action {
            for edit in edits {
                let old = files.get(&edit.path).cloned().unwrap_or_else(|| ToolFile::plain(Vec::new()));
                files.insert(edit.path.clone(), ToolFile { bytes: edit.after.clone(), ..old });
            }
        }
        Done { plan, files, home: self.home }
    }
}

impl Done {
    fn edits(&self) -> &[FileEdit] {
        match &self.plan.action {
            Action::Edit(edits) => edits,
            Action::Refuse(reason) => panic!("refused: {reason:?}"),
        }
    }

    /// The keys that were set.
    pub fn keys(&self) -> Vec<String> {
        self.edits().iter().flat_map(FileEdit::keys).collect()
    }

    /// The content of a file now.
    pub fn text(&self, path: &str) -> String {
        let path = match path.strip_prefix('~') {
            Some(below) => self.home.join(below.trim_start_matches(['/', '\\'])),
            None => ToolPath::new(path),
        };
        String::from_utf8(self.files[&path].bytes.to_vec()).expect("texts alone")
    }

    /// Effective model before and after.
    pub fn models(&self) -> (Option<&str>, Option<&str>) {
        (self.plan.before.model.as_deref(), self.plan.after.model.as_deref())
    }

    /// Effective provider before and after.
    pub fn providers(&self) -> (Option<&str>, Option<&str>) {
        (self.plan.before.provider.as_deref(), self.plan.after.provider.as_deref())
    }

    /// The codes of the warnings, sorted.
    pub fn codes(&self) -> Vec<&'static str> {
        let mut codes: Vec<_> = self.plan.warnings.iter().map(|warning| warning.code.name()).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// The message of a warning, in English.
    pub fn message(&self, code: Code) -> String {
        let found = self.plan.warnings.iter().find(|warning| warning.code == code);
        found.unwrap_or_else(|| panic!("no {code:?} in {:?}", self.codes())).message(&Tr::new(Lang::English))
    }

    /// Whether it was refused, and with which code.
    pub fn refusal(&self) -> Option<&'static str> {
        match &self.plan.action {
            Action::Refuse(reason) => Some(reason.code.name()),
            Action::Edit(_) => None,
        }
    }

    /// Asserts that the reverse splices give back every file.
    pub fn undoes(&self) -> &Self {
        for edit in self.edits() {
            let Some(before) = &edit.before else { continue };
            let undone = edit::apply(&edit.after, &edit::reversed(&edit.splices)).expect("our own splices");
            assert_eq!(undone, **before, "{}", edit.path);
        }
        self
    }
}
