//! The kinds of button. egui's plain `ui.button` is the ordinary one.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Atom, Button, Color32, IdSalt, Layout, Response, Role, Sense, Shape, Stroke, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2,
};

use super::access;
use crate::ui::theme::tokens::{size, space, stroke};
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

/// What opens a menu: an ordinary button with a small triangle, so that it is seen to be one. `contents` draws the menu.
pub fn menu(ui: &mut Ui, text: impl Into<String>, config: MenuConfig, contents: impl FnOnce(&mut Ui)) -> Response {
    let extent = Vec2::new(8.0, 5.0);
    let room = Vec2::new(extent.x + 3.0, extent.y);
    let words = Type::Body.text(text);
    let button = Button::new((words, Atom::custom(IdSalt::new("triangle"), room)));
    let button = button.min_size(Vec2::new(0.0, size::CONTROL));
    let response = access::menu_of(ui, MenuButton::from_button(button).config(config), contents);
    let right = response.rect.right() - ui.spacing().button_padding.x;
    let (top, bottom) = (response.rect.center().y - extent.y / 2.0, response.rect.center().y + extent.y / 2.0);
    let corners = vec![pos2(right - extent.x, top), pos2(right, top), pos2(right - extent.x / 2.0, bottom)];
    ui.painter().add(Shape::convex_polygon(corners, palette(ui).weak, Stroke::NONE));
    response
}

/// Shows a quiet button whose words, not its frame, stand in line with what is above and below it.
pub fn flush(ui: &mut Ui, text: impl Into<String>) -> Response {
    flush_sensing(ui, text, Sense::click())
}

/// The same, sensing no more than this.
pub fn flush_sensing(ui: &mut Ui, text: impl Into<String>, sense: Sense) -> Response {
    let text = text.into();
    let width = Type::Body.width(ui, text.as_str()).ceil().min(ui.available_width());
    let (_, rect) = ui.allocate_space(Vec2::new(width, size::HIT));
    // A child apart: what surrounds it is to know of the words alone.
    let builder = UiBuilder::new().max_rect(rect.expand2(Vec2::new(space::SMALL, 0.0)));
    let mut child = ui.new_child(builder.layout(Layout::left_to_right(Align::Center)));
    // With the usual air over its words it would be higher than the line, and its words below the others.
    child.spacing_mut().button_padding = Vec2::new(space::SMALL, 0.0);
    child.spacing_mut().interact_size.y = size::HIT;
    let button = quiet(&child, text).truncate().sense(sense);
    child.add(button)
}

/// Shows the main button of a dialog, or another one, with the key that presses it written into it.
pub fn keyed(ui: &mut Ui, is_primary: bool, is_enabled: bool, text: &str, keys: &str) -> Response {
    let palette = palette(ui);
    let (button, color) = if is_primary { (primary(ui, text), palette.on_accent) } else { (plain(text), palette.weak) };
    let response = ui.add_enabled(is_enabled, button.shortcut_text(Type::Caption.text(keys).color(color)));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, text));
    response
}
