//! Codex's own list of turns, for the failures that no rollout tells any more. Pure.
//!
//! `thread_history_*.sqlite` (0.150 and later) has an end and a reason for each turn, but no model. A rollout says all of
//! that and more, so a turn that a rollout ends is the rollout's alone. What is left are failures whose line is lost: torn,
//! longer than is read, or cut off with the file. They are told with the model that a rollout of the same session names;
//! where none does nobody knows whom they speak of, and they are dropped.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;

use super::codex;
use super::form::Carry;
use super::observation::{Name, Observation, Tool};

/// A failed turn of the list, as far as it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct FailedTurn<'a> {
    /// The session.
    pub thread: &'a str,
    /// The turn.
    pub turn: &'a str,
    /// When it ended.
    pub at: Timestamp,
    /// `{message, codexErrorInfo}`
    pub error: &'a [u8],
}

/// Failed turns that no rollout has told yet, shared by all rollouts that are read together. Ids are kept as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    untold: HashMap<u64, (u64, Observation)>,
    threads: HashSet<u64>,
    /// What a session's rollout named, from when on.
    named: HashMap<u64, Vec<Named>>,
}

#[derive(Debug)]
struct Named {
    /// None is from before all that is read now.
    from: Option<Timestamp>,
    model: Option<Name>,
    provider: Option<Name>,
}

impl Turns {
    /// Notes a failed turn of the list. One that was copied from a parent session is the parent's.
    pub fn expect(&self, failed: &FailedTurn<'_>) {
        let (thread, turn) = (failed.thread.to_ascii_lowercase(), failed.turn.to_ascii_lowercase());
        if codex::is_older(&turn, &thread) {
            return;
        }
        let Some((kind, rule, status)) = codex::judge_json(failed.error) else { return };
        let mut observation = Observation::new(Tool::Codex, Some(failed.at), kind, rule);
        observation.http_status = status;
        let mut state = self.state();
        state.threads.insert(hash(&thread));
        state.untold.insert(hash(&turn), (hash(&thread), observation));
    }

    /// A rollout tells how a turn ended.
    pub fn tell(&self, turn: &str) {
        let mut state = self.state();
        if !state.untold.is_empty() {
            state.untold.remove(&hash(turn));
        }
    }

    /// A session's rollout names model and provider, from `from` on.
    pub fn name(&self, thread: &str, from: Option<Timestamp>, carry: &Carry) {
        let mut state = self.state();
        let thread = hash(thread);
        if !state.threads.contains(&thread) {
            return;
        }
        let known = state.named.entry(thread).or_default();
        if known.last().is_none_or(|last| (&last.model, &last.provider) != (&carry.model, &carry.provider)) {
            known.push(Named { from, model: carry.model.clone(), provider: carry.provider.clone() });
        }
    }

    /// What is left when all rollouts are read, oldest first. Empties the list.
    pub fn untold(&self) -> Vec<Observation> {
        let State { untold, named, .. } = std::mem::take(&mut *self.state());
        let mut left: Vec<Observation> = untold
            .into_values()
            .filter_map(|(thread, mut observation)| {
                let named = named.get(&thread)?.iter().rev().find(|named| named.from <= observation.ts)?;
                observation.model = Some(named.model.clone()?);
                observation.provider.clone_from(&named.provider);
                Some(observation)
            })
            .collect();
        left.sort_by_key(|observation| observation.ts);
        left
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
