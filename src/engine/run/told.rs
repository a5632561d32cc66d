//! What the loop does about notices: shows them, carries out their buttons, keeps them over a restart, and learns what the
//! machine wants to know from the record.

use jiff::{SignedDuration, Timestamp};

use super::Engine;
use crate::core::alert::usual::Usual;
use crate::core::alert::{About, Notice, NoticeId, Offer};
use crate::core::bucket::Point;
use crate::core::target::{ProviderId, Role, TargetId};
use crate::engine::notices::{self, Scene};
use crate::engine::request::Request;
use crate::engine::snapshot::ActivityEvent;
use crate::listen::Limit;
use crate::notify::{Answer, Trouble};
use crate::store::{Filter, Reply, StoreError};

/// Under this name the record remembers the notices.
pub(super) const KEPT: &str = "notices";

/// The record is not read for what is usual before the program has been up for this long: a start has better to do.
const FIRST_LOOK: SignedDuration = SignedDuration::from_mins(1);
/// What is usual changes slowly.
const NEXT_LOOK: SignedDuration = SignedDuration::from_hours(6);

/// A look at how long free times usually last.
pub(super) type UsualFound = Result<Vec<(TargetId, Usual)>, StoreError>;

/// Looks at how long free times usually last, now and then.
#[derive(Debug, Default)]
pub(super) struct UsualLook {
    due_at: Option<Timestamp>,
    under_way: Option<Reply<Vec<(TargetId, Usual)>>>,
}

impl UsualLook {
    pub const fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Waits for what it finds. Given up and called again it loses nothing.
    pub async fn done(&mut self) -> UsualFound {
        let Some(look) = &mut self.under_way else { return std::future::pending().await };
        let found = look.await;
        self.under_way = None;
        found
    }
}

impl Engine {
    /// Shows a notice outside the window.
    pub(super) fn show(&self, notice: &Notice, now: Timestamp) {
        let zone = self.zone();
        let scene = Scene { board: self.machines.board(), zone: &zone, now, tr: &self.parts.tr };
        self.parts.notifier.show(notices::message(notice, &scene));
    }

    /// Carries out what a button of a notice says. One that is not known any more does nothing.
    pub(super) fn answered(&mut self, answer: &Answer, now: Timestamp) {
        if answer.action == Answer::OPENED {
            tracing::debug!(?answer, "a notice itself was clicked");
            return self.parts.waker.open();
        }
        let Some(offer) = self.machines.notice(NoticeId(answer.id)).and_then(|notice| notice.offer(&answer.action))
        else {
            return tracing::debug!(?answer, "an answer to a notice that offers no such thing");
        };
        self.parts.notifier.withdraw(answer.id);
        let request = match offer.clone() {
            Offer::Use { tool, target } | Offer::SwitchBack { tool, target } => Request::Use { tool, target },
            Offer::Undo { journal, .. } => Request::UndoSwitch { id: journal },
            Offer::Snooze { targets, minutes } => {
                let until = now.checked_add(SignedDuration::from_mins(minutes.into())).ok();
                Request::Snooze { targets, until }
            }
        };
        self.request(request, now);
    }

    /// Says once that a way of telling does not work, until it does again.
    pub(super) fn note_trouble(&mut self, trouble: Trouble, now: Timestamp) {
        let Some(words) = trouble.words else {
            self.mute_ways.remove(trouble.way);
            return;
        };
        let lang = self.parts.tr.lang();
        let words = words.into_iter().find(|(other, _)| *other == lang).map(|(_, words)| words);
        if let Some(words) = words
            && self.mute_ways.insert(trouble.way)
        {
            self.machines.note_event(now, ActivityEvent::Trouble(words));
        }
    }

    pub(super) fn snooze(&mut self, targets: &[TargetId], until: Option<Timestamp>, now: Timestamp) {
        let tasks = self.machines.snooze(targets, until, now);
        self.perform(tasks, now);
    }

    pub(super) fn do_not_disturb(&mut self, until: Option<Timestamp>, now: Timestamp) {
        let tasks = self.machines.do_not_disturb(until, now);
        self.perform(tasks, now);
    }

    /// Tells the machine how much of plans' windows is used. A tool's windows for single models are none of its other
    /// models' business and are left out.
    pub(super) fn tell_windows(&mut self, told: &[Limit], now: Timestamp) {
        let tools: std::collections::BTreeSet<&str> = told.iter().map(|limit| limit.tool.name()).collect();
        for tool in tools {
            let is_own =
                |limit: &&Limit| limit.tool.name() == tool && limit.id.as_ref().is_none_or(|id| id.as_str() == tool);
            let windows: Vec<_> = told.iter().filter(is_own).filter_map(Limit::window).collect();
            let tasks = self.machines.learn_windows(&ProviderId::from(tool), &windows, now);
            self.perform(tasks, now);
        }
    }

    /// Takes in what the settings say of notices.
    pub(super) fn configure_notices(&mut self, now: Timestamp) {
        let config = self.settings.alert_config(&self.parts.zone);
        self.machines.configure_notices(config, now);
    }

    /// Begins to look how long free times usually last, when it is time to.
    pub(super) fn look_at_usual(&mut self, now: Timestamp) {
        let due_at = *self.usual.due_at.get_or_insert(now.checked_add(FIRST_LOOK).unwrap_or(now));
        if now < due_at || self.usual.under_way.is_some() {
            return;
        }
        self.usual.due_at = now.checked_add(NEXT_LOOK).ok();
        let about = self.settings.notices.alert.about;
        let is_meant = |role: Option<Role>| match about {
            About::Primary => role == Some(Role::Primary),
            About::Chain | About::All => role.is_some(),
        };
        let targets: Vec<TargetId> = self
            .settings
            .targets
            .iter()
            .filter(|target| is_meant(target.role))
            .map(|target| target.id.clone())
            .collect();
        let (zone, since) = (self.zone(), now.checked_sub(Usual::WINDOW).unwrap_or(now));
        self.usual.under_way = Some(self.parts.store.read(move |reader| {
            let mut found = Vec::new();
            for target in targets {
                let samples = reader.samples(&Filter::target(target.clone()).between(since..now))?;
                let mut points: Vec<Point> = samples.iter().map(Point::from).collect();
                found.push((target, Usual::of_points(&mut points, &zone)));
            }
            Ok(found)
        }));
    }

    /// Takes in what a look found; without one nothing is said of it.
    pub(super) fn learn_usual(&mut self, found: UsualFound) {
        match found {
            Ok(found) => found.into_iter().for_each(|(target, usual)| self.machines.learn_usual(target, usual)),
            Err(StoreError::Missing { .. } | StoreError::Busy) => {}
            Err(error) => tracing::warn!(%error, "the record cannot be read for what is usual"),
        }
    }

    /// Keeps what the next run needs to know of the notices, when that is news.
    pub(super) fn keep_notices(&mut self) {
        let text = self.machines.notices_text();
        if text != self.kept_notices {
            drop(self.parts.store.set_meta(KEPT, &text));
            self.kept_notices = text;
        }
    }

    /// Takes in what an earlier run kept.
    pub(super) async fn recall_notices(&mut self) {
        // In trouble nothing is known to be told, and nothing of the record is news.
        if let Ok(Some(kept)) = self.parts.store.read(|reader| reader.meta(KEPT)).await {
            self.machines.recall_notices(&kept);
        }
    }
}
