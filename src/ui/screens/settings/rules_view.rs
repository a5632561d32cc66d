//! Draws the rules that switch tools.

use egui::{Label, Role, Ui, WidgetInfo};

use super::editor::Task;
use super::rules::{RuleRow, others};
use crate::args;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::settings::Act;
use crate::ui::state::Screen;
use crate::ui::theme::tokens::space;
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, sides};

/// Draws them; `own` is what is to be said of the user's rules for reading errors.
pub fn rules(ui: &mut Ui, rows: &[RuleRow], own: Option<&str>, tr: &Tr, commands: &mut Vec<Command>) {
    ui.add(Label::new(Type::Body.text(tr.text("settings-screen-rules-help"))).wrap());
    ui.add_space(space::BASE);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        let all = others(rows);
        access::menu(ui.menu_button(Type::Body.text(tr.text("settings-screen-rules-add")), |ui| {
            for (tool, name) in all {
                if ui.button(Type::Body.text(name)).clicked() {
                    commands.push(Command::Settings(Act::Open(Task::EditRule(tool))));
                    ui.close();
                }
            }
        }));
        if ui.add(button::plain(tr.text("settings-screen-rules-show"))).clicked() {
            commands.push(Command::Go(Screen::Switch));
        }
    });
    ui.add_space(space::BASE);
    for row in rows {
        card::card(ui, |ui| {
            let palette = palette(ui);
            ui.spacing_mut().item_spacing.y = space::TINY;
            ui.horizontal(|ui| {
                let title = Label::new(Type::Heading.text(&row.title).color(palette.strong)).truncate();
                sides::sides(
                    ui,
                    |ui| drop(access::heading(ui.add(title), 2)),
                    |ui| {
                        ui.spacing_mut().item_spacing.x = space::SMALL;
                        let mut act = |ui: &mut Ui, id: &str, act: Act| {
                            let response = ui.add(button::plain(tr.text(id)));
                            let named = tr.with(&format!("{id}-of"), &args!("name" => &*row.title));
                            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
                            if response.clicked() {
                                commands.push(Command::Settings(act));
                            }
                        };
                        act(ui, "settings-screen-rule-show", Act::ShowRule(row.tool));
                        act(ui, "settings-screen-rule-change", Act::Open(Task::EditRule(row.tool)));
                    },
                );
            });
            ui.add(Label::new(Type::Body.text(&row.words)).wrap());
            ui.add(Label::new(Type::Caption.text(&row.detail).color(palette.weak)).wrap());
        });
        ui.add_space(space::BASE);
    }
    if let Some(own) = own {
        ui.add(Label::new(Type::Caption.text(own).color(palette(ui).weak)).wrap());
    }
}
