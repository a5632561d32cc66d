//! `vacancy export`: the record as CSV, JSON or JSON Lines, streamed.

mod course;
mod rows;
mod time;

use std::fs::File;
use std::future::Future as _;
use std::io::IsTerminal as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use jiff::Timestamp;

use crate::app;
use crate::args;
use crate::cli::progress::Progress as ProgressLine;
use crate::cli::{self, Context, Exit, Failure};
use crate::core::target::TargetId;
use crate::format;
use crate::i18n::Tr;
use crate::store::{Filter, Reader, SampleRow, StoreError};

pub use course::{Course, Progress};
pub(super) use rows::parse_time;
pub use rows::{Rows, SAMPLE_COLUMNS, bucket_columns};

/// A text form of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Comma-separated values with a header line
    Csv,
    /// One JSON array
    Json,
    /// One JSON object a line
    Jsonl,
}

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum What {
    /// Every stored outcome
    Samples,
    /// Quarter hours of UTC with the time observed as free, full and failing
    Buckets,
}

/// Arguments of `vacancy export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Rows come by target, then time. Times are RFC 3339 in UTC with milliseconds; an empty field (null in \
                        JSON) was not measured. `vacancy import` reads all three formats of samples back."
)]
pub struct Args {
    /// What to write
    #[arg(long, value_enum, default_value = "samples")]
    what: What,
    /// In which format; otherwise the name of --out decides, and then CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// From this time on: 2026-03-01T14:30:00Z, or a date for its midnight in UTC
    #[arg(long, value_name = "TIME", value_parser = rows::parse_time)]
    from: Option<Timestamp>,
    /// Before this time
    #[arg(long, value_name = "TIME", value_parser = rows::parse_time)]
    to: Option<Timestamp>,
    /// Only of this target; may be repeated
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,
    /// Into this file, which appears once it is whole; otherwise to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Say on standard error how far it is, also where that is no terminal
    #[arg(long)]
    progress: bool,
}

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The record cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// It was to end early.
    #[error("stopped")]
    Stopped,
}

/// Writes the samples or buckets that `filter` asks for; returns the number of rows. Memory stays constant.
///
/// # Errors
///
/// When the record cannot be read or the output cannot be written.
pub fn write(
    reader: &Reader,
    what: What,
    filter: &Filter,
    format: Format,
    out: impl Write,
) -> Result<u64, ExportError> {
    write_some(reader, what, filter, format, out, |_| true, Course::default())
}

/// The same with a choice of samples (buckets are not asked about) and with a [`Course`].
///
/// # Errors
///
/// As [`write`](fn@write), and [`ExportError::Stopped`].
pub fn write_some(
    reader: &Reader,
    what: What,
    filter: &Filter,
    format: Format,
    out: impl Write,
    is_wanted: impl Fn(&SampleRow<'_>) -> bool,
    mut course: Course<'_>,
) -> Result<u64, ExportError> {
    let rows = match what {
        What::Samples => {
            let mut rows = Rows::new(out, format, SAMPLE_COLUMNS.into_iter());
            reader.each_sample::<ExportError>(filter, |row| {
                course.row(row.target, row.at_ms)?;
                if is_wanted(&row) { Ok(rows.sample(&row)?) } else { Ok(()) }
            })?;
            rows
        }
        What::Buckets => {
            let mut rows = Rows::new(out, format, bucket_columns());
            reader.each_bucket::<ExportError>(filter, |target, start, bucket| {
                course.row(target, start)?;
                Ok(rows.bucket(target, start, bucket)?)
            })?;
            rows
        }
    };
    course.check()?;
    Ok(rows.finish()?.1)
}

/// Runs the verb.
///
/// # Errors
///
/// When the record cannot be read, a target is unknown, or the output cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let fault = |error: StoreError| Failure::new(Exit::Fault, error.text(tr));
    let reader = Reader::open_briefly(&context.roots.database(), Duration::from_secs(5)).map_err(fault)?;
    let targets = targets_named(&args.target, &reader, tr)?;
    let filter = Filter { from: args.from, to: args.to, targets };
    let format = args.format.or_else(|| of_name(args.out.as_deref()?)).unwrap_or(Format::Csv);
    let line = ProgressLine::new(args.progress, args.out.is_none() && io::stdout().is_terminal());
    let is_told = line.is_told();
    let mut tell = progress(tr, line);
    let all = |_: &SampleRow<'_>| true;
    let Some(path) = &args.out else {
        let course = Course::default();
        let course = if is_told { course.telling(&reader, &filter, &mut tell).map_err(fault)? } else { course };
        return match write_some(&reader, args.what, &filter, format, io::stdout().lock(), all, course) {
            Err(ExportError::Output(error)) => cli::written(Err(error)).map(|()| Exit::Done),
            Err(ExportError::Store(error)) => Err(fault(error)),
            Err(ExportError::Stopped) | Ok(_) => Ok(Exit::Done),
        };
    };
    if path.exists() && !args.force {
        let message = args!("path" => path.display().to_string());
        return Err(Failure::new(Exit::Refused, tr.with("data-file-exists", &message)));
    }
    // A half file would stay behind a process that a signal ends: it ends the export instead.
    let stop = stop_on_signal();
    let written = write_file(path, args.force, |file| {
        let course = Course::stopped_by(&stop);
        let course = if is_told { course.telling(&reader, &filter, &mut tell)? } else { course };
        write_some(&reader, args.what, &filter, format, file, all, course)
    });
    // The line is gone before the next is written.
    drop(tell);
    let rows = written.map_err(|error| match error {
        ExportError::Store(error) => fault(error),
        ExportError::Output(error) => cannot_write(context, path, &error),
        ExportError::Stopped => Failure::new(Exit::Fault, tr.text("data-export-stopped")),
    })?;
    cli::say(&tr.with("data-exported", &args!("rows" => rows, "path" => path.display().to_string())));
    Ok(Exit::Done)
}

/// The targets of these names, each of which the record must know; none are all of them.
///
/// # Errors
///
/// When a name is unknown or the record cannot be read.
pub(super) fn targets_named(names: &[String], reader: &Reader, tr: &Tr) -> Result<Vec<TargetId>, Failure> {
    let known = reader.targets().map_err(|error| Failure::new(Exit::Fault, error.text(tr)))?;
    if let Some(unknown) = names.iter().find(|name| known.iter().all(|target| target.info.id.as_str() != **name)) {
        if known.is_empty() {
            return Err(Failure::new(Exit::Usage, tr.text("data-no-target")));
        }
        let known = known.iter().map(|target| target.info.id.as_str());
        let message = args!("target" => unknown.as_str(), "known" => format::list(known, tr));
        return Err(Failure::new(Exit::Usage, tr.with("data-unknown-target", &message)));
    }
    Ok(names.iter().map(|name| TargetId::from(&**name)).collect())
}

/// Is set by the first signal that asks the program to end. From its return on no signal ends the program by itself.
pub(super) fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let (ready, is_ready) = sync_channel(1);
    let wait = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        // Within the runtime: the handlers are put in place by the call itself.
        let mut signal = Box::pin(async { app::stop_signal().await });
        runtime.block_on(std::future::poll_fn(|context| {
            let polled = signal.as_mut().poll(context);
            // The first poll has put the handlers in place; for later ones the place is taken.
            let _ = ready.try_send(());
            polled
        }));
        set.store(true, Ordering::Relaxed);
    };
    match std::thread::Builder::new().name("vacancy-signals".into()).spawn(wait) {
        Ok(_) => drop(is_ready.recv()),
        Err(error) => tracing::warn!(%error, "signals will end the program at once"),
    }
    stop
}

/// Says how far it is, a few times a second at full speed.
fn progress(tr: &Tr, mut line: ProgressLine) -> impl FnMut(Progress) + '_ {
    const EVERY: u64 = 1 << 18;
    let mut told = 0;
    move |progress| {
        if progress.rows - told >= EVERY {
            told = progress.rows;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
            let percent = (progress.done * 100.0) as u32;
            line.say(&tr.with("data-export-progress", &args!("rows" => progress.rows, "percent" => percent)));
        }
    }
}

/// Writes a file that appears under its name only when it is whole.
///
/// # Errors
///
/// What `write` fails with, or that the file cannot be made.
pub fn write_file(
    path: &Path,
    may_replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<u64, ExportError>,
) -> Result<u64, ExportError> {
    // The file behind a link is replaced, not the link; a device or pipe is written to and stays what it is.
    let real = path.canonicalize();
    let path = real.as_deref().unwrap_or(path);
    if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        let rows = write(&mut out)?;
        out.flush()?;
        return Ok(rows);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; an export is an ordinary file, with the rights that the user's mask gives one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.prefix(".vacancy-export-").tempfile_in(folder).map_err(without_path)?;
    let rows = write(&mut BufWriter::new(part.as_file_mut()))?;
    part.as_file().sync_all()?;
    let persisted = if may_replace { part.persist(path) } else { part.persist_noclobber(path) };
    persisted.map_err(|error| error.error)?;
    Ok(rows)
}

/// What the system said, without the name of the file that was to become the wanted one.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().rsplit_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said),
        None => error,
    }
}

/// The sentence for a file that cannot be written.
pub(super) fn cannot_write(context: &Context, path: &Path, error: &io::Error) -> Failure {
    let message = args!("path" => path.display().to_string(), "reason" => error.to_string());
    Failure::new(Exit::Fault, context.tr.with("data-cannot-write", &message))
}

/// The format that a file's name speaks of.
pub(super) fn of_name(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(Format::Csv),
        "json" => Some(Format::Json),
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        _ => None,
    }
}
