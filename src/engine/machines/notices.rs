//! The alert machine among the others: what it is told, and what becomes of its notices.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Machines, Task};
use crate::core::alert::usual::Usual;
use crate::core::alert::{AlertConfig, Notice, NoticeId, Offer, Subject};
use crate::core::limits::Window;
use crate::core::target::{ProviderId, TargetId};
use crate::engine::snapshot::{ActivityEvent, NoticeStatus};

impl Machines {
    /// What the user wants to hear of, from now on.
    pub fn configure_notices(&mut self, config: AlertConfig, now: Timestamp) {
        if *self.alert.config() != config {
            self.alert.configure(config);
            self.alert.observe(&self.board, now);
        }
    }

    /// Goes on from what an earlier run kept of its notices; comes before [`Machines::restore`].
    pub fn recall_notices(&mut self, kept: &str) {
        self.alert.recall(kept);
        for notice in self.alert.recent() {
            self.activity.add_once(notice.at, ActivityEvent::Notice(notice.clone()));
        }
    }

    /// What a later run needs to know of the notices.
    pub fn notices_text(&self) -> String {
        self.alert.to_text()
    }

    /// Takes in readings of a provider's windows.
    pub fn learn_windows(&mut self, provider: &ProviderId, windows: &[Window], now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        self.tell_due(now, &mut tasks);
        self.alert.learn_windows(provider, windows, &self.board, now);
        self.alert.observe(&self.board, now);
        tasks
    }

    /// Takes in how long free times of a target usually last.
    pub fn learn_usual(&mut self, target: TargetId, usual: Usual) {
        self.alert.learn_usual(target, usual);
    }

    /// Says nothing of these targets until then, or again from now on.
    pub fn snooze(&mut self, targets: &[TargetId], until: Option<Timestamp>, now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        self.tell_due(now, &mut tasks);
        for target in targets {
            self.alert.snooze(target, until);
        }
        self.alert.observe(&self.board, now);
        tasks
    }

    /// Disturbs nobody until then, or again from now on.
    pub fn do_not_disturb(&mut self, until: Option<Timestamp>, now: Timestamp) -> Vec<Task> {
        let mut tasks = Vec::new();
        self.tell_due(now, &mut tasks);
        self.alert.do_not_disturb(until);
        self.alert.observe(&self.board, now);
        tasks
    }

    /// Makes a notice of what others than the alert machine have to say. It stands in Activity at once; `true` with one
    /// that is to be shown now, as otherwise it is when the user may be disturbed.
    pub fn post(&mut self, subject: Subject, offers: Vec<Offer>, now: Timestamp) -> (Notice, bool) {
        let (notice, is_shown) = self.alert.post(subject, offers, now);
        self.note_notice(&notice);
        self.alert.observe(&self.board, now);
        (notice, is_shown)
    }

    /// Shows a notice no more that still waits for the user to be disturbed.
    pub fn withdraw(&mut self, id: NoticeId) {
        self.alert.withdraw(id);
    }

    /// The notice with this number, if it is one of the newest.
    pub fn notice(&self, id: NoticeId) -> Option<&Notice> {
        self.alert.notice(id)
    }

    /// Gives the notices that are due, before anything that happens at `now` counts.
    pub(super) fn tell_due(&mut self, now: Timestamp, tasks: &mut Vec<Task>) {
        for notice in self.alert.advance(&self.board, now) {
            // One that waited for the end of quiet hours stands there already.
            if notice.at == now {
                self.note_notice(&notice);
            }
            tasks.push(Task::Notify(notice));
        }
    }

    fn note_notice(&mut self, notice: &Notice) {
        Arc::make_mut(&mut self.counts).notice(notice.subject.name());
        self.activity.add(notice.at, ActivityEvent::Notice(notice.clone()));
    }

    pub(super) fn notice_status(&self, now: Timestamp) -> NoticeStatus {
        let snoozed: BTreeMap<_, _> = self.alert.snoozed(now).map(|(target, until)| (target.clone(), until)).collect();
        NoticeStatus { snoozed: Arc::new(snoozed), quiet: self.alert.quiet(now) }
    }
}
