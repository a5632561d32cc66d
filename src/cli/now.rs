//! `vacancy now`: which model is free, from the record alone.

use jiff::Timestamp;
use serde::Serialize;

use crate::app;
use crate::cli::{self, Context, Exit, Failure, board_text};
use crate::core::board::Entry;
use crate::engine::record_snapshot;
use crate::engine::snapshot::Snapshot;

/// Arguments of `vacancy now`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "It reads the record and never probes: keep the window or `vacancy watch` running to have a fresh \
one.\n\nExit codes: 0 a model of the chain is free, 5 none is by evidence of the last 20 minutes, 1 a fault, 2 wrong usage."
)]
pub struct Args {
    /// Print one JSON object, for scripts
    #[arg(long)]
    pub json: bool,
}

/// The contract of `now --json`; times are RFC 3339 in UTC, absent values are null.
#[derive(Debug, Serialize)]
struct Now {
    at: String,
    first_free: Option<String>,
    targets: Vec<TargetNow>,
}

#[derive(Debug, Serialize)]
struct TargetNow {
    target: String,
    provider: String,
    model: String,
    role: Option<crate::core::target::Role>,
    /// The confirmed kind, `unknown` before there is one.
    kind: &'static str,
    confirmed: bool,
    /// The confirmed state speaks of now; `false` is what was known last, and without a state.
    fresh: bool,
    last_kind: Option<&'static str>,
    scope: Option<&'static str>,
    since: Option<String>,
    last_at: Option<String>,
    source: Option<&'static str>,
    first_token_ms: Option<u32>,
    retry_after_s: Option<u32>,
    next_probe_at: Option<String>,
    rule: Option<String>,
}

/// Runs the verb.
///
/// # Errors
///
/// When the settings are not valid or the record cannot be read.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let settings = app::settings(context)?;
    let now = context.clock.now();
    let snapshot = record_snapshot(&settings, &context.roots.database(), &app::zone(&settings), now)
        .map_err(|error| app::store_failure(&error, &context.tr))?;
    cli::print(&if args.json {
        let json = serde_json::to_string(&Now::new(&snapshot));
        json.map_err(|error| Failure::new(Exit::Fault, error.to_string()))? + "\n"
    } else {
        board_text::board(&snapshot, now, &context.tr)
    })?;
    Ok(if snapshot.board.first_free(now).is_some() { Exit::Done } else { Exit::NothingFree })
}

impl Now {
    fn new(snapshot: &Snapshot) -> Self {
        Self {
            at: snapshot.at.to_string(),
            first_free: snapshot.board.first_free(snapshot.at).map(|entry| entry.target.id.to_string()),
            targets: snapshot.board.entries.iter().map(|entry| TargetNow::new(entry, snapshot.at)).collect(),
        }
    }
}

impl TargetNow {
    fn new(entry: &Entry, now: Timestamp) -> Self {
        let last = entry.latest.as_ref().map(|latest| &latest.sample);
        Self {
            target: entry.target.id.to_string(),
            provider: entry.target.provider.to_string(),
            model: entry.target.model.to_string(),
            role: entry.target.role,
            kind: entry.confirmed.map_or("unknown", |confirmed| confirmed.kind.name()),
            confirmed: entry.confirmed.is_some(),
            fresh: entry.is_fresh(now),
            last_kind: last.map(|sample| sample.kind.name()),
            scope: entry
                .confirmed
                .map(|state| state.scope)
                .or(last.map(|sample| sample.scope))
                .map(|scope| scope.name()),
            since: entry.confirmed.map(|confirmed| confirmed.since.to_string()),
            last_at: last.map(|sample| sample.at.to_string()),
            source: last.map(|sample| sample.source.name()),
            first_token_ms: last.and_then(|sample| sample.first_token_ms),
            retry_after_s: last.and_then(|sample| sample.retry_after_s),
            next_probe_at: entry.next_probe_at.map(|at| at.to_string()),
            rule: last.map(|sample| sample.rule.to_string()),
        }
    }
}
