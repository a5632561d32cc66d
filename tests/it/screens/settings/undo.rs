//! Changes of the settings taken back and made again, on a file that another hand changes meanwhile.

use std::fs;

use egui::accesskit::Role;
use egui::{Context, Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use vacancy::edit::Value;
use vacancy::settings::amend::Amendment;
use vacancy::ui::command::Command;
use vacancy::ui::screens::settings::about::About;
use vacancy::ui::screens::settings::fields::Section;
use vacancy::ui::settings::{Act, How, Wish};
use vacancy::ui::state::Screen;

use super::{FILE, Home, SMALL, click};
use crate::screens::stage::{Bench, chinese, english, nothing};

/// Another hand's edits, each of lines that the window's change does not touch.
const HANDS: &[(&str, &str)] = &[
    ("# mine\n", "# mine\n# and yours\n"),
    ("base_url = \"http://127.0.0.1:9/v1\"", "base_url   = 'http://127.0.0.1:8/v1' # moved"),
    ("role = \"primary\"\n", "role = \"primary\"\nprice = 2.5\n"),
    ("# at night\n", "# at night, and by day\nzoom = 1.5\n"),
];

fn by_hand(home: &Home, change: impl Fn(&str) -> String) -> String {
    let text = change(&home.text());
    fs::write(home.amender.roots.settings_file(), &text).unwrap();
    text
}

fn keys(home: &Home, harness: &mut Harness<'_, Bench>, modifiers: Modifiers) {
    harness.key_press_modifiers(modifiers, Key::Z);
    home.settle(harness);
}

/// Presses the button in the corner, while another screen is in view.
fn toast(home: &Home, harness: &mut Harness<'_, Bench>, label: &str) {
    harness.state_mut().window.state.screen = Screen::Board;
    harness.run();
    harness.get_by_role_and_label(Role::Button, label).click();
    home.settle(harness);
}

#[test]
fn an_undo_reverses_its_own_values_and_leaves_another_hands_alone() {
    let again = Modifiers::COMMAND | Modifiers::SHIFT;
    for (old, new) in HANDS {
        let home = Home::new(FILE);
        let mut harness = home.harness(Section::General, english());
        click(&home, &mut harness, Role::RadioButton, "Theme: Light");
        let light = by_hand(&home, |text| text.replace(old, new));
        keys(&home, &mut harness, Modifiers::COMMAND);
        assert_eq!(home.text(), FILE.replace(old, new), "{new}");
        let back = by_hand(&home, |text| text.replace("gpt-6-luna", "gpt-6"));
        keys(&home, &mut harness, again);
        assert_eq!(home.text(), light.replace("gpt-6-luna", "gpt-6"), "{new}");
        // By the corner's button, on another screen.
        toast(&home, &mut harness, "Undo");
        assert_eq!(home.text(), back, "{new}");
        toast(&home, &mut harness, "Redo");
        assert_eq!(home.text(), light.replace("gpt-6-luna", "gpt-6"), "{new}");
    }
}

#[test]
fn a_value_that_another_hand_gave_is_told_and_asked_about() {
    for (answer, expected) in [("Undo anyway", "'dark'"), ("Keep the file as it is", "\"system\"")] {
        let home = Home::new(FILE);
        let mut harness = home.harness(Section::Notices, english());
        click(&home, &mut harness, Role::CheckBox, "Free again");
        harness.state_mut().window.carry_out(Command::Settings(Act::Show(Section::General)), &Context::default());
        harness.run();
        click(&home, &mut harness, Role::RadioButton, "Theme: Light");
        let other = by_hand(&home, |text| text.replace("'light'", "\"system\""));
        // Wherever it is asked for, and put off.
        toast(&home, &mut harness, "Undo");
        harness.get_by_label_contains("cannot simply be taken back");
        harness.key_press(Key::Escape);
        home.settle(&mut harness);
        assert!(harness.query_by_label_contains("cannot simply be taken back").is_none(), "Escape closes it there too");
        harness.state_mut().window.state.screen = Screen::Settings;
        harness.run();
        keys(&home, &mut harness, Modifiers::COMMAND);
        // While it is open nothing is taken back behind it.
        keys(&home, &mut harness, Modifiers::COMMAND);
        keys(&home, &mut harness, Modifiers::COMMAND | Modifiers::SHIFT);
        assert_eq!(home.text(), other, "nothing is written before the answer");
        harness.get_by_label_contains("Your change “Theme: Light” cannot simply be taken back");
        harness.get_by_label("Theme: now \"system\"; would become \"dark\"");
        click(&home, &mut harness, Role::Button, answer);
        assert_eq!(home.text(), other.replace("\"system\"", expected), "{answer}");
        // What was changed before can still be taken back.
        harness.state_mut().window.state.screen = Screen::Settings;
        harness.run();
        keys(&home, &mut harness, Modifiers::COMMAND);
        assert_eq!(home.text(), FILE.replace("'dark'", expected), "{answer}");
        // And when nothing is left, that is said.
        keys(&home, &mut harness, Modifiers::COMMAND);
        let nothing = "There is no change here that could be taken back.";
        harness.get_by_label(nothing);
        // What is written next makes that old.
        click(&home, &mut harness, Role::RadioButton, "Theme: Light");
        assert!(harness.query_by_label(nothing).is_none());
    }
}

#[test]
fn an_escape_leaves_it_for_later() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    click(&home, &mut harness, Role::RadioButton, "Theme: Light");
    let other = by_hand(&home, |text| text.replace("'light'", "'system'"));
    keys(&home, &mut harness, Modifiers::COMMAND);
    harness.get_by_label_contains("cannot simply be taken back");
    harness.key_press(Key::Escape);
    home.settle(&mut harness);
    assert_eq!(home.text(), other);
    by_hand(&home, |text| text.replace("'system'", "'light'"));
    keys(&home, &mut harness, Modifiers::COMMAND);
    assert_eq!(home.text(), FILE);
}

#[test]
fn a_table_that_is_gone_takes_its_value_with_it() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    let change = |id: &str, key, value| {
        let amendment = Amendment::Target { id: id.into(), key, value: Some(value) };
        let about = About::Task("edit-target", id.to_owned());
        Command::Settings(Act::Write(Wish { about, how: How::Amend(vec![amendment]) }))
    };
    let job = harness.state_mut().window.carry_out(change("luna", "role", Value::text("backup")), &Context::default());
    harness.state_mut().jobs.extend(job);
    home.settle(&mut harness);
    assert_eq!(home.text(), FILE.replace("role = \"primary\"", "role = \"backup\""));
    let other = by_hand(&home, |text| {
        let (start, end) = (text.find("[[provider]]").unwrap(), text.find("[ui]").unwrap());
        format!("{}{}", &text[..start], &text[end..])
    });
    keys(&home, &mut harness, Modifiers::COMMAND);
    harness.get_by_label("target · luna · role: is gone from the file and stays so");
    harness.get_by_label_contains("there is nothing any more");
    assert!(harness.query_by_label("Undo anyway").is_none());
    click(&home, &mut harness, Role::Button, "Keep the file as it is");
    assert_eq!(home.text(), other);
}

#[test]
fn a_change_that_stands_already_asks_nothing() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    let change = || {
        let value = Some(Value::text("backup"));
        let amendment = Amendment::Target { id: "luna".into(), key: "role", value };
        let about = About::Task("edit-target", "luna".to_owned());
        Command::Settings(Act::Write(Wish { about, how: How::Amend(vec![amendment]) }))
    };
    // Twice before the first is answered, as when a field is left by Enter and at once by another way.
    for _ in 0..2 {
        let job = harness.state_mut().window.carry_out(change(), &Context::default());
        harness.state_mut().jobs.extend(job);
    }
    home.settle(&mut harness);
    assert_eq!(home.text(), FILE.replace("role = \"primary\"", "role = \"backup\""));
    assert!(harness.state().window.settings().conflict.is_none());
    keys(&home, &mut harness, Modifiers::COMMAND);
    assert_eq!(home.text(), FILE);
}

#[test]
fn a_broken_file_is_refused_by_its_line_and_can_be_mended() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    click(&home, &mut harness, Role::RadioButton, "Theme: Light");
    let broken = by_hand(&home, |text| text.replace("[ui]", "[ui"));
    toast(&home, &mut harness, "Undo");
    assert_eq!(home.text(), broken);
    harness.get_by_label_contains("nothing was written");
    by_hand(&home, |text| text.replace("[ui", "[ui]"));
    harness.state_mut().window.state.screen = Screen::Settings;
    harness.run();
    keys(&home, &mut harness, Modifiers::COMMAND);
    assert_eq!(home.text(), FILE);
}

#[test]
fn what_was_changed_is_said_in_the_language_of_the_moment() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    click(&home, &mut harness, Role::RadioButton, "Theme: Light");
    harness.state_mut().window.set_tr(chinese());
    keys(&home, &mut harness, Modifiers::COMMAND);
    harness.get_by_label("已撤销：主题：浅色");
    assert!(harness.query_by_label_contains("Saved").is_none(), "one about the same takes the place of the other");
}

#[test]
fn an_empty_board_with_a_file_leads_to_where_models_are_added() {
    let home = Home::new("[ui]\ntheme = 'dark'\n");
    let mut harness = home.harness_of(nothing(), Section::General, english(), (Theme::Dark, SMALL));
    harness.state_mut().window.state.screen = Screen::Board;
    harness.run();
    click(&home, &mut harness, Role::Button, "Add a model in Settings…");
    let window = &harness.state().window;
    assert_eq!((window.state.screen, window.settings().section), (Screen::Settings, Section::Providers));
}
