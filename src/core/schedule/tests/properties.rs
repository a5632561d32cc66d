//! What holds for any sequence of events, also with a clock that jumps.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::super::*;
use super::Link;
use crate::core::board::{Hold, Spent};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::Source;
use crate::core::target::{DailyCap, Dialect, Probing, ProviderId, Role, Target, TargetId};

#[derive(Clone, Debug)]
enum Step {
    Wait(i64),
    Sleep(i64),
    SetClock(i64),
    Answer(usize, usize, usize, Option<u32>),
    Fail(usize),
    Log(usize, usize, i64),
    ProbeNow(Option<usize>),
    Pause(Option<i64>),
    Resume,
    Attend(bool),
    Network(bool),
    Configure,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0_i64..900).prop_map(Step::Wait),
        1 => (0_i64..40_000).prop_map(Step::Sleep),
        1 => (-400_000_i64..400_000).prop_map(Step::SetClock),
        9 => (0..6_usize, 0..15_usize, 0..4_usize, proptest::option::of(0_u32..4_000_000)).prop_map(
            |(target, kind, scope, hint)| Step::Answer(target, kind, scope, hint)
        ),
        1 => (0..6_usize).prop_map(Step::Fail),
        2 => (0..6_usize, 0..15_usize, 0_i64..3_000).prop_map(|(target, kind, age)| Step::Log(target, kind, age)),
        1 => proptest::option::of(0..6_usize).prop_map(Step::ProbeNow),
        1 => proptest::option::of(-100_i64..5_000).prop_map(Step::Pause),
        1 => Just(Step::Resume),
        1 => any::<bool>().prop_map(Step::Attend),
        1 => any::<bool>().prop_map(Step::Network),
        1 => Just(Step::Configure),
    ]
}

/// Six targets at three providers, of all kinds.
fn targets() -> Vec<Arc<Target>> {
    let roles = [Some(Role::Primary), Some(Role::Backup), Some(Role::Emergency), None, Some(Role::Backup), None];
    (0..6)
        .map(|index| {
            Arc::new(Target {
                id: TargetId::new(format!("t{index}")),
                provider: ProviderId::new(format!("p{}", index % 3)),
                vendor: None,
                model: "m".into(),
                dialect: Dialect::OpenaiChat,
                role: roles[index],
                probing: if index == 3 { Probing::OnDemand } else { Probing::Scheduled },
                daily_cap: DailyCap { requests: 12, tokens: 500 },
                tokens_per_probe: 30 + u32::try_from(index).unwrap(),
                is_local: index == 5,
            })
        })
        .collect()
}

struct Watched {
    schedule: Schedule,
    targets: Vec<Arc<Target>>,
    now: Timestamp,
    rng: fastrand::Rng,
    /// Real time, whatever the clock says.
    elapsed: SignedDuration,
    /// When each probe began, in real time and by the clock.
    in_flight: HashMap<TargetId, (SignedDuration, Timestamp)>,
    wake_at: Option<Timestamp>,
}

impl Watched {
    const PROVIDER_CAP: DailyCap = DailyCap { requests: 20, tokens: 700 };

    fn setup(&self) -> Setup {
        let config = ScheduleConfig { provider_cap: Self::PROVIDER_CAP, ..ScheduleConfig::default() };
        let zone = TimeZone::get("Australia/Lord_Howe").unwrap();
        Setup { config, zone, targets: self.targets.clone(), provider_caps: HashMap::new() }
    }

    fn tell(&mut self, event: Event) {
        let before: Vec<_> = self.targets.iter().map(|target| self.schedule.plan(&target.id).hold).collect();
        let may_start_stopped = matches!(event, Event::ProbeNow(_) | Event::Configured(_) | Event::LogEvidence(_));
        let effects = self.schedule.handle(event, self.now, &mut self.rng);
        assert!(matches!(effects.last(), Some(Effect::WakeAt(_))), "always says when to wake");
        assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::WakeAt(_))).count(), 1);
        for effect in effects {
            match effect {
                Effect::Probe { target, .. } => {
                    let index = self.targets.iter().position(|other| other.id == target).unwrap();
                    assert!(may_start_stopped || before[index] != Some(Hold::NeedsUser), "{target} is stopped");
                    let before = self.in_flight.insert(target.clone(), (self.elapsed, self.now));
                    let is_lost = before.is_none_or(|(began, _)| {
                        self.elapsed - began >= SignedDuration::from_mins(15) - SignedDuration::from_millis(1)
                    });
                    assert!(is_lost, "two probes of {target} in flight");
                }
                Effect::Skip { target, .. } => assert!(self.targets.iter().any(|other| other.id == target)),
                Effect::Banner(_) => {}
                Effect::WakeAt(at) => self.wake_at = at,
            }
        }
        self.check();
    }

    fn check(&self) {
        let mut providers: HashMap<&ProviderId, Spent> = HashMap::new();
        for target in &self.targets {
            let plan = self.schedule.plan(&target.id);
            assert!(plan.spent.requests <= target.daily_cap.requests && plan.spent.tokens <= target.daily_cap.tokens);
            let sum = providers.entry(&target.provider).or_default();
            sum.requests += plan.spent.requests;
            sum.tokens += plan.spent.tokens;
            let is_flying = self.in_flight.contains_key(&target.id);
            if plan.hold.is_none() && !is_flying && target.probing == Probing::Scheduled {
                let is_unsure = self.schedule.network.link == Link::Unsure && !target.is_local;
                assert!(plan.next_probe_at.is_some() || is_unsure, "a target without a hold has a plan");
                let Some(due) = plan.next_probe_at else { continue };
                assert!(self.wake_at.is_some_and(|at| at <= due) || is_unsure, "woken in time for {}", target.id);
            }
        }
        for sum in providers.values() {
            assert!(sum.requests <= Self::PROVIDER_CAP.requests && sum.tokens <= Self::PROVIDER_CAP.tokens, "{sum:?}");
        }
        assert!(self.wake_at.is_none_or(|at| at > self.now), "never woken in the past");
        let is_paused_for_ever = self.schedule.paused() == Some(None);
        let is_all_stopped = self
            .targets
            .iter()
            .all(|target| matches!(self.schedule.plan(&target.id).hold, Some(Hold::NeedsUser | Hold::OnDemand)));
        assert!(self.wake_at.is_some() || is_paused_for_ever || is_all_stopped, "something will happen");
    }

    fn finding(&self, target: usize, kind: usize, scope: usize, source: Source, at: Timestamp) -> Finding {
        let mut sample = SkipReason::Asleep.sample(self.targets[target].id.clone(), at);
        sample.kind = Kind::ALL[kind];
        sample.scope = Scope::ALL[scope];
        sample.source = source;
        sample.rule = if scope == 3 && kind == 13 && at.as_second() % 3 == 0 { "portal".into() } else { "r".into() };
        Finding { sample, wait_helps: !Kind::ALL[kind].needs_user() || at.as_second() % 2 == 0 }
    }

    fn wait(&mut self, seconds: i64) {
        let end = self.now + SignedDuration::from_secs(seconds);
        while let Some(at) = self.wake_at.filter(|at| *at <= end) {
            self.elapsed += at.duration_since(self.now);
            self.now = at;
            self.tell(Event::Tick);
        }
        self.elapsed += end.duration_since(self.now);
        self.now = end;
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Wait(seconds) => self.wait(seconds),
            Step::Sleep(seconds) => {
                self.now += SignedDuration::from_secs(seconds);
                self.elapsed += SignedDuration::from_secs(seconds);
                self.tell(Event::Tick);
            }
            Step::SetClock(seconds) => {
                self.now += SignedDuration::from_secs(seconds);
                self.tell(Event::ClockJumped);
            }
            Step::Answer(target, kind, scope, hint) => {
                let id = self.targets[target].id.clone();
                if let Some((_, began)) = self.in_flight.remove(&id) {
                    let mut finding = self.finding(target, kind, scope, Source::Probe, began);
                    finding.sample.retry_after_s = hint;
                    let spent = Spent { requests: 1, tokens: 30 };
                    self.tell(Event::Probed { finding, spent });
                }
            }
            Step::Fail(target) => {
                let id = self.targets[target].id.clone();
                if self.in_flight.remove(&id).is_some() {
                    self.tell(Event::NotProbed { target: id, spent: Spent::default() });
                }
            }
            Step::Log(target, kind, age) => {
                let at = self.now - SignedDuration::from_secs(age);
                let finding = self.finding(target, kind, 0, Source::ToolLog, at);
                self.tell(Event::LogEvidence(finding));
            }
            Step::ProbeNow(target) => {
                let targets = target.map(|target| self.targets[target].id.clone()).into_iter().collect();
                self.tell(Event::ProbeNow(targets));
            }
            Step::Pause(seconds) => {
                let until = seconds.map(|seconds| self.now + SignedDuration::from_secs(seconds));
                self.tell(Event::Pause(until));
            }
            Step::Resume => self.tell(Event::Resume),
            Step::Attend(is_attended) => self.tell(Event::Attend(is_attended)),
            Step::Network(is_up) => {
                self.tell(Event::Network(if is_up { NetworkState::Up } else { NetworkState::Down }));
            }
            Step::Configure => self.tell(Event::Configured(self.setup())),
        }
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(300))]

    #[test]
    fn any_events_keep_the_promises(steps in proptest::collection::vec(step(), 1..120), seed in any::<u64>()) {
        let mut watched = Watched {
            schedule: Schedule::new(),
            targets: targets(),
            now: "2026-04-04T09:00:00Z".parse().unwrap(),
            rng: fastrand::Rng::with_seed(seed),
            elapsed: SignedDuration::ZERO,
            in_flight: HashMap::new(),
            wake_at: None,
        };
        watched.tell(Event::Configured(watched.setup()));
        for step in steps {
            watched.step(step);
        }
    }

    #[test]
    fn the_ends_of_time_are_survived(at in prop_oneof![Just(Timestamp::MIN), Just(Timestamp::MAX)], steps in proptest::collection::vec(step(), 1..10)) {
        let rng = &mut fastrand::Rng::with_seed(1);
        let mut schedule = Schedule::new();
        let setup = Setup {
            config: ScheduleConfig::default(),
            zone: TimeZone::UTC,
            targets: targets(),
            provider_caps: HashMap::new(),
        };
        schedule.handle(Event::Configured(setup), at, rng);
        for (index, _) in steps.iter().enumerate() {
            let now = if index % 2 == 0 { at } else { Timestamp::UNIX_EPOCH };
            schedule.handle(Event::Tick, now, rng);
        }
    }
}
