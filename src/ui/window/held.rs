//! Heatmap and Cheat sheet in the window: their models, what they ask, what their acts do.

use egui::Ui;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Cached, Job, Seen, Window};
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::screens::heatmap::model::Source;
use crate::ui::screens::history::range;
use crate::ui::screens::{heatmap, sheet};
use crate::ui::sheets::{Act, Sheets, Span, State, Told};
use crate::ui::state::Screen;

/// What both screens are made from and made of.
#[derive(Default)]
pub(super) struct Held {
    pub sheets: Sheets,
    now: Option<Timestamp>,
    heat: Cached<(Seen, u64, State), heatmap::model::Model>,
    sheet: Cached<(Seen, u64, State), sheet::model::Model>,
    heat_drawn: heatmap::drawn::Drawn,
}

impl Window {
    /// Tells the zone of this place, where it is not the one of the settings.
    pub fn set_here(&mut self, here: Option<TimeZone>) {
        self.held.sheets.here = here;
    }

    pub(super) fn hear_sheets(&mut self, told: Told) {
        self.held.sheets.hear(told);
    }

    /// Draws the screen in view, Heatmap or Cheat sheet.
    pub(super) fn sheets_ui(&mut self, ui: &mut Ui, now: Timestamp, seen: Seen, tr: &Tr) -> Vec<Command> {
        let Self { held, state, snapshot, named, .. } = self;
        let Held { sheets, heat, sheet: cheat, now: shown_at, heat_drawn } = held;
        *shown_at = Some(now);
        let mut commands = Vec::new();
        let screen = state.screen;
        // How much of the record counts is chosen on the heatmap, for its maps alone: what the cheat sheet says is what the glance
        // and `vacancy sheet` say.
        let whole = State { span: Span::All, ..state.sheets.clone() };
        let state = if screen == Screen::Heatmap { &state.sheets } else { &whole };
        let answer = if screen == Screen::Heatmap { sheets.answer.clone() } else { sheets.whole().cloned() };
        let zone = sheets.zone(state, snapshot).clone();
        // Until the hours of the other zone are there, those at hand are shown in their own.
        let zone = answer.as_ref().map_or(zone, |answer| answer.ask.zone.clone());
        let sheet = answer.as_ref().map(|answer| &answer.sheet);
        let source = Source { sheet, snapshot, state, zone: &zone, now, tr };
        let key = (seen, sheets.generation, State { cursor: None, ..state.clone() });
        if screen == Screen::Heatmap {
            // A map takes no more from a picture than names.
            let key = ((*named, key.0.1), key.1, key.2);
            let (made, model) = heat.numbered(key, || heatmap::model::Model::new(&source));
            heat_drawn.of(made);
            commands.extend(heatmap::view::ui(ui, model, &source, sheets, heat_drawn));
        } else {
            let model = cheat.get(key, || sheet::model::Model::new(&source));
            commands.extend(sheet::view::ui(ui, model, &source, sheets));
        }
        if let Some(ask) = sheets.wanted(state, snapshot, now) {
            commands.push(Command::ReadSheet(Box::new(ask)));
        }
        commands
    }

    pub(super) fn act_on_sheets(&mut self, act: &Act, ctx: &egui::Context) -> Option<Job> {
        if self.state.sheets.act(act) {
            return None;
        }
        if *act == Act::Copy {
            let text = self.sheet_as_text()?;
            self.copy(text, ctx);
        }
        if let Act::Samples(target, time) = act {
            self.state.screen = Screen::History;
            let others = self.snapshot.board.entries.iter().map(|entry| entry.target.id.clone());
            self.state.history.hidden = others.filter(|other| other != target).collect();
            // The record reaches there, also where History has not been told its extent yet.
            let now = range::asked_at(self.held.now.unwrap_or(self.snapshot.at));
            let extent = time.start.min(now)..now;
            for act in [range::Act::Focus(target.clone()), range::Act::Show(time.clone())] {
                self.state.history.act(&act, Some(&extent), now);
            }
        }
        None
    }

    /// The cheat sheet in words, as of the minute it was drawn.
    fn sheet_as_text(&self) -> Option<String> {
        let answer = self.held.sheets.whole()?;
        sheet::model::copied(&Source {
            sheet: Some(&answer.sheet),
            snapshot: &self.snapshot,
            state: &self.state.sheets,
            zone: &answer.ask.zone,
            now: self.held.now.unwrap_or(answer.ask.at),
            tr: &self.tr,
        })
    }
}
