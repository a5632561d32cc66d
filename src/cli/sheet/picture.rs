//! The heatmap as a picture: one layout, written as SVG or drawn as PNG. Cells are drawn as on the screen.

use std::fmt::Write as _;
use std::io::Cursor;

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Shape, Stroke, StrokeKind, Theme, Vec2};
use image::ImageFormat;

use super::ink::{escaped, hex};
use super::{Handout, grid};
use crate::args;
use crate::core::sheet::{Evidence, TargetSheet};
use crate::raster;
use crate::ui::screens::heatmap::map::bands;
use crate::ui::theme::{Look, Palette, install, readable_on, tokens::space};

/// Width of a cell.
const WIDE: f32 = 34.0;
/// Height of a cell.
const HIGH: f32 = 24.0;
/// From the left edge to the first hour.
const LEFT: f32 = space::PAGE + 44.0;
/// Height of one target: its name, the hours, seven days, the distance to the next.
const BLOCK: f32 = 24.0 + 18.0 + 7.0 * HIGH + space::WIDE;
/// Height of title, second line and legend.
const HEAD: f32 = space::PAGE + 100.0;
/// Width of the whole picture.
const WIDTH: f32 = LEFT + 24.0 * WIDE + space::PAGE;
/// Pixels a point of a PNG.
const SCALE: f32 = 2.0;
/// How many targets a PNG has; more are a picture that few programs open.
const MOST: usize = 40;

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A filled rectangle with rounded corners and perhaps a line around it.
    Box { place: Rect, fill: Color32, line: Option<Color32> },
    /// Convex shapes of one colour.
    Bands { corners: Vec<Vec<Pos2>>, fill: Color32 },
    /// A line of text around or from a point: -1 begins there, 0 is centred, 1 ends there. Its middle is at that height.
    Text { at: Pos2, align: i8, size: f32, color: Color32, words: String },
}

/// A picture's pieces from back to front, and its size.
struct Layout {
    size: Vec2,
    ground: Color32,
    pieces: Vec<Piece>,
}

/// The picture of all targets as SVG.
pub(super) fn svg(handout: &Handout<'_>) -> String {
    let layout = layout(handout, &handout.targets(), None);
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
            Piece::Bands { corners, fill } => {
                let path: String = corners.iter().map(|corners| path(corners)).collect();
                writeln!(out, "<path d=\"{path}\" fill=\"{}\"/>", hex(*fill))
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

/// A closed way around a shape.
fn path(corners: &[Pos2]) -> String {
    let point = |(at, corner): (usize, &Pos2)| {
        let sign = if at == 0 { 'M' } else { 'L' };
        format!("{sign}{:.1} {:.1}", corner.x, corner.y)
    };
    corners.iter().enumerate().map(point).collect::<String>() + "Z"
}

/// How many PNGs show all targets.
pub(super) fn pages(targets: usize) -> usize {
    targets.div_ceil(MOST).max(1)
}

/// One of the PNGs, from 0 to [`pages`]; all have about as many targets.
///
/// # Errors
///
/// When it cannot be encoded.
pub(super) fn png(handout: &Handout<'_>, page: usize) -> Result<Vec<u8>, image::ImageError> {
    let targets = handout.targets();
    let all = pages(targets.len());
    let each = targets.len().div_ceil(all).max(1);
    let own = targets.chunks(each).nth(page).unwrap_or_default();
    let layout = layout(handout, own, (all > 1).then_some((page + 1, all)));
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
                    Piece::Bands { corners, fill } => {
                        painter.extend(
                            corners.iter().map(|corners| Shape::convex_polygon(corners.clone(), *fill, Stroke::NONE)),
                        );
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

fn layout(handout: &Handout<'_>, targets: &[&TargetSheet], page: Option<(usize, usize)>) -> Layout {
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
    if let Some((page, all)) = page {
        let words = tr.with("handout-page", &args!("page" => page, "all" => all));
        pieces.push(text(WIDTH - space::PAGE, space::PAGE + 38.0, 1, 13.0, palette.weak, words));
    }
    if targets.is_empty() {
        pieces.push(text(space::PAGE, HEAD - 24.0, -1, 14.0, palette.text, tr.text("sheet-missing-everything")));
    } else {
        legend(&mut pieces, space::PAGE + 58.0, handout);
    }
    let mut top = HEAD;
    for target in targets {
        block(&mut pieces, target, top, handout);
        top += BLOCK;
    }
    Layout { size: Vec2::new(WIDTH, top + space::PAGE - space::WIDE), ground: palette.ground, pieces }
}

fn block(pieces: &mut Vec<Piece>, target: &TargetSheet, top: f32, handout: &Handout<'_>) {
    let palette = Palette::of(false, false);
    let mut put = |x: f32, y: f32, align: i8, size: f32, color: Color32, words: String| {
        pieces.push(Piece::Text { at: Pos2::new(x, y), align, size, color, words });
    };
    put(space::PAGE, top + 10.0, -1, 16.0, palette.strong, shortened(&handout.name_of(&target.target), 96));
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
            let cell = grid::cell(target, day, hour);
            let place = Rect::from_min_size(corner, Vec2::new(WIDE, HIGH)).shrink(1.0);
            square(pieces, place, cell.evidence, cell.share);
            if cell.evidence != Evidence::Empty {
                figure(pieces, place, cell.evidence, cell.share);
            }
        }
    }
}

/// A cell as on the screen: known fills its place, thin is striped, what was never watched is an outline.
fn square(pieces: &mut Vec<Piece>, place: Rect, evidence: Evidence, share: f64) {
    let palette = Palette::of(false, false);
    let share = share as f32;
    match evidence {
        Evidence::Known => pieces.push(Piece::Box { place, fill: palette.share(share), line: None }),
        Evidence::Thin => {
            pieces.push(Piece::Box { place, fill: palette.thin(share), line: None });
            let corners = bands(place.size());
            let corners = corners.into_iter().map(|band| band.into_iter().map(|at| place.min + at).collect()).collect();
            pieces.push(Piece::Bands { corners, fill: palette.share(share) });
        }
        Evidence::Empty => {
            pieces.push(Piece::Box {
                place: place.shrink(0.5),
                fill: palette.ground,
                line: Some(palette.control_line),
            });
        }
    }
}

/// The percent in a cell; over stripes they stand on a plate.
fn figure(pieces: &mut Vec<Piece>, place: Rect, evidence: Evidence, share: f64) {
    let palette = Palette::of(false, false);
    let words = grid::percent(share).to_string();
    let ground = if evidence == Evidence::Thin {
        let plate = Rect::from_center_size(place.center(), Vec2::new(8.0 + 6.5 * words.len() as f32, 14.0));
        pieces.push(Piece::Box { place: plate, fill: palette.thin(share as f32), line: None });
        palette.thin(share as f32)
    } else {
        palette.share(share as f32)
    };
    pieces.push(Piece::Text { at: place.center(), align: 0, size: 11.0, color: readable_on(ground), words });
}

/// The legend of the screen.
fn legend(pieces: &mut Vec<Piece>, top: f32, handout: &Handout<'_>) {
    let palette = Palette::of(false, false);
    let middle = top + 8.0;
    let mut x = space::PAGE;
    for step in 0..=10_u8 {
        let place = Rect::from_min_size(Pos2::new(x, top + 2.0), Vec2::new(13.0, 12.0));
        square(pieces, place, Evidence::Known, f64::from(step) / 10.0);
        x += 14.0;
    }
    let mut put = |x: f32, id: &str| {
        let words = handout.tr.text(id);
        let at = Pos2::new(x, middle);
        pieces.push(Piece::Text { at, align: -1, size: 12.0, color: palette.text, words });
    };
    put(x + 6.0, "sheet-legend-ends");
    put(x + 196.0, "sheet-legend-thin");
    put(x + 346.0, "sheet-legend-empty");
    for (at, evidence) in [(x + 172.0, Evidence::Thin), (x + 322.0, Evidence::Empty)] {
        square(pieces, Rect::from_min_size(Pos2::new(at, top), Vec2::splat(16.0)), evidence, 0.9);
    }
}

/// A name that fits.
fn shortened(name: &str, most: usize) -> String {
    let clean: String = name.chars().filter(|sign| !sign.is_control()).collect();
    if clean.chars().count() <= most { clean } else { clean.chars().take(most - 1).chain(['…']).collect() }
}
