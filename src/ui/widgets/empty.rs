//! What a screen shows when it has nothing to show yet: why, and what to do.

use egui::{Response, Ui, Vec2};

use super::{access, button, logo};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};

/// An empty state in the middle of the room there is; the response of the button, if `action` names one.
pub fn empty(ui: &mut Ui, title: &str, text: &str, action: Option<&str>) -> Option<Response> {
    let palette = palette(ui);
    let above = (ui.available_height() * 0.3 - space::PAGE).clamp(space::LARGE, 240.0);
    ui.add_space(above);
    ui.vertical_centered(|ui| {
        let side = 40.0;
        let (_, rect) = ui.allocate_space(Vec2::splat(side));
        logo::paint_outline(ui.painter(), rect, palette.control_line);
        ui.add_space(space::SMALL);
        access::heading(ui.label(Type::Heading.text(title).color(palette.strong)), 2);
        ui.scope(|ui| {
            ui.set_max_width(size::TEXT_WIDTH);
            ui.label(Type::Body.text(text).color(palette.weak));
        });
        action.map(|action| {
            ui.add_space(space::BASE);
            ui.add(button::primary(ui, action))
        })
    })
    .inner
}
