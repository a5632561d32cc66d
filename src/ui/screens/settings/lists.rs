//! Draws the lists of Settings: providers with their targets, and chains.

use egui::{EventFilter, Id, Key, Label, Margin, Modifiers, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use jiff::Timestamp;

use super::about::About;
use super::editor::Task;
use super::model::ChainRow;
use super::providers::{ProviderRow, TargetRow};
use crate::args;
use crate::core::outcome::Family;
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::settings::amend::Amendment;
use crate::ui::command::Command;
use crate::ui::settings::{Act, How, Wish};
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::{access, button, card, mark::Mark, name, sides};

/// Height of a target, and of a place in a chain.
const ROW: f32 = 46.0;
/// Radius of a dot of the handle that a row is dragged by.
const DOT: f32 = 1.2;

/// Draws the providers. Those of the demo are on this machine, and no other comes to them.
pub fn providers(
    ui: &mut Ui,
    rows: &[ProviderRow],
    (is_demo, at): (bool, Timestamp),
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    let open = |task| Command::Settings(Act::Open(task));
    if !is_demo {
        if ui.add(button::toned(ui, tr.text("settings-screen-apply-add-provider"))).clicked() {
            commands.push(open(Task::AddProvider));
        }
        ui.add_space(space::BASE);
    }
    if rows.is_empty() {
        none_yet(ui, "settings-screen-no-providers", tr);
    }
    for provider in rows {
        card::card(ui, |ui| {
            let palette = palette(ui);
            ui.spacing_mut().item_spacing.y = space::TINY;
            ui.horizontal(|ui| {
                access::heading(ui.label(Type::Heading.text(provider.id.as_str()).color(palette.strong)), 2);
                let detail = Type::Caption.text(&provider.detail).color(palette.weak);
                let leading = |ui: &mut Ui| drop(ui.add(Label::new(detail).truncate()));
                sides::sides(ui, leading, |ui| {
                    if provider.is_own {
                        let edit = ("settings-screen-edit-provider", open(Task::EditProvider(provider.id.clone())));
                        let edit = (!is_demo).then_some(edit);
                        more(
                            ui,
                            provider.id.as_str(),
                            edit.into_iter().chain([
                                ("settings-screen-add-model", open(Task::AddTarget(provider.id.clone()))),
                                ("settings-screen-rename", open(Task::RenameProvider(provider.id.clone()))),
                                ("settings-screen-remove", open(Task::RemoveProvider(provider.id.clone()))),
                            ]),
                            tr,
                            commands,
                        );
                    }
                });
            });
            // A button beside the words stands in their middle; words alone begin at the top, beside their mark.
            let line = if provider.can_look { Ui::horizontal } else { Ui::horizontal_top };
            line(ui, |ui: &mut Ui| {
                if provider.is_key_missing {
                    let (_, cell) = ui.allocate_space(egui::Vec2::splat(size::MARK));
                    Mark::of_family(Family::Blocked).paint(ui.painter(), cell, palette);
                }
                let color = if provider.is_key_missing { palette.strong } else { palette.text };
                if provider.can_look {
                    let words = Label::new(Type::Body.text(&provider.key).color(color)).wrap();
                    sides::sides(
                        ui,
                        |ui| drop(ui.add(words)),
                        |ui| {
                            let look = ui.add(button::plain(tr.text("settings-screen-key-look")));
                            let named = tr.with("settings-screen-key-look-of", &args!("name" => provider.id.as_str()));
                            look.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
                            if look.on_hover_text(tr.text("settings-screen-key-look-help")).clicked() {
                                commands.push(Command::Settings(Act::LookForKey(provider.id.clone())));
                            }
                        },
                    );
                } else {
                    ui.add(Label::new(Type::Body.text(&provider.key).color(color)).wrap());
                }
            });
            for target in &provider.targets {
                target_ui(ui, target, at, tr, commands);
            }
        });
        ui.add_space(space::BASE);
    }
}

/// A menu of what else can be done with a thing.
fn more<'a>(
    ui: &mut Ui,
    name: &str,
    entries: impl IntoIterator<Item = (&'a str, Command)>,
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    let menu = access::menu(ui.menu_button(Type::Body.text(tr.text("settings-screen-more")), |ui| {
        for (id, command) in entries {
            if ui.button(Type::Body.text(tr.text(id))).clicked() {
                commands.push(command);
                ui.close();
            }
        }
    }));
    let named = tr.with("settings-screen-more-of", &args!("name" => name));
    menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &named));
}

fn target_ui(ui: &mut Ui, target: &TargetRow, at: Timestamp, tr: &Tr, commands: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.separator();
    ui.horizontal(|ui| {
        ui.set_min_height(ROW - space::BASE);
        ui.spacing_mut().item_spacing.x = space::BASE;
        match target.family {
            Some(family) => drop(Mark::of_family(family).ui(ui, tr)),
            None => drop(ui.allocate_space(egui::Vec2::splat(size::MARK))),
        }
        let words = |ui: &mut Ui| {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = space::TINY;
                name::title(ui, Type::Strong, &target.name, palette.strong).on_hover_text(target.id.as_str());
                let detail = format!("{} · {}", target.verdict, target.detail);
                ui.add(Label::new(Type::Caption.text(detail).color(palette.weak)).truncate());
            });
        };
        sides::sides(ui, words, |ui| {
            if target.can_test {
                let test = ui.add_enabled(!target.is_testing, button::plain(tr.text("settings-screen-test-now")));
                let named = tr.with("settings-screen-test-of", &args!("name" => &*target.name));
                test.widget_info(|| WidgetInfo::labeled(Role::Button, !target.is_testing, &named));
                if test.clicked() {
                    commands.push(Command::Settings(Act::Tested(target.id.clone(), at)));
                    commands.push(Command::Probe(target.id.clone()));
                }
            }
            let open = |task| Command::Settings(Act::Open(task));
            more(
                ui,
                &target.name,
                [
                    ("settings-screen-edit", open(Task::EditTarget(target.id.clone()))),
                    ("settings-screen-rename", open(Task::RenameTarget(target.id.clone()))),
                    ("settings-screen-remove", open(Task::RemoveTarget(target.id.clone()))),
                ],
                tr,
                commands,
            );
        });
    });
}

/// Says what would stand here.
fn none_yet(ui: &mut Ui, id: &str, tr: &Tr) {
    ui.add(Label::new(Type::Body.text(tr.text(id)).color(palette(ui).weak)).wrap());
    ui.add_space(space::BASE);
}

/// Draws the chains.
pub fn chains(ui: &mut Ui, rows: &[ChainRow], tr: &Tr, commands: &mut Vec<Command>) {
    if rows.is_empty() {
        none_yet(ui, "settings-screen-no-chains", tr);
        if ui.add(button::toned(ui, tr.text("settings-screen-apply-add-provider"))).clicked() {
            commands.push(Command::Settings(Act::Open(Task::AddProvider)));
        }
        ui.add_space(space::LARGE);
        return;
    }
    ui.horizontal(|ui| {
        if ui.add(button::toned(ui, tr.text("settings-screen-apply-add-chain"))).clicked() {
            commands.push(Command::Settings(Act::Open(Task::AddChain)));
        }
    });
    ui.add_space(space::SMALL);
    ui.add(Label::new(Type::Caption.text(tr.text("settings-screen-chain-help")).color(palette(ui).weak)).wrap());
    ui.add_space(space::BASE);
    for row in rows {
        chain(ui, row, tr, commands);
        ui.add_space(space::LARGE);
    }
}

/// What is dragged: a place in a chain.
struct Dragged {
    chain: String,
    at: usize,
}

/// Draws a chain. A row with the focus is moved by Alt and an arrow, and by its handle.
fn chain(ui: &mut Ui, chain: &ChainRow, tr: &Tr, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let title = Label::new(Type::Heading.text(&chain.title).color(palette(ui).strong)).truncate();
        sides::sides(
            ui,
            |ui| drop(access::heading(ui.add(title), 2)),
            |ui| {
                if chain.is_own {
                    let open = |task| Command::Settings(Act::Open(task));
                    let entries = [
                        ("settings-screen-rename", open(Task::RenameChain(chain.name.clone()))),
                        ("settings-screen-remove", open(Task::RemoveChain(chain.name.clone()))),
                    ];
                    more(ui, &chain.name, entries, tr, commands);
                }
            },
        );
    });
    let write = |targets: Vec<TargetId>| {
        Command::Settings(Act::Write(Wish {
            about: About::Order(chain.name.clone()),
            how: How::Amend(vec![Amendment::Chain(chain.name.clone(), targets)]),
        }))
    };
    let ids: Vec<TargetId> = chain.targets.iter().map(|target| target.id.clone()).collect();
    let last = ids.len().saturating_sub(1);
    card::frame(ui).inner_margin(Margin::same(0)).show(ui, |ui| {
        access::part(ui, Role::ListBox, &chain.title);
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        for (at, target) in chain.targets.iter().enumerate() {
            let name = tr.with("settings-screen-chain-place", &args!("place" => at + 1, "name" => &*target.name));
            let id = Id::unique(("settings-chain", chain.name.as_str(), target.id.as_str()));
            let state = RowState { is_first: at == 0, ..RowState::default() };
            let mut to = None;
            let (response, ()) = row::row(ui, id, &name, ROW, state, |ui| {
                handle(ui, id, &chain.name, at);
                ui.add(Label::new(Type::Mono.text((at + 1).to_string()).color(palette(ui).weak)).selectable(false));
                let strong = palette(ui).strong;
                let named = |ui: &mut Ui| name::name(ui, Type::Strong, &target.name, strong);
                let leading = |ui: &mut Ui| drop(named(ui).on_hover_text(target.id.as_str()));
                sides::sides(ui, leading, |ui| {
                    ui.spacing_mut().item_spacing.x = space::SMALL;
                    let act = |ui: &mut Ui, word: &str, is_on: bool| {
                        let response = ui.add_enabled(is_on, button::plain(tr.text(word)));
                        let named = tr.with(&format!("{word}-of"), &args!("name" => &*target.name));
                        response.widget_info(|| WidgetInfo::labeled(Role::Button, is_on, &named));
                        response.clicked()
                    };
                    if act(ui, "settings-screen-chain-up", at > 0) {
                        to = Some(at - 1);
                    }
                    if act(ui, "settings-screen-chain-down", at < last) {
                        to = Some(at + 1);
                    }
                    if act(ui, "settings-screen-chain-out", last > 0) {
                        let left = ids.iter().filter(|other| **other != target.id).cloned();
                        commands.push(write(left.collect()));
                    }
                });
            });
            if response.clicked() {
                response.request_focus();
            }
            if response.has_focus() {
                let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
                let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::ALT, key));
                if at > 0 && pressed(Key::ArrowUp) {
                    to = Some(at - 1);
                }
                if at < last && pressed(Key::ArrowDown) {
                    to = Some(at + 1);
                }
            }
            let is_own = |dragged: &std::sync::Arc<Dragged>| dragged.chain == chain.name;
            if response.dnd_hover_payload::<Dragged>().is_some_and(|dragged| is_own(&dragged)) {
                let line = Stroke::new(stroke::FOCUS, palette(ui).accent);
                ui.painter().hline(response.rect.x_range(), response.rect.top(), line);
            }
            if let Some(dragged) = response.dnd_release_payload::<Dragged>().filter(is_own) {
                commands.extend(moved(&ids, dragged.at, at).map(write));
            }
            commands.extend(to.and_then(|to| moved(&ids, at, to)).map(write));
        }
    });
    if chain.others.is_empty() {
        return;
    }
    ui.add_space(space::SMALL);
    access::menu(ui.menu_button(Type::Body.text(tr.text("settings-screen-chain-add")), |ui| {
        for other in &chain.others {
            if ui.button(Type::Body.text(&other.name)).on_hover_text(other.id.as_str()).clicked() {
                commands.push(write(ids.iter().chain([&other.id]).cloned().collect()));
                ui.close();
            }
        }
    }));
}

/// The dots that a row is dragged by.
fn handle(ui: &mut Ui, id: Id, chain: &str, at: usize) {
    let (_, rect) = ui.allocate_space(vec2(size::MARK, size::HIT));
    let response = ui.interact(rect, id.with("handle"), Sense::DRAG);
    response.dnd_set_drag_payload(Dragged { chain: chain.to_owned(), at });
    let color = if response.hovered() { palette(ui).strong } else { palette(ui).weak };
    for x in [-space::TINY - DOT, space::TINY + DOT] {
        for y in [-space::SMALL - DOT, 0.0, space::SMALL + DOT] {
            ui.painter().circle_filled(rect.center() + vec2(x, y), DOT, color);
        }
    }
    response.on_hover_cursor(egui::CursorIcon::Grab);
}

/// The list with one of it at another place; `None` when nothing would change.
fn moved(targets: &[TargetId], from: usize, to: usize) -> Option<Vec<TargetId>> {
    if from == to || from >= targets.len() || to >= targets.len() {
        return None;
    }
    let mut targets = targets.to_vec();
    let target = targets.remove(from);
    targets.insert(to, target);
    Some(targets)
}
