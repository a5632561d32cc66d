//! The demo: invented models with a planted weekly rhythm, their simulated past, and a present that changes quickly.
//!
//! [`cast`] says who plays and how busy each is at which hour, [`rhythm`] makes outages of it, [`history`](mod@history) looks at those
//! as the real schedule would and gives the samples, [`live`] is what the loopback provider plays from the start on, [`tools`] is what
//! the tools have in the demo's home, and [`world`] puts all of it into a folder of its own. All but the last are pure: a seed, a moment and a zone decide
//! everything.
//!
//! **Invariant**: the demo never reads or writes the user's settings, record or tools' files.

pub mod cast;
pub mod history;
pub mod live;
pub mod rhythm;
pub mod tools;
#[cfg(feature = "shell")]
pub mod world;

pub use history::{Ending, Past, history};
#[cfg(feature = "shell")]
pub use world::{DemoError, DemoWorld, prepare};

/// The seed of the demo when none is named.
pub const SEED: u64 = 0x5eed;
/// The simulated weeks when no number is named.
pub const WEEKS: u32 = 6;
