//! The tree that a screen reader walks: every node that can be used has a role that fits and a name that tells it apart.

use std::collections::BTreeMap;

use egui::accesskit::{Action, HasPopup, Live, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::AccessKitNode;

use super::scenes::{self, Setting, each};
use crate::screens::stage::{chinese, english};

/// Roles of what can be used.
const USED: &[Role] = &[
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::DisclosureTriangle,
    Role::Grid,
    Role::ListBoxOption,
    Role::MultilineTextInput,
    Role::RadioButton,
    Role::Splitter,
    Role::Tab,
    Role::TextInput,
];

/// What belongs into what. Each of these has a name.
const INSIDE: &[(Role, &[Role])] = &[
    (Role::ListBoxOption, &[Role::ListBox]),
    (Role::RadioButton, &[Role::RadioGroup]),
    (Role::Tab, &[Role::TabList]),
    (Role::GridCell, &[Role::Grid]),
];

/// Every node that is not hidden, below `node`.
pub fn nodes<'tree>(node: AccessKitNode<'tree>) -> Vec<AccessKitNode<'tree>> {
    let mut out = Vec::new();
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        if !node.is_hidden() {
            out.push(node);
            left.extend(node.children().rev());
        }
    }
    out
}

/// The part of the window that can be used: the topmost dialog, or all of it.
pub fn usable<'tree, State>(harness: &'tree Harness<'_, State>) -> AccessKitNode<'tree> {
    let root = harness.kittest_state().root();
    nodes(root).into_iter().rfind(|node| node.role() == Role::Dialog && node.is_modal()).unwrap_or(root)
}

pub fn is_used(node: &AccessKitNode<'_>) -> bool {
    // egui lets the words of every label be selected, which is a click too.
    let is_words = matches!(node.role(), Role::Label | Role::Heading | Role::TextRun);
    let can = |action| node.data().supports_action(action);
    can(Action::Focus) || (can(Action::Click) && !is_words && node.role() != Role::ScrollBar)
}

/// Its name; of words, the words.
pub fn name(node: &AccessKitNode<'_>) -> String {
    let words = || node.value().filter(|_| node.role() == Role::Label);
    node.label().or_else(words).unwrap_or_default()
}

fn is_named(node: &AccessKitNode<'_>) -> bool {
    name(node).chars().any(char::is_alphanumeric)
}

fn above<'tree>(node: &AccessKitNode<'tree>, roles: &[Role]) -> Option<AccessKitNode<'tree>> {
    std::iter::successors(node.parent(), AccessKitNode::parent).find(|node| roles.contains(&node.role()))
}

/// What is wrong with a tree.
fn faults(root: AccessKitNode<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut same: BTreeMap<(String, String), usize> = BTreeMap::new();
    for node in nodes(root) {
        let (role, name) = (node.role(), name(&node));
        let is_chart = role == Role::Image && is_named(&node);
        if is_used(&node) && !USED.contains(&role) && !is_chart {
            out.push(format!("{role:?} {name:?} can be used"));
        }
        let needs_name = is_used(&node) || matches!(role, Role::Image | Role::Heading | Role::Label);
        // A dash stands for a value that there is not, and a diff keeps its empty lines.
        let is_text = role == Role::Label && !name.is_empty();
        if needs_name && !is_named(&node) && !is_text {
            out.push(format!("{role:?} without a name at {:?}", node.raw_bounds()));
        }
        if is_used(&node) && !node.is_disabled() && role != Role::Splitter {
            let about = node.description().unwrap_or_default();
            *same.entry((format!("{role:?}"), format!("{name} {about}"))).or_default() += 1;
        }
        if let Some((_, inside)) = INSIDE.iter().find(|(inner, _)| *inner == role) {
            match above(&node, inside) {
                Some(group) if is_named(&group) => {}
                _ => out.push(format!("{role:?} {name:?} is in no named {inside:?}")),
            }
        }
        let is_chosen = node.is_selected();
        if matches!(role, Role::ListBoxOption | Role::Tab) && is_chosen.is_none() {
            out.push(format!("{role:?} {name:?} does not say whether it is chosen"));
        }
        if matches!(role, Role::CheckBox | Role::RadioButton) && node.toggled().is_none() {
            out.push(format!("{role:?} {name:?} does not say whether it is on"));
        }
        if role == Role::Dialog && node.is_modal() && !is_named(&node) {
            out.push("a dialog without a name".to_owned());
        }
    }
    out.extend(same.into_iter().filter(|(_, n)| *n > 1).map(|((role, name), n)| format!("{n} times {role} {name:?}")));
    out
}

#[track_caller]
fn none_of(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn what_can_be_used_has_a_role_and_a_name_of_its_own() {
    let mut all = Vec::new();
    for tr in [english(), chinese()] {
        let lang = tr.lang().tag();
        let mut menus = 0;
        each(&Setting::new(tr.clone()), |scene| {
            let root = scene.harness.kittest_state().root();
            let mut found = faults(usable(&scene.harness));
            // The palette is one field with a list.
            if !scene.name.starts_with("palette") {
                found.extend(untitled(usable(&scene.harness)));
            }
            found.extend(closed_menus(root));
            menus += nodes(root).iter().filter(|node| node.role() == Role::Menu).count();
            all.extend(found.into_iter().map(|fault| format!("{} ({lang}): {fault}", scene.name)));
        });
        assert!(menus >= 3, "the scenes with a menu were drawn");
        scenes::glances(&tr, |name, harness| {
            let found = faults(harness.kittest_state().root());
            all.extend(found.into_iter().map(|fault| format!("{name} ({lang}): {fault}")));
        });
    }
    none_of(&all);
}

/// A page and a dialog have one title; what is empty has the heading of why.
fn untitled(root: AccessKitNode<'_>) -> Option<String> {
    let all = nodes(root);
    let levels: Vec<usize> =
        all.iter().filter(|node| node.role() == Role::Heading).filter_map(|node| node.level()).collect();
    let titles = levels.iter().filter(|level| **level == 1).count();
    (levels.is_empty() || titles > 1).then(|| format!("{titles} titles of {} headings", levels.len()))
}

/// What opens a menu says whether it is open.
fn closed_menus(root: AccessKitNode<'_>) -> Vec<String> {
    let all = nodes(root);
    let opens = all.iter().filter(|node| node.has_popup() == Some(HasPopup::Menu));
    let mut out: Vec<String> = opens
        .clone()
        .filter(|node| node.data().is_expanded().is_none())
        .map(|node| format!("{:?} does not say whether its menu is open", name(node)))
        .collect();
    let has_menu = all.iter().any(|node| node.role() == Role::Menu);
    if has_menu != opens.clone().any(|node| node.data().is_expanded() == Some(true)) {
        out.push("a menu without its button".to_owned());
    }
    out
}

#[test]
fn what_changes_by_itself_is_read_out() {
    for (scene, words) in
        [("board", vec!["your first free model"]), ("board, toasts", vec!["3 outcomes found", "no request of ours"])]
    {
        let scene = scenes::one(scene, &Setting::new(english()));
        let all = nodes(scene.harness.kittest_state().root());
        for words in words {
            let is_live = |node: &AccessKitNode<'_>| name(node).contains(words) && node.live() == Live::Polite;
            assert!(all.iter().any(is_live), "{words}");
        }
    }
    for name in ["board, offline", "board, logs being read"] {
        let scene = scenes::one(name, &Setting::new(english()));
        let is_told = |node: &AccessKitNode<'_>| {
            matches!(node.role(), Role::Alert | Role::Status) && nodes(*node).iter().any(is_named)
        };
        assert!(nodes(scene.harness.kittest_state().root()).iter().any(is_told), "{name}");
    }
}
