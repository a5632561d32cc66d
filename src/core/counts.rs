//! What happened since the start, counted: for those who keep history elsewhere. Never goes down.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::core::outcome::Kind;
use crate::core::sample::{Sample, Source};
use crate::core::target::TargetId;

/// Upper ends of the classes of the time to the first token, in milliseconds, each included; the last class has none.
pub const FIRST_TOKEN_MS: [u32; 11] = [250, 500, 1_000, 2_000, 3_000, 4_000, 6_000, 10_000, 20_000, 30_000, 60_000];

/// Times to the first token of our own probes, by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstTokens {
    /// How many fall into each class of [`FIRST_TOKEN_MS`], and in the last place those above all.
    pub classes: [u64; FIRST_TOKEN_MS.len() + 1],
    /// Their sum in milliseconds.
    pub sum_ms: u64,
}

impl FirstTokens {
    /// Counts one.
    pub fn add(&mut self, millis: u32) {
        let class = FIRST_TOKEN_MS.iter().position(|end| millis <= *end).unwrap_or(FIRST_TOKEN_MS.len());
        self.classes[class] += 1;
        self.sum_ms = self.sum_ms.saturating_add(u64::from(millis));
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.classes.iter().sum()
    }
}

/// What was counted of one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetCounts {
    /// Samples by kind and source, also those that were not made.
    pub samples: BTreeMap<(Kind, Source), u64>,
    /// Times to the first token.
    pub first_tokens: FirstTokens,
    /// Requests of our own, those of ended probes.
    pub requests: u64,
    /// Their tokens, estimated.
    pub tokens: u64,
}

/// All counts. Cheap to clone: what did not change is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    targets: HashMap<TargetId, Arc<TargetCounts>>,
    /// Notices by what they say.
    pub notices: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// What was counted of a target.
    pub fn of(&self, target: &TargetId) -> Option<&TargetCounts> {
        self.targets.get(target).map(AsRef::as_ref)
    }

    /// Counts a sample.
    pub fn sample(&mut self, sample: &Sample) {
        let counts = self.target(&sample.target);
        *counts.samples.entry((sample.kind, sample.source)).or_default() += 1;
        if let (Some(millis), Source::Probe, Kind::Available) = (sample.first_token_ms, sample.source, sample.kind) {
            counts.first_tokens.add(millis);
        }
    }

    /// Counts what a probe cost.
    pub fn spent(&mut self, target: &TargetId, requests: u32, tokens: u32) {
        if (requests, tokens) != (0, 0) {
            let counts = self.target(target);
            counts.requests = counts.requests.saturating_add(u64::from(requests));
            counts.tokens = counts.tokens.saturating_add(u64::from(tokens));
        }
    }

    /// Counts a notice.
    pub fn notice(&mut self, subject: &'static str) {
        *self.notices.entry(subject).or_default() += 1;
    }

    fn target(&mut self, target: &TargetId) -> &mut TargetCounts {
        Arc::make_mut(self.targets.entry(target.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::outcome::Scope;

    #[test]
    fn each_sample_is_counted_once_and_in_its_class() {
        let sample = |kind, source, first_token_ms| Sample {
            target: "t".into(),
            source,
            at: jiff::Timestamp::UNIX_EPOCH,
            kind,
            scope: Scope::Model,
            http_status: None,
            connect_ms: None,
            first_token_ms,
            total_ms: None,
            retry_after_s: None,
            rule: "answered".into(),
        };
        let mut counts = Counts::default();
        for millis in [0, 250, 251, 60_000, 60_001] {
            counts.sample(&sample(Kind::Available, Source::Probe, Some(millis)));
        }
        counts.sample(&sample(Kind::Available, Source::ToolLog, Some(9)));
        counts.sample(&sample(Kind::AtCapacity, Source::Probe, Some(9)));
        counts.spent(&"t".into(), 2, 60);
        let of = counts.of(&"t".into()).unwrap();
        assert_eq!(of.samples[&(Kind::Available, Source::Probe)], 5);
        assert_eq!(of.samples[&(Kind::Available, Source::ToolLog)], 1);
        assert_eq!(of.first_tokens.classes, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!((of.first_tokens.count(), of.first_tokens.sum_ms), (5, 120_502));
        assert_eq!((of.requests, of.tokens), (2, 60));
        assert!(counts.of(&"u".into()).is_none());
    }
}
