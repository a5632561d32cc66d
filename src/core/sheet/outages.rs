//! Outage anatomy: how long a target is usually away, and how much longer, given how long it has been.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

/// One time a target was seen full or failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When it was first seen.
    pub start: Timestamp,
    /// How long it was seen.
    pub length: SignedDuration,
    /// Whether its end was seen; otherwise a gap (or now) cut it off and it lasted at least `length`.
    pub is_ended: bool,
    /// Whether its beginning was seen; otherwise it began in a gap and had lasted longer.
    pub is_begun: bool,
    /// Whether it was failing rather than full for most of the time.
    pub is_fault: bool,
}

/// A part of the local day, by the hour an outage begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DayPart {
    /// 00:00 to 05:59.
    Night,
    /// 06:00 to 11:59.
    Morning,
    /// 12:00 to 17:59.
    Afternoon,
    /// 18:00 to 23:59.
    Evening,
}

impl DayPart {
    /// All parts, in order of the day.
    pub const ALL: [Self; 4] = [Self::Night, Self::Morning, Self::Afternoon, Self::Evening];

    /// The part that an hour (0 to 23) lies in.
    pub const fn of(hour: u8) -> Self {
        match hour {
            0..=5 => Self::Night,
            6..=11 => Self::Morning,
            12..=17 => Self::Afternoon,
            _ => Self::Evening,
        }
    }
}

/// How much longer an outage lasts, or how long outages last when asked at their beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// How long it has lasted so far.
    pub so_far: SignedDuration,
    /// Half of the outages that lasted as long as this end within this time; `None` when too few of them were seen to end.
    pub median: Option<SignedDuration>,
    /// Eight of ten end within this time.
    pub most: Option<SignedDuration>,
    /// Outages that lasted at least as long: what this stands on.
    pub outages: u32,
    /// The part of the day it stands on; `None` when all parts were taken together.
    pub part: Option<DayPart>,
}

/// All outages of a target and what they teach, cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outages {
    pub(super) all: Arc<[Outage]>,
}

impl Outages {
    /// All of them, oldest first.
    pub fn all(&self) -> &[Outage] {
        &self.all
    }

    /// How much longer an outage that began in a part of the day and has lasted `so_far` usually lasts. `None` with fewer than
    /// three outages to learn from.
    pub fn remaining(&self, part: DayPart, so_far: SignedDuration) -> Option<Remaining> {
        let longer = self.all.iter().filter(|outage| outage.length >= so_far).count();
        (longer >= 3).then_some(Remaining {
            so_far,
            median: None,
            most: None,
            outages: longer as u32,
            part: Some(part),
        })
    }

    /// How long outages of the whole day usually last.
    pub fn typical(&self) -> Option<Remaining> {
        self.remaining(DayPart::Night, SignedDuration::ZERO).map(|remaining| Remaining { part: None, ..remaining })
    }
}
