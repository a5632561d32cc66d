//! Slots: the 168 local hours of a week, and what is known of each.
//!
//! A slot is a place on the clock of a zone, Monday 00:00 to Sunday 23:59. Its observed time is kept by local week, so
//! that a screen can open a cell down to the weeks it stands on, and so that the estimate can tell one long bad night
//! from many short ones.

use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Hours of a week.
pub const SLOTS: usize = 168;

/// Quarter hours of a week.
pub const QUARTERS: usize = SLOTS * 4;

/// One local hour of the week: `0` is Monday 00:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u8);

impl Slot {
    /// The slot of a weekday (1 = Monday to 7) and an hour (0 to 23), if there is one.
    pub const fn new(weekday: u8, hour: u8) -> Option<Self> {
        if weekday >= 1 && weekday <= 7 && hour < 24 { Some(Self((weekday - 1) * 24 + hour)) } else { None }
    }

    /// The slot with a place in the week; places past the end begin anew.
    pub const fn from_index(index: usize) -> Self {
        Self((index % SLOTS) as u8)
    }

    /// The slot that a moment lies in.
    pub fn at(moment: Timestamp, zone: &TimeZone) -> Self {
        let local = zone.to_datetime(moment);
        let day = local.date().weekday().to_monday_zero_offset().unsigned_abs();
        Self(day * 24 + local.hour().unsigned_abs())
    }

    /// The quarter hour of the week that a moment lies in, 0 to 671.
    pub fn quarter_at(moment: Timestamp, zone: &TimeZone) -> usize {
        Self::at(moment, zone).index() * 4 + usize::from(zone.to_datetime(moment).minute().unsigned_abs() / 15)
    }

    /// All slots from Monday 00:00 on.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        (0..SLOTS).map(Self::from_index)
    }

    /// Its place in the week, 0 to 167.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its weekday, 1 = Monday to 7 = Sunday.
    pub const fn weekday(self) -> u8 {
        self.0 / 24 + 1
    }

    /// Its hour, 0 to 23.
    pub const fn hour(self) -> u8 {
        self.0 % 24
    }

    /// The next hour; Sunday's last is followed by Monday's first.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::from_index(self.index() + 1)
    }
}

/// How much a cell stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Evidence {
    /// Nothing was seen in this hour; the share is what its surroundings suggest.
    Empty,
    /// Something was seen, but not enough to speak of a habit.
    Thin,
    /// At least [`KNOWN_WEEKS`] weeks and [`KNOWN_SAMPLES`] samples.
    Known,
}

/// Distinct weeks below which a cell is thin.
pub const KNOWN_WEEKS: u32 = 3;

/// Counted samples below which a cell is thin.
pub const KNOWN_SAMPLES: u32 = 6;

impl Evidence {
    /// The judgement on a number of weeks with evidence and of counted samples.
    pub const fn of(weeks: u32, samples: u32) -> Self {
        match weeks {
            0 => Self::Empty,
            _ if weeks >= KNOWN_WEEKS && samples >= KNOWN_SAMPLES => Self::Known,
            _ => Self::Thin,
        }
    }

    /// The name in exports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Thin => "thin",
            Self::Known => "known",
        }
    }
}

/// Observed time of one slot: in one week, or in all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Milliseconds seen free.
    pub up_ms: u64,
    /// Milliseconds seen full.
    pub full_ms: u64,
    /// Milliseconds seen failing.
    pub fault_ms: u64,
    /// Counted samples.
    pub samples: u32,
}

impl Tally {
    /// Milliseconds with evidence.
    pub const fn seen_ms(&self) -> u64 {
        self.up_ms + self.full_ms + self.fault_ms
    }

    /// The plain share of the seen time that was free, if any was seen.
    pub fn share(&self) -> Option<f64> {
        (self.seen_ms() > 0).then(|| self.up_ms as f64 / self.seen_ms() as f64)
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.up_ms += other.up_ms;
        self.full_ms += other.full_ms;
        self.fault_ms += other.fault_ms;
        self.samples = self.samples.saturating_add(other.samples);
    }
}

/// What is known of one slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The estimated share of time free, 0 to 1: always a number, the pooled estimate where nothing was seen.
    pub share: f64,
    /// Lower end of the 80 % interval of the share.
    pub low: f64,
    /// Upper end of the 80 % interval of the share.
    pub high: f64,
    /// Distinct local weeks with evidence.
    pub weeks: u32,
    /// What was seen, all weeks together, unweighted.
    pub seen: Tally,
    /// How it may be shown.
    pub evidence: Evidence,
}

/// What one local week adds to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeekOfSlot {
    /// The Monday the week begins with.
    pub monday: Date,
    /// What was seen.
    pub seen: Tally,
}

/// All slots of a week of one target, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    pub(super) cells: Arc<[Cell]>,
    /// Shares by local quarter hour, `QUARTERS` of them.
    pub(super) quarters: Arc<[f32]>,
    pub(super) weeks: Arc<[Week]>,
}

/// The 168 tallies of one local week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Week {
    /// Whole weeks since the Monday of 1970-01-05.
    pub number: i64,
    pub slots: Box<[Tally]>,
}

/// The Monday that a week (counted from Monday 1970-01-05) begins with.
pub(super) fn monday(week: i64) -> Option<Date> {
    Date::constant(1970, 1, 5).checked_add(SignedDuration::from_hours(week.checked_mul(168)?)).ok()
}

impl Slots {
    /// What is known of a slot.
    pub fn get(&self, slot: Slot) -> &Cell {
        &self.cells[slot.index()]
    }

    /// All slots with what is known of them, from Monday 00:00 on.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &Cell)> {
        Slot::all().zip(self.cells.iter())
    }

    /// The estimated share of a quarter (0 to 3) of a slot: the slot's share, shaped by what its quarters show where that is
    /// much. For curves and for the moment a busy time begins; it has no interval.
    pub fn quarter(&self, slot: Slot, quarter: usize) -> f64 {
        f64::from(self.quarters[slot.index() * 4 + quarter.min(3)])
    }

    /// The weeks a slot stands on, oldest first: only those with evidence.
    pub fn weeks(&self, slot: Slot) -> impl DoubleEndedIterator<Item = WeekOfSlot> {
        let of = move |week: &Week| {
            let seen = week.slots[slot.index()];
            (seen.seen_ms() > 0).then_some(WeekOfSlot { monday: monday(week.number)?, seen })
        };
        self.weeks.iter().filter_map(of)
    }

    /// What was seen in all slots together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.cells.iter().for_each(|cell| total.add(&cell.seen));
        total
    }

    /// Distinct local weeks in which any of some slots was seen.
    pub(super) fn weeks_of<I: Iterator<Item = Slot>>(&self, slots: impl Fn() -> I) -> u32 {
        let is_seen = |week: &&Week| slots().any(|slot| week.slots[slot.index()].seen_ms() > 0);
        self.weeks.iter().filter(is_seen).count() as u32
    }

    /// Distinct local weeks with any evidence.
    pub fn weeks_seen(&self) -> usize {
        self.weeks.len()
    }

    /// How many slots there are of each evidence: known, thin, empty.
    pub fn census(&self) -> [usize; 3] {
        let count = |evidence| self.cells.iter().filter(|cell| cell.evidence == evidence).count();
        [count(Evidence::Known), count(Evidence::Thin), count(Evidence::Empty)]
    }
}
