//! A frame of the window as a picture, without a display: for `vacancy shot` and the tests.

use egui::{Theme, Vec2};
use image::RgbaImage;
use jiff::Timestamp;

use crate::i18n::Tr;
use crate::raster;
use crate::ui::command::Command;
use crate::ui::history::{History, Scene};
use crate::ui::screens::history::model::Model;
use crate::ui::screens::history::{chart, view};
use crate::ui::theme::tokens::space;
use crate::ui::theme::{Look, install};
use crate::ui::window::Window;

/// Draws the window as seen at `now`. `size` is in points, `scale` in pixels a point; the result is their product.
pub fn picture(window: &mut Window, now: Timestamp, theme: Theme, size: Vec2, scale: f32) -> RgbaImage {
    frame(window, now, theme, size, scale).0
}

/// The same with what the frame answers, which is not carried out: a picture is of a moment.
pub fn frame(window: &mut Window, now: Timestamp, theme: Theme, size: Vec2, scale: f32) -> (RgbaImage, Vec<Command>) {
    let look = Look { theme: theme.into(), ..window.look() };
    let mut commands = Vec::new();
    let image = raster::render(|ctx| install(ctx, look), size, scale, |ui| commands.extend(window.ui(ui, now)));
    (image, commands)
}

/// Draws what History shows, without the window around it: the picture that is exported.
pub fn history(scene: &Scene, tr: &Tr) -> RgbaImage {
    let theme = if scene.is_dark { Theme::Dark } else { Theme::Light };
    let look = Look { theme: theme.into(), ..Look::default() };
    let model = Model::new(scene.answer.as_deref(), &scene.snapshot, &scene.state, tr);
    let height = chart::height(model.lanes.len(), f32::INFINITY) + 3.0 * space::WIDE + space::PAGE;
    let held = History::of(scene.answer.clone());
    let size = Vec2::new(1200.0, height.min(4000.0));
    raster::render(
        |ctx| install(ctx, look),
        size,
        2.0,
        |ui| {
            let drawn = view::Scene { model: &model, held: &held, zone: &scene.snapshot.zone, now: scene.now, tr };
            view::picture(ui, &drawn, &scene.state);
        },
    )
}
