//! Activity: what happened?

pub mod model;
pub mod offers;
pub mod view;
