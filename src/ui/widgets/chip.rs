//! A mark with its word in a small frame.

use egui::{CornerRadius, Frame, Margin, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use super::mark::Mark;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};

/// A chip: for legends and lists of states. The text should hold the family's word or more than it.
pub fn chip(ui: &mut Ui, mark: Mark, text: &str) -> Response {
    let palette = palette(ui);
    let shown = Frame::new()
        .fill(palette.control)
        .stroke(Stroke::new(stroke::HAIR, palette.line))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::symmetric(space::BASE as i8, space::SMALL as i8))
        .show(ui, |ui| marked(ui, mark, text));
    shown.inner
}

/// A small mark with words after it, without a frame. One name for both: the words.
pub fn marked(ui: &mut Ui, mark: Mark, text: &str) -> Response {
    let palette = palette(ui);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), Type::Caption.font(), palette.text);
    let side = space::MEDIUM;
    let extent = Vec2::new(side + space::BASE + galley.size().x, galley.size().y.max(side));
    let (rect, response) = ui.allocate_exact_size(extent, Sense::hover());
    let cell =
        egui::Rect::from_min_size(egui::pos2(rect.left(), rect.center().y - side / 2.0).round(), Vec2::splat(side));
    mark.paint(ui.painter(), cell, palette);
    let at = egui::pos2(cell.right() + space::BASE, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, palette.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}

/// A word in a frame: a mode that the program is in. Painted, since a frame would grow to the height of the line.
pub fn badge(ui: &mut Ui, text: &str) -> Response {
    let color = palette(ui).accent;
    let galley = ui.painter().layout_no_wrap(text.to_owned(), Type::Caption.font(), color);
    let pad = Vec2::new(space::SMALL + space::TINY, space::TINY);
    let (rect, response) = ui.allocate_exact_size(galley.size() + 2.0 * pad, Sense::hover());
    let corner = CornerRadius::same(radius::CONTROL);
    ui.painter().rect_stroke(rect, corner, Stroke::new(stroke::HAIR, color), StrokeKind::Inside);
    ui.painter().galley(rect.min + pad, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}
