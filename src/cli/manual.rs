//! `vacancy manual`: the manual page, for packaging.

use clap::CommandFactory as _;

use crate::cli::{self, Cli, Context, Exit, Failure};

/// Arguments of `vacancy manual`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Prints the page in roff.
///
/// # Errors
///
/// When standard output cannot be written.
pub fn run(_args: &Args, _context: &Context) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
    rendered.map_err(|error| Failure::new(Exit::Fault, format!("cannot print the manual page: {error}")))?;
    cli::print(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
