//! What a row of the Board offers: the tools that can be told to use its model, or why none can. Pure.

use std::collections::HashMap;

use crate::args;
use crate::core::target::TargetId;
use crate::format;
use crate::i18n::Tr;
use crate::ui::switching::{Seat, Seen, SeenTool};

use super::model::short;

/// What can be done with a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The words of the button.
    pub label: String,
    /// The tool that the button means at once: the one that was switched last, or the only one.
    pub direct: Option<Seat>,
    /// Every tool that can use it, by name; those that do already are left out.
    pub tools: Vec<(Seat, String)>,
    /// The names of the tools that use it already; empty where none does.
    pub users: String,
    /// The same in a sentence.
    pub used_by: Option<String>,
    /// Why no tool can use it, a sentence for each reason; empty where one can.
    pub why_not: Vec<String>,
}

/// What can be done with each target; empty while no tool is known.
pub type Uses = HashMap<TargetId, Use>;

/// Reads what was seen.
pub fn uses(seen: Option<&Seen>, tr: &Tr) -> Uses {
    let Some(seen) = seen else { return Uses::new() };
    let mut targets: Vec<&TargetId> = Vec::new();
    for (goal, _) in seen.tools.iter().flat_map(|tool| &tool.choices) {
        if !targets.contains(&&goal.target) {
            targets.push(&goal.target);
        }
    }
    targets.into_iter().filter_map(|target| Some((target.clone(), one(seen, target, tr)?))).collect()
}

fn one(seen: &Seen, target: &TargetId, tr: &Tr) -> Option<Use> {
    let reaching: Vec<&SeenTool> = seen.tools.iter().filter(|tool| tool.reaches(target)).collect();
    let (using, free): (Vec<&SeenTool>, Vec<&SeenTool>) =
        reaching.into_iter().partition(|tool| tool.used() == Some(target));
    let is_free = |tool: &SeenTool| free.iter().any(|other| other.seat == tool.seat);
    let direct = seen.remembered(target).filter(|tool| is_free(tool));
    let direct = direct.or(if let [only] = &*free { Some(*only) } else { None });
    let mut why_not = Vec::new();
    if free.is_empty() && using.is_empty() {
        why_not = self::why_not(seen, target, tr);
        if why_not.is_empty() {
            return None;
        }
    }
    let label = match direct {
        Some(tool) => tr.with("switching-use-in", &args!("tool" => tool.name)),
        None => tr.text("switching-use-menu"),
    };
    let users = format::list(using.iter().map(|tool| tool.name), tr);
    let used_by = (!users.is_empty()).then(|| tr.with("switching-used-by", &args!("tools" => &*users)));
    Some(Use {
        label,
        direct: direct.map(|tool| tool.seat.clone()),
        tools: free.iter().map(|tool| (tool.seat.clone(), name(tool, seen))).collect(),
        users,
        used_by,
        why_not,
    })
}

/// Why no tool can use a target, in the order of the tools; what two tools say alike stands once.
fn why_not(seen: &Seen, target: &TargetId, tr: &Tr) -> Vec<String> {
    let mut reasons = Vec::new();
    for tool in seen.tools.iter().filter(|tool| tool.reading.obstacle.is_none()) {
        let refused = tool.choices.iter().filter(|(goal, _)| goal.target == *target);
        let said = refused.filter_map(|(goal, reached)| Some(reached.as_ref().err()?.message(tool.name, goal, tr)));
        for reason in said {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    reasons
}

/// A tool's name; with its home where it has several.
pub fn name(tool: &SeenTool, seen: &Seen) -> String {
    if seen.tools.iter().filter(|other| other.seat.tool == tool.seat.tool).count() > 1 {
        return format!("{} · {}", tool.name, short(&tool.seat.home, &seen.home));
    }
    tool.name.to_owned()
}
