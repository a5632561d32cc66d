//! Every screen, dialog, menu, banner and toast of the window, with data, without, and in trouble.

use std::any::Any;
use std::sync::Arc;

use egui::accesskit::{HasPopup, Role};
use egui::{Context, Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};
use vacancy::engine::snapshot::Snapshot;
use vacancy::i18n::Tr;
use vacancy::settings::discovery::Found;
use vacancy::switch::undo::Direction;
use vacancy::toolprobe::Program;
use vacancy::ui::backfill::{Backfill, Scope};
use vacancy::ui::command::Command;
use vacancy::ui::history::Told;
use vacancy::ui::screens::settings::about::About;
use vacancy::ui::screens::settings::editor::Task;
use vacancy::ui::screens::settings::fields::Section;
use vacancy::ui::screens::settings::question::{Belonging, Copy, Holds, Part, Question};
use vacancy::ui::settings::{self, Conflict, How, Told as SettingsTold, Wish};
use vacancy::ui::sheets::{self, View};
use vacancy::ui::state::{Overlay, Screen};
use vacancy::ui::switching::{self, What};
use vacancy::ui::tools::Asking;
use vacancy::ui::window::{Event, Job};

use crate::screens::pictures::{aged, offers};
use crate::screens::stage::{Bench, afternoon, found, many, nothing, noticed, now, offline, plans};
use crate::screens::{glance, history, settings as settings_home, sheets as sheets_bench, switching as tools};

/// Smallest window.
pub const SMALL: [f32; 2] = [1000.0, 640.0];
/// Usual window.
pub const LARGE: [f32; 2] = [1440.0, 900.0];

const SOL: &str = "codex-plan/gpt-5.6-sol";

/// How a scene is drawn.
#[derive(Clone)]
pub struct Setting {
    pub tr: Tr,
    pub theme: Theme,
    /// In physical points: with zoom, less is seen of it.
    pub size: [f32; 2],
    /// In percent.
    pub zoom: i32,
}

impl Setting {
    /// The smallest window at 100 %.
    pub fn new(tr: Tr) -> Self {
        Self { tr, theme: Theme::Dark, size: SMALL, zoom: 100 }
    }
}

/// A window with a scene in it.
pub struct Scene {
    pub name: &'static str,
    pub harness: Harness<'static, Bench>,
    /// Files that the scene stands on.
    _kept: Box<dyn Any>,
}

type Make = fn(&Setting) -> (Harness<'static, Bench>, Box<dyn Any>);

/// Draws every scene and hands it on, one at a time.
pub fn each(setting: &Setting, mut visit: impl FnMut(&mut Scene)) {
    for (name, _) in ALL {
        visit(&mut one(name, setting));
    }
}

/// Draws the scene of this name.
pub fn one(name: &'static str, setting: &Setting) -> Scene {
    let (_, make) = ALL.iter().find(|(other, _)| *other == name).unwrap();
    let (mut harness, kept) = make(setting);
    harness.ctx.set_zoom_factor(setting.zoom as f32 / 100.0);
    harness.run();
    Scene { name, harness, _kept: kept }
}

/// Every scene by name.
const ALL: &[(&str, Make)] = &[
    ("board", |at| tooled(at, Screen::Board, |_, _| {})),
    ("board, empty", |at| plain(at, nothing(), Screen::Board, |_| {})),
    ("board, offline", |at| plain(at, offline(), Screen::Board, |_| {})),
    ("board, old", |at| plain(at, aged(1), Screen::Board, |bench| select(bench, "codex-plan/gpt-6-luna"))),
    ("board, many", |at| plain(at, many(), Screen::Board, |_| {})),
    ("board, detail", |at| {
        plain(at, afternoon(), Screen::Board, |bench| {
            select(bench, SOL);
            bench.window.state.is_explained = true;
        })
    }),
    ("board, plans", |at| plain(at, plans(), Screen::Board, |bench| select(bench, "codex/gpt-6-luna"))),
    ("board, menu of tools", |at| {
        tooled(at, Screen::Board, |harness, at| {
            let label = at.tr.text("switching-use-menu");
            let name = at.tr.with("switching-button", &vacancy::args!("label" => label, "model" => "gpt-6-luna"));
            harness.get_all_by_role_and_label(Role::Button, &name).next().unwrap().click();
        })
    }),
    ("board, logs being read", |at| {
        plain(at, afternoon(), Screen::Board, |bench| {
            let going = Backfill::Going {
                files: 12,
                files_total: 1_312,
                bytes: 45_000_000,
                bytes_total: 3_210_000_000,
                observations: 2_048,
                is_paused: false,
            };
            bench.window.hear(Event::Backfill(going), &Context::default());
        })
    }),
    ("board, toasts", |at| {
        plain(at, afternoon(), Screen::Board, |bench| {
            bench.window.hear(Event::Backfill(Backfill::Done { observations: 3 }), &Context::default());
            bench.window.hear(Event::Curl(None), &Context::default());
        })
    }),
    ("activity", |at| plain(at, noticed(), Screen::Activity, |_| {})),
    ("activity, menu of do not disturb", |at| {
        let (mut harness, kept) = plain(at, noticed(), Screen::Activity, |_| {});
        let menus = harness.get_all_by_role(Role::Button);
        menus.into_iter().find(|node| node.accesskit_node().has_popup() == Some(HasPopup::Menu)).unwrap().click();
        harness.run();
        (harness, kept)
    }),
    ("activity, empty", |at| plain(at, nothing(), Screen::Activity, |_| {})),
    ("activity, nothing found", |at| {
        plain(at, afternoon(), Screen::Activity, |bench| bench.window.state.filter = "no such".to_owned())
    }),
    ("heatmap", |at| sheet(at, Screen::Heatmap, 42, View::Week, false)),
    ("heatmap, hours", |at| sheet(at, Screen::Heatmap, 42, View::Hours, false)),
    ("heatmap, days", |at| sheet(at, Screen::Heatmap, 42, View::Days, false)),
    ("heatmap, table", |at| sheet(at, Screen::Heatmap, 42, View::Week, true)),
    ("heatmap, hours as table", |at| sheet(at, Screen::Heatmap, 42, View::Hours, true)),
    ("heatmap, two days", |at| sheet(at, Screen::Heatmap, 2, View::Week, false)),
    ("heatmap, empty", |at| sheet_told(at, Screen::Heatmap, None)),
    ("heatmap, trouble", |at| sheet_told(at, Screen::Heatmap, Some("disk I/O error"))),
    ("sheet", |at| sheet(at, Screen::Sheet, 42, View::Week, false)),
    ("sheet, two days", |at| sheet(at, Screen::Sheet, 2, View::Week, false)),
    ("sheet, empty", |at| sheet_told(at, Screen::Sheet, None)),
    ("history", |at| past(at, 9, |_| {})),
    ("history, table", |at| past(at, 9, |bench| bench.window.state.history.is_table = true)),
    ("history, empty", |at| past(at, 0, |_| {})),
    ("history, reading", |at| plain(at, afternoon(), Screen::History, |_| {})),
    ("history, trouble", |at| {
        plain(at, afternoon(), Screen::History, |bench| {
            let told = Told::Trouble("disk I/O error".to_owned());
            bench.window.hear(Event::History(told), &Context::default());
        })
    }),
    ("switch", |at| tooled(at, Screen::Switch, |_, _| {})),
    ("switch, no tools", |at| tooled_with(at, &[], Screen::Switch, |_, _| {})),
    ("switch, broken file", |at| {
        tooled_with(at, &[(".codex/config.toml", "model = 'a'\nmodel = 'b'\n")], Screen::Switch, |_, _| {})
    }),
    ("switch, reading", |at| plain(at, afternoon(), Screen::Switch, |_| {})),
    ("switch, menu of the rule", |at| {
        tooled(at, Screen::Switch, |harness, at| {
            let name = at.tr.with("rule-menu", &vacancy::args!("mode" => at.tr.text("rule-mode-off")));
            harness.get_by_role_and_label(Role::Button, &name).click();
        })
    }),
    ("switch, menu of models", |at| {
        tooled(at, Screen::Switch, |harness, at| {
            harness.get_by_role_and_label(Role::Button, &at.tr.text("switching-everywhere")).click();
        })
    }),
    ("switch, diff", |at| {
        tooled(at, Screen::Switch, |harness, at| {
            let args = vacancy::args!("model" => "gpt-6-luna", "tool" => "Codex");
            harness.get_by_role_and_label(Role::Button, &at.tr.with("switching-use-model", &args)).click();
        })
    }),
    ("switch, everywhere", |at| plan(at, What::Everywhere("codex-plan/gpt-6-luna".into()))),
    ("switch, projects", |at| projects(at, |_, _| {})),
    ("switch, menu of a project", |at| {
        projects(at, |harness, _| {
            // The project's name is in every language's words.
            let is_it = |node: &AccessKitNode<'_>| {
                node.has_popup() == Some(HasPopup::Menu)
                    && node.label().is_some_and(|name| name.contains("~/code/atlas"))
            };
            let buttons = harness.get_all_by_role(Role::Button);
            buttons.into_iter().find(|node| is_it(&node.accesskit_node())).unwrap().click();
        })
    }),
    ("switch, everywhere and projects", |at| {
        projects(at, |harness, home| ask(harness, home, What::Everywhere("codex-plan/gpt-6-luna".into())))
    }),
    ("switch, nothing to undo", |at| plan(at, What::last(Direction::Undo))),
    ("welcome", |at| {
        plain(at, nothing(), Screen::Welcome, |bench| {
            find(bench, found());
            let scope = Scope { tools: vec!["codex".into()], files: 1_312, bytes: 3_210_000_000 };
            bench.window.hear(Event::Scope(scope), &Context::default());
        })
    }),
    ("welcome, looking", |at| plain(at, nothing(), Screen::Welcome, |_| {})),
    ("welcome, nothing found", |at| plain(at, nothing(), Screen::Welcome, |bench| find(bench, Found::default()))),
    ("settings, providers", |at| section(at, Section::Providers, |_| {})),
    ("settings, chains", |at| section(at, Section::Chains, |_| {})),
    ("settings, schedule", |at| section(at, Section::Schedule, |_| {})),
    ("settings, notices", |at| section(at, Section::Notices, |_| {})),
    ("settings, background", |at| section(at, Section::Background, |_| {})),
    ("settings, others", |at| section(at, Section::Others, |_| {})),
    ("settings, general", |at| section(at, Section::General, |_| {})),
    ("settings, data", |at| section(at, Section::Data, |_| {})),
    ("settings, loading", |at| plain(at, afternoon(), Screen::Settings, |_| {})),
    ("settings, mistakes", |at| configured(at, "[ui]\nthema = \"dark\"\n", Section::General, |_| {})),
    ("settings, new provider", |at| task(at, Task::AddProvider)),
    ("settings, new model", |at| task(at, Task::AddTarget("relay".into()))),
    ("settings, model", |at| task(at, Task::EditTarget("mini".into()))),
    ("settings, new name", |at| task(at, Task::RenameTarget("mini".into()))),
    ("settings, removal", |at| task(at, Task::RemoveProvider("relay".into()))),
    ("settings, provider", |at| task(at, Task::EditProvider("relay".into()))),
    ("settings, new chain", |at| task(at, Task::AddChain)),
    ("settings, rule", |at| task(at, Task::EditRule("codex"))),
    ("settings, hook", |at| task(at, Task::Hook)),
    ("settings, webhook", |at| task(at, Task::Webhook)),
    ("settings, list of presets", |at| {
        let (mut harness, kept) = task(at, Task::AddProvider);
        let label = at.tr.text("settings-screen-in-preset");
        harness.get_by_role_and_label(Role::ComboBox, &label).click();
        harness.run();
        (harness, kept)
    }),
    ("settings, menu of a provider", |at| {
        section(at, Section::Providers, |harness| {
            let named = at.tr.with("settings-screen-more-of", &vacancy::args!("name" => "relay"));
            harness.get_by_role_and_label(Role::Button, &named).click();
        })
    }),
    ("settings, found", |at| {
        section(at, Section::Providers, |harness| {
            // The key of the file is a word that is found in every language.
            harness.get_by_role_and_label(Role::TextInput, &at.tr.text("settings-screen-search")).type_text("every");
        })
    }),
    ("settings, restore", |at| asked(at, Question::restore(), Some(copies()))),
    ("settings, restore, looking", |at| asked(at, Question::restore(), None)),
    ("settings, restore, nothing there", |at| asked(at, Question::restore(), Some(SettingsTold::Copies(Vec::new())))),
    ("settings, deletion", |at| asked(at, Question::erase(), Some(belongings()))),
    ("settings, conflict", |at| {
        section(at, Section::General, |harness| {
            let seen = harness.state().window.settings().seen.clone().unwrap();
            let about = About::Order("main".to_owned());
            let wish = Wish { about, how: How::Amend(Vec::new()) };
            let diff = "--- a\n+++ b\n@@ -1 +1 @@\n-theme = \"dark\"\n+theme = \"light\"\n".to_owned();
            let told = Event::Settings(SettingsTold::Conflict(seen, Conflict { wish, diff, thirds: Vec::new() }));
            harness.state_mut().window.hear(told, &Context::default());
        })
    }),
    ("keys", |at| over(at, Overlay::Keys)),
    ("palette", |at| over(at, Overlay::Palette { query: String::new(), index: 0 })),
    ("palette, nothing found", |at| over(at, Overlay::Palette { query: "zzzz".to_owned(), index: 0 })),
    ("closing", |at| over(at, Overlay::Closing { is_kept: true })),
    ("tools", |at| {
        plain(at, plans(), Screen::Board, |bench| {
            bench.window.hear(Event::Tools(offers()), &Context::default());
            let asking = Some(Asking::Always(Program::Codex));
            bench.window.state.overlay = Some(Overlay::Tools { asking });
        })
    }),
];

fn select(bench: &mut Bench, target: &str) {
    bench.window.state.selected = Some(target.into());
}

fn find(bench: &mut Bench, found: Found) {
    bench.window.hear(Event::Found(Box::new(found)), &Context::default());
}

type Drawn = (Harness<'static, Bench>, Box<dyn Any>);

fn drawn(bench: Bench, at: &Setting) -> Harness<'static, Bench> {
    bench.harness(at.theme, at.size)
}

fn plain(at: &Setting, snapshot: Snapshot, screen: Screen, prepare: impl FnOnce(&mut Bench)) -> Drawn {
    let mut bench = Bench::new(snapshot, at.tr.clone()).on(screen);
    prepare(&mut bench);
    (drawn(bench, at), Box::new(()))
}

fn over(at: &Setting, overlay: Overlay) -> Drawn {
    plain(at, afternoon(), Screen::Board, |bench| bench.window.state.overlay = Some(overlay))
}

/// The window on a home with two tools.
fn tooled(at: &Setting, screen: Screen, act: impl FnOnce(&mut Harness<'static, Bench>, &Setting)) -> Drawn {
    let files = [(".codex/config.toml", tools::CODEX), (".config/opencode/opencode.json", tools::OPENCODE)];
    tooled_with(at, &files, screen, act)
}

fn tooled_with(
    at: &Setting,
    files: &[(&str, &str)],
    screen: Screen,
    act: impl FnOnce(&mut Harness<'static, Bench>, &Setting),
) -> Drawn {
    let mut home = tools::Home::speaking(files, at.tr.clone());
    let mut harness = home.window_on(afternoon(), screen, at.tr.clone(), at.theme, at.size);
    act(&mut harness, at);
    harness.run();
    home.serve(&mut harness);
    (harness, Box::new(home))
}

fn plan(at: &Setting, what: What) -> Drawn {
    tooled(at, Screen::Switch, |harness, _| {
        let ctx = harness.ctx.clone();
        let command = Command::Switching(switching::Act::Plan(what));
        if let Some(Job::Switching(ask)) = harness.state_mut().window.carry_out(command, &ctx) {
            harness.state_mut().asks.push(ask);
        }
    })
}

fn sheet(at: &Setting, screen: Screen, days: i64, view: View, is_table: bool) -> Drawn {
    let mut bench = sheets_bench::bench(days, screen, at.tr.clone());
    bench.window.state.sheets.view = view;
    bench.window.state.sheets.is_table = is_table;
    (drawn(bench, at), Box::new(()))
}

fn sheet_told(at: &Setting, screen: Screen, trouble: Option<&str>) -> Drawn {
    let snapshot = if trouble.is_some() { afternoon() } else { nothing() };
    plain(at, snapshot, screen, |bench| {
        let told = match trouble {
            Some(words) => sheets::Told::Trouble(words.to_owned()),
            None => sheets::Told::Answer(Arc::new(sheets::Answer::empty(sheets_bench::ask()))),
        };
        bench.window.hear(Event::Sheets(told), &Context::default());
    })
}

fn past(at: &Setting, days: i64, prepare: impl FnOnce(&mut Bench)) -> Drawn {
    let record = history::Record::of_days(days);
    let snapshot = if days == 0 { nothing() } else { afternoon() };
    let (mut harness, _) = plain(at, snapshot, Screen::History, prepare);
    history::answered(&mut harness, &record);
    (harness, Box::new(record))
}

/// A question about the record, with what there is.
fn asked(at: &Setting, question: Question, told: Option<SettingsTold>) -> Drawn {
    section(at, Section::Data, |harness| {
        let ctx = harness.ctx.clone();
        let command = Command::Settings(settings::Act::Ask(question));
        assert!(harness.state_mut().window.carry_out(command, &ctx).is_some());
        if let Some(told) = told {
            harness.state_mut().window.hear(Event::Settings(told), &ctx);
        }
    })
}

/// More backups than are in view, one of them damaged.
fn copies() -> SettingsTold {
    let copy = |n: i64| Copy {
        path: format!("/home/me/.local/share/vacancy/backups/{n:02}.sqlite").into(),
        is_set_aside: n == 1,
        made_at: now().checked_sub(jiff::SignedDuration::from_hours(24 * n)).ok(),
        bytes: 45_000_000,
        holds: match n {
            2 => Err("/home/me/.local/share/vacancy/backups/02.sqlite".to_owned()),
            _ => Ok(Holds {
                targets: 6,
                samples: 123_456,
                span: Some((now() - jiff::SignedDuration::from_hours(900), now())),
            }),
        },
    };
    SettingsTold::Copies((1..=12).map(copy).collect())
}

fn belongings() -> SettingsTold {
    let one = |part, name: &str| Belonging {
        part,
        path: format!("/home/me/.local/share/vacancy/{name}").into(),
        bytes: 45_000_000,
    };
    SettingsTold::Belongings(vec![
        one(Part::Record, "vacancy.sqlite"),
        one(Part::Record, "switches.jsonl"),
        one(Part::Backups, "backups/vacancy-20261128T000000Z.sqlite"),
        one(Part::Settings, "vacancy.toml"),
    ])
}

/// The window on a home with a project that names a model of its own.
fn projects(at: &Setting, act: impl FnOnce(&mut Harness<'static, Bench>, &mut tools::Home)) -> Drawn {
    let mut home = tools::with_project(at.tr.clone());
    let mut harness = home.window_on(afternoon(), Screen::Switch, at.tr.clone(), at.theme, at.size);
    harness.state_mut().asks.push(switching::Ask::Projects("~/code".into(), true));
    home.serve(&mut harness);
    act(&mut harness, &mut home);
    harness.run();
    home.serve(&mut harness);
    (harness, Box::new(home))
}

fn ask(harness: &mut Harness<'static, Bench>, home: &mut tools::Home, what: What) {
    let ctx = harness.ctx.clone();
    let command = Command::Switching(switching::Act::Plan(what));
    if let Some(Job::Switching(ask)) = harness.state_mut().window.carry_out(command, &ctx) {
        harness.state_mut().asks.push(ask);
    }
    home.serve(harness);
}

fn configured(at: &Setting, file: &str, section: Section, prepare: impl FnOnce(&mut Harness<'static, Bench>)) -> Drawn {
    let home = settings_home::Home::speaking(file, at.tr.clone());
    let mut harness = home.harness_in(section, at.tr.clone(), at.theme, at.size);
    prepare(&mut harness);
    harness.run();
    home.settle(&mut harness);
    (harness, Box::new(home))
}

fn section(at: &Setting, section: Section, prepare: impl FnOnce(&mut Harness<'static, Bench>)) -> Drawn {
    configured(at, settings_home::CHAINED, section, prepare)
}

fn task(at: &Setting, task: Task) -> Drawn {
    section(at, Section::Providers, |harness| {
        let ctx = harness.ctx.clone();
        let command = Command::Settings(settings::Act::Open(task));
        assert_eq!(harness.state_mut().window.carry_out(command, &ctx), None);
    })
}

/// Draws the glance with data, without, and as small as it gets.
pub fn glances(tr: &Tr, mut visit: impl FnMut(&'static str, &mut Harness<'static, glance::Glance>)) {
    use vacancy::ui::screens::glance::view;
    for (name, snapshot, size) in [
        ("glance", afternoon(), view::usual(6)),
        ("glance, many", many(), view::SMALLEST),
        ("glance, empty", nothing(), view::SMALLEST),
        ("glance, offline", offline(), view::usual(6)),
    ] {
        let model = glance::model(&snapshot, tr);
        visit(name, &mut glance::harness(model, tr.clone(), Theme::Dark, size, 1.0));
    }
}

/// Presses a key and lets the window settle.
pub fn press(harness: &mut Harness<'_, Bench>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}
