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
        None => page(&man(&root)),
        Some(folder) => std::fs::create_dir_all(folder).and_then(|()| write_all(&root, folder)).map(|()| String::new()),
    };
    let text = made.map_err(|error| Failure::new(Exit::Fault, format!("cannot write the manual: {error}")))?;
    cli::print(&text)?;
    Ok(Exit::Done)
}

/// A page a verb, named as in `vacancy-db-check.1`; each names those below it.
fn write_all(command: &Command, folder: &Path) -> std::io::Result<()> {
    let man = man(command);
    std::fs::write(folder.join(man.get_filename()), page(&man)?)?;
    command.get_subcommands().filter(|verb| !verb.is_hide_set()).try_for_each(|verb| write_all(verb, folder))
}

fn man(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("Vacancy ", env!("CARGO_PKG_VERSION"))).manual("Vacancy")
}

/// The page, without the line breaks that clap_mangen puts beside its paragraphs, which mandoc warns about.
fn page(man: &Man) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    man.render(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let is_space = |index: Option<usize>| index.and_then(|index| lines.get(index)).is_some_and(|line| *line == ".sp");
    let mut page = String::with_capacity(text.len());
    for (index, line) in lines.iter().enumerate() {
        if *line == ".br" && (is_space(index.checked_sub(1)) || is_space(Some(index + 1))) {
            continue;
        }
        page.push_str(line);
        page.push('\n');
    }
    Ok(page)
}
