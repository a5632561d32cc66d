//! What differs from what the user knows, and when it may be told.

use jiff::{SignedDuration, Timestamp};

use super::Alert;
use super::memory::{Known, Stand};
use super::windows::GRACE;
use crate::core::board::{Board, Entry};
use crate::core::outcome::{Family, Kind};
use crate::core::target::{Probing, Role, TargetId};

/// A difference of one target that may be told now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It is free again.
    Back,
    /// It is not free.
    Away,
    /// Its limit is reached.
    Limited,
    /// Its limit has started anew.
    Reset,
    /// It comes and goes.
    Flapping,
    /// It came and went, and has settled.
    Settled,
    /// It is still not free.
    Reminder,
}

impl Alert {
    /// When our own network has been well for long enough; `None` when it has been well all along.
    pub(super) fn calm_at(&self) -> Option<Timestamp> {
        let trouble = self.memory.trouble?;
        Some(trouble.ended.map_or(Timestamp::MAX, |ended| after(ended, Self::CALM)))
    }

    /// What may be told of a target, were it alone.
    pub(super) fn news(&self, board: &Board, entry: &Entry, now: Timestamp) -> Option<News> {
        let known = self.memory.known.get(&entry.target.id)?;
        if !known.is_wanted || self.memory.snoozed.get(&entry.target.id).is_some_and(|until| *until > now) {
            return None;
        }
        // A reset by the clock is nothing that evidence could show.
        let stand = self.stand(entry, now);
        let is_by_clock = stand == Stand::Unknown && is_reset_by_clock(known, entry, now);
        if !is_by_clock
            && (stand != known.level || !self.is_proven(entry, known) || self.is_disputed(entry, known, now))
        {
            return None;
        }
        let is_held = now < after(known.level_at, Self::HOLD);
        if let Some(is_told) = known.flapping.filter(|_| self.config.flapping) {
            return match known.changed_at {
                Some(at) if now >= after(at, Self::SETTLED) => (known.level != Stand::Unknown).then_some(News::Settled),
                _ if !is_told && !is_held && !self.is_flapping_beside(board, entry) => Some(News::Flapping),
                _ => None,
            };
        }
        match (known.level, known.told) {
            _ if is_by_clock => Some(News::Reset),
            _ if is_held => None,
            (Stand::Free, Stand::Away) => Some(News::Back),
            (Stand::Free, Stand::Limited) => Some(News::Reset),
            (Stand::Away, Stand::Free | Stand::Unknown) if !is_everywhere(board, entry) => Some(News::Away),
            (Stand::Limited, Stand::Free | Stand::Unknown) if self.is_worth_it(entry, known, now) => {
                Some(News::Limited)
            }
            (Stand::Away, Stand::Away) if known.is_named => {
                let due = after(known.told_at?, SignedDuration::try_from(self.config.reminders?).ok()?);
                (now >= due).then_some(News::Reminder)
            }
            _ => None,
        }
    }

    /// Whether the evidence is from after the last trouble of our own network.
    fn is_proven(&self, entry: &Entry, known: &Known) -> bool {
        let Some(ended) = self.memory.trouble.and_then(|trouble| trouble.ended) else { return true };
        known.level == Stand::Limited || entry.seen_at().is_some_and(|seen| seen >= ended)
    }

    /// Whether the newest result says the opposite of what is confirmed: the next one decides.
    pub(super) fn is_disputed(&self, entry: &Entry, known: &Known, now: Timestamp) -> bool {
        let Some(sample) = entry.latest.as_ref().map(|latest| &latest.sample) else { return false };
        match known.level {
            Stand::Free => matches!(sample.family(), Family::Full | Family::Fault | Family::Limited | Family::Blocked),
            Stand::Away | Stand::Limited => {
                sample.kind == Kind::Available && !entry.is_refused_in_sessions && self.reached(entry, now).is_none()
            }
            Stand::Unknown => false,
        }
    }

    /// Whether the user knows already that models of this provider come and go.
    fn is_flapping_beside(&self, board: &Board, entry: &Entry) -> bool {
        let is_told = |id: &TargetId| self.memory.known.get(id).is_some_and(|known| known.flapping == Some(true));
        let of_provider = board.entries.iter().filter(|other| other.target.provider == entry.target.provider);
        self.config.provider && of_provider.map(|other| &other.target.id).any(is_told)
    }

    /// Whether a limit lasts long enough to be told.
    fn is_worth_it(&self, entry: &Entry, known: &Known, now: Timestamp) -> bool {
        let is_pace = known.kind == Some(Kind::RateLimited) && self.reached(entry, now).is_none();
        !is_pace
            || now >= after(known.level_at, Self::SHORT_LIMIT)
            || known.resets_at.is_some_and(|at| at.duration_since(now) >= Self::SHORT_LIMIT)
    }

    /// The next moment at which something may become due, always after `now`.
    pub(super) fn next_wake(&self, board: &Board, now: Timestamp) -> Option<Timestamp> {
        let mut moments: Vec<Timestamp> = Vec::new();
        moments.extend(self.calm_at().filter(|at| *at < Timestamp::MAX));
        moments.extend(self.quiet(now).and_then(|quiet| quiet.until));
        moments.extend(self.memory.snoozed.values());
        for entry in &board.entries {
            let Some(known) = self.memory.known.get(&entry.target.id) else { continue };
            if !known.is_wanted {
                continue;
            }
            let is_different = known.told != known.level || known.flapping == Some(false);
            moments.push(after(known.level_at, Self::HOLD));
            if is_different {
                moments.push(after(known.level_at, Self::SHORT_LIMIT));
                moments.push(after(known.level_at, Self::TOGETHER / 2));
            }
            if known.flapping.is_some() {
                moments.extend(known.changed_at.map(|at| after(at, Self::SETTLED)));
            }
            moments.extend(known.resets_at.map(|at| after(after(at, GRACE), Self::HOLD)));
            moments.extend(self.reached(entry, now).map(|reached| reached.until));
            if let (Stand::Away, Some(told), Some(every)) = (known.told, known.told_at, self.config.reminders) {
                moments.push(after(told, SignedDuration::try_from(every).unwrap_or(SignedDuration::MAX)));
            }
        }
        // What became due at this very moment is told after all that happens at it.
        let is_open = self.quiet(now).is_none() && self.calm_at().is_none_or(|calm| calm <= now);
        let is_due = is_open
            && (self.memory.quiet_since.is_some() || board.entries.iter().any(|entry| self.is_due(board, entry, now)));
        moments.extend(is_due.then(|| after(now, SignedDuration::from_secs(1))));
        moments.into_iter().filter(|at| *at > now).min()
    }

    fn is_due(&self, board: &Board, entry: &Entry, now: Timestamp) -> bool {
        self.news(board, entry, now).is_some_and(|news| news != News::Back || !self.waits_for_others(board, entry, now))
    }

    /// Whether a model that is back waits for those that went with it: they come back together.
    pub(super) fn waits_for_others(&self, board: &Board, entry: &Entry, now: Timestamp) -> bool {
        let Some(known) = self.memory.known.get(&entry.target.id) else { return false };
        entry.target.role != Some(Role::Primary)
            && now < after(known.level_at, Self::TOGETHER / 2)
            && known.group.iter().any(|other| !self.is_back(board, other, now))
    }

    /// Whether a target is free by evidence of now, and has been for long enough.
    pub(super) fn is_back(&self, board: &Board, target: &TargetId, now: Timestamp) -> bool {
        let Some(known) = self.memory.known.get(target) else { return true };
        let is_free = board.entry(target).is_none_or(|entry| entry.is_free(now));
        is_free && known.level == Stand::Free && now >= after(known.level_at, Self::HOLD)
    }
}

/// Whether a limit that was told has ended by the clock alone: nobody asks this target, so nothing else would tell.
fn is_reset_by_clock(known: &Known, entry: &Entry, now: Timestamp) -> bool {
    known.told == Stand::Limited
        && matches!(known.level, Stand::Limited | Stand::Unknown)
        && known.resets_at.is_some_and(|at| now >= after(after(at, GRACE), Alert::HOLD))
        && entry.target.probing != Probing::Scheduled
}

/// Whether nothing answers in time, whoever is asked: then it is our own network, though it has no banner yet.
fn is_everywhere(board: &Board, entry: &Entry) -> bool {
    let Some(confirmed) = entry.confirmed.filter(|confirmed| confirmed.kind == Kind::Timeout) else { return false };
    let Ok(since) = confirmed.since.checked_sub(SignedDuration::from_mins(2)) else { return false };
    let others = board.entries.iter().filter(|other| {
        other.target.provider != entry.target.provider && !other.target.is_local && !entry.target.is_local
    });
    let mut newest = others.filter_map(|other| other.latest.as_ref()).map(|latest| &latest.sample);
    let mut is_any = false;
    newest.by_ref().filter(|sample| sample.at >= since).all(|sample| {
        is_any = true;
        matches!(sample.kind, Kind::Timeout | Kind::Network)
    }) && is_any
}

/// A moment later, as far as time goes.
pub fn after(at: Timestamp, wait: SignedDuration) -> Timestamp {
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}
