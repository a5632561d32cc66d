//! The record as a picture over time: cells of a grid, each with the exact sums of what was seen in it.
//!
//! A cell is as wide as a pixel or wider, so there are never more of them than pixels. Reducing is adding: a cell holds
//! milliseconds and counts, never a mean, so that no outage is lost however far the picture is zoomed out, and the sums of
//! a row of cells are those of the time they cover. Latency keeps its quantiles and both its ends.
//!
//! What answers depends on the width of a cell: from a quarter hour on the stored buckets do, below it the samples.

mod grid;
mod latency;
mod outage;

use std::ops::Range;
use std::sync::Arc;

use crate::core::bucket::{BUCKET_MS, Bucket, Counts, Observed, Point, Span, State};
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::sample::Source;
use crate::core::target::TargetId;

pub use grid::{Grid, STEPS, step_for};
pub use latency::{Latencies, Latency};
pub use outage::{Outage, outages, runs};

/// What was seen of a target in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Milliseconds observed as free; all times saturate at 49 days.
    pub up_ms: u32,
    /// Milliseconds observed as full.
    pub full_ms: u32,
    /// Milliseconds observed as failing.
    pub fault_ms: u32,
    /// Samples that the times stand on.
    pub counted: u32,
    /// Refusals by the user's own limits (rate, usage): nothing of the model's vacancy.
    pub limited: u32,
    /// Refusals that only the user can heal (key, money, name, settings).
    pub blocked: u32,
    /// What says nothing of anybody: our own network, what was not understood, what was set aside.
    pub other: u32,
    /// Probes that were not made.
    pub skipped: u32,
}

impl Cell {
    /// Milliseconds with any evidence.
    pub const fn observed_ms(&self) -> u32 {
        self.up_ms.saturating_add(self.full_ms).saturating_add(self.fault_ms)
    }

    /// All samples, skipped ones too.
    pub const fn samples(&self) -> u32 {
        self.counted
            .saturating_add(self.limited)
            .saturating_add(self.blocked)
            .saturating_add(self.other)
            .saturating_add(self.skipped)
    }

    /// Refusals of the user's own account.
    pub const fn own(&self) -> u32 {
        self.limited.saturating_add(self.blocked)
    }

    /// Milliseconds observed in a state.
    pub const fn ms(&self, state: State) -> u32 {
        match state {
            State::Up => self.up_ms,
            State::Full => self.full_ms,
            State::Fault => self.fault_ms,
        }
    }

    /// The union of both.
    #[must_use]
    pub const fn merge(self, other: Self) -> Self {
        Self {
            up_ms: self.up_ms.saturating_add(other.up_ms),
            full_ms: self.full_ms.saturating_add(other.full_ms),
            fault_ms: self.fault_ms.saturating_add(other.fault_ms),
            counted: self.counted.saturating_add(other.counted),
            limited: self.limited.saturating_add(other.limited),
            blocked: self.blocked.saturating_add(other.blocked),
            other: self.other.saturating_add(other.other),
            skipped: self.skipped.saturating_add(other.skipped),
        }
    }

    fn observe(&mut self, state: State, ms: i64) {
        let sum = match state {
            State::Up => &mut self.up_ms,
            State::Full => &mut self.full_ms,
            State::Fault => &mut self.fault_ms,
        };
        *sum = sum.saturating_add(u32::try_from(ms).unwrap_or(u32::MAX));
    }

    fn count(&mut self, kind: Kind, is_counted: bool, n: u32) {
        let sum = if is_counted {
            &mut self.counted
        } else if kind == Kind::Skipped {
            &mut self.skipped
        } else if kind.is_counted() {
            &mut self.other
        } else {
            match Family::of(kind, Scope::Account) {
                Family::Limited => &mut self.limited,
                Family::Blocked => &mut self.blocked,
                _ => &mut self.other,
            }
        };
        *sum = sum.saturating_add(n);
    }

    fn add_counts(&mut self, counts: &Counts) {
        for kind in Kind::ALL {
            self.count(kind, kind.is_counted(), counts.of(kind));
        }
        self.other = self.other.saturating_add(counts.set_aside());
    }
}

impl From<&Bucket> for Cell {
    fn from(bucket: &Bucket) -> Self {
        let ms = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX);
        let mut cell = Self {
            up_ms: ms(bucket.up_ms),
            full_ms: ms(bucket.full_ms),
            fault_ms: ms(bucket.fault_ms),
            ..Self::default()
        };
        cell.add_counts(&bucket.counts);
        cell
    }
}

impl From<(Observed, &Counts)> for Cell {
    fn from((observed, counts): (Observed, &Counts)) -> Self {
        let Observed { up_ms, full_ms, fault_ms, .. } = observed;
        let mut cell = Self { up_ms, full_ms, fault_ms, ..Self::default() };
        cell.add_counts(counts);
        cell
    }
}

/// Adds a bucket that begins at `start` to the cells of a grid.
///
/// Cells narrower than a bucket (samples that were pruned, seen from near) share its times by their part of it; the first
/// of them takes its samples.
pub fn add_bucket(cells: &mut [Cell], grid: &Grid, start: i64, bucket: Cell) {
    let end = start + BUCKET_MS;
    let Some(first) = grid.at_or_after(start) else { return };
    if grid.cell(first).end >= end {
        if grid.cell(first).start <= start {
            cells[first] = cells[first].merge(bucket);
        }
        return;
    }
    let mut rest = bucket;
    for (index, cell) in cells.iter_mut().enumerate().skip(first) {
        let time = grid.cell(index);
        let (from, to) = (time.start.max(start), time.end.min(end));
        if from >= to {
            break;
        }
        let part = |ms: u32| u32::try_from(i64::from(ms) * (to - from) / BUCKET_MS).unwrap_or(ms);
        let piece = Cell {
            up_ms: part(bucket.up_ms),
            full_ms: part(bucket.full_ms),
            fault_ms: part(bucket.fault_ms),
            ..std::mem::take(&mut rest)
        };
        *cell = cell.merge(piece);
    }
}

/// Adds what samples say to the cells of a grid: `spans` of the points as [`crate::core::bucket::spans`] makes them.
pub fn add_points(cells: &mut [Cell], grid: &Grid, points: &[Point], spans: &[Span]) {
    for point in points {
        if let Some(index) = grid.find(point.at_ms) {
            cells[index].count(point.kind, point.is_counted, 1);
        }
    }
    for span in spans {
        let Some(first) = grid.at_or_after(span.time.start) else { continue };
        for (index, cell) in cells.iter_mut().enumerate().skip(first) {
            let time = grid.cell(index);
            let (from, to) = (time.start.max(span.time.start), time.end.min(span.time.end));
            if from >= to {
                break;
            }
            cell.observe(span.state, to - from);
        }
    }
}

/// What a picture of the record is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// From and to, in milliseconds of Unix time: more than is in view, so that a small pan needs no other answer.
    pub range: Range<i64>,
    /// Width of a cell in milliseconds, one of [`STEPS`].
    pub step: i64,
    /// What is in view: for this the outages are listed.
    pub seen: Range<i64>,
    /// The edges of the table's rows, in order; fewer than two are no table.
    pub rows: Vec<i64>,
    /// Only these targets; empty is all.
    pub targets: Vec<TargetId>,
    /// The target whose latency is wanted; otherwise the first.
    pub focus: Option<TargetId>,
    /// Only samples of this source.
    pub source: Option<Source>,
    /// The moment up to which it is asked, to the minute; what a sample speaks for after it has not happened yet.
    pub now: i64,
}

impl Query {
    /// The grid of the picture.
    pub fn grid(&self) -> Grid {
        Grid::every(self.range.clone(), self.step)
    }

    /// The grid of the latency: wide enough that a cell has some answers and a line through the cells can be followed.
    pub fn latency_grid(&self) -> Grid {
        let step = STEPS.into_iter().find(|step| *step >= 6 * self.step);
        Grid::every(self.range.clone(), step.unwrap_or(self.step))
    }

    /// Whether it is answered by samples rather than by buckets.
    pub const fn is_raw(&self) -> bool {
        self.step < BUCKET_MS
    }
}

/// A target in an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Its name.
    pub target: TargetId,
    /// Its provider's name, as the record knows it.
    pub provider: String,
    /// Its model's name.
    pub model: String,
    /// One a cell of the grid.
    pub cells: Vec<Cell>,
    /// One a row of the table.
    pub rows: Vec<Cell>,
}

/// A stretch of time in which a target of an answer was not free.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The target's place in [`Answer::lanes`].
    pub lane: usize,
    /// When, how and what.
    pub outage: Outage,
}

/// The record as far as a [`Query`] asked for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was asked.
    pub query: Query,
    /// The first and the last moment that the record knows anything of.
    pub extent: Option<Range<i64>>,
    /// Every target that was ever recorded: name, provider, model, also those not asked for.
    pub targets: Vec<(TargetId, String, String)>,
    /// The targets asked for, by name.
    pub lanes: Arc<[Lane]>,
    /// Whose latency it is.
    pub focus: Option<TargetId>,
    /// One a cell of [`Query::latency_grid`]: the time to the first token.
    pub latency: Arc<[Option<Latency>]>,
    /// Where outages are to be looked for: runs of time that was not free, by the place of their lane.
    pub troubles: Arc<[(usize, Range<i64>, Cell)]>,
    /// The outages in view, newest first.
    pub outages: Vec<Listed>,
    /// There are more than were listed.
    pub has_more_outages: bool,
}

impl Answer {
    /// The answer of a record in which there is nothing.
    pub fn empty(query: Query) -> Self {
        Self {
            query,
            extent: None,
            targets: Vec::new(),
            lanes: Arc::default(),
            focus: None,
            latency: Arc::default(),
            troubles: Arc::default(),
            outages: Vec::new(),
            has_more_outages: false,
        }
    }

    /// Whether it can be drawn for `wanted` as if that had been asked.
    pub fn answers(&self, wanted: &Query) -> bool {
        self.has_cells_of(wanted) && self.query.seen == wanted.seen
    }

    /// The same but for the outages, which are listed for what is in view.
    pub fn has_cells_of(&self, wanted: &Query) -> bool {
        let query = &self.query;
        query.step == wanted.step
            && query.range.start <= wanted.seen.start
            && query.range.end >= wanted.seen.end
            && query.rows == wanted.rows
            && query.targets == wanted.targets
            && query.focus == wanted.focus
            && query.source == wanted.source
            && (query.now == wanted.now || query.range.end < query.now)
    }
}

#[cfg(test)]
mod tests;
