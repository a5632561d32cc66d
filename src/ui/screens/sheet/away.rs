//! What is away now: it comes before all habits, and is no answer to what to use today. Pure.

use jiff::{SignedDuration, Timestamp};

use super::plan::{self, Stretch};
use super::words::Speaker;
use crate::args;
use crate::core::board::Board;
use crate::core::outcome::Family;
use crate::core::sheet::{Sheet, WaitOrSwitch};
use crate::core::target::TargetId;
use crate::format;

/// Targets that are full or failing by evidence of now, and since when. Nothing where it is not asked for now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Away(Vec<(TargetId, Timestamp)>);

/// Today without what is away for longer.
#[derive(Clone, Debug, PartialEq)]
pub struct Without {
    /// The plan of a week of what is left of the chain.
    pub week: [Vec<Stretch>; 7],
    /// Who is left out, in words.
    pub words: String,
}

impl Away {
    /// What the Board knows to be away.
    pub fn of(board: &Board, now: Timestamp) -> Self {
        let fresh = board.entries.iter().filter(|entry| entry.is_fresh(now));
        let away = fresh.filter_map(|entry| {
            let confirmed = entry.confirmed?;
            let is_away = matches!(Family::of(confirmed.kind, confirmed.scope), Family::Full | Family::Fault);
            is_away.then(|| (entry.target.id.clone(), confirmed.since))
        });
        Self(away.collect())
    }

    fn since(&self, target: &TargetId) -> Option<Timestamp> {
        self.0.iter().find(|(away, _)| away == target).map(|(_, since)| *since)
    }

    /// For how long a target has been away, and what to do about it.
    fn what(
        &self,
        target: &TargetId,
        sheet: &Sheet,
        chain: &[TargetId],
        now: Timestamp,
    ) -> Option<(SignedDuration, WaitOrSwitch)> {
        let so_far = now.duration_since(self.since(target)?);
        Some((so_far, sheet.wait_or_switch(target, chain, so_far)))
    }

    /// What to do now about the first of the chain, when it is away.
    pub fn first(&self, sheet: &Sheet, chain: &[TargetId], speaker: &Speaker<'_>) -> Option<(WaitOrSwitch, String)> {
        let first = chain.first()?;
        let (so_far, what) = self.what(first, sheet, chain, speaker.now)?;
        let words = speaker.wait_or_switch(first, so_far, &what);
        Some((what, words))
    }

    /// Today without what is away for longer, however free it usually is at this hour; `None` where nothing is left out, or
    /// nothing would be left.
    pub fn today(&self, sheet: &Sheet, chain: &[TargetId], speaker: &Speaker<'_>) -> Option<Without> {
        let is_at_hand = |target: &TargetId| {
            let what = self.what(target, sheet, chain, speaker.now);
            what.is_none_or(|(_, what)| matches!(what, WaitOrSwitch::Wait { .. }))
        };
        let (at_hand, away): (Vec<_>, Vec<_>) = chain.iter().cloned().partition(is_at_hand);
        let words = || {
            let models = format::list(away.iter().map(speaker.name), speaker.tr);
            speaker.tr.with("sheet-today-without", &args!("models" => models))
        };
        let is_part = !at_hand.is_empty() && !away.is_empty();
        is_part.then(|| Without { week: plan::week(sheet, &at_hand), words: words() })
    }
}
