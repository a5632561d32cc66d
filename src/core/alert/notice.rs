//! What the user is told, as data: words are made where they are shown.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::core::outcome::Kind;
use crate::core::rules::{Refusal, Why};
use crate::core::target::{ProviderId, TargetId};

/// Names one notice, also over restarts. Grows from notice to notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoticeId(pub u64);

/// Something told to the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Which.
    pub id: NoticeId,
    /// When it was given.
    pub at: Timestamp,
    /// What it says.
    pub subject: Subject,
    /// What can be done about it, the first being the most likely.
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// The notice whose place it takes: the same trouble, told more exactly.
    #[serde(default)]
    pub replaces: Option<NoticeId>,
}

/// How long free times that begin at this hour of the day usually last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usually {
    /// Half of them lasted at least this long.
    pub median: Duration,
    /// Free times that began at this hour, those whose end nobody saw included.
    pub spells: u32,
}

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A model is free again.
    Recovered {
        /// Which.
        target: TargetId,
        /// How long it had not been free; `None` when nobody saw when that ended.
        after: Option<Duration>,
        /// How long that usually lasts, where the record says enough.
        usually: Option<Usually>,
    },
    /// A model is not free: no room, or a fault.
    Full {
        /// Which.
        target: TargetId,
        /// The exact case.
        kind: Kind,
        /// The first of the chain that is free now.
        free: Option<TargetId>,
    },
    /// Several models of one provider are not free.
    ProviderAway {
        /// Whose.
        provider: ProviderId,
        /// Which, in chain order.
        targets: Vec<TargetId>,
        /// The first of the chain that is free now.
        free: Option<TargetId>,
    },
    /// All models that [`Subject::ProviderAway`] named are free again.
    ProviderBack {
        /// Whose.
        provider: ProviderId,
        /// Which, in chain order.
        targets: Vec<TargetId>,
        /// How long they had not been free; `None` when nobody saw when that ended.
        after: Option<Duration>,
    },
    /// A model comes and goes; nothing more is said of it until it has settled.
    Flapping {
        /// Which.
        target: TargetId,
        /// Confirmed changes.
        changes: u32,
        /// When the first of them was.
        since: Timestamp,
        /// The first of the chain that is free now, other than this one.
        free: Option<TargetId>,
    },
    /// A model that came and went stays as it is.
    Settled {
        /// Which.
        target: TargetId,
        /// Free, or not.
        is_free: bool,
        /// Since when.
        since: Timestamp,
    },
    /// The user's own limit is reached.
    Limited {
        /// Of which model: the first that it concerns.
        target: TargetId,
        /// When it starts anew, as far as that was told.
        resets_at: Option<Timestamp>,
        /// The first of the chain that is free now.
        free: Option<TargetId>,
    },
    /// The user's own limit has started anew.
    LimitReset {
        /// Of which model.
        target: TargetId,
    },
    /// A model is still not free.
    Reminder {
        /// Which.
        target: TargetId,
        /// Since when it is not free.
        since: Timestamp,
        /// The first of the chain that is free now.
        free: Option<TargetId>,
    },
    /// What is different at the end of quiet hours, of *do not disturb*, or of both.
    Summary {
        /// When they began.
        since: Timestamp,
        /// Free again.
        back: Vec<TargetId>,
        /// Not free any more.
        away: Vec<TargetId>,
        /// The first of the chain that is free now.
        free: Option<TargetId>,
    },
    /// A model is usually busy soon.
    BusySoon {
        /// Which.
        target: TargetId,
        /// From when on.
        at: Timestamp,
        /// The model that a rule would switch to.
        to: Option<TargetId>,
    },
    /// A rule proposes to switch a tool.
    AskSwitch {
        /// Which tool.
        tool: String,
        /// The model that it uses.
        from: TargetId,
        /// The model that is proposed.
        to: TargetId,
        /// Why.
        why: Why,
    },
    /// A tool was switched.
    Switched {
        /// Which tool.
        tool: String,
        /// The model that it used, if that is one of the targets.
        from: Option<TargetId>,
        /// The model that it uses from now on; `None` when a switch back leads to one that is no target.
        to: Option<TargetId>,
        /// Why.
        why: Why,
        /// Its entry in the journal.
        journal: u64,
    },
    /// A tool was not switched.
    SwitchRefused {
        /// Which tool; `None` when there is none to switch.
        tool: Option<String>,
        /// The model that was wanted; `None` when it was to be undone.
        to: Option<TargetId>,
        /// Why not.
        reason: Refusal,
        /// Whether the user had asked for it, and not a rule.
        is_wish: bool,
    },
}

impl Subject {
    /// The stable name, for counting.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Recovered { .. } => "recovered",
            Self::Full { .. } => "full",
            Self::ProviderAway { .. } => "provider_away",
            Self::ProviderBack { .. } => "provider_back",
            Self::Flapping { .. } => "flapping",
            Self::Settled { .. } => "settled",
            Self::Limited { .. } => "limited",
            Self::LimitReset { .. } => "limit_reset",
            Self::Reminder { .. } => "reminder",
            Self::Summary { .. } => "summary",
            Self::BusySoon { .. } => "busy_soon",
            Self::AskSwitch { .. } => "ask_switch",
            Self::Switched { .. } => "switched",
            Self::SwitchRefused { .. } => "switch_refused",
        }
    }

    /// Whether it answers what the user has just done: such a notice is shown at any hour.
    pub const fn is_answer(&self) -> bool {
        match self {
            Self::Switched { why, .. } => matches!(why, Why::Wish | Why::Undo),
            Self::SwitchRefused { is_wish, .. } => *is_wish,
            _ => false,
        }
    }

    /// The tool that it speaks of.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::AskSwitch { tool, .. } | Self::Switched { tool, .. } => Some(tool),
            Self::SwitchRefused { tool, .. } => tool.as_deref(),
            _ => None,
        }
    }

    /// The models that it speaks of.
    pub fn targets(&self) -> Vec<&TargetId> {
        match self {
            Self::Recovered { target, .. }
            | Self::Full { target, .. }
            | Self::Flapping { target, .. }
            | Self::Settled { target, .. }
            | Self::Limited { target, .. }
            | Self::LimitReset { target }
            | Self::Reminder { target, .. }
            | Self::BusySoon { target, .. } => vec![target],
            Self::ProviderAway { targets, .. } | Self::ProviderBack { targets, .. } => targets.iter().collect(),
            Self::Summary { back, away, .. } => back.iter().chain(away).collect(),
            Self::AskSwitch { from, to, .. } => vec![from, to],
            Self::Switched { from, to, .. } => from.iter().chain(to).collect(),
            Self::SwitchRefused { to, .. } => to.iter().collect(),
        }
    }
}

/// What a notice offers to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// Switch to this model.
    Use {
        /// Which tool; `None` is every tool that this concerns.
        tool: Option<String>,
        /// Which model.
        target: TargetId,
    },
    /// Switch back to the model that is preferred.
    SwitchBack {
        /// Which tool; `None` is every tool that was switched away.
        tool: Option<String>,
        /// Which model.
        target: TargetId,
    },
    /// Take a switch back.
    Undo {
        /// Of which tool.
        tool: String,
        /// Its entry in the journal.
        journal: u64,
    },
    /// Say nothing of these models for so long, from the press of the button on.
    Snooze {
        /// Which.
        targets: Vec<TargetId>,
        /// Minutes.
        minutes: u32,
    },
}

impl Offer {
    /// The name of the button in answers, hooks and webhooks; no two offers of a notice have the same.
    pub const fn action(&self) -> &'static str {
        match self {
            Self::Use { .. } => "use",
            Self::SwitchBack { .. } => "switch-back",
            Self::Undo { .. } => "undo",
            Self::Snooze { .. } => "snooze",
        }
    }
}

impl Notice {
    /// The offer behind a button's name.
    pub fn offer(&self, action: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.action() == action)
    }
}
