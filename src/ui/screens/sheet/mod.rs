//! The cheat sheet: what should I use, and when?

pub mod away;
pub mod document;
pub mod model;
pub mod plan;
pub mod present;
pub mod ribbon;
pub mod view;
pub mod week;
pub mod words;
