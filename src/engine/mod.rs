//! The engine: the loop that owns schedule and board, performs their effects through the shells, and publishes
//! an immutable [`snapshot::Snapshot`] after every change.

pub mod request;
pub mod snapshot;
