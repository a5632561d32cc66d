//! Time to the first token by cell.

use super::Grid;
use crate::core::bucket::Histogram;

/// How long a target took to its first token in a cell, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// The quickest: its bin's lower end, or exact.
    pub least: f64,
    /// A tenth was quicker.
    pub low: f64,
    /// Half were quicker.
    pub median: f64,
    /// Nine tenths were quicker.
    pub high: f64,
    /// The slowest: its bin's upper end, or exact.
    pub most: f64,
    /// From so many answers.
    pub n: u64,
}

impl Latency {
    /// Of a histogram; `None` when that is empty.
    pub fn of(histogram: &Histogram) -> Option<Self> {
        let quantile = |q| histogram.quantile(q);
        Some(Self {
            least: quantile(0.0)?,
            low: quantile(0.1)?,
            median: quantile(0.5)?,
            high: quantile(0.9)?,
            most: quantile(1.0)?,
            n: histogram.total(),
        })
    }

    /// Of exact times, which are put in order; `None` without any. Between two times it is interpolated.
    pub fn exact(times: &mut [u32]) -> Option<Self> {
        times.sort_unstable();
        let last = times.len().checked_sub(1)?;
        let quantile = |q: f64| {
            #[expect(clippy::cast_precision_loss, reason = "far fewer samples than a float's digits")]
            let place = q * last as f64;
            let (below, part) = (place.floor() as usize, place.fract());
            let (low, high) = (f64::from(times[below]), f64::from(times[(below + 1).min(last)]));
            low + (high - low) * part
        };
        Some(Self {
            least: quantile(0.0),
            low: quantile(0.1),
            median: quantile(0.5),
            high: quantile(0.9),
            most: quantile(1.0),
            n: times.len() as u64,
        })
    }
}

/// Gathers latencies over a grid.
#[derive(Debug)]
pub struct Latencies {
    grid: Grid,
    histograms: Vec<Option<Box<Histogram>>>,
    exact: Vec<Vec<u32>>,
}

impl Latencies {
    /// None yet.
    pub fn new(grid: Grid) -> Self {
        let cells = grid.len();
        Self { grid, histograms: vec![None; cells], exact: vec![Vec::new(); cells] }
    }

    /// Adds those of a bucket that begins at `start`.
    pub fn add_bucket(&mut self, start: i64, histogram: &Histogram) {
        if let Some(cell) = self.grid.find(start)
            && histogram.total() > 0
        {
            self.histograms[cell].get_or_insert_default().merge(histogram);
        }
    }

    /// Adds one answer.
    pub fn add(&mut self, at: i64, ms: u32) {
        if let Some(cell) = self.grid.find(at) {
            self.exact[cell].push(ms);
        }
    }

    /// One a cell. A cell with both buckets and single answers becomes a histogram of all.
    pub fn finish(self) -> Vec<Option<Latency>> {
        let each = self.histograms.into_iter().zip(self.exact);
        each.map(|(histogram, mut exact)| match histogram {
            None => Latency::exact(&mut exact),
            Some(mut histogram) => {
                exact.into_iter().for_each(|ms| histogram.add(ms));
                Latency::of(&histogram)
            }
        })
        .collect()
    }
}
