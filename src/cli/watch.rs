//! `vacancy watch`: the engine without a window.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch::Receiver;

use crate::app::{self, EngineOptions};
use crate::cli::{Context, Exit, Failure, board_text};
use crate::engine::snapshot::Snapshot;
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
}

/// How long the first board waits for all targets.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the verb until a signal ends it.
///
/// # Errors
///
/// When the settings are not valid, another Vacancy runs on the same data, or the record cannot be opened.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    keep(context, EngineOptions { is_silent: args.silent, ..EngineOptions::default() })
}

/// Keeps the board in the terminal until a signal ends it.
///
/// # Errors
///
/// As [`run`].
pub fn keep(context: &Context, options: EngineOptions) -> Result<Exit, Failure> {
    let running = app::engine(context, options, Arc::new(()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Fault, format!("cannot start: {error}")))?;
    let printed = runtime.block_on(print(running.handle.snapshots(), context));
    running.stop();
    printed.map_err(|error| Failure::new(Exit::Fault, format!("cannot write: {error}")))?;
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
    let mut seen: Option<Timestamp> = None;
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
        match seen {
            None if is_late || is_settled(&snapshot) => {
                writeln!(out, "{}", board_text::board(&snapshot, now, &context.tr))?;
                seen = Some(now);
            }
            None => {}
            Some(last) => {
                let news: Vec<_> = snapshot.activity.iter().take_while(|line| line.at > last).collect();
                for event in news.iter().rev() {
                    let line = Line::new(event, &snapshot, now, &context.tr);
                    writeln!(out, "{}  {}", format::clock_secs(event.at, &snapshot.zone), line.plain())?;
                }
                seen = news.first().map(|line| line.at).or(seen);
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

/// Whether there is an answer, or no plan to get one, for every target.
fn is_settled(snapshot: &Snapshot) -> bool {
    let mut entries = snapshot.board.entries.iter();
    entries.all(|entry| entry.confirmed.is_some() || entry.latest.is_some() || entry.hold.is_some())
}
