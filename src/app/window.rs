//! The window: starts the engine, opens the window on it, and does the window's jobs on a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock, PoisonError};

use crate::app::window::backfill::{Backfiller, Means};
use crate::app::window::history::Historian;
use crate::app::window::outside::Bell;
use crate::app::{self, EngineOptions, leaving};
use crate::cli::{Context, Exit, Failure};
use crate::engine::Waker;
use crate::i18n::{Spoken, Tr};
use crate::platform::{autostart, motion};
use crate::ui::background::{Act, News, Presence};
use crate::ui::shell::{Link, Shell};
use crate::ui::state::{Kept, Screen, Zoom};
use crate::ui::widgets::logo;
use crate::ui::window::{Event, Job, Window};

pub mod amending;
mod backfill;
mod caring;
mod history;
mod jobs;
mod outside;
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
struct WindowWaker {
    ctx: OnceLock<egui::Context>,
    /// Nothing of the window is on the screen.
    is_asleep: Arc<AtomicBool>,
    /// Where the window hears what is said to it from outside.
    news: OnceLock<SyncSender<News>>,
}

impl WindowWaker {
    /// Wakes it also while it sleeps.
    fn rouse(&self) {
        if let Some(ctx) = self.ctx.get() {
            ctx.request_repaint();
        }
    }
}

impl Waker for WindowWaker {
    fn wake(&self) {
        if outside::DRAWS_TRAY || !self.is_asleep.load(Ordering::Acquire) {
            self.rouse();
        }
    }

    fn minute(&self) {
        // A window draws its own minute; only a tray that it draws would miss the end of what a state speaks for.
        if outside::DRAWS_TRAY {
            self.rouse();
        }
    }

    fn open(&self) {
        // One that hangs, or is gone, is not brought to the front.
        if let Some(news) = self.news.get()
            && news.try_send(News::Act(Act::Show)).is_ok()
        {
            self.rouse();
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
    let EngineOptions { is_demo, is_glance, is_quiet, .. } = options;
    let (bell, outside) = outside::bell(&waker);
    let Some(held) = outside::hold(context, is_quiet, is_glance, &bell)? else { return Ok(Exit::Done) };
    let options = EngineOptions { is_window: true, held: Some(held), ..options };
    let running = app::engine(context, options, Arc::clone(&waker) as _)?;
    let is_quiet = is_quiet || running.settings.background.start_hidden;
    let (events, heard) = sync_channel(QUEUE);
    let (jobs, asked) = sync_channel(QUEUE);
    let kept_file = context.roots.cache.join(if is_demo { "demo-window.json" } else { "window.json" });
    let zoom = Zoom::of_factor(running.settings.ui.zoom);
    let mut kept = std::fs::read_to_string(&kept_file).map(|text| Kept::from_json(&text)).unwrap_or_default();
    // Looks are the settings' matter, as soon as there are any.
    if context.roots.settings_file().exists() {
        kept = Kept { theme: None, lang: None, zoom, ..kept };
    }
    kept.lang = context.asked_lang.or(kept.lang);
    kept.glance.is_open |= is_glance;
    let tr = kept.lang.map_or_else(|| context.tr.clone(), Tr::new);
    let spoken = Spoken::from(tr.clone());
    let told = Told { events, waker: Arc::clone(&waker) };
    if let Some(Err(error)) = &running.metrics {
        // The queue is new and empty.
        told.tell(Event::Say(error.describe(&tr)));
    }
    watch_motion(context, told.clone()).map_err(|error| app::cannot_start(&error))?;
    let backfiller = Backfiller::new(Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        store: running.store(),
        events: told.clone(),
    });
    let historian = Historian::start(context.roots.clone(), spoken.clone(), told.clone())
        .map_err(|error| app::cannot_start(&error))?;
    let snapshots = running.handle.snapshots();
    let requests = running.handle.requests();
    let means = switching::Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        tr: spoken.clone(),
        asks_running: true,
        is_picture: false,
        tell: Box::new(move |request| drop(requests.try_send(request))),
        snapshot: Box::new(move || snapshots.borrow().clone()),
    };
    let switching = switching::Switching::start(means, told.clone()).map_err(|error| app::cannot_start(&error))?;
    let sheets = sheets::Sheets::start(context.roots.clone(), spoken.clone(), told.clone())
        .map_err(|error| app::cannot_start(&error))?;
    let tools = tools::Tools::new(tools::Means {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        requests: running.handle.requests(),
        events: told.clone(),
    });
    if let Some(words) = leaving::word_left(&context.roots) {
        told.tell(Event::Say(words));
    }
    let amender =
        amending::Amender::new(context, spoken.clone(), Some(running.store()), Some(running.handle.requests()));
    let last = Arc::clone(&amender.last);
    let worker = jobs::Worker {
        roots: context.roots.clone(),
        env: context.env.clone(),
        tr: spoken.clone(),
        kept_file,
        requests: running.handle.requests(),
        events: told,
        settings: running.settings.clone(),
        found: None,
        demo: None,
        backfiller,
        tools,
        notices: app::notices(context, true),
        is_testing: Arc::default(),
        amender,
        bell: bell.clone(),
    };
    let working = std::thread::Builder::new()
        .name("vacancy-jobs".into())
        .spawn(move || worker.run(&asked))
        .map_err(|error| app::cannot_start(&error))?;
    let shown = show(
        context,
        &running,
        Opening {
            is_glance,
            is_quiet,
            kept,
            spoken: spoken.clone(),
            jobs,
            historian,
            sheets,
            switching,
            heard,
            waker,
            bell,
            outside,
        },
    );
    let Some(last) = last.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        running.stop();
        return shown.map(|()| Exit::Done);
    };
    // What it still writes is to be deleted too.
    let _ = working.join();
    let tr = spoken.now();
    let words = running.stop_then(|| last.carry_out(&context.roots, &context.env, context.clock.now(), &tr));
    leaving::leave_word(&context.roots, &words);
    let error = leaving::start_anew(tr.lang());
    Err(Failure::new(Exit::Fault, format!("{words}\n{}", app::cannot_start(&error).message)))
}

/// Has the window told whether the user asked the system for less motion.
fn watch_motion(context: &Context, told: Told) -> std::io::Result<()> {
    let config = autostart::config_folder(&context.env);
    let watch = move || motion::watch(config.as_deref(), |is_reduced| told.tell(Event::Motion(is_reduced)));
    std::thread::Builder::new().name("vacancy-motion".into()).spawn(watch).map(drop)
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
            self.waker.rouse();
        }
    }
}

struct Opening {
    is_glance: bool,
    is_quiet: bool,
    kept: Kept,
    spoken: Spoken,
    jobs: SyncSender<Job>,
    historian: Historian,
    switching: switching::Switching,
    sheets: sheets::Sheets,
    heard: Receiver<Event>,
    waker: Arc<WindowWaker>,
    bell: Bell,
    outside: Receiver<News>,
}

fn show(context: &Context, running: &app::Running, opening: Opening) -> Result<(), Failure> {
    let Opening { is_glance, is_quiet, kept, spoken, jobs, historian, sheets, switching, heard, waker, bell, outside } =
        opening;
    let snapshots = running.handle.snapshots();
    let settings_file = context.roots.settings_file().display().to_string();
    let first = snapshots.borrow().clone();
    // On a bar of tasks the demo is told from the program by its title alone.
    let title = spoken.now().text(if first.status.is_demo { "ui-app-demo" } else { "ui-app" });
    let mut window = Window::new(first, kept, spoken.now(), settings_file, running.settings.ui.theme);
    window.begin_with(&running.settings.ui);
    let here = jiff::tz::TimeZone::system();
    window.set_here((here != app::zone(&running.settings)).then_some(here));
    if !context.roots.settings_file().exists() && running.settings.targets.is_empty() {
        // The first start: one page with what was found, in the place of an empty Board.
        window.state.screen = Screen::Welcome;
        // The queue is new and empty.
        let _ = jobs.try_send(Job::Discover);
    }
    let tray = outside::tray(context, running.handle.snapshots(), window.tr(), &bell);
    let is_quiet = is_quiet && window.state.screen != Screen::Welcome;
    let link = Link {
        outside,
        is_asleep: Arc::clone(&waker.is_asleep),
        tray,
        presence: Presence::new(outside::can_hide(&context.env), is_quiet),
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
        spoken,
        clock: Arc::clone(&context.clock),
    };
    let icon = logo::icon(256);
    let viewport = egui::ViewportBuilder::default()
        .with_title(title)
        .with_app_id("vacancy")
        .with_inner_size(USUAL)
        .with_min_inner_size(SMALLEST)
        .with_visible(!is_quiet)
        .with_icon(egui::IconData { width: icon.width(), height: icon.height(), rgba: icon.into_raw() });
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    eframe::run_native(
        "Vacancy",
        options,
        Box::new(move |creation| {
            outside::quit_on_signal(bell);
            if is_quiet {
                creation.egui_ctx.send_viewport_cmd(egui::ViewportCommand::Visible(false));
            }
            if is_glance {
                creation.egui_ctx.send_viewport_cmd(egui::ViewportCommand::Minimized(true));
            }
            let shell = Shell::new(creation, window, link);
            // From here on the engine wakes the window; what it published before is in the channel.
            let _ = waker.ctx.set(creation.egui_ctx.clone());
            // What was said before.
            waker.rouse();
            Ok(Box::new(shell))
        }),
    )
    .map_err(|error| {
        Failure::new(Exit::Fault, context.tr.with("cli-no-window", &crate::args!("error" => error.to_string())))
    })
}
