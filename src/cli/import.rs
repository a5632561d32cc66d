//! `vacancy import`: samples from a file, in any format that `vacancy export` writes.

mod parse;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::cli::db::open_store;
use crate::cli::export::{Format, SAMPLE_COLUMNS};
use crate::cli::{self, Context, Exit, Failure};
use crate::core::sample::Sample;
use crate::i18n::Tr;
use crate::store::{Ingested, StoreHandle, TargetInfo};

pub use parse::{BadLine, Record, Why, parse};

/// Samples a transaction. An import that is cut short can simply be run again: what is there already is dropped.
const BATCH: usize = 10_000;

/// How far in the future a sample may lie: clocks and zones differ by so much, but not by more.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_hours(24);

/// Bad lines that are told one by one.
const TOLD: usize = 20;

/// Arguments of `vacancy import`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The columns are those of `vacancy export`; their order is free, unknown ones are ignored, and all but \
                        target, source, at, kind and scope may be absent. Unknown targets are created and never probed. \
                        A sample with the target, source, time and kind of one that is there already is dropped, so \
                        importing a file twice changes nothing."
)]
pub struct Args {
    /// The file; - is standard input
    file: PathBuf,
    /// Its format; otherwise its content decides
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Add nothing at all if a line is bad
    #[arg(long)]
    strict: bool,
}

/// Runs the verb.
///
/// # Errors
///
/// When the input cannot be read or holds no sample, when the database cannot be written, and with `--strict` when a line
/// is bad.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let unreadable = |error: io::Error| {
        let path = args.file.display().to_string();
        Failure::new(Exit::Usage, tr.with("data-cannot-read", &args!("path" => path, "reason" => error.to_string())))
    };
    let latest = context.clock.now().saturating_add(CLOCKS_DIFFER).unwrap_or(Timestamp::MAX);
    let mut input = Input::open(&args.file, args.strict).map_err(unreadable)?;
    if args.strict {
        let mut bad = BadLines::new(tr);
        let each = |record: Result<Record<'_>, BadLine>| {
            if let Err(line) = record {
                bad.tell(&line);
            }
            Ok::<_, Failure>(())
        };
        parse(input.reader(), args.format, latest, each).map_err(unreadable)??;
        if bad.finish() > 0 {
            let message = args!("bad" => bad.count);
            return Err(Failure::new(Exit::Refused, tr.with("data-import-refused", &message)));
        }
        input.rewind().map_err(unreadable)?;
    }
    let store = open_store(context)?;
    let mut batch = Batch {
        handle: store.handle(),
        targets: HashMap::new(),
        fresh: Vec::new(),
        samples: Vec::new(),
        done: Ingested::default(),
    };
    let mut bad = BadLines::new(tr);
    let each = |record: Result<Record<'_>, BadLine>| match record {
        Ok(record) => batch.add(&record, tr),
        Err(line) => {
            bad.tell(&line);
            Ok(())
        }
    };
    parse(input.reader(), args.format, latest, each).map_err(unreadable)??;
    batch.write(tr)?;
    let done = batch.done;
    let seen = done.stored + done.duplicates + done.too_old;
    if bad.finish() > 0 && seen == 0 {
        let message = args!("columns" => SAMPLE_COLUMNS.join(","));
        return Err(Failure::new(Exit::Usage, tr.with("data-import-nothing", &message)));
    }
    let message =
        args!("stored" => done.stored, "duplicates" => done.duplicates, "old" => done.too_old, "bad" => bad.count);
    cli::print(&(tr.with("data-imported", &message) + "\n"))?;
    if done.too_old > 0 {
        cli::say(&tr.text("data-import-too-old"));
    }
    Ok(Exit::Done)
}

/// The input; one that is read twice is a file, if need be a temporary one.
enum Input {
    Once(Box<dyn BufRead>),
    Twice(BufReader<File>),
}

impl Input {
    fn open(path: &Path, is_read_twice: bool) -> io::Result<Self> {
        let is_stdin = path == Path::new("-");
        let file = if is_stdin { None } else { Some(File::open(path)?) };
        match (file, is_read_twice) {
            (Some(file), true) if file.metadata()?.is_file() => Ok(Self::Twice(BufReader::new(file))),
            (file, true) => {
                let mut copy = tempfile::tempfile()?;
                let mut source: Box<dyn Read> =
                    file.map_or_else(|| Box::new(io::stdin().lock()) as _, |file| Box::new(file) as _);
                io::copy(&mut source, &mut copy)?;
                copy.rewind()?;
                Ok(Self::Twice(BufReader::new(copy)))
            }
            (Some(file), false) => Ok(Self::Once(Box::new(BufReader::with_capacity(256 * 1024, file)))),
            (None, false) => Ok(Self::Once(Box::new(io::stdin().lock()))),
        }
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Once(reader) => reader,
            Self::Twice(reader) => reader,
        }
    }

    fn rewind(&mut self) -> io::Result<()> {
        match self {
            Self::Once(_) => Ok(()),
            Self::Twice(reader) => reader.rewind(),
        }
    }
}

/// Samples on their way into the store.
struct Batch {
    handle: StoreHandle,
    targets: HashMap<String, TargetInfo>,
    /// Targets first met in this batch.
    fresh: Vec<TargetInfo>,
    samples: Vec<Sample>,
    done: Ingested,
}

impl Batch {
    fn add(&mut self, record: &Record<'_>, tr: &Tr) -> Result<(), Failure> {
        let target = match self.targets.get(&*record.target) {
            Some(target) => target.id.clone(),
            None => {
                let info = record.target_info();
                let id = info.id.clone();
                self.fresh.push(info.clone());
                self.targets.insert(record.target.to_string(), info);
                id
            }
        };
        self.samples.push(record.sample(target));
        if self.samples.len() >= BATCH { self.write(tr) } else { Ok(()) }
    }

    fn write(&mut self, tr: &Tr) -> Result<(), Failure> {
        let samples = std::mem::take(&mut self.samples);
        let done = self.handle.import(std::mem::take(&mut self.fresh), samples).wait();
        let done = done.map_err(|error| Failure::new(Exit::Fault, error.text(tr)))?;
        self.done.stored += done.stored;
        self.done.duplicates += done.duplicates;
        self.done.too_old += done.too_old;
        Ok(())
    }
}

/// Tells bad lines on standard error, the first few of them in full.
struct BadLines<'a> {
    tr: &'a Tr,
    count: usize,
}

impl<'a> BadLines<'a> {
    const fn new(tr: &'a Tr) -> Self {
        Self { tr, count: 0 }
    }

    fn tell(&mut self, line: &BadLine) {
        self.count += 1;
        if self.count <= TOLD {
            cli::say(&line.text(self.tr));
        }
    }

    fn finish(&self) -> usize {
        if self.count > TOLD {
            cli::say(&self.tr.with("data-more-bad-lines", &args!("count" => self.count - TOLD)));
        }
        self.count
    }
}
