//! Draws what is known of the record, what can be done with it, and what is asked before something is put back or deleted.

use egui::{Context, Id, Label, Role, ScrollArea, TextEdit, Ui, vec2};

use super::data::{Care, Deed};
use super::dialog::dialog;
use super::question::{Belonging, Copy, Part, Question, copy_words, part_words, word};
use crate::args;
use crate::engine::snapshot::Snapshot;
use crate::format;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::settings::{Act, Held};
use crate::ui::theme::tokens::space;
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::RowState;
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, button, card, tick};

/// Height of a record that can be chosen.
const ROW: f32 = 48.0;
/// Highest that a list in a question gets.
const LIST: f32 = 250.0;
/// Highest that the list of files gets.
const FILES: f32 = 132.0;
/// Width of the field for the word.
const WORD: f32 = 180.0;

/// Draws what is known of the record and what can be done with it; `going` is what is being done. The demo makes its record
/// anew by itself: none is put back or deleted there.
pub fn data(
    ui: &mut Ui,
    facts: &[(String, String)],
    (going, is_demo): (Option<&str>, bool),
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    let is_idle = going.is_none();
    card::card(ui, |ui| {
        card::facts(ui, facts);
        ui.add_space(space::SMALL);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(space::BASE, space::SMALL);
            let mut act = |ui: &mut Ui, name: &str, act: Act| {
                let words = tr.text(&format!("settings-screen-do-{name}"));
                let help = tr.text(&format!("settings-screen-do-{name}-help"));
                let response = ui.add_enabled(is_idle, button::plain(words));
                if response.on_hover_text(&help).on_disabled_hover_text(&help).clicked() {
                    commands.push(Command::Settings(act));
                }
            };
            for care in Care::ALL {
                act(ui, Deed::Care(care).name(), Act::Care(care));
            }
            if !is_demo {
                act(ui, Deed::Restore.name(), Act::Ask(Question::restore()));
                act(ui, Deed::Erase.name(), Act::Ask(Question::erase()));
            }
        });
        if let Some(going) = going {
            ui.add_space(space::SMALL);
            ui.add(Label::new(Type::Body.text(going).color(palette(ui).strong)).wrap());
        }
    });
}

/// Draws the open question, if there is one.
pub fn question_ui(ctx: &Context, held: &mut Held, snapshot: &Snapshot, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(mut question) = held.question.clone() else { return commands };
    let name = match question {
        Question::Restore { .. } => Deed::Restore.name(),
        Question::Erase { .. } => Deed::Erase.name(),
    };
    let title = tr.text(&format!("settings-screen-ask-{name}"));
    dialog(ctx, "settings-question", &title, |ui| {
        let palette = palette(ui);
        ui.add(Label::new(Type::Body.text(tr.text(&format!("settings-screen-ask-{name}-words")))).wrap());
        let looking = |ui: &mut Ui| {
            ui.label(Type::Body.text(tr.text("settings-screen-ask-looking")).color(palette.weak));
        };
        match &mut question {
            Question::Restore { copies: Some(copies), picked } => copies_ui(ui, copies, picked, snapshot, tr),
            Question::Erase { belongings: Some(belongings), parts, typed } => {
                for part in Part::ALL {
                    let words = part_words(part, belongings, tr);
                    let mut is_in = parts.contains(&part);
                    let response = tick::tick(ui, &mut is_in, &words);
                    if response.changed() {
                        if is_in {
                            parts.insert(part)
                        } else {
                            parts.remove(&part)
                        };
                    }
                }
                let goes: Vec<&Belonging> = belongings.iter().filter(|one| parts.contains(&one.part)).collect();
                files_ui(ui, &goes, tr);
                let label = tr.with("settings-screen-erase-type", &args!("word" => word(tr)));
                let label = ui.add(Label::new(Type::Body.text(label).color(palette.strong)).wrap());
                let field = TextEdit::singleline(typed)
                    .id(Id::unique("settings-erase-word"))
                    .margin(vec2(space::BASE, space::SMALL + space::TINY))
                    .desired_width(WORD);
                ui.add(field).labelled_by(label.id);
            }
            _ => looking(ui),
        }
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            let apply = button::primary(ui, tr.text(&format!("settings-screen-apply-{name}")));
            if ui.add_enabled(question.answer(tr).is_some(), apply).clicked() {
                commands.push(Command::Settings(Act::Answer));
            }
            if ui.add(button::plain(tr.text("settings-screen-cancel"))).clicked() {
                commands.push(Command::Settings(Act::Close));
            }
        });
    });
    if held.question.as_ref() != Some(&question) {
        held.question = Some(question);
        held.generation += 1;
    }
    commands
}

fn copies_ui(ui: &mut Ui, copies: &[Copy], picked: &mut Option<std::path::PathBuf>, snapshot: &Snapshot, tr: &Tr) {
    if copies.is_empty() {
        ui.label(Type::Body.text(tr.text("settings-screen-ask-restore-none")).color(palette(ui).strong));
        return;
    }
    let list = ScrollArea::vertical().id_salt("settings-copies").max_height(LIST);
    card::frame(ui).inner_margin(0).show(ui, |ui| {
        list.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            access::part(ui, Role::ListBox, &tr.text("settings-screen-ask-restore"));
            let mut rows = Rows::begin(ui, Id::unique("settings-copies"), ROW, copies.len(), &(0..copies.len()));
            for (at, copy) in copies.iter().enumerate() {
                let (title, words) = copy_words(copy, &snapshot.zone, snapshot.at, tr);
                let is_selected = picked.as_ref() == Some(&copy.path);
                let state = RowState { is_selected, is_first: at == 0, ..RowState::default() };
                let id = Id::unique(("settings-copy", &copy.path));
                let name = format::labelled(&title, &words, tr);
                let (response, ()) = rows.row(ui, at, (id, &name), state, |ui| {
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = space::TINY;
                        let colors = palette(ui);
                        let color = if copy.holds.is_ok() { colors.strong } else { colors.weak };
                        ui.add_space(space::SMALL);
                        ui.add(Label::new(Type::Strong.text(title).color(color)).truncate().selectable(false));
                        let words = Type::Caption.text(words).color(colors.weak);
                        ui.add(Label::new(words).truncate().selectable(false));
                    });
                });
                if response.clicked() && copy.holds.is_ok() {
                    *picked = Some(copy.path.clone());
                }
            }
            rows.end(ui);
        });
    });
}

/// Exactly what goes, a line a file.
fn files_ui(ui: &mut Ui, goes: &[&Belonging], tr: &Tr) {
    let palette = palette(ui);
    if goes.is_empty() {
        ui.label(Type::Caption.text(tr.text("settings-screen-erase-nothing")).color(palette.weak));
        return;
    }
    ui.label(Type::Caption.text(tr.text("settings-screen-erase-files")).color(palette.weak));
    let list = ScrollArea::vertical().id_salt("settings-erase").max_height(FILES);
    card::frame(ui).inner_margin(space::BASE).show(ui, |ui| {
        list.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = space::TINY;
            for one in goes {
                ui.add(Label::new(Type::Mono.text(one.path.display().to_string())).wrap());
            }
        });
    });
}
