//! Nothing that is written is cut: by the edge of what it stands in, by an ellipsis, or by what stands beside it; in the
//! smallest window, in every language.

use std::collections::BTreeMap;

use egui::epaint::ClippedShape;
use egui::{Color32, Rect, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::AccessKitNode;

use super::scenes::{LARGE, SMALL, Setting, each};
use super::tree::{name, nodes};
use super::words::is_data;
use crate::screens::stage::{Bench, chinese, english};

/// So many points may be shaved off a text before it counts: letters reach beyond the room that they ask for.
const SLACK: f32 = 1.0;

/// What was painted, in its order.
enum Painted<'a> {
    Text {
        words: &'a str,
        is_elided: bool,
        ink: Rect,
        /// Line by line, as what is wrapped begins where the words before it end.
        lines: Vec<Rect>,
        clip: Rect,
    },
    /// What hides what was painted before it.
    Cover(Rect),
}

fn painted<'a>(shape: &'a Shape, clip: Rect, out: &mut Vec<Painted<'a>>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| painted(shape, clip, out)),
        Shape::Text(text) if !text.galley.text().trim().is_empty() => out.push(Painted::Text {
            words: text.galley.text(),
            is_elided: text.galley.elided,
            ink: text.visual_bounding_rect(),
            lines: text
                .galley
                .rows
                .iter()
                .map(|row| row.rect_without_leading_space().translate(text.pos.to_vec2()))
                .collect(),
            clip,
        }),
        Shape::Rect(rect) if is_opaque(rect.fill) => out.push(Painted::Cover(rect.rect.intersect(clip))),
        _ => {}
    }
}

fn is_opaque(color: Color32) -> bool {
    color.a() == 255
}

/// What is wrong with what was painted.
fn faults(harness: &Harness<'_, Bench>) -> Vec<String> {
    let mut all = Vec::new();
    for ClippedShape { shape, clip_rect, .. } in &harness.output().shapes {
        painted(shape, *clip_rect, &mut all);
    }
    let window = harness.ctx.content_rect();
    let told: Vec<String> = nodes(harness.kittest_state().root()).iter().map(name).collect();
    let mut out = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let Painted::Text { words, is_elided, ink, lines, clip } = one else { continue };
        let seen = ink.intersect(*clip).intersect(window);
        if !seen.is_positive() {
            continue;
        }
        if *is_elided && !is_data(words) && !may_be_elided(words, &told) {
            out.push(format!("has an ellipsis: {words:?}"));
        }
        let right = ink.right() - clip.right();
        if right > SLACK || clip.left() - ink.left() > SLACK {
            out.push(format!("is cut at its side: {words:?} by {right:.0}"));
        }
        // What is higher than its room cannot be scrolled into view, unless the room itself is cut by a page that scrolls.
        let is_at_edge = all.iter().any(|other| match other {
            Painted::Text { clip: other, .. } => {
                let is_same = |one: f32, other: f32| (one - other).abs() < 0.1;
                let has_edge = is_same(other.bottom(), clip.bottom()) || is_same(other.top(), clip.top());
                has_edge && other.contains_rect(*clip) && other.height() > 4.0 * clip.height()
            }
            Painted::Cover(_) => false,
        });
        if ink.height() > clip.height() + SLACK && ink.height() < window.height() / 2.0 && !is_at_edge {
            out.push(format!("is cut in its height: {words:?}"));
        }
        for (other_at, other) in all.iter().enumerate().skip(at + 1) {
            let Painted::Text { words: others, lines: other_lines, clip: other_clip, .. } = other else { continue };
            let both = lines.iter().flat_map(|line| other_lines.iter().map(|other| line.intersect(*other)));
            let both = both
                .map(|both| both.intersect(*clip).intersect(*other_clip).intersect(window))
                .find(|both| both.width() > 2.0 && both.height() > 3.0);
            let Some(both) = both else { continue };
            let is_covered = all[at..other_at]
                .iter()
                .any(|between| matches!(between, Painted::Cover(rect) if rect.expand(1.0).contains_rect(both)));
            if !is_covered {
                out.push(format!("lie over each other: {words:?} and {others:?}"));
            }
        }
    }
    out
}

/// Words of the user's record beside ours in one line, of which the end is cut where there is no room: the whole of them is
/// in the tree, and is shown on hover.
fn may_be_elided(words: &str, told: &[String]) -> bool {
    told.iter().any(|name| name.contains(words)) && DETAILS.iter().any(|part| words.contains(part))
}

/// What joins such words, and a name of the user's that is longer than any room.
const DETAILS: [&str; 2] = [" · ", "a-very-long-name"];

/// Scenes by fault, in each of `settings`.
fn found(settings: &[(&str, Setting)]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (lang, setting) in settings {
        each(setting, |scene| {
            for fault in faults(&scene.harness) {
                all.entry(fault).or_default().push(format!("{} ({lang}, {} %)", scene.name, setting.zoom));
            }
        });
    }
    all
}

#[track_caller]
fn none_of(all: &BTreeMap<String, Vec<String>>) {
    let lines: Vec<String> =
        all.iter().map(|(fault, scenes)| format!("{fault}\n      {}", scenes.join("; "))).collect();
    assert!(lines.is_empty(), "{} words:\n  {}", lines.len(), lines.join("\n  "));
}

/// The tests' own language is not among them: two fifths longer than English, it may end in an ellipsis.
#[test]
fn nothing_is_cut_in_the_smallest_window() {
    let small = |tr| Setting { size: SMALL, ..Setting::new(tr) };
    none_of(&found(&[("en", small(english())), ("zh", small(chinese()))]));
}

#[test]
fn nothing_is_cut_in_a_usual_window_with_text_half_as_large_again() {
    let large = |tr| Setting { size: LARGE, zoom: 150, ..Setting::new(tr) };
    none_of(&found(&[("en", large(english())), ("zh", large(chinese()))]));
}

/// The test itself finds what is cut.
#[test]
fn what_is_cut_is_found() {
    let mut harness = crate::support::window(egui::Theme::Dark, [300.0, 200.0]).build_ui_state(
        |ui, _: &mut Bench| {
            ui.add_sized([60.0, 20.0], egui::Label::new("Words that have an ellipsis").truncate());
            let (_, rect) = ui.allocate_space(egui::vec2(40.0, 20.0));
            let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
            child.shrink_clip_rect(rect);
            child.add(egui::Label::new("Words that are cut").extend());
            let place = ui.cursor().min;
            for words in ["Words over", "Words under"] {
                let font = egui::FontId::proportional(14.0);
                ui.painter().text(place, egui::Align2::LEFT_TOP, words, font, Color32::WHITE);
            }
        },
        Bench::new(crate::screens::stage::nothing(), english()),
    );
    harness.run();
    let found = faults(&harness);
    assert_eq!(found.len(), 3, "{found:#?}");
    let nodes: Vec<AccessKitNode<'_>> = nodes(harness.kittest_state().root());
    assert!(nodes.len() > 2);
}
