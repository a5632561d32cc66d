//! Draws the week's plan: per day a bar of stretches, each named for the target to use.

use std::collections::BTreeMap;

use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::model::{Day, Part};
use super::plan::Promise;
use crate::core::outcome::Family;
use crate::ui::screens::heatmap::map;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Palette, Type, palette};
use crate::ui::widgets::name;

/// Width of the names of days.
const NAMES: f32 = 44.0;
/// Height of a day and of its bar.
const ROW: f32 = 27.0;
const BAR: f32 = 22.0;
/// Height of the hours under the bars.
const AXIS: f32 = 18.0;

/// Height of the names of numbers.
const KEYS: f32 = 22.0;
/// A bar's inside begins so far from its edge, and ends so far from the other.
const INSET: f32 = space::BASE;

/// The height of the whole at a width.
pub fn height(ui: &Ui, week: &[Day], width: f32) -> f32 {
    ROW * 7.0 + AXIS + if numbered(ui, week, width - NAMES).is_empty() { 0.0 } else { KEYS }
}

/// The targets whose names do not fit into all of their bars, by their places in the chain: there a number stands for them.
fn numbered<'a>(ui: &Ui, week: &'a [Day], width: f32) -> BTreeMap<usize, &'a str> {
    let mut numbered = BTreeMap::new();
    for part in week.iter().flat_map(|day| &day.parts) {
        let room = width * f32::from(part.stretch.to - part.stretch.from) / 1440.0 - 1.0 - INSET - space::SMALL;
        if Type::Caption.width(ui, &part.name) > room {
            numbered.insert(part.place, part.name.as_str());
        }
    }
    numbered
}

/// Draws it over the width there is.
pub fn ui(ui: &mut Ui, week: &[Day]) {
    let palette = palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut bars = None;
    let numbered = numbered(ui, week, ui.available_width() - NAMES);
    for day in week {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let name = ui.interact(
            Rect::from_min_size(rect.min, vec2(NAMES, ROW)),
            Id::unique(("sheet-day", &day.name)),
            Sense::hover(),
        );
        name.widget_info(|| WidgetInfo::labeled(Role::Label, true, &day.summary));
        let (color, kind) = if day.is_today { (palette.strong, Type::Strong) } else { (palette.weak, Type::Body) };
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, &day.name, kind.font(), color);
        let bar = Rect::from_min_max(
            pos2(rect.left() + NAMES, rect.center().y - BAR / 2.0),
            pos2(rect.right(), rect.center().y + BAR / 2.0),
        );
        for (index, part) in day.parts.iter().enumerate() {
            stretch(ui, part, bar, Id::unique(("sheet-part", &day.name, index)), numbered.contains_key(&part.place));
        }
        bars = Some(bar);
    }
    let Some(bar) = bars else { return };
    let (_, axis) = ui.allocate_space(vec2(ui.available_width(), AXIS));
    for hour in (0..=24).step_by(6) {
        let align = match hour {
            0 => Align2::LEFT_CENTER,
            24 => Align2::RIGHT_CENTER,
            _ => Align2::CENTER_CENTER,
        };
        let at = pos2(bar.left() + bar.width() * hour as f32 / 24.0, axis.center().y);
        ui.painter().text(at, align, hour.to_string(), Type::Caption.font(), palette.weak);
    }
    if !numbered.is_empty() {
        keys(ui, &numbered);
    }
}

/// What the numbers in the bars stand for.
fn keys(ui: &mut Ui, numbered: &BTreeMap<usize, &str>) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), KEYS));
    let needs = |place: &usize, name: &str| INSET + Type::Caption.width(ui, format!("{} {name}", place + 1));
    let mut widths: Vec<f32> = numbered.iter().map(|(place, name)| needs(place, name)).collect();
    widths.sort_by(f32::total_cmp);
    // What short names leave is for the long ones, which are cut to the same width.
    let mut room = rect.width() - NAMES - space::LARGE * (numbered.len() as f32 - 1.0);
    let mut each = f32::INFINITY;
    for (index, width) in widths.iter().enumerate() {
        let share = room / (widths.len() - index) as f32;
        if *width > share {
            each = share;
            break;
        }
        room -= width;
    }
    let mut left = rect.left() + NAMES;
    for (place, name) in numbered {
        let bar = Rect::from_min_size(pos2(left, rect.center().y - 6.0), vec2(3.0, 12.0));
        ui.painter().rect_filled(bar, 0, color(*place, palette));
        let number = format!("{} ", place + 1);
        let room = each - INSET - Type::Caption.width(ui, number.as_str());
        let shown = name::cut(ui, Type::Caption, name, room);
        let words = number + shown.as_deref().unwrap_or(name);
        let galley = ui.painter().layout_no_wrap(words, Type::Caption.font(), palette.text);
        let width = galley.size().x;
        ui.painter().galley(pos2(left + INSET, rect.center().y - galley.size().y / 2.0), galley, palette.text);
        left += INSET + width + space::LARGE;
    }
}

fn stretch(ui: &mut Ui, part: &Part, bar: Rect, id: Id, is_numbered: bool) {
    let palette = palette(ui);
    let x = |minutes: u16| (bar.left() + bar.width() * f32::from(minutes) / 1440.0).round();
    let (left, right) = (x(part.stretch.from), x(part.stretch.to) - 1.0);
    let rect = Rect::from_min_max(pos2(left, bar.top()), pos2(right, bar.bottom()));
    let color = color(part.place, palette);
    let corner = CornerRadius::same(radius::CELL);
    let tint = Palette::tint(palette.card, color, 0.26);
    match part.stretch.promise {
        Promise::Usual => {
            ui.painter().rect_filled(rect, corner, tint);
        }
        Promise::Few => {
            ui.painter().rect_filled(rect, corner, Palette::tint(palette.card, color, 0.08));
            let mut mesh = Mesh::default();
            map::stripes(&mut mesh, rect, tint);
            ui.painter().add(Shape::mesh(mesh));
        }
        // Where nothing is usually free a ground promises less; what was never watched is an outline, as everywhere.
        Promise::Likeliest => {
            ui.painter().rect_filled(rect, corner, palette.hover);
        }
        Promise::Guess => {
            let line = Stroke::new(stroke::HAIR, palette.control_line);
            ui.painter().rect_stroke(rect, corner, line, StrokeKind::Inside);
        }
    }
    let is_sure = part.stretch.promise == Promise::Usual;
    if part.stretch.promise != Promise::Guess {
        let edge = Rect::from_min_max(rect.min, pos2((left + 3.0).min(right), rect.bottom()));
        ui.painter().rect_filled(edge, 0, color);
    }
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &part.words));
    let text = if is_sure { palette.text } else { palette.weak };
    let write = |words: &str| ui.painter().layout_no_wrap(words.to_owned(), Type::Caption.font(), text);
    let galley = write(&part.name);
    let room = rect.width() - INSET - space::SMALL;
    let galley = if is_numbered && galley.size().x > room { write(&(part.place + 1).to_string()) } else { galley };
    let inset = INSET.min((rect.width() - galley.size().x) / 2.0 + 1.0);
    if galley.size().x <= rect.width() {
        let at = pos2(rect.left() + inset, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, text);
    }
    if response.hovered() {
        let line = Stroke::new(stroke::MARK, palette.strong);
        ui.painter().rect_stroke(rect, corner, line, StrokeKind::Outside);
    }
    response.on_hover_text(&part.words);
}

/// The last place in the chain with a colour of its own; later ones share it.
pub const LAST_COLOR: usize = 4;

/// The colour of a place in the chain. The first is that of a free cell; the others only have to differ, as all are named.
pub fn color(place: usize, palette: &Palette) -> Color32 {
    match place {
        0 => palette.family(Family::Available),
        1 => palette.accent,
        2 => palette.family(Family::Blocked),
        3 => palette.family(Family::Full),
        _ => palette.weak,
    }
}
