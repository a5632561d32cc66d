//! Draws the days of the record as a calendar: a block a month, a row a week, Monday first, each day with its number.

use egui::{
    Align2, Id, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use jiff::civil::Date;

use super::calendar::{Month, days_of};
use super::map::{self, Marks};
use super::model::{Ink, Model, Source, place_from, plus_days};
use crate::ui::screens::sheet::words::{percent, weekday};
use crate::ui::sheets::Place;
use crate::ui::theme::tokens::{space, stroke};
use crate::ui::theme::{Palette, Type, palette, readable_on};

/// Between two months, across and down.
const BETWEEN: Vec2 = vec2(space::WIDE, space::MEDIUM);
/// Height of a month's name.
const NAME: f32 = 20.0;
/// Height of the names of weekdays, and from which cell on there is room for them.
const WEEKDAYS: f32 = 18.0;
const WEEKDAYS_FROM: f32 = 30.0;
/// Largest cell.
const LARGEST: Vec2 = vec2(88.0, 64.0);
/// From which cell on a day has its number, and its share.
const NUMBERS: Vec2 = vec2(18.0, 14.0);
const SHARES: Vec2 = vec2(42.0, 38.0);

/// A month's block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    first: Date,
    at: Pos2,
}

/// Where the days lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    blocks: Vec<Block>,
    cell: Vec2,
    head: f32,
    scale: f32,
}

impl Layout {
    /// The months over a rectangle, with cells as large as fit; their edges are whole pixels.
    pub fn within(rect: Rect, firsts: &[Date], scale: f32) -> Self {
        let weeks = firsts.iter().map(|first| weeks(*first)).max().unwrap_or(6) as f32;
        let count = firsts.len().max(1);
        let of = |columns: usize| {
            let rows = count.div_ceil(columns) as f32;
            let width = (rect.width() - BETWEEN.x * (columns as f32 - 1.0)) / columns as f32 / 7.0;
            let head = if width >= WEEKDAYS_FROM { NAME + WEEKDAYS } else { NAME };
            let height = ((rect.height() - BETWEEN.y * (rows - 1.0)) / rows - head) / weeks;
            (columns, vec2(width, height), head)
        };
        let all = (1..=count).map(of);
        // Nearly square cells are the largest to the eye.
        let best = all.max_by(|(_, one, _), (_, other, _)| one.min_elem().total_cmp(&other.min_elem()));
        let (columns, cell, head) = best.unwrap_or((1, LARGEST, NAME));
        let cell = cell.min(LARGEST).max(Vec2::splat(4.0));
        let cell = vec2(cell.x.min(cell.y * 1.7), cell.y.min(cell.x));
        let block = vec2(cell.x * 7.0, head + cell.y * weeks) + BETWEEN;
        let place = |(index, first): (usize, &Date)| {
            let (row, column) = (index / columns, index % columns);
            Block { first: *first, at: rect.min + vec2(block.x * column as f32, block.y * row as f32) }
        };
        Self { blocks: firsts.iter().enumerate().map(place).collect(), cell, head, scale }
    }

    /// The height that it takes.
    pub fn height(&self) -> f32 {
        let top = self.blocks.first().map_or(0.0, |block| block.at.y);
        let end = |block: &Block| block.at.y + self.head + self.cell.y * weeks(block.first) as f32;
        self.blocks.iter().map(end).fold(top, f32::max) - top
    }

    fn of(&self, block: &Block, row: usize, column: usize) -> Rect {
        let snap = |at: f32| (at * self.scale).round() / self.scale;
        let x = |column: usize| snap(block.at.x + self.cell.x * column as f32);
        let y = |row: usize| snap(block.at.y + self.head + self.cell.y * row as f32);
        let gap = if self.cell.min_elem() >= 14.0 { 2.0 } else { 1.0 };
        Rect::from_min_max(pos2(x(column), y(row)), pos2(x(column + 1) - gap, y(row + 1) - gap))
    }

    /// The cell of a day.
    pub fn cell(&self, date: Date) -> Option<Rect> {
        let first = date.first_of_month();
        let block = self.blocks.iter().find(|block| block.first == first)?;
        let (row, column) = spot(date);
        Some(self.of(block, row, column))
    }

    /// The day at a position.
    pub fn at(&self, pos: Pos2) -> Option<Date> {
        let size = vec2(self.cell.x * 7.0, self.head + self.cell.y * 6.0);
        let block = self.blocks.iter().find(|block| Rect::from_min_size(block.at, size).contains(pos))?;
        days_of(block.first).find(|date| self.cell(*date).is_some_and(|cell| cell.expand(1.0).contains(pos)))
    }
}

/// Rows that a month needs.
fn weeks(first: Date) -> usize {
    spot(plus_days(first, i64::from(first.days_in_month()) - 1)).0 + 1
}

/// The row and column of a day in its month.
fn spot(date: Date) -> (usize, usize) {
    let before = usize::from(date.first_of_month().weekday().to_monday_zero_offset().unsigned_abs());
    let place = before + usize::from(date.day().unsigned_abs()) - 1;
    (place / 7, place % 7)
}

/// Draws it over `rect`; its response, and the day under the pointer as a place of the map of days.
pub fn ui(
    ui: &mut Ui,
    (model, source): (&Model, &Source<'_>),
    (id, name): (Id, &str),
    (cursor, cursor_name): (Option<Place>, &str),
    rect: Rect,
) -> (Response, Option<Place>) {
    let palette = palette(ui);
    let firsts: Vec<Date> = model.months.iter().map(|month| month.first).collect();
    let layout = Layout::within(rect, &firsts, ui.pixels_per_point());
    let response = map::grid(ui, rect, id, name);
    let mut mesh = Mesh::default();
    let mut words = Vec::new();
    let (today, monday) = (source.today(), source.first_monday());
    for (month, block) in model.months.iter().zip(&layout.blocks) {
        head(ui, month, block, &layout, id, source);
        for date in days_of(month.first) {
            let Some(cell) = layout.cell(date) else { continue };
            let ink = place_from(monday, date).and_then(|place| model.map.ink(place)).unwrap_or(Ink::Blank);
            map::cell(&mut mesh, ink, cell, palette);
            words.push((date, ink, cell));
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    if layout.cell.x >= NUMBERS.x && layout.cell.y >= NUMBERS.y {
        let has_shares = layout.cell.x >= SHARES.x && layout.cell.y >= SHARES.y;
        for (date, ink, cell) in words {
            numbers(ui, (date, date == today), ink, cell, has_shares, palette);
        }
    }
    let hovered = response.hover_pos().and_then(|pos| layout.at(pos)).and_then(|date| source.place(date));
    let hovered = hovered.filter(|place| model.map.ink(*place).is_some_and(|ink| ink != Ink::Blank));
    let marks = Marks { id, cursor_name, has_focus: response.has_focus() };
    let cell = |place: Option<Place>| place.and_then(|place| layout.cell(source.date(place)));
    map::marks(ui, &marks, cell(cursor), cell(hovered));
    (response, hovered)
}

fn head(ui: &mut Ui, month: &Month, block: &Block, layout: &Layout, id: Id, source: &Source<'_>) {
    let palette = palette(ui);
    let place = Rect::from_min_size(block.at, vec2(layout.cell.x * 7.0, NAME));
    let response = ui.interact(place, id.with(("month", month.first)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &month.summary));
    ui.painter().text(block.at, Align2::LEFT_TOP, &month.name, Type::Strong.font(), palette.strong);
    if layout.head <= NAME {
        return;
    }
    for day in 1..=7_u8 {
        let x = block.at.x + layout.cell.x * f32::from(day - 1);
        let at = pos2(x, block.at.y + layout.head - 4.0);
        let name = weekday(day, source.tr);
        ui.painter().text(at, Align2::LEFT_BOTTOM, name, Type::Caption.font(), palette.weak);
    }
}

/// The number of a day, and what share of it was free.
fn numbers(ui: &Ui, (date, is_today): (Date, bool), ink: Ink, cell: Rect, has_shares: bool, palette: &Palette) {
    let (ground, share) = match ink {
        Ink::Known(share) => (Some(palette.share(share)), Some(share)),
        Ink::Thin(share) => (Some(palette.thin(share)), Some(share)),
        Ink::Empty | Ink::Blank => (None, None),
    };
    let color = ground.map_or(palette.weak, readable_on);
    let write = |at: Pos2, align: Align2, words: String, kind: Type| {
        let galley = ui.painter().layout_no_wrap(words, kind.font(), color);
        let place = align.anchor_size(at, galley.size());
        // Stripes run under the figures of a thin day.
        if let (Ink::Thin(_), Some(ground)) = (ink, ground) {
            ui.painter().rect_filled(place.expand2(vec2(2.0, -1.0)), 2, ground);
        }
        ui.painter().galley(place.min, galley, color);
    };
    let number = date.day().to_string();
    let kind = if is_today { Type::Figure } else { Type::Caption };
    match share.filter(|_| has_shares) {
        Some(share) => {
            write(cell.left_top() + vec2(5.0, 3.0), Align2::LEFT_TOP, number, kind);
            let words = format!("{} %", percent(f64::from(share)));
            write(cell.right_bottom() - vec2(5.0, 3.0), Align2::RIGHT_BOTTOM, words, Type::Figure);
        }
        None if has_shares => write(cell.left_top() + vec2(5.0, 3.0), Align2::LEFT_TOP, number, kind),
        None => write(cell.center(), Align2::CENTER_CENTER, number, kind),
    }
    if is_today {
        let line = Stroke::new(stroke::MARK, color);
        ui.painter().rect_stroke(cell.shrink(1.5), 2, line, StrokeKind::Inside);
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn every_day_has_a_cell_of_its_own_and_is_found_there() {
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(800.0, 420.0));
        for count in 1..=13 {
            let mut firsts = vec![date(2025, 11, 1)];
            while firsts.len() < count {
                firsts.push(plus_days(firsts[firsts.len() - 1], 32).first_of_month());
            }
            let layout = Layout::within(room, &firsts, 1.0);
            assert!(layout.height() <= room.height() + 0.5, "{count}: {}", layout.height());
            for first in &firsts {
                for day in 0..i64::from(first.days_in_month()) {
                    let date = plus_days(*first, day);
                    let cell = layout.cell(date).unwrap();
                    assert!(room.expand(0.5).contains_rect(cell), "{count}: {date} at {cell:?}");
                    assert!(cell.width() >= 10.0 && cell.height() >= 10.0, "{count}: {cell:?}");
                    assert_eq!(layout.at(cell.center()), Some(date), "{count}");
                }
            }
        }
        assert_eq!((spot(date(2026, 11, 1)), spot(date(2026, 11, 2))), ((0, 6), (1, 0)), "weeks begin on Monday");
    }
}
