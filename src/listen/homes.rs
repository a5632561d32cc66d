//! Where tools keep their logs, and which files there are logs: an allow-list of folders and names.
//!
//! Histories of prompts, credentials, settings, memories and tools' results are never on it, and no symbolic link leads
//! out of a tool's folder.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::observation::Tool;
use super::own::{self, OWN_FOLDER, is_own};
use crate::settings::env::Env;
use crate::settings::roots::{Platform, Roots};

/// What a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shelf {
    CodexRollouts,
    CodexDatabases,
    ClaudeTranscripts,
    GeminiChats,
    OpencodeLog,
    OpencodeMessages,
    OpencodeDatabase,
    ClineTasks,
}

/// A folder in which a tool keeps logs.
#[derive(Clone, Debug)]
pub struct Home {
    /// Whose.
    pub tool: Tool,
    /// Where it really lies.
    pub folder: PathBuf,
    shelf: Shelf,
    /// What the tool calls the folder in which we ran it.
    own: Option<String>,
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFile {
    /// Whose.
    pub tool: Tool,
    /// Where it really lies.
    pub path: PathBuf,
    /// Its size in bytes.
    pub len: u64,
    /// When it was last written, as far as the system tells.
    pub modified: SystemTime,
    /// It is a database, not text.
    pub is_database: bool,
}

/// Codex's databases that are read, by the beginnings of their names.
const CODEX_DATABASES: [&str; 2] = ["logs_", CODEX_TURNS];

/// The beginning of the name of Codex's list of turns.
pub(super) const CODEX_TURNS: &str = "thread_history_";

/// Which of Codex's databases a name is of, and the number of its schema.
fn schema_of(name: &str) -> Option<(&'static str, u32)> {
    let base = name.strip_suffix(".sqlite")?;
    CODEX_DATABASES.iter().find_map(|start| Some((*start, base.strip_prefix(start)?.parse().ok()?)))
}

/// Logs listed of one folder, the newest; a tool that made more has the rest skipped.
const MOST_FILES: usize = 200_000;

/// The folder that a tool is run in for a probe of ours, as the tool sees it.
pub fn probe_folder(roots: &Roots, tool: &str) -> PathBuf {
    let cache = roots.cache.canonicalize().unwrap_or_else(|_| roots.cache.clone());
    cache.join("toolprobe").join(format!("{OWN_FOLDER}{tool}"))
}

/// The folders of all tools, whether they exist or not.
pub fn homes(roots: &Roots, env: &Env) -> Vec<Home> {
    let below = |variable: &str, usual: &str| env.get(variable).map_or_else(|| roots.home.join(usual), PathBuf::from);
    let codex = below("CODEX_HOME", ".codex");
    let claude = below("CLAUDE_CONFIG_DIR", ".claude");
    let gemini = roots.home.join(".gemini/tmp");
    let opencode = below("XDG_DATA_HOME", ".local/share").join("opencode");
    let system = match roots.platform {
        Platform::Linux => below("XDG_CONFIG_HOME", ".config"),
        Platform::Macos => roots.home.join("Library/Application Support"),
        Platform::Windows => below("APPDATA", "AppData/Roaming"),
    };
    let mut found = vec![
        (Tool::Codex, codex.join("sessions"), Shelf::CodexRollouts),
        (Tool::Codex, codex.join("archived_sessions"), Shelf::CodexRollouts),
        (Tool::Codex, env.get("CODEX_SQLITE_HOME").map_or(codex, PathBuf::from), Shelf::CodexDatabases),
        (Tool::ClaudeCode, claude.join("projects"), Shelf::ClaudeTranscripts),
        (Tool::GeminiCli, gemini, Shelf::GeminiChats),
        (Tool::Opencode, opencode.join("log"), Shelf::OpencodeLog),
        (Tool::Opencode, opencode.join("storage/message"), Shelf::OpencodeMessages),
        (Tool::Opencode, opencode, Shelf::OpencodeDatabase),
        (Tool::Cline, roots.home.join(".cline/data/tasks"), Shelf::ClineTasks),
    ];
    for editor in ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"] {
        for extension in ["saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"] {
            let tasks = system.join(editor).join("User/globalStorage").join(extension).join("tasks");
            found.push((Tool::Cline, tasks, Shelf::ClineTasks));
        }
    }
    found
        .into_iter()
        .map(|(tool, folder, shelf)| {
            let own = (shelf == Shelf::GeminiChats).then(|| own::hash(&probe_folder(roots, tool.name())));
            Home { tool, folder: roots.real(&folder), shelf, own }
        })
        .collect()
}

impl Home {
    /// Whether a file of this folder, by its path below it, is a log.
    pub fn is_log(&self, below: &Path) -> bool {
        let parts: Vec<&str> = below.iter().filter_map(|part| part.to_str()).collect();
        let Some((name, folders)) = parts.split_last() else { return false };
        let has_end = |end: &str| name.len() > end.len() && name.ends_with(end);
        match self.shelf {
            Shelf::CodexRollouts => name.starts_with("rollout-") && (has_end(".jsonl") || has_end(".jsonl.zst")),
            Shelf::CodexDatabases => folders.is_empty() && schema_of(name).is_some(),
            Shelf::ClaudeTranscripts => {
                folders.first().is_some_and(|folder| !is_own(folder)) && has_end(".jsonl") && *name != "history.jsonl"
            }
            Shelf::GeminiChats => {
                folders.get(1) == Some(&"chats")
                    && !is_own(folders[0])
                    && self.own.as_deref() != Some(folders[0])
                    && name.starts_with("session-")
                    && (has_end(".jsonl") || has_end(".json"))
            }
            Shelf::OpencodeLog => folders.is_empty() && has_end(".log"),
            Shelf::OpencodeMessages => folders.len() == 1 && has_end(".json"),
            Shelf::OpencodeDatabase => folders.is_empty() && name.starts_with("opencode") && has_end(".db"),
            Shelf::ClineTasks => folders.len() == 1 && *name == "ui_messages.json",
        }
    }

    /// How deep logs lie.
    const fn depth(&self) -> usize {
        match self.shelf {
            Shelf::CodexRollouts => 4,
            Shelf::ClaudeTranscripts => 5,
            Shelf::GeminiChats => 4,
            Shelf::OpencodeMessages | Shelf::ClineTasks => 2,
            Shelf::OpencodeLog | Shelf::CodexDatabases | Shelf::OpencodeDatabase => 1,
        }
    }

    /// Whether what changes here is to be watched as text.
    pub const fn is_text(&self) -> bool {
        !matches!(self.shelf, Shelf::CodexDatabases | Shelf::OpencodeDatabase)
    }

    /// The logs in the folder, newest first. What cannot be listed is not there.
    pub fn files(&self) -> Vec<LogFile> {
        let mut found = Vec::new();
        if let Ok(root) = self.folder.canonicalize() {
            self.walk(&root, &root, 1, &mut found);
        }
        found.sort_by(|a, b| (Reverse(a.modified), Reverse(&a.path)).cmp(&(Reverse(b.modified), Reverse(&b.path))));
        found.truncate(MOST_FILES);
        self.drop_doubles(&mut found);
        found
    }

    fn walk(&self, root: &Path, folder: &Path, depth: usize, found: &mut Vec<LogFile>) {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() {
                if depth < self.depth() {
                    self.walk(root, &path, depth + 1, found);
                }
            } else {
                found.extend(self.log(root, &path));
            }
        }
    }

    /// The log at a path below `root`, the folder without symbolic links.
    fn log(&self, root: &Path, path: &Path) -> Option<LogFile> {
        if !self.is_log(path.strip_prefix(root).ok()?) {
            return None;
        }
        // A link may lead to another name for a log, never to something else.
        let path = if path.is_symlink() { path.canonicalize().ok()? } else { path.to_path_buf() };
        let about = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let is_inside = path.strip_prefix(root).is_ok_and(|below| self.is_log(below));
        is_inside.then(|| LogFile {
            tool: self.tool,
            len: about.len(),
            modified: about.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            is_database: !self.is_text(),
            path,
        })
    }

    /// The log at a path that the system told of.
    pub fn at(&self, path: &Path) -> Option<LogFile> {
        let root = self.folder.canonicalize().ok()?;
        let below = path.strip_prefix(&root).or_else(|_| path.strip_prefix(&self.folder)).ok()?;
        if below.iter().count() > self.depth() {
            return None;
        }
        self.log(&root, &root.join(below))
    }

    /// Of a log and its compressed copy the plain one is read; of schemas of a database the newest.
    fn drop_doubles(&self, found: &mut Vec<LogFile>) {
        match self.shelf {
            Shelf::CodexRollouts => {
                let plain: std::collections::HashSet<PathBuf> = found.iter().map(|log| log.path.clone()).collect();
                found.retain(|log| {
                    log.path.extension().is_none_or(|end| end != "zst") || !plain.contains(&log.path.with_extension(""))
                });
            }
            Shelf::CodexDatabases => {
                found.sort_by_key(|log| Reverse(log.path.file_name().and_then(|name| schema_of(name.to_str()?))));
                found.dedup_by_key(|log| log.path.file_name().and_then(|name| Some(schema_of(name.to_str()?)?.0)));
            }
            _ => {}
        }
    }
}
