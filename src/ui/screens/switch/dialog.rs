//! Draws the dialog in which a switch is proposed: the diff, what to know, and one button that writes.

use egui::{Align, Context, Frame, Id, Label, Layout, Margin, Modal, Role, ScrollArea, Ui, WidgetInfo};

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::switching::Act;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, diff, sides, tick};

use super::offer::{Conflict, Model, Shown};

/// Width of the dialog.
const WIDTH: f32 = 640.0;
/// Height of its title, its buttons, the margins and some air around them.
const AROUND: f32 = 190.0;

/// What the dialog is about.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The proposal; `None` while it is made.
    pub model: Option<&'a Model>,
    /// Why it was not written, or could not be made.
    pub failure: Option<&'a str>,
    /// It is being written.
    pub is_writing: bool,
}

/// Draws it over everything and answers with commands.
pub fn ui(ctx: &Context, scene: &Scene<'_>, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let frame = Frame::window(&ctx.global_style()).inner_margin(Margin::same(space::WIDE as i8));
    let response = Modal::new(Id::unique("switch-offer")).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 2.0 * space::PAGE));
        ui.spacing_mut().item_spacing.y = space::SMALL;
        let palette = palette(ui);
        let Some(model) = scene.model else {
            access::dialog(ui, &tr.text("switching-title"));
            waiting(ui, scene, tr, &mut commands);
            return;
        };
        access::dialog(ui, &model.title);
        access::heading(ui.add(Label::new(Type::Title.text(&model.title).color(palette.strong)).wrap()), 1);
        ui.add_space(space::SMALL);
        let height = (ui.ctx().content_rect().height() - AROUND).max(size::ROW_TALL);
        // The least height as well: the window remembers the size of a short proposal, and would never grow again.
        let area = ScrollArea::vertical().id_salt("switch-offer").max_height(height).min_scrolled_height(height);
        area.auto_shrink([false, true]).show(ui, |ui| {
            access::scrolls(ui);
            ui.spacing_mut().item_spacing.y = space::SMALL;
            for (index, part) in model.parts.iter().enumerate() {
                if index > 0 {
                    ui.add_space(space::MEDIUM);
                }
                part_ui(ui, index, part, tr, &mut commands);
            }
            conflicts(ui, &model.conflicts, tr);
            if !model.skips.is_empty() {
                ui.add_space(space::MEDIUM);
                card::section(ui, &tr.text("switching-skips"));
                for (name, reason) in &model.skips {
                    card::fact(ui, name, reason);
                }
            }
        });
        if let Some(failure) = scene.failure {
            ui.add_space(space::SMALL);
            ui.add(Label::new(Type::Strong.text(failure).color(palette.strong)).wrap());
        }
        ui.add_space(space::MEDIUM);
        buttons(ui, model, scene, tr, &mut commands);
    });
    if response.should_close() && !scene.is_writing {
        commands.push(Command::Switching(Act::Cancel));
    }
    commands
}

fn waiting(ui: &mut Ui, scene: &Scene<'_>, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let words = scene.failure.map_or_else(|| tr.text("switching-planning"), str::to_owned);
    if scene.failure.is_some() {
        access::heading(ui.label(Type::Title.text(tr.text("switching-title-failed")).color(palette.strong)), 1);
    }
    ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
    ui.add_space(space::MEDIUM);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        let close = button::keyed(ui, false, true, &tr.text("switching-close"), &tr.text("switching-key-escape"));
        if scene.failure.is_some() {
            access::takes_enter(ui, &close);
        }
        if close.clicked() {
            commands.push(Command::Switching(Act::Cancel));
        }
    });
}

fn part_ui(ui: &mut Ui, index: usize, part: &Shown, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    if let Some(name) = &part.name {
        access::heading(ui.label(Type::Heading.text(name).color(palette.strong)), 2);
    }
    if let Some((words, is_ticked)) = &part.optional {
        let mut is_ticked = *is_ticked;
        if tick::tick(ui, &mut is_ticked, words).changed() {
            commands.push(Command::Switching(Act::Tick(index)));
        }
    }
    if part.instead.is_none() {
        ui.add(Label::new(Type::Body.text(&part.change).color(palette.text)).wrap());
    }
    for (path, rows) in part.files.iter().filter(|(_, rows)| !rows.is_empty()) {
        ui.add(Label::new(Type::Caption.text(path).color(palette.weak)).truncate());
        diff::diff(ui, rows);
    }
    if let Some(instead) = &part.instead {
        ui.add(Label::new(Type::Body.text(instead).color(palette.strong)).wrap());
    }
    for warning in &part.warnings {
        warning_ui(ui, warning, tr);
    }
    for words in &part.effect {
        ui.add(Label::new(Type::Body.text(words).color(palette.weak)).wrap());
    }
}

/// What to know, with a sign that is not a colour alone.
pub(super) fn warning_ui(ui: &mut Ui, words: &str, tr: &Tr) {
    let palette = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        let sign = Type::Strong.text("!").color(palette.accent);
        let sign = ui.add(Label::new(sign).selectable(false)).on_hover_text(tr.text("switching-warning"));
        sign.widget_info(|| WidgetInfo::labeled(Role::Image, true, tr.text("switching-warning")));
        ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
    });
}

fn conflicts(ui: &mut Ui, conflicts: &[Conflict], tr: &Tr) {
    if conflicts.is_empty() {
        return;
    }
    ui.add(Label::new(Type::Body.text(tr.text("switching-conflicts-words"))).wrap());
    for conflict in conflicts {
        ui.add_space(space::SMALL);
        card::section(ui, &conflict.place);
        for (id, value) in [
            ("switching-conflict-ours", &conflict.ours),
            ("switching-conflict-now", &conflict.now),
            ("switching-conflict-goal", &conflict.goal),
        ] {
            card::fact(ui, &tr.text(id), value);
        }
    }
}

/// As in every dialog: at the right, the main one outermost, each with its key.
fn buttons(ui: &mut Ui, model: &Model, scene: &Scene<'_>, tr: &Tr, commands: &mut Vec<Command>) {
    let contents = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        if let Some(overwrite) = &model.overwrite
            && ui.add(button::plain(tr.text("switching-overwrite"))).clicked()
        {
            commands.push(Command::Switching(Act::Plan(overwrite.clone())));
        }
        let id = match (model.can_write, &model.overwrite) {
            (true, _) => "switching-cancel",
            (false, Some(_)) => "switching-leave",
            (false, None) => "switching-close",
        };
        let leave = button::keyed(ui, false, !scene.is_writing, &tr.text(id), &tr.text("switching-key-escape"));
        if leave.clicked() {
            commands.push(Command::Switching(Act::Cancel));
        }
        if model.can_write {
            let verb = if scene.is_writing { tr.text("switching-writing") } else { model.verb.clone() };
            let write = button::keyed(ui, true, !scene.is_writing, &verb, &tr.text("switching-key-enter"));
            access::takes_enter(ui, &write);
            if write.clicked() {
                commands.push(Command::Switching(Act::Write));
            }
        }
    };
    ui.horizontal(|ui| sides::trailing(ui, contents));
}
