//! Everything about one target.

use std::ops::Range;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::Quarter;
use super::change::{self, Change};
use super::gather;
use super::habit::{self, Habit};
use super::latency::Latency;
use super::outages::{Outages, Remaining};
use super::slots::{Cell, QUARTERS, Slot, Slots};
use super::windows::{self, BestHours, BusyTime, Levels, Window};
use super::zone::{LocalClock, WEEK_MS};
use crate::core::bucket::{BUCKET_MS, DAY_MS};
use crate::core::target::TargetId;

/// What is known of one target, cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetSheet {
    /// Whose it is.
    pub target: TargetId,
    /// The 168 hours of the week.
    pub slots: Slots,
    /// What is quiet and what is busy for it.
    pub levels: Levels,
    /// What is usual in each quarter hour of the week, Monday 00:00 first, [`QUARTERS`] of them; nothing while it is too early.
    pub habits: Arc<[Habit]>,
    /// How long it is away when it is.
    pub outages: Outages,
    /// Its usual busy times, by weekday and start.
    pub busy: Arc<[BusyTime]>,
    /// Its best hours, best first, at most five; hours and days that are alike are put together.
    pub best: Arc<[BestHours]>,
    /// What changed lately.
    pub change: Option<Change>,
    /// Latency by slot; `None` until [`TargetSheet::with_latency`].
    pub latency: Option<Latency>,
    /// From the first to the end of the last quarter hour with evidence.
    pub seen: Option<(Timestamp, Timestamp)>,
}

/// A usual busy time laid on the calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusyOn {
    /// Which.
    pub busy: BusyTime,
    /// When it begins.
    pub start: Timestamp,
    /// When the target is usually back.
    pub end: Timestamp,
}

impl TargetSheet {
    /// Makes the sheet of a target from its quarter hours, in any order. What begins at `now` or later is left out.
    pub fn new(target: TargetId, quarters: &[Quarter], zone: &TimeZone, now: Timestamp) -> Self {
        let quarters = gather::in_order(quarters, now);
        let clock = gather::clock_of(&quarters, zone, now);
        let slots = gather::slots(&quarters, &clock, now);
        let levels = Levels::of(&slots);
        let moment = |ms| Timestamp::from_millisecond(ms).ok();
        let mut with_evidence = quarters.iter().filter(|quarter| quarter.seen_ms() > 0).map(|quarter| quarter.start_ms);
        let first = with_evidence.next();
        let last = with_evidence.next_back().or(first);
        let mut made = Self {
            target,
            levels,
            habits: vec![Habit::Unsaid; QUARTERS].into(),
            outages: Outages::of_quarters(&quarters, &clock),
            busy: Arc::new([]),
            best: Arc::new([]),
            change: change::change(&slots),
            latency: None,
            seen: first.zip(last).and_then(|(first, last)| moment(first).zip(moment(last + BUCKET_MS))),
            slots,
        };
        // What is too early to be said is said nowhere.
        if !made.is_early(now) {
            made.habits = habit::habits(&made.slots, levels).into();
            made.busy = windows::busy(&made.slots, &made.habits).into();
            made.best = windows::best(&made.slots, levels, &made.habits).into();
        }
        made
    }

    /// Whether it is usually free in a quarter hour of the week, 0 to 671; never true of a target whose best hours are not good.
    pub fn is_usually_free(&self, quarter: usize) -> bool {
        self.levels.is_usual() && self.habits[quarter % QUARTERS] == Habit::Free
    }

    /// The same with latency.
    #[must_use]
    pub fn with_latency(self, latency: Latency) -> Self {
        Self { latency: Some(latency), ..self }
    }

    /// What is known of the slot that a moment lies in.
    pub fn at(&self, moment: Timestamp, zone: &TimeZone) -> &Cell {
        self.slots.get(Slot::at(moment, zone))
    }

    /// The single best slots of the week, best first, by the lower end of the interval.
    pub fn best_slots(&self, count: usize) -> Vec<(Slot, Cell)> {
        let mut slots: Vec<_> = self.slots.iter().map(|(slot, cell)| (slot, *cell)).collect();
        slots.sort_by(|a, b| b.1.low.total_cmp(&a.1.low));
        slots.truncate(count);
        slots
    }

    /// The next quiet window from a moment on; one that is open begins at that moment.
    pub fn next_quiet(&self, from: Timestamp, zone: &TimeZone) -> Option<Window> {
        self.quiet_windows(from, zone).into_iter().next()
    }

    /// The quiet window that a moment lies in.
    pub fn open_window(&self, at: Timestamp, zone: &TimeZone) -> Option<Window> {
        self.next_quiet(at, zone).filter(|window| window.start <= at)
    }

    /// All quiet windows of the seven days from a moment on, in order.
    pub fn quiet_windows(&self, from: Timestamp, zone: &TimeZone) -> Vec<Window> {
        windows::quiet(&self.slots, &self.habits, from, &LocalClock::new(zone, ahead(from)))
    }

    /// The usual busy times that are on at a moment or begin in the `ahead` after it, in order, as moments of the calendar:
    /// laid on the local clock, so that 14:15 stays 14:15 when the clocks change.
    pub fn busy_ahead(&self, from: Timestamp, ahead: SignedDuration, zone: &TimeZone) -> Vec<BusyOn> {
        let until = from.saturating_add(ahead).unwrap_or(Timestamp::MAX);
        let mut found: Vec<BusyOn> = Vec::new();
        let mut date = zone.to_datetime(from).date();
        // A busy time may have begun days ago, where a target is hardly ever free.
        for _ in 0..7 {
            date = date.yesterday().unwrap_or(date);
        }
        let moment = |date: jiff::civil::Date, minutes: u16| {
            let days = i64::from(minutes / 1440) * 24;
            let day = date.checked_add(SignedDuration::from_hours(days)).ok()?;
            let time = day.at((minutes % 1440 / 60) as i8, (minutes % 60) as i8, 0, 0);
            zone.to_timestamp(time).ok()
        };
        while moment(date, 0).is_some_and(|midnight| midnight < until) {
            let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
            for busy in self.busy.iter().filter(|busy| busy.weekday == weekday) {
                let times = moment(date, busy.start).zip(moment(date, busy.end));
                if let Some((start, end)) = times.filter(|(start, end)| *end > from && *start < until) {
                    found.push(BusyOn { busy: *busy, start, end });
                }
            }
            let Ok(next) = date.tomorrow() else { break };
            date = next;
        }
        found.sort_by_key(|busy| busy.start);
        found
    }

    /// The usual busy times that are on now or begin before the local day ends.
    pub fn busy_today(&self, now: Timestamp, zone: &TimeZone) -> Vec<BusyOn> {
        let tomorrow = zone.to_datetime(now).date().tomorrow();
        let midnight = tomorrow.and_then(|date| zone.to_timestamp(date.at(0, 0, 0, 0)));
        self.busy_ahead(now, midnight.unwrap_or(now).duration_since(now), zone)
    }

    /// When the target is usually back, if a usual busy time is on that has an end.
    pub fn usual_return(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self.is_always_busy() {
            return None;
        }
        let on = self.busy_ahead(now, SignedDuration::from_secs(1), zone);
        on.iter().filter(|busy| busy.start <= now).map(|busy| busy.end).max()
    }

    /// How much longer an outage that has lasted `so_far` usually lasts.
    pub fn remaining(&self, now: Timestamp, zone: &TimeZone, so_far: SignedDuration) -> Option<Remaining> {
        let begun = now.saturating_sub(so_far).unwrap_or(now);
        self.outages.remaining(super::DayPart::of(Slot::at(begun, zone).hour()), so_far)
    }
}

impl Quarter {
    fn seen_ms(&self) -> u64 {
        u64::from(self.seen.up_ms) + u64::from(self.seen.full_ms) + u64::from(self.seen.fault_ms)
    }
}

/// A week and a day from a moment on.
fn ahead(from: Timestamp) -> Range<i64> {
    let from = from.as_millisecond();
    from..from.saturating_add(WEEK_MS + DAY_MS)
}
