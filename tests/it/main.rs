//! All integration tests in one binary, so that the program is linked once.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod architecture;
mod background;
mod classify;
mod cli;
mod context;
mod day;
mod demo;
mod discovery;
mod edit;
mod engine;
mod explain;
mod export;
mod i18n;
mod listen;
mod loopback;
mod metrics;
mod notices;
mod packaging;
mod probe;
mod quality;
mod raster;
mod rules;
mod schedule;
mod screens;
mod secrets;
mod settings;
mod sheet;
mod simulate;
mod store;
mod stories;
mod support;
mod switch;
mod tool_programs;
mod toolprobe;
mod wire;
