//! Draws the Board.

use egui::text::LayoutJob;
use egui::{Align, Layout, Rect, Role, ScrollArea, TextFormat, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::args;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::format::Piece;
use crate::ui::screens::activity;
use crate::ui::screens::switch::uses::Uses;
use crate::ui::state::{Screen, UiState};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, empty, name};

use super::model::{Model, Spending};
use super::model_detail::Detail;
use super::{detail, table};

/// From this width of the page on, the detail panel stands beside the table without being asked for.
const ROOM_FOR_DETAIL: f32 = 1_060.0;
/// From this width of the page on, the headline is large.
const WIDE: f32 = 900.0;
/// Height that the cards below the table need.
const ROOM_FOR_CARDS: f32 = 176.0;
/// Least height of what is in a card: that of *Probing today*.
const CARD: f32 = 124.0;
/// Least width for two cards beside each other.
const ROOM_FOR_TWO: f32 = 560.0;
/// Height of a line in a card, with the distance to the next.
const LINE: f32 = size::ROW_DENSE + space::SMALL + space::TINY;

/// Draws the page of a Board without models. Where there is a settings file already, models are added in Settings: the first
/// page would make a new file.
pub fn nothing_ui(ui: &mut Ui, has_file: bool, tr: &Tr) -> Vec<Command> {
    let (subline, label) = match has_file {
        true => ("ui-subline-no-targets-file", "ui-button-add-model"),
        false => ("ui-subline-no-targets", "ui-button-add-found"),
    };
    let title = tr.text("ui-headline-no-targets");
    let button = empty::empty(ui, &title, &tr.text(subline), Some(&tr.text(label)));
    match button {
        Some(button) if button.clicked() && has_file => Command::add_by_hand().to_vec(),
        Some(button) if button.clicked() => vec![Command::Go(Screen::Welcome)],
        _ => Vec::new(),
    }
}

/// Draws the Board and answers with commands.
pub fn ui(
    ui: &mut Ui,
    model: &Model,
    snapshot: &Snapshot,
    state: &UiState,
    uses: &Uses,
    now: jiff::Timestamp,
    tr: &Tr,
) -> Vec<Command> {
    let mut commands = Vec::new();
    let is_wide = ui.available_width() >= WIDE;
    let has_room = ui.available_width() >= ROOM_FOR_DETAIL;
    header(ui, model, is_wide, tr, &mut commands);
    ui.add_space(space::LARGE);

    let shown = model.shown(has_room && !state.is_detail_closed);
    let body = ui.available_rect_before_wrap();
    let detail_width = if shown.is_some() { size::DETAIL + space::WIDE - space::SMALL } else { 0.0 };
    let left = Rect::from_min_max(body.min, pos2(body.right() - detail_width, body.bottom()));
    // With large text the detail may take the whole width; Back closes it.
    let table = UiBuilder::new().max_rect(left);
    let table = if left.width() < size::DETAIL / 2.0 { table.invisible() } else { table };
    ui.scope_builder(table, |ui| {
        ScrollArea::vertical().id_salt("board").auto_shrink([false, false]).show(ui, |ui| {
            access::scrolls(ui);
            table::ui(ui, &table::Scene { model, shown, snapshot, uses, tr }, &mut commands);
            let used = ui.min_rect().height();
            let room = left.height() - used - 2.0 * space::LARGE;
            if room + space::LARGE > ROOM_FOR_CARDS {
                ui.add_space(space::LARGE);
                cards(ui, model, room, tr, &mut commands);
            }
        });
    });
    if let Some(entry) = shown.and_then(|at| snapshot.board.entry(&model.rows[at].target)) {
        let detail = Detail::new(entry, snapshot, now, tr);
        let width = size::DETAIL.min(body.width());
        let right = Rect::from_min_max(pos2(body.right() - width, body.top()), body.max);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            ScrollArea::vertical().id_salt("detail").auto_shrink([false, false]).show(ui, |ui| {
                access::scrolls(ui);
                let offered = uses.get(&detail.target);
                detail::ui(ui, &detail, state.is_explained, offered, tr, &mut commands);
            });
        });
    }
    commands
}

fn header(ui: &mut Ui, model: &Model, is_wide: bool, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    let (strong, light) = if is_wide { (Type::Display, Type::DisplayLight) } else { (Type::Title, Type::TitleLight) };
    // Beside, not around: a layout from the right would take all the height there is.
    let room = ui.available_rect_before_wrap();
    let mut right = room.right();
    if model.can_probe {
        let builder = UiBuilder::new().max_rect(room).layout(Layout::right_to_left(Align::Min));
        let response = ui.new_child(builder).add(button::plain(tr.text("ui-button-probe-all")));
        right = response.rect.left() - space::LARGE;
        if response.on_hover_text(Command::ProbeAll.help(tr)).clicked() {
            commands.push(Command::ProbeAll);
        }
    }
    let words = Rect::from_min_max(room.min, pos2(right, room.bottom()));
    ui.scope_builder(UiBuilder::new().max_rect(words), |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        card::section(ui, &model.kicker);
        headline(ui, &model.headline, strong, light);
        ui.add(egui::Label::new(Type::Body.text(&model.subline).color(palette.weak)).wrap());
    });
}

/// The headline in one line. A name that is too long is cut, not what is said of it.
fn headline(ui: &mut Ui, pieces: &[Piece], strong: Type, light: Type) {
    let palette = palette(ui);
    let format = |is_strong: bool| match is_strong {
        true => TextFormat::simple(strong.font(), palette.strong),
        false => TextFormat::simple(light.font(), palette.weak),
    };
    let width = |ui: &Ui, text: &str, is_strong| {
        let TextFormat { font_id, color, .. } = format(is_strong);
        ui.painter().layout_no_wrap(text.to_owned(), font_id, color).size().x
    };
    let whole: String = pieces.iter().map(|piece| &*piece.text).collect();
    let said: f32 = pieces.iter().filter(|piece| !piece.is_strong).map(|piece| width(ui, &piece.text, false)).sum();
    let room = ui.available_width() - said;
    let mut is_cut = false;
    let mut job = LayoutJob::default();
    for Piece { text, is_strong } in pieces {
        let mut text = text.clone();
        if *is_strong && width(ui, &text, true) > room {
            is_cut = true;
            text = name::cut(ui, strong, &text, room).unwrap_or(text);
        }
        job.append(&text, 0.0, format(*is_strong));
    }
    let response = ui.add(egui::Label::new(job).truncate());
    if is_cut {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &whole));
    }
    // What changes here is what the program is for.
    let response = access::live(access::heading(response, 1));
    if is_cut {
        response.on_hover_text(whole);
    }
}

/// The cards below the table, over at most `room` points of height: there is as much in them as the page has room for.
fn cards(ui: &mut Ui, model: &Model, room: f32, tr: &Tr, commands: &mut Vec<Command>) {
    let most = room - 2.0 * (space::LARGE + stroke::HAIR);
    let lines = ((most - size::HIT) / LINE).max(0.0) as usize;
    let events = size::HIT + lines.min(model.lately.len()) as f32 * LINE;
    let models = CARD + space::SMALL + model.spending.models.len() as f32 * LINE;
    let gap = space::LARGE + space::SMALL;
    let full = ui.available_rect_before_wrap();
    // What is spent stands in the status line too, so that it is what a narrow page leaves out.
    let count = if full.width() >= ROOM_FOR_TWO { 2 } else { 1 };
    let width = if count == 2 { ((full.width() - gap) / 2.0).floor() } else { full.width() };
    let top = full.top();
    let mut bottom = top;
    let mut height = events.max(if count == 2 { models } else { 0.0 }).min(most).max(CARD);
    for (index, left) in [full.left(), full.left() + width + gap].into_iter().take(count).enumerate() {
        let rect = Rect::from_min_max(pos2(left, top), pos2(left + width, full.bottom().max(top + ROOM_FOR_CARDS)));
        let used = ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
            card::card(ui, |ui| {
                // The second is as high as the first, so that their feet align.
                ui.set_min_height(height);
                ui.spacing_mut().item_spacing.y = space::SMALL + space::TINY;
                if index == 0 {
                    lately(ui, model, lines, tr, commands);
                } else {
                    spending(ui, &model.spending, height, tr);
                }
            });
        });
        height = height.max(used.response.rect.height() - 2.0 * space::LARGE - 2.0 * stroke::HAIR);
        bottom = bottom.max(used.response.rect.bottom());
    }
    ui.expand_to_include_y(bottom);
}

fn lately(ui: &mut Ui, model: &Model, count: usize, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(size::HIT);
        access::heading(ui.label(Type::Heading.text(tr.text("ui-lately")).color(palette.strong)), 2);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if button::flush(ui, tr.text("ui-button-show-all")).clicked() {
                commands.push(Command::Go(Screen::Activity));
            }
        });
    });
    if model.lately.is_empty() {
        ui.label(Type::Body.text(tr.text("ui-activity-empty")).color(palette.weak));
    }
    let lines = &model.lately[..model.lately.len().min(count)];
    let width = activity::view::time_width(ui, lines.iter().map(|line| &*line.moment));
    for line in lines {
        activity::view::line(ui, line, &line.moment, width, tr);
    }
}

/// What was spent, and by whom where `height` leaves room for it.
fn spending(ui: &mut Ui, spending: &Spending, height: f32, tr: &Tr) {
    let palette = palette(ui);
    let top = ui.cursor().top();
    // As high as the head beside it, which holds a button.
    ui.horizontal(|ui| {
        ui.set_min_height(size::HIT);
        access::heading(ui.label(Type::Heading.text(tr.text("ui-spending")).color(palette.strong)), 2);
    });
    for (words, share) in [(&spending.requests, spending.requests_share), (&spending.tokens, spending.tokens_share)] {
        ui.label(Type::Body.text(words));
        let (_, bar) = ui.allocate_space(vec2(ui.available_width(), space::SMALL));
        ui.painter().rect_filled(bar, 2, palette.gap);
        let filled = Rect::from_min_size(bar.min, vec2(bar.width() * share, bar.height()));
        ui.painter().rect_filled(filled, 2, palette.accent);
        ui.add_space(space::TINY);
    }
    ui.add(egui::Label::new(Type::Body.text(&spending.next).color(palette.weak)).truncate());
    let left = top + height - ui.cursor().top() - space::SMALL;
    let fitting = ((left + space::SMALL) / LINE).max(0.0) as usize;
    if fitting > 0 && !spending.models.is_empty() {
        ui.add_space(space::SMALL);
    }
    // A model that finds no room is counted in the last line; a count of all alone would tell nothing.
    let all = spending.models.len();
    let shown = if all > fitting { fitting.saturating_sub(1) } else { all };
    for (model, words) in &spending.models[..shown] {
        let (_, line) = ui.allocate_space(vec2(ui.available_width(), size::ROW_DENSE));
        let split = line.right() - Type::Body.width(ui, words.as_str()).ceil() - space::TINY;
        let half = |ui: &mut Ui, left: f32, right: f32| {
            let half = Rect::from_min_max(pos2(left, line.top()), pos2(right, line.bottom()));
            ui.new_child(UiBuilder::new().max_rect(half).layout(Layout::left_to_right(Align::Center)))
        };
        name::name(&mut half(ui, line.left(), split - space::BASE), Type::Body, model, palette.text);
        half(ui, split, line.right()).label(Type::Body.text(words).color(palette.weak));
    }
    if shown > 0 && shown < all {
        let words = tr.with("ui-spending-more", &args!("n" => all - shown));
        ui.label(Type::Body.text(words).color(palette.weak));
    }
}
