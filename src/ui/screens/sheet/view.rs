//! Draws the cheat sheet: tomorrow, the day's ribbons, the week's plan, best hours and habits.

use egui::{
    Align, Align2, Label, Layout, Mesh, Rect, Role, ScrollArea, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, WidgetInfo,
    vec2,
};

use super::model::{BEST_HEADS, Best, Model, Outlook};
use super::plan::Promise;
use super::{ribbon, week};
use crate::ui::command::Command;
use crate::ui::screens::heatmap;
use crate::ui::screens::heatmap::map;
use crate::ui::screens::heatmap::model::{Ink, Source};
use crate::ui::sheets::{Act, Sheets};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty, name};

/// From this width on the day stands beside the week, and habits beside the best hours, so that all of it is one page.
const BESIDE: f32 = 960.0;
/// Under this width of a card the legend stands under the ribbons and not beside the days.
const LEGEND_BESIDE: f32 = 624.0;
/// The left one's part of the width.
const LEFT: f32 = 0.58;
/// More targets than these have a day that is too high to stand beside the week.
const RIBBONS: usize = 9;
/// From this width on now, today and tomorrow stand side by side, and so do the plan and the best hours.
const TWO: f32 = 560.0;
/// From this width on a card has three columns of habits.
const THREE: f32 = 480.0;
/// From this width on all of them stand in one row.
const ALL_HABITS: f32 = 900.0;
/// What a card has around its contents.
const FRAME: f32 = 2.0 * (space::LARGE + stroke::HAIR);

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
                    let label = Label::new(Type::Body.text(&model.subtitle).color(palette.weak)).truncate();
                    ui.add(label).on_hover_text(tr.text("sheet-counted"));
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
        empty::empty(ui, &tr.text("sheet-empty"), &source.nothing(), None);
        return;
    }
    ScrollArea::vertical().id_salt("sheet").auto_shrink([false, false]).show(ui, |ui| {
        access::scrolls(ui);
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        answer(ui, model, source);
        let width = ui.available_width();
        let is_beside = width >= BESIDE && model.ribbons.len() <= RIBBONS;
        let mut day = |ui: &mut Ui, room: f32| ribbons(ui, model, source, room, &mut *acts);
        let part = if is_beside { LEFT } else { 0.5 };
        let left = ((width - space::MEDIUM) * part).floor();
        let right = width - space::MEDIUM - left;
        let under = size::CONTROL + space::SMALL;
        let plan = |ui: &mut Ui| plan(ui, model, source);
        let plan_height = |ui: &Ui, width: f32| under + week::height(ui, &model.week, width - FRAME);
        if is_beside {
            let legend = if left - FRAME < LEGEND_BESIDE { size::CONTROL } else { 0.0 };
            let day_height = size::CONTROL + space::BASE + ribbon::height(model.ribbons.len()) + legend;
            let inner = plan_height(ui, right).max(day_height);
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::MEDIUM;
                half(ui, left, inner, |ui| day(ui, inner - size::CONTROL - space::BASE));
                half(ui, right, inner, plan);
            });
            let lines = under + size::ROW_DENSE + size::ROW * model.best.len().max(4) as f32;
            let lines = lines.max(under + habits_height(ui, model, left - FRAME));
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::MEDIUM;
                half(ui, left, lines, |ui| habits(ui, model));
                half(ui, right, lines, |ui| best(ui, model, source, acts));
            });
            return;
        }
        whole(ui, |ui| day(ui, 0.0));
        if width >= TWO {
            let inner = plan_height(ui, left).max(under + size::ROW_DENSE + size::ROW * 5.0);
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::MEDIUM;
                half(ui, left, inner, plan);
                half(ui, right, inner, |ui| best(ui, model, source, acts));
            });
        } else {
            whole(ui, plan);
            whole(ui, |ui| best(ui, model, source, acts));
        }
        whole(ui, |ui| habits(ui, model));
    });
}

/// The plan of the week with its title.
fn plan(ui: &mut Ui, model: &Model, source: &Source<'_>) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
    title(ui, rect, &source.tr.text("sheet-week-title"));
    ui.add_space(space::SMALL);
    if model.week.iter().all(|day| day.parts.is_empty()) {
        ui.add(Label::new(Type::Body.text(source.tr.text("sheet-best-none")).color(palette(ui).weak)).wrap());
        return;
    }
    week::ui(ui, &model.week);
}

/// The title of a card, as high as one with a button beside it.
fn title(ui: &mut Ui, rect: Rect, words: &str) {
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    let color = palette(ui).strong;
    access::heading(ui.new_child(builder).add(Label::new(Type::Heading.text(words).color(color)).truncate()), 2);
}

/// A card of the whole width.
fn whole(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        add(ui);
    });
}

/// A card of a part of the width.
fn half(ui: &mut Ui, width: f32, inner: f32, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui(vec2(width, inner + FRAME), |ui| {
        card::frame(ui).show(ui, |ui| {
            ui.set_min_size(vec2(width - FRAME, inner));
            ui.set_max_width(width - FRAME);
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.vertical(|ui| add(ui));
        });
    });
}

/// What to use now, today and tomorrow: what the sheet is for, to be read from afar.
fn answer(ui: &mut Ui, model: &Model, source: &Source<'_>) {
    let palette = palette(ui);
    let tr = source.tr;
    card::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        let count = usize::from(model.present.is_some()) + model.outlooks.len();
        if count == 0 && model.missing.is_none() {
            ui.label(Type::Body.text(tr.text("sheet-missing-everything")).color(palette.text));
        }
        let is_wide = ui.available_width() >= TWO && count > 0;
        let columns = if is_wide { count } else { 1 };
        let width = ((ui.available_width() - space::PAGE * (columns as f32 - 1.0)) / columns as f32).floor();
        let now = |ui: &mut Ui| {
            if let Some(present) = &model.present {
                headed(ui, &tr.text("sheet-now"), &present.headline, present.promise);
                ui.add(Label::new(Type::Body.text(&present.words).color(palette.text)).wrap());
            }
        };
        let mut parts: Vec<Box<dyn Fn(&mut Ui) + '_>> = Vec::new();
        if model.present.is_some() {
            parts.push(Box::new(now));
        }
        parts.extend(model.outlooks.iter().map(|day| Box::new(move |ui: &mut Ui| outlook(ui, day)) as Box<_>));
        for line in parts.chunks(columns) {
            let row = ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::PAGE;
                for part in line {
                    ui.allocate_ui(vec2(width, 0.0), |ui| {
                        ui.vertical(|ui| {
                            ui.set_width(width);
                            ui.spacing_mut().item_spacing = vec2(space::BASE, space::SMALL);
                            part(ui);
                        });
                    });
                }
            });
            for column in 1..line.len() {
                let x = row.response.rect.left() + column as f32 * (width + space::PAGE) - space::LARGE;
                let line = Stroke::new(stroke::HAIR, palette.line);
                ui.painter().vline(x.round(), row.response.rect.y_range(), line);
            }
        }
        if let Some(words) = &model.missing {
            ui.add_space(space::SMALL);
            ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
        }
    });
}

/// A headline under the name of its column: as large as it fits, and smaller where it is but a guess.
fn headed(ui: &mut Ui, head: &str, headline: &str, promise: Promise) {
    let palette = palette(ui);
    access::heading(card::section(ui, head), 2);
    let is_guess = promise == Promise::Guess;
    let kinds = if is_guess { &[Type::TitleLight][..] } else { &[Type::Display, Type::Title, Type::Heading] };
    let room = ui.available_width() - size::MARK - space::BASE;
    let kind =
        kinds.iter().find(|kind| kind.width(ui, headline) <= room).or(kinds.last()).copied().unwrap_or(Type::Title);
    let color = if is_guess { palette.weak } else { palette.strong };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = Type::Display.font().size * 1.25;
        ui.horizontal(|ui| {
            // The mark stands after the words.
            let kept = if promise == Promise::Usual { 0.0 } else { size::MARK + space::BASE };
            ui.scope(|ui| {
                ui.set_max_width(ui.available_width() - kept);
                name::title(ui, kind, headline, color);
            });
            mark(ui, promise, size::MARK);
        });
    });
}

/// A day's answer: when to do long work and with what, then all of the day.
fn outlook(ui: &mut Ui, day: &Outlook) {
    let palette = palette(ui);
    match &day.longest {
        Some(longest) => {
            headed(ui, &day.title, &longest.hours, longest.promise);
            name::title(ui, Type::Heading, &longest.name, palette.text);
            let words = longest.note.as_deref().unwrap_or_default();
            ui.add(Label::new(Type::Body.text(words).color(palette.weak)).wrap());
        }
        None => {
            access::heading(card::section(ui, &day.title), 2);
            ui.add(Label::new(Type::TitleLight.text(&day.none).color(palette.text)).wrap());
        }
    }
    ui.spacing_mut().interact_size.y = 0.0;
    ui.add_space(space::TINY);
    for line in &day.uses {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(space::BASE, space::TINY);
            // The hours stand beside it where they are few.
            let (room, hours) = (ui.available_width(), Type::Body.width(ui, line.hours.as_str()) + space::BASE);
            let room = if hours < room / 2.0 { room - hours } else { room };
            let shown = name::cut(ui, Type::Strong, &line.name, room);
            let name = ui.label(Type::Strong.text(shown.as_deref().unwrap_or(&line.name)).color(palette.strong));
            if shown.is_some() {
                name.widget_info(|| WidgetInfo::labeled(Role::Label, true, &line.name));
                name.on_hover_text(&line.name);
            }
            ui.label(Type::Body.text(&line.hours).color(palette.text));
            mark(ui, line.promise, size::MARK);
            if let Some(note) = &line.note {
                ui.label(Type::Body.text(note).color(palette.weak));
            }
        });
    }
    if let Some(words) = &day.without {
        ui.add(Label::new(Type::Caption.text(words).color(palette.weak)).wrap());
    }
}

/// The mark of what does not stand on much, as in the maps and their legend.
fn mark(ui: &mut Ui, promise: Promise, side: f32) {
    let ink = match promise {
        Promise::Few => Ink::Thin(0.9),
        Promise::Guess => Ink::Empty,
        Promise::Usual | Promise::Likeliest => return,
    };
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let mut mesh = Mesh::default();
    map::cell(&mut mesh, ink, rect, palette(ui));
    ui.painter().add(Shape::mesh(mesh));
}

fn ribbons(ui: &mut Ui, model: &Model, source: &Source<'_>, room: f32, acts: &mut Vec<Act>) {
    let is_below = ui.available_width() < LEGEND_BESIDE;
    let room = if is_below { room - size::CONTROL } else { room };
    let (tr, state) = (source.tr, source.state);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        for (is_tomorrow, id) in [(false, "sheet-today"), (true, "sheet-tomorrow")] {
            if ui.add(button::plain(tr.text(id)).selected(state.is_tomorrow == is_tomorrow)).clicked() {
                acts.push(Act::Tomorrow(is_tomorrow));
            }
        }
        if !is_below {
            ui.add_space(space::LARGE);
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
            heatmap::view::legend(ui, source, rect.with_min_y(rect.center().y - 8.0));
        }
    });
    ui.add_space(space::BASE);
    if let Some(place) = ribbon::ui(ui, model, room, tr) {
        acts.push(Act::Target(model.ribbons[place].target.clone()));
    }
    if is_below {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
        heatmap::view::legend(ui, source, rect.with_min_y(rect.bottom() - 16.0));
    }
}

fn best(ui: &mut Ui, model: &Model, source: &Source<'_>, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let tr = source.tr;
    let (_, head) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
    let mut child = ui.new_child(UiBuilder::new().max_rect(head).layout(Layout::right_to_left(Align::Center)));
    heatmap::view::targets(&mut child, source, acts);
    let left = Rect::from_min_max(head.min, egui::pos2(child.min_rect().left() - space::BASE, head.bottom()));
    title(ui, left, &tr.text("sheet-best-hours"));
    ui.add_space(space::SMALL);
    if model.best.is_empty() {
        ui.add(Label::new(Type::Body.text(tr.text("sheet-best-none")).color(palette.weak)).wrap());
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let heads = BEST_HEADS.map(|id| tr.text(id));
    let widths = widths(ui, &model.best, &heads);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW_DENSE));
    let mut left = rect.left() + MARKS;
    for (head, width) in heads.iter().zip(widths) {
        ui.painter().text(
            egui::pos2(left, rect.center().y),
            Align2::LEFT_CENTER,
            head,
            Type::Caption.font(),
            palette.weak,
        );
        left += width;
    }
    for line in &model.best {
        best_line(ui, line, &widths);
    }
}

/// Room for the mark of what stands on few samples.
const MARKS: f32 = space::WIDE;

/// The type of a column of best hours.
const fn column(index: usize) -> Type {
    if index == 2 { Type::Strong } else { Type::Body }
}

/// As wide as the widest text of each column; what is left over stands between them, up to a point.
fn widths(ui: &Ui, lines: &[Best], heads: &[String; 5]) -> [f32; 5] {
    let widest = |index: usize| {
        let width = |line: &Best| column(index).width(ui, &line.columns[index]).ceil();
        lines.iter().map(width).fold(Type::Caption.width(ui, &heads[index]).ceil(), f32::max)
    };
    let widths: [f32; 5] = std::array::from_fn(widest);
    let spare = ui.available_width() - MARKS - widths.iter().sum::<f32>();
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
        let place = Rect::from_min_size(egui::pos2(left, rect.center().y - side / 2.0), Vec2::splat(side));
        let mut mesh = Mesh::default();
        map::cell(&mut mesh, Ink::Thin(0.9), place, palette);
        ui.painter().add(Shape::mesh(mesh));
    }
    left += MARKS;
    for (index, width) in widths.iter().enumerate() {
        let color = match index {
            2 => palette.strong,
            0 | 1 => palette.text,
            _ => palette.weak,
        };
        let right = (left + width).min(rect.right());
        let cell = Rect::from_min_max(egui::pos2(left, rect.top()), egui::pos2(right, rect.bottom()));
        let builder = UiBuilder::new().max_rect(cell).layout(Layout::left_to_right(Align::Center));
        let mut child = ui.new_child(builder);
        child.add(Label::new(column(index).text(&line.columns[index]).color(color)).truncate().selectable(false));
        left += width;
    }
    response.on_hover_text(&line.summary);
}

fn habits(ui: &mut Ui, model: &Model) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::CONTROL));
    title(ui, rect, &model.target);
    ui.add_space(space::SMALL);
    let (columns, width) = habit_columns(ui.available_width());
    for (index, line) in model.habits.chunks(columns).enumerate() {
        if index > 0 {
            ui.add_space(space::MEDIUM);
        }
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            for (head, words) in line {
                ui.allocate_ui(vec2(width, 0.0), |ui| {
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        ui.spacing_mut().item_spacing.y = space::TINY;
                        card::section(ui, head);
                        ui.add(Label::new(Type::Body.text(words).color(palette.text)).wrap());
                    });
                });
            }
        });
    }
}

/// Columns of habits in a width, and how wide one is.
fn habit_columns(room: f32) -> (usize, f32) {
    let columns = match room {
        ALL_HABITS.. => 5,
        THREE.. => 3,
        _ => 2,
    };
    (columns, ((room - space::LARGE * (columns as f32 - 1.0)) / columns as f32).floor())
}

/// The height of the habits without their title.
fn habits_height(ui: &Ui, model: &Model, room: f32) -> f32 {
    let color = palette(ui).text;
    let (columns, width) = habit_columns(room);
    let words = |words: &str| ui.painter().layout(words.to_owned(), Type::Body.font(), color, width).size().y;
    let head = Type::Caption.font().size * 1.4 + 2.0 * space::TINY;
    let line = |line: &[(String, String)]| line.iter().map(|(_, text)| head + words(text)).fold(0.0, f32::max);
    let lines = model.habits.chunks(columns);
    let gaps = space::MEDIUM * (lines.len().max(1) - 1) as f32;
    lines.map(line).sum::<f32>() + gaps
}
