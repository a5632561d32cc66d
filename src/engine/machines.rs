//! The pure machines wired together: schedule, board, alert, strips and activity. Told of events, answers with tasks.
//!
//! Does no IO and reads no clock, so that the whole flow from a sample to a notice can be driven by a test.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::alert::{Alert, AlertConfig, Notice};
use crate::core::board::{Banner, Board, Change, Detail, Hold, Spent, Transition};
use crate::core::counts::Counts;
use crate::core::outcome::{Family, Outcome};
use crate::core::sample::{Sample, kept};
use crate::core::schedule::{
    Effect, Event, Finding, Plan, Purpose, Schedule, Setup, SkipReason, Thresholds, daily_limit,
};
use crate::core::target::{Probing, TargetId};
use crate::engine::activity::ActivityLog;
use crate::engine::record::{Record, Wanted};
use crate::engine::snapshot::{ActivityEvent, EngineStatus, Keeper, Snapshot};
use crate::engine::strips::Strips;
use crate::notify::Answer;

mod notices;

/// What the shell is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Make a probe.
    Probe {
        /// Of which target.
        target: TargetId,
        /// Why.
        purpose: Purpose,
    },
    /// Write a sample down.
    Store(Sample),
    /// Tell the user.
    Notify(Notice),
}

/// The machines; see the module.
pub struct Machines {
    setup: Setup,
    schedule: Schedule,
    board: Board,
    alert: Alert,
    strips: Strips,
    activity: ActivityLog,
    counts: Arc<Counts>,
    rng: fastrand::Rng,
    wake_at: Option<Timestamp>,
    in_flight: usize,
    /// The schedule is at work; before that, plans are those of the record.
    is_planning: bool,
    tool_plans: HashMap<TargetId, Timestamp>,
}

impl Machines {
    /// Machines for these settings that know nothing yet.
    pub fn new(setup: Setup, rng: fastrand::Rng) -> Self {
        let board = Board::new(setup.targets.iter().cloned());
        let alert = Alert::new(AlertConfig { zone: setup.zone.clone(), ..AlertConfig::default() });
        Self {
            setup,
            schedule: Schedule::new(),
            board,
            alert,
            strips: Strips::default(),
            activity: ActivityLog::default(),
            counts: Arc::default(),
            rng,
            wake_at: None,
            in_flight: 0,
            is_planning: false,
            tool_plans: HashMap::new(),
        }
    }

    /// What of the record is wanted by [`Machines::restore`] at `now`.
    pub fn wanted(&self, now: Timestamp) -> Wanted {
        let since = Strips::since(now).min(Schedule::day_start(now, &self.setup.zone));
        Wanted { targets: self.setup.targets.clone(), since, now, thresholds: self.thresholds() }
    }

    /// Takes in the record: what [`Machines::wanted`] says, in any order, duplicates allowed. Plans nothing;
    /// [`Machines::start`] does.
    pub fn restore(&mut self, record: Record, now: Timestamp) -> HashMap<TargetId, Spent> {
        let Record { mut samples, begun } = record;
        self.replay(&mut samples, now, |_| false);
        self.board.set_begun(&begun);
        self.alert.begin(&self.board, now);
        let today = Schedule::day_start(now, &self.setup.zone);
        Schedule::spent_today(&self.setup.targets, samples.iter().filter(|sample| sample.at >= today))
    }

    /// Takes in the record again, after others have added to it: a backfill, an import, another program. The picture is
    /// made anew from the record and what is known in memory, so that nothing counts twice and nothing of it is news.
    pub fn restore_again(&mut self, record: Record, now: Timestamp) {
        let Record { mut samples, begun } = record;
        // The newest samples may still be on their way to the record.
        samples.extend(self.board.entries.iter().flat_map(|entry| entry.recent.iter().cloned()));
        let board = Board::new(self.setup.targets.iter().cloned());
        let before = std::mem::replace(&mut self.board, board);
        let is_known = |target: &TargetId| before.entry(target).is_some_and(|entry| entry.confirmed.is_some());
        self.replay(&mut samples, now, is_known);
        self.board.set_begun(&begun);
        self.board.remember_of(&before);
        self.alert.observe(&self.board, now);
    }

    /// Shows stored samples to strips and board in the order of their times, without news. The first state of a target that
    /// `is_known` is where the samples begin and no change: each reading begins at a later one.
    fn replay(&mut self, samples: &mut Vec<Sample>, now: Timestamp, is_known: impl Fn(&TargetId) -> bool) {
        // A record written while the clock ran ahead must not hide what comes now.
        samples.retain(|sample| sample.at <= now);
        // By more than the time: samples of several targets at one moment would stand between two equal ones.
        let key = |sample: &Sample| (sample.at, sample.target.clone(), sample.source, sample.kind);
        samples.sort_by_cached_key(key);
        samples.dedup_by_key(|sample| key(sample));
        let since = Strips::since(now);
        for sample in samples.iter() {
            if sample.at >= since {
                self.strips.add(sample);
            }
            let detail = Detail::of_record(sample.kind, sample.scope);
            let changes = self.board.apply(sample, detail, &self.thresholds());
            self.note(&changes, |target, change| change.at >= since && (change.from.is_some() || !is_known(target)));
        }
    }

    /// The first moment of the local day, where a new budget began.
    pub fn day_start(&self, now: Timestamp) -> Timestamp {
        Schedule::day_start(now, &self.setup.zone)
    }

    /// Begins to plan. `spent` is what today has cost before.
    pub fn start(&mut self, spent: HashMap<TargetId, Spent>, now: Timestamp) -> Vec<Task> {
        let samples = self.board.entries.iter().flat_map(|entry| entry.recent.iter().cloned()).collect();
        self.is_planning = true;
        let mut tasks = self.event(Event::Configured(self.setup.clone()), now);
        tasks.extend(self.event(Event::Restored { samples, spent }, now));
        tasks
    }

    /// Takes in new settings.
    pub fn configure(&mut self, setup: Setup, now: Timestamp) -> Vec<Task> {
        self.board.set_targets(setup.targets.iter().cloned());
        self.strips.retain(|id| setup.targets.iter().any(|target| &target.id == id));
        self.setup = setup.clone();
        self.event(Event::Configured(setup), now)
    }

    /// Passes an event to the schedule and carries out what concerns the other machines.
    pub fn event(&mut self, event: Event, now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        self.tell_due(now, &mut tasks);
        let was_paused = self.schedule.paused().is_some();
        if matches!(event, Event::ClockJumped) {
            self.board.forget_after(now);
        }
        let effects = self.schedule.handle(event, now, &mut self.rng);
        let mut is_woken = false;
        for effect in effects {
            match effect {
                Effect::Probe { target, purpose } => {
                    self.in_flight += 1;
                    tasks.push(Task::Probe { target, purpose });
                }
                Effect::Skip { target, at, reason } => {
                    if reason == SkipReason::Asleep && !std::mem::replace(&mut is_woken, true) {
                        self.activity.add(now, ActivityEvent::Woke);
                    }
                    let sample = reason.sample(target, at);
                    self.take(&sample, Detail::of_record(sample.kind, sample.scope), now, &mut tasks);
                }
                Effect::Banner(banner) => {
                    let before = self.board.banner;
                    for change in self.board.set_banner(banner) {
                        if let Change::Banner(banner) = change {
                            self.note_banner(before, banner, now);
                        }
                    }
                }
                Effect::WakeAt(at) => self.wake_at = at,
            }
        }
        match (was_paused, self.schedule.paused().is_some()) {
            (false, true) => self.activity.add(now, ActivityEvent::Paused),
            (true, false) => self.activity.add(now, ActivityEvent::Resumed),
            _ => {}
        }
        self.alert.observe(&self.board, now);
        tasks
    }

    /// Takes in the end of a probe that [`Task::Probe`] asked for, and what it really cost; `None` is one without an
    /// outcome: a fault of ours prevented it, or what it asked is no longer in the settings.
    pub fn probed(
        &mut self,
        target: &TargetId,
        spent: Spent,
        probed: Option<(Sample, Outcome)>,
        now: Timestamp,
    ) -> Vec<Task> {
        self.in_flight = self.in_flight.saturating_sub(1);
        Arc::make_mut(&mut self.counts).spent(target, spent.requests, spent.tokens);
        let mut tasks = Vec::new();
        match probed.map(|(sample, outcome)| (begun_by(now, sample), outcome)) {
            Some((sample, outcome))
                if self.schedule.is_spoiled(target) && Family::of(outcome.kind, outcome.scope) != Family::Available =>
            {
                // It began before the machine slept: its failure says nothing of the model.
                let skip = SkipReason::Asleep.sample(target.clone(), sample.at);
                self.take(&skip, Detail::of_record(skip.kind, skip.scope), now, &mut tasks);
                tasks.extend(self.event(Event::NotProbed { target: target.clone(), spent }, now));
            }
            Some((sample, outcome)) => {
                self.take(&sample, Detail::from(&outcome), now, &mut tasks);
                let finding = Finding { sample, wait_helps: outcome.wait_helps };
                tasks.extend(self.event(Event::Probed { finding, spent }, now));
            }
            None => tasks.extend(self.event(Event::NotProbed { target: target.clone(), spent }, now)),
        }
        tasks
    }

    /// Takes in what a tool's log says of a request of the user's own; of a target that is not watched it is only stored.
    pub fn heard(&mut self, sample: &Sample, now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        if self.board.entry(&sample.target).is_none() {
            tasks.push(Task::Store(sample.clone()));
            return tasks;
        }
        let detail = Detail::of_record(sample.kind, sample.scope);
        let wait_helps = detail.wait_helps;
        self.take(sample, detail, now, &mut tasks);
        tasks.extend(self.event(Event::LogEvidence(Finding { sample: sample.clone(), wait_helps }), now));
        tasks
    }

    /// Takes in what became of a probe that a subscription's own tool made. The schedule has no part in it.
    pub fn tool_probed(&mut self, sample: &Sample, outcome: &Outcome, now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        self.take(&begun_by(now, sample.clone()), Detail::from(outcome), now, &mut tasks);
        tasks
    }

    /// Shows these plans for targets that the schedule has no plan for.
    pub fn set_tool_plans(&mut self, plans: HashMap<TargetId, Timestamp>) {
        self.tool_plans = plans;
    }

    /// The board as it stands.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whether nothing is to be sent: the user paused, or our own network is down.
    pub const fn is_quiet(&self) -> bool {
        self.schedule.paused().is_some() || self.board.banner.is_some()
    }

    /// When to pass on the next [`Event::Tick`].
    pub fn wake_at(&self) -> Option<Timestamp> {
        [self.wake_at, self.alert.wake_at()].into_iter().flatten().min()
    }

    /// Adds a line to Activity.
    pub fn note_event(&mut self, at: Timestamp, event: ActivityEvent) {
        self.activity.add(at, event);
    }

    /// Remembers an answer to a notice, for Activity.
    pub fn note_answer(&mut self, answer: &Answer) {
        self.activity.answered(answer);
    }

    /// The picture at `now`; `status` comes with what only the shell knows filled in.
    pub fn snapshot(&mut self, mut status: EngineStatus, now: Timestamp) -> Snapshot {
        if self.is_planning {
            self.board.set_plans(|target| match self.tool_plans.get(target) {
                Some(at) => Plan { next_probe_at: Some(*at), ..Plan::default() },
                None => self.schedule.plan(target),
            });
        }
        let planned = self.board.entries.iter().filter_map(|entry| Some((entry.next_probe_at?, &entry.target.id)));
        status.next_probe = planned.min_by_key(|(at, _)| *at).map(|(at, target)| (at, target.clone()));
        status.watched = self.board.entries.len();
        status.in_flight = self.in_flight;
        status.paused = self.schedule.paused();
        status.cap = daily_limit(&self.setup.targets, &self.setup.provider_caps, &self.setup.config);
        status.spent = self.schedule.spent();
        status.counts = Arc::clone(&self.counts);
        status.notices = self.notice_status(now);
        status.answers = self.activity.answers();
        Snapshot {
            at: now,
            zone: self.setup.zone.clone(),
            board: Arc::new(self.board.clone()),
            strips: self.strips.at(now),
            activity: self.activity.lines(),
            context: Arc::default(),
            status: Arc::new(status),
        }
    }

    /// Shows plans that were written down, in the place of a schedule's. `keeper` in the picture's status then says
    /// whether somebody still keeps the record, as far as plans and samples tell.
    pub fn recall_plans(&mut self, next_probe_at: impl Fn(&TargetId) -> Option<Timestamp>, now: Timestamp) -> Keeper {
        let probing: HashMap<_, _> = self.setup.targets.iter().map(|target| (&target.id, target.probing)).collect();
        self.board.set_plans(|target| {
            let next_probe_at = next_probe_at(target).filter(|at| *at > now);
            let hold = match probing.get(target) {
                Some(Probing::Never) => Some(Hold::NeverProbed),
                Some(Probing::OnDemand) => Some(Hold::OnDemand),
                Some(Probing::Scheduled) | None => next_probe_at.is_none().then_some(Hold::NotRunning),
            };
            Plan { next_probe_at, hold, ..Plan::default() }
        });
        let last_at = self.board.entries.iter().filter_map(|entry| Some(entry.latest.as_ref()?.sample.at)).max();
        let is_old =
            last_at.is_none_or(|last| now > last.checked_add(self.setup.config.slow() * 2).unwrap_or(Timestamp::MAX));
        let is_planned = self.board.entries.iter().any(|entry| entry.next_probe_at.is_some());
        if is_planned || !is_old { Keeper::Engine } else { Keeper::Nobody { last_at } }
    }

    /// Today's limit of all targets together: what targets may spend, bounded by what their providers may.
    fn thresholds(&self) -> Thresholds {
        self.setup.config.thresholds()
    }

    /// One sample on its way to record, strip, board and alert.
    fn take(&mut self, sample: &Sample, detail: Detail, now: Timestamp, tasks: &mut Vec<Task>) {
        self.tell_due(now, tasks);
        tasks.push(Task::Store(sample.clone()));
        self.strips.add(sample);
        Arc::make_mut(&mut self.counts).sample(sample);
        let changes = self.board.apply(sample, detail, &self.thresholds());
        self.note(&changes, |_, _| true);
        self.alert.observe(&self.board, now);
    }

    fn note(&mut self, changes: &[Change], is_wanted: impl Fn(&TargetId, &Transition) -> bool) {
        for change in changes {
            let Change::Confirmed { target, transition } = change else { continue };
            let from = transition.from.map(|state| Family::of(state.kind, state.scope));
            let to = Family::of(transition.to.kind, transition.to.scope);
            if from != Some(to) && is_wanted(&target.id, transition) {
                let event = ActivityEvent::Changed { target: target.id.clone(), from, to, kind: transition.to.kind };
                self.activity.add_once(transition.at, event);
            }
        }
    }

    fn note_banner(&mut self, before: Option<Banner>, banner: Option<Banner>, now: Timestamp) {
        match (before, banner) {
            (None, Some(_)) => self.activity.add(now, ActivityEvent::WentOffline),
            (Some(_), None) => self.activity.add(now, ActivityEvent::CameOnline),
            _ => {}
        }
    }
}

/// The sample of what has just ended, which began no later than `now`: a clock that was set back in between would have it in
/// the future, ahead of all that follows.
fn begun_by(now: Timestamp, sample: Sample) -> Sample {
    Sample { at: kept(sample.at.min(now)), ..sample }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::exchange::Timing;
    use crate::core::outcome::{Kind, Scope};
    use crate::core::sample::Source;
    use crate::core::schedule::ScheduleConfig;
    use crate::core::simulate::WorldDefaults;
    use crate::core::target::{DailyCap, Role};

    fn sample(at: Timestamp, kind: Kind) -> Sample {
        let outcome = Outcome {
            kind,
            scope: Scope::Model,
            retry_after: None,
            wait_helps: true,
            switch_helps: true,
            rule: "test".into(),
            excerpt: String::new(),
        };
        Sample::new("luna".into(), Source::Probe, at, None, Timing::default(), &outcome)
    }

    /// Machines that watch one target and know nothing of it.
    fn machines() -> Machines {
        let defaults = WorldDefaults { cap: DailyCap { requests: 900, tokens: 9_000 }, tokens_per_probe: 1 };
        let target = defaults.target("luna".into(), None, Role::Primary);
        let setup = Setup {
            config: ScheduleConfig::default(),
            zone: TimeZone::UTC,
            targets: vec![Arc::new(target)],
            provider_caps: HashMap::new(),
        };
        Machines::new(setup, fastrand::Rng::with_seed(1))
    }

    fn lines(machines: &mut Machines) -> Vec<(Timestamp, ActivityEvent)> {
        machines.activity.lines().iter().map(|line| (line.at, line.event.clone())).collect()
    }

    #[test]
    fn what_was_seen_and_is_read_again_counts_once() {
        let mut machines = machines();
        let start: Timestamp = "2026-03-01T12:00:00.123456789Z".parse().unwrap();
        let at = |minutes: i64| start + jiff::SignedDuration::from_mins(minutes);
        let seen = [(0, Kind::Available), (10, Kind::Available), (20, Kind::AtCapacity)];
        for (minutes, kind) in seen {
            machines.heard(&sample(at(minutes), kind), at(minutes));
        }
        let (board, told) = (machines.board.clone(), lines(&mut machines));
        // As the record has them: in whole milliseconds.
        let stored: Vec<Sample> =
            seen.iter().map(|(minutes, kind)| Sample { at: kept(at(*minutes)), ..sample(at(0), *kind) }).collect();
        machines.restore_again(Record::from(stored), at(21));
        assert_eq!(machines.board.entries[0].confirmed, board.entries[0].confirmed, "one refusal confirms nothing");
        assert_eq!(lines(&mut machines), told);
    }

    #[test]
    fn a_reading_that_begins_later_is_no_change() {
        let mut machines = machines();
        let start: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let at = |minutes: i64| start + jiff::SignedDuration::from_mins(minutes);
        let stored: Vec<Sample> = (0..100).map(|n| sample(at(n * 10), Kind::Available)).collect();
        machines.restore(Record::from(stored.clone()), at(1000));
        let told = lines(&mut machines);
        assert_eq!(told.len(), 1, "{told:?}");
        machines.restore_again(Record::from(stored[30..].to_vec()), at(1001));
        assert_eq!(lines(&mut machines), told);
    }
}
