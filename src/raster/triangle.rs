//! One triangle onto the canvas.
//!
//! Corners are rounded to 1/256 pixel and everything about coverage is integer from there. Each row's span follows from
//! the three edges by division, so no pixel is tested on its own; that keeps pictures quick even without optimisation.

use egui::epaint::Vertex;

use super::canvas::{Canvas, Pixel, multiply, over};
use super::texture::{FRACTION, Texture};

/// Steps of a corner's position in a pixel.
const STEPS: i64 = 256;
/// Corners farther out (in pixels) are not drawn: no screen is that large, and products stay within 64 bits.
const FARTHEST: f32 = 1.0e6;

/// Fills the triangle where it covers pixel middles inside the clip rectangle. A middle exactly on an edge belongs to the
/// triangle for which the edge is the top or a left one: two triangles with a common edge cover each pixel once.
pub(super) fn fill(canvas: &mut Canvas, texture: &Texture, corners: [&Vertex; 3], pixels_per_point: f32) {
    let mut corners = corners;
    let position = |vertex: &Vertex| {
        let (x, y) = (vertex.pos.x * pixels_per_point, vertex.pos.y * pixels_per_point);
        let is_near = x.abs() < FARTHEST && y.abs() < FARTHEST;
        is_near.then(|| [(x * STEPS as f32).round() as i64, (y * STEPS as f32).round() as i64])
    };
    let [Some(a), Some(mut b), Some(mut c)] = corners.map(position) else { return };
    let mut area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area == 0 {
        return;
    }
    if area < 0 {
        // egui winds its triangles either way.
        std::mem::swap(&mut b, &mut c);
        corners.swap(1, 2);
        area = -area;
    }

    let [clip_left, clip_top, clip_right, clip_bottom] = canvas.clip();
    let ys = [a[1], b[1], c[1]];
    let (highest, lowest) = (ys[0].min(ys[1]).min(ys[2]), ys[0].max(ys[1]).max(ys[2]));
    let top = highest.div_euclid(STEPS).max(clip_top);
    let bottom = (lowest.div_euclid(STEPS) + 1).min(clip_bottom);
    let edges = [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)];
    let paint = Paint::new(texture, corners, [a, b, c], area);

    for y in top..bottom {
        let (mut left, mut right) = (clip_left, clip_right);
        for edge in &edges {
            edge.limit(y, &mut left, &mut right);
        }
        if left < right {
            paint.span(canvas.span(y, left, right), left, y);
        }
    }
}

/// The side of one edge on which the triangle lies: `value + step * x >= 0` for the pixel `x` of a row.
struct Edge {
    from: [i64; 2],
    by: [i64; 2],
    /// 0 if a middle exactly on the edge is inside, else -1.
    bias: i64,
}

impl Edge {
    const fn new(from: [i64; 2], to: [i64; 2]) -> Self {
        let by = [to[0] - from[0], to[1] - from[1]];
        let is_top_or_left = by[1] < 0 || (by[1] == 0 && by[0] > 0);
        Self { from, by, bias: if is_top_or_left { 0 } else { -1 } }
    }

    /// Narrows a row's span (right is outside).
    fn limit(&self, y: i64, left: &mut i64, right: &mut i64) {
        let down = y * STEPS + STEPS / 2 - self.from[1];
        let value = self.by[0] * down - self.by[1] * (STEPS / 2 - self.from[0]) + self.bias;
        let step = -self.by[1] * STEPS;
        if step > 0 {
            // Rounds up.
            *left = (*left).max(-value.div_euclid(step));
        } else if step < 0 {
            *right = (*right).min(value.div_euclid(-step) + 1);
        } else if value < 0 {
            *right = *left;
        }
    }
}

/// A value that changes evenly over the triangle, with [`FRACTION`] fractional bits.
#[derive(Clone, Copy)]
struct Plane {
    /// At the middle of pixel (0, 0).
    origin: f64,
    across: f64,
    down: f64,
}

impl Plane {
    fn new(values: [f64; 3], [a, b, c]: [[i64; 2]; 3], area: i64) -> Self {
        let pixels = |steps: i64| steps as f64 / STEPS as f64;
        let area = pixels(area) / STEPS as f64;
        let (ab, ac) = (values[1] - values[0], values[2] - values[0]);
        let across = (ab * pixels(c[1] - a[1]) - ac * pixels(b[1] - a[1])) / area;
        let down = (ac * pixels(b[0] - a[0]) - ab * pixels(c[0] - a[0])) / area;
        let origin = values[0] + across * (0.5 - pixels(a[0])) + down * (0.5 - pixels(a[1]));
        Self { origin, across, down }
    }

    fn at(&self, x: i64, y: i64) -> i64 {
        ((self.origin + self.across * x as f64 + self.down * y as f64) * f64::from(1u32 << FRACTION)).round() as i64
    }

    fn step(&self) -> i64 {
        (self.across * f64::from(1u32 << FRACTION)).round() as i64
    }
}

/// What the triangle's pixels get.
enum Paint<'a> {
    /// One colour: most of a UI.
    Solid(Pixel),
    /// One colour through a texture: text.
    Tinted { texture: &'a Texture, color: Pixel, uv: [Plane; 2] },
    /// A gradient, such as a feathered edge or a shadow.
    Shaded { texture: &'a Texture, colors: [Plane; 4], uv: [Plane; 2] },
}

impl<'a> Paint<'a> {
    fn new(texture: &'a Texture, corners: [&Vertex; 3], places: [[i64; 2]; 3], area: i64) -> Self {
        let [a, b, c] = corners;
        let [width, height] = texture.size();
        let uv = || {
            let plane = |value: fn(&Vertex) -> f32, extent: f64| {
                Plane::new(corners.map(|corner| f64::from(value(corner)) * extent), places, area)
            };
            [plane(|corner| corner.uv.x, width), plane(|corner| corner.uv.y, height)]
        };
        let is_flat = a.color == b.color && b.color == c.color;
        match (is_flat, a.uv == b.uv && b.uv == c.uv) {
            (true, true) => {
                let fixed = |part: f32, extent: f64| (f64::from(part) * extent * f64::from(1u32 << FRACTION)) as i64;
                let texel = texture.sample(fixed(a.uv.x, width), fixed(a.uv.y, height));
                Self::Solid(tint(a.color.to_array(), texel))
            }
            (true, false) => Self::Tinted { texture, color: a.color.to_array(), uv: uv() },
            (false, _) => {
                let colors = [0, 1, 2, 3].map(|channel| {
                    Plane::new(corners.map(|corner| f64::from(corner.color.to_array()[channel])), places, area)
                });
                Self::Shaded { texture, colors, uv: uv() }
            }
        }
    }

    fn span(&self, pixels: &mut [Pixel], x: i64, y: i64) {
        match self {
            Self::Solid([_, _, _, 255]) => {
                let Self::Solid(color) = self else { return };
                pixels.fill(*color);
            }
            Self::Solid([0, 0, 0, 0]) => {}
            Self::Solid(color) => {
                for pixel in pixels {
                    over(pixel, *color);
                }
            }
            Self::Tinted { texture, color, uv: [u, v] } => {
                let (mut at_u, mut at_v) = (u.at(x, y), v.at(x, y));
                let (step_u, step_v) = (u.step(), v.step());
                for pixel in pixels {
                    let texel = texture.sample(at_u, at_v);
                    if texel != [0; 4] {
                        over(pixel, tint(*color, texel));
                    }
                    at_u += step_u;
                    at_v += step_v;
                }
            }
            Self::Shaded { texture, colors, uv: [u, v] } => {
                let (mut at_u, mut at_v) = (u.at(x, y), v.at(x, y));
                let (step_u, step_v) = (u.step(), v.step());
                let mut color = colors.map(|plane| plane.at(x, y));
                let steps = colors.map(|plane| plane.step());
                for pixel in pixels {
                    shade(pixel, color, texture.sample(at_u, at_v));
                    for channel in 0..4 {
                        color[channel] += steps[channel];
                    }
                    at_u += step_u;
                    at_v += step_v;
                }
            }
        }
    }
}

fn tint(color: Pixel, texel: Pixel) -> Pixel {
    if texel == [255; 4] {
        return color;
    }
    [
        multiply(color[0], texel[0]),
        multiply(color[1], texel[1]),
        multiply(color[2], texel[2]),
        multiply(color[3], texel[3]),
    ]
}

/// Lays a colour with fractional bits over a pixel, rounding once at the end: a gradient rounded twice shows bands.
fn shade(pixel: &mut Pixel, color: [i64; 4], texel: Pixel) {
    const ONE: i64 = 255 << 8;
    let value = |channel: usize| {
        // Eight fractional bits are left; a corner's rounding may have carried the value just outside.
        let value = (color[channel] >> (FRACTION - 8)).clamp(0, ONE);
        if texel[channel] == 255 { value } else { (value * i64::from(texel[channel]) + 127) / 255 }
    };
    let alpha = value(3);
    for (channel, under) in pixel.iter_mut().enumerate() {
        let light = if channel == 3 { alpha } else { value(channel) };
        let sum = light + (i64::from(*under) * (ONE - alpha) + 127) / 255;
        *under = ((sum + 128) >> 8).min(255) as u8;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::epaint::{ImageData, ImageDelta};
    use egui::{Color32, ColorImage, Pos2, Rect, TextureOptions, pos2};
    use proptest::prelude::*;

    use super::*;

    const SIDE: usize = 32;
    /// Adds one to every channel of what it covers.
    const COUNT: Color32 = Color32::from_rgb_additive(1, 1, 1);

    fn white() -> Texture {
        let image = ColorImage::filled([1, 1], Color32::WHITE);
        Texture::new(&ImageDelta::full(ImageData::Color(Arc::new(image)), TextureOptions::LINEAR))
    }

    fn draw(canvas: &mut Canvas, corners: [(Pos2, Color32); 3]) {
        let vertices = corners.map(|(pos, color)| Vertex::untextured(pos, color));
        let [a, b, c] = &vertices;
        fill(canvas, &white(), [a, b, c], 1.0);
    }

    /// How often each pixel is covered by the triangles.
    fn cover(triangles: &[[Pos2; 3]]) -> Vec<u8> {
        let mut canvas = Canvas::new(SIDE, SIDE, [0, 0, 0, 255]);
        for corners in triangles {
            draw(&mut canvas, corners.map(|corner| (corner, COUNT)));
        }
        canvas.into_bytes().chunks_exact(4).map(|pixel| pixel[0]).collect()
    }

    fn place() -> impl Strategy<Value = Pos2> {
        // Quarters, so that middles of pixels often lie exactly on edges and corners.
        (0..=(SIDE as i32 * 4), 0..=(SIDE as i32 * 4)).prop_map(|(x, y)| pos2(x as f32 / 4.0, y as f32 / 4.0))
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn a_fan_covers_its_square_once_without_gaps(middle in place(), flip in any::<[bool; 4]>()) {
            let side = SIDE as f32;
            let corners = [pos2(0.0, 0.0), pos2(side, 0.0), pos2(side, side), pos2(0.0, side)];
            let fan: Vec<_> = (0..4)
                .map(|index| {
                    let (from, to) = (corners[index], corners[(index + 1) % 4]);
                    if flip[index] { [middle, from, to] } else { [to, from, middle] }
                })
                .collect();
            prop_assert_eq!(cover(&fan), vec![1; SIDE * SIDE]);
        }

        #[test]
        fn two_triangles_share_an_edge_without_covering_twice(a in place(), b in place(), c in place(), d in place()) {
            let side = |p: Pos2| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
            prop_assume!(side(c) * side(d) < 0.0);
            let twice = cover(&[[a, b, c], [a, b, d]]);
            prop_assert!(twice.iter().all(|&count| count <= 1));
        }

        #[test]
        fn nothing_is_drawn_outside_the_clip(corners in [place(), place(), place()], clip in [place(), place()]) {
            let clip = Rect::from_two_pos(clip[0].round(), clip[1].round());
            let mut canvas = Canvas::new(SIDE, SIDE, [0, 0, 0, 255]);
            canvas.set_clip(clip, 1.0);
            draw(&mut canvas, corners.map(|corner| (corner, COUNT)));
            let whole = cover(&[corners]);
            for (index, pixel) in canvas.into_bytes().chunks_exact(4).enumerate() {
                let middle = pos2((index % SIDE) as f32 + 0.5, (index / SIDE) as f32 + 0.5);
                prop_assert_eq!(pixel[0], if clip.contains(middle) { whole[index] } else { 0 });
            }
        }
    }

    #[test]
    fn only_top_and_left_edges_hold_their_middles() {
        // Both edges of this square run through the middles of pixels 1 and 3.
        let square = Rect::from_min_max(pos2(1.5, 1.5), pos2(3.5, 3.5));
        let [a, b, c, d] = [square.left_top(), square.right_top(), square.right_bottom(), square.left_bottom()];
        let covered = cover(&[[a, b, c], [a, c, d]]);
        let inside: Vec<_> =
            (0..SIDE * SIDE).filter(|&index| covered[index] > 0).map(|index| (index % SIDE, index / SIDE)).collect();
        assert_eq!(inside, [(1, 1), (2, 1), (1, 2), (2, 2)]);
    }

    #[test]
    fn a_gradient_goes_evenly_from_corner_to_corner() {
        let mut canvas = Canvas::new(SIDE, 1, [0, 0, 0, 255]);
        let (dark, light) = (Color32::BLACK, Color32::WHITE);
        let end = SIDE as f32;
        draw(&mut canvas, [(pos2(0.0, -50.0), dark), (pos2(0.0, 50.0), dark), (pos2(end, 0.5), light)]);
        let row: Vec<_> = canvas.into_bytes().chunks_exact(4).map(|pixel| pixel[0]).collect();
        for (x, value) in row.iter().enumerate() {
            let exact = 255.0 * (x as f32 + 0.5) / end;
            assert!((f32::from(*value) - exact).abs() <= 0.6, "{x}: {value} {exact}");
        }
    }

    #[test]
    fn corners_that_no_screen_has_are_left_out() {
        for bad in [f32::NAN, f32::INFINITY, -1.0e9] {
            let covered = cover(&[[pos2(0.0, 0.0), pos2(10.0, bad), pos2(bad, 10.0)]]);
            assert!(covered.iter().all(|&count| count == 0), "{bad}");
        }
    }
}
