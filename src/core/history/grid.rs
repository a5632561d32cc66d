//! Grids of time: the cells of a picture and the rows of its table.

use std::ops::Range;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The widths that a cell may have, in milliseconds. Those of a quarter hour and more are whole quarter hours, so that
/// buckets fall into them undivided.
pub const STEPS: [i64; 22] = [
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    20 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    3 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    4 * DAY,
    8 * DAY,
    16 * DAY,
    32 * DAY,
];

/// The narrowest cell of which no more than `pixels` fill `span` milliseconds.
pub fn step_for(span: i64, pixels: u32) -> i64 {
    let least = span / i64::from(pixels.max(1));
    STEPS.into_iter().find(|step| *step >= least).unwrap_or(STEPS[STEPS.len() - 1])
}

/// Cells of time, one after the other without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    edges: Vec<i64>,
    /// Width of every cell, where all are equally wide.
    step: Option<i64>,
}

impl Grid {
    /// Cells of `step` milliseconds over a range, from a whole number of steps since 1970 on.
    pub fn every(range: Range<i64>, step: i64) -> Self {
        let step = step.max(1);
        let first = range.start.div_euclid(step);
        let last = (range.end + step - 1).div_euclid(step).max(first + 1);
        Self { edges: (first..=last).map(|index| index * step).collect(), step: Some(step) }
    }

    /// Cells between these edges; `None` unless there are two or more, in order.
    pub fn of(edges: Vec<i64>) -> Option<Self> {
        let is_sound = edges.len() > 1 && edges.is_sorted_by(|a, b| a < b);
        is_sound.then_some(Self { edges, step: None })
    }

    /// How many cells there are; never none.
    #[expect(clippy::len_without_is_empty, reason = "a grid has at least one cell")]
    pub fn len(&self) -> usize {
        self.edges.len() - 1
    }

    /// Width of the first cell in milliseconds.
    pub fn step(&self) -> i64 {
        self.edges[1] - self.edges[0]
    }

    /// From and to of a cell.
    pub fn cell(&self, index: usize) -> Range<i64> {
        self.edges[index]..self.edges[index + 1]
    }

    /// From the first cell's start to the last one's end.
    pub fn range(&self) -> Range<i64> {
        self.edges[0]..self.edges[self.edges.len() - 1]
    }

    /// The cell that holds a moment.
    pub fn find(&self, at: i64) -> Option<usize> {
        if !self.range().contains(&at) {
            return None;
        }
        Some(match self.step {
            Some(step) => usize::try_from((at - self.edges[0]) / step).unwrap_or(0),
            None => self.edges.partition_point(|edge| *edge <= at) - 1,
        })
    }

    /// The cell that holds a moment, or the first when the moment is before it; `None` after the last.
    pub fn at_or_after(&self, at: i64) -> Option<usize> {
        if at < self.edges[0] { Some(0) } else { self.find(at) }
    }
}
