//! History: how it answers to buttons, keys and the record, and how it looks.

use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Context, Key, Modifiers, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};
use jiff::{SignedDuration, Timestamp};
use vacancy::clock::SystemClock;
use vacancy::core::history::{Answer, Query};
use vacancy::core::outcome::{Family, Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::i18n::Tr;
use vacancy::store::{Options, Reader, Store, TargetInfo};
use vacancy::ui::history::{Ask, Told};
use vacancy::ui::screens::history::range::{Act, Form, Preset};
use vacancy::ui::state::Screen;
use vacancy::ui::window::{Event, Job};

use super::behaviour::drawn;
use super::stage::{Bench, afternoon, chinese, english, many, nothing, now};

const SMALL: [f32; 2] = [1000.0, 640.0];
const LARGE: [f32; 2] = [1440.0, 900.0];

/// A record of so many days before now: one model full from 12:00 to 13:00 UTC, one with faults, one at its limit.
pub struct Record(tempfile::TempDir);

impl Record {
    pub fn of_days(days: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("record"), Options::default(), Arc::new(SystemClock)).unwrap();
        let targets = afternoon().board.entries.clone();
        store.handle().register(targets.iter().map(|entry| TargetInfo::from(&*entry.target)).collect()).wait().unwrap();
        let mut samples = Vec::new();
        for (place, entry) in targets.iter().enumerate().take(5) {
            for n in 0..days * 144 {
                let at = now() - SignedDuration::from_mins(n * 10 + i64::try_from(place).unwrap());
                let hour = at.as_second().rem_euclid(86_400) / 3600;
                let (kind, scope) = match (place, hour) {
                    (0, 12) => (Kind::AtCapacity, Scope::Model),
                    (4, 3..=5) => (Kind::ServerError, Scope::Provider),
                    (3, 9) => (Kind::RateLimited, Scope::Account),
                    // Asleep.
                    (_, 0..=1) => continue,
                    _ => (Kind::Available, Scope::Model),
                };
                samples.push(sample(entry.target.id.as_str(), at, kind, scope));
            }
        }
        store.handle().append_batch(samples).wait().unwrap();
        Self(folder)
    }

    fn answer(&self, query: &Query) -> Answer {
        let reader = Reader::open(&self.0.path().join("record"), Duration::ZERO).unwrap();
        reader.history(query, &|| false).unwrap().unwrap()
    }
}

fn sample(target: &str, at: Timestamp, kind: Kind, scope: Scope) -> Sample {
    let is_free = kind == Kind::Available;
    let wave = u32::try_from(at.as_second().rem_euclid(7919) % 900).unwrap();
    Sample {
        target: target.into(),
        source: Source::Probe,
        at,
        kind,
        scope,
        http_status: None,
        connect_ms: None,
        first_token_ms: is_free.then_some(500 + wave),
        total_ms: None,
        retry_after_s: None,
        rule: "planted".into(),
    }
}

fn bench(snapshot: vacancy::engine::snapshot::Snapshot, tr: Tr) -> Bench {
    Bench::new(snapshot, tr).on(Screen::History)
}

/// Answers what the window asked, until it asks no more.
pub fn answered(harness: &mut Harness<'_, Bench>, record: &Record) {
    for _ in 0..6 {
        let asked = harness.state().jobs.iter().rev().find_map(|job| match job {
            Job::History(Ask::Read(query)) => Some(query.clone()),
            _ => None,
        });
        harness.state_mut().jobs.retain(|job| !matches!(job, Job::History(Ask::Read(_))));
        let Some(query) = asked else { return };
        let answer = Event::History(Told::Answer(Arc::new(record.answer(&query))));
        harness.state_mut().window.hear(answer, &Context::default());
        harness.run();
    }
    panic!("the window asks for ever");
}

fn shown(record: &Record, theme: Theme, size: [f32; 2], tr: Tr) -> Harness<'static, Bench> {
    let mut harness = bench(afternoon(), tr).harness(theme, size);
    answered(&mut harness, record);
    harness
}

fn press(harness: &mut Harness<'_, Bench>, key: Key, record: &Record) {
    harness.key_press_modifiers(Modifiers::NONE, key);
    harness.run();
    answered(harness, record);
}

fn view(harness: &Harness<'_, Bench>) -> std::ops::Range<i64> {
    harness.state().window.state.history.view(None, (now().as_second() / 60 + 1) * 60_000)
}

#[test]
fn lanes_outages_and_latency_are_found_by_name() {
    let record = Record::of_days(9);
    for size in [SMALL, LARGE] {
        let harness = shown(&record, Theme::Dark, size, english());
        harness.get_by_label_contains("gpt-5.6-sol: free 95 % of the watched time");
        harness.get_by_label_contains("States of 7 models over");
        // A few pixels beyond the view's edges count too.
        let count = harness.get_by_label_contains(" in view").accesskit_node().value().unwrap_or_default();
        assert!(["14 in view", "15 in view"].contains(&&*count), "{count}");
        harness.get_by_label("gpt-5.6-sol: from 13:02, 1 h. At capacity 6×");
        harness.get_by_label("glm-5: from Sat 03:58, 3 h. Server error 18×");
    }
}

#[test]
fn keys_pan_zoom_and_go_to_the_ends() {
    let record = Record::of_days(9);
    let mut harness = shown(&record, Theme::Dark, LARGE, english());
    let week = view(&harness);
    press(&mut harness, Key::ArrowLeft, &record);
    let moved = view(&harness);
    assert!(moved.start < week.start && moved.end - moved.start == week.end - week.start);
    press(&mut harness, Key::End, &record);
    assert_eq!(view(&harness), week);
    press(&mut harness, Key::Plus, &record);
    let nearer = view(&harness);
    assert!(nearer.end == week.end && nearer.end - nearer.start < week.end - week.start);
    press(&mut harness, Key::Minus, &record);
    assert!(view(&harness).end - view(&harness).start > nearer.end - nearer.start);
    press(&mut harness, Key::Home, &record);
    assert!(view(&harness).start < week.start);
    press(&mut harness, Key::ArrowDown, &record);
    assert_eq!(harness.state().window.state.history.focus, Some("codex-plan/gpt-6-luna".into()));
}

#[test]
fn a_click_on_an_outage_shows_it_from_near_with_its_latency() {
    let record = Record::of_days(9);
    let mut harness = shown(&record, Theme::Dark, LARGE, english());
    harness.get_by_role_and_label(Role::Button, "Day").click();
    harness.run();
    answered(&mut harness, &record);
    harness.get_by_label_contains("glm-5: from 03:5").click();
    harness.run();
    answered(&mut harness, &record);
    let view = view(&harness);
    assert!(view.end - view.start <= 16 * 3_600_000, "three hours and twice that on each side");
    assert_eq!(harness.state().window.state.history.focus, Some("zhipu/glm-5".into()));
    harness.get_by_label("1 in view");
    harness.get_by_role_and_label(Role::Button, "To now").click();
    harness.run();
    assert!(harness.state().window.state.history.is_live());
}

#[test]
fn the_table_says_every_row_with_its_n() {
    let record = Record::of_days(9);
    let mut harness = shown(&record, Theme::Dark, LARGE, english());
    harness.get_by_role_and_label(Role::Button, "Table").click();
    harness.run();
    answered(&mut harness, &record);
    let row = "gpt-6-luna: free 100 %, full 0 %, fault 0 % of";
    let text = format!("{:?}", harness.get_all_by_label_contains(row).next().unwrap());
    assert!(text.contains("samples"), "{text}");
    harness.get_by_role_and_label(Role::Button, "Picture");
}

#[test]
fn filters_hide_and_the_export_keeps_them() {
    let record = Record::of_days(3);
    let mut harness = shown(&record, Theme::Dark, LARGE, english());
    harness.get_by_role_and_label(Role::Button, "States").click();
    harness.run();
    harness.get_by_role_and_label(Role::CheckBox, "Full").click();
    harness.run();
    assert!(harness.state().window.state.history.hidden_families.contains(&Family::Full));
    harness.state_mut().window.state.history.hidden.insert("zhipu/glm-5".into());
    harness.run();
    answered(&mut harness, &record);
    assert!(harness.query_by_label_contains("glm-5: free").is_none());
    harness.get_by_label("No outage in view");
    let ctx = harness.ctx.clone();
    let job =
        harness.state_mut().window.carry_out(vacancy::ui::command::Command::History(Act::Export(Form::Jsonl)), &ctx);
    let Some(Job::History(Ask::Export(export))) = job else { panic!("no export: {job:?}") };
    assert_eq!((export.form, export.hidden_families), (Form::Jsonl, vec![Family::Full]));
    assert_eq!(export.targets.len(), 6);
    assert_eq!(export.view.end - export.view.start, 7 * 86_400_000);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Stop").click();
    harness.run();
    assert!(harness.state().jobs.contains(&Job::History(Ask::StopExport)));
}

#[test]
fn drawing_never_waits_for_an_answer() {
    let record = Record::of_days(9);
    let mut harness = shown(&record, Theme::Dark, SMALL, english());
    // Nobody answers: what is known stays in view, at every width and place, with some frames for each.
    for key in [Key::Minus, Key::Minus, Key::Plus, Key::Plus, Key::Plus, Key::Plus, Key::ArrowLeft, Key::Home, Key::End]
    {
        harness.key_press_modifiers(Modifiers::NONE, key);
        harness.run();
        harness.get_by_label_contains("gpt-5.6-sol: free");
    }
    let newest = harness.state().jobs.len();
    assert!(newest > 3, "each was asked for");
    answered(&mut harness, &record);
}

#[test]
fn an_empty_record_and_the_wait_for_it_say_so() {
    let mut harness = bench(nothing(), english()).harness(Theme::Dark, SMALL);
    harness.get_by_label("Reading the record…");
    let empty = Record::of_days(0);
    answered(&mut harness, &empty);
    harness.get_by_label("Nothing is recorded yet");
}

#[test]
fn an_idle_history_asks_for_no_repaint() {
    let record = Record::of_days(3);
    let mut harness = shown(&record, Theme::Dark, LARGE, english());
    harness.step();
    let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert_eq!(delay, Duration::MAX);
}

#[test]
fn every_word_of_history_comes_from_the_catalogue() {
    let record = Record::of_days(3);
    let names: Vec<String> =
        afternoon().board.entries.iter().map(|entry| entry.target.model.as_str().to_owned()).collect();
    for is_table in [false, true] {
        let mut unanswered = bench(afternoon(), Tr::pseudo());
        unanswered.window.state.history.is_table = is_table;
        unanswered.window.state.history.preset = Some(Preset::Day);
        let mut harness = unanswered.harness(Theme::Dark, LARGE);
        answered(&mut harness, &record);
        for text in drawn(&harness) {
            let is_data = names.contains(&text) || text.starts_with("Ctrl+") || text == "F1";
            assert!(!text.chars().any(char::is_alphabetic) || text.contains('[') || is_data, "{text}");
        }
    }
}

#[test]
fn many_targets_scroll_and_names_are_cut() {
    let record = Record::of_days(1);
    for size in [SMALL, LARGE] {
        let mut harness = bench(many(), chinese()).harness(Theme::Light, size);
        answered(&mut harness, &record);
        for text in drawn(&harness) {
            // The status line may be cut by its own means.
            assert!(text.chars().count() < 100, "{text}");
        }
    }
}

#[test]
fn how_history_looks() {
    let mut results = SnapshotResults::new();
    let record = Record::of_days(9);
    for (theme, tr, name) in [(Theme::Dark, english(), "dark"), (Theme::Light, chinese(), "light-zh")] {
        let mut harness = shown(&record, theme, SMALL, tr);
        harness.snapshot(format!("screen-history-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}
