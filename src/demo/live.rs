//! The present of the demo: each member's script, played by the loopback provider.

use std::time::Duration;

use crate::demo::cast::{CAST, Member, State};
use crate::loopback::{Plan, Reply, Scenario};

/// What the loopback provider plays.
#[derive(Clone, Copy, Debug)]
pub struct Live;

impl Plan for Live {
    fn reply(&self, model: &str, elapsed: Duration) -> Option<Reply> {
        let member = CAST.iter().find(|member| member.model == model)?;
        Some(reply(member, member.script.state(elapsed.as_secs()), elapsed))
    }
}

/// How a member in a state answers. `elapsed` only varies the time to the first token.
pub(super) fn reply(member: &Member, state: State, elapsed: Duration) -> Reply {
    let scenario = scenario(member, state);
    // Between 0.75 and 1.3 times the usual, without a generator: the plan is a function of time.
    let vary = elapsed.subsec_millis() % 56 + 75;
    let first_token = Duration::from_millis(u64::from(member.first_token_ms * vary / 100));
    Reply { scenario, first_token, retry_after_s: None }
}

/// The way in which a member's provider says that it is in a state.
pub(super) const fn scenario(member: &Member, state: State) -> Scenario {
    use crate::core::target::Dialect;
    match state {
        State::Free => Scenario::Ok,
        State::Slow => Scenario::Slow,
        State::Full => match member.dialect {
            Dialect::AnthropicMessages => Scenario::Overloaded529,
            _ => Scenario::Overloaded503,
        },
        State::Fault => Scenario::Error500,
        State::Limited => Scenario::Rate429,
        State::Spent => Scenario::Quota429,
    }
}
