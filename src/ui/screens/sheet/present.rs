//! What to use at this moment, as a headline. Pure.

use super::plan::{Promise, Stretch};
use super::words::{Speaker, percent};
use crate::args;
use crate::core::sheet::{Habit, Slot, WaitOrSwitch};
use crate::core::target::TargetId;
use crate::ui::screens::heatmap::model::Source;

/// What to use now, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// The name of what to use, or what to do instead.
    pub headline: String,
    /// Until when, or why, in a sentence.
    pub words: String,
    /// What it promises.
    pub promise: Promise,
}

impl Present {
    /// When the first of the chain is away: to wait for it, or what to use meanwhile; `words` are the sentence about it.
    pub fn away(what: &WaitOrSwitch, words: String, speaker: &Speaker<'_>) -> Self {
        let headline = match what {
            WaitOrSwitch::Wait { remaining } => match remaining.median {
                Some(more) => speaker.tr.with("sheet-now-wait-for", &args!("more" => speaker.span(more))),
                None => speaker.tr.text("sheet-now-wait"),
            },
            WaitOrSwitch::Switch { to: Some(to), .. } | WaitOrSwitch::Unknown { to: Some(to), .. } => {
                (speaker.name)(to)
            }
            WaitOrSwitch::Switch { to: None, .. } | WaitOrSwitch::Unknown { to: None, .. } => {
                speaker.tr.text("sheet-now-wait")
            }
        };
        Self { headline, words: together(&words), promise: Promise::Usual }
    }

    /// From the plan of what is left of today, unless a better one of the chain is free now.
    pub fn of_plan(rest: &[Stretch], chain: &[TargetId], source: &Source<'_>, speaker: &Speaker<'_>) -> Option<Self> {
        let (tr, stretch) = (speaker.tr, rest.first());
        let own = |target: &TargetId| source.sheet.and_then(|sheet| sheet.get(target));
        let is_free =
            |target: &&TargetId| source.snapshot.board.entry(target).is_some_and(|entry| entry.is_free(source.now));
        // What is free by evidence of now is better than what the plan takes later in the chain, and than its guess.
        let of_plan = |stretch: &Stretch| {
            let place = chain.iter().position(|target| *target == stretch.target)?;
            Some(place + usize::from(stretch.promise >= Promise::Guess))
        };
        let planned = stretch.and_then(of_plan).unwrap_or(chain.len());
        if let Some(better) = chain[..planned].iter().find(is_free) {
            let quarter = Slot::quarter_at(source.now, source.zone);
            let is_said = own(better).is_some_and(|own| {
                own.habits[quarter] == Habit::Busy || !own.levels.is_usual() && !own.is_early(source.now)
            });
            let words = tr.text(if is_said { "sheet-now-free" } else { "sheet-now-free-unsaid" });
            return Some(Self { headline: (speaker.name)(better), words, promise: Promise::Usual });
        }
        let stretch = stretch?;
        let own = own(&stretch.target);
        let open = own.and_then(|own| own.open_window(source.now, source.zone));
        let words = match (stretch.promise, speaker.promise(stretch.promise)) {
            (Promise::Few, _) => tr.text("sheet-now-few"),
            (_, Some(note)) => note,
            // Until when the target is usually free, which the plan may leave before for a better one.
            (_, None) => match open {
                Some(window) => speaker.free_until(&window),
                None => tr.with("sheet-now-share", &args!("percent" => percent(stretch.share))),
            },
        };
        Some(Self { headline: (speaker.name)(&stretch.target), words, promise: stretch.promise })
    }
}

/// The same words with every number and its unit on one line.
fn together(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut signs = words.chars().peekable();
    let mut last = ' ';
    while let Some(sign) = signs.next() {
        let is_unit = signs.peek().is_some_and(|next| next.is_lowercase() || *next == '%');
        out.push(if sign == ' ' && last.is_ascii_digit() && is_unit { '\u{a0}' } else { sign });
        last = sign;
    }
    out
}
