//! Draws the first run's page.

use egui::{Align, Frame, Label, Layout, Margin, Rect, ScrollArea, Ui, UiBuilder, vec2};

use crate::i18n::{Lang, Tr};
use crate::ui::command::Command;
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, logo, name, sides, tick};

use super::model::{ByHand, Logs, Model, Row};

/// Widest the page gets.
const PAGE: f32 = 936.0;
/// Height of the line with *Start*, in points.
pub const FOOT: f32 = 56.0;
/// Width of the role's column.
const ROLE: f32 = 92.0;
/// Width of the cost's column.
const COST: f32 = 300.0;

/// Draws the page and answers with commands.
pub fn ui(ui: &mut Ui, model: &Model, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let full = ui.available_rect_before_wrap();
    let width = full.width().min(PAGE);
    let page = Rect::from_center_size(full.center(), vec2(width, full.height()));
    ui.scope_builder(UiBuilder::new().max_rect(page), |ui| {
        head(ui, model, tr, &mut commands);
        ui.add_space(space::LARGE);
        let body = ui.available_rect_before_wrap();
        let list = Rect::from_min_max(body.min, body.max - vec2(0.0, FOOT + space::BASE));
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
            ScrollArea::vertical().id_salt("welcome").auto_shrink([false, true]).show(ui, |ui| {
                access::scrolls(ui);
                if let Some(by_hand) = &model.by_hand {
                    by_hand_ui(ui, by_hand, tr, &mut commands);
                } else if !model.rows.is_empty() {
                    rows(ui, model, &mut commands);
                    if let Some(logs) = &model.logs {
                        ui.add_space(space::MEDIUM);
                        logs_ui(ui, logs, &mut commands);
                    }
                }
                remarks(ui, model, tr);
            });
        });
        let foot_rect = Rect::from_min_max(body.max - vec2(body.width(), FOOT), body.max);
        ui.scope_builder(UiBuilder::new().max_rect(foot_rect), |ui| foot(ui, model, tr, &mut commands));
    });
    commands
}

fn head(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        logo::logo(ui, 22.0, &tr.text("ui-app"));
        ui.label(Type::Heading.text(tr.text("ui-app")).color(palette.strong));
        sides::trailing(ui, |ui| {
            for lang in Lang::ALL {
                let name = tr.text(&format!("ui-language-{}", lang.name()));
                if ui.add(button::plain(name).selected(tr.lang() == lang)).clicked() {
                    commands.push(Command::Language(lang));
                }
            }
        });
    });
    ui.add_space(space::WIDE);
    access::heading(ui.label(Type::Display.text(&model.headline).color(palette.strong)), 1);
    ui.add(Label::new(Type::Body.text(&model.subline).color(palette.weak)).wrap());
}

fn rows(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let frame = card::frame(ui).inner_margin(Margin::same(0));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, row) in model.rows.iter().enumerate() {
            if index > 0 {
                let line = egui::Stroke::new(stroke::HAIR, palette(ui).line);
                let (left, right) = (ui.max_rect().left(), ui.max_rect().right());
                ui.painter().hline(left..=right, ui.cursor().top(), line);
            }
            row_ui(ui, row, commands);
        }
    });
}

fn row_ui(ui: &mut Ui, row: &Row, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let margin = Margin::symmetric(space::LARGE as i8, space::BASE as i8);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal(|ui| {
            let mut is_ticked = row.is_ticked;
            if tick::tick_alone(ui, &mut is_ticked, &row.summary).clicked() {
                commands.push(Command::ToggleFinding(row.target.clone()));
            }
            ui.add_space(space::SMALL);
            let room = (ui.available_width() - ROLE - COST - 2.0 * space::BASE).max(120.0);
            let color = if row.is_ticked { palette.strong } else { palette.weak };
            cell(ui, room, |ui| {
                name::title(ui, Type::Strong, &row.name, color);
                ui.add(Label::new(Type::Caption.text(&row.origin).color(palette.weak)).truncate());
            });
            for (width, words) in [(ROLE, &row.role), (COST, &row.cost)] {
                ui.allocate_ui_with_layout(vec2(width, size::ROW), Layout::left_to_right(Align::Center), |ui| {
                    ui.set_width(width);
                    ui.add(Label::new(Type::Body.text(words).color(palette.weak)).truncate());
                });
            }
        });
    });
}

fn logs_ui(ui: &mut Ui, logs: &Logs, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let margin = Margin::symmetric(space::LARGE as i8, space::BASE as i8);
    card::frame(ui).inner_margin(margin).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal(|ui| {
            let mut is_ticked = logs.is_ticked;
            if tick::tick_alone(ui, &mut is_ticked, &format!("{}. {}", logs.title, logs.words)).clicked() {
                commands.push(Command::ToggleLogs);
            }
            ui.add_space(space::SMALL);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = space::TINY;
                ui.add(Label::new(Type::Strong.text(&logs.title).color(palette.strong)).wrap());
                ui.add(Label::new(Type::Caption.text(&logs.words).color(palette.weak)).wrap());
            });
        });
    });
}

fn cell(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, size::ROW), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = space::TINY;
        contents(ui);
    });
}

fn by_hand_ui(ui: &mut Ui, by_hand: &ByHand, tr: &Tr, commands: &mut Vec<Command>) {
    card::card(ui, |ui| {
        card::fact(ui, &tr.text("ui-welcome-file"), &by_hand.file);
        card::evidence(ui, by_hand.example.trim_end());
        if ui.add(button::plain(tr.text("ui-welcome-copy"))).clicked() {
            commands.push(Command::CopyText(by_hand.example.clone()));
        }
    });
}

fn remarks(ui: &mut Ui, model: &Model, tr: &Tr) {
    if model.remarks.is_empty() {
        return;
    }
    let color = palette(ui).weak;
    ui.add_space(space::LARGE);
    card::section(ui, &tr.text("ui-welcome-remarks"));
    for remark in &model.remarks {
        ui.add(Label::new(Type::Caption.text(remark).color(color)).wrap());
    }
}

fn foot(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let words = |ui: &mut Ui| {
        if !model.rows.is_empty() {
            ui.add(Label::new(Type::Strong.text(&model.total).color(palette.text)).truncate());
        }
    };
    sides::sides(ui, words, |ui| {
        if model.rows.is_empty() {
            if model.by_hand.is_none() {
                return;
            }
            if ui.add(button::plain(tr.text("ui-welcome-look-again"))).clicked() {
                commands.push(Command::LookAgain);
            }
            if ui.add(button::plain(tr.text("ui-welcome-demo"))).clicked() {
                commands.push(Command::TryDemo);
            }
            if ui.add(button::primary(ui, tr.text("ui-welcome-add"))).clicked() {
                commands.extend(Command::add_by_hand());
            }
            return;
        }
        if ui.add(button::plain(tr.text("ui-welcome-demo"))).clicked() {
            commands.push(Command::TryDemo);
        }
        let start = button::primary(ui, tr.text("ui-welcome-start"));
        if ui.add_enabled(model.can_start, start).clicked() {
            commands.push(Command::Start);
        }
    });
}
