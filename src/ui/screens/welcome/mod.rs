//! The first run: what was found, and what would watching it cost?

pub mod model;
pub mod view;
