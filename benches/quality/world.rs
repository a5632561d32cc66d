//! The planted truth: when a model is full, and which share of each slot of the week it is expected to be free.
//!
//! Outages begin as a Poisson process whose rate follows the shape, and last a lognormal time; the model is free when none
//! is under way. Some days are worse than others: each has a factor of its own. The number of outages under way is then
//! Poisson (an M/G/∞ queue; Palm and Khinchin), so that the expected share has a closed form and needs no simulation:
//! with `S` the chance that an outage outlasts a time, and `r_d` the rate of those that begin on day `d`,
//!
//! ```text
//! load_d(t) = Σ over s ≤ t in day d of r_d(s) · S(t - s)      free(t) = Π_d E[exp(-factor · load_d(t))]
//! ```
//!
//! Nothing here is known to the estimator, and nothing of the estimator is known here.

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;

/// Slots of the week: Monday's first hour is 0.
pub const SLOTS: usize = 168;
/// Minutes in a week, and a minute in milliseconds.
pub const WEEK_MINS: i64 = 7 * 24 * 60;
pub const MINUTE_MS: i64 = 60_000;
/// Weeks that are simulated before the end of the record.
pub const WEEKS: i64 = 8;
/// No outage lasts longer.
const LONGEST_MINS: usize = 24 * 60;
/// How much worse or better a day can be; each as likely as the others.
const DAY_FACTORS: [f64; 3] = [0.5, 1.0, 1.5];

/// How long outages last: a lognormal distribution, in minutes.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Half are shorter.
    pub median: f64,
    /// Standard deviation of the logarithm: 1 means that one in ten is 3.6 times the median.
    pub spread: f64,
}

impl Lengths {
    fn draw(self, rng: &mut fastrand::Rng) -> f64 {
        (self.median * (self.spread * normal(rng)).exp()).min(LONGEST_MINS as f64)
    }

    /// Chances that an outage outlasts 0, 1, 2, ... minutes, measured in the middle of each minute.
    fn survival(self) -> Vec<f64> {
        (0..LONGEST_MINS).map(|mins| upper_tail(((mins as f64 + 0.5) / self.median).ln() / self.spread)).collect()
    }
}

/// A weekly pattern of a model.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub name: &'static str,
    /// Where its clock stands.
    zone: &'static str,
    /// The last day of the record; the fresh week follows.
    end: (i16, i8, i8),
    /// The share of time that it would be full if this moment's rate went on for ever, and outages in a sudden rush at
    /// this minute (their expected number).
    pressure: fn(&Hour) -> (f64, f64),
}

/// A minute of the week as the provider sees it.
#[derive(Clone, Copy, Debug)]
pub struct Hour {
    /// 0 is Monday.
    day: u8,
    /// Hours since midnight, with fractions.
    time: f64,
    /// Weeks since the record began, with fractions.
    week: f64,
}

impl Hour {
    const fn is_weekend(&self) -> bool {
        self.day >= 5
    }

    /// 1 within these hours, 0 outside, with slopes of an hour on both sides; the end may be past midnight.
    fn within(&self, from: f64, to: f64) -> f64 {
        let hill = |time: f64| ((time - from).min(to - time) + 0.5).clamp(0.0, 1.0);
        hill(self.time).max(hill(self.time + 24.0))
    }
}

/// Where the user lives.
pub const USER_ZONE: &str = "Europe/Berlin";

const SUMMER: (i16, i8, i8) = (2026, 6, 28);
/// Three weeks after the clocks of the user's zone went forward.
const SPRING: (i16, i8, i8) = (2026, 4, 19);

/// Every shape.
pub const SHAPES: [Shape; 11] = [
    Shape {
        name: "weekday-afternoons",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| (if hour.is_weekend() { 0.03 } else { 0.03 + 0.5 * hour.within(13.5, 18.5) }, 0.0),
    },
    Shape {
        name: "two-continents",
        zone: "America/New_York",
        end: SUMMER,
        pressure: |hour| {
            // Nine to six there, and nine to six twelve hours later; its Monday is their Sunday evening.
            let asia = if (0..4).contains(&hour.day)
                || (hour.day == 6 && hour.time > 12.0)
                || (hour.day == 4 && hour.time < 12.0)
            {
                hour.within(21.0, 30.0)
            } else {
                0.0
            };
            let own = if hour.is_weekend() { 0.0 } else { hour.within(9.0, 18.0) };
            (0.02 + 0.45 * own + 0.3 * asia, 0.0)
        },
    },
    Shape {
        name: "night-batch",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| (0.02 + 0.6 * hour.within(1.0, 4.5), 0.0),
    },
    Shape {
        name: "weekend-differs",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| {
            let busy = if hour.is_weekend() { 0.45 * hour.within(15.0, 23.0) } else { 0.25 * hour.within(9.0, 17.0) };
            (0.03 + busy, 0.0)
        },
    },
    Shape {
        name: "one-day-only",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| (0.03 + if hour.day == 1 { 0.5 * hour.within(10.0, 17.0) } else { 0.0 }, 0.0),
    },
    Shape { name: "flat-rare", zone: USER_ZONE, end: SUMMER, pressure: |_| (0.04, 0.0) },
    Shape { name: "always-free", zone: USER_ZONE, end: SUMMER, pressure: |_| (0.0, 0.0) },
    Shape {
        name: "nearly-always-full",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| (0.95 - 0.35 * hour.within(2.0, 6.0), 0.0),
    },
    Shape {
        name: "sharp-14:15",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| {
            let is_busy = !hour.is_weekend() && (14.25..18.5).contains(&hour.time);
            let is_onset = !hour.is_weekend() && (14.25..14.25 + 1.0 / 60.0).contains(&(hour.time + 1e-9));
            (if is_busy { 0.6 } else { 0.02 }, if is_onset { 1.2 } else { 0.0 })
        },
    },
    Shape {
        name: "drifting",
        zone: USER_ZONE,
        end: SUMMER,
        pressure: |hour| {
            // Two and a half hours later and half as busy again over the eight weeks.
            let late = 2.5 * hour.week / WEEKS as f64;
            let busy = if hour.is_weekend() { 0.0 } else { hour.within(10.5 + late, 16.0 + late) };
            (0.03 + (0.3 + 0.02 * hour.week) * busy, 0.0)
        },
    },
    Shape {
        name: "dst-shifted",
        zone: "Asia/Shanghai",
        end: SPRING,
        pressure: |hour| (if hour.is_weekend() { 0.03 } else { 0.03 + 0.55 * hour.within(15.5, 20.5) }, 0.0),
    },
];

/// What a model did, minute for minute exact to the millisecond, and what was to be expected of it.
#[derive(Clone, Debug)]
pub struct World {
    /// Outages that do not touch, in order, in milliseconds; the end is exclusive. They reach over the fresh week.
    outages: Vec<Outage>,
    /// The record's time; the fresh week follows it.
    pub time: Range<i64>,
}

/// A stretch in which a model was not free.
#[derive(Clone, Debug)]
pub struct Outage {
    pub time: Range<i64>,
    /// It breaks, rather than having no room.
    pub is_fault: bool,
}

impl World {
    /// The outage that covers a moment.
    pub fn outage(&self, at_ms: i64) -> Option<&Outage> {
        let index = self.outages.partition_point(|outage| outage.time.start <= at_ms).checked_sub(1)?;
        self.outages.get(index).filter(|outage| at_ms < outage.time.end)
    }

    /// Whether it is free in each minute of the fresh week.
    pub fn fresh_week(&self) -> impl Iterator<Item = bool> {
        (0..WEEK_MINS).map(|minute| self.outage(self.time.end + minute * MINUTE_MS + MINUTE_MS / 2).is_none())
    }
}

/// A shape with its rates worked out: what all seeds have in common.
#[derive(Debug)]
pub struct Planted {
    pub time: Range<i64>,
    lengths: Lengths,
    /// Expected new outages in each minute from the record's start to the end of the fresh week, with the provider's day.
    onsets: Vec<(f64, i32)>,
    /// The expected share of time free, by slot, in the fresh week.
    pub truth: [f64; SLOTS],
    /// The user's slot of each minute of the fresh week.
    pub fresh_slots: Vec<usize>,
}

impl Planted {
    pub fn new(shape: Shape, lengths: Lengths) -> Self {
        let (year, month, day) = shape.end;
        let user = zone(USER_ZONE);
        let end = hour_of(date(year, month, day).tomorrow().expect("a day of this century"), 0, &user);
        let time = end - WEEKS * WEEK_MINS * MINUTE_MS..end;
        let survival = lengths.survival();
        let mean: f64 = survival.iter().sum();
        let own = zone(shape.zone);
        let onsets: Vec<_> = (0..(WEEKS + 1) * WEEK_MINS)
            .map(|minute| {
                let local = at(time.start + minute * MINUTE_MS, &own);
                let hour = Hour {
                    day: local.weekday().to_monday_zero_offset().unsigned_abs(),
                    time: f64::from(local.hour()) + f64::from(local.minute()) / 60.0,
                    week: minute as f64 / WEEK_MINS as f64,
                };
                let (share, rush) = (shape.pressure)(&hour);
                let day = local.date().since(date(2026, 1, 1)).map_or(0, |span| span.get_days());
                (-(1.0 - share).ln() / mean + rush, day)
            })
            .collect();
        let fresh_slots: Vec<_> = (0..WEEK_MINS).map(|minute| slot(time.end + minute * MINUTE_MS, &user)).collect();
        let mut sums = [(0.0, 0.0); SLOTS];
        for (minute, slot) in fresh_slots.iter().enumerate() {
            let (free, minutes) = &mut sums[*slot];
            *free += expected(&onsets, &survival, (WEEKS * WEEK_MINS) as usize + minute);
            *minutes += 1.0;
        }
        Self { time, lengths, onsets, truth: sums.map(|(free, minutes)| free / minutes), fresh_slots }
    }

    /// One history and its fresh week.
    pub fn play(&self, rng: &mut fastrand::Rng) -> World {
        let mut outages: Vec<Outage> = Vec::new();
        let mut patience = exponential(rng);
        let (mut day, mut factor) = (i32::MIN, 1.0);
        for (minute, (rate, on)) in self.onsets.iter().enumerate() {
            if *on != day {
                day = *on;
                factor = DAY_FACTORS[rng.usize(..DAY_FACTORS.len())];
            }
            patience -= rate * factor;
            while patience < 0.0 {
                patience += exponential(rng);
                let start = self.time.start + minute as i64 * MINUTE_MS + rng.i64(0..MINUTE_MS);
                let end = start + (self.lengths.draw(rng) * MINUTE_MS as f64) as i64;
                outages.push(Outage { time: start..end, is_fault: rng.f64() < 0.2 });
            }
        }
        outages.sort_by_key(|outage| outage.time.start);
        outages.dedup_by(|next, last| {
            let touches = next.time.start <= last.time.end;
            if touches {
                last.time.end = last.time.end.max(next.time.end);
            }
            touches
        });
        World { outages, time: self.time.clone() }
    }
}

/// The chance that the model is free in a minute.
fn expected(onsets: &[(f64, i32)], survival: &[f64], minute: usize) -> f64 {
    let mut free = 1.0;
    let mut load = 0.0;
    let mut day = onsets[minute].1;
    let chance =
        |load: f64| DAY_FACTORS.iter().map(|factor| (-factor * load).exp()).sum::<f64>() / DAY_FACTORS.len() as f64;
    for (age, survival) in survival.iter().enumerate().take(minute + 1) {
        let (rate, on) = onsets[minute - age];
        if on != day {
            free *= chance(load);
            (day, load) = (on, 0.0);
        }
        load += rate * survival;
    }
    free * chance(load)
}

/// The zone of a known name.
pub fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect("a zone of the bundled database")
}

/// A moment on the clock of a zone.
pub fn at(at_ms: i64, zone: &TimeZone) -> DateTime {
    zone.to_datetime(moment(at_ms))
}

/// A moment as a timestamp.
pub fn moment(at_ms: i64) -> Timestamp {
    Timestamp::from_millisecond(at_ms).expect("a moment of this century")
}

/// When an hour of a day strikes in a zone.
pub fn hour_of(date: Date, hour: i8, zone: &TimeZone) -> i64 {
    zone.to_timestamp(date.at(hour, 0, 0, 0)).expect("an hour of this century").as_millisecond()
}

/// The slot of the week that holds a moment.
pub fn slot(at_ms: i64, zone: &TimeZone) -> usize {
    let local = at(at_ms, zone);
    (local.weekday().to_monday_zero_offset().unsigned_abs() as usize) * 24 + local.hour().unsigned_abs() as usize
}

/// A standard normal number (Box and Muller).
pub fn normal(rng: &mut fastrand::Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()
}

/// An exponential number with mean 1.
pub fn exponential(rng: &mut fastrand::Rng) -> f64 {
    -(1.0 - rng.f64()).ln()
}

/// The chance that a standard normal number is above `x` (Abramowitz and Stegun 7.1.26; to 1e-7).
fn upper_tail(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * poly * (-z * z).exp();
    if x < 0.0 { 1.0 - tail } else { tail }
}
