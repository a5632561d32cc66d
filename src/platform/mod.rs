//! What each system does in its own way.

pub mod autostart;
pub mod calls;
pub mod limits;
pub mod motion;
pub mod network;
pub mod processes;
pub mod tray;
pub(crate) mod watched;
