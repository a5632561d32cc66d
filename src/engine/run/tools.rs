//! The engine's part in switching tools: what its rules decide, what is clicked outside the window, and what is told of it.

use jiff::Timestamp;

use super::Engine;
use crate::core::target::TargetId;
use crate::engine::machines::Task;
use crate::engine::snapshot::ActivityEvent;
use crate::engine::switching::{Heard, Say, View};

/// The view of an engine at a moment; a macro as it borrows only some of the engine's fields.
macro_rules! view {
    ($engine:ident, $now:ident) => {
        View {
            settings: &$engine.settings,
            board: $engine.machines.board(),
            tr: &$engine.parts.tr,
            now: $now,
            is_quiet: $engine.machines.is_quiet(),
        }
    };
}

impl Engine {
    /// Has the rules decide, and reads what they need.
    pub(super) fn step_rules(&mut self, now: Timestamp) {
        if self.switching.wants_busy(now) {
            let reply = self.recorder.read_busy(self.zone(), now);
            self.switching.read_busy(reply, now);
        }
        let says = self.switching.step(&view!(self, now));
        self.say(says, now);
        if let Some(memory) = self.switching.news() {
            self.recorder.keep_rules(memory);
        }
    }

    /// Has tools use a target.
    pub(super) fn use_target(&mut self, tool: Option<String>, target: &TargetId, now: Timestamp) {
        let is_taken = self.switching.use_target(tool, target, &view!(self, now));
        self.note_dropped(is_taken, now);
    }

    /// Takes a switch back.
    pub(super) fn undo_switch(&mut self, id: u64, now: Timestamp) {
        let is_taken = self.switching.undo(id, &view!(self, now));
        self.note_dropped(is_taken, now);
    }

    fn note_dropped(&mut self, is_taken: bool, now: Timestamp) {
        if !is_taken {
            let words = self.parts.tr.text("rule-no-hands");
            self.machines.note_event(now, ActivityEvent::Trouble(words));
        }
    }

    /// Takes in what came of an order, or was read for the rules.
    pub(super) fn tools_heard(&mut self, heard: Heard, now: Timestamp) {
        let says = self.switching.hear(heard, self.machines.board(), now);
        self.say(says, now);
    }

    fn say(&mut self, says: Vec<Say>, now: Timestamp) {
        for say in says {
            match say {
                Say::Notice(subject, offers, seat) => {
                    let (notice, is_shown) = self.machines.post(subject, offers, now);
                    if let Some(seat) = seat {
                        self.switching.asked(seat, notice.id);
                    }
                    if is_shown {
                        self.perform(vec![Task::Notify(notice)], now);
                    }
                }
                Say::Withdraw(id) => {
                    self.machines.withdraw(id);
                    self.parts.notifier.withdraw(id.0);
                }
                Say::Trouble(words) => self.machines.note_event(now, ActivityEvent::Trouble(words)),
            }
        }
    }
}
