//! Our sign: a vacancy sign with its light on.

use egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};
use image::RgbaImage;

use crate::core::outcome::Family;
use crate::raster;
use crate::ui::theme::tokens::stroke;
use crate::ui::theme::{Palette, palette};

/// Paints the sign into a square.
pub fn paint(painter: &Painter, rect: Rect, palette: &Palette) {
    painter.extend(shapes(rect, line(rect), palette.family(Family::Available)));
}

/// The sign with its light off.
pub fn paint_outline(painter: &Painter, rect: Rect, color: Color32) {
    painter.add(outline(rect, line(rect), color));
}

/// The program's icon, `side` pixels square, on a dark plate so that it stands out on any desktop.
pub fn icon(side: u32) -> RgbaImage {
    let palette = Palette::of(true, false);
    let plate = Rect::from_min_size(Pos2::ZERO, Vec2::splat(side as f32));
    let full = side as f32;
    let mut shapes = vec![Shape::rect_filled(plate, CornerRadius::same(corner(full * 0.2)), palette.ground)];
    // Whole pixels all round, or small icons blur.
    let sign = plate.shrink((full * 0.19).round());
    shapes.extend(self::shapes(sign, line(sign).round(), palette.family(Family::Available)));
    raster::render_shapes(shapes, side)
}

fn shapes(rect: Rect, line: f32, color: Color32) -> [Shape; 2] {
    let side = rect.width();
    // As even or odd as the outline, so that the gap is equal on both sides.
    let light = Rect::from_center_size(rect.center(), Vec2::splat(side - 2.0 * (side * 0.32).round()));
    let light = Shape::rect_filled(light, CornerRadius::same(corner(side * 0.06)), color);
    [outline(rect, line, color), light]
}

fn outline(rect: Rect, line: f32, color: Color32) -> Shape {
    let radius = CornerRadius::same(corner(rect.width() * 0.22));
    Shape::rect_stroke(rect, radius, Stroke::new(line, color), StrokeKind::Inside)
}

fn line(rect: Rect) -> f32 {
    (rect.width() * 0.09).max(stroke::MARK)
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
