//! The last 24 hours of a target as 96 quarter hours, painted as one mesh.
//!
//! Full height is what counts as vacancy: the free share from below, the family over it. Half height is what the user's
//! account, key or network said, which tells nothing of the model, on the shade of a gap, which is what it is for the
//! model's vacancy. A gap is a shade off the ground, never a colour.

use egui::{Color32, Mesh, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};
use jiff::SignedDuration;
use jiff::tz::TimeZone;

use crate::args;
use crate::core::outcome::Family;
use crate::engine::snapshot::{STRIP_CELLS, Strip, StripCell};
use crate::i18n::Tr;
use crate::ui::theme::tokens::stroke;
use crate::ui::theme::{Palette, Type, palette};

const QUARTER: SignedDuration = SignedDuration::from_mins(15);

/// Paints `strip` over `width` × `height` points. `name` is the target's name, for the accessible summary; times are
/// shown in `zone`.
pub fn strip(ui: &mut Ui, strip: &Strip, name: &str, size: Vec2, zone: &TimeZone, tr: &Tr) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let pitch = pitch(size.x, ui.pixels_per_point());
    let index = response.hover_pos().and_then(|pos| cell_at(rect.left(), pitch, pos.x));
    if ui.is_rect_visible(rect) {
        let palette = palette(ui);
        ui.painter().add(Shape::mesh(mesh(strip, rect, pitch, palette, ui.pixels_per_point())));
        if let Some(index) = index {
            let cell =
                Rect::from_min_size(pos2(rect.left() + pitch * index as f32, rect.top()), Vec2::new(pitch, size.y));
            let line = Stroke::new(stroke::MARK, palette.strong);
            ui.painter().rect_stroke(cell.expand(1.0), 0, line, StrokeKind::Outside);
        }
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, summary(strip, name, tr)));
    match index {
        Some(index) => response.on_hover_ui_at_pointer(|ui| {
            ui.label(Type::Caption.text(cell_text(strip, index, zone, tr)));
        }),
        None => response,
    }
}

/// What the strip says in words: the share of the watched time in which the model was free, and how much was watched.
pub fn summary(strip: &Strip, name: &str, tr: &Tr) -> String {
    let counted = || strip.cells.iter().filter(|cell| is_vacancy(cell));
    let watched = counted().count();
    let samples: u32 = strip.cells.iter().map(|cell| cell.samples).sum();
    if watched == 0 {
        return tr.with("widgets-strip-empty", &args!("name" => name, "samples" => samples));
    }
    let share = counted().map(|cell| cell.free_share).sum::<f32>() / watched as f32;
    let percent = (share * 100.0).round() as u32;
    tr.with("widgets-strip-summary", &args!("name" => name, "percent" => percent, "samples" => samples))
}

/// One quarter hour in words.
fn cell_text(strip: &Strip, index: usize, zone: &TimeZone, tr: &Tr) -> String {
    let start = strip.start + QUARTER * index as i32;
    let clock = |at: jiff::Timestamp| at.to_zoned_datetime(zone.clone()).strftime("%H:%M").to_string();
    let (from, to) = (clock(start), clock(start + QUARTER));
    let Some((cell, family)) = strip.cells.get(index).and_then(|cell| cell.family.map(|family| (cell, family))) else {
        return tr.with("widgets-strip-gap", &args!("from" => from, "to" => to));
    };
    let word = tr.text(&format!("family-{}", family.name()));
    let args = args!(
        "from" => from,
        "to" => to,
        "word" => word,
        "percent" => (cell.free_share * 100.0).round() as u32,
        "samples" => cell.samples,
    );
    tr.with(if is_vacancy(cell) { "widgets-strip-cell" } else { "widgets-strip-account" }, &args)
}

/// Whether the cell says something about the model's vacancy.
fn is_vacancy(cell: &StripCell) -> bool {
    matches!(cell.family, Some(Family::Available | Family::Full | Family::Fault))
}

/// Points from cell to cell: whole pixels, so that all cells are equally wide, unless there is no room for that.
fn pitch(width: f32, pixels_per_point: f32) -> f32 {
    let pixels = width * pixels_per_point / STRIP_CELLS as f32;
    if pixels < 2.0 { width / STRIP_CELLS as f32 } else { pixels.floor() / pixels_per_point }
}

fn cell_at(left: f32, pitch: f32, x: f32) -> Option<usize> {
    let index = ((x - left) / pitch).floor();
    (0.0..STRIP_CELLS as f32).contains(&index).then_some(index as usize)
}

/// The strip as one mesh. Edges lie on whole pixels, so that no cell is blurred.
fn mesh(strip: &Strip, rect: Rect, pitch: f32, palette: &Palette, pixels_per_point: f32) -> Mesh {
    let snap = |x: f32| (x * pixels_per_point).round() / pixels_per_point;
    // A gap of a third of the pitch. Below three pixels it would take half of the light: then only hours stand apart.
    let is_narrow = pitch * pixels_per_point < 2.9;
    // With small text a pixel is more than a point.
    let pixel = 1.0 / pixels_per_point;
    let gap = (pitch / 3.0).clamp(pixel, pixel.max(1.0));
    let first = strip.start.as_second().div_euclid(QUARTER.as_secs());
    let mut mesh = Mesh::default();
    let mut fill = |left: f32, right: f32, top: f32, bottom: f32, color: Color32| {
        mesh.add_colored_rect(Rect::from_min_max(pos2(left, snap(top)), pos2(right, snap(bottom))), color);
    };
    for (index, cell) in strip.cells.iter().enumerate() {
        let is_hour_end = (first + index as i64).rem_euclid(4) == 3;
        let gap = if is_narrow && !is_hour_end { 0.0 } else { gap };
        let left = snap(rect.left() + pitch * index as f32);
        let right = (snap(rect.left() + pitch * (index + 1) as f32) - gap).max(left + 1.0 / pixels_per_point);
        let middle = rect.center().y;
        match cell.family {
            None => fill(left, right, rect.top(), rect.bottom(), palette.gap),
            Some(family @ (Family::Available | Family::Full | Family::Fault)) => {
                let split = rect.bottom() - rect.height() * cell.free_share.clamp(0.0, 1.0);
                // Time that was not free inside a mostly free quarter hour: which family is not known here.
                let over = match family {
                    Family::Available => Palette::tint(palette.card, palette.weak, 0.4),
                    other => palette.family(other),
                };
                fill(left, right, rect.top(), split, over);
                fill(left, right, split, rect.bottom(), palette.family(Family::Available));
            }
            Some(family) => {
                let quarter = rect.height() / 4.0;
                fill(left, right, rect.top(), rect.bottom(), palette.gap);
                fill(left, right, middle - quarter, middle + quarter, palette.family(family));
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::i18n::Lang;

    fn day(cell: impl Fn(usize) -> StripCell) -> Strip {
        Strip { start: Timestamp::UNIX_EPOCH, cells: (0..STRIP_CELLS).map(cell).collect() }
    }

    #[test]
    fn the_summary_leaves_out_what_says_nothing_of_the_model() {
        let strip = day(|index| match index {
            0..48 => StripCell { family: Some(Family::Available), free_share: 1.0, samples: 1 },
            48..64 => StripCell { family: Some(Family::Full), free_share: 0.0, samples: 2 },
            64..80 => StripCell { family: Some(Family::Limited), free_share: 0.0, samples: 1 },
            _ => StripCell::default(),
        });
        let text = summary(&strip, "Luna", &Tr::new(Lang::English));
        assert_eq!(text, "Luna, last 24 hours: free 75 % of the watched time, 96 samples");
    }

    #[test]
    fn a_day_without_evidence_claims_nothing() {
        let text = summary(&day(|_| StripCell::default()), "Luna", &Tr::new(Lang::English));
        assert_eq!(text, "Luna, last 24 hours: no evidence, 0 samples");
    }

    #[test]
    fn a_quarter_hour_is_named_in_local_time_with_its_n() {
        let strip = day(|_| StripCell { family: Some(Family::Full), free_share: 0.25, samples: 3 });
        let zone = TimeZone::get("Asia/Kathmandu").unwrap_or(TimeZone::UTC);
        let text = cell_text(&strip, 1, &zone, &Tr::new(Lang::English));
        assert_eq!(text, "05:45–06:00: Full, free 25 % of the time, 3 samples");
    }

    #[test]
    fn the_pointer_finds_its_cell() {
        let cases = [(9.9, None), (10.0, Some(0)), (12.1, Some(1)), (201.9, Some(95)), (202.0, None)];
        for (x, index) in cases {
            assert_eq!(cell_at(10.0, 2.0, x), index, "{x}");
        }
    }

    #[test]
    fn cells_are_whole_pixels_where_there_is_room() {
        for (width, scale, expected) in
            [(288.0, 1.0, 3.0), (380.0, 1.0, 3.0), (240.0, 2.0, 2.5), (100.0, 1.0, 100.0 / 96.0)]
        {
            assert_eq!(pitch(width, scale), expected, "{width} at {scale}");
        }
    }
}
