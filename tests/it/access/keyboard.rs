//! The whole window by keyboard: what the pointer can reach, Tab reaches, in the order of reading, and it is seen where it is.

use egui::accesskit::{Rect as Area, Role};
use egui::{Key, Modifiers, Rect, Shape, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};
use vacancy::ui::theme::Palette;
use vacancy::ui::theme::tokens::stroke;

use super::scenes::{Setting, each, one, press};
use super::tree::{is_used, name, nodes, usable};
use crate::screens::stage::{Bench, english};

/// More stops than any scene has.
const MOST: usize = 200;

/// A stop of the focus: what it is on, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub role: Role,
    pub name: String,
    /// What tells it from others of this name.
    about: String,
    at: Rect,
    is_in_menu: bool,
    /// The list of which it is a row, or stands in one.
    pub list: Option<String>,
}

impl Stop {
    pub fn of(node: &AccessKitNode<'_>) -> Self {
        let rect =
            |area: Area| Rect::from_min_max(pos2(area.x0 as f32, area.y0 as f32), pos2(area.x1 as f32, area.y1 as f32));
        let mut above = std::iter::successors(node.parent(), AccessKitNode::parent);
        let is_in_row =
            node.role() == Role::ListBoxOption || above.clone().any(|node| node.role() == Role::ListBoxOption);
        let list = above.clone().find(|node| node.role() == Role::ListBox).filter(|_| is_in_row);
        Self {
            role: node.role(),
            name: name(node),
            about: node.description().unwrap_or_default(),
            at: node.raw_bounds().map_or(Rect::NOTHING, rect),
            is_in_menu: above.any(|node| node.role() == Role::Menu),
            list: list.map(|list| name(&list)),
        }
    }

    pub fn is(&self, other: &Self) -> bool {
        (self.role, &self.name, &self.about) == (other.role, &other.name, &other.about)
    }
}

/// Where the focus is. Of a map it is the cell.
pub fn focused(harness: &Harness<'_, Bench>) -> Option<Stop> {
    let all = nodes(harness.kittest_state().root());
    all.iter().find(|node| node.is_focused() && node.role() != Role::Window).map(Stop::of)
}

/// Every stop from the first one on until it comes again.
#[derive(Default)]
pub struct Walk {
    pub stops: Vec<Stop>,
    /// Nothing shows that the focus is there.
    unseen: Vec<Stop>,
    /// Steps against the order of reading. The page may have been scrolled meanwhile: both are looked at afterwards.
    back: Vec<(Stop, Stop)>,
}

pub fn walk(harness: &mut Harness<'_, Bench>) -> Walk {
    let mut walk = Walk::default();
    for _ in 0..MOST {
        harness.key_press(Key::Tab);
        // The focus goes on, the page follows it, both are drawn.
        harness.run_steps(3);
        let Some(stop) = focused(harness) else { continue };
        if walk.stops.first().is_some_and(|first| first.is(&stop)) {
            break;
        }
        if !is_seen(harness, &stop) {
            walk.unseen.push(stop.clone());
        }
        if let Some(last) = walk.stops.last() {
            let all = nodes(harness.kittest_state().root());
            let before = all.iter().map(Stop::of).find(|other| other.is(last));
            walk.back.extend(before.filter(|before| goes_back(before, &stop)).map(|before| (before, stop.clone())));
        }
        walk.stops.push(stop);
    }
    walk
}

/// Whether a ring is drawn around the stop, or a cursor blinks in it.
fn is_seen(harness: &Harness<'_, Bench>, stop: &Stop) -> bool {
    fn rings(shape: &Shape, near: Rect, palette: &Palette) -> bool {
        match shape {
            Shape::Vec(shapes) => shapes.iter().any(|shape| rings(shape, near, palette)),
            Shape::Rect(rect) => {
                let is_ring = rect.stroke.width >= stroke::FOCUS && rect.stroke.color == palette.accent;
                is_ring && near.expand(8.0).contains_rect(rect.rect) && rect.rect.width() > 0.0
            }
            _ => false,
        }
    }
    let palette = Palette::of(true, false);
    let is_ringed = harness.output().shapes.iter().any(|clipped| rings(&clipped.shape, stop.at, palette));
    is_ringed || matches!(stop.role, Role::TextInput | Role::MultilineTextInput)
}

/// From one stop to the next the eye goes on: to the right, downwards, or to another column.
fn goes_back(one: &Stop, other: &Stop) -> bool {
    let is_same_line = (one.at.center().y - other.at.center().y).abs() < 6.0;
    let is_left = other.at.right() <= one.at.left() + 1.0;
    let is_above = other.at.bottom() <= one.at.top() + 1.0;
    let is_same_column = one.at.x_range().intersects(other.at.x_range());
    // A menu lies over the page.
    one.is_in_menu == other.is_in_menu && ((is_same_line && is_left) || (is_above && is_same_column))
}

#[test]
fn tab_reaches_everything_in_the_order_of_reading_and_is_seen() {
    let mut faults = Vec::new();
    each(&Setting::new(english()), |scene| {
        // Toasts go while the focus walks; what they offer has keys of its own. In the palette arrows move the line.
        if scene.name == "board, toasts" || scene.name.starts_with("palette") {
            return;
        }
        let all: Vec<Stop> = nodes(usable(&scene.harness))
            .iter()
            .filter(|node| is_used(node) && !node.is_disabled())
            .map(Stop::of)
            .collect();
        let Walk { stops, unseen, back } = walk(&mut scene.harness);
        let mut fault = |words: String| faults.push(format!("{}: {words}", scene.name));
        if stops.len() >= MOST - 1 {
            fault("the focus never comes back".to_owned());
        }
        for missed in &all {
            // The cell of a map has the focus for it.
            let role = if missed.role == Role::Grid { Role::GridCell } else { missed.role };
            let is_reached = |stop: &Stop| {
                // From one row of a list the arrows lead to the others: see `arrows`.
                let is_by_arrows =
                    missed.list.is_some() && stop.list == missed.list && stop.role == Role::ListBoxOption;
                is_by_arrows || (stop.role == role && (role == Role::GridCell || stop.name == missed.name))
            };
            if !stops.iter().any(is_reached) {
                fault(format!("not reached: {:?} {:?}", missed.role, missed.name));
            }
        }
        for stop in &unseen {
            fault(format!("not seen: {:?} {:?}", stop.role, stop.name));
        }
        // A dialog may have given the focus to its main button, from where it goes on to the first.
        let first = all.first();
        // An open list lies over the page, and goes on from its end to what is above it.
        let is_list = scene.name == "settings, list of presets";
        for (one, other) in back.iter().filter(|(_, other)| !is_list && first.is_none_or(|first| !first.is(other))) {
            fault(format!("goes back from {:?} to {:?}", one.name, other.name));
        }
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Opens what lies over the page from a button that has the focus, and closes it again.
#[test]
fn escape_closes_what_is_on_top_and_the_focus_comes_back() {
    // By the label of the button in the rail, or by a key from a row of the Board.
    for (label, key) in [("Commands", None), ("Keys", None), ("Heatmap", Some(Key::K))] {
        let mut scene = one("board", &Setting::new(english()));
        let harness = &mut scene.harness;
        let button =
            harness.query_all_by_label(label).find(|node| node.accesskit_node().role() != Role::Label).unwrap();
        button.focus();
        harness.run();
        match key {
            Some(key) => press(harness, Modifiers::COMMAND, key),
            None => press(harness, Modifiers::NONE, Key::Enter),
        }
        assert!(nodes(harness.kittest_state().root()).iter().any(AccessKitNode::is_modal), "{label} opens a dialog");
        press(harness, Modifiers::NONE, Key::Escape);
        assert!(!nodes(harness.kittest_state().root()).iter().any(AccessKitNode::is_modal), "{label}");
        assert_eq!(focused(harness).map(|stop| stop.name), Some(label.to_owned()));
    }
    let mut scene = one("switch", &Setting::new(english()));
    let harness = &mut scene.harness;
    harness.get_by_label("Use everywhere…").focus();
    harness.run();
    press(harness, Modifiers::NONE, Key::Space);
    assert!(nodes(harness.kittest_state().root()).iter().any(|node| node.role() == Role::Menu));
    press(harness, Modifiers::NONE, Key::Escape);
    assert!(!nodes(harness.kittest_state().root()).iter().any(|node| node.role() == Role::Menu));
    assert_eq!(focused(harness).map(|stop| stop.name), Some("Use everywhere…".to_owned()));
}

#[test]
fn pages_scroll_by_keys_where_nothing_on_them_can_have_the_focus() {
    let setting = Setting { zoom: 200, ..Setting::new(english()) };
    for (scene, words) in [("keys", "arrows, Home, End, Enter")] {
        let mut scene = one(scene, &setting);
        let harness = &mut scene.harness;
        let is_in_view = |harness: &Harness<'_, Bench>| {
            let shapes = &harness.output().shapes;
            shapes.iter().any(|clipped| match &clipped.shape {
                Shape::Text(text) => {
                    text.galley.text().contains(words) && clipped.clip_rect.intersects(text.visual_bounding_rect())
                }
                _ => false,
            })
        };
        assert!(!is_in_view(harness), "{words} is below the page");
        for _ in 0..12 {
            press(harness, Modifiers::NONE, Key::PageDown);
        }
        assert!(is_in_view(harness), "{words}");
    }
}
