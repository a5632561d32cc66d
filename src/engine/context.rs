//! The engine's side of the context: asks sources when the watch says so, and keeps what they say for the snapshot.
//!
//! It reads the board and never changes it: context is not evidence.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::task::{Id, JoinSet};
use url::Url;

use crate::context::Silence;
use crate::context::fetch::Fetch;
use crate::context::sources::Subject;
use crate::context::watch::{Answer, Interest, Watch};
use crate::core::board::Board;
use crate::core::outcome::Family;
use crate::core::target::{Target, TargetId};
use crate::engine::snapshot::Remarks;
use crate::settings::{SUBSCRIPTIONS, Settings};
use crate::wire::presets::Preset;

/// What wakes the engine: a source has answered, or its task failed.
pub(super) type Joined = Result<(Id, (Url, Answer)), tokio::task::JoinError>;

/// The sources of the settings and the requests under way.
pub(super) struct Context {
    fetch: Option<Arc<dyn Fetch>>,
    watch: Watch,
    is_attended: bool,
    jobs: JoinSet<(Url, Answer)>,
    running: HashMap<Id, Url>,
    remarks: Remarks,
}

impl Context {
    /// Asks through `fetch`; `None` asks nobody.
    pub fn new(fetch: Option<Arc<dyn Fetch>>, rng: fastrand::Rng) -> Self {
        Self {
            fetch,
            watch: Watch::new(rng),
            is_attended: true,
            jobs: JoinSet::new(),
            running: HashMap::new(),
            remarks: Remarks::default(),
        }
    }

    /// Takes in new settings.
    pub fn configure(&mut self, settings: &Settings) {
        let is_on = self.fetch.is_some() && settings.context.status_pages;
        let targets = settings.targets.iter().filter(|_| is_on);
        let subjects: Vec<Subject> = targets.map(|target| subject(target, settings)).collect();
        self.watch.set_subjects(&subjects);
        self.remarks = Arc::new(self.watch.remarks());
    }

    /// Somebody looks at the window, or nobody does.
    pub const fn attend(&mut self, is_attended: bool) {
        self.is_attended = is_attended;
    }

    /// Makes the requests that are due. `is_quiet` is while nothing is to be sent: paused, or our own network is down.
    pub fn step(&mut self, board: &Board, is_quiet: bool, now: Timestamp) {
        let Some(fetch) = &self.fetch else { return };
        let is_attended = self.is_attended;
        for order in self.watch.due(now, |target| interest(board, is_attended, is_quiet, target)) {
            let fetch = Arc::clone(fetch);
            let url = order.url.clone();
            let handle = self.jobs.spawn(async move {
                let answer = fetch.fetch(&order).await;
                (order.url, answer)
            });
            self.running.insert(handle.id(), url);
        }
    }

    /// When [`Context::step`] has something to do next.
    pub fn wake_at(&self, board: &Board, is_quiet: bool) -> Option<Timestamp> {
        self.watch.wake_at(|target| interest(board, self.is_attended, is_quiet, target))
    }

    /// Whether no request is under way.
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Waits for the next answer.
    pub async fn next(&mut self) -> Option<Joined> {
        self.jobs.join_next_with_id().await
    }

    /// Takes in an answer.
    pub fn answered(&mut self, joined: Joined, now: Timestamp) {
        let (url, answer) = match joined {
            Ok((id, (url, answer))) => {
                self.running.remove(&id);
                (url, answer)
            }
            Err(error) => {
                tracing::error!(%error, "asking a status page failed");
                let Some(url) = self.running.remove(&error.id()) else { return };
                (url, Answer::Failed { silence: Silence::NoAnswer, wait: None })
            }
        };
        tracing::debug!(
            host = url.host_str(),
            is_document = matches!(answer, Answer::Document(..)),
            "a source answered"
        );
        self.watch.answered(&url, answer, now);
        self.remarks = Arc::new(self.watch.remarks());
    }

    /// What the sources say.
    pub fn remarks(&self) -> Remarks {
        Arc::clone(&self.remarks)
    }
}

/// A target as the sources know it.
fn subject(target: &Target, settings: &Settings) -> Subject {
    let provider = settings.provider(&target.provider);
    let by_address = |url: &Url| Preset::for_url(url, target.dialect).map(|preset| preset.id);
    let name = match provider {
        Some(provider) => provider.preset.or_else(|| by_address(&provider.endpoint.base_url)),
        None => SUBSCRIPTIONS.iter().find(|tool| **tool == target.provider.as_str()).copied(),
    };
    Subject {
        target: target.id.clone(),
        provider: name,
        model: target.model.clone(),
        base_url: provider.map(|provider| provider.endpoint.base_url.clone()),
    }
}

fn interest(board: &Board, is_attended: bool, is_quiet: bool, target: &TargetId) -> Interest {
    let family = board.entry(target).map(crate::core::board::Entry::family);
    match family {
        _ if is_quiet => Interest::None,
        _ if is_attended => Interest::Attended,
        Some(Family::Full | Family::Fault | Family::Limited) => Interest::Unattended,
        _ => Interest::None,
    }
}
