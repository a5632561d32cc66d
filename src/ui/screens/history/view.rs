//! Draws History: its head, the picture or the table, and the outages.

use egui::containers::menu::MenuConfig;
use egui::{Key, Modifiers, PopupCloseBehavior, Rect, Role, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::lanes::Drawn;
use super::model::{self, Model};
use super::range::{Act, Form, Preset, State, asked_at};
use super::{chart, list, table};
use crate::args;
use crate::core::outcome::Family;
use crate::core::sample::Source;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::format;
use crate::ui::history::History;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, empty, sides, tick};

/// From this width on the outages stand beside the picture.
const WIDE: f32 = 1_040.0;
/// Under this width the buttons of the bar are narrower, so that they stand in one line.
const ROOMY: f32 = 880.0;
/// Least height of the outages under the picture.
const OUTAGES: f32 = 148.0;
/// A key moves by this part of the view, and zooms by the factor.
const PAN: f64 = 0.2;
const ZOOM: f64 = 0.6;

/// The families that the filter names.
const FAMILIES: [Family; 5] = [Family::Available, Family::Full, Family::Fault, Family::Limited, Family::Blocked];

/// What is drawn.
pub struct Scene<'a> {
    /// What it shows.
    pub model: &'a Model,
    /// The answer behind it, and the export under way.
    pub held: &'a History,
    /// The zone of times.
    pub zone: &'a TimeZone,
    /// When.
    pub now: Timestamp,
    /// The words.
    pub tr: &'a Tr,
}

/// Draws the screen. `state` learns how many pixels the picture has, `drawn` keeps the picture for the next frame; all else
/// comes back as commands.
pub fn ui(ui: &mut Ui, scene: &Scene<'_>, state: &mut State, drawn: &mut Drawn) -> Vec<Command> {
    let mut acts = Vec::new();
    head(ui, scene, state, &mut acts);
    ui.add_space(space::SMALL);
    bar(ui, scene, state, &mut acts);
    ui.add_space(space::MEDIUM);
    body(ui, scene, state, drawn, &mut acts);
    keyboard(ui, scene, &mut acts);
    acts.into_iter().map(Command::History).collect()
}

/// Draws the picture alone, with its title: what is exported.
pub fn picture(ui: &mut Ui, scene: &Scene<'_>, state: &State) {
    let ground = palette(ui);
    let frame = egui::Frame::new().fill(ground.ground).inner_margin(space::WIDE);
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        let view = view_of(scene, state);
        ui.horizontal(|ui| {
            access::heading(ui.label(Type::Title.text(scene.tr.text("history-title")).color(ground.strong)), 1);
            let words = model::view_words(&view, false, scene.now, scene.zone, scene.tr);
            ui.label(Type::TitleLight.text(words).color(ground.weak));
        });
        ui.add_space(space::BASE);
        if let Some(answer) = scene.held.answer.as_deref() {
            let height = ui.available_height();
            chart::ui(ui, scene, answer, (&view, height), &mut Drawn::default());
        }
    });
}

fn view_of(scene: &Scene<'_>, state: &State) -> std::ops::Range<i64> {
    state.view(scene.held.extent(), asked_at(scene.now))
}

fn head(ui: &mut Ui, scene: &Scene<'_>, state: &State, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let tr = scene.tr;
    ui.horizontal(|ui| {
        access::heading(ui.label(Type::Title.text(tr.text("history-title")).color(palette.strong)), 1);
        let words = model::view_words(&view_of(scene, state), state.is_live(), scene.now, scene.zone, tr);
        ui.label(Type::TitleLight.text(words).color(palette.weak));
        sides::trailing(ui, |ui| {
            let id = if state.is_table { "history-chart" } else { "history-table" };
            if ui.add(button::plain(tr.text(id))).clicked() {
                acts.push(Act::Table);
            }
            match scene.held.writing {
                Some(rows) => {
                    let words = tr.with("history-exporting", &args!("rows" => format::count(rows)));
                    ui.label(Type::Body.text(words).color(palette.weak));
                    if ui.add(button::plain(tr.text("history-export-stop"))).clicked() {
                        acts.push(Act::StopExport);
                    }
                }
                None => export(ui, scene, acts),
            }
        });
    });
}

fn export(ui: &mut Ui, scene: &Scene<'_>, acts: &mut Vec<Act>) {
    let tr = scene.tr;
    button::menu(ui, tr.text("history-export"), MenuConfig::new(), |ui| {
        for form in Form::ALL {
            if ui.button(tr.text(&format!("history-export-{}", form.name()))).clicked() {
                acts.push(Act::Export(form));
                ui.close();
            }
        }
    });
}

/// Range buttons, movement and filters.
fn bar(ui: &mut Ui, scene: &Scene<'_>, state: &State, acts: &mut Vec<Act>) {
    let tr = scene.tr;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::BASE);
        if ui.available_width() < ROOMY {
            ui.spacing_mut().button_padding.x = space::BASE;
        }
        for preset in Preset::ALL {
            let is_chosen = state.preset == Some(preset);
            let label = tr.text(&format!("history-preset-{}", preset.name()));
            if ui.add(button::plain(label).selected(is_chosen)).clicked() {
                acts.push(Act::Preset(preset));
            }
        }
        ui.add_space(space::BASE);
        for (sign, id, act) in [
            ("‹", "history-earlier", Act::Pan(-0.5)),
            ("›", "history-later", Act::Pan(0.5)),
            ("+", "history-nearer", Act::Zoom(0.5, 0.5)),
            ("−", "history-farther", Act::Zoom(2.0, 0.5)),
        ] {
            let name = tr.text(id);
            let is_enabled = !(id == "history-later" && state.is_live());
            let response = ui.add_enabled(is_enabled, button::plain(sign).min_size(vec2(size::CONTROL, size::CONTROL)));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, &name));
            if response.on_hover_text(&name).clicked() {
                acts.push(act);
            }
        }
        // It stands there always: what comes and goes would push the filters aside.
        if ui.add_enabled(!state.is_live(), button::plain(tr.text("history-newest"))).clicked() {
            acts.push(Act::Newest);
        }
        ui.add_space(space::BASE);
        filters(ui, scene, state, acts);
    });
}

fn filters(ui: &mut Ui, scene: &Scene<'_>, state: &State, acts: &mut Vec<Act>) {
    let tr = scene.tr;
    let stays = || MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let of = |id: &str, part: &str, shown: usize, all: usize| {
        if shown == all { tr.text(id) } else { tr.with(part, &args!("shown" => shown, "all" => all)) }
    };
    let choices = &scene.model.choices;
    let shown = choices.iter().filter(|choice| choice.is_shown).count();
    button::menu(ui, of("history-targets", "history-targets-of", shown, choices.len()), stays(), |ui| {
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for choice in choices {
                let mut is_shown = choice.is_shown;
                if tick::tick(ui, &mut is_shown, &choice.name).changed() {
                    acts.push(Act::Target(choice.target.clone()));
                }
            }
        });
        if shown < choices.len() && ui.button(tr.text("history-targets-all")).clicked() {
            acts.push(Act::AllTargets);
        }
    });
    let shown = FAMILIES.iter().filter(|family| !state.hidden_families.contains(family)).count();
    button::menu(ui, of("history-families", "history-families-of", shown, FAMILIES.len()), stays(), |ui| {
        for family in FAMILIES {
            let mut is_shown = !state.hidden_families.contains(&family);
            if tick::tick(ui, &mut is_shown, &tr.text(&format!("family-{}", family.name()))).changed() {
                acts.push(Act::Family(family));
            }
        }
    });
    let source = |source: Source| tr.text(&format!("source-{}", source.name()));
    let label = state.source.map_or_else(|| tr.text("history-sources"), source);
    button::menu(ui, label, MenuConfig::new(), |ui| {
        for choice in std::iter::once(None).chain(Source::ALL.map(Some)) {
            let words = choice.map_or_else(|| tr.text("history-sources-all"), source);
            if ui.selectable_label(state.source == choice, words).clicked() {
                acts.push(Act::Source(choice));
                ui.close();
            }
        }
    });
}

fn body(ui: &mut Ui, scene: &Scene<'_>, state: &mut State, drawn: &mut Drawn, acts: &mut Vec<Act>) {
    let (model, tr) = (scene.model, scene.tr);
    if let Some(trouble) = &scene.held.trouble {
        let words = tr.with("history-trouble", &args!("reason" => trouble.as_str()));
        ui.label(Type::Body.text(words).color(palette(ui).text));
    }
    let Some(answer) = scene.held.answer.as_deref() else {
        if scene.held.trouble.is_none() {
            ui.label(Type::Body.text(tr.text("history-reading")).color(palette(ui).weak));
        }
        return;
    };
    if model.is_empty {
        empty::empty(ui, &tr.text("history-empty"), &tr.text("history-empty-words"), None);
        return;
    }
    if model.lanes.is_empty() {
        let action = tr.text("history-targets-all");
        let shown = empty::empty(ui, &tr.text("history-nothing-shown"), "", Some(&action));
        if shown.is_some_and(|button| button.clicked()) {
            acts.push(Act::AllTargets);
        }
        return;
    }
    let room = ui.available_rect_before_wrap();
    ui.allocate_rect(room, egui::Sense::hover());
    let is_wide = room.width() >= WIDE;
    let (main, side) = if is_wide {
        let split = room.right() - size::DETAIL - space::WIDE;
        (
            Rect::from_min_max(room.min, pos2(split, room.bottom())),
            Rect::from_min_max(pos2(split + space::WIDE, room.top()), room.max),
        )
    } else {
        let most = room.height() - OUTAGES - space::MEDIUM;
        let height = if state.is_table { most } else { chart::height(model.lanes.len(), most) };
        let split = room.top() + height;
        (
            Rect::from_min_max(room.min, pos2(room.right(), split)),
            Rect::from_min_max(pos2(room.left(), split + space::MEDIUM), room.max),
        )
    };
    let mut child = ui.new_child(UiBuilder::new().max_rect(main));
    if state.is_table {
        acts.extend(table::ui(&mut child, scene));
    } else {
        let view = view_of(scene, state);
        let height =
            if is_wide { chart::height(model.lanes.len(), main.height()).max(main.height()) } else { main.height() };
        let (done, pixels) = chart::ui(&mut child, scene, answer, (&view, height), drawn);
        state.pixels = pixels;
        acts.extend(done);
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(side));
    acts.extend(list::ui(&mut child, scene));
}

/// Arrows move, plus and minus zoom, Home and End go to the ends, unless another widget has the keys.
fn keyboard(ui: &Ui, scene: &Scene<'_>, acts: &mut Vec<Act>) {
    let focused = ui.memory(|memory| memory.focused());
    let is_ours = focused.is_none_or(|id| id == chart::id());
    if !is_ours || scene.model.lanes.is_empty() || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    let focus = scene.model.focus;
    let beside = |by: isize| {
        let index = focus.map_or(0, |index| index.saturating_add_signed(by)).min(scene.model.lanes.len() - 1);
        Act::Focus(scene.model.lanes[index].target.clone())
    };
    let keys = [
        (Key::ArrowLeft, Act::Pan(-PAN)),
        (Key::ArrowRight, Act::Pan(PAN)),
        (Key::ArrowUp, beside(-1)),
        (Key::ArrowDown, beside(1)),
        (Key::Plus, Act::Zoom(ZOOM, 0.5)),
        (Key::Equals, Act::Zoom(ZOOM, 0.5)),
        (Key::Minus, Act::Zoom(1.0 / ZOOM, 0.5)),
        (Key::Home, Act::Oldest),
        (Key::End, Act::Newest),
    ];
    ui.input_mut(|input| {
        for (key, act) in keys {
            // Plus is Shift and another key on most keyboards.
            let is_pressed = input.consume_key(Modifiers::NONE, key)
                || (key == Key::Plus && input.consume_key(Modifiers::SHIFT, key));
            if is_pressed {
                acts.push(act);
            }
        }
    });
}
