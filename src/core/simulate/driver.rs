//! The loop of the engine without its shells: wake, probe, learn, tell.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::world::{Truth, World};
use crate::core::alert::{Alert, AlertConfig, Notice};
use crate::core::board::{Board, Change, Confirmed, Detail, Spent};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::schedule::{Effect, Event, Finding, Purpose, Schedule, ScheduleConfig, Setup, SkipReason};
use crate::core::target::TargetId;

/// Who decides when to probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The real schedule.
    Adaptive,
    /// Every target at a fixed interval, without caps.
    Fixed(Duration),
}

/// What happened in a simulation, in the order of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// A probe went out.
    Probe {
        /// Of which target, as its index in the world.
        target: usize,
        /// Why.
        purpose: Purpose,
    },
    /// The answer came.
    Answer {
        /// Of which target.
        target: usize,
        /// With this kind.
        kind: Kind,
    },
    /// A probe was not made.
    Skip {
        /// Of which target.
        target: usize,
        /// Why.
        reason: SkipReason,
    },
    /// The board's confirmed state changed.
    Confirmed {
        /// Of which target.
        target: usize,
        /// To this.
        to: Confirmed,
    },
    /// The banner came (`true`) or went.
    Banner(bool),
    /// A notice was given.
    Notice(Notice),
}

impl Seen {
    /// The notice, if it is one.
    pub const fn notice(&self) -> Option<&Notice> {
        if let Self::Notice(notice) = self { Some(notice) } else { None }
    }
}

/// A result on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending {
    done: Timestamp,
    began: Timestamp,
    target: usize,
}

/// Runs the machines against a world.
#[derive(Debug)]
pub struct Driver<'a> {
    world: &'a World,
    strategy: Strategy,
    config: ScheduleConfig,
    /// The schedule that is driven.
    pub schedule: Schedule,
    /// The board that it feeds.
    pub board: Board,
    alert: Alert,
    rng: fastrand::Rng,
    /// The simulated time.
    pub now: Timestamp,
    wake_at: Option<Timestamp>,
    pending: BinaryHeap<Reverse<Pending>>,
    fixed: Vec<Timestamp>,
    /// What happened and when.
    pub seen: Vec<(Timestamp, Seen)>,
}

impl<'a> Driver<'a> {
    /// Machines at the start of the world's time; `zone` is where its days begin.
    pub fn new(world: &'a World, strategy: Strategy, config: ScheduleConfig, zone: TimeZone, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let now = world.time.start;
        let fixed = match strategy {
            Strategy::Adaptive => Vec::new(),
            Strategy::Fixed(every) => world.targets.iter().map(|_| now + every.mul_f64(rng.f64())).collect(),
        };
        let mut driver = Self {
            world,
            strategy,
            config: config.clone(),
            schedule: Schedule::new(),
            board: Board::new(world.targets.iter().cloned()),
            alert: Alert::new(AlertConfig { zone: zone.clone(), ..AlertConfig::default() }),
            rng,
            now,
            wake_at: None,
            pending: BinaryHeap::new(),
            fixed,
            seen: Vec::new(),
        };
        if strategy == Strategy::Adaptive {
            let targets = world.targets.clone();
            let provider_caps = world.provider_caps.clone();
            driver.tell(Event::Configured(Setup { config, zone, targets, provider_caps }));
        }
        driver
    }

    /// What the user wants to hear of; without it, what they usually want.
    #[must_use]
    pub fn with_notices(mut self, config: AlertConfig) -> Self {
        self.alert.configure(config);
        self
    }

    /// Tells the schedule something and carries out what it answers.
    pub fn tell(&mut self, event: Event) {
        self.notify();
        if matches!(event, Event::ClockJumped) {
            self.board.forget_after(self.now);
        }
        for effect in self.schedule.handle(event, self.now, &mut self.rng) {
            match effect {
                Effect::Probe { target, purpose } => {
                    if let Some(target) = self.index(&target) {
                        self.probe(target, purpose);
                    }
                }
                Effect::Skip { target, at, reason } => {
                    if let Some(index) = self.index(&target) {
                        self.see(Seen::Skip { target: index, reason });
                        self.learn(&reason.sample(target, at), true);
                    }
                }
                Effect::Banner(banner) => {
                    self.board.set_banner(banner);
                    self.see(Seen::Banner(banner.is_some()));
                }
                Effect::WakeAt(at) => self.wake_at = at,
            }
        }
        self.alert.observe(&self.board, self.now);
    }

    /// Gives the notices that are due.
    fn notify(&mut self) {
        for notice in self.alert.advance(&self.board, self.now) {
            self.see(Seen::Notice(notice));
        }
    }

    /// Takes in a sample that a tool's log shows now.
    pub fn log(&mut self, target: usize, truth: Truth) {
        let mut sample = self.sample(target, self.now, truth);
        sample.source = Source::ToolLog;
        let wait_helps = Detail::of_record(sample.kind, sample.scope).wait_helps;
        self.learn(&sample, wait_helps);
        self.tell(Event::LogEvidence(Finding { sample, wait_helps }));
    }

    /// Runs on to this time, or to the end of the world's.
    pub fn run_until(&mut self, end: Timestamp) {
        let end = end.min(self.world.time.end);
        while let Some(next) = self.next().filter(|next| *next <= end) {
            let wakes_at = self.world.wakes_at(next);
            self.now = wakes_at.unwrap_or(next).max(self.now);
            if wakes_at.is_some() && self.strategy == Strategy::Adaptive {
                self.tell(Event::ClockJumped);
            }
            self.step();
        }
        self.now = self.now.max(end);
    }

    fn next(&self) -> Option<Timestamp> {
        let result = self.pending.peek().map(|Reverse(pending)| pending.done);
        let fixed = self.fixed.iter().min().copied();
        [result, fixed, self.wake_at, self.alert.wake_at()].into_iter().flatten().min()
    }

    fn step(&mut self) {
        self.notify();
        while self.pending.peek().is_some_and(|Reverse(pending)| pending.done <= self.now) {
            let Some(Reverse(pending)) = self.pending.pop() else { break };
            self.answer(&pending);
        }
        if let Strategy::Fixed(every) = self.strategy {
            for target in 0..self.fixed.len() {
                if self.fixed[target] <= self.now {
                    self.fixed[target] = self.now + every;
                    self.probe(target, Purpose::Steady);
                }
            }
        } else if self.wake_at.is_some_and(|at| at <= self.now) {
            self.tell(Event::Tick);
        }
        self.alert.observe(&self.board, self.now);
    }

    fn probe(&mut self, target: usize, purpose: Purpose) {
        self.see(Seen::Probe { target, purpose });
        let truth = self.truth(target, self.now);
        let took = match truth.kind {
            Kind::Timeout => Duration::from_secs(30),
            Kind::Available => Duration::from_millis(truth.first_token_ms.into()),
            _ => Duration::from_millis(400),
        };
        self.pending.push(Reverse(Pending { done: self.now + took, began: self.now, target }));
    }

    fn answer(&mut self, pending: &Pending) {
        let truth = self.truth(pending.target, pending.began);
        let sample = self.sample(pending.target, pending.began, truth);
        let wait_helps = Detail::of_record(sample.kind, sample.scope).wait_helps;
        self.see(Seen::Answer { target: pending.target, kind: sample.kind });
        if self.schedule.is_spoiled(&sample.target) && sample.kind != Kind::Available {
            let spent = self.cost(pending.target);
            self.tell(Event::NotProbed { target: sample.target, spent });
            return;
        }
        self.learn(&sample, wait_helps);
        if self.strategy == Strategy::Adaptive {
            let spent = self.cost(pending.target);
            self.tell(Event::Probed { finding: Finding { sample, wait_helps }, spent });
        }
    }

    /// In a simulation every probe is one request.
    fn cost(&self, target: usize) -> Spent {
        Spent { requests: 1, tokens: self.world.targets[target].tokens_per_probe }
    }

    fn learn(&mut self, sample: &Sample, wait_helps: bool) {
        self.notify();
        let detail = Detail { wait_helps, ..Detail::of_record(sample.kind, sample.scope) };
        let changes = self.board.apply(sample, detail, &self.config.thresholds());
        for change in &changes {
            if let Change::Confirmed { target, transition } = change
                && let Some(target) = self.index(&target.id)
            {
                self.see(Seen::Confirmed { target, to: transition.to });
            }
        }
        self.alert.observe(&self.board, self.now);
    }

    fn truth(&self, target: usize, at: Timestamp) -> Truth {
        let target = &self.world.targets[target];
        if self.world.is_offline(at) && !target.is_local {
            return Truth::of(Kind::Network);
        }
        self.world.at(&target.id, at)
    }

    fn sample(&self, target: usize, began: Timestamp, truth: Truth) -> Sample {
        let is_free = truth.is_free();
        Sample {
            target: self.world.targets[target].id.clone(),
            source: Source::Probe,
            at: began,
            kind: truth.kind,
            scope: truth.scope,
            http_status: (truth.scope != Scope::Local).then_some(if is_free { 200 } else { 503 }),
            connect_ms: None,
            first_token_ms: is_free.then_some(truth.first_token_ms),
            total_ms: Some(if is_free { truth.first_token_ms } else { 400 }),
            retry_after_s: truth.retry_after_s,
            rule: if truth.kind == Kind::Network { "unreachable" } else { "simulated" }.into(),
        }
    }

    fn see(&mut self, seen: Seen) {
        self.seen.push((self.now, seen));
    }

    fn index(&self, target: &TargetId) -> Option<usize> {
        self.world.targets.iter().position(|other| &other.id == target)
    }
}

/// Runs a whole world and returns what happened. `notices` is what the user wants to hear of; `None` is what they usually
/// want.
pub fn run(
    world: &World,
    strategy: Strategy,
    config: &ScheduleConfig,
    notices: Option<&AlertConfig>,
    zone: TimeZone,
    seed: u64,
) -> Vec<(Timestamp, Seen)> {
    let mut driver = Driver::new(world, strategy, config.clone(), zone, seed);
    if let Some(notices) = notices {
        driver = driver.with_notices(notices.clone());
    }
    driver.run_until(world.time.end);
    driver.seen
}
