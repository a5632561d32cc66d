//! Local clocks as runs of one offset, so that a year of quarter hours needs a handful of look-ups in the zone.
//!
//! Quarter hours of UTC regroup exactly into local hours, as every offset in use since 1972 is a multiple of a quarter
//! hour (IANA time zone database). Where a zone changed its offset inside a quarter hour (Newfoundland changed at 00:01
//! until 2011), the offset at its start holds for all of it. On the night an hour is repeated both fall into the same local
//! hour; a missing hour, or a missing day (Samoa, 30 December 2011), is a slot without evidence in that week.

use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::slots::QUARTERS;
use crate::core::bucket::{BUCKET_MS, DAY_MS};

/// Length of a week in milliseconds.
pub(super) const WEEK_MS: i64 = 7 * DAY_MS;

/// The local week of a quarter hour, and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Whole weeks since Monday 1970-01-05 00:00 on the local clock.
    pub week: i64,
    /// Local quarter hour of the week, 0 to 671.
    pub quarter: usize,
}

/// A local clock for a stretch of time.
#[derive(Clone, Debug)]
pub(super) struct LocalClock {
    /// From when on each offset holds (milliseconds), in order, the first from the beginning of time; offsets in
    /// milliseconds.
    runs: Vec<(i64, i64)>,
}

impl LocalClock {
    /// The clock of a zone in a stretch of time, in milliseconds of Unix time.
    pub fn new(zone: &TimeZone, stretch: Range<i64>) -> Self {
        let at =
            |ms: i64| Timestamp::from_millisecond(ms).unwrap_or(if ms < 0 { Timestamp::MIN } else { Timestamp::MAX });
        let first = at(stretch.start);
        let mut runs = vec![(i64::MIN, i64::from(zone.to_offset(first).seconds()) * 1000)];
        for change in zone.following(first).take_while(|change| change.timestamp().as_millisecond() < stretch.end) {
            let offset = i64::from(change.offset().seconds()) * 1000;
            if runs.last().is_some_and(|(_, last)| *last != offset) {
                runs.push((change.timestamp().as_millisecond(), offset));
            }
        }
        Self { runs }
    }

    /// The local clock's milliseconds at a moment, as if it were UTC.
    pub fn local(&self, at_ms: i64) -> i64 {
        at_ms + self.run(at_ms).1
    }

    /// The stretch around a moment that has one offset, and that offset in milliseconds.
    fn run(&self, at_ms: i64) -> (Range<i64>, i64) {
        let next = self.runs.partition_point(|(from, _)| *from <= at_ms);
        let (from, offset) = next.checked_sub(1).map_or((i64::MIN, 0), |run| self.runs[run]);
        (from..self.runs.get(next).map_or(i64::MAX, |(from, _)| *from), offset)
    }

    /// Local weeks since Monday 1970-01-05 00:00, with fractions.
    pub fn local_week(&self, at_ms: i64) -> f64 {
        (self.local(at_ms) - 4 * DAY_MS) as f64 / WEEK_MS as f64
    }

    /// Where a moment lies in its local week.
    pub fn place(&self, at_ms: i64) -> Place {
        let local = self.local(at_ms) - 4 * DAY_MS;
        Place { week: local.div_euclid(WEEK_MS), quarter: (local.rem_euclid(WEEK_MS) / BUCKET_MS) as usize % QUARTERS }
    }

    /// For moments in order: most lie in the week of the one before.
    pub fn walk(&self) -> Walk<'_> {
        Walk { clock: self, week: 0, monday: 0, stretch: 0..0 }
    }
}

/// Answers as [`LocalClock::place`], quickest for moments in order.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    clock: &'a LocalClock,
    week: i64,
    /// When the week would have begun with the offset of this stretch.
    monday: i64,
    /// The part of the week with one offset.
    stretch: Range<i64>,
}

impl Walk<'_> {
    /// Where a moment lies in its local week.
    pub fn place(&mut self, at_ms: i64) -> Place {
        if !self.stretch.contains(&at_ms) {
            let (run, offset) = self.clock.run(at_ms);
            self.week = self.clock.place(at_ms).week;
            self.monday = self.week * WEEK_MS + 4 * DAY_MS - offset;
            self.stretch = run.start.max(self.monday)..run.end.min(self.monday + WEEK_MS);
        }
        Place { week: self.week, quarter: ((at_ms - self.monday) as u64 / BUCKET_MS as u64) as usize % QUARTERS }
    }
}
