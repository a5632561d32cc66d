//! Draws what lies over Settings: the dialog of a task, and the question of a change that waits.

use egui::{Context, Frame, Id, Key, Label, Margin, Modal, ScrollArea, Ui};

use super::about::third;
use super::editor::Task;
use super::inputs::{complaint, inputs};
use super::model::Verdict;
use crate::args;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::settings::{Act, Held, How};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, diff};

/// What of the window's height stands above and below a dialog's inputs.
const AROUND: f32 = 260.0;

/// A dialog over the screen, with its title.
pub(super) fn dialog(ctx: &Context, id: &str, title: &str, add_contents: impl FnOnce(&mut Ui)) {
    let frame = Frame::window(&ctx.global_style()).inner_margin(Margin::same(space::WIDE as i8));
    Modal::new(Id::unique(id)).frame(frame).show(ctx, |ui| {
        ui.set_width(size::TEXT_WIDTH);
        ui.spacing_mut().item_spacing.y = space::BASE;
        access::dialog(ui, title);
        access::heading(ui.label(Type::Title.text(title).color(palette(ui).strong)), 1);
        add_contents(ui);
    });
}

/// Draws the dialog of a task, if one is open.
pub fn editor_ui(ctx: &Context, verdict: Option<&Verdict>, held: &mut Held, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(mut editor) = held.editor.clone() else { return commands };
    let name = editor.task.name();
    let subject = editor.task.subject().to_owned();
    let title = tr.with(&format!("settings-screen-do-{name}"), &args!("name" => &*editor.called));
    let nothing = Verdict::default();
    let verdict = verdict.unwrap_or(&nothing);
    dialog(ctx, "settings-editor", &title, |ui| {
        let words = match editor.task {
            Task::RenameProvider(_) => Some("settings-screen-keeps-provider"),
            Task::RenameTarget(_) => Some("settings-screen-keeps-rename"),
            Task::RemoveProvider(_) | Task::RemoveTarget(_) => Some("settings-screen-keeps-removed"),
            Task::AddChain => Some("settings-screen-keeps-added-chain"),
            Task::RemoveChain(_) => Some("settings-screen-keeps-removed-chain"),
            Task::EditRule(_) => Some("settings-screen-keeps-rule"),
            Task::Hook => Some("settings-screen-keeps-hook"),
            Task::Webhook => Some("settings-screen-keeps-webhook"),
            _ => None,
        };
        if let Some(id) = words {
            ui.add(Label::new(Type::Body.text(tr.with(id, &args!("name" => &*subject)))).wrap());
        }
        if !editor.task.is_question() {
            let most = (ctx.content_rect().height() - AROUND).max(size::CONTROL);
            let scroll = ScrollArea::vertical().id_salt("settings-inputs").max_height(most).auto_shrink([false, true]);
            let is_entered = scroll.show(ui, |ui| inputs(ui, &mut editor, verdict, held, tr)).inner;
            if is_entered && verdict.can_apply {
                commands.push(Command::Settings(Act::Apply));
            }
        }
        if let Some(words) = &verdict.complaint {
            complaint(ui, words);
        }
        if verdict.is_wanting {
            ui.label(Type::Caption.text(tr.text("settings-screen-in-wanting")).color(palette(ui).weak));
        }
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            let apply = button::primary(ui, tr.text(&format!("settings-screen-apply-{name}")));
            if ui.add_enabled(verdict.can_apply, apply).clicked() {
                commands.push(Command::Settings(Act::Apply));
            }
            if ui.add(button::plain(tr.text("settings-screen-cancel"))).clicked() {
                commands.push(Command::Settings(Act::Close));
            }
        });
    });
    if held.editor.as_ref() != Some(&editor) {
        held.editor = Some(editor);
        held.generation += 1;
    }
    commands
}

/// Draws the question of a change that waits, as the file is another one than it was.
pub fn conflict_ui(ctx: &Context, held: &Held, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(conflict) = &held.conflict else { return commands };
    let (words, merge, drop) = match conflict.wish.how {
        How::Amend(_) if conflict.thirds.is_empty() => ("words", "merge", "drop"),
        How::Amend(_) => ("same", "mine", "theirs"),
        How::Walk { is_undo: true, .. } => ("undo", "undo-anyway", "keep"),
        How::Walk { is_undo: false, .. } => ("redo", "redo-anyway", "keep"),
    };
    let text = |id: &str| tr.text(&format!("settings-screen-conflict-{id}"));
    dialog(ctx, "settings-conflict", &tr.text("settings-screen-conflict"), |ui| {
        let change = conflict.wish.about.words(tr);
        let words = tr.with(&format!("settings-screen-conflict-{words}"), &args!("change" => change));
        ui.add(Label::new(Type::Body.text(words)).wrap());
        for one in &conflict.thirds {
            ui.add(Label::new(Type::Strong.text(third(one, tr)).color(palette(ui).strong)).wrap());
        }
        if !conflict.thirds.is_empty() && matches!(conflict.wish.how, How::Walk { .. }) {
            let id = if conflict.diff.is_empty() { "gone" } else { "anyway" };
            ui.add(Label::new(Type::Body.text(text(id))).wrap());
        }
        if !conflict.diff.is_empty() {
            let scroll = ScrollArea::vertical().id_salt("settings-conflict").max_height(280.0);
            scroll.show(ui, |ui| diff::diff(ui, &diff::Row::parse(&conflict.diff)));
        }
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            if !conflict.diff.is_empty() && ui.add(button::primary(ui, text(merge))).clicked() {
                commands.push(Command::Settings(Act::Merge));
            }
            if ui.add(button::plain(text(drop))).clicked() {
                commands.push(Command::Settings(Act::Drop));
            }
        });
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            commands.push(Command::Settings(Act::Close));
        }
    });
    commands
}
