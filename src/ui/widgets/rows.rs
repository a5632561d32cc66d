//! The keys of a list: Tab stops at it once; arrows, Home, End, Page Up and Page Down go through its rows.

use std::ops::Range;

use egui::accesskit::Action;
use egui::{FocusDirection, Id, Key, Modifiers, Rect, Response, Ui, pos2, vec2};

use super::access;
use super::row::{self, RowState};

/// What is kept of a list from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Kept {
    /// The row at which Tab stops.
    at: usize,
    /// Its widget, when it had the focus last.
    focused: Option<Id>,
    /// The keys went there, and it has not been drawn since: the page scrolls to it.
    is_moving: bool,
}

/// A list while it is drawn.
pub struct Rows {
    id: Id,
    kept: Kept,
    height: f32,
    /// The row at which Tab stops in this frame: one that is drawn.
    stop: usize,
}

impl Rows {
    /// Begins a list of `count` rows of which `shown` are drawn, the first of them where `ui` stands. Takes the keys while a
    /// row has the focus.
    pub fn begin(ui: &Ui, id: Id, height: f32, count: usize, shown: &Range<usize>) -> Self {
        let mut kept: Kept = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let last = count.saturating_sub(1);
        kept.at = kept.at.min(last);
        let focused = ui.memory(|memory| memory.focused());
        let has_focus = kept.focused.is_some() && focused == kept.focused;
        if has_focus || (kept.is_moving && focused.is_none()) {
            let page = ((ui.clip_rect().height() / height) as usize).max(2) - 1;
            if let Some(to) = pressed(ui, kept.at, last, page) {
                kept.at = to;
                kept.is_moving = true;
                let step = height + ui.spacing().item_spacing.y;
                let top = ui.cursor().top() + (to as f32 - shown.start as f32) * step;
                let place = Rect::from_min_size(pos2(ui.max_rect().left(), top), vec2(1.0, height));
                ui.scroll_to_rect(place, None);
            }
        }
        let is_drawn = kept.is_moving || shown.contains(&kept.at);
        let stop =
            if is_drawn { kept.at } else { kept.at.clamp(shown.start, shown.end.saturating_sub(1).max(shown.start)) };
        Self { id, kept, height, stop }
    }

    /// Draws a row; see [`row::row`].
    pub fn row<R>(
        &mut self,
        ui: &mut Ui,
        index: usize,
        (id, name): (Id, &str),
        state: RowState,
        add_contents: impl FnOnce(&mut Ui) -> R,
    ) -> (Response, R) {
        let state = RowState { is_passed: !self.is_stop(index), ..state };
        let (response, value) = row::row(ui, id, name, self.height, state, add_contents);
        self.follow(ui, index, &response);
        (response, value)
    }

    /// Whether Tab stops at this row.
    pub const fn is_stop(&self, index: usize) -> bool {
        index == self.stop
    }

    /// Has a row that was drawn in its own way take part: the focus comes to it and goes on from it.
    pub fn follow(&mut self, ui: &Ui, index: usize, response: &Response) {
        let (id, is_stop) = (response.id, self.is_stop(index));
        let is_asked_for = ui.input(|input| input.has_accesskit_action_request(id, Action::Focus));
        if is_stop && self.kept.is_moving {
            self.kept.is_moving = false;
            self.kept.focused = Some(id);
            access::keeps_pages(ui, id);
            response.request_focus();
        } else if !is_stop && (is_asked_for || response.clicked()) {
            self.kept.at = index;
            self.kept.is_moving = true;
            ui.ctx().request_repaint();
        } else if response.has_focus() {
            self.kept.at = index;
            self.kept.focused = Some(id);
            access::keeps_pages(ui, id);
        } else if response.clicked() {
            response.request_focus();
        }
    }

    /// Keeps where the keys are. To be called when all rows are drawn.
    pub fn end(self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(self.id, self.kept));
    }
}

/// The row to which the keys of a list lead from `at`. They are taken, also by a list that ends there.
pub fn pressed(ui: &Ui, at: usize, last: usize, page: usize) -> Option<usize> {
    let to = ui.input_mut(|input| {
        let keys = [
            (Key::ArrowDown, at + 1),
            (Key::ArrowUp, at.saturating_sub(1)),
            (Key::Home, 0),
            (Key::End, last),
            (Key::PageDown, at + page),
            (Key::PageUp, at.saturating_sub(page)),
        ];
        keys.into_iter().find(|(key, _)| input.consume_key(Modifiers::NONE, *key))
    });
    let (_, to) = to?;
    // egui would move the focus by the same arrow.
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    Some(to.min(last))
}
