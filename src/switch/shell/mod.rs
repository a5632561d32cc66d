//! The half of switching that touches the machine: its files, the writing of a plan, the journal on disk.

pub mod apply;
pub mod detect;
pub mod disk;
pub mod environment;
pub mod journal_file;

pub use apply::{Applied, ApplyError, Switcher};
pub use detect::{Machine, Overrides};
pub use disk::RealFiles;
pub use journal_file::{JournalError, JournalFile};
