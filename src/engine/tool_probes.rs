//! The probes that the user allowed a subscription's own tool to make: one at a time, rarely, never beside a session.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinSet;

use crate::core::board::Board;
use crate::core::sample::{Sample, Source};
use crate::core::schedule::Schedule;
use crate::core::target::{Target, TargetId};
use crate::listen::Tool;
use crate::settings::Settings;
use crate::toolprobe::Program;
use crate::toolprobe::config::ToolProbe;
use crate::toolprobe::pace::{due, put_off};
use crate::toolprobe::probe::{ToolError, ToolProbed, Tools};
use crate::toolprobe::run::Stop;

/// After a tool could not be asked it is tried again so much later: it may have been updated or signed in since.
const AFTER_TROUBLE: SignedDuration = SignedDuration::from_hours(1);

/// A run by another program of ours is over after this long.
const WHILE_BUSY: SignedDuration = SignedDuration::from_mins(2);

/// A run that has ended.
pub(super) struct Done {
    pub target: Arc<Target>,
    pub program: Program,
    pub result: Result<ToolProbed, ToolError>,
}

/// What a plan is made of.
pub(super) struct View<'a> {
    pub settings: &'a Settings,
    pub board: &'a Board,
    /// The user's own sessions that are running.
    pub sessions: &'a [(Tool, usize)],
    pub now: Timestamp,
    pub zone: &'a TimeZone,
}

/// Plans and runs tools.
pub(super) struct ToolProbes {
    tools: Arc<dyn Tools>,
    /// Runs of the local day that began then.
    spent: HashMap<Program, (Timestamp, u32)>,
    not_before: HashMap<Program, Timestamp>,
    /// What the user asked for, in order.
    wanted: VecDeque<TargetId>,
    jobs: JoinSet<Done>,
    stop: Stop,
}

impl ToolProbes {
    pub fn new(tools: Arc<dyn Tools>) -> Self {
        let (spent, not_before) = (HashMap::new(), HashMap::new());
        Self { tools, spent, not_before, wanted: VecDeque::new(), jobs: JoinSet::new(), stop: Stop::default() }
    }

    /// Counts the runs of today in the record, and lets the tools' logs be read before anything is run.
    pub fn restore(&mut self, settings: &Settings, samples: &[Sample], now: Timestamp, zone: &TimeZone) {
        let today = Schedule::day_start(now, zone);
        let settled = now.checked_add(self.tools.settle()).unwrap_or(Timestamp::MAX);
        self.not_before.extend(Program::ALL.map(|program| (program, settled)));
        for sample in samples.iter().filter(|sample| sample.source == Source::Probe && sample.at >= today) {
            if let Some((program, _)) = settings.target(&sample.target).and_then(|target| of(settings, target)) {
                self.count(program, today);
            }
        }
    }

    /// The planned run of each target that may have one. Nothing is planned beside a run.
    pub fn plans(&self, view: &View<'_>) -> HashMap<TargetId, Timestamp> {
        let mut plans = HashMap::new();
        for entry in &view.board.entries {
            let Some((program, config)) = of(view.settings, &entry.target).filter(|(_, config)| config.is_enabled)
            else {
                continue;
            };
            let samples: Vec<Sample> = entry.recent.iter().cloned().collect();
            let day = Schedule::day_start(view.now, view.zone);
            let spent = self.spent.get(&program).filter(|(began, _)| *began == day).map_or(0, |(_, runs)| *runs);
            let Some(mut at) = due(config.pace, &samples, None, spent, view.now, view.zone) else { continue };
            if view.sessions.iter().any(|(tool, count)| *tool == program.tool() && *count > 0) {
                at = at.max(put_off(view.now));
            }
            let not_before = self.not_before.get(&program).copied();
            plans.insert(entry.target.id.clone(), not_before.map_or(at, |not_before| at.max(not_before)));
        }
        plans
    }

    /// Starts the run that is due first, unless one is under way.
    pub fn start(&mut self, plans: &HashMap<TargetId, Timestamp>, view: &View<'_>) {
        if !self.jobs.is_empty() {
            return;
        }
        let due = plans.iter().filter(|(_, at)| **at <= view.now).min_by_key(|(target, at)| (**at, target.as_str()));
        if let Some(target) = due.and_then(|(target, _)| view.settings.target(target)) {
            self.begin(target, view);
        }
    }

    /// Runs the tool for this target as soon as no other run is under way: the user asked for it.
    pub fn want(&mut self, target: TargetId) {
        if !self.wanted.contains(&target) {
            self.wanted.push_back(target);
        }
    }

    /// Starts the run that the user asked for first, unless one is under way.
    pub fn start_wanted(&mut self, view: &View<'_>) {
        while self.jobs.is_empty()
            && let Some(target) = self.wanted.pop_front()
        {
            if let Some(target) = view.settings.target(&target) {
                self.begin(target, view);
            }
        }
    }

    fn begin(&mut self, target: &Arc<Target>, view: &View<'_>) {
        let Some((program, config)) = of(view.settings, target) else { return };
        self.count(program, Schedule::day_start(view.now, view.zone));
        let (tools, stop, target) = (Arc::clone(&self.tools), self.stop.clone(), Arc::clone(target));
        self.jobs.spawn_blocking(move || {
            let result = tools.probe(program, &config, target.model.as_str(), &stop);
            Done { target, program, result }
        });
    }

    /// Whether a run is under way.
    pub fn is_running(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Waits for the end of the run under way; `None` is one that failed by a fault in our own code.
    pub async fn ended(&mut self) -> Option<Done> {
        match self.jobs.join_next().await? {
            Ok(done) => Some(done),
            Err(error) => {
                tracing::error!(%error, "a tool's probe failed");
                None
            }
        }
    }

    /// Tries the tool again later.
    pub fn trouble(&mut self, program: Program, now: Timestamp) {
        self.not_before.insert(program, now.checked_add(AFTER_TROUBLE).unwrap_or(Timestamp::MAX));
    }

    /// Tries a tool that another program of ours runs again when that will be over.
    pub fn busy(&mut self, program: Program, now: Timestamp) {
        self.not_before.insert(program, now.checked_add(WHILE_BUSY).unwrap_or(Timestamp::MAX));
    }

    /// Gives a tool that made trouble a new chance.
    pub fn forgive(&mut self) {
        self.not_before.clear();
    }

    /// Ends the run under way with all that it started.
    pub async fn close(&mut self) {
        self.stop.stop();
        while self.jobs.join_next().await.is_some() {}
    }

    fn count(&mut self, program: Program, day: Timestamp) {
        let spent = self.spent.entry(program).or_insert((day, 0));
        if spent.0 != day {
            *spent = (day, 0);
        }
        spent.1 = spent.1.saturating_add(1);
    }
}

/// The tools that are asked of themselves.
pub(super) fn asked(settings: &Settings) -> Vec<Program> {
    settings.tool_probes.iter().filter(|(_, config)| config.is_enabled).map(|(program, _)| *program).collect()
}

/// The tool of a subscription's target.
pub(super) fn program_of(target: &Target) -> Option<Program> {
    Program::from_name(target.provider.as_str())
}

/// The tool of a subscription's target, and what the user set about it.
fn of(settings: &Settings, target: &Target) -> Option<(Program, ToolProbe)> {
    let program = program_of(target)?;
    Some((program, settings.tool_probes.get(&program).cloned().unwrap_or_default()))
}
