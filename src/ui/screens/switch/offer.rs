//! What the dialog says in which a switch is proposed. Pure.

use std::collections::BTreeSet;

use crate::args;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::switch::path::ToolPath;
use crate::switch::reach::Skip;
use crate::switch::reading::Effective;
use crate::switch::undo::Direction;
use crate::ui::switching::{Offer, Part, Seen, What};
use crate::ui::widgets::diff::Row;

use super::model::{effect_sentence, running, short, used};

/// What the dialog says.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What it is about.
    pub title: String,
    /// The tools.
    pub parts: Vec<Shown>,
    /// The tools that are left out, each with the reason.
    pub skips: Vec<(String, String)>,
    /// Values that somebody changed since.
    pub conflicts: Vec<Conflict>,
    /// What *Overwrite* asks for, when there are conflicts.
    pub overwrite: Option<What>,
    /// There is something to write.
    pub can_write: bool,
    /// The words of the main button.
    pub verb: String,
}

/// A tool with what would be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its name, where there are several.
    pub name: Option<String>,
    /// `gpt-5.6-sol → gpt-6-luna`.
    pub change: String,
    /// The files, each with its lines.
    pub files: Vec<(String, Vec<Row>)>,
    /// Why there is nothing to write.
    pub instead: Option<String>,
    /// The words of its box, where it is left out unless the user ticks it, and whether it is ticked.
    pub optional: Option<(String, bool)>,
    /// What to know.
    pub warnings: Vec<String>,
    /// When it takes effect, and what that means for running sessions.
    pub effect: Vec<String>,
}

/// A value that somebody changed since.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// `model in ~/.codex/config.toml`.
    pub place: String,
    /// What we had left there.
    pub ours: String,
    /// What is there now.
    pub now: String,
    /// What it would become.
    pub goal: String,
}

impl Model {
    /// Reads an offer.
    pub fn new(offer: &Offer, ticked: &BTreeSet<usize>, seen: Option<&Seen>, snapshot: &Snapshot, tr: &Tr) -> Self {
        let shorten = |path: &ToolPath| seen.map_or_else(|| path.to_string(), |seen| short(path, &seen.home));
        let has_several = offer.parts.len() > 1 || matches!(offer.what, What::Everywhere(_));
        let name = |part: &Part| match &part.project {
            None => part.name.to_owned(),
            Some(project) => tr.with("switching-in-project", &args!("tool" => part.name, "folder" => shorten(project))),
        };
        let part = |(index, part): (usize, &Part)| {
            let change =
                tr.with("switching-arrow", &args!("before" => at(&part.before, tr), "after" => at(&part.after, tr)));
            let is_nothing = part.files.iter().all(|(_, diff)| diff.is_empty());
            let instead = match &part.refusal {
                Some(reason) => Some(reason.message(tr)),
                None if is_nothing && part.of.is_some() => Some(tr.text("switching-nothing-to-walk")),
                None if is_nothing => {
                    let model = used(&part.before, tr);
                    Some(tr.with("switching-nothing", &args!("tool" => part.name, "model" => model)))
                }
                None => None,
            };
            let mut warnings: Vec<String> = part.warnings.iter().map(|warning| warning.message(tr)).collect();
            for (id, other) in
                [("switching-outside", &part.after_outside), ("switching-other-roles", &part.after_other_roles)]
            {
                if let Some(other) = other {
                    warnings.push(tr.with(id, &args!("model" => at(other, tr))));
                }
            }
            let mut effects = Vec::new();
            if instead.is_none() {
                effects.push(tr.text(effect_sentence(part.takes_effect)));
                let sessions = running(part.seat.tool, part.takes_effect, snapshot, tr);
                effects.extend(sessions.map(|words| tr.with("switching-running-line", &args!("sessions" => words))));
            }
            Shown {
                name: has_several.then(|| name(part)),
                change,
                files: part.files.iter().map(|(path, diff)| (shorten(path), Row::parse(diff))).collect(),
                instead,
                optional: offer.is_optional(index).then(|| {
                    let words = tr.with("switching-optional", &args!("part" => name(part)));
                    (words, ticked.contains(&index))
                }),
                warnings,
                effect: effects,
            }
        };
        let skip = |skip: &crate::ui::switching::Skipped| {
            let reason = match &skip.reason {
                Skip::AlreadyThere => tr.text("switching-skip-there"),
                Skip::Refused(warning) => warning.message(tr),
                Skip::Unreachable(reason) => reason.message(skip.name, &skip.goal, tr),
            };
            (skip.name.to_owned(), reason)
        };
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| tr.text("switching-absent"));
        let conflict = |conflict: &crate::switch::undo::Conflict| Conflict {
            place: tr.with(
                "switching-decided-file",
                &args!("key" => conflict.key.as_str(), "file" => shorten(&conflict.path)),
            ),
            ours: value(&conflict.expected),
            now: value(&conflict.found),
            goal: value(&conflict.goal),
        };
        let overwrite = match &offer.what {
            What::Walk { direction, id, is_forced: false } if !offer.conflicts.is_empty() => {
                Some(What::Walk { direction: *direction, id: *id, is_forced: true })
            }
            _ => None,
        };
        Self {
            title: title(offer, snapshot, shorten, tr),
            parts: offer.parts.iter().enumerate().map(part).collect(),
            skips: offer.skips.iter().map(skip).collect(),
            conflicts: offer.conflicts.iter().map(conflict).collect(),
            overwrite,
            can_write: offer.can_be_written(ticked),
            verb: {
                let included = (0..offer.parts.len()).filter(|index| offer.includes(*index, ticked)).count();
                let is_left_out = included < offer.parts.len();
                tr.text(if included > 1 && !is_left_out { "switching-write-all" } else { "switching-write" })
            },
        }
    }
}

/// A model with its provider.
fn at(effective: &Effective, tr: &Tr) -> String {
    let model = used(effective, tr);
    match &effective.provider {
        Some(provider) => tr.with("switching-model-at", &args!("model" => model, "provider" => provider.as_str())),
        None => model,
    }
}

/// What the dialog is about.
fn title(offer: &Offer, snapshot: &Snapshot, shorten: impl Fn(&ToolPath) -> String, tr: &Tr) -> String {
    let name = |target| snapshot.board.name_of(target);
    let tool = offer.parts.first().map(|part| part.name);
    match (&offer.what, tool) {
        (What::Use(_, target), Some(tool)) => {
            tr.with("switching-title-use", &args!("tool" => tool, "model" => name(target)))
        }
        (What::Pin(_, pin, target), Some(tool)) => {
            let folder = shorten(&pin.folder);
            tr.with("switching-title-pin", &args!("tool" => tool, "folder" => folder, "model" => name(target)))
        }
        (What::Use(_, target) | What::Pin(_, _, target) | What::Everywhere(target), _) => {
            tr.with("switching-title-everywhere", &args!("model" => name(target)))
        }
        (What::Walk { direction: Direction::Undo, .. }, Some(tool)) => {
            tr.with("switching-title-undo", &args!("tool" => tool))
        }
        (What::Walk { direction: Direction::Redo, .. }, Some(tool)) => {
            tr.with("switching-title-redo", &args!("tool" => tool))
        }
        (What::Walk { .. }, None) => tr.text("switching-title-conflict"),
    }
}
