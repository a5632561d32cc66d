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
    let watched = || snapshot.board.entries.iter().map(|entry| entry.target.model.as_str());
    let [before, after] = match (entry.model_before.as_deref(), entry.model_after.as_deref()) {
        (Some(before), Some(after)) if short(before, watched()) != short(after, watched()) => {
            [before, after].map(|model| short(model, watched()).to_owned())
        }
        (before, after) => {
            [before, after].map(|model| model.map_or_else(|| tr.text("switching-own-default"), str::to_owned))
        }
    };
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

/// A tool's spelling of a model without the provider that stands before it, where the rest is a watched model.
fn short<'a>(spelling: &'a str, watched: impl Iterator<Item = &'a str>) -> &'a str {
    let own = watched.filter(|model| spelling.strip_suffix(model).is_some_and(|provider| provider.ends_with('/')));
    own.max_by_key(|model| model.len()).unwrap_or(spelling)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_before_a_watched_model_is_left_out() {
        let watched = ["glm-5", "z/glm-5", "luna"];
        let cases = [
            ("router/glm-5", "glm-5"),
            ("router/z/glm-5", "z/glm-5"),
            ("glm-5", "glm-5"),
            ("xluna", "xluna"),
            ("openai/o9", "openai/o9"),
        ];
        for (spelling, told) in cases {
            assert_eq!(short(spelling, watched.into_iter()), told);
        }
    }
}
