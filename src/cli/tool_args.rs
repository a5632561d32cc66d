//! The options that say which machine, folder and environment a tool would be started in.

use std::path::PathBuf;

use crate::args;
use crate::cli::{Context, Exit, Failure};
use crate::format;
use crate::switch::path::ToolPath;
use crate::switch::shell::detect::env_file;
use crate::switch::shell::{Machine, Overrides, RealFiles};
use crate::switch::tool::Tool;
use crate::switch::tools;
use crate::switch::world::Version;

/// Options of the verbs about tools.
#[derive(Clone, Debug, clap::Args)]
pub struct ToolArgs {
    /// The folder in which the tool is started; otherwise this one
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<String>,
    /// The file that the tool is started with, for tools that take one
    #[arg(long, value_name = "PATH")]
    pub file: Option<String>,
    /// The tool's version instead of what is installed
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub tool_version: Option<Version>,
    /// The tool's whole environment as lines of NAME=value, instead of ours
    #[arg(long, value_name = "FILE")]
    pub env_file: Option<PathBuf>,
    /// Whether the tool trusts the folder, instead of what its own records say
    #[arg(long, value_name = "BOOL")]
    pub trusted: Option<bool>,
}

fn version(text: &str) -> Result<Version, String> {
    Version::find(text).ok_or_else(|| "a version is numbers with dots between them, such as 0.160.0".to_owned())
}

impl ToolArgs {
    /// The machine that these options describe.
    ///
    /// # Errors
    ///
    /// [`Exit::Usage`] when the file of variables cannot be read.
    pub fn machine(&self, context: &Context) -> Result<Machine, Failure> {
        let vars = match &self.env_file {
            Some(path) => Some(env_file(path).map_err(|error| {
                let args = args!("file" => path.display().to_string(), "reason" => error.to_string());
                Failure::new(Exit::Usage, context.tr.with("switch-env-file", &args))
            })?),
            None => None,
        };
        let files = RealFiles::new(context.roots.clone());
        let absolute = |path: &String| absolute(path, &files);
        let cwd = match &self.cwd {
            Some(cwd) => Some(absolute(cwd)),
            // Our own folder says nothing about a machine that is mounted somewhere.
            None if context.roots.root.is_some() => None,
            None => Some(absolute(&".".to_owned())),
        };
        let overrides = Overrides {
            version: self.tool_version,
            vars,
            cwd,
            file: self.file.as_ref().map(absolute),
            trust: self.trusted,
            // A session that runs may have been started with other variables; the next one is started from here.
            asks_running: false,
        };
        Ok(Machine::new(&context.roots, &context.env, overrides))
    }
}

/// A path that somebody typed, from the root; `~` is the home in which tools' files are looked for.
pub fn absolute(path: &str, files: &RealFiles) -> ToolPath {
    let is_absolute = path.starts_with('/') || ToolPath::new(path).is_windows();
    match path.strip_prefix("~/").or((path == "~").then_some("")) {
        Some(below) => files.home().join(below),
        None if is_absolute => ToolPath::new(path),
        None => files.shown(&std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))),
    }
}

/// The tool of a name that somebody typed.
///
/// # Errors
///
/// [`Exit::Usage`] with all names when there is none such.
pub fn tool(name: &str, context: &Context) -> Result<&'static dyn Tool, Failure> {
    tools::find(name).ok_or_else(|| {
        let is_only_read = |id: &&str| tools::ONLY_READ.contains(id);
        let switched = tools::ALL.iter().map(|tool| tool.id()).filter(|id| !is_only_read(id));
        let known = format::list(switched, &context.tr);
        let args = args!("tool" => name, "known" => known, "others" => format::list(tools::ONLY_READ, &context.tr));
        Failure::new(Exit::Usage, context.tr.with("switch-unknown-tool", &args))
    })
}
