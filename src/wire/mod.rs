//! Requests: the smallest honest probe for each wire API, as data.
//!
//! Pure: nothing here sends, reads a key or knows the time. Where a key belongs, a request holds [`endpoint::KEY_MARK`];
//! the prober puts the key in at the last moment, so that a request can be printed and compared without leaking it.
//! Facts: the APIs' own references, and what users report when a probe is refused for its shape.

pub mod curl;
pub mod endpoint;
pub mod models;
pub mod presets;
pub mod request;
pub mod tuning;
