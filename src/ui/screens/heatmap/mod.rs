//! The heatmap: when is it free? Hours and weekdays, hours and models, days.

pub mod cell;
pub mod drawn;
pub mod map;
pub mod model;
pub mod side;
pub mod table;
pub mod view;
