//! The board: the live picture of all targets.
//!
//! It is a function of the samples: applying the stored ones again gives the same picture, except for what is never
//! stored (excerpts, plans, the banner).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::core::outcome::{Family, Kind, Outcome, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::schedule::{Plan, Thresholds};
use crate::core::target::{Target, TargetId};

mod age;
mod judge;
mod stretch;
#[cfg(test)]
mod tests;

pub use age::{BREAK, LIVE};
use judge::is_same_claim;
pub use judge::{Judgement, Mark, SESSIONS_WIN, is_refused_in_sessions, judge};
pub use stretch::Stretch;

/// The confirmed state of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The state.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// The first sample of the unbroken run that led to it, or of the run after a silence longer than [`BREAK`].
    pub since: Timestamp,
}

/// The newest sample with what is known of it in memory alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Latest {
    /// As stored.
    pub sample: Sample,
    /// Redacted decisive part of an error; empty on success and after a restart (it is never stored).
    pub excerpt: String,
    /// Waiting is likely to end it.
    pub wait_helps: bool,
    /// Another model of the same account is likely to work.
    pub switch_helps: bool,
}

/// Why no probe of a target is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Waiting cannot heal it: resumes when settings or key change, or on *Probe now*.
    NeedsUser,
    /// The target is probed only when the user asks.
    OnDemand,
    /// The target is never probed by us.
    NeverProbed,
    /// Today's budget of the target or its provider is spent; resumes at this time.
    BudgetSpent {
        /// When the next local day begins.
        until: Timestamp,
    },
    /// The user paused; `None` is until resumed.
    Paused {
        /// When the pause ends by itself.
        until: Option<Timestamp>,
    },
    /// Our own network is down.
    Offline,
    /// Nothing probes at present: the picture is of the record alone.
    NotRunning,
}

/// Today's spending of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests made since local midnight.
    pub requests: u32,
    /// Estimated tokens of those requests.
    pub tokens: u32,
}

/// One target on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Whose state it is.
    pub target: Arc<Target>,
    /// The confirmed state; `None` before there is one.
    pub confirmed: Option<Confirmed>,
    /// The newest sample that was not skipped.
    pub latest: Option<Latest>,
    /// The newest samples of any kind, newest first, at most [`Entry::RECENT`].
    pub recent: VecDeque<Sample>,
    /// Refusals in a tool's log are newer than the passing probe: the log wins.
    pub is_refused_in_sessions: bool,
    /// The newest answer took longer than the `slow` threshold to its first token.
    pub is_slow: bool,
    /// When the next probe is due, if one is planned.
    pub next_probe_at: Option<Timestamp>,
    /// Why none is planned.
    pub hold: Option<Hold>,
    /// Today's spending.
    pub spent: Spent,
}

impl Entry {
    /// How many samples [`Entry::recent`] keeps.
    pub const RECENT: usize = 12;

    /// A target of which nothing is known.
    pub const fn new(target: Arc<Target>) -> Self {
        Self {
            target,
            confirmed: None,
            latest: None,
            recent: VecDeque::new(),
            is_refused_in_sessions: false,
            is_slow: false,
            next_probe_at: None,
            hold: None,
            spent: Spent { requests: 0, tokens: 0 },
        }
    }

    /// The family of the confirmed state, however old, or unknown; see [`Entry::family_at`].
    pub fn family(&self) -> Family {
        self.confirmed.map_or(Family::Unknown, |confirmed| Family::of(confirmed.kind, confirmed.scope))
    }

    /// Puts a sample in its place by time; `false` if it is known already or too old to matter.
    fn remember(&mut self, sample: &Sample, detail: Detail, slow_above: Duration) -> bool {
        let index = self.recent.iter().position(|other| other.at <= sample.at).unwrap_or(self.recent.len());
        let is_known = self
            .recent
            .iter()
            .skip(index)
            .take_while(|other| other.at == sample.at)
            .any(|other| (other.source, other.kind) == (sample.source, sample.kind));
        if is_known || index >= Self::RECENT {
            return false;
        }
        self.recent.insert(index, sample.clone());
        self.recent.truncate(Self::RECENT);
        let is_newest = self.latest.as_ref().is_none_or(|latest| latest.sample.at <= sample.at);
        if is_newest && sample.kind != Kind::Skipped {
            let Detail { excerpt, wait_helps, switch_helps } = detail;
            self.is_slow = sample.kind == Kind::Available
                && sample.first_token_ms.is_some_and(|ms| Duration::from_millis(ms.into()) > slow_above);
            self.latest = Some(Latest { sample: sample.clone(), excerpt, wait_helps, switch_helps });
        }
        true
    }

    /// Where the newest sample came from.
    pub fn source(&self) -> Option<Source> {
        self.latest.as_ref().map(|latest| latest.sample.source)
    }
}

/// What is known of a sample in memory alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Redacted decisive part of an error.
    pub excerpt: String,
    /// Waiting is likely to end it.
    pub wait_helps: bool,
    /// Another model of the same account is likely to work.
    pub switch_helps: bool,
}

impl Detail {
    /// What can be said of a stored sample (errors.md, section 1): no excerpt, the usual of its kind and scope.
    pub fn of_record(kind: Kind, scope: Scope) -> Self {
        let wait_helps = matches!(
            kind,
            Kind::AtCapacity | Kind::RateLimited | Kind::UsageLimit | Kind::ServerError | Kind::Timeout | Kind::Network
        );
        Self {
            excerpt: String::new(),
            wait_helps,
            switch_helps: kind != Kind::Available && kind != Kind::Skipped && scope == Scope::Model,
        }
    }
}

impl From<&Outcome> for Detail {
    fn from(outcome: &Outcome) -> Self {
        Self { excerpt: outcome.excerpt.clone(), wait_helps: outcome.wait_helps, switch_helps: outcome.switch_helps }
    }
}

/// A change of the picture that is worth telling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// The confirmed state before; `None` when there was none.
    pub from: Option<Confirmed>,
    /// The confirmed state now.
    pub to: Confirmed,
    /// When the sample that confirmed it began.
    pub at: Timestamp,
    /// Nothing was known for longer than [`BREAK`] between the last sign of the state before and the first of this one:
    /// when the change was, and what lay between, nobody saw.
    pub is_after_gap: bool,
}

/// What changed on the board.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A target's confirmed state is another one.
    Confirmed {
        /// Whose.
        target: Arc<Target>,
        /// From what to what.
        transition: Transition,
    },
    /// The banner came, went or is another one.
    Banner(Option<Banner>),
}

/// One thing that concerns all targets, said once instead of on every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Banner {
    /// Unrelated providers all fail to connect, or the system says so.
    Offline {
        /// Since when.
        since: Timestamp,
    },
    /// A captive portal answers in the providers' place.
    Portal {
        /// Since when.
        since: Timestamp,
    },
}

/// The live picture of all targets, in chain order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// One entry a target, in chain order.
    pub entries: Vec<Entry>,
    /// What concerns all of them.
    pub banner: Option<Banner>,
}

impl Board {
    /// A board of these targets, in this order, of which nothing is known.
    pub fn new(targets: impl IntoIterator<Item = Arc<Target>>) -> Self {
        Self { entries: targets.into_iter().map(Entry::new).collect(), banner: None }
    }

    /// Replaces the targets and their order; what is known of those that stay is kept. Another model or provider under
    /// an old name is another target.
    pub fn set_targets(&mut self, targets: impl IntoIterator<Item = Arc<Target>>) {
        let mut before = std::mem::take(&mut self.entries);
        let key = |target: &Target| (target.id.clone(), target.provider.clone(), target.model.clone(), target.dialect);
        self.entries = targets
            .into_iter()
            .map(|target| match before.iter().position(|entry| key(&entry.target) == key(&target)) {
                Some(index) => Entry { target, ..before.swap_remove(index) },
                None => Entry::new(target),
            })
            .collect();
    }

    /// Takes in a sample, live or stored; one of an unknown target is ignored, and so is one that is known already or
    /// older than all that are remembered.
    pub fn apply(&mut self, sample: &Sample, detail: Detail, thresholds: &Thresholds) -> Vec<Change> {
        let is_own_network = self.banner.is_some() && sample.scope == Scope::Local && sample.kind != Kind::Skipped;
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.target.id == sample.target) else {
            return Vec::new();
        };
        let quiet_since = entry.quiet_since();
        let is_break = |first: Timestamp| quiet_since.is_some_and(|quiet| first.duration_since(quiet) > BREAK);
        if !entry.remember(sample, detail, thresholds.slow_above) || is_own_network {
            return Vec::new();
        }
        let marks = entry.recent.iter().map(Mark::from);
        let judgement = judge(entry.confirmed, marks.clone(), *thresholds);
        entry.is_refused_in_sessions = is_refused_in_sessions(marks);
        let (from, mut to) = (entry.confirmed, judgement.confirmed);
        let mut is_after_gap = to.filter(|_| to != from).is_some_and(|to| is_break(to.since));
        if let Some(kept) = to.as_mut().filter(|kept| Some(**kept) == from && is_same_claim(**kept, sample))
            && is_break(sample.at)
        {
            // The same again after a silence: what was between nobody knows.
            kept.since = sample.at;
            is_after_gap = true;
        }
        entry.confirmed = to;
        match to {
            Some(to) if Some(to) != from => vec![Change::Confirmed {
                target: Arc::clone(&entry.target),
                transition: Transition { from, to, at: sample.at, is_after_gap },
            }],
            _ => Vec::new(),
        }
    }

    /// Forgets samples of what is now the future, after the clock was set back: newer ones would seem older than they.
    pub fn forget_after(&mut self, now: Timestamp) {
        for entry in &mut self.entries {
            entry.recent.retain(|sample| sample.at <= now);
            if entry.latest.as_ref().is_some_and(|latest| latest.sample.at > now) {
                entry.latest = None;
            }
            if let Some(confirmed) = &mut entry.confirmed {
                confirmed.since = confirmed.since.min(now);
            }
        }
    }

    /// Shows or hides the banner.
    pub fn set_banner(&mut self, banner: Option<Banner>) -> Vec<Change> {
        if std::mem::replace(&mut self.banner, banner) == banner { Vec::new() } else { vec![Change::Banner(banner)] }
    }

    /// Takes in what the schedule plans.
    pub fn set_plans(&mut self, plan: impl Fn(&TargetId) -> Plan) {
        for entry in &mut self.entries {
            let Plan { next_probe_at, hold, spent } = plan(&entry.target.id);
            (entry.next_probe_at, entry.hold, entry.spent) = (next_probe_at, hold, spent);
        }
    }

    /// Puts the beginnings of stretches right that are older than the samples which this board was shown: each of a state
    /// that still stands as it was found.
    pub fn set_begun(&mut self, begun: &HashMap<TargetId, (Confirmed, Timestamp)>) {
        for entry in &mut self.entries {
            if let (Some(confirmed), Some((seen, since))) = (&mut entry.confirmed, begun.get(&entry.target.id))
                && confirmed == seen
            {
                confirmed.since = *since;
            }
        }
    }

    /// The entry of a target.
    pub fn entry(&self, target: &TargetId) -> Option<&Entry> {
        self.entries.iter().find(|entry| &entry.target.id == target)
    }

    /// What people call a target; its id when it is not on the board.
    pub fn name_of(&self, target: &TargetId) -> String {
        let all = self.entries.iter().map(|entry| &entry.target);
        self.entry(target).map_or_else(|| target.to_string(), |entry| entry.target.called(all))
    }

    /// The first target of the chain (those with a role) that is free at `now`; one that is only known from before is
    /// not.
    pub fn first_free(&self, now: Timestamp) -> Option<&Entry> {
        self.chain().find(|entry| entry.is_free(now))
    }

    /// The first target of the chain that was free when it was seen last, however long ago.
    pub fn last_known_free(&self) -> Option<&Entry> {
        self.chain().find(|entry| entry.was_free())
    }

    fn chain(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.target.role.is_some())
    }

    /// What was known in memory alone (excerpts, plans, the banner) is carried over to this board from the one before.
    pub fn remember_of(&mut self, before: &Self) {
        self.banner = before.banner;
        for entry in &mut self.entries {
            let Some(old) = before.entry(&entry.target.id) else { continue };
            if let (Some(new), Some(old)) = (&mut entry.latest, &old.latest)
                && new.sample == old.sample
            {
                new.clone_from(old);
            }
            (entry.next_probe_at, entry.hold, entry.spent) = (old.next_probe_at, old.hold, old.spent);
        }
    }
}
