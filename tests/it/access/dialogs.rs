//! Dialogs: the focus goes into one when it opens and stays in it, Escape closes it, and the focus is back where it was.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::AccessKitNode;
use vacancy::ui::command::Command;
use vacancy::ui::settings::Act;
use vacancy::ui::switching::Ask;

use super::keyboard::{Stop, focused};
use super::scenes::{Setting, each, press};
use super::tree::{nodes, usable};
use crate::screens::stage::{Bench, english};

fn has_dialog(harness: &Harness<'_, Bench>) -> bool {
    nodes(harness.kittest_state().root()).iter().any(AccessKitNode::is_modal)
}

fn is_inside(harness: &Harness<'_, Bench>, stop: &Stop) -> bool {
    nodes(usable(harness)).iter().any(|node| Stop::of(node).is(stop))
}

/// What is asked is answered first: keys that probe, pause, switch or take something back do nothing behind a dialog.
#[test]
fn no_key_changes_anything_behind_a_dialog() {
    const KEYS: &[(Key, Modifiers)] = &[
        (Key::F5, Modifiers::NONE),
        (Key::R, Modifiers::COMMAND),
        (Key::P, Modifiers::COMMAND),
        (Key::Z, Modifiers::COMMAND),
        (Key::Z, Modifiers::COMMAND.plus(Modifiers::SHIFT)),
        // The dialog's own button may take it.
        (Key::Enter, Modifiers::COMMAND),
    ];
    let mut faults = Vec::new();
    each(&Setting::new(english()), |scene| {
        let harness = &mut scene.harness;
        if !has_dialog(harness) {
            return;
        }
        for (key, modifiers) in KEYS {
            let bench = harness.state_mut();
            bench.commands.clear();
            bench.asks.clear();
            harness.key_press_modifiers(*modifiers, *key);
            harness.run_steps(2);
            let Bench { commands, asks, .. } = harness.state();
            let changes = |command: &&Command| match command {
                Command::ProbeAll | Command::TogglePause | Command::UseSelected => true,
                Command::Settings(act) => matches!(act, Act::Undo(_) | Act::Redo(_)),
                _ => false,
            };
            let command = commands.iter().find(changes);
            let ask = asks.iter().find(|ask| matches!(ask, Ask::Plan(..)));
            if command.is_some() || ask.is_some() {
                faults.push(format!("{}: {modifiers:?} {key:?} does {command:?} {ask:?}", scene.name));
            }
        }
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_focus_is_in_the_dialog_and_stays_there_until_escape_closes_it() {
    let (mut faults, mut dialogs) = (Vec::new(), 0);
    each(&Setting::new(english()), |scene| {
        let harness = &mut scene.harness;
        if !has_dialog(harness) {
            return;
        }
        dialogs += 1;
        let mut fault = |words: String| faults.push(format!("{}: {words}", scene.name));
        match focused(harness) {
            Some(stop) if is_inside(harness, &stop) => {}
            // The list of keys is read alone, and scrolled by the page keys.
            None if scene.name == "keys" => {}
            other => fault(format!("opens with the focus on {other:?}")),
        }
        for (key, modifiers) in [(Key::Tab, Modifiers::NONE), (Key::Tab, Modifiers::SHIFT)] {
            for _ in 0..30 {
                harness.key_press_modifiers(modifiers, key);
                harness.run_steps(3);
                if let Some(stop) = focused(harness).filter(|stop| !is_inside(harness, stop)) {
                    fault(format!("{modifiers:?} {key:?} leads out to {stop:?}"));
                    break;
                }
            }
        }
        // A field or an open list takes the first.
        for _ in 0..2 {
            if has_dialog(harness) {
                press(harness, Modifiers::NONE, Key::Escape);
            }
        }
        if has_dialog(harness) {
            fault("Escape does not close it".to_owned());
        }
    });
    assert!(dialogs >= 18, "{dialogs} dialogs");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
