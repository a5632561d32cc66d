//! Draws the list of shortcuts.

use egui::{Align, Context, Frame, Id, Label, Layout, Margin, Modal, ScrollArea, Ui};

use crate::i18n::Tr;
use crate::ui::command::{Command, written};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, key_hint};

/// Width of a column of the list.
const COLUMN: f32 = 360.0;
/// Height of the title, the margins and some air around them.
const AROUND: f32 = 128.0;

/// Draws it over everything; `true` when it is to be closed.
pub fn ui(ctx: &Context, tr: &Tr) -> bool {
    let margin = Margin::same(space::WIDE as i8);
    let modal = Modal::new(Id::unique("keys")).frame(Frame::window(&ctx.global_style()).inner_margin(margin));
    let response = modal.show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        let columns = if room.x >= 2.0 * (COLUMN + space::PAGE + space::WIDE) { 2 } else { 1 };
        let width = COLUMN * columns as f32 + space::PAGE * (columns - 1) as f32;
        ui.set_width(width.min(room.x - 2.0 * space::PAGE));
        access::dialog(ui, &tr.text("ui-keys-title"));
        let palette = palette(ui);
        access::heading(ui.label(Type::Title.text(tr.text("ui-keys-title")).color(palette.strong)), 1);
        ui.add_space(space::SMALL);
        let lines = lines(ui, tr);
        let each = lines.len().div_ceil(columns);
        // With large text the list may be higher than the window.
        let height = (room.y - AROUND).min(size::ROW * each as f32).max(size::ROW);
        let area = ScrollArea::vertical().id_salt("keys-list").max_height(height).min_scrolled_height(height);
        area.auto_shrink([false, true]).show(ui, |ui| {
            access::scrolls(ui);
            ui.spacing_mut().item_spacing.x = space::PAGE;
            ui.columns(columns, |columns| {
                for (ui, lines) in columns.iter_mut().zip(lines.chunks(each)) {
                    ui.spacing_mut().item_spacing = egui::vec2(space::SMALL, 0.0);
                    ui.spacing_mut().interact_size.y = size::ROW;
                    for (label, keys) in lines {
                        line(ui, label, keys);
                    }
                }
            });
        });
    });
    response.should_close()
}

/// What each line says, and its keys.
fn lines(ui: &Ui, tr: &Tr) -> Vec<(String, Vec<String>)> {
    let os = ui.ctx().os();
    let keyed = Command::general().into_iter().filter(|command| !command.shortcuts().is_empty());
    let of = |command: Command| {
        let keys = command.shortcuts().iter().map(|keys| written(keys, os)).collect();
        (command.label(tr), keys)
    };
    let table = (tr.text("ui-keys-table"), vec![tr.text("ui-keys-table-words")]);
    keyed.map(of).chain([table]).collect()
}

fn line(ui: &mut Ui, label: &str, keys: &[String]) {
    ui.horizontal(|ui| {
        ui.set_min_height(size::ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for keys in keys.iter().rev() {
                key_hint::key_hint(ui, keys);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(Type::Body.text(label)).truncate());
            });
        });
    });
}
