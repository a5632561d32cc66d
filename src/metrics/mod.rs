//! Metrics for Prometheus: the newest picture as text, served on an address of the user's choice.
//!
//! [`address`] reads the address, [`text`] knows the two text formats, [`families`] what is told under which name: all pure.
//! [`server`] answers requests from the newest snapshot and asks the engine nothing. Names and labels are a contract; the
//! guide (`assets/guide/*/prometheus.md`) lists them. No label holds a key, an address or a text of anybody.

pub mod address;
pub mod families;
pub mod server;
pub mod text;
