//! Draws what lies over Settings: the dialog of a task, and the question of a change that waits.

use egui::{ComboBox, Context, Id, Key, Label, Modal, Role as Kind, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};

use super::editor::{Editor, KeyForm, Task, key_tools};
use super::model::Verdict;
use crate::args;
use crate::core::outcome::Family;
use crate::core::target::Role;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::board::model::role;
use crate::ui::settings::{Act, Held, How};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, diff, mark::Mark};
use crate::wire::presets::Preset;

/// Width of a field.
const FIELD: f32 = 340.0;
/// Height of the list of presets.
const LIST: f32 = 320.0;

/// Draws the dialog of a task, if one is open.
pub fn editor_ui(ctx: &Context, verdict: Option<&Verdict>, held: &mut Held, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(mut editor) = held.editor.clone() else { return commands };
    let name = editor.task.name();
    let subject = editor.task.subject().to_owned();
    Modal::new(Id::unique("settings-editor")).show(ctx, |ui| {
        ui.set_width(size::TEXT_WIDTH);
        ui.spacing_mut().item_spacing.y = space::BASE;
        let colors = palette(ui);
        let title = tr.with(&format!("settings-screen-do-{name}"), &args!("name" => &*subject));
        access::dialog(ui, &title);
        access::heading(ui.label(Type::Heading.text(title).color(colors.strong)), 1);
        let words = match editor.task {
            Task::RenameProvider(_) => Some("settings-screen-keeps-provider"),
            Task::RenameTarget(_) => Some("settings-screen-keeps-rename"),
            Task::RemoveProvider(_) | Task::RemoveTarget(_) => Some("settings-screen-keeps-removed"),
            _ => None,
        };
        if let Some(id) = words {
            ui.add(Label::new(Type::Body.text(tr.with(id, &args!("name" => &*subject)))).wrap());
        }
        if !editor.task.is_question() {
            fields(ui, &mut editor, held, tr);
        }
        if let Some(complaint) = verdict.and_then(|verdict| verdict.complaint.as_ref()) {
            ui.horizontal_top(|ui| {
                let (_, cell) = ui.allocate_space(egui::Vec2::splat(size::MARK));
                Mark::of_family(Family::Fault).paint(ui.painter(), cell, colors);
                ui.add(Label::new(Type::Body.text(complaint).color(colors.strong)).wrap());
            });
        }
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            let apply = button::primary(ui, tr.text(&format!("settings-screen-apply-{name}")));
            if ui.add_enabled(verdict.is_some_and(|verdict| verdict.can_apply), apply).clicked() {
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

fn fields(ui: &mut Ui, editor: &mut Editor, held: &Held, tr: &Tr) {
    match editor.task {
        Task::AddProvider => {
            preset_ui(ui, editor, held, tr);
            text(ui, "settings-screen-in-id", &mut editor.id, "", tr);
            if editor.needs_url() {
                text(ui, "settings-screen-in-url", &mut editor.base_url, "", tr);
            }
            let forms = KeyForm::ALL.map(|form| (form, tr.text(&format!("settings-screen-in-key-{}", form.name()))));
            choice(ui, &tr.text("settings-screen-in-key"), &forms, &mut editor.key_form);
            if editor.key_form != KeyForm::None {
                let id = format!("settings-screen-in-place-{}", editor.key_form.name());
                let hint = if editor.key_form == KeyForm::Tool { key_tools() } else { String::new() };
                text(ui, &id, &mut editor.key, &hint, tr);
            }
            text(ui, "settings-screen-in-model", &mut editor.model, "", tr);
        }
        Task::AddTarget(_) => {
            text(ui, "settings-screen-in-model", &mut editor.model, "", tr);
            numbers(ui, editor, tr);
        }
        Task::EditTarget(_) => numbers(ui, editor, tr),
        _ => text(ui, "settings-screen-in-id", &mut editor.id, "", tr),
    }
}

fn numbers(ui: &mut Ui, editor: &mut Editor, tr: &Tr) {
    let roles = [Some(Role::Primary), Some(Role::Backup), Some(Role::Emergency), None].map(|one| (one, role(one, tr)));
    choice(ui, &tr.text("settings-screen-in-role"), &roles, &mut editor.role);
    let same = tr.text("settings-screen-in-same");
    text(ui, "settings-screen-in-requests", &mut editor.requests, &same, tr);
    text(ui, "settings-screen-in-tokens", &mut editor.tokens, &same, tr);
    text(ui, "settings-screen-in-price", &mut editor.price, "", tr);
}

fn preset_ui(ui: &mut Ui, editor: &mut Editor, held: &Held, tr: &Tr) {
    let label = ui.label(Type::Body.text(tr.text("settings-screen-in-preset")).color(palette(ui).weak));
    let shown = Preset::find(editor.preset).map_or("", |preset| preset.name);
    let combo = ComboBox::from_id_salt("settings-preset").selected_text(shown).width(FIELD).height(LIST);
    let shown = combo.show_ui(ui, |ui| {
        for preset in Preset::all() {
            let is_chosen = preset.id == editor.preset;
            if ui.selectable_label(is_chosen, preset.name).clicked()
                && let Some(settings) = held.settings()
            {
                editor.take_preset(preset, settings);
            }
        }
    });
    shown.response.labelled_by(label.id);
    if let Some(note) = Preset::find(editor.preset).and_then(|preset| preset.note) {
        ui.add(Label::new(Type::Caption.text(tr.text(note)).color(palette(ui).weak)).wrap());
    }
}

fn text(ui: &mut Ui, id: &str, typed: &mut String, hint: &str, tr: &Tr) {
    let label = ui.label(Type::Body.text(tr.text(id)).color(palette(ui).weak));
    let field = TextEdit::singleline(typed)
        .id(Id::unique(("settings-editor", id)))
        .hint_text(hint)
        .margin(vec2(space::BASE, space::SMALL + space::TINY))
        .desired_width(FIELD);
    ui.add(field).labelled_by(label.id);
}

fn choice<T: Copy + PartialEq>(ui: &mut Ui, label: &str, options: &[(T, String)], chosen: &mut T) {
    ui.label(Type::Body.text(label).color(palette(ui).weak));
    ui.horizontal_wrapped(|ui| {
        access::part(ui, Kind::RadioGroup, label);
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
        for (option, word) in options {
            let is_chosen = option == chosen;
            let response = ui.add(button::plain(word).selected(is_chosen));
            response.widget_info(|| WidgetInfo::selected(Kind::RadioButton, true, is_chosen, word));
            if response.clicked() {
                *chosen = *option;
            }
        }
    });
}

/// Draws the question of a change that waits, as the file is another one than it was.
pub fn conflict_ui(ctx: &Context, held: &Held, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(conflict) = &held.conflict else { return commands };
    let is_text = matches!(conflict.wish.how, How::Text { .. });
    Modal::new(Id::unique("settings-conflict")).show(ctx, |ui| {
        ui.set_width(size::TEXT_WIDTH);
        let palette = palette(ui);
        ui.spacing_mut().item_spacing.y = space::BASE;
        access::dialog(ui, &tr.text("settings-screen-conflict"));
        access::heading(ui.label(Type::Heading.text(tr.text("settings-screen-conflict")).color(palette.strong)), 1);
        let id = if is_text { "settings-screen-conflict-undo" } else { "settings-screen-conflict-words" };
        ui.add(Label::new(Type::Body.text(tr.with(id, &args!("change" => &*conflict.wish.words)))).wrap());
        let scroll = ScrollArea::vertical().id_salt("settings-conflict").max_height(280.0);
        scroll.show(ui, |ui| diff::diff(ui, &diff::Row::parse(&conflict.diff)));
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            if !is_text && ui.add(button::primary(ui, tr.text("settings-screen-conflict-merge"))).clicked() {
                commands.push(Command::Settings(Act::Merge));
            }
            let drop = if is_text { "settings-screen-conflict-keep" } else { "settings-screen-conflict-drop" };
            if ui.add(button::plain(tr.text(drop))).clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                commands.push(Command::Settings(Act::Drop));
            }
        });
    });
    commands
}
