//! The glance as a window of its own beside the whole one: a deferred viewport, so that either is painted without the other.
//!
//! The whole window makes what the glance shows and hands it over through a channel; what the user does there comes back
//! through another one. Neither waits for the other, and a hidden whole window goes on to serve the glance.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use egui::{Context, Pos2, Vec2, ViewportBuilder, ViewportCommand, ViewportId, X11WindowType};
use tokio::sync::watch;

use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::glance::model::Model;
use crate::ui::screens::glance::place::{Area, Kept};
use crate::ui::screens::glance::view::{self, Act};
use crate::ui::theme::tokens::space;

/// How long after the glance was moved or resized its place is written down.
const SETTLE: std::time::Duration = std::time::Duration::from_millis(700);

/// What may wait for the whole window: more than a hand does between two frames.
const QUEUE: usize = 64;

/// What the glance draws.
#[derive(Clone)]
struct Scene {
    model: Arc<Model>,
    tr: Tr,
}

/// What comes back from the glance.
enum Back {
    Act(Act),
    /// It stands there.
    At(Area),
}

/// The glance, seen from the whole window.
#[derive(Default)]
pub struct Glance(Option<Open>);

struct Open {
    builder: ViewportBuilder,
    scenes: watch::Sender<Scene>,
    back: Receiver<Back>,
    answer: SyncSender<Back>,
}

/// What the glance wants of the whole window.
#[derive(Default)]
pub struct Wanted {
    /// What the user did there.
    pub acts: Vec<Act>,
    /// Where it stands, when that is news.
    pub area: Option<Area>,
}

impl Glance {
    /// The name of its viewport.
    pub fn id() -> ViewportId {
        ViewportId::from_hash_of("glance")
    }

    /// Keeps what the glance shows up to date; opens it or lets it go. `displays` is asked only when it opens. To be called
    /// in every pass, also in those that draw nothing.
    pub fn update(
        &mut self,
        ctx: &Context,
        kept: &Kept,
        model: &Arc<Model>,
        tr: &Tr,
        displays: impl FnOnce() -> Vec<Area>,
    ) {
        if !kept.is_open {
            if self.0.take().is_some() {
                // Without the call that keeps it, the next pass takes it off the screen.
                wake_to_draw(ctx);
            }
            return;
        }
        let Some(open) = &self.0 else {
            let builder = builder(ctx, kept, model.rows.len(), &displays(), tr);
            let (scenes, _) = watch::channel(Scene { model: Arc::clone(model), tr: tr.clone() });
            let (answer, back) = sync_channel(QUEUE);
            self.0 = Some(Open { builder, scenes, back, answer });
            wake_to_draw(ctx);
            return;
        };
        let is_news = open.scenes.send_if_modified(|scene| {
            let is_news = !Arc::ptr_eq(&scene.model, model) && scene.model != *model || scene.tr.lang() != tr.lang();
            if is_news {
                *scene = Scene { model: Arc::clone(model), tr: tr.clone() };
            }
            is_news
        });
        if is_news {
            ctx.request_repaint_of(Self::id());
        }
    }

    /// Takes what came back.
    pub fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        for back in self.0.iter().flat_map(|open| open.back.try_iter()) {
            match back {
                Back::Act(act) => wanted.acts.push(act),
                Back::At(area) => wanted.area = Some(area),
            }
        }
        wanted
    }

    /// Keeps it on the screen; to be called in every pass that draws.
    pub fn show(&self, ctx: &Context) {
        let Some(open) = &self.0 else { return };
        let (scenes, answer) = (open.scenes.subscribe(), open.answer.clone());
        let last = Arc::new(watch::channel(None::<Area>).0);
        ctx.show_viewport_deferred(Self::id(), open.builder.clone(), move |ui, _| {
            let scene = scenes.borrow().clone();
            for act in view::ui(ui, &scene.model, &scene.tr) {
                // Only a whole window that hangs, or has ended, does not hear it.
                let _ = answer.try_send(Back::Act(act));
                ui.ctx().request_repaint_of(ViewportId::ROOT);
            }
            if let Some(area) = area(ui.ctx())
                && last.send_replace(Some(area)) != Some(area)
            {
                // Lost, it is told with the next move.
                let _ = answer.try_send(Back::At(area));
                ui.ctx().request_repaint_after_for(SETTLE, ViewportId::ROOT);
            }
        });
    }
}

/// Has the whole window draw a pass, also while it is hidden: viewports come and go in such passes only.
fn wake_to_draw(ctx: &Context) {
    ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::RequestPaintWhileHidden);
    ctx.request_repaint_of(ViewportId::ROOT);
}

/// Whether a command of the glance shows something in the whole window, which is then to be seen.
pub const fn is_shown_in_whole(command: &Command) -> bool {
    !matches!(
        command,
        Command::ProbeAll
            | Command::TogglePause
            | Command::Glance
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::ZoomReset
            // Whether there is a question is known only once the switch is planned.
            | Command::Switching(_)
    )
}

fn builder(ctx: &Context, kept: &Kept, rows: usize, displays: &[Area], tr: &Tr) -> ViewportBuilder {
    let scale = ctx.pixels_per_point();
    let pixels = |points: f32| (points * scale).round() as i32;
    let usual = view::usual(rows);
    let place = kept.place(displays, (pixels(usual.x), pixels(usual.y)), pixels(space::WIDE));
    let points = |pixels: i32| pixels as f32 / scale;
    let size = Vec2::new(points(place.width), points(place.height)).clamp(view::SMALLEST, view::LARGEST);
    let builder = ViewportBuilder::default()
        .with_title(tr.text("glance-window-title"))
        .with_app_id("vacancy")
        .with_inner_size(size)
        .with_min_inner_size(view::SMALLEST)
        .with_max_inner_size(view::LARGEST)
        .with_decorations(false)
        .with_resizable(true)
        .with_taskbar(false)
        .with_window_type(X11WindowType::Utility)
        .with_always_on_top();
    if displays.is_empty() { builder } else { builder.with_position(Pos2::new(points(place.x), points(place.y))) }
}

/// Where the glance stands, in pixels. A system that does not tell, such as Wayland, leaves it out.
fn area(ctx: &Context) -> Option<Area> {
    let scale = ctx.pixels_per_point();
    let (outer, inner) = ctx.input(|input| (input.viewport().outer_rect, input.viewport().inner_rect));
    let (outer, inner) = (outer?, inner?);
    let pixels = |points: f32| (points * scale).round() as i32;
    Some(Area {
        x: pixels(outer.min.x),
        y: pixels(outer.min.y),
        width: pixels(inner.width()),
        height: pixels(inner.height()),
    })
}
