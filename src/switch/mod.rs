//! Switching: which model a tool uses and why, and how it is made to use another one.
//!
//! A [`Tool`](tool::Tool) reads all of a tool's layers ([`reading`]) from its [`world`] and names the key to set;
//! [`plan`](mod@plan) turns that into byte splices, reads the tool again as if they were written, and says what would
//! decide then. Nothing of this touches a disk. Facts of each tool's files and precedence are in its own module.

pub mod load;
pub mod path;
pub mod plan;
pub mod reading;
pub mod tool;
pub mod tools;
pub mod warning;
pub mod world;
