//! The cheat sheet: what should I use, and when?

pub mod document;
pub mod plan;
pub mod words;
