//! Two ends of a line. A layout from the right would have the keyboard walk it backwards: here both ends are laid out in the
//! order of reading.

use std::panic::Location;

use egui::{Align, Layout, Rect, Ui, UiBuilder, pos2};

use crate::ui::theme::tokens::space;

/// Contents from the left edge on, cut where the others begin, and contents that end at the right edge. To be used in a
/// horizontal line.
#[track_caller]
pub fn sides(ui: &mut Ui, leading: impl FnOnce(&mut Ui), trailing: impl FnOnce(&mut Ui)) {
    // Two screens give lines the same automatic id: what was drawn elsewhere says nothing of this line.
    let id = ui.next_auto_id().with(("sides", Location::caller()));
    let room = ui.available_rect_before_wrap();
    let known = ui.data(|data| data.get_temp::<f32>(id));
    let width = known.unwrap_or_else(|| room.width());
    let split = (room.right() - width).max(room.left());
    let left = Rect::from_min_max(room.min, pos2((split - space::BASE).max(room.left()), room.bottom()));
    let right = Rect::from_min_max(pos2(split, room.top()), room.max);
    let builder = |rect| UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder(left), leading);
    let used = ui.scope_builder(builder(right), trailing).response.rect.width();
    if known.is_none_or(|known| (known - used).abs() > 0.1) {
        ui.data_mut(|data| data.insert_temp(id, used));
        // Their place is known only now: this pass is not shown.
        ui.ctx().request_discard("the width of a line's right end changed");
        ui.ctx().request_repaint();
    }
}

/// Contents that end at the right edge.
#[track_caller]
pub fn trailing(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui)) {
    sides(ui, |_| {}, add_contents);
}
