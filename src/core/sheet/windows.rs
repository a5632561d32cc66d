//! Windows: when it is quiet, when it is busy, and which hours are best.
//!
//! What is quiet is measured against what the target can be: an hour is good from [`GOOD_SHARE`] on, or, for a target that
//! never gets there, from a little below its own best hours, but never where it is full more often than not; it is busy well
//! below that. Between both lies a band in which nothing changes, so that a curve that trembles at one line does not make ten
//! windows.

use jiff::Timestamp;

use super::habit::{self, Habit, quarter};
use super::slots::{Cell, Evidence, QUARTERS, SLOTS, Slot, Slots};
use super::zone::LocalClock;
use crate::core::bucket::{BUCKET_MS, bucket_start};

/// The share from which on an hour is good to work in.
pub const GOOD_SHARE: f64 = 0.85;

/// The share below which an hour is busy.
pub const BUSY_SHARE: f64 = 0.75;

/// So far below its best hours an hour of a target is still good.
const BELOW_BEST: f64 = 0.05;
/// What is free less than half of the time is quiet for no target, however busy the rest of its week.
const LEAST_GOOD: f64 = 0.5;
/// The same for what is not yet busy.
const LEAST_BUSY: f64 = 0.4;

/// A quiet window, and a busy time, is at least so long, in quarter hours: what is shorter is chance, and worth no switch.
pub(super) const SHORTEST: usize = 4;
/// How far windows look ahead, in quarter hours: a week.
const AHEAD: usize = QUARTERS;
/// Shares that differ by no more are alike.
const ALIKE: f64 = 0.08;

/// A stretch of time ahead in which a target is usually free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// When it begins; not before the moment asked from.
    pub start: Timestamp,
    /// When it ends; at most a week after the moment asked from.
    pub end: Timestamp,
    /// The mean share of its time.
    pub share: f64,
    /// The mean of the lower ends of its hours' intervals: how sure.
    pub low: f64,
    /// The weakest evidence of its hours.
    pub evidence: Evidence,
    /// The share of its time whose hours are known.
    pub known: f64,
}

impl Window {
    /// Whether it is known well enough to be called usual.
    pub fn is_usual(&self) -> bool {
        self.known >= 0.5
    }

    /// Whether it has no end within the week.
    pub fn is_all_week(&self) -> bool {
        self.end.duration_since(self.start).as_millis() > (AHEAD as i128 - 1) * i128::from(BUCKET_MS)
    }
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

impl Days {
    /// Whether a weekday (1 = Monday to 7) is one of them.
    pub const fn has(self, weekday: u8) -> bool {
        match self {
            Self::Every => true,
            Self::Weekdays => weekday <= 5,
            Self::Weekend => weekday > 5,
            Self::One(day) => day == weekday,
        }
    }

    fn slots(self, hour: u8) -> impl Iterator<Item = Slot> {
        (1..=7).filter(move |weekday| self.has(*weekday)).filter_map(move |weekday| Slot::new(weekday, hour))
    }
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
    /// Distinct weeks in which any of its slots was seen.
    pub weeks: u32,
    /// Counted samples of its slots together.
    pub samples: u32,
    /// The weakest evidence of its slots.
    pub evidence: Evidence,
}

/// What is good and what is busy for one target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// From here on it is quiet.
    pub good: f64,
    /// Below it is busy.
    pub busy: f64,
}

impl Levels {
    /// Measured against the share that the best tenth of its hours reach.
    pub fn of(slots: &Slots) -> Self {
        let mut shares: Vec<f64> = slots.iter().map(|(_, cell)| cell.share).collect();
        shares.sort_by(f64::total_cmp);
        let best = shares[SLOTS * 9 / 10];
        Self {
            good: GOOD_SHARE.min(best - BELOW_BEST).max(LEAST_GOOD),
            busy: BUSY_SHARE.min(best - 0.15).max(LEAST_BUSY),
        }
    }

    /// Whether its best hours are good ones. Of a target that never gets there, what is quiet is only the best there is: it is
    /// not usually free.
    pub fn is_usual(&self) -> bool {
        self.good >= GOOD_SHARE - BELOW_BEST
    }

    /// Between good and busy: what crosses it has changed.
    pub(super) const fn middle(&self) -> f64 {
        self.good.midpoint(self.busy)
    }
}

/// Sums over quarter hours of a stretch.
#[derive(Clone, Copy)]
struct Mean {
    share: f64,
    low: f64,
    high: f64,
    count: f64,
    known: f64,
    evidence: Evidence,
}

impl Mean {
    const NONE: Self = Self { share: 0.0, low: 0.0, high: 0.0, count: 0.0, known: 0.0, evidence: Evidence::Known };

    fn add(&mut self, share: f64, cell: &Cell) {
        self.share += share;
        self.low += cell.low;
        self.high += cell.high;
        self.count += 1.0;
        self.known += f64::from(u8::from(cell.evidence == Evidence::Known));
        self.evidence = self.evidence.min(cell.evidence);
    }
}

/// The quiet windows of the seven days from a moment on, in order: where the habit is to be free, as far as anybody watched.
pub(super) fn quiet(slots: &Slots, habits: &[Habit], from: Timestamp, clock: &LocalClock) -> Vec<Window> {
    let start_ms = bucket_start(from.as_millisecond());
    let holes = habit::holes(slots);
    let mut windows = Vec::new();
    let mut open: Option<(usize, Mean)> = None;
    let moment =
        |step: usize| Timestamp::from_millisecond(start_ms + step as i64 * BUCKET_MS).unwrap_or(Timestamp::MAX);
    let mut close = |open: Option<(usize, Mean)>, end: usize| {
        windows.extend(open.map(|(begin, mean)| Window {
            start: moment(begin).max(from),
            end: moment(end),
            share: mean.share / mean.count,
            low: mean.low / mean.count,
            evidence: mean.evidence,
            known: mean.known / mean.count,
        }));
    };
    for step in 0..AHEAD {
        let at = clock.place(start_ms + step as i64 * BUCKET_MS).quarter;
        if habits[at] != Habit::Free || holes[at] {
            close(open.take(), step);
            continue;
        }
        let (share, cell) = quarter(slots, at);
        open.get_or_insert((step, Mean::NONE)).1.add(share, cell);
    }
    close(open, AHEAD);
    windows
}

/// The usual busy times of a week, by the day they begin on.
pub(super) fn busy(slots: &Slots, habits: &[Habit]) -> Vec<BusyTime> {
    if habits.iter().all(|habit| *habit == Habit::Busy) {
        return (0..7_usize).map(|day| busy_time(slots, day * 96, 96)).collect();
    }
    let mut times: Vec<_> =
        habit::stretches(habits, Habit::Busy).map(|(begin, length)| busy_time(slots, begin, length)).collect();
    times.sort_by_key(|time| (time.weekday, time.start));
    times
}

fn busy_time(slots: &Slots, begin: usize, length: usize) -> BusyTime {
    let mut mean = Mean::NONE;
    for at in begin..begin + length {
        let (share, cell) = quarter(slots, at % QUARTERS);
        mean.add(share, cell);
    }
    let start = (begin % 96 * 15) as u16;
    BusyTime {
        weekday: (begin / 96 + 1) as u8,
        start,
        end: start + (length * 15) as u16,
        share: mean.share / mean.count,
        high: mean.high / mean.count,
        evidence: mean.evidence,
    }
}

/// The best hours, best first, at most five: hours of the day that are alike are put together, and so are days.
pub(super) fn best(slots: &Slots, levels: Levels, habits: &[Habit]) -> Vec<BestHours> {
    let mut found: Vec<BestHours> = groups(slots).into_iter().flat_map(|days| runs(slots, days, habits)).collect();
    // What nobody looked at is no advice, whatever its neighbours suggest.
    found.retain(|best| best.samples > 0);
    // Where it is usually busy are no best hours, unless there are no others.
    if found.iter().any(|best| !is_busy(best.days, best.from, habits)) {
        found.retain(|best| !is_busy(best.days, best.from, habits));
    }
    found.sort_by(|a, b| b.low.total_cmp(&a.low).then((b.to - b.from).cmp(&(a.to - a.from))));
    // Below that no hours are good ones; of a target that is always busy the best of its bad hours are told.
    if found.iter().any(|best| best.share >= levels.busy) {
        found.retain(|best| best.share >= levels.busy);
    }
    found.truncate(5);
    for best in &mut found {
        let hours = || (best.from..best.to).flat_map(|hour| best.days.slots(hour));
        best.weeks = slots.weeks_of(hours);
    }
    found
}

/// Days that can be spoken of together: in no hour they differ by more than what is not known anyway.
fn groups(slots: &Slots) -> Vec<Days> {
    let are_alike = |days: Days| {
        let strange = |hour: &u8| {
            let cells = || days.slots(*hour).map(|slot| slots.get(slot));
            let least = cells().map(|cell| cell.high).fold(1.0, f64::min);
            let most = cells().map(|cell| cell.low).fold(0.0, f64::max);
            most > least + ALIKE
        };
        (0..24).filter(strange).count() == 0
    };
    // Days that were hardly watched are alike to everything: of them nothing is told.
    let is_watched = |days: Days| {
        let slots = || (0..24).flat_map(|hour| days.slots(hour)).map(|slot| slots.get(slot));
        slots().filter(|cell| cell.weeks > 0).count() * 8 >= slots().count()
    };
    let parts: Vec<Days> = [Days::Weekdays, Days::Weekend].into_iter().filter(|days| is_watched(*days)).collect();
    if parts.len() == 2 && are_alike(Days::Every) {
        return vec![Days::Every];
    }
    let part = |days: Days| match are_alike(days) {
        true => vec![days],
        false => (1..=7).filter(|day| days.has(*day)).map(Days::One).collect(),
    };
    parts.into_iter().flat_map(part).collect()
}

/// Whether an hour is usually busy on one of some days, in whole or in part.
fn is_busy(days: Days, hour: u8, habits: &[Habit]) -> bool {
    days.slots(hour).any(|slot| habits[slot.index() * 4..][..4].contains(&Habit::Busy))
}

/// Hours of the day, put together while they are alike.
fn runs(slots: &Slots, days: Days, habits: &[Habit]) -> Vec<BestHours> {
    let mut runs: Vec<BestHours> = Vec::new();
    for hour in 0..24 {
        let one = of_hour(slots, days, hour);
        match runs.last_mut() {
            Some(run)
                if (run.share - one.share).abs() <= ALIKE / 2.0
                    && (run.low - one.low).abs() <= ALIKE
                    && is_busy(days, run.from, habits) == is_busy(days, hour, habits) =>
            {
                let hours = f64::from(run.to - run.from);
                let mean = |of: f64, one: f64| (of * hours + one) / (hours + 1.0);
                run.share = mean(run.share, one.share);
                run.low = mean(run.low, one.low);
                run.high = mean(run.high, one.high);
                run.to = hour + 1;
                run.samples = run.samples.saturating_add(one.samples);
                run.evidence = run.evidence.min(one.evidence);
            }
            _ => runs.push(one),
        }
    }
    runs
}

fn of_hour(slots: &Slots, days: Days, hour: u8) -> BestHours {
    let mut mean = Mean::NONE;
    let mut samples = 0_u32;
    for cell in days.slots(hour).map(|slot| slots.get(slot)) {
        mean.add(cell.share, cell);
        samples = samples.saturating_add(cell.seen.samples);
    }
    BestHours {
        days,
        from: hour,
        to: hour + 1,
        share: mean.share / mean.count,
        low: mean.low / mean.count,
        high: mean.high / mean.count,
        weeks: 0,
        samples,
        evidence: mean.evidence,
    }
}
