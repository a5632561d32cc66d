//! The Board's detail panel: one target, down to the evidence and the rule.

use egui::{Align, Label, Layout, Role, Ui, UiBuilder, vec2};

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::{access, button, card, mark::Mark, name};

use super::use_button::{self, Button};
use crate::ui::screens::switch::uses::Use;

use super::model_detail::{Detail, Explanation, Fact, Recent};

/// Width of the labels beside the facts.
const LABEL: f32 = 80.0;
/// Samples listed at least; more where the page is higher.
const RECENT: usize = 6;

/// Draws the panel.
pub(super) fn ui(
    ui: &mut Ui,
    detail: &Detail,
    is_explained: bool,
    offered: Option<&Use>,
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    card::card(ui, |ui| {
        access::part(ui, Role::Complementary, &detail.name);
        ui.spacing_mut().item_spacing.y = space::SMALL;
        ui.spacing_mut().interact_size.y = size::ROW_DENSE;
        title(ui, detail, tr);
        ui.add_space(space::SMALL);
        for fact in &detail.facts {
            fact_ui(ui, fact);
        }
        ui.add_space(space::SMALL);
        buttons(ui, detail, is_explained, offered, tr, commands);
        if let Some(words) = offered.and_then(|offered| offered.used_by.as_ref()) {
            ui.add(Label::new(Type::Body.text(words).color(palette(ui).weak)).wrap());
        }
        for reason in offered.into_iter().flat_map(|offered| &offered.why_not) {
            ui.add(Label::new(Type::Body.text(reason).color(palette(ui).weak)).wrap());
        }
        if let Some(kind) = detail.explains.filter(|_| is_explained) {
            explanation(ui, &Explanation::new(kind, tr), tr);
        }
        ui.add_space(space::SMALL);
        ui.separator();
        ui.horizontal(|ui| {
            ui.set_min_height(size::HIT);
            card::section(ui, &tr.text("ui-evidence"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if detail.can_probe && button::flush(ui, tr.text("ui-button-copy-curl")).clicked() {
                    commands.push(Command::CopyCurl(detail.target.clone()));
                }
            });
        });
        if detail.evidence.is_empty() {
            ui.label(Type::Body.text(tr.text("ui-verdict-none")).color(palette(ui).weak));
        } else {
            card::evidence(ui, &detail.evidence.join("\n"));
        }
        if !detail.context.is_empty() {
            ui.add_space(space::SMALL);
            card::section(ui, &tr.text("context-heading"));
            for fact in &detail.context {
                fact_ui(ui, fact);
            }
        }
        ui.add_space(space::SMALL);
        card::section(ui, &tr.text("ui-recent"));
        if detail.recent.is_empty() {
            ui.label(Type::Body.text(tr.text("ui-recent-none")).color(palette(ui).weak));
        }
        let room = ui.clip_rect().bottom() - ui.cursor().top() - space::LARGE;
        let fitting = (room / (size::ROW_DENSE + space::SMALL)).max(0.0) as usize;
        for recent in detail.recent.iter().take(fitting.max(RECENT)) {
            recent_ui(ui, recent, tr);
        }
    });
}

fn mark(detail: &Detail) -> Mark {
    Mark::of_state(detail.family, detail.is_unrecognized, detail.is_stale)
}

fn title(ui: &mut Ui, detail: &Detail, tr: &Tr) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        mark(detail).ui(ui, tr);
        access::heading(name::title(ui, Type::Heading, &detail.name, palette.strong), 2);
    });
    ui.add(Label::new(Type::Caption.text(&detail.subtitle).color(palette.weak)).truncate())
        .on_hover_text(&detail.role_hint);
}

fn fact_ui(ui: &mut Ui, fact: &Fact) {
    let palette = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::BASE;
        let (_, label) = ui.allocate_space(vec2(LABEL, ui.text_style_height(&Type::Body.style())));
        // A child apart, since a scope would let the row go on where the label's text ends.
        let builder = UiBuilder::new().max_rect(label).layout(Layout::left_to_right(Align::Min));
        ui.new_child(builder).add(Label::new(Type::Body.text(&fact.label).color(palette.weak)).truncate());
        ui.add(Label::new(Type::Body.text(&fact.value)).wrap());
    });
}

fn buttons(
    ui: &mut Ui,
    detail: &Detail,
    is_explained: bool,
    offered: Option<&Use>,
    tr: &Tr,
    commands: &mut Vec<Command>,
) {
    let offered = offered.filter(|offered| !offered.tools.is_empty());
    if !detail.can_probe && !detail.has_tool && detail.explains.is_none() && offered.is_none() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::BASE, space::BASE);
        if detail.can_probe || detail.has_tool {
            let probe = ui.add(button::plain(tr.text("ui-button-probe")));
            // The page has a button of the same words for all.
            let named = tr.with("ui-button-probe-of", &crate::args!("model" => &*detail.name));
            let probe = probe.accessible_name(named);
            if probe.on_hover_text(tr.text("ui-command-probe-help")).clicked() {
                commands.push(Command::Probe(detail.target.clone()));
            }
        }
        if detail.explains.is_some()
            && ui.add(button::plain(tr.text("ui-button-explain")).selected(is_explained)).clicked()
        {
            commands.push(Command::ToggleExplanation);
        }
        if let Some(offered) = offered {
            let is_free = detail.family == crate::core::outcome::Family::Available;
            let shown = Button {
                offered,
                target: &detail.target,
                name: &detail.name,
                is_free,
                is_first: false,
                is_passed: false,
                is_short: false,
            };
            let label = tr.text("switching-use-menu");
            use_button::menu(ui, &shown, (button::plain(label.as_str()), &label), commands, tr);
        }
        if detail.has_tool {
            let tools = ui.add(button::plain(tr.text("toolprobe-panel-button")));
            if tools.on_hover_text(Command::Tools(None).help(tr)).clicked() {
                commands.push(Command::Tools(None));
            }
        }
    });
}

fn explanation(ui: &mut Ui, explanation: &Explanation, tr: &Tr) {
    for (head, words) in [("ui-explanation", &explanation.meaning), ("ui-explanation-next", &explanation.next_step)] {
        ui.add_space(space::SMALL);
        card::section(ui, &tr.text(head));
        ui.add(Label::new(Type::Body.text(words)).wrap());
    }
}

fn recent_ui(ui: &mut Ui, recent: &Recent, tr: &Tr) {
    let palette = palette(ui);
    let mark = if recent.is_unrecognized { Mark::Unrecognized } else { Mark::of_family(recent.family) };
    ui.horizontal(|ui| {
        ui.set_min_height(size::ROW_DENSE);
        mark.ui(ui, tr);
        ui.label(Type::Mono.text(&recent.time).color(palette.weak));
        ui.label(Type::Body.text(&recent.words));
        ui.add(Label::new(Type::Caption.text(&recent.tail).color(palette.weak)).truncate());
    });
}
