//! Draws the banners above the screens.

use egui::{Align, CornerRadius, Frame, Label, Layout, Margin, Rect, Role, Stroke, Ui, UiBuilder, pos2, vec2};

use crate::core::outcome::Family;
use crate::i18n::Tr;
use crate::ui::backfill::Steer;
use crate::ui::command::Command;
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button};

use super::model::{Banner, BannerAction, Weight};

/// Draws them and answers with commands.
pub fn ui(ui: &mut Ui, banners: &[Banner], tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    for banner in banners {
        one(ui, banner, tr, &mut commands);
        ui.add_space(space::MEDIUM);
    }
    commands
}

fn one(ui: &mut Ui, banner: &Banner, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let color = match banner.weight {
        Weight::Calm => palette.accent,
        Weight::Trouble => palette.family(Family::Full),
    };
    let shown = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(stroke::HAIR, palette.control_line))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin { left: space::LARGE as i8, right: space::BASE as i8, top: 8, bottom: 8 })
        .show(ui, |ui| {
            let role = if banner.weight == Weight::Trouble { Role::Alert } else { Role::Status };
            access::part(ui, role, "");
            ui.set_min_width(ui.available_width());
            ui.set_min_height(size::CONTROL);
            let room = ui.available_rect_before_wrap();
            // Their widths first: they are drawn from the left on, as the keyboard walks them.
            let padding = 2.0 * ui.spacing().button_padding.x;
            let width = |id: &str| (Type::Body.width(ui, tr.text(id)) + padding).ceil();
            let actions: Vec<(&str, Command)> = banner.actions.iter().rev().map(named).collect();
            let all: f32 = actions.iter().map(|(id, _)| width(id) + space::BASE).sum();
            let right = room.right() - all + space::BASE.min(all);
            let mut left = right;
            for (id, command) in actions {
                let place = Rect::from_min_max(pos2(left, room.top()), pos2(room.right(), room.bottom()));
                let builder = UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min));
                let response = ui.new_child(builder).add(button::plain(tr.text(id)));
                left = response.rect.right() + space::BASE;
                if response.clicked() {
                    commands.push(command);
                }
            }
            let words = Rect::from_min_max(room.min, pos2(right - 2.0 * space::BASE, room.bottom()));
            ui.scope_builder(UiBuilder::new().max_rect(words), |ui| {
                ui.spacing_mut().item_spacing.y = space::TINY;
                ui.add(Label::new(Type::Strong.text(&banner.title).color(palette.strong)).wrap());
                ui.add(Label::new(Type::Body.text(&banner.words).color(palette.text)).wrap());
            });
        });
    // The edge says by place what the colour says by hue.
    let rect = shown.response.rect;
    let edge = Rect::from_min_size(rect.min, vec2(space::SMALL, rect.height()));
    let corner = CornerRadius { nw: radius::CONTROL, sw: radius::CONTROL, ne: 0, se: 0 };
    ui.painter().rect_filled(edge, corner, color);
}

/// The words of an action, and what it does.
const fn named(action: &BannerAction) -> (&'static str, Command) {
    match *action {
        BannerAction::ReloadSettings => ("ui-banner-reload", Command::ReloadSettings),
        BannerAction::Resume => ("ui-banner-resume", Command::TogglePause),
        BannerAction::Logs(Steer::Begin) => ("ui-backfill-again", Command::ReadLogs),
        BannerAction::Logs(Steer::Pause) => ("ui-backfill-pause", Command::SteerLogs(Steer::Pause)),
        BannerAction::Logs(Steer::Resume) => ("ui-backfill-resume", Command::SteerLogs(Steer::Resume)),
        BannerAction::Logs(Steer::Cancel) => ("ui-backfill-cancel", Command::SteerLogs(Steer::Cancel)),
    }
}
