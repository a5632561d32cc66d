//! Zoom from 80 to 200 % in the smallest and a usual window: what does not fit is scrolled, and nothing lies beyond the window.

use egui::{Rect, Shape};

use super::scenes::{LARGE, SMALL, Setting, each};
use crate::screens::stage::{chinese, english};

#[test]
fn everything_is_in_the_window_or_a_scroll_away_at_every_zoom() {
    let mut faults = Vec::new();
    for (size, zooms) in [(SMALL, &[80, 125, 150, 200][..]), (LARGE, &[200][..])] {
        for zoom in zooms {
            let tr = if *zoom == 150 { chinese() } else { english() };
            each(&Setting { size, zoom: *zoom, ..Setting::new(tr) }, |scene| {
                let window = scene.harness.ctx.content_rect();
                for clipped in &scene.harness.output().shapes {
                    let Shape::Text(text) = &clipped.shape else { continue };
                    let seen: Rect = text.visual_bounding_rect().intersect(clipped.clip_rect);
                    if seen.is_positive() && seen.right() > window.right() + 0.5 {
                        faults.push(format!("{} at {zoom} %: {:?} is cut", scene.name, text.galley.text()));
                    }
                }
            });
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
