//! The loopback provider: a server on this machine that speaks every dialect and fails in every way we know.
//!
//! It is what `vacancy demo` runs against and what the tests of the prober, the classifier and the engine run against, so
//! it ships in the program. It decides nothing about targets: it plays the part of the world.
//!
//! What it answers is data: a [`Scenario`] has a stable name and states the kind and scope that a right classifier
//! gives, and [`answer::answer`] turns one into bytes and pauses, without IO. Only [`server`] with its connections and
//! [`tls`] touch the network, and only on 127.0.0.1.
//!
//! What it does not model: HTTP/2, token counting, checking of keys, and the vendors' limits; a scenario is chosen, never
//! arrived at.

pub mod answer;
mod bytes;
#[cfg(feature = "shell")]
mod connection;
mod faults;
mod outputs;
pub mod route;
pub mod scenario;
#[cfg(feature = "shell")]
pub mod server;
pub mod settings;
#[cfg(feature = "shell")]
pub mod tls;

use std::time::Duration;

pub use scenario::Scenario;
#[cfg(feature = "shell")]
pub use server::{Loopback, LoopbackError, LoopbackThread, Options, Recorded};

/// What a model answers at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The way it answers.
    pub scenario: Scenario,
    /// Until the first output of a scenario that has output, on top of what the scenario itself delays.
    pub first_token: Duration,
    /// Seconds for the `retry-after` header of an error; `None` leaves the scenario's own.
    pub retry_after_s: Option<u32>,
}

impl From<Scenario> for Reply {
    fn from(scenario: Scenario) -> Self {
        Self { scenario, first_token: Duration::ZERO, retry_after_s: None }
    }
}

/// Answers that change with time: what the demo plays.
pub trait Plan: Send + Sync {
    /// What `model` answers `elapsed` after the server's start; `None` leaves it to the model's name.
    fn reply(&self, model: &str, elapsed: Duration) -> Option<Reply>;
}

impl<F: Fn(&str, Duration) -> Option<Reply> + Send + Sync> Plan for F {
    fn reply(&self, model: &str, elapsed: Duration) -> Option<Reply> {
        self(model, elapsed)
    }
}

/// How fast time runs in the scenarios that play with it. Tests make it quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tempo {
    /// Until the first output of [`Scenario::Slow`]; the default lies above the threshold of `slow` (6 s).
    pub slow: Duration,
    /// Between two keep-alives, two bytes of a drip, and two pieces of a stream without end.
    pub beat: Duration,
}

impl Default for Tempo {
    fn default() -> Self {
        Self { slow: Duration::from_secs(7), beat: Duration::from_secs(1) }
    }
}
