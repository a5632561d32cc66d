//! How the screens answer: by role and label, as a person or a screen reader would find things.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use jiff::SignedDuration;
use std::sync::Arc;
use vacancy::core::alert::Quiet;
use vacancy::core::outcome::Family;
use vacancy::engine::request::Request;
use vacancy::engine::snapshot::{Activity, ActivityEvent};
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::ThemeChoice;
use vacancy::settings::edit::Field;
use vacancy::ui::command::Command;
use vacancy::ui::screens::board::model::provider_name;
use vacancy::ui::settings;
use vacancy::ui::state::{Overlay, Screen};
use vacancy::ui::window::Job;

use super::stage::{Bench, afternoon, chinese, english, found, many, nothing, noticed, offline};

const SMALL: [f32; 2] = [1000.0, 640.0];
const LARGE: [f32; 2] = [1440.0, 900.0];
const SOL: &str = "codex-plan/gpt-5.6-sol";

fn press(harness: &mut Harness<'_, Bench>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}

#[test]
fn probe_now_asks_the_engine_in_both_languages() {
    for (tr, label) in [(english(), "Probe now"), (chinese(), "立即探测")] {
        let mut harness = Bench::new(afternoon(), tr).harness(Theme::Dark, SMALL);
        harness.get_by_role_and_label(Role::Button, label).click();
        harness.run();
        assert_eq!(harness.state().jobs, [Job::Engine(Request::ProbeNow(Vec::new()))]);
    }
}

#[test]
fn the_detail_panel_probes_and_copies_its_target() {
    let mut harness = Bench::new(afternoon(), english()).harness(Theme::Dark, SMALL);
    harness.get_by_label_contains("gpt-5.6-sol, codex-plan, Primary: Full for 22 min").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::Select(SOL.into())]);
    harness.get_by_label_contains("rule openai-server-overloaded");
    harness.get_by_role_and_label(Role::Button, "Probe gpt-5.6-sol now").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Copy as curl").click();
    harness.run();
    let jobs = [Job::Engine(Request::ProbeNow(vec![SOL.into()])), Job::Curl(SOL.into())];
    assert_eq!(harness.state().jobs, jobs);
}

#[test]
fn the_explanation_is_that_of_the_command_line() {
    let mut bench = Bench::new(afternoon(), english());
    bench.window.state.selected = Some(SOL.into());
    let mut harness = bench.harness(Theme::Dark, SMALL);
    harness.get_by_role_and_label(Role::Button, "Explain").click();
    harness.run();
    harness.get_by_label(&english().text("explain-at_capacity-meaning"));
    harness.get_by_label(&english().text("explain-at_capacity-next"));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("What to do").is_none(), "the first Escape closes the explanation");
    assert!(harness.state().window.state.selected.is_some(), "and only that");
}

#[test]
fn the_board_is_walked_by_keys_alone() {
    let mut harness = Bench::new(afternoon(), english()).harness(Theme::Dark, SMALL);
    let selected = |harness: &Harness<'_, Bench>| harness.state().window.state.selected.clone();
    assert_eq!(selected(&harness), None);
    for (key, expected) in [
        (Key::ArrowDown, SOL),
        (Key::ArrowDown, "codex-plan/gpt-6-luna"),
        (Key::ArrowDown, "anthropic/claude-sonnet-5"),
        (Key::ArrowUp, "codex-plan/gpt-6-luna"),
        (Key::End, "lm-studio/llama-4-70b"),
        (Key::ArrowDown, "lm-studio/llama-4-70b"),
        (Key::Home, SOL),
        (Key::ArrowUp, SOL),
    ] {
        press(&mut harness, Modifiers::NONE, key);
        assert_eq!(selected(&harness), Some(expected.into()), "after {key:?}");
    }
    assert!(harness.get_by_label_contains("gpt-5.6-sol, codex-plan, Primary").is_focused());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(selected(&harness), None);
    press(&mut harness, Modifiers::NONE, Key::F5);
    assert_eq!(harness.state().jobs, [Job::Engine(Request::ProbeNow(Vec::new()))]);
}

#[test]
fn models_that_find_no_room_in_what_was_spent_are_counted() {
    let mut snapshot = afternoon();
    let mut board = (*snapshot.board).clone();
    board.entries.iter_mut().for_each(|entry| entry.spent.requests = 3);
    snapshot.board = Arc::new(board);
    let all = snapshot.board.entries.len();
    let mut counted = 0;
    for height in (700..=960).step_by(20) {
        let size = [1440.0, height as f32];
        let harness = Bench::new(snapshot.clone(), english()).on(Screen::Board).harness(Theme::Dark, size);
        let words = drawn(&harness);
        let listed = words.iter().filter(|words| *words == "3 requests").count();
        let more = format!("and {} more", all - listed);
        assert!([0, all].contains(&listed) || words.contains(&more), "{listed} of {all} at {height}: {words:?}");
        counted += usize::from(words.contains(&more));
    }
    assert!(counted > 0, "there is a height at which not all find room");
}

#[test]
fn what_is_under_way_gives_its_place_to_what_came_of_it() {
    let mut harness = Bench::new(noticed(), english()).on(Screen::Activity).harness(Theme::Dark, SMALL);
    harness.get_by_role_and_label(Role::Button, "Send a test notice").click();
    harness.run();
    let sending = "Sending a test notice…";
    let right = |harness: &Harness<'_, Bench>, label: &str| harness.get_by_label(label).rect().left();
    let at = right(&harness, sending);
    let lines = ["Desktop: shown by a service with a name that needs two lines of the corner, no less", "Hook: none"];
    for line in lines {
        let told = vacancy::ui::window::Event::Say(line.to_owned());
        harness.state_mut().window.hear(told, &egui::Context::default());
    }
    harness.run();
    assert!(harness.query_by_label(sending).is_none());
    for line in lines {
        assert_eq!(right(&harness, line), at, "a stack of toasts has straight edges");
    }
    harness.get_all_by_role_and_label(Role::Button, "Close").next().unwrap().click();
    harness.run();
    assert!(harness.query_by_label(lines[0]).is_none() && harness.query_by_label(lines[1]).is_some());
}

#[test]
fn a_headline_cuts_the_name_and_keeps_what_is_said_of_it() {
    let mut snapshot = afternoon();
    let name = "a-model-with-a-name-of-sixty-characters-instruct-preview-2026";
    let board = Arc::make_mut(&mut snapshot.board);
    Arc::make_mut(&mut board.entries[1].target).model = name.into();
    let mut bench = Bench::new(snapshot, english());
    bench.window.state.is_detail_closed = true;
    let harness = bench.harness(Theme::Dark, SMALL);
    harness.get_by_label(&format!("{name} is your first free model"));
    let shown = drawn(&harness);
    // Its end stays too: that is what tells two long names apart.
    let is_cut = |text: &&String| text.contains('…') && text.ends_with("-2026 is your first free model");
    assert!(shown.iter().any(|text| is_cut(&text)), "{shown:?}");
}

#[test]
fn every_shortcut_does_what_the_key_list_says() {
    let mut harness = Bench::new(afternoon(), english()).harness(Theme::Dark, SMALL);
    press(&mut harness, Modifiers::COMMAND, Key::Num2);
    assert_eq!(harness.state().window.state.screen, Screen::RAIL[1]);
    press(&mut harness, Modifiers::COMMAND, Key::Num1);
    assert_eq!(harness.state().window.state.screen, Screen::Board);
    press(&mut harness, Modifiers::COMMAND, Key::P);
    // The second screen asks the record by itself.
    harness.state_mut().jobs.retain(|job| matches!(job, Job::Engine(_)));
    assert_eq!(harness.state().jobs, [Job::Engine(Request::Pause(None))]);
    press(&mut harness, Modifiers::COMMAND, Key::Plus);
    assert_eq!(harness.state().window.state.zoom.percent(), 110);
    press(&mut harness, Modifiers::COMMAND, Key::Num0);
    assert_eq!(harness.state().window.state.zoom.percent(), 100);
    press(&mut harness, Modifiers::NONE, Key::F1);
    assert_eq!(harness.state().window.state.overlay, Some(Overlay::Keys));
    harness.get_by_label("arrows, Home, End, Enter");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().window.state.overlay, None);
    press(&mut harness, Modifiers::COMMAND, Key::F);
    assert_eq!(harness.state().window.state.screen, Screen::Activity);
    assert!(harness.get_by_role(Role::TextInput).is_focused());
}

#[test]
fn the_palette_finds_commands_and_models() {
    let mut harness = Bench::new(afternoon(), english()).harness(Theme::Dark, LARGE);
    press(&mut harness, Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::TextInput).type_text("probe luna");
    harness.run();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().jobs, [Job::Engine(Request::ProbeNow(vec!["codex-plan/gpt-6-luna".into()]))]);
    assert_eq!(harness.state().window.state.overlay, None);

    press(&mut harness, Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::TextInput).type_text("light th");
    harness.run();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().window.state.theme, Some(ThemeChoice::Light));

    press(&mut harness, Modifiers::COMMAND, Key::K);
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().window.state.screen, Screen::RAIL[1], "the second line");
}

#[test]
fn nobody_is_disturbed_by_the_palette_or_by_activitys_menu_and_the_window_shows_it() {
    let mut harness = Bench::new(afternoon(), english()).harness(Theme::Dark, SMALL);
    press(&mut harness, Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::TextInput).type_text("disturb hour");
    harness.run();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let at = harness.state().window.snapshot().at;
    let hour = at + SignedDuration::from_hours(1);
    assert_eq!(harness.state().jobs, [Job::Engine(Request::DoNotDisturb(Some(hour)))]);
    let mut hushed = afternoon();
    Arc::make_mut(&mut hushed.status).notices.quiet = Some(Quiet { until: None, is_by_hand: true });
    let trouble = Activity { at: hushed.at, event: ActivityEvent::Trouble("the hook x failed".into()) };
    hushed.activity = [trouble].into_iter().chain(hushed.activity.iter().cloned()).collect();
    harness.state_mut().window.show(hushed.clone());
    harness.state_mut().window.show(hushed);
    harness.state_mut().window.state.screen = Screen::Heatmap;
    harness.run();
    harness.get_by_label("the hook x failed");
    harness.state_mut().window.state.screen = Screen::Activity;
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Not disturbed").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Disturb me again").click();
    harness.run();
    assert_eq!(harness.state().jobs.last(), Some(&Job::Engine(Request::DoNotDisturb(None))));
    harness.state_mut().window.state.screen = Screen::Board;
    harness.run();
    harness.get_by_label("Not disturbed");
}

#[test]
fn activity_is_filtered_and_cleared() {
    let mut harness = Bench::new(afternoon(), english()).on(Screen::Activity).harness(Theme::Dark, LARGE);
    harness.get_by_role_and_label(Role::Button, "Full").click();
    harness.run();
    assert_eq!(harness.state().window.state.family, Some(Family::Full));
    harness.get_by_label("2 of 13 events");
    harness.get_by_role(Role::TextInput).focus();
    harness.run();
    harness.get_by_role(Role::TextInput).type_text("nothing like it");
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Clear the filter").click();
    harness.run();
    harness.get_by_label("13 events");
}

#[test]
fn a_notice_is_answered_on_its_row_as_on_the_desktop() {
    let mut harness = Bench::new(noticed(), english()).on(Screen::Activity).harness(Theme::Dark, LARGE);
    harness.get_by_role_and_label(Role::Button, "Notices").click();
    harness.run();
    assert!(harness.state().window.state.only_notices);
    harness.get_by_label("5 of 17 events");
    harness.get_by_label("Use gpt-6-luna now: done");
    harness.get_by_label_contains("Switch back to gpt-5.6-sol: not ");
    harness.get_by_role_and_label(Role::Button, "Use gpt-6-luna now: gpt-5.6-sol is full").click();
    harness.run();
    let jobs = std::mem::take(&mut harness.state_mut().jobs);
    let [Job::Engine(Request::Answered(answer))] = &jobs[..] else { panic!("{jobs:?}") };
    assert_eq!(answer.action, "use");
    // By the keyboard: the button has the focus, and Escape clears the filter.
    harness.get_by_role_and_label(Role::Button, "Undo: Codex uses gpt-6-luna now").focus();
    harness.run();
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let jobs = std::mem::take(&mut harness.state_mut().jobs);
    assert!(matches!(&jobs[..], [Job::Engine(Request::Answered(answer))] if answer.action == "undo"), "{jobs:?}");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().window.state.only_notices);
    harness.get_by_role_and_label(Role::Button, "Send a test notice").click();
    harness.run();
    assert_eq!(harness.state().jobs, [Job::TestNotice(Lang::English)]);
}

#[test]
fn the_first_page_starts_with_what_is_ticked() {
    let mut harness =
        Bench::new(nothing(), english()).on(Screen::Welcome).with_found(found()).harness(Theme::Dark, SMALL);
    harness.get_by_label("3 models: 288 requests, about 8,064 tokens a day");
    harness.get_by_label_contains("qwen3-coder:free, OpenRouter").click();
    harness.run();
    harness.get_by_label("4 models: 312 requests, about 8,736 tokens a day");
    harness.get_by_label_contains("gpt-6-luna, OpenAI").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "中文").click();
    harness.run();
    assert_eq!(harness.state().window.state.lang, Some(Lang::Chinese));
    harness.get_by_role_and_label(Role::Button, "开始").click();
    harness.run();
    let adopted = ["codex/sol", "anthropic/sonnet", "openrouter/qwen"].map(Into::into).to_vec();
    // There are no settings yet that the language could be written into: it goes into those that are made.
    let spoken = Field::Language(Some(Lang::Chinese));
    let adopt = Job::Adopt { targets: adopted, reads_logs: false, looks: vec![spoken.clone()] };
    assert_eq!(harness.state().jobs, [Job::Wear(spoken), adopt]);
}

#[test]
fn the_empty_board_leads_to_the_first_page_and_the_demo() {
    let mut harness = Bench::new(nothing(), english()).harness(Theme::Dark, SMALL);
    harness.get_by_role_and_label(Role::Button, "Add what was found…").click();
    harness.run();
    assert_eq!(harness.state().jobs, [Job::Settings(Box::new(settings::Ask::Look)), Job::Discover]);
    assert_eq!(harness.state().window.state.screen, Screen::Welcome);
    let bench = Bench::new(nothing(), english()).on(Screen::Welcome).with_found(Default::default());
    let mut harness = bench.harness(Theme::Dark, SMALL);
    harness.get_by_label_contains("[[provider]]");
    harness.get_by_role_and_label(Role::Button, "Try the demo").click();
    harness.run();
    assert_eq!(harness.state().jobs, [Job::Demo]);
}

#[test]
fn banners_offer_their_way_out() {
    let mut harness = Bench::new(offline(), english()).harness(Theme::Dark, LARGE);
    harness.get_by_label("Your network has been down since 14:10");
    harness.get_by_role_and_label(Role::Button, "Read again").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Resume").click();
    harness.run();
    assert_eq!(harness.state().jobs, [Job::Engine(Request::ReloadSettings), Job::Engine(Request::Resume)]);
}

#[test]
fn an_idle_window_asks_for_no_repaint() {
    for screen in [Screen::Board, Screen::Switch, Screen::Activity, Screen::Welcome] {
        for snapshot in [nothing(), afternoon(), offline()] {
            let mut harness = Bench::new(snapshot, english()).on(screen).harness(Theme::Dark, LARGE);
            harness.step();
            let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            assert_eq!(delay, std::time::Duration::MAX, "{screen:?}");
        }
    }
}

/// Every text that a frame draws.
pub fn drawn<State>(harness: &Harness<'_, State>) -> Vec<String> {
    fn collect(shape: &egui::Shape, out: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => out.push(text.galley.text().to_owned()),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut out));
    out
}

#[test]
fn every_word_comes_from_the_catalogue() {
    let data: Vec<String> = afternoon()
        .board
        .entries
        .iter()
        .flat_map(|entry| [entry.target.model.to_string(), provider_name(&entry.target).to_owned()])
        .chain(found().proposals.iter().map(|proposal| proposal.model.as_str().to_owned()))
        .chain(
            ["~/.config/vacancy/vacancy.toml", "Ctrl+", "F1", "F5", "Esc", "[[provider]]", "unknown key"]
                .map(String::from),
        )
        .collect();
    let mut faults = std::collections::BTreeSet::new();
    let overlays = [None, Some(Overlay::Keys), Some(Overlay::Palette { query: String::new(), index: 0 })];
    for screen in [Screen::Board, Screen::Activity, Screen::Welcome] {
        for (snapshot, found) in [(nothing(), Default::default()), (afternoon(), found()), (offline(), found())] {
            for overlay in &overlays {
                let mut bench = Bench::new(snapshot.clone(), Tr::pseudo()).on(screen).with_found(found.clone());
                bench.window.state.overlay = overlay.clone();
                bench.window.state.selected = Some(SOL.into());
                let harness = bench.harness(Theme::Dark, LARGE);
                for text in drawn(&harness) {
                    let is_data = data.iter().any(|data| text.starts_with(data.as_str()));
                    let is_worded = text.contains('[') && text.contains(']');
                    if text.chars().any(char::is_alphabetic) && !is_data && !is_worded {
                        faults.insert(text);
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "not from the catalogue: {faults:#?}");
}

#[test]
fn long_names_stay_inside_the_window() {
    for size in [SMALL, LARGE] {
        let mut bench = Bench::new(many(), english());
        bench.window.state.selected = Some(many().board.entries[0].target.id.clone());
        let harness = bench.harness(Theme::Dark, size);
        for clipped in &harness.output().shapes {
            if let egui::Shape::Text(text) = &clipped.shape {
                let rect = text.visual_bounding_rect().intersect(clipped.clip_rect);
                assert!(rect.right() <= size[0] + 0.5, "{:?} ends at {}", text.galley.text(), rect.right());
            }
        }
    }
}

#[test]
fn a_toast_leaves_the_main_button_of_the_first_page_free() {
    for (tr, start) in [(english(), "Start"), (chinese(), "开始")] {
        for size in [SMALL, LARGE] {
            let mut bench = Bench::new(nothing(), tr.clone()).on(Screen::Welcome).with_found(found());
            bench.window.say("It is deleted.");
            let mut harness = bench.harness(Theme::Dark, size);
            let toast = harness.get_by_label("It is deleted.").rect();
            let button = harness.get_by_role_and_label(Role::Button, start).rect();
            assert!(!toast.expand(20.0).intersects(button), "{toast} over {button}");
            harness.get_by_role_and_label(Role::Button, start).click();
            harness.run();
            assert!(matches!(harness.state().jobs[..], [Job::Adopt { .. }]), "{:?}", harness.state().jobs);
        }
    }
}
