//! What the window's switches and the engine's have in common: the machine, the user's targets as goals, and errors in words.

use std::path::Path;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::args;
use crate::core::board::Board;
use crate::core::outcome::Kind;
use crate::core::target::{Target, TargetId};
use crate::i18n::Tr;
use crate::secrets::KeyRef;
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::switch::reach::{Goal, GoalKey};
use crate::switch::shell::{ApplyError, JournalError, JournalFile, Machine, Overrides};
use crate::switch::undo::{Direction, WalkError};

/// How long the versions that were found count: a tool that was updated meanwhile is asked again.
pub const VERSIONS_LAST: SignedDuration = SignedDuration::from_mins(10);

/// The machine as a fresh start outside any project would find it. May start a login shell.
pub fn machine(roots: &Roots, env: &Env, asks_running: bool) -> Machine {
    Machine::new(roots, env, Overrides { asks_running, ..Overrides::default() })
}

/// The targets of a tool's own chain; none when it has none.
pub fn own_chain<'a>(settings: &'a Settings, tool: &str) -> &'a [TargetId] {
    let own = settings.chains.iter().find(|chain| chain.tool.as_deref() == Some(tool));
    own.map_or(&[], |chain| &chain.targets)
}

/// The user's targets, those of a chain first.
pub fn goals(settings: &Settings, board: &Board, chain: &[TargetId]) -> Vec<Goal> {
    let first = chain.iter().filter_map(|id| settings.target(id));
    let rest = settings.targets.iter().filter(|target| !chain.contains(&target.id));
    first.chain(rest).map(|target| goal(target, settings, board)).collect()
}

fn goal(target: &Arc<Target>, settings: &Settings, board: &Board) -> Goal {
    let provider = settings.provider(&target.provider);
    let key = match provider.map(|provider| &provider.key) {
        // A subscription is a login of the tool that it is called by.
        None => GoalKey::Tool(target.provider.as_str().to_owned()),
        Some(KeyRef::None) => GoalKey::None,
        Some(KeyRef::Env(name)) => GoalKey::Variable(name.clone()),
        Some(KeyRef::Command(_) | KeyRef::Keyring(_) | KeyRef::Tool(_)) => GoalKey::Elsewhere,
    };
    let is_seen_working = board.entry(&target.id).is_some_and(|entry| {
        entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Available)
            || entry.recent.iter().any(|sample| sample.kind == Kind::Available)
    });
    Goal {
        target: target.id.clone(),
        model: target.model.clone(),
        dialect: target.dialect,
        base_url: provider.map(|provider| provider.endpoint.base_url.clone()),
        key,
        is_listed: None,
        is_seen_working,
    }
}

/// Why the journal cannot be used.
pub fn journal_words(error: &JournalError, tr: &Tr) -> String {
    let JournalError::Io { path, reason } = error;
    tr.with("switching-fails-journal", &args!("file" => path.display().to_string(), "reason" => reason.to_string()))
}

/// That lines of the journal cannot be read, and where it lies; `None` where all can be, or it cannot be used at all.
pub fn damage_words(data: &Path, tr: &Tr) -> Option<String> {
    let count = JournalFile::content(data).ok()?.unreadable;
    let file = JournalFile::path(data).display().to_string();
    (count > 0).then(|| tr.with("switching-journal-damaged", &args!("count" => count, "file" => file)))
}

/// Why nothing was written, and what to do.
pub fn words(error: &ApplyError, tr: &Tr) -> String {
    let file = |id: &str, path: &dyn std::fmt::Display| tr.with(id, &args!("file" => path.to_string()));
    let both = |id: &str, path: &dyn std::fmt::Display, reason: String| {
        tr.with(id, &args!("file" => path.to_string(), "reason" => reason))
    };
    match error {
        ApplyError::Refused => tr.text("switching-fails-gone"),
        ApplyError::Changed { path } => file("switching-fails-changed", path),
        ApplyError::Locked { path } => file("switching-fails-locked", path),
        ApplyError::Io { path, reason } => both("switching-fails-io", path, reason.to_string()),
        ApplyError::Journal(error) => journal_words(error, tr),
        ApplyError::Nothing { direction: Direction::Undo } => tr.text("switching-nothing-to-undo"),
        ApplyError::Nothing { direction: Direction::Redo } => tr.text("switching-nothing-to-redo"),
        ApplyError::Walk(WalkError::Missing { path }) => file("switching-fails-missing", path),
        ApplyError::Walk(WalkError::Readonly { path }) => file("switching-fails-readonly", path),
        ApplyError::Walk(WalkError::Unreadable { path, reason }) => {
            both("switching-fails-unreadable", path, reason.clone())
        }
        ApplyError::Walk(WalkError::Edit { path, problem }) => both("switching-fails-edit", path, problem.to_string()),
        ApplyError::Conflicts { .. } => tr.text("switching-conflicts-words"),
    }
}
