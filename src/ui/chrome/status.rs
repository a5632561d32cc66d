//! Draws the status line.

use egui::{Align, Label, Layout, Ui};

use crate::ui::theme::tokens::space;
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::chip;

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
                chip::badge(ui, badge);
            }
            // The next probe comes last, as a long name may be cut there and nothing else is lost.
            for words in [&status.watching, &status.spent, &status.next] {
                ui.add(text(words));
            }
        });
    });
}
