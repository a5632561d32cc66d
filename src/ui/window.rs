//! The window without a window system: draws a frame, carries out its commands, hands on what others must do.

use std::collections::BTreeSet;

use egui::{CentralPanel, Context, Frame, Margin, Panel, Role, ScrollArea, Stroke, Ui, UiBuilder};
use jiff::Timestamp;

use crate::args;
use crate::core::outcome::Family;
use crate::core::target::TargetId;
use crate::engine::request::Request;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::settings::ThemeChoice;
use crate::settings::edit::Field;
use crate::ui::backfill::{Backfill, Steer};
use crate::ui::background;
use crate::ui::chrome;
use crate::ui::command::Command;
use crate::ui::format;
use crate::ui::history::{Ask, History};
use crate::ui::screens::settings::conflict_ui;
use crate::ui::screens::welcome::model::Findings;
use crate::ui::screens::{activity, board, history, switch, welcome};
use crate::ui::state::{Kept, Overlay, Screen, UiState};
use crate::ui::switching;
use crate::ui::theme::tokens::{size, space, stroke};
use crate::ui::theme::{apply, palette};
use crate::ui::tools::{self, Offer};
use crate::ui::widgets::access;
use crate::ui::widgets::toast::{Toast, Toasts};

mod acts;
mod cached;
mod glance_part;
mod held;
mod looks;
mod settings_part;
mod talk;
mod tools_part;
mod troubles;

use cached::Cached;
pub use talk::{Event, Job};

/// From this width on, pages have wide margins.
const WIDE: f32 = 1_200.0;
/// Below this width, as with large text, the rail has names alone.
const NARROW: f32 = 780.0;
/// Room that every page has: where the window is smaller, as with large text, the page is scrolled.
const PAGE: egui::Vec2 = egui::vec2(528.0, 400.0);

/// What every model is made from: the picture, the words, the minute.
type Seen = (u64, i64);

/// The window's whole state.
pub struct Window {
    /// Route, selection, filters.
    pub state: UiState,
    snapshot: Snapshot,
    /// Counts pictures and changes of the words.
    generation: u64,
    /// Counts changes of the targets, their order, the zone and the words: what a screen of the record takes from a picture.
    named: u64,
    board: Cached<((Seen, u64), Option<TargetId>), board::model::Model>,
    activity: Cached<((Seen, u64), String, Option<Family>, (bool, bool)), activity::model::Model>,
    history: History,
    held: held::Held,
    glance: glance_part::Held,
    history_model: Cached<(Seen, u64, history::range::State), history::model::Model>,
    history_drawn: history::lanes::Drawn,
    findings: Findings,
    backfill: Option<Backfill>,
    tools: Option<Vec<Offer>>,
    switching: tools_part::Parts,
    settings: settings_part::Parts,
    toggled: BTreeSet<TargetId>,
    default_theme: ThemeChoice,
    /// Looks that are being written into the settings file.
    looks_on_their_way: usize,
    /// Whether the settings ask for black and white with stronger lines.
    pub is_high_contrast: bool,
    /// Whether the settings ask for nothing that moves or fades.
    pub is_still: bool,
    /// Whether the system asks for it.
    is_still_system: bool,
    /// Whether a tray shows our icon.
    pub has_tray: bool,
    focus: chrome::focus::Focus,
    tr: Tr,
    toasts: Toasts<Command>,
    kept: Kept,
}

impl Window {
    /// A window on `snapshot`. `settings_file` is shown to who writes it by hand, `default_theme` is what the settings say.
    pub fn new(snapshot: Snapshot, kept: Kept, tr: Tr, settings_file: String, default_theme: ThemeChoice) -> Self {
        let tr = kept.lang.map_or(tr, Tr::new);
        Self {
            state: UiState::restored(kept.clone()),
            snapshot,
            generation: 0,
            named: 0,
            board: Cached::default(),
            activity: Cached::default(),
            history: History::default(),
            held: held::Held::default(),
            glance: glance_part::Held::default(),
            history_model: Cached::default(),
            history_drawn: history::lanes::Drawn::default(),
            findings: Findings { settings_file, ..Findings::default() },
            backfill: None,
            tools: None,
            switching: tools_part::Parts::default(),
            settings: settings_part::Parts::default(),
            toggled: BTreeSet::new(),
            default_theme,
            looks_on_their_way: 0,
            is_high_contrast: false,
            is_still: false,
            is_still_system: false,
            has_tray: false,
            focus: chrome::focus::Focus::default(),
            tr,
            toasts: Toasts::default(),
            kept,
        }
    }

    /// The words in use.
    pub fn tr(&self) -> &Tr {
        &self.tr
    }

    /// Takes other words: another language, or the tests' pseudo-language.
    pub fn set_tr(&mut self, tr: Tr) {
        self.tr = tr;
        self.generation += 1;
        self.named += 1;
        self.make_uses();
    }

    /// The picture in view.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Takes a newer picture.
    pub fn show(&mut self, snapshot: Snapshot) {
        let (old, new) = (&self.snapshot.board.entries, &snapshot.board.entries);
        let is_named_alike = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.target == new.target);
        if !is_named_alike || self.snapshot.zone != snapshot.zone {
            self.named += 1;
        }
        self.say_troubles(&snapshot);
        self.snapshot = snapshot;
        self.generation += 1;
    }

    /// Takes what others have to tell.
    pub fn hear(&mut self, event: Event, ctx: &Context) {
        match event {
            Event::Say(words) => self.say(words),
            Event::Worn(written) => {
                self.looks_on_their_way = self.looks_on_their_way.saturating_sub(1);
                match written {
                    Ok(()) => self.toasts.end("looks"),
                    Err(words) => self.say_of("looks", words),
                }
            }
            Event::SayOf(matter, words) => self.say_of(matter, words),
            Event::Curl(Some(text)) => self.copy(text, ctx),
            Event::Curl(None) => self.say_of("copy", self.tr.text("ui-toast-no-curl")),
            Event::Found(found) => self.findings.found = Some(*found),
            Event::Started => {
                self.toasts.end("adopt");
                self.state.screen = Screen::Board;
            }
            Event::Sheets(told) => self.hear_sheets(told),
            Event::Tools(offers) => self.tools = Some(offers),
            Event::Switching(told) => self.hear_switching(told),
            Event::Settings(told) => self.hear_settings(told, ctx),
            Event::Motion(is_reduced) => {
                self.is_still_system = is_reduced;
                apply(ctx, self.look());
            }
            Event::Scope(scope) => self.findings.scope = scope,
            Event::Backfill(Backfill::Done { observations }) => {
                self.backfill = None;
                let n = format::count(observations as u64);
                self.say(self.tr.with("ui-backfill-done", &args!("n" => n)));
            }
            Event::Backfill(Backfill::Cancelled) => {
                self.backfill = None;
                self.say(self.tr.text("ui-backfill-cancelled"));
            }
            Event::Backfill(backfill) => self.backfill = Some(backfill),
            Event::History(told) => {
                if let Some(words) = self.history.hear(told) {
                    self.say_of("history-export", words);
                }
            }
        }
    }

    /// Draws a frame as seen at `now` and answers with what the user commanded.
    pub fn ui(&mut self, ui: &mut Ui, now: Timestamp) -> Vec<Command> {
        self.focus.begin(ui.ctx());
        let mut commands = Command::pressed(ui.ctx());
        if self.state.screen == Screen::Settings {
            commands.iter_mut().for_each(Command::turn_to_settings);
        }
        let tr = self.tr.clone();
        let palette = palette(ui);
        if self.state.screen == Screen::Welcome {
            let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(space::PAGE as i8));
            CentralPanel::default().frame(frame).show(ui, |ui| {
                access::part(ui, Role::Main, &tr.text("ui-app"));
                let model = welcome::model::Model::new(&self.findings, &self.toggled, &tr);
                commands.extend(welcome::view::ui(ui, &model, &tr));
            });
        } else {
            self.framed(ui, now, &tr, &mut commands);
            commands.extend(self.wanted_of_tools());
        }
        commands.extend(self.wanted_of_settings());
        // What is asked for in the corner of any screen is answered on it.
        commands.extend(conflict_ui(ui.ctx(), &self.settings.held, &tr));
        match self.state.overlay {
            Some(Overlay::Keys) if chrome::keys::ui(ui.ctx(), &tr) => self.state.overlay = None,
            Some(Overlay::Tools { ref asking }) => {
                let found = self.tools.as_deref();
                let model = tools::Model::new(found, asking.as_ref(), &self.snapshot, now, &tr);
                let done = chrome::tools::ui(ui.ctx(), &model, &tr);
                if done.is_closed {
                    self.state.overlay = None;
                }
                commands.extend(done.commands);
            }
            Some(Overlay::Closing { ref mut is_kept }) => {
                let done = background::dialog::ui(ui.ctx(), self.has_tray, is_kept, &tr);
                if done.is_closed {
                    self.state.overlay = None;
                }
                commands.extend(done.commands);
            }
            Some(Overlay::Palette { .. }) => {
                commands.extend(chrome::palette::ui(
                    ui.ctx(),
                    &self.snapshot,
                    &mut self.state,
                    &self.switching.uses,
                    &tr,
                ));
            }
            _ => commands.extend(self.offer_ui(ui.ctx(), self.moment(now), &tr)),
        }
        // What is said must not cover the button that the page is for.
        let foot = if self.state.screen == Screen::Welcome { welcome::view::FOOT + space::PAGE } else { size::STATUS };
        commands.extend(self.toasts.show(ui.ctx(), foot, &tr));
        self.focus.end(ui.ctx(), palette);
        commands
    }

    /// What a model of a frame at `now` is made from.
    pub(super) fn moment(&self, now: Timestamp) -> Seen {
        (self.generation, now.as_second().div_euclid(60))
    }

    fn framed(&mut self, ui: &mut Ui, now: Timestamp, tr: &Tr, commands: &mut Vec<Command>) {
        let palette = palette(ui);
        let is_wide = ui.available_width() >= WIDE;
        let line = Stroke::new(stroke::HAIR, palette.line);
        let bar = Frame::new().fill(palette.rail);
        let status = bar.inner_margin(Margin::symmetric(space::LARGE as i8, 0));
        let shown =
            Panel::bottom("status").exact_size(size::STATUS).show_separator_line(false).frame(status).show(ui, |ui| {
                access::part(ui, Role::ContentInfo, &tr.text("ui-name-status"));
                chrome::status::ui(ui, &chrome::model::Status::new(&self.snapshot, now, tr));
            });
        let edge = shown.response.rect;
        ui.painter().hline(edge.x_range(), edge.top() + 0.5, line);

        let (width, side) = match ui.available_width() {
            WIDE.. => (size::RAIL, space::MEDIUM),
            NARROW.. => (size::RAIL - space::WIDE, space::BASE),
            _ => (size::RAIL_NARROW, space::BASE),
        };
        let rail = bar.inner_margin(Margin::symmetric(side as i8, space::MEDIUM as i8));
        let shown = Panel::left("rail").exact_size(width).resizable(false).show_separator_line(false).frame(rail).show(
            ui,
            |ui| {
                access::part(ui, Role::Navigation, &tr.text("ui-app"));
                commands.extend(chrome::rail::ui(ui, self.state.screen, self.snapshot.status.is_demo, tr));
            },
        );
        let edge = shown.response.rect;
        ui.painter().vline(edge.right() - 0.5, edge.y_range(), line);

        let (x, y) = if is_wide { (space::PAGE, space::WIDE) } else { (space::WIDE, space::LARGE + space::SMALL) };
        let page = Frame::new().fill(palette.ground).inner_margin(Margin {
            left: x as i8,
            right: x as i8,
            top: y as i8,
            bottom: space::LARGE as i8,
        });
        CentralPanel::default().frame(page).show(ui, |ui| {
            access::part(ui, Role::Main, &Command::Go(self.state.screen).label(tr));
            let room = ui.available_size();
            let mut draw = |ui: &mut Ui| {
                let banners = chrome::model::banners(&self.snapshot, self.backfill.as_ref(), now, tr);
                commands.extend(chrome::banner::ui(ui, &banners, tr));
                let seen = self.moment(now);
                match self.state.screen {
                    Screen::Board if self.snapshot.board.entries.is_empty() => {
                        let seen = self.settings.held.seen.as_ref();
                        let has_file = seen.is_some_and(|seen| seen.file.read_text().is_some());
                        commands.extend(board::view::nothing_ui(ui, has_file, tr));
                    }
                    Screen::Board => {
                        let held = &self.switching.held;
                        let tools = held.seen.as_deref();
                        let make = || board::model::Model::new(&self.snapshot, tools, &self.state, now, tr);
                        let model = self.board.get(((seen, held.generation), self.state.selected.clone()), make);
                        commands.extend(board::view::ui(
                            ui,
                            model,
                            &self.snapshot,
                            &self.state,
                            &self.switching.uses,
                            now,
                            tr,
                        ));
                    }
                    Screen::History => {
                        let answer = self.history.answer.clone();
                        let state = &self.state.history;
                        let make = || history::model::Model::new(answer.as_deref(), &self.snapshot, state, tr);
                        // The view alone changes no words and no shapes, or a pan would make them in every frame.
                        let key = ((self.named, seen.1), self.history.generation, state.without_view());
                        let model = self.history_model.get(key, make);
                        let scene =
                            history::view::Scene { model, held: &self.history, zone: &self.snapshot.zone, now, tr };
                        let (state, drawn) = (&mut self.state.history, &mut self.history_drawn);
                        commands.extend(history::view::ui(ui, &scene, state, drawn));
                        if let Some(query) = self.history.wanted(&self.state.history, &self.snapshot, now) {
                            commands.push(Command::ReadHistory(Box::new(query)));
                        }
                    }
                    Screen::Heatmap | Screen::Sheet => commands.extend(self.sheets_ui(ui, now, seen, tr)),
                    Screen::Activity => {
                        let held = &self.switching.held;
                        let make =
                            || activity::model::Model::new(&self.snapshot, held.seen.as_deref(), &self.state, now, tr);
                        let key = (
                            (seen, held.generation),
                            self.state.filter.clone(),
                            self.state.family,
                            (self.state.only_notices, self.state.only_switches),
                        );
                        let model = self.activity.get(key, make);
                        commands.extend(activity::view::ui(ui, model, &mut self.state, tr));
                    }
                    Screen::Switch => {
                        let model = self.switch_model(seen, now, tr);
                        commands.extend(switch::view::ui(ui, model, tr));
                    }
                    Screen::Settings => commands.extend(self.settings_ui(ui, tr)),
                    Screen::Welcome => {}
                }
            };
            if room.x >= PAGE.x && room.y >= PAGE.y {
                draw(ui);
                return;
            }
            ScrollArea::both().id_salt("page").auto_shrink([false, false]).show(ui, |ui| {
                access::scrolls(ui);
                // The bar that scrolls takes of the width.
                let (_, rect) = ui.allocate_space(room.max(PAGE).min(ui.available_size().max(PAGE)));
                ui.scope_builder(UiBuilder::new().max_rect(rect), draw);
            });
        });
    }

    /// Carries out a command; what it wants of others comes back.
    pub fn carry_out(&mut self, command: Command, ctx: &Context) -> Option<Job> {
        // What is asked for is to be seen, wherever it was asked for: what stands above it goes.
        if matches!(command, Command::Go(_) | Command::Select(_) | Command::Filter) {
            self.state.overlay = None;
            self.act_on_tools(switching::Act::Cancel);
        }
        let job = match command {
            Command::Go(screen) => {
                self.state.screen = screen;
                match screen {
                    Screen::Switch if self.switching().seen.is_some() => Some(Job::Switching(switching::Ask::Look)),
                    Screen::Welcome if self.findings.found.is_none() => Some(Job::Discover),
                    _ => None,
                }
            }
            Command::Answer(answer) => Some(Job::Engine(Request::Answered(answer))),
            Command::TestNotice => {
                let words = self.tr.text("notify-test-sending");
                self.toasts.push(Toast { is_passing: true, ..Toast::of("notify-test", words) });
                Some(Job::TestNotice(self.tr.lang()))
            }
            Command::ProbeAll => Some(Job::Engine(Request::ProbeNow(Vec::new()))),
            Command::Probe(target) => self.probe(target),
            Command::Tools(asking) => {
                let is_open = matches!(self.state.overlay, Some(Overlay::Tools { .. }));
                self.state.overlay = Some(Overlay::Tools { asking });
                (!is_open).then_some(Job::LookAtTools)
            }
            Command::SetTool(program, is_enabled) => {
                self.state.overlay = Some(Overlay::Tools { asking: None });
                Some(Job::SetTool(program, is_enabled))
            }
            Command::AskOnce(target) => {
                self.state.overlay = None;
                self.ask(target)
            }
            Command::TogglePause => Some(Job::Engine(match self.snapshot.status.paused {
                Some(_) => Request::Resume,
                None => Request::Pause(None),
            })),
            Command::Hush(hush) => self.hush(hush),
            Command::Select(target) => {
                self.state.screen = Screen::Board;
                self.state.selected = Some(target);
                self.state.is_detail_closed = false;
                None
            }
            Command::Back => {
                self.back();
                None
            }
            Command::ToggleExplanation => {
                self.state.is_explained = !self.state.is_explained;
                None
            }
            Command::CopyCurl(target) => Some(Job::Curl(target)),
            Command::CopyText(text) => {
                self.copy(text, ctx);
                None
            }
            Command::Settings(act) => self.act_on_settings(act),
            Command::Filter if self.state.screen == Screen::Settings => {
                self.settings.held.wants_focus = true;
                None
            }
            Command::Filter => {
                self.state.screen = Screen::Activity;
                self.state.wants_filter_focus = true;
                None
            }
            Command::Palette => {
                self.state.overlay = Some(Overlay::Palette { query: String::new(), index: 0 });
                None
            }
            Command::Keys => {
                self.state.overlay = Some(Overlay::Keys);
                None
            }
            Command::ReloadSettings => Some(Job::Engine(Request::ReloadSettings)),
            Command::ZoomIn => self.zoom(1, ctx),
            Command::ZoomOut => self.zoom(-1, ctx),
            Command::ZoomReset => self.zoom(0, ctx),
            Command::Theme(theme) => {
                self.state.theme = Some(theme);
                apply(ctx, self.look());
                Some(self.write_look(Field::Theme(theme)))
            }
            Command::Language(lang) => {
                self.state.lang = Some(lang);
                self.set_tr(Tr::new(lang));
                Some(self.write_look(Field::Language(Some(lang))))
            }
            Command::ToggleFinding(target) => {
                if !self.toggled.remove(&target) {
                    self.toggled.insert(target);
                }
                None
            }
            Command::Start => {
                let reads_logs = !self.findings.leaves_logs && self.findings.scope.files > 0;
                Some(Job::Adopt { targets: self.ticked(), reads_logs, looks: self.chosen_looks() })
            }
            Command::ToggleLogs => {
                self.findings.leaves_logs = !self.findings.leaves_logs;
                None
            }
            Command::ReadLogs => Some(Job::Backfill(Steer::Begin)),
            Command::SteerLogs(steer) => {
                // Shown at once: the reading itself may be in the middle of a large file.
                if let Some(Backfill::Going { is_paused, .. }) = &mut self.backfill {
                    *is_paused = steer == Steer::Pause;
                }
                Some(Job::Backfill(steer))
            }
            Command::LookAgain => {
                self.findings.found = None;
                Some(Job::Discover)
            }
            Command::TryDemo => Some(Job::Demo),
            Command::History(act) => {
                let is_dark = ctx.theme() == egui::Theme::Dark;
                let ask = self.history.act(&act, &mut self.state.history, &self.snapshot, is_dark);
                ask.map(Job::History)
            }
            Command::Switching(act) => self.act_on_tools(act),
            Command::UseSelected => self.use_selected(),
            Command::Glance => {
                self.state.glance.is_open = !self.state.glance.is_open;
                None
            }
            Command::Background(act) => Some(Job::Background(act)),
            Command::SetClose(close) => Some(Job::SetClose(close)),
            Command::SetAutostart(is_on) => Some(Job::SetAutostart(is_on)),
            Command::Sheets(act) => self.act_on_sheets(&act, ctx),
            Command::ReadSheet(ask) => Some(Job::Sheets(ask)),
            Command::ReadHistory(query) => Some(Job::History(Ask::Read(query))),
        };
        ctx.request_repaint();
        job
    }
}
