//! What `vacancy simulate` prints: aligned tables and a sentence.

use std::fmt::Write as _;
use std::time::Duration;

use crate::args;
use crate::core::schedule::ScheduleConfig;
use crate::core::simulate::{Delays, Measures, Notices, Report, Strategy};
use crate::format;
use crate::i18n::Tr;
use crate::settings::duration;

/// One strategy with its result.
pub struct Run {
    /// Who decided when to probe.
    pub strategy: Strategy,
    /// What came of it.
    pub report: Report,
}

/// The whole page; `runs` begins with our own schedule, the others are compared with it.
pub fn page(trace: &str, seed: u64, config: &ScheduleConfig, has_own_notices: bool, runs: &[Run], tr: &Tr) -> String {
    let mut page = String::new();
    let Some(own) = runs.first() else { return page };
    let report = &own.report;
    let title = args!(
        "trace" => trace,
        "days" => if report.days < 1.0 { "<1".to_owned() } else { format!("{:.0}", report.days) },
        "targets" => report.targets.len(),
        "every" => duration::text(config.steady()),
        "seed" => seed.to_string(),
    );
    let _ = writeln!(page, "{}\n", tr.with("simulate-title", &title));
    let rows = report.targets.iter().map(|row| (row.target.to_string(), &row.measures));
    let total = (tr.text("simulate-total"), &report.total);
    let rows: Vec<_> = rows.chain(std::iter::once(total)).collect();
    page.push_str(&costs(&rows, report.days, tr));
    page.push('\n');
    page.push_str(&delays(&rows, tr));
    let _ = writeln!(page, "\n{}", tr.with("simulate-notices", &notices(report.total.notices)));
    if !report.total.told.is_empty() {
        let counts = report.total.told.iter().map(|(name, count)| format!("{} {count}", told(name, tr)));
        let list = format::list(counts, tr);
        let _ = writeln!(page, "{}", tr.with("simulate-told", &args!("list" => list)));
    }
    let told_by = if has_own_notices { "simulate-notices-own" } else { "simulate-notices-usual" };
    let _ = writeln!(page, "{}", tr.text(told_by));
    if runs.len() > 1 {
        page.push('\n');
        page.push_str(&comparison(config, runs, tr));
    }
    page
}

fn costs(rows: &[(String, &Measures)], days: f64, tr: &Tr) -> String {
    let mut table = Table::new(
        tr,
        &["simulate-target", "simulate-requests", "simulate-busiest", "simulate-tokens", "simulate-gaps"],
    );
    for (name, measures) in rows {
        table.row([
            name.clone(),
            per_day(measures.requests, days),
            measures.requests_busiest_day.to_string(),
            per_day(measures.tokens, days),
            measures.skips.to_string(),
        ]);
    }
    table.text()
}

fn delays(rows: &[(String, &Measures)], tr: &Tr) -> String {
    let mut table = Table::new(
        tr,
        &[
            "simulate-target",
            "simulate-change",
            "simulate-changes",
            "simulate-noticed",
            "simulate-mean",
            "simulate-median",
            "simulate-p90",
            "simulate-worst",
        ],
    );
    for (name, measures) in rows {
        for (change, delays) in [("simulate-became-busy", measures.down), ("simulate-became-free", measures.up)] {
            let head = [name.clone(), tr.text(change), delays.changes.to_string(), delays.noticed.to_string()];
            let times = [delays.mean_s, delays.median_s, delays.p90_s, delays.worst_s];
            table.row(head.into_iter().chain(times.map(|seconds| wait(delays, seconds, tr))));
        }
    }
    table.text()
}

fn comparison(config: &ScheduleConfig, runs: &[Run], tr: &Tr) -> String {
    let mut table = Table::new(
        tr,
        &[
            "simulate-strategy",
            "simulate-requests",
            "simulate-tokens",
            "simulate-noticed",
            "simulate-busy-median",
            "simulate-busy-worst",
            "simulate-free-median",
            "simulate-free-worst",
            "simulate-right",
            "simulate-false",
            "simulate-missed",
            "simulate-doubled",
        ],
    );
    for Run { strategy, report } in runs {
        let name = match strategy {
            Strategy::Adaptive => tr.with("simulate-adaptive", &args!("every" => duration::text(config.steady()))),
            Strategy::Fixed(every) => tr.with("simulate-fixed", &args!("every" => duration::text(*every))),
        };
        let total = &report.total;
        let Notices { right, wrong, missed, doubled } = total.notices;
        table.row([
            name,
            per_day(total.requests, report.days),
            per_day(total.tokens, report.days),
            format!("{}/{}", total.down.noticed + total.up.noticed, total.down.changes + total.up.changes),
            wait(total.down, total.down.median_s, tr),
            wait(total.down, total.down.worst_s, tr),
            wait(total.up, total.up.median_s, tr),
            wait(total.up, total.up.worst_s, tr),
            right.to_string(),
            wrong.to_string(),
            missed.to_string(),
            doubled.to_string(),
        ]);
    }
    table.text()
}

/// What notices of a case say, in a word or two.
fn told(name: &str, tr: &Tr) -> String {
    tr.text(match name {
        "recovered" => "simulate-told-recovered",
        "full" => "simulate-told-full",
        "provider_away" => "simulate-told-provider-away",
        "provider_back" => "simulate-told-provider-back",
        "flapping" => "simulate-told-flapping",
        "settled" => "simulate-told-settled",
        "limited" => "simulate-told-limited",
        "limit_reset" => "simulate-told-limit-reset",
        "reminder" => "simulate-told-reminder",
        "summary" => "simulate-told-summary",
        _ => "simulate-told-other",
    })
}

fn notices(notices: Notices) -> crate::i18n::FluentArgs<'static> {
    args!(
        "right" => notices.right,
        "wrong" => notices.wrong,
        "missed" => notices.missed,
        "doubled" => notices.doubled,
    )
}

/// A count a day, rounded; a record of less than a day says nothing about the rest of it.
fn per_day(count: u64, days: f64) -> String {
    let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    format!("{:.0}", count / days.max(1.0))
}

/// A delay in words; a dash where nothing was noticed.
fn wait(delays: Delays, seconds: f64, tr: &Tr) -> String {
    if delays.noticed == 0 {
        return tr.text("simulate-none");
    }
    let seconds = Duration::from_secs_f64(seconds.max(0.0).round()).as_secs();
    match seconds {
        0..60 => tr.with("simulate-seconds", &args!("s" => seconds)),
        60..3600 => tr.with("simulate-minutes", &args!("m" => seconds / 60, "s" => seconds % 60)),
        _ => tr.with("simulate-hours", &args!("h" => seconds / 3600, "m" => seconds % 3600 / 60)),
    }
}

/// Columns of text: the first to the left, the others to the right.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(tr: &Tr, head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|id| tr.text(id)).collect()] }
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn text(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let widths: Vec<_> = (0..columns)
            .map(|column| self.rows.iter().map(|row| width(&row[column])).max().unwrap_or_default())
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (index, (cell, width_of_column)) in row.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width_of_column - width(cell));
                let gap = if index == 0 { "" } else { "  " };
                let _ = if index == 0 { write!(line, "{cell}{pad}") } else { write!(line, "{gap}{pad}{cell}") };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

/// Cells of a terminal that a text takes: two for each Chinese character.
fn width(text: &str) -> usize {
    text.chars().map(|c| if matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}') { 2 } else { 1 }).sum()
}
