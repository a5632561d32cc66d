//! Runs a tool for one short answer and says what became of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::clock::Clock;
use crate::core::exchange::Timing;
use crate::core::outcome::{Kind, Outcome};
use crate::i18n::Tr;
use crate::listen::homes::probe_folder;
use crate::settings::env::Env;
use crate::settings::roots::{Platform, Roots};
use crate::toolprobe::config::ToolProbe;
use crate::toolprobe::cost::{Cost, cost};
use crate::toolprobe::find::find;
use crate::toolprobe::free::{self, Told};
use crate::toolprobe::invocation::{Abilities, help, invocation, is_passed};
use crate::toolprobe::run::{End, Input, Ran, Stop, Task, Wish, run};
use crate::toolprobe::{Program, verdict};

/// Output of a probe beyond this ends it: an answer has a few kilobytes.
const OUTPUT: usize = 256 << 10;

/// The catalogue of models has a long text a model: 0.9 MB in Codex 0.171.
const CATALOGUE: usize = 8 << 20;

/// How long a tool may take to say what it can be told.
const HELP_DEADLINE: Duration = Duration::from_secs(20);

/// How long a tool that has answered may take to put things in order (Codex takes 5 s without a network).
const GRACE: Duration = Duration::from_millis(1_500);

/// A working folder older than this was left by a crash: no run takes as long.
const ABANDONED: SignedDuration = SignedDuration::from_mins(10);

/// Why a tool could not be asked. Nothing of it is an outcome of a model.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not installed where we look.
    #[error("{program} was not found; install it, or name it in the settings: [tool_probe.{program}] program")]
    Missing {
        /// Which.
        program: Program,
    },
    /// The system did not start it.
    #[error("{path} could not be started: {source}", path = path.display())]
    NotStarted {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The private folder could not be made.
    #[error("the working folder {path} could not be made: {source}", path = path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Another probe of this tool is under way.
    #[error("{program} is being probed already")]
    Busy {
        /// Which.
        program: Program,
    },
    /// It ended without a word that we understand: it may be too old, or not signed in.
    #[error("{program} ended ({status}) without an answer that Vacancy understands; run it in a terminal to see why")]
    NotUnderstood {
        /// Which.
        program: Program,
        /// Its exit status in the system's words.
        status: String,
    },
    /// The run was stopped as nobody wants the result any more.
    #[error("the run of {program} was stopped")]
    Stopped {
        /// Which.
        program: Program,
    },
}

impl ToolError {
    /// What is wrong and what to do, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::Missing { program } => tr.with("toolprobe-missing", &args!("tool" => program.name())),
            Self::NotStarted { path, source } => {
                let args = args!("path" => path.display().to_string(), "reason" => source.to_string());
                tr.with("toolprobe-not-started", &args)
            }
            Self::Folder { path, source } => {
                let args = args!("path" => path.display().to_string(), "reason" => source.to_string());
                tr.with("toolprobe-folder", &args)
            }
            Self::Busy { program } => tr.with("toolprobe-busy", &args!("tool" => program.name())),
            Self::NotUnderstood { program, status } => {
                tr.with("toolprobe-not-understood", &args!("tool" => program.name(), "status" => status.as_str()))
            }
            Self::Stopped { program } => tr.with("toolprobe-stopped", &args!("tool" => program.name())),
        }
    }
}

/// A tool that is installed, and what its version can be told.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Which tool.
    pub program: Program,
    /// Its file.
    pub path: PathBuf,
    /// Environment of its runs: what is passed of the user's.
    variables: Vec<(String, String)>,
    /// In which it is run; made for each run.
    folder: PathBuf,
    abilities: Abilities,
}

/// Runs tools; the engine's way to them.
pub trait Tools: Send + Sync {
    /// Asks a model of a tool for a short answer. Blocks, at most for a minute or two.
    ///
    /// # Errors
    ///
    /// When the tool could not be asked or not understood.
    fn probe(&self, program: Program, config: &ToolProbe, model: &str, stop: &Stop) -> Result<ToolProbed, ToolError>;

    /// How long after the start nothing is run of itself: what the tools' logs tell makes most runs needless.
    fn settle(&self) -> Duration {
        Duration::from_secs(60)
    }
}

/// The tools of this machine.
pub struct SystemTools {
    /// The user's variables.
    pub env: Env,
    /// Where things are.
    pub roots: Roots,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

impl Tools for SystemTools {
    fn probe(&self, program: Program, config: &ToolProbe, model: &str, stop: &Stop) -> Result<ToolProbed, ToolError> {
        // Looked for each time: a tool may have been updated since.
        let installed = Installed::find(program, config, &self.env, &self.roots, &*self.clock, stop)?;
        installed.probe(model, &*self.clock, stop)
    }
}

/// What came of one probe.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolProbed {
    /// When the tool was started.
    pub began_at: Timestamp,
    /// The verdict.
    pub outcome: Outcome,
    /// The status, where the tool tells it.
    pub http_status: Option<u16>,
    /// Times: until the first token only where the tool measures it, in all until the tool had said enough.
    pub timing: Timing,
}

impl Installed {
    /// Finds a tool and asks it for its help; no request is made. Blocks for a second or two.
    ///
    /// # Errors
    ///
    /// When it is not there or cannot be started.
    pub fn find(
        program: Program,
        config: &ToolProbe,
        env: &Env,
        roots: &Roots,
        clock: &dyn Clock,
        stop: &Stop,
    ) -> Result<Self, ToolError> {
        Self::find_for(program.name(), program, config, env, roots, clock, stop)
    }

    /// The same for a look that may fall beside a probe: it has a folder of its own.
    ///
    /// # Errors
    ///
    /// As for [`Installed::find`].
    pub fn look(
        program: Program,
        config: &ToolProbe,
        env: &Env,
        roots: &Roots,
        clock: &dyn Clock,
        stop: &Stop,
    ) -> Result<Self, ToolError> {
        Self::find_for(&format!("{}-look", program.name()), program, config, env, roots, clock, stop)
    }

    fn find_for(
        folder: &str,
        program: Program,
        config: &ToolProbe,
        env: &Env,
        roots: &Roots,
        clock: &dyn Clock,
        stop: &Stop,
    ) -> Result<Self, ToolError> {
        let path = config.program.clone().or_else(|| find(program, env, &roots.home));
        let path = path.ok_or(ToolError::Missing { program })?;
        let is_wanted = |name: &str| is_passed(name) || config.pass.iter().any(|passed| passed == name);
        let mut variables: Vec<(String, String)> =
            env.iter().filter(|(name, _)| is_wanted(name)).map(|(name, value)| (name.into(), value.into())).collect();
        let home = if Platform::here() == Platform::Windows { "USERPROFILE" } else { "HOME" };
        variables.retain(|(name, _)| name != home);
        variables.push((home.to_owned(), roots.home.to_string_lossy().into_owned()));
        let folder = probe_folder(roots, folder);
        let mut installed = Self { program, path, variables, folder, abilities: Abilities::default() };
        let folder = installed.folder(clock.now())?;
        let help = installed.tell(help(program), &folder, stop)?;
        let features = match program {
            // A version without the list has no features to switch off.
            Program::Codex => installed.tell(&["features", "list"], &folder, stop)?,
            Program::ClaudeCode | Program::GeminiCli | Program::Opencode => String::new(),
        };
        installed.abilities = Abilities::read(&help, &features);
        Ok(installed)
    }

    /// What a probe costs with this version.
    pub fn cost(&self) -> Cost {
        cost(self.program, self.abilities.is_trimmed(self.program))
    }

    /// Asks `model` for a short answer. Blocks, at most until [`Program::deadline`].
    ///
    /// # Errors
    ///
    /// When the tool could not be asked or not understood; whatever the model did is an outcome.
    pub fn probe(&self, model: &str, clock: &dyn Clock, stop: &Stop) -> Result<ToolProbed, ToolError> {
        let program = self.program;
        let began_at = clock.now();
        let folder = self.folder(began_at)?;
        // A model of opencode is named with its provider; without one it is opencode's own.
        let model = match program {
            Program::Opencode if !model.contains('/') => format!("opencode/{model}"),
            _ => model.to_owned(),
        };
        let call = invocation(program, &model, &folder.0, &self.abilities);
        for (place, text) in &call.files {
            let path = folder.0.join(place);
            let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            parent.and_then(|()| std::fs::write(&path, text)).map_err(|source| ToolError::Folder { path, source })?;
        }
        let mut task = self.task(call.arguments, &folder, program.deadline());
        task.variables.extend(call.variables.into_iter().map(|(name, value)| (name.to_owned(), value)));
        let watch = |ran: &Ran| match verdict::decided(program, &ran.stdout, &ran.stderr) {
            None => Wish::More,
            Some(said) if said.kind == Kind::Available => Wish::Enough(GRACE),
            // It would only repeat the request.
            Some(_) => Wish::Enough(Duration::ZERO),
        };
        let ran = run(task, stop, watch).map_err(|source| self.not_started(source))?;
        let total = u32::try_from(ran.elapsed.as_millis()).ok();
        let (outcome, http_status, first_token_ms) = match verdict::ended(program, &ran.stdout, &ran.stderr) {
            Some(said) => (verdict::outcome(&said, clock.now()), said.http_status, said.latency_ms),
            None => match ran.end {
                End::Stopped => return Err(ToolError::Stopped { program }),
                End::Exited(status) => {
                    return Err(ToolError::NotUnderstood { program, status: status.to_string() });
                }
                End::TooMuch | End::Enough => {
                    return Err(ToolError::NotUnderstood { program, status: "killed".to_owned() });
                }
                End::Deadline => (verdict::silent(), None, None),
            },
        };
        let timing = Timing { first_token_ms, total_ms: total, ..Timing::default() };
        Ok(ToolProbed { began_at, outcome, http_status, timing })
    }

    /// Asks Codex for what costs nothing. Blocks for a few seconds.
    ///
    /// # Errors
    ///
    /// When it could not be asked.
    pub fn ask_free(&self, clock: &dyn Clock, stop: &Stop) -> Result<Told, ToolError> {
        let folder = self.folder(clock.now())?;
        let mut task = self.task(vec!["app-server".to_owned()], &folder, HELP_DEADLINE);
        task.input = Some(Input::Open(free::questions()));
        task.output_limit = CATALOGUE;
        let watch = |ran: &Ran| if free::is_answered(&ran.stdout) { Wish::Enough(Duration::ZERO) } else { Wish::More };
        let ran = run(task, stop, watch).map_err(|source| self.not_started(source))?;
        let mut told = free::read(&ran.stdout, clock.now());
        if told.models.is_empty() {
            let mut task = self.task(vec!["debug".to_owned(), "models".to_owned()], &folder, HELP_DEADLINE);
            task.output_limit = CATALOGUE;
            let ran = run(task, stop, |_| Wish::More).map_err(|source| self.not_started(source))?;
            told.models = free::catalogue(&ran.stdout);
        }
        Ok(told)
    }

    fn not_started(&self, source: std::io::Error) -> ToolError {
        ToolError::NotStarted { path: self.path.clone(), source }
    }

    /// Runs it for what it prints about itself.
    fn tell(&self, arguments: &[&str], folder: &Folder, stop: &Stop) -> Result<String, ToolError> {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let task = self.task(arguments, folder, HELP_DEADLINE);
        let ran = run(task, stop, |_| Wish::More).map_err(|source| self.not_started(source))?;
        if ran.end == End::Stopped {
            return Err(ToolError::Stopped { program: self.program });
        }
        // Some print their help as a complaint.
        Ok([ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat())
    }

    pub(super) fn task<'a>(&'a self, arguments: Vec<String>, folder: &'a Folder, deadline: Duration) -> Task<'a> {
        let mut variables = self.variables.clone();
        // What it leaves behind for the case of a failure goes with the folder.
        let own = folder.0.to_string_lossy().into_owned();
        variables.extend(["TMPDIR", "TEMP", "TMP"].map(|name| (name.to_owned(), own.clone())));
        variables.push(("TERM".to_owned(), "dumb".to_owned()));
        Task {
            program: &self.path,
            arguments,
            variables,
            folder: &folder.0,
            input: None,
            deadline,
            output_limit: OUTPUT,
        }
    }

    pub(super) fn folder(&self, now: Timestamp) -> Result<Folder, ToolError> {
        Folder::make(&self.folder, self.program, now)
    }
}

/// An empty folder of our own, gone when dropped.
///
/// Always the same one: tools keep a list of the folders that they were run in. Having it is the right to run the tool,
/// also between two of our programs.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    fn make(path: &Path, program: Program, now: Timestamp) -> Result<Self, ToolError> {
        let path = path.to_path_buf();
        let failed = |source| ToolError::Folder { path: path.clone(), source };
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
        for is_last in [false, true] {
            match private(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(failed(error)),
                Err(_) if is_last => break,
                Err(_) => {
                    let changed = path.metadata().and_then(|meta| meta.modified()).ok();
                    let changed = changed.and_then(|time| Timestamp::try_from(time).ok());
                    if changed.is_some_and(|changed| now.duration_since(changed).abs() <= ABANDONED) {
                        break;
                    }
                    std::fs::remove_dir_all(&path).map_err(failed)?;
                }
            }
        }
        Err(ToolError::Busy { program })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "a tool's working folder could not be removed");
        }
    }
}

#[cfg(unix)]
fn private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir(path)
}
