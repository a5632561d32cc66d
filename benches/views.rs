//! Zoom and pan over the whole record, as a person does it: a random view is asked for, the answer is read on another thread, and
//! the window goes on drawing. Told are the time from a change of view to the frame that shows its answer, and what the frames
//! in between cost.
//!
//! `cargo bench --bench views [-- DIR]`, with a folder that `benches/store.rs` filled, or a year at a sample every seven minutes.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]

mod record;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use cpu_time::ThreadTime;
use egui::{Context, RawInput, Rect, vec2};
use record::{Record, START};
use tokio::time::Instant;
use vacancy::core::history::{Answer, Query};
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::ThemeChoice;
use vacancy::store::Reader;
use vacancy::ui::command::Command;
use vacancy::ui::history::{Ask, Told};
use vacancy::ui::screens::history::range::Act;
use vacancy::ui::state::{Kept, Screen};
use vacancy::ui::theme::{Look, install};
use vacancy::ui::window::{Event, Job, Window};

const VIEWS: usize = 200;
const DAY: i64 = 86_400_000;
/// A frame at 60 a second.
const FRAME: Duration = Duration::from_micros(16_667);

/// Answers the newest question, as the thread `vacancy-history` does.
fn read(reader: &Reader, questions: &Receiver<Query>, answers: &SyncSender<Arc<Answer>>, has_come: &AtomicBool) {
    let mut before: Option<Arc<Answer>> = None;
    while let Ok(first) = questions.recv() {
        let query = questions.try_iter().last().unwrap_or(first);
        let answer = Arc::new(reader.history_after(before.as_deref(), &query, &|| false).unwrap().unwrap());
        before = Some(Arc::clone(&answer));
        if answers.send(answer).is_err() {
            return;
        }
        has_come.store(true, Ordering::Relaxed);
    }
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_secs_f64() * 1000.0;
    println!("{what:52} p50 {:>7.2} ms   p99 {:>7.2} ms   most {:>7.2} ms", ms(50), ms(99), ms(100));
}

fn main() {
    let record = Record::named_or_filled(7);
    println!("a year of {} targets, {} samples; {VIEWS} views", record::TARGETS, record.samples);
    let (ask, questions) = sync_channel(1000);
    let (told, answers) = sync_channel(1000);
    let path = record.path.clone();
    let has_come = Arc::new(AtomicBool::new(false));
    let comes = Arc::clone(&has_come);
    std::thread::Builder::new()
        .name("vacancy-history".into())
        .spawn(move || read(&Reader::open(&path, Duration::ZERO).unwrap(), &questions, &told, &comes))
        .unwrap();

    let now = record.now;
    let snapshot = record::snapshot(record::TARGETS, now);
    let mut window = Window::new(snapshot, Kept::default(), Tr::new(Lang::English), String::new(), ThemeChoice::Dark);
    window.state.screen = Screen::History;
    let ctx = Context::default();
    install(&ctx, Look { theme: egui::Theme::Dark.into(), ..Look::default() });

    // Draws a frame; its cost, and whether what it shows is what is wanted.
    let mut is_awaited = false;
    let mut frame = |window: &mut Window| {
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1600.0, 1000.0)));
        let mut commands = Vec::new();
        let began = ThreadTime::now();
        while let Ok(answer) = answers.try_recv() {
            window.hear(Event::History(Told::Answer(answer)), &ctx);
            is_awaited = false;
        }
        let output =
            ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| commands.extend(window.ui(ui, now)));
        black_box(ctx.tessellate(output.shapes.clone(), output.pixels_per_point));
        let took = began.elapsed();
        output.drop_without_applying_deltas();
        for command in commands {
            if let Some(Job::History(Ask::Read(query))) = window.carry_out(command, &ctx) {
                ask.send(*query).unwrap();
                is_awaited = true;
            }
        }
        (took, !is_awaited)
    };
    for _ in 0..100 {
        frame(&mut window);
        std::thread::sleep(Duration::from_millis(2));
    }

    let mut rng = fastrand::Rng::with_seed(11);
    let mut from_near_and_far = |name: &str, mut next: Box<dyn FnMut(usize) -> Act>| {
        let (mut waits, mut frames) = (Vec::new(), Vec::new());
        let mut in_between = 0;
        for at in 0..VIEWS {
            let act = next(at);
            let began = Instant::now();
            window.carry_out(Command::History(act), &ctx);
            loop {
                let start = Instant::now();
                let (took, is_shown) = frame(&mut window);
                frames.push(took);
                if is_shown {
                    break;
                }
                in_between += 1;
                // An answer wakes the window; without one it draws again with the display.
                while start.elapsed() < FRAME && !has_come.swap(false, Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_micros(100));
                }
            }
            waits.push(began.elapsed());
        }
        tell(&format!("{name}: from view to answer"), waits);
        tell(&format!("{name}: CPU a frame, {in_between} drawn meanwhile"), frames);
    };
    let random = move |_| {
        // From five minutes to a year, each width as likely as its double.
        let span = (5.0 * 60_000.0 * (365.0 * DAY as f64 / 300_000.0).powf(rng.f64())) as i64;
        let start = START + ((365 * DAY - span) as f64 * rng.f64()) as i64;
        Act::Show(start..start + span)
    };
    from_near_and_far("random views", Box::new(random));
    from_near_and_far(
        "zoom from a year to minutes",
        Box::new(|at| match at {
            0 => Act::Show(START..START + 365 * DAY),
            _ => Act::Zoom(if at % 100 < 50 { 0.8 } else { 1.25 }, 0.37),
        }),
    );
    from_near_and_far(
        "panning a day in minutes",
        Box::new(|at| match at {
            0 => Act::Show(START + 200 * DAY..START + 201 * DAY),
            _ => Act::Pan(0.1),
        }),
    );
}
