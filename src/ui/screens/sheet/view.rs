//! Draws the cheat sheet: tomorrow, the day's ribbons, the week's plan, best hours and habits.

use egui::{Align, Label, Layout, Mesh, Role, ScrollArea, Sense, Shape, Ui, Vec2, WidgetInfo, vec2};

use super::model::{Best, Model, Outlook, Use};
use super::plan::Promise;
use super::{ribbon, week};
use crate::args;
use crate::ui::command::Command;
use crate::ui::screens::heatmap;
use crate::ui::screens::heatmap::map;
use crate::ui::screens::heatmap::model::{Ink, Source};
use crate::ui::sheets::{Act, Sheets};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty};

/// From this width on the plan and the best hours stand side by side, and habits in one row.
const WIDE: f32 = 900.0;
/// From this width on today and tomorrow stand side by side.
const TWO: f32 = 560.0;

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
        access::heading(ui.label(Type::Title.text(tr.text("sheet-title")).color(palette.strong)), 1);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !model.is_waiting && !model.is_empty && ui.add(button::plain(tr.text("sheet-copy"))).clicked() {
                acts.push(Act::Copy);
            }
            heatmap::view::zones(ui, source, held, acts);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if !model.subtitle.is_empty() {
                    ui.add(Label::new(Type::Body.text(&model.subtitle).color(palette.weak)).truncate());
                }
            });
        });
    });
}

fn body(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets, acts: &mut Vec<Act>) {
    let tr = source.tr;
    if heatmap::view::tells_of_waiting(ui, held, model.is_waiting, tr) {
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
        let plan = |ui: &mut Ui| {
            access::heading(ui.label(Type::Heading.text(tr.text("sheet-week-title")).color(palette(ui).strong)), 2);
            ui.add_space(space::SMALL);
            week::ui(ui, &model.week);
        };
        if ui.available_width() >= WIDE {
            let width = (ui.available_width() - space::MEDIUM) / 2.0;
            let inner = week::HEIGHT + size::CONTROL + space::SMALL;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::MEDIUM;
                half(ui, width, inner, plan);
                half(ui, width, inner, |ui| best(ui, model, source, acts));
            });
        } else {
            card::card(ui, plan);
            card::card(ui, |ui| best(ui, model, source, acts));
        }
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

/// What to use today and tomorrow, and what to do now when the first of the chain is away.
fn answer(ui: &mut Ui, model: &Model, source: &Source<'_>) {
    let palette = palette(ui);
    let tr = source.tr;
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        if let Some(words) = &model.away {
            ui.add(Label::new(Type::Strong.text(words).color(palette.strong)).wrap());
            ui.add_space(space::MEDIUM);
        }
        let columns = if ui.available_width() >= TWO { model.outlooks.len().max(1) } else { 1 };
        let width = (ui.available_width() - space::WIDE * (columns as f32 - 1.0)) / columns as f32;
        for line in model.outlooks.chunks(columns) {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::WIDE;
                for day in line {
                    ui.allocate_ui(vec2(width, 0.0), |ui| {
                        ui.vertical(|ui| {
                            ui.set_width(width);
                            outlook(ui, day, source);
                        });
                    });
                }
            });
        }
        if let Some(words) = &model.missing {
            ui.add_space(space::SMALL);
            ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
        }
        if model.outlooks.is_empty() && model.away.is_none() && model.missing.is_none() {
            ui.label(Type::Body.text(tr.text("sheet-missing-everything")).color(palette.text));
        }
    });
}

/// A day's answer: when to do long work and with what, then all of the day.
fn outlook(ui: &mut Ui, day: &Outlook, source: &Source<'_>) {
    let palette = palette(ui);
    let tr = source.tr;
    ui.spacing_mut().item_spacing = vec2(space::BASE, space::SMALL);
    ui.spacing_mut().interact_size.y = 0.0;
    access::heading(ui.label(Type::Heading.text(&day.title).color(palette.strong)), 2);
    match &day.longest {
        Some(longest) => {
            ui.horizontal_wrapped(|ui| {
                ui.label(Type::Title.text(&longest.hours).color(palette.strong));
                ui.label(Type::TitleLight.text(&longest.name).color(palette.text));
                promise(ui, longest, size::MARK);
            });
            let words = args!("words" => longest.note.as_deref().unwrap_or_default());
            let words = tr.with("sheet-longest-head", &words);
            ui.add(Label::new(Type::Body.text(words).color(palette.weak)).wrap());
        }
        None => {
            ui.label(Type::TitleLight.text(tr.text("sheet-longest-none")).color(palette.text));
        }
    }
    ui.add_space(space::TINY);
    for line in &day.uses {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(space::BASE, space::TINY);
            ui.label(Type::Strong.text(&line.name).color(palette.strong));
            ui.label(Type::Body.text(&line.hours).color(palette.text));
            promise(ui, line, size::MARK);
            if let Some(note) = &line.note {
                ui.label(Type::Body.text(note).color(palette.weak));
            }
        });
    }
}

/// The mark of what does not stand on much, as in the maps and their legend.
fn promise(ui: &mut Ui, line: &Use, side: f32) {
    let ink = match line.promise {
        Promise::Few => Ink::Thin(0.9),
        Promise::Guess => Ink::Empty,
        Promise::Usual | Promise::Likeliest => return,
    };
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let mut mesh = Mesh::default();
    map::cell(&mut mesh, ink, rect, palette(ui));
    ui.painter().add(Shape::mesh(mesh));
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
        access::heading(ui.label(Type::Heading.text(tr.text("sheet-best-hours")).color(palette.strong)), 2);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| heatmap::view::targets(ui, source, acts));
    });
    ui.add_space(space::SMALL);
    if model.best.is_empty() {
        ui.label(Type::Body.text(tr.text("sheet-missing-everything")).color(palette.weak));
        return;
    }
    ui.spacing_mut().item_spacing.y = space::TINY;
    let widths = widths(ui, &model.best);
    for line in &model.best {
        best_line(ui, line, &widths);
    }
}

/// The type of a column of best hours.
const fn column(index: usize) -> Type {
    if index == 2 { Type::Strong } else { Type::Body }
}

/// As wide as the widest text of each column; what is left over stands between them, up to a point.
fn widths(ui: &Ui, lines: &[Best]) -> [f32; 5] {
    let color = palette(ui).text;
    let widest = |index: usize| {
        let width = |line: &Best| {
            ui.painter().layout_no_wrap(line.columns[index].clone(), column(index).font(), color).size().x.ceil()
        };
        lines.iter().map(width).fold(0.0, f32::max)
    };
    let widths: [f32; 5] = std::array::from_fn(widest);
    let spare = ui.available_width() - space::WIDE - widths.iter().sum::<f32>();
    widths.map(|width| width + (spare / 5.0).clamp(space::BASE, space::PAGE))
}

fn best_line(ui: &mut Ui, line: &Best, widths: &[f32; 5]) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    let response = ui.interact(rect, egui::Id::unique(("sheet-best", &line.summary)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &line.summary));
    let mut left = rect.left();
    let side = size::MARK;
    if line.is_thin {
        let place = egui::Rect::from_min_size(egui::pos2(left, rect.center().y - side / 2.0), Vec2::splat(side));
        let mut mesh = Mesh::default();
        map::cell(&mut mesh, Ink::Thin(0.9), place, palette);
        ui.painter().add(Shape::mesh(mesh));
    }
    left += space::WIDE;
    for (index, width) in widths.iter().enumerate() {
        let color = match index {
            2 => palette.strong,
            0 | 1 => palette.text,
            _ => palette.weak,
        };
        let right = (left + width).min(rect.right());
        let cell = egui::Rect::from_min_max(egui::pos2(left, rect.top()), egui::pos2(right, rect.bottom()));
        let builder = egui::UiBuilder::new().max_rect(cell).layout(Layout::left_to_right(Align::Center));
        let mut child = ui.new_child(builder);
        child.add(Label::new(column(index).text(&line.columns[index]).color(color)).truncate().selectable(false));
        left += width;
    }
    response.on_hover_text(&line.summary);
}

fn habits(ui: &mut Ui, model: &Model) {
    let palette = palette(ui);
    access::heading(ui.label(Type::Heading.text(&model.target).color(palette.strong)), 2);
    ui.add_space(space::SMALL);
    let columns = if ui.available_width() >= WIDE { 5 } else { 3 };
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
