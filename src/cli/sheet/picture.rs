//! The heatmap as a picture: one layout, written as SVG or drawn as PNG.

use std::fmt::Write as _;
use std::io::Cursor;

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Stroke, StrokeKind, Theme, Vec2};
use image::ImageFormat;

use super::Handout;
use super::grid;
use super::shade::{ink, shade};
use crate::core::sheet::{Evidence, TargetSheet};
use crate::raster;
use crate::ui::theme::{Look, Palette, install, tokens::space};

/// Width of a cell.
const WIDE: f32 = 34.0;
/// Height of a cell.
const HIGH: f32 = 24.0;
/// From the left edge to the first hour.
const LEFT: f32 = space::PAGE + 44.0;
/// Height of one target: its name, the hours, seven days, the distance to the next.
const BLOCK: f32 = 24.0 + 18.0 + 7.0 * HIGH + space::WIDE;
/// Height of title and second line.
const HEAD: f32 = space::PAGE + 58.0;
/// Height of the legend.
const FOOT: f32 = 34.0 + space::PAGE;
/// Width of the whole picture.
const WIDTH: f32 = LEFT + 24.0 * WIDE + space::PAGE;
/// Pixels a point of a PNG.
const SCALE: f32 = 2.0;
/// How many targets a PNG can have; more would be a picture that few programs open.
pub(super) const MOST: usize = 40;

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A filled rectangle with rounded corners and perhaps a line around it.
    Box { place: Rect, fill: Color32, line: Option<Color32> },
    /// A line of text around or from a point: -1 begins there, 0 is centred, 1 ends there. Its middle is at that height.
    Text { at: Pos2, align: i8, size: f32, color: Color32, words: String },
}

/// A picture's pieces from back to front, and its size.
struct Layout {
    size: Vec2,
    ground: Color32,
    pieces: Vec<Piece>,
}

/// The picture as SVG.
pub(super) fn svg(handout: &Handout<'_>) -> String {
    let layout = layout(handout);
    let (width, height) = (layout.size.x, layout.size.y);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, sans-serif\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escaped(&handout.tr.text("handout-title")),
        hex(layout.ground),
    );
    for piece in &layout.pieces {
        // Writing to a string does not fail.
        let _ = match piece {
            Piece::Box { place, fill, line } => {
                let line = line.map_or_else(String::new, |line| format!(" stroke=\"{}\"", hex(line)));
                let (at, size) = (place.min, place.size());
                writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{}\"{line}/>",
                    at.x,
                    at.y,
                    size.x,
                    size.y,
                    hex(*fill)
                )
            }
            Piece::Text { at, align, size, color, words } => {
                let anchor = ["start", "middle", "end"][usize::from((align + 1).clamp(0, 2).unsigned_abs())];
                // Half of a capital's height below the middle is where letters stand.
                let base = at.y + size * 0.36;
                writeln!(
                    out,
                    "<text x=\"{}\" y=\"{base}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                    at.x,
                    hex(*color),
                    escaped(words)
                )
            }
        };
    }
    out + "</svg>\n"
}

/// The picture as PNG.
///
/// # Errors
///
/// When it cannot be encoded.
pub(super) fn png(handout: &Handout<'_>) -> Result<Vec<u8>, image::ImageError> {
    let layout = layout(handout);
    let look = Look { theme: Theme::Light.into(), ..Look::default() };
    let picture = raster::render(
        |ctx| install(ctx, look),
        layout.size,
        SCALE,
        |ui| {
            let painter = ui.painter();
            for piece in &layout.pieces {
                match piece {
                    Piece::Box { place, fill, line } => {
                        painter.rect_filled(*place, CornerRadius::same(2), *fill);
                        if let Some(line) = line {
                            let stroke = Stroke::new(1.0, *line);
                            painter.rect_stroke(*place, CornerRadius::same(2), stroke, StrokeKind::Middle);
                        }
                    }
                    Piece::Text { at, align, size, color, words } => {
                        let align = [Align2::LEFT_CENTER, Align2::CENTER_CENTER, Align2::RIGHT_CENTER]
                            [usize::from((align + 1).clamp(0, 2).unsigned_abs())];
                        painter.text(*at, align, words, FontId::proportional(*size), *color);
                    }
                }
            }
        },
    );
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

fn layout(handout: &Handout<'_>) -> Layout {
    let palette = Palette::of(false, false);
    let tr = handout.tr;
    let mut pieces = Vec::new();
    let text = |x: f32, y: f32, align: i8, size: f32, color: Color32, words: String| Piece::Text {
        at: Pos2::new(x, y),
        align,
        size,
        color,
        words,
    };
    pieces.push(text(space::PAGE, space::PAGE + 12.0, -1, 22.0, palette.strong, tr.text("handout-title")));
    pieces.push(text(space::PAGE, space::PAGE + 38.0, -1, 13.0, palette.weak, handout.subtitle()));
    let targets = handout.targets();
    if targets.is_empty() {
        pieces.push(text(space::PAGE, HEAD + 8.0, -1, 14.0, palette.text, tr.text("sheet-missing-everything")));
    }
    let mut top = HEAD;
    for target in &targets {
        block(&mut pieces, target, top, handout);
        top += BLOCK;
    }
    top += if targets.is_empty() { space::PAGE } else { 0.0 };
    legend(&mut pieces, top, handout);
    Layout { size: Vec2::new(WIDTH, top + FOOT), ground: palette.ground, pieces }
}

fn block(pieces: &mut Vec<Piece>, target: &TargetSheet, top: f32, handout: &Handout<'_>) {
    let palette = Palette::of(false, false);
    let mut put = |x: f32, y: f32, align: i8, size: f32, color: Color32, words: String| {
        pieces.push(Piece::Text { at: Pos2::new(x, y), align, size, color, words });
    };
    put(space::PAGE, top + 10.0, -1, 16.0, palette.strong, shortened(target.target.as_str(), 96));
    for hour in 0..24_u8 {
        let x = LEFT + (f32::from(hour) + 0.5) * WIDE;
        put(x, top + 32.0, 0, 11.0, palette.weak, format!("{hour:02}"));
    }
    for day in 1..=7_u8 {
        let y = top + 42.0 + f32::from(day - 1) * HIGH;
        put(LEFT - 8.0, y + HIGH / 2.0, 1, 12.0, palette.text, grid::weekday(day, handout.tr));
    }
    for day in 1..=7_u8 {
        for hour in 0..24_u8 {
            let corner = Pos2::new(LEFT + f32::from(hour) * WIDE, top + 42.0 + f32::from(day - 1) * HIGH);
            square(pieces, corner, grid::cell(target, day, hour).evidence, grid::cell(target, day, hour).share);
        }
    }
}

/// A cell: known fills its place, thin stands smaller in a frame, empty is a frame around a dot.
fn square(pieces: &mut Vec<Piece>, corner: Pos2, evidence: Evidence, share: f64) {
    let palette = Palette::of(false, false);
    let place = Rect::from_min_size(corner, Vec2::new(WIDE, HIGH)).shrink(1.0);
    let ground = shade(palette, share);
    let percent = grid::percent(share);
    let (inner, line, color, words) = match evidence {
        Evidence::Known => (Some(place), None, ink(ground), percent.to_string()),
        Evidence::Thin => {
            (Some(place.shrink2(Vec2::new(3.0, 4.0))), Some(palette.control_line), ink(ground), format!("{percent}?"))
        }
        Evidence::Empty => (None, Some(palette.line), palette.weak, "·".to_owned()),
    };
    if let Some(line) = line {
        pieces.push(Piece::Box { place: place.shrink(0.5), fill: palette.ground, line: Some(line) });
    }
    if let Some(inner) = inner {
        pieces.push(Piece::Box { place: inner, fill: ground, line: None });
    }
    pieces.push(Piece::Text { at: place.center(), align: 0, size: 11.0, color, words });
}

fn legend(pieces: &mut Vec<Piece>, top: f32, handout: &Handout<'_>) {
    let palette = Palette::of(false, false);
    let kinds = [
        (Evidence::Known, "handout-legend-known"),
        (Evidence::Thin, "handout-legend-thin"),
        (Evidence::Empty, "handout-legend-empty"),
    ];
    for (column, (evidence, id)) in kinds.into_iter().enumerate() {
        let x = space::PAGE + 280.0 * column as f32;
        square(pieces, Pos2::new(x, top), evidence, 0.85);
        let at = Pos2::new(x + WIDE + 6.0, top + HIGH / 2.0);
        pieces.push(Piece::Text { at, align: -1, size: 12.0, color: palette.text, words: handout.tr.text(id) });
    }
}

/// A name that fits.
fn shortened(name: &str, most: usize) -> String {
    let clean: String = name.chars().filter(|sign| !sign.is_control()).collect();
    if clean.chars().count() <= most { clean } else { clean.chars().take(most - 1).chain(['…']).collect() }
}

/// A colour as CSS and SVG write it.
pub(super) fn hex(color: Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b())
}

/// Text between tags or in a quoted attribute; what XML cannot hold is left out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            sign if sign.is_control() || matches!(sign, '\u{fffe}' | '\u{ffff}') => {}
            sign => out.push(sign),
        }
    }
    out
}
