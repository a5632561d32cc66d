//! Change detection: whether the last days are unlike the weeks before.
//!
//! Each local day has a surprise: the share seen less the share that the older weeks make one expect in the same hours. For
//! every number of last days the mean surprise is measured against how much days differ anyway; the most surprising number
//! is told when it is above [`ALARM`]. Scanning many numbers makes false alarms, so that the line is high. On the planted
//! weeks of the quality bench, in which nothing changes, a change was told on 1 day in 48; where the target became full for
//! 30 points more of the time, it was told after two days in half of the cases and after three in three of four (later
//! where only working hours are seen: a few hours a day say little).

use jiff::civil::Date;

use super::slots::{SLOTS, Slots, Week, monday};

/// Mean surprise, in standard deviations, from which a change is told.
const ALARM: f64 = 4.0;
/// Smaller changes of the share are not told.
const LEAST: f64 = 0.08;
/// Days that can have changed.
const RECENT: usize = 10;
/// Older days needed to know what is usual.
const OLDER: usize = 14;
/// A day counts with so many hours seen.
const HOURS: f64 = 3.0;
/// Looks at the slot's estimate that stand beside the older weeks' own.
const SHRINK: f64 = 2.0;
/// Days differ at least so much.
const LEAST_SPREAD: f64 = 0.03;

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

/// What a day was, against what was expected.
#[derive(Clone, Copy, Debug)]
struct Surprise {
    week: i64,
    day: usize,
    share: f64,
    expected: f64,
}

impl Surprise {
    const fn size(&self) -> f64 {
        self.share - self.expected
    }
}

/// The change that the last days speak of, if any.
pub(super) fn change(slots: &Slots) -> Option<Change> {
    let days = days(slots);
    let old = days.len().checked_sub(RECENT).filter(|old| *old >= OLDER)?;
    let mut sizes: Vec<f64> = days[..old].iter().map(|day| day.size().abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let root_mean = (days[..old].iter().map(|day| day.size().powi(2)).sum::<f64>() / old as f64).sqrt();
    // Both a robust and a plain measure: a past change must not hide a new one, and rare bad days are usual.
    let spread = root_mean.max(1.48 * sizes[old / 2]).max(LEAST_SPREAD);
    let measure = |count: usize| {
        let recent = &days[days.len() - count..];
        let mean = recent.iter().map(Surprise::size).sum::<f64>() / count as f64;
        (count, mean, mean.abs() * (count as f64).sqrt() / spread)
    };
    let (count, mean, alarm) = (1..=RECENT).map(measure).max_by(|a, b| a.2.total_cmp(&b.2))?;
    let recent = &days[days.len() - count..];
    let average = |of: fn(&Surprise) -> f64| recent.iter().map(of).sum::<f64>() / count as f64;
    let since = recent.first()?;
    (alarm >= ALARM && mean.abs() >= LEAST).then_some(Change {
        since: monday(since.week)?.checked_add(jiff::SignedDuration::from_hours(since.day as i64 * 24)).ok()?,
        direction: if mean < 0.0 { Direction::Busier } else { Direction::Quieter },
        recent: average(|day| day.share),
        expected: average(|day| day.expected),
        days: u32::try_from(count).ok()?,
    })
}

/// Every local day with enough evidence, in order.
fn days(slots: &Slots) -> Vec<Surprise> {
    let known: Vec<(&Week, usize)> = slots
        .weeks
        .iter()
        .flat_map(|week| (0..7).map(move |day| (week, day)))
        .filter(|(week, day)| hours(week, *day) >= HOURS)
        .collect();
    let newest = known.len().saturating_sub(RECENT);
    let mut older = [(0.0, 0.0); SLOTS];
    for (week, day) in &known[..newest] {
        for (slot, sum) in older.iter_mut().enumerate().skip(day * 24).take(24) {
            sum.0 += week.slots[slot].up_ms as f64;
            sum.1 += week.slots[slot].seen_ms() as f64;
        }
    }
    let hour = 3_600_000.0;
    let expected = |slot: usize| {
        let (up, seen) = older[slot];
        (up + slots.cells[slot].share * SHRINK * hour) / (seen + SHRINK * hour)
    };
    let surprise = |(week, day): (&Week, usize)| {
        let (mut up, mut seen, mut awaited) = (0.0, 0.0, 0.0);
        for slot in day * 24..day * 24 + 24 {
            let tally = &week.slots[slot];
            up += tally.up_ms as f64;
            seen += tally.seen_ms() as f64;
            awaited += expected(slot) * tally.seen_ms() as f64;
        }
        Surprise { week: week.number, day, share: up / seen, expected: awaited / seen }
    };
    known.into_iter().map(surprise).collect()
}

fn hours(week: &Week, day: usize) -> f64 {
    week.slots[day * 24..day * 24 + 24].iter().map(|tally| tally.seen_ms() as f64 / 3_600_000.0).sum()
}
