//! What one frame costs on the CPU, drawn and cut into triangles: the Board with 20 and 200 targets and a detail panel,
//! and Activity with 200 events. No display is needed.
//!
//! `cargo bench --bench frame`

use std::hint::black_box;
use std::time::Duration;

use egui::{Context, RawInput, Rect, Theme, vec2};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::Instant;
use vacancy::core::outcome::{Family, Kind, Scope};
use vacancy::core::target::Role;
use vacancy::engine::snapshot::{ActivityEvent, Snapshot};
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::ThemeChoice;
use vacancy::ui::stage::Stage;
use vacancy::ui::state::{Kept, Screen};
use vacancy::ui::theme::{Look, install};
use vacancy::ui::window::Window;

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

fn main() {
    let Ok(now) = "2026-11-29T13:27:00Z".parse() else { return };
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
