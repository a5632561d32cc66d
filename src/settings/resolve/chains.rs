//! `[[chain]]`, and the order and roles that follow from it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::{Ids, switch, targets};
use crate::core::secretive::masked;
use crate::core::target::{Role, Target, TargetId};
use crate::settings::Chain;
use crate::settings::finding::{Known, Noun, Problem};
use crate::settings::reader::{Reader, Section};

const KEYS: &[&str] = &["name", "tool", "targets"];

/// The targets in their order with the chains they stand in.
pub(super) struct LaidOut {
    pub targets: Vec<Arc<Target>>,
    pub chains: Vec<Chain>,
    pub prices: BTreeMap<TargetId, f64>,
}

/// Reads the chains and puts the targets into the main chain's order.
///
/// The main chain is the first without a tool; a file without one has all targets, by their roles and then in the order of the file. When no
/// target of the main chain has a role, the first is the primary and the others stand behind it: an order without
/// roles is a wish too.
pub(super) fn lay_out<'a>(reader: &mut Reader<'a>, root: &Section<'a>, read: Vec<targets::Read>) -> LaidOut {
    let mut chains = chains(reader, root, &read);
    let in_file_order = || read.iter().map(|target| TargetId::from(target.id.as_str())).collect();
    let main = match chains.iter().position(|(chain, _)| chain.tool.is_none()) {
        Some(at) => chains.remove(at),
        None => (Chain { name: String::new(), tool: None, targets: in_file_order() }, 0..0),
    };
    chains.insert(0, main);
    let primary: BTreeMap<&str, &targets::Read> = read
        .iter()
        .rev()
        .filter(|read| read.role == Some(Role::Primary))
        .map(|read| (read.id.as_str(), read))
        .collect();
    for (chain, span) in &chains {
        primaries(reader, chain, span, &primary);
    }

    let mut prices = BTreeMap::new();
    let mut by_id: BTreeMap<String, Target> = BTreeMap::new();
    let mut file_order = Vec::new();
    for target in read {
        if let Some(price) = target.price {
            prices.insert(TargetId::from(target.id.as_str()), price);
        }
        if let Some(resolved) = target.resolved {
            file_order.push(resolved.id.clone());
            by_id.entry(target.id).or_insert(resolved);
        }
    }
    let main: Vec<TargetId> = chains[0].0.targets.clone();
    if main.iter().all(|id| by_id.get(id.as_str()).is_none_or(|target| target.role.is_none())) {
        for (place, id) in main.iter().enumerate() {
            if let Some(target) = by_id.get_mut(id.as_str()) {
                target.role = Some(if place == 0 { Role::Primary } else { Role::Backup });
            }
        }
    }
    if chains[0].0.name.is_empty() {
        // Nobody gave an order: that of the roles, and of the file within a role.
        let rank = |id: &TargetId| Role::rank(by_id.get(id.as_str()).and_then(|target| target.role));
        chains[0].0.targets.sort_by_key(rank);
    }
    let main = &chains[0].0.targets;
    let targets = main.iter().chain(&file_order).filter_map(|id| by_id.remove(id.as_str()).map(Arc::new)).collect();
    let mut chains: Vec<Chain> = chains.into_iter().map(|(chain, _)| chain).collect();
    if chains[0].name.is_empty() {
        Chain::MAIN.clone_into(&mut chains[0].name);
    }
    chains.retain(|chain| !chain.targets.is_empty());
    LaidOut { targets, chains, prices }
}

fn chains<'a>(reader: &mut Reader<'a>, root: &Section<'a>, read: &[targets::Read]) -> Vec<(Chain, Range<usize>)> {
    let mut names = Ids::new(Noun::Chain);
    let mut out = Vec::new();
    let ids: BTreeSet<&str> = read.iter().map(|known| known.id.as_str()).collect();
    for table in reader.tables(root, "chain") {
        let section = reader.section("[[chain]]", table, KEYS);
        let name = names.read(reader, &section, "name");
        let tool = reader.text(&section, "tool").and_then(|name| switch::tool(reader, name.value, name.span));
        let tool = tool.map(|tool| tool.id().to_owned());
        let Some(listed) = reader.texts(&section, "targets") else {
            if !section.table.contains_key("targets") {
                reader.missing(&section, "targets");
            }
            continue;
        };
        if listed.value.is_empty() {
            reader.report(listed.span.clone(), Problem::Empty { key: "targets".to_owned() });
        }
        let chain_name = name.map_or("", |name| name.value);
        let mut seen = BTreeSet::new();
        let mut targets = Vec::new();
        for target in listed.value {
            if !ids.contains(target.value) {
                let known = Known::of(target.value, read.iter().map(|known| known.id.as_str()));
                let name = masked(target.value);
                reader.report(target.span, Problem::UnknownName { noun: Noun::Target, name, known });
            } else if seen.insert(target.value) {
                targets.push(TargetId::from(target.value));
            } else {
                let problem = Problem::TwiceInChain { chain: masked(chain_name), target: masked(target.value) };
                reader.report(target.span, problem);
            }
        }
        out.push((Chain { name: chain_name.to_owned(), tool, targets }, listed.span));
    }
    out
}

/// A chain has one primary. Without chains the second one's role is what is wrong, else the chain's list.
fn primaries(reader: &mut Reader<'_>, chain: &Chain, span: &Range<usize>, primary: &BTreeMap<&str, &targets::Read>) {
    let mut primaries = chain.targets.iter().filter_map(|id| primary.get(id.as_str()));
    let Some(first) = primaries.next() else { return };
    for second in primaries.filter(|second| second.id != first.id) {
        let problem =
            Problem::TwoPrimaries { chain: masked(&chain.name), first: masked(&first.id), second: masked(&second.id) };
        let span = if chain.name.is_empty() { second.role_span.clone() } else { span.clone() };
        reader.report(span, problem);
    }
}
