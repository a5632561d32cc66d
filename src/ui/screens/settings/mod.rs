//! Settings: every key of the file with its words, what is typed, what it would cost, and what it was before.

pub mod about;
pub mod data;
mod dialog;
pub mod drafts;
pub mod editor;
pub mod edits;
pub mod fields;
mod inputs;
mod lists;
pub mod model;
pub mod providers;
pub mod question;
mod record;
pub mod rules;
mod rules_view;
mod typed;
pub mod view;

pub use dialog::{conflict_ui, editor_ui};
pub use record::question_ui;
