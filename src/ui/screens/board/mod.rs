//! The Board: what can I use now?

mod detail;
pub mod model;
mod model_context;
mod model_detail;
pub mod model_limits;
mod table;
pub mod use_button;
pub mod view;
