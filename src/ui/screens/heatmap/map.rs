//! Draws a map as one mesh, finds the cell under the pointer by arithmetic, and names rows and the keyboard's cell for who
//! cannot see it.

use egui::epaint::Vertex;
use egui::{
    Align2, Color32, EventFilter, Id, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use super::drawn::Drawn;
use super::model::{Ink, Map};
use crate::ui::sheets::Place;
use crate::ui::theme::tokens::{space, stroke};
use crate::ui::theme::{Palette, Type, palette};
use crate::ui::widgets::{access, name};

/// Sides from which on a thin cell has stripes; smaller ones are a smaller square.
const STRIPED: f32 = 9.5;
/// From one stripe to the next, along an edge.
const STRIPES: f32 = 6.0;
/// Room above the cells for the names of columns.
pub const HEADS: f32 = 20.0;

/// Where the cells of a map lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// All cells.
    pub rect: Rect,
    /// From one cell to the next, across and down.
    pub pitch: egui::Vec2,
    gap: f32,
    scale: f32,
}

impl Layout {
    /// Cells over a rectangle; their edges are whole pixels.
    pub fn within(rect: Rect, (rows, columns): (usize, usize), scale: f32) -> Self {
        let pitch = vec2(rect.width() / columns.max(1) as f32, rect.height() / rows.max(1) as f32);
        let gap = match pitch.min_elem() {
            14.0.. => 2.0,
            4.0.. => 1.0,
            // A year of days side by side is a band.
            _ => 0.0,
        };
        Self { rect, pitch, gap, scale }
    }

    /// A cell without the gap.
    pub fn cell(&self, (row, column): Place) -> Rect {
        let snap = |at: f32| (at * self.scale).round() / self.scale;
        let x = |column: usize| snap(self.rect.left() + self.pitch.x * column as f32);
        let y = |row: usize| snap(self.rect.top() + self.pitch.y * row as f32);
        Rect::from_min_max(pos2(x(column), y(row)), pos2(x(column + 1) - self.gap, y(row + 1) - self.gap))
    }

    /// The cell at a position.
    pub fn at(&self, pos: Pos2) -> Option<Place> {
        let inside = self.rect.contains(pos) && pos.x < self.rect.right() && pos.y < self.rect.bottom();
        let of = |from: f32, pitch: f32| (from / pitch).floor().max(0.0) as usize;
        inside.then(|| (of(pos.y - self.rect.top(), self.pitch.y), of(pos.x - self.rect.left(), self.pitch.x)))
    }
}

/// Room for the names of rows with the distance to their cells: what the widest needs, and not more than a third of `width`.
pub fn names_width<'a>(ui: &Ui, names: impl Iterator<Item = &'a str>, width: f32) -> f32 {
    (names.map(|name| Type::Figure.width(ui, name)).fold(0.0, f32::max) + space::MEDIUM)
        .ceil()
        .min((width / 3.0).floor())
}

/// All cells in one shape.
pub fn mesh(map: &Map, layout: &Layout, palette: &Palette) -> Mesh {
    let mut mesh = Mesh::default();
    let cells = map.rows.len() * map.columns();
    mesh.reserve_triangles(cells * 2);
    mesh.reserve_vertices(cells * 4);
    // Decided for the whole map: snapped to pixels, its cells differ by one, and some would have stripes and some not.
    let is_striped = layout.pitch.min_elem() - layout.gap >= STRIPED;
    for (row, of) in map.rows.iter().enumerate() {
        for (column, ink) in of.cells.iter().enumerate() {
            fill(&mut mesh, *ink, layout.cell((row, column)), is_striped, palette);
        }
    }
    mesh
}

/// One cell that stands alone, as in a legend.
pub fn cell(mesh: &mut Mesh, ink: Ink, rect: Rect, palette: &Palette) {
    fill(mesh, ink, rect, rect.width().min(rect.height()) >= STRIPED, palette);
}

fn fill(mesh: &mut Mesh, ink: Ink, rect: Rect, is_striped: bool, palette: &Palette) {
    match ink {
        Ink::Blank => {}
        Ink::Known(share) => mesh.add_colored_rect(rect, palette.share(share)),
        Ink::Empty => outline(mesh, rect, palette.control_line),
        Ink::Thin(share) if is_striped => {
            mesh.add_colored_rect(rect, palette.thin(share));
            stripes(mesh, rect, palette.share(share));
        }
        Ink::Thin(share) => {
            let side = (rect.width().min(rect.height()) * 0.55).max(2.0);
            mesh.add_colored_rect(Rect::from_center_size(rect.center(), vec2(side, side)), palette.share(share));
        }
    }
}

fn outline(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let line = stroke::HAIR;
    let (min, max) = (rect.min, rect.max);
    for (from, to) in [
        (min, pos2(max.x, min.y + line)),
        (pos2(min.x, max.y - line), max),
        (pos2(min.x, min.y + line), pos2(min.x + line, max.y - line)),
        (pos2(max.x - line, min.y + line), pos2(max.x, max.y - line)),
    ] {
        mesh.add_colored_rect(Rect::from_min_max(from, to), color);
    }
}

/// Stripes over a rectangle.
pub fn stripes(mesh: &mut Mesh, rect: Rect, color: Color32) {
    for corners in bands(rect.size()) {
        let first = mesh.vertices.len() as u32;
        for corner in &corners {
            mesh.vertices.push(Vertex { pos: rect.min + *corner, uv: egui::epaint::WHITE_UV, color });
        }
        for corner in 2..corners.len() as u32 {
            mesh.add_triangle(first, first + corner - 1, first + corner);
        }
    }
}

/// Stripes that fall to the right, cut at a rectangle of this size: convex bands between two lines `x - y = c`.
pub fn bands(size: egui::Vec2) -> Vec<Vec<egui::Vec2>> {
    let (width, height) = (size.x, size.y);
    let mut bands = Vec::new();
    let mut from = -height + STRIPES / 4.0;
    while from < width {
        let corners = [vec2(0.0, 0.0), vec2(width, 0.0), vec2(width, height), vec2(0.0, height)];
        let corners = cut(&cut(&corners, |at| at.x - at.y - from), |at| from + STRIPES / 2.0 - (at.x - at.y));
        if corners.len() > 2 {
            bands.push(corners);
        }
        from += STRIPES;
    }
    bands
}

/// The part of a convex shape where `side` is not negative (Sutherland and Hodgman 1974).
fn cut(corners: &[egui::Vec2], side: impl Fn(egui::Vec2) -> f32) -> Vec<egui::Vec2> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (here, there) = (side(*corner), side(next));
        if here >= 0.0 {
            kept.push(*corner);
        }
        if (here >= 0.0) != (there >= 0.0) {
            kept.push(*corner + (next - *corner) * (here / (here - there)));
        }
    }
    kept
}

/// What a map says of itself and how it lies on the page.
pub struct Scene<'a> {
    /// The map.
    pub map: &'a Map,
    /// Its id, for the keyboard.
    pub id: Id,
    /// The map in words.
    pub name: &'a str,
    /// The keyboard's cell.
    pub cursor: Option<Place>,
    /// That cell in words.
    pub cursor_name: &'a str,
    /// Width for the names of rows.
    pub names: f32,
}

/// Draws a map over `rect`; its response, and the cell under the pointer.
pub fn ui(ui: &mut Ui, scene: &Scene<'_>, rect: Rect, drawn: &mut Drawn) -> (Response, Option<Place>) {
    let palette = palette(ui);
    let map = scene.map;
    let cells = Rect::from_min_max(pos2(rect.left() + scene.names, rect.top() + HEADS), rect.max);
    let layout = Layout::within(cells, (map.rows.len(), map.columns()), ui.pixels_per_point());
    ui.painter().add(Shape::mesh(drawn.mesh(0, map, &layout, palette)));
    for (column, name) in &map.heads {
        let at = pos2(layout.cell((0, *column)).left(), rect.top() + HEADS - 4.0);
        ui.painter().text(at, Align2::LEFT_BOTTOM, name, Type::Caption.font(), palette.weak);
    }
    for (index, row) in map.rows.iter().enumerate() {
        let cell = layout.cell((index, 0));
        let label = Rect::from_min_max(pos2(rect.left(), cell.top()), pos2(cell.left() - 8.0, cell.bottom()));
        let is_now = map.now.is_some_and(|(row, _)| row == index);
        let color = if is_now { palette.strong } else { palette.weak };
        let cut = name::cut(ui, Type::Caption, &row.name, label.width());
        let is_cut = cut.is_some();
        let words = cut.unwrap_or_else(|| row.name.clone());
        let galley = ui.painter().layout_no_wrap(words, Type::Caption.font(), color);
        ui.painter().galley(pos2(label.left(), label.center().y - galley.size().y / 2.0), galley, color);
        let response = ui.interact(label, scene.id.with(("row", index)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &row.summary));
        if is_cut {
            response.on_hover_text(&row.name);
        }
    }
    let response = grid(ui, layout.rect, scene.id, scene.name);
    if let Some(place) = map.now {
        marker(ui, &layout, place, palette);
    }
    let hovered = response.hover_pos().and_then(|pos| layout.at(pos));
    let hovered = hovered.filter(|(row, column)| map.rows[*row].cells[*column] != Ink::Blank);
    let marked = Marks { id: scene.id, cursor_name: scene.cursor_name, has_focus: response.has_focus() };
    let cell = |place: Option<Place>| place.map(|place| layout.cell(place));
    marks(ui, &marked, cell(scene.cursor), cell(hovered));
    (response, hovered)
}

/// The place of a map's cells: it can be clicked, and while it has the focus the arrows are its own.
pub fn grid(ui: &Ui, rect: Rect, id: Id, name: &str) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Grid, true, name));
    ui.memory_mut(|memory| {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        memory.set_focus_lock_filter(id, filter);
    });
    response
}

/// What is said of the keyboard's cell.
pub struct Marks<'a> {
    /// The map's id.
    pub id: Id,
    /// The cell in words.
    pub cursor_name: &'a str,
    /// Whether the map has the keys.
    pub has_focus: bool,
}

/// Frames around the keyboard's cell, which is named, and around the one under the pointer.
pub fn marks(ui: &mut Ui, marks: &Marks<'_>, cursor: Option<Rect>, hovered: Option<Rect>) {
    let palette = palette(ui);
    if let Some(cell) = cursor {
        let color = if marks.has_focus { palette.accent } else { palette.strong };
        ui.painter().rect_stroke(cell.expand(1.0), 2, Stroke::new(stroke::FOCUS, color), StrokeKind::Outside);
        // The cell of the keyboard is what a screen reader says while the map has the focus.
        let id = marks.id.with("cell");
        let builder = UiBuilder::new().max_rect(cell).accessibility_parent(marks.id);
        let one = ui.new_child(builder).interact(cell, id, Sense::hover());
        one.widget_info(|| WidgetInfo::labeled(Role::GridCell, true, marks.cursor_name));
        access::chosen(ui, id, true);
        ui.ctx().accesskit_node_builder(marks.id, |node| node.set_active_descendant(id.accesskit_id()));
    }
    if let Some(cell) = hovered {
        let line = Stroke::new(stroke::MARK, palette.strong);
        ui.painter().rect_stroke(cell.expand(1.0), 2, line, StrokeKind::Outside);
    }
}

/// The present: a dot in its cell, in the colour that stands out from it.
fn marker(ui: &Ui, layout: &Layout, place: Place, palette: &Palette) {
    let cell = layout.cell(place);
    let radius = (cell.width().min(cell.height()) * 0.18).clamp(1.5, 4.0);
    ui.painter().circle(cell.center(), radius, palette.ground, Stroke::new(stroke::HAIR, palette.strong));
}
