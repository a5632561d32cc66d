//! What the window knows of subscriptions' tools that may be asked: which are installed, what an answer costs, and which
//! consent is being asked for. Pure.

use std::time::Duration;

use jiff::Timestamp;

use crate::args;
use crate::core::board::Entry;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::switch;
use crate::toolprobe::Program;
use crate::toolprobe::cost::Cost;
use crate::toolprobe::pace::{FRESH, in_use};
use crate::ui::format;
use crate::ui::screens::board::model_limits;

/// A tool that is installed.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Which.
    pub program: Program,
    /// Its file.
    pub path: String,
    /// What one probe costs.
    pub cost: Cost,
    /// It is asked of itself.
    pub is_enabled: bool,
    /// The least time between the newest evidence and a probe.
    pub every: Duration,
    /// The most probes in a day, over all of its models.
    pub daily: u32,
}

/// A consent that is asked for, with its cost in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asking {
    /// To ask a tool of itself from now on.
    Always(Program),
    /// To ask it once for a model.
    Once(Program, TargetId),
}

impl Asking {
    const fn program(&self) -> Program {
        match self {
            Self::Always(program) | Self::Once(program, _) => *program,
        }
    }
}

/// A tool in the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub program: Program,
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// On or off, and how often.
    pub state: String,
    /// What a probe and a day cost.
    pub cost: String,
    /// The plan's windows.
    pub limits: Vec<String>,
    /// It is asked of itself.
    pub is_enabled: bool,
    /// There is something to ask it for.
    pub can_enable: bool,
    /// What is to be consented to.
    pub question: Option<(String, Asking)>,
}

/// The panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The installed tools.
    pub rows: Vec<Row>,
    /// In their place, or below them.
    pub note: String,
}

impl Model {
    /// The panel for what was found; `None` is still being looked for.
    pub fn new(found: Option<&[Offer]>, asking: Option<&Asking>, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Self {
        let Some(offers) = found else {
            return Self { rows: Vec::new(), note: tr.text("toolprobe-panel-looking") };
        };
        let is_missing = |program: &Program| !offers.iter().any(|offer| offer.program == *program);
        let missing: Vec<&str> = Program::ALL.iter().copied().filter(is_missing).map(name).collect();
        let note = match (offers.is_empty(), missing.is_empty()) {
            (true, _) => tr.text("toolprobe-panel-none"),
            (false, true) => String::new(),
            (false, false) => tr.with("toolprobe-panel-missing", &args!("tools" => format::list(missing, tr))),
        };
        let rows = offers.iter().map(|offer| row(offer, asking, snapshot, now, tr)).collect();
        Self { rows, note }
    }
}

/// The tool's own spelling of its name.
fn name(program: Program) -> &'static str {
    switch::tools::find(program.name()).map_or(program.name(), |tool| tool.name())
}

/// The tool that a target is a plan of.
pub fn program_of(entry: &Entry) -> Option<Program> {
    Program::from_name(entry.target.provider.as_str())
}

/// Why a tool is not asked at present: the user is working with it. `None` when it may be asked.
pub fn refusal(program: Program, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Option<String> {
    let entries = snapshot.board.entries.iter().filter(|entry| program_of(entry) == Some(program));
    let minutes = in_use(entries.flat_map(|entry| &entry.recent), now)?;
    Some(tr.with("toolprobe-in-use", &args!("tool" => name(program), "minutes" => minutes)))
}

fn row(offer: &Offer, asking: Option<&Asking>, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Row {
    let program = offer.program;
    let count = |n: u32| format::count(u64::from(n));
    let mut entries = snapshot.board.entries.iter().filter(|entry| program_of(entry) == Some(program)).peekable();
    let can_enable = entries.peek().is_some();
    let day = offer.cost.times(offer.daily);
    let state = if offer.is_enabled {
        let minutes = i64::try_from(offer.every.as_secs() / 60).unwrap_or(i64::MAX);
        tr.with("toolprobe-panel-on", &args!("daily" => offer.daily, "every" => format::span(minutes, tr)))
    } else if can_enable {
        tr.text("toolprobe-panel-off")
    } else {
        tr.text("toolprobe-panel-no-target")
    };
    let question = asking.filter(|asking| asking.program() == program).map(|asking| {
        let words = match asking {
            Asking::Always(_) => tr.with(
                "toolprobe-panel-ask",
                &args!(
                    "tool" => name(program), "least" => count(day.least), "most" => count(day.most),
                    "daily" => offer.daily, "fresh" => FRESH.as_secs() / 60,
                ),
            ),
            Asking::Once(_, target) => {
                let model = snapshot.board.name_of(target);
                let (least, most) = (count(offer.cost.least), count(offer.cost.most));
                let args = args!("tool" => name(program), "model" => model, "least" => least, "most" => most);
                tr.with("toolprobe-panel-ask-once", &args)
            }
        };
        (words, asking.clone())
    });
    Row {
        program,
        name: name(program).to_owned(),
        path: offer.path.clone(),
        state,
        cost: tr.with(
            "toolprobe-panel-cost",
            &args!(
                "least" => count(offer.cost.least), "most" => count(offer.cost.most),
                "daily" => offer.daily, "day" => count(day.most),
            ),
        ),
        limits: entries.next().map(|entry| model_limits::of_plan(entry, snapshot, now, tr)).unwrap_or_default(),
        is_enabled: offer.is_enabled,
        can_enable,
        question,
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::outcome::{Kind, Scope};
    use crate::core::sample::Source;
    use crate::core::target::Role;
    use crate::i18n::Lang;
    use crate::listen::{Limit, Tool};
    use crate::ui::stage::Stage;

    fn offer(program: Program, is_enabled: bool) -> Offer {
        Offer {
            program,
            path: format!("/usr/bin/{}", program.file()),
            cost: Cost { least: 5_200, most: 10_900 },
            is_enabled,
            every: Duration::from_secs(6 * 3_600),
            daily: 4,
        }
    }

    #[test]
    fn the_cost_stands_before_the_switch() {
        let now: Timestamp = "2026-11-29T13:27:00Z".parse().unwrap();
        let mut stage = Stage::new(now, TimeZone::UTC);
        stage.target("gpt-6-luna", "codex", Some(Role::Primary));
        let told = |minutes: u32| Limit {
            ts: Some(now),
            tool: Tool::Codex,
            id: None,
            window_minutes: Some(minutes),
            used_percent: 82.0,
            resets_at: "2026-11-29T15:40:00Z".parse().ok(),
        };
        stage.status(|status| status.limits = vec![told(300)]);
        let (snapshot, tr) = (stage.snapshot(), Tr::new(Lang::English));
        let offers = [offer(Program::Codex, false), offer(Program::ClaudeCode, true)];
        let asking = Asking::Always(Program::Codex);
        let model = Model::new(Some(&offers), Some(&asking), &snapshot, now, &tr);
        let codex = &model.rows[0];
        assert!(codex.cost.contains("5,200 to 10,900") && codex.cost.contains("43,600"), "{}", codex.cost);
        let (words, _) = codex.question.as_ref().unwrap();
        assert!(words.contains("20,800 to 43,600") && words.contains("10 min"), "{words}");
        assert_eq!(codex.limits, ["5-hour window: 82 % used, resets 15:40"]);
        assert!(codex.can_enable && !codex.is_enabled);
        let claude = &model.rows[1];
        assert!(claude.question.is_none() && claude.is_enabled && !claude.can_enable);
        assert!(model.note.contains("Gemini CLI, opencode"), "{}", model.note);
        let once = Asking::Once(Program::Codex, "codex/gpt-6-luna".into());
        let model = Model::new(Some(&offers), Some(&once), &snapshot, now, &tr);
        let words = &model.rows[0].question.as_ref().unwrap().0;
        assert!(words.contains("gpt-6-luna") && words.contains("5,200 to 10,900"), "{words}");
        assert_eq!(Model::new(None, None, &snapshot, now, &tr).rows, []);
    }

    #[test]
    fn a_tool_in_use_is_not_asked() {
        let now: Timestamp = "2026-11-29T13:27:00Z".parse().unwrap();
        let tr = Tr::new(Lang::English);
        for (source, minutes, is_refused) in
            [(Source::ToolLog, 4, true), (Source::ToolLog, 11, false), (Source::Probe, 4, false)]
        {
            let mut stage = Stage::new(now, TimeZone::UTC);
            stage.target("other", "codex", None);
            stage.target("gpt-6-luna", "codex", Some(Role::Primary));
            let entry = stage.state(Kind::Available, Scope::Model, minutes, "rule");
            for sample in &mut entry.recent {
                sample.source = source;
                sample.at = now - jiff::SignedDuration::from_mins(minutes);
            }
            let snapshot = stage.snapshot();
            assert_eq!(refusal(Program::Codex, &snapshot, now, &tr).is_some(), is_refused, "{source:?} {minutes}");
            assert_eq!(refusal(Program::ClaudeCode, &snapshot, now, &tr), None);
        }
    }
}
