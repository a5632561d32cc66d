//! Whether a tool can go along the chain that its rules name.

use super::{Finding, Weight};
use crate::app::tooling::goals;
use crate::args;
use crate::cli::Context;
use crate::cli::tools::Found;
use crate::core::board::Board;
use crate::settings::{Settings, SwitchRules};
use crate::switch::reach::reach;
use crate::switch::shell::Machine;
use crate::switch::tool::At;
use crate::switch::tools;

/// What a tool with rules, or with a chain of its own choice, meets on its chain. Nothing where it reaches enough of it, or
/// cannot be switched at all.
pub(super) fn look(found: &Found, settings: &Settings, machine: &Machine, context: &Context) -> Option<Finding> {
    let tr = &context.tr;
    let tool = tools::find(found.id).filter(|_| found.reading.obstacle.is_none())?;
    let rules = settings.switch_rules.get(found.id).filter(|rules| rules.rule.is_on() || rules.chain.is_some())?;
    let chosen = rules.chain.and_then(|at| settings.chains.get(at));
    let chain = chosen.or_else(|| settings.chain_for(found.id)).filter(|chain| !chain.targets.is_empty())?;
    let world = machine.world(tool);
    let endpoints = tool.endpoints(&At { world, home: &found.home });
    let goals = goals(settings, &Board::default(), &chain.targets);
    let (mut reached, mut refused) = (Vec::new(), None);
    for goal in goals.iter().take(chain.targets.len()) {
        match reach(tool, &endpoints, world.vars, goal) {
            Ok(_) => reached.push(goal.target.as_str()),
            Err(reason) => drop(refused.get_or_insert_with(|| reason.message(tool.name(), goal, tr))),
        }
    }
    let (id, weight) = match (reached.len(), rules) {
        (0, SwitchRules { rule, .. }) if rule.is_on() => ("switch-doctor-chain-none", Weight::Trouble),
        (0, _) => ("switch-doctor-chain-none", Weight::Note),
        (1, SwitchRules { rule, .. }) if rule.is_on() => ("switch-doctor-chain-one", Weight::Trouble),
        _ => return None,
    };
    let text = args!(
        "tool" => tool.name(), "id" => tool.id(), "chain" => chain.name.as_str(),
        "model" => reached.first().copied().unwrap_or_default(), "reason" => refused.unwrap_or_default(),
    );
    Some(Finding::new(weight, found.id, tr.with(id, &text)))
}
