//! Schedule, board and alert without an engine: enough to play a story.

use jiff::Timestamp;

use super::{Act, Actor, Story};
use crate::core::alert::usual::Usual;
use crate::core::alert::{Alert, Notice};
use crate::core::board::{Board, Detail, Spent};
use crate::core::sample::Sample;
use crate::core::schedule::{Effect, Event, Finding, Schedule, ScheduleConfig, Setup};

/// The machines; probes of their own are lost, as the story alone says what is seen.
#[derive(Debug)]
pub struct Pure {
    setup: Setup,
    schedule: Schedule,
    board: Board,
    alert: Alert,
    rng: fastrand::Rng,
    wake_at: Option<Timestamp>,
    /// All that was seen so far, in its order.
    pub record: Vec<Sample>,
}

impl Pure {
    /// Machines at the start of a story.
    pub fn new(story: &Story) -> Self {
        let setup = Setup {
            config: ScheduleConfig::default(),
            zone: story.zone.clone(),
            targets: story.targets.clone(),
            provider_caps: Default::default(),
        };
        let mut alert = Alert::new(story.config.clone());
        for (target, usually) in &story.usual {
            alert.learn_usual(target.clone(), Usual::always(*usually));
        }
        Self {
            board: Board::new(setup.targets.iter().cloned()),
            setup,
            schedule: Schedule::new(),
            alert,
            rng: fastrand::Rng::with_seed(1),
            wake_at: None,
            record: Vec::new(),
        }
    }

    /// Shows the record to a new board, as a start does.
    fn start(&mut self, now: Timestamp, notices: &mut Vec<Notice>) {
        self.schedule = Schedule::new();
        self.board = Board::new(self.setup.targets.iter().cloned());
        for sample in &self.record {
            let detail = Detail::of_record(sample.kind, sample.scope);
            self.board.apply(sample, detail, &self.setup.config.thresholds());
        }
        self.alert.begin(&self.board, now);
        self.tell(Event::Configured(self.setup.clone()), now, notices);
        let samples = self.board.entries.iter().flat_map(|entry| entry.recent.iter().cloned()).collect();
        self.tell(Event::Restored { samples, spent: Default::default() }, now, notices);
    }

    fn tell(&mut self, event: Event, now: Timestamp, notices: &mut Vec<Notice>) {
        notices.extend(self.alert.advance(&self.board, now));
        if matches!(event, Event::ClockJumped) {
            self.board.forget_after(now);
        }
        let is_asked = matches!(event, Event::ProbeNow(_));
        let mut lost = Vec::new();
        for effect in self.schedule.handle(event, now, &mut self.rng) {
            match effect {
                Effect::Probe { target, .. } => lost.push(target),
                Effect::Skip { target, at, reason } => self.take(&reason.sample(target, at)),
                Effect::Banner(banner) => drop(self.board.set_banner(banner)),
                Effect::WakeAt(at) => self.wake_at = at,
            }
        }
        for target in lost.into_iter().filter(|_| !is_asked) {
            self.tell(Event::NotProbed { target, spent: Spent::default() }, now, notices);
        }
        self.alert.observe(&self.board, now);
    }

    fn take(&mut self, sample: &Sample) {
        self.record.push(sample.clone());
        self.board.apply(sample, Detail::of_record(sample.kind, sample.scope), &self.setup.config.thresholds());
    }
}

impl Actor for Pure {
    fn wake_at(&self) -> Option<Timestamp> {
        [self.wake_at, self.alert.wake_at()].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Timestamp) -> Vec<Notice> {
        let mut notices = Vec::new();
        self.tell(Event::Tick, now, &mut notices);
        notices
    }

    fn act(&mut self, act: &Act, now: Timestamp) -> Vec<Notice> {
        let mut notices = self.alert.advance(&self.board, now);
        if self.wake_at.is_none() && self.record.is_empty() {
            self.start(now, &mut notices);
        }
        match act {
            Act::Probed(sample) => {
                self.tell(Event::ProbeNow(vec![sample.target.clone()]), now, &mut notices);
                self.take(sample);
                self.alert.observe(&self.board, now);
                let wait_helps = Detail::of_record(sample.kind, sample.scope).wait_helps;
                let finding = Finding { sample: sample.clone(), wait_helps };
                self.tell(Event::Probed { finding, spent: Spent::default() }, now, &mut notices);
            }
            Act::Heard(sample) => {
                self.take(sample);
                self.alert.observe(&self.board, now);
                let wait_helps = Detail::of_record(sample.kind, sample.scope).wait_helps;
                self.tell(Event::LogEvidence(Finding { sample: sample.clone(), wait_helps }), now, &mut notices);
            }
            Act::Windows(provider, windows) => {
                self.alert.learn_windows(provider, windows, &self.board, now);
                self.alert.observe(&self.board, now);
            }
            Act::Jump => self.tell(Event::ClockJumped, now, &mut notices),
            Act::Restart => {
                let kept = self.alert.to_text();
                let mut alert = Alert::new(self.alert.config().clone());
                alert.recall(&kept);
                self.alert = alert;
                self.start(now, &mut notices);
            }
            Act::Pause(true) => self.tell(Event::Pause(None), now, &mut notices),
            Act::Pause(false) => self.tell(Event::Resume, now, &mut notices),
            Act::Snooze(target, until) => {
                self.alert.snooze(target, Some(*until));
                self.alert.observe(&self.board, now);
            }
            Act::DoNotDisturb(until) => {
                self.alert.do_not_disturb(Some(*until));
                self.alert.observe(&self.board, now);
            }
            Act::Configure(targets, config) => {
                self.setup.targets.clone_from(targets);
                self.board.set_targets(targets.iter().cloned());
                self.alert.configure(config.clone());
                self.tell(Event::Configured(self.setup.clone()), now, &mut notices);
            }
            Act::End => self.tell(Event::Tick, now, &mut notices),
        }
        notices
    }
}
