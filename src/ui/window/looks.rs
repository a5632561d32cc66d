//! How the window looks: theme, zoom, and what of it is kept.

use egui::{Context, ThemePreference};

use super::{Job, Window};
use crate::settings::ThemeChoice;
use crate::settings::edit::Field;
use crate::ui::state::{Kept, Zoom};
use crate::ui::theme::Look;

impl Window {
    /// The theme in force.
    pub fn look(&self) -> Look {
        let theme = match self.state.theme.unwrap_or(self.default_theme) {
            ThemeChoice::System => ThemePreference::System,
            ThemeChoice::Dark => ThemePreference::Dark,
            ThemeChoice::Light => ThemePreference::Light,
        };
        let is_still = self.is_still || self.is_still_system;
        Look { theme, is_high_contrast: self.is_high_contrast, is_still }
    }

    /// The looks, when they changed since they were last asked for.
    pub fn changed_looks(&mut self) -> Option<Kept> {
        let kept = self.state.kept();
        (kept != self.kept).then(|| {
            self.kept = kept.clone();
            kept
        })
    }

    pub(super) fn zoom(&mut self, by: i32, ctx: &Context) -> Option<Job> {
        self.state.zoom = if by == 0 { Default::default() } else { self.state.zoom.step(by) };
        ctx.set_zoom_factor(self.state.zoom.factor());
        Some(self.write_look(Field::Zoom(self.state.zoom.factor())))
    }

    /// A look that was chosen in the window is to be what the settings say: their screen, the terminal and the next start read
    /// it there.
    pub(super) const fn write_look(&mut self, look: Field) -> Job {
        self.looks_on_their_way += 1;
        Job::Wear(look)
    }

    /// What of the looks was chosen, where there were no settings that it could be written into.
    pub(super) fn chosen_looks(&self) -> Vec<Field> {
        let zoom = (self.state.zoom != Zoom::default()).then(|| Field::Zoom(self.state.zoom.factor()));
        let language = self.state.lang.map(|lang| Field::Language(Some(lang)));
        [self.state.theme.map(Field::Theme), language, zoom].into_iter().flatten().collect()
    }
}
