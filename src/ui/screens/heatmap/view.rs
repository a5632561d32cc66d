//! Draws the heatmap: its head, the map or the table, the legend, the panel of a cell, and all models small.

use egui::{
    Align, Align2, CornerRadius, Id, Key, Label, Layout, Mesh, Modifiers, Rect, Role, ScrollArea, Sense, Shape, Stroke,
    StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};

use egui::containers::menu::MenuButton;

use super::cell::Detail;
use super::drawn::Drawn;
use super::model::{Ink, Model, Small, Source};
use super::{map, side, table};
use crate::args;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::board::model::name_of;
use crate::ui::screens::sheet::words::weekday;
use crate::ui::sheets::{Act, Place, Sheets, Span, View};
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty};

/// Width of the panel of a cell.
const SIDE: f32 = 276.0;
/// Height of a row of the map.
const ROW: std::ops::RangeInclusive<f32> = 17.0..=40.0;
/// Least height of the panel of a cell, and so of the map beside it.
const PANEL: f32 = 296.0;
/// Height of the legend.
const LEGEND: f32 = 30.0;
/// Least width of a small map, and the height of its cells.
const SMALL: f32 = 212.0;
const SMALL_ROW: f32 = 9.0;

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
    ui.horizontal(|ui| {
        let title = if model.title.is_empty() { tr.text("sheet-heat-title") } else { model.title.clone() };
        access::heading(ui.label(Type::Title.text(title).color(palette.strong)), 1);
        if !model.words.is_empty() {
            ui.add(Label::new(Type::TitleLight.text(&model.words).color(palette.weak)).truncate());
        }
    });
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
                for day in 1..=7 {
                    let is_chosen = source.weekday() == day;
                    if ui.add(button::plain(weekday(day, tr)).selected(is_chosen)).clicked() {
                        acts.push(Act::Weekday(day));
                    }
                }
            }
            View::Week | View::Days => targets(ui, source, acts),
        }
        ui.add_space(space::BASE);
        let label = tr.text(&format!("sheet-span-{}", state.span.name()));
        access::menu_of(ui, MenuButton::from_button(button::plain(label)), |ui| {
            for span in Span::ALL {
                let label = tr.text(&format!("sheet-span-{}", span.name()));
                if ui.selectable_label(state.span == span, label).clicked() {
                    acts.push(Act::Span(span));
                    ui.close();
                }
            }
        });
        zones(ui, source, held, acts);
        let id = if state.is_table { "sheet-heat-picture" } else { "sheet-heat-table" };
        if ui.add(button::plain(tr.text(id))).clicked() {
            acts.push(Act::Table);
        }
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
    let label = shown.map(|target| name_of(source.snapshot, target)).unwrap_or_default();
    let label: String =
        if label.chars().count() > 28 { label.chars().take(27).chain(['…']).collect() } else { label };
    access::menu_of(ui, MenuButton::from_button(button::plain(label)), |ui| {
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for entry in &source.snapshot.board.entries {
                let id = &entry.target.id;
                if ui.selectable_label(shown == Some(id), name_of(source.snapshot, id)).clicked() {
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
        empty::empty(ui, &tr.text("sheet-empty"), &tr.text("sheet-empty-words"), None);
        return;
    }
    let room = ui.available_rect_before_wrap();
    ui.allocate_rect(room, Sense::hover());
    let split = room.right() - SIDE - space::LARGE;
    let rows = model.map.rows.len();
    let frame = 2.0 * (space::LARGE + stroke::HAIR) + map::HEADS + LEGEND;
    let smalls = smalls_height(model.smalls.len(), room.width());
    let least = (frame + rows as f32 * ROW.start()).max(PANEL);
    let pitch = (split - room.left() - 2.0 * space::LARGE - names_width(source)) / model.map.columns().max(1) as f32;
    let most = frame + rows as f32 * (pitch * 1.25).clamp(*ROW.start(), *ROW.end());
    let most = most.max(PANEL);
    let whole = room.height();
    let height = match source.state.is_table {
        true => whole,
        false if smalls > 0.0 => (whole - smalls - space::LARGE).clamp(least, most.max(least)).min(whole),
        false => most.min(whole),
    };
    let main = Rect::from_min_max(room.min, pos2(split, room.top() + height));
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
    let side = Rect::from_min_max(pos2(split + space::LARGE, room.top()), pos2(room.right(), room.top() + height));
    if let Some(shown) = shown {
        let mut child = ui.new_child(UiBuilder::new().max_rect(side));
        acts.extend(side::ui(&mut child, shown, tr));
    }
    if smalls > 0.0 && !source.state.is_table && whole - height > size::ROW_TALL {
        let rest = Rect::from_min_max(pos2(room.left(), room.top() + height + space::LARGE), room.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(rest));
        small_maps(&mut child, &model.smalls, drawn, acts);
    }
    keyboard(ui, model, cursor, cursor_detail, has_focus, acts);
}

fn map_id() -> Id {
    Id::unique("heat-map")
}

fn names_width(source: &Source<'_>) -> f32 {
    if source.state.view == View::Hours { 132.0 } else { 44.0 }
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
            let cells = Rect::from_min_max(inner.min, pos2(inner.right(), inner.bottom() - LEGEND));
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
                names: names_width(source),
            };
            let mut child = ui.new_child(UiBuilder::new().max_rect(cells));
            // Sixty models need more room than there is.
            let (response, hovered) = if least > cells.height() + 1.0 {
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
            legend(ui, source, pos2(inner.left(), inner.bottom() - LEGEND + space::BASE));
            (hovered, response.has_focus())
        })
        .inner
}

/// What the colours and shapes mean.
pub fn legend(ui: &Ui, source: &Source<'_>, at: egui::Pos2) {
    let palette = palette(ui);
    let side = 16.0;
    let middle = at.y + side / 2.0;
    let mut x = at.x;
    let mut mesh = Mesh::default();
    let text = |x: f32, words: String| {
        let place = pos2(x, middle);
        ui.painter().text(place, Align2::LEFT_CENTER, words, Type::Caption.font(), palette.weak).width()
    };
    for step in 0..=10_u8 {
        let rect = Rect::from_min_size(pos2(x, at.y + 2.0), vec2(13.0, side - 4.0));
        map::cell(&mut mesh, Ink::Known(f32::from(step) / 10.0), rect, palette);
        x += 14.0;
    }
    x += space::SMALL;
    x += text(x, source.tr.text("sheet-legend-ends")) + space::LARGE;
    for (ink, id) in [(Ink::Thin(0.9), "sheet-legend-thin"), (Ink::Empty, "sheet-legend-empty")] {
        map::cell(&mut mesh, ink, Rect::from_min_size(pos2(x, at.y), vec2(side, side)), palette);
        x += side + space::SMALL;
        x += text(x, source.tr.text(id)) + space::MEDIUM;
    }
    ui.painter().add(Shape::mesh(mesh));
}

fn per_row(width: f32) -> usize {
    (((width + space::MEDIUM) / (SMALL + space::MEDIUM)).floor() as usize).clamp(1, 5)
}

const SMALL_HEIGHT: f32 = SMALL_ROW * 7.0 + 22.0 + 2.0 * space::MEDIUM;

fn smalls_height(count: usize, width: f32) -> f32 {
    let rows = count.div_ceil(per_row(width));
    rows as f32 * (SMALL_HEIGHT + space::MEDIUM) - if rows > 0 { space::MEDIUM } else { 0.0 }
}

fn small_maps(ui: &mut Ui, smalls: &[Small], drawn: &mut Drawn, acts: &mut Vec<Act>) {
    // Even rows, and no map wider than a third.
    let most = per_row(ui.available_width());
    let columns = smalls.len().div_ceil(smalls.len().div_ceil(most).max(1)).clamp(3, most.max(3));
    ScrollArea::vertical().id_salt("heat-smalls").auto_shrink([false, false]).show(ui, |ui| {
        let width = ((ui.available_width() - space::MEDIUM * (columns as f32 - 1.0)) / columns as f32).floor();
        ui.spacing_mut().item_spacing = Vec2::splat(space::MEDIUM);
        for (row, line) in smalls.chunks(columns).enumerate() {
            ui.horizontal(|ui| {
                for (column, small) in line.iter().enumerate() {
                    let number = row * columns + column + 1;
                    if small_map(ui, small, number, vec2(width, SMALL_HEIGHT), drawn) {
                        acts.push(Act::Target(small.target.clone()));
                    }
                }
            });
        }
    });
}

fn small_map(ui: &mut Ui, small: &Small, number: usize, extent: Vec2, drawn: &mut Drawn) -> bool {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(extent);
    let response = ui.interact(rect, Id::unique(("heat-small", &small.target)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, small.is_shown, &small.summary));
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let corner = CornerRadius::same(radius::CARD);
    let fill = if response.hovered() { palette.hover } else { palette.card };
    let line = match (response.has_focus(), small.is_shown) {
        (true, _) => Stroke::new(stroke::FOCUS, palette.accent),
        (false, true) => Stroke::new(stroke::MARK, palette.accent),
        (false, false) => Stroke::new(stroke::HAIR, palette.line),
    };
    ui.painter().rect(rect, corner, fill, line, StrokeKind::Inside);
    let inner = rect.shrink(space::MEDIUM);
    let mut name = ui.new_child(
        UiBuilder::new()
            .max_rect(Rect::from_min_size(inner.min, vec2(inner.width(), 18.0)))
            .layout(Layout::left_to_right(Align::Center)),
    );
    name.add(Label::new(Type::Caption.text(&small.name).color(palette.strong)).truncate().selectable(false));
    let cells = Rect::from_min_max(pos2(inner.left(), inner.top() + 22.0), inner.max);
    let layout = map::Layout::within(cells, (7, 24), ui.pixels_per_point());
    ui.painter().add(Shape::mesh(drawn.mesh(number, &small.map, &layout, palette)));
    response.on_hover_text(&small.summary).clicked()
}

/// Arrows move the cell, Home and End go to the ends of its row, Enter shows its samples, T the table, unless another widget has the keys.
fn keyboard(
    ui: &Ui,
    model: &Model,
    cursor: Option<Place>,
    detail: Option<&Detail>,
    has_focus: bool,
    acts: &mut Vec<Act>,
) {
    let is_ours = has_focus || ui.memory(|memory| memory.focused()).is_none();
    let Some(place) = cursor.filter(|_| is_ours && !egui::Popup::is_any_open(ui.ctx())) else { return };
    let to = |row: isize, column: isize| {
        model.map.within((place.0.saturating_add_signed(row), place.1.saturating_add_signed(column)))
    };
    let last = model.map.columns().saturating_sub(1);
    let moves = [
        (Key::ArrowLeft, to(0, -1)),
        (Key::ArrowRight, to(0, 1)),
        (Key::ArrowUp, to(-1, 0)),
        (Key::ArrowDown, to(1, 0)),
        (Key::Home, Some((place.0, 0))),
        (Key::End, Some((place.0, last))),
    ];
    ui.input_mut(|input| {
        for (key, to) in moves {
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
