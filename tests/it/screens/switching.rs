//! Switching from the window: the real worker on real files in a temporary home.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Context, Key, Modifiers, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};
use jiff::{SignedDuration, Timestamp};
use vacancy::app::window::switching::{Means, Worker};
use vacancy::clock::Clock;
use vacancy::core::alert::{Notice, NoticeId, Offer, Subject};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::rules::{Mode, Why};
use vacancy::core::sample::{Sample, Source};
use vacancy::core::target::TargetId;
use vacancy::engine::snapshot::{Activity, ActivityEvent, Snapshot};
use vacancy::i18n::Tr;
use vacancy::settings::Settings;
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;
use vacancy::switch::undo::Direction;
use vacancy::ui::command::Command;
use vacancy::ui::state::Screen;
use vacancy::ui::switching::{Ask, Told, What};
use vacancy::ui::window::{Event, Job};

use super::behaviour::drawn;
use super::stage::{Bench, afternoon, chinese, english, now};
use crate::support::homes;

const SMALL: [f32; 2] = [1000.0, 640.0];
const LARGE: [f32; 2] = [1440.0, 900.0];

const SETTINGS: &str = "[[provider]]\nid = 'codex-plan'\ndialect = 'openai-responses'\nbase_url = 'http://127.0.0.1:9/v1'\n\
[[provider]]\nid = 'anthropic'\ndialect = 'anthropic-messages'\nbase_url = 'http://127.0.0.1:9'\n\
[[target]]\nid = 'codex-plan/gpt-5.6-sol'\nprovider = 'codex-plan'\nmodel = 'gpt-5.6-sol'\nrole = 'primary'\n\
[[target]]\nid = 'codex-plan/gpt-6-luna'\nprovider = 'codex-plan'\nmodel = 'gpt-6-luna'\nrole = 'backup'\n\
[[target]]\nid = 'anthropic/claude-sonnet-5'\nprovider = 'anthropic'\nmodel = 'claude-sonnet-5'\nrole = 'backup'\n";

pub const CODEX: &str = "model = 'gpt-5.6-sol' # mine\r\nmodel_provider = 'relay'\r\n\r\n[model_providers.relay]\r\nname = 'Relay'\r\n\
base_url = 'http://127.0.0.1:9/v1'\r\nwire_api = 'responses'\r\n";
pub const OPENCODE: &str = "{\n  // mine\n  \"model\": \"plan/gpt-5.6-sol\",\n  \"provider\": { \"plan\": { \"npm\": \"@ai-sdk/openai\", \
\"options\": { \"baseURL\": \"http://127.0.0.1:9/v1\", \"apiKey\": \"x\" }, \"models\": { \"gpt-5.6-sol\": {}, \"gpt-6-luna\": {} } } }\n}\n";

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        now()
    }
}

/// A home with tools, and the worker on it.
pub struct Home {
    dir: tempfile::TempDir,
    worker: Worker,
}

impl Home {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::speaking(files, english())
    }

    pub fn speaking(files: &[(&str, &str)], tr: Tr) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let own = homes::roots(dir.path(), &dir.path().join("home"));
        let roots = Roots { root: Some(dir.path().join("root")), ..own };
        fs::create_dir_all(&roots.config).unwrap();
        fs::create_dir_all(&roots.home).unwrap();
        fs::write(roots.settings_file(), SETTINGS).unwrap();
        for (path, text) in files {
            homes::put(&roots.home, path, text);
        }
        let means = Means {
            roots,
            env: Env::default(),
            clock: Arc::new(Stopped),
            tr: tr.into(),
            asks_running: false,
            is_picture: false,
            tell: Box::new(drop),
            snapshot: Box::new(afternoon),
        };
        Self { worker: Worker::new(means), dir }
    }

    fn codex() -> Self {
        Self::new(&[(".codex/config.toml", CODEX)])
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join("home").join(below)
    }

    fn config(&self) -> String {
        fs::read_to_string(self.path(".codex/config.toml")).unwrap()
    }

    fn settings(&self) -> Settings {
        Settings::load(&self.dir.path().join("config/vacancy.toml")).unwrap()
    }

    /// Answers what the window asked, until it asks no more.
    pub fn serve(&mut self, harness: &mut Harness<'_, Bench>) {
        loop {
            let asks = std::mem::take(&mut harness.state_mut().asks);
            if asks.is_empty() {
                return;
            }
            for told in asks.into_iter().flat_map(|ask| self.worker.answer(ask)) {
                harness.state_mut().window.hear(Event::Switching(told), &Context::default());
            }
            harness.run();
        }
    }

    fn window(&mut self, screen: Screen, tr: Tr, size: [f32; 2]) -> Harness<'static, Bench> {
        self.window_on(afternoon(), screen, tr, Theme::Dark, size)
    }

    pub fn window_on(
        &mut self,
        shown: Snapshot,
        screen: Screen,
        tr: Tr,
        theme: Theme,
        size: [f32; 2],
    ) -> Harness<'static, Bench> {
        let mut harness = Bench::new(shown, tr).on(screen).harness(theme, size);
        self.serve(&mut harness);
        harness
    }

    /// Takes the newest switch back, or makes it again, without a window.
    fn walk(&mut self, direction: Direction) {
        let Some(Told::Offered(offer)) = self.worker.answer(Ask::Plan(What::last(direction))).pop() else {
            panic!("no offer")
        };
        self.worker.answer(Ask::Write(offer.serial, BTreeSet::new()));
    }

    /// The window hears that files of tools changed.
    fn look(&mut self, harness: &mut Harness<'_, Bench>) {
        harness.state_mut().asks.push(Ask::Changed);
        self.serve(harness);
    }

    fn press(&mut self, harness: &mut Harness<'_, Bench>, label: &str) {
        harness.get_by_role_and_label(Role::Button, label).click();
        harness.run();
        self.serve(harness);
    }

    fn key(&mut self, harness: &mut Harness<'_, Bench>, modifiers: Modifiers, key: Key) {
        harness.key_press_modifiers(modifiers, key);
        harness.run();
        self.serve(harness);
    }
}

#[test]
fn a_model_is_chosen_read_as_a_diff_written_and_taken_back_byte_for_byte() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    harness.get_by_label_contains("model in ~/.codex/config.toml");
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    harness.get_by_label("- model = 'gpt-5.6-sol' # mine");
    harness.get_by_label("+ model = 'gpt-6-luna' # mine");
    assert_eq!(home.config(), CODEX, "a diff writes nothing");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(home.config(), CODEX.replace("gpt-5.6-sol", "gpt-6-luna"));
    harness.get_by_label("Codex uses gpt-6-luna in new sessions");
    assert!(!harness.state().window.switching().is_open());
    home.key(&mut harness, Modifiers::COMMAND, Key::Z);
    harness.get_by_label("+ model = 'gpt-5.6-sol' # mine");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(home.config(), CODEX);
    harness.get_by_label_contains("taken back");
    home.key(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    home.press(&mut harness, "Write");
    assert_eq!(home.config(), CODEX.replace("gpt-5.6-sol", "gpt-6-luna"));
}

#[test]
fn escape_writes_nothing_and_gives_the_screen_back() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    home.key(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().window.switching().is_open());
    assert_eq!(harness.state().window.state.screen, Screen::Switch);
    assert_eq!(home.config(), CODEX);
    home.key(&mut harness, Modifiers::COMMAND, Key::Z);
    harness.get_by_label("There is nothing to undo.");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(!harness.state().window.switching().is_open(), "Enter is for the only button");
}

#[test]
fn a_dialog_goes_with_its_screen_however_another_one_is_asked_for() {
    let show = |home: &mut Home, harness: &mut Harness<'_, Bench>, command: Command| {
        harness.state_mut().window.carry_out(command, &Context::default());
        harness.run();
        home.serve(harness);
    };
    for (command, screen) in [
        (Command::Go(Screen::Activity), Screen::Activity),
        (Command::Select("codex-plan/gpt-6-luna".into()), Screen::Board),
        (Command::Filter, Screen::Activity),
    ] {
        let mut home = Home::codex();
        let mut harness = home.window(Screen::Switch, english(), SMALL);
        home.key(&mut harness, Modifiers::COMMAND, Key::Z);
        harness.get_by_label("Not possible");
        show(&mut home, &mut harness, command);
        assert!(harness.query_by_label("Not possible").is_none(), "{screen:?}");
        assert_eq!(harness.state().window.state.screen, screen);
    }
}

#[test]
fn escape_closes_an_open_menu_and_nothing_else() {
    let files = [(".codex/config.toml", CODEX), (".config/opencode/opencode.json", OPENCODE)];
    let mut home = Home::new(&files);
    let mut harness = home.window(Screen::Board, english(), SMALL);
    harness.state_mut().window.state.selected = Some("codex-plan/gpt-6-luna".into());
    harness.run();
    let is_open = |harness: &Harness<'_, Bench>| harness.query_by_label("Everywhere…").is_some();
    harness.get_all_by_role_and_label(Role::Button, "Use in…: gpt-6-luna").last().unwrap().click();
    harness.run();
    assert!(is_open(&harness));
    home.key(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!is_open(&harness));
    assert!(harness.state().window.state.selected.is_some(), "the detail is still there");
    home.key(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().window.state.selected.is_none());
}

#[test]
fn a_model_that_is_not_watched_has_a_mark_and_says_so() {
    let mut home = Home::new(&[(".codex/config.toml", CODEX), (".aider.conf.yml", "model: openai/o9\n")]);
    let harness = home.window(Screen::Switch, english(), SMALL);
    assert!(drawn(&harness).iter().any(|text| text == "openai/o9 · not watched"), "{:?}", drawn(&harness));
    assert!(drawn(&harness).iter().any(|text| text == "gpt-5.6-sol"));
}

#[test]
fn the_boards_button_names_the_only_tool_or_the_remembered_one() {
    let mut home = Home::new(&[(".codex/config.toml", CODEX), (".config/opencode/opencode.json", OPENCODE)]);
    let mut harness = home.window(Screen::Board, english(), SMALL);
    home.press(&mut harness, "Use in…: gpt-6-luna");
    home.press(&mut harness, "Codex");
    home.press(&mut harness, "Write");
    assert!(home.config().contains("gpt-6-luna"));
    assert_eq!(harness.state().window.state.screen, Screen::Board);
    home.press(&mut harness, "Use in Codex: gpt-5.6-sol");
    home.key(&mut harness, Modifiers::NONE, Key::Escape);
    home.press(&mut harness, "Undo");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(home.config(), CODEX, "the toast's Undo leads to the diff that takes it back");
}

#[test]
fn a_toast_goes_when_another_hand_has_written_since() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    home.press(&mut harness, "Write");
    home.look(&mut harness);
    harness.get_by_label("Codex uses gpt-6-luna in new sessions");
    // As a terminal does.
    home.walk(Direction::Undo);
    home.look(&mut harness);
    assert!(harness.query_by_label("Codex uses gpt-6-luna in new sessions").is_none());
    home.key(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    home.press(&mut harness, "Write");
    harness.get_by_label("Codex is at gpt-6-luna again");
    home.look(&mut harness);
    harness.get_by_label("Codex is at gpt-6-luna again");
    home.key(&mut harness, Modifiers::COMMAND, Key::Z);
    home.press(&mut harness, "Write");
    home.look(&mut harness);
    harness.get_by_label("Codex is back at gpt-5.6-sol");
    home.walk(Direction::Redo);
    home.look(&mut harness);
    assert!(harness.query_by_label("Codex is back at gpt-5.6-sol").is_none());
}

#[test]
fn beside_an_open_detail_each_row_keeps_its_button_and_a_model_that_no_tool_reaches_says_why() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Board, english(), SMALL);
    let reason = "Codex would ask";
    assert!(!drawn(&harness).iter().any(|text| text.starts_with(reason)), "on hover only");
    harness.state_mut().window.state.selected = Some("anthropic/claude-sonnet-5".into());
    harness.run();
    assert!(drawn(&harness).iter().any(|text| text == "no tool"), "{:?}", drawn(&harness));
    let said = drawn(&harness).into_iter().filter(|text| text.starts_with(reason) || text.starts_with("Codex has"));
    assert_eq!(said.count(), 1, "{:?}", drawn(&harness));
    let luna = harness.get_by_role_and_label(Role::Button, "Use in Codex: gpt-6-luna").rect();
    assert!(luna.width() <= 68.0 && luna.right() < 640.0, "the short one: {luna:?}");
    home.press(&mut harness, "Use in Codex: gpt-6-luna");
    harness.get_by_label("+ model = 'gpt-6-luna' # mine");
}

#[test]
fn the_selected_model_is_used_and_the_palette_knows_it_too() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Board, english(), LARGE);
    harness.state_mut().window.state.selected = Some("codex-plan/gpt-6-luna".into());
    home.key(&mut harness, Modifiers::COMMAND, Key::Enter);
    harness.get_by_label("+ model = 'gpt-6-luna' # mine");
    home.key(&mut harness, Modifiers::NONE, Key::Escape);
    home.key(&mut harness, Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::TextInput).type_text("use luna codex");
    harness.run();
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    harness.get_by_label("+ model = 'gpt-6-luna' # mine");
}

#[test]
fn activity_offers_nothing_that_is_so_already() {
    let subject = Subject::AskSwitch {
        tool: "codex".into(),
        from: "codex-plan/gpt-5.6-sol".into(),
        to: "codex-plan/gpt-6-luna".into(),
        why: Why::Away { kind: Kind::AtCapacity },
    };
    let target: TargetId = "codex-plan/gpt-6-luna".into();
    let offers = vec![Offer::Use { tool: Some("codex".into()), target }];
    let at = now() - SignedDuration::from_mins(3);
    let notice = Notice { id: NoticeId(77), at, subject, offers, replaces: None };
    let mut shown = afternoon();
    shown.activity = Arc::new([Activity { at, event: ActivityEvent::Notice(notice) }]);
    let mut home = Home::codex();
    let mut harness = home.window_on(shown, Screen::Activity, english(), Theme::Dark, SMALL);
    let button = |harness: &Harness<'_, Bench>| {
        let mut buttons = harness.query_all_by_role(Role::Button).filter_map(|node| node.accesskit_node().label());
        buttons.any(|label| label.contains("gpt-6-luna") && label.contains(": "))
    };
    assert!(button(&harness), "Codex uses sol: luna may be used instead");
    fs::write(home.path(".codex/config.toml"), CODEX.replace("gpt-5.6-sol", "gpt-6-luna")).unwrap();
    let looked = harness.state_mut().window.focused();
    assert_eq!(looked, Some(Job::Switching(Ask::Look)));
    harness.state_mut().asks.push(Ask::Look);
    home.serve(&mut harness);
    assert!(!button(&harness), "it was changed by hand meanwhile");
    harness.get_by_label_contains(": already in use");
}

#[test]
fn a_trusted_tool_is_written_at_once_and_its_undo_too() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), LARGE);
    harness.get_by_role_and_label(Role::CheckBox, "Show the diff before writing").click();
    harness.run();
    home.serve(&mut harness);
    assert!(!home.settings().switch_rules["codex"].asks);
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    assert_eq!(home.config(), CODEX.replace("gpt-5.6-sol", "gpt-6-luna"));
    home.press(&mut harness, "Undo");
    assert_eq!(home.config(), CODEX);
}

#[test]
fn a_rule_is_switched_on_where_it_is_explained() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    home.press(&mut harness, "Switching by itself: Off");
    assert!(harness.query_by_label_contains("Vacancy will change the model in the settings of Codex").is_some());
    assert!(!home.settings().switch_rules.contains_key("codex"), "nothing is on yet");
    home.press(&mut harness, "By itself");
    let rule = home.settings().switch_rules["codex"].rule;
    assert_eq!((rule.failover, rule.back), (Mode::Auto, Mode::Auto));
    assert!(harness.query_by_label("Switching by itself: By itself").is_some());
    assert!(harness.query_by_label_contains("It goes back by itself.").is_some());
}

#[test]
fn a_value_that_somebody_changed_is_shown_three_times_and_not_overwritten() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    let theirs = home.config().replace("gpt-6-luna", "gpt-7");
    fs::write(home.path(".codex/config.toml"), &theirs).unwrap();
    home.key(&mut harness, Modifiers::COMMAND, Key::Z);
    for words in ["gpt-6-luna", "gpt-7", "gpt-5.6-sol"] {
        assert!(harness.query_all_by_label_contains(words).count() > 0, "{words}");
    }
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(home.config(), theirs, "Enter overwrites nothing");
    home.press(&mut harness, "Overwrite…");
    home.press(&mut harness, "Write");
    assert_eq!(home.config(), CODEX);
}

#[test]
fn everywhere_names_the_tools_that_it_leaves_out() {
    let claude = "{ \"model\": \"claude-sonnet-5\" }\n";
    let files = [
        (".codex/config.toml", CODEX),
        (".config/opencode/opencode.json", OPENCODE),
        (".claude/settings.json", claude),
    ];
    let mut home = Home::new(&files);
    let mut harness = home.window(Screen::Switch, english(), LARGE);
    home.press(&mut harness, "Use everywhere…");
    harness.get_by_label_contains("gpt-6-luna · Free since").click();
    harness.run();
    home.serve(&mut harness);
    harness.get_by_label("Left out");
    harness.get_by_label_contains("Claude Code has no provider at 127.0.0.1");
    home.press(&mut harness, "Write all");
    assert!(home.config().contains("gpt-6-luna"), "{:?}", drawn(&harness));
    let opencode = fs::read_to_string(home.path(".config/opencode/opencode.json")).unwrap();
    assert_eq!(opencode, OPENCODE.replacen("plan/gpt-5.6-sol", "plan/gpt-6-luna", 1));
    assert_eq!(fs::read_to_string(home.path(".claude/settings.json")).unwrap(), claude);
    harness.get_by_label("2 tools are switched");
}

const ATLAS: &str = "{\n  // ours\n  \"model\": \"plan/gpt-5.6-sol\"\n}\n";

/// A home whose project names a model for opencode.
pub fn with_project(tr: Tr) -> Home {
    let files = [
        (".codex/config.toml", CODEX),
        (".config/opencode/opencode.json", &OPENCODE.replace("plan/gpt-5.6-sol", "plan/gpt-6-luna")),
        ("code/atlas/opencode.json", ATLAS),
        ("code/free/README.md", ""),
    ];
    Home::speaking(&files, tr)
}

#[test]
fn a_projects_own_model_is_found_switched_and_taken_back() {
    let mut home = with_project(english());
    let atlas = |home: &Home| fs::read_to_string(home.path("code/atlas/opencode.json")).unwrap();
    let mut harness = home.window(Screen::Switch, english(), LARGE);
    harness.get_by_role_and_label(Role::TextInput, "Folder").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Folder").type_text("~/code");
    harness.run();
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(home.settings().projects, ["~/code"]);
    harness.get_by_label("opencode in ~/code/atlas: plan/gpt-5.6-sol");
    harness.get_by_label_contains("counts there in place of your plan/gpt-6-luna");
    home.press(&mut harness, "Switch opencode in ~/code/atlas");
    harness.get_by_label_contains("gpt-6-luna · Free since").click();
    harness.run();
    home.serve(&mut harness);
    harness.get_by_label("+   \"model\": \"plan/gpt-6-luna\"");
    assert_eq!(atlas(&home), ATLAS, "a diff writes nothing");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(atlas(&home), ATLAS.replace("gpt-5.6-sol", "gpt-6-luna"));
    harness.get_by_label("opencode is set to plan/gpt-6-luna in ~/code/atlas");
    harness.get_by_label_contains("names the same as your own setting");
    harness.get_by_role_and_label(Role::Button, "Undo opencode in ~/code/atlas: plan/gpt-5.6-sol → plan/gpt-6-luna");
    home.key(&mut harness, Modifiers::COMMAND, Key::Z);
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(atlas(&home), ATLAS);
    home.press(&mut harness, "Leave out ~/code");
    assert!(home.settings().projects.is_empty());
    assert_eq!(atlas(&home), ATLAS, "leaving it out changes nothing in it");
}

#[test]
fn everywhere_leaves_projects_out_unless_they_are_ticked() {
    let atlas = |home: &Home| fs::read_to_string(home.path("code/atlas/opencode.json")).unwrap();
    for ticks in [false, true] {
        let mut home = with_project(english());
        let mut harness = home.window(Screen::Switch, english(), LARGE);
        harness.state_mut().asks.push(Ask::Projects("~/code".into(), true));
        home.serve(&mut harness);
        home.press(&mut harness, "Use everywhere…");
        harness.get_by_label_contains("gpt-6-luna · Free since").click();
        harness.run();
        home.serve(&mut harness);
        let tick = harness.get_by_role_and_label(Role::CheckBox, "Also switch opencode in ~/code/atlas");
        if ticks {
            tick.click();
            harness.run();
        }
        home.key(&mut harness, Modifiers::NONE, Key::Enter);
        assert!(home.config().contains("gpt-6-luna"), "the user's own setting is switched in any case");
        assert_eq!(atlas(&home) == ATLAS.replace("gpt-5.6-sol", "gpt-6-luna"), ticks);
        assert_eq!(atlas(&home) == ATLAS, !ticks);
    }
}

#[test]
fn a_folder_that_is_none_is_refused_with_the_reason() {
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    for (typed, said) in [("code", "from the root"), ("~/nowhere", "no folder ~/nowhere")] {
        harness.state_mut().asks.push(Ask::Projects(typed.into(), true));
        home.serve(&mut harness);
        harness.get_by_label_contains(said);
    }
    assert!(home.settings().projects.is_empty());
}

#[test]
fn the_first_answer_in_the_tools_log_confirms_a_switch_and_a_value_written_back_is_said() {
    for (kind, scope, words) in [
        (Kind::Available, Scope::Model, "seen working 14:29"),
        (Kind::AtCapacity, Scope::Model, "first answer 14:29: At capacity"),
    ] {
        let mut home = Home::codex();
        let mut harness = home.window(Screen::Switch, english(), LARGE);
        home.press(&mut harness, "Use gpt-6-luna in Codex");
        home.key(&mut harness, Modifiers::NONE, Key::Enter);
        harness.get_by_label("no answer seen yet");
        let mut answered = afternoon();
        let board = Arc::make_mut(&mut answered.board);
        let target = "codex-plan/gpt-6-luna";
        let entry = board.entries.iter_mut().find(|entry| entry.target.id.as_str() == target).unwrap();
        for (minutes, kind, source) in
            [(-3, Kind::Timeout, Source::ToolLog), (1, Kind::Timeout, Source::Probe), (2, kind, Source::ToolLog)]
        {
            let sample = Sample {
                at: now() + SignedDuration::from_mins(minutes),
                kind,
                scope,
                source,
                ..entry.recent[0].clone()
            };
            entry.recent.push_front(sample);
        }
        harness.state_mut().window.show(answered);
        harness.run();
        home.serve(&mut harness);
        harness.get_by_label(words);
    }
    let mut home = Home::codex();
    let mut harness = home.window(Screen::Switch, english(), LARGE);
    home.press(&mut harness, "Use gpt-6-luna in Codex");
    home.key(&mut harness, Modifiers::NONE, Key::Enter);
    fs::write(home.path(".codex/config.toml"), CODEX).unwrap();
    home.press(&mut harness, "Look again");
    harness.get_by_label("14:27 the tool wrote the old value back");
}

#[test]
fn without_tools_the_places_are_named_and_a_broken_file_says_where() {
    let mut home = Home::new(&[]);
    let harness = home.window(Screen::Switch, english(), LARGE);
    harness.get_by_label_contains("~/.codex");
    let mut home = Home::new(&[(".codex/config.toml", "model = 'a'\nmodel = 'b'\n")]);
    let harness = home.window(Screen::Switch, english(), LARGE);
    harness.get_by_label_contains("line 2");
    assert!(harness.query_by_role_and_label(Role::Button, "Use gpt-6-luna in Codex").is_none());
}

#[test]
fn every_word_of_it_comes_from_the_catalogue_and_fits() {
    let files = [(".codex/config.toml", CODEX), (".config/opencode/opencode.json", OPENCODE)];
    let data = [
        "gpt-",
        "codex-plan",
        "plan/",
        "There is nothing to undo",
        "anthropic",
        "claude-",
        "Codex",
        "opencode",
        "~/",
        "+ ",
        "- ",
        "  ",
        "Ctrl+",
        "F1",
        "Esc",
        "!",
    ];
    for size in [SMALL, LARGE] {
        for opens in [false, true] {
            let mut home = Home::new(&files);
            let mut harness = home.window(Screen::Switch, Tr::pseudo(), size);
            if opens {
                home.key(&mut harness, Modifiers::COMMAND, Key::Z);
            }
            for text in drawn(&harness) {
                let is_data = data.iter().any(|data| text.starts_with(data));
                let is_worded = text.contains('[') && text.contains(']');
                assert!(!text.chars().any(char::is_alphabetic) || is_data || is_worded, "{text}");
            }
            for clipped in &harness.output().shapes {
                if let egui::Shape::Text(text) = &clipped.shape {
                    let rect = text.visual_bounding_rect().intersect(clipped.clip_rect);
                    assert!(rect.right() <= size[0] + 0.5, "{:?} ends at {}", text.galley.text(), rect.right());
                }
            }
        }
    }
}

#[test]
fn it_looks_like_this() {
    let files = [(".codex/config.toml", CODEX), (".config/opencode/opencode.json", OPENCODE)];
    let mut results = SnapshotResults::new();
    for (theme, tr, use_it, name) in [
        (Theme::Dark, english(), "Use gpt-6-luna in Codex", "dark"),
        (Theme::Light, chinese(), "在 Codex 中使用 gpt-6-luna", "light-zh"),
    ] {
        let mut home = Home::new(&files);
        let mut harness = home.window_on(afternoon(), Screen::Switch, tr, theme, SMALL);
        harness.snapshot(format!("screen-switch-{name}"));
        home.press(&mut harness, use_it);
        harness.snapshot(format!("screen-switch-diff-{name}"));
        results.extend_harness(&mut harness);
    }
    let mut home = Home::new(&files);
    let mut harness = home.window(Screen::Switch, english(), SMALL);
    home.press(&mut harness, "Use everywhere…");
    harness.get_by_label_contains("gpt-6-luna · Free since").click();
    harness.run();
    home.serve(&mut harness);
    harness.snapshot("screen-switch-everywhere");
    results.extend_harness(&mut harness);
    // The Enter key of the field is pressed elsewhere: here is what it leads to.
    let mut home = with_project(english());
    let mut harness = home.window_on(afternoon(), Screen::Switch, chinese(), Theme::Light, LARGE);
    harness.state_mut().asks.push(Ask::Projects("~/code".into(), true));
    home.serve(&mut harness);
    harness.snapshot("screen-switch-projects-light-zh");
    results.extend_harness(&mut harness);
    results.unwrap();
}

#[test]
fn switches_and_undos_are_listed_whoever_made_them() {
    let mut home = Home::codex();
    let mut harness = home.window_on(afternoon(), Screen::Activity, english(), Theme::Dark, LARGE);
    harness.get_by_label("13 events");
    // As a terminal does: the window is told of nothing but the files.
    let seat = harness.state().window.switching().seen.as_ref().unwrap().tools[0].seat.clone();
    for what in [What::Use(seat, "codex-plan/gpt-6-luna".into()), What::last(Direction::Undo)] {
        let Some(Told::Offered(offer)) = home.worker.answer(Ask::Plan(what)).pop() else { panic!("no offer") };
        home.worker.answer(Ask::Write(offer.serial, BTreeSet::new()));
    }
    assert_eq!(home.config(), CODEX);
    harness.state_mut().asks.push(Ask::Changed);
    home.serve(&mut harness);
    harness.get_by_label("15 events");
    harness.get_by_role_and_label(Role::Button, "Switches").click();
    harness.run();
    harness.get_by_label("2 of 15 events");
    harness.get_by_label_contains("Codex switched: gpt-5.6-sol → gpt-6-luna");
    harness.get_by_label_contains("Codex, undone: gpt-6-luna → gpt-5.6-sol");
    harness.state_mut().window.state.screen = Screen::Board;
    harness.run();
    harness.get_by_label_contains("Codex, undone");
}
