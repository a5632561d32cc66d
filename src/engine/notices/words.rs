//! Notices in words, for every place that shows them. Pure: zone, time and language are arguments.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args;
use crate::core::alert::{Notice, Offer, Subject, Usually};
use crate::core::board::Board;
use crate::core::outcome::{Family, Kind, Scope};
use crate::core::rules::{Refusal, Why};
use crate::core::target::TargetId;
use crate::format;
use crate::i18n::Tr;
use crate::switch::tools;

/// A notice in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// One short line.
    pub summary: String,
    /// One or two sentences of plain text, or nothing.
    pub body: String,
}

/// What the words depend on besides the notice.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Where models' names stand.
    pub board: &'a Board,
    /// In which times are told.
    pub zone: &'a TimeZone,
    /// Times of other days name their day.
    pub now: Timestamp,
    /// In which language.
    pub tr: &'a Tr,
}

impl Scene<'_> {
    /// Puts a notice into words.
    pub fn words(&self, notice: &Notice) -> Words {
        let (summary, body) = self.parts(&notice.subject);
        let body = body.into_iter().flatten().collect::<Vec<_>>().join(&self.tr.text("notice-between"));
        Words { summary, body }
    }

    /// The label of an offer's button.
    pub fn label(&self, offer: &Offer) -> String {
        let Self { tr, .. } = self;
        match offer {
            Offer::Use { target, .. } => tr.with("notice-use", &args!("model" => self.name(target))),
            Offer::SwitchBack { target, .. } => tr.with("notice-switch-back", &args!("model" => self.name(target))),
            Offer::Undo { .. } => tr.text("notice-undo"),
            Offer::Snooze { minutes, .. } => {
                tr.with("notice-snooze", &args!("span" => format::span((*minutes).into(), tr)))
            }
        }
    }

    /// The summary, and the sentences of the body.
    fn parts(&self, subject: &Subject) -> (String, Vec<Option<String>>) {
        let Self { tr, .. } = self;
        let of = |id: &str, target: &TargetId| tr.with(id, &args!("model" => self.name(target)));
        match subject {
            Subject::Recovered { target, after, usually } => {
                (of("notice-recovered", target), vec![Some(self.after(*after)), self.usually(*usually)])
            }
            Subject::Full { target, kind, free } => self.full(target, *kind, free.as_ref()),
            Subject::ProviderAway { provider, targets, free } => (
                tr.with("notice-provider-away", &args!("provider" => provider.as_str(), "n" => targets.len())),
                vec![Some(self.sentence("notice-models", targets)), Some(self.free(free.as_ref()))],
            ),
            Subject::ProviderBack { provider, targets, after } => (
                tr.with("notice-provider-back", &args!("provider" => provider.as_str(), "n" => targets.len())),
                vec![Some(self.sentence("notice-models", targets)), Some(self.after(*after))],
            ),
            Subject::Flapping { target, changes, since, free } => {
                let args = args!("n" => *changes, "time" => self.moment(*since));
                let more = free.as_ref().map(|free| self.free(Some(free)));
                let quiet = Some(tr.text("notice-flapping-quiet"));
                (of("notice-flapping", target), vec![Some(tr.with("notice-flapping-changes", &args)), quiet, more])
            }
            Subject::Settled { target, is_free, since } => {
                let id = if *is_free { "notice-settled-free" } else { "notice-settled-away" };
                let since = tr.with("notice-settled-since", &args!("time" => self.moment(*since)));
                (of(id, target), vec![Some(since)])
            }
            Subject::Limited { target, resets_at, free } => {
                let reset = match resets_at {
                    Some(at) => tr.with("notice-limited-resets", &args!("time" => self.moment(*at))),
                    None => tr.text("notice-limited-unknown"),
                };
                (of("notice-limited", target), vec![Some(reset), Some(self.free(free.as_ref()))])
            }
            Subject::LimitReset { target } => {
                (of("notice-limit-reset", target), vec![Some(tr.text("notice-limit-reset-body"))])
            }
            Subject::Reminder { target, since, free } => {
                let since = tr.with("notice-reminder-since", &args!("time" => self.moment(*since)));
                (of("notice-reminder", target), vec![Some(since), Some(self.free(free.as_ref()))])
            }
            Subject::Summary { since, back, away, free } => {
                let summary = tr.with("notice-summary", &args!("time" => self.moment(*since)));
                let named = |id: &str, targets: &[TargetId]| (!targets.is_empty()).then(|| self.sentence(id, targets));
                let more = (!away.is_empty()).then(|| self.free(free.as_ref()));
                (summary, vec![named("notice-summary-back", back), named("notice-summary-away", away), more])
            }
            Subject::BusySoon { target, at, to } => {
                let time = self.moment(*at);
                let summary = tr.with("notice-busy-soon", &args!("model" => self.name(target), "time" => time));
                (summary, vec![Some(self.free(to.as_ref()))])
            }
            Subject::AskSwitch { tool, from, to, why } => {
                let args = args!("tool" => tool_name(tool), "model" => self.name(to));
                (tr.with("notice-ask-switch", &args), vec![self.why(why, Some(from), Some(to))])
            }
            Subject::Switched { tool, from, to, why, .. } => {
                let tool = tool_name(tool);
                let summary = match (why, to) {
                    (Why::Undo, _) | (_, None) => tr.with("notice-undone", &args!("tool" => tool)),
                    (_, Some(to)) => tr.with("notice-switched", &args!("tool" => tool, "model" => self.name(to))),
                };
                (summary, vec![self.why(why, from.as_ref(), to.as_ref())])
            }
            Subject::SwitchRefused { tool, to, reason, .. } => {
                let summary = match tool {
                    Some(tool) => tr.with("notice-refused", &args!("tool" => tool_name(tool))),
                    None => tr.text("notice-refused-all"),
                };
                (summary, vec![Some(self.refusal(reason, to.as_ref()))])
            }
        }
    }

    fn full(&self, target: &TargetId, kind: Kind, free: Option<&TargetId>) -> (String, Vec<Option<String>>) {
        let Self { tr, .. } = self;
        let family = Family::of(kind, Scope::Provider);
        let id = match family {
            Family::Full => "notice-full",
            Family::Fault => "notice-fault",
            Family::Available | Family::Limited | Family::Blocked | Family::Unknown => "notice-away",
        };
        let why = (family != Family::Full)
            .then(|| tr.with("notice-kind", &args!("kind" => tr.text(&format!("kind-{}", kind.name())))));
        (tr.with(id, &args!("model" => self.name(target))), vec![why, Some(self.free(free))])
    }

    /// Which one of the chain is free.
    fn free(&self, free: Option<&TargetId>) -> String {
        match free {
            Some(target) => self.tr.with("notice-free", &args!("model" => self.name(target))),
            None => self.tr.text("notice-none-free"),
        }
    }

    fn after(&self, after: Option<Duration>) -> String {
        match after {
            Some(after) => self.tr.with("notice-after", &args!("span" => self.span(after))),
            None => self.tr.text("notice-after-unseen"),
        }
    }

    fn usually(&self, usually: Option<Usually>) -> Option<String> {
        let Usually { median, spells } = usually?;
        Some(self.tr.with("notice-usually", &args!("span" => self.about(median), "n" => spells)))
    }

    fn why(&self, why: &Why, from: Option<&TargetId>, to: Option<&TargetId>) -> Option<String> {
        let Self { tr, .. } = self;
        let (id, target, time) = match why {
            Why::Wish => return None,
            Why::Undo => return Some(tr.with("notice-why-undo", &args!("model" => self.name(to?)))),
            Why::Away { kind } => {
                let kind = tr.text(&format!("kind-{}", kind.name()));
                return Some(tr.with("notice-why-away", &args!("model" => self.name(from?), "kind" => kind)));
            }
            Why::Back { since } => ("notice-why-back", to?, since),
            Why::BusySoon { at, .. } => ("notice-why-busy-soon", from?, at),
        };
        Some(tr.with(id, &args!("model" => self.name(target), "time" => self.moment(*time))))
    }

    fn refusal(&self, refusal: &Refusal, to: Option<&TargetId>) -> String {
        let Self { tr, .. } = self;
        let of = |id: &str, model: String| tr.with(id, &args!("model" => model));
        match (refusal, to) {
            (Refusal::NotFree, Some(to)) => of("notice-refused-not-free", self.name(to)),
            (Refusal::NotFree, None) => tr.text("notice-refused-none-free"),
            (Refusal::ChangedByOther { found: Some(found) }, _) => of("notice-refused-changed-to", found.clone()),
            (Refusal::ChangedByOther { found: None }, _) => tr.text("notice-refused-changed"),
            (Refusal::AlreadyThere, _) => tr.text("rule-already-there"),
            (Refusal::NoTool, _) => tr.text("notice-refused-no-tool"),
            (Refusal::Said { words }, _) => words.clone(),
        }
    }

    /// A sentence about several models.
    fn sentence(&self, id: &str, targets: &[TargetId]) -> String {
        let names = format::list(targets.iter().map(|target| self.name(target)), self.tr);
        self.tr.with(id, &args!("models" => names, "n" => targets.len()))
    }

    fn name(&self, target: &TargetId) -> String {
        self.board.name_of(target)
    }

    fn moment(&self, at: Timestamp) -> String {
        format::moment(at, self.now, self.zone, self.tr)
    }

    fn span(&self, span: Duration) -> String {
        format::span(i64::try_from(span.as_secs() / 60).unwrap_or(i64::MAX), self.tr)
    }

    /// A length that is an estimate: five minutes more or less are not known.
    fn about(&self, span: Duration) -> String {
        let minutes = i64::try_from(span.as_secs() / 60).unwrap_or(i64::MAX);
        let grain = if minutes < 90 { 5 } else { 30 };
        format::span((minutes.saturating_add(grain / 2) / grain * grain).max(grain), self.tr)
    }
}

/// A tool as people call it.
fn tool_name(id: &str) -> &str {
    tools::find(id).map_or(id, |tool| tool.name())
}
