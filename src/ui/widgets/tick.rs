//! A box to tick, with the words for it.

use egui::{Color32, CornerRadius, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};

use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};

/// Side of the box.
const SIDE: f32 = space::LARGE;

/// A box with words after it, which can be clicked too.
pub fn tick(ui: &mut Ui, is_on: &mut bool, words: &str) -> Response {
    let color = if ui.is_enabled() { palette(ui).text } else { palette(ui).weak };
    let room = (ui.available_width() - SIDE - space::BASE).max(SIDE);
    let galley = ui.painter().layout(words.to_owned(), Type::Body.font(), color, room);
    let extent = Vec2::new(SIDE + space::BASE + galley.size().x, galley.size().y.max(size::HIT));
    let (rect, response) = ui.allocate_exact_size(extent, Sense::click());
    let at = pos2(rect.left() + SIDE + space::BASE, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
    toggle(ui, rect, response, is_on, words)
}

/// A box alone, where a row says what it is for; `name` is for screen readers.
pub fn tick_alone(ui: &mut Ui, is_on: &mut bool, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(SIDE, size::HIT), Sense::click());
    toggle(ui, rect, response, is_on, name)
}

fn toggle(ui: &Ui, rect: Rect, mut response: Response, is_on: &mut bool, name: &str) -> Response {
    if response.clicked() {
        *is_on = !*is_on;
        response.mark_changed();
    }
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), *is_on, name));
    let cell = Rect::from_center_size(pos2(rect.left() + SIDE / 2.0, rect.center().y), Vec2::splat(SIDE)).round();
    ui.painter().extend(shapes(ui, cell, &response, *is_on));
    response
}

fn shapes(ui: &Ui, cell: Rect, response: &Response, is_on: bool) -> Vec<Shape> {
    let palette = palette(ui);
    let corner = CornerRadius::same(radius::CONTROL);
    let is_enabled = ui.is_enabled();
    let (fill, line) = match (is_on, is_enabled, response.hovered()) {
        (true, true, _) => (palette.accent, palette.accent),
        (true, false, _) => (palette.weak, palette.weak),
        (false, true, true) => (palette.hover, palette.strong),
        (false, true, false) => (Color32::TRANSPARENT, palette.weak),
        (false, false, _) => (palette.sunken, palette.control_line),
    };
    let mut shapes = vec![
        Shape::rect_filled(cell, corner, fill),
        Shape::rect_stroke(cell, corner, Stroke::new(stroke::HAIR, line), StrokeKind::Inside),
    ];
    if is_on {
        let at = |x: f32, y: f32| cell.lerp_inside(Vec2::new(x, y));
        let color = if is_enabled { palette.on_accent } else { palette.card };
        shapes
            .push(Shape::line(vec![at(0.25, 0.53), at(0.43, 0.71), at(0.77, 0.31)], Stroke::new(stroke::FOCUS, color)));
    }
    if response.has_focus() {
        let ring = Stroke::new(stroke::FOCUS, palette.accent);
        let corner = CornerRadius::same(radius::CONTROL + 2);
        shapes.push(Shape::rect_stroke(cell.expand(space::TINY), corner, ring, StrokeKind::Outside));
    }
    shapes
}
