//! What the window says of troubles and of being disturbed.

use super::{Job, Window};
use crate::engine::request::Request;
use crate::engine::snapshot::{Activity, ActivityEvent, Snapshot};
use crate::ui::hush::Hush;
use crate::ui::widgets::toast::Toast;

impl Window {
    /// Says something in the corner.
    pub fn say(&mut self, words: impl Into<String>) {
        self.toasts.push(Toast::words(words));
    }

    /// Says something in the place of what was said of the same matter before.
    pub(super) fn say_of(&mut self, matter: impl Into<String>, words: impl Into<String>) {
        self.toasts.push(Toast::of(matter, words));
    }

    /// Copies a text and says so.
    pub(super) fn copy(&mut self, text: String, ctx: &egui::Context) {
        ctx.copy_text(text);
        self.say_of("copy", self.tr.text("ui-toast-copied"));
    }

    /// Says in the corner what has gone wrong since the picture before `snapshot`: it stands in Activity, which nobody may
    /// be looking at.
    pub(super) fn say_troubles(&mut self, snapshot: &Snapshot) {
        // The first picture tells of the time before this window.
        let Some(newest) = self.snapshot.activity.first().map(|line| line.at) else { return };
        let known = &self.snapshot.activity;
        let is_new = |line: &&Activity| !known.contains(line);
        let troubles = snapshot.activity.iter().take_while(|line| line.at >= newest).filter(is_new);
        let words = troubles.filter_map(|line| match &line.event {
            ActivityEvent::Trouble(words) => Some(words.clone()),
            _ => None,
        });
        let words: Vec<String> = words.collect();
        // The same trouble once more is said once.
        words.into_iter().for_each(|words| self.say_of(words.clone(), words));
    }

    /// Disturbs nobody for a time, or again.
    pub(super) fn hush(&self, hush: Hush) -> Option<Job> {
        let until = hush.until(self.snapshot.at, &self.snapshot.zone);
        Some(Job::Engine(Request::DoNotDisturb(until)))
    }
}
