//! The glance's part of the window: its model, and what it asks.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Cached, Seen, Window};
use crate::ui::screens::glance::model::{Model, Source};
use crate::ui::sheets::{self, Ask};

/// The model, made again only when what it is made from has changed: picture, statistics, tools.
#[derive(Default)]
pub(super) struct Held {
    model: Cached<(Seen, u64, u64), Arc<Model>>,
}

impl Window {
    /// What the glance shows at `now`.
    pub fn glance_model(&mut self, now: Timestamp) -> Arc<Model> {
        let key = (self.moment(now), self.held.sheets.generation, self.switching.held.generation);
        let sheet = self.held.sheets.usual.as_ref().map(|answer| &answer.sheet);
        let (snapshot, uses, tr) = (&self.snapshot, &self.switching.uses, &self.tr);
        let make = || Arc::new(Model::new(&Source { snapshot, sheet, uses, now, tr }));
        Arc::clone(self.glance.model.get(key, make))
    }

    /// The statistics that the glance wants: once, and again when the hour has turned, as it shows whole windows of them.
    pub fn wanted_of_glance(&mut self, now: Timestamp) -> Option<Ask> {
        let hour = |at: Timestamp| at.as_second().div_euclid(3600);
        let held = &mut self.held.sheets;
        let is_answered = held.usual.as_ref().is_some_and(|answer| hour(answer.ask.at) == hour(now));
        if is_answered {
            return None;
        }
        held.wanted(&sheets::State::default(), &self.snapshot, now)
    }
}
