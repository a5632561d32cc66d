//! What is typed and not yet written, while another hand changes the file.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use vacancy::settings::Settings;
use vacancy::ui::screens::settings::fields::Section;
use vacancy::ui::settings::Ask;
use vacancy::ui::window::Event;

use super::{CHAINED, FILE, Home, click, open, type_into};
use crate::screens::stage::{Bench, english};

/// Types into a field that keeps the focus.
fn begin(harness: &mut Harness<'_, Bench>, label: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, label).focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_role_and_label(Role::TextInput, label).type_text(text);
    harness.run();
}

/// Writes the file by another hand; the window sees it, or not yet.
fn by_hand(home: &Home, harness: &mut Harness<'_, Bench>, text: &str, is_seen: bool) {
    fs::write(home.amender.roots.settings_file(), text).unwrap();
    if is_seen {
        let (told, ctx) = (home.amender.answer(Ask::Look), harness.ctx.clone());
        harness.state_mut().window.hear(Event::Settings(told), &ctx);
        harness.run();
    }
}

fn press(home: &Home, harness: &mut Harness<'_, Bench>, key: Key) {
    harness.key_press(key);
    home.settle(harness);
}

fn value(harness: &Harness<'_, Bench>, label: &str) -> String {
    harness.get_by_role_and_label(Role::TextInput, label).accesskit_node().value().unwrap_or_default()
}

const TOKYO: &str = "zone = \"Asia/Tokyo\"\n";
const ASKED: &str = "Time zone: now \"Asia/Tokyo\"; would become \"Europe/Berlin\"";

#[test]
fn a_value_that_another_hand_gave_while_somebody_typed_is_told_and_asked_about() {
    for (answer, zone) in [("Keep mine", "Europe/Berlin"), ("Take the file\u{2019}s", "Asia/Tokyo")] {
        for is_seen in [true, false] {
            let home = Home::new(FILE);
            let mut harness = home.harness(Section::General, english());
            begin(&mut harness, "Time zone", "Europe/Berlin");
            let other = format!("{FILE}{TOKYO}");
            by_hand(&home, &mut harness, &other, is_seen);
            assert_eq!(harness.query_by_label("The file says Asia/Tokyo by now.").is_some(), is_seen);
            assert_eq!(value(&harness, "Time zone"), "Europe/Berlin", "what is typed stays");
            press(&home, &mut harness, Key::Tab);
            assert_eq!(home.text(), other, "nothing is written before the answer");
            harness.get_by_label(ASKED);
            // Escape puts it off.
            press(&home, &mut harness, Key::Escape);
            assert!(harness.query_by_label(ASKED).is_none());
            assert_eq!((home.text(), value(&harness, "Time zone")), (other.clone(), "Europe/Berlin".to_owned()));
            harness.get_by_label("The file says Asia/Tokyo by now.");
            harness.get_by_role_and_label(Role::TextInput, "Time zone").focus();
            harness.run();
            press(&home, &mut harness, Key::Enter);
            click(&home, &mut harness, Role::Button, answer);
            assert_eq!(home.text(), other.replace("Asia/Tokyo", zone), "{answer}");
            assert_eq!(value(&harness, "Time zone"), zone);
            assert!(harness.query_by_label_contains("by now.").is_none());
            if zone == "Europe/Berlin" {
                harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
                home.settle(&mut harness);
                assert_eq!(home.text(), other, "and can be taken back to the other\u{2019}s");
            }
        }
    }
}

#[test]
fn what_another_hand_changed_elsewhere_or_alike_asks_nothing() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::General, english());
    begin(&mut harness, "Time zone", "Asia/Tokyo");
    by_hand(&home, &mut harness, &FILE.replace("'dark'", "'light'"), true);
    press(&home, &mut harness, Key::Enter);
    let both = format!("{}{TOKYO}", FILE.replace("'dark'", "'light'"));
    assert_eq!(home.text(), both);
    begin(&mut harness, "Time zone", "Europe/Paris");
    let other = both.replace("Asia/Tokyo", "Europe/Paris");
    by_hand(&home, &mut harness, &other, true);
    press(&home, &mut harness, Key::Enter);
    assert_eq!(home.text(), other);
    assert!(harness.state().window.settings().conflict.is_none());
}

#[test]
fn what_waits_for_save_asks_then() {
    let home = Home::new(FILE);
    let mut harness = home.harness(Section::Schedule, english());
    type_into(&home, &mut harness, "Ask every", "5m", Key::Tab);
    let other = format!("{FILE}\n[schedule]\nevery = \"7m\"\n");
    by_hand(&home, &mut harness, &other, true);
    harness.get_by_label("The file says 7m by now.");
    harness.get_by_role_and_label(Role::Button, "Save").focus();
    harness.run();
    press(&home, &mut harness, Key::Enter);
    assert_eq!(home.text(), other);
    harness.get_by_label("Ask every: now \"7m\"; would become \"5m\"");
    click(&home, &mut harness, Role::Button, "Keep mine");
    assert_eq!(home.text(), other.replace("7m", "5m"));
}

#[test]
fn a_dialog_asks_before_it_writes_over_another_hand_and_stays_open_behind_the_question() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Providers, english(), egui::Theme::Dark, [1440.0, 900.0]);
    open(&home, &mut harness, "gpt-6-mini", "Role, limit and price…");
    type_into(&home, &mut harness, "Price, in your own unit", "1.25", Key::Tab);
    let mini = "model = \"gpt-6-mini\"\n";
    let other = CHAINED.replace(mini, &format!("{mini}price = 2.0\n"));
    by_hand(&home, &mut harness, &other, true);
    click(&home, &mut harness, Role::Button, "Save");
    assert_eq!(home.text(), other);
    harness.get_by_label("target · mini · price: now 2.0; would become 1.25");
    press(&home, &mut harness, Key::Escape);
    assert_eq!(value(&harness, "Price, in your own unit"), "1.25", "what was typed is still there");
    click(&home, &mut harness, Role::Button, "Save");
    click(&home, &mut harness, Role::Button, "Keep mine");
    assert_eq!(home.text(), other.replace("2.0", "1.25"));
    assert!(harness.state().window.settings().editor.is_none());
    // What was changed elsewhere meanwhile is no question.
    open(&home, &mut harness, "gpt-6-mini", "Role, limit and price…");
    type_into(&home, &mut harness, "Price, in your own unit", "3", Key::Tab);
    let other = home.text().replace("\"primary\"", "\"backup\"");
    by_hand(&home, &mut harness, &other, true);
    click(&home, &mut harness, Role::Button, "Save");
    assert!(harness.state().window.settings().conflict.is_none());
    let settings = Settings::load(&home.amender.roots.settings_file()).unwrap();
    assert_eq!(settings.prices.get(&"mini".into()), Some(&3.0));
}
