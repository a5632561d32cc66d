//! The machine as a fresh start of a tool would find it: environment, versions, folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::core::platform::Platform;
use crate::edit::{Document, DotenvDialect, Language};
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::switch::path::ToolPath;
use crate::switch::shell::{RealFiles, environment};
use crate::switch::tool::{At, Home, Tool};
use crate::switch::world::{VarOrigin, Vars, Version, Versions, World};
use crate::toolprobe::find;
use crate::toolprobe::run::{Stop, Task, Wish, run};

/// How long a tool may take to say its version. Those that run on Node need up to two seconds on a busy machine.
const DEADLINE: Duration = Duration::from_secs(5);
/// More than any tool prints for it.
const MOST: usize = 64 << 10;

/// What the user says instead of what would be found.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The version of the tool.
    pub version: Option<Version>,
    /// The whole environment of the tool; a variable that is not in it is unset.
    pub vars: Option<Vars>,
    /// The folder that the tool is started in.
    pub cwd: Option<ToolPath>,
    /// The file that the tool is started with.
    pub file: Option<ToolPath>,
    /// Whether the tool trusts the folder.
    pub trust: Option<bool>,
    /// Look for running sessions of the tools and what they were started with.
    pub asks_running: bool,
}

/// A machine with tools.
#[derive(Debug)]
pub struct Machine {
    /// Its files.
    pub files: RealFiles,
    roots: Roots,
    env: Env,
    home: ToolPath,
    vars: Vars,
    /// Of tools whose sessions run: their environment above the usual one.
    running: BTreeMap<&'static str, Vars>,
    overrides: Overrides,
    versions: Mutex<BTreeMap<&'static str, Versions>>,
}

impl Machine {
    /// The machine that the roots name. The environment is ours unless it is another machine's disk.
    pub fn new(roots: &Roots, env: &Env, overrides: Overrides) -> Self {
        let files = RealFiles::new(roots.clone());
        let vars = match &overrides.vars {
            Some(vars) => vars.clone(),
            // Of the environment on a mounted disk nothing is known.
            None if roots.root.is_some() => Vars::default(),
            None => environment::of_terminal(env),
        };
        let mut running = BTreeMap::new();
        if overrides.asks_running && overrides.vars.is_none() && roots.root.is_none() {
            for (tool, started_with) in environment::running() {
                let mut all = vars.clone();
                all.merge(&started_with);
                running.insert(tool, all);
            }
        }
        let home = files.home();
        let (roots, env) = (roots.clone(), env.clone());
        Self { files, roots, env, home, vars, running, overrides, versions: Mutex::default() }
    }

    /// What decides a fresh start of a tool, its version included.
    pub fn world(&self, tool: &dyn Tool) -> World<'_> {
        World { versions: self.versions(tool), ..self.world_without_version(tool) }
    }

    fn world_without_version(&self, tool: &dyn Tool) -> World<'_> {
        World {
            platform: self.roots.platform,
            home: &self.home,
            cwd: self.overrides.cwd.as_ref(),
            vars: self.running.get(tool.id()).unwrap_or(&self.vars),
            files: &self.files,
            versions: Versions::default(),
            trust: self.overrides.trust,
        }
    }

    /// The homes of a tool: the file that the user named, if the tool can be started with one.
    pub fn homes(&self, tool: &dyn Tool) -> Vec<Home> {
        match &self.overrides.file {
            Some(file) if tool.takes_file() => vec![Home { path: file.clone(), moved_by: None }],
            _ => tool.homes(&self.world_without_version(tool)),
        }
    }

    /// The homes in which the tool seems to be in use.
    pub fn present(&self, tool: &dyn Tool) -> Vec<Home> {
        let world = self.world_without_version(tool);
        let homes = self.homes(tool).into_iter();
        homes.filter(|home| tool.is_present(&At { world, home })).collect()
    }

    /// The installed versions; asked once of each tool. Unknown when it is not on this machine.
    pub fn versions(&self, tool: &dyn Tool) -> Versions {
        if let Some(version) = self.overrides.version {
            return Versions::one(version);
        }
        if self.roots.root.is_some() || self.roots.platform != Platform::here() {
            return Versions::default();
        }
        let known = || self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(versions) = known().get(tool.id()) {
            return *versions;
        }
        let found = self.installed(tool).iter().filter_map(|program| self.version_of(program)).collect::<Vec<_>>();
        let versions = Versions { lowest: found.iter().min().copied(), highest: found.iter().max().copied() };
        known().insert(tool.id(), versions);
        versions
    }

    /// The programs of a tool that are installed, each file once.
    pub fn installed(&self, tool: &dyn Tool) -> Vec<PathBuf> {
        let mut programs: Vec<PathBuf> = Vec::new();
        for name in tool.programs() {
            for program in find::all(name, &self.env, &self.roots.home) {
                let real = std::fs::canonicalize(&program).unwrap_or(program);
                if !programs.contains(&real) {
                    programs.push(real);
                }
            }
        }
        programs
    }

    /// What the program's package says of its version, else what it says itself.
    fn version_of(&self, program: &Path) -> Option<Version> {
        package_version(program).or_else(|| self.said_version(program))
    }

    fn said_version(&self, program: &Path) -> Option<Version> {
        let folder = tempfile::tempdir().ok()?;
        let kept = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "LANG"];
        let variables = kept.iter().filter_map(|name| Some(((*name).to_owned(), self.env.get(name)?.to_owned())));
        let task = Task {
            program,
            arguments: vec!["--version".to_owned()],
            variables: variables.collect(),
            folder: folder.path(),
            input: None,
            deadline: DEADLINE,
            output_limit: MOST,
        };
        let ran = run(task, &Stop::default(), |_| Wish::More).ok()?;
        Version::find(&String::from_utf8_lossy(&ran.stdout))
    }
}

/// The version in the `package.json` above a program that npm installed: quicker than starting it.
fn package_version(program: &Path) -> Option<Version> {
    #[derive(serde::Deserialize)]
    struct Package {
        name: Option<String>,
        version: String,
    }
    let is_script = program.extension().is_some_and(|ending| matches!(ending.to_str(), Some("js" | "mjs" | "cjs")));
    if !is_script {
        return None;
    }
    // A package in a package has a manifest of its own; the named one nearest to the program is its.
    program.ancestors().skip(1).take(4).find_map(|folder| {
        let manifest = std::fs::read(folder.join("package.json")).ok()?;
        let package: Package = serde_json::from_slice(&manifest).ok()?;
        package.name?;
        Version::find(&package.version)
    })
}

/// The variables of a file of `NAME=value` lines, as `--env-file` takes it.
///
/// # Errors
///
/// When the file cannot be read.
pub fn env_file(path: &Path) -> std::io::Result<Vars> {
    let bytes = std::fs::read(path)?;
    let mut vars = Vars::complete();
    let language = Language::Dotenv(DotenvDialect::Node);
    let document = Document::parse(&bytes, language)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))?;
    for entry in document.root().entries() {
        if let Some(value) = entry.value.as_text() {
            vars.add(entry.key.clone(), value, VarOrigin::Process);
        }
    }
    Ok(vars)
}
