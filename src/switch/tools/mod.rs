//! The tools, one file each.

mod aider;
mod claude_code_router;
mod crush;
mod goose;
mod litellm;
mod opencode;

mod claude_code;
mod cline;
mod codex;
mod continue_dev;
mod copilot_cli;
mod cursor_cli;
mod droid;
mod gemini_cli;
mod gemini_family;
mod kimi;
mod llm;
mod not_in_file;
mod openclaw;
mod parts;
mod qwen_code;
mod zed;

#[cfg(test)]
mod tests;

use crate::switch::tool::Tool;

/// Every tool that can be read, in the order in which they are shown.
#[rustfmt::skip]
pub const ALL: &[&dyn Tool] = &[
    &aider::Aider,
    &claude_code_router::ClaudeCodeRouter,
    &crush::Crush,
    &goose::Goose,
    &litellm::Litellm,
    &opencode::Opencode,
    &claude_code::ClaudeCode,
    &cline::Cline,
    &codex::Codex,
    &copilot_cli::CopilotCli,
    &gemini_cli::GeminiCli,
    &kimi::Kimi,
    &llm::Llm,
    &qwen_code::QwenCode,
    &zed::Zed,
    &continue_dev::Continue,
    &cursor_cli::CursorCli,
    &droid::Droid,
    &not_in_file::AMP,
    &not_in_file::ROO,
    &openclaw::OpenClaw,
];

/// Those of [`ALL`] that are read and cannot be switched: where their model is kept is no file, or nothing documents it.
pub const ONLY_READ: &[&str] = &["amp", "roo", "cursor-cli"];

/// The tool of a name.
pub fn find(id: &str) -> Option<&'static dyn Tool> {
    ALL.iter().copied().find(|tool| tool.id() == id || tool.other_ids().contains(&id))
}
