//! Draws the list of outages: a click shows one from near.

use egui::{Align, Id, Label, Layout, Rect, Role, ScrollArea, Ui, UiBuilder, pos2, vec2};

use super::chart;
use super::model::{Line, Listing};
use super::range::Act;
use super::view::Scene;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::mark::Mark;
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, card, name};

/// Height of a row with two lines.
const TALL: f32 = 48.0;
/// From this width on a row has one line.
const WIDE: f32 = 560.0;

/// Draws it over the room there is.
pub fn ui(ui: &mut Ui, scene: &Scene<'_>) -> Vec<Act> {
    let (model, tr) = (scene.model, scene.tr);
    let palette = palette(ui);
    let mut acts = Vec::new();
    // As high as the line of captions beside it.
    let (_, head) = ui.allocate_space(vec2(ui.available_width(), chart::CAPTION));
    let mut child = ui.new_child(UiBuilder::new().max_rect(head).layout(Layout::left_to_right(Align::Center)));
    access::heading(child.label(Type::Heading.text(tr.text("history-outages")).color(palette.strong)), 2);
    child.label(Type::Body.text(&model.count).color(palette.weak));
    card::frame(ui).inner_margin(0).show(ui, |ui| {
        ui.set_min_size(vec2(ui.available_width(), ui.available_height()));
        ui.spacing_mut().item_spacing.y = 0.0;
        if model.outages.is_empty() {
            ui.add_space(space::LARGE);
            ui.vertical_centered(|ui| {
                ui.label(Type::Strong.text(tr.text("history-outages-none")).color(palette.text));
                ui.label(Type::Caption.text(tr.text("history-outages-none-words")).color(palette.weak));
            });
            return;
        }
        let is_wide = ui.available_width() >= WIDE;
        let height = if is_wide { size::ROW } else { TALL };
        let area = ScrollArea::vertical().id_salt("history-outages").auto_shrink([false, false]);
        area.show_rows(ui, height, model.outages.len(), |ui, shown| {
            access::part(ui, Role::ListBox, &tr.text("history-outages"));
            let mut rows = Rows::begin(ui, Id::unique("history-outages"), height, model.outages.len(), &shown);
            access::scrolls(ui);
            for index in shown {
                let listing = &model.outages[index];
                let line = listing.words(scene.now, scene.zone, tr);
                let state = RowState { is_first: index == 0, ..RowState::default() };
                let id = Id::unique(("history-outage", listing.target.as_str(), listing.outage.time.start));
                let (response, ()) = rows.row(ui, index, (id, &line.summary), state, |ui| {
                    if is_wide { wide(ui, listing, line) } else { tall(ui, listing, line) }
                });
                if response.clicked() {
                    acts.push(Act::Outage(listing.target.clone(), listing.outage.time.clone()));
                }
            }
            rows.end(ui);
        });
    });
    acts
}

fn mark(ui: &mut Ui, listing: &Listing) {
    let (rect, _) = ui.allocate_exact_size(vec2(size::MARK, size::MARK), egui::Sense::hover());
    Mark::of_family(listing.family()).paint(ui.painter(), rect, palette(ui));
}

fn wide(ui: &mut Ui, listing: &Listing, line: &Line) {
    let palette = palette(ui);
    mark(ui, listing);
    let room = ui.available_width() - 3.0 * space::BASE;
    let text = |text: &str, kind: Type, color| Label::new(kind.text(text).color(color)).truncate().selectable(false);
    row::column(ui, room * 0.18, |ui| ui.add(text(&line.start, Type::Body, palette.text)));
    row::column(ui, room * 0.30, |ui| name::name(ui, Type::Strong, &listing.name, palette.strong));
    row::column(ui, room * 0.20, |ui| ui.add(text(&line.length, Type::Body, palette.text)));
    row::column(ui, room * 0.32, |ui| ui.add(text(&line.kinds, Type::Caption, palette.weak)));
}

fn tall(ui: &mut Ui, listing: &Listing, line: &Line) {
    let palette = palette(ui);
    mark(ui, listing);
    let text = |text: &str, kind: Type, color| Label::new(kind.text(text).color(color)).truncate().selectable(false);
    let room = ui.available_rect_before_wrap();
    let middle = room.center().y;
    let half = |ui: &mut Ui, top: f32, bottom: f32, layout: Layout| {
        let rect = Rect::from_min_max(pos2(room.left(), top), pos2(room.right(), bottom));
        ui.new_child(UiBuilder::new().max_rect(rect).layout(layout))
    };
    let mut upper = half(ui, room.top() + space::SMALL, middle, Layout::right_to_left(Align::Center));
    upper.add(text(&line.length, Type::Body, palette.text));
    upper.with_layout(Layout::left_to_right(Align::Center), |ui| {
        name::name(ui, Type::Strong, &listing.name, palette.strong);
    });
    let mut lower = half(ui, middle, room.bottom() - space::SMALL, Layout::left_to_right(Align::Center));
    lower.add(text(&format!("{} · {}", line.start, line.kinds), Type::Caption, palette.weak));
}
