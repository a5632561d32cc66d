//! Draws the status line.

use egui::{Align, CornerRadius, Label, Layout, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

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
                badge_ui(ui, badge);
            }
            // The next probe comes last, as a long name may be cut there and nothing else is lost.
            for words in [&status.watching, &status.spent, &status.next] {
                ui.add(text(words));
            }
        });
    });
}

/// A word in a frame. Painted, since a frame would grow to the height of the line.
fn badge_ui(ui: &mut Ui, text: &str) {
    let color = palette(ui).accent;
    let galley = ui.painter().layout_no_wrap(text.to_owned(), Type::Caption.font(), color);
    let pad = vec2(space::SMALL + space::TINY, space::TINY);
    let (rect, response) = ui.allocate_exact_size(galley.size() + 2.0 * pad, Sense::hover());
    let corner = CornerRadius::same(radius::CONTROL);
    ui.painter().rect_stroke(rect, corner, Stroke::new(stroke::HAIR, color), StrokeKind::Inside);
    ui.painter().galley(rect.min + pad, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
}
