//! `vacancy probe`: one probe of each target, and what it means.

use std::io::Write as _;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use serde_json::json;

use crate::app;
use crate::args;
use crate::cli::probe_record::Record;
use crate::cli::{self, Context, Exit, Failure, probe_tool};
use crate::core::classify::{Origin, RuleSet, classify};
use crate::core::exchange::{Exchange, Timing};
use crate::core::outcome::{Kind, Outcome};
use crate::core::sample::{KEY_MISSING, Sample, Source};
use crate::core::target::{Probing, Target};
use crate::format;
use crate::i18n::Tr;
use crate::probe::{Gate, HttpProber, ProbeError, Prober};
use crate::secrets::SystemSecrets;
use crate::settings::nearest::nearest;
use crate::settings::{Provider, Settings};
use crate::toolprobe::Program;

/// Probes that wait for their turn at once; the gate lets fewer in.
const WAITING: usize = 64;

/// Arguments of `vacancy probe`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 something is free, 5 nothing is; 1 a result, which is printed all the same, could not be \
                        written into the record. With --json, such a line has `recorded`: false."
)]
pub struct Args {
    /// The targets to probe, by id or by a model that one of them alone has; without any, all that the schedule probes (free tiers and plans must be named)
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    /// Print one line of JSON a target
    #[arg(long)]
    pub json: bool,
    /// Print the request as a curl command, with the key as a shell variable, and send nothing
    #[arg(long, conflicts_with = "json")]
    pub curl: bool,
    /// Ask this tool itself, which costs tokens of its plan: shows how many and asks first
    #[arg(long, value_name = "TOOL", value_parser = ["codex", "claude-code", "gemini-cli", "opencode"], conflicts_with = "curl")]
    pub tool: Option<String>,
    /// Do not ask before a tool is run
    #[arg(long, short, requires = "tool")]
    pub yes: bool,
    /// Only what costs nothing: how much of the plan's limits is used, and the models (codex)
    #[arg(long, requires = "tool", conflicts_with = "yes")]
    pub limits: bool,
}

/// Probes targets once, prints the verdicts and records them.
///
/// # Errors
///
/// [`Exit::Usage`] when the settings are not valid or name no such target, [`Exit::Refused`] for a target that is never
/// probed, [`Exit::Fault`] when a result, which was printed, is not in the record.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let settings = app::settings(context)?;
    if let Some(program) = args.tool.as_deref().and_then(Program::from_name) {
        return probe_tool::run(args, program, &settings, context);
    }
    let chosen = choose(&settings, &args.targets, tr)?;
    if args.curl {
        for (target, provider) in &chosen {
            if chosen.len() > 1 {
                print(&format!("# {}", target.id))?;
            }
            print(&provider.curl(&target.model))?;
        }
        return Ok(Exit::Done);
    }
    let rules =
        RuleSet::with_user(settings.rules.clone()).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    runtime.block_on(probe_all(args.json, context, &chosen, &rules))
}

type Chosen<'a> = (&'a Arc<Target>, &'a Provider);

/// That there is no such target, with those that there are: the one most like it first, and not hundreds.
fn unknown(settings: &Settings, name: &str, tr: &Tr) -> String {
    const SHOWN: usize = 12;
    let mut known: Vec<_> = settings.targets.iter().map(|target| target.id.as_str()).collect();
    let like = nearest(name, known.iter().copied());
    known.sort_by_key(|id| Some(*id) != like);
    let rest = known.len() > SHOWN;
    known.truncate(SHOWN);
    known.extend(rest.then_some("…"));
    let id = if known.is_empty() { "probe-unknown-none" } else { "probe-unknown-target" };
    tr.with(id, &args!("target" => name, "known" => format::list(&known, tr)))
}

/// The target with this id, or the only one of a model of this name, as it stands on the Board.
fn named<'a>(settings: &'a Settings, name: &str) -> Option<&'a Arc<Target>> {
    let by_id = settings.targets.iter().find(|target| target.id.as_str() == name);
    by_id.or_else(|| {
        let mut of_model = settings.targets.iter().filter(|target| target.model.as_str() == name);
        of_model.next().filter(|_| of_model.next().is_none())
    })
}

fn choose<'a>(settings: &'a Settings, names: &[String], tr: &Tr) -> Result<Vec<Chosen<'a>>, Failure> {
    let mut chosen: Vec<Chosen<'a>> = Vec::new();
    for name in names {
        let Some(target) = named(settings, name) else {
            return Err(Failure::new(Exit::Usage, unknown(settings, name, tr)));
        };
        let provider = settings.provider(&target.provider).filter(|_| target.probing != Probing::Never);
        let Some(provider) = provider else {
            return Err(Failure::new(Exit::Refused, tr.with("probe-never", &args!("target" => name.as_str()))));
        };
        if !chosen.iter().any(|(known, _)| known.id == target.id) {
            chosen.push((target, provider));
        }
    }
    if names.is_empty() {
        let scheduled = settings.targets.iter().filter(|target| target.probing == Probing::Scheduled);
        chosen.extend(scheduled.filter_map(|target| Some((target, settings.provider(&target.provider)?))));
    }
    if chosen.is_empty() { Err(Failure::new(Exit::Usage, tr.text("probe-no-targets"))) } else { Ok(chosen) }
}

/// What came of one probe.
pub(super) struct Verdict {
    pub at: Timestamp,
    pub outcome: Outcome,
    pub http_status: Option<u16>,
    pub timing: Timing,
    /// Why nothing could be sent, in words.
    pub trouble: Option<String>,
}

impl Verdict {
    pub fn sample(&self, target: &Target) -> Sample {
        Sample::new(target.id.clone(), Source::Probe, self.at, self.http_status, self.timing, &self.outcome)
    }
}

async fn probe_all(is_json: bool, context: &Context, chosen: &[Chosen<'_>], rules: &RuleSet) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let secrets = Arc::new(SystemSecrets::new(context.env.clone(), context.roots.clone()));
    let prober = HttpProber::new(secrets, Arc::clone(&context.clock), Gate::default());
    let mut record = Record::open(chosen.iter().map(|(target, _)| &***target), context).await;
    let mut verdicts =
        stream::iter(chosen.iter().map(|chosen| probe(&prober, context, *chosen, rules))).buffered(WAITING);
    let mut is_any_free = false;
    let mut index = 0;
    while let Some(verdict) = verdicts.next().await {
        let (target, _) = chosen[index];
        index += 1;
        is_any_free |= verdict.outcome.kind == Kind::Available;
        let is_recorded = record.add(verdict.sample(target)).await;
        print(&if is_json { as_json(target, &verdict, is_recorded) } else { as_text(target, &verdict, tr) })?;
    }
    record.close(tr)?;
    Ok(if is_any_free { Exit::Done } else { Exit::NothingFree })
}

async fn probe(prober: &HttpProber, context: &Context, (target, provider): Chosen<'_>, rules: &RuleSet) -> Verdict {
    let job = provider.job(&target.model);
    let (at, exchange, failed) = match prober.probe(&job).await {
        Ok(probed) => (probed.began_at, probed.exchange, None),
        Err(error) => (context.clock.now(), Exchange::default(), Some(error)),
    };
    let origin = Origin { dialect: target.dialect, provider: Some(provider.id.as_str()) };
    let outcome = failed.as_ref().map_or_else(|| classify(origin, &exchange, rules), ProbeError::outcome);
    let trouble = failed.map(|error| error.describe(&context.tr));
    Verdict { at, outcome, http_status: exchange.status, timing: exchange.timing, trouble }
}

/// One line; one that is not in the record says so, last.
pub(super) fn as_json(target: &Target, verdict: &Verdict, is_recorded: bool) -> String {
    let Verdict { outcome, http_status, timing, .. } = verdict;
    let mut line = json!({
        "target": target.id,
        "kind": outcome.kind,
        "scope": outcome.scope,
        "retry_after_s": outcome.retry_after.map(|wait| wait.as_millis().div_ceil(1000) as u64),
        "wait_helps": outcome.wait_helps,
        "switch_helps": outcome.switch_helps,
        "rule": outcome.rule,
        "http_status": http_status,
        "connect_ms": timing.connect_ms,
        "first_token_ms": timing.first_token_ms,
        "total_ms": timing.total_ms,
    });
    if !is_recorded {
        line["recorded"] = false.into();
    }
    line.to_string()
}

pub(super) fn as_text(target: &Target, verdict: &Verdict, tr: &Tr) -> String {
    let Verdict { outcome, http_status, timing, trouble, .. } = verdict;
    let seconds = |millis: u32| {
        let digits = if millis < 1000 { 2 } else { 1 };
        format!("{:.digits$}", f64::from(millis) / 1000.0)
    };
    let mut parts = vec![match &*outcome.rule {
        KEY_MISSING => tr.text("ui-kind-no-key"),
        _ => tr.text(&format!("kind-{}", outcome.kind)),
    }];
    if outcome.kind == Kind::Available {
        let first = timing.first_token_ms.map(|ms| tr.with("probe-first-token", &args!("seconds" => seconds(ms))));
        parts.extend(first);
    } else {
        parts.push(tr.text(&format!("scope-{}", outcome.scope.name())));
        parts.extend(http_status.map(|status| format!("HTTP {status}")));
        parts.extend(outcome.retry_after.map(|wait| retry(wait.as_secs(), tr)));
        if outcome.wait_helps {
            parts.push(tr.text("probe-wait-helps"));
        }
        if outcome.switch_helps {
            parts.push(tr.text("probe-switch-helps"));
        }
    }
    parts.extend(timing.total_ms.map(|ms| tr.with("probe-total", &args!("seconds" => seconds(ms)))));
    parts.push(tr.with("probe-rule", &args!("rule" => &*outcome.rule)));
    let mut text = format::labelled(target.id.as_str(), &parts.join(" · "), tr);
    for detail in [trouble.as_deref().unwrap_or_default(), outcome.excerpt.as_str()] {
        if !detail.is_empty() {
            text.push_str("\n    ");
            text.push_str(&printable(detail));
        }
    }
    text
}

fn retry(seconds: u64, tr: &Tr) -> String {
    let (id, n) = match seconds {
        0..120 => ("probe-retry-seconds", seconds),
        120..7_200 => ("probe-retry-minutes", seconds.div_ceil(60)),
        _ => ("probe-retry-hours", seconds.div_ceil(3_600)),
    };
    tr.with(id, &args!("n" => n))
}

/// A server's words must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(super) fn print(text: &str) -> Result<(), Failure> {
    cli::written(writeln!(std::io::stdout(), "{text}"))
}
