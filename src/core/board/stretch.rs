//! Where the present stretch of a confirmed state began, when the samples at hand are all of it: asked of the past,
//! page by page.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Board, Change, Confirmed, Detail, Entry};
use crate::core::sample::Sample;
use crate::core::schedule::Thresholds;
use crate::core::target::Target;

/// How many of the newer samples are shown again with an older page, so that its end is read as it was lived: more than
/// a board remembers, as gaps and blips take part of it.
const JOINT: usize = 4 * Entry::RECENT;

/// A search for the beginning of a stretch; see the module. What it finds is what a board would say that had seen all
/// samples from the beginning on.
#[derive(Clone, Debug)]
pub struct Stretch {
    target: Arc<Target>,
    thresholds: Thresholds,
    seen: Confirmed,
    since: Timestamp,
    /// The oldest samples of what was shown, at most [`JOINT`].
    joint: Vec<Sample>,
}

impl Stretch {
    /// Begins with the newest samples of a target, oldest first. `None` when they tell all: there is no state, or its
    /// beginning is among them.
    pub fn begin(target: &Arc<Target>, newest: &[Sample], thresholds: Thresholds) -> Option<Self> {
        let (seen, is_decided) = play(target, newest.iter(), &thresholds)?;
        let joint = newest.iter().take(JOINT).cloned().collect();
        let target = Arc::clone(target);
        (!is_decided).then_some(Self { target, thresholds, seen, since: seen.since, joint })
    }

    /// Takes in the samples before those that were shown, oldest first. Answers whether older ones may say more.
    pub fn older(&mut self, page: &[Sample]) -> bool {
        let found = play(&self.target, page.iter().chain(&self.joint), &self.thresholds);
        self.joint = page.iter().chain(&self.joint).take(JOINT).cloned().collect();
        let Some((state, is_decided)) = found else { return true };
        // Another state at the end of the page: the newer samples began the stretch.
        if state.kind != self.seen.kind {
            return false;
        }
        self.since = state.since;
        !is_decided
    }

    /// The oldest moment that is to be asked about next: samples before it were not shown yet.
    pub fn oldest(&self) -> Option<Timestamp> {
        self.joint.first().map(|sample| sample.at)
    }

    /// The state as the newest samples alone tell it, and since when it lasts as far as was looked.
    pub const fn found(&self) -> (Confirmed, Timestamp) {
        (self.seen, self.since)
    }
}

/// The state after these samples, and whether its beginning is among them: it followed another state or a silence.
fn play<'a>(
    target: &Arc<Target>,
    samples: impl Iterator<Item = &'a Sample>,
    thresholds: &Thresholds,
) -> Option<(Confirmed, bool)> {
    let mut board = Board::new([Arc::clone(target)]);
    let mut is_decided = false;
    for (index, sample) in samples.enumerate() {
        for change in board.apply(sample, Detail::of_record(sample.kind, sample.scope), thresholds) {
            if let Change::Confirmed { transition, .. } = change {
                // A board that begins in the middle reads its first dozen in a way of its own.
                let is_known = index >= Entry::RECENT;
                is_decided = is_known && (transition.from.is_some() || transition.is_after_gap);
            }
        }
    }
    Some((board.entries.first()?.confirmed?, is_decided))
}
