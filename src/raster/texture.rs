//! Textures and how a colour is read from them.

use egui::epaint::{ImageData, ImageDelta};
use egui::{TextureFilter, TextureWrapMode};

use super::canvas::Pixel;

/// Texture coordinates count texels with this many fractional bits.
pub(super) const FRACTION: u32 = 16;

/// A texture in memory.
pub(super) struct Texture {
    texels: Vec<Pixel>,
    width: i64,
    height: i64,
    is_nearest: bool,
    wrap: TextureWrapMode,
}

impl Texture {
    pub(super) fn new(change: &ImageDelta) -> Self {
        let ImageData::Color(image) = &change.image;
        Self {
            texels: image.pixels.iter().map(|color| color.to_array()).collect(),
            width: image.size[0] as i64,
            height: image.size[1] as i64,
            is_nearest: change.options.magnification == TextureFilter::Nearest,
            wrap: change.options.wrap_mode,
        }
    }

    /// Replaces a part, whose upper left corner goes to `at`.
    pub(super) fn patch(&mut self, at: [usize; 2], change: &ImageDelta) {
        let ImageData::Color(image) = &change.image;
        for (y, row) in image.pixels.chunks_exact(image.size[0].max(1)).enumerate() {
            let start = (at[1] + y) * self.width as usize + at[0];
            if let Some(texels) = self.texels.get_mut(start..start + row.len()) {
                for (texel, color) in texels.iter_mut().zip(row) {
                    *texel = color.to_array();
                }
            }
        }
    }

    /// Width and height in texels.
    pub(super) fn size(&self) -> [f64; 2] {
        [self.width as f64, self.height as f64]
    }

    /// The colour at a place in texels ([`FRACTION`] fractional bits; a texel's middle is at a half).
    pub(super) fn sample(&self, u: i64, v: i64) -> Pixel {
        const HALF: i64 = 1 << (FRACTION - 1);
        // To 1/256 of a texel: a picture of the texture's own size then hits the middles exactly, as text does.
        const ROUND: i64 = 1 << (FRACTION - 9);
        if self.is_nearest {
            return self.texel(u >> FRACTION, v >> FRACTION);
        }
        let (u, v) = (u - HALF + ROUND, v - HALF + ROUND);
        let (x, y) = (u >> FRACTION, v >> FRACTION);
        let (right, down) = (((u >> (FRACTION - 8)) & 0xFF) as u32, ((v >> (FRACTION - 8)) & 0xFF) as u32);
        if right == 0 && down == 0 {
            return self.texel(x, y);
        }
        let corners = [self.texel(x, y), self.texel(x + 1, y), self.texel(x, y + 1), self.texel(x + 1, y + 1)];
        if corners == [[0; 4]; 4] {
            return [0; 4];
        }
        let weights = [(256 - right) * (256 - down), right * (256 - down), (256 - right) * down, right * down];
        let mut mixed = [0; 4];
        for (channel, value) in mixed.iter_mut().enumerate() {
            let mut sum = 1 << 15;
            for corner in 0..4 {
                sum += u32::from(corners[corner][channel]) * weights[corner];
            }
            *value = (sum >> 16) as u8;
        }
        mixed
    }

    fn texel(&self, x: i64, y: i64) -> Pixel {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        let (x, y) = if inside { (x, y) } else { (self.wrapped(x, self.width), self.wrapped(y, self.height)) };
        self.texels.get((y * self.width + x) as usize).copied().unwrap_or_default()
    }

    fn wrapped(&self, at: i64, extent: i64) -> i64 {
        let extent = extent.max(1);
        match self.wrap {
            TextureWrapMode::ClampToEdge => at.clamp(0, extent - 1),
            TextureWrapMode::Repeat => at.rem_euclid(extent),
            TextureWrapMode::MirroredRepeat => {
                let phase = at.rem_euclid(2 * extent);
                phase.min(2 * extent - 1 - phase)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::{Color32, ColorImage, TextureOptions};

    use super::*;

    fn texture(options: TextureOptions) -> Texture {
        let pixels = vec![Color32::BLACK, Color32::WHITE, Color32::WHITE, Color32::BLACK];
        let image = ColorImage::new([2, 2], pixels);
        Texture::new(&ImageDelta::full(ImageData::Color(Arc::new(image)), options))
    }

    fn red(texture: &Texture, u: f64, v: f64) -> u8 {
        let fixed = |texels: f64| (texels * f64::from(1 << FRACTION)) as i64;
        texture.sample(fixed(u), fixed(v))[0]
    }

    #[test]
    fn linear_hits_middles_exactly_and_mixes_between_them() {
        let texture = texture(TextureOptions::LINEAR);
        let cases = [(0.5, 0.5, 0), (1.5, 0.5, 255), (1.0, 0.5, 128), (1.0, 1.0, 128), (0.75, 0.5, 64), (-3.0, 0.5, 0)];
        for (u, v, expected) in cases {
            assert_eq!(red(&texture, u, v), expected, "{u} {v}");
        }
    }

    #[test]
    fn outside_the_texture_each_mode_wraps_its_way() {
        let cases = [
            (TextureOptions::NEAREST, 255),
            (TextureOptions::NEAREST_REPEAT, 0),
            (TextureOptions::NEAREST_MIRRORED_REPEAT, 255),
        ];
        for (options, expected) in cases {
            assert_eq!(red(&texture(options), 2.5, 0.5), expected, "{options:?}");
        }
    }

    #[test]
    fn a_patch_changes_only_its_place() {
        let mut texture = texture(TextureOptions::NEAREST);
        let image = ColorImage::new([1, 1], vec![Color32::WHITE]);
        texture.patch([1, 1], &ImageDelta::partial([1, 1], ImageData::Color(Arc::new(image)), TextureOptions::NEAREST));
        let all = [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5)].map(|(u, v)| red(&texture, u, v));
        assert_eq!(all, [0, 255, 255, 255]);
    }
}
