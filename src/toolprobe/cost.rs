//! What one probe by a tool costs, in tokens: shown before anything is spent.
//!
//! Source: bodies of "Reply with OK" measured on a loopback server with Codex 0.171, Claude Code 2.1.332, Gemini CLI
//! 0.61 and opencode 1.18, November 2026, in tokens of the o200k tokenizer, ± 15 %. A user's plug-ins, servers and
//! instruction files come on top where the tool cannot leave them out.

use crate::toolprobe::Program;

/// Input tokens of one probe, from the smallest model and newest tool to the largest and oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// At least about this many.
    pub least: u32,
    /// At most about this many.
    pub most: u32,
}

impl Cost {
    /// What `probes` of these cost together.
    pub const fn times(self, probes: u32) -> Self {
        Self { least: self.least.saturating_mul(probes), most: self.most.saturating_mul(probes) }
    }
}

/// What a probe costs when the tool can be told to leave out what a probe does not need (`is_trimmed`), and when not.
pub const fn cost(program: Program, is_trimmed: bool) -> Cost {
    let (least, most) = match (program, is_trimmed) {
        (Program::Codex, true) => (5_200, 10_900),
        (Program::Codex, false) => (7_900, 13_300),
        (Program::ClaudeCode, true) => (440, 3_500),
        (Program::ClaudeCode, false) => (6_300, 19_300),
        (Program::GeminiCli, true) => (200, 1_700),
        (Program::GeminiCli, false) => (1_700, 7_000),
        (Program::Opencode, true) => (150, 2_000),
        (Program::Opencode, false) => (7_000, 9_600),
    };
    Cost { least, most }
}

/// The widest range: what is said before the tool's version is known.
pub const fn cost_of_any_version(program: Program) -> Cost {
    Cost { least: cost(program, true).least, most: cost(program, false).most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trimming_never_costs_more_and_sums_do_not_overflow() {
        for program in Program::ALL {
            let (trimmed, whole) = (cost(program, true), cost(program, false));
            assert!(trimmed.least <= trimmed.most && whole.least <= whole.most, "{program:?}");
            assert!(trimmed.least < whole.least && trimmed.most < whole.most, "{program:?}");
        }
        assert_eq!(cost(Program::Codex, true).times(4), Cost { least: 20_800, most: 43_600 });
        assert_eq!(cost(Program::Codex, false).times(u32::MAX).most, u32::MAX);
    }
}
