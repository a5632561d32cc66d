//! How far a long verb is, on one line of the terminal, or on lines of their own where somebody asked for them.

use std::io::{self, IsTerminal as _, Write as _};

/// Says on standard error how far it is. What it wrote over one line is gone when it is dropped.
#[derive(Debug)]
pub struct Progress {
    is_told: bool,
    is_terminal: bool,
    is_dirty: bool,
}

impl Progress {
    /// One that speaks on a terminal, or anywhere if it `is_wanted`. Where the result itself goes to the terminal
    /// (`to_terminal`) it only speaks if it is wanted.
    pub fn new(is_wanted: bool, to_terminal: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { is_told: is_wanted || is_terminal && !to_terminal, is_terminal, is_dirty: false }
    }

    /// Whether anybody listens.
    pub const fn is_told(&self) -> bool {
        self.is_told
    }

    /// Replaces the line. That nobody can read it is no fault.
    pub fn say(&mut self, words: &str) {
        if !self.is_told {
            return;
        }
        let mut out = io::stderr();
        let _ = if self.is_terminal { write!(out, "\r{words}\u{1b}[K") } else { writeln!(out, "{words}") };
        self.is_dirty = true;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_dirty && self.is_terminal {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
