//! The pixels and how one more colour goes onto them.

use egui::Rect;

/// Premultiplied RGBA.
pub(super) type Pixel = [u8; 4];

/// A picture under way, with the clip rectangle in force.
pub(super) struct Canvas {
    pixels: Vec<Pixel>,
    width: usize,
    height: usize,
    /// Left, top, right, bottom in pixels; right and bottom are outside.
    clip: [i64; 4],
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, background: Pixel) -> Self {
        Self { pixels: vec![background; width * height], width, height, clip: [0, 0, width as i64, height as i64] }
    }

    /// Rounds to whole pixels, as egui's other painters do.
    pub(super) fn set_clip(&mut self, clip: Rect, pixels_per_point: f32) {
        let edge = |points: f32, most: usize| ((points * pixels_per_point).round() as i64).clamp(0, most as i64);
        self.clip = [
            edge(clip.left(), self.width),
            edge(clip.top(), self.height),
            edge(clip.right(), self.width),
            edge(clip.bottom(), self.height),
        ];
    }

    pub(super) const fn clip(&self) -> [i64; 4] {
        self.clip
    }

    /// The pixels of row `y` from `left` to before `right`. The caller keeps to the clip rectangle.
    pub(super) fn span(&mut self, y: i64, left: i64, right: i64) -> &mut [Pixel] {
        let row = y as usize * self.width;
        &mut self.pixels[row + left as usize..row + right as usize]
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.pixels.into_flattened()
    }
}

/// Lays a premultiplied colour over a pixel: `colour + pixel * (1 - alpha)`, rounded, saturating (an additive colour has
/// less alpha than light).
pub(super) fn over(pixel: &mut Pixel, color: Pixel) {
    let rest = 255 - u32::from(color[3]);
    let [r, g, b, a] = *pixel;
    *pixel = [
        channel(color[0], r, rest),
        channel(color[1], g, rest),
        channel(color[2], b, rest),
        channel(color[3], a, rest),
    ];
}

fn channel(source: u8, under: u8, rest: u32) -> u8 {
    let sum = u32::from(source) + (u32::from(under) * rest + 127) / 255;
    if sum > 255 { 255 } else { sum as u8 }
}

/// `a * b / 255`, rounded.
pub(super) fn multiply(a: u8, b: u8) -> u8 {
    ((u32::from(a) * u32::from(b) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_is_exact_to_the_nearest_value() {
        for source in (0..=255u8).step_by(5) {
            for alpha in (source..=255).step_by(5) {
                for under in (0..=255u8).step_by(3) {
                    let mut pixel = [under, 0, 0, 255];
                    over(&mut pixel, [source, 0, 0, alpha]);
                    let exact = f64::from(source) + f64::from(under) * (1.0 - f64::from(alpha) / 255.0);
                    assert!(
                        (f64::from(pixel[0]) - exact).abs() <= 0.5 + 1e-9,
                        "{source} {alpha} {under}: {pixel:?} {exact}"
                    );
                    assert_eq!(pixel[3], 255, "an opaque ground stays opaque");
                }
            }
        }
    }

    #[test]
    fn additive_light_saturates() {
        let mut pixel = [200, 10, 0, 255];
        over(&mut pixel, [100, 100, 100, 0]);
        assert_eq!(pixel, [255, 110, 100, 255]);
    }
}
