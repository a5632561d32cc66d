//! The week's plan: which target of the chain to use in each quarter hour of the week. Pure.
//!
//! The first of the chain that is usually free is taken, by the habits that every other place speaks by
//! ([`crate::core::sheet::TargetSheet::is_usually_free`]), so that a stretch ends where the target's quiet window does or a
//! better one's begins. Where none is usually free, the likeliest is named as such. What a stretch promises is said with it:
//! hours that nobody ever watched are a guess, however free the hours around them are. Of a target that it is too early to
//! speak of nothing is planned.

use std::cmp::Reverse;
use std::ops::Range;

use crate::core::sheet::{Evidence, HOLE, QUARTERS, Sheet, Slot};
use crate::core::target::TargetId;

/// Shorter stretches of what is not usually free belong to the one before them, if that is not usually free either; in quarter
/// hours.
const SHORTEST: usize = 4;
/// Quarter hours of a day.
const DAY: usize = 96;
/// When people work who have long work, in minutes of the local day.
const WORK: Range<u16> = 480..1200;

/// The hours that long work is looked for in from a minute of a day on: the working day, after it the rest of the day.
fn hours(from: u16) -> Range<u16> {
    if is_after_work(from) { from..1440 } else { WORK.start.max(from)..WORK.end }
}

/// Whether a minute of a day leaves less than two hours of the working day.
pub const fn is_after_work(from: u16) -> bool {
    from + 120 > WORK.end
}

/// Whether a minute of a day leaves less than an hour of it.
pub const fn is_over(from: u16) -> bool {
    from + 60 > 1440
}

/// Whether a stretch that was looked for in the working day goes on after it.
pub const fn goes_on_after_work(stretch: &Stretch) -> bool {
    stretch.to > WORK.end && stretch.from > 0
}

/// How much a stretch of the plan promises, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// Usually free.
    Usual,
    /// Free so far, from too few samples to speak of a habit.
    Few,
    /// Never watched: what the hours and days around it suggest.
    Guess,
    /// None of the chain is usually free; this one is the likeliest.
    Likeliest,
}

impl Promise {
    /// The end of its message's id; nothing needs to be said of [`Promise::Usual`].
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Usual => None,
            Self::Few => Some("few"),
            Self::Guess => Some("guess"),
            Self::Likeliest => Some("likeliest"),
        }
    }
}

/// A stretch of a day in which one target is the one to use.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// When it begins, in minutes of the local day, 0 to 1425.
    pub from: u16,
    /// When it ends, in minutes of the local day, 15 to 1440.
    pub to: u16,
    /// Which target to use.
    pub target: TargetId,
    /// What it promises.
    pub promise: Promise,
    /// The mean share of its time.
    pub share: f64,
    /// The most weeks that one of its hours was seen in.
    pub weeks: u32,
    /// Counted samples of its hours together.
    pub samples: u32,
}

/// What is taken for a quarter hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pick {
    /// The place in the chain.
    place: usize,
    /// Whether it is usually free.
    is_good: bool,
    /// Whether it was ever watched then, small holes aside.
    is_watched: bool,
}

/// The plan of a week by weekday, Monday first. Empty days when no target of the chain has been seen for long enough.
pub fn week(sheet: &Sheet, chain: &[TargetId]) -> [Vec<Stretch>; 7] {
    let is_known = |target: &&TargetId| sheet.get(target).is_some_and(|own| !own.is_early(sheet.now));
    let chain: Vec<TargetId> = chain.iter().filter(is_known).cloned().collect();
    if chain.is_empty() {
        return Default::default();
    }
    let mut picks: Vec<Pick> = (0..QUARTERS).map(|at| pick(sheet, &chain, at)).collect();
    smooth(&mut picks);
    // Among guesses there are no better and worse ones.
    picks.iter_mut().filter(|pick| !pick.is_watched).for_each(|pick| pick.is_good = false);
    std::array::from_fn(|day| stretches(sheet, &chain, &picks[day * DAY..][..DAY], day))
}

/// The stretch of a day that suits long work best from a minute of it on, with what is left of it then: the longest part of the
/// working day (08:00 to 20:00; after that of the day) with one target, of what promises most; of parts of one length the freest.
/// Less than two hours are taken only where there is nothing longer, less than one not at all.
pub fn longest(day: &[Stretch], from: u16) -> Option<Stretch> {
    let hours = hours(from);
    let length = |stretch: &Stretch| stretch.to.min(hours.end).saturating_sub(stretch.from.max(hours.start));
    let best = day.iter().filter(|stretch| length(stretch) >= 60);
    let rank = |stretch: &&Stretch| {
        let percent = (stretch.share * 100.0).round() as u32;
        (length(stretch) < 120, stretch.promise, Reverse(length(stretch)), Reverse(percent), stretch.from)
    };
    let best = best.min_by_key(rank)?;
    let is_whole = (best.from, best.to) == (0, 1440) && from == 0;
    Some(Stretch { from: if is_whole { 0 } else { best.from.max(hours.start) }, ..best.clone() })
}

/// What is left of a day from a minute of it on.
pub fn rest(day: &[Stretch], from: u16) -> Vec<Stretch> {
    let left = day.iter().filter(|stretch| stretch.to > from);
    left.map(|stretch| Stretch { from: stretch.from.max(from), ..stretch.clone() }).collect()
}

/// Whether what is left of a day says no more than its stretch for long work.
pub fn is_said(rest: &[Stretch], longest: Option<&Stretch>) -> bool {
    let ([one], Some(longest)) = (rest, longest) else { return false };
    (one.from, one.to) == (longest.from, longest.to) || one.promise == Promise::Guess
}

fn pick(sheet: &Sheet, chain: &[TargetId], at: usize) -> Pick {
    let own = |target: &TargetId| sheet.get(target);
    let choice = sheet.choice(chain, at).map(|choice| choice.target);
    let place = choice.and_then(|choice| chain.iter().position(|target| *target == choice)).unwrap_or(0);
    let is_good = own(&chain[place]).is_some_and(|own| own.is_usually_free(at));
    let is_watched = own(&chain[place]).is_some_and(|own| own.slots.get(Slot::from_index(at / 4)).weeks > 0);
    Pick { place, is_good, is_watched }
}

fn share(sheet: &Sheet, target: &TargetId, at: usize) -> f64 {
    sheet.get(target).map_or(0.0, |sheet| sheet.slots.quarter(Slot::from_index(at / 4), at % 4))
}

fn smooth(picks: &mut [Pick]) {
    let mut holes = 0;
    for at in 0..=picks.len() {
        if picks.get(at).is_some_and(|pick| !pick.is_watched) {
            holes += 1;
            continue;
        }
        if holes < HOLE && holes < at {
            picks[at - holes..at].iter_mut().for_each(|pick| pick.is_watched = true);
        }
        holes = 0;
    }
    let mut start = 0;
    while start < picks.len() {
        let same = picks[start..].iter().take_while(|pick| **pick == picks[start]).count();
        if let Some(before) = start.checked_sub(1).map(|before| picks[before])
            && same < SHORTEST
            && !before.is_good
            && !picks[start].is_good
        {
            picks[start..start + same].fill(before);
        }
        start += same;
    }
}

fn stretches(sheet: &Sheet, chain: &[TargetId], picks: &[Pick], day: usize) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let mut start = 0;
    while start < DAY {
        let same = picks[start..].iter().take_while(|pick| **pick == picks[start]).count();
        let Pick { place, is_good, is_watched } = picks[start];
        let target = &chain[place];
        let quarters = || (start..start + same).map(|quarter| day * DAY + quarter);
        let own = sheet.get(target);
        // An hour that is only partly in the stretch counts once.
        let hours = || (start / 4..(start + same).div_ceil(4)).map(|hour| Slot::from_index(day * 24 + hour));
        let cells = || hours().filter_map(|slot| Some(own?.slots.get(slot)));
        let known = cells().filter(|cell| cell.evidence == Evidence::Known).count();
        let promise = match (is_watched, is_good) {
            (false, _) => Promise::Guess,
            (true, false) => Promise::Likeliest,
            (true, true) if known * 2 >= cells().count() => Promise::Usual,
            (true, true) => Promise::Few,
        };
        out.push(Stretch {
            from: (start * 15) as u16,
            to: ((start + same) * 15) as u16,
            target: target.clone(),
            promise,
            share: quarters().map(|at| share(sheet, target, at)).sum::<f64>() / same as f64,
            weeks: cells().map(|cell| cell.weeks).max().unwrap_or(0),
            samples: cells().map(|cell| cell.seen.samples).sum(),
        });
        start += same;
    }
    out
}
