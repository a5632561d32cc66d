//! Switches, undos and redos among what happened, as the journal has them, whoever made them. Pure.

use jiff::Timestamp;

use super::model::Line;
use crate::args;
use crate::core::alert::Subject;
use crate::engine::snapshot::{ActivityEvent, Snapshot};
use crate::i18n::Tr;
use crate::switch::journal::{Purpose, Stage, Switch};
use crate::ui::format;
use crate::ui::screens::switch::model::{note, tool_name};
use crate::ui::switching::Seen;

/// Entries of the journal that are listed at most.
const MOST: usize = 500;

/// The entries to list: those that wrote something, but for those of which a notice tells.
pub fn listed<'a>(seen: &'a Seen, snapshot: &Snapshot) -> Vec<&'a Switch> {
    let told = snapshot.activity.iter().filter_map(|line| match &line.event {
        ActivityEvent::Notice(notice) => match notice.subject {
            Subject::Switched { journal, .. } => Some(journal),
            _ => None,
        },
        _ => None,
    });
    let told: std::collections::HashSet<u64> = told.collect();
    let is_listed = |switch: &&Switch| switch.stage != Stage::Dropped && !told.contains(&switch.entry.id);
    seen.journal.iter().rev().filter(is_listed).take(MOST).collect()
}

/// Puts an entry into words.
pub fn line(switch: &Switch, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Line {
    let entry = &switch.entry;
    let id = match entry.purpose {
        Purpose::Switch => "ui-activity-switched",
        Purpose::Rule { .. } => "ui-activity-switched-rule",
        Purpose::Undo { .. } => "ui-activity-switch-undone",
        Purpose::Redo { .. } => "ui-activity-switch-redone",
    };
    let model = |model: &Option<String>| model.clone().unwrap_or_else(|| tr.text("switching-own-default"));
    let (before, after) = (model(&entry.model_before), model(&entry.model_after));
    let name = tool_name(entry, seen, tr);
    let (more, family) = note(switch, seen, snapshot, now, tr);
    Line {
        time: format::clock(entry.at, &snapshot.zone),
        moment: format::moment(entry.at, now, &snapshot.zone, tr),
        family,
        words: format::pieces(tr, id, "tool", &name, args!("before" => before, "after" => after)),
        more,
        offers: Vec::new(),
        is_notice: false,
        is_switch: true,
    }
}
