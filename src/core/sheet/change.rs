//! Change detection: whether the last days are unlike the weeks before.

use jiff::civil::Date;

/// Which way it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Less free than usual.
    Busier,
    /// More free than usual.
    Quieter,
}

/// The last days are unlike the weeks before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The first local day of the change.
    pub since: Date,
    /// Which way.
    pub direction: Direction,
    /// The share seen since then.
    pub recent: f64,
    /// The share that the weeks before make one expect in the same hours.
    pub expected: f64,
    /// Days with evidence since then.
    pub days: u32,
}
