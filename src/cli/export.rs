//! `vacancy export`.

use crate::cli::{Context, Exit, Failure};

/// Arguments of `vacancy export`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the verb.
///
/// # Errors
///
/// Until it is built.
pub fn run(_args: &Args, _context: &Context) -> Result<Exit, Failure> {
    Err(Failure::new(Exit::Fault, "still to be built"))
}
