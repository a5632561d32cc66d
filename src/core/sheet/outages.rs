//! Outage anatomy: how long a target is usually away, and how much longer, given how long it has been.
//!
//! An outage is an unbroken stretch of time seen full or failing. A gap, or the present, cuts it off: then it is only known
//! to have lasted *at least* so long, and so it is when it began in a gap. Leaving such outages out would make them look
//! short, counting them whole as well; the product-limit estimate uses what is known of each (Kaplan and Meier 1958):
//!
//! ```text
//! S(t) = Π over ends e ≤ t of (1 - ended at e / still on at e)
//! ```
//!
//! How much longer one lasts that has lasted `a` is read from `S(a + t) / S(a)`.
//!
//! In a quarter hour with time both up and down the order is not stored. What fits its neighbours is taken: an outage that
//! was on before ends in it, else it begins in it when the next quarter hour goes on with it, else it lies within.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::Quarter;
use super::zone::LocalClock;
use crate::core::bucket::{BUCKET_MS, Span, State};

/// Outages of a part of the day below which all parts are taken together.
const ENOUGH: usize = 10;
/// Outages below which nothing is said.
const FEWEST: usize = 3;

/// One time a target was seen full or failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When it was first seen.
    pub start: Timestamp,
    /// How long it was seen.
    pub length: SignedDuration,
    /// Whether its end was seen; otherwise a gap (or now) cut it off and it lasted at least `length`.
    pub is_ended: bool,
    /// Whether its beginning was seen; otherwise it began in a gap and had lasted longer.
    pub is_begun: bool,
    /// Whether it was failing rather than full for most of the time.
    pub is_fault: bool,
    /// The part of the local day it was first seen in.
    pub part: DayPart,
}

/// A part of the local day, by the hour an outage begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DayPart {
    /// 00:00 to 05:59.
    Night,
    /// 06:00 to 11:59.
    Morning,
    /// 12:00 to 17:59.
    Afternoon,
    /// 18:00 to 23:59.
    Evening,
}

impl DayPart {
    /// All parts, in order of the day.
    pub const ALL: [Self; 4] = [Self::Night, Self::Morning, Self::Afternoon, Self::Evening];

    /// The part that an hour (0 to 23) lies in.
    pub const fn of(hour: u8) -> Self {
        match hour {
            0..=5 => Self::Night,
            6..=11 => Self::Morning,
            12..=17 => Self::Afternoon,
            _ => Self::Evening,
        }
    }
}

/// How much longer an outage lasts, or how long outages last when asked at their beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// How long it has lasted so far.
    pub so_far: SignedDuration,
    /// Half of the outages that lasted as long as this end within this time; `None` when too few of them were seen to end.
    pub median: Option<SignedDuration>,
    /// Eight of ten end within this time.
    pub most: Option<SignedDuration>,
    /// Outages that lasted at least as long: what this stands on.
    pub outages: u32,
    /// The part of the day it stands on; `None` when all parts were taken together.
    pub part: Option<DayPart>,
}

/// All outages of a target and what they teach, cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outages {
    all: Arc<[Outage]>,
    /// Lengths in order, of all and of each part.
    lengths: Arc<[Vec<Length>; 5]>,
}

/// How long an outage was seen, and whether it ended then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Length {
    ms: i64,
    /// Ended and begun in sight: only then the length is a length, else a least one. At the same length ends come first.
    is_cut: bool,
}

impl Outages {
    /// Those of quarter hours in order of time.
    pub(super) fn of_quarters(quarters: &[Quarter], clock: &LocalClock) -> Self {
        let mut finder = Finder::default();
        quarters.iter().for_each(|quarter| finder.see(quarter));
        finder.close(false);
        Self::of(finder.found, clock)
    }

    /// Those of the spans that samples speak for (see [`crate::core::bucket::spans`]), in order of time: to the millisecond.
    pub fn of_spans(spans: &[Span], zone: &jiff::tz::TimeZone) -> Self {
        let mut found: Vec<Found> = Vec::new();
        let mut last: Option<&Span> = None;
        for span in spans {
            let touches = last.filter(|last| last.time.end == span.time.start);
            let was_down = touches.is_some_and(|last| last.state != State::Up);
            let (ms, is_down) = (span.time.end - span.time.start, span.state != State::Up);
            let fault_ms = if span.state == State::Fault { ms } else { 0 };
            match found.last_mut() {
                Some(outage) if is_down && was_down => {
                    outage.down_ms += ms;
                    outage.fault_ms += fault_ms;
                }
                _ if is_down => found.push(Found {
                    start_ms: span.time.start,
                    down_ms: ms,
                    fault_ms,
                    is_begun: touches.is_some(),
                    is_ended: false,
                }),
                Some(outage) if was_down => outage.is_ended = true,
                _ => {}
            }
            last = Some(span);
        }
        let time = spans.first().map_or(0, |span| span.time.start)..last.map_or(1, |span| span.time.end);
        Self::of(found, &LocalClock::new(zone, time))
    }

    fn of(found: Vec<Found>, clock: &LocalClock) -> Self {
        let outage = |found: Found| {
            let hour = (clock.place(found.start_ms).quarter / 4 % 24) as u8;
            Some(Outage {
                start: Timestamp::from_millisecond(found.start_ms).ok()?,
                length: SignedDuration::from_millis(found.down_ms),
                is_ended: found.is_ended,
                is_begun: found.is_begun,
                is_fault: found.fault_ms * 2 > found.down_ms,
                part: DayPart::of(hour),
            })
        };
        let all: Arc<[Outage]> = found.into_iter().filter_map(outage).collect();
        let lengths = std::array::from_fn(|list| {
            let of = |outage: &&Outage| list == 0 || outage.part as usize == list - 1;
            let mut lengths: Vec<_> = all.iter().filter(of).map(Length::of).collect();
            lengths.sort_unstable();
            lengths
        });
        Self { all, lengths: Arc::new(lengths) }
    }

    /// All of them, oldest first.
    pub fn all(&self) -> &[Outage] {
        &self.all
    }

    /// Outages whose end was seen.
    pub fn ended(&self) -> usize {
        self.all.iter().filter(|outage| outage.is_ended).count()
    }

    /// How much longer an outage that began in a part of the day and has lasted `so_far` usually lasts. `None` with fewer than
    /// three outages that lasted as long.
    pub fn remaining(&self, part: DayPart, so_far: SignedDuration) -> Option<Remaining> {
        let own = &self.lengths[part as usize + 1];
        let is_enough = own.len() >= ENOUGH && still_on(own, so_far).len() >= FEWEST;
        let (lengths, part) = if is_enough { (own, Some(part)) } else { (&self.lengths[0], None) };
        remaining(lengths, so_far, part)
    }

    /// How long outages of the whole day usually last.
    pub fn typical(&self) -> Option<Remaining> {
        remaining(&self.lengths[0], SignedDuration::ZERO, None)
    }

    /// The share of outages that last longer than each given time, of the whole day: the survival curve. `None` without outages.
    pub fn survival(&self, at: SignedDuration) -> Option<f64> {
        let lengths = &self.lengths[0];
        (!lengths.is_empty()).then(|| {
            let ends = product_limit(lengths);
            ends.take_while(|(ms, _)| i128::from(*ms) <= at.as_millis()).last().map_or(1.0, |(_, share)| share)
        })
    }
}

impl Length {
    fn of(outage: &Outage) -> Self {
        let ms = i64::try_from(outage.length.as_millis()).unwrap_or(i64::MAX);
        Self { ms, is_cut: !(outage.is_ended && outage.is_begun) }
    }
}

/// The outages that lasted longer than a time.
fn still_on(lengths: &[Length], so_far: SignedDuration) -> &[Length] {
    &lengths[lengths.partition_point(|length| i128::from(length.ms) <= so_far.as_millis())..]
}

fn remaining(lengths: &[Length], so_far: SignedDuration, part: Option<DayPart>) -> Option<Remaining> {
    let on = still_on(lengths, so_far);
    let within = |share: f64| {
        let (ms, _) = product_limit(on).find(|(_, left)| *left <= 1.0 - share + 1e-9)?;
        Some(SignedDuration::from_millis(ms) - so_far)
    };
    (on.len() >= FEWEST).then(|| Remaining {
        so_far,
        median: within(0.5),
        most: within(0.8),
        outages: u32::try_from(on.len()).unwrap_or(u32::MAX),
        part,
    })
}

/// The median of lengths, each with whether its end was seen; `None` when too few were seen to end.
pub fn median(lengths: Vec<(SignedDuration, bool)>) -> Option<SignedDuration> {
    let length = |(length, is_ended): (SignedDuration, bool)| Length {
        ms: i64::try_from(length.as_millis()).unwrap_or(i64::MAX),
        is_cut: !is_ended,
    };
    let mut lengths: Vec<Length> = lengths.into_iter().map(length).collect();
    lengths.sort_unstable();
    let (ms, _) = product_limit(&lengths).find(|(_, left)| *left <= 0.5 + 1e-9)?;
    Some(SignedDuration::from_millis(ms))
}

/// Kaplan and Meier's curve: each length at which outages ended, with the share that lasts longer.
fn product_limit(lengths: &[Length]) -> impl Iterator<Item = (i64, f64)> {
    let mut share = 1.0;
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(first) = lengths.get(at) {
            let same = lengths[at..].partition_point(|length| length.ms == first.ms);
            let ended = lengths[at..at + same].partition_point(|length| !length.is_cut);
            let on = lengths.len() - at;
            at += same;
            if ended > 0 {
                share *= 1.0 - ended as f64 / on as f64;
                return Some((first.ms, share));
            }
        }
        None
    })
}

#[derive(Clone, Copy, Debug)]
struct Found {
    start_ms: i64,
    down_ms: i64,
    fault_ms: i64,
    is_begun: bool,
    is_ended: bool,
}

/// Finds outages in quarter hours.
#[derive(Debug, Default)]
struct Finder {
    found: Vec<Found>,
    /// The outage that was on at the end of the last quarter hour.
    open: Option<Found>,
    /// Where the last quarter hour ended.
    last_end: Option<i64>,
    /// Whether anything was seen up in the last quarter hour.
    was_up: bool,
}

impl Finder {
    fn see(&mut self, quarter: &Quarter) {
        let Quarter { start_ms, seen } = *quarter;
        let [up, full, fault] = [seen.up_ms, seen.full_ms, seen.fault_ms].map(i64::from);
        if up + full + fault == 0 {
            return;
        }
        let follows = self.last_end == Some(start_ms);
        if !follows {
            self.close(false);
            self.was_up = false;
        }
        match &mut self.open {
            Some(open) if full + fault > 0 => {
                open.down_ms += full + fault;
                open.fault_ms += fault;
                if up > 0 {
                    self.close(true);
                }
            }
            Some(_) => self.close(true),
            None if full + fault > 0 => {
                self.open = Some(Found {
                    start_ms: start_ms + if up > 0 { (BUCKET_MS - full - fault).max(0) } else { 0 },
                    down_ms: full + fault,
                    fault_ms: fault,
                    is_begun: up > 0 || self.was_up,
                    is_ended: false,
                });
            }
            None => {}
        }
        self.was_up = up > 0;
        self.last_end = Some(start_ms + BUCKET_MS);
    }

    fn close(&mut self, is_ended: bool) {
        self.found.extend(self.open.take().map(|open| Found { is_ended, ..open }));
    }
}
