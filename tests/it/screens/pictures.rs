//! How the screens look. Few and small: what no query can see.

use egui::Theme;
use egui_kittest::SnapshotResults;
use vacancy::engine::snapshot::Snapshot;
use vacancy::toolprobe::Program;
use vacancy::toolprobe::cost::Cost;
use vacancy::ui::state::{Overlay, Screen};
use vacancy::ui::tools::{Asking, Offer};
use vacancy::ui::window::Event;

use super::stage::{Bench, afternoon, chinese, english, found, many, nothing, noticed, offline, plans};

const SIZE: [f32; 2] = [1000.0, 640.0];

#[test]
fn every_screen_in_both_themes_and_in_chinese() {
    let mut results = SnapshotResults::new();
    for screen in [Screen::Board, Screen::Activity, Screen::Welcome] {
        for (theme, tr, name) in
            [(Theme::Dark, english(), "dark"), (Theme::Light, english(), "light"), (Theme::Dark, chinese(), "dark-zh")]
        {
            let bench = Bench::new(afternoon(), tr).on(screen).with_found(found());
            let mut harness = bench.harness(theme, SIZE);
            harness.snapshot(format!("screen-{}-{name}", screen.name()));
            results.extend_harness(&mut harness);
        }
    }
    results.unwrap();
}

#[test]
fn what_notices_offer() {
    let mut results = SnapshotResults::new();
    for (theme, tr, name) in [(Theme::Dark, english(), "dark"), (Theme::Light, chinese(), "light-zh")] {
        let mut harness = Bench::new(noticed(), tr).on(Screen::Activity).harness(theme, SIZE);
        harness.snapshot(format!("screen-activity-notices-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn the_detail_and_the_banners() {
    let mut results = SnapshotResults::new();
    let mut detail = Bench::new(afternoon(), english());
    detail.window.state.selected = Some("codex-plan/gpt-5.6-sol".into());
    let mut long = Bench::new(many(), chinese());
    long.window.state.selected = Some(many().board.entries[0].target.id.clone());
    long.window.state.is_explained = true;
    let empty = Bench::new(nothing(), english());
    for (bench, name) in
        [(detail, "detail"), (Bench::new(offline(), english()), "offline"), (empty, "empty"), (long, "many")]
    {
        let mut harness = bench.harness(Theme::Dark, SIZE);
        harness.snapshot(format!("screen-board-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

/// The afternoon's board as it was known two days ago; `fresh` of its targets were seen since.
pub fn aged(fresh: usize) -> Snapshot {
    let mut snapshot = afternoon();
    let by = jiff::SignedDuration::from_hours(48);
    for entry in std::sync::Arc::make_mut(&mut snapshot.board).entries.iter_mut().skip(fresh) {
        entry.recent.iter_mut().for_each(|sample| sample.at -= by);
        entry.latest.iter_mut().for_each(|latest| latest.sample.at -= by);
        entry.confirmed.iter_mut().for_each(|confirmed| confirmed.since -= by);
    }
    snapshot
}

#[test]
fn what_is_too_old_has_a_mark_and_words_of_its_own() {
    let mut results = SnapshotResults::new();
    for (theme, tr, fresh, name) in [(Theme::Dark, english(), 0, "old"), (Theme::Light, chinese(), 1, "old-light-zh")] {
        let mut bench = Bench::new(aged(fresh), tr);
        bench.window.state.selected = Some("codex-plan/gpt-6-luna".into());
        let mut harness = bench.harness(theme, SIZE);
        harness.snapshot(format!("screen-board-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn limits_and_what_others_say() {
    let mut results = SnapshotResults::new();
    for (theme, tr, target, name) in [
        (Theme::Dark, english(), "codex/gpt-6-luna", "plans"),
        (Theme::Light, chinese(), "openrouter/qwen3-coder", "plans-light-zh"),
    ] {
        let mut bench = Bench::new(plans(), tr);
        bench.window.state.selected = Some(target.into());
        let mut harness = bench.harness(theme, SIZE);
        harness.snapshot(format!("screen-board-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn the_cost_of_asking_a_plans_tool() {
    let mut results = SnapshotResults::new();
    for (tr, name) in [(english(), "tools"), (chinese(), "tools-zh")] {
        let mut bench = Bench::new(plans(), tr);
        bench.window.hear(Event::Tools(offers()), &egui::Context::default());
        let asking = Some(Asking::Always(Program::Codex));
        bench.window.state.overlay = Some(Overlay::Tools { asking });
        let mut harness = bench.harness(Theme::Dark, SIZE);
        harness.snapshot(format!("screen-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

pub fn offers() -> Vec<Offer> {
    let offer = |program: Program, most, is_enabled| Offer {
        program,
        path: format!("/usr/local/bin/{}", program.file()),
        cost: Cost { least: most / 2, most },
        is_enabled,
        every: std::time::Duration::from_secs(6 * 3_600),
        daily: 4,
    };
    vec![offer(Program::Codex, 10_900, false), offer(Program::ClaudeCode, 3_500, true)]
}
