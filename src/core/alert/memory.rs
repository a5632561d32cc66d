//! What is remembered between two notices, and over a restart.

use std::collections::{BTreeMap, VecDeque};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::windows::{self, Used};
use super::{Notice, NoticeId};
use crate::core::outcome::Kind;
use crate::core::target::{ProviderId, TargetId};

/// The version of the kept text; another one is not understood.
const VERSION: u32 = 1;
/// Notices kept for their buttons.
const RECENT: usize = 30;

/// Where a model stands for its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stand {
    /// Nothing is known of now.
    #[default]
    Unknown,
    /// Free.
    Free,
    /// Not free by no fault of this machine.
    Away,
    /// The user's own limit is reached.
    Limited,
}

/// What is remembered of a target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// Where it stands.
    pub level: Stand,
    /// When that was learned.
    pub level_at: Timestamp,
    /// What the user knows, told or seen.
    pub told: Stand,
    /// Whether the user heard of it by its name, and not of its provider or account alone.
    pub is_named: bool,
    /// Whether the user is told about it.
    pub is_wanted: bool,
    /// Whether it was free when it last was free or away.
    pub was_free: Option<bool>,
    /// The exact case while it is not free.
    pub kind: Option<Kind>,
    /// Since when it is not free; kept until its end is told.
    pub away_since: Option<Timestamp>,
    /// The newest sign of that.
    pub away_seen: Option<Timestamp>,
    /// When the limit that it is held by starts anew.
    pub resets_at: Option<Timestamp>,
    /// The notice that told that it is not free.
    pub notice: Option<NoticeId>,
    /// When that notice or its newest reminder was given.
    pub told_at: Option<Timestamp>,
    /// The models that were told of together with it.
    pub group: Vec<TargetId>,
    /// The model that was proposed with it.
    pub named: Option<TargetId>,
    /// The beginnings of the newest states, of free and not free in turn.
    pub changes: Vec<Timestamp>,
    /// When the last of them was learned.
    pub changed_at: Option<Timestamp>,
    /// It comes and goes; whether that was told.
    pub flapping: Option<bool>,
}

impl Known {
    fn is_worth_keeping(&self) -> bool {
        self.is_wanted || self.flapping.is_some() || !self.changes.is_empty() || !self.group.is_empty()
    }
}

/// Trouble of our own network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    /// When it ended; `None` while it lasts.
    pub ended: Option<Timestamp>,
}

/// All that is remembered; see the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    version: u32,
    /// The number of the newest notice.
    pub last_id: u64,
    /// What is remembered of each target.
    pub known: BTreeMap<TargetId, Known>,
    /// Plans' windows by provider.
    pub windows: BTreeMap<ProviderId, Vec<Used>>,
    /// Until when nothing is said of a target.
    pub snoozed: BTreeMap<TargetId, Timestamp>,
    /// Until when the user does not want to be disturbed, as wished by hand.
    pub silent_until: Option<Timestamp>,
    /// Since when nobody is to be disturbed.
    pub quiet_since: Option<Timestamp>,
    /// Trouble of our own network, also that of a while ago.
    pub trouble: Option<Trouble>,
    /// Notices that others made while nobody was to be disturbed.
    pub held: Vec<Notice>,
    /// The newest notices, newest first.
    pub recent: VecDeque<Notice>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            version: VERSION,
            last_id: 0,
            known: BTreeMap::new(),
            windows: BTreeMap::new(),
            snoozed: BTreeMap::new(),
            silent_until: None,
            quiet_since: None,
            trouble: None,
            held: Vec::new(),
            recent: VecDeque::new(),
        }
    }
}

impl Memory {
    /// As a text, for the next start.
    pub fn to_text(&self) -> String {
        // What nobody is told of is known again from the record.
        let known = self.known.iter().filter(|(_, known)| known.is_worth_keeping());
        let kept =
            Self { known: known.map(|(id, known)| (id.clone(), known.clone())).collect(), ..self.clone_without() };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    fn clone_without(&self) -> Self {
        Self {
            version: self.version,
            last_id: self.last_id,
            known: BTreeMap::new(),
            windows: self.windows.clone(),
            snoozed: self.snoozed.clone(),
            silent_until: self.silent_until,
            quiet_since: self.quiet_since,
            trouble: self.trouble,
            held: self.held.clone(),
            recent: self.recent.clone(),
        }
    }

    /// From a kept text; `None` when it is not understood, as one of a later version.
    pub fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|memory| memory.version == VERSION)
    }

    /// Keeps a notice for its buttons.
    pub fn remember(&mut self, notice: &Notice) {
        self.recent.push_front(notice.clone());
        self.recent.truncate(RECENT);
    }

    /// Brings times of what is now the future to the present, after the clock was set back. What the user set stays.
    pub fn clamp(&mut self, now: Timestamp) {
        for known in self.known.values_mut() {
            known.level_at = known.level_at.min(now);
            let times = [&mut known.away_since, &mut known.away_seen, &mut known.told_at, &mut known.changed_at];
            for at in times.into_iter().flatten().chain(&mut known.changes) {
                *at = (*at).min(now);
            }
        }
        self.windows.values_mut().for_each(|known| windows::clamp(known, now));
        self.quiet_since = self.quiet_since.map(|at| at.min(now));
        if let Some(Trouble { ended: Some(ended) }) = &mut self.trouble {
            *ended = (*ended).min(now);
        }
    }

    /// Forgets what is over: snoozes, and trouble so long ago that no evidence of that time counts.
    pub fn forget(&mut self, now: Timestamp) {
        self.snoozed.retain(|_, until| *until > now);
        self.silent_until = self.silent_until.filter(|until| *until > now);
        let is_recent = |ended: Timestamp| now.duration_since(ended) < SignedDuration::from_hours(1);
        self.trouble = self.trouble.filter(|trouble| trouble.ended.is_none_or(is_recent));
    }
}
