//! Draws the left rail.

use egui::{
    Align, CornerRadius, Layout, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::state::Screen;
use crate::ui::theme::tokens::{radius, size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, chip, key_hint, logo};

/// Height of an entry.
const ENTRY: f32 = 34.0;

/// Width beside the name that a badge needs, in either language.
const ROOM_FOR_BADGE: f32 = 50.0;

/// From this width on the keys stand beside the names.
const ROOM_FOR_KEYS: f32 = 132.0;

/// Height of all of it; with large text a window may be lower.
const WHOLE: f32 = 50.0 + 7.0 * (ENTRY + space::TINY) + 2.0 * (size::CONTROL + space::TINY) + space::BASE;

/// Draws the rail and answers with commands.
pub fn ui(ui: &mut Ui, screen: Screen, is_demo: bool, tr: &Tr) -> Vec<Command> {
    if ui.available_height() >= WHOLE {
        return contents(ui, screen, is_demo, false, tr);
    }
    let area = ScrollArea::vertical().id_salt("rail").auto_shrink([false, false]);
    area.show(ui, |ui| contents(ui, screen, is_demo, true, tr)).inner
}

fn contents(ui: &mut Ui, screen: Screen, is_demo: bool, is_low: bool, tr: &Tr) -> Vec<Command> {
    let mut commands = Vec::new();
    let palette = palette(ui);
    ui.add_space(space::BASE);
    ui.horizontal(|ui| {
        ui.add_space(space::BASE);
        logo::logo(ui, 22.0, &tr.text("ui-app"));
        ui.add_space(space::TINY);
        ui.add(egui::Label::new(Type::Heading.text(tr.text("ui-app")).color(palette.strong)).selectable(false));
        // The status line has it too, so that a narrow rail does without.
        if is_demo && ui.available_width() >= ROOM_FOR_BADGE {
            chip::badge(ui, &tr.text("ui-badge-demo"));
        }
    });
    ui.add_space(space::MEDIUM);
    ui.spacing_mut().item_spacing.y = space::TINY;
    access::group(ui, Role::TabList, &tr.text("ui-name-screens"), |ui| {
        for entry in Screen::RAIL {
            if entry_ui(ui, entry, entry == screen, tr) {
                commands.push(Command::Go(entry));
            }
        }
    });
    // At the bottom, and from above for the keyboard.
    let foot = [Command::Palette, Command::Keys];
    let height = foot.len() as f32 * (size::CONTROL + space::TINY) + space::BASE - space::TINY;
    let room = ui.available_rect_before_wrap();
    let top = if is_low { room.top() } else { (room.bottom() - height).max(room.top()) };
    let place = Rect::from_min_size(pos2(room.left(), top), vec2(room.width(), height));
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        for command in foot {
            ui.horizontal(|ui| {
                if ui.add(button::quiet(ui, command.label(tr))).on_hover_text(command.help(tr)).clicked() {
                    commands.push(command.clone());
                }
                if room.width() < ROOM_FOR_KEYS {
                    return;
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    // Under those of the screens.
                    ui.spacing_mut().item_spacing.x = 0.0;
                    ui.add_space(space::SMALL);
                    key_hint::key_hint(ui, &command.keys(ui.ctx().os()));
                });
            });
        }
    });
    commands
}

fn entry_ui(ui: &mut Ui, entry: Screen, is_here: bool, tr: &Tr) -> bool {
    let palette = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ENTRY.max(size::HIT)), Sense::click());
    let label = Command::Go(entry).label(tr);
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_here, &label));
    access::chosen(ui, response.id, is_here);
    let corner = CornerRadius::same(radius::CONTROL);
    let (fill, text, kind) = match (is_here, response.hovered()) {
        (true, _) => (Some(palette.selected), palette.strong, Type::Strong),
        (false, true) => (Some(palette.hover), palette.text, Type::Body),
        (false, false) => (None, palette.weak, Type::Body),
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, corner, fill);
    }
    if response.has_focus() {
        let line = Stroke::new(stroke::FOCUS, palette.accent);
        ui.painter().rect_stroke(rect, corner, line, StrokeKind::Inside);
    }
    let galley = ui.painter().layout_no_wrap(label, kind.font(), text);
    let at = pos2(rect.left() + space::MEDIUM, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, text);
    let keys = Command::Go(entry).keys(ui.ctx().os());
    if rect.width() < ROOM_FOR_KEYS {
        return response.on_hover_text(Command::Go(entry).help(tr)).clicked();
    }
    let right = Rect::from_min_max(rect.min, rect.max - vec2(space::SMALL, 0.0));
    let builder = UiBuilder::new().max_rect(right).layout(Layout::right_to_left(Align::Center));
    key_hint::key_hint(&mut ui.new_child(builder), &keys);
    response.on_hover_text(Command::Go(entry).help(tr)).clicked()
}
