//! The rule of a tool in words. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::rules::{Mode, Phase, Return, Rule};
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::format;
use crate::i18n::Tr;
use crate::switch::tools;
use crate::ui::switching::SeenTool;

/// The rule of a tool as it is shown and changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleModel {
    /// What it does, and how it stands.
    pub words: String,
    /// How far it may go, when away and back are alike.
    pub mode: Option<Mode>,
}

impl RuleModel {
    /// The rule of one home of a tool at `now`.
    pub fn new(tool: &SeenTool, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Self {
        let rule = tool.rule;
        let mode = (rule.failover == rule.back).then_some(rule.back);
        let state = snapshot
            .status
            .rules
            .iter()
            .find(|state| state.seat.tool == tool.seat.tool && state.seat.home == tool.seat.home.as_str());
        let words = match state {
            _ if !rule.is_on() => tr.text("rule-off"),
            Some(state) => {
                let does = does(rule, tr);
                phase(&state.phase, snapshot, now, tr).map_or_else(|| does.clone(), |stands| format!("{does} {stands}"))
            }
            None => does(rule, tr),
        };
        Self { words, mode }
    }
}

/// What a rule does, in sentences; empty for one that is off.
pub fn does(rule: Rule, tr: &Tr) -> String {
    let of = |mode: Mode, what: &str| match mode {
        Mode::Off => None,
        Mode::Ask => Some(tr.text(&format!("rule-{what}-ask"))),
        Mode::Auto => Some(tr.text(&format!("rule-{what}-auto"))),
    };
    let parts = [of(rule.failover, "away"), of(rule.back, "back")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn phase(phase: &Phase, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Option<String> {
    let name = |target: &TargetId| snapshot.board.name_of(target);
    let moment = |at: Timestamp| format::moment(at, now, &snapshot.zone, tr);
    Some(match phase {
        Phase::Unknown => tr.text("rule-unknown"),
        Phase::Home { asked: Some(asked), .. } => tr.with("rule-asked", &args!("model" => name(asked))),
        Phase::Home { asked: None, .. } => return None,
        Phase::StandingIn { first, on, since, back } => {
            let args = args!("first" => name(first), "model" => name(on), "time" => moment(*since));
            let stands = tr.with("rule-standing-in", &args);
            let first = name(first);
            let back = match back {
                Return::ByHand => tr.text("rule-returns-by-hand"),
                Return::Asked => tr.with("rule-asked", &args!("model" => first)),
                Return::WhenFree(hold) => {
                    let minutes = i64::try_from(hold.as_secs().div_ceil(60)).unwrap_or(i64::MAX);
                    tr.with("rule-returns-when-free", &args!("first" => first, "span" => format::span(minutes, tr)))
                }
                Return::At(at) => tr.with("rule-returns-at", &args!("first" => first, "time" => moment(*at))),
            };
            format!("{stands} {back}")
        }
        Phase::OwnChoice { first, .. } => tr.with("rule-own-choice", &args!("first" => name(first))),
        Phase::HeldOff { first, since } => {
            tr.with("rule-held-off", &args!("first" => name(first), "time" => moment(*since)))
        }
    })
}

/// What a target stands in for, in words: the mark of the Board while a rule has switched a tool to it.
pub fn stands_in(target: &TargetId, snapshot: &Snapshot, tr: &Tr) -> Option<String> {
    let found = snapshot.status.rules.iter().find_map(|state| match &state.phase {
        Phase::StandingIn { first, on, .. } if on == target => Some((&state.seat.tool, first)),
        _ => None,
    });
    let (tool, first) = found?;
    let tool = tools::find(tool).map_or(tool.as_str(), |tool| tool.name());
    Some(tr.with("rule-stands-in", &args!("tool" => tool, "first" => snapshot.board.name_of(first))))
}
