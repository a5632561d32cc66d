//! `vacancy shot`: a screen as a PNG file, without a display.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app;
use crate::app::window::amending::Amender;
use crate::app::window::sheets::answer;
use crate::app::window::switching::{Means, Worker};
use crate::cli::{Context, Exit, Failure};
use crate::clock::SystemClock;
use crate::core::history::Answer;
use crate::demo::world::plant_tools;
use crate::demo::{Ending, Past, SEED, cast, history};
use crate::engine::snapshot::Snapshot;
use crate::engine::{planted_snapshot, record_snapshot};
use crate::settings::{Settings, SettingsFile, ThemeChoice};
use crate::store::{Options, Reader, Store, StoreError};
use crate::ui::command::Command;
use crate::ui::history::Told;
use crate::ui::picture::{frame, picture};
use crate::ui::screens::history::range::Preset;
use crate::ui::settings;
use crate::ui::sheets;
use crate::ui::state::{Kept, Screen};
use crate::ui::switching::{self, Ask, What};
use crate::ui::window::{Event, Window};

/// Arguments of `vacancy shot`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which screen
    #[arg(long, value_enum, default_value_t = Screen::Board)]
    pub screen: Screen,
    /// The PNG file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Light on dark or dark on light
    #[arg(long, value_enum, default_value_t = Ground::Dark)]
    pub theme: Ground,
    /// With the colours of high contrast
    #[arg(long)]
    pub high_contrast: bool,
    /// Width and height in points
    #[arg(long, value_name = "WxH", default_value = "1440x900")]
    pub size: Size,
    /// Pixels a point
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub scale: u8,
    /// Draw planted data instead of the record
    #[arg(long)]
    pub demo: bool,
    /// How much History shows, up to now
    #[arg(long, value_enum, default_value_t = Range::Week)]
    pub range: Range,
    /// Which map the heatmap shows
    #[arg(long, value_enum, default_value_t = Map::Week)]
    pub view: Map,
    /// Open the detail of this target on the Board, or show its heatmap
    #[arg(long, value_name = "ID")]
    pub target: Option<String>,
}

/// The usual widths of History.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Range {
    /// 24 hours
    Day,
    /// 7 days
    Week,
    /// 30 days
    Month,
    /// 365 days
    Year,
    /// Everything
    All,
}

impl From<Range> for Preset {
    fn from(range: Range) -> Self {
        match range {
            Range::Day => Self::Day,
            Range::Week => Self::Week,
            Range::Month => Self::Month,
            Range::Year => Self::Year,
            Range::All => Self::All,
        }
    }
}

/// The maps of the heatmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Map {
    /// Hour and weekday of one target
    Week,
    /// Hour and target today
    Hours,
    /// The days of one target
    Days,
}

impl From<Map> for sheets::View {
    fn from(map: Map) -> Self {
        match map {
            Map::Week => Self::Week,
            Map::Hours => Self::Hours,
            Map::Days => Self::Days,
        }
    }
}

/// The themes that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ground {
    /// Light text on a dark ground
    Dark,
    /// Dark text on a light ground
    Light,
}

/// A picture's size in points: 320 to 8192 each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Points across.
    pub width: u16,
    /// Points down.
    pub height: u16,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |side: &str| side.parse().ok().filter(|side| (320..=8192).contains(side));
        text.split_once(['x', 'X', '×'])
            .and_then(|(width, height)| Some(Self { width: parse(width)?, height: parse(height)? }))
            .ok_or_else(|| "two numbers from 320 to 8192 with an x between, such as 1440x900".to_owned())
    }
}

/// Runs the verb.
///
/// # Errors
///
/// When the record cannot be read or the file cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let now = context.clock.now();
    let snapshot = if args.demo { planted(now, context)? } else { recorded(now, context)? };
    if let Some(target) = &args.target
        && snapshot.board.entry(&target.as_str().into()).is_none()
    {
        let known: Vec<&str> = snapshot.board.entries.iter().map(|entry| entry.target.id.as_str()).collect();
        let message = format!("there is no target `{target}`; there are: {}", known.join(", "));
        return Err(Failure::new(Exit::Usage, message));
    }
    let kept = Kept { selected: args.target.as_deref().map(Into::into), ..Kept::default() };
    let settings_file = context.roots.settings_file().display().to_string();
    let mut window = Window::new(snapshot, kept, context.tr.clone(), settings_file, ThemeChoice::System);
    window.state.screen = args.screen;
    window.is_high_contrast = args.high_contrast;
    let theme = match args.theme {
        Ground::Dark => egui::Theme::Dark,
        Ground::Light => egui::Theme::Light,
    };
    let size = egui::vec2(f32::from(args.size.width), f32::from(args.size.height));
    window.state.history.preset = Some(args.range.into());
    window.state.sheets.view = args.view.into();
    window.state.sheets.target = args.target.as_deref().map(Into::into);
    if matches!(args.screen, Screen::History | Screen::Heatmap | Screen::Sheet) {
        let planted = if args.demo { Some(planted_record(now)?) } else { None };
        let database = planted.as_ref().map_or_else(|| context.roots.database(), |planted| planted.path().join(RECORD));
        read(&mut window, &database, now, (theme, size), context)?;
    }
    if matches!(args.screen, Screen::Switch | Screen::Board) {
        read_tools(&mut window, args.demo, context)?;
    }
    if args.screen == Screen::Settings {
        let told = Amender::new(context, context.tr.clone().into(), None, None).answer(settings::Ask::Look);
        window.hear(Event::Settings(told), &egui::Context::default());
        // What was read brings its own looks; the picture is to have those that were asked for.
        window.is_high_contrast = args.high_contrast;
    }
    let image = picture(&mut window, now, theme, size, f32::from(args.scale));
    let unwritten = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Fault, format!("the picture {} could not be written: {error}", args.out.display()))
    };
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).map_err(|error| unwritten(&error))?;
    let is_new = !args.out.exists();
    std::fs::write(&args.out, png.into_inner()).map_err(|error| {
        if is_new {
            // Half a picture is worse than none; that it cannot be removed either is no second failure.
            let _ = std::fs::remove_file(&args.out);
        }
        unwritten(&error)
    })?;
    Ok(Exit::Done)
}

/// Reads the tools: the user's own, or planted ones, one of which has been switched.
fn read_tools(window: &mut Window, is_demo: bool, context: &Context) -> Result<(), Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::new(Exit::Fault, format!("no planted tools: {error}"));
    let folder = tempfile::tempdir().map_err(|error| fault(&error))?;
    let mut roots = context.roots.clone();
    if is_demo {
        let below = |name: &str| folder.path().join(name);
        (roots.config, roots.data, roots.cache) = (below("config"), below("data"), below("cache"));
        (roots.home, roots.root) = (below("home"), Some(below("root")));
        plant_tools(&roots.home, PLANTED).map_err(|error| fault(&error))?;
        std::fs::create_dir_all(&roots.config)
            .and_then(|()| std::fs::write(roots.settings_file(), planted_settings()))
            .map_err(|error| fault(&error))?;
    }
    let snapshot = window.snapshot().clone();
    let mut worker = Worker::new(Means {
        roots,
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        tr: context.tr.clone().into(),
        asks_running: false,
        is_picture: !is_demo,
        tell: Box::new(drop),
        snapshot: Box::new(move || snapshot.clone()),
    });
    let ctx = egui::Context::default();
    let seen = worker.answer(Ask::Look);
    if is_demo && let [switching::Told::Seen(seen)] = &*seen {
        let seat = seen.tools.iter().map(|tool| &tool.seat).find(|seat| seat.tool == "opencode");
        let what = seat.map(|seat| What::Use(seat.clone(), "qwen3-coder".into()));
        for told in what.map(|what| worker.answer(Ask::Plan(what))).unwrap_or_default() {
            if let switching::Told::Offered(offer) = told {
                drop(worker.answer(Ask::Write(offer.serial, BTreeSet::new())));
            }
        }
    }
    for told in worker.answer(Ask::Look) {
        window.hear(Event::Switching(told), &ctx);
    }
    Ok(())
}

/// Where the planted targets are asked: nowhere.
const PLANTED: &str = "http://127.0.0.1:9";

/// The demo's settings with the usual schedule and not the demo's hurry.
fn planted_settings() -> String {
    let text = cast::settings_file(PLANTED);
    text.find("[[provider]]").map_or_else(String::new, |from| text[from..].to_owned())
}

/// The planted record's file in its folder.
const RECORD: &str = "vacancy.sqlite";

/// Answers what a screen asks of the record, until it asks no more.
fn read(
    window: &mut Window,
    database: &Path,
    now: Timestamp,
    (theme, size): (egui::Theme, egui::Vec2),
    context: &Context,
) -> Result<(), Failure> {
    // A frame learns the picture's width, the next asks for it, and all that was recorded is known only then.
    for _ in 0..4 {
        let (_, commands) = frame(window, now, theme, size, 1.0);
        let query = commands.into_iter().find_map(|command| match command {
            Command::ReadHistory(query) => Some(Ok(query)),
            Command::ReadSheet(ask) => Some(Err(ask)),
            _ => None,
        });
        let query = match query {
            Some(Err(ask)) => {
                read_sheet(window, database, *ask, context)?;
                continue;
            }
            query => query.and_then(Result::ok),
        };
        let Some(query) = query else { break };
        let reader = Reader::open_briefly(database, Duration::from_secs(5));
        let answer = match reader.and_then(|reader| reader.history(&query, &|| false)) {
            Ok(answer) => answer,
            Err(StoreError::Missing { .. }) => Some(Answer::empty(*query)),
            Err(error) => return Err(app::store_failure(&error, &context.tr)),
        };
        if let Some(answer) = answer {
            window.hear(Event::History(Told::Answer(Arc::new(answer))), &egui::Context::default());
        }
    }
    Ok(())
}

fn read_sheet(window: &mut Window, database: &Path, ask: sheets::Ask, context: &Context) -> Result<(), Failure> {
    let reader = Reader::open_briefly(database, Duration::from_secs(5));
    let answer = match reader.and_then(|reader| answer(&reader, None, &ask, |_| {})) {
        Ok(answer) => answer,
        Err(StoreError::Missing { .. }) => sheets::Answer::empty(ask),
        Err(error) => return Err(app::store_failure(&error, &context.tr)),
    };
    let told = Event::Sheets(sheets::Told::Answer(Arc::new(answer)));
    window.hear(told, &egui::Context::default());
    Ok(())
}

/// A record of the planted weeks in a folder that goes with the value.
fn planted_record(now: Timestamp) -> Result<tempfile::TempDir, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::new(Exit::Fault, format!("no planted record: {error}"));
    let folder = tempfile::tempdir().map_err(|error| fault(&error))?;
    let clock = Arc::new(SystemClock);
    let store = Store::open(&folder.path().join(RECORD), Options::default(), clock).map_err(|error| fault(&error))?;
    let past = Past { seed: SEED, now, zone: TimeZone::system(), weeks: WEEKS, ending: Ending::Full };
    let samples = history(&past);
    for samples in samples.chunks(20_000) {
        store.handle().append_batch(samples.to_vec()).wait().map_err(|error| fault(&error))?;
    }
    Ok(folder)
}

/// Weeks of planted past behind History; the Board needs but one.
const WEEKS: u32 = 8;

/// The picture of the record.
fn recorded(now: Timestamp, context: &Context) -> Result<Snapshot, Failure> {
    // Without settings nothing is watched, which is a picture too.
    let settings = if context.roots.settings_file().exists() { app::settings(context)? } else { Settings::default() };
    record_snapshot(&settings, &context.roots.database(), &app::zone(&settings), now)
        .map_err(|error| app::store_failure(&error, &context.tr))
}

/// The picture of a planted week that ends with a full primary model.
fn planted(now: Timestamp, context: &Context) -> Result<Snapshot, Failure> {
    let zone = TimeZone::system();
    let settings =
        SettingsFile::parse(Path::new("vacancy.toml"), planted_settings()).resolve().map_err(|findings| {
            let lines: Vec<String> = findings.iter().map(|finding| finding.line_text(&context.tr)).collect();
            Failure::new(Exit::Fault, lines.join("\n"))
        })?;
    let past = Past { seed: SEED, now, zone: zone.clone(), weeks: 1, ending: Ending::Full };
    Ok(planted_snapshot(&settings, history(&past), &zone, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused_with_an_example() {
        assert_eq!("1000x640".parse(), Ok(Size { width: 1000, height: 640 }));
        for text in ["", "1000", "x", "100x100", "9000x640", "1000x640x2", "-1000x640"] {
            let error = text.parse::<Size>().unwrap_err();
            assert!(error.contains("1440x900"), "{text}: {error}");
        }
    }
}
