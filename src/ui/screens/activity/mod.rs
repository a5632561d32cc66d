//! Activity: what happened?

pub mod model;
pub mod offers;
pub mod switches;
pub mod view;
