//! Finds a tool's program: on the path, and where its installers put it.

use std::path::{Path, PathBuf};

use crate::settings::env::Env;
use crate::settings::roots::Platform;
use crate::toolprobe::Program;

/// Folders below the home where installers put the tools. A window started from the desktop has not the path of a shell.
const BELOW_HOME: &[&str] = &[
    ".local/bin",
    ".claude/local",
    ".opencode/bin",
    ".npm-global/bin",
    ".npm-packages/bin",
    ".bun/bin",
    ".volta/bin",
    ".local/share/pnpm",
    ".local/share/mise/shims",
    ".asdf/shims",
    ".nvm/current/bin",
    "bin",
];

/// Folders of the whole machine that a desktop's path often lacks.
const ELSEWHERE: &[&str] = &["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"];

/// The full path of the program, if it is installed.
pub fn find(program: Program, env: &Env, home: &Path) -> Option<PathBuf> {
    all(program.file(), env, home).next()
}

/// Every place where a program of this name is installed, in the order of the path.
pub fn all(name: &str, env: &Env, home: &Path) -> impl Iterator<Item = PathBuf> {
    let on_path = env.get("PATH").map(std::env::split_paths).into_iter().flatten().filter(|dir| dir.is_absolute());
    let known = BELOW_HOME.iter().map(|dir| home.join(dir));
    let windows = env.get("APPDATA").map(|dir| Path::new(dir).join("npm"));
    let elsewhere = ELSEWHERE.iter().map(PathBuf::from);
    let names = names(name, env);
    let dirs: Vec<PathBuf> = on_path.chain(known).chain(windows).chain(elsewhere).collect();
    dirs.into_iter().filter_map(move |dir| names.iter().map(|name| dir.join(name)).find(|path| is_program(path)))
}

fn names(name: &str, env: &Env) -> Vec<String> {
    if Platform::here() != Platform::Windows {
        return vec![name.to_owned()];
    }
    let endings = env.get("PATHEXT").unwrap_or(".EXE;.CMD;.BAT");
    endings.split(';').map(|ending| format!("{name}{}", ending.to_ascii_lowercase())).collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
