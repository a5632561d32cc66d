//! A story as it is played: time passes from one wake to the next, and things happen on the way.

use jiff::Timestamp;

use super::{Act, Story};
use crate::core::alert::Notice;

/// Who plays: the machines, however they are wired.
pub trait Actor {
    /// When it wants to be woken next.
    fn wake_at(&self) -> Option<Timestamp>;
    /// It is this time: look what is due.
    fn tick(&mut self, now: Timestamp) -> Vec<Notice>;
    /// This happens.
    fn act(&mut self, act: &Act, now: Timestamp) -> Vec<Notice>;
}

/// Plays a story to its end and returns the notices in their order.
pub fn play(story: &Story, actor: &mut impl Actor) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut now = Timestamp::MIN;
    for (at, act) in &story.acts {
        if !matches!(act, Act::Jump) {
            // Nobody is awake in a sleep, so nothing is due in it.
            while let Some(wake) = actor.wake_at().filter(|wake| wake < at) {
                now = wake.max(now);
                notices.extend(actor.tick(now));
            }
        }
        now = *at;
        notices.extend(actor.act(act, now));
    }
    notices
}
