//! What would these settings cost, and how late would I have known? The real machines on a simulated clock.
//!
//! A [`World`] says what is true at each moment: of every target, of our own network, of the machine's sleep. The
//! [`Driver`] runs schedule, board and alert against it exactly as the engine does, probe by probe, and [`measure`](mod@measure)
//! compares what the board believed with what was true. A [`Strategy::Fixed`] interval with the same board and alert is
//! there to compare with.

mod driver;
mod measure;
pub mod story;
mod traces;
mod world;

pub use driver::{Driver, Seen, Strategy, run};
pub use measure::{Delays, Direction, Measures, Notices, Report, TargetMeasures, measure};
pub use traces::{BuiltIn, built_in};
pub use world::{LineError, TraceLine, Truth, World, WorldDefaults};
