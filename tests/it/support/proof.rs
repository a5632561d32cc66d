//! Lengths and figures of the reliability proof: `tests/prove-reliability` runs the same tests as everybody, for longer,
//! and gathers what they print for `tests/RELIABILITY.md`.

use std::fmt::Display;
use std::time::Duration;

use vacancy::settings::env::Env;

/// How often a test does its work: as `VACANCY_PROOF` says, else `usual`, which is few.
pub fn rounds(usual: usize) -> usize {
    Env::process().get("VACANCY_PROOF").map_or(usual, |rounds| rounds.parse().expect("VACANCY_PROOF is a number"))
}

/// Whether this is the long run, where nothing else runs beside a test: only then its memory tells anything.
pub fn is_long() -> bool {
    Env::process().get("VACANCY_PROOF").is_some()
}

/// Says a row of the page: what was done, how often, and what came of it.
pub fn row(what: impl Display, count: impl Display, outcome: impl Display) {
    println!("\nPROOF | {what} | {count} | {outcome} |");
}

/// Mebibytes of this process that are in memory, now and at most since [`Memory::watch`].
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// When the watch began.
    pub before: f64,
}

impl Memory {
    /// Begins to watch.
    pub fn watch() -> Self {
        // The kernel's way to begin a new peak; without the right to it the peak is that of the whole run.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        Self { before: field("VmRSS:") }
    }

    /// What was added since, at the most.
    pub fn peak(self) -> f64 {
        (field("VmHWM:") - self.before).max(0.0)
    }

    /// What was added since and is still there.
    pub fn stayed(self) -> f64 {
        (field("VmRSS:") - self.before).max(0.0)
    }
}

fn field(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// Seconds with one digit.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
