//! The half of switching that touches the machine: its files, the writing of a plan, the journal on disk.

pub mod apply;
pub mod disk;
pub mod journal_file;

pub use apply::{ApplyError, Applied, Switcher};
pub use disk::RealFiles;
pub use journal_file::{JournalError, JournalFile};
