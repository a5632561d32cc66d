//! A list that drops down from a button.

use egui::{AsIdSalt, ComboBox, InnerResponse, PopupCloseBehavior, Ui};

/// Draws the button with what is chosen, `width` points wide, and below it the list while it is open, at most `height` points
/// high. The list stays open until something in it calls [`Ui::close`], or something else is pressed.
pub fn list<R>(
    ui: &mut Ui,
    id_salt: impl AsIdSalt,
    chosen: &str,
    (width, height): (f32, f32),
    add_contents: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<Option<R>> {
    let combo = ComboBox::from_id_salt(id_salt).selected_text(chosen).width(width).height(height);
    let below = ui.layer_id();
    combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show_ui(ui, |ui| {
        // A press on the dialog raises it; where the list opens in the same frame, it would stay behind the dialog.
        ui.ctx().set_sublayer(below, ui.layer_id());
        add_contents(ui)
    })
}
