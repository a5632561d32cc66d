//! The kinds of button. egui's plain `ui.button` is the ordinary one.

use egui::{Button, Color32, Stroke, Ui, Vec2};

use crate::ui::theme::tokens::{size, stroke};
use crate::ui::theme::{Type, palette};

/// The one thing a screen is for; at most one in view.
pub fn primary(ui: &Ui, text: impl Into<String>) -> Button<'static> {
    let palette = palette(ui);
    Button::new(Type::Strong.text(text).color(palette.on_accent))
        .fill(palette.accent)
        .stroke(Stroke::new(stroke::HAIR, palette.accent))
        .min_size(Vec2::new(0.0, size::CONTROL))
}

/// What is recommended in a list, without shouting.
pub fn toned(ui: &Ui, text: impl Into<String>) -> Button<'static> {
    let palette = palette(ui);
    Button::new(Type::Strong.text(text).color(palette.strong))
        .fill(palette.pressed)
        .stroke(Stroke::new(stroke::HAIR, palette.pressed))
        .min_size(Vec2::new(0.0, size::CONTROL))
}

/// An ordinary action.
pub fn plain(text: impl Into<String>) -> Button<'static> {
    Button::new(Type::Body.text(text)).min_size(Vec2::new(0.0, size::CONTROL))
}

/// An action on the side: no frame until the pointer or the focus is on it.
pub fn quiet(ui: &Ui, text: impl Into<String>) -> Button<'static> {
    let palette = palette(ui);
    Button::new(Type::Body.text(text).color(palette.weak))
        .fill(Color32::TRANSPARENT)
        .frame_when_inactive(false)
        .min_size(Vec2::new(0.0, size::HIT))
}
