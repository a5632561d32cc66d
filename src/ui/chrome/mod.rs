//! What surrounds every screen: rail, banners, status line, toasts, and what lies over them.

pub mod banner;
pub mod focus;
pub mod keys;
pub mod model;
pub mod palette;
pub mod rail;
pub mod status;
pub mod tools;
