//! Draws the Switch screen.

use egui::{Align, Id, Label, Layout, Margin, Rect, Role, ScrollArea, Ui, UiBuilder, pos2, vec2};

use crate::core::rules::Mode;
use crate::i18n::Tr;
use crate::switch::undo::Direction;
use crate::ui::command::Command;
use crate::ui::switching::{Act, What};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, button, card, empty, key_hint, mark::Mark, name, sides, tick};

use super::dialog::warning_ui;
use super::model::{Choice, Chosen, Line, Model, Row};
use super::projects_view;

/// Width of the list of tools.
const LIST: f32 = 264.0;
/// The same on a wide page.
const LIST_WIDE: f32 = 340.0;
/// From this width of the page on, the list is wide.
const WIDE: f32 = 1_000.0;
/// From this height of the window on, what cannot be used is listed without being asked for.
const TALL: f32 = 840.0;
/// Height of a tool in the list, and of a choice.
const ROW: f32 = 46.0;
/// Width of the names of facts.
const LABEL: f32 = 84.0;
/// Width of the times of the journal.
const MOMENT: f32 = 92.0;
/// Width of what a rule will do, where it is switched on.
const CONSENT: f32 = 380.0;
/// Paths that are named when no tool was found, in how many columns, and how wide one is.
const PLACES: usize = 24;
const PLACE_COLUMNS: usize = 3;
const PLACE: f32 = 232.0;

/// Draws the screen and answers with commands; no model while the tools are being read.
pub fn ui(ui: &mut Ui, model: Option<&Model>, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(model) = model else {
        empty::empty(ui, &tr.text("switching-loading"), &tr.text("switching-loading-words"), None);
        return commands;
    };
    if model.rows.is_empty() {
        nothing(ui, model, tr, &mut commands);
        return commands;
    }
    header(ui, model, tr, &mut commands);
    ui.add_space(space::MEDIUM);
    ScrollArea::vertical().id_salt("switch").auto_shrink([false, false]).show(ui, |ui| {
        access::scrolls(ui);
        if let Some(trouble) = &model.trouble {
            card::card(ui, |ui| warning_ui(ui, trouble, tr));
            ui.add_space(space::BASE);
        }
        let full = ui.available_rect_before_wrap();
        let width = if full.width() >= WIDE { LIST_WIDE } else { LIST };
        let gap = space::LARGE;
        let left = Rect::from_min_max(full.min, pos2(full.left() + width, full.bottom()));
        let right = Rect::from_min_max(pos2(left.right() + gap, full.top()), full.max);
        let mut bottom = full.top();
        // The list is as high as what it belongs to, so that both are one thing; how high that is the last frame knew.
        let id = ui.scope_id().with("detail");
        let known: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let list = UiBuilder::new().max_rect(left);
        let list = ui.scope_builder(list, |ui| tools(ui, &model.rows, known, tr, &mut commands));
        bottom = bottom.max(list.response.rect.bottom());
        if let Some(chosen) = &model.chosen {
            let detail = ui.scope_builder(UiBuilder::new().max_rect(right), |ui| detail(ui, chosen, tr, &mut commands));
            bottom = bottom.max(detail.response.rect.bottom());
            let height = detail.response.rect.height();
            if (height - known).abs() > 0.1 {
                ui.data_mut(|data| data.insert_temp(id, height));
                ui.ctx().request_discard("the height of a tool's card changed");
                ui.ctx().request_repaint();
            }
        }
        ui.expand_to_include_y(bottom);
        let rest = Rect::from_min_max(pos2(full.left(), bottom + gap), pos2(full.right(), f32::INFINITY));
        ui.scope_builder(UiBuilder::new().max_rect(rest), |ui| {
            projects_view::ui(ui, &model.projects, tr, &mut commands);
            ui.add_space(gap);
            journal(ui, &model.journal, tr, &mut commands);
        });
    });
    commands
}

fn nothing(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    let again = tr.text("switching-look");
    let pressed = empty::empty(ui, &tr.text("switching-empty"), &tr.text("switching-empty-words"), Some(&again));
    if pressed.is_some_and(|button| button.clicked()) {
        commands.push(Command::Switching(Act::Look));
    }
    ui.add_space(space::LARGE);
    let full = ui.available_rect_before_wrap();
    let width = (PLACE * PLACE_COLUMNS as f32).min(full.width());
    let block = Rect::from_center_size(full.center(), vec2(width, full.height()));
    ui.scope_builder(UiBuilder::new().max_rect(block), |ui| {
        let palette = palette(ui);
        ui.spacing_mut().item_spacing.y = space::SMALL;
        let places: Vec<&String> = model.places.iter().take(PLACES).collect();
        let each = places.len().div_ceil(PLACE_COLUMNS).max(1);
        ui.columns(PLACE_COLUMNS, |columns| {
            for (ui, places) in columns.iter_mut().zip(places.chunks(each)) {
                for place in places {
                    ui.add(Label::new(Type::Mono.text(*place).color(palette.weak)).truncate());
                }
            }
        });
    });
}

fn header(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        access::heading(ui.label(Type::Title.text(tr.text("switching-title")).color(palette.strong)), 1);
        sides::trailing(ui, |ui| {
            ui.spacing_mut().item_spacing.x = space::BASE;
            if !model.everywhere.is_empty() {
                everywhere(ui, model, tr, commands);
            }
            let look = Command::Switching(Act::Look);
            if ui.add(button::plain(tr.text("switching-look"))).on_hover_text(look.help(tr)).clicked() {
                commands.push(look);
            }
        });
    });
}

/// The menu of models that every tool can be told to use.
fn everywhere(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    access::menu(ui.menu_button(Type::Body.text(tr.text("switching-everywhere")), |ui| {
        for choice in &model.everywhere {
            let words =
                tr.with("switching-menu-model", &crate::args!("model" => &*choice.name, "state" => &*choice.state));
            if ui.button(words).clicked() {
                commands.push(Command::Switching(Act::Plan(What::Everywhere(choice.target.clone()))));
                ui.close();
            }
        }
    }))
    .response
    .on_hover_text(tr.text("switching-everywhere-help"));
}

fn tools(ui: &mut Ui, rows: &[Row], height: f32, tr: &Tr, commands: &mut Vec<Command>) {
    card::frame(ui).inner_margin(Margin::same(0)).show(ui, |ui| {
        ui.set_min_height((height - 2.0 * stroke::HAIR).max(0.0));
        access::part(ui, Role::ListBox, &tr.text("switching-tools"));
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut list = Rows::begin(ui, Id::unique("switch-tools"), ROW, rows.len(), &(0..rows.len()));
        for (index, line) in rows.iter().enumerate() {
            let state = RowState { is_selected: line.is_chosen, is_first: index == 0, ..RowState::default() };
            let id = Id::unique(("switch-tool", line.seat.tool, line.seat.home.as_str()));
            let (response, ()) = list.row(ui, index, (id, &line.summary), state, |ui| {
                row::column(ui, size::MARK, |ui| {
                    if let Some(family) = line.family {
                        let (_, cell) = ui.allocate_space(egui::Vec2::splat(size::MARK));
                        Mark::of_family(family).paint(ui.painter(), cell, palette(ui));
                    }
                });
                let warned = if line.is_warned { space::LARGE } else { 0.0 };
                let width = ui.available_width() - warned;
                row::column(ui, width, |ui| row::two_names(ui, &line.name, &line.uses));
                if line.is_warned {
                    let sign = Type::Strong.text("!").color(palette(ui).accent);
                    ui.add(Label::new(sign).selectable(false));
                }
            });
            if response.clicked() {
                commands.push(Command::Switching(Act::Choose(line.seat.clone())));
            }
        }
        list.end(ui);
    });
}

fn detail(ui: &mut Ui, chosen: &Chosen, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        ui.horizontal(|ui| {
            // As high as the line of text, so that the air above it is that at its side.
            ui.set_max_height(size::ROW_DENSE);
            access::heading(ui.label(Type::Heading.text(&chosen.name).color(palette.strong)), 2);
            ui.add(Label::new(Type::Caption.text(&chosen.subtitle).color(palette.weak)).truncate());
        });
        for (name, value) in &chosen.facts {
            fact(ui, name, value);
        }
        if let Some(obstacle) = &chosen.obstacle {
            ui.add(Label::new(Type::Body.text(obstacle).color(palette.strong)).wrap());
        }
        for warning in &chosen.warnings {
            warning_ui(ui, warning, tr);
        }
        if !chosen.choices.is_empty() {
            ui.add_space(space::MEDIUM);
            card::section(ui, &tr.text("switching-choices"));
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (index, choice) in chosen.choices.iter().enumerate() {
                    choice_ui(ui, chosen, choice, index == 0, tr, commands);
                }
            });
        } else if chosen.obstacle.is_none() {
            ui.add_space(space::SMALL);
            ui.add(Label::new(Type::Body.text(tr.text("switching-no-choices")).color(palette.weak)).wrap());
        }
        if !chosen.unreached.is_empty() {
            ui.add_space(space::SMALL);
            let title = tr.with("switching-unreached", &crate::args!("n" => chosen.unreached.len()));
            let head = egui::CollapsingHeader::new(Type::Body.text(title)).id_salt(("unreached", chosen.seat.tool));
            let head = head.default_open(ui.ctx().content_rect().height() >= TALL);
            head.show(ui, |ui| {
                for (name, reason) in &chosen.unreached {
                    name::title(ui, Type::Strong, name, palette.text);
                    ui.add(Label::new(Type::Body.text(reason).color(palette.weak)).wrap());
                }
            });
        }
        if chosen.obstacle.is_none() {
            ui.add_space(space::SMALL);
            let mut asks = chosen.asks;
            let tick = tick::tick(ui, &mut asks, &tr.text("switching-asks"));
            if tick.on_hover_text(tr.text("switching-asks-help")).changed() {
                commands.push(Command::Switching(Act::Ask(chosen.seat.tool, asks)));
            }
            ui.add_space(space::BASE);
            rule_ui(ui, chosen, tr, commands);
        }
    });
}

/// The rule with its state. What it will do is read where it is switched on.
fn rule_ui(ui: &mut Ui, chosen: &Chosen, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    card::section(ui, &tr.text("rule-title"));
    ui.add(Label::new(Type::Body.text(&chosen.rule.words)).wrap());
    let named = |mode: Mode| tr.text(&format!("rule-mode-{}", mode.name()));
    let shown = chosen.rule.mode.map_or_else(|| tr.text("rule-mode-own"), named);
    let menu = access::menu(ui.menu_button(Type::Body.text(tr.text("rule-change")), |ui| {
        ui.set_max_width(CONSENT);
        // A menu justifies, which tears the words of a paragraph apart.
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.add(Label::new(Type::Body.text(tr.with("rule-consent", &crate::args!("tool" => &*chosen.name)))).wrap());
            ui.add(Label::new(Type::Body.text(tr.text("rule-consent-never")).color(palette.weak)).wrap());
        });
        ui.separator();
        for (_, mode) in Mode::ALL {
            if ui.selectable_label(chosen.rule.mode == Some(mode), named(mode)).clicked() {
                commands.push(Command::Switching(Act::Rule(chosen.seat.tool, mode)));
                ui.close();
            }
        }
    }));
    let name = tr.with("rule-menu", &crate::args!("mode" => shown));
    menu.response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &name));
}

/// A named fact; the values stand under each other.
fn fact(ui: &mut Ui, name: &str, value: &str) {
    let palette = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        let (_, label) = ui.allocate_space(vec2(LABEL, ui.text_style_height(&Type::Body.style())));
        let builder = UiBuilder::new().max_rect(label).layout(Layout::left_to_right(Align::Min));
        ui.new_child(builder).add(Label::new(Type::Body.text(name).color(palette.weak)).truncate());
        ui.add(Label::new(Type::Body.text(value)).wrap());
    });
}

fn choice_ui(ui: &mut Ui, chosen: &Chosen, choice: &Choice, is_first: bool, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let name = tr.with("switching-use-model", &crate::args!("model" => &*choice.name, "tool" => &*chosen.name));
    row::plain(ui, ROW, is_first, |ui| {
        Mark::of_family(choice.family).ui(ui, tr);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if choice.is_used {
                ui.label(Type::Body.text(tr.text("switching-in-use")).color(palette.weak));
            } else {
                let words = tr.text("switching-use");
                let use_it = if choice.is_recommended { button::toned(ui, words) } else { button::plain(words) };
                let response = ui.add(use_it);
                response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &name));
                if response.clicked() {
                    let what = What::Use(chosen.seat.clone(), choice.target.clone());
                    commands.push(Command::Switching(Act::Plan(what)));
                }
            }
            let width = ui.available_width();
            row::column(ui, width, |ui| {
                row::two_lines(ui, &choice.name, &format!("{} · {}", choice.state, choice.provider));
            });
        });
    });
}

fn journal(ui: &mut Ui, lines: &[Line], tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    card::card(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(size::HIT);
            access::heading(ui.label(Type::Heading.text(tr.text("switching-journal")).color(palette.strong)), 2);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let undo = Command::Switching(Act::Plan(What::last(Direction::Undo)));
                let keys = undo.keys(ui.ctx().os());
                if lines.iter().any(|line| line.walk == Some(Direction::Undo)) {
                    key_hint::key_hint(ui, &keys);
                    ui.label(Type::Caption.text(undo.label(tr)).color(palette.weak));
                }
            });
        });
        if lines.is_empty() {
            ui.add(Label::new(Type::Body.text(tr.text("switching-journal-empty")).color(palette.weak)).wrap());
        }
        for line in lines {
            ui.horizontal(|ui| {
                ui.set_min_height(size::ROW + space::SMALL);
                ui.spacing_mut().item_spacing.x = space::BASE;
                row::column(ui, MOMENT, |ui| {
                    ui.add(Label::new(Type::Mono.text(&line.moment).color(palette.weak)).truncate());
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if let Some(direction) = line.walk {
                        let (id, name) = match direction {
                            Direction::Undo => ("switching-undo", "switching-undo-of"),
                            Direction::Redo => ("switching-redo", "switching-redo-of"),
                        };
                        let response = ui.add(button::plain(tr.text(id)));
                        let named = tr.with(name, &crate::args!("change" => &*line.words));
                        response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &named));
                        if response.clicked() {
                            let what = What::Walk { direction, id: Some(line.id), is_forced: false };
                            commands.push(Command::Switching(Act::Plan(what)));
                        }
                    }
                    ui.add(Label::new(Type::Body.text(&line.note).color(palette.weak)));
                    if let Some(family) = line.family {
                        Mark::of_family(family).ui(ui, tr);
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(Label::new(Type::Body.text(&line.words)).truncate());
                    });
                });
            });
        }
    });
}
