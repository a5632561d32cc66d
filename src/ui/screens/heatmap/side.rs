//! Draws the panel of one cell: share, interval, what it stands on, and the way down to the samples.

use egui::{Id, Label, Role, ScrollArea, Ui, vec2};

use super::cell::{Detail, Stand};
use crate::i18n::Tr;
use crate::ui::sheets::Act;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
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
                ui.label(Type::Body.text(tr.text("sheet-heat-free")).color(palette.weak));
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
            card::fact(ui, name, value);
        }
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
        // Never higher than the room there is: the small maps stand below.
        let area = ScrollArea::vertical().id_salt("heat-weeks").auto_shrink([false, false]).min_scrolled_height(0.0);
        area.show_rows(ui, size::ROW_DENSE, detail.stands.len(), |ui, shown| {
            access::part(ui, Role::ListBox, &tr.text("sheet-heat-weeks"));
            for index in shown {
                let stand = &detail.stands[index];
                let id = Id::unique(("heat-week", stand.time.start));
                let state = RowState { is_first: true, ..RowState::default() };
                let (response, ()) = row::row(ui, id, &stand.summary, size::ROW_DENSE, state, |ui| {
                    let room = ui.available_width() - 2.0 * space::BASE;
                    for (text, part) in [(&stand.label, 0.47), (&stand.share, 0.21), (&stand.samples, 0.32)] {
                        row::column(ui, (room * part).floor(), |ui| {
                            ui.add(
                                Label::new(Type::Caption.text(text).color(palette.text)).truncate().selectable(false),
                            );
                        });
                    }
                });
                if response.clicked() {
                    acts.push(act(stand));
                }
            }
        });
    });
    acts
}
