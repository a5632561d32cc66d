//! The colours, by meaning. The only place that writes them down.
//!
//! Every family colour has at least 3:1 to the grounds it stands on, and any two stay apart under normal sight and
//! simulated protan-, deuter- and tritanopia; both are computed in the tests. A family never speaks by colour alone: see
//! `ui::widgets::mark`.

use egui::{Color32, Ui};

use crate::core::outcome::Family;

/// The colours of one theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// Light on dark, or dark on light.
    pub is_dark: bool,
    /// Behind a page.
    pub ground: Color32,
    /// Behind the rail and the status line.
    pub rail: Color32,
    /// Behind cards, tables, dialogs.
    pub card: Color32,
    /// Behind evidence, diffs and text fields.
    pub sunken: Color32,
    /// Lines between rows and around cards.
    pub line: Color32,
    /// Behind a button.
    pub control: Color32,
    /// Around a button.
    pub control_line: Color32,
    /// Behind what the pointer is over.
    pub hover: Color32,
    /// Behind what is pressed, and the toned button.
    pub pressed: Color32,
    /// Behind the selected row.
    pub selected: Color32,
    /// Running text.
    pub text: Color32,
    /// Names, headlines, what is selected.
    pub strong: Color32,
    /// Second lines, heads.
    pub weak: Color32,
    /// Links, focus, the main button.
    pub accent: Color32,
    /// On the main button.
    pub on_accent: Color32,
    /// A quarter hour without evidence.
    pub gap: Color32,
    /// Behind an added line of a diff.
    pub added: Color32,
    /// Behind a removed line of a diff.
    pub removed: Color32,
    /// Under floating things.
    pub shadow: Color32,
    /// Shares of time free in maps, at 0, one half and 1: lightness alone tells their order.
    pub ramp: [Color32; 3],
    /// One colour a family, in the order of [`Family::ALL`].
    pub families: [Color32; 6],
}

impl Palette {
    /// The palette of a theme.
    pub const fn of(is_dark: bool, is_high_contrast: bool) -> &'static Self {
        match (is_dark, is_high_contrast) {
            (true, false) => &DARK,
            (true, true) => &DARK_CONTRAST,
            (false, false) => &LIGHT,
            (false, true) => &LIGHT_CONTRAST,
        }
    }

    /// The colour of a family.
    pub const fn family(&self, family: Family) -> Color32 {
        self.families[family as usize]
    }

    /// The colour of a share of time free (0 to 1).
    pub fn share(&self, share: f32) -> Color32 {
        let [none, half, all] = self.ramp;
        let at = share.clamp(0.0, 1.0) * 2.0;
        if at < 1.0 { none.lerp_to_gamma(half, at) } else { half.lerp_to_gamma(all, at - 1.0) }
    }

    /// The ground of a thin cell, between stripes in the colour of its share.
    pub fn thin(&self, share: f32) -> Color32 {
        Self::tint(self.card, self.share(share), 0.3)
    }

    /// `color` over `ground`, covering `share` of it (0 to 1); for strips and cells.
    pub fn tint(ground: Color32, color: Color32, share: f32) -> Color32 {
        ground.lerp_to_gamma(color, share.clamp(0.0, 1.0))
    }
}

/// What is read best on a ground of any colour: black or white, as one of them always has a contrast of 4.5 and more.
pub fn readable_on(ground: Color32) -> Color32 {
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

/// The palette in force.
pub fn palette(ui: &Ui) -> &'static Palette {
    let is_high_contrast = ui.ctx().data(|data| data.get_temp(super::install::contrast_id())).unwrap_or(false);
    Palette::of(ui.visuals().dark_mode, is_high_contrast)
}

#[expect(clippy::disallowed_methods, reason = "the place where colours are written down")]
const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const DARK: Palette = Palette {
    is_dark: true,
    ground: hex(0x1B_1B1B),
    rail: hex(0x16_1616),
    card: hex(0x20_2020),
    sunken: hex(0x18_1818),
    line: hex(0x2C_2C2C),
    control: hex(0x1F_1F1F),
    control_line: hex(0x3A_3A3A),
    hover: hex(0x2A_2A2A),
    pressed: hex(0x2F_3A46),
    selected: hex(0x24_2A31),
    text: hex(0xDA_DADA),
    strong: hex(0xF4_F4F4),
    weak: hex(0xA0_A0A0),
    accent: hex(0x7A_B8FF),
    on_accent: hex(0x10_1C2A),
    gap: hex(0x2E_2E2E),
    added: hex(0x17_3A33),
    removed: hex(0x3A_1D1D),
    shadow: Color32::from_black_alpha(110),
    ramp: [hex(0xB8_4A1E), hex(0xBE_9A3E), hex(0x40_F0D2)],
    families: [hex(0x40_F0D2), hex(0xFF_D83C), hex(0x1A_86FF), hex(0xFF_7518), hex(0xB8_97AE), hex(0x6B_6B6B)],
};

const LIGHT: Palette = Palette {
    is_dark: false,
    ground: hex(0xFA_FAFA),
    rail: hex(0xF1_F1F1),
    card: hex(0xFF_FFFF),
    sunken: hex(0xF5_F5F5),
    line: hex(0xE0_E0E0),
    control: hex(0xFF_FFFF),
    control_line: hex(0xC4_C4C4),
    hover: hex(0xEE_EEEE),
    pressed: hex(0xD8_E6F5),
    selected: hex(0xE6_EFF9),
    text: hex(0x22_2222),
    strong: hex(0x0C_0C0C),
    weak: hex(0x5E_5E5E),
    accent: hex(0x0B_5CAD),
    on_accent: hex(0xFF_FFFF),
    gap: hex(0xE6_E6E6),
    added: hex(0xD7_F0E8),
    removed: hex(0xFB_DFDC),
    shadow: Color32::from_black_alpha(36),
    ramp: [hex(0xEA_7A2E), hex(0x90_742F), hex(0x0C_424C)],
    families: [hex(0x2B_6E6E), hex(0xDD_6510), hex(0x12_3C66), hex(0x74_1700), hex(0x9A_27C7), hex(0x90_9090)],
};

const DARK_CONTRAST: Palette = Palette {
    ground: hex(0x00_0000),
    rail: hex(0x00_0000),
    card: hex(0x0A_0A0A),
    sunken: hex(0x00_0000),
    line: hex(0x7A_7A7A),
    control: hex(0x00_0000),
    control_line: hex(0xB4_B4B4),
    hover: hex(0x2A_2A2A),
    text: hex(0xFF_FFFF),
    strong: hex(0xFF_FFFF),
    weak: hex(0xD0_D0D0),
    accent: hex(0x9C_CBFF),
    on_accent: hex(0x00_0000),
    gap: hex(0x3A_3A3A),
    ..DARK
};

const LIGHT_CONTRAST: Palette = Palette {
    ground: hex(0xFF_FFFF),
    rail: hex(0xFF_FFFF),
    card: hex(0xFF_FFFF),
    sunken: hex(0xFF_FFFF),
    line: hex(0x6E_6E6E),
    control_line: hex(0x3C_3C3C),
    text: hex(0x00_0000),
    strong: hex(0x00_0000),
    weak: hex(0x38_3838),
    accent: hex(0x00_3E80),
    gap: hex(0xD0_D0D0),
    ..LIGHT
};

#[cfg(test)]
#[path = "colors_tests.rs"]
mod tests;
