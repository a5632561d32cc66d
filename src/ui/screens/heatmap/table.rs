//! The figures of the map as rows, for who wants to read, hear or copy them.

use egui::{Id, Label, Role, ScrollArea, Ui};

use super::model::{Model, Source, Words};
use crate::ui::sheets::Act;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, card};

/// The heads of the columns.
const COLUMNS: [&str; 5] =
    ["sheet-column-when", "sheet-column-model", "sheet-column-free", "sheet-column-interval", "sheet-column-stands-on"];
/// The one that gives way where there is no room for all.
const MODEL: usize = 1;
/// The one that is left out before the name of a model is cut to less than this: the panel of a cell tells it.
const INTERVAL: usize = 3;
const MODEL_LEAST: f32 = 96.0;
/// So many lines are measured.
const SAMPLE: usize = 48;

/// Draws it over the room there is; a click takes the cell of the row.
pub fn ui(ui: &mut Ui, model: &Model, source: &Source<'_>) -> Vec<Act> {
    let mut acts = Vec::new();
    card::frame(ui).inner_margin(0).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        let heads = COLUMNS.map(|id| source.tr.text(id));
        let columns = columns(ui, &heads, model, source);
        let heads: Vec<(&str, f32)> = columns.iter().map(|(index, width)| (heads[*index].as_str(), *width)).collect();
        row::head(ui, size::ROW, &heads);
        let area = ScrollArea::vertical().id_salt("heat-table").auto_shrink([false, false]);
        area.show_rows(ui, size::ROW, model.lines.len(), |ui, shown| {
            access::part(ui, Role::ListBox, &model.title);
            let mut rows = Rows::begin(ui, Id::unique("heat-table"), size::ROW, model.lines.len(), &shown);
            access::scrolls(ui);
            for index in shown {
                let line = &model.lines[index];
                let Some(words) = line.words(source, &model.map) else { continue };
                let id = Id::unique(("heat-row", line.place));
                let (response, ()) = rows.row(ui, index, (id, &words.summary), RowState::default(), |ui| {
                    cells(ui, words, &columns);
                });
                if response.clicked() {
                    acts.push(Act::Cursor(line.place));
                }
            }
            rows.end(ui);
        });
    });
    acts
}

/// The columns by their number, with their widths: each holds its words, and the room that is left is shared. Where there is
/// no room for all, the model is left out if it is the same everywhere, and cut if not.
fn columns(ui: &Ui, heads: &[String; 5], model: &Model, source: &Source<'_>) -> Vec<(usize, f32)> {
    let mut widths = heads.each_ref().map(|head| Type::Caption.width(ui, head).ceil());
    let sample: Vec<&Words> =
        model.lines.iter().take(SAMPLE).filter_map(|line| line.words(source, &model.map)).collect();
    for words in &sample {
        for (index, (text, width)) in texts(words).into_iter().zip(&mut widths).enumerate() {
            *width = width.max(kind(index).width(ui, text).ceil() + 1.0);
        }
    }
    // Rows have this much around and between their columns.
    let room = ui.available_width() - 2.0 * space::LARGE - 4.0 * space::BASE;
    let is_narrow = room < widths.iter().sum::<f32>();
    let is_same = sample.windows(2).all(|pair| pair[0].model == pair[1].model);
    let mut columns: Vec<(usize, f32)> = widths.into_iter().enumerate().collect();
    if is_narrow && is_same {
        columns.remove(MODEL);
    } else if is_narrow {
        let left = |columns: &[(usize, f32)]| {
            room - columns.iter().filter(|(index, _)| *index != MODEL).map(|(_, width)| width).sum::<f32>()
        };
        if left(&columns) < MODEL_LEAST.min(columns[MODEL].1) {
            columns.remove(INTERVAL);
        }
        columns[MODEL].1 = columns[MODEL].1.min(left(&columns)).max(0.0);
    }
    let spare = room - columns.iter().map(|(_, width)| width).sum::<f32>();
    let each = (spare / columns.len() as f32).floor().max(0.0);
    columns.into_iter().map(|(index, width)| (index, width + each)).collect()
}

const fn texts(line: &Words) -> [&String; 5] {
    let [share, interval, stands_on, _] = &line.figures;
    [&line.when, &line.model, share, interval, stands_on]
}

const fn kind(column: usize) -> Type {
    match column {
        0 | 2 => Type::Strong,
        _ => Type::Body,
    }
}

fn cells(ui: &mut Ui, line: &Words, columns: &[(usize, f32)]) {
    let palette = palette(ui);
    let texts = texts(line);
    for (index, width) in columns {
        let kind = kind(*index);
        let color = if kind == Type::Strong { palette.strong } else { palette.text };
        let label = Label::new(kind.text(texts[*index]).color(color)).truncate().selectable(false);
        row::column(ui, *width, |ui| ui.add(label));
    }
}
