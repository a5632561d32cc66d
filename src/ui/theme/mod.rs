//! How everything looks: sizes, colours and fonts by meaning. Nothing outside names a raw colour or a magic size.

pub mod colors;
pub mod fonts;
pub mod install;
pub mod tokens;

pub use colors::{Palette, palette, readable_on};
pub use install::{Look, apply, install};
pub use tokens::Type;
