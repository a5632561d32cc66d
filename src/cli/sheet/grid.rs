//! A target's week as a grid, for every form that shows one. What a cell says does not need colour: `85` is known, `85?`
//! stands on few samples, a dot was never watched.

use crate::args;
use crate::core::sheet::{Cell, Evidence, LatencyCell, Slot, TargetSheet};
use crate::i18n::Tr;
pub(super) use crate::ui::screens::sheet::words::{percent, weekday};

/// What stands in a cell.
pub(super) fn mark(cell: &Cell) -> String {
    let percent = percent(cell.share);
    match cell.evidence {
        Evidence::Known => percent.to_string(),
        Evidence::Thin => format!("{percent}?"),
        Evidence::Empty => "·".to_owned(),
    }
}

/// The cell of a weekday (1 to 7) and an hour (0 to 23).
pub(super) fn cell(sheet: &TargetSheet, day: u8, hour: u8) -> &Cell {
    sheet.slots.get(Slot::from_index(usize::from(day.max(1) - 1) * 24 + usize::from(hour)))
}

/// A cell in words, for who points at it or hears it.
pub(super) fn words(sheet: &TargetSheet, day: u8, hour: u8, tr: &Tr) -> String {
    let cell = cell(sheet, day, hour);
    let when = format!("{} {hour:02}:00", weekday(day, tr));
    let args = args!(
        "when" => when,
        "percent" => percent(cell.share),
        "low" => percent(cell.low),
        "high" => percent(cell.high),
        "weeks" => cell.weeks,
        "samples" => cell.seen.samples,
    );
    tr.with(if cell.evidence == Evidence::Empty { "handout-cell-empty" } else { "handout-cell" }, &args)
}

/// Median and ninth decile of the time to the first token, in seconds, as in a table.
pub(super) fn seconds(cell: &LatencyCell) -> [String; 2] {
    [cell.median_ms, cell.p90_ms].map(|ms| {
        let seconds = ms / 1000.0;
        if seconds < 9.95 { format!("{seconds:.1}") } else { format!("{seconds:.0}") }
    })
}

/// Whether a target has ever been seen.
pub(super) const fn is_seen(sheet: &TargetSheet) -> bool {
    sheet.seen.is_some()
}
