//! Draws the picture: a lane of states a target, and under it the latency of one.

use std::ops::Range;

use egui::{
    Align2, CornerRadius, CursorIcon, Id, PointerButton, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use egui_plot::{FilledArea, GridMark, Line, Plot, PlotPoints, PlotTransform, Points};

use super::axis::{self, Tick};
use super::model::{self, Lane, PARTS};
use super::pattern::{Brush, Pattern, legend};
use super::range::Act;
use super::view::Scene;
use crate::args;
use crate::core::history::{Answer, Latency};
use crate::core::outcome::Family;
use crate::ui::format;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Palette, Type, palette};

/// Least and most height of a lane.
const LANE: Range<f32> = 22.0..40.0;
/// What of a lane is not its band of states: the account's own refusals, and air.
const AROUND: f32 = 9.0;
/// Height of the line of the account's own refusals, under the band.
const OWN: f32 = 3.0;
/// Height of the time axis.
const AXIS: f32 = 22.0;
/// Height of a line of caption.
const CAPTION: f32 = 24.0;
/// Least and most height of the latency.
const LATENCY: Range<f32> = 84.0..400.0;
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
pub fn ui(ui: &mut Ui, scene: &Scene<'_>, answer: &Answer, view: &Range<i64>, height: f32) -> (Vec<Act>, u32) {
    let mut acts = Vec::new();
    captions(ui, scene);
    let (_, room) = ui.allocate_space(vec2(ui.available_width(), height - CAPTION));
    let names = (room.width() * 0.2).clamp(NAMES.start, NAMES.end);
    let count = scene.model.lanes.len().max(1) as f32;
    // The lanes get half of what is left over, and the latency the rest.
    let spare = room.height() - AXIS - CAPTION - LATENCY.start - count * LANE.start;
    let lane = (LANE.start + (spare / 2.0 / count).max(0.0)).min(LANE.end).floor();
    let lanes = count * lane;
    let above = (room.height() - AXIS - CAPTION - LATENCY.start).min(lanes).max(lane);
    let latency = (room.height() - AXIS - CAPTION - above).clamp(LATENCY.start, LATENCY.end);
    let left = (room.left() + names).round();
    let part = |top: f32, height: f32| Rect::from_min_size(pos2(left, top), vec2(room.right() - left, height));
    let lanes_rect = part(room.top(), above);
    let axis_rect = part(lanes_rect.bottom(), AXIS);
    let latency_rect = part(axis_rect.bottom() + CAPTION + space::SMALL, latency - space::SMALL);

    let most = (lanes_rect.width() / TICK).max(1.0) as u32;
    let ticks = axis::ticks(view, scene.zone, most, scene.tr);
    let frame = Frame { view, ticks: &ticks, left: room.left(), lane };
    let offset = lanes_ui(ui, scene, answer, &frame, lanes_rect, &mut acts);
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
    pointer(ui, &frame, &response, lanes > above, &mut acts);
    hover(ui, scene, answer, &frame, (lanes_rect, offset, latency_rect), response, &mut acts);
    let pixels = (lanes_rect.width() * ui.pixels_per_point()).max(1.0) as u32;
    (acts, pixels)
}

/// What every part of the picture shares.
struct Frame<'a> {
    view: &'a Range<i64>,
    ticks: &'a [Tick],
    left: f32,
    lane: f32,
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
    fn plot(&self, id: &'static str, rect: Rect, palette: &Palette) -> Plot<'_> {
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

/// The lanes with their names; how far they are scrolled.
fn lanes_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    answer: &Answer,
    frame: &Frame<'_>,
    rect: Rect,
    acts: &mut Vec<Act>,
) -> f32 {
    let palette = palette(ui);
    let whole = Rect::from_min_max(pos2(frame.left, rect.top()), rect.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(whole));
    child.shrink_clip_rect(whole.expand(1.0));
    let area = ScrollArea::vertical().id_salt("history-lanes").auto_shrink([false, false]);
    let lanes = &scene.model.lanes;
    let shown = area.show(&mut child, |ui| {
        let (_, all) = ui.allocate_space(vec2(whole.width(), lanes.len() as f32 * frame.lane));
        let plot_rect = Rect::from_min_max(pos2(rect.left(), all.top()), pos2(rect.right(), all.bottom()));
        for (index, lane) in lanes.iter().enumerate() {
            let top = all.top() + index as f32 * frame.lane;
            let name =
                Rect::from_min_size(pos2(frame.left, top), vec2(rect.left() - frame.left - space::BASE, frame.lane));
            if ui.is_rect_visible(name) && name_ui(ui, lane, name, scene.model.focus == Some(index)) {
                acts.push(Act::Focus(lane.target.clone()));
            }
        }
        let mut plot_ui = ui.new_child(UiBuilder::new().max_rect(plot_rect));
        let plot = frame.plot("history-states", plot_rect, palette).show_grid([true, false]);
        plot.show(&mut plot_ui, |plot| {
            plot.set_plot_bounds_x(frame.view.start as f64..=frame.view.end as f64);
            plot.set_plot_bounds_y(0.0..=lanes.len().max(1) as f64);
        });
        let mut brush = Brush::new(ui);
        // What has not happened yet is not a gap.
        let until = answer.query.now.min(frame.view.end);
        for (index, lane) in lanes.iter().enumerate() {
            let top = all.top() + index as f32 * frame.lane + space::TINY;
            let band = Rect::from_min_size(pos2(plot_rect.left(), top), vec2(plot_rect.width(), frame.lane - AROUND));
            if ui.is_rect_visible(band) {
                brush.fill(band.with_max_x(frame.x(band, until)), Pattern::Solid, palette.gap);
                paint_lane(&mut brush, frame, &lane.runs, band, palette, ui.pixels_per_point());
            }
        }
        brush.paint(&ui.painter().with_clip_rect(plot_rect.intersect(ui.clip_rect())));
    });
    shown.state.clamped_offset().y
}

/// A lane's name; whether it was clicked.
fn name_ui(ui: &Ui, lane: &Lane, rect: Rect, is_focus: bool) -> bool {
    let palette = palette(ui);
    let response = ui.interact(rect, Id::unique(("history-lane", lane.target.as_str())), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_focus, &lane.summary));
    let corner = CornerRadius::same(radius::CONTROL);
    let fill = if is_focus { Some(palette.selected) } else { response.hovered().then_some(palette.hover) };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), corner, fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.shrink(1.0),
            corner,
            Stroke::new(stroke::FOCUS, palette.accent),
            StrokeKind::Inside,
        );
    }
    let (kind, color) = if is_focus { (Type::Strong, palette.strong) } else { (Type::Body, palette.text) };
    let inner = rect.shrink2(vec2(space::BASE, 0.0));
    let mut text = egui::text::LayoutJob::simple_singleline(lane.name.clone(), kind.font(), color);
    text.wrap = egui::text::TextWrapping::truncate_at_width(inner.width());
    let galley = ui.painter().layout_job(text);
    ui.painter().galley(pos2(inner.left(), inner.center().y - galley.size().y / 2.0), galley, color);
    let provider = lane.provider.clone();
    response
        .on_hover_ui(|ui| {
            ui.label(Type::Strong.text(&lane.name));
            if !provider.is_empty() {
                ui.label(Type::Caption.text(&provider));
            }
            ui.label(Type::Caption.text(&lane.summary));
        })
        .clicked()
}

fn paint_lane(brush: &mut Brush, frame: &Frame<'_>, runs: &[model::Run], band: Rect, palette: &Palette, scale: f32) {
    let snap = |x: f32| (x * scale).round() / scale;
    let first = runs.partition_point(|run| run.time.end <= frame.view.start);
    let end = runs.partition_point(|run| run.time.start < frame.view.end);
    let seen = || runs[first..end.max(first)].iter();
    brush.reserve(3 * seen().len());
    let place = |run: &model::Run| {
        let left = snap(frame.x(band, run.time.start.max(frame.view.start)));
        let right = snap(frame.x(band, run.time.end.min(frame.view.end)));
        // Never thinner than a pixel.
        left..right.max(left + 1.0 / scale)
    };
    let height = |parts: u8| snap(band.height() * f32::from(parts) / f32::from(PARTS));
    // What was free first: while the picture waits for narrower cells, no trouble may hide behind it.
    for run in seen().filter(|run| run.free > 0) {
        let x = place(run);
        let top = if run.full + run.fault + run.free >= PARTS {
            band.top() + height(run.full + run.fault)
        } else {
            band.bottom() - height(run.free)
        };
        let rect = Rect::from_min_max(pos2(x.start, top), pos2(x.end, band.bottom()));
        brush.fill(rect, Pattern::of(Family::Available), palette.family(Family::Available));
    }
    for run in seen().filter(|run| run.full + run.fault > 0) {
        let x = place(run);
        let mut top = band.top();
        for (parts, family) in [(run.fault, Family::Fault), (run.full, Family::Full)] {
            let bottom = (top + height(parts)).min(band.bottom());
            let rect = Rect::from_min_max(pos2(x.start, top), pos2(x.end, bottom));
            brush.fill(rect, Pattern::of(family), palette.family(family));
            top = bottom;
        }
    }
    let mut own = |x: Range<f32>, family: Family| {
        // A single refusal of a moment must be seen.
        let right = x.end.max(x.start + 2.0);
        let rect = Rect::from_min_max(pos2(x.start, band.bottom() + 1.0), pos2(right, band.bottom() + 1.0 + OWN));
        brush.fill(rect, Pattern::of(family), palette.family(family));
    };
    let mut last: Option<(Range<f32>, Family)> = None;
    for (run, family) in seen().filter_map(|run| Some((run, run.own?))) {
        let x = place(run);
        match &mut last {
            Some((before, same)) if *same == family && before.end >= x.start => before.end = x.end,
            _ => {
                if let Some((x, family)) = last.replace((x, family)) {
                    own(x, family);
                }
            }
        }
    }
    if let Some((x, family)) = last {
        own(x, family);
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
    let title = scene.tr.with("history-latency-title", &args!("name" => name.as_str()));
    let at = pos2(frame.left + space::BASE, rect.top() - space::SMALL - CAPTION / 2.0);
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
        for stretch in &scene.model.stretches {
            let is_seen =
                grid.cell(stretch.end - 1).end > frame.view.start && grid.cell(stretch.start).start < frame.view.end;
            if !is_seen {
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
    if scene.model.stretches.is_empty() && scene.model.focus.is_some() {
        let words = scene.tr.with("history-latency-none", &args!("name" => name));
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, words, Type::Body.font(), palette.weak);
    }
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
