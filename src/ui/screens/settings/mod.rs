//! Settings: every key of the file with its words, what is typed, what it would cost, and what it was before.

pub mod fields;
pub mod model;
pub mod view;
