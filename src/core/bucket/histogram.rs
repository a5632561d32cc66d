//! A fixed logarithmic histogram of milliseconds.

/// Bins of a [`Histogram`].
pub const BINS: usize = 64;

/// Times below this share bin 0; the first octave begins here.
const FIRST_MS: u32 = 16;

/// Bins an octave: each is a quarter of its octave wide, so a value is known to within 14-25 %.
const STEPS: u32 = 4;

/// Counts of times in [`BINS`] fixed bins: four an octave from 16 ms on; the last takes all from 13 minutes up.
///
/// The bins are the same in every histogram for ever, so that merging is adding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram([u32; BINS]);

impl Default for Histogram {
    fn default() -> Self {
        Self([0; BINS])
    }
}

impl Histogram {
    /// The bin of a time.
    pub const fn bin(ms: u32) -> usize {
        if ms < FIRST_MS {
            return 0;
        }
        let octave = ms.ilog2() - FIRST_MS.ilog2();
        let step = (ms >> (ms.ilog2() - STEPS.ilog2())) - STEPS;
        let bin = (octave * STEPS + step + 1) as usize;
        if bin < BINS { bin } else { BINS - 1 }
    }

    /// The smallest time of a bin, in milliseconds.
    pub const fn lower(bin: usize) -> u32 {
        if bin == 0 {
            return 0;
        }
        let index = if bin < BINS { bin as u32 - 1 } else { BINS as u32 - 2 };
        (FIRST_MS / STEPS * (STEPS + index % STEPS)) << (index / STEPS)
    }

    /// Adds one time.
    pub const fn add(&mut self, ms: u32) {
        let bin = Self::bin(ms);
        self.0[bin] = self.0[bin].saturating_add(1);
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = own.saturating_add(*other);
        }
    }

    /// How many times it holds.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|count| u64::from(*count)).sum()
    }

    /// The bins that hold anything, with their counts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }

    /// The time in milliseconds below which a share `q` (0 to 1) of the times lies, interpolated in its bin; `None` when
    /// empty.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let total = self.total();
        let rank = q.clamp(0.0, 1.0) * total as f64;
        let mut below = 0.0;
        for (bin, count) in self.iter() {
            let count = f64::from(count);
            if below + count >= rank {
                let low = f64::from(Self::lower(bin));
                let high = if bin + 1 < BINS { f64::from(Self::lower(bin + 1)) } else { low };
                return Some(low + (high - low) * (rank - below) / count);
            }
            below += count;
        }
        None
    }

    pub(super) const fn count_mut(&mut self, bin: usize) -> Option<&mut u32> {
        if bin < BINS { Some(&mut self.0[bin]) } else { None }
    }
}
