//! OpenRouter's endpoint statistics: `GET /api/v1/models/{author}/{slug}/endpoints`.
//!
//! It measures a provider through OpenRouter's own account, and its uptime leaves out rate-limited requests: context, not
//! evidence of the user's. The document has no time.

use serde::Deserialize;

use super::lenient::{FromText, List, Object, Scalar, object};
use super::observation::{Observation, Tool};
use crate::core::outcome::Kind;

/// Uptime in percent below which an endpoint counts as failing.
const GOOD_UPTIME: f64 = 90.0;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow, default)]
    data: Object<Model<'a>>,
}

#[derive(Default, Deserialize)]
struct Model<'a> {
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default)]
    endpoints: List<Object<Endpoint<'a>>>,
}

#[derive(Default, Deserialize)]
struct Endpoint<'a> {
    #[serde(borrow, default)]
    provider_name: Scalar<'a>,
    #[serde(borrow, default)]
    model_id: Scalar<'a>,
    #[serde(borrow, default)]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    uptime_last_5m: Scalar<'a>,
    #[serde(borrow, default)]
    uptime_last_30m: Scalar<'a>,
    #[serde(borrow, default)]
    latency_last_30m: Object<Percentiles<'a>>,
}

#[derive(Default, Deserialize)]
struct Percentiles<'a> {
    #[serde(borrow, default)]
    p50: Scalar<'a>,
}

impl FromText<'_> for Model<'_> {}
impl FromText<'_> for Endpoint<'_> {}
impl FromText<'_> for Percentiles<'_> {}

/// Reads a document; one that is not understood has no observations.
pub(super) fn endpoints(document: &[u8]) -> Vec<Observation> {
    let Some(model) = object::<Document<'_>>(document).and_then(|document| document.data.0) else { return Vec::new() };
    let observe = |endpoint: &Endpoint<'_>| {
        let (kind, rule) = judge(endpoint);
        let mut observation = Observation::new(Tool::OpenRouter, None, kind, rule);
        observation.model = model.id.name().or_else(|| endpoint.model_id.name());
        observation.provider = endpoint.provider_name.name();
        observation.latency_ms = endpoint.latency_last_30m.get().and_then(|latency| latency.p50.millis());
        observation
    };
    model.endpoints.0.iter().filter_map(Object::get).map(observe).collect()
}

/// What a model's upstreams look like together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upstreams {
    /// Upstreams that serve the model.
    pub listed: usize,
    /// Of those, the ones that are degraded, out of the rotation or below nine tenths.
    pub failing: usize,
    /// Upstreams with a figure for the last half hour.
    pub measured: usize,
    /// Mean of those figures in percent, 0 to 100; `None` without any. OpenRouter leaves rate-limited requests out.
    pub up_percent: Option<f32>,
}

/// Reads a document as a whole; `None` is one that is not understood or lists nothing.
pub fn upstreams(document: &[u8]) -> Option<Upstreams> {
    let model = object::<Document<'_>>(document)?.data.0?;
    let endpoints: Vec<&Endpoint<'_>> = model.endpoints.0.iter().filter_map(Object::get).collect();
    let figures = endpoints.iter().filter_map(|endpoint| endpoint.uptime_last_30m.number());
    let figures: Vec<f64> = figures.filter(|figure| (0.0..=100.0).contains(figure)).collect();
    let is_failing = |endpoint: &&&Endpoint<'_>| judge(endpoint).0 == Kind::ServerError;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "few numbers up to a hundred")]
    let mean = (figures.iter().sum::<f64>() / figures.len() as f64) as f32;
    (!endpoints.is_empty()).then(|| Upstreams {
        listed: endpoints.len(),
        failing: endpoints.iter().filter(is_failing).count(),
        measured: figures.len(),
        up_percent: (!figures.is_empty()).then_some(mean),
    })
}

/// States of an endpoint that are not normal. Their meanings are not documented: degraded, or out of the rotation.
const DEGRADED: [f64; 5] = [-1.0, -2.0, -3.0, -5.0, -10.0];

fn judge(endpoint: &Endpoint<'_>) -> (Kind, &'static str) {
    match endpoint.status.number() {
        Some(status) if DEGRADED.contains(&status) => return (Kind::ServerError, "openrouter-status"),
        Some(0.0) => {}
        None if endpoint.status.is_absent() => {}
        _ => return (Kind::Unrecognized, "openrouter-unknown-status"),
    }
    let uptime = endpoint.uptime_last_5m.number().or_else(|| endpoint.uptime_last_30m.number());
    match uptime {
        Some(uptime) if uptime < GOOD_UPTIME => (Kind::ServerError, "openrouter-uptime"),
        Some(_) => (Kind::Available, "openrouter-uptime"),
        None => (Kind::Unrecognized, "openrouter-no-data"),
    }
}
