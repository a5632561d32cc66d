//! The window in eframe: the only file of the UI that names it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use eframe::{App, CreationContext};
use egui::{Context, Ui, ViewportCommand, ViewportId};
use jiff::SignedDuration;
use tokio::sync::{mpsc, watch};

use crate::clock::Clock;
use crate::engine::request::Request;
use crate::engine::snapshot::Snapshot;
use crate::i18n::{Lang, Spoken, Tr};
use crate::ui::background::{Act, News, Place, Presence, Step};
use crate::ui::command::Command;
use crate::ui::glance::{self, Glance};
use crate::ui::screens::glance::place::Area;
use crate::ui::screens::glance::view::Act as GlanceAct;
use crate::ui::settings;
use crate::ui::state::Overlay;
use crate::ui::switching::{self, Seen};
use crate::ui::theme;
use crate::ui::window::{Event, Job, Window};

/// How long the tray's pause lasts, and its quiet.
const PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// What connects the window with the rest of the program. Nothing in it may block the window's thread.
pub struct Link {
    /// The newest picture.
    pub snapshots: watch::Receiver<Snapshot>,
    /// What others tell the window.
    pub events: Receiver<Event>,
    /// Requests to the engine; full means busy.
    pub requests: mpsc::Sender<Request>,
    /// Takes every other job; must return at once.
    pub jobs: Box<dyn Fn(Job)>,
    /// What is said to the window from outside of it.
    pub outside: Receiver<News>,
    /// Is set while the window draws nothing: then only what is said from outside wakes it.
    pub is_asleep: Arc<AtomicBool>,
    /// The tray, where there can be one.
    pub tray: Option<Box<dyn Tray>>,
    /// Whether the window can be hidden and shown again here, and begins hidden.
    pub presence: Presence,
    /// What the program's other threads speak.
    pub spoken: Spoken,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// The tray, as the window knows it.
pub trait Tray {
    /// Takes what only the window knows: in which words, and the tools. Must not block.
    fn tell(&mut self, tr: &Tr, seen: Option<&Arc<Seen>>);

    /// Shows this picture, where the tray lives on the window's thread.
    fn show(&mut self, snapshot: &Snapshot);
}

/// The window as eframe runs it.
pub struct Shell {
    window: Window,
    link: Link,
    is_attended: bool,
    frames: u64,
    glance: Glance,
    /// A switch was begun in the glance: if it asks something, the window that asks comes forward.
    is_switching: bool,
    /// The window was brought to the front: the focus follows as soon as it is on the screen.
    wants_focus: bool,
    /// The window system said that the window is minimised, and not yet that it is back.
    was_minimised: bool,
    /// What the engine was told to speak.
    engine_speaks: Option<Lang>,
}

impl Shell {
    /// Installs theme and fonts; before the first frame.
    pub fn new(creation: &CreationContext<'_>, window: Window, link: Link) -> Self {
        let ctx = &creation.egui_ctx;
        theme::install(ctx, window.look());
        // Zooming is a command of ours, so that it is in palette and key list and is kept.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        ctx.set_zoom_factor(window.state.zoom.factor());
        Self {
            window,
            link,
            is_attended: true,
            frames: 0,
            glance: Glance::default(),
            is_switching: false,
            wants_focus: false,
            was_minimised: false,
            engine_speaks: None,
        }
    }

    fn keep(&mut self) {
        if let Some(kept) = self.window.changed_looks() {
            self.hand_on(Job::Keep(kept));
        }
    }

    /// Carries out a command and hands on what others must do.
    fn carry_out(&mut self, command: Command, ctx: &Context) {
        match self.window.carry_out(command, ctx) {
            Some(Job::Background(act)) => self.act(act, ctx),
            Some(job) => self.hand_on(job),
            None => {}
        }
    }

    /// Does what the user wants of the window as a whole, by a command or from outside.
    fn act(&mut self, act: Act, ctx: &Context) {
        let presence = &mut self.link.presence;
        match act {
            Act::Show => {
                let step = presence.show();
                self.step(step, ctx);
            }
            Act::OpenGlance => self.window.state.glance.is_open = true,
            Act::Retire => {
                let step = presence.retire();
                self.step(step, ctx);
            }
            Act::Quit => {
                let step = presence.quit();
                self.step(step, ctx);
            }
            Act::Select(target) => {
                let step = presence.show();
                self.step(step, ctx);
                self.carry_out(Command::Select(target), ctx);
            }
            Act::Use { tool, target } => {
                self.hand_on(Job::Engine(Request::Use { tool: Some(tool.to_owned()), target }));
            }
            Act::Pause => {
                let until = self.link.clock.now().checked_add(PAUSE).ok();
                self.hand_on(Job::Engine(Request::Pause(until)));
            }
            Act::Resume => self.hand_on(Job::Engine(Request::Resume)),
            Act::Quiet(is_quiet) => {
                let until = self.link.clock.now().checked_add(PAUSE).ok().filter(|_| is_quiet);
                self.hand_on(Job::Engine(Request::DoNotDisturb(until)));
            }
            Act::Glance => self.carry_out(Command::Glance, ctx),
        }
    }

    fn step(&mut self, step: Step, ctx: &Context) {
        let send = |command| ctx.send_viewport_cmd_to(ViewportId::ROOT, command);
        match step {
            Step::Show => {
                send(ViewportCommand::Visible(true));
                send(ViewportCommand::Minimized(false));
                self.wants_focus = true;
            }
            Step::Hide => send(ViewportCommand::Visible(false)),
            Step::Minimise => {
                send(ViewportCommand::Visible(true));
                send(ViewportCommand::Minimized(true));
            }
            Step::Ask => {
                self.window.state.overlay = Some(Overlay::Closing { is_kept: true });
            }
            Step::Quit => send(ViewportCommand::Close),
        }
        ctx.request_repaint_of(ViewportId::ROOT);
    }

    /// Hears what is said from outside, and what the window system says of the window.
    fn hear_outside(&mut self, ctx: &Context) {
        while let Ok(news) = self.link.outside.try_recv() {
            match news {
                News::Act(act) => self.act(act, ctx),
                News::Clicked => {
                    let is_focused = ctx.input(|input| input.viewport().focused == Some(true));
                    let step = self.link.presence.click(is_focused);
                    self.step(step, ctx);
                }
                News::Tray(is_present) => {
                    if let Some(step) = self.link.presence.tray(is_present) {
                        self.step(step, ctx);
                    }
                    if is_present && self.window.switching().seen.is_none() {
                        // Its menu names the tools, also while the window was never on the screen.
                        self.hand_on(Job::Switching(switching::Ask::Look));
                    }
                }
            }
        }
        let (is_closed, is_focused, is_minimised) = ctx.input(|input| {
            let viewport = input.viewport();
            (viewport.close_requested(), viewport.focused == Some(true), viewport.minimized == Some(true))
        });
        if is_closed {
            let snapshot = self.window.snapshot();
            let is_idle = snapshot.status.is_demo || snapshot.board.entries.is_empty();
            match self.link.presence.close(snapshot.status.background.close, is_idle) {
                Step::Quit => {}
                step => {
                    ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::CancelClose);
                    self.step(step, ctx);
                }
            }
        }
        // On its way into the list of windows it may be on the screen for a moment.
        if is_focused && !is_minimised && std::mem::take(&mut self.was_minimised) {
            self.link.presence.seen();
        }
        self.was_minimised |= is_minimised;
        if std::mem::take(&mut self.wants_focus) && !is_focused {
            // Window managers give it only to a window that they show already.
            ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Focus);
        }
        self.window.has_tray = self.link.presence.has_tray();
        let is_hidden = self.link.presence.place() == Place::Hidden || is_minimised;
        self.link.is_asleep.store(is_hidden && !self.window.state.glance.is_open, Ordering::Release);
    }

    fn hand_on(&mut self, job: Job) {
        let request = match job {
            Job::Engine(request) => request,
            job => return (self.link.jobs)(job),
        };
        let is_probe = matches!(request, Request::ProbeNow(_));
        let id = match self.link.requests.try_send(request) {
            Ok(()) if is_probe => "ui-toast-probing",
            Ok(()) => return,
            Err(mpsc::error::TrySendError::Full(_)) => "ui-toast-busy",
            Err(mpsc::error::TrySendError::Closed(_)) => "ui-toast-stopped",
        };
        self.window.say(self.window.tr().text(id));
    }

    /// Carries out what was done in the glance and keeps it up to date, also while the window itself is hidden.
    fn serve_glance(&mut self, ctx: &Context, frame: &eframe::Frame) {
        let wanted = self.glance.wanted();
        let displays = || displays(frame);
        if let Some(area) = wanted.area {
            self.window.state.glance.remember(&displays(), area);
        }
        for act in wanted.acts {
            match act {
                GlanceAct::Close => self.window.state.glance.is_open = false,
                GlanceAct::Whole => self.act(Act::Show, ctx),
                GlanceAct::Command(command) => {
                    if glance::is_shown_in_whole(&command) {
                        self.act(Act::Show, ctx);
                    }
                    self.is_switching |= matches!(command, Command::Switching(_));
                    self.carry_out(command, ctx);
                }
            }
        }
        if self.is_switching && self.window.switching().has_question() {
            self.is_switching = false;
            self.act(Act::Show, ctx);
        }
        let now = self.link.clock.now();
        let is_open = self.window.state.glance.is_open;
        let model = self.window.glance_model(now);
        self.glance.update(ctx, &self.window.state.glance, &model, self.window.tr(), displays);
        if is_open {
            if let Some(ask) = self.window.wanted_of_glance(now) {
                self.hand_on(Job::Sheets(Box::new(ask)));
            }
            // No pass of the hidden window asks for the next minute.
            ctx.request_repaint_after(until_next_minute(now));
        }
    }

    /// Has everybody else speak the window's language. What was said before in another one is asked for anew.
    fn speak(&mut self) {
        let tr = self.window.tr();
        if self.engine_speaks != Some(tr.lang()) && self.link.requests.try_send(Request::Speak(tr.lang())).is_ok() {
            self.engine_speaks = Some(tr.lang());
        }
        if self.link.spoken.speak(tr) {
            self.hand_on(Job::Switching(switching::Ask::Look));
            self.hand_on(Job::Settings(Box::new(settings::Ask::Look)));
        }
    }

    /// Tells the engine when the window is left or used again: it slows down when nobody looks.
    fn attend(&mut self, ctx: &Context) {
        // The glance is a window of ours too.
        let is_focused = ctx.input(|input| {
            let mut all = input.raw.viewports.values();
            input.viewport().focused.unwrap_or(true) || all.any(|viewport| viewport.focused == Some(true))
        });
        if is_focused != self.is_attended {
            self.is_attended = is_focused;
            // A full queue loses no more than a slower or faster cycle.
            let _ = self.link.requests.try_send(Request::Attend(is_focused));
            if is_focused && let Some(job) = self.window.focused() {
                self.hand_on(job);
            }
        }
    }
}

impl App for Shell {
    fn logic(&mut self, ctx: &Context, frame: &mut eframe::Frame) {
        if self.link.snapshots.has_changed().unwrap_or(false) {
            let snapshot = self.link.snapshots.borrow_and_update().clone();
            if let Some(tray) = &mut self.link.tray {
                tray.show(&snapshot);
            }
            self.window.show(snapshot);
        }
        while let Ok(event) = self.link.events.try_recv() {
            self.window.hear(event, ctx);
        }
        self.hear_outside(ctx);
        self.speak();
        if let Some(tray) = &mut self.link.tray {
            tray.tell(self.window.tr(), self.window.switching().seen.as_ref());
        }
        self.attend(ctx);
        self.serve_glance(ctx, frame);
        // A hidden window draws no pass in which it would be kept.
        self.keep();
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let now = self.link.clock.now();
        let ctx = ui.ctx().clone();
        if self.link.presence.place() == Place::Hidden {
            // eframe passes over windows that are minimised or covered, but not those that the program itself took off the
            // screen: what was asked for before, as the next full minute, still ends here.
            self.glance.show(&ctx);
            return;
        }
        self.frames += 1;
        // What the bench of the window reads: the second frame is the first one presented.
        tracing::debug!(frame = self.frames, targets = self.window.snapshot().board.entries.len(), "frame");
        for command in self.window.ui(ui, now) {
            self.carry_out(command, &ctx);
        }
        self.keep();
        self.glance.show(&ctx);
        // Every age and the clock change with the full minute and with nothing else.
        ctx.request_repaint_after(until_next_minute(now));
    }
}

/// The displays of the desktop. Systems that do not tell have none.
fn displays(frame: &eframe::Frame) -> Vec<Area> {
    let Some(window) = frame.winit_window() else { return Vec::new() };
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let area = |at: (i32, i32), size: (u32, u32)| Area { x: at.0, y: at.1, width: side(size.0), height: side(size.1) };
    window.available_monitors().map(|display| area(display.position().into(), display.size().into())).collect()
}

fn until_next_minute(now: jiff::Timestamp) -> Duration {
    let into = u64::try_from(now.as_millisecond().rem_euclid(60_000)).unwrap_or(0);
    // A little past it: a frame at 59.999 s would show the old minute for another one.
    Duration::from_millis(60_000 - into + 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_frame_is_just_past_the_full_minute() {
        for (now, millis) in [("2026-11-29T13:27:00Z", 60_020), ("2026-11-29T13:27:59.999Z", 21)] {
            assert_eq!(until_next_minute(now.parse().unwrap()), Duration::from_millis(millis), "{now}");
        }
    }
}
