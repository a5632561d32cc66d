//! The window: theme, widgets, screens and the shell that shows them.

pub mod theme;
pub mod widgets;
