//! When to probe what: one pure machine for all targets, told of events, answering with effects.
//!
//! It knows no clock and no chance of its own: `now` and the generator are arguments. The shell performs the
//! effects in their order, passes each result back as an event, and calls [`Schedule::handle`] with [`Event::Tick`] at
//! the time of the last [`Effect::WakeAt`].
//!
//! | part | decides |
//! |---|---|
//! | `lane` | what a target's newest result calls for: a confirmation, the usual cycle, a recovery's pace, a stop |
//! | `budget` | how soon that may be, so that the day's cap lasts until midnight |
//! | `spread` | the very moment: jitter, far from other probes and from the full hour |
//! | `network` | whether our own network works, and what goes out while it does not |
//! | `machine`, `due` | the events, and what is due |

mod budget;
mod clock;
mod config;
mod due;
mod estimate;
mod event;
mod lane;
mod machine;
mod network;
mod spread;

#[cfg(test)]
mod tests;

pub use clock::ClockWatch;
pub use config::{ConfigFinding, ScheduleConfig, Thresholds};
pub use estimate::{Cost, Estimate, TargetEstimate, daily_limit, estimate};
pub use event::{Effect, Event, Finding, NetworkState, Plan, Purpose, Setup, SkipReason};
pub use machine::Schedule;
