//! Draws the card of the projects: the folders that the user named, what is pinned there, and the field for another one.

use egui::{Align, Id, Key, Label, Layout, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::args;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::switching::{Act, What};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, mark::Mark, row};

use super::projects::{Folder, PinRow};

/// Height of a pin.
const ROW: f32 = 38.0;

/// Draws the card and answers with commands.
pub fn ui(ui: &mut Ui, folders: &[Folder], tr: &Tr, commands: &mut Vec<Command>) {
    commands.extend(dropped(ui));
    let palette = palette(ui);
    card::card(ui, |ui| {
        ui.label(Type::Heading.text(tr.text("switching-projects")).color(palette.strong));
        if folders.is_empty() {
            ui.add(Label::new(Type::Body.text(tr.text("switching-projects-empty")).color(palette.weak)).wrap());
        }
        for folder in folders {
            folder_ui(ui, folder, tr, commands);
        }
        ui.add_space(space::SMALL);
        add(ui, tr, commands);
    });
}

/// Folders that were let fall on the window.
fn dropped(ui: &Ui) -> Vec<Command> {
    ui.input(|input| {
        let folder = |path: &std::path::Path| Command::Switching(Act::AddProjects(path.display().to_string()));
        input.raw.dropped_files.iter().map(|file| folder(file.path())).collect()
    })
}

fn folder_ui(ui: &mut Ui, folder: &Folder, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(size::HIT);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let remove = ui.add(button::plain(tr.text("switching-projects-remove")));
            let named = tr.with("switching-projects-remove-of", &args!("folder" => &*folder.name));
            remove.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
            if remove.on_hover_text(tr.text("switching-projects-remove-help")).clicked() {
                commands.push(Command::Switching(Act::RemoveProjects(folder.kept.clone())));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(Type::Mono.text(&folder.name).color(palette.text)).truncate());
                if let Some(note) = &folder.note {
                    ui.add(Label::new(Type::Body.text(note).color(palette.weak)).truncate());
                }
            });
        });
    });
    if let Some(words) = &folder.left_out {
        ui.add(Label::new(Type::Caption.text(words).color(palette.weak)).wrap());
    }
    for pin in &folder.pins {
        pin_ui(ui, pin, tr, commands);
    }
}

fn pin_ui(ui: &mut Ui, pin: &PinRow, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(ROW);
        ui.spacing_mut().item_spacing.x = space::BASE;
        row::column(ui, size::MARK, |ui| {
            if let Some(family) = pin.family {
                Mark::of_family(family).ui(ui, tr);
            }
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !pin.choices.is_empty() {
                menu(ui, pin, tr, commands);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = space::TINY;
                    let words = tr.with("switching-pin", &args!("place" => &*pin.name, "model" => &*pin.model));
                    ui.add(Label::new(Type::Strong.text(words).color(palette.strong)).truncate());
                    ui.add(Label::new(Type::Caption.text(&pin.detail).color(palette.weak)).truncate());
                });
            });
        });
    });
}

fn menu(ui: &mut Ui, pin: &PinRow, tr: &Tr, commands: &mut Vec<Command>) {
    let menu = access::menu(ui.menu_button(Type::Body.text(tr.text("switching-use-other")), |ui| {
        for choice in &pin.choices {
            let words = tr.with("switching-menu-model", &args!("model" => &*choice.name, "state" => &*choice.state));
            if ui.button(words).clicked() {
                let what = What::Pin(pin.seat.clone(), Box::new(pin.pin.clone()), choice.target.clone());
                commands.push(Command::Switching(Act::Plan(what)));
                ui.close();
            }
        }
    }));
    let named = tr.with("switching-use-other-in", &args!("place" => &*pin.name));
    menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
}

/// The field for a further folder.
fn add(ui: &mut Ui, tr: &Tr, commands: &mut Vec<Command>) {
    let id = Id::unique("switch-projects-typed");
    let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        let label = ui.label(Type::Body.text(tr.text("switching-projects-add")).color(palette(ui).weak));
        let field = TextEdit::singleline(&mut typed)
            .id(id.with("field"))
            .hint_text(tr.text("switching-projects-hint"))
            .margin(vec2(space::BASE, space::SMALL + space::TINY))
            .desired_width(260.0);
        let response = ui.add(field).labelled_by(label.id);
        let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let is_typed = !typed.trim().is_empty();
        let add = ui.add_enabled(is_typed, button::plain(tr.text("switching-projects-do")));
        if is_typed && (is_entered || add.clicked()) {
            commands.push(Command::Switching(Act::AddProjects(std::mem::take(&mut typed))));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, typed));
}
