//! How the window looks: theme, zoom, and what of it is kept.

use egui::{Context, ThemePreference};

use super::{Job, Window};
use crate::settings::ThemeChoice;
use crate::ui::state::Kept;
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
        None
    }
}
