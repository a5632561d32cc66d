//! Draws what is typed and chosen in the dialog of a task.

use std::cell::Cell;

use egui::{Id, Key, Label, Role as Kind, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};

use super::editor::{Editor, KeyForm, Task, address_hint, found_presets, key_tools};
use super::model::Verdict;
use crate::core::outcome::Family;
use crate::core::rules::Mode;
use crate::core::target::{Dialect, Probing, Role};
use crate::i18n::Tr;
use crate::notify::form::Form;
use crate::switch::tools;
use crate::ui::screens::board::model::{role, role_hint};
use crate::ui::screens::settings::edits::probing_name;
use crate::ui::settings::Held;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::mark::Mark;
use crate::ui::widgets::{access, button, list, tick};
use crate::wire::presets::Preset;

/// Width of a field.
const FIELD: f32 = 420.0;
/// Width of a field for a number.
const NUMBER: f32 = 200.0;
/// Height of an open list.
const LIST: f32 = 280.0;
/// Lines of a field that takes several.
const LINES: usize = 2;

/// What the inputs of a dialog share.
struct Inputs<'a> {
    verdict: &'a Verdict,
    tr: &'a Tr,
    /// Enter was pressed in a field of one line.
    is_entered: Cell<bool>,
}

/// Draws the inputs of a task, each with what is wrong below it. Answers whether Enter was pressed in one of them.
pub fn inputs(ui: &mut Ui, editor: &mut Editor, verdict: &Verdict, held: &Held, tr: &Tr) -> bool {
    let form = Inputs { verdict, tr, is_entered: Cell::new(false) };
    let typed = &mut editor.typed;
    match editor.task {
        Task::AddProvider => {
            preset(ui, editor, held, tr);
            let typed = &mut editor.typed;
            if Preset::find(typed.preset).is_none() {
                let names = Dialect::PROBED.map(|one| (one, tr.text(&format!("settings-screen-in-dialect-{one}"))));
                form.list(ui, "dialect", &names, &mut typed.dialect);
            }
            form.text(ui, "id", "id", &mut typed.id, "");
            // A preset's own address stands in the field until another one is typed.
            let usual =
                Preset::find(typed.preset).map_or_else(|| address_hint(typed.dialect), |preset| preset.base_url);
            form.text(ui, "url", "base_url", &mut typed.base_url, usual);
            form.place(ui, "key", &KeyForm::OF_KEY, &mut typed.key_form, &mut typed.key);
            form.text(ui, "model", "model", &mut typed.model, "");
        }
        Task::EditProvider(_) => {
            let known = Preset::find(typed.preset);
            let usual = known.filter(|preset| !preset.is_template()).map_or("", |preset| preset.base_url);
            form.text(ui, "url", "base_url", &mut typed.base_url, usual);
            // A preset's own variable holds where the file names no place.
            let forms: Vec<KeyForm> = KeyForm::OF_KEY
                .into_iter()
                .filter(|one| *one != KeyForm::None || known.is_none_or(|preset| preset.key_vars.is_empty()))
                .collect();
            form.place(ui, "key", &forms, &mut typed.key_form, &mut typed.key);
            form.lines(ui, "headers", &mut typed.headers, "X-Team: blue");
            form.lines(ui, "query", &mut typed.query, "api-version = 2026-01-01");
            form.text(ui, "proxy", "proxy", &mut typed.proxy, "socks5h://127.0.0.1:1080");
            form.text(ui, "ca-file", "ca_file", &mut typed.ca_file, "");
            form.cap(ui, &mut typed.requests, &mut typed.tokens);
        }
        Task::AddTarget(_) => {
            form.text(ui, "model", "model", &mut typed.model, "");
            form.role(ui, &mut typed.role);
            form.cap(ui, &mut typed.requests, &mut typed.tokens);
            form.number(ui, "price", "price", &mut typed.price);
        }
        Task::EditTarget(_) => {
            form.role(ui, &mut typed.role);
            let all = [Probing::Scheduled, Probing::OnDemand, Probing::Never];
            let words = |one| tr.text(&format!("settings-screen-in-probing-{}", probing_name(one)));
            form.choice(ui, "probing", &all.map(|one| (Some(one), words(one))), &mut typed.probing);
            form.cap(ui, &mut typed.requests, &mut typed.tokens);
            form.number(ui, "price", "price", &mut typed.price);
        }
        Task::AddChain => {
            form.text(ui, "id", "name", &mut typed.id, "");
            let nobody = (None, tr.text("settings-screen-in-tool-none"));
            let all = tools::ALL.iter().map(|tool| (Some(tool.id()), tool.name().to_owned()));
            form.list(ui, "tool", &[nobody].into_iter().chain(all).collect::<Vec<_>>(), &mut typed.tool);
        }
        Task::EditRule(_) => {
            for (id, mode) in [("failover", &mut typed.failover), ("back", &mut typed.back)] {
                let words = Mode::ALL.map(|(name, mode)| (mode, tr.text(&format!("settings-screen-in-mode-{name}"))));
                form.choice(ui, id, &words, mode);
            }
            form.number(ui, "hold", "hold", &mut typed.hold);
            form.tick(ui, "ahead", "ahead", &mut typed.ahead);
            form.tick(ui, "confirm", "confirm", &mut typed.asks);
            let usual = (None, tr.text("settings-screen-in-chain-usual"));
            let chains = held.settings().map_or(&[][..], |settings| &settings.chains);
            let all = chains.iter().map(|chain| (Some(chain.name.clone()), chain.name.clone()));
            form.list(ui, "chain", &[usual].into_iter().chain(all).collect::<Vec<_>>(), &mut typed.chain);
        }
        Task::Hook => {
            form.text(ui, "hook", "hook", &mut typed.command, "");
            form.number(ui, "timeout", "timeout", &mut typed.timeout);
        }
        Task::Webhook => {
            let names = Form::ALL.map(|(name, one)| (one, tr.text(&format!("settings-screen-in-form-{name}"))));
            form.list(ui, "form", &names, &mut typed.form);
            form.place(ui, "webhook", &KeyForm::OF_ADDRESS, &mut typed.key_form, &mut typed.key);
        }
        _ => form.text(ui, "id", "id", &mut typed.id, ""),
    }
    form.is_entered.get()
}

/// What is wrong, with its mark.
pub fn complaint(ui: &mut Ui, words: &str) {
    ui.horizontal_top(|ui| {
        let palette = palette(ui);
        let (_, cell) = ui.allocate_space(egui::Vec2::splat(size::MARK));
        Mark::of_family(Family::Fault).paint(ui.painter(), cell, palette);
        access::live(ui.add(Label::new(Type::Body.text(words).color(palette.strong)).wrap()));
    });
}

fn preset(ui: &mut Ui, editor: &mut Editor, held: &Held, tr: &Tr) {
    let label = ui.label(Type::Body.text(tr.text("settings-screen-in-preset")).color(palette(ui).weak));
    let other = tr.text("settings-screen-in-preset-other");
    let shown = Preset::find(editor.typed.preset).map_or(&*other, |preset| preset.name);
    let shown = list::list(ui, "settings-preset", shown, (FIELD, LIST + size::CONTROL + space::LARGE), |ui| {
        preset_list(ui, editor, held, tr);
    });
    if shown.inner.is_none() {
        editor.filter = None;
    }
    shown.response.labelled_by(label.id);
    if let Some(note) = Preset::find(editor.typed.preset).and_then(|preset| preset.note) {
        ui.add(Label::new(Type::Caption.text(tr.text(note)).color(palette(ui).weak)).wrap());
    }
}

/// The open list of presets: a search, a provider of one's own, and what is found.
fn preset_list(ui: &mut Ui, editor: &mut Editor, held: &Held, tr: &Tr) {
    let is_new = editor.filter.is_none();
    let mut filter = editor.filter.clone().unwrap_or_default();
    let field = TextEdit::singleline(&mut filter)
        .id(Id::unique(("settings-editor", "preset-search")))
        .hint_text(tr.text("settings-screen-in-preset-search"))
        .margin(vec2(space::BASE, space::SMALL + space::TINY))
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    let name = tr.text("settings-screen-in-preset-search");
    field.ctx.accesskit_node_builder(field.id, |node| node.set_label(name.as_str()));
    // A pass that only measures the list takes no focus.
    if is_new && !ui.is_sizing_pass() {
        field.request_focus();
    }
    let found = found_presets(&filter);
    editor.filter = (!ui.is_sizing_pass()).then_some(filter);
    let mut chosen = None;
    ScrollArea::vertical().id_salt("settings-presets").max_height(LIST).show(ui, |ui| {
        let is_other = Preset::find(editor.typed.preset).is_none();
        if ui.selectable_label(is_other, tr.text("settings-screen-in-preset-other")).clicked() {
            chosen = Some(None);
        }
        for preset in &found {
            if ui.selectable_label(preset.id == editor.typed.preset, preset.name).clicked() {
                chosen = Some(Some(*preset));
            }
        }
    });
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        // Where no preset is found, the one entry that is left is a provider by its address.
        chosen = chosen.or(Some(found.first().copied()));
    }
    let (Some(chosen), Some(settings)) = (chosen, held.settings()) else { return };
    match chosen {
        Some(preset) => editor.typed.take_preset(preset, settings),
        None => editor.typed.take_other(settings),
    }
    ui.close();
}

impl Inputs<'_> {
    fn label(&self, ui: &mut Ui, id: &str) -> Id {
        let words = self.tr.text(&format!("settings-screen-in-{id}"));
        ui.add(Label::new(Type::Body.text(words).color(palette(ui).weak)).wrap()).id
    }

    fn edit(&self, ui: &mut Ui, label: Id, id: &str, typed: &mut String, hint: &str, width: f32) {
        let field = TextEdit::singleline(typed)
            .id(Id::unique(("settings-editor", id)))
            .hint_text(hint)
            .margin(vec2(space::BASE, space::SMALL + space::TINY))
            .desired_width(width);
        let field = ui.add(field).labelled_by(label);
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            self.is_entered.set(true);
            // What is wrong yet is typed on where it stands.
            if !self.verdict.can_apply {
                field.request_focus();
            }
        }
    }

    fn complain(&self, ui: &mut Ui, key: &str) {
        if let Some((_, words)) = self.verdict.beside.iter().find(|(own, _)| *own == key) {
            complaint(ui, words);
        }
    }

    fn text(&self, ui: &mut Ui, id: &str, key: &str, typed: &mut String, hint: &str) {
        let label = self.label(ui, id);
        self.edit(ui, label, id, typed, hint, FIELD);
        self.complain(ui, key);
    }

    fn number(&self, ui: &mut Ui, id: &str, key: &str, typed: &mut String) {
        let label = self.label(ui, id);
        self.edit(ui, label, id, typed, "", NUMBER);
        self.complain(ui, key);
    }

    fn lines(&self, ui: &mut Ui, key: &str, typed: &mut String, hint: &str) {
        let label = self.label(ui, key);
        let field = TextEdit::multiline(typed)
            .id(Id::unique(("settings-editor", key)))
            .hint_text(hint)
            .margin(vec2(space::BASE, space::SMALL + space::TINY))
            .desired_rows(LINES)
            .desired_width(FIELD);
        ui.add(field).labelled_by(label);
        self.complain(ui, key);
    }

    /// Requests and tokens, side by side.
    fn cap(&self, ui: &mut Ui, requests: &mut String, tokens: &mut String) {
        let same = self.tr.text("settings-screen-in-same");
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            for (id, typed) in [("requests", requests), ("tokens", tokens)] {
                ui.vertical(|ui| {
                    ui.set_width(NUMBER);
                    let label = self.label(ui, id);
                    self.edit(ui, label, id, typed, &same, NUMBER - 2.0 * space::BASE);
                });
            }
        });
        self.complain(ui, "daily_cap");
    }

    /// Where something is kept, and under which name.
    fn place(&self, ui: &mut Ui, what: &str, forms: &[KeyForm], form: &mut KeyForm, key: &mut String) {
        let words = |one: KeyForm| self.tr.text(&format!("settings-screen-in-key-{}", one.name()));
        self.choice(ui, what, &forms.iter().map(|one| (*one, words(*one))).collect::<Vec<_>>(), form);
        if *form != KeyForm::None {
            let hint = if *form == KeyForm::Tool { key_tools() } else { String::new() };
            let label = self.label(ui, &format!("place-{}", form.name()));
            self.edit(ui, label, "place", key, &hint, FIELD);
        }
        self.complain(ui, what);
    }

    fn role(&self, ui: &mut Ui, chosen: &mut Option<Role>) {
        let all = [Some(Role::Primary), Some(Role::Backup), Some(Role::Emergency), None];
        self.choice(ui, "role", &all.map(|one| (one, role(one, self.tr))), chosen);
        ui.add(Label::new(Type::Caption.text(role_hint(*chosen, self.tr)).color(palette(ui).weak)).wrap());
        self.complain(ui, "role");
    }

    fn tick(&self, ui: &mut Ui, id: &str, key: &str, is_on: &mut bool) {
        let words = self.tr.text(&format!("settings-screen-in-{id}"));
        tick::tick(ui, is_on, &words);
        self.complain(ui, key);
    }

    fn choice<T: Clone + PartialEq>(&self, ui: &mut Ui, id: &str, options: &[(T, String)], chosen: &mut T) {
        self.label(ui, id);
        let name = self.tr.text(&format!("settings-screen-in-{id}"));
        ui.horizontal_wrapped(|ui| {
            access::part(ui, Kind::RadioGroup, &name);
            ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
            for (option, word) in options {
                let is_chosen = option == chosen;
                let response = ui.add(button::plain(word).selected(is_chosen));
                response.widget_info(|| WidgetInfo::selected(Kind::RadioButton, true, is_chosen, word));
                // Two groups of a dialog may have the same words.
                let response = access::about(response, &name);
                if response.clicked() {
                    *chosen = option.clone();
                }
            }
        });
    }

    fn list<T: Clone + PartialEq>(&self, ui: &mut Ui, id: &str, options: &[(T, String)], chosen: &mut T) {
        let label = self.label(ui, id);
        let shown = options.iter().find(|(option, _)| option == chosen).map_or("", |(_, word)| word);
        let response = list::list(ui, ("settings-list", id), shown, (FIELD, LIST), |ui| {
            for (option, word) in options {
                if ui.selectable_value(chosen, option.clone(), word).clicked() {
                    ui.close();
                }
            }
        });
        response.response.labelled_by(label);
        self.complain(ui, id);
    }
}
