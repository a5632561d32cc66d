//! What can be read on a ground of any colour, and what the maps of the handout have in common.

use egui::Color32;

/// What is read best on a ground: black or white, as one of them always has a contrast of 4.5 and more.
pub(super) fn ink(ground: Color32) -> Color32 {
    let [one, other] = [Color32::BLACK, Color32::WHITE].map(|color| contrast(color, ground));
    if one >= other { Color32::BLACK } else { Color32::WHITE }
}

/// The contrast of two colours, 1 to 21 (WCAG 2.2).
fn contrast(one: Color32, other: Color32) -> f32 {
    let luminance = |color: Color32| {
        let [red, green, blue, _] = egui::Rgba::from(color).to_array();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// A colour as CSS and SVG write it.
pub(super) fn hex(color: Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b())
}

/// Text between tags or in a quoted attribute; what XML cannot hold is left out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            sign if sign.is_control() || matches!(sign, '\u{fffe}' | '\u{ffff}') => {}
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::Palette;

    #[test]
    fn every_share_can_be_read_known_and_thin() {
        for is_dark in [false, true] {
            let palette = Palette::of(is_dark, false);
            for step in 0..=100 {
                let share = step as f32 / 100.0;
                for ground in [palette.share(share), palette.thin(share)] {
                    assert!(contrast(ink(ground), ground) >= 4.5, "{step} % dark: {is_dark}");
                }
            }
        }
    }
}
