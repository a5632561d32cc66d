//! Latency by slot: the time to the first token that is usual in each hour of the week.

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::slots::{SLOTS, Slot};
use super::zone::LocalClock;
use crate::core::bucket::Histogram;

/// The usual time to the first token of a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyCell {
    /// Half of the answers began within this, in milliseconds.
    pub median_ms: f64,
    /// Nine of ten began within this, in milliseconds.
    pub p90_ms: f64,
    /// Answers it stands on.
    pub answers: u64,
}

impl LatencyCell {
    fn of(histogram: &Histogram) -> Option<Self> {
        Some(Self { median_ms: histogram.quantile(0.5)?, p90_ms: histogram.quantile(0.9)?, answers: histogram.total() })
    }
}

/// Latency of one target by slot, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    slots: Arc<[Option<LatencyCell>]>,
    hours: [Option<LatencyCell>; 24],
    overall: Option<LatencyCell>,
}

impl Latency {
    /// Merges the histograms of buckets (start in milliseconds of Unix time) by the local hours of a zone.
    pub fn new<'a>(buckets: impl IntoIterator<Item = (i64, &'a Histogram)>, zone: &TimeZone) -> Self {
        let buckets: Vec<(i64, &Histogram)> = buckets.into_iter().collect();
        let first = buckets.iter().map(|(start, _)| *start).min().unwrap_or(0);
        let last = buckets.iter().map(|(start, _)| *start).max().unwrap_or(0);
        let clock = LocalClock::new(zone, first..last + 1);
        let mut slots = vec![Histogram::default(); SLOTS];
        for (start, histogram) in buckets {
            slots[clock.place(start).quarter / 4].merge(histogram);
        }
        let mut hours: [Histogram; 24] = std::array::from_fn(|_| Histogram::default());
        let mut overall = Histogram::default();
        for (slot, histogram) in slots.iter().enumerate() {
            hours[slot % 24].merge(histogram);
            overall.merge(histogram);
        }
        Self {
            slots: slots.iter().map(LatencyCell::of).collect(),
            hours: std::array::from_fn(|hour| LatencyCell::of(&hours[hour])),
            overall: LatencyCell::of(&overall),
        }
    }

    /// The usual latency of a slot, if anything answered in it.
    pub fn slot(&self, slot: Slot) -> Option<LatencyCell> {
        self.slots[slot.index()]
    }

    /// The usual latency of an hour of the day, 0 to 23.
    pub fn hour(&self, hour: u8) -> Option<LatencyCell> {
        self.hours.get(usize::from(hour)).copied().flatten()
    }

    /// The usual latency of the whole week.
    pub const fn overall(&self) -> Option<LatencyCell> {
        self.overall
    }
}
