//! `vacancy completions`: a script for the user's shell.

use clap::CommandFactory as _;

use crate::cli::{Cli, Context, Exit, Failure};

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
/// None at present; a closed pipe ends the program quietly.
pub fn run(args: &Args, _context: &Context) -> Result<Exit, Failure> {
    clap_complete::generate(args.shell, &mut Cli::command(), "vacancy", &mut std::io::stdout());
    Ok(Exit::Done)
}
