//! The picture in the tray: the mark of a state on our dark plate, so that it is as clear on a light panel as on a dark one,
//! and says by its shape what it says by its colour.

use egui::{CornerRadius, Pos2, Rect, Shape, Vec2};

use crate::core::outcome::Family;
use crate::platform::tray::Pixels;
use crate::raster;
use crate::ui::theme::Palette;
use crate::ui::widgets::mark::Mark;

/// Sides in pixels that panels ask for, smallest first.
pub const SIDES: [u32; 4] = [22, 24, 32, 48];

/// Side in pixels of the picture before a line of the menu.
pub const LINE: u32 = 16;

/// What the picture says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The state of the primary model.
    State(Mark),
    /// Nothing is probed: a crescent.
    Paused,
}

impl Sign {
    /// Every sign.
    pub fn all() -> impl Iterator<Item = Self> {
        Mark::ALL.into_iter().map(Self::State).chain([Self::Paused])
    }

    /// Draws it.
    pub fn draw(self, side: u32) -> Pixels {
        let palette = Palette::of(true, false);
        let full = side as f32;
        let plate = Rect::from_min_size(Pos2::ZERO, Vec2::splat(full));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 10")]
        let corner = CornerRadius::same((full * 0.2).round() as u8);
        let mut shapes = vec![Shape::rect_filled(plate, corner, palette.ground)];
        // Whole pixels all round, or small pictures blur.
        let cell = plate.shrink((full * 0.22).round());
        match self {
            Self::State(mark) => {
                shapes.extend(mark.shapes(cell, palette.family(mark.family()), (full * 0.09).round().max(1.0)));
            }
            Self::Paused => {
                let radius = cell.width() / 2.0;
                let shadow = cell.center() + Vec2::new(radius * 0.65, -radius * 0.45);
                shapes.extend([
                    Shape::circle_filled(cell.center(), radius, palette.weak),
                    Shape::circle_filled(shadow, radius * 0.85, palette.ground),
                ]);
            }
        }
        let image = raster::render_shapes(shapes, side);
        Pixels { side, rgba: image.into_raw() }
    }

    /// The state's family; a pause has none of its own.
    pub const fn family(self) -> Family {
        match self {
            Self::State(mark) => mark.family(),
            Self::Paused => Family::Unknown,
        }
    }
}

/// Pictures that were drawn already.
#[derive(Debug, Default)]
pub struct Drawn(Vec<(Sign, u32, Pixels)>);

impl Drawn {
    /// The picture of a sign.
    pub fn get(&mut self, sign: Sign, side: u32) -> Pixels {
        if let Some((.., pixels)) = self.0.iter().find(|(drawn, of, _)| (*drawn, *of) == (sign, side)) {
            return pixels.clone();
        }
        let pixels = sign.draw(side);
        self.0.push((sign, side, pixels.clone()));
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture without its colours: what stands out of the plate.
    fn shape(pixels: &Pixels) -> Vec<bool> {
        let bright = |pixel: &[u8]| u32::from(pixel[0]) + u32::from(pixel[1]) + u32::from(pixel[2]);
        pixels.rgba.chunks_exact(4).map(|pixel| bright(pixel) > 3 * 0x40).collect()
    }

    #[test]
    fn every_sign_has_a_shape_of_its_own_in_every_size() {
        for side in SIDES.into_iter().chain([LINE]) {
            let shapes: Vec<_> = Sign::all().map(|sign| (sign, shape(&sign.draw(side)))).collect();
            for (index, (sign, shape)) in shapes.iter().enumerate() {
                let set = shape.iter().filter(|set| **set).count();
                assert!(set >= side as usize / 2, "{sign:?} at {side} shows {set} pixels");
                for (other, with) in &shapes[..index] {
                    let differing = shape.iter().zip(with).filter(|(a, b)| a != b).count();
                    // The small one stands beside its words.
                    let least = if side == LINE { 4 } else { side as usize / 2 };
                    assert!(differing >= least, "{sign:?} and {other:?} at {side}: {differing}");
                }
            }
        }
    }

    #[test]
    fn the_plate_stands_out_of_a_light_panel_and_the_mark_out_of_the_plate() {
        for sign in Sign::all() {
            let pixels = sign.draw(24);
            let middle_of_the_edge = &pixels.rgba[12 * 4..12 * 4 + 4];
            assert_eq!(middle_of_the_edge, [0x1B, 0x1B, 0x1B, 0xFF], "the plate reaches the edge: {sign:?}");
            assert_eq!(pixels.rgba[3], 0, "round corners: {sign:?}");
        }
    }
}
