//! Advice as data: what a regular would say. Screens, the `sheet` verb and notices turn it into words.

use jiff::{SignedDuration, Timestamp};

use super::change::Change;
use super::outages::Remaining;
use super::windows::{BusyTime, Window};
use crate::core::target::TargetId;

/// One sentence about one target.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Usually free in every hour of the week that is known.
    FreeAllWeek {
        /// The lowest share of an hour.
        worst: f64,
    },
    /// Usually free for the rest of today.
    FreeToday,
    /// A busy time of today lies ahead: switch before it.
    BusyToday {
        /// Which.
        busy: BusyTime,
        /// When it begins.
        starts: Timestamp,
        /// When the target is usually back.
        back: Timestamp,
        /// When to switch: ten minutes before it begins.
        switch_at: Timestamp,
    },
    /// A busy time is on now.
    BusyNow {
        /// Which.
        busy: BusyTime,
        /// When the target is usually back.
        back: Timestamp,
    },
    /// The next quiet window.
    Quiet(Window),
    /// How long outages last.
    OutagesLast(Remaining),
    /// What changed lately.
    Changed(Change),
    /// Too little is known for more.
    Missing(Missing),
}

/// Why less is said than could be, and when it will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No counted sample yet.
    Everything,
    /// Not yet a day of evidence: the pattern of the day is a guess.
    Day {
        /// When it will be there, if evidence keeps coming as it does.
        known_at: Timestamp,
    },
    /// Not yet a week: weekdays cannot be told apart.
    Week {
        /// When a first week will be full.
        known_at: Timestamp,
    },
    /// Not yet enough weeks for most hours to be known.
    Weeks {
        /// Hours of the week that are known.
        known: u32,
        /// Hours of the week with any evidence.
        seen: u32,
        /// When three weeks will be full.
        known_at: Timestamp,
    },
}

/// What to do about a target that is away now.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitOrSwitch {
    /// It is usually back soon.
    Wait {
        /// How much longer it usually takes.
        remaining: Remaining,
    },
    /// It usually takes longer than a switch is worth.
    Switch {
        /// To which target of the chain, if one is usually free now.
        to: Option<TargetId>,
        /// How much longer it usually takes.
        remaining: Remaining,
        /// When the target is usually back by the hour of the week, if this is a usual busy time.
        back: Option<Timestamp>,
    },
    /// Too few outages were seen to say.
    Unknown {
        /// Outages seen to end.
        outages: u32,
    },
}

/// How long waiting is worth it: eight of ten outages end within this.
pub const WORTH_WAITING: SignedDuration = SignedDuration::from_mins(15);
