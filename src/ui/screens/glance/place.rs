//! Where the glance stands: remembered by the arrangement of displays, never outside of them. Pure, in pixels.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A display or a window: its corner at the top left and its extent, in pixels of the whole desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Area {
    /// Pixels that both cover.
    fn overlap(&self, other: &Self) -> i64 {
        let span = |a: i32, a_len: i32, b: i32, b_len: i32| {
            let end = (i64::from(a) + i64::from(a_len)).min(i64::from(b) + i64::from(b_len));
            (end - i64::from(a.max(b))).max(0)
        };
        span(self.x, self.width, other.x, other.width) * span(self.y, self.height, other.y, other.height)
    }

    /// How far the middles lie apart, squared.
    fn distance(&self, other: &Self) -> i64 {
        let middle = |at: i32, len: i32| 2 * i64::from(at) + i64::from(len);
        let by = |a, a_len, b, b_len| (middle(a, a_len) - middle(b, b_len)).saturating_pow(2);
        by(self.x, self.width, other.x, other.width).saturating_add(by(self.y, self.height, other.y, other.height))
    }

    /// Moved and shrunk so that all of it lies inside.
    fn inside(self, display: &Self) -> Self {
        let (width, height) = (self.width.min(display.width), self.height.min(display.height));
        let fit = |at: i32, len: i32, from: i32, room: i32| at.clamp(from, from.saturating_add(room - len));
        Self {
            x: fit(self.x, width, display.x, display.width),
            y: fit(self.y, height, display.y, display.height),
            width,
            height,
        }
    }
}

/// What is remembered of the glance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// It is open.
    pub is_open: bool,
    /// Where it stood, by the arrangement of the displays.
    pub places: BTreeMap<String, Area>,
}

/// Arrangements that are remembered: who has had more has long given up the first ones.
const MOST: usize = 16;

impl Kept {
    /// Remembers where it stands among these displays.
    pub fn remember(&mut self, displays: &[Area], area: Area) {
        let name = arrangement(displays);
        if self.places.len() >= MOST && !self.places.contains_key(&name) {
            self.places.clear();
        }
        self.places.insert(name, area);
    }

    /// Where it is to stand among these displays: where it stood before, else at the top right of the first one, a gap
    /// away from its edges. All of it lies on one display. Without any display known only the extent means something.
    pub fn place(&self, displays: &[Area], usual: (i32, i32), gap: i32) -> Area {
        let known = self.places.get(&arrangement(displays)).copied();
        let known = known.filter(|area| area.width > 0 && area.height > 0);
        let Some(first) = displays.first() else {
            return known.unwrap_or(Area { x: 0, y: 0, width: usual.0, height: usual.1 });
        };
        let wanted = known.unwrap_or(Area {
            x: first.x.saturating_add(first.width - usual.0 - gap),
            y: first.y.saturating_add(gap),
            width: usual.0,
            height: usual.1,
        });
        let nearest = displays.iter().max_by_key(|display| (wanted.overlap(display), -wanted.distance(display)));
        wanted.inside(nearest.unwrap_or(first))
    }
}

/// The name of an arrangement of displays: another one has other places.
fn arrangement(displays: &[Area]) -> String {
    let mut names: Vec<String> =
        displays.iter().map(|Area { x, y, width, height }| format!("{width}x{height}{x:+}{y:+}")).collect();
    names.sort();
    names.dedup();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LAPTOP: Area = Area { x: 0, y: 0, width: 1920, height: 1080 };
    const SCREEN: Area = Area { x: 1920, y: -200, width: 2560, height: 1440 };
    const USUAL: (i32, i32) = (320, 200);

    fn area(x: i32, y: i32, width: i32, height: i32) -> Area {
        Area { x, y, width, height }
    }

    #[test]
    fn each_arrangement_has_its_place() {
        let mut kept = Kept::default();
        assert_eq!(kept.place(&[LAPTOP], USUAL, 24), area(1576, 24, 320, 200));
        kept.remember(&[LAPTOP, SCREEN], area(3000, 100, 400, 300));
        kept.remember(&[LAPTOP], area(10, 20, 300, 150));
        assert_eq!(kept.place(&[SCREEN, LAPTOP], USUAL, 24), area(3000, 100, 400, 300), "their order means nothing");
        assert_eq!(kept.place(&[LAPTOP], USUAL, 24), area(10, 20, 300, 150));
        assert_eq!(kept.place(&[SCREEN], USUAL, 24), area(4136, -176, 320, 200), "never seen before");
        let back: Kept = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(back, kept);
    }

    #[test]
    fn what_lies_outside_comes_back() {
        for (stood, stands) in [
            (area(1900, 1000, 320, 200), area(1600, 880, 320, 200)),
            (area(-9000, 500, 320, 200), area(0, 500, 320, 200)),
            (area(100, 100, 9000, 9000), area(0, 0, 1920, 1080)),
            (area(i32::MAX, i32::MIN, 320, 200), area(1600, 0, 320, 200)),
            (area(100, 100, 0, 0), area(1576, 24, 320, 200)),
        ] {
            let mut kept = Kept::default();
            kept.remember(&[LAPTOP], stood);
            assert_eq!(kept.place(&[LAPTOP], USUAL, 24), stands, "{stood:?}");
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn all_of_it_lies_on_one_display(
            displays in prop::collection::vec((-5000..5000, -5000..5000, 400..4000, 300..3000), 1..4),
            stood in (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>()),
        ) {
            let displays: Vec<Area> = displays.into_iter().map(|(x, y, w, h)| area(x, y, w, h)).collect();
            let mut kept = Kept::default();
            kept.remember(&displays, area(stood.0, stood.1, stood.2, stood.3));
            let at = kept.place(&displays, USUAL, 24);
            let is_inside = |display: &Area| {
                at.x >= display.x && at.y >= display.y
                    && at.x + at.width <= display.x + display.width && at.y + at.height <= display.y + display.height
            };
            prop_assert!(displays.iter().any(is_inside), "{at:?} in {displays:?}");
        }
    }
}
