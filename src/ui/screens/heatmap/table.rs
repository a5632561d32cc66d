//! The figures of the map as rows, for who wants to read, hear or copy them.

use egui::{Id, Label, Role, ScrollArea, Ui};

use super::model::{Model, Source, Words};
use crate::ui::sheets::Act;
use crate::ui::theme::tokens::size;
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::{access, card};

/// The columns: their head and their part of the width.
const COLUMNS: [(&str, f32); 5] = [
    ("sheet-column-when", 0.25),
    ("sheet-column-model", 0.22),
    ("sheet-column-free", 0.1),
    ("sheet-column-interval", 0.15),
    ("sheet-column-stands-on", 0.28),
];

/// Draws it over the room there is; a click takes the cell of the row.
pub fn ui(ui: &mut Ui, model: &Model, source: &Source<'_>) -> Vec<Act> {
    let mut acts = Vec::new();
    card::frame(ui).inner_margin(0).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        let room = ui.available_width() - 80.0;
        let heads: Vec<(String, f32)> =
            COLUMNS.iter().map(|(id, part)| (source.tr.text(id), (room * part).floor())).collect();
        let heads: Vec<(&str, f32)> = heads.iter().map(|(text, width)| (&**text, *width)).collect();
        row::head(ui, size::ROW, &heads);
        let area = ScrollArea::vertical().id_salt("heat-table").auto_shrink([false, false]);
        area.show_rows(ui, size::ROW, model.lines.len(), |ui, shown| {
            access::part(ui, Role::ListBox, &model.title);
            access::scrolls(ui);
            for index in shown {
                let line = &model.lines[index];
                let Some(words) = line.words(source, &model.map) else { continue };
                let (response, ()) = row::row(
                    ui,
                    Id::unique(("heat-row", line.place)),
                    &words.summary,
                    size::ROW,
                    RowState::default(),
                    |ui| {
                        cells(ui, words, &heads);
                    },
                );
                if response.clicked() {
                    acts.push(Act::Cursor(line.place));
                }
            }
        });
    });
    acts
}

fn cells(ui: &mut Ui, line: &Words, heads: &[(&str, f32)]) {
    let palette = palette(ui);
    let [share, interval, stands_on, _] = &line.figures;
    let texts = [&line.name, &line.hours, share, interval, stands_on];
    for (index, (text, (_, width))) in texts.into_iter().zip(heads).enumerate() {
        let (kind, color) = match index {
            0 | 2 => (Type::Strong, palette.strong),
            _ => (Type::Body, palette.text),
        };
        row::column(ui, *width, |ui| ui.add(Label::new(kind.text(text).color(color)).truncate().selectable(false)));
    }
}
