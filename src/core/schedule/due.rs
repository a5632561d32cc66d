//! What is due, and when to look again.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use super::budget::{Demand, Pace};
use super::estimate::usual_interval;
use super::event::{Effect, Purpose, SkipReason};
use super::lane::{Flight, Lane, Wish};
use super::machine::Schedule;
use super::network::Link;
use super::spread::{after, between, cycle, within};
use crate::core::target::{DailyCap, Probing, ProviderId, Role};

/// A probe whose result has not come by then was lost by us: longer than any deadline and queue.
const LOST_AFTER: Duration = Duration::from_secs(15 * 60);
/// Between the first probes of two targets, at the start or after a gap.
const FIRST_GAP: Duration = Duration::from_millis(500);
/// All first probes go out within this time.
const FIRST_ROUND: Duration = Duration::from_secs(60);

impl Schedule {
    /// Makes the probes that are due, and ends what has run out.
    pub(super) fn run_due(&mut self, now: Timestamp, rng: &mut fastrand::Rng, effects: &mut Vec<Effect>) {
        if self.paused.flatten().is_some_and(|until| until <= now) {
            self.resume(now, rng);
        }
        for index in 0..self.lanes.len() {
            let lane = &mut self.lanes[index];
            if lane.in_flight.is_some_and(|flight| after(flight.since, LOST_AFTER) <= now) {
                lane.in_flight = None;
                lane.due = None;
            }
            if !lane.is_active() || lane.in_flight.is_some() || lane.is_spent {
                continue;
            }
            let due = lane.due;
            if due.is_none_or(|(due, _)| due <= now) && self.left(index) == 0 {
                self.run_dry(index, now, effects);
                continue;
            }
            let Some((due, purpose)) = due else {
                self.grant(index, Wish::Cycle, now, rng);
                continue;
            };
            if due > now || self.is_held(index) {
                continue;
            }
            if let Some(until) = self.quiet.get(&self.lanes[index].target.provider).filter(|until| **until > now) {
                let at = after(*until, within(Duration::from_secs(2), Duration::from_secs(20), rng));
                self.lanes[index].due = Some((at, purpose));
            } else {
                self.start(index, purpose, now, effects);
            }
        }
        self.run_canary(now, rng, effects);
    }

    /// Holds a lane until midnight.
    fn run_dry(&mut self, index: usize, now: Timestamp, effects: &mut Vec<Effect>) {
        let lane = &mut self.lanes[index];
        lane.is_spent = true;
        lane.due = None;
        let target = lane.target.id.clone();
        effects.push(Effect::Skip { target, at: now, reason: SkipReason::Budget });
    }

    fn run_canary(&mut self, now: Timestamp, rng: &mut fastrand::Rng, effects: &mut Vec<Effect>) {
        if self.network.link == Link::Up || self.paused.is_some() {
            return;
        }
        let Some(at) = self.network.canary_at else {
            let is_out = self.lanes.iter().any(|lane| !lane.target.is_local && lane.in_flight.is_some());
            if !is_out {
                self.network.plan_canary(now, rng);
            }
            return;
        };
        if at > now {
            return;
        }
        match self.canary(now) {
            Some(index) => {
                let provider = self.lanes[index].target.provider.clone();
                self.network.sent(&provider);
                self.start(index, Purpose::Canary, now, effects);
            }
            None if self.network.link == Link::Unsure => {
                self.network.come_up();
                self.release(now, |lane| !lane.target.is_local, rng);
            }
            None => self.network.plan_canary(now, rng),
        }
    }

    /// The target for the next canary: the first of the chain whose provider was not the last one's.
    pub(super) fn canary(&self, now: Timestamp) -> Option<usize> {
        let mut able = (0..self.lanes.len()).filter(|index| {
            let lane = &self.lanes[*index];
            let is_quiet = self.quiet.get(&lane.target.provider).is_some_and(|until| *until > now);
            lane.is_active() && !lane.target.is_local && lane.in_flight.is_none() && !is_quiet && self.left(*index) > 0
        });
        let last = self.network.last_canary();
        let first = able.next()?;
        if Some(&self.lanes[first].target.provider) != last {
            return Some(first);
        }
        Some(able.find(|index| Some(&self.lanes[*index].target.provider) != last).unwrap_or(first))
    }

    /// Asks a target of an unrelated provider at once, unless one has just answered.
    pub(super) fn call_witness(&mut self, provider: Option<&ProviderId>, now: Timestamp, rng: &mut fastrand::Rng) {
        if self.network.was_reached_just_now(now) {
            return;
        }
        let witness = self.lanes.iter_mut().find(|lane| {
            lane.is_active()
                && !lane.target.is_local
                && lane.in_flight.is_none()
                && !lane.is_spent
                && Some(&lane.target.provider) != provider
        });
        if let Some(lane) = witness {
            let at = after(now, within(Duration::from_secs(2), Duration::from_secs(5), rng));
            if lane.due.is_none_or(|(due, _)| due > at) {
                lane.due = Some((at, Purpose::Canary));
            }
        }
    }

    /// Sends a probe.
    pub(super) fn start(&mut self, index: usize, purpose: Purpose, now: Timestamp, effects: &mut Vec<Effect>) {
        let lane = &mut self.lanes[index];
        lane.due = None;
        let booked = self.ledger.book(&lane.target);
        lane.in_flight = Some(Flight { since: now, is_spoiled: false, is_outdated: false, booked });
        effects.push(Effect::Probe { target: lane.target.id.clone(), purpose });
    }

    /// Plans what a lane wishes, as far as the budget allows.
    pub(super) fn grant(&mut self, index: usize, wish: Wish, now: Timestamp, rng: &mut fastrand::Rng) {
        let lane = &mut self.lanes[index];
        if lane.target.probing != Probing::Scheduled {
            lane.due = None;
            return;
        }
        lane.is_stopped = wish == Wish::Stop;
        lane.is_slow = wish == Wish::SlowCycle;
        let interval = match wish {
            Wish::SlowCycle => self.config.slow(),
            _ => self.interval(index),
        };
        let due = match wish {
            // Without a plan it is found to be spent at once.
            _ if self.left(index) == 0 => None,
            Wish::Stop => None,
            Wish::Cycle | Wish::SlowCycle => {
                let interval = self.pace(index, interval, now).steady;
                let is_first = !std::mem::replace(&mut self.lanes[index].is_placed, true) && self.lanes.len() > 1;
                let others = self.lanes.iter().enumerate().filter(|(other, _)| *other != index);
                let others = others.filter_map(|(_, lane)| Some(lane.due?.0));
                Some((cycle(now, interval, is_first, others, rng), Purpose::Steady))
            }
            Wish::Within(low, high, purpose) => {
                let floor = match purpose {
                    Purpose::Recovery => self.pace(index, interval, now).recovery,
                    _ => Duration::ZERO,
                };
                Some((after(now, within(low.max(floor), high.max(floor + floor / 10), rng)), purpose))
            }
        };
        self.lanes[index].due = due;
    }

    /// Plans the active lanes that are meant and have nothing planned, or something overdue: soon, in chain order.
    pub(super) fn release(&mut self, now: Timestamp, is_meant: impl Fn(&Lane) -> bool, rng: &mut fastrand::Rng) {
        let count = u32::try_from(self.lanes.len()).unwrap_or(u32::MAX).max(1);
        let gap = FIRST_GAP.min(FIRST_ROUND / count);
        let mut wait = Duration::ZERO;
        for lane in &mut self.lanes {
            let is_due = lane.due.is_none_or(|(due, _)| due <= now);
            if lane.is_active() && lane.in_flight.is_none() && !lane.is_spent && is_due && is_meant(lane) {
                lane.due = Some((after(now, wait + within(Duration::ZERO, gap, rng)), Purpose::Steady));
                lane.is_placed = false;
                wait += gap;
            }
        }
    }

    /// Brings forward what is planned for later than the present pace asks: somebody looks again, or a target is needed.
    pub(super) fn quicken(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        for index in 0..self.lanes.len() {
            let Some((due, Purpose::Steady)) = self.lanes[index].due else { continue };
            let newest = self.lanes[index].marks.front();
            let interval = self.pace(index, self.interval(index), now).steady;
            if due <= after(now, interval + interval / 5) || self.lanes[index].is_slow {
                continue;
            }
            let age = newest.map_or(interval, |mark| between(mark.at, now));
            let left = interval.saturating_sub(age).max(Duration::from_secs(1));
            self.lanes[index].due = Some((after(now, within(left, left + interval / 10, rng)), Purpose::Steady));
        }
    }

    /// A new budget: targets that had little or none left begin anywhere in their cycle, not all at midnight.
    pub(super) fn begin_day(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        for index in 0..self.lanes.len() {
            let interval = self.interval(index);
            let lane = &mut self.lanes[index];
            let is_stretched = !lane.is_slow
                && lane.due.is_some_and(|(due, purpose)| purpose == Purpose::Steady && due > after(now, interval * 2));
            if std::mem::take(&mut lane.is_spent) || is_stretched {
                lane.due = Some((after(now, within(Duration::from_secs(1), interval, rng)), Purpose::Steady));
            }
        }
    }

    /// The time of the next thing to do.
    pub(super) fn next_wake(&self) -> Option<Timestamp> {
        let mut wake: Option<Timestamp> = self.paused.flatten();
        let mut sooner = |at: Timestamp| wake = Some(wake.map_or(at, |other| other.min(at)));
        for (index, lane) in self.lanes.iter().enumerate() {
            if let Some(flight) = lane.in_flight {
                sooner(after(flight.since, LOST_AFTER));
            } else if let Some((due, _)) = lane.due
                && !self.is_held(index)
            {
                sooner(due);
            }
        }
        if self.lanes.iter().any(Lane::is_active) {
            sooner(self.ledger.day_end());
        }
        if self.paused.is_none()
            && let Some(at) = self.network.canary_at
        {
            sooner(at);
        }
        wake
    }

    /// The interval of a lane's usual cycle at present.
    pub(super) fn interval(&self, index: usize) -> Duration {
        let target = &self.lanes[index].target;
        if self.is_away {
            self.config.slow()
        } else if self.is_emergency && target.role == Some(Role::Emergency) {
            self.config.steady()
        } else {
            usual_interval(target, &self.config)
        }
    }

    /// How many probes of a lane today's budgets still allow.
    pub(super) fn left(&self, index: usize) -> u32 {
        let target = &self.lanes[index].target;
        self.ledger.left(target, self.provider_cap(&target.provider))
    }

    /// How many unrelated providers are probed over the network.
    pub(super) fn remote_providers(&self) -> usize {
        let remote = self.lanes.iter().filter(|lane| lane.is_active() && !lane.target.is_local);
        remote.map(|lane| &lane.target.provider).collect::<HashSet<_>>().len()
    }

    fn pace(&self, index: usize, interval: Duration, now: Timestamp) -> Pace {
        let target = &self.lanes[index].target;
        let mut demand = Demand::default();
        for (other, lane) in self.lanes.iter().enumerate() {
            if lane.is_active() && lane.target.provider == target.provider {
                let rate = 1.0 / self.interval(other).as_secs_f64();
                demand.requests += rate;
                demand.tokens += rate * f64::from(lane.target.tokens_per_probe);
            }
        }
        self.ledger.pace(target, self.provider_cap(&target.provider), interval, demand, now)
    }

    fn provider_cap(&self, provider: &ProviderId) -> DailyCap {
        self.provider_caps.get(provider).copied().unwrap_or(self.config.provider_cap)
    }

    /// Whether a lane waits for the end of a pause or for our own network.
    fn is_held(&self, index: usize) -> bool {
        self.paused.is_some() || (self.network.link != Link::Up && !self.lanes[index].target.is_local)
    }
}
