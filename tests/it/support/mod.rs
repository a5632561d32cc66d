//! What several areas share: a window without a display, folders, a clock.

pub mod chinese;
pub mod fast_clock;
pub mod homes;
pub mod proof;
#[path = "../../../src/properties.rs"]
pub mod properties;
pub mod sources;

use egui::{Context, FullOutput, TexturesDelta, Theme, ThemePreference, Vec2};
use egui_kittest::{HarnessBuilder, TestRenderer};
use image::RgbaImage;
use vacancy::raster::Renderer;
use vacancy::ui::theme::{self, Look};

/// Our rasteriser as the harness wants it.
#[derive(Default)]
pub struct CpuRenderer(Renderer);

impl TestRenderer for CpuRenderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        // What one frame frees may still be shown by the next picture, which is taken of the frame before.
        self.0.update(delta);
        delta.clear();
    }

    fn render(&mut self, ctx: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        Ok(self.0.paint_output(ctx, output))
    }
}

/// A harness with our theme and fonts, which panics on a character without a glyph and on an input without a name.
pub fn window<State>(theme: Theme, size: impl Into<Vec2>) -> HarnessBuilder<State> {
    let look = Look { theme: ThemePreference::from(theme), is_high_contrast: false, is_still: false };
    HarnessBuilder::default()
        .with_size(size)
        .with_theme(theme)
        // A dialog takes the focus and scrolls to it.
        .with_max_steps(8)
        .with_context_setup(move |ctx| theme::install(ctx, look))
        .renderer(CpuRenderer::default())
}
