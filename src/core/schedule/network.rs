//! Our own network: told from what unrelated providers answer, so that its trouble is no model's fault.
//!
//! One provider that cannot be reached is that provider's matter; a second, unrelated one is asked at once as a witness.
//! When both fail, or the system says that there is no network, probing stops, one banner says so, and a single canary
//! goes out (to another provider each time) until anything answers. After sleep the canary goes first.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::budget::was_never_sent;
use super::event::{Finding, SkipReason};
use super::spread::{after, scale, shift, within};
use crate::core::board::Banner;
use crate::core::outcome::{Kind, Scope};
use crate::core::target::ProviderId;

/// Failures of two providers further apart than this are not one event.
const ROUND: SignedDuration = SignedDuration::from_mins(5);

/// What is believed of our network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// It works.
    #[default]
    Up,
    /// The machine just woke: a canary finds out.
    Unsure,
    /// It does not work.
    Down(Banner),
}

/// What one result says of our network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Something answered.
    Reached,
    /// Nothing could be reached.
    Failed,
    /// A captive portal answered.
    Portal,
    /// Neither.
    Silent,
}

impl Reach {
    /// Reads a result. The classifier's rule ids for captive portals contain the word `portal`; status 511 is defined
    /// for them (RFC 6585, section 6).
    pub fn of(finding: &Finding) -> Self {
        let sample = &finding.sample;
        let is_local = sample.scope == Scope::Local;
        match sample.kind {
            Kind::Skipped => Self::Silent,
            _ if was_never_sent(sample) => Self::Silent,
            // Whoever redirects need not be the provider: [`Network::redirected`] looks closer.
            Kind::Misconfigured if sample.http_status.is_some_and(|status| (300..400).contains(&status)) => {
                Self::Silent
            }
            Kind::Network if is_local && (sample.rule.contains("portal") || sample.http_status == Some(511)) => {
                Self::Portal
            }
            Kind::Network | Kind::Timeout if is_local && finding.wait_helps => Self::Failed,
            Kind::Network => Self::Silent,
            Kind::Timeout if is_local => Self::Silent,
            _ => Self::Reached,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    at: Timestamp,
    reach: Reach,
}

/// The machine of our own network.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// What is believed.
    pub link: Link,
    /// When the next canary goes out, while the link is not up.
    pub canary_at: Option<Timestamp>,
    attempts: u32,
    last_canary: Option<ProviderId>,
    seen: HashMap<ProviderId, Seen>,
    /// Where providers' answers redirected to last.
    redirects: HashMap<ProviderId, (Timestamp, String)>,
}

/// What a result led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing.
    None,
    /// An unrelated provider should be asked at once.
    WantWitness,
    /// It went down, or a portal took the place of silence.
    WentDown(Banner),
    /// It came up again; it `was_down` and not just unsure.
    CameUp {
        /// A banner had been shown.
        was_down: bool,
    },
}

impl Network {
    /// Takes in what a provider's result says; `providers` is how many unrelated ones are probed.
    pub fn take(
        &mut self,
        provider: &ProviderId,
        reach: Reach,
        providers: usize,
        now: Timestamp,
        rng: &mut fastrand::Rng,
    ) -> Turn {
        let failed_before = self.seen.get(provider).is_some_and(|seen| seen.reach != Reach::Reached);
        if reach == Reach::Silent {
            if self.link != Link::Up {
                self.plan_canary(now, rng);
            }
            return Turn::None;
        }
        self.seen.insert(provider.clone(), Seen { at: now, reach });
        if reach == Reach::Reached {
            self.redirects.remove(provider);
            return self.come_up();
        }
        let failures =
            self.seen.values().filter(|seen| seen.reach != Reach::Reached && now.duration_since(seen.at) <= ROUND);
        let first = failures.clone().map(|seen| seen.at).min().unwrap_or(now);
        let is_down =
            failures.count() >= 2 && !self.seen.values().any(|seen| seen.reach == Reach::Reached && seen.at >= first);
        match self.link {
            Link::Up if is_down => self.go_down(banner(reach, first), now, rng),
            Link::Up if !failed_before => Turn::WantWitness,
            Link::Up => Turn::None,
            Link::Unsure if is_down => self.go_down(banner(reach, first), now, rng),
            // With a single provider there is no telling whose fault it is.
            Link::Unsure if providers < 2 && self.attempts >= 2 => self.come_up(),
            Link::Unsure => {
                self.canary_at = Some(after(now, within(Duration::from_secs(3), Duration::from_secs(6), rng)));
                Turn::None
            }
            Link::Down(Banner::Offline { since }) if reach == Reach::Portal => {
                self.plan_canary(now, rng);
                self.go_down(Banner::Portal { since }, now, rng)
            }
            Link::Down(_) => {
                self.plan_canary(now, rng);
                Turn::None
            }
        }
    }

    /// Takes in that a provider's answer leads to another site. When unrelated ones lead to the same host it is a captive
    /// portal's.
    pub fn redirected(&mut self, provider: &ProviderId, host: String, now: Timestamp, rng: &mut fastrand::Rng) -> Turn {
        let alike = self
            .redirects
            .iter()
            .filter(|(other, (at, to))| *other != provider && *to == host && now.duration_since(*at) <= ROUND);
        let first = alike.map(|(_, (at, _))| *at).min();
        let is_new = self.redirects.insert(provider.clone(), (now, host)).is_none();
        let was_reached =
            |since: Timestamp| self.seen.values().any(|seen| seen.reach == Reach::Reached && seen.at >= since);
        match (first, self.link) {
            (None, Link::Up) if is_new => Turn::WantWitness,
            (None, _) | (Some(_), Link::Down(Banner::Portal { .. })) => Turn::None,
            (Some(_), Link::Down(Banner::Offline { since })) => self.go_down(Banner::Portal { since }, now, rng),
            (Some(first), Link::Up | Link::Unsure) if was_reached(first) => Turn::None,
            (Some(first), Link::Up | Link::Unsure) => self.go_down(Banner::Portal { since: first }, now, rng),
        }
    }

    /// The system says that there is no network, or results do.
    pub fn go_down(&mut self, banner: Banner, now: Timestamp, rng: &mut fastrand::Rng) -> Turn {
        self.link = Link::Down(banner);
        self.attempts = 0;
        self.plan_canary(now, rng);
        Turn::WentDown(banner)
    }

    /// Something was reached.
    pub fn come_up(&mut self) -> Turn {
        self.canary_at = None;
        self.attempts = 0;
        match std::mem::replace(&mut self.link, Link::Up) {
            Link::Up => Turn::None,
            before => Turn::CameUp { was_down: before != Link::Unsure },
        }
    }

    /// The machine woke: what was known is old.
    pub fn wake(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        self.seen.clear();
        self.redirects.clear();
        self.attempts = 0;
        if self.link == Link::Up {
            self.link = Link::Unsure;
        }
        self.hurry(now, rng);
    }

    /// Sends the canary within seconds.
    pub fn hurry(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        if self.link != Link::Up {
            self.canary_at = Some(after(now, within(Duration::from_secs(3), Duration::from_secs(8), rng)));
        }
    }

    /// Plans the next canary: 20-40 s at first, growing to two minutes.
    pub fn plan_canary(&mut self, now: Timestamp, rng: &mut fastrand::Rng) {
        let grown = scale(Duration::from_secs(20), 1.5_f64.powi(i32::try_from(self.attempts.min(5)).unwrap_or(5)));
        let low = grown.min(Duration::from_secs(90));
        self.canary_at = Some(after(now, within(low, low + Duration::from_secs(20).max(low / 3), rng)));
    }

    /// A canary goes out to this provider.
    pub fn sent(&mut self, provider: &ProviderId) {
        self.canary_at = None;
        self.attempts = self.attempts.saturating_add(1);
        self.last_canary = Some(provider.clone());
    }

    /// The provider of the last canary: the next one should go elsewhere.
    pub const fn last_canary(&self) -> Option<&ProviderId> {
        self.last_canary.as_ref()
    }

    /// Whether a provider answered within the last 20 seconds.
    pub fn was_reached_just_now(&self, now: Timestamp) -> bool {
        self.seen
            .values()
            .any(|seen| seen.reach == Reach::Reached && now.duration_since(seen.at) < SignedDuration::from_secs(20))
    }

    /// Moves all times after the clock was set back.
    pub fn shift(&mut self, by: SignedDuration) {
        self.canary_at = self.canary_at.map(|at| shift(at, by));
        for seen in self.seen.values_mut() {
            seen.at = shift(seen.at, by);
        }
        for (at, _) in self.redirects.values_mut() {
            *at = shift(*at, by);
        }
    }

    /// Forgets providers that are gone.
    pub fn retain(&mut self, is_known: impl Fn(&ProviderId) -> bool) {
        self.seen.retain(|provider, _| is_known(provider));
        self.redirects.retain(|provider, _| is_known(provider));
    }

    /// Why probes are not made.
    pub const fn skip_reason(&self) -> Option<SkipReason> {
        match self.link {
            Link::Up | Link::Unsure => None,
            Link::Down(Banner::Offline { .. }) => Some(SkipReason::Offline),
            Link::Down(Banner::Portal { .. }) => Some(SkipReason::Portal),
        }
    }
}

fn banner(reach: Reach, since: Timestamp) -> Banner {
    match reach {
        Reach::Portal => Banner::Portal { since },
        Reach::Reached | Reach::Failed | Reach::Silent => Banner::Offline { since },
    }
}
