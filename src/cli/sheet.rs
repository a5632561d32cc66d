//! `vacancy sheet`: when is which model free, for people, printers, calendars and scripts.

mod calendar;
mod grid;
mod page;
mod picture;
mod rows;
mod shade;
mod text;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app;
use crate::args;
use crate::cli::export::{self, ExportError};
use crate::cli::{self, Context, Exit, Failure};
use crate::core::sheet::{Sheet, TargetSheet};
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::settings::Settings;
use crate::settings::nearest::nearest;
use crate::store::{Filter, Reader, StoreError};
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
                        Where nothing was seen the share is what the hours around suggest."
)]
pub struct Args {
    /// In which form; otherwise the name of --out decides, and then text
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// In the hours of this time zone, such as Europe/Berlin; otherwise the settings' or the system's
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// As seen at this time: 2026-03-01T14:30:00Z, or a date for its midnight in UTC; otherwise now
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
}

/// What every form is made of.
struct Handout<'a> {
    sheet: &'a Sheet,
    /// The main chain of the settings, or all targets where it has none of the record.
    chain: Vec<TargetId>,
    tr: &'a Tr,
}

impl Handout<'_> {
    /// The targets in the order they are shown: the chain's, then the others.
    fn targets(&self) -> Vec<&TargetSheet> {
        let mut targets: Vec<_> = self.sheet.targets.iter().collect();
        let place = |target: &TargetSheet| self.chain.iter().position(|id| *id == target.target);
        targets.sort_by_key(|target| place(target).unwrap_or(usize::MAX));
        targets
    }

    fn speak<T>(&self, say: impl FnOnce(&Speaker<'_>) -> T) -> T {
        let name = |target: &TargetId| target.as_str().to_owned();
        say(&Speaker { now: self.sheet.now, zone: &self.sheet.zone, tr: self.tr, name: &name })
    }

    /// For when, in which zone, and what it stands on.
    fn subtitle(&self) -> String {
        self.speak(|speaker| document::subtitle(self.sheet, speaker))
    }

    /// What is said about a target.
    fn words(&self, target: &TargetSheet) -> Vec<String> {
        self.speak(|speaker| {
            let advice = target.advice(self.sheet.now, &self.sheet.zone);
            advice.iter().map(|advice| speaker.advice(advice)).collect()
        })
    }

    /// The words of the cheat sheet, then the tables.
    fn text(&self, markup: Markup) -> String {
        let order: Vec<_> = self.targets().into_iter().map(|target| target.target.clone()).collect();
        let mut out = self.speak(|speaker| document::document(self.sheet, &self.chain, &order, speaker, markup));
        if order.is_empty() {
            out += &format!("\n{}\n", self.tr.text("sheet-missing-everything"));
        }
        let tables = text::tables(self, markup);
        if tables.is_empty() { out } else { format!("{out}\n{tables}") }
    }

    fn write(&self, format: Format) -> Result<Vec<u8>, Failure> {
        let fault = |error: &dyn std::error::Error| Failure::new(Exit::Fault, error.to_string());
        Ok(match format {
            Format::Text => self.text(Markup::Text).into_bytes(),
            Format::Markdown => self.text(Markup::Markdown).into_bytes(),
            Format::Html => page::page(self).into_bytes(),
            Format::Json => rows::json(self.sheet).map_err(|error| fault(&error))?.into_bytes(),
            Format::Csv => rows::csv(self.sheet).map_err(|error| fault(&error))?,
            Format::Ics => calendar::calendar(self.sheet, self.tr).into_bytes(),
            Format::Svg => picture::svg(self).into_bytes(),
            Format::Png if self.sheet.targets.len() > picture::MOST => {
                let args = args!("n" => self.sheet.targets.len(), "most" => picture::MOST);
                return Err(Failure::new(Exit::Refused, self.tr.with("handout-too-many", &args)));
            }
            Format::Png => picture::png(self).map_err(|error| fault(&error))?,
        })
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
    let sheet = read(args, &zone, now, context)?;
    let handout = Handout { chain: chain(&settings, &sheet), sheet: &sheet, tr };
    if let Some((path, format)) = heatmap {
        save(path, &handout.write(format)?, args.force, context)?;
        if format_is_left_out(args) {
            return Ok(Exit::Done);
        }
    }
    let bytes = handout.write(format.unwrap_or(Format::Text))?;
    match &args.out {
        Some(path) => save(path, &bytes, args.force, context)?,
        None if format == Some(Format::Png) && io::stdout().is_terminal() => {
            return Err(Failure::new(Exit::Usage, tr.text("handout-png-to-terminal")));
        }
        None => {
            let mut out = io::stdout().lock();
            cli::written(out.write_all(&bytes).and_then(|()| out.flush()))?;
        }
    }
    Ok(Exit::Done)
}

/// Only the heatmap is asked for.
const fn format_is_left_out(args: &Args) -> bool {
    args.format.is_none() && args.out.is_none()
}

/// The sheet of the record. Where there is none yet it is empty, and that is said.
fn read(args: &Args, zone: &TimeZone, now: Timestamp, context: &Context) -> Result<Sheet, Failure> {
    let fault = |error: StoreError| app::store_failure(&error, &context.tr);
    let reader = match Reader::open(&context.roots.database(), Duration::from_secs(5)) {
        Err(error @ StoreError::Missing { .. }) if args.target.is_empty() => {
            cli::say(&error.text(&context.tr));
            return Ok(Sheet { zone: zone.clone(), now, targets: Arc::new([]) });
        }
        opened => opened.map_err(fault)?,
    };
    let targets = export::targets_named(&args.target, &reader, &context.tr)?;
    reader.sheet(&Filter { targets, ..Filter::default() }, zone, now).map_err(fault)
}

fn chain(settings: &Settings, sheet: &Sheet) -> Vec<TargetId> {
    let of_settings = settings.main_chain().map(|chain| chain.targets.clone()).unwrap_or_default();
    let known: Vec<_> = of_settings.into_iter().filter(|target| sheet.get(target).is_some()).collect();
    if known.is_empty() { sheet.targets.iter().map(|target| target.target.clone()).collect() } else { known }
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

/// Writes a file that appears when it is whole; a signal meanwhile ends it without one.
fn save(path: &Path, bytes: &[u8], may_replace: bool, context: &Context) -> Result<(), Failure> {
    let stop = export::stop_on_signal();
    let written = export::write_file(path, may_replace, |out| {
        for part in bytes.chunks(1 << 20) {
            out.write_all(part)?;
            if stop.load(Ordering::Relaxed) {
                return Err(ExportError::Stopped);
            }
        }
        out.flush()?;
        Ok(1)
    });
    written.map_err(|error| match error {
        ExportError::Output(error) => export::cannot_write(context, path, &error),
        ExportError::Store(error) => app::store_failure(&error, &context.tr),
        ExportError::Stopped => Failure::new(Exit::Fault, context.tr.text("data-export-stopped")),
    })?;
    cli::say(&context.tr.with("handout-written", &args!("path" => path.display().to_string())));
    Ok(())
}
