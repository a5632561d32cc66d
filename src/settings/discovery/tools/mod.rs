//! One file a tool: which of its files are looked at, and what they say. Facts: the tools' documentation and source.

pub(super) mod aider;
pub(super) mod claude_code;
pub(super) mod codex;
pub(super) mod gemini;
pub(super) mod llm;
pub(super) mod opencode;
pub(super) mod qwen;

use super::look::{Facts, Look};

/// Looks at every tool, in the order in which their models are proposed.
pub(super) fn all(look: &Look<'_>) -> Vec<Facts> {
    [codex::find, claude_code::find, gemini::find, opencode::find, aider::find, qwen::find, llm::find]
        .into_iter()
        .map(|find| find(look))
        .filter(|facts| !facts.is_empty())
        .collect()
}
