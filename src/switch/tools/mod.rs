//! The tools, one file each.

mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod gemini_family;
mod kimi;
mod llm;
mod parts;
mod qwen_code;
mod zed;

#[cfg(test)]
mod tests;

use crate::switch::tool::Tool;

/// Every tool that can be read, in the order in which they are shown.
#[rustfmt::skip]
pub const ALL: &[&dyn Tool] = &[
    &codex::Codex,
    &claude_code::ClaudeCode,
    &gemini_cli::GeminiCli,
    &qwen_code::QwenCode,
    &cline::Cline,
    &copilot_cli::CopilotCli,
    &kimi::Kimi,
    &llm::Llm,
    &zed::Zed,
];

/// The tool of a name.
pub fn find(id: &str) -> Option<&'static dyn Tool> {
    ALL.iter().copied().find(|tool| tool.id() == id || tool.other_ids().contains(&id))
}
