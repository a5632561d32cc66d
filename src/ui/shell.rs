//! The window in eframe: the only file of the UI that names it.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use eframe::{App, CreationContext};
use egui::{Context, Ui};
use tokio::sync::{mpsc, watch};

use crate::clock::Clock;
use crate::engine::request::Request;
use crate::engine::snapshot::Snapshot;
use crate::ui::command::Command;
use crate::ui::glance::{self, Glance};
use crate::ui::screens::glance::place::Area;
use crate::ui::screens::glance::view::Act;
use crate::ui::theme;
use crate::ui::window::{Event, Job, Window};

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
    /// The time.
    pub clock: Arc<dyn Clock>,
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
}

impl Shell {
    /// Installs theme and fonts; before the first frame.
    pub fn new(creation: &CreationContext<'_>, window: Window, link: Link) -> Self {
        let ctx = &creation.egui_ctx;
        theme::install(ctx, window.look());
        // Zooming is a command of ours, so that it is in palette and key list and is kept.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        ctx.set_zoom_factor(window.state.zoom.factor());
        Self { window, link, is_attended: true, frames: 0, glance: Glance::default(), is_switching: false }
    }

    fn keep(&mut self) {
        if let Some(kept) = self.window.changed_looks() {
            self.hand_on(Job::Keep(kept));
        }
    }

    fn hand_on(&mut self, job: Job) {
        let Job::Engine(request) = job else { return (self.link.jobs)(job) };
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
                Act::Close => self.window.state.glance.is_open = false,
                Act::Whole => glance::raise(ctx),
                Act::Command(command) => {
                    if glance::is_shown_in_whole(&command) {
                        glance::raise(ctx);
                    }
                    self.is_switching |= matches!(command, Command::Switching(_));
                    if let Some(job) = self.window.carry_out(command, ctx) {
                        self.hand_on(job);
                    }
                }
            }
        }
        if self.is_switching && self.window.switching().has_question() {
            self.is_switching = false;
            glance::raise(ctx);
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
            self.window.show(snapshot);
        }
        while let Ok(event) = self.link.events.try_recv() {
            self.window.hear(event, ctx);
        }
        self.attend(ctx);
        self.serve_glance(ctx, frame);
        // A hidden window draws no pass in which it would be kept.
        self.keep();
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let now = self.link.clock.now();
        let ctx = ui.ctx().clone();
        self.frames += 1;
        // What the bench of the window reads: the second frame is the first one presented.
        tracing::debug!(frame = self.frames, targets = self.window.snapshot().board.entries.len(), "frame");
        for command in self.window.ui(ui, now) {
            if let Some(job) = self.window.carry_out(command, &ctx) {
                self.hand_on(job);
            }
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
