//! `vacancy completions`: a script for the user's shell.

use clap::CommandFactory as _;

use crate::cli::{self, Cli, Context, Exit, Failure};

/// Arguments of `vacancy completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose script to print
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Prints the script.
///
/// # Errors
///
/// When standard output cannot be written.
pub fn run(args: &Args, _context: &Context) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "vacancy", &mut script);
    cli::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
