//! The usual week of a target in quarter hours: when it is usually free, when it is usually busy, and when neither is said.
//!
//! This is the one division that everything is read from which says since when or until when a target is usually free or busy:
//! windows, busy times, the plan, the notes beside a day, notices and rules. So no two places can name different ends.
//!
//! - A quarter hour is *low* below the middle of what is quiet and what is busy for the target ([`Levels`]).
//! - Low quarter hours in a row that were watched are a busy time, when there are enough of them and one is surely busy. What
//!   is low but not surely so (too few looks, or never watched) ends what is usually free, and is not called busy.
//! - What else there is, is free: a dip that reaches no busy time, or lasts less than an hour, is none.
//! - Days differ by chance more than by habit: busy times that begin and end within half an hour of each other on several days
//!   are one habit, and have its middle ends on all of them.

use super::slots::{Cell, QUARTERS, SLOTS, Slot, Slots};
use super::windows::{Levels, SHORTEST};

/// What is usual in a quarter hour of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Habit {
    /// Usually free.
    Free,
    /// Usually busy.
    Busy,
    /// Too little is known, or too little differs, for either.
    Unsaid,
}

/// A quarter of a day, and its quarter hours.
const DAY: usize = 96;
/// Busy times of different days are one habit when both their ends are so near, in quarter hours.
const NEAR: usize = 2;

/// Unwatched hours between watched ones are a guess of their own from here on, in quarter hours.
pub const HOLE: usize = 12;

/// The quarter hours of a week in which nobody ever watched, nor for long around them: what is told of them is a guess.
pub(super) fn holes(slots: &Slots) -> Vec<bool> {
    let is_seen = |at: usize| slots.get(Slot::from_index(at / 4)).weeks > 0;
    let mut holes = vec![false; QUARTERS];
    for (begin, length) in runs(is_seen).into_iter().filter(|(begin, length)| !is_seen(*begin) && *length >= HOLE) {
        (begin..begin + length).for_each(|at| holes[at % QUARTERS] = true);
    }
    holes
}

/// The share of a quarter hour of the week, and its hour.
pub(super) fn quarter(slots: &Slots, quarter: usize) -> (f64, &Cell) {
    let slot = Slot::from_index(quarter / 4);
    (slots.quarter(slot, quarter % 4), slots.get(slot))
}

/// The habits of a week, [`QUARTERS`] of them.
pub(super) fn habits(slots: &Slots, levels: Levels) -> Vec<Habit> {
    // As it is told, in whole percent: hours that read alike are one habit.
    let quarter = |at: usize| {
        let (share, cell) = quarter(slots, at);
        ((share * 100.0).round() / 100.0, cell)
    };
    let is_seen = |slot: usize| slots.get(Slot::from_index(slot)).weeks > 0;
    // A habit is what was seen: an hour that nobody watched only counts between two that were.
    let is_known = |slot: usize| is_seen(slot) || is_seen(slot + SLOTS - 1) && is_seen(slot + 1);
    let is_surely_busy = |at: usize| {
        let (share, cell) = quarter(at);
        share < levels.busy && cell.high < levels.good.midpoint(1.0)
    };
    // Low and watched, low and never watched, or neither.
    let kind = |at: usize| (quarter(at).0 < levels.middle()).then(|| is_known(at / 4));
    let mut habits = vec![Habit::Free; QUARTERS];
    for (begin, length) in runs(kind) {
        let all = || (begin..begin + length).map(|at| at % QUARTERS);
        let habit = match kind(begin) {
            None => continue,
            Some(_) if length < SHORTEST => continue,
            Some(true) if all().any(is_surely_busy) => Habit::Busy,
            // In the band between busy and quiet nothing changes.
            _ if all().all(|at| quarter(at).0 >= levels.busy) => continue,
            Some(_) => Habit::Unsaid,
        };
        all().for_each(|at| habits[at] = habit);
    }
    settle(&mut habits);
    join_days(&mut habits);
    settle(&mut habits);
    habits
}

/// The stretches of a habit as (begin, length), by their begin; one over the end of the week is one.
pub(super) fn stretches(habits: &[Habit], habit: Habit) -> impl Iterator<Item = (usize, usize)> {
    let found = runs(|at| habits[at] == habit);
    found.into_iter().filter(move |(begin, _)| habits[*begin] == habit)
}

/// Quarter hours of the week in a row that are alike, as (begin, length); one over the end of the week is one.
fn runs<Kind: PartialEq>(kind: impl Fn(usize) -> Kind) -> Vec<(usize, usize)> {
    let is_change = |at: usize| kind(at) != kind((at + QUARTERS - 1) % QUARTERS);
    let changes: Vec<usize> = (0..QUARTERS).filter(|at| is_change(*at)).collect();
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return vec![(0, QUARTERS)] };
    let mut runs: Vec<_> = changes.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect();
    runs.push((*last, QUARTERS - last + first));
    runs
}

/// A free time that is too short to be told belongs to the busy times around it.
fn settle(habits: &mut [Habit]) {
    let short: Vec<_> = stretches(habits, Habit::Free).filter(|(_, length)| *length < SHORTEST).collect();
    for (begin, length) in short {
        let (before, after) = (habits[(begin + QUARTERS - 1) % QUARTERS], habits[(begin + length) % QUARTERS]);
        let habit = if before == after { before } else { Habit::Unsaid };
        (begin..begin + length).for_each(|at| habits[at % QUARTERS] = habit);
    }
}

/// Gives busy times of several days that are nearly the same the same ends: the middle ones.
fn join_days(habits: &mut [Habit]) {
    let mut left: Vec<(usize, usize)> = stretches(habits, Habit::Busy).filter(|(_, length)| *length < DAY).collect();
    while let Some((begin, length)) = left.first().copied() {
        // How far one begins from the first on the clock of the day, and how far it ends from it.
        let off = |other: &(usize, usize)| {
            let start = (other.0 + DAY / 2 + QUARTERS - begin) % DAY;
            let start = start as i64 - (DAY / 2) as i64;
            (start, start + other.1 as i64 - length as i64)
        };
        let is_near = |other: &(usize, usize)| {
            let (start, end) = off(other);
            start.unsigned_abs() <= NEAR as u64 && end.unsigned_abs() <= NEAR as u64
        };
        let (near, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(is_near);
        left = rest;
        let middle = |mut all: Vec<i64>| {
            all.sort_unstable();
            all[all.len() / 2]
        };
        let start = middle(near.iter().map(|one| off(one).0).collect());
        let end = middle(near.iter().map(|one| off(one).1).collect());
        for one in &near {
            (one.0..one.0 + one.1).for_each(|at| habits[at % QUARTERS] = Habit::Free);
        }
        for one in &near {
            let (own, _) = off(one);
            let from = (one.0 + QUARTERS).saturating_add_signed((start - own) as isize);
            let long = length.saturating_add_signed((end - start) as isize);
            (from..from + long).for_each(|at| habits[at % QUARTERS] = Habit::Busy);
        }
    }
}
