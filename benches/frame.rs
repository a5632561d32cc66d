//! What one frame costs on the CPU, drawn and cut into triangles, at 1600×1000: at rest, and while something moves in every
//! frame. What is told is the time of the thread on a processor, as the machine may be busy with other work. No display is needed. The record is a year of 20 targets, and what the screens ask of it is answered between frames,
//! as it is answered on another thread in the program.
//!
//! `cargo bench --bench frame [-- DIR]`, with a folder that `benches/store.rs` filled, or a year at a sample every seven minutes.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

mod record;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use egui::{Context, Modifiers, MouseWheelSource, MouseWheelUnit, RawInput, Rect, TouchPhase, pos2, vec2};
use jiff::Timestamp;
use record::Record;
use vacancy::core::history::{Answer, Cell, Lane, Latency, Listed, Outage, Query};
use vacancy::core::target::TargetId;
use vacancy::engine::snapshot::Snapshot;
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::ThemeChoice;
use vacancy::store::{Filter, Reader};
use vacancy::ui::command::Command;
use vacancy::ui::history::{Ask, Told};
use vacancy::ui::screens::history::range::{Act, Preset};
use vacancy::ui::sheets::{self, View};
use vacancy::ui::state::{Kept, Screen};
use vacancy::ui::theme::{Look, install};
use vacancy::ui::window::{Event, Job, Window};

/// Frames before those that are measured: letters are drawn for the first time, answers come, widths settle.
const FIRST: usize = 40;
/// Frames measured; the median and the slowest hundredth are told.
const FRAMES: usize = 600;

/// Where the answers of History come from.
enum Source<'a> {
    Record(&'a Reader),
    Restless,
}

/// What happens before a frame.
enum Move {
    Nothing,
    Command(Command),
    Input(egui::Event),
    Snapshot,
}

struct Stand<'a> {
    window: Window,
    ctx: Context,
    source: Source<'a>,
    reader: &'a Reader,
    snapshot: Snapshot,
    answer: Option<Arc<Answer>>,
    now: Timestamp,
    frames: u32,
}

impl<'a> Stand<'a> {
    fn new(screen: Screen, targets: usize, source: Source<'a>, reader: &'a Reader, now: Timestamp) -> Self {
        let snapshot = record::snapshot(targets, now);
        let tr = Tr::new(Lang::English);
        let mut window = Window::new(snapshot.clone(), Kept::default(), tr, String::new(), ThemeChoice::Dark);
        window.state.screen = screen;
        let ctx = Context::default();
        install(&ctx, Look { theme: egui::Theme::Dark.into(), ..Look::default() });
        Self { window, ctx, source, reader, snapshot, answer: None, now, frames: 0 }
    }

    fn act(mut self, acts: impl IntoIterator<Item = Command>) -> Self {
        for act in acts {
            self.window.carry_out(act, &self.ctx);
        }
        self
    }

    fn frame(&mut self, before: Move) -> Duration {
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1600.0, 1000.0)));
        let mut input = RawInput { screen_rect, time: Some(f64::from(self.frames) / 60.0), ..RawInput::default() };
        self.frames += 1;
        let mut command = None;
        match before {
            Move::Nothing => {}
            Move::Command(of) => command = Some(of),
            Move::Input(event) => input.events.push(event),
            Move::Snapshot => self.window.show(self.snapshot.clone()),
        }
        let mut commands = Vec::new();
        let began = ThreadTime::now();
        if let Some(command) = command {
            self.window.carry_out(command, &self.ctx);
        }
        let output = self.ctx.run_ui(input, |ui| commands.extend(self.window.ui(ui, self.now)));
        black_box(self.ctx.tessellate(output.shapes.clone(), output.pixels_per_point));
        let took = began.elapsed();
        output.drop_without_applying_deltas();
        for command in commands {
            if let Some(job) = self.window.carry_out(command, &self.ctx) {
                self.answer(job);
            }
        }
        took
    }

    fn answer(&mut self, job: Job) {
        match job {
            Job::History(Ask::Read(query)) => {
                let answer = match &self.source {
                    Source::Record(reader) => {
                        reader.history_after(self.answer.as_deref(), &query, &|| false).unwrap().unwrap()
                    }
                    Source::Restless => restless(*query, &self.snapshot, self.answer.as_deref()),
                };
                let answer = Arc::new(answer);
                self.answer = Some(Arc::clone(&answer));
                self.window.hear(Event::History(Told::Answer(answer)), &self.ctx);
            }
            Job::Sheets(ask) => {
                let filter = Filter { from: ask.span.from(ask.at), ..Filter::default() };
                let mut sheet = self.reader.sheet(&filter, &ask.zone, ask.at).unwrap();
                let mut targets = Vec::new();
                for own in sheet.targets.iter() {
                    let latency = self.reader.latency(&filter, &own.target, &ask.zone).unwrap();
                    targets.push(own.clone().with_latency(latency));
                }
                sheet.targets = targets.into();
                let told = sheets::Told::Answer(Arc::new(sheets::Answer { ask: *ask, sheet }));
                self.window.hear(Event::Sheets(told), &self.ctx);
            }
            _ => {}
        }
    }

    /// Median and 99th percentile of a frame.
    fn measure(&mut self, mut before: impl FnMut(usize) -> Move) -> (Duration, Duration) {
        (0..FIRST).for_each(|_| {
            self.frame(Move::Nothing);
        });
        // The letters and pieces that only a movement brings.
        (0..FIRST).for_each(|at| {
            self.frame(before(at));
        });
        let mut times: Vec<Duration> = (0..FRAMES).map(|at| self.frame(before(at))).collect();
        times.sort_unstable();
        (times[FRAMES / 2], times[FRAMES * 99 / 100])
    }
}

/// An answer in which no two neighbouring cells are alike; the same time always has the same cell.
fn restless(query: Query, snapshot: &Snapshot, before: Option<&Answer>) -> Answer {
    // What the record does: while the view moves a little, the cells of the answer before are taken over.
    if let Some(before) = before.filter(|before| before.has_cells_of(&query)) {
        let query = Query { seen: query.seen, now: query.now, ..before.query.clone() };
        return Answer { query, ..before.clone() };
    }
    let (grid, times) = (query.grid(), query.latency_grid());
    let targets: Vec<_> = snapshot.board.entries.iter().map(|entry| entry.target.id.clone()).collect();
    let cell = |lane: usize, start: i64| {
        let mut rng = fastrand::Rng::with_seed(start.unsigned_abs() * 31 + lane as u64);
        Cell {
            up_ms: rng.u32(0..600_000),
            full_ms: rng.u32(0..300_000),
            fault_ms: rng.u32(0..300_000),
            counted: 9,
            limited: rng.u32(0..2),
            ..Cell::default()
        }
    };
    let lanes = targets.iter().enumerate().map(|(lane, target): (usize, &TargetId)| Lane {
        target: target.clone(),
        provider: "provider".to_owned(),
        model: target.as_str().to_owned(),
        cells: (0..grid.len()).map(|index| cell(lane, grid.cell(index).start)).collect(),
        rows: Vec::new(),
    });
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
    Answer {
        extent: Some(query.now - 800 * 86_400_000..query.now),
        targets: targets.iter().map(|id| (id.clone(), "provider".to_owned(), id.as_str().to_owned())).collect(),
        focus: Some(targets[0].clone()),
        latency: (0..times.len()).map(latency).collect(),
        outages: (0..400).map(|at| Listed { lane: at as usize % 20, outage: outage(at) }).collect(),
        lanes: lanes.collect(),
        ..Answer::empty(query)
    }
}

/// To and fro by a few pixels a frame, so that the view goes some screens far.
fn pan(at: usize) -> Move {
    Move::Command(Command::History(Act::Pan(if at % 400 < 200 { -0.006 } else { 0.006 })))
}

fn zoom(at: usize) -> Move {
    Move::Command(Command::History(Act::Zoom(if at % 120 < 60 { 0.93 } else { 1.0 / 0.93 }, 0.3)))
}

/// Over the middle of the page, from cell to cell.
fn point(at: usize) -> Move {
    let (x, y) = (300.0 + (at * 17 % 900) as f32, 180.0 + (at * 7 % 420) as f32);
    Move::Input(egui::Event::PointerMoved(pos2(x, y)))
}

fn scroll(at: usize) -> Move {
    if at.is_multiple_of(20) {
        return Move::Input(egui::Event::PointerMoved(pos2(800.0, 600.0)));
    }
    let by = if at % 120 < 60 { -40.0 } else { 40.0 };
    Move::Input(egui::Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, by),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    })
}

fn row(name: &str, state: &str, (median, slowest): (Duration, Duration)) {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("{name:34} {state:22} p50 {:>6.2} ms   p99 {:>6.2} ms", ms(median), ms(slowest));
}

fn main() {
    let record = Record::named_or_filled(7);
    println!("a year of {} targets, {} samples; frames at 1600x1000", record::TARGETS, record.samples);
    let reader = Reader::open(&record.path, Duration::ZERO).unwrap();
    let now = record.now;
    let stand = |screen, targets, source| Stand::new(screen, targets, source, &reader, now);

    for (name, preset) in [("history, a year", Preset::Year), ("history, a week", Preset::Week)] {
        let of = || {
            let preset = Command::History(Act::Preset(preset));
            stand(Screen::History, 20, Source::Record(&reader)).act([preset])
        };
        row(name, "at rest", of().measure(|_| Move::Nothing));
        row(name, "panning", of().act([Command::History(Act::Pan(-0.4))]).measure(pan));
        row(name, "zooming", of().act([Command::History(Act::Pan(-0.4))]).measure(zoom));
        row(name, "pointer moving", of().measure(point));
        row(name, "new state of a target", of().measure(|_| Move::Snapshot));
    }
    let of = || stand(Screen::History, 20, Source::Restless);
    let name = "history, every column different";
    row(name, "at rest", of().measure(|_| Move::Nothing));
    row(name, "panning", of().act([Command::History(Act::Pan(-0.4))]).measure(pan));
    row(name, "zooming", of().act([Command::History(Act::Pan(-0.4))]).measure(zoom));
    row(name, "pointer moving", of().measure(point));

    for view in View::ALL {
        let name = format!("heatmap, {}", view.name());
        let of = || stand(Screen::Heatmap, 20, Source::Restless).act([Command::Sheets(sheets::Act::View(view))]);
        row(&name, "at rest", of().measure(|_| Move::Nothing));
        row(&name, "pointer moving", of().measure(point));
        row(&name, "scrolling", of().measure(scroll));
    }
    let of = || stand(Screen::Sheet, 20, Source::Restless);
    row("cheat sheet", "at rest", of().measure(|_| Move::Nothing));
    row("cheat sheet", "pointer moving", of().measure(point));
    row("cheat sheet", "scrolling", of().measure(scroll));

    for (name, screen, targets) in [
        ("board, 20 targets", Screen::Board, 20),
        ("board, 200 targets", Screen::Board, 200),
        ("activity, 200 events", Screen::Activity, 20),
    ] {
        let of = || stand(screen, targets, Source::Restless);
        row(name, "at rest", of().measure(|_| Move::Nothing));
        row(name, "new state of a target", of().measure(|_| Move::Snapshot));
        row(name, "pointer moving", of().measure(point));
        row(name, "scrolling", of().measure(scroll));
    }
}
