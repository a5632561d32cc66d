//! Draws the heatmap: its head, the map or the table, the legend, the panel of a cell, and all models small.

use egui::containers::menu::MenuConfig;
use egui::{
    Align, Align2, Id, Key, Label, Layout, Mesh, Modifiers, Rect, ScrollArea, Sense, Shape, Ui, UiBuilder, Vec2, pos2,
    vec2,
};

use super::cell::Detail;
use super::drawn::Drawn;
use super::model::{Ink, Model, Source};
use super::{companion, map, months, side, table};
use crate::args;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::sheet::words::weekday;
use crate::ui::sheets::{Act, Place, Sheets, Span, View};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty, name};

/// Width of the panel of a cell.
const SIDE: f32 = 276.0;
/// From this width on the panel is as wide as on the other screens.
const WIDE: f32 = 1_000.0;
/// Height of a row of the map.
const ROW: std::ops::RangeInclusive<f32> = 17.0..=56.0;
/// Least height of a few months, and of more.
const MONTHS: [f32; 2] = [190.0, 300.0];
/// So many are a few.
const FEW: usize = 4;
/// The map's part of the room that neither it nor its companion needs.
const SHARED: f32 = 0.6;
/// The map's least part of the room, however many small ones scroll under it.
const MAIN: f32 = 0.42;
/// Room under the map that is not worth a companion.
const LITTLE: f32 = 96.0;
/// Widest name in the button that opens the menu of models.
const CHOICE: f32 = 200.0;
/// Height of the legend in one line, and of each line more.
const LEGEND: f32 = 26.0;
const LEGEND_LINE: f32 = 22.0;
/// Side of a legend's cell, and the usual step of its scale of colours.
const LEGEND_CELL: f32 = 16.0;
const LEGEND_STEP: f32 = 14.0;

/// Draws the screen; `drawn` keeps what takes long for the next frame, and all comes back as commands.
pub fn ui(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets, drawn: &mut Drawn) -> Vec<Command> {
    let mut acts = Vec::new();
    head(ui, model, source, held, &mut acts);
    ui.add_space(space::MEDIUM);
    body(ui, model, source, (held, drawn), &mut acts);
    acts.into_iter().map(Command::Sheets).collect()
}

fn head(ui: &mut Ui, model: &Model, source: &Source<'_>, held: &Sheets, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let (tr, state) = (source.tr, source.state);
    let mut is_beside = true;
    ui.horizontal(|ui| {
        let title = if model.title.is_empty() { tr.text("sheet-heat-title") } else { model.title.clone() };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let id = if state.is_table { "sheet-heat-picture" } else { "sheet-heat-table" };
            if ui.add(button::plain(tr.text(id))).clicked() {
                acts.push(Act::Table);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let said = Type::TitleLight.width(ui, model.words.as_str()) + ui.spacing().item_spacing.x;
                is_beside = Type::Title.width(ui, title.as_str()) + said <= ui.available_width();
                access::heading(name::title(ui, Type::Title, &title, palette.strong), 1);
                if is_beside && !model.words.is_empty() {
                    ui.label(Type::TitleLight.text(&model.words).color(palette.weak));
                }
            });
        });
    });
    if !is_beside && !model.words.is_empty() {
        // What is said of the model is what the screen is for: it goes on below where the line has no room for it.
        ui.add(Label::new(Type::Body.text(&model.words).color(palette.weak)).wrap());
    }
    ui.add_space(space::SMALL);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::BASE);
        for view in View::ALL {
            let label = tr.text(&format!("sheet-view-{}", view.name()));
            if ui.add(button::plain(label).selected(state.view == view)).clicked() {
                acts.push(Act::View(view));
            }
        }
        ui.add_space(space::BASE);
        match state.view {
            View::Hours => {
                let wide = std::mem::replace(&mut ui.spacing_mut().button_padding.x, space::BASE);
                for day in 1..=7 {
                    let is_chosen = source.weekday() == day;
                    if ui.add(button::plain(weekday(day, tr)).selected(is_chosen)).clicked() {
                        acts.push(Act::Weekday(day));
                    }
                }
                ui.spacing_mut().button_padding.x = wide;
            }
            View::Week | View::Days => targets(ui, source, acts),
        }
        ui.add_space(space::BASE);
        let label = tr.text(&format!("sheet-span-{}", state.span.name()));
        button::menu(ui, label, MenuConfig::new(), |ui| {
            for span in Span::ALL {
                let label = tr.text(&format!("sheet-span-{}", span.name()));
                if ui.selectable_label(state.span == span, label).clicked() {
                    acts.push(Act::Span(span));
                    ui.close();
                }
            }
        });
        zones(ui, source, held, acts);
    });
}

/// The choice between home's hours and those of here, where they differ.
pub fn zones(ui: &mut Ui, source: &Source<'_>, held: &Sheets, acts: &mut Vec<Act>) {
    let Some(here) = &held.here else { return };
    let zones = [(false, &source.snapshot.zone, "sheet-zone-home"), (true, here, "sheet-zone-here")];
    for (is_here, zone, id) in zones {
        let label = source.tr.with(id, &args!("zone" => zone.iana_name().unwrap_or("UTC")));
        if ui.add(button::plain(label).selected(source.state.is_here == is_here)).clicked() {
            acts.push(Act::Here(is_here));
        }
    }
}

/// The menu of models.
pub fn targets(ui: &mut Ui, source: &Source<'_>, acts: &mut Vec<Act>) {
    if source.sheet.is_none() || source.snapshot.board.entries.len() < 2 {
        return;
    }
    let shown = source.target();
    let label = shown.map(|target| source.snapshot.board.name_of(target)).unwrap_or_default();
    let shown_as = name::cut(ui, Type::Body, &label, CHOICE).unwrap_or(label);
    button::menu(ui, shown_as, MenuConfig::new(), |ui| {
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for entry in &source.snapshot.board.entries {
                let id = &entry.target.id;
                if ui.selectable_label(shown == Some(id), source.snapshot.board.name_of(id)).clicked() {
                    acts.push(Act::Target(id.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Says what keeps the statistics from being shown, here and on the Cheat sheet; whether there is nothing else to show yet.
pub fn tells_of_waiting(ui: &mut Ui, held: &Sheets, is_waiting: bool, tr: &Tr) -> bool {
    if let Some(trouble) = &held.trouble {
        let words = tr.with("history-trouble", &args!("reason" => trouble.as_str()));
        ui.label(Type::Body.text(words).color(palette(ui).text));
    } else if is_waiting {
        ui.label(Type::Body.text(tr.text("sheet-reading")).color(palette(ui).weak));
    }
    is_waiting
}

fn body(ui: &mut Ui, model: &Model, source: &Source<'_>, (held, drawn): (&Sheets, &mut Drawn), acts: &mut Vec<Act>) {
    let tr = source.tr;
    if tells_of_waiting(ui, held, model.is_waiting, tr) {
        return;
    }
    if model.is_empty || model.map.rows.is_empty() {
        empty::empty(ui, &tr.text("sheet-empty"), &source.nothing(), None);
        return;
    }
    let room = ui.available_rect_before_wrap();
    ui.allocate_rect(room, Sense::hover());
    let width = if room.width() >= WIDE { size::DETAIL } else { SIDE };
    let split = room.right() - width - space::LARGE;
    let left = Rect::from_min_max(room.min, pos2(split, room.bottom()));
    let (main, under) = if source.state.is_table { (left, None) } else { divide(ui, model, source, left) };
    let cursor = source.state.cursor.or(model.map.now).and_then(|place| model.map.within(place));
    let cursor_detail = cursor.and_then(|place| drawn.detail(source, &model.map, place));
    let cursor_detail = cursor_detail.as_deref();
    let mut hovered = None;
    let mut has_focus = false;
    let mut child = ui.new_child(UiBuilder::new().max_rect(main));
    if source.state.is_table {
        acts.extend(table::ui(&mut child, model, source));
    } else {
        (hovered, has_focus) = picture(&mut child, model, source, (cursor, cursor_detail), drawn, acts);
    }
    let hovered_detail = hovered.and_then(|place| drawn.detail(source, &model.map, place));
    let shown = hovered_detail.as_deref().or(cursor_detail);
    if let Some(shown) = shown {
        let side = Rect::from_min_max(pos2(split + space::LARGE, room.top()), room.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(side));
        acts.extend(side::ui(&mut child, shown, tr));
    }
    if let Some(under) = under {
        let mut child = ui.new_child(UiBuilder::new().max_rect(under));
        companion::ui(&mut child, model, source, drawn, acts);
    }
    keyboard(ui, model, source, (cursor, cursor_detail), has_focus, acts);
}

/// The room of the map, and of what stands under it.
fn divide(ui: &Ui, model: &Model, source: &Source<'_>, room: Rect) -> (Rect, Option<Rect>) {
    let rows = model.map.rows.len() as f32;
    let card = 2.0 * (space::LARGE + stroke::HAIR);
    let legend = legend_height(ui, source, room.width() - card);
    let frame = card + legend;
    let companion = companion::heights(model, room.width());
    let (least, most) = if source.state.view == View::Days {
        (frame + MONTHS[usize::from(model.months.len() > FEW)], room.height())
    } else {
        let names = names_width(ui, model, source, room.width());
        let pitch = (room.width() - 2.0 * space::LARGE - names) / model.map.columns().max(1) as f32;
        // Alone it may be higher than it is wide.
        let is_full =
            |(_, under): (f32, f32)| frame + map::HEADS + rows * pitch * 1.25 + space::LARGE + under >= room.height();
        // Where what stands under it leaves room, too.
        let most = if companion.is_some_and(is_full) { pitch * 1.25 } else { pitch * 1.7 };
        let row = most.clamp(*ROW.start(), *ROW.end());
        (frame + map::HEADS + rows * ROW.start(), frame + map::HEADS + rows * row)
    };
    let (under_least, under_most) = companion.unwrap_or_default();
    let fits = companion.is_some() && room.height() >= least + space::LARGE + under_least.min(LITTLE);
    // What neither needs is shared, and what the companion has no use for is the map's.
    let left_over = room.height() - space::LARGE - least - under_least;
    let shared = (least + (left_over * SHARED).max(0.0)).max(room.height() * MAIN);
    let wanted = if fits { shared.max(room.height() - under_most - space::LARGE) } else { room.height() };
    let mut height = wanted.clamp(least.min(most), most).min(room.height());
    if source.state.view == View::Days {
        // Not higher than its months.
        let firsts: Vec<_> = model.months.iter().map(|month| month.first).collect();
        let inside = Rect::from_min_size(room.min, vec2(room.width() - card, height - frame));
        height = frame + months::Layout::within(inside, &firsts, ui.pixels_per_point()).height() + space::TINY;
    }
    let main = Rect::from_min_max(room.min, pos2(room.right(), room.top() + height));
    let rest = pos2(room.left(), main.bottom() + space::LARGE);
    let bottom = room.bottom().min(rest.y + under_most);
    (main, fits.then(|| Rect::from_min_max(rest, pos2(room.right(), bottom))))
}

fn map_id() -> Id {
    Id::unique("heat-map")
}

fn names_width(ui: &Ui, model: &Model, source: &Source<'_>, width: f32) -> f32 {
    match source.state.view {
        View::Hours => map::names_width(ui, model.map.rows.iter().map(|row| &*row.name), width),
        View::Week | View::Days => 44.0,
    }
}

fn picture(
    ui: &mut Ui,
    model: &Model,
    source: &Source<'_>,
    (cursor, cursor_detail): (Option<Place>, Option<&Detail>),
    drawn: &mut Drawn,
    acts: &mut Vec<Act>,
) -> (Option<Place>, bool) {
    let (tr, room) = (source.tr, ui.max_rect());
    card::frame(ui)
        .show(ui, |ui| {
            ui.set_min_size(room.size() - Vec2::splat(2.0 * (space::LARGE + stroke::HAIR)));
            let inner = ui.max_rect();
            let inner = Rect::from_min_max(inner.min, pos2(inner.max.x, room.bottom() - space::LARGE - stroke::HAIR));
            let legend_top = inner.bottom() - legend_height(ui, source, inner.width());
            let cells = Rect::from_min_max(inner.min, pos2(inner.right(), legend_top));
            let least = map::HEADS + model.map.rows.len() as f32 * ROW.start();
            let name = tr.with(
                "sheet-heat-map",
                &args!("title" => model.title.as_str(), "rows" => model.map.rows.len() as u32, "columns" => model.map.columns() as u32),
            );
            let scene = map::Scene {
                map: &model.map,
                id: map_id(),
                name: &name,
                cursor,
                cursor_name: cursor_detail.map_or("", |detail| &detail.name),
                names: names_width(ui, model, source, inner.width()),
            };
            let mut child = ui.new_child(UiBuilder::new().max_rect(cells));
            let (response, hovered) = if source.state.view == View::Days {
                let of_cursor = (cursor, cursor_detail.map_or("", |detail| &*detail.name));
                months::ui(&mut child, (model, source), (map_id(), &name), of_cursor, cells)
            } else if least > cells.height() + 1.0 {
                // Sixty models need more room than there is.
                let area = ScrollArea::vertical().id_salt("heat-rows").auto_shrink([false, false]);
                area.show(&mut child, |ui| {
                    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), least));
                    map::ui(ui, &scene, rect, drawn)
                })
                .inner
            } else {
                map::ui(&mut child, &scene, cells, drawn)
            };
            if let Some(place) = hovered.filter(|_| response.clicked()) {
                response.request_focus();
                acts.push(Act::Cursor(place));
                if source.state.view == View::Hours
                    && let Some(entry) = source.snapshot.board.entries.get(place.0)
                {
                    acts.push(Act::Target(entry.target.id.clone()));
                }
            }
            legend(ui, source, Rect::from_min_max(pos2(inner.left(), legend_top + space::BASE), inner.max));
            (hovered, response.has_focus())
        })
        .inner
}

/// What the colours and shapes mean, from the upper left corner of `room` on, in as many lines as its width asks for.
pub fn legend(ui: &Ui, source: &Source<'_>, room: Rect) {
    let palette = palette(ui);
    let mut mesh = Mesh::default();
    for (part, offset) in legend_parts(ui, source, room.width()) {
        let at = room.min + offset;
        match part.ink {
            None => {
                let wide = part.side / SHADES;
                for step in 0..=10_u8 {
                    let left = at + vec2(f32::from(step) * wide, 2.0);
                    let rect = Rect::from_min_size(left, vec2(wide - 1.0, LEGEND_CELL - 4.0));
                    map::cell(&mut mesh, Ink::Known(f32::from(step) / 10.0), rect, palette);
                }
            }
            Some(ink) => map::cell(&mut mesh, ink, Rect::from_min_size(at, Vec2::splat(part.side)), palette),
        }
        let place = at + vec2(part.side + space::SMALL, LEGEND_CELL / 2.0);
        ui.painter().text(place, Align2::LEFT_CENTER, part.words, Type::Caption.font(), palette.weak);
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Shades of the scale of colours.
const SHADES: f32 = 11.0;

/// A part of the legend: the scale of colours, or a cell of an ink, with its words.
struct LegendPart {
    ink: Option<Ink>,
    /// Its width without the words.
    side: f32,
    words: String,
}

/// The parts of the legend over a width, each with where it stands.
fn legend_parts(ui: &Ui, source: &Source<'_>, width: f32) -> Vec<(LegendPart, Vec2)> {
    let all = [
        (None, "sheet-legend-ends", SHADES * LEGEND_STEP, space::LARGE),
        (Some(Ink::Thin(0.9)), "sheet-legend-thin", LEGEND_CELL, space::MEDIUM),
        (Some(Ink::Empty), "sheet-legend-empty", LEGEND_CELL, 0.0),
    ];
    let mut at = Vec2::ZERO;
    let place = |(ink, id, side, gap): (Option<Ink>, &str, f32, f32)| {
        let words = source.tr.text(id);
        let beside = space::SMALL + Type::Caption.width(ui, &words);
        // A scale that is wider than the map is narrower than usual.
        let side = if ink.is_none() { side.min(((width - beside) / SHADES).floor().max(3.0) * SHADES) } else { side };
        let own = side + beside;
        if at.x > 0.0 && at.x + own > width {
            at = vec2(0.0, at.y + LEGEND_LINE);
        }
        let place = at;
        at.x += own + gap;
        (LegendPart { ink, side, words }, place)
    };
    all.into_iter().map(place).collect()
}

/// Height of the legend under a map of this width.
fn legend_height(ui: &Ui, source: &Source<'_>, width: f32) -> f32 {
    LEGEND + legend_parts(ui, source, width).last().map_or(0.0, |(_, offset)| offset.y)
}

/// Arrows move the cell, Home and End go to the ends of its row, Enter shows its samples, T the table, unless another widget has the keys.
fn keyboard(
    ui: &Ui,
    model: &Model,
    source: &Source<'_>,
    (cursor, detail): (Option<Place>, Option<&Detail>),
    has_focus: bool,
    acts: &mut Vec<Act>,
) {
    let is_ours = has_focus || ui.memory(|memory| memory.focused()).is_none();
    let Some(place) = cursor.filter(|_| is_ours && !egui::Popup::is_any_open(ui.ctx())) else { return };
    let to = |row: isize, column: isize| {
        model.map.within((place.0.saturating_add_signed(row), place.1.saturating_add_signed(column)))
    };
    let last = model.map.columns().saturating_sub(1);
    // In a calendar the days run on from row to row, and a row is a week.
    let is_calendar = source.state.view == View::Days && !source.state.is_table;
    let days = |by: isize| {
        let today = model.map.now.map_or(0, |(row, column)| column * 7 + row);
        let day = (place.1 * 7 + place.0).saturating_add_signed(by).min(today);
        Some((day % 7, day / 7))
    };
    let moves = if is_calendar {
        [days(-1), days(1), days(-7), days(7), Some((0, place.1)), days(6 - place.0.min(6) as isize)]
    } else {
        [to(0, -1), to(0, 1), to(-1, 0), to(1, 0), Some((place.0, 0)), Some((place.0, last))]
    };
    let keys = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown, Key::Home, Key::End];
    ui.input_mut(|input| {
        for (key, to) in keys.into_iter().zip(moves) {
            if input.consume_key(Modifiers::NONE, key) {
                acts.extend(to.map(Act::Cursor));
            }
        }
        if input.consume_key(Modifiers::NONE, Key::T) {
            acts.push(Act::Table);
        }
        if input.consume_key(Modifiers::NONE, Key::Enter)
            && let Some((detail, newest)) = detail.and_then(|detail| Some((detail, detail.stands.first()?)))
        {
            acts.push(Act::Samples(detail.target.clone(), newest.time.clone()));
        }
    });
}
