//! Draws the status line.

use egui::{Align, CornerRadius, Frame, Label, Layout, Margin, Stroke, Ui};

use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};

use super::model::Status;

/// Draws it over the full width.
pub fn ui(ui: &mut Ui, status: &Status) {
    let palette = palette(ui);
    let text = |text: &str| Label::new(Type::Caption.text(text).color(palette.weak)).truncate();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(text(&status.clock));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = space::WIDE;
            for badge in &status.badges {
                Frame::new()
                    .stroke(Stroke::new(stroke::HAIR, palette.accent))
                    .corner_radius(CornerRadius::same(radius::CONTROL))
                    .inner_margin(Margin::symmetric(space::SMALL as i8 + 2, 1))
                    .show(ui, |ui| ui.label(Type::Caption.text(badge).color(palette.accent)));
            }
            for words in [&status.watching, &status.next, &status.spent] {
                ui.add(text(words));
            }
        });
    });
}
