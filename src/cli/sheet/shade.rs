//! The colours of shares on paper and in pictures.

use egui::Color32;

use crate::core::outcome::Family;
use crate::ui::theme::Palette;

/// The ground of a cell by its share: darker, in the dark theme lighter, is freer. Lightness alone tells the order, so that
/// it survives a grey printer and every sight.
pub(super) fn shade(palette: &Palette, share: f64) -> Color32 {
    Palette::tint(palette.sunken, palette.family(Family::Available), 0.06 + 0.94 * share.clamp(0.0, 1.0) as f32)
}

/// What is read best on a ground: black or white, as one of them always has a contrast of 4.5 and more.
pub(super) fn ink(ground: Color32) -> Color32 {
    let [one, other] = [Color32::BLACK, Color32::WHITE].map(|color| contrast(color, ground));
    if one >= other { Color32::BLACK } else { Color32::WHITE }
}

/// The contrast of two colours, 1 to 21 (WCAG 2.2).
pub(super) fn contrast(one: Color32, other: Color32) -> f32 {
    let luminance = |color: Color32| {
        let [red, green, blue, _] = egui::Rgba::from(color).to_array();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_can_be_read_and_is_ordered_by_lightness() {
        for is_dark in [false, true] {
            let palette = Palette::of(is_dark, false);
            let mut last = 0.0;
            for step in 0..=100 {
                let ground = shade(palette, f64::from(step) / 100.0);
                assert!(contrast(ink(ground), ground) >= 4.5, "{step} % dark: {is_dark}");
                let distance = contrast(palette.sunken, ground);
                assert!(distance >= last, "{step} % dark: {is_dark}");
                last = distance;
            }
        }
    }
}
