//! What the user may set about a tool's probes.

use std::path::PathBuf;

use crate::toolprobe::pace::Pace;

/// `[tool_probe.TOOL]`. Without the table, and without `enabled = true` in it, a tool is run only when the user asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolProbe {
    /// Run it of itself.
    pub is_enabled: bool,
    /// How often then.
    pub pace: Pace,
    /// The program, where it is not found by itself.
    pub program: Option<PathBuf>,
    /// Names of variables to pass on besides those that a tool usually needs for its login.
    pub pass: Vec<String>,
}
