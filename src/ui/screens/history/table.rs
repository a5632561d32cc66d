//! Draws the table: the figures of the picture as rows, for who wants to read, hear or copy them.

use egui::{Id, Label, Role, ScrollArea, Ui};

use super::model::Row;
use super::range::Act;
use super::view::Scene;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, card};

/// The columns after the period and the model: their head and their part of the width.
const FIGURES: [(&str, f32); 6] = [
    ("history-column-free", 0.065),
    ("history-column-full", 0.065),
    ("history-column-fault", 0.065),
    ("history-column-watched", 0.135),
    ("history-column-own", 0.115),
    ("history-column-samples", 0.075),
];
const PERIOD: f32 = 0.31;
const MODEL: f32 = 0.17;
/// The name of a model gives way to a period, down to this width.
const MODEL_LEAST: f32 = 64.0;
/// So many periods are measured.
const SAMPLE: usize = 48;

/// Draws it over the room there is; a click shows the row's time.
pub fn ui(ui: &mut Ui, scene: &Scene<'_>) -> Vec<Act> {
    let (model, tr) = (scene.model, scene.tr);
    let mut acts = Vec::new();
    card::frame(ui).inner_margin(0).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        // Rows have this much around and between their columns.
        let room = ui.available_width() - 2.0 * space::LARGE - 7.0 * space::BASE;
        let mut heads: Vec<(String, f32)> = [("history-column-period", PERIOD), ("history-column-model", MODEL)]
            .into_iter()
            .chain(FIGURES)
            .map(|(id, part)| (tr.text(id), (room * part).floor()))
            .collect();
        let periods = model.rows.iter().take(SAMPLE);
        let periods = periods.map(|row| Type::Body.width(ui, row.words(scene.now, scene.zone, tr).period.as_str()));
        let more =
            (periods.fold(0.0, f32::max).ceil() + 1.0 - heads[0].1).clamp(0.0, (heads[1].1 - MODEL_LEAST).max(0.0));
        heads[0].1 += more;
        heads[1].1 -= more;
        let heads: Vec<(&str, f32)> = heads.iter().map(|(text, width)| (&**text, *width)).collect();
        row::head(ui, size::ROW, &heads);
        let area = ScrollArea::vertical().id_salt("history-table").auto_shrink([false, false]);
        area.show_rows(ui, size::ROW, model.rows.len(), |ui, shown| {
            access::part(ui, Role::ListBox, &tr.text("history-title"));
            let mut rows = Rows::begin(ui, Id::unique("history-table"), size::ROW, model.rows.len(), &shown);
            access::scrolls(ui);
            for index in shown {
                let entry = &model.rows[index];
                let line = entry.words(scene.now, scene.zone, tr);
                let id = Id::unique(("history-row", entry.time.start, &entry.name));
                let (response, ()) = rows.row(ui, index, (id, &line.summary), RowState::default(), |ui| {
                    cells(ui, (&entry.name, line), &heads);
                });
                if response.clicked() {
                    acts.push(Act::Show(entry.time.clone()));
                }
            }
            rows.end(ui);
        });
    });
    acts
}

fn cells(ui: &mut Ui, (name, line): (&String, &Row), heads: &[(&str, f32)]) {
    let palette = palette(ui);
    let [free, full, fault] = &line.shares;
    let texts = [&line.period, name, free, full, fault, &line.watched, &line.own, &line.samples];
    for (index, (text, (_, width))) in texts.into_iter().zip(heads).enumerate() {
        let (kind, color) = match index {
            1 => (Type::Strong, palette.strong),
            _ => (Type::Body, palette.text),
        };
        row::column(ui, *width, |ui| ui.add(Label::new(kind.text(text).color(color)).truncate().selectable(false)));
    }
}
