//! The keys of a command, beside its name.

use egui::{CornerRadius, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};

/// `keys` as the platform writes them, such as `Ctrl+K`. Painted, since a frame would grow to the height of its line.
pub fn key_hint(ui: &mut Ui, keys: &str) -> Response {
    let palette = palette(ui);
    let galley = ui.painter().layout_no_wrap(keys.to_owned(), Type::Caption.font(), palette.weak);
    let pad = vec2(space::SMALL + space::TINY, space::TINY);
    let (rect, response) = ui.allocate_exact_size(galley.size() + 2.0 * pad, Sense::hover());
    let corner = CornerRadius::same(radius::CONTROL);
    ui.painter().rect_stroke(rect, corner, Stroke::new(stroke::HAIR, palette.control_line), StrokeKind::Inside);
    ui.painter().galley(rect.min + pad, galley, palette.weak);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, keys));
    response
}
