//! Which part of the record is in view, and what is asked of the record for it. Pure.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::tz::TimeZone;

use crate::core::bucket::{BUCKET_MS, DAY_MS};
use crate::core::history::{Query, step_for};
use crate::core::outcome::Family;
use crate::core::sample::Source;
use crate::core::target::TargetId;
use crate::ui::screens::history::axis;

/// The narrowest view, in milliseconds.
pub const LEAST_SPAN: i64 = 5 * 60_000;

/// A row of the table is at most this part of the view.
const ROWS: u32 = 48;

/// A button for a usual width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// 24 hours.
    Day,
    /// 7 days.
    Week,
    /// 30 days.
    Month,
    /// 365 days.
    Year,
    /// Everything that was ever recorded.
    All,
}

impl Preset {
    /// Every one, in the order of the buttons.
    pub const ALL: [Self; 5] = [Self::Day, Self::Week, Self::Month, Self::Year, Self::All];

    /// The end of its message's id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
            Self::All => "all",
        }
    }

    fn span(self, extent: Option<&Range<i64>>, now: i64) -> i64 {
        match self {
            Self::Day => DAY_MS,
            Self::Week => 7 * DAY_MS,
            Self::Month => 30 * DAY_MS,
            Self::Year => 365 * DAY_MS,
            // Before anything is known, what most will have.
            Self::All => extent.map_or(30 * DAY_MS, |extent| (now - extent.start).max(LEAST_SPAN)),
        }
    }
}

/// What a button, a key or the pointer does to the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Show a usual width, up to now.
    Preset(Preset),
    /// Move by a part of the view: 1 is a whole view into the future.
    Pan(f64),
    /// Make the view so many times as wide; the second number is the place that stays, 0 at the left edge, 1 at the right.
    Zoom(f64, f64),
    /// To the first sample.
    Oldest,
    /// To now, and stay there.
    Newest,
    /// Show exactly this, in milliseconds of Unix time.
    Show(Range<i64>),
    /// Show an outage with some time around it, and the latency of its target.
    Outage(TargetId, Range<i64>),
    /// Show the latency of this target.
    Focus(TargetId),
    /// Hide or show a target.
    Target(TargetId),
    /// Show all targets.
    AllTargets,
    /// Hide or show a family.
    Family(Family),
    /// Only samples of this source, or all.
    Source(Option<Source>),
    /// Table or picture.
    Table,
    /// Write what is shown to a file.
    Export(Form),
    /// End the export under way.
    StopExport,
}

/// What is written of what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The samples, comma-separated.
    Csv,
    /// The samples as one JSON array.
    Json,
    /// The samples, one JSON object a line.
    Jsonl,
    /// The picture.
    Png,
}

impl Form {
    /// Every one, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Json, Self::Jsonl, Self::Png];

    /// The end of its message's id, and of the file's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Png => "png",
        }
    }
}

/// What the screen remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The button that gave the width; `None` is a width of the user's own.
    pub preset: Option<Preset>,
    span: i64,
    /// The view's right edge; `None` goes with the time.
    end: Option<i64>,
    /// Whose latency is shown; otherwise the first target's.
    pub focus: Option<TargetId>,
    /// Targets that are not shown.
    pub hidden: BTreeSet<TargetId>,
    /// Families that are not shown.
    pub hidden_families: BTreeSet<Family>,
    /// Only samples of this source.
    pub source: Option<Source>,
    /// The table in the place of the picture.
    pub is_table: bool,
    /// Pixels across the picture, as last drawn.
    pub pixels: u32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            preset: Some(Preset::Week),
            span: 7 * DAY_MS,
            end: None,
            focus: None,
            hidden: BTreeSet::new(),
            hidden_families: BTreeSet::new(),
            source: None,
            is_table: false,
            pixels: 800,
        }
    }
}

impl State {
    /// What is in view, in milliseconds of Unix time. `extent` is what the record has.
    pub fn view(&self, extent: Option<&Range<i64>>, now: i64) -> Range<i64> {
        let span = self.preset.map_or(self.span, |preset| preset.span(extent, now));
        let end = self.end.unwrap_or(now);
        end - span..end
    }

    /// The same with the usual view: what the shapes and words are made from.
    #[must_use]
    pub fn without_view(&self) -> Self {
        let usual = Self::default();
        Self { preset: usual.preset, span: usual.span, end: usual.end, pixels: usual.pixels, ..self.clone() }
    }

    /// Whether the view goes with the time.
    pub const fn is_live(&self) -> bool {
        self.end.is_none()
    }

    /// Carries out what concerns the view; `false` for the rest.
    pub fn act(&mut self, act: &Act, extent: Option<&Range<i64>>, now: i64) -> bool {
        let view = self.view(extent, now);
        let span = view.end - view.start;
        match act {
            Act::Preset(preset) => (self.preset, self.end) = (Some(*preset), None),
            Act::Pan(part) => {
                let by = (span as f64 * part) as i64;
                self.set(view.start + by..view.end + by, extent, now);
            }
            Act::Zoom(factor, place) => {
                let widest = extent.map_or(365 * DAY_MS, |extent| (now - extent.start) * 11 / 10).max(DAY_MS);
                let wanted = ((span as f64 * factor) as i64).clamp(LEAST_SPAN, widest.max(span.min(widest * 2)));
                let kept = view.start as f64 + span as f64 * place;
                // A live view stays at its end: it is the present that one wants to see from nearer.
                let start =
                    if self.is_live() && *place >= 0.5 { now - wanted } else { (kept - wanted as f64 * place) as i64 };
                self.preset = None;
                self.set(start..start + wanted, extent, now);
            }
            Act::Oldest => {
                let start = extent.map_or(view.start, |extent| extent.start);
                self.set(start..start + span, extent, now);
            }
            Act::Newest => self.end = None,
            Act::Show(range) => {
                self.preset = None;
                self.set(range.clone(), extent, now);
            }
            Act::Outage(target, time) => {
                let around = ((time.end - time.start) * 2).max(30 * 60_000);
                self.preset = None;
                self.focus = Some(target.clone());
                self.set(time.start - around..time.end + around, extent, now);
            }
            Act::Focus(target) => self.focus = Some(target.clone()),
            Act::Target(target) => toggle(&mut self.hidden, target),
            Act::AllTargets => self.hidden.clear(),
            Act::Family(family) => toggle(&mut self.hidden_families, family),
            Act::Source(source) => self.source = *source,
            Act::Table => self.is_table = !self.is_table,
            Act::Export(_) | Act::StopExport => return false,
        }
        true
    }

    /// Shows a range, not beyond now and not wholly before the record.
    fn set(&mut self, range: Range<i64>, extent: Option<&Range<i64>>, now: i64) {
        let span = (range.end - range.start).max(LEAST_SPAN);
        let first = extent.map_or(now - span, |extent| extent.start.min(now)) + span / 2;
        let end = range.end.max(first);
        self.span = span;
        // A preset's width stays the preset's while the view moves.
        self.end = (end < now).then_some(end);
    }

    /// What to ask of the record. More than is in view, in whole views, so that a small pan asks nothing new; `zone` cuts
    /// the table's rows.
    pub fn query(&self, shown: Vec<TargetId>, extent: Option<&Range<i64>>, now: i64, zone: &TimeZone) -> Query {
        let view = self.view(extent, now);
        let span = view.end - view.start;
        let step = step_for(span, self.pixels);
        let tile = (span / step.max(1) / 2).max(1) * step;
        let start = (view.start - span / 2).div_euclid(tile) * tile;
        let end = ((view.end + span / 2).div_euclid(tile) + 1) * tile;
        let unit = step.max(BUCKET_MS);
        // A few pixels more: an answer serves while the view moves by less.
        let near = 4 * step;
        let seen = view.start.div_euclid(near) * near..(view.end.div_euclid(near) + 1) * near;
        Query {
            range: start.div_euclid(unit) * unit..(end.min(now).max(seen.end).div_euclid(unit) + 1) * unit,
            step,
            seen,
            rows: if self.is_table { axis::rows(&view, zone, ROWS) } else { Vec::new() },
            targets: shown,
            focus: self.focus.clone().filter(|target| !self.hidden.contains(target)),
            source: self.source,
            now,
        }
    }
}

fn toggle<T: Ord + Clone>(set: &mut BTreeSet<T>, item: &T) {
    if !set.remove(item) {
        set.insert(item.clone());
    }
}

/// The moment up to which the record is asked: the end of the minute of `now`, in milliseconds.
pub fn asked_at(now: jiff::Timestamp) -> i64 {
    (now.as_millisecond().div_euclid(60_000) + 1) * 60_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;
    const YEAR: Range<i64> = NOW - 365 * DAY_MS..NOW;

    #[test]
    fn a_view_goes_with_the_time_until_it_is_moved() {
        let mut state = State::default();
        assert_eq!(state.view(None, NOW), NOW - 7 * DAY_MS..NOW);
        assert_eq!(state.view(None, NOW + 60_000).end, NOW + 60_000);
        state.act(&Act::Pan(-0.5), Some(&YEAR), NOW);
        let moved = NOW - 7 * DAY_MS - 7 * DAY_MS / 2..NOW - 7 * DAY_MS / 2;
        assert_eq!(state.view(Some(&YEAR), NOW), moved);
        assert_eq!(state.view(Some(&YEAR), NOW + 60_000), moved, "it stays where it was put");
        state.act(&Act::Pan(3.0), Some(&YEAR), NOW);
        assert!(state.is_live(), "there is nothing beyond now");
        assert_eq!(state.preset, Some(Preset::Week), "moving keeps the width");
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer_and_has_ends() {
        let mut state = State::default();
        state.act(&Act::Pan(-2.0), Some(&YEAR), NOW);
        let before = state.view(Some(&YEAR), NOW);
        state.act(&Act::Zoom(0.5, 0.25), Some(&YEAR), NOW);
        let after = state.view(Some(&YEAR), NOW);
        let at = |view: &Range<i64>, place: f64| view.start + ((view.end - view.start) as f64 * place) as i64;
        assert!((at(&before, 0.25) - at(&after, 0.25)).abs() < 1000);
        for _ in 0..60 {
            state.act(&Act::Zoom(0.5, 0.5), Some(&YEAR), NOW);
        }
        let narrow = state.view(Some(&YEAR), NOW);
        assert_eq!(narrow.end - narrow.start, LEAST_SPAN);
        for _ in 0..60 {
            state.act(&Act::Zoom(2.0, 0.5), Some(&YEAR), NOW);
        }
        let wide = state.view(Some(&YEAR), NOW);
        assert!(wide.end - wide.start <= 366 * DAY_MS * 11 / 10, "{wide:?}");
        assert!(wide.end <= NOW);
    }

    #[test]
    fn the_record_never_leaves_the_view_altogether() {
        let mut state = State::default();
        for _ in 0..500 {
            state.act(&Act::Pan(-0.9), Some(&YEAR), NOW);
        }
        let view = state.view(Some(&YEAR), NOW);
        assert!(view.end > YEAR.start && view.start < YEAR.start);
        state.act(&Act::Oldest, Some(&YEAR), NOW);
        assert_eq!(state.view(Some(&YEAR), NOW).start, YEAR.start);
        state.act(&Act::Newest, Some(&YEAR), NOW);
        assert!(state.is_live());
    }

    #[test]
    fn a_small_pan_asks_for_the_same_cells_and_no_query_has_more_of_them_than_three_views() {
        let zone = TimeZone::UTC;
        let mut state = State { pixels: 1000, ..State::default() };
        // Away from where the asked range moves on by half a view.
        state.act(&Act::Pan(-3.1), Some(&YEAR), NOW);
        let first = state.query(Vec::new(), Some(&YEAR), NOW, &zone);
        state.act(&Act::Pan(0.02), Some(&YEAR), NOW);
        let second = state.query(Vec::new(), Some(&YEAR), NOW, &zone);
        assert_eq!((first.range, first.step), (second.range, second.step));
        for preset in Preset::ALL {
            state.act(&Act::Preset(preset), Some(&YEAR), NOW);
            let query = state.query(Vec::new(), Some(&YEAR), NOW, &zone);
            assert!(query.grid().len() <= 3 * 1000 + 8, "{preset:?}: {}", query.grid().len());
            assert!(query.range.start <= query.seen.start && query.range.end >= query.seen.end.min(NOW));
            assert_eq!(query.is_raw(), preset == Preset::Day, "a day and less is drawn from samples");
        }
    }
}
