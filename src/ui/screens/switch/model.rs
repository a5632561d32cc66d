//! What the Switch screen says. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::board::Entry;
use crate::core::outcome::{Family, Kind};
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::listen;
use crate::switch::journal::{self, Stage, Switch, stands};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Effective, Place};
use crate::switch::tool::TakesEffect;
use crate::switch::undo::Direction;
use crate::ui::format;
use crate::ui::screens::board::model::{provider_name, shown_family, state_words};
use crate::ui::screens::switch::projects::{self, Folder};
use crate::ui::screens::switch::rule::RuleModel;
use crate::ui::switching::{Seat, Seen, SeenTool};

/// Entries of the journal that are shown, the newest.
const MOST_LINES: usize = 50;

/// What the Switch screen says.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The tools that are in use.
    pub rows: Vec<Row>,
    /// The one whose detail is shown.
    pub chosen: Option<Chosen>,
    /// The targets that at least one tool can use.
    pub everywhere: Vec<Choice>,
    /// The folders of projects, with what is pinned there.
    pub projects: Vec<Folder>,
    /// The journal, newest first.
    pub journal: Vec<Line>,
    /// Why the journal cannot be used.
    pub trouble: Option<String>,
    /// Where tools were looked for, when none was found.
    pub places: Vec<String>,
}

/// A tool in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub seat: Seat,
    /// Its name; with its home where it has several.
    pub name: String,
    /// The model that it uses.
    pub uses: String,
    /// The state of that model: unknown where it is none of the user's targets, none where the tool cannot be read.
    pub family: Option<Family>,
    /// Something is to be known of it.
    pub is_warned: bool,
    /// Its detail is shown.
    pub is_chosen: bool,
    /// The row in a sentence, for screen readers.
    pub summary: String,
}

/// A tool in detail.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Which.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Version and home.
    pub subtitle: String,
    /// What is known, by name and value.
    pub facts: Vec<(String, String)>,
    /// Why it cannot be switched as it is.
    pub obstacle: Option<String>,
    /// What to know, each with what to do.
    pub warnings: Vec<String>,
    /// The targets that it can be told to use, in the order of the chain.
    pub choices: Vec<Choice>,
    /// The targets that it cannot, each with the reason.
    pub unreached: Vec<(String, String)>,
    /// Whether its diff is shown before it is written.
    pub asks: bool,
    /// When it is switched by itself.
    pub rule: RuleModel,
}

/// A target to choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which.
    pub target: TargetId,
    /// Its state.
    pub family: Family,
    /// The model's name.
    pub name: String,
    /// Where it is asked.
    pub provider: String,
    /// Its state in words.
    pub state: String,
    /// The tool uses it now.
    pub is_used: bool,
    /// It is the first free one, and not in use.
    pub is_recommended: bool,
}

/// A switch of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number.
    pub id: u64,
    /// When.
    pub moment: String,
    /// `Codex: a → b`.
    pub words: String,
    /// What came of it.
    pub note: String,
    /// The family of its first answer.
    pub family: Option<Family>,
    /// What can be done about it.
    pub walk: Option<Direction>,
}

impl Model {
    /// Reads what was seen at `now`; `chosen` is the tool that the user chose.
    pub fn new(seen: &Seen, snapshot: &Snapshot, chosen: Option<&Seat>, now: Timestamp, tr: &Tr) -> Self {
        // Without a choice: the first tool that a switch would help.
        let is_helped = |tool: &&SeenTool| {
            let is_free = |id: &TargetId| {
                snapshot.board.entry(id).is_some_and(|entry| shown_family(entry, now) == Family::Available)
            };
            let reached = tool.choices.iter().filter(|(_, reached)| reached.is_ok());
            !tool.used().is_some_and(is_free) && reached.into_iter().any(|(goal, _)| is_free(&goal.target))
        };
        let usual = || seen.tools.iter().find(is_helped).or(seen.tools.first());
        let chosen = chosen.and_then(|seat| seen.tool(seat)).or_else(usual);
        let rows = seen.tools.iter().map(|tool| row(tool, chosen, seen, snapshot, now, tr)).collect();
        let mut everywhere: Vec<Choice> = Vec::new();
        for tool in &seen.tools {
            for choice in choices(tool, snapshot, now, tr) {
                if !everywhere.iter().any(|known| known.target == choice.target) {
                    everywhere.push(Choice { is_used: false, ..choice });
                }
            }
        }
        let place = |id: &TargetId| snapshot.board.entries.iter().position(|entry| entry.target.id == *id);
        everywhere.sort_by_key(|choice| place(&choice.target).unwrap_or(usize::MAX));
        let switches = seen.journal.iter().rev().filter(|switch| switch.is_switch()).take(MOST_LINES);
        let mut places: Vec<String> = Vec::new();
        if seen.tools.is_empty() {
            places.extend(seen.places.iter().map(|place| short(place, &seen.home)));
            // A file that lies in the home folder itself names that folder, which says nothing.
            places.retain(|place| place != "~");
            places.sort_unstable();
            places.dedup();
        }
        Self {
            rows,
            chosen: chosen.map(|tool| chosen_tool(tool, seen, snapshot, now, tr)),
            everywhere,
            projects: projects::folders(seen, snapshot, now, tr),
            journal: switches.map(|switch| line(switch, seen, snapshot, now, tr)).collect(),
            trouble: seen.trouble.clone(),
            places,
        }
    }
}

/// A path with the home folder as `~`.
pub fn short(path: &ToolPath, home: &ToolPath) -> String {
    if path == home {
        return "~".to_owned();
    }
    match path.as_str().strip_prefix(home.as_str()) {
        Some(below) if below.starts_with(['/', '\\']) && !home.as_str().is_empty() => format!("~{below}"),
        _ => path.to_string(),
    }
}

/// Words in which the home folder is written as `~`.
fn shortened(words: &str, home: &ToolPath) -> String {
    let home = home.as_str().trim_end_matches(['/', '\\']);
    if home.is_empty() {
        return words.to_owned();
    }
    words.replace(&format!("{home}/"), "~/").replace(&format!("{home}\\"), "~\\")
}

/// What a fresh start uses, in words.
pub fn used(effective: &Effective, tr: &Tr) -> String {
    let model = effective.model.clone().unwrap_or_else(|| tr.text("switching-own-default"));
    effective.resolves_to.as_ref().map_or(model.clone(), |to| format!("{model} → {to}"))
}

fn row(tool: &SeenTool, chosen: Option<&SeenTool>, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Row {
    let has_several = seen.tools.iter().filter(|other| other.seat.tool == tool.seat.tool).count() > 1;
    let name = if has_several {
        format!("{} · {}", tool.name, short(&tool.seat.home, &seen.home))
    } else {
        tool.name.to_owned()
    };
    let uses = match tool.reading.obstacle {
        Some(_) => tr.text("switching-cannot"),
        None => used(&tool.reading.effective(), tr),
    };
    let entry = tool.used().and_then(|id| snapshot.board.entry(id));
    let family = match (entry, &tool.reading.obstacle) {
        (Some(entry), _) => Some(shown_family(entry, now)),
        (None, Some(_)) => None,
        (None, None) => Some(Family::Unknown),
    };
    let is_named = tool.reading.obstacle.is_none() && tool.reading.effective().model.is_some();
    let uses = if entry.is_none() && is_named {
        tr.with("switching-not-watched", &args!("model" => uses.as_str()))
    } else {
        uses
    };
    let summary = tr.with("switching-row", &args!("tool" => name.as_str(), "model" => uses.as_str()));
    Row {
        seat: tool.seat.clone(),
        name,
        uses,
        family,
        is_warned: tool.reading.obstacle.is_some() || !tool.reading.warnings.is_empty(),
        is_chosen: chosen.is_some_and(|chosen| chosen.seat == tool.seat),
        summary,
    }
}

fn chosen_tool(tool: &SeenTool, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Chosen {
    let version = match (tool.versions.lowest, tool.versions.highest) {
        (Some(lowest), Some(highest)) if lowest != highest => format!("{lowest} – {highest}"),
        (_, Some(version)) => version.to_string(),
        _ => String::new(),
    };
    let home = short(&tool.seat.home, &seen.home);
    let subtitle = if version.is_empty() { home } else { format!("{version} · {home}") };
    let effective = tool.reading.effective();
    let mut facts = Vec::new();
    let mut fact = |id: &str, value: String| facts.push((tr.text(id), value));
    if tool.reading.obstacle.is_none() {
        let provider = effective.provider.clone();
        let model = used(&effective, tr);
        fact(
            "switching-fact-uses",
            provider.map_or_else(
                || model.clone(),
                |provider| tr.with("switching-model-at", &args!("model" => model.as_str(), "provider" => provider)),
            ),
        );
        fact("switching-fact-decided", decided(tool, seen, tr));
        fact("switching-fact-effect", tr.text(effect(tool.takes_effect)));
    }
    if let Some(words) = running(tool.seat.tool, tool.takes_effect, snapshot, tr) {
        fact("switching-fact-running", words);
    }
    let unreached = tool.choices.iter().filter_map(|(goal, reached)| {
        let reason = reached.as_ref().err()?;
        Some((snapshot.board.name_of(&goal.target), reason.message(tool.name, goal, tr)))
    });
    Chosen {
        seat: tool.seat.clone(),
        name: tool.name.to_owned(),
        subtitle,
        facts,
        obstacle: tool.reading.obstacle.as_ref().map(|obstacle| shortened(&obstacle.message(tr), &seen.home)),
        warnings: tool.reading.warnings.iter().map(|warning| shortened(&warning.message(tr), &seen.home)).collect(),
        choices: if tool.reading.obstacle.is_some() { Vec::new() } else { choices(tool, snapshot, now, tr) },
        unreached: unreached.collect(),
        asks: tool.asks,
        rule: RuleModel::new(tool, snapshot, now, tr),
    }
}

/// The message that says when a change takes effect.
pub const fn effect(effect: TakesEffect) -> &'static str {
    match effect {
        TakesEffect::AtOnce => "switching-effect-at-once",
        TakesEffect::NextCommand => "switching-effect-next-command",
        TakesEffect::NextSession => "switching-effect-next-session",
        TakesEffect::Restart => "switching-effect-restart",
    }
}

/// The same as a sentence.
pub const fn effect_sentence(effect: TakesEffect) -> &'static str {
    match effect {
        TakesEffect::AtOnce => "switch-effect-at-once",
        TakesEffect::NextCommand => "switch-effect-next-command",
        TakesEffect::NextSession => "switch-effect-next-session",
        TakesEffect::Restart => "switch-effect-restart",
    }
}

/// The message that says that a tool was switched.
pub const fn said(effect: TakesEffect) -> &'static str {
    match effect {
        TakesEffect::AtOnce => "switching-done-at-once",
        TakesEffect::NextCommand => "switching-done-next-command",
        TakesEffect::NextSession => "switching-done-next-session",
        TakesEffect::Restart => "switching-done-restart",
    }
}

/// The user's sessions of a tool that are running, and what a switch means for them.
pub fn running(tool: &str, effect: TakesEffect, snapshot: &Snapshot, tr: &Tr) -> Option<String> {
    let (_, n) = snapshot.status.running.iter().find(|(running, n)| running.name() == tool && *n > 0)?;
    let id = match effect {
        TakesEffect::AtOnce | TakesEffect::NextCommand => "switching-running",
        TakesEffect::NextSession | TakesEffect::Restart => "switching-running-keep",
    };
    Some(tr.with(id, &args!("n" => *n)))
}

fn decided(tool: &SeenTool, seen: &Seen, tr: &Tr) -> String {
    match tool.reading.decider().map(|layer| &layer.place) {
        None => tr.text("switching-decided-default"),
        Some(Place::File { path, key }) if key.is_empty() => short(path, &seen.home),
        Some(Place::File { path, key }) => {
            tr.with("switching-decided-file", &args!("key" => key.as_str(), "file" => short(path, &seen.home)))
        }
        Some(Place::Variable { name, .. }) => tr.with("switching-decided-variable", &args!("name" => name.as_str())),
    }
}

pub(super) fn choices(tool: &SeenTool, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Vec<Choice> {
    let used = tool.used();
    let reached = tool.choices.iter().filter(|(_, reached)| reached.is_ok());
    let mut choices: Vec<Choice> = reached
        .map(|(goal, _)| {
            let entry = snapshot.board.entry(&goal.target);
            let provider = entry.map_or_else(String::new, |entry| provider_name(&entry.target).to_owned());
            let state = entry.map_or_else(|| tr.text("family-unknown"), |entry| state(entry, snapshot, now, tr));
            Choice {
                target: goal.target.clone(),
                family: entry.map_or(Family::Unknown, |entry| shown_family(entry, now)),
                name: goal.model.as_str().to_owned(),
                provider,
                state,
                is_used: used == Some(&goal.target),
                is_recommended: false,
            }
        })
        .collect();
    if let Some(first) = choices.iter_mut().find(|choice| choice.family == Family::Available) {
        first.is_recommended = !first.is_used;
    }
    choices
}

/// A target's state, with the time since when it is free.
fn state(entry: &Entry, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    match entry.confirmed {
        Some(confirmed) if shown_family(entry, now) == Family::Available && !entry.is_slow => {
            let since = format::moment(confirmed.since, now, &snapshot.zone, tr);
            tr.with("switching-free-since", &args!("time" => since))
        }
        _ => state_words(entry, now, tr),
    }
}

/// The tool of an entry, with the project whose own file it was.
pub fn tool_name(entry: &journal::Entry, seen: &Seen, tr: &Tr) -> String {
    let tool = seen.tools.iter().find(|tool| tool.seat.tool == entry.tool);
    let name = tool.map_or(&*entry.tool, |tool| tool.name).to_owned();
    match &entry.project {
        None => name,
        Some(project) => {
            let folder = short(project, &seen.home);
            tr.with("switching-in-project", &args!("tool" => name, "folder" => folder))
        }
    }
}

fn line(switch: &Switch, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Line {
    let entry = &switch.entry;
    let name = tool_name(entry, seen, tr);
    let model = |model: &Option<String>| model.clone().unwrap_or_else(|| tr.text("switching-own-default"));
    let words = tr.with(
        "switching-change",
        &args!("tool" => name.as_str(), "before" => model(&entry.model_before), "after" => model(&entry.model_after)),
    );
    let (note, family) = note(switch, seen, snapshot, now, tr);
    let walk = match (switch.stage, switch.is_undone) {
        (Stage::Done, false) => Some(Direction::Undo),
        (Stage::Done, true) => Some(Direction::Redo),
        (Stage::Unfinished | Stage::Dropped, _) => None,
    };
    let moment = format::moment(entry.at, now, &snapshot.zone, tr);
    Line { id: entry.id, moment, words, note, family, walk }
}

/// What has become of an entry, in words; and as a colour, where its tool has answered since.
pub fn note(switch: &Switch, seen: &Seen, snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> (String, Option<Family>) {
    let entry = &switch.entry;
    let time = |at| format::moment(at, now, &snapshot.zone, tr);
    let is_heard = listen::Tool::ALL.iter().any(|tool| tool.name() == entry.tool && !tool.is_context());
    let mut family = None;
    let note = if switch.stage == Stage::Unfinished {
        tr.text("switching-note-unfinished")
    } else if switch.stage == Stage::Dropped {
        tr.text("switching-note-dropped")
    } else if switch.is_undone {
        tr.text("switching-note-undone")
    } else if let Some(at) = switch.overwritten_at {
        tr.with("switching-note-overwritten", &args!("time" => time(at)))
    } else if let Some((at, kind)) = &switch.confirmed {
        let known = Kind::ALL.into_iter().find(|known| known.name() == kind);
        family = known.map(|kind| Family::of(kind, listen::scope(kind)));
        match known {
            Some(Kind::Available) => tr.with("switching-note-working", &args!("time" => time(*at))),
            known => {
                let kind = known.map_or_else(|| kind.clone(), |kind| tr.text(&format!("kind-{}", kind.name())));
                tr.with("switching-note-failing", &args!("time" => time(*at), "kind" => kind))
            }
        }
    } else if is_heard && stands(switch, &seen.journal) {
        tr.text("switching-note-waiting")
    } else {
        String::new()
    };
    (note, family)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
