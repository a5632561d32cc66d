//! The notices themselves: what belongs together, who is proposed, what can be done about it.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use super::memory::{Known, Stand};
use super::news::News;
use super::{Alert, Notice, NoticeId, Offer, Subject};
use crate::core::board::{BREAK, Board, Entry};
use crate::core::outcome::Kind;
use crate::core::target::{Role, TargetId};

impl Alert {
    /// What is to be told at `now`, as things stood before it. Comes before [`Alert::observe`], and tells nothing when called
    /// again for the same moment, so that what happens at one moment counts as one.
    pub fn advance(&mut self, board: &Board, now: Timestamp) -> Vec<Notice> {
        if self.advanced_at.is_some_and(|last| last >= now) {
            return Vec::new();
        }
        self.advanced_at = Some(now);
        if self.quiet(now).is_some() || self.calm_at().is_some_and(|calm| now < calm) {
            return Vec::new();
        }
        let entries: Vec<&Entry> = board.entries.iter().collect();
        let news: Vec<(&Entry, News)> =
            entries.iter().filter_map(|entry| Some((*entry, self.news(board, entry, now)?))).collect();
        if let Some(since) = self.memory.quiet_since.take() {
            let mut notices: Vec<Notice> = self.summary(since, &news, board, now).into_iter().collect();
            notices.extend(std::mem::take(&mut self.memory.held));
            return notices;
        }
        let mut done = BTreeSet::new();
        let mut notices = Vec::new();
        for (entry, what) in news {
            if !done.contains(&entry.target.id) {
                notices.extend(self.tell(entry, what, &mut done, board, now));
            }
        }
        notices
    }

    /// One notice of all that is different after a quiet time.
    fn summary(&mut self, since: Timestamp, news: &[(&Entry, News)], board: &Board, now: Timestamp) -> Option<Notice> {
        let (mut back, mut away) = (Vec::new(), Vec::new());
        for (entry, what) in news {
            let id = &entry.target.id;
            let known = self.memory.known.get_mut(id)?;
            let was_limited = known.told == Stand::Limited;
            let was_away = (was_limited || known.told == Stand::Away) && known.is_named;
            // Who was told that it comes and goes does not know where it stands.
            let was_unsteady = known.flapping == Some(true);
            let (is_free, is_limited) = (known.level == Stand::Free, known.level == Stand::Limited);
            if *what == News::Reminder {
                known.told_at = Some(now);
                continue;
            }
            known.settle();
            let config = &self.config;
            if matches!(what, News::Reset) || is_free {
                known.told = Stand::Free;
                let is_on = if was_limited { config.limits } else { config.recovered };
                if (was_away || was_unsteady) && is_on {
                    back.push(id.clone());
                }
            } else {
                known.told_at = Some(now);
                let is_on = if is_limited { config.limits } else { config.full };
                if (!was_away || was_unsteady) && is_on {
                    away.push(id.clone());
                }
            }
        }
        self.leave_groups(&back);
        if back.is_empty() && away.is_empty() {
            return None;
        }
        let free = self.first_free(board, now, |_| true);
        let offers = match (back.first(), &free) {
            (Some(target), _) => vec![switch_back(target)],
            (None, Some(target)) => vec![use_it(target)],
            (None, None) => Vec::new(),
        };
        Some(self.made(Subject::Summary { since, back, away, free }, offers, None, now))
    }

    fn tell(
        &mut self,
        entry: &Entry,
        what: News,
        done: &mut BTreeSet<TargetId>,
        board: &Board,
        now: Timestamp,
    ) -> Option<Notice> {
        let target = entry.target.id.clone();
        done.insert(target.clone());
        match what {
            News::Back => self.tell_back(entry, done, board, now),
            News::Away => self.tell_away(entry, done, board, now),
            News::Limited => self.tell_limited(entry, board, now),
            News::Reset => {
                let known = self.memory.known.get_mut(&target)?;
                known.told = Stand::Free;
                if known.level == Stand::Limited {
                    known.level = Stand::Unknown;
                }
                known.forget_away();
                let is_told = known.is_named && self.config.limits;
                let offers = vec![switch_back(&target)];
                is_told.then(|| self.made(Subject::LimitReset { target }, offers, None, now))
            }
            News::Flapping => self.tell_flapping(entry, board, now),
            News::Settled => {
                let known = self.memory.known.get_mut(&target)?;
                let was_told = known.flapping == Some(true);
                known.flapping = None;
                known.changes.clear();
                if !was_told {
                    // Nobody was told that it came and went: the usual difference is told next.
                    return None;
                }
                known.settle();
                let is_free = known.level == Stand::Free;
                known.told_at = (!is_free).then_some(now);
                let since = entry.confirmed.map_or(now, |confirmed| confirmed.since);
                if is_free {
                    self.leave_groups(std::slice::from_ref(&target));
                } else {
                    known.away_since = Some(since);
                }
                let offers = if is_free { vec![switch_back(&target), snooze(&target)] } else { vec![snooze(&target)] };
                Some(self.made(Subject::Settled { target, is_free, since }, offers, None, now))
            }
            News::Reminder => {
                let free = self.first_free(board, now, |_| true);
                let known = self.memory.known.get_mut(&target)?;
                let since = known.away_since.unwrap_or(now);
                // One for all that were told of together.
                let group = std::iter::once(target.clone()).chain(known.group.iter().cloned());
                for id in group.collect::<Vec<_>>() {
                    if let Some(known) = self.memory.known.get_mut(&id) {
                        known.told_at = Some(now);
                    }
                    done.insert(id);
                }
                let offers = free.iter().map(use_it).chain([snooze(&target)]).collect();
                Some(self.made(Subject::Reminder { target, since, free }, offers, None, now))
            }
        }
    }

    fn tell_back(
        &mut self,
        entry: &Entry,
        done: &mut BTreeSet<TargetId>,
        board: &Board,
        now: Timestamp,
    ) -> Option<Notice> {
        if self.waits_for_others(board, entry, now) {
            return None;
        }
        let target = entry.target.id.clone();
        let group = self.memory.known.get(&target)?.group.clone();
        let back: Vec<TargetId> =
            board.entries.iter().map(|other| &other.target.id).filter(|id| group.contains(id)).cloned().collect();
        let is_all = back.iter().all(|other| self.is_back(board, other, now));
        let free: Vec<TargetId> = back.into_iter().filter(|other| self.is_back(board, other, now)).collect();
        let is_together = free.len() > 1 && (is_all || entry.target.role != Some(Role::Primary));
        let targets = if is_together { free } else { vec![target.clone()] };
        let is_named = targets.iter().any(|id| self.memory.known.get(id).is_some_and(|known| known.is_named));
        let lengths: Vec<Option<Duration>> = targets
            .iter()
            .filter_map(|id| Some((self.memory.known.get(id)?, board.entry(id)?)))
            .filter(|(known, _)| known.away_since.is_some())
            .map(|(known, entry)| length(known, entry))
            .collect();
        for id in &targets {
            let Some(known) = self.memory.known.get_mut(id) else { continue };
            (known.told, known.notice) = (Stand::Free, None);
            known.group.clear();
            known.forget_away();
            done.insert(id.clone());
        }
        self.leave_groups(&targets);
        if !self.config.recovered || !is_named {
            return None;
        }
        let offers = vec![switch_back(&target), snooze(&target)];
        let subject = if is_together {
            let after = lengths.iter().all(Option::is_some).then(|| lengths.into_iter().flatten().max()).flatten();
            Subject::ProviderBack { provider: entry.target.provider.clone(), targets, after }
        } else {
            let usually = self.usual.get(&target).and_then(|usual| usual.at(now, &self.config.zone));
            Subject::Recovered { target, after: lengths.first().copied().flatten(), usually }
        };
        Some(self.made(subject, offers, None, now))
    }

    fn tell_away(
        &mut self,
        entry: &Entry,
        done: &mut BTreeSet<TargetId>,
        board: &Board,
        now: Timestamp,
    ) -> Option<Notice> {
        let target = entry.target.id.clone();
        let provider = &entry.target.provider;
        let mates = if self.config.provider { self.mates(entry, board, now) } else { Vec::new() };
        // Those of the provider that the user was told of just now.
        let told = mates.iter().filter_map(|id| {
            let known = self.memory.known.get(id)?;
            let is_recent = known.told_at.is_some_and(|at| now.duration_since(at) <= Self::TOGETHER);
            (known.told == Stand::Away && is_recent && known.notice.is_some()).then(|| known.clone())
        });
        let earlier = told.max_by_key(|known| known.notice);
        let is_untold = |id: &&TargetId| self.memory.known.get(*id).is_none_or(|known| known.told != Stand::Away);
        let fresh = mates.iter().filter(is_untold).count();
        let is_group = !mates.is_empty() && (earlier.is_some() || fresh > 0);
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.group.len() > 1)
            && earlier.named.as_ref() != Some(&target)
        {
            // The provider's trouble is known: one more of its models adds nothing.
            let mut group = earlier.group.clone();
            group.push(target.clone());
            for other in &earlier.group {
                if let Some(known) = self.memory.known.get_mut(other).filter(|known| known.told == Stand::Away) {
                    known.group.clone_from(&group);
                }
            }
            self.tell_of(std::slice::from_ref(&target), earlier.notice, earlier.named.clone(), now, done);
            let known = self.memory.known.get_mut(&target)?;
            (known.is_named, known.group, known.told_at) = (false, group, earlier.told_at);
            return None;
        }
        let mut targets = mates;
        targets.push(target.clone());
        let order = |id: &TargetId| board.entries.iter().position(|entry| &entry.target.id == id);
        targets.sort_by_key(order);
        let targets = if is_group { targets } else { vec![target.clone()] };
        let free = self.first_free(board, now, |other| !is_group || &other.target.provider != provider);
        let is_on = self.config.full;
        let replaces = earlier.and_then(|earlier| earlier.notice);
        let id = is_on.then(|| NoticeId(self.memory.last_id + 1));
        self.tell_of(&targets, id, free.clone(), now, done);
        for id in &targets {
            if let Some(known) = self.memory.known.get_mut(id) {
                known.is_named = true;
            }
        }
        if !is_on {
            return None;
        }
        let offers = free.iter().map(use_it).chain([snooze(&target)]).collect();
        let kind = entry.confirmed.map_or(Kind::Unrecognized, |confirmed| confirmed.kind);
        let subject = if is_group {
            Subject::ProviderAway { provider: provider.clone(), targets, free }
        } else {
            Subject::Full { target, kind, free }
        };
        Some(self.made(subject, offers, replaces, now))
    }

    /// These are free: nobody waits for them any more, and what was passed over in silence as theirs is news of its own.
    fn leave_groups(&mut self, back: &[TargetId]) {
        for (id, known) in &mut self.memory.known {
            known.group.retain(|other| !back.contains(other));
            if known.told == Stand::Away && !known.is_named && known.group.iter().all(|other| other == id) {
                known.told = Stand::Free;
                known.told_at = None;
                known.notice = None;
                known.group.clear();
            }
        }
    }

    /// The user knows of these from now on.
    fn tell_of(
        &mut self,
        targets: &[TargetId],
        notice: Option<NoticeId>,
        named: Option<TargetId>,
        at: Timestamp,
        done: &mut BTreeSet<TargetId>,
    ) {
        for id in targets {
            let Some(known) = self.memory.known.get_mut(id) else { continue };
            known.told = Stand::Away;
            known.told_at = Some(at);
            known.notice = notice;
            known.named.clone_from(&named);
            known.group = targets.to_vec();
            done.insert(id.clone());
        }
    }

    /// Other models of the chain and of the same provider that are not free by evidence of now either.
    fn mates(&self, entry: &Entry, board: &Board, now: Timestamp) -> Vec<TargetId> {
        let is_mate = |other: &&Entry| {
            let id = &other.target.id;
            let known = self.memory.known.get(id);
            other.target.provider == entry.target.provider
                && id != &entry.target.id
                && other.target.role.is_some()
                && known.is_some_and(|known| known.level == Stand::Away && known.flapping.is_none())
                && self.stand(other, now) == Stand::Away
                && !self.memory.snoozed.contains_key(id)
        };
        board.entries.iter().filter(is_mate).map(|other| other.target.id.clone()).collect()
    }

    fn tell_limited(&mut self, entry: &Entry, board: &Board, now: Timestamp) -> Option<Notice> {
        let target = entry.target.id.clone();
        let free = self.first_free(board, now, |_| true);
        // A limit is an account's: one notice for all its models.
        let is_told = board.entries.iter().any(|other| {
            let known = self.memory.known.get(&other.target.id);
            other.target.provider == entry.target.provider
                && other.target.id != target
                && known.is_some_and(|known| known.told == Stand::Limited && known.level == Stand::Limited)
        });
        let known = self.memory.known.get_mut(&target)?;
        known.told = Stand::Limited;
        known.told_at = Some(now);
        known.is_named = !is_told;
        let resets_at = known.resets_at.filter(|at| *at > now);
        if is_told || !self.config.limits {
            return None;
        }
        let offers = free.iter().map(use_it).chain([snooze(&target)]).collect();
        Some(self.made(Subject::Limited { target, resets_at, free }, offers, None, now))
    }

    fn tell_flapping(&mut self, entry: &Entry, board: &Board, now: Timestamp) -> Option<Notice> {
        let target = entry.target.id.clone();
        let free = self.first_free(board, now, |other| other.target.id != target);
        let known = self.memory.known.get_mut(&target)?;
        known.flapping = Some(true);
        let changes = u32::try_from(known.changes.len()).unwrap_or(u32::MAX);
        let since = known.changes.first().copied().unwrap_or(now);
        let offers = free.iter().map(use_it).chain([snooze(&target)]).collect();
        Some(self.made(Subject::Flapping { target, changes, since, free }, offers, None, now))
    }

    /// The first of the chain that is free by evidence of now, does not come and go, and is wanted by `is_meant`.
    fn first_free(&self, board: &Board, now: Timestamp, is_meant: impl Fn(&Entry) -> bool) -> Option<TargetId> {
        let is_steady = |entry: &&Entry| {
            let known = self.memory.known.get(&entry.target.id);
            known.is_none_or(|known| known.flapping.is_none()) && self.stand(entry, now) == Stand::Free
        };
        let mut chain = board.entries.iter().filter(|entry| entry.target.role.is_some());
        chain.find(|entry| is_steady(entry) && is_meant(entry)).map(|entry| entry.target.id.clone())
    }

    pub(super) fn made(
        &mut self,
        subject: Subject,
        offers: Vec<Offer>,
        replaces: Option<NoticeId>,
        now: Timestamp,
    ) -> Notice {
        self.memory.last_id += 1;
        let notice = Notice { id: NoticeId(self.memory.last_id), at: now, subject, offers, replaces };
        self.memory.remember(&notice);
        notice
    }
}

/// How long a model that is free now was not; `None` when nobody saw when that ended.
fn length(known: &Known, entry: &Entry) -> Option<Duration> {
    let free_since = entry.confirmed?.since;
    let is_seen = free_since.duration_since(known.away_seen?) <= BREAK;
    is_seen.then(|| Duration::try_from(free_since.duration_since(known.away_since?)).ok())?
}

fn use_it(target: &TargetId) -> Offer {
    Offer::Use { tool: None, target: target.clone() }
}

fn switch_back(target: &TargetId) -> Offer {
    Offer::SwitchBack { tool: None, target: target.clone() }
}

fn snooze(target: &TargetId) -> Offer {
    let minutes = u32::try_from(Alert::SNOOZE.as_secs() / 60).unwrap_or(u32::MAX);
    Offer::Snooze { targets: vec![target.clone()], minutes }
}
