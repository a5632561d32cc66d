//! Draws the question what closing the window means.

use egui::{Context, Frame, Id, Label, Margin, Modal};

use super::Act;
use crate::i18n::Tr;
use crate::settings::Close;
use crate::ui::command::Command;
use crate::ui::theme::tokens::space;
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, sides, tick};

/// Width of the dialog.
const WIDTH: f32 = 460.0;

/// What the user answered.
#[derive(Debug, Default)]
pub struct Done {
    /// Commands to carry out.
    pub commands: Vec<Command>,
    /// The dialog is to be closed.
    pub is_closed: bool,
}

/// Draws it over everything; `is_kept` is the tick that keeps the answer.
pub fn ui(ctx: &Context, has_tray: bool, is_kept: &mut bool, tr: &Tr) -> Done {
    let mut answer = None;
    let frame = Frame::window(&ctx.global_style()).inner_margin(Margin::same(space::WIDE as i8));
    let response = Modal::new(Id::unique("closing")).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH);
        access::dialog(ui, &tr.text("background-close-title"));
        let palette = palette(ui);
        access::heading(ui.label(Type::Title.text(tr.text("background-close-title")).color(palette.strong)), 1);
        ui.add_space(space::SMALL);
        let words = if has_tray { "background-close-words-tray" } else { "background-close-words-minimised" };
        ui.add(Label::new(Type::Body.text(tr.text(words)).color(palette.weak)).wrap());
        ui.add_space(space::BASE);
        tick::tick(ui, is_kept, &tr.text("background-close-keep"));
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            sides::trailing(ui, |ui| {
                ui.spacing_mut().item_spacing.x = space::BASE;
                if ui.add(button::plain(tr.text("background-close-quit"))).clicked() {
                    answer = Some(Close::Quit);
                }
                let stay = if has_tray { "background-close-tray" } else { "background-close-minimise" };
                let stay = ui.add(button::primary(ui, tr.text(stay)));
                access::takes_enter(ui, &stay);
                if stay.clicked() {
                    answer = Some(Close::Tray);
                }
            });
        });
    });
    let Some(close) = answer else { return Done { is_closed: response.should_close(), commands: Vec::new() } };
    let act = if close == Close::Tray { Act::Retire } else { Act::Quit };
    let kept = is_kept.then_some(Command::SetClose(close));
    Done { commands: kept.into_iter().chain([Command::Background(act)]).collect(), is_closed: true }
}
