//! The tools, one file each.

mod cline;
mod codex;
mod copilot_cli;
mod kimi;
mod llm;
mod parts;
mod zed;

#[cfg(test)]
mod tests;

use crate::switch::tool::Tool;

/// Every tool that can be read, in the order in which they are shown.
pub const ALL: &[&dyn Tool] =
    &[&cline::Cline, &codex::Codex, &copilot_cli::CopilotCli, &kimi::Kimi, &llm::Llm, &zed::Zed];

/// The tool of a name.
pub fn find(id: &str) -> Option<&'static dyn Tool> {
    ALL.iter().copied().find(|tool| tool.id() == id || tool.other_ids().contains(&id))
}
