//! Requests a day against how late a change is known: our schedule and fixed intervals on the same simulated troubles.
//!
//! Every kind of trouble that `vacancy simulate` has, 140 days each, which is as much as ten seeds of two weeks: each day is
//! drawn for itself. Board and alert are the same for all; a fixed interval stands twice, with our two answers
//! for a change and with the first answer believed. `--svg FILE` draws the first.
//!
//! `cargo bench --bench detection --no-default-features [-- --svg benches/detection.svg]`

use std::fmt::Write as _;
use std::time::Duration;

use jiff::tz::TimeZone;
use vacancy::core::schedule::ScheduleConfig;
use vacancy::core::simulate::{BuiltIn, Delays, Report, Strategy, World, WorldDefaults, built_in, measure, run};
use vacancy::core::target::DailyCap;

const DAYS: u32 = 140;
const SEED: u64 = 1;
/// The first of them also makes the chart.
const TROUBLES: [BuiltIn; 5] =
    [BuiltIn::BusyAfternoons, BuiltIn::LongOutage, BuiltIn::Flapping, BuiltIn::Quiet, BuiltIn::OwnOutage];
const FIXED_MINUTES: [u64; 3] = [1, 5, 10];

/// A way to probe, and how many equal answers it takes for a change.
struct Way {
    name: String,
    strategy: Strategy,
    answers: u8,
}

fn main() {
    let ways = ways();
    println!("{DAYS} days of each trouble, three targets; times of the primary\n");
    println!(
        "| trouble | | requests a day | tokens a day | changes known | away after p50 / p90 | back after p50 / p90 |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut chart = Vec::new();
    for trouble in TROUBLES {
        let world = world(trouble);
        for way in &ways {
            let report = report(&world, way);
            println!("{}", row(trouble, way, &report));
            if trouble == TROUBLES[0] {
                chart.push((way, report));
            }
        }
    }
    let mut arguments = std::env::args().skip_while(|argument| argument != "--svg").skip(1);
    if let Some(file) = arguments.next() {
        std::fs::write(&file, svg(&chart)).expect("the picture's file can be written");
    }
}

fn ways() -> Vec<Way> {
    let mut ways = vec![Way { name: "**Vacancy**".into(), strategy: Strategy::Adaptive, answers: 2 }];
    for minutes in FIXED_MINUTES {
        for answers in [2, 1] {
            let name = format!("every {minutes} min, {}", if answers == 1 { "first answer" } else { "two answers" });
            ways.push(Way { name, strategy: Strategy::Fixed(Duration::from_secs(60 * minutes)), answers });
        }
    }
    ways
}

fn world(trouble: BuiltIn) -> World {
    let start = "2026-03-02T00:00:00Z".parse().expect("a time");
    let cap: DailyCap = ScheduleConfig::default().target_cap;
    let defaults = WorldDefaults { cap, tokens_per_probe: 30 };
    built_in(trouble, start, DAYS, &TimeZone::UTC, &defaults, &mut fastrand::Rng::with_seed(SEED))
}

fn report(world: &World, way: &Way) -> Report {
    let config = ScheduleConfig { confirm_down: way.answers, confirm_up: way.answers, ..ScheduleConfig::default() };
    measure(world, &run(world, way.strategy, &config, None, TimeZone::UTC, SEED))
}

fn row(trouble: BuiltIn, way: &Way, report: &Report) -> String {
    let per_day = |count: u64| u32::try_from(count).map_or(f64::INFINITY, f64::from) / report.days;
    let primary = &report.targets[0].measures;
    let (changes, noticed) = (primary.down.changes + primary.up.changes, primary.down.noticed + primary.up.noticed);
    let known = if changes == 0 { "-".to_owned() } else { format!("{noticed} of {changes}") };
    format!(
        "| {} | {} | {:.0} | {:.0} | {known} | {} | {} |",
        trouble.name(),
        way.name,
        per_day(report.total.requests),
        per_day(report.total.tokens),
        times(&primary.down),
        times(&primary.up)
    )
}

fn times(delays: &Delays) -> String {
    if delays.noticed == 0 { "-".into() } else { format!("{:.0} / {:.0} s", delays.median_s, delays.p90_s) }
}

/// Requests a day, in powers of ten, against the median until a return is known. Grey lines and words that stand on light
/// and dark alike.
fn svg(chart: &[(&Way, Report)]) -> String {
    let (width, height, left, bottom) = (640.0, 300.0, 70.0, 50.0);
    let points: Vec<(&Way, f64, f64)> = chart
        .iter()
        .map(|(way, report)| {
            let requests = u32::try_from(report.total.requests).map_or(f64::INFINITY, f64::from) / report.days;
            (*way, requests, report.targets[0].measures.up.median_s)
        })
        .collect();
    let x = |requests: f64| left + (requests.log10() - 2.0) / 2.0 * (width - left - 130.0);
    let most = points.iter().map(|(.., delay)| *delay).fold(60.0, f64::max) * 1.1;
    let y = |delay: f64| (height - bottom) - delay / most * (height - bottom - 30.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#808080\">\n<title>Requests a day against the time until a return is known</title>\n"
    );
    for requests in [100.0, 300.0, 1000.0, 3000.0, 10_000.0] {
        let at = x(requests);
        let _ = writeln!(
            out,
            "<path d=\"M{at:.0} 30V{:.0}\" stroke=\"#80808060\"/><text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{requests}</text>",
            height - bottom,
            height - bottom + 18.0
        );
    }
    for delay in (0..).map(|step| f64::from(step) * 120.0).take_while(|delay| *delay < most) {
        let at = y(delay);
        let _ = writeln!(
            out,
            "<path d=\"M{left} {at:.0}H{:.0}\" stroke=\"#80808060\"/><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{:.0} min</text>",
            width - 130.0,
            left - 8.0,
            at + 4.0,
            delay / 60.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">requests a day, three targets, {}</text>\n\
         <text x=\"8\" y=\"18\">median until “back” is known</text>",
        (left + width - 130.0) / 2.0,
        height - 10.0,
        TROUBLES[0].name()
    );
    for (way, requests, delay) in &points {
        let is_ours = way.strategy == Strategy::Adaptive;
        let (colour, radius) = if is_ours { ("#0a7d4f", 6) } else { ("#808080", 4) };
        let _ = writeln!(
            out,
            "<circle cx=\"{:.0}\" cy=\"{:.0}\" r=\"{radius}\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{}</text>",
            x(*requests),
            y(*delay),
            x(*requests) + 9.0,
            y(*delay) + 4.0,
            way.name.trim_matches('*')
        );
    }
    out + "</svg>\n"
}
