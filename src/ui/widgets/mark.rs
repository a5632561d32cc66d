//! The painted sign of a family. A shape each, so that it reads without colour; never a character, since few fonts have
//! such signs.

use egui::{
    Color32, CornerRadius, Painter, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};

use crate::core::outcome::{Family, Kind, Scope};
use crate::i18n::Tr;
use crate::ui::theme::tokens::{radius, size, stroke};
use crate::ui::theme::{Palette, palette};

/// Which sign. The family *unknown* has two: nothing known, and an answer that was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Filled cell.
    Available,
    /// Two vertical bars.
    Full,
    /// Diamond.
    Limited,
    /// Diagonal cross.
    Fault,
    /// Horizontal bar.
    Blocked,
    /// Outline: no sample, skipped, or our own network.
    NoEvidence,
    /// Outline with a ring: an answer that no rule understood.
    Unrecognized,
    /// Outline with the hands of a clock: what was known last, too old to speak of now.
    Stale,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Self; 8] = [
        Self::Available,
        Self::Full,
        Self::Limited,
        Self::Fault,
        Self::Blocked,
        Self::NoEvidence,
        Self::Unrecognized,
        Self::Stale,
    ];

    /// The mark of a target's state: what is stale has its own, and so has an answer that was not understood.
    pub const fn of_state(family: Family, is_unrecognized: bool, is_stale: bool) -> Self {
        match (is_stale, is_unrecognized) {
            (true, _) => Self::Stale,
            (false, true) => Self::Unrecognized,
            (false, false) => Self::of_family(family),
        }
    }

    /// The mark of a kind with its scope.
    pub const fn of(kind: Kind, scope: Scope) -> Self {
        match kind {
            Kind::Unrecognized => Self::Unrecognized,
            _ => Self::of_family(Family::of(kind, scope)),
        }
    }

    /// The mark of a family; of *unknown* it is that of no evidence.
    pub const fn of_family(family: Family) -> Self {
        match family {
            Family::Available => Self::Available,
            Family::Full => Self::Full,
            Family::Limited => Self::Limited,
            Family::Fault => Self::Fault,
            Family::Blocked => Self::Blocked,
            Family::Unknown => Self::NoEvidence,
        }
    }

    /// Its family.
    pub const fn family(self) -> Family {
        match self {
            Self::Available => Family::Available,
            Self::Full => Family::Full,
            Self::Limited => Family::Limited,
            Self::Fault => Family::Fault,
            Self::Blocked => Family::Blocked,
            Self::NoEvidence | Self::Unrecognized | Self::Stale => Family::Unknown,
        }
    }

    /// Paints it into the middle of `rect`, as large as fits.
    pub fn paint(self, painter: &Painter, rect: Rect, palette: &Palette) {
        let side = rect.width().min(rect.height());
        let cell = Rect::from_center_size(rect.center(), Vec2::splat(side));
        painter.extend(self.shapes(cell, palette.family(self.family()), stroke::MARK));
    }

    /// Its shapes in the square `cell`, with outlines of this width.
    pub fn shapes(self, cell: Rect, color: Color32, line: f32) -> Vec<Shape> {
        let side = cell.width();
        let corner = CornerRadius::same(radius::CELL);
        let part = |x: f32, y: f32, width: f32, height: f32| {
            Rect::from_min_size(cell.min + Vec2::new(x, y) * side, Vec2::new(width, height) * side)
        };
        let outline = Shape::rect_stroke(cell, corner, Stroke::new(line, color), StrokeKind::Inside);
        let center = cell.center();
        match self {
            Self::Available => vec![Shape::rect_filled(cell, corner, color)],
            Self::Full => [part(0.0, 0.0, 0.38, 1.0), part(0.62, 0.0, 0.38, 1.0)]
                .map(|bar| Shape::rect_filled(bar, corner, color))
                .into(),
            Self::Limited => {
                let reach = side / 2.0;
                let corners =
                    [Vec2::new(0.0, -reach), Vec2::new(reach, 0.0), Vec2::new(0.0, reach), Vec2::new(-reach, 0.0)];
                vec![Shape::convex_polygon(corners.map(|by| center + by).into(), color, Stroke::NONE)]
            }
            Self::Fault => {
                let line = Stroke::new(side * 0.24, color);
                let arms = cell.shrink(side * 0.12);
                [[arms.left_top(), arms.right_bottom()], [arms.right_top(), arms.left_bottom()]]
                    .map(|arm| Shape::line_segment(arm, line))
                    .into()
            }
            Self::Blocked => vec![Shape::rect_filled(part(0.0, 0.34, 1.0, 0.32), corner, color)],
            Self::NoEvidence => vec![outline],
            Self::Unrecognized => vec![outline, Shape::circle_filled(center, side * 0.2, color)],
            Self::Stale => {
                let hand = |by: Vec2| Shape::line_segment([center, center + by], Stroke::new(line, color));
                vec![outline, hand(Vec2::new(0.0, -side * 0.3)), hand(Vec2::new(side * 0.3, 0.0))]
            }
        }
    }

    /// The word for it.
    pub fn word(self, tr: &Tr) -> String {
        match self {
            Self::Unrecognized => tr.text("kind-unrecognized"),
            Self::Stale => tr.text("ui-mark-stale"),
            _ => tr.text(&format!("family-{}", self.family().name())),
        }
    }

    /// A mark in a line of text, with its word as name and on hover.
    pub fn ui(self, ui: &mut Ui, tr: &Tr) -> Response {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(size::MARK), Sense::hover());
        if ui.is_rect_visible(rect) {
            self.paint(ui.painter(), rect, palette(ui));
        }
        let word = self.word(tr);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &word));
        response.on_hover_text(word)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::i18n::Lang;

    #[test]
    fn every_state_has_a_shape_and_a_word_of_its_own() {
        let cell = Rect::from_min_size(egui::Pos2::ZERO, Vec2::splat(size::MARK));
        for lang in Lang::ALL {
            let tr = Tr::new(lang);
            let words: BTreeSet<String> = Mark::ALL.iter().map(|mark| mark.word(&tr)).collect();
            assert_eq!(words.len(), Mark::ALL.len(), "{words:?}");
            assert!(words.iter().all(|word| !word.is_empty()));
        }
        // In one colour: the shape alone tells them apart.
        let shape = |mark: &Mark| format!("{:?}", mark.shapes(cell, Color32::WHITE, stroke::MARK));
        let shapes: BTreeSet<String> = Mark::ALL.iter().map(shape).collect();
        assert_eq!(shapes.len(), Mark::ALL.len());
        for kind in Kind::ALL {
            for scope in Scope::ALL {
                assert!(Mark::ALL.contains(&Mark::of(kind, scope)), "{kind:?}");
            }
        }
    }
}
