//! The button that makes a tool use a target.

use egui::containers::menu::MenuButton;
use egui::{Label, Role, Sense, Ui, WidgetInfo};

use crate::args;
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::switch::uses::Use;
use crate::ui::switching::{Act, What};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, row};

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
    /// It stands in a row that Tab passes by.
    pub is_passed: bool,
    /// It has room for one short word.
    pub is_short: bool,
}

/// Draws it: a button that names the tool, a menu of tools, the tools that use the target already, or that none can. Those that
/// use it stand below a button for others. Where it has little room (`is_short`), the button's words leave out the tool, which
/// is then said on hover.
pub fn ui(ui: &mut Ui, button: &Button<'_>, tr: &Tr, commands: &mut Vec<Command>) {
    match &button.offered.used_by {
        Some(words) if !button.offered.tools.is_empty() && !button.is_short => {
            row::over_caption(ui, |ui| control(ui, button, tr, commands), words);
        }
        _ => control(ui, button, tr, commands),
    }
}

fn control(ui: &mut Ui, button: &Button<'_>, tr: &Tr, commands: &mut Vec<Command>) {
    let offered = button.offered;
    let said = offered.label.as_str();
    let short = button.is_short.then(|| tr.text("switching-use"));
    let label = short.as_deref().unwrap_or(said);
    let sense = if button.is_passed { Sense::CLICK } else { Sense::click() };
    if let Some(seat) = &offered.direct {
        let response = match (button.is_first, button.is_free) {
            (true, _) => ui.add(button::toned(ui, label).truncate().sense(sense)),
            (false, true) => ui.add(button::plain(label).truncate().sense(sense)),
            (false, false) => button::flush_sensing(ui, label, sense),
        };
        let name = tr.with("switching-button", &args!("label" => said, "model" => button.name));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        if response.on_hover_text(&name).clicked() {
            commands.push(use_it(seat, button.target));
        }
    } else if !offered.why_not.is_empty() {
        let words = Type::Caption.text(tr.text("switching-no-tool")).color(palette(ui).weak);
        let response = ui.add(Label::new(words).truncate().selectable(false).show_tooltip_when_elided(false));
        response.on_hover_text(offered.why_not.join("\n"));
    } else if offered.tools.is_empty() {
        let palette = palette(ui);
        let (tools, is_used) = (&*offered.users, tr.text("switching-in-use"));
        row::lines(ui, Type::Body, (tools, palette.text), (&is_used, palette.weak));
    } else {
        let widget = if button.is_first { button::toned(ui, label) } else { button::plain(label) };
        menu(ui, button, (widget.sense(sense), label), commands, tr);
    }
}

/// A menu of every tool that can be told to use the target, opened by a button with these words.
pub fn menu(
    ui: &mut Ui,
    button: &Button<'_>,
    (widget, label): (egui::Button<'_>, &str),
    commands: &mut Vec<Command>,
    tr: &Tr,
) {
    let response = access::menu_of(ui, MenuButton::from_button(widget), |ui| {
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
    });
    let name = tr.with("switching-button", &args!("label" => label, "model" => button.name));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
}

fn use_it(seat: &crate::ui::switching::Seat, target: &TargetId) -> Command {
    Command::Switching(Act::Plan(What::Use(seat.clone(), target.clone())))
}
