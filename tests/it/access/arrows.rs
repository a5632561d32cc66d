//! Arrows, Home, End and the page keys: they go through every list and map, and lead nowhere from where nobody comes back.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::AccessKitNode;

use super::keyboard::{Stop, focused, walk};
use super::scenes::{Setting, each, one, press};
use super::tree::{name, nodes, usable};
use crate::screens::stage::{Bench, english};

/// So many rows of a list are gone through one by one.
const MOST: usize = 40;

/// Presses a key, with some frames for a list that scrolls.
fn step(harness: &mut Harness<'_, Bench>, key: Key) -> Option<Stop> {
    press(harness, Modifiers::NONE, key);
    for _ in 0..8 {
        if focused(harness).is_some() {
            break;
        }
        harness.run();
    }
    focused(harness)
}

/// Brings the focus to this list by Tab; `false` where Tab does not stop at it.
fn enter(harness: &mut Harness<'_, Bench>, list: &str) -> bool {
    for _ in 0..120 {
        harness.key_press(Key::Tab);
        harness.run_steps(3);
        let is_in = |stop: Stop| stop.role == Role::ListBoxOption && stop.list.as_deref() == Some(list);
        if focused(harness).is_some_and(is_in) {
            return true;
        }
    }
    false
}

/// Lists of which a row can be used, by name, with the rows that are drawn.
fn lists(harness: &Harness<'_, Bench>) -> Vec<(String, usize)> {
    let rows = |list: &AccessKitNode<'_>| nodes(*list).iter().filter(|node| node.role() == Role::ListBoxOption).count();
    let all = nodes(usable(harness));
    let lists = all.iter().filter(|node| node.role() == Role::ListBox);
    lists.map(|list| (name(list), rows(list))).filter(|(_, rows)| *rows > 1).collect()
}

/// Every row of every list is reached by arrows from the one at which Tab stops, and Home, End and the page keys lead
/// where they say.
#[test]
fn every_list_is_one_stop_and_is_gone_through_by_arrows() {
    let (mut faults, mut seen, mut long) = (Vec::new(), BTreeSet::new(), 0);
    each(&Setting::new(english()), |scene| {
        // There the field has the keys.
        if scene.name.starts_with("palette") {
            return;
        }
        let harness = &mut scene.harness;
        for (list, drawn) in lists(harness) {
            // The places of a chain have buttons each, and are moved with Alt and the arrows.
            if scene.name == "settings, chains" && list != "Settings" {
                continue;
            }
            let mut fault = |words: String| faults.push(format!("{}, {list}: {words}", scene.name));
            if !enter(harness, &list) {
                fault("no stop".to_owned());
                continue;
            }
            let first = step(harness, Key::Home);
            let mut rows = vec![first.clone()];
            for _ in 0..MOST {
                let next = step(harness, Key::ArrowDown);
                if next.as_ref().map(|stop| &stop.name) == rows.last().unwrap().as_ref().map(|stop| &stop.name) {
                    break;
                }
                rows.push(next);
            }
            let is_in = |stop: &Option<Stop>| stop.as_ref().is_some_and(|stop| stop.list.as_ref() == Some(&list));
            if !rows.iter().all(is_in) {
                fault(format!("an arrow leads out of it: {rows:?}"));
                continue;
            }
            if rows.len() < drawn.min(MOST) {
                fault(format!("{} of {drawn} rows", rows.len()));
            }
            let same = |stop: Option<Stop>, row: &Option<Stop>| {
                stop.as_ref().map(|stop| &stop.name) == row.as_ref().map(|row| &row.name)
            };
            let last = rows.len() - 1;
            if !same(step(harness, Key::ArrowUp), &rows[last - 1]) {
                fault("up".to_owned());
            }
            if !same(step(harness, Key::Home), &rows[0]) {
                fault("Home".to_owned());
            }
            let end = step(harness, Key::End);
            let is_long = rows.len() > MOST;
            if !is_in(&end) || same(end.clone(), &rows[last]) == is_long {
                fault(format!("End leads to {end:?}"));
            }
            if !same(step(harness, Key::PageDown), &end) {
                fault("a page beyond the end".to_owned());
            }
            let up = step(harness, Key::PageUp);
            if !is_in(&up) || same(up.clone(), &end) {
                fault(format!("a page up leads to {up:?}"));
            }
            // Tab goes on to what is after the list, not through it.
            harness.key_press(Key::Tab);
            harness.run_steps(3);
            if focused(harness)
                .is_some_and(|stop| stop.role == Role::ListBoxOption && stop.list.as_ref() == Some(&list))
            {
                fault("Tab stops in it twice".to_owned());
            }
            long += usize::from(is_long);
            seen.insert(format!("{}: {list}", scene.name));
        }
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(seen.len() >= 8 && long >= 2, "{long} long ones of {seen:?}");
}

/// From every stop of every scene, every arrow: the focus is never lost, and never leaves what lies on top.
#[test]
fn no_arrow_loses_the_focus() {
    let mut faults = Vec::new();
    each(&Setting::new(english()), |scene| {
        // Toasts go while the focus walks.
        if scene.name == "board, toasts" {
            return;
        }
        let stops = walk(&mut scene.harness).stops.len();
        let harness = &mut scene.harness;
        for nth in 0..stops.min(4) {
            for key in [Key::ArrowDown, Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft] {
                let from = focused(harness);
                let to = step(harness, key);
                let is_usable = |stop: &Stop| nodes(usable(harness)).iter().any(|node| Stop::of(node).is(stop));
                if from.is_some() && !to.as_ref().is_some_and(is_usable) {
                    faults.push(format!("{}: {key:?} from stop {nth}, {from:?}, leads to {to:?}", scene.name));
                }
            }
            harness.key_press(Key::Tab);
            harness.run_steps(3);
        }
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_cells_of_a_map_are_gone_through_by_arrows() {
    for scene in ["heatmap", "heatmap, hours", "heatmap, days"] {
        let mut scene = one(scene, &Setting::new(english()));
        let harness = &mut scene.harness;
        let is_cell = |stop: &Stop| stop.role == Role::GridCell;
        for _ in 0..60 {
            harness.key_press(Key::Tab);
            harness.run_steps(3);
            if focused(harness).as_ref().is_some_and(is_cell) {
                break;
            }
        }
        let mut cells = BTreeSet::new();
        for key in [Key::Home, Key::ArrowRight, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft, Key::ArrowUp, Key::End]
        {
            let stop = step(harness, key).filter(is_cell);
            cells.insert(stop.unwrap_or_else(|| panic!("{}: {key:?}", scene.name)).name);
        }
        assert!(cells.len() >= 4, "{}: {cells:?}", scene.name);
    }
}
