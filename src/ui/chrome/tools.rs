//! Draws the panel in which subscriptions' tools are allowed to be asked.

use egui::{Align, Context, Frame, Id, Label, Layout, Margin, Modal, ScrollArea, Ui};

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::tools::{Asking, Model, Row};
use crate::ui::widgets::{access, button, card, sides};

/// Width of the panel.
const WIDTH: f32 = 640.0;
/// Height of its title, its words, the margins and some air around them.
const AROUND: f32 = 200.0;

/// What the user did to the panel.
#[derive(Debug, Default)]
pub struct Done {
    /// Commands to carry out.
    pub commands: Vec<Command>,
    /// It is to be closed.
    pub is_closed: bool,
}

/// Draws it over everything.
pub fn ui(ctx: &Context, model: &Model, tr: &Tr) -> Done {
    let mut commands = Vec::new();
    let mut is_closed = false;
    let frame = Frame::window(&ctx.global_style()).inner_margin(Margin::same(space::WIDE as i8));
    let response = Modal::new(Id::unique("tools")).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH);
        access::dialog(ui, &tr.text("toolprobe-panel-title"));
        let palette = palette(ui);
        access::heading(ui.label(Type::Title.text(tr.text("toolprobe-panel-title")).color(palette.strong)), 1);
        ui.add(Label::new(Type::Body.text(tr.text("toolprobe-panel-words")).color(palette.weak)).wrap());
        ui.add_space(space::BASE);
        let height = (ui.ctx().content_rect().height() - AROUND).max(size::ROW);
        ScrollArea::vertical().id_salt("tools-list").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            access::scrolls(ui);
            for row in &model.rows {
                card::card(ui, |ui| row_ui(ui, row, tr, &mut commands));
            }
        });
        ui.add_space(space::SMALL);
        // Beside the button and not among what scrolls: nobody would look for it there.
        let note = |ui: &mut Ui| {
            if !model.note.is_empty() {
                ui.add(Label::new(Type::Caption.text(&model.note).color(palette.weak)).truncate());
            }
        };
        ui.horizontal(|ui| {
            sides::sides(ui, note, |ui| {
                is_closed = ui.add(button::plain(tr.text("toolprobe-panel-close"))).clicked();
            });
        });
    });
    Done { is_closed: is_closed || response.should_close(), commands }
}

fn row_ui(ui: &mut Ui, row: &Row, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.spacing_mut().item_spacing.y = space::TINY;
    ui.horizontal(|ui| {
        ui.set_min_height(size::CONTROL);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if row.is_enabled {
                if ui.add(button::plain(tr.text("toolprobe-panel-disable"))).clicked() {
                    commands.push(Command::SetTool(row.program, false));
                }
            } else if row.question.is_none() {
                let enable = button::plain(tr.text("toolprobe-panel-enable"));
                if ui.add_enabled(row.can_enable, enable).clicked() {
                    commands.push(Command::Tools(Some(Asking::Always(row.program))));
                }
            }
            ui.add_space(space::SMALL);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(Type::Strong.text(&row.name).color(palette.strong));
                ui.add(Label::new(Type::Body.text(&row.state).color(palette.text)).truncate());
            });
        });
    });
    for words in std::iter::once(&row.cost).chain(&row.limits) {
        ui.add(Label::new(Type::Body.text(words)).wrap());
    }
    ui.add(Label::new(Type::Caption.text(&row.path).color(palette.weak)).truncate());
    let Some((words, asking)) = &row.question else { return };
    ui.add_space(space::BASE);
    ui.add(Label::new(Type::Strong.text(words).color(palette.strong)).wrap());
    ui.add_space(space::SMALL);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        let (id, yes) = match asking {
            Asking::Always(program) => ("toolprobe-panel-yes", Command::SetTool(*program, true)),
            Asking::Once(_, target) => ("toolprobe-panel-yes-once", Command::AskOnce(target.clone())),
        };
        if ui.add(button::primary(ui, tr.text(id))).clicked() {
            commands.push(yes);
        }
        if ui.add(button::plain(tr.text("toolprobe-panel-no"))).clicked() {
            commands.push(Command::Tools(None));
        }
    });
}
