//! Switching: which model a tool uses and why, and how it is made to use another one.
//!
//! A [`Tool`](tool::Tool) reads all of a tool's layers ([`reading`]) from its [`world`] and names the key to set;
//! [`plan`](mod@plan) turns that into byte splices, reads the tool again as if they were written, and says what would
//! decide then. [`journal`] holds what is needed to take it back, [`undo`] says how. Nothing of this touches a disk; the
//! module `shell` does. [`reach`] tells which of the user's targets a tool can use at all. Facts of each tool's files and precedence are in its own module.

pub mod journal;
pub mod load;
pub mod path;
pub mod plan;
pub mod projects;
pub mod reach;
pub mod reading;
#[cfg(feature = "shell")]
pub mod shell;
pub mod tool;
pub mod tools;
pub mod undo;
pub mod warning;
pub mod world;
