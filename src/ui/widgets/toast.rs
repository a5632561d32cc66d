//! Short words about what just happened, in the corner. What matters is also in Activity: nothing is said here alone.

use std::collections::VecDeque;
use std::time::Duration;

use egui::{Align2, Area, Context, Frame, Id, Label, Margin, Order, Role, Stroke, TextStyle, Ui, Vec2, WidgetText};

use super::mark::Mark;
use super::{access, button, icon, sides};
use crate::i18n::Tr;
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{Type, palette};

/// Seconds a toast stays; long enough to read two lines and reach its button.
const STAYS_SECS: f64 = 8.0;
/// All are equally wide, so that a stack of them has straight edges; longer words go on in a second line.
const WIDTH: f32 = 400.0;
/// More at once are noise: the oldest leaves.
const MOST: usize = 4;

/// A toast with an action of the caller's own type.
#[derive(Clone, Debug)]
pub struct Toast<A> {
    /// Its sign, where a family is spoken of.
    pub mark: Option<Mark>,
    /// The words.
    pub text: String,
    /// A button: its words and what it stands for.
    pub action: Option<(String, A)>,
    /// It says that something is under way, and goes as soon as something else is said.
    pub is_passing: bool,
    /// What it is about: a newer one about the same takes its place. Empty is about nothing that is said twice.
    pub matter: String,
}

impl<A> Toast<A> {
    /// Words alone.
    pub fn words(text: impl Into<String>) -> Self {
        Self { mark: None, text: text.into(), action: None, is_passing: false, matter: String::new() }
    }

    /// Words in the place of older ones about the same.
    pub fn of(matter: impl Into<String>, text: impl Into<String>) -> Self {
        Self { matter: matter.into(), ..Self::words(text) }
    }
}

/// The toasts in view, newest last.
#[derive(Debug)]
pub struct Toasts<A> {
    shown: VecDeque<(Option<f64>, u64, Toast<A>)>,
    next: u64,
}

impl<A> Default for Toasts<A> {
    fn default() -> Self {
        Self { shown: VecDeque::new(), next: 0 }
    }
}

impl<A: Clone> Toasts<A> {
    /// Adds one; its time begins with the first frame that shows it.
    pub fn push(&mut self, toast: Toast<A>) {
        let is_over = |shown: &Toast<A>| shown.is_passing || (!shown.matter.is_empty() && shown.matter == toast.matter);
        self.shown.retain(|(_, _, shown)| !is_over(shown));
        if self.shown.len() == MOST {
            self.shown.pop_front();
        }
        self.shown.push_back((None, self.next, toast));
        self.next += 1;
    }

    /// Takes away what was said of a matter: it is not so any more.
    pub fn end(&mut self, matter: &str) {
        self.shown.retain(|(_, _, toast)| toast.matter != matter);
    }

    /// Takes those away whose action is not to be had any more.
    pub fn keep(&mut self, can_be: impl Fn(&A) -> bool) {
        self.shown.retain(|(_, _, toast)| toast.action.as_ref().is_none_or(|(_, action)| can_be(action)));
    }

    /// Shows them over the content's lower right corner, above a foot of this height; the action whose button was pressed.
    ///
    /// Asks for one repaint, at the next end of a toast.
    pub fn show(&mut self, ctx: &Context, foot: f32, tr: &Tr) -> Option<A> {
        let now = ctx.input(|input| input.time);
        for (until, ..) in &mut self.shown {
            until.get_or_insert(now + STAYS_SECS);
        }
        self.shown.retain(|(until, ..)| until.is_none_or(|until| until > now));
        let soonest = self.shown.iter().filter_map(|(until, ..)| *until).fold(f64::INFINITY, f64::min);
        if !soonest.is_finite() {
            return None;
        }
        ctx.request_repaint_after(Duration::from_secs_f64((soonest - now).max(0.0)));

        let mut pressed = None;
        let mut closed = None;
        let offset = Vec2::new(-space::LARGE, -foot - space::LARGE);
        let width = WIDTH.min(ctx.content_rect().width() - 2.0 * (space::LARGE + space::MEDIUM));
        Area::new(Id::unique("vacancy-toasts"))
            .role(Role::Status)
            .order(Order::Foreground)
            .anchor(Align2::RIGHT_BOTTOM, offset)
            .show(ctx, |ui| {
                for (_, serial, toast) in &self.shown {
                    let palette = palette(ui);
                    Frame::popup(ui.style())
                        .fill(palette.card)
                        .stroke(Stroke::new(stroke::HAIR, palette.control_line))
                        .inner_margin(Margin::symmetric(space::MEDIUM as i8, space::BASE as i8))
                        .show(ui, |ui| {
                            let (is_pressed, is_closed) = one(ui, toast, width, tr);
                            if is_pressed {
                                pressed = toast.action.as_ref().map(|(_, action)| action.clone());
                            }
                            if is_pressed || is_closed {
                                closed = Some(*serial);
                            }
                        });
                }
            });
        if let Some(closed) = closed {
            self.shown.retain(|(_, serial, _)| *serial != closed);
        }
        pressed
    }
}

/// Draws one over `width` points; whether its action was pressed, and whether it was closed.
fn one<A>(ui: &mut Ui, toast: &Toast<A>, width: f32, tr: &Tr) -> (bool, bool) {
    let (mut is_pressed, mut is_closed) = (false, false);
    ui.horizontal(|ui| {
        ui.set_width(width);
        let gap = ui.spacing().item_spacing.x;
        let action = toast.action.as_ref().map(|(words, _)| words);
        // The words get what the buttons leave, so that these stand under each other at the right edge.
        let button = action.map_or(0.0, |words| {
            let text = WidgetText::from(words.as_str());
            let galley = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, TextStyle::Button);
            galley.size().x + 2.0 * ui.spacing().button_padding.x + gap + space::SMALL
        });
        let mark = toast.mark.map_or(0.0, |_| size::MARK + gap);
        if let Some(mark) = toast.mark {
            mark.ui(ui, tr);
        }
        ui.scope(|ui| {
            ui.set_width(width - mark - button - size::HIT - gap);
            access::live(ui.add(Label::new(Type::Body.text(&toast.text)).wrap()));
        });
        sides::trailing(ui, |ui| {
            if let Some(words) = action {
                is_pressed = access::about(ui.add(button::toned(ui, words.as_str())), &toast.text).clicked();
            }
            is_closed = access::about(icon::close(ui, &tr.text("widgets-toast-close")), &toast.text).clicked();
        });
    });
    (is_pressed, is_closed)
}
