//! What a notice's row offers: the same as the desktop, and what has become of it. Pure.

use jiff::{SignedDuration, Timestamp};

use crate::core::alert::{Notice, Offer, Subject};
use crate::core::rules::Why;
use crate::core::target::TargetId;
use crate::engine::notices::Scene;
use crate::engine::snapshot::{ActivityEvent, Snapshot};
use crate::i18n::Tr;
use crate::notify::Answer;
use crate::switch::journal::stands;
use crate::ui::switching::{Seen, SeenTool};

/// An older notice is history: what it offers is made from what is so now elsewhere.
const OLD: SignedDuration = SignedDuration::from_hours(24);

/// An offer as it stands on a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Chip {
    /// What a press says to the engine.
    pub answer: Answer,
    /// What is written on it.
    pub label: String,
    /// Whether it can be pressed.
    pub state: State,
}

/// What has become of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can be taken.
    Open,
    /// It was taken, or came about another way.
    Done,
    /// It means nothing any more.
    Over(Over),
}

/// Why an offer is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The notice was answered otherwise.
    Answered,
    /// A newer notice has taken its place, or the tool was switched since.
    Overtaken,
    /// The model is not free now.
    NotFree,
    /// It is too long ago.
    Old,
    /// It is so already: it would change nothing.
    Already,
    /// No tool uses another model in its place.
    Unused,
}

impl Over {
    /// In words.
    pub fn text(self, tr: &Tr) -> String {
        tr.text(match self {
            Self::Answered => "ui-activity-over-answered",
            Self::Overtaken => "ui-activity-over-overtaken",
            Self::NotFree => "ui-activity-over-not-free",
            Self::Old => "ui-activity-over-old",
            Self::Already => "ui-activity-over-already",
            Self::Unused => "ui-activity-over-unused",
        })
    }
}

/// What the row of a notice offers at `now`, in the order of its buttons on the desktop. `tools` is what was read of them
/// last, if anything was.
pub fn chips(
    notice: &Notice,
    snapshot: &Snapshot,
    tools: Option<&Seen>,
    scene: &Scene<'_>,
    now: Timestamp,
) -> Vec<Chip> {
    let chip = |offer: &Offer| Chip {
        answer: Answer { id: notice.id.0, action: offer.action().to_owned() },
        label: scene.label(offer),
        state: match state(notice, offer, snapshot, now) {
            State::Open => tools.and_then(|tools| so_already(offer, tools)).unwrap_or(State::Open),
            state => state,
        },
    };
    notice.offers.iter().map(chip).collect()
}

/// What has become of an open offer by what the tools use now: one that would change nothing is over.
fn so_already(offer: &Offer, tools: &Seen) -> Option<State> {
    match offer {
        Offer::Use { tool, target } | Offer::SwitchBack { tool, target } => {
            let is_meant = |seen: &&SeenTool| match tool {
                Some(tool) => seen.seat.tool == tool,
                None => seen.reaches(target) && seen.used().is_some(),
            };
            let mut meant = tools.tools.iter().filter(is_meant).peekable();
            // A way back leads from another model that is used in its place.
            let stands_in = |seen: &SeenTool| seen.used().is_some_and(|used| used != target);
            if matches!(offer, Offer::SwitchBack { .. }) && !meant.clone().any(stands_in) {
                let is_used = meant.any(|seen| seen.used() == Some(target));
                return Some(State::Over(if is_used { Over::Already } else { Over::Unused }));
            }
            (meant.peek().is_some() && meant.all(|seen| seen.used() == Some(target)))
                .then_some(State::Over(Over::Already))
        }
        Offer::Undo { journal, .. } => {
            let switch = tools.journal.iter().find(|switch| switch.entry.id == *journal)?;
            if switch.is_undone {
                return Some(State::Done);
            }
            let is_ours = stands(switch, &tools.journal) && switch.overwritten_at.is_none();
            (!is_ours).then_some(State::Over(Over::Overtaken))
        }
        Offer::Snooze { .. } => None,
    }
}

fn state(notice: &Notice, offer: &Offer, snapshot: &Snapshot, now: Timestamp) -> State {
    // Newest first: what was told after it.
    let later = || {
        snapshot.activity.iter().take_while(|line| line.at >= notice.at).filter_map(|line| match &line.event {
            ActivityEvent::Notice(other) if other.id != notice.id => Some(other),
            _ => None,
        })
    };
    if let Some(action) = snapshot.status.answers.get(&notice.id) {
        // What was refused may be tried again.
        let is_refused = later().any(|other| is_refusal(&other.subject, offer));
        if action == offer.action() && !is_refused {
            return State::Done;
        }
        if !is_refused {
            return State::Over(Over::Answered);
        }
    }
    // One button for one thing: the newest notice that offers it has it.
    let is_overtaken = || {
        later().any(|other| other.replaces == Some(notice.id) || (other.at > notice.at && other.offers.contains(offer)))
    };
    match offer {
        Offer::Use { target, .. } | Offer::SwitchBack { target, .. } => {
            if later().any(|other| uses(&other.subject, target)) {
                return State::Done;
            }
            if is_old(notice, now) {
                return State::Over(Over::Old);
            }
            if is_overtaken() {
                return State::Over(Over::Overtaken);
            }
            let is_free = snapshot.board.entry(target).is_some_and(|entry| entry.is_free(now));
            if is_free { State::Open } else { State::Over(Over::NotFree) }
        }
        Offer::Undo { tool, .. } => {
            let since = later().find_map(|other| match &other.subject {
                Subject::Switched { tool: other, why, .. } if other == tool => Some(why),
                _ => None,
            });
            match since {
                Some(Why::Undo) => State::Done,
                Some(_) => State::Over(Over::Overtaken),
                None if is_old(notice, now) => State::Over(Over::Old),
                None => State::Open,
            }
        }
        Offer::Snooze { .. } if is_old(notice, now) => State::Over(Over::Old),
        Offer::Snooze { .. } if is_overtaken() => State::Over(Over::Overtaken),
        Offer::Snooze { .. } => State::Open,
    }
}

fn is_old(notice: &Notice, now: Timestamp) -> bool {
    now.duration_since(notice.at) > OLD
}

/// Whether a tool was told to use the target.
fn uses(subject: &Subject, target: &TargetId) -> bool {
    matches!(subject, Subject::Switched { to: Some(to), .. } if to == target)
}

fn is_refusal(subject: &Subject, offer: &Offer) -> bool {
    let wanted = match offer {
        Offer::Use { target, .. } | Offer::SwitchBack { target, .. } => Some(target),
        Offer::Undo { .. } => None,
        Offer::Snooze { .. } => return false,
    };
    matches!(subject, Subject::SwitchRefused { to, .. } if to.as_ref() == wanted)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::alert::NoticeId;
    use crate::core::outcome::{Kind, Scope};
    use crate::core::rules::Refusal;
    use crate::core::target::Role;
    use crate::engine::snapshot::Activity;
    use crate::i18n::Lang;
    use crate::ui::stage::Stage;

    const NOW: i64 = 1_772_366_400;

    fn notice(id: u64, minutes: i64, subject: Subject, offers: Vec<Offer>) -> Notice {
        let at = Timestamp::from_second(NOW - minutes * 60).unwrap();
        Notice { id: NoticeId(id), at, subject, offers, replaces: None }
    }

    fn full(minutes: i64) -> Notice {
        let subject = Subject::Full { target: "p/sol".into(), kind: Kind::AtCapacity, free: Some("q/luna".into()) };
        let offers = vec![
            Offer::Use { tool: None, target: "q/luna".into() },
            Offer::Snooze { targets: vec!["p/sol".into()], minutes: 60 },
        ];
        notice(1, minutes, subject, offers)
    }

    fn switched(why: Why) -> Subject {
        Subject::Switched { tool: "codex".into(), from: None, to: Some("q/luna".into()), why, journal: 4 }
    }

    /// The states of the offers of `notice` after `later`, newest first, with `luna` free or not.
    fn states(notice: &Notice, later: Vec<Notice>, answer: Option<&str>, is_free: bool) -> Vec<State> {
        let now = Timestamp::from_second(NOW).unwrap();
        let mut stage = Stage::new(now, TimeZone::UTC);
        stage.target("sol", "p", Some(Role::Primary));
        stage.state(Kind::AtCapacity, Scope::Model, 20, "rule");
        stage.target("luna", "q", Some(Role::Backup));
        stage.state(if is_free { Kind::Available } else { Kind::AtCapacity }, Scope::Model, 5, "answered");
        let mut snapshot = stage.snapshot();
        let lines = later.into_iter().chain([notice.clone()]);
        snapshot.activity =
            lines.map(|notice| Activity { at: notice.at, event: ActivityEvent::Notice(notice) }).collect();
        let answers = answer.map(|action| (notice.id, action.to_owned()));
        Arc::make_mut(&mut snapshot.status).answers = Arc::new(BTreeMap::from_iter(answers));
        let tr = Tr::new(Lang::English);
        let scene = Scene { board: &snapshot.board, zone: &snapshot.zone, now, tr: &tr };
        chips(notice, &snapshot, None, &scene, now).into_iter().map(|chip| chip.state).collect()
    }

    #[test]
    fn an_offer_is_open_until_it_was_taken_or_means_nothing_any_more() {
        let over = State::Over;
        let refused = |at| {
            let reason = Refusal::NotFree;
            let subject = Subject::SwitchRefused { tool: None, to: Some("q/luna".into()), reason, is_wish: true };
            notice(9, at, subject, Vec::new())
        };
        let replaced = Notice { replaces: Some(NoticeId(1)), ..notice(9, 3, full(3).subject, Vec::new()) };
        assert_eq!(states(&full(10), vec![], None, true), [State::Open, State::Open]);
        assert_eq!(states(&full(10), vec![], None, false), [over(Over::NotFree), State::Open]);
        assert_eq!(states(&full(10), vec![], Some("use"), true), [State::Done, over(Over::Answered)]);
        assert_eq!(states(&full(10), vec![], Some("snooze"), true), [over(Over::Answered), State::Done]);
        assert_eq!(states(&full(10), vec![refused(2)], Some("use"), true), [State::Open, over(Over::Answered)]);
        assert_eq!(states(&full(25 * 60), vec![], None, true), [over(Over::Old), over(Over::Old)]);
        assert_eq!(states(&full(10), vec![replaced], None, true), [over(Over::Overtaken), over(Over::Overtaken)]);
        let done = notice(9, 2, switched(Why::Wish), Vec::new());
        assert_eq!(states(&full(10), vec![done], None, true), [State::Done, State::Open]);
    }

    #[test]
    fn a_switch_can_be_undone_until_another_one() {
        let undo = notice(4, 30, switched(Why::Wish), vec![Offer::Undo { tool: "codex".into(), journal: 4 }]);
        assert_eq!(states(&undo, vec![], None, true), [State::Open]);
        let later = |why| vec![notice(5, 10, switched(why), Vec::new())];
        assert_eq!(states(&undo, later(Why::Undo), None, true), [State::Done]);
        assert_eq!(states(&undo, later(Why::Wish), None, true), [State::Over(Over::Overtaken)]);
    }
}
