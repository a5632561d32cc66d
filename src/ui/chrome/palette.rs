//! Draws the command palette.

use egui::{
    Context, EventFilter, Frame, Id, Key, Label, Margin, Modal, Modifiers, Rect, Role, ScrollArea, TextEdit, Ui,
    UiBuilder, pos2, vec2,
};

use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::command::{Command, Listed, matching};
use crate::ui::screens::switch::uses::Uses;
use crate::ui::state::{Overlay, UiState};
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::{access, key_hint};

/// Width of the palette.
const WIDTH: f32 = 560.0;
/// Height of its list, where there is room.
const HEIGHT: f32 = 320.0;
/// Distance from the top of the window.
const TOP: f32 = 72.0;
/// Least room for what a line does.
const LEAST_HELP: f32 = 96.0;
/// Height of the field, the margins and some air below.
const ABOVE_AND_BELOW: f32 = 96.0;

/// Draws it over everything and answers with the chosen command; closes itself in `state`.
pub fn ui(ctx: &Context, snapshot: &Snapshot, state: &mut UiState, uses: &Uses, tr: &Tr) -> Option<Command> {
    let Some(Overlay::Palette { query, index }) = state.overlay.clone() else { return None };
    let (mut query, mut index) = (query, index);
    let frame = Frame::window(&ctx.global_style()).inner_margin(Margin::same(space::MEDIUM as i8));
    let id = Id::unique("palette");
    let area = Modal::default_area(id).anchor(egui::Align2::CENTER_TOP, vec2(0.0, TOP));
    let mut chosen = None;
    let response = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        ui.set_width(WIDTH);
        access::dialog(ui, &tr.text("ui-palette"));
        // Taken before the field sees them, so that the arrows move the highlight and not the cursor.
        let step = ui.input_mut(|input| {
            i64::from(input.consume_key(Modifiers::NONE, Key::ArrowDown))
                - i64::from(input.consume_key(Modifiers::NONE, Key::ArrowUp))
        });
        let is_entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let field_id = field_id();
        let field = TextEdit::singleline(&mut query)
            .id(field_id)
            .hint_text(tr.text("ui-palette-hint"))
            .margin(vec2(space::BASE, space::BASE))
            .desired_width(f32::INFINITY);
        let response = ui.add(field);
        let name = tr.text("ui-palette");
        ui.ctx().accesskit_node_builder(field_id, |node| node.set_label(name));
        response.request_focus();
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(field_id, filter));
        if response.changed() {
            index = 0;
        }
        let lines = matching(&query, snapshot, state, uses, tr);
        let last = lines.len().saturating_sub(1);
        index = usize::try_from(i64::try_from(index).unwrap_or(0) + step).unwrap_or(0).min(last);
        ui.add_space(space::SMALL);
        chosen = list(ui, &lines, index, step != 0, tr);
        if is_entered {
            chosen = lines.get(index).map(|line| line.command.clone());
        }
    });
    let is_done = chosen.is_some() || response.should_close();
    state.overlay = (!is_done).then_some(Overlay::Palette { query, index });
    chosen
}

fn field_id() -> Id {
    Id::unique("palette-query")
}

fn list(ui: &mut Ui, lines: &[Listed], index: usize, is_moved: bool, tr: &Tr) -> Option<Command> {
    let palette = palette(ui);
    if lines.is_empty() {
        ui.horizontal(|ui| {
            ui.add_space(space::BASE);
            ui.label(Type::Body.text(tr.text("ui-palette-nothing")).color(palette.weak));
        });
    }
    let mut chosen = None;
    // The least height as well: the window remembers the size of a short list, and would never grow again.
    let height = HEIGHT.min(ui.ctx().content_rect().height() - TOP - ABOVE_AND_BELOW).max(size::ROW);
    let area = ScrollArea::vertical().id_salt("palette-list").max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        access::part(ui, Role::ListBox, &tr.text("ui-palette"));
        for (at, line) in lines.iter().enumerate() {
            // The field keeps the keys.
            let state = RowState { is_selected: at == index, is_first: true, is_passed: true };
            let id = Id::unique(("palette-line", at));
            let (response, ()) = row::row(ui, id, &line.label, size::ROW + space::SMALL, state, |ui| {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let keys = line.command.keys(ui.ctx().os());
                    if !keys.is_empty() {
                        key_hint::key_hint(ui, &keys);
                    }
                    // The name first: what it does gets the room that is left, if that is worth reading.
                    let rest = ui.available_rect_before_wrap();
                    let left = rest.left() + Type::Body.width(ui, &line.label) + space::LARGE;
                    if rest.right() - left >= LEAST_HELP {
                        let place = Rect::from_min_max(pos2(left, rest.top()), rest.max);
                        let layout = egui::Layout::right_to_left(egui::Align::Center);
                        let help = Type::Caption.text(&line.help).color(palette.weak);
                        let mut child = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
                        child.add(Label::new(help).truncate().selectable(false));
                    }
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        let label = Type::Body.text(&line.label).color(palette.strong);
                        ui.add(Label::new(label).truncate().selectable(false));
                    });
                });
            });
            if at == index {
                // The field keeps the keys; what a screen reader says is the line.
                ui.ctx().accesskit_node_builder(field_id(), |node| node.set_active_descendant(id.accesskit_id()));
            }
            if at == index && is_moved {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                chosen = Some(line.command.clone());
            }
        }
    });
    chosen
}
