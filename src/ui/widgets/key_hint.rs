//! The keys of a command, beside its name.

use egui::{CornerRadius, Frame, Margin, Response, Stroke, Ui};

use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};

/// `keys` as the platform writes them, such as `Ctrl+K`.
pub fn key_hint(ui: &mut Ui, keys: &str) -> Response {
    let palette = palette(ui);
    Frame::new()
        .stroke(Stroke::new(stroke::HAIR, palette.control_line))
        .corner_radius(CornerRadius::same(radius::CELL))
        .inner_margin(Margin::symmetric(space::SMALL as i8, 1))
        .show(ui, |ui| ui.add(egui::Label::new(Type::Caption.text(keys).color(palette.weak)).selectable(false)))
        .inner
}
