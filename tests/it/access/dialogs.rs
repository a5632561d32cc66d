//! Dialogs: the focus goes into one when it opens and stays in it, Escape closes it, and the focus is back where it was.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::AccessKitNode;

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
