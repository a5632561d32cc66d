//! `vacancy licences`: what the program is made of, and under which terms.

use crate::cli::{self, Context, Exit, Failure};

/// Arguments of `vacancy licences`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Our own licences, then those of everything that is linked; a test holds the list against Cargo.lock.
const PARTS: [&str; 3] = [
    include_str!("../../packaging/licenses/LICENSE-MIT"),
    include_str!("../../packaging/licenses/LICENSE-APACHE"),
    include_str!("../../packaging/licenses/THIRD-PARTY.md"),
];

/// Prints them.
///
/// # Errors
///
/// When standard output cannot be written.
pub fn run(_args: &Args, _context: &Context) -> Result<Exit, Failure> {
    cli::print("Vacancy is licensed under MIT or Apache-2.0, as you like.\n\n")?;
    cli::print(&PARTS.join("\n"))?;
    Ok(Exit::Done)
}
