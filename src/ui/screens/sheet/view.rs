//! Draws the cheat sheet: tomorrow, the day's ribbons, the week's plan, best hours and habits.

use egui::{Align, Label, Layout, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::model::{Best, Model};
use super::{ribbon, week};
use crate::args;
use crate::ui::command::Command;
use crate::ui::screens::heatmap;
use crate::ui::screens::heatmap::model::Source;
use crate::ui::sheets::{Act, Sheets};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{button, card, empty};

/// From this width on habits stand in one row.
const WIDE: f32 = 940.0;

/// Draws the screen; all comes back as commands.
pub fn ui(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets) -> Vec<Command> {
    let mut acts = Vec::new();
    head(ui, model, source, held, &mut acts);
    ui.add_space(space::MEDIUM);
    body(ui, model, source, held, &mut acts);
    acts.into_iter().map(Command::Sheets).collect()
}

fn head(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let tr = source.tr;
    ui.horizontal(|ui| {
        ui.label(Type::Title.text(tr.text("sheet-title")).color(palette.strong));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !model.is_waiting && !model.is_empty && ui.add(button::plain(tr.text("sheet-copy"))).clicked() {
                acts.push(Act::Copy);
            }
            heatmap::view::zones(ui, source, held, acts);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(Type::Body.text(&model.subtitle).color(palette.weak)).truncate());
            });
        });
    });
}

fn body(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets, acts: &mut Vec<Act>) {
    let tr = source.tr;
    if let Some(trouble) = &held.trouble {
        let words = tr.with("history-trouble", &args!("reason" => trouble.as_str()));
        ui.label(Type::Body.text(words).color(palette(ui).text));
    }
    if model.is_waiting {
        if held.trouble.is_none() {
            ui.label(Type::Body.text(tr.text("sheet-reading")).color(palette(ui).weak));
        }
        return;
    }
    if model.is_empty {
        empty::empty(ui, &tr.text("sheet-empty"), &tr.text("sheet-empty-words"), None);
        return;
    }
    ScrollArea::vertical().id_salt("sheet").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        answer(ui, model, source);
        card::card(ui, |ui| ribbons(ui, model, source, acts));
        let width = (ui.available_width() - space::MEDIUM) / 2.0;
        let inner = week::HEIGHT + size::HIT + space::SMALL;
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::MEDIUM;
            half(ui, width, inner, |ui| {
                ui.label(Type::Heading.text(tr.text("sheet-week-title")).color(palette(ui).strong));
                ui.add_space(space::SMALL);
                week::ui(ui, &model.week);
            });
            half(ui, width, inner, |ui| best(ui, model, source, acts));
        });
        card::card(ui, |ui| habits(ui, model));
    });
}

/// A card of half the width.
fn half(ui: &mut Ui, width: f32, inner: f32, add: impl FnOnce(&mut Ui)) {
    let frame = 2.0 * (space::LARGE + stroke::HAIR);
    ui.allocate_ui(vec2(width, inner + frame), |ui| {
        card::frame(ui).show(ui, |ui| {
            ui.set_min_size(vec2(width - frame, inner));
            ui.set_max_width(width - frame);
            ui.vertical(|ui| add(ui));
        });
    });
}

/// What to use tomorrow, and what to do now when the first of the chain is away.
fn answer(ui: &mut Ui, model: &Model, source: &Source<'_>) {
    let palette = palette(ui);
    let tr = source.tr;
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        if !model.uses.is_empty() {
            ui.label(Type::Heading.text(&model.tomorrow).color(palette.strong));
            for line in &model.uses {
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().interact_size.y = 0.0;
                    ui.spacing_mut().item_spacing.x = space::BASE;
                    let kind = if line.is_good { Type::Title } else { Type::TitleLight };
                    ui.label(kind.text(&line.name).color(palette.strong));
                    ui.label(Type::TitleLight.text(&line.hours).color(palette.text));
                    if !line.is_good {
                        ui.label(Type::Body.text(tr.text("sheet-likeliest")).color(palette.weak));
                    }
                });
            }
        }
        for words in [&model.away, &model.missing].into_iter().flatten() {
            ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
        }
    });
}

fn ribbons(ui: &mut Ui, model: &Model, source: &Source<'_>, acts: &mut Vec<Act>) {
    let (tr, state) = (source.tr, source.state);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        for (is_tomorrow, id) in [(false, "sheet-today"), (true, "sheet-tomorrow")] {
            if ui.add(button::plain(tr.text(id)).selected(state.is_tomorrow == is_tomorrow)).clicked() {
                acts.push(Act::Tomorrow(is_tomorrow));
            }
        }
        ui.add_space(space::LARGE);
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
        heatmap::view::legend(ui, source, egui::pos2(rect.left(), rect.center().y - 8.0));
    });
    ui.add_space(space::BASE);
    if let Some(place) = ribbon::ui(ui, model, tr) {
        acts.push(Act::Target(model.ribbons[place].target.clone()));
    }
}

fn best(ui: &mut Ui, model: &Model, source: &Source<'_>, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let tr = source.tr;
    ui.horizontal(|ui| {
        ui.label(Type::Heading.text(tr.text("sheet-best-hours")).color(palette.strong));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| heatmap::view::targets(ui, source, acts));
    });
    ui.add_space(space::SMALL);
    if model.best.is_empty() {
        ui.label(Type::Body.text(tr.text("sheet-missing-everything")).color(palette.weak));
        return;
    }
    ui.spacing_mut().item_spacing.y = space::SMALL;
    for line in &model.best {
        best_line(ui, line);
    }
}

fn best_line(ui: &mut Ui, line: &Best) {
    let palette = palette(ui);
    let room = ui.available_width() - 4.0 * space::BASE;
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    let response = ui.interact(rect, egui::Id::unique(("sheet-best", &line.summary)), egui::Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &line.summary));
    let mut left = rect.left();
    for (index, part) in [0.2, 0.25, 0.12, 0.19, 0.24].into_iter().enumerate() {
        let width = room * part;
        let (kind, color) = match index {
            2 => (Type::Strong, palette.strong),
            0 | 1 => (Type::Body, palette.text),
            _ => (Type::Body, palette.weak),
        };
        let cell = egui::Rect::from_min_size(egui::pos2(left, rect.top()), vec2(width, rect.height()));
        let builder = egui::UiBuilder::new().max_rect(cell).layout(Layout::left_to_right(Align::Center));
        let mut child = ui.new_child(builder);
        child.add(Label::new(kind.text(&line.columns[index]).color(color)).truncate().selectable(false));
        left += width + space::BASE;
    }
    response.on_hover_text(&line.summary);
}

fn habits(ui: &mut Ui, model: &Model) {
    let palette = palette(ui);
    ui.label(Type::Heading.text(&model.target).color(palette.strong));
    ui.add_space(space::SMALL);
    let columns = if ui.available_width() >= WIDE { 4 } else { 2 };
    let width = (ui.available_width() - space::LARGE * (columns as f32 - 1.0)) / columns as f32;
    for line in model.habits.chunks(columns) {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            for (head, words) in line {
                ui.allocate_ui(vec2(width, 0.0), |ui| {
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        card::section(ui, head);
                        ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
                    });
                });
            }
        });
    }
}
