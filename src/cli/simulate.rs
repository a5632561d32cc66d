//! `vacancy simulate`.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::args;
use crate::cli::simulate_text::{self, Run};
use crate::cli::{self, Context, Exit, Failure};
use crate::core::sample::Sample;
use crate::core::schedule::ScheduleConfig;
use crate::core::simulate::{
    BuiltIn, Report, Strategy, TraceLine, World, WorldDefaults, built_in, measure, run as simulate,
};
use crate::core::target::{DailyCap, TargetId};
use crate::settings::Settings;
use crate::settings::duration;
use crate::store::{Filter, Reader, StoreError};

/// How long a read of the record waits for another program.
const BUSY: Duration = Duration::from_secs(5);

/// Arguments of `vacancy simulate`.
///
/// A trace file has one state a line, as JSON Lines or as CSV with a header: `target`, `kind` (at_capacity, ...), `from`
/// and, if known, `to`, `scope`, `retry_after_s`, `first_token_ms`, `provider`, `role`. A state holds until the target's
/// next line, or until `to`; after that the target is free. Lines with `own` (offline or asleep), `from` and `to` are
/// trouble of our own side. Exported samples are a trace as they are.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "Examples:\n  vacancy simulate busy-afternoons --compare 1m,5m,10m\n  vacancy simulate --history --target main --every 5m\n  vacancy export --format jsonl | vacancy simulate -"
)]
pub struct Args {
    /// What is true: quiet, busy-afternoons, flapping, long-outage, own-outage, a trace file, or `-` for standard input
    #[arg(value_name = "TRACE", default_value = "busy-afternoons", conflicts_with = "history")]
    pub trace: String,
    /// Take the record of this machine for the truth
    #[arg(long)]
    pub history: bool,
    /// Only these targets of the record
    #[arg(long = "target", value_name = "ID", requires = "history")]
    pub targets: Vec<TargetId>,
    /// Days to simulate; a file or the record is cut off after them [default: 14, or all there is]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DAYS)))]
    pub days: Option<u32>,
    /// The usual time between two probes of a target, like 10m [default: that of the settings]
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub every: Option<Duration>,
    /// The same when nothing needs the target
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub slow_every: Option<Duration>,
    /// Failures in a row that make a target count as not free
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub confirm_down: Option<u8>,
    /// Successes in a row that make a target count as free
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub confirm_up: Option<u8>,
    /// Daily cap of requests of each target
    #[arg(long, value_name = "N")]
    pub cap: Option<u32>,
    /// Estimated tokens of one probe, in and out together
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub tokens: u32,
    /// Also probe at these fixed intervals, without our rules, and compare
    #[arg(long, value_name = "TIMES", value_delimiter = ',', value_parser = length)]
    pub compare: Vec<Duration>,
    /// Chance begins here: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The zone whose midnight begins a new budget [default: that of the settings, else UTC]
    #[arg(long, value_name = "NAME")]
    pub zone: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn length(text: &str) -> Result<Duration, String> {
    duration::parse(text)
        .filter(|length| *length >= ScheduleConfig::SHORTEST)
        .ok_or_else(|| "a length of time from 1s on, like 90s, 10m or 1h30m".to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    trace: &'a str,
    seed: u64,
    /// What decided which notices there are: `settings` or `default`. Rules that switch tools are not simulated.
    notices: &'static str,
    runs: Vec<PrintedRun<'a>>,
}

#[derive(Serialize)]
struct PrintedRun<'a> {
    /// `adaptive` or `fixed`.
    strategy: &'static str,
    every_s: f64,
    #[serde(flatten)]
    report: &'a Report,
}

/// Runs the verb.
///
/// # Errors
///
/// When the trace, the record or the zone cannot be read.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let settings = settings(context)?;
    let config = config(args, settings.as_ref());
    let zone = zone(args, settings.as_ref(), context)?;
    let world = world(args, context, settings.as_ref(), &config, &zone)?;
    let notices = settings.as_ref().map(|settings| settings.alert_config(&zone));
    let mut strategies = vec![Strategy::Adaptive];
    strategies.extend(args.compare.iter().map(|every| Strategy::Fixed(*every)));
    let runs: Vec<_> = strategies
        .into_iter()
        .map(|strategy| {
            let seen = simulate(&world, strategy, &config, notices.as_ref(), zone.clone(), args.seed);
            Run { strategy, report: measure(&world, &seen) }
        })
        .collect();
    let name = if args.history { "history" } else { &args.trace };
    if args.json {
        let every = |strategy| match strategy {
            Strategy::Adaptive => config.steady(),
            Strategy::Fixed(every) => every,
        };
        let runs = runs.iter().map(|run| PrintedRun {
            strategy: if run.strategy == Strategy::Adaptive { "adaptive" } else { "fixed" },
            every_s: every(run.strategy).as_secs_f64(),
            report: &run.report,
        });
        let printed = Printed {
            trace: name,
            seed: args.seed,
            notices: if notices.is_some() { "settings" } else { "default" },
            runs: runs.collect(),
        };
        let text = serde_json::to_string_pretty(&printed);
        cli::print(&(text.map_err(|error| Failure::new(Exit::Fault, error.to_string()))? + "\n"))?;
    } else {
        cli::print(&simulate_text::page(name, args.seed, &config, notices.is_some(), &runs, &context.tr))?;
    }
    Ok(Exit::Done)
}

/// The most days that are simulated: ten years.
const MOST_DAYS: u32 = 3660;

/// The same as a length of time.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * MOST_DAYS as i64);

/// The settings, if there are any; a simulation needs none.
fn settings(context: &Context) -> Result<Option<Settings>, Failure> {
    let path = context.roots.settings_file();
    if !path.exists() {
        return Ok(None);
    }
    Settings::load(&path).map(Some).map_err(|findings| {
        let lines: Vec<_> = findings.iter().map(|finding| finding.line_text(&context.tr)).collect();
        Failure::new(Exit::Usage, lines.join("\n"))
    })
}

fn config(args: &Args, settings: Option<&Settings>) -> ScheduleConfig {
    let base = settings.map_or_else(ScheduleConfig::default, |settings| settings.schedule.clone());
    ScheduleConfig {
        every: args.every.unwrap_or(base.every),
        slow_every: args.slow_every.or(base.slow_every),
        confirm_down: args.confirm_down.unwrap_or(base.confirm_down),
        confirm_up: args.confirm_up.unwrap_or(base.confirm_up),
        ..base
    }
}

fn zone(args: &Args, settings: Option<&Settings>, context: &Context) -> Result<TimeZone, Failure> {
    match &args.zone {
        Some(name) => TimeZone::get(name).map_err(|_| {
            Failure::new(Exit::Usage, context.tr.with("simulate-no-zone", &args!("zone" => name.as_str())))
        }),
        None => Ok(settings.and_then(|settings| settings.ui.zone.clone()).unwrap_or(TimeZone::UTC)),
    }
}

fn world(
    args: &Args,
    context: &Context,
    settings: Option<&Settings>,
    config: &ScheduleConfig,
    zone: &TimeZone,
) -> Result<World, Failure> {
    let cap = DailyCap { requests: args.cap.unwrap_or(config.target_cap.requests), ..config.target_cap };
    let defaults = WorldDefaults { cap, tokens_per_probe: args.tokens };
    if let Some(trace) = BuiltIn::ALL.into_iter().find(|trace| !args.history && trace.name() == args.trace) {
        // A fixed Monday, so that a result can be repeated.
        let start = Timestamp::from_second(1_772_409_600).unwrap_or(Timestamp::UNIX_EPOCH);
        let mut rng = fastrand::Rng::with_seed(args.seed);
        return Ok(built_in(trace, start, args.days.unwrap_or(14), zone, &defaults, &mut rng));
    }
    let unusable = |why: &dyn std::fmt::Display| {
        let trace = if args.history { "--history" } else { &args.trace };
        let why = why.to_string();
        Failure::new(Exit::Usage, context.tr.with("simulate-unusable-trace", &args!("trace" => trace, "why" => why)))
    };
    let mut world = if args.history {
        // A clock at its epoch leaves a sample or two of another century in a record; walking there would take for ever.
        let now = context.clock.now();
        let (from, to) = (now.checked_sub(LONGEST), now.checked_add(SignedDuration::from_hours(24)));
        let filter = Filter { targets: args.targets.clone(), from: from.ok(), to: to.ok() };
        let samples = Reader::open_briefly(&context.roots.database(), BUSY)
            .and_then(|reader| changes(&reader, &filter))
            .map_err(|error| Failure::new(Exit::Fault, error.text(&context.tr)))?;
        let targets = settings.map(|settings| settings.targets.as_slice()).unwrap_or_default();
        let mut world = World::from_samples(&samples, targets, &defaults).map_err(|error| unusable(&error))?;
        world.provider_caps = settings.map(|settings| settings.setup(zone).provider_caps).unwrap_or_default();
        world
    } else {
        let lines = lines(&args.trace).map_err(|why| unusable(&why))?;
        World::from_lines(&lines, &defaults).map_err(|error| unusable(&error))?
    };
    world.shorten(args.days.unwrap_or(MOST_DAYS));
    Ok(world)
}

/// The samples that matter to a simulation: those that differ from the one before, and the last of each target for the
/// time that is covered. A record of years has millions of equal ones.
fn changes(reader: &Reader, filter: &Filter) -> Result<Vec<Sample>, StoreError> {
    let mut kept: Vec<Sample> = Vec::new();
    let mut last: Option<Sample> = None;
    reader.each_sample::<StoreError>(filter, |row| {
        let sample = row.to_sample();
        let is_same =
            |other: &Sample| (&other.target, other.kind, other.scope) == (&sample.target, sample.kind, sample.scope);
        if last.as_ref().is_none_or(|before| before.target != sample.target) {
            kept.extend(last.take());
        }
        if kept.last().is_some_and(is_same) {
            last = Some(sample);
        } else {
            last = None;
            kept.push(sample);
        }
        Ok(())
    })?;
    kept.extend(last);
    Ok(kept)
}

/// The lines of a trace file: JSON Lines if it begins with a brace, else CSV.
fn lines(path: &str) -> Result<Vec<TraceLine>, String> {
    let mut text = String::new();
    if path == "-" {
        std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    } else {
        text = std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string())?;
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 1)))
            .collect()
    } else {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.deserialize().map(|line| line.map_err(|error| error.to_string())).collect()
    }
}
