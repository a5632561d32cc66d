//! The demo's own folder.
