//! Draws Activity.

use egui::text::LayoutJob;
use egui::{
    Align, Id, Label, Layout, Rect, Role, ScrollArea, Sense, TextEdit, TextFormat, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::args;
use crate::core::outcome::Family;
use crate::format;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::hush::Hush;
use crate::ui::state::UiState;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty, mark::Mark, name, sides};

use super::model::{Line, Model};
use super::offers::{Chip, State};

/// From this width on, the filters need not be narrow to stand in one row.
const ROOMY: f32 = 768.0;

/// A name that stands beside all that is said is not cut to less.
const LEAST_NAME: f32 = 120.0;

/// What is added is left out where it would be cut to less: a letter or two tell nothing.
const LEAST_MORE: f32 = 64.0;

/// Draws Activity; the filters in `state` are edited in place.
pub fn ui(ui: &mut Ui, model: &Model, state: &mut UiState, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    header(ui, model, state, tr, &mut commands);
    ui.add_space(space::LARGE);
    if model.days.is_empty() {
        let (title, words, action) = if model.total == 0 {
            ("ui-activity-empty", model.next.clone(), None)
        } else {
            let words = tr.with("ui-activity-empty-filtered-words", &args!("total" => model.total));
            ("ui-activity-empty-filtered", words, Some(tr.text("ui-activity-clear")))
        };
        if let Some(button) = empty::empty(ui, &tr.text(title), &words, action.as_deref())
            && button.clicked()
        {
            state.clear_filter();
        }
        return commands;
    }
    ScrollArea::vertical().id_salt("activity").auto_shrink([false, false]).show(ui, |ui| {
        access::scrolls(ui);
        for day in &model.days {
            card::section(ui, &day.heading);
            card::card(ui, |ui| {
                ui.spacing_mut().item_spacing.y = space::TINY;
                let width = time_width(ui, day.lines.iter().map(|line| &*line.time));
                for entry in &day.lines {
                    line(ui, entry, &entry.time, width, tr);
                    commands.extend(offers(ui, entry, width, tr));
                }
            });
            ui.add_space(space::BASE);
        }
    });
    commands
}

fn header(ui: &mut Ui, model: &Model, state: &mut UiState, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        access::heading(ui.label(Type::Title.text(tr.text("ui-activity-title")).color(palette.strong)), 1);
        ui.label(Type::TitleLight.text(&model.count).color(palette.weak));
        sides::trailing(ui, |ui| {
            let menu = access::menu(ui.menu_button(Type::Body.text(&model.hush), |ui| {
                for hush in Hush::ALL.into_iter().filter(|hush| *hush != Hush::Off || model.is_hushed) {
                    let command = Command::Hush(hush);
                    if ui.button(command.label(tr)).clicked() {
                        commands.push(command);
                        ui.close();
                    }
                }
            }));
            menu.response.on_hover_text(tr.text("ui-hush-help"));
            let test = Command::TestNotice;
            if model.has_test && ui.add(button::plain(test.label(tr))).on_hover_text(test.help(tr)).clicked() {
                commands.push(test);
            }
        });
    });
    ui.add_space(space::SMALL);
    ui.horizontal_wrapped(|ui| {
        // One row in the smallest window: the field says in itself what it is for, and the choices are narrow ones.
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::BASE);
        let is_tight = ui.available_width() < ROOMY;
        ui.spacing_mut().button_padding.x = if is_tight { space::BASE } else { space::BASE + space::TINY };
        let field = TextEdit::singleline(&mut state.filter)
            .id(Id::unique("activity-filter"))
            .hint_text(tr.text("ui-activity-filter-hint"))
            .margin(vec2(space::BASE, space::SMALL + space::TINY))
            .desired_width(120.0);
        let response = ui.add(field);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(tr.text("ui-activity-filter")));
        if std::mem::take(&mut state.wants_filter_focus) {
            response.request_focus();
        }
        ui.add_space(space::BASE);
        let is_all = state.family.is_none() && !state.only_notices && !state.only_switches;
        if ui.add(button::plain(tr.text("ui-activity-all")).selected(is_all)).clicked() {
            state.family = None;
            (state.only_notices, state.only_switches) = (false, false);
        }
        let notices = button::plain(tr.text("ui-activity-notices")).selected(state.only_notices);
        if ui.add(notices).clicked() {
            state.only_notices = !state.only_notices;
        }
        let switches = button::plain(tr.text("ui-activity-switches")).selected(state.only_switches);
        if ui.add(switches).clicked() {
            state.only_switches = !state.only_switches;
        }
        for family in Family::ALL {
            let is_chosen = state.family == Some(family);
            let word = tr.text(&format!("family-{}", family.name()));
            if ui.add(button::plain(word).selected(is_chosen)).clicked() {
                state.family = if is_chosen { None } else { Some(family) };
            }
        }
    });
}

/// What a notice offers, below its line: the same buttons as on the desktop.
fn offers(ui: &mut Ui, line: &Line, width: f32, tr: &Tr) -> Option<Command> {
    if line.offers.is_empty() {
        return None;
    }
    let mut pressed = None;
    // As high as a button, so that words beside one stand in its middle.
    if line.offers.iter().any(|chip| chip.state == State::Open) {
        ui.spacing_mut().interact_size.y = size::CONTROL;
    }
    let gap = ui.spacing().item_spacing.x;
    let mut room = ui.available_rect_before_wrap();
    // Below the words, also where they go on in a second line.
    room.min.x += width + gap + size::MARK + gap;
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        ui.horizontal_wrapped(|ui| {
            for Chip { answer, label, state } in &line.offers {
                match state {
                    State::Open => {
                        // Several rows may have the same words: who hears them hears what they are about.
                        let response = ui.add(button::plain(label.as_str()));
                        let said = format::labelled(label, &line.text(), tr);
                        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &said));
                        if response.clicked() {
                            pressed = Some(Command::Answer(answer.clone()));
                        }
                    }
                    State::Done => {
                        past(ui, tr.with("ui-activity-done", &args!("label" => label.as_str())));
                    }
                    State::Over(why) => {
                        let label = label.trim_end_matches('…');
                        past(ui, tr.with("ui-activity-over", &args!("label" => label, "why" => why.text(tr))));
                    }
                }
            }
        })
    });
    ui.add_space(space::SMALL);
    pressed
}

/// An offer that cannot be taken any more.
fn past(ui: &mut Ui, words: String) {
    let weak = palette(ui).weak;
    ui.add(Label::new(Type::Body.text(words).color(weak)).selectable(false).sense(Sense::hover()));
}

/// The width that a column of times needs.
pub fn time_width<'a>(ui: &Ui, times: impl Iterator<Item = &'a str>) -> f32 {
    times.map(|time| Type::Mono.width(ui, time)).fold(0.0, f32::max).ceil()
}

/// One thing that happened, with its time as `time` in a column of `width` points.
pub fn line(ui: &mut Ui, line: &Line, time: &str, width: f32, tr: &Tr) {
    let palette = palette(ui);
    ui.spacing_mut().interact_size.y = size::ROW_DENSE;
    ui.horizontal(|ui| {
        let (_, rect) = ui.allocate_space(vec2(width, size::ROW_DENSE));
        let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
        ui.new_child(builder).add(Label::new(Type::Mono.text(time).color(palette.weak)).truncate());
        match line.family {
            Some(family) => {
                Mark::of_family(family).ui(ui, tr);
            }
            // What is not about a model has a dot, so that the words stay aligned.
            None => {
                let (_, rect) = ui.allocate_space(vec2(size::MARK, size::MARK));
                let dot = Rect::from_center_size(rect.center(), vec2(space::SMALL, space::SMALL));
                ui.painter().rect_filled(dot, 2, palette.weak);
            }
        }
        let mut job = LayoutJob::default();
        let width = |kind: Type, is_strong| -> f32 {
            let pieces = line.words.iter().filter(|piece| piece.is_strong == is_strong);
            pieces.map(|piece| kind.width(ui, piece.text.as_str())).sum()
        };
        let (said, named) = (width(Type::Body, false), width(Type::Strong, true));
        let more = if line.more.is_empty() { 0.0 } else { space::BASE + Type::Body.width(ui, line.more.as_str()) };
        let names = line.words.iter().filter(|piece| piece.is_strong).count().max(1) as f32;
        // A name gives way to what is said of it, and to what is added where there is room for both.
        let all = ui.available_width() - said;
        let kept = if all - more >= names * LEAST_NAME { all - more } else { all - space::LARGE };
        let room = kept / names;
        let mut is_cut = false;
        for piece in &line.words {
            let (kind, color) =
                if piece.is_strong { (Type::Strong, palette.strong) } else { (Type::Body, palette.text) };
            // A notice's title is strong too, and no name: it stands alone.
            let cut = if piece.is_strong && said > 0.0 { name::cut(ui, kind, &piece.text, room) } else { None };
            is_cut |= cut.is_some();
            job.append(cut.as_deref().unwrap_or(&piece.text), 0.0, TextFormat::simple(kind.font(), color));
        }
        let is_left_out = !is_cut && all - named < more.min(space::BASE + LEAST_MORE);
        if !line.more.is_empty() && !is_left_out {
            job.append(&line.more, space::BASE, TextFormat::simple(Type::Body.font(), palette.weak));
        }
        let response = ui.add(Label::new(job).truncate().show_tooltip_when_elided(!is_cut && !is_left_out));
        if is_cut {
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, line.text()));
            response.on_hover_text(line.text());
        } else if is_left_out {
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, line.plain()));
            response.on_hover_text(line.plain());
        }
    });
}
