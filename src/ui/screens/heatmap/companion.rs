//! Draws what stands under the large map: small maps that a click puts into its place, or the days of all targets in rows.

use egui::{
    Align, Align2, CornerRadius, Id, Layout, Rect, Response, Role, ScrollArea, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use jiff::civil::Date;

use super::drawn::Drawn;
use super::map;
use super::model::{Ink, Model, Small, Source, plus_days};
use crate::args;
use crate::ui::format;
use crate::ui::screens::sheet::words::percent;
use crate::ui::sheets::Act;
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{card, name};

/// Least width of a small map, and least and most height of its cells together.
const SMALL: f32 = 150.0;
/// The same for a weekday, which has a short name, and where there is less room than [`NARROW`].
const LEAST: f32 = 108.0;
const NARROW: f32 = 560.0;
const CELLS: std::ops::RangeInclusive<f32> = 49.0..=112.0;
/// The most where they stand in one row.
const ALONE: f32 = 160.0;
/// More targets than these make a map that is high already.
const MANY: usize = 12;
/// Least height of a cell.
const CELL: f32 = 2.0;
/// What a small map has around its cells: its name and its edges.
const AROUND: f32 = 22.0 + 2.0 * space::MEDIUM;
/// Least and most height of a row of days, and its heads.
const STRIP: std::ops::RangeInclusive<f32> = 18.0..=28.0;
const STRIP_HEADS: f32 = 18.0;
/// The title over the rows.
const TITLE: f32 = 26.0;
/// Rows that are seen at least before the others scroll.
const STRIPS: usize = 4;

/// Least and most height that it has a use for; nothing without a companion.
pub fn heights(model: &Model, width: f32) -> Option<(f32, f32)> {
    if !model.strips.is_empty() {
        let count = model.strips.len();
        let of = |rows: usize, row: f32| 2.0 * (space::MEDIUM + stroke::HAIR) + TITLE + STRIP_HEADS + rows as f32 * row;
        return Some((of(count.min(STRIPS), *STRIP.start()), of(count, *STRIP.end())));
    }
    let rows = model.smalls.len().div_ceil(columns(&model.smalls, width)) as f32;
    let of = |cells: f32| rows * (cells + AROUND) + (rows - 1.0) * space::MEDIUM;
    let first = model.smalls.first()?;
    let least = (first.map.rows.len() as f32 * CELL).max(*CELLS.start());
    Some((of(least), of(least.max(most_cells(rows)))))
}

/// The most height of the cells of one of so many rows of small maps.
fn most_cells(rows: f32) -> f32 {
    if rows > 1.0 { *CELLS.end() } else { ALONE }
}

fn columns(smalls: &[Small], width: f32) -> usize {
    let count = smalls.len();
    let of_day = smalls.iter().find(|small| matches!(small.act, Act::Weekday(_)));
    let least = if of_day.is_some() || width < NARROW { LEAST } else { SMALL };
    // Two by two, they have room for their names.
    if of_day.is_none() && matches!(count, 2 | 4) {
        return 2;
    }
    let most = (((width + space::MEDIUM) / (least + space::MEDIUM)).floor() as usize).max(1);
    // Few targets leave the room for two rows of weekdays.
    let most = if of_day.is_some_and(|small| small.map.rows.len() <= MANY) { most.min(4) } else { most };
    // Even rows, and no map wider than a third.
    count.div_ceil(count.div_ceil(most).max(1)).clamp(3, most.max(3))
}

/// Draws it over the room there is.
pub fn ui(ui: &mut Ui, model: &Model, source: &Source<'_>, drawn: &mut Drawn, acts: &mut Vec<Act>) {
    if let Some(from) = model.strips_from.filter(|_| !model.strips.is_empty()) {
        strips(ui, (&model.strips, from), source, drawn, acts);
    } else {
        smalls(ui, &model.smalls, drawn, acts);
    }
}

fn smalls(ui: &mut Ui, smalls: &[Small], drawn: &mut Drawn, acts: &mut Vec<Act>) {
    let room = ui.available_size();
    let columns = columns(smalls, room.x);
    let rows = smalls.len().div_ceil(columns) as f32;
    let least = smalls.first().map_or(0.0, |small| small.map.rows.len() as f32 * CELL).max(*CELLS.start());
    let fitting = (room.y - (rows - 1.0) * space::MEDIUM) / rows - AROUND;
    let height = fitting.clamp(least, least.max(most_cells(rows))).floor() + AROUND;
    ScrollArea::vertical().id_salt("heat-smalls").auto_shrink([false, false]).show(ui, |ui| {
        let width = ((ui.available_width() - space::MEDIUM * (columns as f32 - 1.0)) / columns as f32).floor();
        ui.spacing_mut().item_spacing = Vec2::splat(space::MEDIUM);
        for (row, line) in smalls.chunks(columns).enumerate() {
            ui.horizontal(|ui| {
                for (column, small) in line.iter().enumerate() {
                    let number = row * columns + column + 1;
                    if small_map(ui, small, number, vec2(width, height), drawn) {
                        acts.push(small.act.clone());
                    }
                }
            });
        }
    });
}

fn small_map(ui: &mut Ui, small: &Small, number: usize, extent: Vec2, drawn: &mut Drawn) -> bool {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(extent);
    let response = ui.interact(rect, Id::unique(("heat-small", number)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, small.is_shown, &small.summary));
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let fill = if response.hovered() { palette.hover } else { palette.card };
    let line = match (response.has_focus(), small.is_shown) {
        (true, _) => Stroke::new(stroke::FOCUS, palette.accent),
        (false, true) => Stroke::new(stroke::MARK, palette.accent),
        (false, false) => Stroke::new(stroke::HAIR, palette.line),
    };
    ui.painter().rect(rect, CornerRadius::same(radius::CARD), fill, line, StrokeKind::Inside);
    let inner = rect.shrink(space::MEDIUM);
    named(ui, Rect::from_min_size(inner.min, vec2(inner.width(), 18.0)), small);
    let cells = Rect::from_min_max(pos2(inner.left(), inner.top() + 22.0), inner.max);
    let shape = (small.map.rows.len(), small.map.columns());
    let layout = map::Layout::within(cells, shape, ui.pixels_per_point());
    ui.painter().add(Shape::mesh(drawn.mesh(number, &small.map, &layout, palette)));
    response.on_hover_text(&small.summary).clicked()
}

fn named(ui: &mut Ui, rect: Rect, small: &Small) {
    let palette = palette(ui);
    let (kind, color) = if small.is_shown { (Type::Figure, palette.strong) } else { (Type::Caption, palette.text) };
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    name::name(&mut child, kind, &small.name, color);
}

fn strips(ui: &mut Ui, (strips, from): (&[Small], Date), source: &Source<'_>, drawn: &mut Drawn, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let room = ui.available_size();
    card::frame(ui).inner_margin(egui::Margin::symmetric(space::LARGE as i8, space::MEDIUM as i8)).show(ui, |ui| {
        ui.set_min_size(room - 2.0 * (vec2(space::LARGE, space::MEDIUM) + Vec2::splat(stroke::HAIR)));
        ui.spacing_mut().item_spacing.y = 0.0;
        let title = source.tr.text("sheet-heat-strips");
        let (_, head) = ui.allocate_space(vec2(ui.available_width(), TITLE));
        let mut child = ui.new_child(UiBuilder::new().max_rect(head));
        child.label(Type::Heading.text(title).color(palette.strong));
        let names = map::names_width(ui, strips.iter().map(|small| &*small.name), ui.available_width());
        let days = strips.first().map_or(1, |small| small.map.columns());
        let (_, heads) = ui.allocate_space(vec2(ui.available_width(), STRIP_HEADS));
        let band = |rect: Rect| Rect::from_min_max(pos2(rect.left() + names, rect.top()), rect.max);
        months(ui, band(heads), (from, days), source);
        let fitting = (ui.available_height() / strips.len() as f32).floor();
        let height = fitting.clamp(*STRIP.start(), *STRIP.end());
        ScrollArea::vertical().id_salt("heat-strips").auto_shrink([false, false]).show(ui, |ui| {
            for (index, small) in strips.iter().enumerate() {
                let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
                let response = ui.interact(rect, Id::unique(("heat-strip", index)), Sense::click());
                response.widget_info(|| WidgetInfo::selected(Role::Button, true, small.is_shown, &small.summary));
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                let around = rect.expand2(vec2(space::BASE, 0.0));
                let fill = match (small.is_shown, response.hovered() || response.has_focus()) {
                    (true, _) => Some(palette.selected),
                    (false, true) => Some(palette.hover),
                    (false, false) => None,
                };
                if let Some(fill) = fill {
                    ui.painter().rect_filled(around, radius::CONTROL, fill);
                }
                if response.has_focus() {
                    let line = Stroke::new(stroke::FOCUS, palette.accent);
                    ui.painter().rect_stroke(around, radius::CONTROL, line, StrokeKind::Inside);
                }
                named(ui, Rect::from_min_size(rect.min, vec2(names - space::BASE, height)), small);
                let cells = band(rect).shrink2(vec2(0.0, 3.0));
                let layout = map::Layout::within(cells, (1, days), ui.pixels_per_point());
                ui.painter().add(Shape::mesh(drawn.mesh(index + 1, &small.map, &layout, palette)));
                if response.clicked() {
                    acts.push(small.act.clone());
                }
                hover(response, small, &layout, from, source);
            }
        });
    });
}

/// The day under the pointer in words, or the whole row.
fn hover(response: Response, small: &Small, layout: &map::Layout, from: Date, source: &Source<'_>) {
    let place = response.hover_pos().and_then(|pos| layout.at(pos));
    let Some((_, column)) = place else {
        response.on_hover_text(&small.summary);
        return;
    };
    let date = plus_days(from, column as i64);
    let day = format::date(date, source.tr);
    let words = match small.map.ink((0, column)) {
        Some(Ink::Known(share) | Ink::Thin(share)) => source.tr.with(
            "sheet-heat-strip-day",
            &args!("model" => small.name.as_str(), "day" => day, "percent" => percent(f64::from(share))),
        ),
        _ => source.tr.with("sheet-heat-cell-unwatched", &args!("model" => small.name.as_str(), "when" => day)),
    };
    response.on_hover_text_at_pointer(words);
}

/// The names of months over their first days.
fn months(ui: &Ui, band: Rect, (from, days): (Date, usize), source: &Source<'_>) {
    let palette = palette(ui);
    let mut free_from = band.left();
    for day in 0..days {
        let date = plus_days(from, day as i64);
        if day > 0 && date.day() != 1 {
            continue;
        }
        let x = band.left() + band.width() * day as f32 / days as f32;
        let name = source.tr.text(&format!("ui-month-{}", date.month()));
        // A month of which the band has but the end has no room for its name.
        let room = (usize::try_from(date.days_in_month() - date.day()).unwrap_or(0) + 1).min(days - day);
        let width = band.width() * room as f32 / days as f32;
        if x < free_from || width < size::HIT {
            continue;
        }
        let at = pos2(x, band.bottom() - space::TINY);
        let drawn = ui.painter().text(at, Align2::LEFT_BOTTOM, name, Type::Caption.font(), palette.weak);
        free_from = drawn.right() + space::SMALL;
    }
}
