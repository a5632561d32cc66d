//! The window's part in the settings: what it hears, applies to its own looks, draws and asks.

use egui::{Context, Ui};

use super::{Cached, Job, Window};
use crate::args;
use crate::i18n::Tr;
use crate::settings::Ui as Looks;
use crate::ui::command::Command;
use crate::ui::screens::settings::{editor_ui, model, question_ui, view};
use crate::ui::settings::{Act, Held, How, Told};
use crate::ui::state::{Screen, Zoom};
use crate::ui::switching;
use crate::ui::theme::apply;
use crate::ui::widgets::toast::Toast;

/// What a refusal to change the settings is about, until a change is written.
const REFUSAL: &str = "settings-refusal";

/// What the window keeps of the settings, with the model made from it.
#[derive(Default)]
pub(super) struct Parts {
    pub held: Held,
    /// How often the engine had read the file when it was looked at here.
    reads: u64,
    /// What of the file the window wears; `None` before it knows any.
    worn: Option<Looks>,
    model: Cached<Key, model::Model>,
}

/// What the model is made from: counts of changes of what is kept, of the words and of the picture; what is typed.
type Key = (u64, u64, u64, String);

impl Window {
    /// What is kept of the settings.
    pub const fn settings(&self) -> &Held {
        &self.settings.held
    }

    /// Takes on the looks that the settings had at the start, so that a later change of them is seen to be one.
    pub fn begin_with(&mut self, looks: &Looks) {
        self.default_theme = looks.theme;
        self.is_high_contrast = looks.high_contrast;
        self.is_still = looks.reduced_motion;
        self.settings.worn = Some(looks.clone());
    }

    /// Wants the file read: it is another one, by whoever's hand, and the engine saw it; or its screen is to be shown. The
    /// window wears what the file says, whatever screen is in view.
    pub(super) fn wanted_of_settings(&mut self) -> Option<Command> {
        let Parts { held, reads, .. } = &mut self.settings;
        let newest = self.snapshot.status.settings_reads;
        let is_shown = self.state.screen == Screen::Settings;
        // An empty Board offers another way where there is a file already.
        let is_shown = is_shown || (self.state.screen == Screen::Board && self.snapshot.board.entries.is_empty());
        let is_wanted = newest != *reads || (is_shown && held.seen.is_none());
        if !is_wanted || held.is_looking {
            return None;
        }
        *reads = newest;
        Some(Command::Settings(Act::Look))
    }

    /// Draws the screen.
    pub(super) fn settings_ui(&mut self, ui: &mut Ui, tr: &Tr) -> Vec<Command> {
        let mut commands = Vec::new();
        let Parts { held, model, .. } = &mut self.settings;
        let model = held.seen.clone().map(|seen| {
            let key = (held.generation, self.named, self.generation, held.query.clone());
            model.get(key, || model::Model::new(&seen, held, &self.snapshot, tr)).clone()
        });
        commands.extend(view::ui(ui, model.as_ref(), held, self.snapshot.at, tr));
        commands.extend(editor_ui(ui.ctx(), model.and_then(|model| model.editor).as_ref(), held, tr));
        commands.extend(question_ui(ui.ctx(), held, &self.snapshot, tr));
        commands
    }

    pub(super) fn act_on_settings(&mut self, act: Act) -> Option<Job> {
        if let Act::ShowRule(tool) = act {
            self.state.screen = Screen::Switch;
            let seen = self.switching().seen.clone();
            let seat = seen.and_then(|seen| Some(seen.tools.iter().find(|one| one.seat.tool == tool)?.seat.clone()));
            return seat.and_then(|seat| self.act_on_tools(switching::Act::Choose(seat)));
        }
        let nothing = match act {
            Act::Undo(_) => Some("settings-screen-undo-gone"),
            Act::Redo(_) => Some("settings-screen-redo-gone"),
            _ => None,
        };
        let ask = self.settings.held.act(act, &self.tr);
        if let (Some(id), None) = (nothing, &ask) {
            self.say_of(REFUSAL, self.tr.text(id));
        }
        ask.map(|ask| Job::Settings(Box::new(ask)))
    }

    pub(super) fn hear_settings(&mut self, told: Told, ctx: &Context) {
        let old = self.settings.worn.clone();
        let written = match &told {
            Told::Written { wish, .. } => Some(wish.clone()),
            _ => None,
        };
        let matter = if matches!(told, Told::Cared(..)) { "care" } else { REFUSAL };
        let said = self.settings.held.hear(told);
        let new = self.settings.held.settings().map(|settings| settings.ui.clone());
        if let Some(new) = new {
            self.wear(old.as_ref(), &new, ctx);
            self.settings.worn = Some(new);
        }
        if let Some(words) = said {
            self.say_of(matter, words);
        }
        // Said in the language that the window may have taken on by it.
        if let Some(wish) = written {
            self.toasts.end(REFUSAL);
            let held = &self.settings.held;
            let (id, (label, act)) = match wish.how {
                How::Walk { id, is_undo: true, .. } => {
                    ("settings-screen-undone", ("settings-screen-redo", Act::Redo(Some(id))))
                }
                _ => {
                    let newest = held.undos.last().map(|done| done.id);
                    ("settings-screen-written", ("settings-screen-undo", Act::Undo(newest)))
                }
            };
            let text = self.tr.with(id, &args!("change" => wish.about.words(&self.tr)));
            let action = Some((self.tr.text(label), Command::Settings(act)));
            self.toasts.push(Toast { action, ..Toast::of("settings", text) });
        }
    }

    /// Takes on the looks of the file. What the user chose in the window holds until the file says something new; while that
    /// is still on its way into the file, what the file says is older.
    fn wear(&mut self, old: Option<&Looks>, new: &Looks, ctx: &Context) {
        let is_older = self.looks_on_their_way > 0;
        let is_new = |is_other: fn(&Looks, &Looks) -> bool| !is_older && old.is_some_and(|old| is_other(old, new));
        if is_new(|old, new| old.theme != new.theme) {
            self.state.theme = None;
        }
        let worn = (self.default_theme, self.is_high_contrast, self.is_still);
        if worn != (new.theme, new.high_contrast, new.reduced_motion) || old.is_some() {
            self.default_theme = new.theme;
            self.is_high_contrast = new.high_contrast;
            self.is_still = new.reduced_motion;
            apply(ctx, self.look());
        }
        if is_new(|old, new| old.language != new.language) {
            let locale = self.settings.held.seen.as_ref().map(|seen| seen.locale);
            self.state.lang = None;
            self.set_tr(Tr::new(new.language.or(locale).unwrap_or_default()));
        }
        if is_new(|old, new| old.zoom.to_bits() != new.zoom.to_bits()) {
            self.state.zoom = Zoom::of_factor(new.zoom);
            ctx.set_zoom_factor(self.state.zoom.factor());
        }
    }
}
