//! `vacancy sheet`: when is which model free, for people, printers, calendars and scripts.

mod calendar;
mod grid;
mod ink;
mod page;
mod picture;
mod rows;
mod text;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app;
use crate::args;
use crate::cli::export::{self, ExportError};
use crate::cli::progress::Progress;
use crate::cli::{self, Context, Exit, Failure};
use crate::core::sheet::{Sheet, TargetSheet};
use crate::core::target::{TargetId, called};
use crate::engine::record_snapshot;
use crate::i18n::Tr;
use crate::settings::Settings;
use crate::settings::nearest::nearest;
use crate::store::{Filter, Reader, StoreError, TargetInfo};
use crate::ui::screens::sheet::away::Away;
use crate::ui::screens::sheet::document::{self, Markup};
use crate::ui::screens::sheet::words::Speaker;

/// A form of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Sentences and tables
    Text,
    /// The same as Markdown
    Markdown,
    /// One page to look at or print, with nothing to fetch
    Html,
    /// One JSON array: a row for each target and hour of the week
    Json,
    /// The same rows as comma-separated values
    Csv,
    /// Quiet windows of the next seven days, for a calendar
    Ics,
    /// The heatmap as a picture
    Png,
    /// The heatmap as a drawing
    Svg,
}

impl Format {
    /// The format that a file's name speaks of.
    fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" => Some(Self::Text),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "ics" => Some(Self::Ics),
            "png" => Some(Self::Png),
            "svg" => Some(Self::Svg),
            _ => None,
        }
    }
}

/// Arguments of `vacancy sheet`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Rows of json and csv: target, weekday (1 = Monday), hour, share of time free with the ends of its \
                        80 % interval (0 to 1), weeks and samples it stands on, and evidence: known, thin or empty. \
                        Where nothing was seen the share is what the hours around suggest. With --latency also answers, \
                        median_first_token_ms and p90_first_token_ms, without a value where nothing was timed. A PNG \
                        has at most 40 targets; of more there are several files, FILE-2.png and so on."
)]
pub struct Args {
    /// In which form; otherwise the name of --out decides, and then text
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// In the hours of this time zone, such as Europe/Berlin; otherwise the settings' or the system's
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Habits as seen at this time: 2026-03-01T14:30:00Z, or a date for its midnight in UTC; otherwise now, without what is away
    #[arg(long, value_name = "TIME", value_parser = export::parse_time)]
    at: Option<Timestamp>,
    /// Only of this target; may be repeated
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,
    /// Into this file, which appears once it is whole; otherwise to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the heatmap into this .png or .svg file too
    #[arg(long, value_name = "FILE")]
    heatmap: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,
    /// Add the usual time to the first token to each row of json and csv; the other forms have it anyway
    #[arg(long)]
    latency: bool,
    /// Say on standard error how far it is, also where that is no terminal
    #[arg(long)]
    progress: bool,
}

/// What every form is made of.
struct Handout<'a> {
    sheet: &'a Sheet,
    /// The main chain of the settings, or all targets where it has none of the record.
    chain: Vec<TargetId>,
    /// What of it is away now.
    away: Away,
    /// What targets of the record are called.
    names: BTreeMap<TargetId, String>,
    tr: &'a Tr,
    /// Rows have latency.
    is_timed: bool,
}

impl Handout<'_> {
    /// The targets in the order they are shown: the chain's, then the others.
    fn targets(&self) -> Vec<&TargetSheet> {
        let mut targets: Vec<_> = self.sheet.targets.iter().collect();
        let place = |target: &TargetSheet| self.chain.iter().position(|id| *id == target.target);
        targets.sort_by_key(|target| place(target).unwrap_or(usize::MAX));
        targets
    }

    /// What a target is called: as on the Board.
    fn name_of(&self, target: &TargetId) -> String {
        self.names.get(target).cloned().unwrap_or_else(|| target.to_string())
    }

    fn speak<T>(&self, say: impl FnOnce(&Speaker<'_>) -> T) -> T {
        let name = |target: &TargetId| self.name_of(target);
        say(&Speaker { now: self.sheet.now, zone: &self.sheet.zone, tr: self.tr, name: &name })
    }

    /// For when, in which zone, and what it stands on.
    fn subtitle(&self) -> String {
        self.speak(|speaker| document::subtitle(self.sheet, speaker))
    }

    /// The words of the cheat sheet, then the tables.
    fn text(&self, markup: Markup) -> String {
        let order: Vec<_> = self.targets().into_iter().map(|target| target.target.clone()).collect();
        let mut out =
            self.speak(|speaker| document::document(self.sheet, &self.chain, &order, &self.away, speaker, markup));
        if order.is_empty() {
            out += &format!("\n{}\n", self.tr.text("sheet-missing-everything"));
        }
        let tables = text::tables(self, markup);
        if tables.is_empty() { out } else { format!("{out}\n{tables}") }
    }

    /// The files of a form: one, or the pages of a picture.
    fn write(&self, format: Format) -> Result<Vec<Vec<u8>>, Failure> {
        let fault = |error: &dyn std::error::Error| Failure::new(Exit::Fault, error.to_string());
        Ok(vec![match format {
            Format::Text => self.text(Markup::Text).into_bytes(),
            Format::Markdown => self.text(Markup::Markdown).into_bytes(),
            Format::Html => page::page(self).into_bytes(),
            Format::Json => rows::json(self.sheet, self.is_timed).map_err(|error| fault(&error))?.into_bytes(),
            Format::Csv => rows::csv(self.sheet, self.is_timed).map_err(|error| fault(&error))?,
            Format::Ics => calendar::calendar(self).into_bytes(),
            Format::Svg => picture::svg(self).into_bytes(),
            Format::Png => {
                let pages = 0..picture::pages(self.sheet.targets.len());
                return pages.map(|page| picture::png(self, page).map_err(|error| fault(&error))).collect();
            }
        }])
    }
}

/// Runs the verb.
///
/// # Errors
///
/// When the zone or a target is unknown, the record cannot be read, or a file cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let heatmap = match &args.heatmap {
        None => None,
        Some(path) => match Format::of_name(path) {
            Some(format @ (Format::Png | Format::Svg)) => Some((path, format)),
            _ => return Err(Failure::new(Exit::Usage, tr.text("handout-heatmap-name"))),
        },
    };
    let format = args.format.or_else(|| Format::of_name(args.out.as_deref()?));
    if let Some(there) = [&args.out, &args.heatmap].into_iter().flatten().find(|path| path.exists() && !args.force) {
        let message = args!("path" => there.display().to_string());
        return Err(Failure::new(Exit::Refused, tr.with("data-file-exists", &message)));
    }
    let settings = Settings::load(&context.roots.settings_file()).unwrap_or_default();
    let zone = match &args.zone {
        Some(name) => zone_of(name, tr)?,
        None => app::zone(&settings),
    };
    let now = args.at.unwrap_or_else(|| context.clock.now());
    // A half file would stay behind a process that a signal ends: it ends the work instead.
    let stop = export::stop_on_signal();
    let format =
        if format_is_left_out(args) && heatmap.is_some() { None } else { Some(format.unwrap_or(Format::Text)) };
    let is_timed = match format {
        Some(Format::Text | Format::Markdown | Format::Html) => true,
        Some(Format::Json | Format::Csv) => args.latency,
        _ => false,
    };
    let (sheet, names) = read(args, is_timed, (&zone, now), context, &stop)?;
    let chain = chain(&settings, &sheet);
    let handout =
        Handout { chain, away: away(args, &settings, &zone, now, context), names, sheet: &sheet, tr, is_timed };
    if let Some((path, format)) = heatmap {
        save(path, &handout.write(format)?, args.force, context, &stop)?;
    }
    let Some(format) = format else { return Ok(Exit::Done) };
    if args.out.is_none() && format == Format::Png {
        if io::stdout().is_terminal() {
            return Err(Failure::new(Exit::Usage, tr.text("handout-png-to-terminal")));
        }
        let pages = picture::pages(sheet.targets.len());
        if pages > 1 {
            let message = args!("n" => sheet.targets.len(), "pages" => pages);
            return Err(Failure::new(Exit::Refused, tr.with("handout-pages-need-a-name", &message)));
        }
    }
    let files = handout.write(format)?;
    if stop.load(Ordering::Relaxed) {
        return Err(stopped(tr));
    }
    match &args.out {
        Some(path) => save(path, &files, args.force, context, &stop)?,
        None => {
            let mut out = io::stdout().lock();
            for bytes in &files {
                cli::written(out.write_all(bytes).and_then(|()| out.flush()))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn stopped(tr: &Tr) -> Failure {
    Failure::new(Exit::Fault, tr.text("data-export-stopped"))
}

/// Only the heatmap is asked for.
const fn format_is_left_out(args: &Args) -> bool {
    args.format.is_none() && args.out.is_none()
}

/// The sheet of the record, with latency if it `is_timed`, and what its targets are called. Where there is none yet it is
/// empty, and that is said.
fn read(
    args: &Args,
    is_timed: bool,
    (zone, now): (&TimeZone, Timestamp),
    context: &Context,
    stop: &AtomicBool,
) -> Result<(Sheet, BTreeMap<TargetId, String>), Failure> {
    let tr = &context.tr;
    let fault = |error: StoreError| app::store_failure(&error, tr);
    let reader = match Reader::open_briefly(&context.roots.database(), Duration::from_secs(5)) {
        Err(error @ StoreError::Missing { .. }) if args.target.is_empty() => {
            cli::say(&error.text(tr));
            return Ok((Sheet { zone: zone.clone(), now, targets: Arc::new([]) }, BTreeMap::new()));
        }
        opened => opened.map_err(fault)?,
    };
    let targets = export::targets_named(&args.target, &reader, tr)?;
    let filter = Filter { targets, ..Filter::default() };
    let mut progress = Progress::new(args.progress, args.out.is_none() && io::stdout().is_terminal());
    let mut go_on = |n: usize, all: usize| {
        if progress.is_told() {
            progress.say(&tr.with("handout-progress", &args!("n" => n, "all" => all)));
        }
        !stop.load(Ordering::Relaxed)
    };
    let mut sheet = reader.sheet_while(&filter, zone, now, &mut go_on).map_err(fault)?.ok_or_else(|| stopped(tr))?;
    if is_timed {
        let all = sheet.targets.len();
        let mut timed = Vec::with_capacity(all);
        for (n, own) in sheet.targets.iter().enumerate() {
            if !go_on(n, all) {
                return Err(stopped(tr));
            }
            let before = Filter { to: Some(now), ..Filter::default() };
            let latency = reader.latency(&before, &own.target, zone).map_err(fault)?;
            timed.push(own.clone().with_latency(latency));
        }
        sheet.targets = timed.into();
    }
    Ok((sheet, names(&reader).map_err(fault)?))
}

/// What the targets of the record are called, told from all others there.
fn names(reader: &Reader) -> Result<BTreeMap<TargetId, String>, StoreError> {
    let known = reader.targets()?;
    let all = || known.iter().map(|target| (target.info.provider.as_str(), target.info.model.as_str()));
    let name = |TargetInfo { id, provider, model, .. }: &TargetInfo| (id.clone(), called(id, (provider, model), all()));
    Ok(known.iter().map(|target| name(&target.info)).collect())
}

fn chain(settings: &Settings, sheet: &Sheet) -> Vec<TargetId> {
    let of_settings = settings.main_chain().map(|chain| chain.targets.clone()).unwrap_or_default();
    let known: Vec<_> = of_settings.into_iter().filter(|target| sheet.get(target).is_some()).collect();
    if known.is_empty() { sheet.targets.iter().map(|target| target.target.clone()).collect() } else { known }
}

/// What the record knows to be away now; of another moment only habits are told.
fn away(args: &Args, settings: &Settings, zone: &TimeZone, now: Timestamp, context: &Context) -> Away {
    let is_of_now = args.at.is_none();
    let snapshot = is_of_now.then(|| record_snapshot(settings, &context.roots.database(), zone, now));
    snapshot.and_then(Result::ok).map(|snapshot| Away::of(&snapshot.board, now)).unwrap_or_default()
}

/// The zone of a name; an unknown one is answered with what may be meant.
fn zone_of(name: &str, tr: &Tr) -> Result<TimeZone, Failure> {
    TimeZone::get(name).map_err(|_| {
        let known: Vec<String> = jiff::tz::db().available().map(|zone| zone.to_string()).collect();
        let words = || known.iter().map(String::as_str);
        let city = |zone: &&str| zone.rsplit('/').next().is_some_and(|city| city.eq_ignore_ascii_case(name.trim()));
        let meant = words().find(city).or_else(|| nearest(name, known.iter().map(String::as_str)));
        let message = match meant {
            Some(meant) => tr.with("handout-zone-meant", &args!("zone" => name, "meant" => meant)),
            None => tr.with("handout-zone", &args!("zone" => name)),
        };
        Failure::new(Exit::Usage, message)
    })
}

/// Writes files that appear when they are whole; a signal meanwhile ends it without the one under way. The second page of
/// `heat.png` is `heat-2.png`.
fn save(
    path: &Path,
    files: &[Vec<u8>],
    may_replace: bool,
    context: &Context,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let paths: Vec<PathBuf> = (1..=files.len()).map(|page| page_name(path, page)).collect();
    if let Some(there) = paths.iter().find(|path| path.exists() && !may_replace) {
        let message = args!("path" => there.display().to_string());
        return Err(Failure::new(Exit::Refused, context.tr.with("data-file-exists", &message)));
    }
    for (path, bytes) in paths.iter().zip(files) {
        let written = export::write_file(path, may_replace, |out| {
            for part in bytes.chunks(1 << 20) {
                if stop.load(Ordering::Relaxed) {
                    return Err(ExportError::Stopped);
                }
                out.write_all(part)?;
            }
            out.flush()?;
            Ok(1)
        });
        written.map_err(|error| match error {
            ExportError::Output(error) => export::cannot_write(context, path, &error),
            ExportError::Store(error) => app::store_failure(&error, &context.tr),
            ExportError::Stopped => stopped(&context.tr),
        })?;
        cli::say(&context.tr.with("handout-written", &args!("path" => path.display().to_string())));
    }
    Ok(())
}

fn page_name(path: &Path, page: usize) -> PathBuf {
    if page == 1 {
        return path.to_path_buf();
    }
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!("{}-{page}.{}", part(path.file_stem()), part(path.extension())))
}
