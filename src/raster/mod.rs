//! Pictures without a display: draws egui's meshes on the CPU.
//!
//! One renderer serves the tests, `vacancy shot` and the README. It rasterises exactly (integer edges with the top-left
//! rule), so the same input gives the same bytes on every machine. What it does not do: paint callbacks, mipmaps.

mod canvas;
mod texture;
mod triangle;

use std::collections::HashMap;

use egui::epaint::{ClippedPrimitive, ClippedShape, ImageDelta, Primitive, TessellationOptions, Tessellator};
use egui::{
    Color32, ColorImage, Context, FullOutput, Pos2, RawInput, Rect, Shape, TextureId, TextureOptions, TexturesDelta,
    Ui, Vec2, ViewportId,
};
use image::RgbaImage;

use canvas::Canvas;
use texture::Texture;

/// Passes after which a picture is taken even if the UI still asks for more.
const MOST_PASSES: usize = 8;
/// Seconds between passes: longer than any transition, so that two passes end it.
const STEP_SECS: f64 = 0.25;

/// Keeps the textures that egui sends and paints its meshes.
#[derive(Default)]
pub struct Renderer {
    textures: HashMap<TextureId, Texture>,
}

impl Renderer {
    /// Takes over new and changed textures. Those to be freed stay until [`Renderer::free`], since egui wants them for
    /// the frame at hand.
    pub fn update(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in delta.set.drain() {
            for change in changes {
                match change.pos {
                    None => {
                        self.textures.insert(id, Texture::new(&change));
                    }
                    Some(at) => {
                        if let Some(texture) = self.textures.get_mut(&id) {
                            texture.patch(at, &change);
                        }
                    }
                }
            }
        }
    }

    /// Drops the textures that `delta` frees; after painting.
    pub fn free(&mut self, delta: &mut TexturesDelta) {
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    /// Paints `primitives` over `background`. The size is in pixels.
    pub fn paint(
        &self,
        primitives: &[ClippedPrimitive],
        size: [u32; 2],
        pixels_per_point: f32,
        background: Color32,
    ) -> RgbaImage {
        let mut canvas = Canvas::new(size[0] as usize, size[1] as usize, background.to_array());
        for clipped in primitives {
            let Primitive::Mesh(mesh) = &clipped.primitive else { continue };
            let Some(texture) = self.textures.get(&mesh.texture_id) else { continue };
            canvas.set_clip(clipped.clip_rect, pixels_per_point);
            for corners in mesh.triangles() {
                let [Some(a), Some(b), Some(c)] = corners.map(|index| mesh.vertices.get(index as usize)) else {
                    continue;
                };
                triangle::fill(&mut canvas, texture, [a, b, c], pixels_per_point);
            }
        }
        RgbaImage::from_raw(size[0], size[1], canvas.into_bytes()).unwrap_or_default()
    }

    /// Paints what a frame of `ctx` put out.
    pub fn paint_output(&self, ctx: &Context, output: &FullOutput) -> RgbaImage {
        let scale = output.pixels_per_point;
        let size = (ctx.content_rect().size() * scale).round();
        let primitives = ctx.tessellate(output.shapes.clone(), scale);
        let background = ctx.global_style().visuals.panel_fill;
        self.paint(&primitives, [size.x as u32, size.y as u32], scale, background)
    }
}

/// Draws plain shapes onto a transparent square of `side` pixels, without a context, theme or fonts: for icons. Colours
/// come back unmultiplied, as PNG and window systems want them.
pub fn render_shapes(shapes: Vec<Shape>, side: u32) -> RgbaImage {
    let square = Rect::from_min_size(Pos2::ZERO, Vec2::splat(side as f32));
    let clipped = shapes.into_iter().map(|shape| ClippedShape::new(square, shape)).collect();
    let primitives =
        Tessellator::new(1.0, TessellationOptions::default(), [1, 1], Vec::new()).tessellate_shapes(clipped);
    let white = ColorImage::filled([1, 1], Color32::WHITE);
    let mut renderer = Renderer::default();
    let texture = Texture::new(&ImageDelta::full(white, TextureOptions::LINEAR));
    renderer.textures.insert(TextureId::default(), texture);
    let mut image = renderer.paint(&primitives, [side, side], 1.0, Color32::TRANSPARENT);
    for pixel in image.pixels_mut() {
        let alpha = u32::from(pixel.0[3]);
        for channel in &mut pixel.0[..3] {
            *channel = (u32::from(*channel) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
        }
    }
    image
}

/// Draws a UI of `size` points until it has settled and returns the picture, `size * pixels_per_point` pixels large.
/// `setup` installs theme and fonts.
pub fn render(
    setup: impl FnOnce(&Context),
    size: Vec2,
    pixels_per_point: f32,
    mut ui: impl FnMut(&mut Ui),
) -> RgbaImage {
    let ctx = Context::default();
    setup(&ctx);
    let mut renderer = Renderer::default();
    let mut passes = 0;
    loop {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(STEP_SECS * passes as f64),
            focused: false,
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(pixels_per_point);
        }
        let mut output = ctx.run_ui(input, &mut ui);
        renderer.update(&mut output.textures_delta);
        passes += 1;
        let wants_more =
            output.viewport_output.get(&ViewportId::ROOT).is_some_and(|viewport| viewport.repaint_delay.is_zero());
        if wants_more && passes < MOST_PASSES {
            renderer.free(&mut output.textures_delta);
            continue;
        }
        let picture = renderer.paint_output(&ctx, &output);
        output.drop_without_applying_deltas();
        return picture;
    }
}
