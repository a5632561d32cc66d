//! Draws the day of each target as a ribbon.

use std::ops::RangeInclusive;

use egui::{
    Align, Align2, Id, Label, Layout, Mesh, Rect, Role, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::model::{Model, QUARTERS, Ribbon};
use super::words::minutes;
use crate::args;
use crate::i18n::Tr;
use crate::ui::screens::heatmap::map;
use crate::ui::screens::heatmap::model::Ink;
use crate::ui::screens::sheet::words::percent;
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Palette, Type, palette};
use crate::ui::widgets::name;

/// Most width of the notes.
const NOTES: f32 = 148.0;
/// Least and most height of a row, and what of it is not the ribbon.
const ROW: RangeInclusive<f32> = 30.0..=44.0;
const BETWEEN: f32 = 10.0;
/// Height of the hours under the ribbons.
const AXIS: f32 = 20.0;

/// Names are written larger than in the maps.
const WIDER: f32 = 14.0 / 12.0;

/// The least height of so many.
pub fn height(count: usize) -> f32 {
    ROW.start() * count as f32 + AXIS
}

/// Draws the ribbons with their hours over about `room` points of height; a click on one answers its place.
pub fn ui(ui: &mut Ui, model: &Model, room: f32, tr: &Tr) -> Option<usize> {
    let high = ((room - AXIS) / model.ribbons.len().max(1) as f32).floor().clamp(*ROW.start(), *ROW.end());
    let palette = palette(ui);
    let mut clicked = None;
    let mut across = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let most = ui.available_width();
    let names = map::names_width(ui, model.ribbons.iter().map(|ribbon| &*ribbon.name), most) * WIDER;
    let wide = |ribbon: &Ribbon| Type::Body.width(ui, &ribbon.note);
    let notes = model.ribbons.iter().map(wide).fold(0.0, f32::max).ceil() + space::MEDIUM;
    let notes_width = notes.min(NOTES);
    for (index, ribbon) in model.ribbons.iter().enumerate() {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), high));
        let response = ui.interact(rect, Id::unique(("sheet-ribbon", &ribbon.target)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &ribbon.summary));
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect.expand2(vec2(space::SMALL, 0.0)), radius::CONTROL, palette.hover);
        }
        let name = Rect::from_min_max(rect.min, pos2(rect.left() + names - space::BASE, rect.bottom()));
        let notes = Rect::from_min_max(pos2(rect.right() - notes_width + space::MEDIUM, rect.top()), rect.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(name).layout(Layout::left_to_right(Align::Center)));
        name::name(&mut child, Type::Strong, &ribbon.name, palette.strong);
        label(ui, notes, &ribbon.note, palette.weak, Type::Body);
        let room = rect.width() - names - notes_width;
        let width = room / QUARTERS as f32;
        let thick = high - BETWEEN;
        let top = rect.center().y - thick / 2.0;
        let band = Rect::from_min_size(pos2((rect.left() + names).round(), top.round()), vec2(room, thick));
        ui.painter().add(Shape::mesh(mesh(ribbon, band, ui.pixels_per_point(), palette)));
        let place =
            response.hover_pos().filter(|pos| band.contains(*pos)).map(|pos| ((pos.x - band.left()) / width) as usize);
        if response.clicked() {
            clicked = Some(index);
        }
        if let Some(place) = place.filter(|place| *place < QUARTERS) {
            response.on_hover_text_at_pointer(quarter(ribbon, place, tr));
        }
        across = Some(across.map_or(band, |all: Rect| all.union(band)));
    }
    let Some(across) = across else { return clicked };
    if let Some(now) = model.now {
        let x = across.left() + across.width() * now;
        for (width, color) in [(4.0, palette.card), (stroke::FOCUS, palette.strong)] {
            ui.painter().vline(x, across.top() - 3.0..=across.bottom() + 3.0, Stroke::new(width, color));
        }
    }
    let (_, axis) = ui.allocate_space(vec2(ui.available_width(), AXIS));
    for hour in (0..=24).step_by(3) {
        let x = across.left() + across.width() * hour as f32 / 24.0;
        let align = match hour {
            0 => Align2::LEFT_CENTER,
            24 => Align2::RIGHT_CENTER,
            _ => Align2::CENTER_CENTER,
        };
        ui.painter().text(pos2(x, axis.center().y), align, hour.to_string(), Type::Caption.font(), palette.weak);
    }
    clicked
}

fn label(ui: &mut Ui, rect: Rect, text: &str, color: egui::Color32, kind: Type) {
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    let mut child = ui.new_child(builder);
    child.spacing_mut().interact_size.y = size::HIT;
    child.add(Label::new(kind.text(text).color(color)).truncate().selectable(false));
}

fn quarter(ribbon: &Ribbon, place: usize, tr: &Tr) -> String {
    let at = (place * 15) as u16;
    let (from, to) = (minutes(at), minutes(at + 15));
    match ribbon.cells[place] {
        Ink::Known(share) => {
            tr.with("sheet-quarter", &args!("from" => from, "to" => to, "percent" => percent(f64::from(share))))
        }
        Ink::Thin(share) => {
            tr.with("sheet-quarter-thin", &args!("from" => from, "to" => to, "percent" => percent(f64::from(share))))
        }
        Ink::Empty | Ink::Blank => tr.with("sheet-quarter-empty", &args!("from" => from, "to" => to)),
    }
}

/// Known quarters fill the band. Evidence is by the hour, and so thin and unwatched hours are drawn as in every map.
fn mesh(ribbon: &Ribbon, band: Rect, scale: f32, palette: &Palette) -> Mesh {
    let width = band.width() / QUARTERS as f32;
    let snap = |at: f32| (at * scale).round() / scale;
    let mut mesh = Mesh::default();
    for (hour, inks) in ribbon.cells.chunks(4).enumerate() {
        let edge = |quarter: usize| snap(band.left() + width * (hour * 4 + quarter) as f32);
        let part = |from: usize, to: usize, gap: f32| {
            Rect::from_min_max(pos2(edge(from), band.top()), pos2(edge(to) - gap, band.bottom()))
        };
        let mean = || {
            let shares = inks.iter().filter_map(|ink| if let Ink::Thin(share) = ink { Some(*share) } else { None });
            shares.sum::<f32>() / inks.len() as f32
        };
        match inks[0] {
            Ink::Known(_) => {
                for (quarter, ink) in inks.iter().enumerate() {
                    map::cell(&mut mesh, *ink, part(quarter, quarter + 1, 0.0), palette);
                }
            }
            Ink::Thin(_) => map::cell(&mut mesh, Ink::Thin(mean()), part(0, 4, 1.0), palette),
            Ink::Empty | Ink::Blank => map::cell(&mut mesh, Ink::Empty, part(0, 4, 1.0), palette),
        }
    }
    mesh
}
