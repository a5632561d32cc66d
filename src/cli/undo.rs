//! `vacancy undo` and `vacancy redo`: a switch taken back, or done again.

use serde_json::json;

use crate::app::tooling::{damage_words, journal_words, words};
use crate::args;
use crate::cli::switch::confirm;
use crate::cli::tool_args::tool;
use crate::cli::{self, Context, Exit, Failure};
use crate::edit::unified_diff;
use crate::switch::shell::apply::Walked;
use crate::switch::shell::{ApplyError, RealFiles, Switcher};
use crate::switch::undo::{Conflict, Direction};

/// Arguments of `vacancy undo` and `vacancy redo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The number of the switch, as `vacancy switch` printed it; otherwise the last one
    pub id: Option<u64>,
    /// Only of this tool
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask, and overwrite values that were changed since
    #[arg(long, short)]
    pub yes: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs the verb.
///
/// # Errors
///
/// [`Exit::Refused`] when there is nothing to walk or the files do not allow it, [`Exit::NeedsYes`] without consent or
/// when somebody changed a value since.
pub fn run(args: &Args, direction: Direction, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let files = RealFiles::new(context.roots.clone());
    let switcher = Switcher { files: &files, data: &context.roots.data, clock: &*context.clock };
    let refused = |error: ApplyError| {
        let damage =
            matches!(error, ApplyError::Nothing { .. }).then(|| damage_words(&context.roots.data, tr)).flatten();
        let lines = std::iter::once(words(&error, tr)).chain(damage);
        Failure::new(Exit::Refused, lines.collect::<Vec<_>>().join("\n"))
    };
    // A switch whose end a crash kept from the journal can be walked like any other once it is told from the files.
    switcher.settle().map_err(|error| Failure::new(Exit::Refused, journal_words(&error, tr)))?;
    let planned = match switcher.plan_walk(direction, args.id, args.tool.as_deref(), args.yes) {
        Ok(planned) => planned,
        Err(ApplyError::Conflicts { conflicts }) => {
            cli::print(&if args.json {
                format!("{}\n", json!({"action": "ask", "conflicts": conflicts_json(&conflicts)}))
            } else {
                conflicts_text(&conflicts, context)
            })?;
            return Err(Failure::new(Exit::NeedsYes, tr.text("switch-changed-since")));
        }
        Err(error) => return Err(refused(error)),
    };
    let show = |walked: &Walked| {
        let diff: String = walked
            .files
            .iter()
            .map(|file| {
                let side = |bytes: &Option<std::sync::Arc<[u8]>>| bytes.clone().unwrap_or_default();
                unified_diff(file.path.as_str(), &side(&file.now), &side(&file.then))
            })
            .collect();
        cli::print(&if args.json {
            let entry = &walked.switch.entry;
            let value = json!({
                "action": if direction == Direction::Undo { "undo" } else { "redo" },
                "tool": entry.tool,
                "of": entry.id,
                "files": walked.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
                "exact": walked.files.iter().all(|file| file.is_exact),
                "diff": diff,
                "journal_id": walked.id,
            });
            format!("{value}\n")
        } else {
            diff
        })
    };
    if args.dry_run {
        show(&planned)?;
        return Ok(Exit::Done);
    }
    if !args.json {
        show(&planned)?;
    }
    if !args.yes {
        match confirm(context, args.json, "switch-confirm")? {
            Some(true) => {}
            Some(false) => return Ok(Exit::Refused),
            None => return Err(Failure::new(Exit::NeedsYes, tr.text("switch-needs-yes"))),
        }
    }
    let tool = tool(&planned.switch.entry.tool, context)?;
    let walked = switcher.walk(tool, direction, planned).map_err(refused)?;
    if args.json {
        show(&walked)?;
    } else {
        let id = if direction == Direction::Undo { "switch-undone" } else { "switch-redone" };
        cli::print(&(tr.with(id, &args!("tool" => tool.name(), "id" => walked.switch.entry.id)) + "\n"))?;
    }
    Ok(Exit::Done)
}

fn conflicts_json(conflicts: &[Conflict]) -> serde_json::Value {
    conflicts
        .iter()
        .map(|conflict| {
            json!({
                "file": conflict.path,
                "key": conflict.key,
                "ours": conflict.expected,
                "now": conflict.found,
                "goal": conflict.goal,
            })
        })
        .collect()
}

fn conflicts_text(conflicts: &[Conflict], context: &Context) -> String {
    let tr = &context.tr;
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| tr.text("switch-absent"));
    let lines = conflicts.iter().map(|conflict| {
        let args = args!(
            "file" => conflict.path.to_string(),
            "key" => conflict.key.as_str(),
            "ours" => shown(&conflict.expected),
            "now" => shown(&conflict.found),
            "goal" => shown(&conflict.goal),
        );
        tr.with("switch-conflict", &args) + "\n"
    });
    lines.collect()
}
