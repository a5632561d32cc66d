//! The window: starts the engine, opens the window on it, and does the window's jobs on a thread of its own.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};

use crate::app::window::backfill::{Backfiller, Means};
use crate::app::window::history::Historian;
use crate::app::{self, EngineOptions};
use crate::cli::{Context, Exit, Failure};
use crate::engine::Waker;
use crate::ui::shell::{Link, Shell};
use crate::ui::state::{Kept, Screen};
use crate::ui::widgets::logo;
use crate::ui::window::{Event, Job, Window};

mod backfill;
mod history;
mod jobs;
pub(crate) mod sheets;
pub mod switching;
mod tools;

/// Events that may wait for the next frame, and jobs that may wait for the thread.
const QUEUE: usize = 32;

/// Smallest inner size in points for which the screens are made.
const SMALLEST: [f32; 2] = [1000.0, 640.0];

/// Inner size in points at the first start.
const USUAL: [f32; 2] = [1280.0, 800.0];

/// Wakes the window as soon as there is one.
#[derive(Default)]
struct WindowWaker(OnceLock<egui::Context>);

impl Waker for WindowWaker {
    fn wake(&self) {
        if let Some(ctx) = self.0.get() {
            ctx.request_repaint();
        }
    }
}

/// Opens the window and returns when it is closed.
///
/// # Errors
///
/// When there is no display, another Vacancy runs on the same record, or the record cannot be opened.
pub fn run(context: &Context, options: EngineOptions) -> Result<Exit, Failure> {
    let has_display = |name| context.env.get(name).is_some();
    let is_x11_or_wayland = cfg!(all(unix, not(target_os = "macos")));
    if is_x11_or_wayland && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(has_display) {
        return Err(Failure::new(Exit::Fault, context.tr.text("cli-no-display")));
    }
    let waker = Arc::new(WindowWaker::default());
    let EngineOptions { is_demo, is_glance, .. } = options;
    let running = app::engine(context, EngineOptions { is_window: true, ..options }, Arc::clone(&waker) as _)?;
    let (events, heard) = sync_channel(QUEUE);
    let (jobs, asked) = sync_channel(QUEUE);
    let kept_file = context.roots.cache.join(if is_demo { "demo-window.json" } else { "window.json" });
    let mut kept = std::fs::read_to_string(&kept_file).map(|text| Kept::from_json(&text)).unwrap_or_default();
    kept.lang = context.asked_lang.or(kept.lang);
    kept.glance.is_open |= is_glance;
    let told = Told { events, waker: Arc::clone(&waker) };
    if let Some(Err(error)) = &running.metrics {
        // The queue is new and empty.
        told.tell(Event::Say(error.describe(&context.tr)));
    }
    let backfiller = Backfiller::new(Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        store: running.store(),
        events: told.clone(),
    });
    let historian = Historian::start(context.roots.clone(), context.tr.clone(), told.clone())
        .map_err(|error| app::cannot_start(&error))?;
    let snapshots = running.handle.snapshots();
    let means = switching::Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        tr: context.tr.clone(),
        asks_running: true,
        is_picture: false,
        snapshot: Box::new(move || snapshots.borrow().clone()),
    };
    let switching = switching::Switching::start(means, told.clone()).map_err(|error| app::cannot_start(&error))?;
    let sheets = sheets::Sheets::start(context.roots.clone(), context.tr.clone(), told.clone())
        .map_err(|error| app::cannot_start(&error))?;
    let tools = tools::Tools::new(tools::Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        requests: running.handle.requests(),
        events: told.clone(),
    });
    let worker = jobs::Worker {
        roots: context.roots.clone(),
        env: context.env.clone(),
        tr: context.tr.clone(),
        kept_file,
        requests: running.handle.requests(),
        events: told,
        settings: running.settings.clone(),
        found: None,
        demo: None,
        backfiller,
        tools,
    };
    std::thread::Builder::new()
        .name("vacancy-jobs".into())
        .spawn(move || worker.run(&asked))
        .map_err(|error| app::cannot_start(&error))?;
    let shown = show(context, &running, Opening { is_glance, kept, jobs, historian, sheets, switching, heard, waker });
    running.stop();
    shown.map(|()| Exit::Done)
}

/// Tells the window something and wakes it.
#[derive(Clone)]
struct Told {
    events: SyncSender<Event>,
    waker: Arc<WindowWaker>,
}

impl Told {
    fn tell(&self, event: Event) {
        // A closed window hears nothing.
        if self.events.send(event).is_ok() {
            self.waker.wake();
        }
    }
}

struct Opening {
    is_glance: bool,
    kept: Kept,
    jobs: SyncSender<Job>,
    historian: Historian,
    switching: switching::Switching,
    sheets: sheets::Sheets,
    heard: Receiver<Event>,
    waker: Arc<WindowWaker>,
}

fn show(context: &Context, running: &app::Running, opening: Opening) -> Result<(), Failure> {
    let Opening { is_glance, kept, jobs, historian, sheets, switching, heard, waker } = opening;
    let snapshots = running.handle.snapshots();
    let settings_file = context.roots.settings_file().display().to_string();
    let first = snapshots.borrow().clone();
    let mut window = Window::new(first, kept, context.tr.clone(), settings_file, running.settings.ui.theme);
    let here = jiff::tz::TimeZone::system();
    window.set_here((here != app::zone(&running.settings)).then_some(here));
    if !context.roots.settings_file().exists() && running.settings.targets.is_empty() {
        // The first start: one page with what was found, in the place of an empty Board.
        window.state.screen = Screen::Welcome;
        // The queue is new and empty.
        let _ = jobs.try_send(Job::Discover);
    }
    let link = Link {
        snapshots,
        events: heard,
        requests: running.handle.requests(),
        jobs: Box::new(move |job| match job {
            Job::History(ask) => historian.ask(ask),
            Job::Switching(ask) => switching.ask(ask),
            Job::Sheets(ask) => sheets.ask(*ask),
            job => {
                if jobs.try_send(job).is_err() {
                    tracing::warn!("a job of the window was dropped: the thread that does them is busy or gone");
                }
            }
        }),
        clock: Arc::clone(&context.clock),
    };
    let icon = logo::icon(256);
    let viewport = egui::ViewportBuilder::default()
        .with_title("Vacancy")
        .with_app_id("vacancy")
        .with_inner_size(USUAL)
        .with_min_inner_size(SMALLEST)
        .with_icon(egui::IconData { width: icon.width(), height: icon.height(), rgba: icon.into_raw() });
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    eframe::run_native(
        "Vacancy",
        options,
        Box::new(move |creation| {
            close_on_signal(creation.egui_ctx.clone());
            if is_glance {
                creation.egui_ctx.send_viewport_cmd(egui::ViewportCommand::Minimized(true));
            }
            let shell = Shell::new(creation, window, link);
            // From here on the engine wakes the window; what it published before is in the channel.
            let _ = waker.0.set(creation.egui_ctx.clone());
            Ok(Box::new(shell))
        }),
    )
    .map_err(|error| {
        Failure::new(Exit::Fault, context.tr.with("cli-no-window", &crate::args!("error" => error.to_string())))
    })
}

/// A signal closes the window in the ordinary way, so that the record is closed too.
fn close_on_signal(ctx: egui::Context) {
    let wait = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(app::stop_signal());
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        ctx.request_repaint();
    };
    if let Err(error) = std::thread::Builder::new().name("vacancy-signals".into()).spawn(wait) {
        tracing::warn!(%error, "signals will end the program at once");
    }
}
