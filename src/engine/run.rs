//! The loop: one `select!` over everything that can wake the engine.

mod probes;
mod told;
mod tools;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::args;
use crate::core::board::Spent;
use crate::core::classify::RuleSet;
use crate::core::limits::Window;
use crate::core::sample::{Sample, Source};
use crate::core::schedule::{ClockWatch, Event};
use crate::core::target::TargetId;
use crate::engine::Parts;
use crate::engine::context::{Context, Joined};
use crate::engine::look::Look;
use crate::engine::machines::{Machines, Task};
use crate::engine::recorder::{Found, Recorder};
use crate::engine::request::{Evidence, Request};
use crate::engine::settings_watch::SettingsWatch;
use crate::engine::snapshot::{ActivityEvent, EngineStatus, Snapshot};
use crate::engine::switching::{Heard, Switching};
use crate::engine::tool_probes::{self, ToolProbes, View};
use crate::listen::{Limit, Tool};
use crate::probe::Job;
use crate::settings::Settings;
use crate::store::StoreError;
use crate::toolprobe::pace::in_use;
use crate::toolprobe::probe::{ToolError, ToolProbed};
use probes::Done;
use told::{UsualFound, UsualLook};

/// The longest sleep. The timer stands still while the machine sleeps, so this is how late a wake is noticed.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// What wakes the loop.
enum Wake {
    Request(Option<Request>),
    Done(Box<Done>),
    ProbeLost(TargetId),
    /// A subscription's own tool has answered, or failed in our own code.
    ToolDone(Option<tool_probes::Done>),
    /// The store is in other health than before.
    Health,
    Context(Joined),
    /// The hands have carried out an order, or the record answered the rules.
    Tools(Heard),
    /// How long free times usually last.
    Usual(UsualFound),
    /// Something happened to the settings file.
    Settings,
    /// Whether others have added to the record.
    Record(Result<Found, StoreError>),
    Timer,
    Stop,
}

/// The running engine.
pub(super) struct Engine {
    parts: Parts,
    settings: Settings,
    rules: Arc<RuleSet>,
    machines: Machines,
    recorder: Recorder,
    watch: SettingsWatch,
    /// How often the settings were read since the start.
    reads: u64,
    context: Context,
    clocks: ClockWatch,
    began: Instant,
    jobs: JoinSet<Done>,
    running: HashMap<tokio::task::Id, (TargetId, Job)>,
    publish: watch::Sender<Snapshot>,
    tools: ToolProbes,
    limits: Vec<Limit>,
    key_limits: Arc<HashMap<TargetId, Vec<Window>>>,
    sessions: Vec<(Tool, usize)>,
    /// When the next run of a tool is due.
    tools_at: Option<Timestamp>,
    look: Look,
    switching: Switching,
    usual: UsualLook,
    /// What was kept of the notices last.
    kept_notices: String,
    /// Ways of telling that do not work; each was said.
    mute_ways: BTreeSet<&'static str>,
}

impl Engine {
    pub(super) fn new(mut parts: Parts, publish: watch::Sender<Snapshot>) -> Self {
        let settings = parts.settings.clone();
        let switching = Switching::start(parts.hands.take(), settings.tool_rules(), parts.clock.now());
        let mut context = Context::new(parts.context.clone(), parts.rng.clone());
        context.configure(&settings);
        let machines = Machines::new(settings.setup(&parts.zone), parts.rng.clone());
        Self {
            rules: Arc::new(rules(&settings)),
            recorder: Recorder::new(parts.store.clone()),
            watch: SettingsWatch::new(parts.settings_file.clone(), &settings),
            reads: 0,
            settings,
            context,
            machines,
            clocks: ClockWatch::default(),
            began: parts.clock.instant(),
            jobs: JoinSet::new(),
            running: HashMap::new(),
            publish,
            tools: ToolProbes::new(Arc::clone(&parts.tools)),
            limits: Vec::new(),
            key_limits: Arc::default(),
            sessions: Vec::new(),
            tools_at: None,
            look: Look::default(),
            switching,
            usual: UsualLook::default(),
            kept_notices: String::new(),
            mute_ways: BTreeSet::new(),
            parts,
        }
    }

    /// Runs until asked to quit; returns when the record is on disk.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>, stop: CancellationToken) {
        self.begin().await;
        let mut health = self.parts.store.health();
        let mut is_news = true;
        let mut rouses = true;
        loop {
            let now = self.parts.clock.now();
            self.context.step(self.machines.board(), self.machines.is_quiet(), now);
            self.plan_tools(now);
            self.step_rules(now);
            self.look_at_usual(now);
            if self.look.is_due(self.parts.clock.instant()) {
                let reread = self.recorder.reread(self.machines.wanted(now));
                self.look.begin(reread, self.parts.clock.instant());
            }
            // A look that found nothing wakes nobody.
            if std::mem::replace(&mut is_news, true) {
                self.publish();
                match std::mem::replace(&mut rouses, true) {
                    true => self.parts.waker.wake(),
                    false => self.parts.waker.minute(),
                }
            }
            let sleep = self.sleep();
            let wake = tokio::select! {
                biased;
                () = stop.cancelled() => Wake::Stop,
                request = requests.recv() => Wake::Request(request),
                Some(joined) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => self.joined(joined),
                done = self.tools.ended(), if self.tools.is_running() => Wake::ToolDone(done),
                Ok(()) = health.changed() => Wake::Health,
                found = self.usual.done(), if self.usual.is_under_way() => Wake::Usual(found),
                found = self.look.done(), if self.look.is_under_way() => Wake::Record(found),
                Some(joined) = self.context.next(), if !self.context.is_idle() => Wake::Context(joined),
                heard = self.switching.next() => Wake::Tools(heard),
                () = self.watch.touched() => Wake::Settings,
                () = self.parts.clock.sleep(sleep) => Wake::Timer,
            };
            let now = self.parts.clock.now();
            let is_jump = self.clocks.is_jump(now, self.uptime());
            if is_jump {
                let tasks = self.machines.event(Event::ClockJumped, now);
                self.perform(tasks, now);
            }
            match wake {
                Wake::Stop | Wake::Request(None | Some(Request::Quit)) => break,
                Wake::Request(Some(request)) => self.request(request, now),
                Wake::Done(done) => self.done(*done, now),
                Wake::ProbeLost(target) => {
                    let tasks = self.machines.probed(&target, Spent::default(), None, now);
                    self.perform(tasks, now);
                }
                Wake::ToolDone(done) => self.tool_done(done, now),
                // Told with the next picture, which is published now.
                Wake::Health => self.look.imported(health.borrow_and_update().imports),
                Wake::Record(found) => match self.recorder.reread_done(found) {
                    Some(record) => self.machines.restore_again(record, now),
                    None => is_news = false,
                },
                Wake::Usual(found) => {
                    self.learn_usual(found);
                    is_news = false;
                }
                Wake::Context(joined) => self.context.answered(joined, now),
                Wake::Tools(heard) => self.tools_heard(heard, now),
                // What this program wrote itself was read already.
                Wake::Settings if self.watch.has_changed() => self.reload(now),
                Wake::Settings => is_news = false,
                // The picture of each minute for tray and metrics; the window draws its own minute.
                Wake::Timer => rouses = self.tick(now) || is_jump,
            }
        }
        self.jobs.abort_all();
        self.tools.close().await;
        self.switching.close().await;
        self.recorder.close().await;
    }

    async fn begin(&mut self) {
        let now = self.parts.clock.now();
        self.clocks.is_jump(now, self.uptime());
        self.recorder.register(&self.settings.targets);
        let record = self.recorder.read(self.machines.wanted(now)).await;
        let zone = self.zone();
        self.tools.restore(&self.settings, &record.samples, now, &zone);
        self.configure_notices(now);
        self.recall_notices().await;
        let mut spent = self.machines.restore(record, now);
        for (target, kept) in self.recorder.read_spent(self.machines.day_start(now)).await {
            let sum = spent.entry(target).or_default();
            *sum = Spent { requests: sum.requests.max(kept.requests), tokens: sum.tokens.max(kept.tokens) };
        }
        self.limits = self.recorder.read_limits(now).await;
        self.switching.remember(self.recorder.read_rules().await, now);
        self.tell_windows(&self.limits.clone(), now);
        // Before the first probe is planned.
        if let Some(until) = self.recorder.read_pause().await.filter(|until| until.is_none_or(|until| until > now)) {
            let tasks = self.machines.event(Event::Pause(until), now);
            self.perform(tasks, now);
        }
        let tasks = self.machines.start(spent, now);
        self.perform(tasks, now);
    }

    fn uptime(&self) -> Duration {
        self.parts.clock.instant().saturating_duration_since(self.began)
    }

    /// When something is due by itself.
    fn next_at(&self, now: Timestamp) -> Option<Timestamp> {
        let context = self.context.wake_at(self.machines.board(), self.machines.is_quiet());
        let rules = self.switching.wake_at(self.machines.board(), now);
        [self.machines.wake_at(), self.tools_at, context, rules].into_iter().flatten().min()
    }

    fn sleep(&self) -> Duration {
        let now = self.parts.clock.now();
        let until = self.next_at(now).map_or(SignedDuration::MAX, |at| at.duration_since(now));
        Duration::try_from(until)
            .unwrap_or_default()
            .min(self.look.due_in(self.parts.clock.instant()).unwrap_or(LONGEST_SLEEP))
            .min(LONGEST_SLEEP)
    }

    /// Answers whether there may be something new to see: something was due, changed or is amiss.
    fn tick(&mut self, now: Timestamp) -> bool {
        let has_changed = self.watch.has_changed();
        let is_amiss = self.recorder.trouble(&self.parts.tr).is_some();
        let is_due = self.next_at(now).is_some_and(|at| at <= now);
        if has_changed {
            self.reload(now);
        }
        self.recorder.retry();
        // Another program may have added to the record, as `vacancy listen` does.
        self.look.want();
        let tasks = self.machines.event(Event::Tick, now);
        self.perform(tasks, now);
        has_changed || is_amiss || is_due
    }

    fn zone(&self) -> TimeZone {
        self.settings.ui.zone.as_ref().unwrap_or(&self.parts.zone).clone()
    }

    /// Plans the runs of tools anew, and starts the one that is due.
    fn plan_tools(&mut self, now: Timestamp) {
        let zone = self.zone();
        let view =
            View { settings: &self.settings, board: self.machines.board(), sessions: &self.sessions, now, zone: &zone };
        let plans = self.tools.plans(&view);
        self.tools.start_wanted(&view);
        let may_run = !self.machines.is_quiet();
        if may_run {
            self.tools.start(&plans, &view);
        }
        let waits = may_run && !self.tools.is_running();
        self.tools_at = plans.values().filter(|_| waits).min().copied();
        self.machines.set_tool_plans(plans);
    }

    /// Has the tools of plans among `targets` asked, unless the user is working with them; answers with the others.
    fn want_tools(&mut self, targets: Vec<TargetId>, now: Timestamp) -> Vec<TargetId> {
        let mut others = Vec::new();
        for id in targets {
            let Some(program) = self.settings.target(&id).and_then(|target| tool_probes::program_of(target)) else {
                others.push(id);
                continue;
            };
            let entries = &self.machines.board().entries;
            let its = entries.iter().filter(|entry| tool_probes::program_of(&entry.target) == Some(program));
            match in_use(its.flat_map(|entry| &entry.recent), now) {
                None => self.tools.want(id),
                Some(minutes) => {
                    let args = args!("tool" => program.name(), "minutes" => minutes);
                    let words = self.parts.tr.with("toolprobe-in-use", &args);
                    self.machines.note_event(now, ActivityEvent::Trouble(words));
                }
            }
        }
        others
    }

    fn tool_done(&mut self, done: Option<tool_probes::Done>, now: Timestamp) {
        let Some(tool_probes::Done { target, program, result }) = done else { return };
        match result {
            Ok(probed) if self.settings.target(&target.id) == Some(&target) => {
                let ToolProbed { began_at, outcome, http_status, timing } = probed;
                let sample = Sample::new(target.id.clone(), Source::Probe, began_at, http_status, timing, &outcome);
                let tasks = self.machines.tool_probed(&sample, &outcome, now);
                self.perform(tasks, now);
            }
            // The settings have changed meanwhile.
            Ok(_) | Err(ToolError::Stopped { .. }) => {}
            // Another Vacancy runs it at present, as `vacancy probe --tool` does.
            Err(ToolError::Busy { .. }) => self.tools.busy(program, now),
            Err(error) => {
                tracing::warn!(%error, "a tool could not be asked");
                self.machines.note_event(now, ActivityEvent::Trouble(error.describe(&self.parts.tr)));
                self.tools.trouble(program, now);
            }
        }
    }

    fn request(&mut self, request: Request, now: Timestamp) {
        if let Request::Answered(answer) = &request {
            self.machines.note_answer(answer);
        }
        let event = match request {
            Request::ProbeNow(targets) => {
                let is_all = targets.is_empty();
                let targets = self.want_tools(targets, now);
                if targets.is_empty() && !is_all {
                    return;
                }
                Event::ProbeNow(targets)
            }
            Request::Pause(until) => {
                self.recorder.keep_pause(Some(until));
                Event::Pause(until)
            }
            Request::Resume => {
                self.recorder.keep_pause(None);
                Event::Resume
            }
            Request::Network(state) => Event::Network(state),
            Request::Attend(is_attended) => {
                self.context.attend(is_attended);
                Event::Attend(is_attended)
            }
            Request::Speak(lang) => return self.parts.tr = crate::i18n::Tr::new(lang),
            Request::ReloadSettings => return self.reload(now),
            Request::SettingsWritten => {
                self.take_settings(now);
                return;
            }
            Request::Evidence(evidence) => return self.hear(evidence, now),
            Request::Limits(limits) => return self.learn_limits(&limits, now),
            Request::Answered(answer) => return self.answered(&answer, now),
            Request::Snooze { targets, until } => return self.snooze(&targets, until, now),
            Request::DoNotDisturb(until) => return self.do_not_disturb(until, now),
            Request::Use { tool, target } => return self.use_target(tool, &target, now),
            Request::UndoSwitch { id } => return self.undo_switch(id, now),
            Request::ToolsChanged => return self.switching.want_look(),
            Request::NoticeTrouble(trouble) => return self.note_trouble(trouble, now),
            Request::Quit => return,
        };
        let tasks = self.machines.event(event, now);
        self.perform(tasks, now);
    }

    /// Takes in what the user's own sessions met.
    fn hear(&mut self, evidence: Evidence, now: Timestamp) {
        self.sessions = evidence.running;
        self.learn_limits(&evidence.limits, now);
        for sample in evidence.samples {
            let tasks = self.machines.heard(&sample, now);
            self.perform(tasks, now);
        }
        self.recorder.keep_cursors(evidence.cursors);
    }

    /// Takes in how much of plans' windows is used, and keeps it for the next start.
    fn learn_limits(&mut self, told: &[Limit], now: Timestamp) {
        let before = self.limits.clone();
        Limit::merge(&mut self.limits, told);
        if self.limits != before {
            self.recorder.keep_limits(&self.limits, now);
        }
        self.tell_windows(told, now);
    }

    /// Reads the settings file again and says so: another hand changed it, or the user asked for it.
    fn reload(&mut self, now: Timestamp) {
        if self.take_settings(now) {
            self.machines.note_event(now, ActivityEvent::SettingsReloaded);
        }
    }

    /// Reads the settings file again; one that is not valid leaves the last valid one in force. Whether there was a valid one.
    fn take_settings(&mut self, now: Timestamp) -> bool {
        let Some(settings) = self.watch.load() else { return false };
        self.reads += 1;
        // The window takes it on too, but may be hidden, and there may be none.
        if let Some(lang) = settings.ui.language.filter(|lang| Some(*lang) != self.settings.ui.language) {
            self.parts.tr = crate::i18n::Tr::new(lang);
        }
        self.rules = Arc::new(rules(&settings));
        self.recorder.register(&settings.targets);
        self.recorder.keep_days(settings.data.keep_days);
        if let Some(words) = self.parts.follower.as_mut().and_then(|one| one.follow(&settings, &self.parts.tr)) {
            self.machines.note_event(now, ActivityEvent::Trouble(words));
        }
        let setup = settings.setup(&self.parts.zone);
        self.context.configure(&settings);
        self.switching.configure(settings.tool_rules(), now);
        self.parts.notifier.configure(&settings);
        Arc::make_mut(&mut self.key_limits).retain(|target, _| settings.target(target).is_some());
        self.settings = settings;
        self.tools.forgive();
        // The record may know what is new here.
        self.recorder.want_record();
        self.look.want();
        let tasks = self.machines.configure(setup, now);
        self.perform(tasks, now);
        self.configure_notices(now);
        true
    }

    fn perform(&mut self, tasks: Vec<Task>, now: Timestamp) {
        let mut tasks = std::collections::VecDeque::from(tasks);
        while let Some(task) = tasks.pop_front() {
            match task {
                Task::Probe { target, .. } => match self.job(&target) {
                    Some((target, job)) if !self.is_running(&target.id, &job) => self.begin_probe(target, job),
                    _ => tasks.extend(self.machines.probed(&target, Spent::default(), None, now)),
                },
                Task::Store(sample) => self.recorder.store(sample),
                Task::Notify(notice) => self.show(&notice, now),
            }
        }
    }

    fn publish(&mut self) {
        let now = self.parts.clock.now();
        if let Some(words) = self.recorder.mended(&self.parts.tr) {
            self.machines.note_event(now, ActivityEvent::Trouble(words));
        }
        let status = EngineStatus {
            store_trouble: self.recorder.trouble(&self.parts.tr),
            settings_trouble: self.watch.trouble(&self.parts.tr),
            are_settings_gone: self.watch.is_gone(),
            settings_reads: self.reads,
            is_demo: self.parts.is_demo,
            limits: self.limits.clone(),
            key_limits: Arc::clone(&self.key_limits),
            running: self.sessions.clone(),
            asked_tools: tool_probes::asked(&self.settings),
            rules: self.switching.states(self.machines.board(), now).into(),
            background: self.settings.background,
            ..EngineStatus::default()
        };
        let mut snapshot = self.machines.snapshot(status, now);
        snapshot.context = self.context.remarks();
        self.recorder.set_plans(&snapshot.board);
        self.keep_notices();
        self.recorder.keep_spent(&snapshot.board, self.machines.day_start(now));
        self.publish.send_replace(snapshot);
    }
}

/// The user's rules were checked with the settings; should one fail all the same, the built-in ones still stand.
fn rules(settings: &Settings) -> RuleSet {
    RuleSet::with_user(settings.rules.clone()).unwrap_or_else(|error| {
        tracing::error!(%error, "the rules of the settings cannot be used");
        RuleSet::builtin()
    })
}
