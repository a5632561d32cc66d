//! The glance: the chain in a small window that stays above the others.

pub mod model;
pub mod place;
pub mod view;
