//! The rules as examples.
