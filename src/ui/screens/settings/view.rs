//! Draws Settings.

use egui::{
    Align, Frame, Id, Key, Label, Layout, Margin, Rect, Role, ScrollArea, Stroke, TextEdit, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use jiff::Timestamp;

use crate::args;
use crate::core::outcome::Family;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::settings::{Act, Held, How, Wish};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::RowState;
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, button, card, empty, mark::Mark, sides, tick};

use super::about::About;
use super::fields::Section;
use super::lists;
use super::model::{Autostart, Control, CostTable, Group, Model, Row, Waiting};
use super::record;
use super::rules::Way;
use super::rules_view;

/// Width of the list of sections.
const LIST: f32 = 152.0;
/// Height of a section's name in it.
const SECTION: f32 = size::ROW + space::BASE;
/// Widest the fields get.
const PAGE: f32 = 760.0;
/// List and fields together, and the bar beside them that scrolls.
const WHOLE: f32 = LIST + space::LARGE + PAGE;
const BAR: f32 = space::BASE;
/// Width of what is chosen or typed.
const CONTROL: f32 = 264.0;
/// Where the words beside it would get less, it stands below them.
const WORDS: f32 = 150.0;
/// Width of the search.
const SEARCH: f32 = 220.0;
/// Room that is left to the names in the table of the cost.
const NAMES: f32 = 120.0;

/// Draws the screen and answers with commands; no model while the file is being read.
pub fn ui(ui: &mut Ui, model: Option<&Model>, held: &mut Held, at: Timestamp, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(model) = model else {
        empty::empty(ui, &tr.text("settings-screen-loading"), &tr.text("settings-screen-loading-words"), None);
        return commands;
    };
    header(ui, model, held, tr, &mut commands);
    if model.is_demo {
        ui.add(Label::new(Type::Body.text(tr.text("settings-screen-demo")).color(palette(ui).weak)).wrap());
    }
    ui.add_space(space::MEDIUM);
    if !model.trouble.is_empty() {
        trouble(ui, model, tr, &mut commands);
        return commands;
    }
    let full = ui.available_rect_before_wrap();
    let left = Rect::from_min_max(full.min, pos2(full.left() + LIST, full.bottom()));
    let end = pos2(full.right().min(full.left() + WHOLE + BAR), full.bottom());
    let right = Rect::from_min_max(pos2(left.right() + space::LARGE, full.top()), end);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| sections(ui, model, held, tr, &mut commands));
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
        let scroll = ScrollArea::vertical().id_salt(("settings", held.section, model.is_search));
        scroll.auto_shrink([false, false]).show(ui, |ui| {
            access::scrolls(ui);
            ui.set_max_width(PAGE.min(ui.available_width() - BAR));
            if model.groups.is_empty() {
                let words = tr.with("settings-screen-nothing", &args!("query" => held.query.trim()));
                ui.add(Label::new(Type::Body.text(words).color(palette(ui).weak)).wrap());
            }
            for group in &model.groups {
                group_ui(ui, group, held, (model, at), tr, &mut commands);
                ui.add_space(space::LARGE);
            }
            ui.add(Label::new(Type::Caption.text(&model.file).color(palette(ui).weak)).truncate());
        });
    });
    commands
}

fn header(ui: &mut Ui, model: &Model, held: &mut Held, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        // It ends where the fields do.
        ui.set_max_width(WHOLE.min(ui.available_width()));
        access::heading(ui.label(Type::Title.text(tr.text("settings-screen-title")).color(palette.strong)), 1);
        sides::trailing(ui, |ui| {
            ui.spacing_mut().item_spacing.x = space::BASE;
            for (what, act, id) in [
                (&model.undo, Act::Undo(None), "settings-screen-undo"),
                (&model.redo, Act::Redo(None), "settings-screen-redo"),
            ] {
                let help = |what: &str| tr.with(&format!("{id}-of"), &args!("change" => what));
                let response = ui.add_enabled(what.is_some(), button::plain(tr.text(id)));
                let response = match what {
                    Some(what) => response.on_hover_text(help(what)),
                    None => response.on_disabled_hover_text(tr.text("settings-screen-undo-none")),
                };
                if response.clicked() {
                    commands.push(Command::Settings(act));
                }
            }
            let field = TextEdit::singleline(&mut held.query)
                .id(Id::unique("settings-search"))
                .hint_text(tr.text("settings-screen-search-hint"))
                .margin(vec2(space::BASE, space::SMALL + space::TINY))
                // A field that shrank with the room it is given would never ask for more again.
                .min_size(vec2(SEARCH, 0.0))
                .desired_width(SEARCH);
            let response = ui.add(field);
            let name = tr.text("settings-screen-search");
            response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name.as_str()));
            if std::mem::take(&mut held.wants_focus) {
                response.request_focus();
            }
        });
    });
}

/// What is wrong with the file: nothing is changed before a person has corrected it.
fn trouble(ui: &mut Ui, model: &Model, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::BASE;
        access::heading(ui.label(Type::Heading.text(tr.text("settings-screen-trouble")).color(palette.strong)), 2);
        ui.add(Label::new(Type::Body.text(tr.text("settings-screen-trouble-words"))).wrap());
        for line in &model.trouble {
            card::evidence(ui, line);
        }
        if ui.add(button::plain(tr.text("settings-screen-look"))).clicked() {
            commands.push(Command::Settings(Act::Look));
        }
    });
}

fn sections(ui: &mut Ui, model: &Model, held: &Held, tr: &Tr, commands: &mut Vec<Command>) {
    card::frame(ui).inner_margin(Margin::same(0)).show(ui, |ui| {
        access::part(ui, Role::ListBox, &tr.text("settings-screen-title"));
        ui.spacing_mut().item_spacing.y = 0.0;
        let count = model.sections.len();
        let mut rows = Rows::begin(ui, Id::unique("settings-sections"), SECTION, count, &(0..count));
        for (index, (section, title)) in model.sections.iter().enumerate() {
            let is_selected = !model.is_search && *section == held.section;
            let state = RowState { is_selected, is_first: index == 0, ..RowState::default() };
            let id = Id::unique(("settings-section", *section));
            let (response, ()) = rows.row(ui, index, (id, title), state, |ui| {
                let color = if is_selected { palette(ui).strong } else { palette(ui).text };
                ui.add(Label::new(Type::Body.text(title).color(color)).truncate().selectable(false));
            });
            if response.clicked() {
                commands.push(Command::Settings(Act::Show(*section)));
            }
        }
        rows.end(ui);
    });
}

fn group_ui(
    ui: &mut Ui,
    group: &Group,
    held: &mut Held,
    (model, at): (&Model, Timestamp),
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    let title = Type::Heading.text(&group.title).color(palette(ui).strong);
    if model.is_search {
        access::heading(ui.label(title), 2);
        ui.add_space(space::SMALL);
    }
    if let Some(note) = &group.note {
        ui.add(Label::new(Type::Body.text(note).color(palette(ui).weak)).wrap());
        ui.add_space(space::BASE);
    }
    if let Some(waiting) = &group.waiting {
        waiting_ui(ui, group.section, waiting, tr, commands);
        ui.add_space(space::BASE);
    }
    if let Some(cost) = &group.cost {
        cost_ui(ui, cost, tr);
        ui.add_space(space::BASE);
    }
    if let Some(providers) = &group.providers {
        lists::providers(ui, providers, (model.is_demo, at), tr, commands);
    }
    if let Some(chains) = &group.chains {
        lists::chains(ui, chains, tr, commands);
    }
    if let Some((rows, own)) = &group.rules {
        rules_view::rules(ui, rows, own.as_deref(), tr, commands);
    }
    if let Some((facts, going)) = &group.data {
        record::data(ui, facts, (going.as_deref(), model.is_demo), tr, commands);
        ui.add_space(space::BASE);
    }
    if group.rows.is_empty() && group.autostart.is_none() && group.ways.is_empty() && !group.has_test {
        return;
    }
    card::frame(ui).inner_margin(Margin::same(0)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut is_first = true;
        for row in &group.rows {
            line(ui, std::mem::take(&mut is_first));
            row_ui(ui, row, group.section, held, tr, commands);
        }
        if let Some(autostart) = &group.autostart {
            line(ui, std::mem::take(&mut is_first));
            autostart_ui(ui, autostart, tr, commands);
        }
        for way in &group.ways {
            line(ui, std::mem::take(&mut is_first));
            way_ui(ui, way, tr, commands);
        }
        if group.has_test {
            line(ui, is_first);
            test_ui(ui, tr, commands);
        }
    });
}

/// The line above a row that is not the first.
fn line(ui: &Ui, is_first: bool) {
    if !is_first {
        let (left, right) = (ui.max_rect().left(), ui.max_rect().right());
        ui.painter().hline(left..=right, ui.cursor().top(), Stroke::new(stroke::HAIR, palette(ui).line));
    }
}

/// Words at the left, what is chosen at the right or below, and below both what is wrong.
fn framed(ui: &mut Ui, (label, help): (&str, &str), notes: [Option<&str>; 2], control: impl FnOnce(&mut Ui, Id)) {
    let palette = palette(ui);
    Frame::new().inner_margin(Margin::symmetric(space::LARGE as i8, space::MEDIUM as i8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::TINY;
        let full = ui.available_rect_before_wrap();
        let beside = full.right() - CONTROL - space::LARGE;
        let is_beside = beside - full.left() >= WORDS;
        let words = Rect::from_min_max(full.min, pos2(if is_beside { beside } else { full.right() }, full.bottom()));
        let mut name = ui.scope_id();
        let left = ui.scope_builder(UiBuilder::new().max_rect(words), |ui| {
            name = ui.add(Label::new(Type::Strong.text(label).color(palette.strong)).wrap()).id;
            ui.add(Label::new(Type::Caption.text(help).color(palette.weak)).wrap());
        });
        let top = if is_beside { full.top() } else { left.response.rect.bottom() + space::SMALL };
        let place = Rect::from_min_max(pos2(full.right() - CONTROL, top), full.max);
        let builder = UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Max));
        let right = ui.scope_builder(builder, |ui| control(ui, name));
        ui.expand_to_include_y(left.response.rect.bottom().max(right.response.rect.bottom()));
        ui.advance_cursor_after_rect(left.response.rect.union(right.response.rect));
        for (note, is_bad) in notes.into_iter().zip([true, false]) {
            let Some(note) = note else { continue };
            ui.add_space(space::SMALL);
            ui.horizontal_top(|ui| {
                let family = if is_bad { Family::Fault } else { Family::Full };
                let (_, cell) = ui.allocate_space(egui::Vec2::splat(size::MARK));
                Mark::of_family(family).paint(ui.painter(), cell, palette);
                ui.add(Label::new(Type::Body.text(note).color(palette.strong)).wrap());
            });
        }
    });
}

fn row_ui(ui: &mut Ui, row: &Row, section: Section, held: &mut Held, tr: &Tr, commands: &mut Vec<Command>) {
    let wish = |text: &str, held: &Held| {
        let about = About::Field(row.field, text.to_owned());
        let settings = held.settings()?;
        let how = How::Amend(vec![held.drafts.amendment(row.field, text, settings)]);
        Some(Command::Settings(Act::Write(Wish { about, how })))
    };
    let notes = [row.complaint.as_deref(), row.caution.as_deref()];
    framed(ui, (&row.label, &row.help), notes, |ui, name| match &row.control {
        Control::Switch(is_on) => {
            let mut now = *is_on;
            let word = tr.text(if now { "settings-screen-on" } else { "settings-screen-off" });
            let response = tick::tick(ui, &mut now, &word);
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, *is_on, &row.label));
            if response.clicked() {
                commands.extend(wish(&(!is_on).to_string(), held));
            }
        }
        Control::Choice(choices, chosen) => {
            let font = Type::Body.font();
            let width = |word: &str| {
                let words = ui.painter().layout_no_wrap(word.to_owned(), font.clone(), palette(ui).text);
                words.size().x + 2.0 * ui.spacing().button_padding.x
            };
            let all: f32 = choices.iter().map(|(_, word)| width(word) + space::SMALL).sum();
            ui.with_layout(Layout::left_to_right(Align::Min).with_main_wrap(true), |ui| {
                access::part(ui, Role::RadioGroup, &row.label);
                ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
                // Under each other's right edge, and in the order of reading for the keyboard.
                ui.add_space((ui.available_width() - all + space::SMALL - 0.5).max(0.0));
                for (option, word) in choices {
                    let is_chosen = option == chosen;
                    let response = ui.add(button::plain(word).selected(is_chosen));
                    let named = tr.with("settings-screen-change", &args!("field" => &*row.label, "value" => &**word));
                    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &named));
                    if response.clicked() && !is_chosen {
                        commands.extend(wish(option, held));
                    }
                }
            });
        }
        Control::Text(shown, empty) => {
            let mut typed = shown.clone();
            let field = TextEdit::singleline(&mut typed)
                .id(Id::unique(("settings-field", row.field.id)))
                .hint_text(empty)
                .margin(vec2(space::BASE, space::SMALL + space::TINY))
                .desired_width(CONTROL - 2.0 * space::BASE);
            let response = ui.add(field).labelled_by(name);
            if response.changed() {
                held.type_in(row.field, typed.clone());
            }
            if section.waits() || !response.lost_focus() {
                return;
            }
            if ui.input(|input| input.key_pressed(Key::Escape)) {
                held.drafts.forget(row.field);
                held.generation += 1;
            } else if held.drafts.get(row.field.id).is_some() && row.complaint.is_none() {
                commands.extend(wish(&typed, held));
            }
        }
    });
}

fn autostart_ui(ui: &mut Ui, autostart: &Autostart, tr: &Tr, commands: &mut Vec<Command>) {
    let label = tr.text("settings-screen-autostart");
    framed(ui, (&label, &autostart.words), [None, None], |ui, _| {
        let mut is_on = autostart.is_on;
        let word = tr.text(if is_on { "settings-screen-on" } else { "settings-screen-off" });
        let response = ui.add_enabled_ui(autostart.can_change, |ui| tick::tick(ui, &mut is_on, &word)).inner;
        let info = || WidgetInfo::selected(Role::CheckBox, autostart.can_change, autostart.is_on, &label);
        response.widget_info(info);
        if response.clicked() {
            commands.push(Command::SetAutostart(!autostart.is_on));
        }
    });
}

fn way_ui(ui: &mut Ui, way: &Way, tr: &Tr, commands: &mut Vec<Command>) {
    framed(ui, (&way.label, &way.help), [None, None], |ui, _| {
        let response = ui.add(button::plain(tr.text("settings-screen-rule-change")));
        let named = tr.with("settings-screen-rule-change-of", &args!("name" => &*way.label));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
        if response.clicked() {
            commands.push(Command::Settings(Act::Open(way.task.clone())));
        }
        ui.add(Label::new(Type::Caption.text(&way.words).color(palette(ui).weak)).wrap());
    });
}

fn test_ui(ui: &mut Ui, tr: &Tr, commands: &mut Vec<Command>) {
    let (label, help) = (tr.text("settings-screen-test"), tr.text("settings-screen-test-help"));
    framed(ui, (&label, &help), [None, None], |ui, _| {
        if ui.add(button::plain(tr.text("settings-screen-test-send"))).clicked() {
            commands.push(Command::TestNotice);
        }
    });
}

fn waiting_ui(ui: &mut Ui, section: Section, waiting: &Waiting, tr: &Tr, commands: &mut Vec<Command>) {
    card::frame(ui).inner_margin(Margin::symmetric(space::LARGE as i8, space::BASE as i8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(Type::Strong.text(&waiting.words).color(palette(ui).strong));
            sides::trailing(ui, |ui| {
                if ui.add(button::plain(tr.text("settings-screen-discard"))).clicked() {
                    commands.push(Command::Settings(Act::Discard(section)));
                }
                let save = button::primary(ui, tr.text("settings-screen-save"));
                if ui.add_enabled(waiting.can_save, save).clicked() {
                    commands.push(Command::Settings(Act::Save(section)));
                }
            });
        });
    });
}

fn cost_ui(ui: &mut Ui, cost: &CostTable, tr: &Tr) {
    card::card(ui, |ui| {
        let palette = palette(ui);
        ui.spacing_mut().item_spacing.y = space::SMALL;
        card::section(ui, &tr.text("settings-screen-cost-title"));
        ui.add(Label::new(Type::Strong.text(&cost.total).color(palette.strong)).wrap());
        if let Some(before) = &cost.before {
            let before = tr.with("settings-screen-cost-before", &args!("total" => &**before));
            ui.add(Label::new(Type::Caption.text(before).color(palette.weak)).wrap());
        }
        if let Some(limits) = &cost.limits {
            ui.add(Label::new(Type::Caption.text(limits).color(palette.weak)).wrap());
        }
        if cost.lines.is_empty() {
            return;
        }
        ui.add_space(space::SMALL);
        let most = ((ui.available_width() - NAMES) / 2.0 - space::BASE).max(space::PAGE);
        let needed = |ui: &Ui, texts: &mut dyn Iterator<Item = &str>| {
            let width = |text: &str| {
                ui.painter().layout_no_wrap(text.to_owned(), Type::Body.font(), palette.text).size().x.ceil() + 1.0
            };
            texts.map(width).fold(0.0, f32::max).min(most)
        };
        let heads = ["whose", "usual", "most"].map(|id| tr.text(&format!("settings-screen-cost-{id}")));
        let usual = needed(ui, &mut cost.lines.iter().map(|line| &*line.usual).chain([&*heads[1]]));
        let at_most = needed(ui, &mut cost.lines.iter().map(|line| &*line.most).chain([&*heads[2]]));
        let room = (ui.available_width() - usual - at_most - 2.0 * space::BASE).max(space::PAGE);
        let cells = |ui: &mut Ui, texts: [egui::RichText; 3]| {
            ui.horizontal(|ui| {
                ui.set_min_height(size::ROW_DENSE);
                ui.spacing_mut().item_spacing.x = space::BASE;
                for (text, width) in texts.into_iter().zip([room, usual, at_most]) {
                    let (_, rect) = ui.allocate_space(vec2(width, size::ROW_DENSE));
                    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
                    ui.new_child(builder).add(Label::new(text).truncate());
                }
            });
        };
        cells(ui, heads.map(|head| Type::Caption.text(head).color(palette.weak)));
        for line in &cost.lines {
            let (kind, color) = if line.is_sum { (Type::Strong, palette.strong) } else { (Type::Body, palette.text) };
            let number = if line.is_changed { palette.accent } else { palette.text };
            let name = if line.is_sum { line.name.clone() } else { format!("   {}", line.name) };
            cells(
                ui,
                [
                    kind.text(name).color(color),
                    Type::Body.text(&line.usual).color(number),
                    Type::Body.text(&line.most).color(palette.weak),
                ],
            );
        }
    });
}
