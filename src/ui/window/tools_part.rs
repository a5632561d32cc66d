//! The window's part in switching: what it hears, says, draws and asks.

use egui::Context;
use jiff::Timestamp;

use super::{Cached, Job, Seen as Moment, Window};
use crate::args;
use crate::i18n::Tr;
use crate::switch::journal::Stage;
use crate::switch::undo::Direction;
use crate::ui::command::Command;
use crate::ui::screens::switch::uses::{self, Uses};
use crate::ui::screens::switch::{dialog, model, offer};
use crate::ui::state::Screen;
use crate::ui::switching::{Act, Ask, News, Offer, Seat, Switching, Told, What, Written};
use crate::ui::widgets::toast::Toast;

/// What a failure of a switch is about, until one succeeds; of a tool's own failure its seat follows.
const FAILED: &str = "switch-failure";

/// What the window keeps for switching, with the models made from it.
#[derive(Default)]
pub(super) struct Parts {
    pub held: Switching,
    pub uses: Uses,
    model: Cached<(Moment, u64, Option<Seat>), Option<model::Model>>,
    offer: Cached<(Moment, u64), Option<offer::Model>>,
}

impl Window {
    /// What is kept of tools and switches.
    pub fn switching(&self) -> &Switching {
        &self.switching.held
    }

    /// The window is looked at again: the tools may have changed meanwhile.
    pub fn focused(&self) -> Option<Job> {
        let has_seen = self.switching.held.seen.is_some();
        (has_seen && self.state.screen != Screen::Welcome).then_some(Job::Switching(Ask::Look))
    }

    pub(super) fn make_uses(&mut self) {
        self.switching.uses = uses::uses(self.switching.held.seen.as_deref(), &self.tr);
    }

    pub(super) fn hear_switching(&mut self, told: Told) {
        let news = self.switching.held.hear(told);
        self.make_uses();
        if let Some(seen) = &self.switching.held.seen {
            // Another hand, or a rule, may have written since: what was said of the tool is not so any more.
            self.toasts.keep(|action| match action {
                Command::Switching(Act::Plan(What::Walk { direction, id: Some(id), .. })) => {
                    seen.is_newest(*id, *direction)
                }
                _ => true,
            });
        }
        match news {
            None => {}
            Some(News::Failed(words)) => self.say_of(FAILED, words),
            Some(News::Settled(switches)) => {
                for switch in switches {
                    let id = match switch.stage {
                        Stage::Done => "switching-settled-done",
                        Stage::Dropped => "switching-settled-dropped",
                        Stage::Unfinished => "switching-settled-open",
                    };
                    self.say(self.tr.with(id, &args!("tool" => switch.entry.tool.as_str())));
                }
            }
            Some(News::Written(offer, written)) => self.say_written(&offer, &written),
        }
    }

    /// Says what was written, with the way back.
    fn say_written(&mut self, offer: &Offer, written: &[Written]) {
        let tr = self.tr.clone();
        for Written { seat, failure, .. } in written {
            let matter = format!("{FAILED} {} {}", seat.tool, seat.home);
            match failure {
                Some(words) => self.say_of(matter, words),
                None => self.toasts.end(&matter),
            }
        }
        let done: Vec<_> = written.iter().filter(|written| written.failure.is_none()).collect();
        let Some(part) = offer
            .parts
            .iter()
            .find(|part| done.iter().any(|written| (&written.seat, &written.project) == (&part.seat, &part.project)))
        else {
            return;
        };
        self.toasts.end(FAILED);
        // What was said of this tool before is not so any more.
        let matter = format!("switch {} {}", part.name, part.seat.home);
        if let What::Walk { direction, .. } = offer.what {
            let id = if direction == Direction::Undo { "switching-undone" } else { "switching-redone" };
            let words = tr.with(id, &args!("tool" => part.name, "model" => model::used(&part.after, &tr)));
            // The way back of an undo is the redo of the same entry.
            let back = match direction {
                Direction::Undo => ("switching-redo", Direction::Redo),
                Direction::Redo => ("switching-undo", Direction::Undo),
            };
            let action = part.of.map(|of| {
                let what = What::Walk { direction: back.1, id: Some(of), is_forced: false };
                (tr.text(back.0), Command::Switching(Act::Plan(what)))
            });
            return self.toasts.push(Toast { action, ..Toast::of(matter, words) });
        }
        let undo = |id| What::Walk { direction: Direction::Undo, id, is_forced: false };
        let (words, action) = if done.len() > 1 {
            (tr.with("switching-done-several", &args!("n" => done.len())), Command::Go(Screen::Switch))
        } else {
            let model = model::used(&part.after, &tr);
            let words = match (&part.project, &self.switching.held.seen) {
                (Some(project), Some(seen)) => {
                    let folder = model::short(project, &seen.home);
                    tr.with("switching-done-pin", &args!("tool" => part.name, "folder" => folder, "model" => model))
                }
                _ => tr.with(model::said(part.takes_effect), &args!("tool" => part.name, "model" => model)),
            };
            (words, Command::Switching(Act::Plan(undo(done.first().and_then(|written| written.id)))))
        };
        let label = if done.len() > 1 { "switching-show-journal" } else { "switching-undo" };
        self.toasts.push(Toast { action: Some((tr.text(label), action)), ..Toast::of(matter, words) });
    }

    /// The model of the Switch screen; `None` while the tools are being read.
    pub(super) fn switch_model(&mut self, moment: Moment, now: Timestamp, tr: &Tr) -> Option<&model::Model> {
        let key = (moment, self.switching.held.generation, self.state.tool.clone());
        let (seen, snapshot) = (self.switching.held.seen.clone(), &self.snapshot);
        let chosen = self.state.tool.as_ref();
        let make = || seen.map(|seen| model::Model::new(&seen, snapshot, chosen, now, tr));
        self.switching.model.get(key, make).as_ref()
    }

    /// Draws the dialog, if one is open.
    pub(super) fn offer_ui(&mut self, ctx: &Context, moment: Moment, tr: &Tr) -> Vec<Command> {
        let Parts { held, offer, .. } = &mut self.switching;
        if !held.is_open() {
            return Vec::new();
        }
        let (shown, seen, snapshot) = (held.offer.as_deref(), held.seen.as_deref(), &self.snapshot);
        let make = || shown.map(|shown| offer::Model::new(shown, &held.ticked, seen, snapshot, tr));
        let model = offer.get((moment, held.generation), make).as_ref();
        let scene = dialog::Scene { model, failure: held.failure.as_deref(), is_writing: held.is_writing };
        dialog::ui(ctx, &scene, tr)
    }

    /// Carries out what the user does about tools.
    pub(super) fn act_on_tools(&mut self, act: Act) -> Option<Job> {
        if let Act::Choose(seat) = act {
            self.state.tool = Some(seat);
            return None;
        }
        if matches!(act, Act::Plan(_)) {
            self.state.overlay = None;
        }
        self.switching.held.act(&act).map(Job::Switching)
    }

    /// Uses the selected target in the tool that the Board's button names, or shows the tools to choose from.
    pub(super) fn use_selected(&mut self) -> Option<Job> {
        let target = self.state.selected.clone()?;
        let seat = self.switching.uses.get(&target).and_then(|offered| offered.direct.clone());
        match seat {
            Some(seat) => self.act_on_tools(Act::Plan(What::Use(seat, target))),
            None => {
                self.state.screen = Screen::Switch;
                None
            }
        }
    }

    /// What is asked without being told to.
    pub(super) fn wanted_of_tools(&mut self) -> Option<Command> {
        self.switching.held.wanted(&self.snapshot).map(Command::Switching)
    }
}
