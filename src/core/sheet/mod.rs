//! The statistics of the cheat sheet: when is which model free.
//!
//! Made from quarter hours ([`Observed`]) alone, in a zone that is an argument, for a moment that is an argument. Nothing
//! here reads a clock or a file. [`TargetSheet::new`] makes everything about one target; a [`Sheet`] holds all of them and
//! answers questions about the chain. Both are cheap to clone.

mod advice;
mod change;
mod estimate;
mod field;
mod gather;
mod habit;
mod latency;
mod looks;
mod outages;
mod slots;
mod target;
mod windows;
mod zone;

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use advice::{Advice, Missing, SWITCH_AHEAD, WORTH_WAITING, WaitOrSwitch};
pub use change::{Change, Direction};
pub use habit::{HOLE, Habit};
pub use latency::{Latency, LatencyCell};
pub use outages::{DayPart, Outage, Outages, Remaining, median};
pub use slots::{Cell, Evidence, KNOWN_SAMPLES, KNOWN_WEEKS, QUARTERS, SLOTS, Slot, Slots, Tally, WeekOfSlot};
pub use target::{BusyOn, TargetSheet};
pub use windows::{BUSY_SHARE, BestHours, BusyTime, Days, GOOD_SHARE, Levels, Window};

use crate::core::bucket::Observed;
use crate::core::target::TargetId;

/// A quarter hour of one target as the store hands it out (`Reader::each_observed`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarter {
    /// Its start in milliseconds of Unix time, a multiple of [`crate::core::bucket::BUCKET_MS`].
    pub start_ms: i64,
    /// What was seen in it.
    pub seen: Observed,
}

/// The sheets of all targets, for one zone and one moment.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// In whose hours.
    pub zone: TimeZone,
    /// For which moment: recency counts back from it, windows lie after it.
    pub now: Timestamp,
    /// One a target, in the order they were given.
    pub targets: Arc<[TargetSheet]>,
}

/// A target of the chain in one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which.
    pub target: TargetId,
    /// What is known of it in that slot.
    pub cell: Cell,
}

impl Sheet {
    /// The sheet of a target.
    pub fn get(&self, target: &TargetId) -> Option<&TargetSheet> {
        self.targets.iter().find(|sheet| &sheet.target == target)
    }

    /// The best three targets of a chain in a slot, best first: by the lower end of the interval; between equals the chain
    /// decides. Targets without a sheet are left out.
    pub fn best_three(&self, chain: &[TargetId], slot: Slot) -> Vec<Choice> {
        let of = |target: &TargetId| Some(Choice { target: target.clone(), cell: *self.get(target)?.slots.get(slot) });
        let mut choices: Vec<_> = chain.iter().filter_map(of).collect();
        choices.sort_by(|a, b| b.cell.low.total_cmp(&a.cell.low));
        choices.truncate(3);
        choices
    }

    /// Which target of a chain to use in a quarter hour of the week (0 to 671): the first in the chain's order that is usually free
    /// then, else the best of all in that hour. `None` when no target of the chain has a sheet.
    pub fn choice(&self, chain: &[TargetId], quarter: usize) -> Option<Choice> {
        let slot = Slot::from_index(quarter / 4);
        let of = |own: &TargetSheet| Choice { target: own.target.clone(), cell: *own.slots.get(slot) };
        let first = chain.iter().filter_map(|id| self.get(id)).find(|own| own.is_usually_free(quarter));
        first.map(of).or_else(|| self.best_three(chain, slot).into_iter().next())
    }
}

/// Whether an hour is usually free enough to work in.
pub fn is_good(cell: &Cell) -> bool {
    cell.share >= GOOD_SHARE
}

#[cfg(test)]
mod tests;
