//! Rows of a list or table: one response a row, fixed columns inside. Longer lists are one stop for Tab: see `rows`.

use egui::accesskit::Action;
use egui::{
    Align, Color32, Id, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
};

use super::{access, name};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};

/// How a row stands among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowState {
    /// It is the one that the detail panel shows.
    pub is_selected: bool,
    /// No line above it.
    pub is_first: bool,
    /// Tab passes it by: it stops at another row of the list, from where the arrows lead here.
    pub is_passed: bool,
}

/// A clickable row over the full width. `id` must be the same in every frame, `name` is what a screen reader says. The
/// contents are laid out from left to right and centred; they may hold buttons, which win over the row.
pub fn row<R>(
    ui: &mut Ui,
    id: Id,
    name: &str,
    height: f32,
    state: RowState,
    add_contents: impl FnOnce(&mut Ui) -> R,
) -> (Response, R) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let response = ui.interact(rect, id, sense(state.is_passed));
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, state.is_selected, name));
    access::chosen(ui, id, state.is_selected);
    passed(ui, id, state.is_passed);
    if ui.is_rect_visible(rect) {
        let fill = match (state.is_selected, response.hovered()) {
            (true, _) => Some(palette.selected),
            (false, true) => Some(palette.hover),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(rect, 0, fill);
        }
        if !state.is_first {
            ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(stroke::HAIR, palette.line));
        }
        if response.has_focus() {
            ui.painter().rect_stroke(
                rect.shrink(1.0),
                0,
                Stroke::new(stroke::FOCUS, palette.accent),
                StrokeKind::Inside,
            );
        }
    }
    let inner = Rect::from_min_max(
        egui::pos2(rect.left() + space::LARGE, rect.top()),
        egui::pos2(rect.right() - space::LARGE, rect.bottom()),
    );
    // What stands in a row belongs to it, also for who hears it.
    let builder = UiBuilder::new().id_salt(id).max_rect(inner).layout(Layout::left_to_right(Align::Center));
    let mut child = ui.new_child(builder.accessibility_parent(id));
    child.spacing_mut().item_spacing.x = space::BASE;
    let value = add_contents(&mut child);
    (response, value)
}

/// What a row senses, which Tab passes by or stops at.
pub fn sense(is_passed: bool) -> Sense {
    if is_passed { Sense::CLICK } else { Sense::click() }
}

/// Has a screen reader go to a row all the same that Tab passes by.
pub fn passed(ui: &Ui, id: Id, is_passed: bool) {
    if is_passed {
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(Action::Focus));
    }
}

/// A row over the full width that is no control itself; its contents, from left to right and centred, may be.
pub fn plain<R>(ui: &mut Ui, height: f32, is_first: bool, add_contents: impl FnOnce(&mut Ui) -> R) -> R {
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    if !is_first {
        ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(stroke::HAIR, palette(ui).line));
    }
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    let mut child = ui.new_child(builder);
    child.spacing_mut().item_spacing.x = space::BASE;
    add_contents(&mut child)
}

/// A column of fixed width inside a row: contents from the left, one under the other, centred in the row's height, cut
/// at the column's edge.
pub fn column<R>(ui: &mut Ui, width: f32, add_contents: impl FnOnce(&mut Ui) -> R) -> R {
    let height = ui.max_rect().height();
    let (_, rect) = ui.allocate_space(Vec2::new(width, height));
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    let mut child = ui.new_child(builder);
    // Room for the frame and the focus of a button.
    child.shrink_clip_rect(rect.expand(space::SMALL));
    child.spacing_mut().item_spacing = Vec2::new(space::BASE, space::TINY);
    add_contents(&mut child)
}

/// Two lines in a column: the name over where it comes from.
pub fn two_lines(ui: &mut Ui, name: &str, detail: &str) {
    let palette = palette(ui);
    stacked(
        ui,
        Type::Strong,
        |ui| name::name(ui, Type::Strong, name, palette.strong),
        |ui| ui.add(egui::Label::new(Type::Caption.text(detail).color(palette.weak)).truncate().selectable(false)),
    );
}

/// Two lines in a column: the name over that of the model which it uses.
pub fn two_names(ui: &mut Ui, name: &str, model: &str) {
    let palette = palette(ui);
    stacked(
        ui,
        Type::Strong,
        |ui| name::name(ui, Type::Strong, name, palette.strong),
        |ui| name::name(ui, Type::Caption, model, palette.weak),
    );
}

/// Two lines in a column, each with its colour: the upper one of a type, the lower one a caption. What is cut is read on
/// hover.
pub fn lines(ui: &mut Ui, kind: Type, upper: (&str, Color32), lower: (&str, Color32)) {
    let text = |kind: Type, (text, color): (&str, Color32)| {
        egui::Label::new(kind.text(text).color(color)).truncate().selectable(false)
    };
    stacked(ui, kind, |ui| ui.add(text(kind, upper)), |ui| ui.add(text(Type::Caption, lower)));
}

/// A control of the usual height over a caption, which is read whole on hover.
pub fn over_caption(ui: &mut Ui, control: impl FnOnce(&mut Ui), caption: &str) {
    let words = Type::Caption.text(caption).color(palette(ui).weak);
    let caption = egui::Label::new(words).truncate().selectable(false);
    piled(ui, size::CONTROL, control, |ui| drop(ui.add(caption)));
}

/// A line of a type over a caption, together in the middle of the column's height.
fn stacked(ui: &mut Ui, kind: Type, upper: impl FnOnce(&mut Ui) -> Response, lower: impl FnOnce(&mut Ui) -> Response) {
    let height = ui.text_style_height(&kind.style());
    piled(ui, height, |ui| drop(upper(ui)), |ui| drop(lower(ui)));
}

/// Something of a height over a caption.
fn piled(ui: &mut Ui, height: f32, upper: impl FnOnce(&mut Ui), lower: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        let height = height + ui.text_style_height(&Type::Caption.style());
        ui.spacing_mut().item_spacing.y = space::TINY;
        ui.add_space(((ui.max_rect().height() - height - space::TINY) / 2.0).max(0.0));
        upper(ui);
        lower(ui);
    });
}

/// The head of a table: captions over columns of the given widths (0 for the rest of the room).
pub fn head(ui: &mut Ui, height: f32, columns: &[(&str, f32)]) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let mut left = rect.left() + space::LARGE;
    for &(text, width) in columns {
        if text.is_empty() {
            left += width + space::BASE;
            continue;
        }
        let galley = ui.painter().layout_no_wrap(text.to_owned(), Type::Caption.font(), palette.weak);
        let at = Rect::from_min_size(egui::pos2(left, rect.center().y - galley.size().y / 2.0), galley.size());
        ui.painter().galley(at.min, galley, palette.weak);
        let response = ui.interact(at, ui.scope_id().with((text, left as i32)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, text));
        left += width + space::BASE;
    }
}
