//! Draws the panel of one cell: share, interval, what it stands on, and the way down to the samples.

use egui::{Align2, Frame, Id, Label, Margin, Mesh, Role, ScrollArea, Shape, Ui, pos2, vec2};

use super::cell::{Detail, Stand};
use super::map::{self, Layout};
use super::model::Ink;
use crate::i18n::Tr;
use crate::ui::sheets::Act;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::rows::Rows;
use crate::ui::widgets::{access, button, card};

/// Draws it over the room there is.
pub fn ui(ui: &mut Ui, detail: &Detail, tr: &Tr) -> Vec<Act> {
    let mut acts = Vec::new();
    let palette = palette(ui);
    card::frame(ui).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing = vec2(space::BASE, space::SMALL);
        access::heading(ui.add(Label::new(Type::Heading.text(&detail.when).color(palette.strong)).truncate()), 2);
        let under = if detail.is_now {
            tr.with("sheet-heat-now", &crate::args!("model" => detail.model.as_str()))
        } else {
            detail.model.clone()
        };
        ui.add(Label::new(Type::Caption.text(under).color(palette.weak)).truncate());
        ui.add_space(space::SMALL);
        ui.horizontal(|ui| {
            let kind = if detail.is_seen { Type::Display } else { Type::Heading };
            ui.label(kind.text(&detail.share).color(palette.strong));
            if detail.is_seen {
                // An hour of the week has an interval, as it is estimated; a day is as it was. Little evidence is no habit,
                // and a share alone is none either: an hour of 50 % is not one that is usually free.
                let is_usual = !detail.interval.is_empty() && detail.caveat.is_none();
                let id = if is_usual { "sheet-heat-free-usually" } else { "sheet-heat-free" };
                ui.label(Type::Body.text(tr.text(id)).color(palette.weak));
            }
        });
        for words in [&detail.interval, &detail.stands_on] {
            if !words.is_empty() {
                ui.add(Label::new(Type::Body.text(words).color(palette.weak)).wrap());
            }
        }
        if let Some(caveat) = &detail.caveat {
            ui.add(Label::new(Type::Body.text(caveat).color(palette.text)).wrap());
        }
        if !detail.facts.is_empty() {
            ui.add_space(space::SMALL);
        }
        for (name, value) in &detail.facts {
            ui.label(Type::Caption.text(name).color(palette.weak));
            ui.add(Label::new(Type::Body.text(value).color(palette.text)).wrap());
            ui.add_space(space::TINY);
        }
        hours(ui, &detail.hours, tr);
        let Some(newest) = detail.stands.first() else { return };
        ui.add_space(space::BASE);
        let act = |stand: &Stand| Act::Samples(detail.target.clone(), stand.time.clone());
        if ui.add(button::plain(tr.text("sheet-heat-show-samples"))).clicked() {
            acts.push(act(newest));
        }
        if detail.stands.len() < 2 || ui.available_height() < size::ROW_DENSE * 4.0 {
            return;
        }
        ui.add_space(space::SMALL);
        card::section(ui, &tr.text("sheet-heat-weeks"));
        ui.spacing_mut().item_spacing.y = 0.0;
        // The rows reach to the edges of the card, their words begin where the others do.
        let edges = Frame::new().outer_margin(Margin::symmetric(-(space::LARGE as i8), 0));
        let area = ScrollArea::vertical().id_salt("heat-weeks").auto_shrink([false, false]).min_scrolled_height(0.0);
        let rows = |ui: &mut Ui| {
            area.show_rows(ui, size::ROW_DENSE, detail.stands.len(), |ui, shown| {
                access::part(ui, Role::ListBox, &tr.text("sheet-heat-weeks"));
                let list = Id::unique("heat-weeks");
                let mut rows = Rows::begin(ui, list, size::ROW_DENSE, detail.stands.len(), &shown);
                for index in shown {
                    let stand = &detail.stands[index];
                    let id = Id::unique(("heat-week", stand.time.start));
                    let state = RowState { is_first: true, ..RowState::default() };
                    let (response, ()) = rows.row(ui, index, (id, &stand.summary), state, |ui| {
                        let room = ui.available_width() - 2.0 * space::BASE;
                        for (text, part) in [(&stand.label, 0.47), (&stand.share, 0.21), (&stand.samples, 0.32)] {
                            row::column(ui, (room * part).floor(), |ui| {
                                ui.add(
                                    Label::new(Type::Caption.text(text).color(palette.text))
                                        .truncate()
                                        .selectable(false),
                                );
                            });
                        }
                    });
                    if response.clicked() {
                        acts.push(act(stand));
                    }
                }
                rows.end(ui);
            })
        };
        edges.show(ui, rows);
    });
    acts
}

/// The hours of a day, with their marks.
fn hours(ui: &mut Ui, hours: &[Ink], tr: &Tr) {
    if hours.is_empty() {
        return;
    }
    let palette = palette(ui);
    ui.add_space(space::SMALL);
    card::section(ui, &tr.text("sheet-heat-by-hour"));
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::HIT));
    let layout = Layout::within(rect, (1, hours.len()), ui.pixels_per_point());
    let mut mesh = Mesh::default();
    for (hour, ink) in hours.iter().enumerate() {
        map::cell(&mut mesh, *ink, layout.cell((0, hour)), palette);
    }
    ui.painter().add(Shape::mesh(mesh));
    let (_, axis) = ui.allocate_space(vec2(ui.available_width(), space::LARGE));
    for (hour, align) in [
        (0, Align2::LEFT_TOP),
        (6, Align2::CENTER_TOP),
        (12, Align2::CENTER_TOP),
        (18, Align2::CENTER_TOP),
        (24, Align2::RIGHT_TOP),
    ] {
        let at = pos2(axis.left() + axis.width() * hour as f32 / 24.0, axis.top());
        ui.painter().text(at, align, hour.to_string(), Type::Caption.font(), palette.weak);
    }
}
