//! From the board to notices that can be trusted: never false, never doubled, never lost.
//!
//! The machine compares where each model stands with what its user knows, and tells the difference once it has lasted for
//! [`Alert::HOLD`], is confirmed by evidence of now, and nothing stands against it:
//!
//! | what | then |
//! |---|---|
//! | our own network is in trouble, or was within [`Alert::CALM`] | wait, and ask for evidence from after it |
//! | nothing answers in time, whoever is asked | the same: no banner yet, but no model's fault |
//! | quiet hours, *do not disturb* | wait; at their end one summary of what is different, and nothing of what came and went |
//! | a snooze of the model | wait; at its end the difference, if there still is one |
//! | [`Alert::FLAPS`] changes within [`Alert::FLAP_TIME`] | one notice that it comes and goes, then silence until it has settled |
//! | several models of a provider | one notice for all |
//! | its state is old | wait for evidence |
//!
//! As notices come of differences and not of events, a restart, a change read twice and the order of events at one moment
//! make no difference, and a notice is followed by its opposite before it can come again. [`Alert::advance`] tells what is
//! due as things stood *before* this moment; [`Alert::observe`] takes in what happened at it.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::core::board::Board;
use crate::core::limits::Window;
use crate::core::target::{ProviderId, TargetId};

mod config;
mod memory;
mod news;
mod notice;
mod observe;
mod quiet;
mod tell;
#[cfg(test)]
mod tests;
pub mod usual;
mod windows;

pub use config::{About, AlertConfig};
use memory::Memory;
pub use notice::{Notice, NoticeId, Offer, Subject, Usually};
pub use quiet::QuietHours;
use usual::Usual;

/// Why and until when nobody is disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// When that ends; `None` is not before the settings change or the user takes it back.
    pub until: Option<Timestamp>,
    /// By the user's wish of the moment, and not by hours or settings.
    pub is_by_hand: bool,
}

/// Decides on notices; see the module.
#[derive(Clone, Debug, Default)]
pub struct Alert {
    config: AlertConfig,
    memory: Memory,
    usual: HashMap<TargetId, Usual>,
    advanced_at: Option<Timestamp>,
    wake_at: Option<Timestamp>,
}

impl Alert {
    /// A difference is told when it has lasted for this long: what else happens to the provider comes in the same notice.
    pub const HOLD: SignedDuration = SignedDuration::from_secs(20);
    /// After trouble of our own network nothing is told for this long.
    pub const CALM: SignedDuration = SignedDuration::from_mins(2);
    /// So many confirmed changes within [`Alert::FLAP_TIME`] are coming and going.
    pub const FLAPS: usize = 4;
    /// See [`Alert::FLAPS`].
    pub const FLAP_TIME: SignedDuration = SignedDuration::from_mins(60);
    /// What came and went has settled after this long without a change.
    pub const SETTLED: SignedDuration = SignedDuration::from_mins(30);
    /// A notice of a provider's model is replaced by one of several for this long, and models that are not the primary
    /// wait half of it for each other when they come back.
    pub const TOGETHER: SignedDuration = SignedDuration::from_mins(30);
    /// A pace limit that is over sooner is not told.
    pub const SHORT_LIMIT: SignedDuration = SignedDuration::from_mins(10);
    /// What the button *Snooze* of a notice does.
    pub const SNOOZE: Duration = Duration::from_secs(60 * 60);

    /// A machine that has told nothing yet.
    pub fn new(config: AlertConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// What it works by.
    pub const fn config(&self) -> &AlertConfig {
        &self.config
    }

    /// Takes in new settings; [`Alert::observe`] comes after it.
    pub fn configure(&mut self, config: AlertConfig) {
        self.config = config;
    }

    /// All that is remembered, as a text.
    pub fn to_text(&self) -> String {
        self.memory.to_text()
    }

    /// Goes on from a text that was kept; one that is not understood is as good as none.
    pub fn recall(&mut self, text: &str) {
        self.memory = Memory::from_text(text).unwrap_or_default();
    }

    /// When to call [`Alert::advance`] next.
    pub const fn wake_at(&self) -> Option<Timestamp> {
        self.wake_at
    }

    /// Takes in readings of a provider's windows; [`Alert::observe`] comes after it.
    pub fn learn_windows(&mut self, provider: &ProviderId, readings: &[Window], board: &Board, now: Timestamp) {
        let is_early = windows::learn(self.memory.windows.entry(provider.clone()).or_default(), readings);
        if is_early {
            for entry in board.entries.iter().filter(|entry| &entry.target.provider == provider) {
                if let Some(known) = self.memory.known.get_mut(&entry.target.id) {
                    known.resets_at = now.checked_sub(windows::GRACE).ok();
                }
            }
        }
    }

    /// Takes in how long free times of a target usually last.
    pub fn learn_usual(&mut self, target: TargetId, usual: Usual) {
        self.usual.insert(target, usual);
    }

    /// Says nothing of a target until then, or again from now on.
    pub fn snooze(&mut self, target: &TargetId, until: Option<Timestamp>) {
        match until {
            Some(until) => drop(self.memory.snoozed.insert(target.clone(), until)),
            None => drop(self.memory.snoozed.remove(target)),
        }
    }

    /// Given to [`Alert::do_not_disturb`], nobody is disturbed until it is taken back.
    pub const FOR_GOOD: Timestamp = Timestamp::MAX;

    /// Disturbs nobody until then, or again from now on.
    pub fn do_not_disturb(&mut self, until: Option<Timestamp>) {
        self.memory.silent_until = until;
    }

    /// Targets of which nothing is said, and until when.
    pub fn snoozed(&self, now: Timestamp) -> impl Iterator<Item = (&TargetId, Timestamp)> {
        self.memory.snoozed.iter().map(|(target, until)| (target, *until)).filter(move |(_, until)| *until > now)
    }

    /// Whether nobody is disturbed at `now`.
    pub fn quiet(&self, now: Timestamp) -> Option<Quiet> {
        if self.config.do_not_disturb {
            return Some(Quiet { until: None, is_by_hand: false });
        }
        let by_hand = self.memory.silent_until.filter(|until| *until > now);
        if by_hand == Some(Self::FOR_GOOD) {
            return Some(Quiet { until: None, is_by_hand: true });
        }
        let mut until = by_hand.unwrap_or(now);
        if let Some(hours) = quiet::covering(&self.config.quiet, until, &self.config.zone) {
            until = hours.end;
        }
        (until > now).then_some(Quiet { until: Some(until), is_by_hand: by_hand.is_some() })
    }

    /// The notice with this number, if it is one of the newest.
    pub fn notice(&self, id: NoticeId) -> Option<&Notice> {
        self.memory.recent.iter().find(|notice| notice.id == id)
    }

    /// The newest notices, newest first.
    pub const fn recent(&self) -> &VecDeque<Notice> {
        &self.memory.recent
    }

    /// Shows a notice no more that still waits for the user to be disturbed.
    pub fn withdraw(&mut self, id: NoticeId) {
        self.memory.held.retain(|held| held.id != id);
    }

    /// Makes a notice of what others have to say. `true` with one that is to be shown now; one that is not comes back from
    /// [`Alert::advance`] when the user may be disturbed again, unless a newer one of the same tool has come by then.
    pub fn post(&mut self, subject: Subject, offers: Vec<Offer>, now: Timestamp) -> (Notice, bool) {
        let notice = self.made(subject, offers, None, now);
        let is_shown = notice.subject.is_answer() || self.quiet(now).is_none();
        if !is_shown {
            self.memory.held.retain(|held| held.subject.tool() != notice.subject.tool());
            self.memory.held.push(notice.clone());
        }
        (notice, is_shown)
    }
}
