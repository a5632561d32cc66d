//! Cells made into the columns of a picture: never more of them than pixels, whatever the record holds. Pure.
//!
//! Cells narrower than a column are added up in it, and a column shows every state that any of its time was in, so that an
//! outage of a minute is still seen when a year is in view. Columns are counted from 1970 on and not from the edge of the
//! view: while that moves at the same width, each stays what it is.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::history::{Cell, Grid};
use crate::core::outcome::Family;

/// Shares of a column are drawn in steps of this many parts of its height, so that like neighbours become one shape.
pub const PARTS: u8 = 16;

/// Pixels of a column.
pub const COLUMN: i64 = 2;

/// How much time a pixel is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(f64);

impl Scale {
    /// A stretch of time, in milliseconds, over so many pixels.
    pub fn of(span: i64, pixels: u32) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "times of this century have fewer digits")]
        let span = span.max(1) as f64;
        Self(span / f64::from(pixels.max(1)))
    }

    /// The edge between pixels that is nearest to a moment, counted from 1970 on.
    pub fn pixel(&self, at: i64) -> i64 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "far from the ends of either")]
        let pixel = (at as f64 / self.0).round() as i64;
        pixel
    }

    /// The moment of such an edge.
    pub fn at(&self, pixel: i64) -> i64 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "far from the ends of either")]
        let at = (pixel as f64 * self.0) as i64;
        at
    }

    /// Pixels of a cell of a grid: whole columns where it is narrower than one, and never none.
    fn place(&self, cell: Range<i64>) -> Range<i64> {
        let start = self.pixel(cell.start);
        if self.is_narrow(cell.end - cell.start) {
            let first = start.div_euclid(COLUMN) * COLUMN;
            return first..first + COLUMN;
        }
        start..self.pixel(cell.end).max(start + 1)
    }

    fn is_narrow(&self, step: i64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "a few pixels")]
        let column = COLUMN as f64;
        #[expect(clippy::cast_precision_loss, reason = "times of this century have fewer digits")]
        let step = step as f64;
        step < self.0 * column
    }
}

/// What a stretch of time looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Parts of the height that were free.
    pub free: u8,
    /// Parts that were full: at least one, if any time was.
    pub full: u8,
    /// Parts that failed: at least one, if any time did.
    pub fault: u8,
    /// Refusals of the user's own account.
    pub own: Option<Family>,
}

impl Look {
    /// Of a cell, without what is hidden.
    pub fn of(cell: &Cell, hidden: &BTreeSet<Family>) -> Self {
        let observed = cell.observed_ms();
        let fault = parts(cell.fault_ms, observed);
        let full = match parts(cell.full_ms, observed) {
            // What rounding leaves over must not look like time that was free, or not watched.
            1.. if cell.up_ms == 0 => PARTS - fault,
            full => full,
        };
        let free = if cell.up_ms == 0 { 0 } else { PARTS.saturating_sub(full + fault).max(1) };
        let own = match (cell.limited, cell.blocked) {
            (0, 0) => None,
            (limited, blocked) if blocked > limited => Some(Family::Blocked),
            _ => Some(Family::Limited),
        };
        let shown = |family, parts| if hidden.contains(&family) { 0 } else { parts };
        Self {
            free: shown(Family::Available, free),
            full: shown(Family::Full, full),
            fault: shown(Family::Fault, fault),
            own: own.filter(|family| !hidden.contains(family)),
        }
    }
}

/// Neighbouring pixels that look the same all over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// From and to, counted from 1970 on.
    pub pixels: Range<i64>,
    /// What they look like.
    pub look: Look,
}

/// A part of the height: none for nothing, at least one for anything, all only for all.
fn parts(ms: u32, of: u32) -> u8 {
    if ms == 0 || of == 0 {
        return 0;
    }
    let exact = u64::from(ms) * u64::from(PARTS) / u64::from(of);
    u8::try_from(exact).unwrap_or(PARTS).clamp(1, PARTS)
}

/// The cells that [`columns`] makes those of a range of pixels from.
pub fn cells_within(grid: &Grid, scale: Scale, within: &Range<i64>) -> Range<usize> {
    // What the rounding of edges may move, and a cell more.
    let reach = 2 * COLUMN;
    let first = grid.at_or_after(scale.at(within.start - reach)).map_or(grid.len(), |index| index.saturating_sub(1));
    let last = grid.at_or_after(scale.at(within.end + reach)).map_or(grid.len(), |index| (index + 2).min(grid.len()));
    first..last.max(first)
}

/// The columns of a lane's cells within a range of pixels that whole columns make up; what shows nothing is left out.
///
/// What is drawn of the ranges of a longer one is what is drawn of that: no cell is lost between them or drawn twice.
pub fn columns(
    cells: &[Cell],
    grid: &Grid,
    scale: Scale,
    within: Range<i64>,
    hidden: &BTreeSet<Family>,
) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut push = |pixels: Range<i64>, cell: &Cell| {
        let look = Look::of(cell, hidden);
        if look == Look::default() {
            return;
        }
        match columns.last_mut() {
            Some(last) if last.pixels.end == pixels.start && last.look == look => last.pixels.end = pixels.end,
            _ => columns.push(Column { pixels, look }),
        }
    };
    let seen = cells_within(grid, scale, &within);
    let mut open: Option<(Range<i64>, Cell)> = None;
    for (index, cell) in cells.iter().enumerate().take(seen.end).skip(seen.start) {
        let place = scale.place(grid.cell(index));
        let place = place.start.max(within.start)..place.end.min(within.end);
        if place.is_empty() {
            continue;
        }
        match &mut open {
            Some((same, sum)) if *same == place => *sum = sum.merge(*cell),
            _ => {
                if let Some((pixels, sum)) = open.replace((place, *cell)) {
                    push(pixels, &sum);
                }
            }
        }
    }
    if let Some((pixels, sum)) = open {
        push(pixels, &sum);
    }
    columns
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
