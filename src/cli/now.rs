//! `vacancy now`: which model is free, from the record alone.

mod bars;
mod fields;
mod names;
mod template;

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::app;
use crate::args;
use crate::cli::{self, Context, Exit, Failure, board_text};
use crate::core::board::Entry;
use crate::core::sample::Sample;
use crate::core::sheet::{TargetSheet, Window};
use crate::core::target::TargetId;
use crate::engine::record_snapshot;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::settings::nearest::nearest;
use crate::store::{Filter, Reader, StoreError};
use crate::ui::screens::glance::model::Quiet;

use self::bars::Bar;
use self::fields::Facts;
use self::template::{Mistake, Template};

/// Arguments of `vacancy now`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "It reads the record and never probes: keep the window or `vacancy watch` running to have a fresh \
one.

TEMPLATE is one of the names waybar, i3blocks, tmux, polybar and xbar, or a text with fields in braces:
  {first_free} {primary} {[ID]}   a target's id, empty where there is none
  {first_free.FACT} and so on     a fact of it: target, provider, model, role, kind, family, mark, state, advice,
                                  since, age, last_at, first_token, next_probe, next_quiet
  {at} {headline} {subline}       the time, and the sentences of the Board
  {free} {total}                  how many targets of the chain are free, and how many it has
  {next_quiet}                    when the primary model is usually free next
  {each}{mark} {model}{between}, {end}  once for every target of the chain
  {FIELD|TEXT}                    TEXT where the field is empty
  {FIELD:12} {FIELD:json}         at most 12 characters; escaped for JSON, pango or tmux
  {newline} {{ }}                 a line break, and the braces themselves

Exit codes: 0 a model of the chain is free, 5 none is by evidence of the last 20 minutes, 1 a fault, 2 wrong usage."
)]
pub struct Args {
    /// Print one JSON object, for scripts
    #[arg(long)]
    pub json: bool,
    /// Print a line for a status bar, made by this template
    #[arg(long, value_name = "TEMPLATE", conflicts_with = "json")]
    pub format: Option<String>,
}

/// What a line for a status bar is made by.
enum Form {
    Bar(Bar),
    Template(Template),
}

impl Form {
    fn parse(text: &str, tr: &Tr) -> Result<Self, Failure> {
        if let Some((_, bar)) = Bar::ALL.into_iter().find(|(name, _)| *name == text) {
            return Ok(Self::Bar(bar));
        }
        Template::parse(text).map(Self::Template).map_err(|mistake| Failure::new(Exit::Usage, words(&mistake, tr)))
    }
}

/// A mistake in words.
fn words(mistake: &Mistake, tr: &Tr) -> String {
    match mistake {
        Mistake::Unclosed { column } => tr.with("glance-format-unclosed", &args!("column" => *column)),
        Mistake::Stray { column } => tr.with("glance-format-stray", &args!("column" => *column)),
        Mistake::Unknown { name, meant: None, column } => {
            tr.with("glance-format-unknown", &args!("name" => name.as_str(), "column" => *column))
        }
        Mistake::Unknown { name, meant: Some(meant), column } => tr.with(
            "glance-format-meant",
            &args!("name" => name.as_str(), "meant" => meant.as_str(), "column" => *column),
        ),
        Mistake::WhoseFact { name } => tr.with("glance-format-whose", &args!("name" => name.as_str())),
        Mistake::Loop => tr.text("glance-format-loop"),
    }
}

/// The contract of `now --json`; times are RFC 3339 in UTC, absent values are null. `kind`, `scope`, `since` and `rule`
/// speak of the confirmed state (before there is one of the newest sample); `last_*`, `source`, `first_token_ms` and
/// `retry_after_s` of the newest sample.
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
    last_scope: Option<&'static str>,
    last_rule: Option<String>,
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
    // A template that cannot be read is said before anything is read for it.
    let form = args.format.as_deref().map(|text| Form::parse(text, &context.tr)).transpose()?;
    let settings = app::settings(context)?;
    let now = context.clock.now();
    let snapshot = record_snapshot(&settings, &context.roots.database(), &app::zone(&settings), now)
        .map_err(|error| app::store_failure(&error, &context.tr))?;
    let database = context.roots.database();
    if form.is_none() && database.metadata().is_ok_and(|file| file.is_file() && file.len() == 0) {
        // No probe will ever be in it before somebody begins it.
        cli::say(&StoreError::Missing { path: database, is_empty: true }.text(&context.tr));
    }
    cli::print(&if args.json {
        let json = serde_json::to_string(&Now::new(&snapshot));
        json.map_err(|error| Failure::new(Exit::Fault, error.to_string()))? + "\n"
    } else if let Some(form) = form {
        line(&form, &snapshot, now, context)? + "\n"
    } else {
        board_text::board(&snapshot, now, &context.tr)
    })?;
    Ok(if snapshot.board.first_free(now).is_some() { Exit::Done } else { Exit::NothingFree })
}

/// The line for a status bar.
fn line(form: &Form, snapshot: &Snapshot, now: Timestamp, context: &Context) -> Result<String, Failure> {
    let mut facts = Facts { snapshot, now, quiet: HashMap::new(), tr: &context.tr };
    let template = match form {
        Form::Bar(bar) => return Ok(bar.text(&facts)),
        Form::Template(template) => template,
    };
    for id in template.ids() {
        if snapshot.board.entry(&id.into()).is_none() {
            let known = snapshot.board.entries.iter().map(|entry| entry.target.id.as_str());
            let message = match nearest(id, known) {
                Some(meant) => context.tr.with("glance-format-target-meant", &args!("target" => id, "meant" => meant)),
                None => context.tr.with("glance-format-target", &args!("target" => id)),
            };
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let chain = facts.chain().len();
    let turns = || std::iter::once(None).chain((0..chain).map(Some));
    let of = template.quiet_of();
    let mut wanted: Vec<TargetId> = of
        .into_iter()
        .flat_map(|of| turns().filter_map(|turn| facts.entry(of, turn)))
        .map(|entry| entry.target.id.clone())
        .collect();
    wanted.sort();
    wanted.dedup();
    facts.quiet = quiet(wanted, snapshot, now, context)?;
    Ok(template.render(chain, &|field, turn| facts.value(field, turn)))
}

/// The next quiet times of these targets, by the whole record.
fn quiet(
    targets: Vec<TargetId>,
    snapshot: &Snapshot,
    now: Timestamp,
    context: &Context,
) -> Result<HashMap<TargetId, Window>, Failure> {
    if targets.is_empty() {
        return Ok(HashMap::new());
    }
    let filter = Filter { targets, ..Filter::default() };
    let read = Reader::open_briefly(&context.roots.database(), Duration::from_secs(5))
        .and_then(|reader| reader.sheet(&filter, &snapshot.zone, now));
    match read {
        Ok(sheet) => {
            // The same times as in the glance.
            let of = |own: &TargetSheet| {
                let entry = snapshot.board.entry(&own.target)?;
                Some((own.target.clone(), Quiet::told(entry, own, now, &snapshot.zone)?.window))
            };
            Ok(sheet.targets.iter().filter_map(of).collect())
        }
        // Nothing was recorded yet, so that nothing is usual.
        Err(StoreError::Missing { .. }) => Ok(HashMap::new()),
        Err(error) => Err(app::store_failure(&error, &context.tr)),
    }
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
        // Not every import has rules.
        let rule = |sample: &Sample| Some(sample.rule.to_string()).filter(|rule| !rule.is_empty());
        Self {
            target: entry.target.id.to_string(),
            provider: entry.target.provider.to_string(),
            model: entry.target.model.to_string(),
            role: entry.target.role,
            kind: entry.confirmed.map_or("unknown", |confirmed| confirmed.kind.name()),
            confirmed: entry.confirmed.is_some(),
            fresh: entry.is_fresh(now),
            last_kind: last.map(|sample| sample.kind.name()),
            last_scope: last.map(|sample| sample.scope.name()),
            last_rule: last.and_then(rule),
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
            rule: entry.evidence().and_then(rule),
        }
    }
}
