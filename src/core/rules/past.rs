//! What was done to a tool, as the journal tells it, and how a rule stands by it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Move;
use crate::core::target::TargetId;

/// One finished entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The journal's number.
    pub id: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub did: Did,
}

/// The cases of [`Past`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// A rule switched.
    Rule {
        /// Which way.
        way: Move,
        /// From which target.
        from: TargetId,
        /// To which.
        to: TargetId,
    },
    /// The user switched.
    User,
    /// The user took an entry back.
    Undone {
        /// Which.
        of: u64,
    },
    /// The user had an entry done again.
    Redone {
        /// Which.
        of: u64,
    },
}

/// A tool that a rule switched away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Away {
    /// What it used before.
    pub first: TargetId,
    /// What the rule left it with.
    pub on: TargetId,
    /// Since when it is away.
    pub since: Timestamp,
    /// The entry that put it there.
    pub id: u64,
    /// It left ahead of a usual busy time.
    pub is_ahead: bool,
}

/// One switch by a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entered {
    way: Move,
    to: TargetId,
    at: Timestamp,
}

/// How a rule stands by what was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// It is away.
    pub away: Option<Away>,
    /// Its user took back a switch: from which model it had led, and when that was.
    pub held: Option<(TargetId, Timestamp)>,
    entered: Vec<Entered>,
}

/// A return did not last if the tool is away again within this many holds.
const LASTS: i32 = 3;

/// A hold is doubled so often at most.
const MOST_DOUBLED: u32 = 3;

impl Standing {
    /// From the entries of one seat, oldest first.
    pub fn of(past: &[Past]) -> Self {
        let mut standing = Self::default();
        for entry in past {
            let of = |of: u64| past.iter().find(|other| other.id == of).map(|other| &other.did);
            match &entry.did {
                Did::User => (standing.away, standing.held) = (None, None),
                Did::Rule { way, from, to } => {
                    standing.entered.push(Entered { way: *way, to: to.clone(), at: entry.at });
                    standing.moved(entry, *way, from, to);
                }
                Did::Redone { of: id } => match of(*id) {
                    Some(Did::Rule { way, from, to }) => standing.moved(entry, *way, from, to),
                    _ => (standing.away, standing.held) = (None, None),
                },
                Did::Undone { of: id } => match of(*id) {
                    Some(Did::Rule { way, from, to }) => standing.taken_back(entry, *way, from, to),
                    _ => (standing.away, standing.held) = (None, None),
                },
            }
        }
        standing
    }

    fn moved(&mut self, entry: &Past, way: Move, from: &TargetId, to: &TargetId) {
        self.held = None;
        let before = self.away.take();
        if way == Move::Back {
            return;
        }
        let is_ahead = way == Move::Ahead || before.as_ref().is_some_and(|away| away.is_ahead);
        let (first, since) = before.map_or_else(|| (from.clone(), entry.at), |away| (away.first, away.since));
        self.away = Some(Away { first, on: to.clone(), since, id: entry.id, is_ahead });
    }

    fn taken_back(&mut self, entry: &Past, way: Move, from: &TargetId, to: &TargetId) {
        let before = self.away.take();
        let first = match (&before, way) {
            (Some(away), _) => away.first.clone(),
            (None, Move::Back) => to.clone(),
            (None, Move::Failover | Move::Ahead) => from.clone(),
        };
        // The second step of a way along the chain: the first one still stands.
        self.away = before.filter(|away| *from != away.first).map(|away| Away { on: from.clone(), ..away });
        self.held = Some((first, entry.at));
    }

    /// Whether a rule put the tool onto this target after `since`.
    pub fn has_entered(&self, target: &TargetId, since: Timestamp) -> bool {
        self.entered.iter().any(|entered| entered.to == *target && entered.at > since)
    }

    /// When a rule switched last.
    pub fn last_at(&self) -> Option<Timestamp> {
        self.entered.iter().map(|entered| entered.at).max()
    }

    /// The hold, doubled for each return in a row that did not last.
    pub fn hold(&self, hold: Duration) -> SignedDuration {
        let hold = SignedDuration::try_from(hold).unwrap_or(SignedDuration::MAX);
        let lasts = hold.checked_mul(LASTS).unwrap_or(SignedDuration::MAX);
        let mut failed = 0_u32;
        let mut later: Option<&Entered> = None;
        for entered in self.entered.iter().rev() {
            match (entered.way, later) {
                (Move::Back, Some(left)) if left.at.duration_since(entered.at) < lasts => failed += 1,
                (Move::Back, Some(_)) => break,
                // A tool that left ahead of a busy time did so by the clock.
                (Move::Ahead, _) => later = None,
                (Move::Failover, _) => later = Some(entered),
                (Move::Back, None) => {}
            }
        }
        hold.checked_mul(1 << failed.min(MOST_DOUBLED)).unwrap_or(SignedDuration::MAX)
    }
}
