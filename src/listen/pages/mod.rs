//! Public status pages: which there are, and what they say.
//!
//! A page is a slow, coarse hint that rarely names a model and hardly ever a refusal for want of room: context beside our
//! own evidence, never counted in it. What cannot be read says nothing, neither up nor down.

mod feed;
mod json;
mod sources;

pub(super) use feed::feed;
pub(super) use json::{better_stack, google, incident_io, summary};
pub use sources::{SOURCES, Source, Style};

use jiff::Timestamp;

use super::observation::{Component, Name, Observation, Tool};
use crate::core::outcome::Kind;

/// One component in the page's own word.
fn component(ts: Option<Timestamp>, name: Option<Name>, status: &str) -> Option<Observation> {
    let (kind, rule) = judge(status);
    let mut observation = Observation::new(Tool::StatusPage, ts, kind, rule);
    let status = Name::new(status).or_else(|| Name::new("unknown"))?;
    observation.component = Some(Component { name: name?, status });
    Some(observation)
}

/// Words of Statuspage, incident.io, Better Stack, Google Cloud and feeds.
fn judge(status: &str) -> (Kind, &'static str) {
    const GOOD: [&str; 5] = ["operational", "available", "resolved", "completed", "postmortem"];
    const BAD: [&str; 20] = [
        "degraded_performance",
        "partial_outage",
        "major_outage",
        "full_outage",
        "under_maintenance",
        "maintenance",
        "degraded",
        "downtime",
        "outage",
        "affected",
        "investigating",
        "identified",
        "monitoring",
        "in_progress",
        "verifying",
        "update",
        "active",
        "service_disruption",
        "service_outage",
        "service_information",
    ];
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(status));
    if is_one_of(&GOOD) {
        (Kind::Available, "page-good")
    } else if is_one_of(&BAD) {
        (Kind::ServerError, "page-bad")
    } else {
        (Kind::Unrecognized, "page-unknown")
    }
}
