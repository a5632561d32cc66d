//! A frame of the window as a picture, without a display: for `vacancy shot` and the tests.

use egui::{Theme, Vec2};
use image::RgbaImage;
use jiff::Timestamp;

use crate::raster;
use crate::ui::theme::{Look, install};
use crate::ui::window::Window;

/// Draws the window as seen at `now`. `size` is in points, `scale` in pixels a point; the result is their product.
pub fn picture(window: &mut Window, now: Timestamp, theme: Theme, size: Vec2, scale: f32) -> RgbaImage {
    let look = Look { theme: theme.into(), ..Look::default() };
    raster::render(
        |ctx| install(ctx, look),
        size,
        scale,
        |ui| {
            // A picture is of a moment: what a frame answers is not carried out.
            window.ui(ui, now);
        },
    )
}
