//! Contrast and the distance between families, computed.

use egui::Color32;

use super::*;

const THEMES: [(&str, &Palette); 4] =
    [("dark", &DARK), ("light", &LIGHT), ("dark contrast", &DARK_CONTRAST), ("light contrast", &LIGHT_CONTRAST)];

/// Linear light, 0 to 1 (IEC 61966-2-1).
fn linear(color: Color32) -> [f64; 3] {
    [color.r(), color.g(), color.b()].map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// WCAG 2.2, relative luminance and contrast ratio.
fn contrast(one: Color32, other: Color32) -> f64 {
    let luminance = |color| {
        let [r, g, b] = linear(color);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

type Matrix = [[f64; 3]; 3];

/// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light.
const SIGHTS: [(&str, Matrix); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protan", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    ("deutan", [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    ("tritan", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

fn apply(matrix: &Matrix, value: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * value[0] + row[1] * value[1] + row[2] * value[2])
}

/// OKLab (Ottosson 2020) of linear light.
fn oklab(light: [f64; 3]) -> [f64; 3] {
    const LMS: Matrix = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ];
    const LAB: Matrix = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ];
    apply(&LAB, apply(&LMS, light.map(|value| value.clamp(0.0, 1.0))).map(f64::cbrt))
}

/// OKLab distance, times 100.
fn distance(one: Color32, other: Color32, sight: &Matrix) -> f64 {
    let (one, other) = (oklab(apply(sight, linear(one))), oklab(apply(sight, linear(other))));
    100.0 * one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn families_stand_out_from_every_ground_they_are_on() {
    for (name, palette) in THEMES {
        for family in Family::ALL {
            for ground in [palette.ground, palette.card] {
                let ratio = contrast(palette.family(family), ground);
                assert!(ratio >= 3.0, "{name}: {family:?} on {ground:?} has {ratio:.2}");
            }
        }
    }
}

#[test]
fn text_reads_on_every_ground() {
    for (name, palette) in THEMES {
        let grounds = [palette.ground, palette.rail, palette.card, palette.sunken, palette.selected, palette.hover];
        for ground in grounds {
            for (what, color, least) in
                [("text", palette.text, 7.0), ("strong", palette.strong, 7.0), ("weak", palette.weak, 4.5)]
            {
                let ratio = contrast(color, ground);
                assert!(ratio >= least, "{name}: {what} on {ground:?} has {ratio:.2}");
            }
        }
        assert!(contrast(palette.on_accent, palette.accent) >= 4.5, "{name}: main button");
        assert!(contrast(palette.strong, palette.pressed) >= 7.0, "{name}: toned button");
        assert!(contrast(palette.accent, palette.ground) >= 4.5, "{name}: links");
        for ground in [palette.added, palette.removed] {
            assert!(contrast(palette.text, ground) >= 7.0, "{name}: diff on {ground:?}");
        }
    }
}

#[test]
fn high_contrast_has_higher_contrast() {
    for (plain, high) in [(&DARK, &DARK_CONTRAST), (&LIGHT, &LIGHT_CONTRAST)] {
        assert!(contrast(high.text, high.ground) > contrast(plain.text, plain.ground));
        for ground in [high.ground, high.rail, high.card, high.sunken, high.selected, high.hover] {
            for text in [high.text, high.strong, high.weak] {
                assert!(contrast(text, ground) >= 7.0, "{text:?} on {ground:?}");
            }
        }
        assert!(contrast(high.on_accent, high.accent) >= 7.0 && contrast(high.accent, high.ground) >= 7.0);
        for text in [high.text, high.strong] {
            for ground in [high.added, high.removed, high.pressed] {
                assert!(contrast(text, ground) >= 7.0, "{text:?} on {ground:?}");
            }
        }
        assert!(contrast(high.line, high.card) >= 3.0);
        assert!(contrast(high.control_line, high.ground) >= 4.5);
    }
}

#[test]
fn any_two_families_stay_apart_for_every_sight() {
    for (theme, palette, least) in [("dark", &DARK, 14.4), ("light", &LIGHT, 13.2)] {
        let mut smallest = (f64::INFINITY, String::new());
        for (sight, matrix) in &SIGHTS {
            for (index, one) in Family::ALL.into_iter().enumerate() {
                for other in Family::ALL.into_iter().skip(index + 1) {
                    let distance = distance(palette.family(one), palette.family(other), matrix);
                    if distance < smallest.0 {
                        smallest =
                            (distance, format!("{theme}, {sight}: {one:?} and {other:?} are {distance:.2} apart"));
                    }
                }
            }
        }
        println!("{}", smallest.1);
        assert!(smallest.0 >= least, "{}", smallest.1);
    }
}

#[test]
fn a_tint_goes_from_ground_to_colour() {
    assert_eq!(Palette::tint(DARK.ground, DARK.accent, 0.0), DARK.ground);
    assert_eq!(Palette::tint(DARK.ground, DARK.accent, 7.0), DARK.accent);
}

#[test]
fn shares_are_told_apart_by_lightness_alone_and_stand_out_from_the_card() {
    for (name, palette) in THEMES {
        let steps: Vec<Color32> = (0..=10_u8).map(|step| palette.share(f32::from(step) / 10.0)).collect();
        for (sight, matrix) in &SIGHTS {
            let lightness: Vec<f64> = steps.iter().map(|color| oklab(apply(matrix, linear(*color)))[0]).collect();
            for (step, pair) in lightness.windows(2).enumerate() {
                let rise = if palette.is_dark { pair[1] - pair[0] } else { pair[0] - pair[1] };
                assert!(rise > 0.01, "{name}, {sight}: from {step} to the next {rise:.3}");
            }
        }
        for (step, color) in steps.iter().enumerate() {
            let ratio = contrast(*color, palette.card);
            let least = if palette.is_dark { 3.0 } else { 2.4 };
            assert!(ratio >= least, "{name}: {step} has {ratio:.2} on the card");
            assert!(contrast(*color, palette.gap) >= 1.8, "{name}: {step} looks like a gap");
        }
    }
}

#[test]
fn every_share_can_be_written_on_known_and_thin() {
    for (name, palette) in THEMES {
        for step in 0..=100_u8 {
            let share = f32::from(step) / 100.0;
            for ground in [palette.share(share), palette.thin(share)] {
                assert!(contrast(readable_on(ground), ground) >= 4.5, "{name}: {step} %");
            }
        }
    }
}

#[test]
fn the_ring_of_the_focus_stands_out_from_what_is_around_it() {
    for (name, palette) in THEMES {
        let around = [palette.ground, palette.rail, palette.card, palette.sunken, palette.selected, palette.hover];
        for ground in around {
            let ratio = contrast(palette.accent, ground);
            assert!(ratio >= 3.0, "{name}: the ring on {ground:?} has {ratio:.2}");
        }
    }
}
