//! History: what was when? States over time, latency, and the outages one by one.

pub mod axis;
pub mod chart;
pub mod columns;
pub mod lanes;
pub mod list;
pub mod model;
pub mod pattern;
pub mod range;
pub mod table;
pub mod view;
