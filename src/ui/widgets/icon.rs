//! Small buttons with a painted sign, for what every desktop knows by its sign.

use egui::{CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use crate::ui::theme::palette;
use crate::ui::theme::tokens::{radius, size, space, stroke};

/// A button with a cross, in line with its neighbours; `name` is said on hover and to screen readers.
pub fn close(ui: &mut Ui, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size::HIT), Sense::click());
    show(ui, rect, response, name, cross)
}

/// A button at a place, with the sign that `paint` draws into a cell of the usual size.
pub fn icon(ui: &mut Ui, rect: Rect, id: &str, name: &str, paint: impl FnOnce(&Ui, Rect, Stroke)) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::click());
    show(ui, rect, response, name, paint)
}

/// The sign for *close*.
pub fn cross(ui: &Ui, cell: Rect, line: Stroke) {
    ui.painter().line_segment([cell.left_top(), cell.right_bottom()], line);
    ui.painter().line_segment([cell.right_top(), cell.left_bottom()], line);
}

fn show(ui: &Ui, rect: Rect, response: Response, name: &str, paint: impl FnOnce(&Ui, Rect, Stroke)) -> Response {
    let palette = palette(ui);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let is_on = response.hovered() || response.has_focus();
    let corner = CornerRadius::same(radius::CONTROL);
    if is_on {
        ui.painter().rect_filled(rect, corner, palette.hover);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, corner, Stroke::new(stroke::FOCUS, palette.accent), StrokeKind::Inside);
    }
    let cell = Rect::from_center_size(rect.center(), Vec2::splat(space::MEDIUM - space::TINY)).round();
    paint(ui, cell, Stroke::new(stroke::MARK, if is_on { palette.strong } else { palette.weak }));
    response.on_hover_text(name)
}
