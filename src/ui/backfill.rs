//! What the window knows of reading the tools' logs: what there is to read, and how far the reading is. Pure.

/// What there is to read, found before anything is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The tools' own names, in the order of their finding.
    pub tools: Vec<String>,
    /// Files of theirs.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// What the user wants of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Begin, or go on where it was left.
    Begin,
    /// Hold.
    Pause,
    /// Go on.
    Resume,
    /// End; what was read is kept.
    Cancel,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backfill {
    /// Reading, or held.
    Going {
        /// Files done.
        files: usize,
        /// Files in all.
        files_total: usize,
        /// Bytes read.
        bytes: u64,
        /// Bytes in all.
        bytes_total: u64,
        /// Outcomes found so far.
        observations: usize,
        /// Held by the user.
        is_paused: bool,
    },
    /// Read to the end.
    Done {
        /// Outcomes found.
        observations: usize,
    },
    /// Ended by the user.
    Cancelled,
    /// The record could not be written: the reason, in words.
    Failed(String),
}
