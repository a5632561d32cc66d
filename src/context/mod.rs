//! What others say of a target: status pages and OpenRouter's statistics, shown beside our own evidence.
//!
//! It is context and never evidence: nothing here can become a sample, a bucket or a state. A page is slow and coarse,
//! hardly ever names a refusal for want of room, and moves without notice; what cannot be read says nothing, neither up
//! nor down.

#[cfg(feature = "shell")]
pub mod fetch;
pub mod remark;
pub mod sources;
pub mod watch;

pub use remark::{Origin, Part, Remark, Says, Silence};
