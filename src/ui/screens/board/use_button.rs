//! The button that makes a tool use a target.

use egui::{Label, Role, Ui, WidgetInfo};

use crate::args;
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::switch::uses::Use;
use crate::ui::switching::{Act, What};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button};

/// What a button is for.
pub struct Button<'a> {
    /// What can be done.
    pub offered: &'a Use,
    /// With which target.
    pub target: &'a TargetId,
    /// The model's name.
    pub name: &'a str,
    /// It is free.
    pub is_free: bool,
    /// It is the first free one.
    pub is_first: bool,
}

/// Draws it: a button that names the tool, a menu of tools, or the tools that use the target already.
pub fn ui(ui: &mut Ui, button: &Button<'_>, tr: &Tr, commands: &mut Vec<Command>) {
    let offered = button.offered;
    if let Some(seat) = &offered.direct {
        let widget = match (button.is_first, button.is_free) {
            (true, _) => button::toned(ui, offered.label.as_str()),
            (false, true) => button::plain(offered.label.as_str()),
            (false, false) => button::quiet(ui, offered.label.as_str()),
        };
        let response = ui.add(widget.truncate());
        let name = tr.with("switching-button", &args!("label" => &*offered.label, "model" => button.name));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        if response.on_hover_text(&name).clicked() {
            commands.push(use_it(seat, button.target));
        }
    } else if offered.tools.is_empty() {
        let words = offered.used_by.clone().unwrap_or_default();
        let label = Label::new(Type::Caption.text(&words).color(palette(ui).weak)).truncate().selectable(false);
        ui.add(label);
    } else {
        menu(ui, button, &offered.label, commands, tr);
    }
}

/// A menu of every tool that can be told to use the target.
pub fn menu(ui: &mut Ui, button: &Button<'_>, label: &str, commands: &mut Vec<Command>, tr: &Tr) {
    let shown = access::menu(ui.menu_button(Type::Body.text(label), |ui| {
        for (seat, name) in &button.offered.tools {
            if ui.button(name).clicked() {
                commands.push(use_it(seat, button.target));
                ui.close();
            }
        }
        if button.offered.tools.len() > 1 {
            ui.separator();
            if ui.button(tr.text("switching-menu-everywhere")).clicked() {
                commands.push(Command::Switching(Act::Plan(What::Everywhere(button.target.clone()))));
                ui.close();
            }
        }
    }));
    let name = tr.with("switching-button", &args!("label" => label, "model" => button.name));
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
}

fn use_it(seat: &crate::ui::switching::Seat, target: &TargetId) -> Command {
    Command::Switching(Act::Plan(What::Use(seat.clone(), target.clone())))
}
