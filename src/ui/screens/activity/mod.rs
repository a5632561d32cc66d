//! Activity: what happened?

pub mod model;
pub mod view;
