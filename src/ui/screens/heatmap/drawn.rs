//! What was made for a frame of the heatmap and serves the next ones: the meshes of its maps and the words of the cells that
//! were looked at. All of it is made from the model, and goes with it.

use std::collections::HashMap;
use std::sync::Arc;

use egui::Mesh;

use super::cell::{Detail, detail};
use super::map::{self, Layout};
use super::model::{Map, Source};
use crate::ui::sheets::Place;
use crate::ui::theme::Palette;

/// Cells whose words are kept at most: more than a map of the week has.
const DETAILS: usize = 512;

/// A map's mesh, and what it was made for.
#[derive(Debug)]
struct Made {
    layout: Layout,
    palette: &'static Palette,
    mesh: Arc<Mesh>,
}

/// Kept from frame to frame.
#[derive(Debug, Default)]
pub struct Drawn {
    model: u64,
    meshes: HashMap<usize, Made>,
    details: HashMap<Place, Option<Arc<Detail>>>,
}

impl Drawn {
    /// Forgets what was made of another model; models are counted.
    pub fn of(&mut self, model: u64) {
        if self.model != model {
            *self = Self { model, ..Self::default() };
        }
    }

    /// A cell in words.
    pub fn detail(&mut self, source: &Source<'_>, map: &Map, place: Place) -> Option<Arc<Detail>> {
        if self.details.len() > DETAILS {
            self.details.clear();
        }
        self.details.entry(place).or_insert_with(|| detail(source, map, place).map(Arc::new)).clone()
    }

    /// The mesh of a map: 0 is the large one, the small ones follow in their order.
    pub fn mesh(&mut self, number: usize, map: &Map, layout: &Layout, palette: &'static Palette) -> Arc<Mesh> {
        let made = self.meshes.get(&number).filter(|made| made.layout == *layout && made.palette == palette);
        if let Some(made) = made {
            return Arc::clone(&made.mesh);
        }
        let mesh = Arc::new(map::mesh(map, layout, palette));
        self.meshes.insert(number, Made { layout: *layout, palette, mesh: Arc::clone(&mesh) });
        mesh
    }
}
