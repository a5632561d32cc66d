//! Our sign: a vacancy sign with its light on.

use egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};
use image::RgbaImage;

use crate::core::outcome::Family;
use crate::raster;
use crate::ui::theme::tokens::stroke;
use crate::ui::theme::{Palette, palette};

/// Radii of corners, as shares of the side: of the sign, of its light, of the plate.
const CORNER: f32 = 0.22;
const LIGHT_CORNER: f32 = 0.06;
const PLATE_CORNER: f32 = 0.2;

/// Paints the sign into a square.
pub fn paint(painter: &Painter, rect: Rect, palette: &Palette) {
    painter.extend(shapes(rect, line(rect), palette.family(Family::Available)));
}

/// The sign with its light off.
pub fn paint_outline(painter: &Painter, rect: Rect, color: Color32) {
    painter.add(outline(rect, line(rect), color));
}

/// The icon's parts in whole pixels, or small icons blur: the sign hangs on two rods from the upper edge of a plate.
struct Hung {
    plate: Rect,
    rods: [Rect; 2],
    sign: Rect,
    line: f32,
}

impl Hung {
    fn new(side: u32) -> Self {
        let full = side as f32;
        // Where pixels are few the sign takes more of the plate, so that its gap stays open.
        let margin = match side {
            0..32 => 0.14,
            32..64 => 0.19,
            _ => 0.22,
        };
        let margin = (full * margin).round();
        let width = full - 2.0 * margin;
        let sign = Rect::from_min_size(Pos2::new(margin, margin + (full * 0.06).round()), Vec2::splat(width));
        let rod = (full * 0.04).round().max(1.0);
        let left = (full / 2.0 - width * 0.27).round();
        let rods =
            [left, full - left - rod].map(|x| Rect::from_min_size(Pos2::new(x, 0.0), Vec2::new(rod, sign.top())));
        let plate = Rect::from_min_size(Pos2::ZERO, Vec2::splat(full));
        Self { plate, rods, sign, line: line(sign).round() }
    }
}

/// The program's icon, `side` pixels square: the sign on a dark plate, so that it stands out on any desktop.
pub fn icon(side: u32) -> RgbaImage {
    let palette = Palette::of(true, false);
    let hung = Hung::new(side);
    let radius = CornerRadius::same(corner(side as f32 * PLATE_CORNER));
    let mut shapes = vec![Shape::rect_filled(hung.plate, radius, palette.ground)];
    shapes.extend(hung.rods.map(|rod| Shape::rect_filled(rod, CornerRadius::ZERO, palette.weak)));
    shapes.extend(self::shapes(hung.sign, hung.line, palette.family(Family::Available)));
    raster::render_shapes(shapes, side)
}

/// The same icon as an SVG, for the sizes that no picture was made for.
pub fn icon_svg() -> String {
    const SIDE: u32 = 256;
    let palette = Palette::of(true, false);
    let hung = Hung::new(SIDE);
    let radius = SIDE as f32 * PLATE_CORNER;
    let mut body = svg_rect(hung.plate, radius.round(), palette.ground);
    body.extend(hung.rods.map(|rod| svg_rect(rod, 0.0, palette.weak)));
    body.push_str(&svg_sign(&hung, palette.family(Family::Available)));
    svg(SIDE, &body)
}

/// The icon in one colour without its plate, for panels that colour icons themselves.
pub fn icon_symbolic_svg() -> String {
    const SIDE: u32 = 16;
    let hung = Hung::new(SIDE);
    let mut body: String = hung.rods.map(|rod| svg_rect(rod, 0.0, Color32::BLACK)).concat();
    body.push_str(&svg_sign(&hung, Color32::BLACK));
    svg(SIDE, &body)
}

fn svg(side: u32, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"0 0 {side} {side}\">\n  \
         <title>Vacancy</title>\n{body}</svg>\n"
    )
}

fn svg_sign(hung: &Hung, color: Color32) -> String {
    let light = light(hung.sign);
    // A stroke lies on its path, so the path runs in the middle of the outline.
    let path = hung.sign.shrink(hung.line / 2.0);
    let radius = (hung.sign.width() * CORNER).round() - hung.line / 2.0;
    let outline = format!(
        "  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
        path.left(),
        path.top(),
        path.width(),
        path.height(),
        hex(color),
        hung.line,
    );
    outline + &svg_rect(light, (hung.sign.width() * LIGHT_CORNER).round(), color)
}

fn svg_rect(rect: Rect, radius: f32, color: Color32) -> String {
    let corner = if radius > 0.0 { format!(" rx=\"{radius}\"") } else { String::new() };
    format!(
        "  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{corner} fill=\"{}\"/>\n",
        rect.left(),
        rect.top(),
        rect.width(),
        rect.height(),
        hex(color),
    )
}

fn hex(color: Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b())
}

fn shapes(rect: Rect, line: f32, color: Color32) -> [Shape; 2] {
    let radius = CornerRadius::same(corner(rect.width() * LIGHT_CORNER));
    [outline(rect, line, color), Shape::rect_filled(light(rect), radius, color)]
}

/// As even or odd as the outline, so that the gap is equal on both sides.
fn light(rect: Rect) -> Rect {
    let side = rect.width();
    Rect::from_center_size(rect.center(), Vec2::splat(side - 2.0 * (side * 0.32).round()))
}

fn outline(rect: Rect, line: f32, color: Color32) -> Shape {
    let radius = CornerRadius::same(corner(rect.width() * CORNER));
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
