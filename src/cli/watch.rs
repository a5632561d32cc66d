//! `vacancy watch`: the engine without a window.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch::Receiver;

use crate::app::{self, EngineOptions};
use crate::args;
use crate::cli::{self, Context, Exit, Failure, board_text};
use crate::engine::snapshot::{Activity, Snapshot};
use crate::metrics::address;
use crate::ui::format;
use crate::ui::screens::activity::model::Line;

/// Arguments of `vacancy watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "It probes by the schedule, keeps the record, prints the board as soon as every target has \
been looked at, then a line for each change. Ctrl+C or SIGTERM ends it; nothing is lost.")]
pub struct Args {
    /// Show no desktop notices
    #[arg(long)]
    pub silent: bool,
    /// Serve metrics for Prometheus there, on this machine alone unless ADDR says otherwise [default ADDR: 127.0.0.1:9464]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:9464", value_parser = address::parse)]
    pub metrics: Option<SocketAddr>,
}

/// How long the first board waits for all targets.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the verb until a signal ends it.
///
/// # Errors
///
/// When the settings are not valid, another Vacancy runs on the same data, or the record cannot be opened.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    keep(context, EngineOptions { is_silent: args.silent, metrics: args.metrics, ..EngineOptions::default() })
}

/// Keeps the board in the terminal until a signal ends it.
///
/// # Errors
///
/// As [`run`].
pub fn keep(context: &Context, options: EngineOptions) -> Result<Exit, Failure> {
    let running = app::engine(context, options, Arc::new(()))?;
    match &running.metrics {
        Some(Err(error)) => {
            let failure = Failure::new(Exit::Refused, error.describe(&context.tr));
            running.stop();
            return Err(failure);
        }
        Some(Ok(address)) => {
            let at = args!("address" => address.to_string());
            cli::say(&context.tr.with("metrics-served", &at));
            if !address.ip().is_loopback() {
                cli::say(&context.tr.with("metrics-open", &at));
            }
        }
        None => {}
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Fault, format!("cannot start: {error}")))?;
    let printed = runtime.block_on(print(running.handle.snapshots(), context));
    running.stop();
    cli::written(printed)?;
    Ok(Exit::Done)
}

/// Prints the board once all targets that are probed have an answer, then each new line of Activity.
async fn print(mut snapshots: Receiver<Snapshot>, context: &Context) -> std::io::Result<()> {
    let stop = app::stop_signal();
    tokio::pin!(stop);
    // A target that hangs must not keep the others from being shown.
    let patience = tokio::time::sleep(PATIENCE);
    tokio::pin!(patience);
    let mut is_late = false;
    let mut seen: Option<Arc<[Activity]>> = None;
    let mut trouble = None;
    loop {
        let snapshot = snapshots.borrow_and_update().clone();
        let now = snapshot.at;
        let mut out = std::io::stdout().lock();
        let wrong = snapshot.status.settings_trouble.clone().or_else(|| snapshot.status.store_trouble.clone());
        if wrong != trouble {
            if let Some(wrong) = &wrong {
                writeln!(out, "{wrong}")?;
            }
            trouble = wrong;
        }
        match seen.take() {
            None if is_late || is_settled(&snapshot) => {
                writeln!(out, "{}", board_text::board(&snapshot, now, &context.tr))?;
                seen = Some(Arc::clone(&snapshot.activity));
            }
            None => {}
            Some(before) => {
                for event in news(&before, &snapshot.activity) {
                    let line = Line::new(event, &snapshot, None, now, &context.tr);
                    writeln!(out, "{}  {}", format::clock_secs(event.at, &snapshot.zone), line.plain())?;
                }
                seen = Some(Arc::clone(&snapshot.activity));
            }
        }
        out.flush()?;
        drop(out);
        tokio::select! {
            changed = snapshots.changed() => if changed.is_err() { return Ok(()) },
            () = &mut patience, if !is_late => is_late = true,
            () = &mut stop => return Ok(()),
        }
    }
}

/// The lines that were added, oldest first. A change has the time at which its probe began, so a new line need not be
/// the newest one.
fn news<'a>(before: &[Activity], now: &'a [Activity]) -> Vec<&'a Activity> {
    let mut before = before.iter().rev().peekable();
    let mut news = Vec::new();
    // Both are in the order of time, and what left the list is older than what stayed.
    for line in now.iter().rev() {
        while before.peek().is_some_and(|old| old.at < line.at) {
            before.next();
        }
        if before.peek() == Some(&line) {
            before.next();
        } else {
            news.push(line);
        }
    }
    news
}

/// Whether there is an answer, or no plan to get one, for every target.
fn is_settled(snapshot: &Snapshot) -> bool {
    let mut entries = snapshot.board.entries.iter();
    entries.all(|entry| entry.confirmed.is_some() || entry.latest.is_some() || entry.hold.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::snapshot::ActivityEvent;

    #[test]
    fn a_line_that_belongs_between_older_ones_is_news_too() {
        let line = |second, text: &str| Activity {
            at: jiff::Timestamp::from_second(second).unwrap(),
            event: ActivityEvent::Trouble(text.to_owned()),
        };
        // Newest first, as in a snapshot.
        let before = [line(30, "d"), line(20, "b"), line(10, "a")];
        let now = [line(40, "f"), line(30, "e"), line(30, "d"), line(25, "c"), line(20, "b")];
        let said: Vec<_> = news(&before, &now).into_iter().cloned().collect();
        assert_eq!(said, [line(25, "c"), line(30, "e"), line(40, "f")]);
        assert!(news(&now, &now).is_empty());
        assert_eq!(news(&[], &before).len(), 3);
    }
}
