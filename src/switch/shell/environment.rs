//! The variables that a tool would be started with, for a program that was not itself started from a terminal.
//!
//! Of variables whose names speak of keys only that they are set is ever taken, never what they hold.

use std::collections::BTreeMap;

use crate::listen::Process;
use crate::platform::processes;
use crate::settings::discovery::shell;
use crate::settings::env::Env;
use crate::switch::tool::Tool;
use crate::switch::tools::ALL;
use crate::switch::world::{VarOrigin, Vars};

/// What stands in for the value of a variable that may be a key.
const SET: &str = "(set)";

/// Our own environment, and that of a login shell where we have no terminal. The shell is started once and takes as long as
/// its start-up files do, at most [`shell::DEADLINE`]: not for a thread that draws.
pub fn of_terminal(env: &Env) -> Vars {
    let mut vars = Vars::complete();
    for (name, value) in env.iter() {
        vars.add(name, value, VarOrigin::Process);
    }
    let Some(login) = env.get("SHELL").filter(|_| !shell::has_terminal()) else { return vars };
    let said = shell::values(login, shell::DEADLINE);
    // A shell that says nothing leaves it open what is set there.
    vars.is_complete = !said.is_empty();
    for (name, value) in said {
        vars.add(name, value.as_deref().unwrap_or(SET), VarOrigin::LoginShell);
    }
    vars
}

/// What running sessions of tools were started with, by tool, where the system tells it (Linux).
pub fn running() -> BTreeMap<&'static str, Vars> {
    let mut all: BTreeMap<&'static str, Vars> = BTreeMap::new();
    for process in processes::own().into_iter().flatten() {
        let Some(tool) = ALL.iter().find(|tool| is_of(&process, **tool)) else { continue };
        let vars = all.entry(tool.id()).or_default();
        for (name, value) in processes::environment(process.pid) {
            let value = if shell::is_key_name(&name) { SET } else { &value };
            vars.add(name, value, VarOrigin::Running(process.pid));
        }
    }
    all
}

/// A session's program is its first argument, or the second where an interpreter runs it.
fn is_of(process: &Process, tool: &dyn Tool) -> bool {
    let mut names = process.arguments.iter().take(2).filter_map(|argument| argument.rsplit(['/', '\\']).next());
    names.any(|name| tool.programs().contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_environment_is_a_terminals() {
        let mut env = Env::default();
        env.set("GEMINI_MODEL", "flash");
        let vars = of_terminal(&env);
        assert_eq!((vars.get("GEMINI_MODEL"), vars.origin("GEMINI_MODEL")), (Some("flash"), Some(VarOrigin::Process)));
        assert!(vars.is_missing("ANTHROPIC_MODEL"));
    }
}
