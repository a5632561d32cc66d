//! Settings: where things lie, what the user wrote, and what it resolves to.

pub mod env;
pub mod roots;
