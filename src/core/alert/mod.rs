//! From changes of the board to notices that can be trusted.
//!
//! One notice says one thing: the primary model is free again, after it was confirmed not to be. It needs a confirmed
//! *not free* of the model, provider or account before, so that there is none at the start and none for trouble of our
//! own network, and it forgets that with the notice, so that there is never a second one for the same outage.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::core::board::{Change, Confirmed};
use crate::core::outcome::{Family, Scope};
use crate::core::target::{Role, TargetId};

mod notice;

pub use notice::{Notice, NoticeId, Offer, Subject, Usually};

/// Decides on notices; see the module.
#[derive(Clone, Debug, Default)]
pub struct Alert {
    last_id: u64,
    not_free_since: HashMap<TargetId, Timestamp>,
}

impl Alert {
    /// A confirmation older than this is history (a log read late, the record at the start): remembered, not told.
    pub const STALE: SignedDuration = SignedDuration::from_mins(15);

    /// Takes the place of this one's memory by that of the record, `read` anew; an outage that both know keeps its
    /// earlier beginning.
    pub fn adopt(&mut self, read: Self) {
        let before = std::mem::replace(&mut self.not_free_since, read.not_free_since);
        for (target, since) in &mut self.not_free_since {
            if let Some(known) = before.get(target) {
                *since = (*since).min(*known);
            }
        }
    }

    /// A notice of what others decided.
    pub const fn give(&mut self, subject: Subject, offers: Vec<Offer>, now: Timestamp) -> Notice {
        self.last_id += 1;
        Notice { id: NoticeId(self.last_id), at: now, subject, offers, replaces: None }
    }

    /// Takes in changes of the board at `now`, also those of the record at the start, and says what to tell.
    pub fn handle(&mut self, changes: &[Change], now: Timestamp) -> Vec<Notice> {
        let mut notices = Vec::new();
        for change in changes {
            let Change::Confirmed { target, transition } = change else { continue };
            if transition.is_after_gap {
                // Nobody saw when the outage before ended: its end is no news, and its length would be made up.
                self.not_free_since.remove(&target.id);
            }
            if target.role != Some(Role::Primary) {
                self.not_free_since.remove(&target.id);
            } else if is_not_free(transition.to) {
                self.not_free_since.entry(target.id.clone()).or_insert(transition.to.since);
            } else if family(transition.to) == Family::Available
                && let Some(since) = self.not_free_since.remove(&target.id)
                && now.duration_since(transition.at) <= Self::STALE
            {
                let after = Duration::try_from(transition.to.since.duration_since(since)).unwrap_or_default();
                self.last_id += 1;
                let target = target.id.clone();
                let subject = Subject::Recovered { target, after: Some(after), usually: None };
                let id = NoticeId(self.last_id);
                notices.push(Notice { id, at: now, subject, offers: Vec::new(), replaces: None });
            }
        }
        notices
    }
}

const fn family(confirmed: Confirmed) -> Family {
    Family::of(confirmed.kind, confirmed.scope)
}

/// Whether the state keeps the user from the model by no fault of this machine.
fn is_not_free(confirmed: Confirmed) -> bool {
    confirmed.scope != Scope::Local && !matches!(family(confirmed), Family::Available | Family::Unknown)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::core::board::Transition;
    use crate::core::outcome::Kind;
    use crate::core::simulate::WorldDefaults;
    use crate::core::target::DailyCap;

    fn at(minute: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
    }

    type State = (Kind, Scope);

    /// Feeds confirmed states, one in ten minutes, and returns how long each told outage lasted, in minutes.
    fn told(role: Role, states: &[State]) -> Vec<u64> {
        let defaults = WorldDefaults { cap: DailyCap { requests: 1, tokens: 1 }, tokens_per_probe: 1 };
        let target = Arc::new(defaults.target(TargetId::from("t"), None, role));
        let mut alert = Alert::default();
        let mut told = Vec::new();
        for (minute, (kind, scope)) in (0..).step_by(10).zip(states) {
            let to = Confirmed { kind: *kind, scope: *scope, since: at(minute) };
            let transition = Transition { from: None, to, at: at(minute + 1), is_after_gap: false };
            let changes = [Change::Confirmed { target: Arc::clone(&target), transition }];
            for notice in alert.handle(&changes, at(minute + 1)) {
                let Subject::Recovered { after: Some(after), .. } = notice.subject else { panic!("{notice:?}") };
                told.push(after.as_secs() / 60);
            }
        }
        told
    }

    const FREE: State = (Kind::Available, Scope::Model);
    const FULL: State = (Kind::AtCapacity, Scope::Model);
    const FAULT: State = (Kind::ServerError, Scope::Provider);
    const OWN: State = (Kind::Network, Scope::Local);
    const QUOTA: State = (Kind::QuotaExhausted, Scope::Account);
    const OURS: State = (Kind::BadRequest, Scope::Local);

    #[test]
    fn a_recovery_is_told_once_and_nothing_else_is() {
        let cases: &[(&[State], &[u64])] = &[
            (&[FREE], &[]),
            (&[FULL], &[]),
            (&[FULL, FREE], &[10]),
            (&[FREE, FULL, FREE, FREE], &[10]),
            (&[FULL, FAULT, QUOTA, FREE], &[30]),
            (&[FULL, FREE, FULL, FREE], &[10, 10]),
            (&[FREE, OWN, FREE], &[]),
            (&[FREE, OURS, FREE], &[]),
            (&[FULL, OWN, FREE], &[20]),
        ];
        for (states, expected) in cases {
            assert_eq!(told(Role::Primary, states), *expected, "{states:?}");
            assert!(told(Role::Backup, states).is_empty());
        }
    }

    #[test]
    fn history_is_not_news() {
        let defaults = WorldDefaults { cap: DailyCap { requests: 1, tokens: 1 }, tokens_per_probe: 1 };
        let target = Arc::new(defaults.target(TargetId::from("t"), None, Role::Primary));
        let change = |kind, minute| {
            let to = Confirmed { kind, scope: Scope::Model, since: at(minute) };
            let transition = Transition { from: None, to, at: at(minute), is_after_gap: false };
            [Change::Confirmed { target: Arc::clone(&target), transition }]
        };
        let mut alert = Alert::default();
        alert.handle(&change(Kind::AtCapacity, 0), at(500));
        assert!(alert.handle(&change(Kind::Available, 30), at(500)).is_empty(), "over hours ago");
        alert.handle(&change(Kind::AtCapacity, 480), at(500));
        assert_eq!(alert.handle(&change(Kind::Available, 505), at(506)).len(), 1, "known from the record, over now");
    }
}
