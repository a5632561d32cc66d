//! Draws the lanes of states: their names, and one mesh for what all of them show.
//!
//! The mesh is put together from tiles: a lane's stretch of so many pixels, counted from 1970 on. A tile stays while the
//! record, the width of a pixel and the colours do; a view that moves takes its tiles along and makes those that come into
//! it, and a frame in which nothing moved draws the mesh of the frame before.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use egui::{
    CornerRadius, Id, Mesh, Rect, Response, Role, ScrollArea, Shape, Stroke, StrokeKind, TextureId, Ui, UiBuilder,
    Vec2, WidgetInfo, pos2, vec2,
};

use super::chart::Frame;
use super::columns::{Column, PARTS, Scale, cells_within, columns};
use super::model;
use super::pattern::{Brush, Pattern, texture};
use super::range::Act;
use super::view::Scene;
use crate::core::history::{Answer, Cell, Grid, Lane as Cells};
use crate::core::outcome::Family;
use crate::core::target::TargetId;
use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Palette, Type, palette};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, name, row};

/// What of a lane is not its band of states: the account's own refusals, and air.
const AROUND: f32 = 9.0;
/// Height of the line of the account's own refusals, under the band.
const OWN: f32 = 3.0;
/// Pixels of a tile: whole columns and whole periods of the patterns.
const TILE: i64 = 64;
/// Tiles kept on either side of the view: those that just left it may come back.
const BESIDE: i64 = 4;

/// What a tile shows besides its lane and its place; with another of these all tiles are others.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    scale: Scale,
    hidden: BTreeSet<Family>,
    /// Height of a lane's band in points.
    band: f32,
    pixels_per_point: f32,
    palette: &'static Palette,
    patterns: TextureId,
}

/// Where tiles are put: in pixels, so that no edge is blurred.
#[derive(Clone, Debug, PartialEq)]
struct Placing {
    /// The view's first pixel, counted from 1970 on, and that on the screen.
    from: (i64, i64),
    /// Pixels of the view, and those of it that lie before now.
    across: (i64, i64),
    /// Each lane in view: its place in the answer, and its top on the screen.
    lanes: Vec<(usize, i64)>,
}

/// What was drawn, kept from frame to frame.
#[derive(Debug, Default)]
pub struct Drawn {
    key: Option<Key>,
    /// The cells that tiles were made from, and their grid.
    cells: Option<(Arc<[Cells]>, Grid)>,
    /// By place of the lane in the answer and number of the tile.
    tiles: HashMap<(usize, i64), Mesh>,
    whole: Option<(Placing, Arc<Mesh>)>,
    /// The mesh before, for its memory: what the system gives anew costs more than what is written into it.
    spare: Option<Arc<Mesh>>,
}

impl Drawn {
    /// Forgets the tiles that show something else with another answer: while a view moves, most of it is the same.
    fn take(&mut self, key: &Key, answer: &Answer) {
        let is_alike = self.key.as_ref() == Some(key);
        if is_alike && self.cells.as_ref().is_some_and(|(cells, _)| Arc::ptr_eq(cells, &answer.lanes)) {
            return;
        }
        let grid = answer.query.grid();
        match self.cells.as_ref().filter(|(_, old)| is_alike && old.step() == grid.step()) {
            Some((old, old_grid)) => self.tiles.retain(|tile, _| {
                basis(old, old_grid, key.scale, *tile) == basis(&answer.lanes, &grid, key.scale, *tile)
            }),
            None => self.tiles.clear(),
        }
        self.spare = self.whole.take().map(|(_, mesh)| mesh).or_else(|| self.spare.take());
        self.key = Some(key.clone());
        self.cells = Some((Arc::clone(&answer.lanes), grid));
    }

    /// The mesh of this frame.
    fn mesh(&mut self, key: &Key, placing: Placing, answer: &Answer, ui: &Ui) -> Arc<Mesh> {
        self.take(key, answer);
        if let Some((_, mesh)) = self.whole.as_ref().filter(|(placed, _)| *placed == placing) {
            return Arc::clone(mesh);
        }
        let palette = key.palette;
        let scale = key.pixels_per_point;
        let numbers = placing.from.0.div_euclid(TILE)..=(placing.from.0 + placing.across.0).div_euclid(TILE);
        let kept = numbers.start() - BESIDE..=numbers.end() + BESIDE;
        self.tiles.retain(|(_, number), _| kept.contains(number));
        let grid = answer.query.grid();
        let spare = self.whole.take().map(|(_, mesh)| mesh).or_else(|| self.spare.take());
        let mut brush = Brush::again(ui, spare.and_then(Arc::into_inner));
        let mut one = Brush::new(ui);
        let point = |pixels: i64| pixels as f32 / scale;
        for (_, top) in &placing.lanes {
            // What has not happened yet is not a gap.
            let least = pos2(point(placing.from.1), point(*top));
            let extent = vec2(point(placing.across.1), key.band);
            brush.fill(Rect::from_min_size(least, extent), Pattern::Solid, palette.gap);
        }
        for (index, top) in &placing.lanes {
            let Some(lane) = answer.lanes.get(*index) else { continue };
            for number in numbers.clone() {
                let mesh = self.tiles.entry((*index, number)).or_insert_with(|| {
                    let within = tile(number);
                    let columns = columns(&lane.cells, &grid, key.scale, within.clone(), &key.hidden);
                    paint(&mut one, &columns, within.start, key);
                    one.take()
                });
                let left = placing.from.1 + number * TILE - placing.from.0;
                brush.add(mesh, vec2(point(left), point(*top)));
            }
        }
        let mesh = Arc::new(brush.into_mesh());
        self.whole = Some((placing, Arc::clone(&mesh)));
        mesh
    }
}

/// What a tile is made from: whose cells, from when on.
fn basis<'a>(
    lanes: &'a [Cells],
    grid: &Grid,
    scale: Scale,
    (lane, number): (usize, i64),
) -> Option<(&'a TargetId, i64, &'a [Cell])> {
    let lane = lanes.get(lane)?;
    let seen = cells_within(grid, scale, &tile(number));
    Some((&lane.target, grid.cell(seen.start.min(grid.len() - 1)).start, lane.cells.get(seen)?))
}

const fn tile(number: i64) -> Range<i64> {
    number * TILE..(number + 1) * TILE
}

/// The columns of a lane from pixel `start` on as shapes, from the corner of its band on.
fn paint(brush: &mut Brush, columns: &[Column], start: i64, key: &Key) {
    let (palette, scale) = (key.palette, key.pixels_per_point);
    let pixel = |points: f32| (points * scale).round() as i64;
    let band = pixel(key.band);
    let heights: [i64; 1 + PARTS as usize] =
        std::array::from_fn(|parts| pixel(key.band * parts as f32 / f32::from(PARTS)));
    let height = |parts: u8| heights[usize::from(parts.min(PARTS))];
    for Column { pixels, look } in columns {
        let x = || pixels.start - start..pixels.end - start;
        let mut fill =
            |y: Range<i64>, family: Family| brush.pixels(x(), y, Pattern::of(family), palette.family(family));
        let trouble = height(look.fault + look.full);
        fill(0..height(look.fault), Family::Fault);
        fill(height(look.fault)..trouble, Family::Full);
        if look.free > 0 {
            let is_whole = look.full + look.fault + look.free >= PARTS;
            let top = if is_whole { trouble } else { band - height(look.free) };
            fill(top..band, Family::Available);
        }
    }
    let top = band + pixel(1.0);
    let mut own = |pixels: Range<i64>, family: Family| {
        // A single refusal of a moment must be seen.
        let x = pixels.start - start..pixels.end.max(pixels.start + pixel(2.0)) - start;
        brush.pixels(x, top..top + pixel(OWN), Pattern::of(family), palette.family(family));
    };
    let mut last: Option<(Range<i64>, Family)> = None;
    for (pixels, family) in columns.iter().filter_map(|column| Some((&column.pixels, column.look.own?))) {
        match &mut last {
            Some((before, same)) if *same == family && before.end == pixels.start => before.end = pixels.end,
            _ => {
                if let Some((pixels, family)) = last.replace((pixels.clone(), family)) {
                    own(pixels, family);
                }
            }
        }
    }
    if let Some((pixels, family)) = last {
        own(pixels, family);
    }
}

/// The lanes with their names; how far they are scrolled.
pub(super) fn ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    answer: &Answer,
    frame: &Frame<'_>,
    (rect, drawn): (Rect, &mut Drawn),
    acts: &mut Vec<Act>,
) -> f32 {
    let palette = palette(ui);
    let whole = Rect::from_min_max(pos2(frame.left, rect.top()), rect.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(whole));
    child.shrink_clip_rect(whole.expand(1.0));
    let area = ScrollArea::vertical().id_salt("history-lanes").auto_shrink([false, false]);
    let lanes = &scene.model.lanes;
    let shown = area.show(&mut child, |ui| {
        access::part(ui, Role::ListBox, &scene.tr.text("ui-name-models"));
        ui.spacing_mut().item_spacing.y = 0.0;
        let (top, clip) = (ui.cursor().top(), ui.clip_rect());
        let at = |y: f32| (((y - top) / frame.lane).max(0.0) as usize).min(lanes.len());
        let drawn_names = at(clip.top())..(at(clip.bottom()) + 1).min(lanes.len());
        let mut rows = Rows::begin(ui, Id::unique("history-lanes"), frame.lane, lanes.len(), &drawn_names);
        let (_, all) = ui.allocate_space(vec2(whole.width(), lanes.len() as f32 * frame.lane));
        let plot_rect = Rect::from_min_max(pos2(rect.left(), all.top()), pos2(rect.right(), all.bottom()));
        for (index, lane) in lanes.iter().enumerate() {
            let top = all.top() + index as f32 * frame.lane;
            let name =
                Rect::from_min_size(pos2(frame.left, top), vec2(rect.left() - frame.left - space::BASE, frame.lane));
            if !ui.is_rect_visible(name) {
                continue;
            }
            let response = name_ui(ui, lane, name, scene.model.focus == Some(index), !rows.is_stop(index));
            rows.follow(ui, index, &response);
            if response.clicked() {
                acts.push(Act::Focus(lane.target.clone()));
            }
        }
        rows.end(ui);
        let mut plot_ui = ui.new_child(UiBuilder::new().max_rect(plot_rect));
        let plot = frame.plot("history-states", plot_rect, palette).show_grid([true, false]);
        plot.show(&mut plot_ui, |plot| {
            plot.set_plot_bounds_x(frame.view.start as f64..=frame.view.end as f64);
            plot.set_plot_bounds_y(0.0..=lanes.len().max(1) as f64);
        });
        let scale = ui.pixels_per_point();
        let pixel = |points: f32| (points * scale).round() as i64;
        let band = vec2(plot_rect.width(), ((frame.lane - AROUND) * scale).round() / scale);
        let band_at = |index: usize| {
            let top = all.top() + index as f32 * frame.lane + space::TINY;
            Rect::from_min_size(pos2(plot_rect.left(), top), band + Vec2::Y * (OWN + 1.0))
        };
        let in_view = lanes.iter().enumerate().filter(|(index, _)| ui.is_rect_visible(band_at(*index)));
        let pixels = pixel(plot_rect.right()) - pixel(plot_rect.left());
        let time = Scale::of(frame.view.end - frame.view.start, u32::try_from(pixels).unwrap_or(1));
        let from = time.pixel(frame.view.start);
        let placing = Placing {
            from: (from, pixel(plot_rect.left())),
            across: (pixels, (time.pixel(answer.query.now.min(frame.view.end)) - from).clamp(0, pixels)),
            lanes: in_view.map(|(index, lane)| (lane.index, pixel(band_at(index).top()))).collect(),
        };
        let key = Key {
            scale: time,
            hidden: scene.model.hidden.clone(),
            band: band.y,
            pixels_per_point: scale,
            palette,
            patterns: texture(ui.ctx()).id(),
        };
        let mesh = drawn.mesh(&key, placing, answer, ui);
        if !mesh.is_empty() {
            ui.painter().with_clip_rect(plot_rect.intersect(ui.clip_rect())).add(Shape::mesh(mesh));
        }
    });
    shown.state.clamped_offset().y
}

/// A lane's name.
fn name_ui(ui: &Ui, lane: &model::Lane, rect: Rect, is_focus: bool, is_passed: bool) -> Response {
    let palette = palette(ui);
    let id = Id::unique(("history-lane", lane.target.as_str()));
    let response = ui.interact(rect, id, row::sense(is_passed));
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_focus, &lane.summary));
    access::chosen(ui, id, is_focus);
    row::passed(ui, id, is_passed);
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
    let text = name::cut(ui, kind, &lane.name, inner.width()).unwrap_or_else(|| lane.name.clone());
    let galley = ui.painter().layout_no_wrap(text, kind.font(), color);
    ui.painter().galley(pos2(inner.left(), inner.center().y - galley.size().y / 2.0), galley, color);
    let provider = lane.provider.clone();
    response.on_hover_ui(|ui| {
        ui.label(Type::Strong.text(&lane.name));
        if !provider.is_empty() {
            ui.label(Type::Caption.text(&provider));
        }
        ui.label(Type::Caption.text(&lane.summary));
    })
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
