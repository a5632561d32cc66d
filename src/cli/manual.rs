//! `vacancy manual`: the manual pages, for packaging.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::cli::{self, Cli, Context, Exit, Failure};

/// Arguments of `vacancy manual`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the page of every verb into this folder, instead of printing the program's own
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The day that the pages name, as 2026-11-30: a package's own
    #[arg(long, value_name = "DAY", default_value = "")]
    pub date: String,
}

/// Prints the program's page in roff, or writes all pages.
///
/// # Errors
///
/// When standard output or the folder cannot be written.
pub fn run(args: &Args, _context: &Context) -> Result<Exit, Failure> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let made = match &args.out {
        None => page(&man(&root, args)),
        Some(folder) => {
            std::fs::create_dir_all(folder).and_then(|()| write_all(&root, folder, args)).map(|()| String::new())
        }
    };
    let text = made.map_err(|error| Failure::new(Exit::Fault, format!("cannot write the manual: {error}")))?;
    cli::print(&text)?;
    Ok(Exit::Done)
}

/// A page a verb, named as in `vacancy-db-check.1`; each names those below it.
fn write_all(command: &Command, folder: &Path, args: &Args) -> std::io::Result<()> {
    let man = man(command, args);
    std::fs::write(folder.join(man.get_filename()), page(&man)?)?;
    command.get_subcommands().filter(|verb| !verb.is_hide_set()).try_for_each(|verb| write_all(verb, folder, args))
}

fn man(command: &Command, args: &Args) -> Man {
    Man::new(command.clone()).date(&args.date).source(concat!("Vacancy ", env!("CARGO_PKG_VERSION"))).manual("Vacancy")
}

/// The page as mandoc wants it: clap_mangen breaks the line on both sides of each empty one, which is a break already.
fn page(man: &Man) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    man.render(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.replace(".br\n\n.br\n", ".sp\n"))
}
