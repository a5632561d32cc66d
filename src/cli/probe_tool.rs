//! `vacancy probe --tool`: one short answer of a subscription's own tool, after its cost was shown.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::app;
use crate::args;
use crate::cli::probe::{Args, Verdict, as_json, as_text, print};
use crate::cli::probe_record::Record;
use crate::cli::{Context, Exit, Failure};
use crate::core::outcome::Kind;
use crate::core::target::Target;
use crate::i18n::Tr;
use crate::listen::Limit;
use crate::settings::Settings;
use crate::store::Store;
use crate::toolprobe::Program;
use crate::toolprobe::free::Told;
use crate::toolprobe::pace::in_use;
use crate::toolprobe::probe::{Installed, ToolError, ToolProbed};
use crate::toolprobe::run::Stop;
use crate::ui::format::{self, moment};

/// Runs the tool for the named targets, or for all that it has.
///
/// # Errors
///
/// [`Exit::Usage`] when the tool has no such target, [`Exit::NeedsYes`] without consent, [`Exit::Refused`] beside the
/// user's own session or when the tool cannot be asked, [`Exit::Fault`] when a result is not in the record.
pub(super) fn run(args: &Args, program: Program, settings: &Settings, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let refused = |error: &ToolError| Failure::new(Exit::Refused, error.describe(tr));
    let config = settings.tool_probes.get(&program).cloned().unwrap_or_default();
    let clock = &*context.clock;
    let stop = Stop::default();
    let find = || {
        Installed::find(program, &config, &context.env, &context.roots, clock, &stop).map_err(|error| refused(&error))
    };
    if args.limits {
        if program != Program::Codex {
            return Err(Failure::new(Exit::Refused, tr.text("toolprobe-limits-only-codex")));
        }
        let told = find()?.ask_free(clock, &stop).map_err(|error| refused(&error))?;
        print(&if args.json { told_json(&told) } else { told_text(&told, clock.now(), context) })?;
        return Ok(Exit::Done);
    }
    let chosen = choose(program, settings, &args.targets, tr)?;
    let installed = find()?;
    let probes = u32::try_from(chosen.len()).unwrap_or(u32::MAX);
    let (one, all) = (installed.cost(), installed.cost().times(probes));
    let path = installed.path.display().to_string();
    let cost = args!("tool" => program.name(), "least" => one.least, "most" => one.most, "path" => path);
    say(&tr.with("toolprobe-cost", &cost));
    if probes > 1 {
        say(&tr.with("toolprobe-cost-all", &args!("probes" => probes, "least" => all.least, "most" => all.most)));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    runtime.block_on(async {
        let record = Record::open(chosen.iter().map(|target| &***target), context).await;
        if !args.yes {
            if let Some(minutes) = minutes_since_own(record.store(), &chosen, clock.now()).await {
                let args = args!("tool" => program.name(), "minutes" => minutes);
                return Err(Failure::new(Exit::Refused, tr.with("toolprobe-fresh", &args)));
            }
            if !confirm(context, args.json)? {
                return Err(Failure::new(Exit::NeedsYes, tr.text("toolprobe-needs-yes")));
            }
        }
        probe_all(args.json, &installed, &chosen, record, context).await
    })
}

async fn probe_all(
    is_json: bool,
    installed: &Installed,
    chosen: &[&Arc<Target>],
    mut record: Record,
    context: &Context,
) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let mut is_any_free = false;
    for target in chosen {
        let stop = Stop::default();
        let mut running = {
            let (installed, model, clock) = (installed.clone(), target.model.clone(), Arc::clone(&context.clock));
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || installed.probe(model.as_str(), &*clock, &stop))
        };
        // A tool in a group of its own does not hear the terminal's signal: it is ended by us.
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = app::stop_signal() => {
                stop.stop();
                running.await
            }
        };
        let probed = ended.map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
        let ToolProbed { began_at, outcome, http_status, timing } =
            probed.map_err(|error| Failure::new(Exit::Refused, error.describe(tr)))?;
        is_any_free |= outcome.kind == Kind::Available;
        let verdict = Verdict { at: began_at, outcome, http_status, timing, trouble: None };
        let is_recorded = record.add(verdict.sample(target)).await;
        print(&if is_json { as_json(target, &verdict, is_recorded) } else { as_text(target, &verdict, tr) })?;
    }
    record.close(tr)?;
    Ok(if is_any_free { Exit::Done } else { Exit::NothingFree })
}

fn choose<'a>(
    program: Program,
    settings: &'a Settings,
    names: &[String],
    tr: &Tr,
) -> Result<Vec<&'a Arc<Target>>, Failure> {
    let its: Vec<&Arc<Target>> =
        settings.targets.iter().filter(|target| target.provider.as_str() == program.name()).collect();
    if its.is_empty() {
        let args = args!("tool" => program.name());
        return Err(Failure::new(Exit::Usage, tr.with("toolprobe-no-targets", &args)));
    }
    if names.is_empty() {
        return Ok(its);
    }
    let mut chosen: Vec<&Arc<Target>> = Vec::new();
    for name in names {
        let Some(target) = its.iter().find(|target| target.id.as_str() == name) else {
            let args = args!("tool" => program.name(), "target" => name.as_str());
            return Err(Failure::new(Exit::Usage, tr.with("toolprobe-not-its-target", &args)));
        };
        if !chosen.iter().any(|known| known.id == target.id) {
            chosen.push(target);
        }
    }
    Ok(chosen)
}

/// How long ago the user's own session left a sign, when that is too short to run the tool beside it.
async fn minutes_since_own(store: Option<&Store>, chosen: &[&Arc<Target>], now: Timestamp) -> Option<i64> {
    let targets: Vec<_> = chosen.iter().map(|target| target.id.clone()).collect();
    let read = store?.handle().read(move |reader| {
        let mut samples = Vec::new();
        for target in &targets {
            samples.extend(reader.recent(target, 12)?);
        }
        Ok(samples)
    });
    in_use(&read.await.ok()?, now)
}

/// Asks at the terminal; without one the answer is no.
fn confirm(context: &Context, is_json: bool) -> Result<bool, Failure> {
    let stdin = std::io::stdin();
    if is_json || !context.is_terminal || !stdin.is_terminal() {
        return Ok(false);
    }
    let mut out = std::io::stderr();
    let asked = write!(out, "{} ", context.tr.text("toolprobe-ask")).and_then(|()| out.flush());
    let mut answer = String::new();
    let read = asked.and_then(|()| stdin.lock().read_line(&mut answer));
    read.map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是"))
}

/// What is not a verdict goes to standard error.
fn say(text: &str) {
    // A closed terminal is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn told_json(told: &Told) -> String {
    let limits = told.limits.iter().map(|limit| {
        json!({
            "id": limit.id.as_ref().map(|id| id.as_str()), "window_minutes": limit.window_minutes,
            "used_percent": limit.used_percent, "resets_at": limit.resets_at.map(|at| at.to_string()),
        })
    });
    let models = told.models.iter().map(|model| model.as_str());
    json!({
        "limits": limits.collect::<Vec<_>>(), "needs_login": told.needs_login, "models": models.collect::<Vec<_>>(),
    })
    .to_string()
}

fn told_text(told: &Told, now: Timestamp, context: &Context) -> String {
    let tr = &context.tr;
    let zone = TimeZone::system();
    let mut lines: Vec<String> = told.limits.iter().map(|limit| limit_text(limit, now, &zone, tr)).collect();
    if told.needs_login {
        lines.push(tr.text("toolprobe-needs-login"));
    }
    if !told.models.is_empty() {
        let models = told.models.iter().map(|model| model.as_str());
        lines.push(tr.with("toolprobe-models", &args!("models" => format::list(models, tr))));
    }
    lines.join("\n")
}

fn limit_text(limit: &Limit, now: Timestamp, zone: &TimeZone, tr: &Tr) -> String {
    let window = match limit.window_minutes {
        Some(minutes) if minutes >= 1440 => tr.with("toolprobe-window-days", &args!("n" => minutes / 1440)),
        Some(minutes) => tr.with("toolprobe-window-hours", &args!("n" => minutes.div_ceil(60))),
        None => tr.text("toolprobe-window"),
    };
    let name = match &limit.id {
        Some(id) => format!("{id} · {window}"),
        None => window,
    };
    let percent = format!("{:.0}", limit.used_percent);
    match limit.resets_at {
        Some(at) => {
            let args = args!("name" => name, "percent" => percent, "time" => moment(at, now, zone, tr));
            tr.with("toolprobe-limit-resets", &args)
        }
        None => tr.with("toolprobe-limit", &args!("name" => name, "percent" => percent)),
    }
}
