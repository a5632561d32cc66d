//! The engine's probes: begun, ended, and what an answer becomes.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Engine, Wake};
use crate::core::board::Spent;
use crate::core::classify::{Origin, classify};
use crate::core::limits::windows;
use crate::core::sample::{Sample, Source};
use crate::core::schedule::Event;
use crate::core::target::{Target, TargetId};
use crate::engine::snapshot::ActivityEvent;
use crate::probe::{Job, ProbeError, Probed};

/// A probe that has ended.
pub(super) struct Done {
    target: Arc<Target>,
    job: Job,
    began: Timestamp,
    result: Result<Probed, ProbeError>,
}

impl Engine {
    pub(super) fn job(&self, target: &TargetId) -> Option<(Arc<Target>, Job)> {
        let target = self.settings.target(target)?;
        let provider = self.settings.provider(&target.provider)?;
        Some((Arc::clone(target), provider.job(&target.model)))
    }

    /// Whether this very probe is still under way: one that waited longer than the schedule would believe.
    pub(super) fn is_running(&self, target: &TargetId, job: &Job) -> bool {
        self.running.values().any(|(id, running)| (id, running) == (target, job))
    }

    pub(super) fn begin_probe(&mut self, target: Arc<Target>, job: Job) {
        let prober = Arc::clone(&self.parts.prober);
        let clock = Arc::clone(&self.parts.clock);
        let running = (target.id.clone(), job.clone());
        let handle = self.jobs.spawn(async move {
            let began = clock.now();
            let result = prober.probe(&job).await;
            Done { target, job, began, result }
        });
        self.running.insert(handle.id(), running);
    }

    pub(super) fn joined(&mut self, joined: Result<(tokio::task::Id, Done), tokio::task::JoinError>) -> Wake {
        match joined {
            Ok((id, done)) => {
                self.running.remove(&id);
                Wake::Done(Box::new(done))
            }
            Err(error) => {
                tracing::error!(%error, "a probe's task failed");
                match self.running.remove(&error.id()) {
                    Some((target, _)) => Wake::ProbeLost(target),
                    None => Wake::Timer,
                }
            }
        }
    }

    pub(super) fn done(&mut self, done: Done, now: Timestamp) {
        let Done { target, job, began, result } = done;
        let spent = result
            .as_ref()
            .map_or_else(|_| Spent::default(), |probed| Spent { requests: probed.requests, tokens: probed.tokens });
        // The settings may have changed meanwhile: an answer to the old ones says nothing of the new ones.
        let is_current = self.job(&target.id).is_some_and(|(_, now)| now == job);
        let is_our_fault = matches!(result, Err(ProbeError::Client { .. }));
        if let (true, Err(error)) = (is_our_fault, &result) {
            tracing::error!(%error, target = %target.id, "a probe could not be made");
            self.machines.note_event(now, ActivityEvent::Trouble(error.describe(&self.parts.tr)));
        }
        if !is_current || is_our_fault {
            let tasks = self.machines.probed(&target.id, spent, None, now);
            return self.perform(tasks, now);
        }
        let (began, outcome, status, timing) = match result {
            Ok(probed) => {
                let origin = Origin { dialect: target.dialect, provider: Some(target.provider.as_str()) };
                let outcome = classify(origin, &probed.exchange, &self.rules);
                // Told first: an answer of a captive portal must not be judged as the provider's.
                let asked = job.endpoint.base_url.host_str().unwrap_or_default();
                if let Some(host) = probed.exchange.foreign_redirect(asked) {
                    let tasks = self.machines.event(Event::Redirected { target: target.id.clone(), host }, now);
                    self.perform(tasks, now);
                }
                let windows = windows(&probed.exchange, probed.exchange.received_at.unwrap_or(now));
                if !windows.is_empty() {
                    let tasks = self.machines.learn_windows(&target.provider, &windows, now);
                    self.perform(tasks, now);
                    Arc::make_mut(&mut self.key_limits).insert(target.id.clone(), windows);
                }
                (probed.began_at, outcome, probed.exchange.status, probed.exchange.timing)
            }
            Err(error) => {
                let mut outcome = error.outcome();
                // Nothing came over the wire: what is wrong with the settings is the evidence.
                outcome.excerpt = error.describe(&self.parts.tr);
                (began, outcome, None, crate::core::exchange::Timing::default())
            }
        };
        let sample = Sample::new(target.id.clone(), Source::Probe, began, status, timing, &outcome);
        let tasks = self.machines.probed(&target.id, spent, Some((sample, outcome)), now);
        self.perform(tasks, now);
    }
}
