//! `vacancy switch`: a tool's model, by its own file, with a diff before and an undo after.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use serde_json::json;

use crate::app::tooling::{goals, words};
use crate::args;
use crate::cli::tool_args::{ToolArgs, absolute, tool};
use crate::cli::tools::with_provider;
use crate::cli::{self, Context, Exit, Failure};
use crate::core::board::Board;
use crate::i18n::Tr;
use crate::settings::Settings;
use crate::switch::journal::Purpose;
use crate::switch::plan::{Action, FileEdit, Plan, plan};
use crate::switch::projects::{Grounds, Pin, pins, plan_pin};
use crate::switch::reach::{Goal, Way, reach};
use crate::switch::reading::Effective;
use crate::switch::shell::Switcher;
use crate::switch::tool::{At, Home, TakesEffect, Tool, Wanted};
use crate::switch::warning::Warning;
use crate::ui::screens::switch::projects::nameless;

/// Arguments of `vacancy switch`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The diff is shown first and nothing is written without your yes. `vacancy undo` takes it back.\n\nExit \
codes: 0 done, 2 wrong usage, 3 refused with the reason, 4 it needs --yes."
)]
pub struct Args {
    /// The tool, as `vacancy tools` names it
    pub tool: String,
    /// The model, exactly as the tool is told it
    pub model: String,
    /// The provider, by the tool's own name for it; otherwise the one that MODEL begins with, for tools that are told both
    /// as one name, else the present one stays
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// Of a gateway: the public name to point at the model
    #[arg(long, value_name = "NAME")]
    pub alias: Option<String>,
    /// Where and how the tool is started
    #[command(flatten)]
    pub at: ToolArgs,
    /// Also switch what projects below this folder pin, each file with a diff and an undo of its own
    #[arg(long, value_name = "DIR")]
    pub projects: Vec<String>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write without asking
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
/// [`Exit::Usage`] for an unknown tool, [`Exit::Refused`] when the tool cannot be switched so, [`Exit::NeedsYes`]
/// without consent.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let tool = tool(&args.tool, context)?;
    let machine = args.at.machine(context)?;
    let home = home(tool, &machine, tr)?;
    let wanted = Wanted { model: args.model.clone(), provider: args.provider.clone(), alias: args.alias.clone() };
    let world = machine.world(tool);
    let plan = plan(tool, &At { world, home: &home }, &wanted);
    let folders = args.projects.iter().map(|folder| absolute(folder, &machine.files));
    let grounds: Vec<Grounds> = folders.map(|folder| Grounds::below(&machine.files, &folder)).collect();
    for left_out in &grounds {
        if let Some(words) = nameless(&left_out.nameless, ToString::to_string, tr) {
            cli::say(&words);
        }
    }
    let pins: Vec<Pin> = grounds.iter().flat_map(|found| pins(tool, &world, &home, &found.folders)).collect();
    let mut pinned: Vec<Pinned> = pins
        .into_iter()
        .map(|pin| Pinned { plan: plan_pin(tool, &world, &home, &pin, &wanted), pin, id: None })
        .collect();
    let show = |id: Option<u64>, pinned: &[Pinned]| {
        cli::print(&if args.json {
            as_json(&plan, &home, id, pinned, tr)
        } else {
            as_text(tool, &plan, tr) + &pinned_text(pinned, tr)
        })
    };
    if matches!(plan.action, Action::Refuse(_)) {
        show(None, &pinned)?;
        return Ok(Exit::Refused);
    }
    let is_changing = |plan: &Plan| matches!(&plan.action, Action::Edit(edits) if !edits.is_empty());
    let is_anything = is_changing(&plan) || pinned.iter().any(|pinned| is_changing(&pinned.plan));
    let is_over = args.dry_run || !is_anything;
    if is_over || !args.json {
        show(None, &pinned)?;
    }
    if is_anything
        && !args.json
        && let Some(words) = other_provider(args, context, tool, &At { world, home: &home }, &plan)
    {
        cli::say(&words);
    }
    if is_over {
        return Ok(Exit::Done);
    }
    if !args.yes {
        match confirm(context, args.json, "switch-confirm")? {
            Some(true) => {}
            Some(false) => return Ok(Exit::Refused),
            None => {
                if args.json {
                    show(None, &pinned)?;
                }
                return Err(Failure::new(Exit::NeedsYes, tr.text("switch-needs-yes")));
            }
        }
    }
    let switcher = Switcher { files: &machine.files, data: &context.roots.data, clock: &*context.clock };
    let apply = |plan: &Plan| {
        let applied = switcher.apply(tool, &home.path, plan, Purpose::Switch);
        applied.map_err(|error| Failure::new(Exit::Refused, words(&error, tr)))
    };
    let applied = apply(&plan)?;
    let mut is_verified = applied.is_verified;
    for pinned in pinned.iter_mut().filter(|pinned| is_changing(&pinned.plan)) {
        let applied = apply(&pinned.plan)?;
        pinned.id = applied.id;
        is_verified &= applied.is_verified;
    }
    if args.json {
        show(applied.id, &pinned)?;
    } else {
        let ids = applied.id.into_iter().chain(pinned.iter().filter_map(|pinned| pinned.id));
        for id in ids {
            cli::print(&(tr.with("switch-done", &args!("tool" => tool.name(), "id" => id)) + "\n"))?;
        }
        cli::print(&(tr.text(effect(tool.takes_effect())) + "\n"))?;
    }
    if !is_verified {
        return Err(Failure::new(Exit::Fault, tr.text("switch-not-verified")));
    }
    Ok(Exit::Done)
}

/// A project's own file, with what would be done to it and its number in the journal.
struct Pinned {
    pin: Pin,
    plan: Plan,
    id: Option<u64>,
}

fn pinned_text(pinned: &[Pinned], tr: &Tr) -> String {
    let mut text = String::new();
    for Pinned { pin, plan, .. } in pinned {
        let args = args!("file" => pin.file.to_string(), "key" => pin.key.as_str(), "model" => pin.model.as_str());
        text += &(tr.with("switch-pin", &args) + "\n");
        match &plan.action {
            Action::Edit(edits) => edits.iter().for_each(|edit| text += &edit.diff()),
            Action::Refuse(reason) => text += &format!("! {}\n", reason.message(tr)),
        }
    }
    text
}

fn pinned_json(pinned: &Pinned, tr: &Tr) -> serde_json::Value {
    let Pinned { pin, plan, id } = pinned;
    let (action, diff, reason) = match &plan.action {
        Action::Edit(edits) => ("edit", edits.iter().map(FileEdit::diff).collect(), None),
        Action::Refuse(reason) => ("refuse", String::new(), Some(reason.message(tr))),
    };
    json!({
        "folder": pin.folder,
        "file": pin.file,
        "key": pin.key,
        "model": pin.model,
        "decides": pin.decides,
        "action": action,
        "diff": diff,
        "reason": reason,
        "journal_id": id,
    })
}

/// What to know where the model is the user's own at another provider than the one that the tool will use: a name alone
/// says nothing of that.
fn other_provider(args: &Args, context: &Context, tool: &dyn Tool, at: &At<'_>, plan: &Plan) -> Option<String> {
    if args.provider.is_some() {
        return None;
    }
    let tr = &context.tr;
    let settings = Settings::load(&context.roots.settings_file()).ok()?;
    let goals = goals(&settings, &Board::default(), &[]);
    let is_meant = |goal: &&Goal| goal.target.as_str() == args.model || goal.model.as_str() == args.model;
    let endpoints = tool.endpoints(at);
    let mut ways = goals.iter().filter(is_meant).map(|goal| (goal, reach(tool, &endpoints, at.world.vars, goal)));
    let (goal, way) = ways.next()?;
    let used = plan.after.provider.as_ref();
    let is_same = |way: &Way| way.wanted.model == args.model && used == Some(&way.endpoint.provider);
    if way.as_ref().is_ok_and(is_same) || ways.any(|(_, way)| way.as_ref().is_ok_and(is_same)) {
        return None;
    }
    let name = settings.target(&goal.target).map_or(goal.model.as_str(), |target| target.provider.as_str());
    let model = args.model.as_str();
    Some(match way {
        Ok(way) => {
            let instead =
                format!("vacancy switch {} {} --provider {}", tool.id(), way.wanted.model, way.endpoint.provider);
            tr.with("switch-other-provider", &args!("model" => model, "provider" => name, "command" => instead))
        }
        Err(reason) => {
            let reason = reason.message(tool.name(), goal, tr);
            tr.with("switch-other-provider-refused", &args!("model" => model, "provider" => name, "reason" => reason))
        }
    })
}

/// The home that is meant: the first in which the tool is in use, else the usual one.
fn home(tool: &dyn Tool, machine: &crate::switch::shell::Machine, tr: &Tr) -> Result<Home, Failure> {
    let present = machine.present(tool).into_iter().next();
    present
        .or_else(|| machine.homes(tool).into_iter().next())
        .ok_or_else(|| Failure::new(Exit::Usage, tr.with("switch-needs-file", &args!("tool" => tool.name()))))
}

/// When the change reaches the user: the message's id.
pub const fn effect(effect: TakesEffect) -> &'static str {
    match effect {
        TakesEffect::AtOnce => "switch-effect-at-once",
        TakesEffect::NextCommand => "switch-effect-next-command",
        TakesEffect::NextSession => "switch-effect-next-session",
        TakesEffect::Restart => "switch-effect-restart",
    }
}

/// Asks at the terminal; `None` when there is none.
///
/// # Errors
///
/// When the terminal cannot be used.
pub fn confirm(context: &Context, is_json: bool, question: &str) -> Result<Option<bool>, Failure> {
    if is_json || !context.is_terminal || !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let fault = |error: std::io::Error| Failure::new(Exit::Fault, error.to_string());
    let mut out = std::io::stdout().lock();
    write!(out, "{} ", context.tr.text(question)).and_then(|()| out.flush()).map_err(fault)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(fault)?;
    Ok(Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是")))
}

/// An effective model as the contracts have it.
pub fn effective_json(effective: &Effective) -> serde_json::Value {
    let mut value = json!({"model": effective.model, "provider": effective.provider});
    if let Some(resolves_to) = &effective.resolves_to {
        value["resolves_to"] = json!(resolves_to);
    }
    value
}

/// Warnings as the contracts of `switch --json` and `tools --json` have them.
pub fn warnings_json(warnings: &[Warning], tr: &Tr) -> serde_json::Value {
    warnings.iter().map(|warning| json!({"code": warning.code.name(), "message": warning.message(tr)})).collect()
}

fn as_json(plan: &Plan, home: &Home, id: Option<u64>, pinned: &[Pinned], tr: &Tr) -> String {
    let (action, edits, reason): (_, &[FileEdit], _) = match &plan.action {
        Action::Edit(edits) => ("edit", edits, None),
        Action::Refuse(reason) => ("refuse", &[], Some(reason.message(tr))),
    };
    let diff: String = edits.iter().map(FileEdit::diff).collect();
    let mut value = json!({
        "action": action,
        "tool": plan.tool,
        "home": home.path,
        "file": edits.first().map(|edit| &edit.path),
        "edited_keys": edits.iter().flat_map(FileEdit::keys).collect::<Vec<_>>(),
        "before": effective_json(&plan.before),
        "after": effective_json(&plan.after),
        "warnings": warnings_json(&plan.warnings, tr),
        "diff": diff,
        "journal_id": id,
        "reason": reason,
    });
    if edits.len() > 1 {
        value["files"] = edits.iter().map(|edit| json!(edit.path)).collect();
    }
    if !pinned.is_empty() {
        value["projects"] = pinned.iter().map(|pinned| pinned_json(pinned, tr)).collect();
    }
    if let Some(outside) = &plan.after_outside {
        value["after_outside_project"] = effective_json(outside);
    }
    if let Some(others) = &plan.after_other_roles {
        value["after_other_roles"] = effective_json(others);
    }
    format!("{value}\n")
}

fn as_text(tool: &dyn Tool, plan: &Plan, tr: &Tr) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    let named = |effective: &Effective| {
        let model = effective.model.clone().unwrap_or_else(|| tr.text("switch-own-default"));
        with_provider(model, effective.provider.as_deref(), tr)
    };
    match &plan.action {
        Action::Refuse(reason) => {
            line(tr.with("switch-refused", &args!("tool" => tool.name(), "reason" => reason.message(tr))));
        }
        Action::Edit(edits) if edits.is_empty() => {
            line(tr.with("switch-nothing", &args!("tool" => tool.name(), "model" => named(&plan.before))));
        }
        Action::Edit(edits) => {
            let args = args!("tool" => tool.name(), "before" => named(&plan.before), "after" => named(&plan.after));
            line(tr.with("switch-planned", &args));
            for edit in edits {
                line(edit.diff().trim_end().to_owned());
            }
        }
    }
    let is_reason = |warning: &&Warning| matches!(&plan.action, Action::Refuse(reason) if reason == *warning);
    for warning in plan.warnings.iter().filter(|warning| !is_reason(warning)) {
        line(format!("! {}", warning.message(tr)));
    }
    text
}
