#![doc = include_str!("ARCHITECTURE.md")]

pub mod context;
pub mod core;
pub mod demo;
pub mod edit;
pub mod explain;
pub mod format;
pub mod i18n;
pub mod listen;
pub mod loopback;
pub mod notify;
pub mod switch;
pub mod toolprobe;
pub mod wire;

#[cfg(feature = "shell")]
pub mod app;
#[cfg(feature = "shell")]
pub mod cli;
#[cfg(feature = "shell")]
pub mod clock;
#[cfg(feature = "shell")]
pub mod engine;
#[cfg(feature = "shell")]
mod file_events;
#[cfg(feature = "shell")]
pub mod metrics;
#[cfg(feature = "shell")]
pub mod platform;
#[cfg(feature = "shell")]
pub mod private;
#[cfg(feature = "shell")]
pub mod probe;
#[cfg(feature = "shell")]
pub mod raster;
#[cfg(feature = "shell")]
pub mod secrets;
#[cfg(feature = "shell")]
pub mod settings;
#[cfg(feature = "shell")]
pub mod store;
#[cfg(feature = "shell")]
pub mod ui;
#[cfg(feature = "shell")]
pub mod whole;

#[cfg(test)]
mod properties;
