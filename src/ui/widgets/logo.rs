//! Our sign: a vacancy sign with its light on.

use egui::{Color32, CornerRadius, Painter, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use crate::core::outcome::Family;
use crate::ui::theme::{Palette, palette};

/// Paints the sign into a square.
pub fn paint(painter: &Painter, rect: Rect, palette: &Palette) {
    let color = palette.family(Family::Available);
    paint_outline(painter, rect, color);
    let side = rect.width();
    let light = Rect::from_center_size(rect.center(), Vec2::splat(side * 0.36));
    painter.rect_filled(light, CornerRadius::same(corner(side * 0.06)), color);
}

/// The sign with its light off.
pub fn paint_outline(painter: &Painter, rect: Rect, color: Color32) {
    let side = rect.width();
    let line = Stroke::new((side * 0.09).max(1.5), color);
    painter.rect_stroke(rect, CornerRadius::same(corner(side * 0.22)), line, StrokeKind::Inside);
}

/// The sign in a line of text; `name` is the program's name.
pub fn logo(ui: &mut Ui, side: f32, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    paint(ui.painter(), rect, palette(ui));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    response
}

/// egui's radii are bytes; our largest icon needs 113.
fn corner(points: f32) -> u8 {
    points.round().clamp(0.0, 255.0) as u8
}
