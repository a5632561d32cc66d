//! The keyboard's focus, for the window as a whole: it is seen, it is in view, it goes into a dialog that opens, and it comes
//! back to where it was when what lay over that place closes.

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Context, CornerRadius, Event, FocusDirection, Id, LayerId, Popup, Rect, Shape, Stroke, StrokeKind};

use crate::ui::theme::Palette;
use crate::ui::theme::tokens::{radius, stroke};

/// What is kept of the focus from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    last: Option<Id>,
    /// From where the open menu was opened.
    menu: Option<Option<Id>>,
    /// From where the open dialog was opened.
    dialog: Option<Option<Id>>,
    /// The dialog on top.
    top: Option<LayerId>,
}

impl Focus {
    /// To be called before a frame is drawn.
    pub fn begin(&mut self, ctx: &Context) {
        let now = ctx.memory(|memory| memory.focused());
        let has_menu = Popup::is_any_open(ctx);
        let top = ctx.memory(|memory| memory.top_modal_layer());
        let has_dialog = top.is_some();
        let from = self.menu.unwrap_or(self.last);
        let closed = [
            step(&mut self.menu, has_menu, self.last).filter(|_| !has_dialog),
            step(&mut self.dialog, has_dialog, from).filter(|_| !has_menu),
        ];
        if let Some(dialog) = top.filter(|_| top != self.top) {
            into_dialog(ctx, dialog);
        }
        self.top = top;
        let back = closed.into_iter().flatten().flatten().next();
        if let Some(id) = back.filter(|_| now.is_none()) {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
        let now = ctx.memory(|memory| memory.focused());
        if let Some(id) = now.filter(|_| now != self.last) {
            into_view(ctx, id);
        }
        self.last = now;
    }

    /// To be called after a frame is drawn.
    pub fn end(&self, ctx: &Context, palette: &Palette) {
        ring(ctx, palette);
        // Where it went during the frame is brought into view by the next one.
        if ctx.memory(|memory| memory.focused()) != self.last {
            ctx.request_repaint();
        }
    }
}

/// Notes from where something was opened; when it closed, that place.
fn step(opened: &mut Option<Option<Id>>, is_open: bool, from: Option<Id>) -> Option<Option<Id>> {
    match (is_open, *opened) {
        (true, None) => {
            *opened = Some(from);
            None
        }
        (false, Some(_)) => opened.take(),
        _ => None,
    }
}

/// Has the first widget of the dialog take the focus, unless the dialog gave it to another one.
fn into_dialog(ctx: &Context, dialog: LayerId) {
    let focused = ctx.memory(|memory| memory.focused());
    let layer = focused.and_then(|id| ctx.read_response(id)).map(|response| response.layer_id);
    if layer == Some(dialog) {
        return;
    }
    ctx.memory_mut(|memory| {
        if let Some(id) = focused {
            memory.surrender_focus(id);
        }
        memory.move_focus(FocusDirection::Next);
    });
}

/// Has the pages around a widget scroll to it, where it is cut.
fn into_view(ctx: &Context, id: Id) {
    let Some(response) = ctx.read_response(id) else { return };
    // A map is higher than its page may be: then it stays where it is.
    let is_cut = !response.interact_rect.expand(1.0).contains_rect(response.rect);
    if is_cut && response.rect.height() < ctx.content_rect().height() / 2.0 {
        let request = ActionRequest {
            action: Action::ScrollIntoView,
            target_tree: TreeId::ROOT,
            target_node: id.accesskit_id(),
            data: None,
        };
        ctx.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
    }
}

/// Draws a ring around the widget with the focus, where it draws none itself. For windows beside the whole one too.
pub fn ring(ctx: &Context, palette: &Palette) {
    let Some(response) = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id)) else { return };
    let place = response.interact_rect;
    if !place.is_positive() || ctx.text_edit_focused() {
        return;
    }
    let is_drawn = ctx.graphics(|graphics| {
        let list = graphics.get(response.layer_id);
        list.is_some_and(|list| list.all_entries().any(|entry| is_ring(&entry.shape, place, palette)))
    });
    if !is_drawn {
        let corner = CornerRadius::same(radius::CONTROL + 2);
        let line = Stroke::new(stroke::FOCUS, palette.accent);
        let painter = ctx.layer_painter(response.layer_id);
        // Apart from it, as the main button has the colour of the ring.
        painter.rect_stroke(place.expand(stroke::FOCUS), corner, line, StrokeKind::Outside);
    }
}

fn is_ring(shape: &Shape, place: Rect, palette: &Palette) -> bool {
    match shape {
        Shape::Vec(shapes) => shapes.iter().any(|shape| is_ring(shape, place, palette)),
        Shape::Rect(rect) => {
            let is_line = rect.stroke.width >= stroke::FOCUS && rect.stroke.color == palette.accent;
            is_line && place.expand(stroke::FOCUS * 2.0).contains_rect(rect.rect)
        }
        _ => false,
    }
}
