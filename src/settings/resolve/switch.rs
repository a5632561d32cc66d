//! `[switch.TOOL]`

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use crate::core::rules::{Mode, Rule};
use crate::core::secretive::masked;
use crate::settings::finding::{Known, Noun, Problem};
use crate::settings::reader::{Reader, Section, find};
use crate::settings::{Chain, SwitchRules, duration};
use crate::switch::tool::Tool;
use crate::switch::tools;

const KEYS: &[&str] = &["confirm", "failover", "back", "hold", "ahead", "chain"];

/// `[switch.TOOL]`: which tools are switched without a question, and by which rules.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    root: &Section<'a>,
    chains: &[Chain],
) -> BTreeMap<&'static str, SwitchRules> {
    let mut rules = BTreeMap::new();
    let Some(table) = reader.table(root, "switch") else { return rules };
    let tools = Section { place: "[switch]", table: table.value, span: table.span };
    for (name, _) in table.value.iter() {
        let span = find(&tools, name).map_or(tools.span.clone(), |found| found.1);
        let Some(tool) = tool(reader, name, span) else { continue };
        let written = tool.other_ids().iter().copied().find(|other| *other == name).unwrap_or(tool.id());
        let Some(table) = reader.table(&tools, written) else { continue };
        let section = reader.section("[switch.TOOL]", table, KEYS);
        let usual = SwitchRules::default();
        let asks = reader.switch(&section, "confirm").unwrap_or(usual.asks);
        let rule = rule(reader, &section, usual.rule);
        let chain = reader.text(&section, "chain").and_then(|chain| {
            let found = chains.iter().position(|other| other.name == chain.value);
            // Before there is a target there is no chain; the main one comes with the first.
            if found.is_none() && chain.value != Chain::MAIN {
                let known = Known::of(chain.value, chains.iter().map(|chain| chain.name.as_str()));
                let name = masked(chain.value);
                reader.report(chain.span, Problem::UnknownName { noun: Noun::Chain, name, known });
                return None;
            }
            let owner = found.and_then(|at| chains[at].tool.clone()).filter(|owner| owner != tool.id());
            if let Some(owner) = owner {
                let problem = Problem::OthersChain { chain: masked(chain.value), tool: tool.id(), owner };
                reader.report(chain.span, problem);
            }
            found
        });
        rules.insert(tool.id(), SwitchRules { asks, rule, chain });
    }
    rules
}

/// The tool that a name in the file means; one that is unknown is reported.
pub(super) fn tool(reader: &mut Reader<'_>, name: &str, span: Range<usize>) -> Option<&'static dyn Tool> {
    let tool = tools::find(name);
    if tool.is_none() {
        let known = Known::of(name, tools::ALL.iter().map(|tool| tool.id()));
        reader.report(span, Problem::UnknownName { noun: Noun::Tool, name: masked(name), known });
    }
    tool
}

/// `[projects]`: folders whose projects' own files are looked through, each once.
pub(super) fn projects<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Vec<String> {
    let Some(table) = reader.table(root, "projects") else { return Vec::new() };
    let section = reader.section("[projects]", table, &["folders"]);
    let written = reader.texts(&section, "folders").map(|texts| texts.value).unwrap_or_default();
    let mut folders: Vec<String> = Vec::new();
    for text in written {
        if !folders.iter().any(|known| known == text.value) {
            folders.push(text.value.to_owned());
        }
    }
    folders
}

/// A rule with a longer hold than this would never go back.
const LONGEST_HOLD: Duration = Duration::from_secs(24 * 3600);

/// With a shorter hold a tool may come and go with every breath of a model.
const CALM: Duration = Duration::from_secs(5 * 60);

fn rule<'a>(reader: &mut Reader<'a>, section: &Section<'a>, usual: Rule) -> Rule {
    let mode = |reader: &mut Reader<'a>, key| reader.choice(section, key, Noun::Value, &Mode::ALL);
    let failover = mode(reader, "failover").unwrap_or(usual.failover);
    let back = mode(reader, "back").unwrap_or(usual.back);
    let hold = reader.duration(section, "hold", Duration::from_secs(1), LONGEST_HOLD);
    if let Some(hold) = &hold
        && hold.value < CALM
    {
        reader.report(hold.span.clone(), Problem::ShortHold { hold: duration::text(hold.value) });
    }
    let ahead = reader.switch(section, "ahead").unwrap_or(usual.ahead);
    if ahead && failover == Mode::Off {
        let span = find(section, "ahead").map_or(section.span.clone(), |found| found.1);
        reader.report(span, Problem::Idle { key: "ahead", needs: "failover" });
    }
    Rule { failover, back, hold: hold.map_or(usual.hold, |hold| hold.value), ahead }
}
