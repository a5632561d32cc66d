//! Switch: which tool uses what, and why?

pub mod dialog;
pub mod model;
pub mod offer;
pub mod projects;
pub mod projects_view;
pub mod rule;
pub mod uses;
pub mod view;
