//! The week's plan: which target of the chain to use in each quarter hour of the week. Pure.
//!
//! The first of the chain that is usually free is taken ([`GOOD_SHARE`]), and kept until it is usually busy ([`BUSY_SHARE`]), so that a
//! share that trembles at one line does not make ten switches. Where none is usually free, the likeliest is named as such.

use crate::core::sheet::{BUSY_SHARE, Evidence, GOOD_SHARE, QUARTERS, Sheet, Slot};
use crate::core::target::TargetId;

/// A target that is in use stays so down to here.
const KEPT_SHARE: f64 = BUSY_SHARE;
/// Shorter stretches belong to the one before them, in quarter hours.
const SHORTEST: usize = 4;
/// Quarter hours of a day.
const DAY: usize = 96;

/// A stretch of a day in which one target is the one to use.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// When it begins, in minutes of the local day, 0 to 1425.
    pub from: u16,
    /// When it ends, in minutes of the local day, 15 to 1440.
    pub to: u16,
    /// Which target to use.
    pub target: TargetId,
    /// The mean share of its time.
    pub share: f64,
    /// Whether it is usually free; otherwise it is only the likeliest of all.
    pub is_good: bool,
    /// The weakest evidence of its hours.
    pub evidence: Evidence,
}

/// The plan of a week by weekday, Monday first. Empty days when no target of the chain has ever been seen.
pub fn week(sheet: &Sheet, chain: &[TargetId]) -> [Vec<Stretch>; 7] {
    let is_seen = |target: &&TargetId| sheet.get(target).is_some_and(|sheet| sheet.seen.is_some());
    let chain: Vec<TargetId> = chain.iter().filter(is_seen).cloned().collect();
    if chain.is_empty() {
        return Default::default();
    }
    let mut picks: Vec<(usize, bool)> = Vec::with_capacity(QUARTERS);
    // The end of the week goes on into its beginning.
    let mut last = pick(sheet, &chain, QUARTERS - 1, None);
    for at in 0..QUARTERS {
        last = pick(sheet, &chain, at, last.1.then_some(last.0));
        picks.push(last);
    }
    smooth(&mut picks);
    std::array::from_fn(|day| stretches(sheet, &chain, &picks[day * DAY..][..DAY], day))
}

/// The place in the chain of the target to use in a quarter hour, and whether it is usually free.
fn pick(sheet: &Sheet, chain: &[TargetId], at: usize, last: Option<usize>) -> (usize, bool) {
    let share = |target: &TargetId| share(sheet, target, at);
    let is_good = |(place, target): &(usize, &TargetId)| {
        share(target) >= if last == Some(*place) { KEPT_SHARE } else { GOOD_SHARE }
    };
    if let Some((place, _)) = chain.iter().enumerate().find(is_good) {
        return (place, true);
    }
    let best = sheet.best_three(chain, Slot::from_index(at / 4)).into_iter().next();
    let place = best.and_then(|best| chain.iter().position(|target| *target == best.target));
    (place.unwrap_or(0), false)
}

fn share(sheet: &Sheet, target: &TargetId, at: usize) -> f64 {
    sheet.get(target).map_or(0.0, |sheet| sheet.slots.quarter(Slot::from_index(at / 4), at % 4))
}

fn smooth(picks: &mut [(usize, bool)]) {
    let mut start = 0;
    while start < picks.len() {
        let same = picks[start..].iter().take_while(|pick| **pick == picks[start]).count();
        if same < SHORTEST && start > 0 {
            let before = picks[start - 1];
            picks[start..start + same].fill(before);
        }
        start += same;
    }
}

fn stretches(sheet: &Sheet, chain: &[TargetId], picks: &[(usize, bool)], day: usize) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let mut start = 0;
    while start < DAY {
        let same = picks[start..].iter().take_while(|pick| **pick == picks[start]).count();
        let (place, is_good) = picks[start];
        let target = &chain[place];
        let quarters = || (start..start + same).map(|quarter| day * DAY + quarter);
        let evidence = |at: usize| sheet.get(target).map(|sheet| sheet.slots.get(Slot::from_index(at / 4)).evidence);
        out.push(Stretch {
            from: (start * 15) as u16,
            to: ((start + same) * 15) as u16,
            target: target.clone(),
            share: quarters().map(|at| share(sheet, target, at)).sum::<f64>() / same as f64,
            is_good,
            evidence: quarters().filter_map(evidence).min().unwrap_or(Evidence::Empty),
        });
        start += same;
    }
    out
}
