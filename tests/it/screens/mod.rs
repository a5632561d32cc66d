//! The screens: what their models say, how they answer, how they look.

mod behaviour;
mod glance;
mod history;
mod models;
mod pictures;
mod settings;
mod sheets;
mod stage;
mod switching;
