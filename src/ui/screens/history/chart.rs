//! Draws the picture: a lane of states a target, and under it the latency of one.

use std::ops::Range;

use egui::{
    Align2, CornerRadius, CursorIcon, Id, PointerButton, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use egui_plot::{FilledArea, GridMark, Line, Plot, PlotPoints, PlotTransform, Points};

use super::axis::{self, Tick};
use super::lanes::{self, Drawn};
use super::model;
use super::pattern::legend;
use super::range::Act;
use super::view::Scene;
use crate::args;
use crate::core::history::{Answer, Latency};
use crate::core::outcome::Family;
use crate::ui::format;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Palette, Type, palette};
use crate::ui::widgets::name;

/// Least and most height of a lane.
const LANE: Range<f32> = 22.0..46.0;
/// Height of the time axis.
const AXIS: f32 = 22.0;
/// Height of a line of caption.
pub const CAPTION: f32 = 24.0;
/// Least and most height of the latency.
const LATENCY: Range<f32> = 84.0..640.0;
/// Its height where all lanes are in view by that.
const LATENCY_LOW: f32 = 60.0;
/// Room for a mark of the time axis.
const TICK: f32 = 96.0;
/// Between what is shown and the window's edge of the lanes' names.
const NAMES: Range<f32> = 120.0..200.0;

/// The height that the picture would like to have, within `most`.
pub fn height(lanes: usize, most: f32) -> f32 {
    let fixed = CAPTION + AXIS + CAPTION + LATENCY.start;
    (fixed + lanes as f32 * LANE.start + 90.0).min(most).max(fixed + LANE.start)
}

/// The picture's own id: with its focus, keys move it.
pub fn id() -> Id {
    Id::unique("history-picture")
}

/// Draws it over the width there is and `height` points, for what is in `view`; answers with what the user did, and with
/// the number of pixels across.
pub fn ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    answer: &Answer,
    (view, height): (&Range<i64>, f32),
    drawn: &mut Drawn,
) -> (Vec<Act>, u32) {
    let mut acts = Vec::new();
    captions(ui, scene);
    let (_, room) = ui.allocate_space(vec2(ui.available_width(), height - CAPTION));
    let names = names_width(ui, scene, room.width());
    let count = scene.model.lanes.len().max(1) as f32;
    let least = (room.height() - AXIS - CAPTION - count * LANE.start).floor();
    let least = if least >= LATENCY_LOW { least.min(LATENCY.start) } else { LATENCY.start };
    // The lanes get half of what is left over, and the latency the rest.
    let spare = room.height() - AXIS - CAPTION - least - count * LANE.start;
    let lane = (LANE.start + (spare / 2.0 / count).max(0.0)).min(LANE.end).floor();
    let all = count * lane;
    let above = (room.height() - AXIS - CAPTION - least).min(all).max(lane);
    let latency = (room.height() - AXIS - CAPTION - above).clamp(least, LATENCY.end);
    let left = (room.left() + names).round();
    let part = |top: f32, height: f32| Rect::from_min_size(pos2(left, top), vec2(room.right() - left, height));
    let lanes_rect = part(room.top(), above);
    let axis_rect = part(lanes_rect.bottom(), AXIS);
    let latency_rect = part(axis_rect.bottom() + CAPTION + space::SMALL, latency - space::SMALL);

    let most = (lanes_rect.width() / TICK).max(1.0) as u32;
    let ticks = axis::ticks(view, scene.zone, most, scene.tr);
    let frame = Frame { view, ticks: &ticks, left: room.left(), lane };
    let offset = lanes::ui(ui, scene, answer, &frame, (lanes_rect, drawn), &mut acts);
    axis_ui(ui, &frame, axis_rect);
    latency_ui(ui, scene, answer, &frame, latency_rect);

    let whole = Rect::from_min_max(lanes_rect.min, latency_rect.max);
    let response = ui.interact(whole, id(), Sense::click_and_drag());
    let words = model::view_words(view, false, scene.now, scene.zone, scene.tr);
    let name = scene.tr.with("history-picture", &args!("n" => scene.model.lanes.len(), "range" => words));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    if response.has_focus() {
        let line = Stroke::new(stroke::FOCUS, palette(ui).accent);
        ui.painter().rect_stroke(whole.expand(2.0), CornerRadius::same(radius::CELL), line, StrokeKind::Outside);
    }
    pointer(ui, &frame, &response, all > above, &mut acts);
    hover(ui, scene, answer, &frame, (lanes_rect, offset, latency_rect), response, &mut acts);
    let pixels = (lanes_rect.width() * ui.pixels_per_point()).max(1.0) as u32;
    (acts, pixels)
}

/// Room for the names of lanes: what the widest needs, within bounds.
fn names_width(ui: &Ui, scene: &Scene<'_>, room: f32) -> f32 {
    let widest = scene.model.lanes.iter().map(|lane| Type::Strong.width(ui, &lane.name)).fold(0.0, f32::max);
    (widest + space::WIDE).ceil().clamp(NAMES.start, NAMES.end.max((room * 0.28).floor()))
}

/// What every part of the picture shares.
pub(super) struct Frame<'a> {
    pub view: &'a Range<i64>,
    pub ticks: &'a [Tick],
    /// The left edge of the names of lanes.
    pub left: f32,
    /// Height of a lane.
    pub lane: f32,
}

impl Frame<'_> {
    /// The place of a moment between a rectangle's edges.
    fn x(&self, rect: Rect, at: i64) -> f32 {
        let share = (at - self.view.start) as f64 / (self.view.end - self.view.start) as f64;
        rect.left() + (f64::from(rect.width()) * share) as f32
    }

    /// The moment at a place.
    fn at(&self, rect: Rect, x: f32) -> i64 {
        let share = f64::from((x - rect.left()) / rect.width());
        self.view.start + ((self.view.end - self.view.start) as f64 * share) as i64
    }

    /// An empty plot over the view, with the grid of the time axis, without any movement of its own.
    pub fn plot(&self, id: &'static str, rect: Rect, palette: &Palette) -> Plot<'_> {
        let step = (self.view.end - self.view.start) as f64;
        let marks: Vec<GridMark> =
            self.ticks.iter().map(|tick| GridMark { value: tick.at as f64, step_size: step }).collect();
        Plot::new(id)
            .width(rect.width())
            .height(rect.height())
            .show_axes(false)
            .show_background(false)
            .show_x(false)
            .show_y(false)
            .show_crosshair(false)
            .allow_zoom(false)
            .allow_drag(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .allow_axis_zoom_drag(false)
            .sense(Sense::hover())
            .grid_color(palette.line)
            .grid_fade(0.0)
            .x_grid_spacer(move |_| marks.clone())
    }
}

/// The key of colours and patterns.
fn captions(ui: &mut Ui, scene: &Scene<'_>) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), CAPTION));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).layout(egui::Layout::left_to_right(egui::Align::Center)));
    ui.spacing_mut().item_spacing.x = space::LARGE;
    for (family, id) in [
        (Some(Family::Available), "history-legend-free"),
        (Some(Family::Full), "history-legend-full"),
        (Some(Family::Fault), "history-legend-fault"),
        (Some(Family::Limited), "history-legend-limited"),
        (Some(Family::Blocked), "history-legend-blocked"),
        (None, "history-legend-gap"),
    ] {
        legend(&mut ui, family, &scene.tr.text(id));
    }
}

fn axis_ui(ui: &Ui, frame: &Frame<'_>, rect: Rect) {
    let palette = palette(ui);
    let mut free = rect.left() - space::SMALL;
    for tick in frame.ticks {
        let x = frame.x(rect, tick.at);
        let color = if tick.is_major { palette.text } else { palette.weak };
        let galley = ui.painter().layout_no_wrap(tick.label.clone(), Type::Caption.font(), color);
        let half = galley.size().x / 2.0;
        // A word at an edge moves a little aside; one that would stand on another is left out, and its line stays.
        let left = (x - half).max(rect.left()).min(rect.right() - 2.0 * half);
        if left < free {
            continue;
        }
        free = left + 2.0 * half + space::BASE;
        ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color);
    }
}

fn latency_ui(ui: &mut Ui, scene: &Scene<'_>, answer: &Answer, frame: &Frame<'_>, rect: Rect) {
    let palette = palette(ui);
    let name = scene.model.focus.map(|index| scene.model.lanes[index].name.clone()).unwrap_or_default();
    let titled = |name: &str| scene.tr.with("history-latency-title", &args!("name" => name));
    let at = pos2(frame.left + space::BASE, rect.top() - space::SMALL - CAPTION / 2.0);
    let room = rect.right() - at.x - Type::Strong.width(ui, titled(""));
    let shown = name::cut(ui, Type::Strong, &name, room);
    let title = titled(shown.as_deref().unwrap_or(&name));
    let title = ui.painter().layout_no_wrap(title, Type::Strong.font(), palette.text);
    let words = scene.tr.text("history-latency-legend");
    let key = ui.painter().layout_no_wrap(words, Type::Caption.font(), palette.weak);
    let has_room = title.size().x + key.size().x + 64.0 < rect.right() - at.x;
    if has_room {
        let left = rect.right() - key.size().x;
        let swatch = Rect::from_min_size(pos2(left - 28.0, at.y - 5.0), vec2(20.0, 10.0));
        ui.painter().rect_filled(swatch, 0, band_color(palette));
        ui.painter().hline(swatch.x_range(), swatch.center().y, Stroke::new(stroke::MARK, palette.accent));
        ui.painter().galley(pos2(left, at.y - key.size().y / 2.0), key, palette.weak);
    }
    ui.painter().galley(pos2(at.x, at.y - title.size().y / 2.0), title, palette.text);

    let (marks, top) = axis::latency_ticks(scene.model.slowest);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    let values = marks.clone();
    let plot = frame
        .plot("history-latency", rect, palette)
        .y_grid_spacer(move |_| values.iter().map(|value| GridMark { value: *value, step_size: top }).collect());
    let grid = answer.query.latency_grid();
    let middle = |index: usize| {
        let time = grid.cell(index);
        (time.start + (time.end - time.start) / 2) as f64
    };
    let shown = plot.show(&mut child, |plot| {
        plot.set_plot_bounds_x(frame.view.start as f64..=frame.view.end as f64);
        plot.set_plot_bounds_y(0.0..=top);
        // What is in view and a cell on either side, to which a line may lead.
        let first = grid.at_or_after(frame.view.start).unwrap_or(grid.len()).saturating_sub(1);
        let end = grid.find(frame.view.end).map_or(grid.len(), |index| (index + 2).min(grid.len()));
        for stretch in &scene.model.stretches {
            let before = answer.latency[stretch.start..first.clamp(stretch.start, stretch.end)]
                .iter()
                .rposition(Option::is_some);
            let stretch = stretch.start + before.unwrap_or(0)..stretch.end;
            let after =
                answer.latency[end.clamp(stretch.start, stretch.end)..stretch.end].iter().position(Option::is_some);
            let stretch = stretch.start..after.map_or(stretch.end, |after| end.max(stretch.start) + after + 1);
            if grid.cell(stretch.end - 1).end <= frame.view.start || grid.cell(stretch.start).start >= frame.view.end {
                continue;
            }
            let cells =
                || stretch.clone().filter_map(|index| Some((middle(index), answer.latency.get(index)?.as_ref()?)));
            let xs: Vec<f64> = cells().map(|(x, _)| x).collect();
            let of = |value: fn(&Latency) -> f64| cells().map(|(_, latency)| value(latency)).collect::<Vec<f64>>();
            let (low, high) = (of(|latency| latency.low), of(|latency| latency.high));
            let points = |values: &[f64]| PlotPoints::from_iter(xs.iter().zip(values).map(|(x, y)| [*x, *y]));
            let median = of(|latency| latency.median);
            if xs.len() > 1 {
                plot.add(FilledArea::new("", &xs, &low, &high).fill_color(band_color(palette)).allow_hover(false));
                plot.line(Line::new("", points(&median)).color(palette.accent).width(stroke::MARK).allow_hover(false));
            } else {
                plot.points(Points::new("", points(&median)).color(palette.accent).radius(2.0).allow_hover(false));
            }
        }
    });
    y_axis(ui, scene, &shown.transform, &marks, rect);
    beyond(ui, scene, answer, frame, rect);
    if scene.model.stretches.is_empty() && scene.model.focus.is_some() {
        let words = scene.tr.with("history-latency-none", &args!("name" => name));
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, words, Type::Body.font(), palette.weak);
    }
}

/// Small triangles at the top where the latency goes on above the picture, and how far it goes.
fn beyond(ui: &Ui, scene: &Scene<'_>, answer: &Answer, frame: &Frame<'_>, rect: Rect) {
    let Some(most) = scene.model.beyond else { return };
    let palette = palette(ui);
    let (_, top) = axis::latency_ticks(scene.model.slowest);
    let grid = answer.query.latency_grid();
    let cells = answer.latency.iter().enumerate().filter_map(|(index, cell)| Some((grid.cell(index), cell.as_ref()?)));
    for (time, _) in cells.filter(|(_, latency)| latency.high > top) {
        let x = frame.x(rect, time.start + (time.end - time.start) / 2);
        if rect.x_range().contains(x) {
            triangle(ui, pos2(x, rect.top() + 1.0));
        }
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a probe")]
    let words = scene.tr.with("history-latency-beyond", &args!("most" => format::latency(most as u32, scene.tr)));
    let galley = ui.painter().layout_no_wrap(words, Type::Caption.font(), palette.weak);
    let at = pos2(rect.right() - galley.size().x - space::SMALL, rect.top() + 10.0);
    let behind = Rect::from_min_size(at, galley.size()).expand2(vec2(space::SMALL, 0.0));
    ui.painter().rect_filled(behind.with_min_x(behind.left() - space::MEDIUM), 0, palette.ground);
    triangle(ui, pos2(at.x - space::BASE, behind.center().y - 3.0));
    ui.painter().galley(at, galley, palette.weak);
}

/// A small triangle that points up to its tip.
fn triangle(ui: &Ui, tip: egui::Pos2) {
    let corners = vec![tip, tip + vec2(4.0, 6.0), tip + vec2(-4.0, 6.0)];
    ui.painter().add(Shape::convex_polygon(corners, palette(ui).accent, Stroke::NONE));
}

fn band_color(palette: &Palette) -> egui::Color32 {
    palette.accent.gamma_multiply(0.25)
}

fn y_axis(ui: &Ui, scene: &Scene<'_>, transform: &PlotTransform, marks: &[f64], rect: Rect) {
    let palette = palette(ui);
    for mark in marks {
        let y = transform.position_from_point_y(*mark);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a probe")]
        let words = if *mark == 0.0 { "0".to_owned() } else { format::latency(*mark as u32, scene.tr) };
        let y = y.clamp(rect.top() + space::SMALL, rect.bottom() - space::SMALL);
        let at = pos2(rect.left() - space::BASE, y);
        ui.painter().text(at, Align2::RIGHT_CENTER, words, Type::Caption.font(), palette.weak);
    }
}

/// Dragging moves, the wheel zooms or moves, the second button chooses a range, a double click zooms in.
fn pointer(ui: &Ui, frame: &Frame<'_>, response: &Response, lanes_scroll: bool, acts: &mut Vec<Act>) {
    let rect = response.rect;
    let place = |x: f32| f64::from(((x - rect.left()) / rect.width()).clamp(0.0, 1.0));
    if response.dragged_by(PointerButton::Primary) {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let part = f64::from(response.drag_delta().x / rect.width());
        if part != 0.0 {
            acts.push(Act::Pan(-part));
        }
    }
    let from = Id::unique("history-choosing");
    if response.drag_started_by(PointerButton::Secondary)
        && let Some(at) = response.interact_pointer_pos()
    {
        ui.data_mut(|data| data.insert_temp(from, at.x));
    }
    if let (Some(start), Some(at)) = (ui.data(|data| data.get_temp::<f32>(from)), response.interact_pointer_pos()) {
        let (left, right) = (start.min(at.x).max(rect.left()), start.max(at.x).min(rect.right()));
        let chosen = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        ui.painter().rect_filled(chosen, 0, palette(ui).accent.gamma_multiply(0.2));
        if response.drag_stopped() {
            ui.data_mut(|data| data.remove::<f32>(from));
            if right - left > 4.0 {
                acts.push(Act::Show(frame.at(rect, left)..frame.at(rect, right)));
            }
        }
    }
    let Some(at) = response.hover_pos() else { return };
    if response.double_clicked() {
        acts.push(Act::Zoom(0.5, place(at.x)));
    }
    let (scroll, zoom) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    if (zoom - 1.0).abs() > 1e-3 {
        acts.push(Act::Zoom(f64::from(1.0 / zoom), place(at.x)));
    } else if scroll.x.abs() > scroll.y.abs() {
        acts.push(Act::Pan(f64::from(-scroll.x / rect.width())));
    } else if scroll.y != 0.0 && !(lanes_scroll && at.y < rect.bottom() - LATENCY.start - CAPTION - AXIS) {
        acts.push(Act::Zoom((-f64::from(scroll.y) / 240.0).exp(), place(at.x)));
    }
}

/// The exact figures under the pointer; a click on a lane shows its latency.
fn hover(
    ui: &Ui,
    scene: &Scene<'_>,
    answer: &Answer,
    frame: &Frame<'_>,
    (lanes, offset, latency): (Rect, f32, Rect),
    response: Response,
    acts: &mut Vec<Act>,
) {
    let Some(at) = response.hover_pos() else { return };
    let palette = palette(ui);
    let line = Stroke::new(stroke::HAIR, palette.weak);
    ui.painter().vline(at.x, lanes.y_range(), line);
    ui.painter().vline(at.x, latency.y_range(), line);
    let grid = answer.query.grid();
    let moment = frame.at(lanes, at.x);
    let (zone, now, tr) = (scene.zone, scene.now, scene.tr);
    let mut words: Option<(String, Vec<String>)> = None;
    if lanes.contains(at) {
        let index = ((at.y - lanes.top() + offset) / frame.lane).max(0.0) as usize;
        let Some(lane) = scene.model.lanes.get(index) else { return };
        if response.clicked() {
            acts.push(Act::Focus(lane.target.clone()));
        }
        if let Some((cell, time)) =
            grid.find(moment).and_then(|cell| Some((answer.lanes.get(lane.index)?.cells.get(cell)?, grid.cell(cell))))
        {
            words = Some((lane.name.clone(), model::cell_words(cell, &time, now, zone, tr)));
        }
    } else if latency.contains(at) {
        // The nearest within a few pixels: a line between two far points has no figures of its own.
        let grid = answer.query.latency_grid();
        let reach = frame.at(lanes, at.x + 6.0) - moment;
        let near =
            answer.latency.iter().enumerate().filter_map(|(index, cell)| Some((grid.cell(index), cell.as_ref()?)));
        let away = |time: &Range<i64>| (time.start + (time.end - time.start) / 2 - moment).abs();
        let near = near.filter(|(time, _)| time.contains(&moment) || away(time) <= reach);
        if let (Some((time, latency)), Some(index)) = (near.min_by_key(|(time, _)| away(time)), scene.model.focus) {
            let name = scene.model.lanes[index].name.clone();
            words = Some((name, model::latency_words(latency, &time, now, zone, tr)));
        }
    }
    if let Some((name, words)) = words {
        response.on_hover_ui_at_pointer(|ui| {
            ui.spacing_mut().item_spacing.y = space::TINY;
            ui.label(Type::Strong.text(name));
            for line in words {
                ui.label(Type::Caption.text(line));
            }
        });
    }
}
