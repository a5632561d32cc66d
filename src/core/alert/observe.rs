//! What happened, as far as it matters for notices.

use jiff::Timestamp;

use super::memory::{Known, Stand, Trouble};
use super::{About, Alert, quiet, windows};
use crate::core::board::{Board, Entry};
use crate::core::outcome::{Family, Scope};
use crate::core::target::Role;

/// How the present is taken in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// As it happens.
    Live,
    /// As it stood in the record at the start.
    Record,
}

impl Alert {
    /// Takes in the record, once, before anything happens: where models stand is known to the user from before.
    pub fn begin(&mut self, board: &Board, now: Timestamp) {
        self.take_in(board, now, How::Record);
        // What the record says of this very moment is told with all that happens at it.
        self.advanced_at = Some(now);
    }

    /// Takes in what happened at `now`; [`Alert::advance`] comes before it.
    pub fn observe(&mut self, board: &Board, now: Timestamp) {
        self.take_in(board, now, How::Live);
    }

    fn take_in(&mut self, board: &Board, now: Timestamp, how: How) {
        if self.advanced_at.is_some_and(|last| now < last) {
            self.memory.clamp(now);
            self.advanced_at = None;
        }
        self.memory.forget(now);
        match (board.banner, &mut self.memory.trouble) {
            (Some(_), trouble) => *trouble = Some(Trouble { ended: None }),
            (None, Some(trouble)) => {
                trouble.ended.get_or_insert(now);
            }
            (None, None) => {}
        }
        if self.quiet(now).is_some() {
            let hours = quiet::covering(&self.config.quiet, now, &self.config.zone);
            self.memory.quiet_since.get_or_insert(hours.map_or(now, |hours| hours.start));
        }
        self.memory.known.retain(|target, _| board.entry(target).is_some());
        for entry in &board.entries {
            self.take_in_target(entry, now, how);
        }
        self.wake_at = self.next_wake(board, now);
    }

    fn take_in_target(&mut self, entry: &Entry, now: Timestamp, how: How) {
        let level = self.stand(entry, now);
        let is_wanted = self.is_wanted(entry);
        let reached = self.reached(entry, now);
        let is_calm = self.calm_at().is_none_or(|calm| calm <= now);
        let is_first = !self.memory.known.contains_key(&entry.target.id);
        let is_disputed =
            self.memory.known.get(&entry.target.id).is_some_and(|known| self.is_disputed(entry, known, now));
        let known = self.memory.known.entry(entry.target.id.clone()).or_default();
        let confirmed_since = entry.confirmed.map_or(now, |confirmed| confirmed.since);
        // To grow old is no event: what was known stays as it was, and is told by evidence of now alone.
        let is_old = level == Stand::Unknown && !matches!(entry.family(), Family::Unknown) && !is_local(entry);
        let level = if is_old { known.level } else { level };
        if level != known.level {
            let is_free = level == Stand::Free;
            if matches!(level, Stand::Free | Stand::Away) {
                let is_change = known.was_free.is_some_and(|was| was != is_free);
                if is_change && is_calm && how == How::Live {
                    known.changes.retain(|at| now.duration_since(*at) <= Self::FLAP_TIME);
                    known.changes.push(confirmed_since);
                    known.changed_at = Some(now);
                    if known.changes.len() >= Self::FLAPS && known.flapping.is_none() {
                        known.flapping = Some(false);
                    }
                }
                known.was_free = Some(is_free);
            }
            known.level = level;
            known.level_at = now;
        }
        if is_disputed && known.flapping.is_some() {
            known.changed_at = Some(now);
        }
        match level {
            Stand::Away | Stand::Limited if !is_old => {
                known.away_since.get_or_insert(if reached.is_some() { now } else { confirmed_since });
                known.away_seen = entry.seen_at().or(known.away_seen);
                known.kind = entry.confirmed.map(|confirmed| confirmed.kind);
                if level == Stand::Limited {
                    known.resets_at = reached.map_or_else(|| entry.held_until(), |reached| reached.resets_at);
                }
            }
            Stand::Free if known.told == Stand::Free => known.forget_away(),
            Stand::Free | Stand::Away | Stand::Limited | Stand::Unknown => {}
        }
        // Who is told of it from now on has just chosen so, and sees where it stands.
        let is_chosen = is_wanted && !known.is_wanted && !is_first;
        if is_chosen || (is_first && how == How::Record) {
            known.settle();
        }
        known.is_wanted = is_wanted;
        if known.told == Stand::Unknown && level == Stand::Free {
            known.told = Stand::Free;
        }
    }

    /// Where a target stands at `now`.
    pub(super) fn stand(&self, entry: &Entry, now: Timestamp) -> Stand {
        let by_evidence = match entry.family() {
            Family::Available if entry.is_free(now) => Stand::Free,
            Family::Full | Family::Fault | Family::Blocked if entry.is_fresh(now) && !is_local(entry) => Stand::Away,
            Family::Limited if entry.is_fresh(now) => Stand::Limited,
            _ => Stand::Unknown,
        };
        let is_newer = |read_at: Timestamp| entry.seen_at().is_some_and(|seen| seen > read_at);
        match self.reached(entry, now) {
            Some(reached) if by_evidence != Stand::Away => {
                if by_evidence == Stand::Free && is_newer(reached.read_at) {
                    Stand::Free
                } else {
                    Stand::Limited
                }
            }
            _ => by_evidence,
        }
    }

    pub(super) fn reached(&self, entry: &Entry, now: Timestamp) -> Option<windows::Reached> {
        windows::reached(self.memory.windows.get(&entry.target.provider)?, now)
    }

    fn is_wanted(&self, entry: &Entry) -> bool {
        match self.config.about {
            About::Primary => entry.target.role == Some(Role::Primary),
            About::Chain => entry.target.role.is_some(),
            About::All => true,
        }
    }
}

impl Known {
    /// Takes where it stands as known to the user.
    pub(super) fn settle(&mut self) {
        self.told = self.level;
        self.is_named = true;
        self.flapping = None;
        self.changes.clear();
        self.notice = None;
        self.group.clear();
        if self.level == Stand::Free {
            self.forget_away();
        }
    }

    /// Forgets the time in which it was not free: it is told, or nobody was told of it.
    pub(super) fn forget_away(&mut self) {
        self.away_since = None;
        self.away_seen = None;
        self.resets_at = None;
        self.told_at = None;
        self.named = None;
    }
}

fn is_local(entry: &Entry) -> bool {
    entry.confirmed.is_some_and(|confirmed| confirmed.scope == Scope::Local)
}
