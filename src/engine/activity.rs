//! The list of what happened, newest first, bounded.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::core::alert::NoticeId;
use crate::engine::snapshot::{Activity, ActivityEvent, Answers};
use crate::notify::Answer;

/// Lines kept; the record itself is in the database.
const MOST: usize = 500;

/// Collects [`Activity`].
#[derive(Debug, Default)]
pub(super) struct ActivityLog {
    lines: VecDeque<Activity>,
    shared: Option<Arc<[Activity]>>,
    answers: Answers,
}

impl ActivityLog {
    /// Adds a line in its place by time.
    pub fn add(&mut self, at: Timestamp, event: ActivityEvent) {
        // Somebody who writes the settings by hand saves them often, and the last reading is the one that holds.
        if event == ActivityEvent::SettingsReloaded {
            let is_one = |line: &Activity| {
                line.event == event && at >= line.at && at.duration_since(line.at) < SignedDuration::from_hours(1)
            };
            self.lines.retain(|line| !is_one(line));
        }
        let index = self.lines.iter().position(|line| line.at <= at).unwrap_or(self.lines.len());
        self.lines.insert(index, Activity { at, event });
        self.lines.truncate(MOST);
        self.shared = None;
    }

    /// Adds a line in its place by time, unless it is there already: the record may be read again.
    pub fn add_once(&mut self, at: Timestamp, event: ActivityEvent) {
        let mut same = self.lines.iter().skip_while(|line| line.at > at).take_while(|line| line.at == at);
        if !same.any(|line| line.event == event) {
            self.add(at, event);
        }
    }

    /// Remembers which button of a notice was pressed; a click on the notice itself is none.
    pub fn answered(&mut self, answer: &Answer) {
        if answer.action == Answer::OPENED {
            return;
        }
        let answers: &mut BTreeMap<_, _> = Arc::make_mut(&mut self.answers);
        answers.insert(NoticeId(answer.id), answer.action.clone());
        if answers.len() > MOST {
            answers.pop_first();
        }
    }

    /// The buttons that were pressed.
    pub fn answers(&self) -> Answers {
        Arc::clone(&self.answers)
    }

    /// All lines, newest first.
    pub fn lines(&mut self) -> Arc<[Activity]> {
        let lines = &self.lines;
        Arc::clone(self.shared.get_or_insert_with(|| lines.iter().cloned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_first_bounded_and_shared_while_unchanged() {
        let mut log = ActivityLog::default();
        let at = |s: i64| Timestamp::from_second(s).expect("in range");
        for second in 0..600 {
            log.add(at(second), ActivityEvent::Resumed);
        }
        log.add(at(550), ActivityEvent::Paused);
        let lines = log.lines();
        assert_eq!(lines.len(), MOST);
        assert!(lines.is_sorted_by(|a, b| a.at >= b.at));
        assert!(lines.iter().any(|line| line.at == at(550) && line.event == ActivityEvent::Paused));
        assert!(Arc::ptr_eq(&lines, &log.lines()));
    }
}
