//! Windows: when it is quiet, when it is busy, and which hours are best.

use jiff::Timestamp;

use super::slots::Evidence;

/// A stretch of time ahead in which a target is usually free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// When it begins; not before the moment asked from.
    pub start: Timestamp,
    /// When it ends; at most a week after the moment asked from.
    pub end: Timestamp,
    /// The mean share of its hours.
    pub share: f64,
    /// The mean of the lower ends of its hours' intervals: how sure.
    pub low: f64,
    /// The weakest evidence of its hours.
    pub evidence: Evidence,
}

/// A usual busy time of one weekday.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusyTime {
    /// 1 = Monday to 7 = Sunday: the day it begins on.
    pub weekday: u8,
    /// When it begins, in minutes of the local day, to the quarter hour where evidence allows, else to the hour.
    pub start: u16,
    /// When the target is usually back, in minutes of the same local day: more than 1440 when it runs past midnight.
    pub end: u16,
    /// The mean share of its quarter hours.
    pub share: f64,
    /// The mean of the upper ends of its hours' intervals: how sure.
    pub high: f64,
    /// The weakest evidence of its hours.
    pub evidence: Evidence,
}

/// Days that a habit holds on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Days {
    /// All seven.
    Every,
    /// Monday to Friday.
    Weekdays,
    /// Saturday and Sunday.
    Weekend,
    /// One, 1 = Monday to 7.
    One(u8),
}

/// Hours that are alike on some days, with what they promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestHours {
    /// On which days.
    pub days: Days,
    /// The first hour, 0 to 23.
    pub from: u8,
    /// The hour it ends at, 1 to 24.
    pub to: u8,
    /// The mean share.
    pub share: f64,
    /// The mean lower end of the intervals; what it is ranked by.
    pub low: f64,
    /// The mean upper end.
    pub high: f64,
    /// The fewest weeks of its slots.
    pub weeks: u32,
    /// Counted samples of its slots together.
    pub samples: u32,
    /// The weakest evidence of its slots.
    pub evidence: Evidence,
}
