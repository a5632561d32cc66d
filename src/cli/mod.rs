//! The command line: one file a verb, each a thin shell over the library.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::app::{self, EngineOptions};
use crate::clock::{Clock, SystemClock};
use crate::i18n::{Lang, Tr};
use crate::platform::limits;
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::{Platform, Roots};
use crate::switch::undo::Direction;

pub mod autostart;
pub mod board_text;
pub mod bounded;
pub mod completions;
pub mod db;
pub mod demo;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod import;
pub mod licences;
pub mod listen;
pub mod manual;
pub mod notify;
pub mod now;
pub mod probe;
mod probe_record;
mod probe_tool;
pub mod progress;
pub mod setup;
pub mod sheet;
pub mod shot;
pub mod simulate;
pub mod simulate_text;
pub mod switch;
pub mod tool_args;
pub mod tools;
pub mod undo;
pub mod watch;

/// The head of the options that every verb takes, below the verb's own.
const GENERAL: &str = "Options of every verb";

/// Which model is free now, when it is usually free, and one click to use it.
///
/// Without a verb the window opens. Without a display use `vacancy watch`.
#[derive(Debug, Parser)]
#[command(name = "vacancy", version, max_term_width = 100)]
pub struct Cli {
    /// Keep our settings, data and cache in this folder instead of the usual ones
    ///
    /// The variable VACANCY_HOME does the same.
    #[arg(long, global = true, help_heading = GENERAL, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The home folder in which tools' files are looked for
    #[arg(long, global = true, help_heading = GENERAL, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// What `/` maps to for tools' files: a mounted disk, a test
    #[arg(long, global = true, help_heading = GENERAL, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The system whose rules apply to tools' files
    #[arg(long, global = true, help_heading = GENERAL, value_enum)]
    pub platform: Option<Platform>,
    /// The language of what is shown: en or zh-Hans; otherwise the settings or the locale decide
    #[arg(long, global = true, help_heading = GENERAL, value_name = "TAG", value_parser = lang_of_tag)]
    pub lang: Option<Lang>,
    /// Open the glance, a small window above the others, and begin with the whole window minimised
    #[arg(long)]
    pub glance: bool,
    /// Begin without a window on the screen: in the tray, or minimised where the desktop has none
    #[arg(long)]
    pub minimized: bool,
    /// What to do
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Find what you already use and write the first settings file
    Setup(setup::Args),
    /// Keep the board in the terminal: probe by the schedule and print changes
    Watch(watch::Args),
    /// Print which model is free, from the record alone
    Now(now::Args),
    /// Probe targets once and print the verdicts
    Probe(probe::Args),
    /// Read what your tools' own logs say, without keeping any text of theirs
    Listen(listen::Args),
    /// Say what an error means and what to do
    Explain(explain::Args),
    /// Say which model each tool uses, and which place decides it
    Tools(tools::Args),
    /// Switch a tool to another model, by its own file
    Switch(switch::Args),
    /// Take the last switch back
    Undo(undo::Args),
    /// Do again what was taken back
    Redo(undo::Args),
    /// Look for what keeps switches and the record from working, and say what to do
    Doctor(doctor::Args),
    /// Say when which model is usually free: as text, a page, a calendar, a heatmap, or rows for scripts
    Sheet(sheet::Args),
    /// Run the real schedule on a simulated clock: what would settings cost, how late would I know
    Simulate(simulate::Args),
    /// Show the program at work with planted data, without key or network
    Demo(demo::Args),
    /// Start the program with the session, or no longer
    Autostart(autostart::Args),
    /// Draw a screen into a PNG file, without a display
    Shot(shot::Args),
    /// Send a test notice to the desktop, the hook and the webhook, and say what reached what
    Notify(notify::Args),
    /// Look after the database: size, check, backup, compact, rebuild
    Db(db::Args),
    /// Add samples from a file
    Import(import::Args),
    /// Write samples or buckets as CSV, JSON or JSON Lines
    Export(export::Args),
    /// Print a shell completion script
    Completions(completions::Args),
    /// Print our licences and those of everything that the program is made of
    #[command(alias = "licenses")]
    Licences(licences::Args),
    /// Print the manual page, or write those of all verbs
    #[command(hide = true)]
    Manual(manual::Args),
}

/// How a verb ended; the numbers are a contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// A fault of ours.
    Fault = 1,
    /// Wrong usage or unreadable input.
    Usage = 2,
    /// Refused, with the reason.
    Refused = 3,
    /// It needs `--yes`, as there is no terminal to ask at.
    NeedsYes = 4,
    /// Nothing is free.
    NothingFree = 5,
}

/// Why a verb did not do what was asked: a sentence for the user and the exit code.
#[derive(Debug)]
pub struct Failure {
    /// With which code to end.
    pub exit: Exit,
    /// What is wrong and what to do next.
    pub message: String,
}

impl Failure {
    /// A failure with a sentence.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into() }
    }
}

/// Prints text as it is, whole.
///
/// # Errors
///
/// When standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Says a line on standard error. That nobody listens there any more is no reason to end with a crash.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What a verb's writing ended with: a reader that went away has read enough, which is its choice and no failure.
fn written(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Fault, format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// What every verb may use.
#[derive(Clone)]
pub struct Context {
    /// The folders.
    pub roots: Roots,
    /// The environment.
    pub env: Env,
    /// The messages.
    pub tr: Tr,
    /// The language of the flag, which goes before what the window kept.
    pub asked_lang: Option<Lang>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Standard output is a terminal.
    pub is_terminal: bool,
}

/// Runs the program with these arguments and returns the exit code.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // A closed pipe is the reader's choice, not an error of ours.
            let _ = error.print();
            return code as u8;
        }
    };
    let env = Env::process();
    start_log(&env, &cli.verb);
    limits::survive_file_size_limit();
    let result = Roots::resolve(&env, cli.data.as_deref(), cli.home.as_deref(), cli.root.as_deref(), cli.platform)
        .map_err(|error| Failure::new(Exit::Fault, error.to_string()))
        .and_then(|roots| {
            let lang = cli.lang.unwrap_or_else(|| language(&env, &roots));
            let context = Context {
                roots,
                env,
                tr: Tr::new(lang),
                asked_lang: cli.lang,
                clock: Arc::new(SystemClock),
                is_terminal: std::io::stdout().is_terminal(),
            };
            let options = EngineOptions { is_glance: cli.glance, is_quiet: cli.minimized, ..EngineOptions::default() };
            dispatch(cli.verb, options, &context)
        });
    match result {
        Ok(exit) => exit as u8,
        Err(failure) => {
            say(&format!("vacancy: {}", failure.message));
            failure.exit as u8
        }
    }
}

/// Our own troubles go to standard error, and of the libraries' what is an error: of their warnings nobody can act on one.
/// `VACANCY_LOG` sets how much, as in `VACANCY_LOG=vacancy=debug`. Verbs that end with what became of the record say it in a
/// sentence, and once is enough.
fn start_log(env: &Env, verb: &Option<Verb>) {
    let tells = matches!(verb, Some(Verb::Probe(_) | Verb::Db(_) | Verb::Import(_) | Verb::Listen(_)));
    let usual = if tells { "vacancy=warn,vacancy::store=off" } else { "vacancy=warn" };
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::ERROR.into())
        .parse_lossy(env.get("VACANCY_LOG").unwrap_or(usual));
    // A second start in one process is a test's; the first log stays.
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = if std::io::stderr().is_terminal() { log } else { log.with_ansi(false) };
    let _ = log.try_init();
}

/// The language of a tag that somebody asked for; one that we do not speak is refused, not replaced.
fn lang_of_tag(tag: &str) -> Result<Lang, String> {
    let known = || Lang::ALL.map(Lang::tag).join(" and ");
    Lang::known(tag).ok_or_else(|| format!("there are {}", known()))
}

/// The language without a flag: the settings', then the locale's.
fn language(env: &Env, roots: &Roots) -> Lang {
    chosen_language(roots).unwrap_or_else(|| locale(env))
}

/// The language that the settings name.
fn chosen_language(roots: &Roots) -> Option<Lang> {
    Settings::load(&roots.settings_file()).ok()?.ui.language
}

/// The language of the locale.
pub(crate) fn locale(env: &Env) -> Lang {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| env.get(name));
    Lang::from_tag(locale.unwrap_or_default())
}

fn dispatch(verb: Option<Verb>, options: EngineOptions, context: &Context) -> Result<Exit, Failure> {
    match verb {
        None => app::window::run(context, options),
        Some(Verb::Setup(args)) => setup::run(&args, context),
        Some(Verb::Watch(args)) => watch::run(&args, context),
        Some(Verb::Now(args)) => now::run(&args, context),
        Some(Verb::Probe(args)) => probe::run(&args, context),
        Some(Verb::Listen(args)) => listen::run(&args, context),
        Some(Verb::Explain(args)) => explain::run(&args, context),
        Some(Verb::Tools(args)) => tools::run(&args, context),
        Some(Verb::Switch(args)) => switch::run(&args, context),
        Some(Verb::Undo(args)) => undo::run(&args, Direction::Undo, context),
        Some(Verb::Redo(args)) => undo::run(&args, Direction::Redo, context),
        Some(Verb::Doctor(args)) => doctor::run(&args, context),
        Some(Verb::Sheet(args)) => sheet::run(&args, context),
        Some(Verb::Simulate(args)) => simulate::run(&args, context),
        Some(Verb::Demo(args)) => demo::run(&args, context),
        Some(Verb::Autostart(args)) => autostart::run(&args, context),
        Some(Verb::Shot(args)) => shot::run(&args, context),
        Some(Verb::Notify(args)) => notify::run(&args, context),
        Some(Verb::Db(args)) => db::run(&args, context),
        Some(Verb::Import(args)) => import::run(&args, context),
        Some(Verb::Export(args)) => export::run(&args, context),
        Some(Verb::Completions(args)) => completions::run(&args, context),
        Some(Verb::Licences(args)) => licences::run(&args, context),
        Some(Verb::Manual(args)) => manual::run(&args, context),
    }
}
