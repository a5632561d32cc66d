//! `vacancy notify --test`: a test notice every way that there is, and what became of it.

use std::time::Duration;

use crate::app;
use crate::cli::{self, Context, Exit, Failure};
use crate::notify::check::{Checked, check};
use crate::settings::Settings;

/// Arguments of `vacancy notify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 it arrived every way that there is, 3 it did not.")]
pub struct Args {
    /// Send a test notice; nothing else can be sent
    #[arg(long, required = true)]
    pub test: bool,
    /// Seconds for which the notice is held on the desktop, until its button is clicked
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=600))]
    pub hold: u64,
    /// Leave the desktop out
    #[arg(long)]
    pub no_desktop: bool,
    /// Print a JSON object: what became of it on the desktop, by the hook and by the webhook
    #[arg(long)]
    pub json: bool,
}

/// Sends it.
///
/// # Errors
///
/// When the settings are not valid, or the system refuses a runtime.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let settings = if context.roots.settings_file().exists() { app::settings(context)? } else { Settings::default() };
    let means = app::notices(context, !args.no_desktop);
    let mut printed = Ok(());
    let told = |checked: &Checked| {
        if !args.json {
            printed = cli::print(&format!("{}\n", checked.lines(&context.tr).join("\n")));
        }
    };
    let checked = check(&settings, &means, &context.tr, Duration::from_secs(args.hold), told)
        .map_err(|error| app::cannot_start(&error))?;
    printed?;
    if args.json {
        cli::print(&format!("{}\n", checked.json()))?;
    } else if checked.answer.is_some() {
        cli::print(&format!("{}\n", context.tr.text("notify-test-answered")))?;
    }
    Ok(if checked.is_ok() { Exit::Done } else { Exit::Refused })
}
