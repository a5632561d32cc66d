//! The screens: what their models say, how they answer, how they look.

pub mod behaviour;
pub mod ends;
pub mod glance;
pub mod history;
pub mod models;
pub mod pictures;
pub mod settings;
pub mod sheets;
pub mod stage;
pub mod switching;
