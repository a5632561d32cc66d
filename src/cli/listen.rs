//! `vacancy listen`: what tools' own logs say, told or read into the record.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::args;
use crate::cli::db::{Open, open_store};
use crate::cli::{self, Context, Exit, Failure};
use crate::i18n::Tr;
use crate::listen::backfill::{self, Control, Job, Listener, Progress};
use crate::listen::cursor::Cursor;
use crate::listen::disk::RealDisk;
use crate::listen::homes::homes;
use crate::listen::{Form, Lines, Observation, Reader, Seen, Targets, Tool};
use crate::settings::Settings;
use crate::store::{self, StoreError};

/// The largest document; a file of lines may have any size.
const LARGEST_DOCUMENT: u64 = 64 << 20;

/// Arguments of `vacancy listen`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --file the logs of the tools you use are read once into the record: newest first, only what is \
                        new since the last time. Of each request its time, tool, provider, model, outcome and latency are \
                        kept; prompts, answers and error texts are never kept."
)]
pub struct Args {
    /// Only this tool's logs; for --file what the file is, otherwise its content decides
    #[arg(long, value_parser = tool)]
    tool: Option<Tool>,
    /// Read this file and print what it says
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    /// Write nothing down
    #[arg(long)]
    dry_run: bool,
    /// One JSON object an observation
    #[arg(long)]
    json: bool,
}

fn tool(name: &str) -> Result<Tool, String> {
    Tool::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Tool::ALL.iter().map(|tool| tool.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

/// Runs the verb.
///
/// # Errors
///
/// When a named file cannot be read, is of no known form or has nothing of the named tool, and when the record cannot be
/// written.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut printer = Printer { out: io::stdout().lock(), is_json: args.json, result: Ok(()) };
    if !args.file.is_empty() {
        read_files(args, context, &mut printer)?;
    } else if args.json || args.dry_run {
        read_homes(args, context, &mut printer)?;
    } else {
        read_homes(args, context, &mut ())?;
    }
    cli::written(printer.result.and_then(|()| printer.out.flush()))?;
    Ok(Exit::Done)
}

/// Prints observations as they come.
struct Printer<W> {
    out: W,
    is_json: bool,
    result: io::Result<()>,
}

impl<W: io::Write> Listener for Printer<W> {
    fn observed(&mut self, observations: &[Observation]) {
        for observation in observations {
            if self.result.is_ok() {
                self.result = if self.is_json {
                    writeln!(self.out, "{}", observation.to_json())
                } else {
                    writeln!(self.out, "{}", line(observation))
                };
            }
        }
    }

    fn progress(&mut self, _: &Progress) {}
}

/// An observation for people: time, tool, model, what happened.
fn line(observation: &Observation) -> String {
    let at = observation.ts.map_or_else(|| "-".to_owned(), |ts| format!("{ts:.0}"));
    let name = observation.model.as_ref().or(observation.component.as_ref().map(|component| &component.name));
    let name = name.map_or("-", |name| name.as_str());
    let latency = observation.latency_ms.map(|ms| format!("  {ms} ms")).unwrap_or_default();
    format!("{at:20}  {:11}  {name}  {}{latency}", observation.tool.name(), observation.kind)
}

fn read_homes(args: &Args, context: &Context, listener: &mut dyn Listener) -> Result<(), Failure> {
    let tr = &context.tr;
    let fault = |error: StoreError| Failure::new(Exit::Fault, error.text(tr));
    let mut homes = homes(&context.roots, &context.env);
    homes.retain(|home| args.tool.is_none_or(|tool| home.tool == tool));
    let store = if args.dry_run { None } else { Some(open_store(context)?) };
    let cursors = match &store {
        // What was read before is told again by a dry run, as it promises to show what there is.
        None => HashMap::new(),
        Some(_) => match store::Reader::open(&context.roots.database(), Duration::from_secs(5)) {
            Ok(reader) => reader.metas(Cursor::PREFIX).map_err(fault)?,
            Err(StoreError::Missing { .. }) => HashMap::new(),
            Err(error) => return Err(fault(error)),
        },
    };
    let job = Job {
        homes: &homes,
        disk: &RealDisk,
        now: context.clock.now(),
        cursors: &cursors,
        targets: &targets(context),
        control: &Control::default(),
    };
    let handle = store.as_ref().map(Open::handle);
    let (progress, limits) = backfill::run(&job, handle.as_ref(), listener).map_err(fault)?;
    if !args.json && !args.dry_run {
        sum(&progress, tr)?;
        for limit in &limits {
            let hours = limit.window_minutes.unwrap_or_default() / 60;
            let resets = limit.resets_at.filter(|at| *at > job.now);
            let arguments = args!(
                "tool" => limit.tool.name(),
                "hours" => hours,
                "used" => f64::from(limit.used_percent.round()),
                "at" => resets.map_or_else(String::new, |at| format!("{at:.0}"))
            );
            if resets.is_some() {
                cli::print(&(tr.with("listen-limit", &arguments) + "\n"))?;
            }
        }
    }
    Ok(())
}

/// What the user calls targets; without valid settings nothing has a name of its own.
fn targets(context: &Context) -> Targets {
    let settings = Settings::load(&context.roots.settings_file()).unwrap_or_default();
    Targets::new(settings.targets.iter().map(AsRef::as_ref))
}

fn sum(progress: &Progress, tr: &Tr) -> Result<(), Failure> {
    let arguments = args!(
        "files" => progress.files,
        "observations" => progress.observations,
        "stored" => progress.stored.stored,
        "known" => progress.stored.duplicates,
        "leftout" => progress.left_out + progress.stored.too_old,
        "unreadable" => progress.unreadable
    );
    if progress.files_total == 0 {
        cli::print(&(tr.text("listen-nothing") + "\n"))?;
    } else {
        cli::print(&(tr.with("listen-done", &arguments) + "\n"))?;
    }
    if progress.unreadable > 0 {
        cli::say(&tr.with("listen-unreadable", &arguments));
    }
    Ok(())
}

fn read_files<W: io::Write>(args: &Args, context: &Context, printer: &mut Printer<W>) -> Result<(), Failure> {
    let tr = &context.tr;
    let seen = Seen::default();
    let store = if args.dry_run { None } else { Some(open_store(context)?) };
    let handle = store.as_ref().map(Open::handle);
    let targets = targets(context);
    let mut keeper = backfill::Keeper::new(handle.as_ref(), context.clock.now(), &targets);
    for path in &args.file {
        let told = |reason: String| {
            let arguments = args!("path" => path.display().to_string(), "reason" => reason);
            Failure::new(Exit::Usage, tr.with("listen-cannot-read", &arguments))
        };
        let (mut kept, mut is_silent) = (Ok(()), true);
        let form = read_file(path, args.tool, &seen, &mut |observations| {
            is_silent &= observations.is_empty();
            printer.observed(observations);
            if kept.is_ok() {
                kept = keeper.take(observations);
            }
            observations.clear();
        });
        kept.map_err(|error| Failure::new(Exit::Fault, error.text(tr)))?;
        match (form.map_err(|error| told(error.to_string()))?, args.tool) {
            (Told::No, Some(tool)) if is_silent => {
                return Err(told(tr.with("listen-nothing-of-tool", &args!("tool" => tool.name()))));
            }
            (Told::No, None) => return Err(told(tr.text("listen-unknown-form"))),
            _ => {}
        }
    }
    keeper.finish().map_err(|error| Failure::new(Exit::Fault, error.text(tr)))
}

/// Whether a file's content tells its form.
enum Told {
    Yes,
    /// It was read as what the named tool usually writes, if one was named.
    No,
}

/// Reads one file in pieces. An empty file has any form and says nothing.
fn read_file(
    path: &Path,
    tool: Option<Tool>,
    seen: &Seen,
    each: &mut dyn FnMut(&mut Vec<Observation>),
) -> io::Result<Told> {
    let mut file: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path)?;
        if path.extension().is_some_and(|end| end == "zst") {
            Box::new(ruzstd::decoding::StreamingDecoder::new(file).map_err(io::Error::other)?)
        } else {
            Box::new(file)
        }
    };
    let mut head = Vec::new();
    file.by_ref().take(Form::HEAD as u64).read_to_end(&mut head)?;
    if head.trim_ascii().is_empty() {
        return Ok(Told::Yes);
    }
    let told = if Form::told(&head, tool).is_some() { Told::Yes } else { Told::No };
    let Some(form) = Form::detect(&head, tool) else { return Ok(told) };
    let mut out = Vec::new();
    let Some(mut reader) = Reader::new(form, seen) else {
        file.take(LARGEST_DOCUMENT).read_to_end(&mut head)?;
        out = form.document(&head);
        each(&mut out);
        return Ok(told);
    };
    let mut lines = Lines::default();
    lines.feed(&head, &mut reader, &mut out);
    let mut rest = BufReader::with_capacity(1 << 20, file);
    loop {
        let chunk = rest.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let got = chunk.len();
        lines.feed(chunk, &mut reader, &mut out);
        rest.consume(got);
        each(&mut out);
    }
    lines.finish(&mut reader, &mut out);
    each(&mut out);
    Ok(told)
}
