//! Everything about one target.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::Quarter;
use super::advice::{Advice, WaitOrSwitch};
use super::change::Change;
use super::gather;
use super::latency::Latency;
use super::outages::Outages;
use super::slots::Slots;
use super::windows::{BestHours, BusyTime, Window};
use crate::core::target::TargetId;

/// What is known of one target, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetSheet {
    /// Whose it is.
    pub target: TargetId,
    /// The 168 hours of the week.
    pub slots: Slots,
    /// How long it is away when it is.
    pub outages: Outages,
    /// Its usual busy times, Monday to Sunday.
    pub busy: Vec<BusyTime>,
    /// Its best hours, best first, at most five.
    pub best: Vec<BestHours>,
    /// What changed lately.
    pub change: Option<Change>,
    /// Latency by slot; `None` until [`TargetSheet::with_latency`].
    pub latency: Option<Latency>,
    /// The first and the last quarter hour with evidence.
    pub seen: Option<(Timestamp, Timestamp)>,
}

impl TargetSheet {
    /// Makes the sheet of a target from its quarter hours, in any order.
    pub fn new(target: TargetId, quarters: &[Quarter], zone: &TimeZone, now: Timestamp) -> Self {
        let quarters = gather::in_order(quarters, now);
        let clock = gather::clock_of(&quarters, zone, now);
        Self {
            target,
            slots: gather::slots(&quarters, &clock, now),
            outages: Outages::default(),
            busy: Vec::new(),
            best: Vec::new(),
            change: None,
            latency: None,
            seen: None,
        }
    }

    /// The same with latency.
    #[must_use]
    pub fn with_latency(self, latency: Latency) -> Self {
        Self { latency: Some(latency), ..self }
    }

    /// The next quiet window from a moment on (which may have begun), at least half an hour of it still to come.
    pub fn next_quiet(&self, _from: Timestamp, _zone: &TimeZone) -> Option<Window> {
        None
    }

    /// All quiet windows of the seven days from a moment on, in order.
    pub fn quiet_windows(&self, _from: Timestamp, _zone: &TimeZone) -> Vec<Window> {
        Vec::new()
    }

    /// The busy times that begin or last on the local day of a moment, and after it, with start and end as moments.
    pub fn busy_today(&self, _now: Timestamp, _zone: &TimeZone) -> Vec<(BusyTime, Timestamp, Timestamp)> {
        Vec::new()
    }

    /// The sentences that are worth saying now, most useful first.
    pub fn advice(&self, _now: Timestamp, _zone: &TimeZone) -> Vec<Advice> {
        Vec::new()
    }

    /// Whether to wait for the target, which has been away for `so_far`.
    pub fn wait_or_switch(&self, _now: Timestamp, _zone: &TimeZone, _so_far: SignedDuration) -> WaitOrSwitch {
        WaitOrSwitch::Unknown { outages: 0 }
    }

    /// Whether waiting is usually worth it, by the hour (0 to 23) an outage begins: "before 13:00 wait, 14:00 to 17:00
    /// switch". `None` where too little is known.
    pub fn wait_by_hour(&self) -> [Option<bool>; 24] {
        [None; 24]
    }
}
