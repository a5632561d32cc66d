//! Draws the glance, a window without a frame of its own: it is moved by its body and resized at its edges.

use egui::viewport::ResizeDirection;
use egui::{
    CentralPanel, CornerRadius, CursorIcon, Frame, Key, Margin, Modifiers, PointerState, Popup, Rect, Role, ScrollArea,
    Sense, Stroke, StrokeKind, Ui, Vec2, ViewportCommand,
};

use super::model::{Model, Row};
use crate::i18n::Tr;
use crate::ui::chrome::focus;
use crate::ui::command::Command;
use crate::ui::screens::board::use_button;
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::mark::Mark;
use crate::ui::widgets::row::{RowState, row, two_lines};
use crate::ui::widgets::{access, chip, icon, logo};

/// Smallest inner size in points: one row, and a name that can be read.
pub const SMALLEST: Vec2 = Vec2::new(220.0, 88.0);

/// Largest inner size in points: beyond it the whole window is the better one.
pub const LARGEST: Vec2 = Vec2::new(640.0, 900.0);

/// Height of the line above the rows.
const HEAD: f32 = 32.0;

/// Height of a row.
const ROW: f32 = 44.0;

/// Width of the place for a row's button.
const BUTTON: f32 = 128.0;

/// From this width on a row has room for its button.
const ROOMY: f32 = 260.0;

/// Width of the edge that resizes.
const EDGE: f32 = 6.0;

/// Inner size at the first opening, for so many rows.
pub fn usual(rows: usize) -> Vec2 {
    let rows = u16::try_from(rows.clamp(1, 8)).map_or(1.0, f32::from);
    Vec2::new(456.0, HEAD + ROW * rows + 2.0 * (space::TINY + stroke::HAIR))
}

/// What the user does in the glance.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Something for the whole window.
    Command(Command),
    /// Bring the whole window forward.
    Whole,
    /// Close the glance.
    Close,
}

/// Draws a frame.
pub fn ui(ui: &mut Ui, model: &Model, tr: &Tr) -> Vec<Act> {
    let mut acts = Vec::new();
    // Escape closes an open menu first.
    let has_menu = Popup::is_any_open(ui.ctx());
    let is_closed = !has_menu && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
        || ui.input(|input| input.viewport().close_requested());
    if is_closed {
        acts.push(Act::Close);
    }
    for command in Command::pressed(ui.ctx()) {
        // Escape belongs to this window, zooming and the like to both.
        if command != Command::Back {
            acts.push(Act::Command(command));
        }
    }
    let palette = palette(ui);
    let frame = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(stroke::HAIR, palette.control_line))
        .inner_margin(Margin::same(space::TINY as i8));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        access::part(ui, Role::Main, &model.title);
        let body = ui.max_rect().expand(space::TINY + stroke::HAIR);
        // Below everything else: what is a button stays one, and the rest moves the window. Not before the pointer has moved:
        // a press may still become a click on what lies above.
        let moved = ui.interact(body, ui.scope_id().with("body"), Sense::DRAG);
        if moved.dragged() && ui.input(|input| input.pointer.is_decidedly_dragging()) {
            hand_over(ui, ViewportCommand::StartDrag);
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        head(ui, model, tr, &mut acts);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            access::part(ui, Role::ListBox, &tr.text("ui-name-models"));
            for (place, line) in model.rows.iter().enumerate() {
                target(ui, line, place == 0, tr, &mut acts);
            }
        });
        edges(ui, body);
    });
    focus::ring(ui.ctx(), palette);
    acts
}

fn head(ui: &mut Ui, model: &Model, tr: &Tr, acts: &mut Vec<Act>) {
    let palette = palette(ui);
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), HEAD));
    let rect = rect.shrink2(Vec2::new(space::MEDIUM, 0.0));
    let button = |nth: f32| {
        let center = egui::pos2(rect.right() - size::HIT * (nth + 0.5), rect.center().y);
        Rect::from_center_size(center, Vec2::splat(size::HIT))
    };
    if icon::icon(ui, button(0.0), "close", &tr.text("glance-close"), icon::cross).clicked() {
        acts.push(Act::Close);
    }
    if icon::icon(ui, button(1.0), "whole", &tr.text("glance-open-main"), |ui, cell, line| {
        ui.painter().rect_stroke(cell, CornerRadius::same(radius::CELL), line, StrokeKind::Inside);
        let bar = cell.top() + cell.height() * 0.3;
        ui.painter().hline(cell.x_range(), bar, line);
    })
    .clicked()
    {
        acts.push(Act::Whole);
    }
    let sign =
        Rect::from_center_size(egui::pos2(rect.left() + size::MARK / 2.0, rect.center().y), Vec2::splat(size::MARK));
    logo::paint(ui.painter(), sign, palette);
    let words = Rect::from_min_max(
        egui::pos2(sign.right() + space::BASE, rect.top()),
        egui::pos2(button(1.0).left() - space::SMALL, rect.bottom()),
    );
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut line = ui.new_child(egui::UiBuilder::new().max_rect(words).layout(layout));
    if model.is_demo {
        chip::badge(&mut line, &tr.text("glance-demo"));
    }
    line.add(egui::Label::new(Type::Strong.text(&model.title).color(palette.strong)).truncate().selectable(false));
    ui.painter().hline(ui.max_rect().x_range(), rect.bottom(), Stroke::new(stroke::HAIR, palette.line));
}

fn target(ui: &mut Ui, line: &Row, is_first: bool, tr: &Tr, acts: &mut Vec<Act>) {
    let id = ui.scope_id().with(("target", &line.target));
    let state = RowState { is_first, ..RowState::default() };
    let has_button = ui.available_width() >= ROOMY && line.offered.is_some();
    let mut commands = Vec::new();
    let (response, ()) = row(ui, id, &line.summary, ROW, state, |ui| {
        let (cell, _) = ui.allocate_exact_size(Vec2::splat(size::MARK), Sense::hover());
        Mark::of_state(line.family, line.is_unrecognized, line.is_stale).paint(ui.painter(), cell, palette(ui));
        let room = ui.available_width() - if has_button { BUTTON + space::BASE } else { 0.0 };
        crate::ui::widgets::row::column(ui, room.max(0.0), |ui| {
            two_lines(ui, &line.name, &format!("{} · {}", line.state, line.next));
        });
        if has_button && let Some(offered) = &line.offered {
            crate::ui::widgets::row::column(ui, BUTTON, |ui| {
                let button = use_button::Button {
                    offered,
                    target: &line.target,
                    name: &line.name,
                    is_free: line.is_free,
                    is_first: line.is_best,
                    is_passed: false,
                    is_short: false,
                };
                use_button::ui(ui, &button, tr, &mut commands);
            });
        }
    });
    if response.on_hover_text(&line.summary).clicked() {
        commands.push(Command::Select(line.target.clone()));
    }
    acts.extend(commands.into_iter().map(Act::Command));
}

/// Has the system move or resize the window. It takes the pointer, and we never hear that the button was let go: without
/// forgetting it, the next press would be taken for the same one.
fn hand_over(ui: &Ui, command: ViewportCommand) {
    let ctx = ui.ctx();
    ctx.send_viewport_cmd(command);
    ctx.stop_dragging();
    ctx.input_mut(|input| input.pointer = PointerState::default());
}

/// The edges and corners by which the window is resized. For the pointer alone: the keys of the window manager do the same.
fn edges(ui: &mut Ui, body: Rect) {
    use ResizeDirection as To;
    let (left, right) = (body.left()..=body.left() + EDGE, body.right() - EDGE..=body.right());
    let (top, bottom) = (body.top()..=body.top() + EDGE, body.bottom() - EDGE..=body.bottom());
    let (wide, tall) = (body.left()..=body.right(), body.top()..=body.bottom());
    // Corners last: they lie on the edges.
    let bands = [
        (To::North, wide.clone(), top.clone(), CursorIcon::ResizeNorth),
        (To::South, wide, bottom.clone(), CursorIcon::ResizeSouth),
        (To::West, left.clone(), tall.clone(), CursorIcon::ResizeWest),
        (To::East, right.clone(), tall, CursorIcon::ResizeEast),
        (To::NorthWest, left.clone(), top.clone(), CursorIcon::ResizeNorthWest),
        (To::NorthEast, right.clone(), top, CursorIcon::ResizeNorthEast),
        (To::SouthWest, left, bottom.clone(), CursorIcon::ResizeSouthWest),
        (To::SouthEast, right, bottom, CursorIcon::ResizeSouthEast),
    ];
    for (direction, x, y, cursor) in bands {
        let rect = Rect::from_x_y_ranges(x, y);
        let response = ui.interact(rect, ui.scope_id().with(("edge", format!("{direction:?}"))), Sense::DRAG);
        if response.on_hover_cursor(cursor).drag_started() {
            hand_over(ui, ViewportCommand::BeginResize(direction));
        }
    }
}
