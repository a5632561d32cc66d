//! The events: how each one changes what is planned.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::budget::{Ledger, cost_of, day_start, spent_today};
use super::event::{Effect, Event, Finding, NetworkState, Plan, Purpose, Setup, SkipReason};
use super::lane::{Lane, Wish};
use super::network::{Link, Network, Reach, Turn};
use super::spread::{after, between, shift};
use crate::core::board::{Banner, Detail, Hold, Mark, Spent};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::Sample;
use crate::core::schedule::ScheduleConfig;
use crate::core::target::{DailyCap, Probing, ProviderId, Role, Target, TargetId};

/// A tick that comes this much after its time means that the machine slept.
const LATE: SignedDuration = SignedDuration::from_mins(2);
/// The shortest wait of a probe that was due while the program did not run.
const SOON: Duration = Duration::from_secs(1);
/// A limit of the whole account keeps its other targets quiet at most this long.
const LONGEST_QUIET: Duration = Duration::from_secs(30 * 60);

/// The machine: see the module.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    pub(super) config: ScheduleConfig,
    pub(super) provider_caps: HashMap<ProviderId, DailyCap>,
    /// In chain order.
    pub(super) lanes: Vec<Lane>,
    /// Where each target's lane is.
    places: HashMap<TargetId, usize>,
    pub(super) ledger: Ledger,
    pub(super) network: Network,
    /// Providers whose account is limited, and until when.
    pub(super) quiet: HashMap<ProviderId, Timestamp>,
    pub(super) is_away: bool,
    /// No primary or backup target is free: emergency targets matter.
    pub(super) is_emergency: bool,
    pub(super) paused: Option<Option<Timestamp>>,
    last_now: Option<Timestamp>,
    planned_wake: Option<Timestamp>,
}

impl Schedule {
    /// A schedule that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in what happened at `now` and says what to do.
    pub fn handle(&mut self, event: Event, now: Timestamp, rng: &mut fastrand::Rng) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.watch_clock(now, matches!(event, Event::ClockJumped), rng, &mut effects);
        if self.ledger.roll(now) {
            self.begin_day(now, rng);
        }
        match event {
            Event::Configured(setup) => self.configure(setup, now, rng),
            Event::Restored { samples, spent } => self.restore(samples, &spent, now, rng),
            Event::Tick | Event::ClockJumped => {}
            Event::Probed { finding, spent } => self.probed(&finding, spent, now, rng, &mut effects),
            Event::Redirected { target, host } => self.redirected(&target, host, now, rng, &mut effects),
            Event::NotProbed { target, spent } => self.not_probed(&target, spent, now, rng),
            Event::LogEvidence(finding) => self.log_evidence(&finding, now, rng, &mut effects),
            Event::ProbeNow(targets) => self.probe_now(&targets, now, &mut effects),
            Event::Pause(until) => self.pause(until, now, &mut effects),
            Event::Resume => self.resume(now, rng),
            Event::Attend(is_attended) => {
                self.is_away = !is_attended;
                self.quicken(now, rng);
            }
            Event::Network(state) => self.system_says(state, now, rng, &mut effects),
        }
        self.run_due(now, rng, &mut effects);
        self.planned_wake = self.next_wake();
        effects.push(Effect::WakeAt(self.planned_wake));
        effects
    }

    /// What is planned for a target; nothing for one that is not watched.
    pub fn plan(&self, target: &TargetId) -> Plan {
        let Some(lane) = self.index(target).map(|index| &self.lanes[index]) else { return Plan::default() };
        let hold = match lane.target.probing {
            Probing::Never => Some(Hold::NeverProbed),
            Probing::OnDemand => Some(Hold::OnDemand),
            Probing::Scheduled if lane.is_stopped => Some(Hold::NeedsUser),
            Probing::Scheduled => match (self.paused, self.network.link) {
                (Some(until), _) => Some(Hold::Paused { until }),
                _ if lane.is_spent => Some(Hold::BudgetSpent { until: self.ledger.day_end() }),
                (_, Link::Down(_)) if !lane.target.is_local => Some(Hold::Offline),
                _ => None,
            },
        };
        // Just after waking, what is overdue waits for the canary: its moment is not known yet.
        let is_known = |at: &Timestamp| hold.is_none() && self.last_now.is_none_or(|now| now < *at);
        let due = lane.due.map(|(at, _)| at).filter(is_known);
        Plan { next_probe_at: due, hold, spent: self.ledger.spent(target) }
    }

    /// The probe under way began before the machine slept: a failure of it says nothing, store a skip in its place.
    pub fn is_spoiled(&self, target: &TargetId) -> bool {
        self.index(target).is_some_and(|index| self.lanes[index].in_flight.is_some_and(|flight| flight.is_spoiled))
    }

    /// The pause in force; the inner `None` is one without an end.
    pub const fn paused(&self) -> Option<Option<Timestamp>> {
        self.paused
    }

    /// Today's spending of all targets.
    pub fn spent(&self) -> Spent {
        self.ledger.total()
    }

    /// What to say for all targets.
    pub const fn banner(&self) -> Option<Banner> {
        match self.network.link {
            Link::Down(banner) => Some(banner),
            Link::Up | Link::Unsure => None,
        }
    }

    /// The first moment of the local day of `now`: what samples [`Schedule::spent_today`] wants.
    pub fn day_start(now: Timestamp, zone: &TimeZone) -> Timestamp {
        day_start(now, zone)
    }

    /// The spending that stored samples since [`Schedule::day_start`] stand for.
    pub fn spent_today<'a>(
        targets: &[Arc<Target>],
        samples: impl IntoIterator<Item = &'a Sample>,
    ) -> HashMap<TargetId, Spent> {
        spent_today(targets, samples)
    }

    fn watch_clock(&mut self, now: Timestamp, is_jump: bool, rng: &mut fastrand::Rng, effects: &mut Vec<Effect>) {
        let Some(last) = self.last_now.replace(now) else { return };
        let back = now.duration_since(last);
        let is_back = back < SignedDuration::from_secs(-1);
        let planned = self.planned_wake.filter(|planned| !is_back && *planned > last && *planned < now);
        let is_late = planned.is_some_and(|planned| now.duration_since(planned) > LATE);
        if is_back {
            self.shift(back, now);
        }
        if is_back || is_jump || is_late {
            self.skip_all(|_| true, planned.unwrap_or(now), SkipReason::Asleep, effects);
            for lane in &mut self.lanes {
                if let Some(flight) = &mut lane.in_flight {
                    flight.is_spoiled = true;
                    flight.since = now;
                }
            }
            self.network.wake(now, rng);
            self.reprieve();
            self.release(now, |lane| lane.target.is_local, rng);
        }
    }

    /// Moves all plans after the clock was set back, and drops evidence from what is now the future.
    fn shift(&mut self, by: SignedDuration, now: Timestamp) {
        for lane in &mut self.lanes {
            lane.due = lane.due.map(|(at, purpose)| (shift(at, by), purpose));
            lane.marks.retain(|mark| mark.at <= now);
        }
        for until in self.quiet.values_mut() {
            *until = shift(*until, by);
        }
        self.network.shift(by);
    }

    fn configure(&mut self, setup: Setup, now: Timestamp, rng: &mut fastrand::Rng) {
        let Setup { config, zone, targets, provider_caps } = setup;
        self.config = config;
        self.provider_caps = provider_caps;
        self.ledger.set_zone(zone);
        self.ledger.roll(now);
        self.quiet.clear();
        let mut before = std::mem::take(&mut self.lanes);
        self.places.clear();
        for target in targets {
            if self.places.contains_key(&target.id) {
                continue;
            }
            let same = before.iter().position(|lane| {
                let (old, new) = (&lane.target, &target);
                (&old.id, &old.provider, &old.model, old.dialect) == (&new.id, &new.provider, &new.model, new.dialect)
            });
            let mut lane = match same {
                Some(index) => before.swap_remove(index),
                // Another model under the old name knows nothing, but is not asked before the old one has answered.
                None => {
                    let mut lane = Lane::new(Arc::clone(&target));
                    lane.in_flight = before.iter().find(|old| old.target.id == target.id).and_then(|old| old.in_flight);
                    lane
                }
            };
            if lane.is_stopped || target.probing != Probing::Scheduled {
                lane.due = None;
            }
            lane.is_stopped = false;
            lane.is_spent = false;
            if let Some(flight) = &mut lane.in_flight {
                flight.is_outdated = true;
            }
            self.places.insert(target.id.clone(), self.lanes.len());
            lane.target = target;
            self.lanes.push(lane);
        }
        let lanes = &self.lanes;
        self.network.retain(|provider| lanes.iter().any(|lane| &lane.target.provider == provider));
        self.reassess();
        self.release(now, |lane| lane.due.is_none(), rng);
        self.quicken(now, rng);
    }

    fn restore(
        &mut self,
        mut samples: Vec<Sample>,
        spent: &HashMap<TargetId, Spent>,
        now: Timestamp,
        rng: &mut fastrand::Rng,
    ) {
        let targets: Vec<_> = self.lanes.iter().map(|lane| Arc::clone(&lane.target)).collect();
        self.ledger.restore(&targets, spent);
        samples.sort_by_key(|sample| sample.at);
        for sample in samples.into_iter().filter(|sample| sample.at <= now) {
            let Some(index) = self.index(&sample.target) else { continue };
            let (thresholds, interval) = (self.config.thresholds(), self.interval(index));
            let lane = &mut self.lanes[index];
            let mark = Mark::from(&sample);
            let is_pending = lane.take(mark, thresholds);
            lane.count(mark);
            let age = between(sample.at, now);
            // A hint holds over a restart, however long it takes.
            let is_asked_to_wait = sample.kind != Kind::Available
                && sample.retry_after_s.is_some_and(|hint| age < Duration::from_secs(hint.into()));
            let is_fresh = age < interval && !is_pending;
            // A start gives stopped targets a new chance: the key may have changed meanwhile.
            if sample.kind != Kind::Skipped && !sample.kind.needs_user() && (is_fresh || is_asked_to_wait) {
                let wait_helps = Detail::of_record(sample.kind, sample.scope).wait_helps;
                let finding = Finding { sample, wait_helps };
                self.follow_up(index, &finding, false, now, rng);
                if let Some((due, Purpose::Steady)) = &mut self.lanes[index].due {
                    *due = shift(*due, -SignedDuration::try_from(age).unwrap_or_default()).max(after(now, SOON));
                }
            }
        }
        self.reassess();
    }

    fn probed(
        &mut self,
        finding: &Finding,
        spent: Spent,
        now: Timestamp,
        rng: &mut fastrand::Rng,
        effects: &mut Vec<Effect>,
    ) {
        let Some(index) = self.index(&finding.sample.target) else { return };
        let lane = &mut self.lanes[index];
        let flight = lane.in_flight.take();
        if let Some(flight) = flight {
            let spent = cost_of(&finding.sample, &lane.target, spent);
            self.ledger.settle(&lane.target, flight.booked, spent);
        }
        if flight.is_some_and(|flight| flight.is_spoiled) && finding.sample.kind != Kind::Available {
            lane.due = lane.is_active().then(|| (after(now, Duration::from_secs(20)), Purpose::Steady));
            return;
        }
        self.hear_network(index, finding, now, rng, effects);
        self.learn(index, finding, now, rng);
        let lane = &mut self.lanes[index];
        if flight.is_some_and(|flight| flight.is_outdated) && lane.is_stopped {
            // It may be the old key that was refused: the new one gets its chance.
            lane.is_stopped = false;
            lane.due = lane.is_active().then(|| (after(now, SOON), Purpose::Steady));
        }
        if matches!(self.network.link, Link::Down(_)) {
            // What a strange network answers stops nothing.
            self.reprieve();
        }
    }

    fn redirected(
        &mut self,
        target: &TargetId,
        host: String,
        now: Timestamp,
        rng: &mut fastrand::Rng,
        effects: &mut Vec<Effect>,
    ) {
        let Some(lane) = self.index(target).map(|index| &self.lanes[index]) else { return };
        if lane.target.is_local {
            return;
        }
        let provider = lane.target.provider.clone();
        let turn = self.network.redirected(&provider, host, now, rng);
        self.turn(turn, Some(&provider), now, rng, effects);
    }

    fn not_probed(&mut self, target: &TargetId, spent: Spent, now: Timestamp, rng: &mut fastrand::Rng) {
        let Some(index) = self.index(target) else { return };
        let lane = &mut self.lanes[index];
        // A lane that was made anew has plans of its own.
        let Some(flight) = lane.in_flight.take() else { return };
        self.ledger.settle(&lane.target, flight.booked, spent);
        if self.network.link != Link::Up {
            self.network.plan_canary(now, rng);
        }
        let lane = &mut self.lanes[index];
        if flight.is_outdated {
            lane.due = lane.is_active().then(|| (after(now, SOON), Purpose::Steady));
        } else if !lane.is_stopped {
            self.grant(index, Wish::Cycle, now, rng);
        }
    }

    fn log_evidence(&mut self, finding: &Finding, now: Timestamp, rng: &mut fastrand::Rng, effects: &mut Vec<Effect>) {
        let Some(index) = self.index(&finding.sample.target) else { return };
        let is_fresh = between(finding.sample.at, now) < self.interval(index);
        // An answer proves the network; a failure in a log may have many reasons.
        if is_fresh && Reach::of(finding) == Reach::Reached && finding.sample.scope != Scope::Local {
            self.hear_network(index, finding, now, rng, effects);
        }
        let lane = &mut self.lanes[index];
        if is_fresh && lane.is_news(finding.sample.at) {
            if finding.sample.kind == Kind::Available {
                lane.is_stopped = false;
            }
            self.learn(index, finding, now, rng);
        } else {
            lane.take(Mark::from(&finding.sample), self.config.thresholds());
        }
    }

    /// Takes a new result into its lane and plans what it calls for.
    fn learn(&mut self, index: usize, finding: &Finding, now: Timestamp, rng: &mut fastrand::Rng) {
        let thresholds = self.config.thresholds();
        let sample = &finding.sample;
        let lane = &mut self.lanes[index];
        let was_free = lane.is_free();
        let mark = Mark::from(sample);
        let is_pending = lane.take(mark, thresholds);
        lane.count(mark);
        let (is_free, is_flying) = (lane.is_free(), lane.in_flight.is_some());
        if sample.scope == Scope::Account
            && matches!(sample.kind, Kind::RateLimited | Kind::UsageLimit)
            && let Some(hint) = sample.retry_after_s
        {
            let until = after(now, Duration::from_secs(hint.into()).min(LONGEST_QUIET));
            self.quiet.insert(self.lanes[index].target.provider.clone(), until);
        } else if sample.kind == Kind::Available {
            self.quiet.remove(&self.lanes[index].target.provider);
        }
        if !is_flying {
            self.follow_up(index, finding, is_pending, now, rng);
        }
        if was_free != is_free && self.reassess() {
            self.quicken(now, rng);
        }
    }

    fn follow_up(
        &mut self,
        index: usize,
        finding: &Finding,
        is_pending: bool,
        now: Timestamp,
        rng: &mut fastrand::Rng,
    ) {
        let wish = self.lanes[index].wish(finding, is_pending, now, &self.config, rng);
        self.grant(index, wish, now, rng);
    }

    fn probe_now(&mut self, targets: &[TargetId], now: Timestamp, effects: &mut Vec<Effect>) {
        for index in 0..self.lanes.len() {
            let lane = &self.lanes[index];
            let is_wanted = targets.is_empty() || targets.contains(&lane.target.id);
            if is_wanted && lane.target.probing != Probing::Never && lane.in_flight.is_none() && self.left(index) > 0 {
                self.start(index, Purpose::Asked, now, effects);
            }
        }
    }

    fn pause(&mut self, until: Option<Timestamp>, now: Timestamp, effects: &mut Vec<Effect>) {
        if until.is_some_and(|until| until <= now) {
            return;
        }
        if self.paused.is_none() {
            self.skip_all(|_| true, now, SkipReason::Paused, effects);
        }
        self.paused = Some(until);
    }

    pub(super) fn resume(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        if self.paused.take().is_some() {
            self.network.hurry(now, rng);
            self.release(now, |_| true, rng);
        }
    }

    fn system_says(&mut self, state: NetworkState, now: Timestamp, rng: &mut fastrand::Rng, effects: &mut Vec<Effect>) {
        match (state, self.network.link) {
            (NetworkState::Down, Link::Up | Link::Unsure) => {
                let turn = self.network.go_down(Banner::Offline { since: now }, now, rng);
                self.turn(turn, None, now, rng, effects);
            }
            (NetworkState::Up, Link::Down(_)) if self.canary(now).is_some() => self.network.hurry(now, rng),
            (NetworkState::Up, Link::Down(_)) => {
                let turn = self.network.come_up();
                self.turn(turn, None, now, rng, effects);
            }
            (NetworkState::Down, Link::Down(_)) | (NetworkState::Up, Link::Up | Link::Unsure) => {}
        }
    }

    fn hear_network(
        &mut self,
        index: usize,
        finding: &Finding,
        now: Timestamp,
        rng: &mut fastrand::Rng,
        effects: &mut Vec<Effect>,
    ) {
        let target = &self.lanes[index].target;
        if target.is_local {
            return;
        }
        let provider = target.provider.clone();
        let providers = if self.network.link == Link::Unsure { self.remote_providers() } else { 0 };
        let turn = self.network.take(&provider, Reach::of(finding), providers, now, rng);
        self.turn(turn, Some(&provider), now, rng, effects);
    }

    fn turn(
        &mut self,
        turn: Turn,
        provider: Option<&ProviderId>,
        now: Timestamp,
        rng: &mut fastrand::Rng,
        effects: &mut Vec<Effect>,
    ) {
        match turn {
            Turn::None => {}
            Turn::WantWitness => self.call_witness(provider, now, rng),
            Turn::WentDown(banner) => {
                effects.push(Effect::Banner(Some(banner)));
                self.reprieve();
                let reason = self.network.skip_reason().unwrap_or(SkipReason::Offline);
                self.skip_all(|lane| !lane.target.is_local, now, reason, effects);
            }
            Turn::CameUp { was_down } => {
                if was_down {
                    effects.push(Effect::Banner(None));
                    self.reprieve();
                }
                self.release(now, |lane| !lane.target.is_local, rng);
            }
        }
    }

    /// Says for the active lanes that nothing is known from `at` on.
    fn skip_all(&self, is_meant: impl Fn(&Lane) -> bool, at: Timestamp, reason: SkipReason, effects: &mut Vec<Effect>) {
        let is_known_gap = reason != SkipReason::Paused && self.paused.is_some();
        for lane in self.lanes.iter().filter(|lane| lane.is_active() && !lane.is_spent && is_meant(lane)) {
            let newest = lane.marks.front().map_or(at, |mark| mark.at);
            if !is_known_gap {
                effects.push(Effect::Skip { target: lane.target.id.clone(), at: at.max(newest), reason });
            }
        }
    }

    /// Gives a new chance to targets that stopped for what may have been the network they were asked through: a strange
    /// proxy or an unknown portal looks like wrong settings.
    fn reprieve(&mut self) {
        for lane in &mut self.lanes {
            let is_local = lane.marks.front().is_some_and(|mark| mark.scope == Scope::Local);
            lane.is_stopped &= !is_local;
        }
    }

    /// Sees whether emergency targets are needed; `true` when that changed.
    fn reassess(&mut self) -> bool {
        let is_better = |lane: &&Lane| matches!(lane.target.role, Some(Role::Primary | Role::Backup));
        let mut better = self.lanes.iter().filter(is_better).peekable();
        let is_emergency = better.peek().is_some() && better.all(|lane| lane.confirmed.is_some() && !lane.is_free());
        std::mem::replace(&mut self.is_emergency, is_emergency) != is_emergency
    }

    pub(super) fn index(&self, target: &TargetId) -> Option<usize> {
        self.places.get(target).copied()
    }
}
