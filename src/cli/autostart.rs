//! `vacancy autostart`: the program started with the session, or no longer.

use serde_json::json;

use crate::args;
use crate::cli::{self, Context, Exit, Failure};
use crate::platform::autostart::{AutostartError, Entry, State, What};

/// Arguments of `vacancy autostart`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The window's entry starts `vacancy --minimized`: in the tray, or minimised where the desktop has none. \
With --watch it is `vacancy watch` as a unit of systemd, an agent of launchd or a task of Windows. Nothing but that one \
entry is written, and `off` takes it away again."
)]
pub struct Args {
    /// What to do
    #[arg(value_enum, default_value_t = Do::Status)]
    pub action: Do,
    /// The record without a window (`vacancy watch`) in the place of the window
    #[arg(long)]
    pub watch: bool,
    /// Also replace or remove an entry that somebody changed
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What to do about the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Do {
    /// Start with the session
    On,
    /// No longer
    Off,
    /// Say what is there
    Status,
}

/// Runs the verb.
///
/// # Errors
///
/// [`Exit::Refused`] when somebody changed the entry, [`Exit::Fault`] when the system refuses.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let what = if args.watch { What::Watch } else { What::Window };
    let entry =
        Entry::here(what, &context.env, context.roots.own_folder()).map_err(|error| failure(&error, context))?;
    let done = match args.action {
        Do::On => entry.switch_on(args.force),
        Do::Off => entry.switch_off(args.force),
        Do::Status => Ok(()),
    };
    let state = done.and_then(|()| entry.state()).map_err(|error| failure(&error, context))?;
    let tr = &context.tr;
    let text = if args.json {
        let starts = if args.watch { "watch" } else { "window" };
        format!(
            "{}\n",
            json!({"state": state.name(), "starts": starts, "place": entry.place(), "command": entry.line()})
        )
    } else {
        let arguments = args!("place" => entry.place(), "command" => entry.line());
        let mut text = tr.with(&format!("background-autostart-{}", state.name()), &arguments) + "\n";
        if let (Do::On, State::On, Some(begin)) = (args.action, state, entry.begin()) {
            text += &(tr.with("background-autostart-begin", &args!("command" => begin)) + "\n");
        }
        text
    };
    cli::print(&text)?;
    Ok(Exit::Done)
}

fn failure(error: &AutostartError, context: &Context) -> Failure {
    let exit = if matches!(error, AutostartError::Edited { .. }) { Exit::Refused } else { Exit::Fault };
    Failure::new(exit, error.describe(&context.tr))
}
