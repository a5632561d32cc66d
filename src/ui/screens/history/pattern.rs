//! The patterns that tell states apart without colour: free is solid, full has upright bars like its mark, fault is
//! hatched, what is blocked on the user's side is dashed.

use std::ops::Range;

use egui::{
    Color32, ColorImage, Context, Id, Mesh, Painter, Rect, Response, Role, Sense, Shape, TextureHandle, TextureOptions,
    Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::core::outcome::Family;
use crate::ui::theme::tokens::space;
use crate::ui::theme::{Palette, Type, palette};

/// Pixels after which every pattern repeats.
const PERIOD: usize = 8;

/// How a state is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// All over.
    Solid,
    /// Upright bars.
    Bars,
    /// Diagonal lines.
    Hatch,
    /// Pieces of a line.
    Dashes,
}

impl Pattern {
    const ALL: [Self; 4] = [Self::Solid, Self::Bars, Self::Hatch, Self::Dashes];

    /// The pattern of a family.
    pub const fn of(family: Family) -> Self {
        match family {
            Family::Full => Self::Bars,
            Family::Fault => Self::Hatch,
            Family::Blocked => Self::Dashes,
            Family::Available | Family::Limited | Family::Unknown => Self::Solid,
        }
    }

    /// How much of the colour is at a pixel, of 255.
    const fn alpha(self, x: usize, y: usize) -> u8 {
        match self {
            Self::Solid => 255,
            Self::Bars => {
                if x % 4 < 3 {
                    255
                } else {
                    70
                }
            }
            Self::Hatch => {
                if (x + y) % 4 < 2 {
                    255
                } else {
                    90
                }
            }
            Self::Dashes => {
                if x % 8 < 5 {
                    255
                } else {
                    0
                }
            }
        }
    }

    const fn row(self) -> usize {
        self as usize
    }
}

/// Rectangles in patterns, gathered into one mesh.
pub struct Brush {
    mesh: Mesh,
    pixels_per_point: f32,
}

impl Brush {
    /// A brush for what `ui` draws. The patterns become a texture once a context.
    pub fn new(ui: &Ui) -> Self {
        Self { mesh: Mesh::with_texture(texture(ui.ctx()).id()), pixels_per_point: ui.pixels_per_point() }
    }

    /// The same with the memory of a mesh that is no longer drawn.
    pub fn again(ui: &Ui, old: Option<Mesh>) -> Self {
        let mut brush = Self::new(ui);
        if let Some(old) = old {
            (brush.mesh.indices, brush.mesh.vertices) = (old.indices, old.vertices);
            brush.mesh.indices.clear();
            brush.mesh.vertices.clear();
        }
        brush
    }

    /// Adds a rectangle; its edges are moved to whole pixels.
    pub fn fill(&mut self, rect: Rect, pattern: Pattern, color: Color32) {
        let pixel = |points: f32| (points * self.pixels_per_point).round() as i64;
        let (x, y) = (pixel(rect.left())..pixel(rect.right()), pixel(rect.top())..pixel(rect.bottom()));
        self.pixels(x, y, pattern, color);
    }

    /// Adds a rectangle by its pixels.
    pub fn pixels(&mut self, x: Range<i64>, y: Range<i64>, pattern: Pattern, color: Color32) {
        if x.is_empty() || y.is_empty() {
            return;
        }
        let point = |pixel: i64| pixel as f32 / self.pixels_per_point;
        let v = |pixel: i64| pixel as f32 / PERIOD as f32;
        let mut left = x.start;
        // Wider than the strip of its pattern in the texture: in pieces.
        while left < x.end {
            let right = x.end.min(left + WIDEST);
            // All patterns lie side by side in one texture, which repeats downwards.
            let from = (pattern.row() * STRIP) as i64 + left.rem_euclid(PERIOD as i64);
            let u = |pixel: i64| pixel as f32 / WIDTH as f32;
            let uv = Rect::from_min_max(pos2(u(from), v(y.start)), pos2(u(from + right - left), v(y.end)));
            let rect = Rect::from_min_max(pos2(point(left), point(y.start)), pos2(point(right), point(y.end)));
            self.mesh.add_rect_with_uv(rect, uv, color);
            left = right;
        }
    }

    /// Adds what another brush gathered, moved by so much.
    pub fn add(&mut self, mesh: &Mesh, by: Vec2) {
        let first = self.mesh.vertices.len();
        self.mesh.append_ref(mesh);
        for vertex in &mut self.mesh.vertices[first..] {
            vertex.pos += by;
        }
    }

    /// What was gathered so far, in no more memory than it needs; the brush begins anew.
    pub fn take(&mut self) -> Mesh {
        let mesh = self.mesh.clone();
        self.mesh.indices.clear();
        self.mesh.vertices.clear();
        mesh
    }

    /// What was gathered.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// Draws what was gathered.
    pub fn paint(self, painter: &Painter) {
        if !self.mesh.is_empty() {
            painter.add(Shape::mesh(self.mesh));
        }
    }
}

/// Width of a pattern's strip in the texture.
const STRIP: usize = 256;

/// Pixels of a strip that a rectangle may have, wherever in a period it begins.
const WIDEST: i64 = (STRIP - PERIOD) as i64;

/// Width of the texture.
const WIDTH: usize = STRIP * Pattern::ALL.len();

/// The patterns as a texture, made once a context.
pub fn texture(ctx: &Context) -> TextureHandle {
    let id = Id::unique("history-patterns");
    if let Some(texture) = ctx.data(|data| data.get_temp::<TextureHandle>(id)) {
        return texture;
    }
    let pixels = (0..PERIOD).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| Color32::from_white_alpha(Pattern::ALL[x / STRIP].alpha(x % STRIP, y))).collect();
    let image = ColorImage::new([WIDTH, PERIOD], pixels);
    let texture = ctx.load_texture("history-patterns", image, TextureOptions::NEAREST_REPEAT);
    ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}

/// A piece of a pattern with its word.
pub fn legend(ui: &mut Ui, family: Option<Family>, text: &str) -> Response {
    let palette: &Palette = palette(ui);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), Type::Caption.font(), palette.weak);
    let swatch = vec2(space::LARGE, space::MEDIUM);
    let extent = vec2(swatch.x + space::BASE + galley.size().x, galley.size().y.max(swatch.y));
    let (rect, response) = ui.allocate_exact_size(extent, Sense::hover());
    let at = pos2(rect.left(), rect.center().y - swatch.y / 2.0).round();
    let cell = Rect::from_min_size(at, swatch);
    let mut brush = Brush::new(ui);
    match family {
        // The account's own refusals are a line under the others.
        Some(family @ (Family::Limited | Family::Blocked)) => {
            let line =
                Rect::from_min_max(pos2(cell.left(), cell.bottom() - 4.0), pos2(cell.right(), cell.bottom() - 1.0));
            ui.painter().rect_filled(
                Rect::from_min_max(cell.min, pos2(cell.right(), cell.bottom() - 5.0)),
                0,
                palette.gap,
            );
            brush.fill(line, Pattern::of(family), palette.family(family));
        }
        Some(family) => brush.fill(cell, Pattern::of(family), palette.family(family)),
        None => {
            ui.painter().rect_filled(cell, 0, palette.gap);
        }
    }
    brush.paint(ui.painter());
    ui.painter().galley(
        pos2(cell.right() + space::BASE, rect.center().y - galley.size().y / 2.0),
        galley,
        palette.weak,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}
