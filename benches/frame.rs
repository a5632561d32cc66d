//! What one frame costs on the CPU, drawn and cut into triangles: the Board with 20 and 200 targets and a detail panel,
//! Activity with 200 events, and History with a cell a pixel of 20 targets that change in every cell, at rest and moved in
//! every frame. No display is needed.
//!
//! `cargo bench --bench frame`

use std::hint::black_box;
use std::time::Duration;

use egui::{Context, RawInput, Rect, Theme, vec2};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::Instant;
use vacancy::core::history::{Answer, Cell, Lane, Latency, Listed, Outage};
use vacancy::core::outcome::{Family, Kind, Scope};
use vacancy::core::target::{Role, TargetId};
use vacancy::engine::snapshot::{ActivityEvent, Snapshot};
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::ThemeChoice;
use vacancy::ui::command::Command;
use vacancy::ui::history::Told;
use vacancy::ui::screens::history::range::{self, Act};
use vacancy::ui::stage::Stage;
use vacancy::ui::state::{Kept, Screen};
use vacancy::ui::theme::{Look, install};
use vacancy::ui::window::{Event, Window};

/// Frames measured; the median and the slowest hundredth are told.
const FRAMES: usize = 500;

fn snapshot(targets: usize, now: Timestamp) -> Snapshot {
    let mut stage = Stage::new(now, TimeZone::UTC);
    for n in 0..targets {
        stage.target(&format!("model-{n}"), "provider", Some(Role::Backup));
        stage.state(Kind::ALL[n % 15], Scope::Model, 90, "rule");
    }
    for minutes in 0..200 {
        let target = "provider/model-0".into();
        let event = ActivityEvent::Changed { target, from: None, to: Family::Full, kind: Kind::AtCapacity };
        stage.happened(minutes, event);
    }
    stage.snapshot()
}

/// Median and 99th percentile of a frame. With `is_moving` every frame has a new picture, so that nothing is remembered.
fn measure(screen: Screen, targets: usize, is_moving: bool, now: Timestamp) -> (Duration, Duration) {
    let snapshot = snapshot(targets, now);
    let tr = Tr::new(Lang::English);
    let mut window = Window::new(snapshot.clone(), Kept::default(), tr, String::new(), ThemeChoice::Dark);
    window.state.screen = screen;
    let ctx = Context::default();
    install(&ctx, Look { theme: Theme::Dark.into(), ..Look::default() });
    let mut times: Vec<Duration> = (0..FRAMES)
        .map(|_| {
            if is_moving {
                window.show(snapshot.clone());
            }
            let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1600.0, 1000.0)));
            let input = RawInput { screen_rect, ..RawInput::default() };
            let began = Instant::now();
            let output = ctx.run_ui(input, |ui| {
                black_box(window.ui(ui, now));
            });
            black_box(ctx.tessellate(output.shapes.clone(), output.pixels_per_point));
            let took = began.elapsed();
            output.drop_without_applying_deltas();
            took
        })
        .collect();
    times.sort_unstable();
    (times[FRAMES / 2], times[FRAMES * 99 / 100])
}

/// An answer in which no two neighbouring cells are alike.
fn restless(window: &mut Window, snapshot: &Snapshot, now: Timestamp) {
    window.state.history.pixels = 1000;
    let query = window.state.history.query(Vec::new(), None, range::asked_at(now), &snapshot.zone);
    let cells = query.grid().len();
    let mut rng = fastrand::Rng::with_seed(3);
    let targets: Vec<_> = snapshot.board.entries.iter().map(|entry| entry.target.id.clone()).collect();
    let mut lane = |target: &TargetId| Lane {
        target: target.clone(),
        provider: "provider".to_owned(),
        model: target.as_str().to_owned(),
        cells: (0..cells)
            .map(|_| Cell {
                up_ms: rng.u32(0..600_000),
                full_ms: rng.u32(0..300_000),
                fault_ms: rng.u32(0..300_000),
                counted: 9,
                limited: rng.u32(0..2),
                ..Cell::default()
            })
            .collect(),
        rows: Vec::new(),
    };
    let lanes: Vec<Lane> = targets.iter().map(&mut lane).collect();
    let latency = |at: usize| {
        let median = 900.0 + (at % 37) as f64 * 30.0;
        Some(Latency { least: 300.0, low: 600.0, median, high: median * 1.6, most: 9_000.0, n: 15 })
    };
    let outage = |at: i64| Outage {
        time: query.seen.end - at * 3_600_000..query.seen.end - at * 3_600_000 + 1_500_000,
        full_ms: 1_500_000,
        samples: [9, 0, 1],
        is_start_seen: true,
        is_end_seen: true,
        is_now: false,
        is_rough: false,
    };
    let answer = Answer {
        extent: Some(query.range.clone()),
        targets: targets.iter().map(|id| (id.clone(), "provider".to_owned(), id.as_str().to_owned())).collect(),
        focus: Some(targets[0].clone()),
        latency: (0..query.latency_grid().len()).map(latency).collect(),
        outages: (0..400).map(|at| Listed { lane: at as usize % 20, outage: outage(at) }).collect(),
        lanes: lanes.into(),
        ..Answer::empty(query)
    };
    window.hear(Event::History(Told::Answer(answer.into())), &Context::default());
}

/// Median and 99th percentile of a frame of History; moved by a pixel or so in every frame, or at rest.
fn history(is_moved: bool, now: Timestamp) -> (Duration, Duration) {
    let snapshot = snapshot(20, now);
    let tr = Tr::new(Lang::English);
    let mut window = Window::new(snapshot.clone(), Kept::default(), tr, String::new(), ThemeChoice::Dark);
    window.state.screen = Screen::History;
    restless(&mut window, &snapshot, now);
    let ctx = Context::default();
    install(&ctx, Look { theme: Theme::Dark.into(), ..Look::default() });
    let mut times: Vec<Duration> = (0..FRAMES)
        .map(|frame| {
            let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1600.0, 1000.0)));
            let input = RawInput { screen_rect, ..RawInput::default() };
            let began = Instant::now();
            if is_moved {
                let by = if frame % 200 < 100 { -0.002 } else { 0.002 };
                window.carry_out(Command::History(Act::Pan(by)), &ctx);
            }
            let output = ctx.run_ui(input, |ui| {
                black_box(window.ui(ui, now));
            });
            black_box(ctx.tessellate(output.shapes.clone(), output.pixels_per_point));
            let took = began.elapsed();
            output.drop_without_applying_deltas();
            took
        })
        .collect();
    times.sort_unstable();
    (times[FRAMES / 2], times[FRAMES * 99 / 100])
}

fn main() {
    let Ok(now) = "2026-11-29T13:27:00Z".parse() else { return };
    for (state, is_moved) in [("at rest", false), ("moved", true)] {
        let (median, slowest) = history(is_moved, now);
        println!("{:22} {state:13} median {median:>9.2?}  p99 {slowest:>9.2?}", "history, 20 targets");
    }
    for (name, screen, targets) in [
        ("board, 20 targets", Screen::Board, 20),
        ("board, 200 targets", Screen::Board, 200),
        ("activity, 200 events", Screen::Activity, 20),
    ] {
        for (state, is_moving) in [("same picture", false), ("new picture", true)] {
            let (median, slowest) = measure(screen, targets, is_moving, now);
            println!("{name:22} {state:13} median {median:>9.2?}  p99 {slowest:>9.2?}");
        }
    }
}
