//! Draws the week's plan: per day a bar of stretches, each named for the target to use.

use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::model::{Day, Part};
use super::plan::Promise;
use crate::core::outcome::Family;
use crate::ui::screens::heatmap::map;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Palette, Type, palette};

/// Width of the names of days.
const NAMES: f32 = 44.0;
/// Height of a day and of its bar.
const ROW: f32 = 27.0;
const BAR: f32 = 22.0;
/// Height of the hours under the bars.
const AXIS: f32 = 18.0;

/// Height of the whole.
pub const HEIGHT: f32 = ROW * 7.0 + AXIS;

/// Draws it over the width there is.
pub fn ui(ui: &mut Ui, week: &[Day]) {
    let palette = palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut bars = None;
    for day in week {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let name = ui.interact(
            Rect::from_min_size(rect.min, vec2(NAMES, ROW)),
            Id::unique(("sheet-day", &day.name)),
            Sense::hover(),
        );
        name.widget_info(|| WidgetInfo::labeled(Role::Label, true, &day.summary));
        let (color, kind) = if day.is_today { (palette.strong, Type::Strong) } else { (palette.weak, Type::Body) };
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, &day.name, kind.font(), color);
        let bar = Rect::from_min_max(
            pos2(rect.left() + NAMES, rect.center().y - BAR / 2.0),
            pos2(rect.right(), rect.center().y + BAR / 2.0),
        );
        for (index, part) in day.parts.iter().enumerate() {
            stretch(ui, part, bar, Id::unique(("sheet-part", &day.name, index)), palette);
        }
        bars = Some(bar);
    }
    let Some(bar) = bars else { return };
    let (_, axis) = ui.allocate_space(vec2(ui.available_width(), AXIS));
    for hour in (0..=24).step_by(6) {
        let align = match hour {
            0 => Align2::LEFT_CENTER,
            24 => Align2::RIGHT_CENTER,
            _ => Align2::CENTER_CENTER,
        };
        let at = pos2(bar.left() + bar.width() * hour as f32 / 24.0, axis.center().y);
        ui.painter().text(at, align, hour.to_string(), Type::Caption.font(), palette.weak);
    }
}

fn stretch(ui: &mut Ui, part: &Part, bar: Rect, id: Id, palette: &Palette) {
    let x = |minutes: u16| (bar.left() + bar.width() * f32::from(minutes) / 1440.0).round();
    let (left, right) = (x(part.stretch.from), x(part.stretch.to) - 1.0);
    let rect = Rect::from_min_max(pos2(left, bar.top()), pos2(right, bar.bottom()));
    let color = color(part.place, palette);
    let corner = CornerRadius::same(radius::CELL);
    let tint = Palette::tint(palette.card, color, 0.26);
    match part.stretch.promise {
        Promise::Usual => {
            ui.painter().rect_filled(rect, corner, tint);
        }
        Promise::Few => {
            ui.painter().rect_filled(rect, corner, Palette::tint(palette.card, color, 0.08));
            let mut mesh = Mesh::default();
            map::stripes(&mut mesh, rect, tint);
            ui.painter().add(Shape::mesh(mesh));
        }
        // Where nothing is usually free a ground promises less; what was never watched is an outline, as everywhere.
        Promise::Likeliest => {
            ui.painter().rect_filled(rect, corner, palette.hover);
        }
        Promise::Guess => {
            let line = Stroke::new(stroke::HAIR, palette.control_line);
            ui.painter().rect_stroke(rect, corner, line, StrokeKind::Inside);
        }
    }
    let is_sure = part.stretch.promise == Promise::Usual;
    if part.stretch.promise != Promise::Guess {
        let edge = Rect::from_min_max(rect.min, pos2((left + 3.0).min(right), rect.bottom()));
        ui.painter().rect_filled(edge, 0, color);
    }
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &part.words));
    let text = if is_sure { palette.text } else { palette.weak };
    let room = rect.width() - space::BASE - space::SMALL;
    let mut job = egui::text::LayoutJob::simple_singleline(part.name.clone(), Type::Caption.font(), text);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room);
    if room >= 22.0 {
        let galley = ui.painter().layout_job(job);
        let at = pos2(rect.left() + space::BASE, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, text);
    }
    response.on_hover_text(&part.words);
}

/// The last place in the chain with a colour of its own; later ones share it.
pub const LAST_COLOR: usize = 4;

/// The colour of a place in the chain. The first is that of a free cell; the others only have to differ, as all are named.
pub fn color(place: usize, palette: &Palette) -> Color32 {
    match place {
        0 => palette.family(Family::Available),
        1 => palette.accent,
        2 => palette.family(Family::Blocked),
        3 => palette.family(Family::Full),
        _ => palette.weak,
    }
}
