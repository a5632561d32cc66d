//! The screens, each a pure `model.rs` and a `view.rs` that draws it and answers with commands.

pub mod activity;
pub mod board;
pub mod glance;
pub mod heatmap;
pub mod history;
pub mod settings;
pub mod sheet;
pub mod switch;
pub mod welcome;
