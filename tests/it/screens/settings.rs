//! The Settings screen on a real file: what is chosen and typed is written faithfully, taken back, and never over another
//! hand's change.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use vacancy::app::window::amending::Amender;
use vacancy::engine::snapshot::Snapshot;
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::env::Env;
use vacancy::settings::{Settings, SettingsFile, edit};
use vacancy::ui::screens::settings::fields::{Field, Form, Section, Shown};
use vacancy::ui::settings::{Act, Ask};
use vacancy::ui::state::Screen;
use vacancy::ui::window::{Event, Job};

use super::stage::{Bench, afternoon, chinese, english};
use crate::support::homes;

const SMALL: [f32; 2] = [1000.0, 640.0];

/// Comments, odd spacing and quotes that must survive.
pub const FILE: &str = "# mine\n[[provider]]\nid = \"relay\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n\
    [[target]]\nid = \"luna\"\nprovider = \"relay\"\nmodel = \"gpt-6-luna\"\nrole = \"primary\"\n\n\
    [ui]\ntheme   =  'dark' # at night\n";

mod dialogs;
mod meanwhile;
mod record;
mod undo;

pub struct Home {
    _dir: tempfile::TempDir,
    amender: Amender,
}

impl Home {
    pub fn new(text: &str) -> Self {
        Self::speaking(text, english())
    }

    pub fn speaking(text: &str, tr: Tr) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let roots = homes::roots(dir.path(), &dir.path().join("home"));
        fs::create_dir_all(&roots.config).unwrap();
        if !text.is_empty() {
            fs::write(roots.settings_file(), text).unwrap();
        }
        let mut env = Env::default();
        env.set("HOME", dir.path().display().to_string());
        let (store, requests, last) = (None, None, Arc::default());
        Self { _dir: dir, amender: Amender { roots, env, tr: tr.into(), store, requests, last } }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.amender.roots.settings_file()).unwrap()
    }

    fn harness(&self, section: Section, tr: Tr) -> Harness<'static, Bench> {
        self.harness_in(section, tr, Theme::Dark, SMALL)
    }

    pub fn harness_in(&self, section: Section, tr: Tr, theme: Theme, size: [f32; 2]) -> Harness<'static, Bench> {
        self.harness_of(afternoon(), section, tr, (theme, size))
    }

    fn harness_of(
        &self,
        snapshot: Snapshot,
        section: Section,
        tr: Tr,
        (theme, size): (Theme, [f32; 2]),
    ) -> Harness<'static, Bench> {
        let mut bench = Bench::new(snapshot, tr).on(Screen::Settings);
        let ctx = egui::Context::default();
        bench.window.hear(Event::Settings(self.amender.answer(Ask::Look)), &ctx);
        assert_eq!(bench.window.carry_out(vacancy::ui::command::Command::Settings(Act::Show(section)), &ctx), None);
        bench.harness(theme, size)
    }

    /// Does what the window asked, until it asks nothing more.
    pub fn settle(&self, harness: &mut Harness<'_, Bench>) {
        harness.run();
        loop {
            let jobs = std::mem::take(&mut harness.state_mut().jobs);
            let asks: Vec<Ask> = jobs
                .into_iter()
                .filter_map(|job| match job {
                    Job::Settings(ask) => Some(*ask),
                    _ => None,
                })
                .collect();
            if asks.is_empty() {
                return;
            }
            let ctx = harness.ctx.clone();
            for ask in asks {
                harness.state_mut().window.hear(Event::Settings(self.amender.answer(ask)), &ctx);
            }
            harness.run();
        }
    }
}

fn click(home: &Home, harness: &mut Harness<'_, Bench>, role: Role, label: &str) {
    harness.get_by_role_and_label(role, label).click();
    home.settle(harness);
}

fn type_into(home: &Home, harness: &mut Harness<'_, Bench>, label: &str, text: &str, key: Key) {
    harness.get_by_role_and_label(Role::TextInput, label).focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_role_and_label(Role::TextInput, label).type_text(text);
    harness.run();
    harness.key_press(key);
    home.settle(harness);
}

#[test]
fn every_field_writes_what_it_shows_and_nothing_else() {
    let usual = Settings::default();
    let base = SettingsFile::parse(std::path::Path::new("vacancy.toml"), FILE.to_owned());
    let settings = base.resolve().unwrap();
    for field in Field::all() {
        let typed = match (field.form, field.shown(&settings)) {
            (Form::Switch, Shown::Switch(is_on)) => (!is_on).to_string(),
            (Form::Choice(names), shown) => (*names.iter().find(|name| **name != shown.text()).unwrap()).to_owned(),
            _ => match field.id {
                "ui-zoom" => "1.3",
                "ui-zone" => "Asia/Shanghai",
                "notices-reminders" => "30m",
                "notices-quiet" => "12:00-13:00, 22:00-07:00",
                "metrics-listen" => "127.0.0.1:9464",
                "schedule-every" => "7m",
                "schedule-slow-every" => "1h30m",
                "schedule-slow-above" => "9s",
                "schedule-confirm-down" | "schedule-confirm-up" => "4",
                _ => "777",
            }
            .to_owned(),
        };
        let amendment = field.amendment(&typed, |_| None, &settings);
        let mut file = base.clone();
        file.amend(&amendment).unwrap();
        let changed = file.resolve().unwrap_or_else(|findings| panic!("{}: {findings:?}", field.id));
        assert_eq!(field.shown(&changed).text(), typed, "{}", field.id);
        for other in Field::all().filter(|other| other.id != field.id) {
            assert_eq!(other.shown(&changed), other.shown(&settings), "{} changed {}", field.id, other.id);
        }
        for line in FILE.lines().filter(|line| !line.starts_with("theme")) {
            assert!(file.text().contains(line), "{} lost `{line}`", field.id);
        }
        // An empty text is the default again.
        if !matches!(field.form, Form::Switch | Form::Cap(..)) {
            file.amend(&field.amendment("", |_| None, &changed)).unwrap();
            assert_eq!(field.shown(&file.resolve().unwrap()), field.shown(&usual), "{}", field.id);
        }
    }
}

#[test]
fn a_choice_is_written_worn_and_taken_back_by_the_keys() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    click(&home, &mut harness, Role::RadioButton, "Theme: Light");
    let light = FILE.replace("'dark'", "'light'");
    assert_eq!(home.text(), light, "one value, its quotes and its comment stay");
    assert_eq!(harness.state().window.look().theme, egui::ThemePreference::Light);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    home.settle(&mut harness);
    assert_eq!(home.text(), FILE);
    assert_eq!(harness.state().window.look().theme, egui::ThemePreference::Dark);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    home.settle(&mut harness);
    assert_eq!(home.text(), light);
    click(&home, &mut harness, Role::CheckBox, "High contrast");
    assert!(harness.state().window.look().is_high_contrast);
    assert!(harness.ctx.global_style().animation_time > 0.0);
    click(&home, &mut harness, Role::CheckBox, "Reduced motion");
    let still = harness.ctx.global_style();
    let scrolls = egui::style::ScrollAnimation::none();
    assert_eq!((still.animation_time, still.scroll_animation), (0.0, scrolls), "nothing moves");
    click(&home, &mut harness, Role::RadioButton, "Language: 简体中文");
    harness.get_by_role_and_label(Role::RadioButton, "主题：浅色");
}

#[test]
fn what_is_typed_is_checked_before_it_is_written() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    type_into(&home, &mut harness, "Time zone", "Europe/Berln", Key::Enter);
    harness.get_by_label_contains("unknown time zone `Europe/Berln`");
    assert_eq!(home.text(), FILE);
    type_into(&home, &mut harness, "Time zone", "Europe/Berlin", Key::Enter);
    assert!(home.text().contains("zone = \"Europe/Berlin\""), "{}", home.text());
    assert!(harness.query_by_label_contains("unknown time zone").is_none());
    type_into(&home, &mut harness, "Zoom", "9", Key::Escape);
    assert!(!home.text().contains("zoom"), "Escape leaves it");
}

#[test]
fn another_hands_change_is_shown_and_kept() {
    for (answer, is_made) in [("Make my change as well", true), ("Leave mine out", false)] {
        let home = Home::new(FILE);
        let mut harness = home.harness(Section::Notices, english());
        let other = format!("{FILE}zoom = 1.5\n");
        fs::write(home.amender.roots.settings_file(), &other).unwrap();
        click(&home, &mut harness, Role::CheckBox, "Free again");
        assert_eq!(home.text(), other, "nothing is written before the answer");
        harness.get_by_label_contains("+ zoom = 1.5");
        click(&home, &mut harness, Role::Button, answer);
        assert!(home.text().starts_with(&other));
        assert_eq!(home.text().contains("recovered = false"), is_made, "{answer}");
        assert!(harness.query_by_label_contains("+ zoom = 1.5").is_none());
    }
}

#[test]
fn the_cost_follows_what_is_typed_and_is_saved_as_one() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::Schedule, english());
    harness.get_by_label_contains("About 144 requests");
    type_into(&home, &mut harness, "Ask every", "5m", Key::Tab);
    harness.get_by_label_contains("About 186 requests");
    harness.get_by_label_contains("Before: About 144 requests");
    assert_eq!(home.text(), FILE, "nothing is written before Save");
    type_into(&home, &mut harness, "Requests a day for each model", "100", Key::Tab);
    harness.get_by_label_contains("About 100 requests");
    // Above the page, which went to the field that has the focus.
    harness.get_by_role_and_label(Role::Button, "Save").focus();
    harness.run();
    harness.key_press(Key::Enter);
    home.settle(&mut harness);
    let settings = Settings::load(&home.amender.roots.settings_file()).unwrap();
    assert_eq!(settings.schedule.every, Duration::from_secs(300));
    assert_eq!(settings.schedule.target_cap.requests, 100);
    assert_eq!(settings.schedule.target_cap.tokens, 50_000, "the other half stays");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    home.settle(&mut harness);
    assert_eq!(home.text(), FILE, "and taken back as one");
}

#[test]
fn the_search_finds_by_name_help_and_key_in_both_languages() {
    for (tr, query, found) in [
        (english(), "prometheus", "Metrics for Prometheus"),
        (english(), "do_not_disturb", "Do not disturb"),
        (english(), "comes and goes", "One notice for what comes and goes"),
        (chinese(), "时区", "时区"),
    ] {
        let home = Home::new(FILE);
        let mut harness = home.harness(Section::General, tr);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run();
        let focused = harness.get_all_by_role(Role::TextInput).find(|node| node.is_focused()).unwrap();
        focused.type_text(query);
        harness.run();
        assert!(harness.query_all_by_label(found).next().is_some(), "{query}");
        harness.key_press(Key::Escape);
        harness.run();
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(harness.state().window.settings().query, "");
    }
}

#[test]
fn a_file_with_mistakes_is_not_touched_and_none_is_begun() {
    let home = Home::new("[ui]\nthema = \"dark\"\n");
    let harness = home.harness(Section::General, english());
    harness.get_by_label("The settings file has mistakes");
    harness.get_by_label_contains("thema");
    assert!(harness.query_by_role_and_label(Role::RadioButton, "Theme: Dark").is_none());

    let home = Home::new("");
    let mut harness = home.harness(Section::General, english());
    click(&home, &mut harness, Role::RadioButton, "Theme: Dark");
    assert!(home.text().contains("# Vacancy settings."), "a new file explains itself");
    assert_eq!(Settings::load(&home.amender.roots.settings_file()).unwrap().ui.theme.name(), "dark");
}

#[test]
fn every_control_has_a_name_and_every_text_is_of_the_catalogue() {
    for section in Section::ALL {
        let home = Home::new(FILE);
        let harness = home.harness(section, Tr::pseudo());
        for role in [Role::TextInput, Role::CheckBox, Role::RadioButton, Role::Button] {
            for node in harness.query_all_by_role(role) {
                let label = node.accesskit_node().label().unwrap_or_default();
                assert!(!label.is_empty(), "{section:?}: {role:?} without a name");
            }
        }
    }
}

/// Two models of one provider, in a chain.
pub const CHAINED: &str = "[[provider]]\nid = \"relay\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
    key = { env = \"RELAY_KEY\" } # mine\n\n\
    [[target]]\nid = \"luna\"\nprovider = \"relay\"\nmodel = \"gpt-6-luna\"\nrole = \"primary\"\n\n\
    [[target]]\nid = \"mini\"\nprovider = \"relay\"\nmodel = \"gpt-6-mini\"\n\n\
    [[chain]]\nname = \"main\"\ntargets = [ \"luna\",  \"mini\" ] # best first\n";

fn open(home: &Home, harness: &mut Harness<'_, Bench>, whose: &str, entry: &str) {
    click(home, harness, Role::Button, &format!("More for {whose}"));
    click(home, harness, Role::Button, entry);
}

#[test]
fn a_provider_is_added_from_a_preset_and_its_key_is_only_referred_to() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, [1440.0, 900.0]);
    harness.get_by_label_contains("Key from the variable RELAY_KEY: missing");
    click(&home, &mut harness, Role::Button, "Add a provider");
    // A preset's address is there to be seen, and to be typed over.
    harness.get_by_role_and_label(Role::TextInput, "Address");
    let name = "Name of the variable, never the key itself";
    type_into(&home, &mut harness, name, "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789", Key::Tab);
    harness.get_by_label_contains("a key or password stands in the file itself");
    assert_eq!(home.text(), CHAINED);
    type_into(&home, &mut harness, name, "MY_KEY", Key::Tab);
    harness.get_all_by_role_and_label(Role::Button, "Add a provider").last().unwrap().click();
    home.settle(&mut harness);
    let settings = Settings::load(&home.amender.roots.settings_file()).unwrap();
    assert_eq!((settings.providers.len(), settings.targets.len()), (2, 3), "{}", home.text());
    assert!(home.text().contains("key = { env = \"MY_KEY\" }"));
    assert_eq!(settings.chains[0].targets.len(), 3, "it stands at the chain's end");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    home.settle(&mut harness);
    assert_eq!(home.text(), CHAINED);
}

#[test]
fn the_demo_has_settings_of_its_own_and_reaches_nothing_outside() {
    let home = Home::new(CHAINED);
    for (section, said, missing) in [
        (Section::Providers, "its own provider on this machine", "Add a provider"),
        (Section::Notices, "tells nobody outside its window", "Send"),
        (Section::Background, "does not start with the session", "Start with the session"),
        (Section::Data, "the next demo begins anew", "Delete everything…"),
    ] {
        for is_demo in [true, false] {
            let mut snapshot = afternoon();
            Arc::make_mut(&mut snapshot.status).is_demo = is_demo;
            let harness = home.harness_of(snapshot, section, english(), (Theme::Dark, [1440.0, 900.0]));
            assert_eq!(harness.query_by_label_contains(said).is_some(), is_demo, "{said}");
            assert_eq!(harness.query_all_by_label(missing).count() > 0, !is_demo, "{missing}");
        }
    }
    let mut snapshot = afternoon();
    Arc::make_mut(&mut snapshot.status).is_demo = true;
    let mut harness = home.harness_of(snapshot, Section::Chains, english(), (Theme::Dark, SMALL));
    click(&home, &mut harness, Role::Button, "Move gpt-6-luna down");
    assert_eq!(
        home.text(),
        CHAINED.replace("[ \"luna\",  \"mini\" ]", "[ \"mini\",  \"luna\" ]"),
        "they can be played with"
    );
}

#[test]
fn a_target_is_tested_changed_renamed_and_removed() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, [1440.0, 900.0]);
    click(&home, &mut harness, Role::Button, "Test gpt-6-mini now");
    let probe = vacancy::ui::command::Command::Probe("mini".into());
    assert!(harness.state().commands.contains(&probe));
    harness.get_by_label_contains("Asking now…");

    open(&home, &mut harness, "gpt-6-mini", "Role, limit and price…");
    click(&home, &mut harness, Role::RadioButton, "Emergency");
    type_into(&home, &mut harness, "Requests a day, at most", "20", Key::Tab);
    type_into(&home, &mut harness, "Price, in your own unit", "1.25", Key::Tab);
    click(&home, &mut harness, Role::Button, "Save");
    let path = home.amender.roots.settings_file();
    let settings = Settings::load(&path).unwrap();
    let mini = settings.target(&"mini".into()).unwrap();
    assert_eq!(mini.daily_cap.requests, 20);
    assert_eq!(settings.prices.get(&mini.id), Some(&1.25));

    open(&home, &mut harness, "gpt-6-mini", "Rename…");
    harness.get_by_label_contains("What was recorded so far stays under the name mini");
    type_into(&home, &mut harness, "Name", "luna", Key::Tab);
    harness.get_by_label_contains("is already on line");
    type_into(&home, &mut harness, "Name", "small", Key::Tab);
    click(&home, &mut harness, Role::Button, "Rename");
    assert!(home.text().contains("targets = [ \"luna\",  \"small\" ] # best first"), "{}", home.text());

    open(&home, &mut harness, "relay", "Rename…");
    type_into(&home, &mut harness, "Name", "other", Key::Tab);
    click(&home, &mut harness, Role::Button, "Rename");
    let settings = Settings::load(&path).unwrap();
    assert!(settings.targets.iter().all(|target| target.provider.as_str() == "other"));

    open(&home, &mut harness, "gpt-6-mini", "Remove…");
    harness.get_by_label_contains("What was recorded stays");
    click(&home, &mut harness, Role::Button, "Remove");
    assert_eq!(Settings::load(&path).unwrap().targets.len(), 1);
    for _ in 0..4 {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        home.settle(&mut harness);
    }
    assert_eq!(home.text(), CHAINED, "every step comes back");
}

#[test]
fn a_chain_is_ordered_by_the_keyboard_and_by_its_buttons() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness(Section::Chains, english());
    harness.get_by_label("1: gpt-6-luna").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    home.settle(&mut harness);
    assert_eq!(home.text(), CHAINED.replace("[ \"luna\",  \"mini\" ]", "[ \"mini\",  \"luna\" ]"));
    assert!(harness.get_by_label("2: gpt-6-luna").is_focused(), "the focus goes with it");
    click(&home, &mut harness, Role::Button, "Move gpt-6-luna up");
    assert_eq!(home.text(), CHAINED);
    click(&home, &mut harness, Role::Button, "Take gpt-6-mini out");
    let path = home.amender.roots.settings_file();
    assert_eq!(Settings::load(&path).unwrap().chains[0].targets, ["luna".into()]);
    click(&home, &mut harness, Role::Button, "Add to the chain");
    click(&home, &mut harness, Role::Button, "gpt-6-mini");
    assert_eq!(Settings::load(&path).unwrap().chains[0].targets, ["luna".into(), "mini".into()]);
}

#[test]
fn sections_in_both_themes_and_languages() {
    let mut results = egui_kittest::SnapshotResults::new();
    for (section, theme, tr, name) in [
        (Section::General, Theme::Dark, english(), "settings-dark"),
        (Section::Schedule, Theme::Light, chinese(), "settings-cost-light-zh"),
        (Section::Providers, Theme::Light, english(), "settings-providers-light"),
        (Section::Chains, Theme::Dark, chinese(), "settings-chains-dark-zh"),
    ] {
        let look = if theme == Theme::Dark { "dark" } else { "light" };
        let home = Home::new(&format!("{CHAINED}\n[ui]\ntheme = \"{look}\"\n"));
        let mut harness = home.harness_in(section, tr, theme, SMALL);
        // The file's path is a temporary one.
        let ctx = harness.ctx.clone();
        let told = home.amender.answer(Ask::Look);
        let vacancy::ui::settings::Told::Seen(seen) = told else { panic!("{told:?}") };
        let mut seen = (*seen).clone();
        seen.file = SettingsFile::parse(std::path::Path::new("~/.config/vacancy/vacancy.toml"), home.text());
        seen.autostart = Ok((vacancy::platform::autostart::State::Off, "~/.config/autostart".to_owned()));
        let told = vacancy::ui::settings::Told::Seen(Arc::new(seen));
        harness.state_mut().window.hear(Event::Settings(told), &ctx);
        harness.run();
        harness.snapshot(format!("screen-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn what_a_thread_says_follows_a_change_of_language() {
    let home = Home::new("[schedule]\nevery = \"soon\"\n");
    let said = || match home.amender.answer(Ask::Look) {
        vacancy::ui::settings::Told::Seen(seen) => seen.settings.clone().unwrap_err().join("\n"),
        told => panic!("{told:?}"),
    };
    let in_english = said();
    let is_chinese = |text: &str| text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
    assert!(in_english.contains("soon") && !is_chinese(&in_english), "{in_english}");
    assert!(home.amender.tr.speak(&chinese()), "another language");
    assert!(!home.amender.tr.speak(&chinese()), "the same again");
    let in_chinese = said();
    assert!(in_chinese.contains("soon") && is_chinese(&in_chinese), "{in_chinese}");
}

#[test]
fn a_language_written_by_hand_reaches_a_window_that_shows_another_screen() {
    let home = Home::new(FILE);
    let path = home.amender.roots.settings_file();
    let mut bench = Bench::new(afternoon(), english());
    bench.window.begin_with(&SettingsFile::fresh(&path, FILE).resolve().unwrap().ui);
    let mut harness = bench.harness(Theme::Dark, SMALL);
    let mut by_hand = |language: &str, reads: u64, label: &str| {
        fs::write(&path, FILE.replace("[ui]\n", &format!("[ui]\n{language}"))).unwrap();
        // So says the engine when it saw the change.
        let mut newer = afternoon();
        Arc::make_mut(&mut newer.status).settings_reads = reads;
        harness.state_mut().window.show(newer);
        home.settle(&mut harness);
        assert_eq!(harness.query_all_by_role_and_label(Role::Button, label).count(), 1, "{language}");
        assert_eq!(harness.state().window.state.screen, Screen::Board);
        assert!(harness.state().jobs.is_empty(), "the file is read once a change");
    };
    by_hand("language = \"zh-Hans\"\n", 1, "立即探测");
    by_hand("language = \"en\"\nzoom = 1.25\n", 2, "Probe now");
    by_hand("", 3, "Probe now");
    let ctx = harness.ctx.clone();
    let chosen = vacancy::ui::command::Command::Language(Lang::Chinese);
    let written = Job::Wear(edit::Field::Language(Some(Lang::Chinese)));
    assert_eq!(harness.state_mut().window.carry_out(chosen, &ctx), Some(written));
    let by_hand = |harness: &mut Harness<'_, Bench>, words: &str, reads: u64| {
        fs::write(&path, format!("{FILE}{words}")).unwrap();
        let mut newer = afternoon();
        Arc::make_mut(&mut newer.status).settings_reads = reads;
        harness.state_mut().window.show(newer);
        home.settle(harness);
        harness.query_by_role_and_label(Role::Button, "立即探测").is_some()
    };
    // What was chosen in the window holds while it is on its way into the file, whatever that says meanwhile,
    assert!(by_hand(&mut harness, "high_contrast = true\n", 4));
    assert!(by_hand(&mut harness, "language = \"en\"\n", 5));
    assert!(by_hand(&mut harness, "", 6));
    harness.state_mut().window.hear(Event::Worn(Err("read-only".to_owned())), &ctx);
    harness.run();
    assert!(harness.query_by_label("read-only").is_some());
    // and where it could not be written as long as the file says nothing new of it.
    assert!(by_hand(&mut harness, "high_contrast = true\n", 7));
    assert!(!by_hand(&mut harness, "language = \"en\"\n", 8));
}
