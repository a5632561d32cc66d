//! Draws the list of shortcuts.

use egui::{Align, Context, Frame, Id, Layout, Margin, Modal, ScrollArea, Ui};

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, key_hint};

/// Width of the list.
const WIDTH: f32 = 440.0;
/// Height of the title, the margins and some air around them.
const AROUND: f32 = 128.0;

/// Draws it over everything; `true` when it is to be closed.
pub fn ui(ctx: &Context, tr: &Tr) -> bool {
    let modal = Modal::new(Id::unique("keys")).frame(Frame::window(&ctx.global_style()).inner_margin(Margin::same(24)));
    let response = modal.show(ctx, |ui| {
        ui.set_width(WIDTH);
        access::dialog(ui, &tr.text("ui-keys-title"));
        let palette = palette(ui);
        access::heading(ui.label(Type::Title.text(tr.text("ui-keys-title")).color(palette.strong)), 1);
        ui.add_space(space::BASE);
        // With large text the list may be higher than the window.
        let height = (ui.ctx().content_rect().height() - AROUND).max(size::ROW);
        let area = ScrollArea::vertical().id_salt("keys-list").max_height(height).min_scrolled_height(height);
        area.auto_shrink([false, true]).show(ui, |ui| {
            access::scrolls(ui);
            for command in Command::general() {
                let shortcuts = command.shortcuts();
                if shortcuts.is_empty() {
                    continue;
                }
                let is_mac = ui.ctx().os().is_mac();
                let keys = shortcuts.iter().map(|keys| keys.format(&egui::ModifierNames::NAMES, is_mac));
                line(ui, &command.label(tr), keys);
            }
            line(ui, &tr.text("ui-keys-table"), std::iter::once(tr.text("ui-keys-table-words")));
        });
    });
    response.should_close()
}

fn line(ui: &mut Ui, label: &str, keys: impl DoubleEndedIterator<Item = String>) {
    ui.horizontal(|ui| {
        ui.label(Type::Body.text(label));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for keys in keys.rev() {
                key_hint::key_hint(ui, &keys);
            }
        });
    });
}
