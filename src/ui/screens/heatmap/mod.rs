//! The heatmap: when is it free? Hours and weekdays, hours and models, days.

pub mod calendar;
pub mod cell;
pub mod companion;
pub mod drawn;
pub mod map;
pub mod model;
pub mod months;
pub mod side;
pub mod table;
pub mod view;
