//! The glance: how it answers and how it looks, without its window.

use std::collections::HashMap;

use egui::accesskit::Role;
use egui::{Key, Theme};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use vacancy::i18n::Tr;
use vacancy::ui::command::Command;
use vacancy::ui::screens::glance::model::{Model, Source};
use vacancy::ui::screens::glance::view::{self, Act};
use vacancy::ui::screens::switch::uses::Use;
use vacancy::ui::switching::{Act as Switching, Seat, What};

use crate::support;

use super::stage::{afternoon, chinese, english, many, nothing, now};

const LUNA: &str = "codex-plan/gpt-6-luna";

fn seat() -> Seat {
    Seat { tool: "codex", home: vacancy::switch::path::ToolPath::new("/home/u/.codex") }
}

pub fn model(snapshot: &vacancy::engine::snapshot::Snapshot, tr: &Tr) -> Model {
    let offered = Use {
        label: "Use in Codex".to_owned(),
        direct: Some(seat()),
        tools: vec![(seat(), "Codex".to_owned())],
        users: String::new(),
        used_by: None,
        why_not: Vec::new(),
    };
    let uses = HashMap::from([(LUNA.into(), offered)]);
    Model::new(&Source { snapshot, sheet: None, uses: &uses, now: now(), tr })
}

pub struct Glance {
    model: Model,
    tr: Tr,
    acts: Vec<Act>,
}

pub fn harness(model: Model, tr: Tr, theme: Theme, size: egui::Vec2, zoom: f32) -> Harness<'static, Glance> {
    let draw = |ui: &mut egui::Ui, glance: &mut Glance| {
        let whole = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
        ui.scope_builder(whole, |ui| glance.acts.extend(view::ui(ui, &glance.model, &glance.tr)));
    };
    let size = size * zoom;
    let builder = support::window(theme, [size.x, size.y]);
    let mut harness = builder.build_ui_state(draw, Glance { model, tr, acts: Vec::new() });
    harness.ctx.set_zoom_factor(zoom);
    harness.run();
    harness
}

#[test]
fn a_click_shows_the_target_a_button_uses_it_and_escape_closes() {
    let (snapshot, tr) = (afternoon(), english());
    let shown = model(&snapshot, &tr);
    let size = view::usual(shown.rows.len());
    let mut harness = harness(shown, tr, Theme::Dark, size, 1.0);
    harness.get_by_label_contains("gpt-5.6-sol: Full for 22 min").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Use in Codex: gpt-6-luna").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Show the whole window").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Close").click();
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    harness.key_press(Key::F5);
    harness.run();
    let plan = Switching::Plan(What::Use(seat(), LUNA.into()));
    let expected = [
        Act::Command(Command::Select("codex-plan/gpt-5.6-sol".into())),
        Act::Command(Command::Switching(plan)),
        Act::Whole,
        Act::Close,
        Act::Close,
        Act::Command(Command::ProbeAll),
    ];
    assert_eq!(harness.state().acts, expected);
}

#[test]
fn it_can_be_read_at_every_zoom_and_size_in_both_languages() {
    let mut results = SnapshotResults::new();
    let usual = view::usual(6);
    for (name, snapshot, tr, theme, size, zoom) in [
        ("dark", afternoon(), english(), Theme::Dark, usual, 1.0),
        ("light-zh", afternoon(), chinese(), Theme::Light, usual, 1.0),
        ("zoom-200", afternoon(), english(), Theme::Dark, usual, 2.0),
        ("smallest-80", many(), english(), Theme::Light, view::SMALLEST, 0.8),
        ("empty", nothing(), english(), Theme::Dark, view::SMALLEST, 1.0),
    ] {
        let mut harness = harness(model(&snapshot, &tr), tr, theme, size, zoom);
        harness.snapshot(format!("glance-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}
