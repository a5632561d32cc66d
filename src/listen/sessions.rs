//! Which processes are sessions of a coding tool. Pure.
//!
//! Beside a rate limit their number is often its reason. Counted are programs, not their helpers: what a session starts
//! belongs to it, a background server is none, and what we started ourselves is not the user's.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::observation::Tool;

/// What is known of a process of the user's. No more than the first few arguments are ever read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its parent's.
    pub parent: u32,
    /// The program and its first arguments, at most [`Process::ARGUMENTS`].
    pub arguments: Vec<String>,
}

impl Process {
    /// Arguments that are enough to tell: an interpreter's flags come before the program.
    pub const ARGUMENTS: usize = 6;
}

/// Programs, and folders of packages that an interpreter runs them from.
const PROGRAMS: &[(Tool, &str, &str)] = &[
    (Tool::Codex, "codex", "@openai/codex"),
    (Tool::ClaudeCode, "claude", "@anthropic-ai/claude-code"),
    (Tool::GeminiCli, "gemini", "@google/gemini-cli"),
    (Tool::Opencode, "opencode", "opencode-ai"),
    (Tool::Aider, "aider", "aider-chat"),
    (Tool::Cline, "cline", "cline"),
];

const INTERPRETERS: &[&str] = &["node", "nodejs", "bun", "deno", "python", "python3"];

/// First arguments of what asks no model.
const HELPERS: &[&str] = &[
    "app-server",
    "mcp-server",
    "exec-server",
    "mcp",
    "serve",
    "login",
    "logout",
    "debug",
    "features",
    "update",
    "upgrade",
    "doctor",
    "completion",
    "--version",
    "--help",
];

/// Sessions by tool, in the order of the tools; `own` is our own process.
pub fn sessions(processes: &[Process], own: u32) -> Vec<(Tool, usize)> {
    let by_pid: HashMap<u32, &Process> = processes.iter().map(|process| (process.pid, process)).collect();
    let mut counts: BTreeMap<Tool, usize> = BTreeMap::new();
    for process in processes {
        let Some((tool, first)) = tool(process) else { continue };
        if first.is_some_and(|first| HELPERS.contains(&first)) {
            continue;
        }
        if !is_within(process, &by_pid, |parent| parent.pid == own || self::tool(parent).is_some_and(|of| of.0 == tool))
        {
            *counts.entry(tool).or_default() += 1;
        }
    }
    counts.into_iter().collect()
}

/// Whether any process above it fits.
fn is_within(process: &Process, by_pid: &HashMap<u32, &Process>, fits: impl Fn(&Process) -> bool) -> bool {
    let mut seen = HashSet::from([process.pid]);
    let mut above = process.parent;
    while seen.insert(above) {
        let Some(parent) = by_pid.get(&above) else { return false };
        if fits(parent) {
            return true;
        }
        above = parent.parent;
    }
    false
}

/// The tool that a process is, and the first argument to it.
fn tool(process: &Process) -> Option<(Tool, Option<&str>)> {
    let mut arguments = process.arguments.iter().map(String::as_str);
    let program = arguments.next()?;
    if !INTERPRETERS.contains(&base(program)) {
        let found = PROGRAMS.iter().find(|(_, name, _)| base(program) == *name)?;
        return Some((found.0, arguments.next()));
    }
    let script = arguments.find(|argument| !argument.starts_with('-'))?;
    let package = script.replace('\\', "/");
    let found = PROGRAMS
        .iter()
        .find(|(_, name, folder)| base(script) == *name || package.contains(&format!("/node_modules/{folder}/")))?;
    Some((found.0, arguments.next()))
}

/// The name of a program without its folder and ending.
fn base(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    [".exe", ".js", ".mjs", ".cjs", ".py"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(processes: &[(u32, u32, &str)]) -> Vec<(Tool, usize)> {
        let processes: Vec<Process> = processes
            .iter()
            .map(|(pid, parent, line)| Process {
                pid: *pid,
                parent: *parent,
                arguments: line.split(' ').map(str::to_owned).collect(),
            })
            .collect();
        sessions(&processes, 900)
    }

    #[test]
    fn programs_are_counted_and_not_their_helpers() {
        let codex = |n| vec![(Tool::Codex, n)];
        for (what, processes, expected) in [
            ("nothing", vec![], vec![]),
            ("two in two terminals", vec![(10, 1, "codex"), (11, 1, "/opt/codex exec hi")], codex(2)),
            (
                "the package starts the program",
                vec![(10, 1, "node /usr/bin/codex"), (11, 10, "/x/vendor/codex")],
                codex(1),
            ),
            ("a shell between", vec![(10, 1, "codex"), (11, 10, "bash -c x"), (12, 11, "codex exec y")], codex(1)),
            ("a background server", vec![(10, 1, "codex app-server --listen stdio"), (11, 1, "codex")], codex(1)),
            (
                "by its package's folder",
                vec![(10, 1, "node /a/node_modules/@anthropic-ai/claude-code/cli.js -p")],
                vec![(Tool::ClaudeCode, 1)],
            ),
            (
                "with flags of the interpreter",
                vec![
                    (10, 1, "node --no-warnings /usr/bin/gemini"),
                    (11, 10, "node --max-old-space-size=1 /usr/bin/gemini"),
                ],
                vec![(Tool::GeminiCli, 1)],
            ),
            (
                "our own probe",
                vec![(900, 1, "vacancy"), (901, 900, "codex exec x"), (902, 1, "claude")],
                vec![(Tool::ClaudeCode, 1)],
            ),
            (
                "a tool within another",
                vec![(10, 1, "claude"), (11, 10, "codex exec review")],
                vec![(Tool::Codex, 1), (Tool::ClaudeCode, 1)],
            ),
            (
                "alike but other",
                vec![
                    (10, 1, "codex-web"),
                    (11, 1, "vim codex"),
                    (12, 1, "node server.js codex"),
                    (13, 1, "grep claude"),
                ],
                vec![],
            ),
            ("on Windows", vec![(10, 1, r"C:\Tools\claude.exe")], vec![(Tool::ClaudeCode, 1)]),
            ("parents in a circle", vec![(10, 11, "codex"), (11, 10, "bash")], codex(1)),
            ("no arguments", vec![(10, 1, "")], vec![]),
        ] {
            assert_eq!(count(&processes), expected, "{what}");
        }
    }
}
