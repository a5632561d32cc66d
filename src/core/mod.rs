//! The pure core: what the program knows and decides.
//!
//! Nothing here does IO, reads a clock, or knows of egui or tokio; time, zone and chance come in as arguments
//! (`tests/it/architecture.rs` holds this, and the crate builds without its `shell` feature).

pub mod alert;
pub mod board;
pub mod bucket;
pub mod classify;
pub mod counts;
pub mod exchange;
pub mod history;
pub mod limits;
pub mod outcome;
pub mod platform;
pub mod reply;
pub mod rules;
pub mod sample;
pub mod schedule;
pub mod secretive;
pub mod sheet;
pub mod simulate;
pub mod target;
