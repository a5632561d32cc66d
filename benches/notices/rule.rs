//! A fixed rule: down after so many failures in a row, up after so many successes.

use std::collections::HashMap;

use vacancy::core::outcome::Kind;
use vacancy::core::target::TargetId;

/// What a notice says of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It is not free.
    Away,
    /// It is free again.
    Back,
}

/// One fixed rule, and where each target stands by it.
pub struct Fixed {
    down: u32,
    up: u32,
    states: HashMap<TargetId, State>,
}

#[derive(Default)]
struct State {
    is_down: bool,
    failures: u32,
    successes: u32,
}

/// The rules to compare with: name, failures, successes.
pub const RULES: [(&str, u32, u32); 3] =
    [("3 down / 2 up", 3, 2), ("2 down / 1 up", 2, 1), ("1 down / 1 up (0 retries)", 1, 1)];

impl Fixed {
    /// The rule of [`RULES`] with this place.
    pub fn new(index: usize) -> Self {
        let (_, down, up) = RULES[index];
        Self { down, up, states: HashMap::new() }
    }

    /// Takes in a result of a target.
    pub fn take(&mut self, target: &TargetId, kind: Kind) -> Option<Says> {
        if kind == Kind::Skipped {
            return None;
        }
        let state = self.states.entry(target.clone()).or_default();
        if kind == Kind::Available {
            (state.failures, state.successes) = (0, state.successes + 1);
            if state.is_down && state.successes >= self.up {
                state.is_down = false;
                return Some(Says::Back);
            }
        } else {
            (state.failures, state.successes) = (state.failures + 1, 0);
            let is_new = !state.is_down;
            if is_new && state.failures >= self.down {
                state.is_down = true;
                return Some(Says::Away);
            }
        }
        None
    }
}
