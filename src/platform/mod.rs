//! What each system does in its own way.

pub mod autostart;
pub mod processes;
