//! Buckets: what a target was seen to be in one quarter hour of UTC.
//!
//! A bucket is a cache of samples: [`weigh`] makes it from them and from nothing else, so that dropping all buckets and
//! making them again gives equal ones. It holds sums alone, never a mean, so that merging is exact, associative and
//! commutative, and any regrouping (local hours, weeks) can be made from it. A quarter hour without evidence has no
//! bucket: gaps stay gaps.

mod day;
mod histogram;
mod weigh;

pub use day::{BUCKETS_PER_DAY, Damaged, Day, Observed, read_counted, read_observed};
pub use histogram::{BINS, Histogram};
pub use weigh::{HOLD_MS, Point, REACH_MS, Span, affected, fill, spans};

use crate::core::outcome::Kind;
use crate::core::sample::Sample;

/// Length of a bucket in milliseconds. Every zone's offset in use today is a multiple of it.
pub const BUCKET_MS: i64 = 15 * 60 * 1000;

/// Length of a UTC day in milliseconds (Unix time knows no leap seconds).
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The start of the bucket that holds a moment, both in milliseconds of Unix time.
pub const fn bucket_start(at_ms: i64) -> i64 {
    at_ms.div_euclid(BUCKET_MS) * BUCKET_MS
}

/// What a counted sample says of a target's vacancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It answered.
    Up,
    /// It had no room.
    Full,
    /// It failed.
    Fault,
}

impl State {
    /// The state that a kind speaks of, if it speaks of any.
    pub const fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Available => Some(Self::Up),
            Kind::AtCapacity => Some(Self::Full),
            Kind::ServerError | Kind::Timeout => Some(Self::Fault),
            _ => None,
        }
    }
}

/// How many samples of each kind a bucket saw.
///
/// A sample of a countable kind whose scope keeps it from counting (our own network, the user's account) is kept apart, so
/// that [`Counts::counted`] is the number that a share stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u32; Counts::SLOTS]);

impl Counts {
    /// Slots: one a kind, by its number, and slot 0 for countable kinds that did not count.
    pub const SLOTS: usize = Kind::ALL.len() + 1;

    /// Counted samples (or, for a kind that never counts, all samples) of a kind.
    pub const fn of(&self, kind: Kind) -> u32 {
        self.0[kind.code() as usize]
    }

    /// Samples of a countable kind with account or local scope.
    pub const fn set_aside(&self) -> u32 {
        self.0[0]
    }

    /// Samples that the time shares stand on.
    pub fn counted(&self) -> u32 {
        Kind::ALL.into_iter().filter(|kind| kind.is_counted()).fold(0, |sum, kind| sum.saturating_add(self.of(kind)))
    }

    /// All samples, skipped ones too.
    pub fn total(&self) -> u32 {
        self.0.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Adds one sample.
    pub const fn add(&mut self, kind: Kind, is_counted: bool) {
        let slot = if kind.is_counted() && !is_counted { 0 } else { kind.code() as usize };
        self.0[slot] = self.0[slot].saturating_add(1);
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = own.saturating_add(*other);
        }
    }
}

/// What a target was seen to be in a quarter hour, or in any union of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    /// Milliseconds observed as free.
    pub up_ms: u64,
    /// Milliseconds observed as full.
    pub full_ms: u64,
    /// Milliseconds observed as failing.
    pub fault_ms: u64,
    /// Samples by kind.
    pub counts: Counts,
    /// Time to the first token of the successful ones.
    pub first_token: Histogram,
}

impl Bucket {
    /// The union of both: exact, associative and commutative (sums saturate).
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.up_ms = self.up_ms.saturating_add(other.up_ms);
        self.full_ms = self.full_ms.saturating_add(other.full_ms);
        self.fault_ms = self.fault_ms.saturating_add(other.fault_ms);
        self.counts.merge(&other.counts);
        self.first_token.merge(&other.first_token);
        self
    }

    /// Milliseconds with any evidence.
    pub const fn observed_ms(&self) -> u64 {
        self.up_ms.saturating_add(self.full_ms).saturating_add(self.fault_ms)
    }

    /// Whether it holds nothing: no time and no sample.
    pub fn is_empty(&self) -> bool {
        self.observed_ms() == 0 && self.counts == Counts::default()
    }

    /// Adds observed time in a state.
    pub const fn observe(&mut self, state: State, ms: u64) {
        let sum = match state {
            State::Up => &mut self.up_ms,
            State::Full => &mut self.full_ms,
            State::Fault => &mut self.fault_ms,
        };
        *sum = sum.saturating_add(ms);
    }

    /// Counts a sample and, where it answered, its time to the first token.
    pub const fn count(&mut self, point: &Point) {
        self.counts.add(point.kind, point.is_counted);
        if let (Kind::Available, Some(ms)) = (point.kind, point.first_token_ms) {
            self.first_token.add(ms);
        }
    }
}

impl From<&Sample> for Point {
    fn from(sample: &Sample) -> Self {
        Self {
            at_ms: sample.at.as_millisecond(),
            kind: sample.kind,
            is_counted: sample.is_counted(),
            first_token_ms: sample.first_token_ms,
        }
    }
}

#[cfg(test)]
mod tests;
