//! `[tool_probe.TOOL]`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::core::secretive::masked;
use crate::settings::finding::{Known, Noun, Problem};
use crate::settings::reader::{Reader, Section, find};
use crate::toolprobe::Program;
use crate::toolprobe::config::ToolProbe;
use crate::toolprobe::pace::Pace;

const KEYS: &[&str] = &["enabled", "every", "daily", "program", "pass"];

/// Rarer than once a week says nothing.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);

pub(super) fn read<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> BTreeMap<Program, ToolProbe> {
    let mut probes = BTreeMap::new();
    let Some(table) = reader.table(root, "tool_probe") else { return probes };
    let tools = Section { place: "[tool_probe]", table: table.value, span: table.span };
    for (name, _) in table.value.iter() {
        match Program::from_name(name) {
            Some(program) => drop(probes.insert(program, one(reader, &tools, program))),
            None => {
                let span = find(&tools, name).map_or(tools.span.clone(), |found| found.1);
                let known = Known::of(name, Program::ALL.iter().map(|program| program.name()));
                reader.report(span, Problem::UnknownName { noun: Noun::Tool, name: masked(name), known });
            }
        }
    }
    probes
}

fn one<'a>(reader: &mut Reader<'a>, tools: &Section<'a>, program: Program) -> ToolProbe {
    let usual = ToolProbe::default();
    let Some(table) = reader.table(tools, program.name()) else { return usual };
    let section = reader.section("[tool_probe.TOOL]", table, KEYS);
    let every = reader.duration(&section, "every", Pace::SHORTEST, LONGEST);
    let daily = reader.number(&section, "daily", 1..i64::from(Pace::MOST) + 1);
    let pass = reader.texts(&section, "pass").map(|names| names.value).unwrap_or_default();
    ToolProbe {
        is_enabled: reader.switch(&section, "enabled").unwrap_or(usual.is_enabled),
        pace: Pace {
            every: every.map_or(usual.pace.every, |every| every.value),
            daily: daily.and_then(|daily| u32::try_from(daily.value).ok()).unwrap_or(usual.pace.daily),
        },
        program: reader.text(&section, "program").map(|path| PathBuf::from(path.value)),
        pass: pass.into_iter().map(|name| name.value.to_owned()).collect(),
    }
}
